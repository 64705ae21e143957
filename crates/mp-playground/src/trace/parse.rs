//! One trace, line by line. A line that is none is counted and passed over: a game that crashed leaves half
//! of one. The file is somebody's: nothing of it may reach a terminal that could mean more to that than text,
//! and what is kept of it takes little more memory than it is long.

use std::io::{self, BufRead, Read as _};

use mp_protocol::name_is_valid;

/// What every line begins with.
const MARK: &str = "[mp-trace] ";
/// The longest line that is taken, in bytes; of a longer one the rest is another, which is not read.
const LINE_BYTES_MAX: u64 = 64 << 10;
/// The most lines of a trace that are taken: an hour's at its limit of 2,000 a second.
pub(super) const LINES_MAX: usize = 3_600 * 2_000;
/// Whose game it is that a line is about.
const ROLES: [&str; 3] = ["host", "member", "solo"];

/// A line of a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The game's tick.
    pub frame: u64,
    /// Milliseconds since the mod loaded.
    pub t_ms: u64,
    /// `host`, `member` or `solo`.
    pub role: &'static str,
    /// The word for what it tells of, and what it says.
    told: Box<str>,
}

impl Line {
    /// The line, if it is one.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let text = text.strip_prefix(MARK)?.trim_end();
        if text.contains(char::is_control) {
            return None;
        }
        let mut rest = text.splitn(4, ' ');
        let frame = rest.next()?.strip_prefix("f=")?.parse().ok()?;
        let t_ms = rest.next()?.strip_prefix("t=")?.parse().ok()?;
        let role = rest.next()?;
        let role = ROLES.into_iter().find(|known| *known == role)?;
        let told = rest.next().filter(|told| !told.is_empty() && !told.starts_with(' '))?;
        Some(Self { frame, t_ms, role, told: told.into() })
    }

    /// What it tells of: `pause`, `snap`, `msg` and so on.
    #[must_use]
    pub fn what(&self) -> &str {
        self.told.split(' ').next().unwrap_or_default()
    }

    /// What it says.
    #[must_use]
    pub fn words(&self) -> &str {
        self.told.split_once(' ').map_or("", |(_, words)| words)
    }

    /// What a word `name=value` of it says.
    fn value(&self, name: &str) -> Option<&str> {
        self.words().split(' ').find_map(|word| word.strip_prefix(name)?.strip_prefix('='))
    }

    /// Whether it names that moby, by whatever number.
    pub(super) fn names(&self, moby: &str) -> bool {
        const NAMES: [&str; 8] = ["moby", "key", "keys", "shared", "id", "ids", "added", "missing"];
        self.words().split(' ').filter_map(|word| word.split_once('=')).any(|(name, value)| {
            NAMES.contains(&name) && value.split(',').any(|number| number == moby)
        })
    }
}

/// A whole trace.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Parsed {
    pub(super) lines: Vec<Line>,
    /// The player's name, if a line told it.
    pub(super) player: Option<String>,
    /// When the player's clock showed the first, the server's showed the second, both in milliseconds.
    pub(super) clock: Vec<(u64, i64)>,
    pub(super) unreadable: u64,
    /// Lines that came after as many as are taken.
    pub(super) over: u64,
}

impl Parsed {
    /// Reads to the end.
    pub(super) fn read(from: impl BufRead) -> io::Result<Self> {
        Self::read_at_most(from, LINES_MAX)
    }

    /// Likewise, and takes that many lines.
    pub(super) fn read_at_most(mut from: impl BufRead, most: usize) -> io::Result<Self> {
        let (mut parsed, mut bytes) = (Self::default(), Vec::new());
        loop {
            bytes.clear();
            if from.by_ref().take(LINE_BYTES_MAX).read_until(b'\n', &mut bytes)? == 0 {
                return Ok(parsed);
            }
            if parsed.lines.len() < most {
                parsed.take(&bytes);
            } else {
                parsed.over += 1;
            }
        }
    }

    fn take(&mut self, bytes: &[u8]) {
        let Some(line) = std::str::from_utf8(bytes).ok().and_then(Line::parse) else {
            self.unreadable += 1;
            return;
        };
        match line.what() {
            "clock" => {
                let server_ms = line.value("server_ms").and_then(|value| value.parse().ok());
                self.clock.extend(server_ms.map(|server_ms| (line.t_ms, server_ms)));
            }
            "start" => {
                let named = line.value("player").filter(|name| name_is_valid(name));
                self.player = named.map(str::to_owned);
            }
            _ => {}
        }
        self.lines.push(line);
    }

    /// A moment of the player's clock by the server's: as its newest word of it was, or, before the
    /// first, as that one; without any, since `begin_ms`.
    pub(super) fn at_ms(&self, t_ms: u64, begin_ms: u64) -> i64 {
        let known = self.clock.partition_point(|(local_ms, _)| *local_ms <= t_ms);
        let (local_ms, server_ms) = match self.clock.get(known.saturating_sub(1)) {
            Some(word) => *word,
            None => (begin_ms, 0),
        };
        let since = i64::try_from(i128::from(t_ms) - i128::from(local_ms)).unwrap_or(i64::MAX);
        server_ms.saturating_add(since)
    }
}
