//! Enemies: whom they see, what they do to him, and what is done to them.

use super::*;

fn health_after(lines: &str, ticks: u32) -> (Played, i16) {
    let mut world = Played::of(lines);
    world.run(ticks, Pad::NEUTRAL);
    let health = world.hero().health();
    (world, health)
}

#[test]
fn a_biter_chases_the_hero_bites_and_pushes_him() {
    let (mut world, health) = health_after("moby biter 7 0 0 0", 60);
    let biter = world.placed(0).expect("lives");
    assert!(biter.position.x < 5.0 && health == FULL_HEALTH, "it comes: {biter:?}");
    while world.hero().health() == FULL_HEALTH {
        world.step(Pad::NEUTRAL);
        assert!(world.world.tick() < 240, "never bites");
    }
    assert_eq!(world.hero().health(), FULL_HEALTH - 1);
    assert!(world.hero().velocity().x < 0.0, "away from it");
    world.step(Pad::NEUTRAL);
    assert_eq!(world.hero().state(), HeroState::Hurt);
}

#[test]
fn after_a_hit_nothing_hurts_him_for_a_moment() {
    let mut world = Played::of("");
    let hit = Hit { damage: 1.0, ..no_hit(MobyId::HERO) };
    for _ in 0..30 {
        world.hit(&hit);
        world.step(Pad::NEUTRAL);
    }
    assert_eq!(world.hero().health(), FULL_HEALTH - 1);
    world.run(60, Pad::NEUTRAL);
    world.hit(&hit);
    assert_eq!(world.hero().health(), FULL_HEALTH - 2);
}

#[test]
fn an_enemy_far_away_stays_near_its_home() {
    let (world, health) = health_after("moby biter 20 0 0 0", 600);
    let biter = world.placed(0).expect("lives");
    assert!((biter.position - Vec3::new(20.0, 0.0, 0.0)).length() < 7.0, "{biter:?}");
    assert_eq!(health, FULL_HEALTH);
}

#[test]
fn a_shooter_shoots_and_its_shot_hurts_where_it_hits() {
    let (mut world, _) = health_after("moby shooter 10 0 0 180", 45);
    assert_eq!(world.of_class(Class::EnemyShot).len(), 1);
    let shooter = world.placed(0).expect("lives").id;
    assert_eq!(world.of_class(Class::EnemyShot)[0].maker, shooter);
    world.run(60, Pad::NEUTRAL);
    assert_eq!(world.hero().health(), FULL_HEALTH - 1);
    let (aside, health) = health_after("moby shooter 10 0 0 180\nbox wall 4 -2 0 1 4 3", 120);
    assert_eq!(health, FULL_HEALTH, "the wall stops it: {:?}", aside.of_class(Class::EnemyShot));
}

#[test]
fn a_hit_knocks_an_enemy_back_and_the_last_one_kills_it_with_drops() {
    let mut world = Played::of("moby biter 20 0 0 0 bolts=3");
    world.run(5, Pad::NEUTRAL);
    let biter = world.placed(0).expect("lives");
    let push = Vec3::new(7.0, 0.0, 3.0);
    let hit = Hit { damage: 1.0, velocity: push, ..no_hit(biter.id) };
    world.hit(&hit);
    world.run(20, Pad::NEUTRAL);
    let hurt = world.placed(0).expect("lives");
    assert!(hurt.position.x > biter.position.x + 1.0 && hurt.health < biter.health, "{hurt:?}");
    world.hit(&hit);
    world.run(20, Pad::NEUTRAL);
    assert!(world.placed(0).is_some(), "it dies for a moment");
    assert_eq!(world.of_class(Class::Bolt).len(), 3);
    world.run(60, Pad::NEUTRAL);
    assert_eq!(world.placed(0), None);
    assert_eq!(world.of_class(Class::Bolt).len(), 3, "once only");
}

#[test]
fn a_nest_makes_hatchlings_up_to_its_limit_and_new_ones_for_the_dead() {
    let mut world = Played::of("moby nest 12 0 0 0 limit=2\nbox wall 6 -30 0 1 60 4");
    world.run(600, Pad::NEUTRAL);
    let hatchlings = world.of_class(Class::Hatchling);
    assert_eq!(hatchlings.len(), 2);
    assert!(hatchlings.iter().all(|moby| moby.key.is_none()));
    world.kill(hatchlings[0].id);
    world.run(300, Pad::NEUTRAL);
    assert_eq!(world.of_class(Class::Hatchling).len(), 2, "another came");
}

#[test]
fn enemies_do_not_walk_over_edges_or_through_crates() {
    let level = "number 9\nname T\nstart 0 0 0 0\nabyss -9\nbox floor -5 -5 -1 8 10 1\n\
                 box floor 6 -5 -1 8 10 1\nmoby biter 9 0 0 180";
    let mut world = Played::new(Arc::new(Level::parse(level).expect("parses")), 0, TickRate::Ntsc);
    world.run(300, Pad::NEUTRAL);
    let biter = world.placed(0).expect("did not fall");
    assert!(biter.position.x > 5.4 && biter.position.z.abs() < 1e-3, "{biter:?}");
    let mut walled =
        Played::of("moby biter 6 0 0 180\nmoby bolt_crate 3 -3 0 0 repeat=7 step=0,1,0");
    walled.run(120, Pad::NEUTRAL);
    assert!(walled.placed(0).expect("lives").position.x > 3.5);
}

#[test]
fn the_dead_hero_is_left_alone() {
    let mut world = Played::of("moby biter 3 0 0 180");
    world.hit(&Hit { damage: 9.0, ..no_hit(MobyId::HERO) });
    world.run(60, Pad::NEUTRAL);
    assert_eq!(world.events, [Event::Died]);
    assert_eq!(world.hero().state(), HeroState::Dead);
    let biter = world.placed(0).expect("lives");
    assert!(biter.position.x > 1.5, "it did not come: {biter:?}");
}
