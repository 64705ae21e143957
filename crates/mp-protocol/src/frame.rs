//! Cutting a TCP stream into frames: `u32 length | u8 packet id | payload` (protocol.md 1).
//!
//! A reader must never ask for more memory than bytes have come (and one small step), whatever a length
//! promises, and never copies a frame that lies whole in what was just received.

use alloc::vec::Vec;

use byteorder::{BigEndian, ByteOrder};

use crate::error::{Malformed, out_of_range};
use crate::limits::{FRAME_MAX, FRAME_PREFIX};
use crate::wire::{Writer, append};

/// The most memory beyond the bytes that have come. One byte at a time, a frame of [`FRAME_MAX`] then
/// costs 64 reallocations, not 65,536.
const RESERVE_STEP: usize = 1_024;

/// A frame's length is outside 1 to [`FRAME_MAX`]: the connection is to be closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a frame of {length} bytes (1 to {FRAME_MAX} are allowed)")]
pub struct FrameError {
    /// The length that came.
    pub length: u32,
}

/// Cuts what a connection receives into frames.
///
/// ```
/// # use mp_protocol::{FrameReader, FrameError};
/// # fn main() -> Result<(), FrameError> {
/// let mut reader = FrameReader::new();
/// let mut seen = 0;
/// for received in [&[0, 0, 0][..], &[2, 1, 2, 0, 0, 0, 2, 1], &[7]] {
///     let mut input = received;
///     while let Some(body) = reader.next(&mut input)? {
///         assert_eq!(body[0], 1);
///         seen += 1;
///     }
/// }
/// assert_eq!(seen, 2);
/// assert!(!reader.is_partial());
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Default)]
pub struct FrameReader {
    prefix: [u8; FRAME_PREFIX],
    /// How many bytes of `prefix` have come.
    prefix_len: usize,
    /// The part of the body that has come, when it came in parts.
    body: Vec<u8>,
    /// `body` was whole and has been given out.
    done: bool,
}

impl FrameReader {
    /// A reader at the start of a stream. It owns no memory.
    #[must_use]
    pub const fn new() -> Self {
        Self { prefix: [0; FRAME_PREFIX], prefix_len: 0, body: Vec::new(), done: false }
    }

    /// The body (packet id and payload) of the next frame in `input`, which is moved past what was
    /// used.
    ///
    /// `None`: `input` is used up; a part of a frame is kept and the rest of it belongs in a later
    /// input. A body that lies whole in `input` is borrowed from it; one that came in parts is
    /// borrowed from the reader, whose memory the next one that does is gathered in. So call until
    /// `None`.
    ///
    /// # Errors
    /// The length is out of range. The stream cannot be read any further: every later call says the
    /// same.
    pub fn next<'r, 'i: 'r>(
        &'r mut self,
        input: &mut &'i [u8],
    ) -> Result<Option<&'r [u8]>, FrameError> {
        self.let_go();
        let wanted = FRAME_PREFIX - self.prefix_len;
        let (arrived, rest) = input.split_at(wanted.min(input.len()));
        *input = rest;
        self.prefix[self.prefix_len..][..arrived.len()].copy_from_slice(arrived);
        self.prefix_len += arrived.len();
        if self.prefix_len < FRAME_PREFIX {
            return Ok(None);
        }

        let length = body_length(self.prefix)?;
        if self.body.is_empty() && input.len() >= length {
            let (body, rest) = input.split_at(length);
            *input = rest;
            self.prefix_len = 0;
            return Ok(Some(body));
        }
        let missing = length - self.body.len();
        let (arrived, rest) = input.split_at(missing.min(input.len()));
        *input = rest;
        if self.body.capacity() - self.body.len() < arrived.len() {
            self.body.reserve_exact(missing.min(arrived.len() + RESERVE_STEP));
        }
        self.body.extend_from_slice(arrived);
        self.done = self.body.len() == length;
        Ok(self.done.then_some(&self.body))
    }

    /// Whether a part of a frame has come and its end has not.
    #[must_use]
    pub fn is_partial(&self) -> bool {
        self.prefix_len > 0 && !self.done
    }

    /// Lends the reader an empty buffer for bodies that come in parts, if it has none. One who reads for
    /// many lends each what [`Self::reclaim`] gave back of another, so that such a body costs no
    /// allocation.
    pub fn lend(&mut self, buffer: impl FnOnce() -> Vec<u8>) {
        if self.body.capacity() == 0 {
            self.body = buffer();
            self.body.clear();
        }
    }

    /// Takes the reader's memory away, empty; none while it holds a part of a body.
    pub fn reclaim(&mut self) -> Vec<u8> {
        self.let_go();
        if self.body.is_empty() { core::mem::take(&mut self.body) } else { Vec::new() }
    }

    /// Lets go of a body that was given out.
    fn let_go(&mut self) {
        if self.done {
            self.body.clear();
            self.prefix_len = 0;
            self.done = false;
        }
    }
}

