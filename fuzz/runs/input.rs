//! What a sequence is drawn from: a fuzzer's bytes, taken off the front one by one.

/// The bytes that are left.
pub struct Input<'a>(pub &'a [u8]);

impl<'a> Input<'a> {
    /// The next byte; `None` at the end.
    pub fn byte(&mut self) -> Option<u8> {
        let (&first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(first)
    }

    /// The next byte, or 0 at the end.
    pub fn next(&mut self) -> u8 {
        self.byte().unwrap_or(0)
    }

    /// The same, as a count.
    pub fn small(&mut self) -> usize {
        usize::from(self.next())
    }

    /// The next 32 bits, big-endian, zeros behind the end.
    pub fn number(&mut self) -> i32 {
        let bytes = self.bytes(4);
        bytes.iter().fold(0, |number, &byte| number << 8 | i32::from(byte))
    }

    /// So many bytes, or what is left.
    pub fn bytes(&mut self, count: usize) -> &'a [u8] {
        let (bytes, rest) = self.0.split_at(count.min(self.0.len()));
        self.0 = rest;
        bytes
    }

    /// A short text of what is left.
    pub fn text(&mut self) -> String {
        let count = self.small() % 40;
        String::from_utf8_lossy(self.bytes(count)).into_owned()
    }
}
