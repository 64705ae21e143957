//! What the programs print. Nothing of a run hangs on whether anybody reads it.

use std::fmt;
use std::io::{self, BufWriter, ErrorKind, Write as _};

/// Prints a line, if anybody reads it. In place of `println!`, which panics where whoever reads it has seen
/// enough and went, as `head` does.
#[macro_export]
macro_rules! say {
    ($($words:tt)*) => { $crate::out::say(&format_args!("{}\n", format_args!($($words)*))) };
}

/// Prints the words as they are, at once.
///
/// # Errors
/// What the system said; that nobody reads them any more is none.
pub fn print(words: &dyn fmt::Display) -> io::Result<()> {
    // Not line by line: a trace has millions.
    let mut out = BufWriter::new(io::stdout().lock());
    match write!(out, "{words}").and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(error),
        _ => Ok(()),
    }
}

/// The same by the way: the run goes on, and that they could not be printed is said.
pub fn say(words: &dyn fmt::Display) {
    if let Err(error) = print(words) {
        eprintln!("not printed: {error}");
    }
}
