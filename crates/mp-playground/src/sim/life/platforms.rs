//! What moves and is stood on or walked through: doors, lifts, bridges, platforms that go to and fro.
//! Each slides between its place in the level's file and that place with its travel added.

use super::Life;
use crate::sim::collision::{HALF_WIDTH, STEP};
use crate::sim::moby::Moby;

/// States: at the file's place, on its way, at the other end, on its way back.
const CLOSED: i16 = 0;
const OPENING: i16 = 1;
pub const OPEN: i16 = 2;
const CLOSING: i16 = 3;

/// A door opens for one who is nearer than this to its middle, beyond half its width.
const DOOR: f32 = 3.5;

pub(super) fn door(moby: &mut Moby, life: &Life<'_>) {
    let way = life.hero.position - moby.home;
    let near = way.flat_length() < DOOR + moby.size.x.max(moby.size.y);
    slide(moby, life, moby.open || (near && life.hero.alive));
}

pub(super) fn bridge(moby: &mut Moby, life: &Life<'_>) {
    slide(moby, life, moby.open);
}

pub(super) fn lift(moby: &mut Moby, life: &Life<'_>) {
    let wait = life.rate.ticks(moby.params(life.level).wait);
    let ridden = life.hero.alive && stands_on(moby, life);
    // It goes when it is stepped on, and comes back when nobody is on it any more.
    if ridden {
        moby.timer = wait;
    }
    let goes = moby.state != CLOSED || ridden;
    slide(moby, life, goes && (ridden || moby.timer > 0));
}

pub(super) fn to_and_fro(moby: &mut Moby, life: &Life<'_>) {
    let wait = life.rate.ticks(moby.params(life.level).wait);
    let there = matches!(moby.state, OPEN | CLOSING);
    let at_end = matches!(moby.state, OPEN | CLOSED);
    let goes =
        if at_end && moby.timer == 0 { !there } else { matches!(moby.state, OPEN | OPENING) };
    slide(moby, life, goes);
    if !at_end && matches!(moby.state, OPEN | CLOSED) {
        moby.timer = wait;
    }
}

fn stands_on(moby: &Moby, life: &Life<'_>) -> bool {
    let (bounds, feet) = (moby.bounds(), life.hero.position);
    (bounds.high.z - feet.z).abs() < STEP
        && (bounds.low.x - HALF_WIDTH..bounds.high.x + HALF_WIDTH).contains(&feet.x)
        && (bounds.low.y - HALF_WIDTH..bounds.high.y + HALF_WIDTH).contains(&feet.y)
}

/// A tick towards its other end, or back.
fn slide(moby: &mut Moby, life: &Life<'_>, out: bool) {
    let params = moby.params(life.level);
    let step = life.rate.seconds() / params.seconds.max(life.rate.seconds());
    moby.share = (moby.share + if out { step } else { -step }).clamp(0.0, 1.0);
    moby.position = moby.home + params.travel * moby.share;
    moby.set_state(match (out, moby.share) {
        (true, 1.0) => OPEN,
        (true, _) => OPENING,
        (false, 0.0) => CLOSED,
        (false, _) => CLOSING,
    });
}
