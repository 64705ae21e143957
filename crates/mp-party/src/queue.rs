//! A connection's outgoing bytes, contiguous so that many frames are one write, and the spare buffers
//! that queues, and frames that come in parts, borrow: an idle connection holds no memory, and a busy one
//! allocates none once warm.

use alloc::vec::Vec;

/// How many empty buffers are kept, and how large one may be to be kept: 4 MiB in all.
const SPARE_BUFFERS: usize = 64;
const SPARE_BYTES: usize = 64 * 1024;

/// Empty buffers for the next queues that fill and the next frames that come in parts.
#[derive(Debug, Default)]
pub(crate) struct Spares(Vec<Vec<u8>>);

impl Spares {
    pub(crate) fn take(&mut self) -> Vec<u8> {
        self.0.pop().unwrap_or_default()
    }

    pub(crate) fn give(&mut self, mut buffer: Vec<u8>) {
        if self.0.len() < SPARE_BUFFERS && (1..=SPARE_BYTES).contains(&buffer.capacity()) {
            buffer.clear();
            self.0.push(buffer);
        }
    }
}

/// The bytes a connection has still to be sent.
#[derive(Debug, Default)]
pub(crate) struct Queue {
    bytes: Vec<u8>,
    /// How many of `bytes` are written.
    head: usize,
}

impl Queue {
    pub(crate) fn len(&self) -> usize {
        self.bytes.len() - self.head
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes[self.head..]
    }

    /// Appends what `encode` appends.
    pub(crate) fn push(&mut self, spares: &mut Spares, encode: impl FnOnce(&mut Vec<u8>)) {
        if self.bytes.capacity() == 0 {
            self.bytes = spares.take();
        }
        // Only when at least half is written: a slow reader must not make every push move a long queue.
        if self.head > self.bytes.len() / 2 {
            self.bytes.drain(..self.head);
            self.head = 0;
            // Nor must one that was long once, and is never quite empty, keep the room for it.
            if self.bytes.capacity() > SPARE_BYTES.max(4 * self.bytes.len()) {
                self.bytes.shrink_to(2 * self.bytes.len());
            }
        }
        encode(&mut self.bytes);
    }

    /// Takes `count` written bytes off the front, at most all of them.
    pub(crate) fn consume(&mut self, spares: &mut Spares, count: usize) {
        self.head += count.min(self.len());
        if self.is_empty() {
            self.clear(spares);
        }
    }

    pub(crate) fn clear(&mut self, spares: &mut Spares) {
        self.head = 0;
        spares.give(core::mem::take(&mut self.bytes));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_queue_holds_no_memory_and_the_next_one_reuses_it() {
        let (mut spares, mut one, mut two) =
            (Spares::default(), Queue::default(), Queue::default());
        one.push(&mut spares, |bytes| bytes.extend_from_slice(&[7; 1000]));
        let buffer = one.bytes.as_ptr();
        one.consume(&mut spares, 1000);
        assert_eq!(one.bytes.capacity(), 0);
        two.push(&mut spares, |bytes| bytes.push(1));
        assert_eq!(two.bytes.as_ptr(), buffer);
    }

    #[test]
    fn written_bytes_leave_from_the_front_however_they_are_split() {
        for step in 1..20 {
            let (mut spares, mut queue) = (Spares::default(), Queue::default());
            let (mut sent, mut read) = (0_u8, Vec::new());
            while read.len() < 250 {
                if sent < 250 {
                    queue.push(&mut spares, |bytes| bytes.push(sent));
                    sent += 1;
                }
                if sent % 7 == 0 || sent == 250 {
                    let take = step.min(queue.len());
                    read.extend_from_slice(&queue.bytes()[..take]);
                    queue.consume(&mut spares, take);
                }
            }
            assert!(read.iter().copied().eq(0..250), "step {step}");
        }
    }

    #[test]
    fn a_queue_that_never_empties_gives_written_bytes_back() {
        let (mut spares, mut queue) = (Spares::default(), Queue::default());
        queue.push(&mut spares, |bytes| bytes.extend_from_slice(&[7; 1_000]));
        for _ in 0..1_000 {
            queue.push(&mut spares, |bytes| bytes.extend_from_slice(&[7; 100]));
            queue.consume(&mut spares, 100);
        }
        assert_eq!(queue.len(), 1_000);
        assert!(queue.bytes.capacity() < 8_192, "{}", queue.bytes.capacity());
    }

    #[test]
    fn a_queue_that_was_long_gives_its_room_back_though_it_never_empties() {
        let (mut spares, mut queue) = (Spares::default(), Queue::default());
        queue.push(&mut spares, |bytes| bytes.extend_from_slice(&[7; 1 << 20]));
        queue.consume(&mut spares, (1 << 20) - 1);
        queue.push(&mut spares, |bytes| bytes.push(8));
        assert_eq!(queue.bytes(), [7, 8]);
        assert!(queue.bytes.capacity() <= SPARE_BYTES, "{}", queue.bytes.capacity());
    }

    #[test]
    fn a_large_buffer_is_not_kept() {
        let (mut spares, mut queue) = (Spares::default(), Queue::default());
        queue.push(&mut spares, |bytes| bytes.resize(SPARE_BYTES + 1, 0));
        queue.consume(&mut spares, usize::MAX);
        assert!(spares.0.is_empty());
    }
}
