//! Crates, bolts, pickups and what they are to the hero.

use super::*;

/// Breaks the placed moby of that key.
fn smash(world: &mut Played, key: u16) {
    let id = world.placed(key).expect("is there").id;
    assert_eq!(world.world.break_crate(id, MobyId::HERO), Ok(true));
    world.world.settle(&mut world.progress);
}

#[test]
fn a_bolt_crate_breaks_into_bolts_that_fly_out_and_land() {
    let mut world = Played::of("moby bolt_crate 12 0 0 0 bolts=13");
    smash(&mut world, 0);
    assert_eq!(world.placed(0), None);
    let worth = |world: &Played| world.world.mobys().iter().map(Moby::value).sum::<i32>();
    assert_eq!((world.of_class(Class::Bolt).len(), world.of_class(Class::BigBolt).len()), (3, 1));
    assert_eq!(worth(&world), 13);
    assert_eq!(world.of_class(Class::Debris).len(), 1);
    world.run(90, Pad::NEUTRAL);
    let bolts = [world.of_class(Class::Bolt), world.of_class(Class::BigBolt)].concat();
    for bolt in &bolts {
        let out = (bolt.position - Vec3::new(12.0, 0.0, 0.0)).flat_length();
        assert!(bolt.position.z.abs() < 1e-3 && (0.8..3.0).contains(&out), "{bolt:?}");
        assert_eq!(bolt.state, LANDED);
    }
    assert_eq!(world.of_class(Class::Debris), []);
    assert_eq!(world.progress.bolts, 0, "none is near him");
}

#[test]
fn bolts_fly_to_a_hero_who_is_near_and_count() {
    let mut world = Played::of("moby bolt_crate 1.5 0 0 0 bolts=7\nmoby bolt 9 9 0 0");
    smash(&mut world, 0);
    world.run(20, Pad::NEUTRAL);
    assert_eq!(world.progress.bolts, 0, "first they fly out");
    world.run(100, Pad::NEUTRAL);
    assert_eq!(world.progress.bolts, 7);
    assert_eq!(world.of_class(Class::Bolt).len(), 1, "the far one lies");
}

#[test]
fn a_bolt_made_from_place_and_yaw_flies_the_same_way() {
    let mut world = Played::of("moby bolt_crate 12 0 0 0 bolts=4");
    smash(&mut world, 0);
    let mut other = Played::of("");
    other.step(Pad::NEUTRAL);
    for bolt in world.of_class(Class::Bolt) {
        other
            .world
            .make(Class::Bolt as i16, bolt.position, bolt.rotation.z)
            .expect("there is room");
    }
    for _ in 0..120 {
        world.step(Pad::NEUTRAL);
        other.step(Pad::NEUTRAL);
        let places = |world: &Played| {
            world.of_class(Class::Bolt).iter().map(|bolt| bolt.position).collect::<Vec<_>>()
        };
        assert_eq!(places(&world), places(&other));
    }
}

#[test]
fn nanotech_heals_up_to_full_and_ammo_loads() {
    let mut world =
        Played::of("moby nanotech_crate 1.5 0 0 0\nmoby nanotech 4 0 0 0\nmoby ammo_crate 7 0 0 0");
    world.hit(&Hit { damage: 1.0, ..no_hit(MobyId::HERO) });
    assert_eq!(world.hero().health(), FULL_HEALTH - 1);
    smash(&mut world, 0);
    world.run(200, Pad::NEUTRAL.with_stick(0.3, 0.0));
    assert_eq!(world.hero().health(), FULL_HEALTH, "never more");
    assert_eq!(world.of_class(Class::Nanotech), []);
    world.press(Button::Circle);
    world.run(60, Pad::NEUTRAL);
    assert_eq!(world.hero().ammo(Item::BombGlove), 19);
    assert_eq!(world.of_class(Class::AmmoCrate), [], "the bomb broke it");
    world.run(120, Pad::NEUTRAL.with_stick(0.5, 0.0));
    assert_eq!(world.hero().ammo(Item::BombGlove), 20);
}

