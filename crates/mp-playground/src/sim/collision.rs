//! How a hero moves among the level's boxes: one axis after the other, as an upright box himself.

use super::level::{Level, Solid};
use super::vec3::Vec3;

/// Half the hero's width.
pub const HALF_WIDTH: f32 = 0.4;
/// The hero's height.
pub const HEIGHT: f32 = 1.6;
/// He walks up an edge that is no higher than this.
const STEP: f32 = 0.35;
/// Nearer than this to a side counts as beside it.
const SKIN: f32 = 1e-3;

/// Where a move ended.
pub(super) struct Moved {
    pub position: Vec3,
    pub hit_x: bool,
    pub hit_y: bool,
    pub hit_z: bool,
    /// He stands on something.
    pub grounded: bool,
}

/// Moves a hero from `from` by `by`, as far as the level lets him. One who was `grounded` walks up low
/// edges, and stays on the ground down them.
pub(super) fn moved(level: &Level, from: Vec3, by: Vec3, grounded: bool) -> Moved {
    let mut at = from;
    at.x += by.x;
    let hit_x = side(level, &mut at, by.x, grounded, |v| &mut v.x);
    at.y += by.y;
    let hit_y = side(level, &mut at, by.y, grounded, |v| &mut v.y);
    at.z += by.z;
    let mut hit_z = false;
    let mut on_ground = false;
    for solid in &level.solids {
        if !overlaps(solid, at) {
            continue;
        }
        hit_z = true;
        if by.z > 0.0 {
            at.z = solid.low.z - HEIGHT - SKIN;
        } else {
            at.z = solid.high.z;
            on_ground = true;
        }
    }
    Moved { position: at, hit_x, hit_y, hit_z, grounded: on_ground }
}

/// Takes a hero who moved along one axis out of what he moved into, or up onto it when it is low.
fn side(
    level: &Level,
    at: &mut Vec3,
    by: f32,
    grounded: bool,
    axis: fn(&mut Vec3) -> &mut f32,
) -> bool {
    let mut hit = false;
    for solid in &level.solids {
        if !overlaps(solid, *at) {
            continue;
        }
        let rise = solid.high.z - at.z;
        if grounded
            && rise <= STEP
            && !level
                .solids
                .iter()
                .any(|other| overlaps(other, *at + Vec3::new(0.0, 0.0, rise + SKIN)))
        {
            at.z = solid.high.z;
            continue;
        }
        let (mut low, mut high) = (solid.low, solid.high);
        *axis(at) = if by > 0.0 {
            *axis(&mut low) - HALF_WIDTH - SKIN
        } else {
            *axis(&mut high) + HALF_WIDTH + SKIN
        };
        hit = true;
    }
    hit
}

/// Whether a hero with his feet there would be inside the box. One who stands on it is not.
fn overlaps(solid: &Solid, feet: Vec3) -> bool {
    let within = |low: f32, high: f32, from: f32, to: f32| to > low && from < high;
    within(solid.low.x, solid.high.x, feet.x - HALF_WIDTH, feet.x + HALF_WIDTH)
        && within(solid.low.y, solid.high.y, feet.y - HALF_WIDTH, feet.y + HALF_WIDTH)
        && within(solid.low.z, solid.high.z, feet.z, feet.z + HEIGHT)
}

/// The highest top that is not above `from`, within a hero's width of it: where a shadow falls.
#[must_use]
pub fn ground_below(level: &Level, from: Vec3) -> Option<f32> {
    level
        .solids
        .iter()
        .filter(|solid| {
            (solid.low.x..solid.high.x).contains(&from.x)
                && (solid.low.y..solid.high.y).contains(&from.y)
                && solid.high.z <= from.z + STEP
        })
        .map(|solid| solid.high.z)
        .max_by(f32::total_cmp)
}
