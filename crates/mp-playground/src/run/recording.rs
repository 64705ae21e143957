//! A recorded pad: what a game's pad said in every tick from the game's start, in a text file that a
//! person can read and edit.
//!
//! ```text
//! openrac-pad 1
//! seed 1
//! ticks-per-second 60
//! # ticks, buttons (hexadecimal, a bit each), stick east, stick north (of 127)
//! pad 45 0000 0 0
//! pad 2 4000 0 0
//! pad 13 0000 127 -20
//! digest 60 a430d84680aabd0b
//! ```
//!
//! The first three lines are the head: the format's version, the seed of the simulation and the disc's
//! rate. Each `pad` line is a pad that stayed the same for so many ticks. A `digest` line says the
//! game's state digest after that many ticks, once a second, so that a replay checks itself; a
//! recording made in a party has none, for what others do is not in it. `#` begins a comment.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;
use std::str::FromStr;

use crate::sim::{Pad, TickRate};

const FORMAT: &str = "openrac-pad";
const VERSION: u32 = 1;
/// Most ticks of a recording: ten hours.
pub const TICKS_MAX: usize = 10 * 60 * 60 * 60;

/// Most bytes of its file, which may be somebody else's: a line for each of these ticks, and comments.
const FILE_BYTES_MAX: u64 = 64 * TICKS_MAX as u64;

/// A recorded pad.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recording {
    /// Of the simulation.
    pub seed: u64,
    /// The disc's.
    pub rate: TickRate,
    pads: Vec<Pad>,
    digests: BTreeMap<usize, u64>,
}

/// Why a file is no recording.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {what}")]
pub struct BadRecording {
    line: usize,
    what: String,
}

impl Recording {
    /// An empty one, of a game with that seed and rate.
    #[must_use]
    pub const fn new(seed: u64, rate: TickRate) -> Self {
        Self { seed, rate, pads: Vec::new(), digests: BTreeMap::new() }
    }

    /// Reads a file.
    ///
    /// # Errors
    /// The system's; what is no recording is [`io::ErrorKind::InvalidData`], and names the line.
    pub fn load(file: &Path) -> io::Result<Self> {
        let mut text = String::new();
        File::open(file)?.take(FILE_BYTES_MAX).read_to_string(&mut text)?;
        if text.len() as u64 == FILE_BYTES_MAX {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "longer than any recording"));
        }
        text.parse().map_err(|bad: BadRecording| io::Error::new(io::ErrorKind::InvalidData, bad))
    }

    /// Writes the file.
    ///
    /// # Errors
    /// The system's.
    pub fn save(&self, file: &Path) -> io::Result<()> {
        std::fs::write(file, self.to_string())
    }

    /// Takes down the next tick's pad. Beyond `TICKS_MAX` nothing is.
    pub fn push(&mut self, pad: Pad) {
        if self.pads.len() < TICKS_MAX {
            self.pads.push(pad);
        }
    }

    /// Takes down the game's digest after the ticks so far, if it is time for one.
    pub fn note(&mut self, digest: impl FnOnce() -> u64) {
        let ticks = self.pads.len();
        if ticks.is_multiple_of(self.rate.per_second().into()) && ticks < TICKS_MAX {
            self.digests.insert(ticks, digest());
        }
    }

    /// How many ticks it has.
    #[must_use]
    pub fn ticks(&self) -> usize {
        self.pads.len()
    }

    /// The pad of the tick of that number, from 0; past the end nothing is held.
    #[must_use]
    pub fn pad(&self, tick: usize) -> Pad {
        self.pads.get(tick).copied().unwrap_or(Pad::NEUTRAL)
    }

    /// The game's digest after that many ticks, if it was taken down.
    #[must_use]
    pub fn digest(&self, ticks: usize) -> Option<u64> {
        self.digests.get(&ticks).copied()
    }

    fn read_line(&mut self, words: &[&str]) -> Result<(), String> {
        match *words {
            ["pad", ticks, buttons, east, north] => {
                let ticks: usize = number(ticks)?;
                if ticks == 0 || ticks > TICKS_MAX - self.pads.len() {
                    return Err(format!("{ticks} ticks (1 up, {TICKS_MAX} in all)"));
                }
                let buttons = u16::from_str_radix(buttons, 16)
                    .map_err(|_| format!("`{buttons}` is not a number of up to 4 hex digits"))?;
                let pad = Pad::of_parts((buttons, number(east)?, number(north)?));
                self.pads.resize(self.pads.len() + ticks, pad);
                Ok(())
            }
            ["digest", ticks, digest] => {
                let digest = u64::from_str_radix(digest, 16)
                    .map_err(|_| format!("`{digest}` is not a number of up to 16 hex digits"))?;
                self.digests.insert(number(ticks)?, digest);
                Ok(())
            }
            _ => Err(format!("`{}` is neither a pad nor a digest", words.join(" "))),
        }
    }
}

