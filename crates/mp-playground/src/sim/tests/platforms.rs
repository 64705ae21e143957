//! Doors, lifts, bridges, platforms, the switch.

use super::*;

#[test]
fn a_door_opens_for_one_who_is_near_and_closes_behind_him() {
    let mut world = Played::of(
        "moby door 12 0 0 0 size=0.6,4,3\nbox wall 11.7 -30 0 0.6 28 5\nbox wall 11.7 2 0 0.6 28 5",
    );
    world.run(30, Pad::NEUTRAL);
    assert!(world.placed(0).expect("stands").position.z.abs() < 1e-3, "closed");
    world.run(240, Pad::NEUTRAL.with_stick(1.0, 0.0));
    assert!(world.hero().position().x > 16.0, "he went through: {:?}", world.hero().position());
    assert!(world.placed(0).expect("stands").position.z.abs() < 1e-3, "closed again");
}

#[test]
fn a_closed_door_holds_him() {
    let mut world = Played::of("moby door 4 0 0 0 size=0.6,4,3");
    let id = world.placed(0).expect("stands").id;
    world.world.drive(id, true).expect("is there");
    world.run(120, Pad::NEUTRAL.with_stick(1.0, 0.0));
    assert!(world.hero().position().x < 3.4, "{:?}", world.hero().position());
}

#[test]
fn a_lift_takes_him_up_and_comes_back_alone() {
    let mut world = Played::of("moby lift 3 0 0 0 travel=0,0,3");
    world.run(10, Pad::NEUTRAL.with_stick(1.0, 0.0).with(Button::Cross));
    while world.hero().position().x < 3.0 {
        world.step(Pad::NEUTRAL.with_stick(1.0, 0.0));
    }
    world.run(180, Pad::NEUTRAL);
    assert!((world.hero().position().z - 3.4).abs() < 0.1, "{:?}", world.hero().position());
    world.run(120, Pad::NEUTRAL.with_stick(1.0, 0.0));
    world.run(300, Pad::NEUTRAL);
    assert!(world.placed(0).expect("is there").position.z.abs() < 1e-3, "down again");
}

#[test]
fn a_moving_platform_carries_him() {
    let mut world =
        Played::of("moby moving_platform 0 0 -0.4 0 size=3,3,0.4 travel=9,0,0 seconds=3 wait=0");
    world.run(60, Pad::NEUTRAL);
    let (hero, platform) = (world.hero().position(), world.placed(0).expect("is there").position);
    assert!(platform.x > 2.0 && (hero.x - platform.x).abs() < 0.3, "{hero:?} {platform:?}");
    let mut ends = (f32::MAX, f32::MIN);
    for _ in 0..400 {
        world.step(Pad::NEUTRAL);
        let x = world.placed(0).expect("is there").position.x;
        ends = (ends.0.min(x), ends.1.max(x));
    }
    assert!(ends.0.abs() < 0.1 && (ends.1 - 9.0).abs() < 0.1, "to and fro: {ends:?}");
}

#[test]
fn a_switch_brings_its_bridge_out_for_good() {
    let mut world = Played::of(
        "moby switch 1.4 0 0 0 opens=way\nmoby bridge 9 9 -0.4 0 travel=0,5,0 label=way",
    );
    world.run(60, Pad::NEUTRAL);
    assert!((world.placed(1).expect("is there").position.y - 9.0).abs() < 1e-3);
    world.press(Button::Square);
    world.run(300, Pad::NEUTRAL);
    assert!((world.placed(1).expect("is there").position.y - 14.0).abs() < 1e-3);
    assert!(world.placed(0).is_some(), "a switch does not break");
}

#[test]
fn a_platform_that_comes_to_be_where_he_is_pushes_him_out() {
    let mut world = Played::of("moby moving_platform 8 0 0 0 size=2,2,2");
    let id = world.placed(0).expect("is there").id;
    world.world.drive(id, true).expect("is there");
    let at = Vec3::new(0.9, 0.0, 0.0);
    let pose = world.placed(0).expect("is there").animation;
    world.world.pose(id, at, Vec3::ZERO, pose, false).expect("is driven");
    world.run(5, Pad::NEUTRAL);
    let bounds = world.placed(0).expect("is there").bounds();
    assert!(
        world.hero().position().x <= bounds.low.x - HALF_WIDTH,
        "{:?}",
        world.hero().position()
    );
}
