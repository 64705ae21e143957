use super::*;
use crate::card::Card;
use crate::progress::Gift;
use crate::sim::{Ask, Class, Hit, MobyId, mask};

fn place_of(game: &StandIn, class: Class) -> MobyId {
    game.mobys().find(|moby| moby.class == class).expect("is placed").id
}

fn hit(target: MobyId, damage: f32) -> Hit {
    let (position, velocity) = (Vec3::ZERO, Vec3::ZERO);
    Hit { target, attacker: MobyId::NONE, mask: mask::BITE, damage, position, velocity }
}

/// Settles what a call began, and answers what it said.
fn settled<T>(game: &mut StandIn, begun: Begun<T>) -> T {
    while game.poll_ask(false).is_some() {}
    begun.0
}

#[test]
fn a_call_in_the_middle_of_a_step_does_not_go_on_with_the_step() {
    let mut game = in_level();
    game.read_pad(NEUTRAL);
    game.begin_step();
    assert!(matches!(game.poll_ask(true), Some(Ask::Gate(_))));
    // Neither one that finds nothing to do, nor one that breaks a crate and is asked about it.
    assert_eq!(game.hit_post(&hit(MobyId(12_345), 1.0)), Ok(Begun(false)));
    assert_eq!(game.poll_ask(true), None);
    let broken = place_of(&game, Class::BoltCrate);
    assert_eq!(game.moby_break(broken, MobyId::NONE), Ok(Begun(true)));
    let mut asked = Vec::new();
    while let Some(ask) = game.poll_ask(true) {
        asked.push(ask);
        game.answer(Reply::OwnWay).expect("no figure in it");
    }
    assert!(asked.iter().all(|ask| !matches!(ask, Ask::Gate(_))), "{asked:?}");
    assert!(matches!(asked[..], [Ask::Make(_), .., Ask::Made { .. }]), "{asked:?}");
    game.answer(Reply::OwnWay).expect("no figure in it");
    assert!(matches!(game.poll_ask(true), Some(Ask::Gate(_))), "the step goes on");
}

#[test]
fn a_dead_hero_is_dying_until_he_comes_back_wherever_he_died() {
    for paused in [false, true] {
        let mut game = in_level();
        game.menus_pause(false);
        if paused {
            press(&mut game, Button::Start);
        }
        let begun = game.hero_hit(&hit(MobyId::NONE, 9.0)).expect("lands");
        settled(&mut game, begun);
        assert_eq!((game.phase(), game.in_control()), (Phase::Dying, false));
        assert!(game.hero_pose().expect("a hero").health <= 0);
        assert_eq!(game.capture(), None);
        ticks(&mut game, 2 * TICKS_PER_SECOND);
        assert_eq!((game.phase(), game.in_control()), (Phase::Playing, true));
        assert_eq!(game.hero_pose().expect("a hero").health, 4);
    }
}

#[test]
fn what_he_takes_in_the_level_is_his_is_saved_and_is_not_there_again() {
    let mut game = in_level();
    game.insert_card(Card::default());
    let find = place_of(&game, Class::Find);
    let at = game.mobys().find(|moby| moby.id == find).expect("is there").position;
    // The find comes to the hero, as he does not find the way.
    game.moby_drive(find, true).expect("is there");
    let hero = game.hero_pose().expect("a hero").position;
    let still = Default::default();
    game.moby_pose(find, hero, Vec3::ZERO, still, false).expect("is driven");
    game.moby_drive(find, false).expect("is there");
    ticks(&mut game, 2);
    assert!(game.progress().items[15] && at != hero);
    assert_eq!(game.screen().message.as_deref(), Some(Gift::Item(15).banner().as_str()));
    let write = game.poll_write().expect("saves by itself");
    game.written(&write, true);
    game.travel(0);
    ticks(&mut game, 30 * TICKS_PER_SECOND);
    assert_eq!(game.level(), Some(0));
    assert!(game.mobys().count() > 30, "the level is there");
    let again = |moby: &&crate::sim::Moby| moby.class == Class::Find;
    assert_eq!(game.mobys().filter(again).count(), 1, "the planet's only");
}

#[test]
fn triangle_beside_a_vendor_opens_it() {
    let mut game = in_level();
    let vendor = place_of(&game, Class::Vendor);
    game.moby_drive(vendor, true).expect("is there");
    let near = game.hero_pose().expect("a hero").position + Vec3::new(1.5, 0.0, 0.0);
    game.moby_pose(vendor, near, Vec3::ZERO, Default::default(), false).expect("is driven");
    press(&mut game, Button::Triangle);
    assert_eq!(game.phase(), Phase::Vendor);
}

#[test]
fn outside_a_level_there_are_no_mobys() {
    let mut game = at_title();
    assert_eq!((game.mobys().count(), game.level_records(), game.cameras()), (0, 0, None));
    assert_eq!(game.moby_kill(MobyId(7), true), Err(Refusal::StaleMoby(7)));
    assert_eq!(game.moby_make(600, Vec3::ZERO, 0.0), Ok(None));
    assert_eq!(game.hit_post(&hit(MobyId::HERO, 1.0)), Ok(Begun(false)));
    assert_eq!(game.eyes(&[Vec3::ZERO]), Ok(()));
}

/// B5.1: the hero walks through it, nothing aims at it, and its shots hit nothing.
#[test]
fn a_figure_in_the_way_and_its_shots_change_nothing_in_the_level() {
    let run = |with_figure: bool| {
        let mut game = in_level();
        let figure = with_figure.then(|| game.figure_make("Skid").expect("in a level"));
        let mut digests = Vec::new();
        for number in 0..5 * TICKS_PER_SECOND {
            if let Some(figure) = figure {
                let mut pose = game.hero_pose().expect("plays");
                pose.position.x += 0.5;
                game.figure_pose(figure, pose).expect("a good pose");
                let targets: Vec<_> = game.mobys().map(|moby| moby.position).collect();
                let target = targets[usize::try_from(number).expect("small") % targets.len()];
                let velocity = Vec3::new(30.0, 0.0, 0.0);
                let shot = Shot { position: target, velocity, aim: [0.0; 4], item: 10 };
                game.figure_fire(figure, shot).expect("a good shot");
            }
            tick(&mut game, NEUTRAL.with_stick(1.0, 0.0));
            digests.push(game.world().expect("plays").digest());
        }
        assert_eq!(game.figures().shots().count() > 0, with_figure);
        digests
    };
    assert_eq!(run(true), run(false));
}

#[test]
fn a_pal_game_ticks_50_times_a_second() {
    let mut game = StandIn::new(1).with_rate(TickRate::Pal);
    assert_eq!(game.tick_rate(), 50);
    game.message("half a second", 0.5).expect("finite");
    ticks(&mut game, 24);
    assert!(game.screen().message.is_some());
    ticks(&mut game, 1);
    assert_eq!(game.screen().message, None);
}
