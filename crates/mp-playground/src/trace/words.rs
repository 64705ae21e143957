//! What each word of a trace means, for who reads one: in the reader's help, and under the timeline.

/// The word that says what a line tells of, as the mod writes it, and what that is.
pub(super) const WORDS: [(&str, &str); 12] = [
    ("start", "the first line: whose game it is (player)"),
    (
        "clock",
        "what the server's clock shows, once a second; the traces are laid side by side by it",
    ),
    (
        "pause",
        "the game's phase changed (Playing, Paused, ...); under a menu, where the cameras are",
    ),
    (
        "run",
        "the game runs a moby no more (out) or again (in); under a menu, how many of all it ran",
    ),
    ("vis", "a moby came, was hidden, was shown or died; under a menu, is drawn or not drawn"),
    (
        "despawn",
        "a moby went, and by whom: own (itself), mod, moby:N (another), vanished (nobody said)",
    ),
    ("eyes", "the points that the host's game runs the world around, once a second"),
    (
        "snap",
        "the host's world sent (out) or received (in): which mobys are in it (added) or gone (missing)",
    ),
    ("drive", "a moby follows the host's from now on (driven), or no more (let go)"),
    ("msg", "an event of the shared world sent (out) or received (in), or one dropped and why"),
    (
        "census",
        "how many mobys there are, came and went, and of each class (class:count), once a second",
    ),
    ("over", "so many lines were left out: over 2,000 in a second, or the disk was too slow"),
];

/// What a word means, if it is one.
pub(super) fn meaning(word: &str) -> Option<&'static str> {
    WORDS.iter().find(|(known, _)| *known == word).map(|(_, meaning)| *meaning)
}

/// The end of the help.
pub(super) fn legend() -> String {
    let mut legend =
        "A line is: seconds after the first one, player, role (host, member, solo), the \
        game's tick (f),\na word for what it tells of, and what that is. The words:\n"
            .to_owned();
    for (word, meaning) in WORDS {
        legend.push_str(&format!("  {word:8} {meaning}\n"));
    }
    legend
        + "In them a moby is its handle (moby=4), its key in the level (key=17), or its number on the \
           wire\n(17, or 0x8003 of one that the host made): --moby takes each.\n"
}
