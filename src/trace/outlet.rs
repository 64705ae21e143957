//! Between the game's thread, which fills buffers of lines, and the one that writes them to a disk, which
//! may be slow, full or gone. Buffers go back and forth, so a running trace allocates no more. Nothing on
//! the game's side waits.

use std::io::{self, Write};

use crossbeam_channel::{Receiver, Sender, TrySendError};

/// Buffers that may wait to be written, each a tick's lines: about a second of them.
pub const BUFFERS: usize = 64;
/// A buffer that grew beyond this is not kept, in bytes.
const KEPT_BYTES_MAX: usize = 64 << 10;

/// The game's end.
pub struct Outlet {
    full: Sender<String>,
    spare: Receiver<String>,
    trouble: Receiver<String>,
}

/// The writer's end.
pub struct Drain {
    full: Receiver<String>,
    spare: Sender<String>,
    trouble: Sender<String>,
}

/// Both ends.
#[must_use]
pub fn channel() -> (Outlet, Drain) {
    let (full, filled) = crossbeam_channel::bounded(BUFFERS);
    let (back, spare) = crossbeam_channel::bounded(BUFFERS);
    let (tell, trouble) = crossbeam_channel::bounded(1);
    (Outlet { full, spare, trouble }, Drain { full: filled, spare: back, trouble: tell })
}

impl Outlet {
    /// Hands a buffer over, or gives it back empty when nobody takes it now.
    pub(super) fn send(&mut self, buffer: String) -> Result<(), String> {
        self.full.try_send(buffer).map_err(|error| {
            let (TrySendError::Full(mut buffer) | TrySendError::Disconnected(mut buffer)) = error;
            buffer.clear();
            buffer
        })
    }

    /// An empty buffer.
    pub(super) fn spare(&mut self) -> String {
        self.spare.try_recv().unwrap_or_default()
    }

    /// What went wrong at the other end, once.
    pub(super) fn trouble(&mut self) -> Option<String> {
        self.trouble.try_recv().ok()
    }
}

impl Drain {
    /// Writes what comes until the other end is gone. Waits, for that and for the disk. After the first
    /// error what comes is thrown away: half a trace is better than one with a hole that nobody sees.
    pub fn run(self, file: &mut dyn Write) {
        let mut broken = false;
        for mut buffer in &self.full {
            if !broken && let Err(error) = write(file, &buffer) {
                broken = true;
                // There is room for the only one; a game that has ended meanwhile hears nothing more.
                drop(self.trouble.try_send(error.to_string()));
            }
            buffer.clear();
            if buffer.capacity() <= KEPT_BYTES_MAX {
                // With as many buffers back as there may be, one less does no harm.
                drop(self.spare.try_send(buffer));
            }
        }
    }
}

fn write(file: &mut dyn Write, buffer: &str) -> io::Result<()> {
    file.write_all(buffer.as_bytes())?;
    file.flush()
}
