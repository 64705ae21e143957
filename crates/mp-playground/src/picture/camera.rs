//! Parallel projection: how a point of the world comes to a point of the picture, and back.

use crate::sim::Vec3;

/// A point of the picture: x to the right, y down, in pixels; how far away, in units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Projected {
    pub x: f32,
    pub y: f32,
    pub depth: f32,
}

/// An eye at an endless distance.
#[derive(Clone, Copy, Debug)]
pub(super) struct Camera {
    right: Vec3,
    up: Vec3,
    forward: Vec3,
    centre: Vec3,
    /// The middle of the picture, in pixels.
    middle: (f32, f32),
    /// Pixels a unit.
    scale: f32,
}

impl Camera {
    /// An eye that looks along `forward`, with `centre` in the middle of a picture of that size.
    pub(super) fn new(forward: Vec3, centre: Vec3, size: (usize, usize), scale: f32) -> Self {
        let forward = forward.unit();
        let right = forward.cross(Vec3::new(0.0, 0.0, 1.0)).unit();
        let up = right.cross(forward);
        let half = |pixels| f32::from(u16::try_from(pixels).unwrap_or(u16::MAX)) / 2.0;
        Self { right, up, forward, centre, middle: (half(size.0), half(size.1)), scale }
    }

    /// Where the camera looks to.
    pub(super) const fn forward(&self) -> Vec3 {
        self.forward
    }

    pub(super) fn project(&self, point: Vec3) -> Projected {
        let from = point - self.centre;
        Projected {
            x: self.middle.0 + self.scale * from.dot(self.right),
            y: self.middle.1 - self.scale * from.dot(self.up),
            depth: from.dot(self.forward),
        }
    }

    /// The point of the world seen there.
    pub(super) fn unproject(&self, at: Projected) -> Vec3 {
        self.centre
            + self.right * ((at.x - self.middle.0) / self.scale)
            + self.up * ((self.middle.1 - at.y) / self.scale)
            + self.forward * at.depth
    }
}
