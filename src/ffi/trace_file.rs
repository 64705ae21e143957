//! The trace's file, and the thread that writes it. A disk that answers slowly holds up that thread alone;
//! one that does not answer at all holds up nobody: the thread is then left to itself.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::thread::JoinHandle;
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError};

use crate::game::{Game, LogLevel, Setting};
use crate::settings;
use crate::trace::{Trace, channel};

/// In the game's directory (behaviour.md 9).
const FILE: &str = "mp-trace.log";
/// With `1` it turns the trace on whatever the setting says (B1.3).
const VARIABLE: &str = "OPENRAC_MP_TRACE";

/// The thread that writes the file. It ends when every [`Trace`] of its is gone.
pub(super) struct Writer {
    /// Gets no message: it is disconnected when the thread has ended.
    ended: Receiver<()>,
    thread: JoinHandle<()>,
}

/// The trace that the settings ask for; one that is off, without a writer, if they ask for none or the
/// file cannot be had, which the game's log then says.
pub(super) fn start(game: &dyn Game) -> (Trace, Option<Writer>) {
    let asked = std::env::var_os(VARIABLE).is_some_and(|value| value == "1")
        || settings::is_on(game, Setting::VerboseLog, false);
    if !asked {
        return (Trace::default(), None);
    }
    let path = PathBuf::from(game.work_dir()).join(FILE);
    match open(&path) {
        Ok((trace, writer)) => {
            game.log(LogLevel::Info, &format!("the trace is written to {}", path.display()));
            (trace, Some(writer))
        }
        Err(error) => {
            let words = format!("no trace: {} cannot be written: {error}", path.display());
            game.log(LogLevel::Warning, &words);
            (Trace::default(), None)
        }
    }
}

#[allow(clippy::disallowed_methods, reason = "this is where an instance's threads are started")]
fn open(path: &Path) -> io::Result<(Trace, Writer)> {
    let mut file = File::create(path)?;
    let (outlet, drain) = channel();
    let (done, ended) = crossbeam_channel::bounded::<()>(0);
    let thread = std::thread::Builder::new().name("mp-trace".into()).spawn(move || {
        drain.run(&mut file);
        drop(file);
        drop(done);
    })?;
    Ok((Trace::to(outlet), Writer { ended, thread }))
}

impl Writer {
    /// Waits for the file's end, all traces being gone; false if it takes longer than `patience`.
    #[expect(clippy::disallowed_methods, reason = "the game waits for it while it unloads the mod")]
    pub(super) fn join_within(self, patience: Duration) -> bool {
        match self.ended.recv_timeout(patience) {
            Ok(()) | Err(RecvTimeoutError::Disconnected) => self.thread.join().is_ok(),
            Err(RecvTimeoutError::Timeout) => false,
        }
    }
}