fn body_length(prefix: [u8; FRAME_PREFIX]) -> Result<usize, FrameError> {
    let length = BigEndian::read_u32(&prefix);
    match usize::try_from(length) {
        Ok(body) if (1..=FRAME_MAX).contains(&body) => Ok(body),
        _ => Err(FrameError { length }),
    }
}

/// Appends a frame whose body is what `write` writes; nothing where it fails or the body is too long.
pub(crate) fn append_frame(
    what: &'static str,
    out: &mut Vec<u8>,
    write: impl FnOnce(&mut Writer<'_>) -> Result<(), Malformed>,
) -> Result<(), Malformed> {
    let from = out.len();
    append(out, |writer| {
        writer.u32(0);
        write(writer)
    })?;
    let length = out.len() - from - FRAME_PREFIX;
    match u32::try_from(length) {
        Ok(prefix) if length <= FRAME_MAX => {
            BigEndian::write_u32(&mut out[from..][..FRAME_PREFIX], prefix);
            Ok(())
        }
        _ => {
            out.truncate(from);
            Err(out_of_range(what, length))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{FRAME_MAX, FrameError, FrameReader, RESERVE_STEP};
    use alloc::vec;
    use alloc::vec::Vec;

    #[test]
    fn a_frame_whole_in_its_input_is_not_copied() {
        let received = [0, 0, 0, 3, 9, 8, 7, 0, 0, 0, 1, 6];
        let mut reader = FrameReader::new();
        // The prefix may come apart: the body is what counts.
        assert_eq!(reader.next(&mut &received[..2]), Ok(None));
        let mut input = &received[2..];
        let first = reader.next(&mut input).unwrap().unwrap();
        assert_eq!(first.as_ptr_range(), received[4..7].as_ptr_range());
        let second = reader.next(&mut input).unwrap().unwrap();
        assert_eq!(second.as_ptr_range(), received[11..].as_ptr_range());
        assert_eq!(reader.next(&mut input), Ok(None));
        assert_eq!(reader.body.capacity(), 0);
    }

    #[test]
    fn a_promised_length_costs_nothing() {
        let mut reader = FrameReader::new();
        assert_eq!(reader.next(&mut &[0, 1, 0, 0][..]), Ok(None));
        assert_eq!(reader.body.capacity(), 0);
        assert!(reader.is_partial());
    }

    #[test]
    fn memory_follows_what_has_come_and_is_given_back() {
        let mut reader = FrameReader::new();
        assert_eq!(reader.next(&mut &[0, 1, 0, 0][..]), Ok(None));
        let (mut moves, mut capacity) = (0, 0);
        for come in 1..FRAME_MAX {
            assert_eq!(reader.next(&mut &[5][..]), Ok(None));
            assert!(reader.body.capacity() <= come + RESERVE_STEP);
            moves += usize::from(reader.body.capacity() != capacity);
            capacity = reader.body.capacity();
        }
        assert!(moves <= FRAME_MAX / RESERVE_STEP, "{moves} reallocations");
        let mut input = &[5, 0, 0][..];
        assert_eq!(reader.next(&mut input).unwrap().unwrap(), vec![5; FRAME_MAX]);
        assert!(!reader.is_partial());
        assert_eq!(reader.next(&mut input), Ok(None));
        assert!(reader.is_partial());
        assert_eq!(reader.reclaim().capacity(), capacity);
        assert_eq!(reader.body.capacity(), 0);
        assert_eq!(reader.next(&mut &[0, 1, 8][..]), Ok(Some(&[8][..])));
    }

    #[test]
    fn a_body_in_parts_is_gathered_in_what_was_lent() {
        let lent = Vec::with_capacity(100);
        let at = lent.as_ptr();
        let mut reader = FrameReader::new();
        reader.lend(|| lent);
        for _ in 0..3 {
            assert_eq!(reader.next(&mut &[0, 0, 0, 2, 9][..]), Ok(None));
            assert_eq!(reader.reclaim().capacity(), 0, "it holds a part of a body");
            reader.lend(|| unreachable!());
            let mut input = &[8][..];
            let body = reader.next(&mut input).unwrap().unwrap();
            assert_eq!((body, body.as_ptr()), (&[9, 8][..], at));
        }
        let back = reader.reclaim();
        assert_eq!((back.as_ptr(), back.len()), (at, 0));
        assert_eq!(reader.next(&mut &[0, 0, 0, 1, 7][..]), Ok(Some(&[7][..])));
    }

    #[test]
    fn a_length_out_of_range_ends_the_stream() {
        for length in [0, 65_537, u32::MAX] {
            let mut received = Vec::from(length.to_be_bytes());
            received.extend([1; 8]);
            let mut reader = FrameReader::new();
            let mut input = &received[..];
            for _ in 0..2 {
                assert_eq!(reader.next(&mut input), Err(FrameError { length }));
            }
        }
    }
}
