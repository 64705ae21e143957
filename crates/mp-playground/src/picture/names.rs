//! The names over the heroes' heads. Those of heroes that stand close are stacked, so that each can be
//! read.

use super::camera::Camera;
use super::colour::Colour;
use super::marks::{Area, LETTER, Marks, text_width};
use super::raster::whole;
use super::scene::Actor;
use crate::sim::{HEIGHT, Vec3};

/// How large they are written.
const SCALE: usize = 2;
/// Between two that are stacked, in pixels.
const GAP: usize = 2;

/// Writes them. The order of `actors` says which of two keeps its place, whoever stands in front: names
/// that changed places with every step could not be read either.
pub(super) fn draw(
    marks: &mut Marks,
    camera: &Camera,
    actors: &[Actor],
    colour_of: impl Fn(&str) -> Colour,
) {
    let heads = actors.iter().filter_map(|actor| {
        let head = actor.pose.position + Vec3::new(0.0, 0.0, HEIGHT + 0.45);
        let at = camera.project(head);
        let seen = at.x >= 0.0 && at.y >= 0.0;
        let (x, y) = (whole(at.x), whole(at.y));
        (seen && x < marks.width && y < marks.height).then_some((actor.name.as_str(), x, y))
    });
    for (name, area) in stacked(heads) {
        let colour = colour_of(name).towards(Colour::WHITE, 0.35);
        marks.text(name, area.x, area.y, SCALE, colour);
    }
}

/// Where each name is written, for where its hero's head is: above it, and above the names before it that
/// would lie under it.
fn stacked<'a>(heads: impl Iterator<Item = (&'a str, usize, usize)>) -> Vec<(&'a str, Area)> {
    let mut placed: Vec<(&str, Area)> = Vec::new();
    for (name, x, y) in heads {
        let (width, height) = (text_width(name, SCALE), LETTER * SCALE);
        let x = x.saturating_sub(width / 2);
        let mut area = Area { x, y: y.saturating_sub(height), width, height };
        // Each step is upwards, and above the view there is nothing left to be above of.
        while let Some((_, other)) = placed.iter().find(|(_, other)| overlap(&area, other)) {
            let above = other.y.saturating_sub(height + GAP);
            if above >= area.y {
                break;
            }
            area.y = above;
        }
        placed.push((name, area));
    }
    placed
}

fn overlap(a: &Area, b: &Area) -> bool {
    a.x < b.x + b.width
        && b.x < a.x + a.width
        && a.y < b.y + b.height + GAP
        && b.y < a.y + a.height + GAP
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(heads: &[(&'static str, usize, usize)]) -> Vec<(usize, usize)> {
        let placed = stacked(heads.iter().copied());
        placed.into_iter().map(|(_, area)| (area.x, area.y)).collect()
    }

    #[test]
    fn a_name_stands_over_the_middle_of_its_hero() {
        assert_eq!(places(&[("Alex", 100, 60)]), [(68, 44)]);
    }

    #[test]
    fn names_of_heroes_that_stand_close_are_stacked_and_others_stay_where_they_are() {
        let heads = [("Alex", 100, 60), ("Blair", 110, 64), ("Casey", 105, 50), ("Drew", 300, 60)];
        let all = stacked(heads.iter().copied());
        for (index, (name, area)) in all.iter().enumerate() {
            let over = all[..index].iter().find(|(_, other)| overlap(area, other));
            assert_eq!(over, None, "{name}");
        }
        assert_eq!(all[0].1.y, 44, "the first keeps its place");
        assert_eq!((all[3].1.x, all[3].1.y), (268, 44), "and so does who stands alone");
    }

    #[test]
    fn names_at_the_upper_edge_that_find_no_room_are_written_all_the_same() {
        let heads = [("Alex", 50, 3), ("Blair", 50, 3), ("Casey", 50, 3)];
        assert_eq!(places(&heads).iter().map(|place| place.1).collect::<Vec<_>>(), [0, 0, 0]);
    }
}
