//! One direction of a connection: bytes of one socket, cut into frames, sent on over the link to the
//! other. It counts and alters frames as they go in, and touches no clock.

use std::io::{self, ErrorKind, Read, Write};
use std::net::Shutdown;

use mio::net::TcpStream;
use mp_netcode::LocalTime;
use mp_netcode::conditioner::StreamConditioner;
use mp_protocol::{FrameError, FrameReader};

use super::Conditions;

/// Most bytes on the way: beyond, the sender is not read from, as on a link that is full.
const HELD_MAX: usize = 1 << 20;
const READ_SIZE: usize = 16 << 10;

/// One direction.
#[derive(Debug)]
pub(super) struct Flow {
    frames: FrameReader,
    /// Whole frames; an empty piece is the end.
    on_the_way: StreamConditioner<Vec<u8>>,
    /// Has arrived, and is not yet written.
    arrived: Vec<u8>,
    /// The source may have more; the sink may take more. Told by the system once, kept until it says
    /// otherwise.
    pub(super) readable: bool,
    pub(super) writable: bool,
    source_ended: bool,
    sink_ended: bool,
}

/// Why a connection must be closed.
#[derive(Debug, thiserror::Error)]
pub(super) enum Closed {
    #[error(transparent)]
    NoFrame(#[from] FrameError),
    #[error(transparent)]
    Broken(#[from] io::Error),
}

impl Flow {
    pub(super) const fn new(conditions: Conditions, seed: u64) -> Self {
        Self {
            frames: FrameReader::new(),
            on_the_way: StreamConditioner::new(conditions, seed),
            arrived: Vec::new(),
            readable: false,
            writable: false,
            source_ended: false,
            sink_ended: false,
        }
    }

    /// Takes what the source has. `pass` is given each frame's body, and answers what goes on in its
    /// place: the frame, or `None` for nothing.
    pub(super) fn fill(
        &mut self,
        now: LocalTime,
        source: &mut TcpStream,
        mut pass: impl FnMut(&[u8]) -> Option<Vec<u8>>,
    ) -> Result<(), Closed> {
        let mut buffer = [0; READ_SIZE];
        while self.readable && !self.source_ended && self.on_the_way.held_bytes() < HELD_MAX {
            match source.read(&mut buffer) {
                Ok(0) => self.end(now),
                Ok(count) => {
                    let mut input = &buffer[..count];
                    while let Some(body) = self.frames.next(&mut input)? {
                        if let Some(frame) = pass(body) {
                            self.on_the_way.push(now, frame);
                        }
                    }
                }
                Err(error) => match error.kind() {
                    ErrorKind::WouldBlock => self.readable = false,
                    ErrorKind::Interrupted => {}
                    // A sender that broke off: what it sent before still arrives.
                    _ => self.end(now),
                },
            }
        }
        Ok(())
    }

    fn end(&mut self, now: LocalTime) {
        self.source_ended = true;
        self.on_the_way.push(now, Vec::new());
    }

    /// Writes what has arrived by now. `delivered` is given each frame.
    pub(super) fn drain(
        &mut self,
        now: LocalTime,
        sink: &mut TcpStream,
        mut delivered: impl FnMut(&[u8]),
    ) -> Result<(), Closed> {
        loop {
            self.write(sink)?;
            if !self.arrived.is_empty() || self.sink_ended {
                return Ok(());
            }
            match self.on_the_way.poll(now) {
                Some(end) if end.is_empty() => {
                    self.sink_ended = true;
                    // One that the other side has closed already is as closed as it can be.
                    drop(sink.shutdown(Shutdown::Write));
                }
                Some(frame) => {
                    delivered(&frame);
                    self.arrived = frame;
                }
                None => return Ok(()),
            }
        }
    }

    fn write(&mut self, sink: &mut TcpStream) -> Result<(), Closed> {
        while self.writable && !self.arrived.is_empty() {
            match sink.write(&self.arrived) {
                Ok(count) => drop(self.arrived.drain(..count)),
                Err(error) => match error.kind() {
                    ErrorKind::WouldBlock | ErrorKind::NotConnected => self.writable = false,
                    ErrorKind::Interrupted => {}
                    _ => return Err(error.into()),
                },
            }
        }
        Ok(())
    }

    /// When [`Self::drain`] has something to do; `None`: not before the system says so.
    pub(super) fn poll_timeout(&self) -> Option<LocalTime> {
        if self.arrived.is_empty() && !self.sink_ended {
            self.on_the_way.poll_timeout()
        } else {
            None
        }
    }

    /// Whether all has passed, the end too.
    pub(super) const fn is_over(&self) -> bool {
        self.sink_ended
    }
}
