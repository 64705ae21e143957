//! The trace's file, and the thread that opens and writes it. A disk that answers slowly holds up that thread
//! alone; one that does not answer at all holds up nobody: the thread is then left to itself.

use std::fs::File;
use std::io::{self, Write};
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

/// The trace that the settings ask for; one that is off, without a writer, if they ask for none or there is
/// no thread for it, which the game's log then says.
pub(super) fn start(game: &dyn Game) -> (Trace, Option<Writer>) {
    let asked = std::env::var_os(VARIABLE).is_some_and(|value| value == "1")
        || settings::is_on(game, Setting::VerboseLog, false);
    if !asked {
        return (Trace::default(), None);
    }
    let path = PathBuf::from(game.work_dir()).join(FILE);
    match start_writing(&path) {
        Ok((trace, writer)) => {
            game.log(LogLevel::Info, &format!("the trace is written to {}", path.display()));
            (trace, Some(writer))
        }
        Err(error) => {
            game.log(LogLevel::Warning, &format!("no trace: {error}"));
            (Trace::default(), None)
        }
    }
}

#[allow(clippy::disallowed_methods, reason = "this is where an instance's threads are started")]
fn start_writing(path: &Path) -> io::Result<(Trace, Writer)> {
    let path = path.to_path_buf();
    let (outlet, drain) = channel();
    let (done, ended) = crossbeam_channel::bounded::<()>(0);
    let thread = std::thread::Builder::new().name("mp-trace".into()).spawn(move || {
        let mut file = Opened(File::create(path));
        drain.run(&mut file);
        drop(file);
        drop(done);
    })?;
    Ok((Trace::to(outlet), Writer { ended, thread }))
}

/// The file, or why it could not be opened, which is then what writing to it says.
struct Opened(io::Result<File>);

impl Write for Opened {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.0 {
            Ok(file) => file.write(bytes),
            Err(why) => Err(io::Error::new(why.kind(), format!("it cannot be written: {why}"))),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.as_mut().map_or(Ok(()), File::flush)
    }
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
