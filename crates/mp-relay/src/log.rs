//! The log: lines on stderr, written by a thread of its own so that nothing ever waits for it, and summed
//! up: of each address one line a reason every 10 seconds, however often it comes.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded};
use mp_party::{CloseReason, Strike, origin};

/// Lines that may wait to be written; more are counted and left out.
const WAITING_MAX: usize = 4_096;
/// How long one line stands for all of its address and reason.
const WINDOW: Duration = Duration::from_secs(10);
/// Addresses and reasons that are told apart in that time; what more there are is counted together.
const KEYS_MAX: usize = 1_024;
/// How long the last lines may take to be written.
const CLOSING: Duration = Duration::from_millis(200);

/// A line to be.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub(crate) address: Option<IpAddr>,
    pub(crate) what: What,
}

/// What it is about.
#[derive(Clone, Debug)]
pub(crate) enum What {
    Closed(CloseReason),
    TooFast(Strike),
    Said(String),
}

impl What {
    /// The reason, without what varies from one time to the next.
    fn reason(&self) -> String {
        match self {
            Self::Closed(CloseReason::Malformed(_)) => "closed: a malformed frame".into(),
            Self::Closed(CloseReason::BadLength(_)) => "closed: a frame of a bad length".into(),
            _ => self.words(),
        }
    }

    fn words(&self) -> String {
        match self {
            Self::Closed(why) => format!("closed: {why}"),
            Self::TooFast(limit) => format!("too fast: {limit}"),
            Self::Said(words) => words.clone(),
        }
    }
}

/// Where lines go. Writing never waits.
#[derive(Clone, Debug)]
pub struct Log {
    lines: Sender<Line>,
    lost: Arc<AtomicU64>,
}

/// The end of a log: it is closed when every [`Log`] of it is gone.
#[derive(Debug)]
pub struct LogEnd(Receiver<()>);

impl Log {
    /// Starts a log that is written to `out`.
    ///
    /// # Errors
    /// The system gives no thread.
    pub fn start(out: impl Write + Send + 'static) -> io::Result<(Self, LogEnd)> {
        let (lines, waiting) = bounded(WAITING_MAX);
        let (done, ended) = bounded::<()>(0);
        std::thread::Builder::new().name("relay-log".into()).spawn(move || {
            run(&waiting, out);
            drop(done);
        })?;
        Ok((Self { lines, lost: Arc::default() }, LogEnd(ended)))
    }

    /// Says something that is not about a player.
    pub fn say(&self, words: impl Into<String>) {
        self.write(Line { address: None, what: What::Said(words.into()) });
    }

