//! Fractions the wire carries as integers.

macro_rules! fraction {
    ($(#[$doc:meta])* $name:ident($int:ident), $unit:literal, $scale:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
        pub struct $name(pub $int);

        impl $name {
            #[doc = concat!("The nearest the wire has to `value`, in ", $unit, ".")]
            ///
            /// `None` where that is out of the wire's range, or `value` is not finite.
            #[must_use]
            pub fn from_f32(value: f32) -> Option<Self> {
                let scaled = value * $scale;
                // Away from zero by a half, then cut: core has no round.
                let nearest = scaled + 0.5_f32.copysign(scaled);
                let fits = nearest > f32::from($int::MIN) - 1.0 && nearest < f32::from($int::MAX) + 1.0;
                #[allow(clippy::cast_possible_truncation, reason = "the range was just checked")]
                #[allow(clippy::cast_sign_loss, reason = "the range was just checked")]
                fits.then_some(Self(nearest as $int))
            }

            #[doc = concat!("The value, in ", $unit, ".")]
            #[must_use]
            pub fn to_f32(self) -> f32 {
                f32::from(self.0) / $scale
            }
        }
    };
}

fraction! {
    /// How far an animation is from its frame to the next: 0 to 1, in 255ths.
    AnimTime(u8), "frames, 0 to 1", 255.0
}
fraction! {
    /// A hero's or a piece's animation speed, in thousandths.
    PoseAnimSpeed(i16), "the game's animation speed", 1_000.0
}
fraction! {
    /// A WORLD moby's animation speed, in 64ths.
    MobyAnimSpeed(u8), "the game's animation speed", 64.0
}
fraction! {
    /// A WORLD moby's angle about one axis, in 10,000ths of a radian.
    MobyAngle(i16), "radians", 10_000.0
}

#[cfg(test)]
mod tests {
    use super::{AnimTime, MobyAngle, MobyAnimSpeed, PoseAnimSpeed};
    use core::f32::consts::PI;

    #[test]
    fn every_fraction_is_its_own_nearest() {
        for int in 0..=u8::MAX {
            assert_eq!(AnimTime::from_f32(AnimTime(int).to_f32()), Some(AnimTime(int)));
            assert_eq!(
                MobyAnimSpeed::from_f32(MobyAnimSpeed(int).to_f32()),
                Some(MobyAnimSpeed(int))
            );
        }
        for int in i16::MIN..=i16::MAX {
            assert_eq!(
                PoseAnimSpeed::from_f32(PoseAnimSpeed(int).to_f32()),
                Some(PoseAnimSpeed(int))
            );
            assert_eq!(MobyAngle::from_f32(MobyAngle(int).to_f32()), Some(MobyAngle(int)));
        }
    }

    #[test]
    fn a_fraction_rounds_to_the_nearest_and_keeps_its_range() {
        assert_eq!(AnimTime::from_f32(0.5), Some(AnimTime(128)));
        assert_eq!(AnimTime::from_f32(1.0), Some(AnimTime(255)));
        assert_eq!(AnimTime::from_f32(1.01), None);
        assert_eq!(AnimTime::from_f32(-0.01), None);
        assert_eq!(PoseAnimSpeed::from_f32(-1.0006), Some(PoseAnimSpeed(-1_001)));
        assert_eq!(MobyAnimSpeed::from_f32(4.0), None);
        assert_eq!(MobyAngle::from_f32(-PI), Some(MobyAngle(-31_416)));
        for none in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX] {
            assert_eq!(MobyAngle::from_f32(none), None);
        }
    }
}
