//! Parallel projection: how a point of the world comes to a point of the picture, and back.

use crate::sim::Vec3;

/// A point of the picture: x to the right, y down, in pixels; how far away, in units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Projected {
    pub x: f32,
    pub y: f32,
    pub depth: f32,
}

/// An eye at an endless distance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Camera {
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
    pub(crate) fn new(forward: Vec3, centre: Vec3, size: (usize, usize), scale: f32) -> Self {
        let forward = forward.unit();
        let flat = forward.cross(Vec3::new(0.0, 0.0, 1.0));
        // One that looks straight down has north at its top.
        let right = if flat.length() < 1e-3 { Vec3::new(1.0, 0.0, 0.0) } else { flat.unit() };
        let up = right.cross(forward);
        let half = |pixels| f32::from(u16::try_from(pixels).unwrap_or(u16::MAX)) / 2.0;
        Self { right, up, forward, centre, middle: (half(size.0), half(size.1)), scale }
    }

    /// The same eye for a picture that many times as large.
    pub(crate) fn enlarged(&self, by: f32) -> Self {
        let middle = (self.middle.0 * by, self.middle.1 * by);
        Self { middle, scale: self.scale * by, ..*self }
    }

    /// Where the camera looks to.
    pub(crate) const fn forward(&self) -> Vec3 {
        self.forward
    }

    pub(crate) fn project(&self, point: Vec3) -> Projected {
        let from = point - self.centre;
        Projected {
            x: self.middle.0 + self.scale * from.dot(self.right),
            y: self.middle.1 - self.scale * from.dot(self.up),
            depth: from.dot(self.forward),
        }
    }

    /// The point of the world seen there.
    pub(crate) fn unproject(&self, at: Projected) -> Vec3 {
        self.centre
            + self.right * ((at.x - self.middle.0) / self.scale)
            + self.up * ((self.middle.1 - at.y) / self.scale)
            + self.forward * at.depth
    }

    /// Whether anything of a ball comes into the picture.
    pub(crate) fn sees(&self, middle: Vec3, radius: f32) -> bool {
        let at = self.project(middle);
        let reach = radius * self.scale;
        let within = |at: f32, half: f32| at > -reach && at < 2.0 * half + reach;
        within(at.x, self.middle.0) && within(at.y, self.middle.1)
    }

    /// The projection as a matrix, column by column, to a cube from -1 to 1: x to the right, y up, and
    /// `reach` units before and behind the centre.
    pub(crate) fn matrix(&self, reach: f32) -> [f32; 16] {
        let row = |axis: Vec3, scale: f32| (axis * scale, -self.centre.dot(axis) * scale);
        let (x, dx) = row(self.right, self.scale / self.middle.0);
        let (y, dy) = row(self.up, self.scale / self.middle.1);
        let (z, dz) = row(self.forward, 1.0 / reach);
        [x.x, y.x, z.x, 0.0, x.y, y.y, z.y, 0.0, x.z, y.z, z.z, 0.0, dx, dy, dz, 1.0]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_matrix_says_what_the_projection_says() {
        let camera =
            Camera::new(Vec3::new(-0.6, 0.5, -0.7), Vec3::new(3.0, -2.0, 1.0), (640, 540), 30.0);
        let matrix = camera.matrix(80.0);
        for point in [Vec3::ZERO, Vec3::new(4.0, -3.0, 2.0), Vec3::new(-7.0, 1.0, 0.5)] {
            let row = |row: usize| {
                let axes = Vec3::new(matrix[row], matrix[row + 4], matrix[row + 8]);
                axes.dot(point) + matrix[row + 12]
            };
            let at = camera.project(point);
            assert!((row(0) - (at.x / 320.0 - 1.0)).abs() < 1e-4);
            assert!((row(1) - (1.0 - at.y / 270.0)).abs() < 1e-4);
            assert!((row(2) - at.depth / 80.0).abs() < 1e-4);
        }
    }

    #[test]
    fn an_eye_that_looks_straight_down_sees() {
        let camera = Camera::new(Vec3::new(0.0, 0.0, -1.0), Vec3::ZERO, (100, 100), 10.0);
        let at = camera.project(Vec3::new(1.0, 2.0, 0.0));
        assert!((at.x - 60.0).abs() < 1e-4 && (at.y - 30.0).abs() < 1e-4, "{at:?}");
        assert!(camera.sees(Vec3::new(5.5, 0.0, 0.0), 1.0));
        assert!(!camera.sees(Vec3::new(6.5, 0.0, 0.0), 1.0));
    }
}
