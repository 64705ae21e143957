//! The live line: one line that is written over on a terminal, else a line a second.

use std::io::{self, IsTerminal, Write as _};

/// Between two lines, in seconds.
const ON_A_TERMINAL: f64 = 0.2;
const ELSEWHERE: f64 = 1.0;

/// Where the line is written.
#[derive(Debug)]
pub(super) struct Live {
    terminal: bool,
    next: f64,
    open: bool,
}

impl Live {
    pub(super) fn new() -> Self {
        Self { terminal: io::stdout().is_terminal(), next: 0.0, open: false }
    }

    /// Writes the line, if it is time for one.
    pub(super) fn say(&mut self, at: f64, line: impl FnOnce() -> String) {
        if at < self.next {
            return;
        }
        self.next = at + if self.terminal { ON_A_TERMINAL } else { ELSEWHERE };
        let line = line();
        if self.terminal {
            print!("\r\x1b[2K{line}");
            // A terminal that is gone shows nothing; the run goes on.
            _ = io::stdout().flush();
            self.open = true;
        } else {
            println!("{line}");
        }
    }

    /// Ends the line, so that other lines can follow.
    pub(super) fn end(&mut self) {
        if std::mem::take(&mut self.open) {
            println!();
        }
    }
}
