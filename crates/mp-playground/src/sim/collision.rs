//! How bodies move among boxes: one axis after the other, as upright boxes themselves. Knows nothing of
//! mobys or levels: whoever moves brings the boxes that are near.

use super::level::Level;
use super::vec3::Vec3;

/// Half the hero's width.
pub const HALF_WIDTH: f32 = 0.4;
/// The hero's height.
pub const HEIGHT: f32 = 1.6;
/// One walks up an edge that is no higher than this.
pub(super) const STEP: f32 = 0.35;
/// Nearer than this to a side counts as beside it.
const SKIN: f32 = 1e-3;

/// A box with its sides along the axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aabb {
    /// The corner with the lowest coordinates.
    pub low: Vec3,
    /// The corner with the highest.
    pub high: Vec3,
}

/// How large one who moves is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Body {
    pub half_width: f32,
    pub height: f32,
}

impl Body {
    /// The hero's.
    pub const HERO: Self = Self { half_width: HALF_WIDTH, height: HEIGHT };

    /// All that is in reach of a move from there: what [`moved`] must be given the boxes of.
    pub fn reach(self, from: Vec3, by: Vec3) -> Aabb {
        let side = self.half_width + 2.0 * SKIN;
        let (x, y) = (side + by.x.abs(), side + by.y.abs());
        let (down, up) = (STEP + by.z.abs(), self.height + STEP + by.z.abs());
        Aabb { low: from - Vec3::new(x, y, down), high: from + Vec3::new(x, y, up) }
    }

    /// Whether it would be inside the box with its feet there. One who stands on it is not.
    fn overlaps(self, other: &Aabb, feet: Vec3) -> bool {
        feet.x + self.half_width > other.low.x
            && feet.x - self.half_width < other.high.x
            && feet.y + self.half_width > other.low.y
            && feet.y - self.half_width < other.high.y
            && feet.z + self.height > other.low.z
            && feet.z < other.high.z
    }
}

impl Aabb {
    /// Whether the two have a point in common.
    pub(super) fn meets(&self, other: &Self) -> bool {
        self.low.x <= other.high.x
            && self.high.x >= other.low.x
            && self.low.y <= other.high.y
            && self.high.y >= other.low.y
            && self.low.z <= other.high.z
            && self.high.z >= other.low.z
    }
}

/// Where a move ended.
pub(super) struct Moved {
    pub position: Vec3,
    pub hit_x: bool,
    pub hit_y: bool,
    pub hit_z: bool,
    /// It stands on something.
    pub grounded: bool,
}

/// Moves a body from `from` by `by`, as far as the boxes let it. One that was `grounded` walks up low
/// edges.
pub(super) fn moved(boxes: &[Aabb], body: Body, from: Vec3, by: Vec3, grounded: bool) -> Moved {
    let mut at = from;
    at.x += by.x;
    let hit_x = side(boxes, body, &mut at, by.x, grounded, |v| &mut v.x);
    at.y += by.y;
    let hit_y = side(boxes, body, &mut at, by.y, grounded, |v| &mut v.y);
    at.z += by.z;
    let mut hit_z = false;
    let mut on_ground = false;
    for other in boxes {
        if !body.overlaps(other, at) {
            continue;
        }
        hit_z = true;
        if by.z > 0.0 {
            at.z = other.low.z - body.height - SKIN;
        } else {
            at.z = other.high.z;
            on_ground = true;
        }
    }
    Moved { position: at, hit_x, hit_y, hit_z, grounded: on_ground }
}

/// Takes a body that moved along one axis out of what it moved into, or up onto it when it is low.
fn side(
    boxes: &[Aabb],
    body: Body,
    at: &mut Vec3,
    by: f32,
    grounded: bool,
    axis: fn(&mut Vec3) -> &mut f32,
) -> bool {
    let mut hit = false;
    for other in boxes {
        if !body.overlaps(other, *at) {
            continue;
        }
        let rise = other.high.z - at.z;
        let above = *at + Vec3::new(0.0, 0.0, rise + SKIN);
        if grounded && rise <= STEP && !boxes.iter().any(|other| body.overlaps(other, above)) {
            at.z = other.high.z;
            continue;
        }
        let (mut low, mut high) = (other.low, other.high);
        *axis(at) = if by > 0.0 {
            *axis(&mut low) - body.half_width - SKIN
        } else {
            *axis(&mut high) + body.half_width + SKIN
        };
        hit = true;
    }
    hit
}

/// Takes a body out of the boxes that came to be where it is (a door, a platform), by the shortest way
/// to a side or up.
pub(super) fn pushed_out(boxes: &[Aabb], body: Body, mut at: Vec3) -> Vec3 {
    for other in boxes {
        if !body.overlaps(other, at) {
            continue;
        }
        let side = body.half_width + SKIN;
        let ways = [
            Vec3::new(other.low.x - side - at.x, 0.0, 0.0),
            Vec3::new(other.high.x + side - at.x, 0.0, 0.0),
            Vec3::new(0.0, other.low.y - side - at.y, 0.0),
            Vec3::new(0.0, other.high.y + side - at.y, 0.0),
            Vec3::new(0.0, 0.0, other.high.z - at.z),
        ];
        let shortest = ways.into_iter().min_by(|a, b| a.length().total_cmp(&b.length()));
        at += shortest.expect("five ways");
    }
    at
}

/// Whether a point lies inside one of the level's boxes.
pub(super) fn inside(level: &Level, at: Vec3) -> bool {
    let mut found = false;
    level.grid().near(at, at, |number| {
        let solid = &level.solids[number];
        found |= (solid.low.x..solid.high.x).contains(&at.x)
            && (solid.low.y..solid.high.y).contains(&at.y)
            && (solid.low.z..solid.high.z).contains(&at.z);
    });
    found
}

/// The highest top of the level that is not above `from`, by more than a low step: where a shadow
/// falls.
#[must_use]
pub fn ground_below(level: &Level, from: Vec3) -> Option<f32> {
    let mut ground: Option<f32> = None;
    level.grid().near(from, from, |number| {
        let solid = &level.solids[number];
        let under = (solid.low.x..solid.high.x).contains(&from.x)
            && (solid.low.y..solid.high.y).contains(&from.y)
            && solid.high.z <= from.z + STEP;
        if under && ground.is_none_or(|ground| solid.high.z > ground) {
            ground = Some(solid.high.z);
        }
    });
    ground
}