    pub(crate) fn write(&self, line: Line) {
        if self.lines.try_send(line).is_err() {
            self.lost.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Lines that were left out because too many waited.
    pub(crate) fn lost(&self) -> u64 {
        self.lost.load(Ordering::Relaxed)
    }
}

impl LogEnd {
    /// Waits until the last lines are written, for 200 ms at most. Every [`Log`] must be gone.
    pub fn close(self) {
        // It is disconnected when the thread has ended; a stuck stderr must not keep the program.
        let _closed = self.0.recv_timeout(CLOSING);
    }
}

fn run(lines: &Receiver<Line>, mut out: impl Write) {
    let begun = Instant::now();
    let mut summary = Summary::default();
    loop {
        let wait = summary.next_due().map_or(WINDOW, |due| due.saturating_sub(begun.elapsed()));
        let line = lines.recv_timeout(wait);
        let now = begun.elapsed();
        let mut texts = summary.due(now);
        match &line {
            Ok(line) => texts.extend(summary.line(now, line)),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => texts.extend(summary.rest()),
        }
        for text in texts {
            // There is nowhere to say that the log cannot be written.
            let _unwritten = writeln!(out, "{text}");
        }
        if matches!(line, Err(RecvTimeoutError::Disconnected)) {
            return;
        }
    }
}

/// Which lines are written and which are counted. Times are since any fixed moment.
#[derive(Debug, Default)]
pub(crate) struct Summary {
    seen: BTreeMap<(Option<IpAddr>, String), Seen>,
    /// Lines of more addresses and reasons than are told apart.
    others: u64,
    /// When the first of `seen` is due, so that a line of a flood does not look at them all.
    next: Option<Duration>,
}

#[derive(Debug)]
struct Seen {
    until: Duration,
    more: u64,
}

impl Summary {
    /// What is to be written for this line now.
    fn line(&mut self, now: Duration, line: &Line) -> Option<String> {
        let key = (line.address.map(origin), line.what.reason());
        if let Some(seen) = self.seen.get_mut(&key) {
            seen.more += 1;
            return None;
        }
        if self.seen.len() >= KEYS_MAX {
            self.others += 1;
            return None;
        }
        let text = text(key.0, &line.what.words());
        let until = now + WINDOW;
        self.seen.insert(key, Seen { until, more: 0 });
        self.next = self.next.or(Some(until));
        Some(text)
    }

    /// What was counted and is to be written now.
    fn due(&mut self, now: Duration) -> Vec<String> {
        let mut texts = Vec::new();
        if self.next.is_none_or(|next| next > now) {
            return texts;
        }
        self.seen.retain(|(address, reason), seen| {
            if seen.until > now {
                return true;
            }
            let more = std::mem::take(&mut seen.more);
            seen.until = now + WINDOW;
            texts.extend(counted(*address, reason, more));
            more > 0
        });
        self.next = self.seen.values().map(|seen| seen.until).min();
        if !texts.is_empty() || self.seen.len() < KEYS_MAX {
            texts.extend(others(std::mem::take(&mut self.others)));
        }
        texts
    }

    /// What was counted and not written.
    fn rest(&mut self) -> Vec<String> {
        let seen = std::mem::take(&mut self.seen);
        let rest = seen.iter().filter_map(|((at, reason), seen)| counted(*at, reason, seen.more));
        rest.chain(others(self.others)).collect()
    }

    const fn next_due(&self) -> Option<Duration> {
        self.next
    }
}

fn text(address: Option<IpAddr>, words: &str) -> String {
    match address {
        Some(IpAddr::V6(address)) => format!("{address}/64: {words}"),
        Some(address) => format!("{address}: {words}"),
        None => words.to_owned(),
    }
}

fn counted(address: Option<IpAddr>, reason: &str, more: u64) -> Option<String> {
    (more > 0).then(|| format!("{} ({more} more times)", text(address, reason)))
}

fn others(count: u64) -> Option<String> {
    (count > 0).then(|| format!("{count} more lines of other addresses and reasons"))
}

#[cfg(test)]
mod tests {
    use mp_protocol::Malformed;

    use super::*;

    fn malformed(address: &str, kind: u8) -> Line {
        let malformed = Malformed::UnknownKind { what: "packet id", kind };
        let address = Some(address.parse().unwrap());
        Line { address, what: What::Closed(CloseReason::Malformed(malformed)) }
    }

    fn at(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    #[test]
    fn an_address_has_one_line_a_reason_every_ten_seconds() {
        let mut summary = Summary::default();
        let first = summary.line(at(0), &malformed("192.0.2.1", 9)).unwrap();
        assert!(first.starts_with("192.0.2.1: closed: a malformed frame: "), "{first}");
        for kind in 0..200 {
            assert_eq!(summary.line(at(5), &malformed("192.0.2.1", kind)), None);
        }
        let silent = Line { what: What::Closed(CloseReason::Silent), ..malformed("192.0.2.1", 0) };
        assert!(summary.line(at(5), &silent).is_some());
        assert!(summary.line(at(5), &malformed("192.0.2.2", 9)).is_some());
        assert!(summary.due(at(9)).is_empty());
        let due = summary.due(at(10));
        assert_eq!(due, ["192.0.2.1: closed: a malformed frame (200 more times)"]);
        assert_eq!(summary.line(at(11), &malformed("192.0.2.1", 9)), None);
    }

    #[test]
    fn one_who_stops_is_forgotten() {
        let mut summary = Summary::default();
        summary.line(at(0), &malformed("192.0.2.1", 9));
        assert!(summary.due(at(10)).is_empty());
        assert_eq!(summary.next_due(), None);
        assert!(summary.line(at(11), &malformed("192.0.2.1", 9)).is_some());
    }

    #[test]
    fn many_addresses_are_counted_together() {
        let mut summary = Summary::default();
        let lines = (0..5_000_u32).filter_map(|number| {
            let address = std::net::Ipv4Addr::from_bits(number).to_string();
            summary.line(at(0), &malformed(&address, 9))
        });
        assert_eq!(lines.count(), KEYS_MAX);
        let due = summary.due(at(10));
        assert_eq!(
            due,
            [format!("{} more lines of other addresses and reasons", 5_000 - KEYS_MAX)]
        );
    }

    #[test]
    fn an_ipv6_household_is_one_address() {
        let mut summary = Summary::default();
        let first = summary.line(at(0), &malformed("2001:db8:1:2::1", 9)).unwrap();
        assert!(first.starts_with("2001:db8:1:2::/64: "), "{first}");
        assert_eq!(summary.line(at(0), &malformed("2001:db8:1:2:3::4", 9)), None);
    }
}
