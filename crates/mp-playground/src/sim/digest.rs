//! One number that stands for a state: FNV-1a over its values in a fixed order, so that two runs can be
//! compared tick by tick and a recording checked later, on any machine.

/// A digest being made.
#[derive(Clone, Debug)]
pub struct Digest(u64);

impl Digest {
    /// The digest of nothing.
    #[must_use]
    pub const fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    /// Takes in a byte.
    pub fn byte(&mut self, byte: u8) -> &mut Self {
        self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        self
    }

    /// Takes in eight bytes.
    pub fn word(&mut self, word: u64) -> &mut Self {
        for byte in word.to_le_bytes() {
            self.byte(byte);
        }
        self
    }

    /// Takes in a float by its bits: -0 and 0 differ.
    pub fn float(&mut self, float: f32) -> &mut Self {
        self.word(u64::from(float.to_bits()))
    }

    /// The number.
    #[must_use]
    pub const fn value(&self) -> u64 {
        self.0
    }
}

impl Default for Digest {
    fn default() -> Self {
        Self::new()
    }
}
