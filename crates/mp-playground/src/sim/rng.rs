//! The only source of chance in the playground: SplitMix64, seeded, part of the state it serves.

/// A seeded generator. Equal seeds give equal numbers on every machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rng(u64);

impl Rng {
    /// A generator that starts from this seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The state, for a digest.
    #[must_use]
    pub const fn state(&self) -> u64 {
        self.0
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number from 0 up to, not including, `end`, which is at least 1.
    pub fn below(&mut self, end: u32) -> u32 {
        // The upper half of a 32 by 32 bit product is below `end`.
        let product = (self.bits() >> 32) * u64::from(end);
        u32::try_from(product >> 32).expect("the upper half of a 64-bit number")
    }

    /// A number from `low` up to, not including, `high`.
    pub fn between(&mut self, low: f32, high: f32) -> f32 {
        let bits = u16::try_from(self.bits() >> 48).expect("16 bits");
        low + (high - low) * f32::from(bits) / 65_536.0
    }
}
