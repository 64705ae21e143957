//! The curves between two poses: pure arithmetic on three floats, finite for finite input.

use core::f32::consts::{PI, TAU};

/// Three coordinates, or three angles in radians.
pub(super) type Vec3 = [f32; 3];

/// The square of the distance; infinite if it is too large to tell.
pub(super) fn distance_squared(a: Vec3, b: Vec3) -> f32 {
    (0..3).map(|i| (a[i] - b[i]) * (a[i] - b[i])).sum()
}

/// The point at `t` (0 to 1) of the way from `a` to `b`, on the cubic Hermite curve that leaves `a` by
/// `leave` and reaches `b` by `reach` (the distances that the velocities there cover in the whole way).
pub(super) fn hermite(a: Vec3, leave: Vec3, b: Vec3, reach: Vec3, t: f32) -> Vec3 {
    let (t2, t3) = (t * t, t * t * t);
    // Written as a way from `a`, so that far from the origin the curve keeps the poses' precision.
    let (chord, out, into) = (3.0 * t2 - 2.0 * t3, t3 - 2.0 * t2 + t, t3 - t2);
    core::array::from_fn(|i| a[i] + (chord * (b[i] - a[i]) + out * leave[i] + into * reach[i]))
}

/// `t` (0 to 1) of the way from `a` to `b`, by coordinate.
pub(super) fn mix(a: Vec3, b: Vec3, t: f32) -> Vec3 {
    // Not a + (b - a) * t: the difference of two finite floats may be infinite.
    core::array::from_fn(|i| a[i] * (1.0 - t) + b[i] * t)
}

/// `t` (0 to 1) of the way from each angle of `a` to that of `b`, the short way round, within ±π.
pub(super) fn mix_angles(a: Vec3, b: Vec3, t: f32) -> Vec3 {
    let turn = angles_between(a, b);
    core::array::from_fn(|i| wrap(wrap(a[i]) + turn[i] * t))
}

/// The short turn from each angle of `a` to that of `b`, within ±π.
pub(super) fn angles_between(a: Vec3, b: Vec3) -> Vec3 {
    core::array::from_fn(|i| wrap(wrap(b[i]) - wrap(a[i])))
}

/// The same angles within ±π.
pub(super) fn wrap_angles(angles: Vec3) -> Vec3 {
    angles.map(wrap)
}

fn wrap(angle: f32) -> f32 {
    let rest = angle % TAU;
    if rest > PI {
        rest - TAU
    } else if rest < -PI {
        rest + TAU
    } else {
        rest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// B5.3
    #[test]
    fn hermite_follows_a_throw_exactly() {
        // x = 4t, y = 6t - 5t², over one second.
        let at = |t: f32| [4.0 * t, 6.0 * t - 5.0 * t * t, 0.0];
        for step in 0..=10u8 {
            let t = f32::from(step) / 10.0;
            let shown = hermite(at(0.0), [4.0, 6.0, 0.0], at(1.0), [4.0, -4.0, 0.0], t);
            assert!(distance_squared(shown, at(t)) < 1e-10, "{t}: {shown:?}");
        }
    }

    /// B5.3
    #[test]
    fn angles_take_the_short_way_and_stay_within_pi() {
        let near = |a: Vec3, b: Vec3| distance_squared(a, b) < 1e-9;
        assert!(near(mix_angles([3.0, -3.0, 1.0], [-3.0, 3.0, 2.0], 0.5), [PI, -PI, 1.5]));
        let past = mix_angles([3.0, -3.0, 0.0], [-3.0, 3.0, 0.0], 0.75);
        assert!(past[0] < -3.0 && past[1] > 3.0, "{past:?}");
    }

    #[test]
    fn any_finite_angle_is_wrapped() {
        for angle in [f32::MAX, f32::MIN, 4.0, -4.0, PI, -PI, 0.0] {
            assert!(wrap(angle).abs() <= PI);
        }
        assert_eq!(wrap(PI), PI);
    }
}
