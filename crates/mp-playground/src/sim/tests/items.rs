//! What the hero does with what is in his hand.

use super::*;

#[test]
fn the_wrench_breaks_what_is_in_front_of_him_and_nothing_behind() {
    let mut world = Played::of("moby bolt_crate 1.5 0 0 0\nmoby bolt_crate -1.5 0 0 0");
    world.press(Button::Square);
    assert_eq!(world.hero().state(), HeroState::Swing);
    world.run(30, Pad::NEUTRAL);
    assert_eq!((world.placed(0), world.placed(1).is_some()), (None, true));
}

#[test]
fn a_thrown_wrench_hits_far_away_is_seen_on_its_way_and_comes_back() {
    let mut world = Played::of("moby bolt_crate 6 0 0 0\nmoby bolt_crate 14 0 0 0");
    world.step(Pad::NEUTRAL.with(Button::R1));
    world.step(Pad::NEUTRAL.with(Button::R1).with(Button::Square));
    let mut farthest = 0.0_f32;
    let mut loose = 0;
    for _ in 0..120 {
        world.step(Pad::NEUTRAL);
        let piece = world.pose().pieces[0];
        if piece.flags == 4 {
            farthest = farthest.max(piece.position.x);
            loose += 1;
        }
    }
    assert!((6.0..10.0).contains(&farthest) && (40..100).contains(&loose), "{farthest} {loose}");
    assert_eq!((world.placed(0), world.placed(1).is_some()), (None, true));
    assert_eq!(world.pose().pieces[0].flags, 0, "in his hand again");
}

#[test]
fn the_blaster_aims_and_costs_ammo_once_he_has_it() {
    let mut world = Played::of("moby biter 12 3 0 0");
    world.press(Button::Right);
    assert_eq!(world.hero().item(), Item::Wrench, "he has none");
    world.progress.give(Gift::Item(15));
    world.press(Button::Right);
    assert_eq!(world.hero().item(), Item::Blaster);
    assert_eq!((world.pose().item, world.pose().pieces[0].moby_class), (15, 73));
    let full = world.hero().ammo(Item::Blaster);
    for _ in 0..4 {
        world.press(Button::Circle);
        world.run(30, Pad::NEUTRAL);
    }
    assert_eq!(world.hero().ammo(Item::Blaster), full - 4);
    assert_eq!(world.placed(0), None, "two hits kill it");
}

#[test]
fn a_bomb_breaks_all_that_is_near_where_it_falls() {
    let mut world =
        Played::of("moby bolt_crate 6.5 -1 0 0 repeat=3 step=0,1,0\nmoby bolt_crate 0 12 0 0");
    world.press(Button::Circle);
    assert_eq!(world.hero().state(), HeroState::ThrowBomb);
    world.run(20, Pad::NEUTRAL);
    assert_eq!(world.of_class(Class::Bomb).len(), 1);
    world.run(60, Pad::NEUTRAL);
    assert_eq!(world.of_class(Class::BoltCrate).len(), 1);
}

#[test]
fn clank_is_worn_once_he_has_the_pack() {
    let mut world = Played::of("");
    assert_eq!(world.pose().pieces.len(), 1);
    world.progress.give(Gift::Item(2));
    assert_eq!(world.pose().pieces[1].moby_class, 72);
    assert!(world.pose().pieces.iter().all(|piece| PIECE_CLASSES.contains(&piece.moby_class)));
}

#[test]
fn a_hurt_or_dead_hero_does_nothing() {
    let mut world = Played::of("moby bolt_crate 1.5 0 0 0");
    world.hit(&Hit { damage: 9.0, ..no_hit(MobyId::HERO) });
    for _ in 0..15 {
        world.press(Button::Square);
        world.press(Button::Cross);
    }
    assert!(world.placed(0).is_some());
    assert_eq!(world.pose().state, 13);
}
