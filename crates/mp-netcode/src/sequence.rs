//! Sequence numbers that wrap (protocol.md 3, "Order").
//!
//! They have no total order, so [`Sequence`] is deliberately not `Ord`: of two, the newer one is less
//! than 32,768 ahead.

/// A wrapping 16-bit sequence number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Sequence(pub u16);

impl Sequence {
    /// The number after this one; 0 follows 65,535.
    #[must_use]
    pub const fn next(self) -> Self {
        Self(self.0.wrapping_add(1))
    }

    /// How far `other` is ahead of this one: negative if it is behind, `i16::MIN` if it is exactly half
    /// way round, where neither is the newer.
    #[must_use]
    pub const fn distance_to(self, other: Self) -> i16 {
        other.0.wrapping_sub(self.0).cast_signed()
    }

    /// Whether this one is newer than `other`: ahead of it by less than 32,768.
    #[must_use]
    pub const fn newer_than(self, other: Self) -> bool {
        other.distance_to(self) > 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newer_is_less_than_32768_ahead() {
        assert!(Sequence(32_767).newer_than(Sequence(0)));
        assert!(!Sequence(32_768).newer_than(Sequence(0)));
        assert!(!Sequence(0).newer_than(Sequence(32_768)));
        assert!(!Sequence(7).newer_than(Sequence(7)));
    }

    #[test]
    fn zero_follows_65535() {
        assert_eq!(Sequence(u16::MAX).next(), Sequence(0));
        assert!(Sequence(0).newer_than(Sequence(u16::MAX)));
        assert!(!Sequence(u16::MAX).newer_than(Sequence(0)));
        assert_eq!(Sequence(65_534).distance_to(Sequence(3)), 5);
        assert_eq!(Sequence(3).distance_to(Sequence(65_534)), -5);
    }
}
