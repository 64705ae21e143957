//! Three floats and what the simulation and the picture do with them. Nothing of the game.

use std::ops::{Add, AddAssign, Mul, Neg, Sub};

/// A point or a direction: x east, y north, z up, in the game's units.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Vec3 {
    /// East.
    pub x: f32,
    /// North.
    pub y: f32,
    /// Up.
    pub z: f32,
}

impl Vec3 {
    /// The origin.
    pub const ZERO: Self = Self::new(0.0, 0.0, 0.0);
    /// One unit up.
    pub const UP: Self = Self::new(0.0, 0.0, 1.0);

    /// The vector of these three.
    #[must_use]
    pub const fn new(x: f32, y: f32, z: f32) -> Self {
        Self { x, y, z }
    }

    /// The scalar product.
    #[must_use]
    pub fn dot(self, other: Self) -> f32 {
        self.x * other.x + self.y * other.y + self.z * other.z
    }

    /// The vector at right angles to both.
    #[must_use]
    pub fn cross(self, other: Self) -> Self {
        Self::new(
            self.y * other.z - self.z * other.y,
            self.z * other.x - self.x * other.z,
            self.x * other.y - self.y * other.x,
        )
    }

    /// How long it is.
    #[must_use]
    pub fn length(self) -> f32 {
        self.dot(self).sqrt()
    }

    /// How long it is over the ground.
    #[must_use]
    pub fn flat_length(self) -> f32 {
        (self.x * self.x + self.y * self.y).sqrt()
    }

    /// One unit along the ground in that direction, an angle in radians from east.
    #[must_use]
    pub fn heading(yaw: f32) -> Self {
        Self::new(yaw.cos(), yaw.sin(), 0.0)
    }

    /// Where it points over the ground: an angle in radians from east.
    #[must_use]
    pub fn yaw(self) -> f32 {
        self.y.atan2(self.x)
    }

    /// The vector of length 1 that points the same way; the origin stays the origin.
    #[must_use]
    pub fn unit(self) -> Self {
        let length = self.length();
        if length > 0.0 { self * (1.0 / length) } else { self }
    }

    /// Turned about the z axis by an angle in radians, from x towards y.
    #[must_use]
    pub fn turned(self, yaw: f32) -> Self {
        let (sin, cos) = yaw.sin_cos();
        Self::new(self.x * cos - self.y * sin, self.x * sin + self.y * cos, self.z)
    }

    /// The point a share of the way (0 here, 1 there) towards another.
    #[must_use]
    pub fn towards(self, other: Self, share: f32) -> Self {
        self + (other - self) * share
    }

    /// Whether all three are finite.
    #[must_use]
    pub fn is_finite(self) -> bool {
        self.x.is_finite() && self.y.is_finite() && self.z.is_finite()
    }
}

impl From<[f32; 3]> for Vec3 {
    fn from([x, y, z]: [f32; 3]) -> Self {
        Self::new(x, y, z)
    }
}

impl From<Vec3> for [f32; 3] {
    fn from(v: Vec3) -> Self {
        [v.x, v.y, v.z]
    }
}

impl Add for Vec3 {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self::new(self.x + other.x, self.y + other.y, self.z + other.z)
    }
}

impl AddAssign for Vec3 {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sub for Vec3 {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self::new(self.x - other.x, self.y - other.y, self.z - other.z)
    }
}

impl Mul<f32> for Vec3 {
    type Output = Self;
    fn mul(self, by: f32) -> Self {
        Self::new(self.x * by, self.y * by, self.z * by)
    }
}

impl Neg for Vec3 {
    type Output = Self;
    fn neg(self) -> Self {
        self * -1.0
    }
}
