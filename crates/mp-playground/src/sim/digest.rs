//! One number that stands for a state: its values mixed in a fixed order, so that two runs can be
//! compared tick by tick and a recording checked later, on any machine. Eight bytes at a time, as it is
//! taken of hundreds of mobys each tick.

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
    pub const fn byte(&mut self, byte: u8) -> &mut Self {
        self.word(byte as u64)
    }

    /// Takes in eight bytes.
    pub const fn word(&mut self, word: u64) -> &mut Self {
        self.0 = (self.0.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self
    }

    /// Takes in a float by its bits: -0 and 0 differ.
    pub const fn float(&mut self, float: f32) -> &mut Self {
        self.word(float.to_bits() as u64)
    }

    /// Takes in two floats at once.
    pub const fn floats(&mut self, one: f32, other: f32) -> &mut Self {
        self.word((one.to_bits() as u64) << 32 | other.to_bits() as u64)
    }

    /// The number.
    #[must_use]
    pub const fn value(&self) -> u64 {
        // The last words taken in reach the low bits too.
        self.0 ^ (self.0 >> 32)
    }
}

impl Default for Digest {
    fn default() -> Self {
        Self::new()
    }
}
