//! Which face is seen at each pixel, and how far away it is: convex faces filled line by line, the
//! nearest wins. Knows nothing of colours.

use super::camera::Camera;
use super::scene::Face;

/// No face.
pub(super) const NOTHING: u32 = u32::MAX;

/// A pixel of the picture.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen {
    /// The face's place in the list.
    pub face: u32,
    pub depth: f32,
}

/// What is seen at each pixel, line by line.
#[derive(Clone, Debug)]
pub(super) struct Raster {
    pub width: usize,
    pub height: usize,
    pub seen: Vec<Seen>,
}

impl Raster {
    /// The faces as that camera sees them.
    pub(super) fn of(faces: &[Face], camera: &Camera, (width, height): (usize, usize)) -> Self {
        let nothing = Seen { face: NOTHING, depth: f32::INFINITY };
        let mut raster = Self { width, height, seen: vec![nothing; width * height] };
        for (index, face) in faces.iter().enumerate() {
            if face.normal.dot(camera.forward()) < 0.0 {
                raster.fill(face, u32::try_from(index).unwrap_or(NOTHING), camera);
            }
        }
        raster
    }

    /// What is seen at that place of the picture, or `None` outside it.
    pub(super) fn at(&self, x: f32, y: f32) -> Option<Seen> {
        let inside = x >= 0.0 && y >= 0.0;
        let (x, y) = (whole(x), whole(y));
        (inside && x < self.width && y < self.height).then(|| self.seen[y * self.width + x])
    }

    fn fill(&mut self, face: &Face, index: u32, camera: &Camera) {
        let corners = face.corners.map(|corner| camera.project(corner));
        // The depth is the same linear function of x and y all over a flat face.
        let [a, b, c, _] = corners;
        let (bx, by, bd) = (b.x - a.x, b.y - a.y, b.depth - a.depth);
        let (cx, cy, cd) = (c.x - a.x, c.y - a.y, c.depth - a.depth);
        let area = bx * cy - by * cx;
        if area.abs() < 1e-6 {
            return;
        }
        let slope_x = (bd * cy - cd * by) / area;
        let slope_y = (cd * bx - bd * cx) / area;
        let top = corners.iter().map(|corner| corner.y).fold(f32::INFINITY, f32::min);
        let bottom = corners.iter().map(|corner| corner.y).fold(f32::NEG_INFINITY, f32::max);
        for row in whole(top)..whole(bottom + 1.0).min(self.height) {
            let y = centre(row);
            let Some((left, right)) = span(&corners.map(|corner| (corner.x, corner.y)), y) else {
                continue;
            };
            let depth_at = |x: f32| a.depth + (x - a.x) * slope_x + (y - a.y) * slope_y;
            // A pixel belongs to the face when its centre is inside.
            for column in whole(left + 0.5)..whole(right + 0.5).min(self.width) {
                let depth = depth_at(centre(column));
                let seen = &mut self.seen[row * self.width + column];
                if depth < seen.depth {
                    *seen = Seen { face: index, depth };
                }
            }
        }
    }
}

/// Where a horizontal line enters and leaves a convex face.
fn span(corners: &[(f32, f32); 4], y: f32) -> Option<(f32, f32)> {
    let (mut left, mut right) = (f32::INFINITY, f32::NEG_INFINITY);
    for (index, &(ax, ay)) in corners.iter().enumerate() {
        let (bx, by) = corners[(index + 1) % corners.len()];
        if (ay <= y) != (by <= y) {
            let x = ax + (bx - ax) * (y - ay) / (by - ay);
            left = left.min(x);
            right = right.max(x);
        }
    }
    (left < right).then_some((left, right))
}

/// The pixel a place lies in; 0 for one before the first.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // saturates, which is wanted
pub(super) fn whole(place: f32) -> usize {
    place.max(0.0) as usize
}

/// The middle of a pixel.
pub(super) fn centre(pixel: usize) -> f32 {
    f32::from(u16::try_from(pixel).unwrap_or(u16::MAX)) + 0.5
}
