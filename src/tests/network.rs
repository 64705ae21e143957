//! The network page, offered while the verbose log is on (B1.3, B9).

use super::*;
use crate::trace::{Trace, channel};

/// The same player, with its verbose log on. Nobody reads that: what it has no room for is counted.
fn verbose(player: Player) -> Player {
    let (outlet, _drain) = channel();
    Player { mp: player.mp.traced(Trace::to(outlet)), ..player }
}

/// A party that plays, everyone's verbose log on.
fn party(names: &[&'static str]) -> Party {
    let mut party = Party::of(names);
    party.players = party.players.into_iter().map(verbose).collect();
    party.start();
    party.ticks(130);
    party
}

/// The value of a row of the network page.
fn value(party: &mut Party, place: usize, label: &str) -> String {
    let page = party.players[place].page(PageId::Network, party.now);
    let row = page.rows.iter().find(|row| row.label == label);
    row.unwrap_or_else(|| panic!("no row {label:?} in {page:?}")).value.clone()
}

fn has_line(party: &mut Party, place: usize, page: PageId, line: &str) -> bool {
    party.text(place, page).lines().any(|shown| shown == line)
}

#[test]
fn the_network_page_is_offered_only_while_the_verbose_log_is_on() {
    let mut quiet = Party::of(&["Nova_7", "Orbit"]);
    let mut loud = party(&["Nova_7", "Orbit"]);
    for page in [PageId::Home, PageId::Lobby, PageId::Pause] {
        assert!(!quiet.text(1, page).contains("Network"), "{page:?}");
        assert!(has_line(&mut loud, 1, page, "- Network"), "{page:?}");
    }
}

#[test]
fn the_network_page_goes_back_to_the_page_it_was_opened_from() {
    let mut party = party(&["Nova_7", "Orbit"]);
    for from in [PageId::Pause, PageId::Lobby] {
        party.choose(1, from, "Network");
        let (now, player) = (party.now, &mut party.players[1]);
        assert_eq!(player.game.page.take(), Some(PageId::Network));
        player.mp.page_event(PageId::Network, PageEvent::Back, &player.game, now);
        assert_eq!(player.game.page.take(), Some(from));
    }
}

#[test]
fn the_network_page_shows_how_the_link_does() {
    let mut party = party(&["Nova_7", "Orbit"]);
    for second in 1..=3 {
        party.players[1].report(Event::Quality(Quality {
            round_trip: Duration::from_millis(64),
            server_offset_micros: OFFSET_MICROS,
            udp: true,
            jitter: Duration::from_micros(3_300),
            loss: 0.025,
            bytes: Traffic { received: 9_000 * second, sent: 6_000 * second },
        }));
        party.ticks(60);
    }
    assert_eq!(value(&mut party, 1, "Round trip"), "64 ms UDP");
    assert_eq!(value(&mut party, 1, "Jitter"), "3.3 ms");
    assert_eq!(value(&mut party, 1, "Loss"), "2.5 %");
    // 60 ticks are a little less or more than a second.
    let number = |words: String| words.split(' ').next().and_then(|first| first.parse().ok());
    let (sent, received) = (value(&mut party, 1, "Sent"), value(&mut party, 1, "Received"));
    assert!(number(sent).is_some_and(|bytes: u32| bytes.abs_diff(6_000) < 100));
    assert!(number(received).is_some_and(|bytes: u32| bytes.abs_diff(9_000) < 100));
}

#[test]
fn the_network_page_shows_how_far_behind_each_of_the_others_is_played() {
    let mut party = party(&["Nova_7", "Orbit", "Quark"]);
    for name in ["Nova_7", "Quark"] {
        let played = value(&mut party, 1, &format!("{name} is played"));
        assert!(played.contains("ms behind") && played.ends_with("0 late, 0 stalls"), "{played}");
    }
}

#[test]
fn the_network_page_counts_messages_and_bytes_by_kind_both_ways() {
    let mut party = party(&["Nova_7", "Orbit", "Quark"]);
    // 20 poses a second of each: its own too come back from the host.
    let words = value(&mut party, 1, "POSE");
    let numbers: Vec<u32> =
        words.split(|c: char| !c.is_ascii_digit()).filter_map(|n| n.parse().ok()).collect();
    let [sent, sent_bytes, received, received_bytes] = numbers[..] else { panic!("{words}") };
    assert!((19..=21).contains(&sent) && (57..=63).contains(&received), "{words}");
    assert!(sent_bytes > 40 * sent && received_bytes > 40 * received, "{words}");
}

#[test]
fn the_network_page_says_what_was_dropped_and_why() {
    let mut party = party(&["Nova_7", "Orbit"]);
    let member = party.players[1].id;
    // Two that nobody can read, and one that only a host may say.
    for bytes in [&[1][..], &[7, 1, 2], &[3, 0, 0, 0, 1]] {
        party.host().data(member, bytes);
    }
    party.tick();
    assert_eq!(value(&mut party, 0, "Dropped: malformed"), "2");
    assert_eq!(value(&mut party, 0, "Dropped: not its sender's to say"), "1");
}

#[test]
fn a_link_is_made_bad_live_from_the_network_page() {
    let mut party = party(&["Nova_7", "Orbit"]);
    for (label, presses) in [("Simulated latency, one way", 6), ("Simulated loss", 2)] {
        (0..presses).for_each(|_| party.choose(1, PageId::Network, label));
    }
    let asked = party.players[1].asked.last();
    let Some(Command::Simulate(conditions)) = asked else { panic!("asked {asked:?}") };
    assert_eq!(conditions.to_string(), "latency=60,jitter=0,loss=2,duplicate=0,reorder=0");
    assert_eq!(value(&mut party, 1, "Simulated latency, one way"), "60 ms");
    assert!(has_line(&mut party, 1, PageId::Pause, "- Network simulated"));
}

#[test]
fn the_ends_of_a_simulated_link_do_not_wrap() {
    let mut party = party(&["Nova_7", "Orbit"]);
    for (label, worst, best) in [
        ("Simulated latency, one way", "500 ms", "0 ms"),
        ("Simulated jitter", "200 ms", "0 ms"),
        ("Simulated loss", "50 %", "0 %"),
        ("Simulated duplicates", "50 %", "0 %"),
        ("Simulated reordering", "50 %", "0 %"),
    ] {
        for (right, end) in [(true, worst), (false, best)] {
            for _ in 0..60 {
                let (now, player) = (party.now, &mut party.players[1]);
                let page = player.page(PageId::Network, now);
                let row = page.rows.iter().position(|row| row.label == label).expect("a row");
                let step = PageEvent::Step { row, right, held_ticks: 0 };
                player.mp.page_event(PageId::Network, step, &player.game, now);
            }
            assert_eq!(value(&mut party, 1, label), end, "{label}");
        }
    }
}

#[test]
fn a_direct_host_is_told_that_it_has_no_link_to_make_bad() {
    let mut party = party(&["Nova_7", "Orbit"]);
    assert_eq!(value(&mut party, 0, "Simulated link"), "a direct host has none");
}
