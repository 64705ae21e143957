//! The conditioner's generator: SplitMix64.

use core::time::Duration;

use super::Percent;

#[derive(Clone, Debug)]
pub(super) struct Random(u64);

impl Random {
    pub(super) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Evenly from 0 up to, not including, 1.
    fn share(&mut self) -> f64 {
        let high = u32::try_from(self.bits() >> 32).expect("32 bits");
        f64::from(high) / 4_294_967_296.0
    }

    /// True in so many of 100 calls. One draw whatever the percentage, so that changing one condition
    /// leaves the others' chances as they were.
    pub(super) fn happens(&mut self, percent: Percent) -> bool {
        self.share() * 100.0 < percent.get()
    }

    /// Evenly from nothing up to `most`, which is at most [`super::DELAY_MAX_MS`].
    pub(super) fn up_to(&mut self, most: Duration) -> Duration {
        most.mul_f64(self.share())
    }
}