fn number<T: FromStr>(word: &str) -> Result<T, String> {
    word.parse().map_err(|_| format!("`{word}` is not a number here"))
}

impl FromStr for Recording {
    type Err = BadRecording;

    fn from_str(text: &str) -> Result<Self, BadRecording> {
        let lines = text.lines().enumerate().map(|(index, line)| {
            let line = line.split('#').next().unwrap_or_default();
            (index + 1, line.split_whitespace().collect::<Vec<_>>())
        });
        let mut lines = lines.filter(|(_, words)| !words.is_empty());
        let mut head = |key: &str| match lines.next() {
            Some((_, words)) if words.len() == 2 && words[0] == key => Ok(words[1].to_owned()),
            Some((line, _)) => {
                Err(BadRecording { line, what: format!("not `{key}` and a number") })
            }
            None => Err(BadRecording { line: 0, what: format!("no `{key}`") }),
        };
        let bad_head = |what| BadRecording { line: 0, what };
        let version: u32 = number(&head(FORMAT)?).map_err(bad_head)?;
        if version != VERSION {
            return Err(bad_head(format!("format {version}; this game reads {VERSION}")));
        }
        let seed = number(&head("seed")?).map_err(bad_head)?;
        let rate: u8 = number(&head("ticks-per-second")?).map_err(bad_head)?;
        let rates = [TickRate::Ntsc, TickRate::Pal];
        let rate = rates.into_iter().find(|known| known.per_second() == rate);
        let rate = rate.ok_or_else(|| bad_head("neither 60 nor 50 ticks a second".to_owned()))?;
        let mut recording = Self::new(seed, rate);
        for (line, words) in lines {
            recording.read_line(&words).map_err(|what| BadRecording { line, what })?;
        }
        Ok(recording)
    }
}