#[test]
fn a_gold_bolt_and_a_find_are_taken_once_and_never_placed_again() {
    let lines = "moby find 2 0 0 0 item=15\nmoby find 0 9 0 0 planet=3";
    let mut world = Played::of(lines);
    world.run(30, Pad::NEUTRAL.with_stick(0.5, 0.0));
    assert!(world.progress.items[15]);
    let position = Vec3::new(2.0, 0.0, 0.0);
    assert_eq!(world.events, [Event::Took { key: 0, gift: Gift::Item(15), position }]);
    let level = Level::find(0).expect("Veldin");
    let mut progress = Progress::new();
    progress.give(Gift::GoldBolt(1));
    let key = |gift| {
        let at = level.mobys.iter().position(|placed| placed.params.gives == Some(gift));
        u16::try_from(at.expect("is placed")).expect("small")
    };
    let (gold, other) = (key(Gift::GoldBolt(1)), key(Gift::GoldBolt(0)));
    let gone = BTreeSet::from([other]);
    let rate = TickRate::Ntsc;
    let start = Start { seed: 1, rate, progress: &progress, health: 4, gone: &gone };
    let world = World::new(Arc::clone(&level), start);
    assert!(world.mobys().placed(gold).is_none(), "he has it");
    assert!(world.mobys().placed(other).is_none(), "it is gone for good");
    assert!(world.mobys().placed(0).is_some());
}

#[test]
fn what_he_got_elsewhere_goes_by_itself() {
    let mut world = Played::of("moby find 20 20 0 0 item=15");
    world.step(Pad::NEUTRAL);
    assert!(world.placed(0).is_some());
    world.progress.give(Gift::Item(15));
    world.step(Pad::NEUTRAL);
    assert_eq!((world.placed(0), world.events.len()), (None, 0));
}

#[test]
fn a_person_is_there_until_the_hero_has_what_it_is_about() {
    let mut world = Played::of("moby person 20 20 0 0 until=item:15\nmoby person 5 5 0 0");
    world.step(Pad::NEUTRAL);
    assert!(world.placed(0).is_some());
    world.progress.give(Gift::Item(15));
    world.step(Pad::NEUTRAL);
    assert_eq!((world.placed(0), world.placed(1).is_some()), (None, true));
    let gone = BTreeSet::new();
    let (progress, rate) = (&world.progress, TickRate::Ntsc);
    let start = Start { seed: 1, rate, progress, health: 4, gone: &gone };
    let again = World::new(Arc::new(world.world.level().clone()), start);
    assert!(again.mobys().placed(0).is_none(), "nor when the level is read again");
}

#[test]
fn services_are_used_with_triangle_beside_them_only() {
    let mut world = Played::of("moby vendor 2.4 0 0 180\nmoby ship 12 0 0 0");
    world.press(Button::Triangle);
    let moby = world.placed(0).expect("stands").id;
    assert_eq!(world.events, [Event::Used { moby, key: Some(0), class: Class::Vendor }]);
    world.run(60, Pad::NEUTRAL.with_stick(-1.0, 0.0));
    world.press(Button::Triangle);
    assert_eq!(world.events.len(), 1, "too far");
}

#[test]
fn what_is_far_from_camera_and_eyes_does_not_run() {
    let level = "number 9\nname T\nstart 0 0 0 0\nabyss -5\nbox floor -9 -9 -1 200 18 1\n\
                 moby biter 100 0 0 0\nmoby biter 5 8 0 0\nmoby moving_platform 150 0 0 0 travel=0,0,3";
    let mut world = Played::new(Arc::new(Level::parse(level).expect("parses")), 0, TickRate::Ntsc);
    let ran = |world: &Played| [0, 1, 2].map(|key| world.placed(key).expect("is there").ran);
    world.step(Pad::NEUTRAL);
    assert_eq!(ran(&world), [false, true, true], "a platform always runs");
    assert!(!world.placed(0).expect("is there").drawn && world.placed(1).expect("is there").drawn);
    world.world.set_eyes(&[Vec3::new(90.0, 0.0, 0.0)]);
    world.step(Pad::NEUTRAL);
    assert_eq!(ran(&world), [true, true, true]);
    world.world.set_eyes(&[]);
    world.step(Pad::NEUTRAL);
    assert_eq!(ran(&world), [false, true, true]);
    assert!(world.placed(0).expect("is there").distance > 90.0);
}
