//! The live line: one line that is written over on a terminal, else a line a second.

use std::io::{self, IsTerminal as _};

use crate::{out, say};

/// Between two lines, in seconds.
const ON_A_TERMINAL: f64 = 0.2;
const ELSEWHERE: f64 = 1.0;
/// After so long a state that lasts is said again, in seconds.
const LASTS: f64 = 10.0;

/// Where the line is written.
#[derive(Debug)]
pub(super) struct Live {
    terminal: bool,
    next: f64,
    open: bool,
    /// The state that was said last, and when it is said again though it lasts.
    said: Option<(String, f64)>,
}

impl Live {
    pub(super) fn new() -> Self {
        Self { terminal: io::stdout().is_terminal(), next: 0.0, open: false, said: None }
    }

    /// Writes the line, if it is time for one.
    pub(super) fn say(&mut self, at: f64, line: impl FnOnce() -> String) {
        self.said = None;
        if self.is_time(at) {
            self.write(&line());
        }
    }

    /// Writes a state, with `since` before it, if it is time for a line. Where it is not written over, one
    /// that lasts is said once, and then seldom; that a number in it counts on is no other state.
    pub(super) fn say_state(&mut self, at: f64, since: &str, state: &str) {
        if self.is_time(at) && (self.terminal || self.is_news(at, state)) {
            self.write(&format!("{since}{state}"));
        }
    }

    fn is_time(&mut self, at: f64) -> bool {
        let is_time = at >= self.next;
        if is_time {
            self.next = at + if self.terminal { ON_A_TERMINAL } else { ELSEWHERE };
        }
        is_time
    }

    fn is_news(&mut self, at: f64, state: &str) -> bool {
        let state = state.replace(|c: char| c.is_ascii_digit(), "");
        let lasts = self.said.as_ref().is_some_and(|(said, again)| *said == state && at < *again);
        if !lasts {
            self.said = Some((state, at + LASTS));
        }
        !lasts
    }

    fn write(&mut self, line: &str) {
        if self.terminal {
            out::say(&over(line));
            self.open = true;
        } else {
            say!("{line}");
        }
    }

    /// Ends the line, so that other lines can follow.
    pub(super) fn end(&mut self) {
        if std::mem::take(&mut self.open) {
            out::say(&"\n");
        }
    }
}

/// A line in the place of the one before. The terminal cuts it at its edge, however wide it is: a line that
/// went on below could not be written over.
fn over(line: &str) -> String {
    let (clear, cut, wrap_again) = ("\r\x1b[2K", "\x1b[?7l", "\x1b[?7h");
    format!("{clear}{cut}{line}{wrap_again}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_that_lasts_is_said_once_and_then_every_ten_seconds() {
        let mut live = Live { terminal: false, ..Live::new() };
        let mut said = |at: f64, state: &str| live.is_time(at) && live.is_news(at, state);
        let seconds = |from: u8, to: u8| (from..to).map(f64::from);
        let connecting = seconds(0, 8).filter(|&at| said(at, "Connecting"));
        assert_eq!(connecting.collect::<Vec<_>>(), [0.0]);
        let retrying = |at: &f64| said(*at, &format!("again in {} s", 40.0 - at));
        assert_eq!(seconds(8, 33).filter(retrying).collect::<Vec<_>>(), [8.0, 18.0, 28.0]);
        // One that comes within the second after another is not lost.
        assert!(!said(32.5, "Lobby"));
        assert!(said(33.0, "Lobby"));
    }

    #[test]
    fn a_line_is_cut_at_the_terminals_edge_and_what_follows_is_not() {
        let written = over("Nova in a level");
        let (before, after) = written.split_once("Nova in a level").expect("it is written");
        assert!(before.ends_with("\x1b[?7l") && after == "\x1b[?7h", "{written:?}");
    }

    #[test]
    fn what_was_said_before_something_else_is_said_again() {
        let mut live = Live { terminal: false, ..Live::new() };
        assert!(live.is_news(0.0, "Home"));
        live.say(1.0, String::new);
        assert!(live.is_news(2.0, "Home"));
    }
}