impl fmt::Display for Recording {
    /// As it is read.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{FORMAT} {VERSION}\nseed {}\nticks-per-second {}",
            self.seed,
            self.rate.per_second()
        )?;
        writeln!(
            f,
            "# ticks, buttons (hexadecimal, a bit each), stick east, stick north (of 127)"
        )?;
        let mut ticks = 0;
        // A digest is written after the pads it is of, so a line of pads ends there too.
        let ends = self.digests.keys().copied().chain([self.pads.len()]);
        for end in ends.filter(|&end| end <= self.pads.len()) {
            for same in self.pads[ticks..end].chunk_by(PartialEq::eq) {
                let (buttons, east, north) = same[0].parts();
                writeln!(f, "pad {} {buttons:04x} {east} {north}", same.len())?;
            }
            ticks = end;
            if let Some(digest) = self.digests.get(&end) {
                writeln!(f, "digest {end} {digest:016x}")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bots::{Bot, Errand, Habit};
    use crate::game::{Phase, StandIn};
    use crate::sim::Button;

    const SECONDS: usize = 20;

    /// One tick of a game without a mod.
    fn tick(game: &mut StandIn, pad: Pad) {
        game.read_pad(pad);
        while game.poll_call().is_some() {}
        game.step();
        while game.poll_call().is_some() {}
    }

    fn recorded(seed: u64) -> Recording {
        let mut game = StandIn::new(seed);
        let mut bot = Bot::new(Errand::Choose("New Game".to_owned()), Habit::Walk, seed);
        let mut recording = Recording::new(seed, TickRate::Ntsc);
        for _ in 0..SECONDS * usize::from(game.tick_rate()) {
            let pad = bot.pad(&game);
            tick(&mut game, pad);
            recording.push(pad);
            recording.note(|| game.digest());
        }
        assert_eq!(game.phase(), Phase::Playing);
        recording
    }

    /// The first second in which the game is not as it was.
    fn replayed(recording: &Recording) -> Option<usize> {
        let mut game = StandIn::new(recording.seed);
        (0..recording.ticks()).find(|&number| {
            tick(&mut game, recording.pad(number));
            recording.digest(number + 1).is_some_and(|digest| digest != game.digest())
        })
    }

    /// A recording that somebody sent.
    #[test]
    fn a_file_that_is_longer_than_any_recording_is_refused_and_not_read_whole() {
        let file = std::env::temp_dir().join(format!("openrac-long-pad-{}", std::process::id()));
        let long = File::create(&file).expect("can be made");
        long.set_len(2 * FILE_BYTES_MAX).expect("a file with holes");
        let refused = Recording::load(&file).expect_err("is refused").to_string();
        std::fs::remove_file(&file).expect("it is this test's");
        assert_eq!(refused, "longer than any recording");
    }

    #[test]
    fn a_recording_replays_to_the_same_digests_and_another_does_not() {
        let recording = recorded(3);
        assert_eq!(recording.digests.len(), SECONDS);
        let read: Recording = recording.to_string().parse().expect("as it was written");
        assert_eq!(read, recording);
        assert_eq!(replayed(&read), None);
        let mut other = read.clone();
        let last = other.pads.len() - 90;
        other.pads[last] = other.pads[last].with_stick(-1.0, 0.0);
        assert!(replayed(&other).is_some_and(|tick| tick >= last), "one tick's stick shows");
        let other = Recording { seed: 4, ..read };
        assert!(replayed(&other).is_some(), "and so does the seed");
    }

    #[test]
    fn pads_that_stay_the_same_are_one_line() {
        let mut recording = Recording::new(9, TickRate::Ntsc);
        let cross = Pad::NEUTRAL.with(Button::Cross);
        [cross, cross, Pad::NEUTRAL].into_iter().for_each(|pad| recording.push(pad));
        let lines: Vec<String> = recording.to_string().lines().map(str::to_owned).collect();
        assert_eq!(lines[..3], ["openrac-pad 1", "seed 9", "ticks-per-second 60"]);
        assert_eq!(lines[4..], ["pad 2 4000 0 0", "pad 1 0000 0 0"]);
        assert_eq!(recording.pad(3), Pad::NEUTRAL);
    }

    #[test]
    fn each_mistake_is_named_by_its_line() {
        let head = "openrac-pad 1\nseed 1\nticks-per-second 60\n";
        for (text, words) in [
            (String::new(), "line 0: no `openrac-pad`"),
            ("pad 1 0 0 0".to_owned(), "line 1: not `openrac-pad` and a number"),
            ("openrac-pad 2".to_owned(), "line 0: format 2; this game reads 1"),
            (head.replace("60", "59"), "line 0: neither 60 nor 50 ticks a second"),
            (format!("{head}pad 0 0 0 0"), "line 4: 0 ticks (1 up, 2160000 in all)"),
            (format!("{head}\npad 9999999 0 0 0"), "line 5: 9999999 ticks (1 up, 2160000 in all)"),
            (
                format!("{head}pad 1 12345 0 0"),
                "line 4: `12345` is not a number of up to 4 hex digits",
            ),
            (format!("{head}pad 1 0 200 0"), "line 4: `200` is not a number here"),
            (format!("{head}jump"), "line 4: `jump` is neither a pad nor a digest"),
        ] {
            let error = text.parse::<Recording>().expect_err(&text);
            assert_eq!(error.to_string(), words);
        }
    }
}
