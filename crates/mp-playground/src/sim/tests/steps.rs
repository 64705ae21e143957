//! The step as a machine: what is asked, what the answers do, and what a mod may do in between.

use super::*;

/// Steps with every question answered by `mod_`, which may also act on the world.
fn step_with(played: &mut Played, pad: Pad, mod_: &mut dyn FnMut(&mut World, &Ask) -> Answer) {
    played.world.begin(pad);
    settle_with(&mut played.world, &mut played.progress, mod_);
}

fn settle_with(
    world: &mut World,
    progress: &mut Progress,
    mod_: &mut dyn FnMut(&mut World, &Ask) -> Answer,
) {
    while let Some(ask) = world.poll(progress, true) {
        let answer = mod_(world, &ask);
        world.answer(progress, answer);
    }
}

/// The questions of that kind in a run in which everything goes its own way.
fn asked(lines: &str, ticks: u32, pad: Pad, of: impl Fn(&Ask) -> bool) -> Vec<Ask> {
    let mut world = Played::of(lines);
    let mut found = Vec::new();
    for _ in 0..ticks {
        step_with(&mut world, pad, &mut |_, ask| {
            if of(ask) {
                found.push(*ask);
            }
            Answer::OwnWay
        });
    }
    found
}

/// The one that decides whether a mod may be there at all: with hooks that answer the game's own way,
/// every tick of every level is the plain game's.
#[test]
fn hooks_that_say_nothing_change_nothing() {
    for level in Level::all() {
        let mut plain = Played::new(Arc::clone(level), 9, TickRate::Ntsc);
        let mut hooked = plain.clone();
        let mut rng = Rng::new(23);
        let mut asked = 0_u32;
        for tick in 0..3_600 {
            let pad = scribble(&mut rng);
            plain.step(pad);
            step_with(&mut hooked, pad, &mut |_, _| {
                asked += 1;
                Answer::OwnWay
            });
            hooked.listen();
            assert_eq!(plain.digest(), hooked.digest(), "{} tick {tick}", level.name);
        }
        assert_eq!(plain, hooked, "{}", level.name);
        assert!(asked > 10_000, "{}: {asked}", level.name);
    }
}

#[test]
fn a_skipped_moby_does_not_move_and_a_driven_one_is_not_asked_about() {
    let mut world = Played::of("moby biter 5 0 0 0\nmoby biter 5 5 0 0");
    let (skipped, driven) = (world.placed(0).expect("lives"), world.placed(1).expect("lives"));
    world.world.drive(driven.id, true).expect("lives");
    for _ in 0..60 {
        step_with(&mut world, Pad::NEUTRAL, &mut |_, ask| match ask {
            Ask::Gate(moby) if *moby == skipped.id => Answer::Not,
            Ask::Gate(moby) => panic!("asked about {moby:?}"),
            _ => Answer::OwnWay,
        });
    }
    let after = world.placed(0).expect("lives");
    assert_eq!((after.position, after.ran), (skipped.position, false));
    let after = world.placed(1).expect("lives");
    assert_eq!((after.position, after.ran), (driven.position, false));
    assert_ne!(after.animation, driven.animation, "its animation plays");
}

#[test]
fn a_driven_moby_is_where_it_is_posed_and_its_collision_too() {
    let mut world = Played::of("moby moving_platform 10 10 0 0 size=3,3,1");
    let id = world.placed(0).expect("is there").id;
    let still = Animation::default();
    let to = Vec3::new(3.0, 0.0, 0.0);
    assert_eq!(world.world.pose(id, to, Vec3::ZERO, still, false), Err(Refusal::NotDriven(id)));
    world.world.drive(id, true).expect("is there");
    world.world.pose(id, to, Vec3::ZERO, still, false).expect("is driven");
    world.run(60, Pad::NEUTRAL.with_stick(1.0, 0.0));
    assert!((1.0..1.2).contains(&world.hero().position().x), "{:?}", world.hero().position());
    world.world.drive(id, false).expect("is there");
    world.run(2, Pad::NEUTRAL);
    assert!(world.placed(0).expect("is there").position.y > 9.0, "its own update has it back");
}

#[test]
fn an_enemy_goes_for_its_stand_in_and_its_bite_is_his() {
    let mut world = Played::of("moby biter 15 0 0 0");
    let figure = MobyId::figure(3);
    let place = Vec3::new(20.0, 2.0, 0.0);
    let view = HeroView { moby: figure, position: place, velocity: Vec3::ZERO, alive: true };
    let mut hits = Vec::new();
    for _ in 0..300 {
        step_with(&mut world, Pad::NEUTRAL, &mut |_, ask| match ask {
            Ask::Gate(_) => Answer::StandIn(view),
            Ask::Hit(hit) => {
                hits.push(*hit);
                Answer::Not
            }
            _ => Answer::OwnWay,
        });
    }
    let biter = world.placed(0).expect("lives");
    assert!((biter.position - place).length() < 2.0, "{biter:?}");
    assert!(hits.len() >= 2 && hits.iter().all(|hit| hit.target == figure), "{hits:?}");
    assert_eq!((hits[0].attacker, hits[0].mask), (biter.id, mask::BITE));
    assert_eq!(world.hero().health(), FULL_HEALTH);
}

#[test]
fn a_bolt_flies_to_its_stand_in_and_counts_only_if_kept() {
    let figure = MobyId::figure(1);
    let position = Vec3::new(13.0, 0.0, 0.0);
    let view = HeroView { moby: figure, position, velocity: Vec3::ZERO, alive: true };
    for (answer, bolts) in [(Answer::Not, 0), (Answer::OwnWay, 1)] {
        let mut world = Played::of("moby bolt 12 0 0 0");
        let bolt = world.placed(0).expect("lies").id;
        let mut told = Vec::new();
        for _ in 0..60 {
            step_with(&mut world, Pad::NEUTRAL, &mut |_, ask| match ask {
                Ask::Gate(_) => Answer::StandIn(view),
                Ask::Bolt { .. } => {
                    told.push(*ask);
                    answer
                }
                other => {
                    told.push(*other);
                    Answer::OwnWay
                }
            });
        }
        let gone = Ask::Gone { moby: bolt, how: How::Own, by: MobyId::NONE };
        assert_eq!(told, [Ask::Bolt { moby: bolt, collector: figure, value: 1 }, gone]);
        assert_eq!((world.placed(0), world.progress.bolts), (None, bolts), "gone either way");
    }
}

#[test]
fn a_refused_moby_is_not_made_and_a_swallowed_hit_does_not_land() {
    let lines = "moby bolt_crate 1.5 0 0 0 bolts=4\nmoby biter -1.2 0 0 0";
    let mut world = Played::of(lines);
    let swing = Pad::NEUTRAL.with(Button::Square);
    let mut refused = Vec::new();
    for tick in 0..90 {
        let pad = if tick == 1 { swing } else { Pad::NEUTRAL };
        step_with(&mut world, pad, &mut |_, ask| match ask {
            Ask::Make(making) => {
                refused.push(making.class);
                Answer::Not
            }
            Ask::Hit(hit) if hit.target == MobyId::HERO => Answer::Not,
            _ => Answer::OwnWay,
        });
    }
    assert_eq!(refused, [Class::Bolt, Class::Bolt, Class::Bolt, Class::Bolt, Class::Debris]);
    assert_eq!((world.placed(0), world.of_class(Class::Bolt).len()), (None, 0));
    assert_eq!(world.hero().health(), FULL_HEALTH, "it was bitten at");
}

#[test]
fn a_broken_crate_tells_its_drops_itself_and_its_end_in_this_order() {
    let swing = Pad::NEUTRAL.with(Button::Square);
    let told =
        asked("moby bolt_crate 1.5 0 0 0 bolts=1", 8, swing, |ask| !matches!(ask, Ask::Gate(_)));
    let kinds: Vec<&str> = told
        .iter()
        .map(|ask| match ask {
            Ask::Hit(hit) if hit.mask == mask::WRENCH && hit.attacker == MobyId::HERO => "hit",
            Ask::Make(making) => making.class.traits().word,
            Ask::Broke { by: MobyId::HERO, .. } => "broke",
            Ask::Gone { how: How::Other, by: MobyId::HERO, .. } => "gone",
            Ask::Made { class, .. } => class.traits().word,
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(kinds, ["hit", "bolt", "debris", "broke", "gone", "bolt", "debris"]);
}

#[test]
fn a_shot_is_told_before_it_is_made() {
    let told = asked("", 20, Pad::NEUTRAL.with(Button::Circle), |ask| !matches!(ask, Ask::Gate(_)));
    let Ask::Shot(shot) = told[0] else { panic!("{told:?}") };
    assert_eq!(shot.item, 10);
    assert!(shot.velocity.x > 5.0 && shot.position.is_finite());
    let made = |ask: &Ask| matches!(ask, Ask::Made { class: Class::Bomb, maker: MobyId::HERO, .. });
    assert!(told.iter().any(made), "{told:?}");
}

#[test]
fn a_pickup_tells_who_took_it() {
    let told =
        asked("moby nanotech 0.5 0 0 0", 2, Pad::NEUTRAL, |ask| matches!(ask, Ask::Pickup { .. }));
    assert!(matches!(told[..], [Ask::Pickup { by: MobyId::HERO, .. }]), "{told:?}");
}

#[test]
fn calls_from_hooks_are_settled_before_what_waits() {
    // A crate's break makes the mod break the next one, and so on: all go while the first is told.
    let mut played = Played::of("moby bolt_crate 1.5 0 0 0 bolts=1 repeat=5 step=2,0,0");
    let Played { world, progress, .. } = &mut played;
    let mut gone = Vec::new();
    for _ in 0..8 {
        world.begin(Pad::NEUTRAL.with(Button::Square));
        domino(world, progress, &mut gone);
    }
    let keys: Vec<u16> = gone.iter().map(|key| key.expect("good until its end was told")).collect();
    assert_eq!(keys, [4, 3, 2, 1, 0], "the innermost first");
    assert_eq!(played.of_class(Class::BoltCrate), []);
    assert_eq!(played.of_class(Class::Bolt).len(), 5);
}

/// Settles what was begun; of each crate that broke the next one is broken from inside the hook.
fn domino(world: &mut World, progress: &mut Progress, gone: &mut Vec<Option<u16>>) {
    while let Some(ask) = world.poll(progress, true) {
        let key_of = |moby| world.mobys().get(moby).and_then(|moby| moby.key);
        match ask {
            Ask::Broke { moby, .. } => {
                let next = key_of(moby).and_then(|key| world.mobys().placed(key + 1));
                if let Some(next) = next.map(|next| next.id) {
                    assert_eq!(world.break_crate(next, moby), Ok(true));
                    domino(world, progress, gone);
                }
            }
            Ask::Gone { moby, .. } => gone.push(key_of(moby)),
            _ => {}
        }
        world.answer(progress, Answer::OwnWay);
    }
}

#[test]
fn calls_in_calls_without_an_end_are_refused() {
    let mut played = Played::of("moby bolt_crate 9 9 0 0");
    let Played { world, progress, .. } = &mut played;
    let id = world.mobys().placed(0).expect("stands").id;
    let hit = no_hit(MobyId::HERO);
    let depth = (0..1_000).take_while(|_| world.hit(&hit) == Ok(true)).count();
    assert!((16..200).contains(&depth), "{depth}");
    assert_eq!(world.kill(id, true), Err(Refusal::TooDeep));
    (0..depth).for_each(|_| world.settle(progress));
    assert_eq!(world.kill(id, true), Ok(()));
}

#[test]
fn killing_is_told_once_quietly_or_with_debris() {
    for (debris, count) in [(false, 0), (true, 1)] {
        let mut world = Played::of("moby biter 9 9 0 0 bolts=5");
        let id = world.placed(0).expect("lives").id;
        world.world.kill(id, debris).expect("lives");
        let mut gone = 0;
        settle_with(&mut world.world, &mut world.progress, &mut |_, ask| {
            gone += u32::from(*ask == Ask::Gone { moby: id, how: How::Mod, by: MobyId::NONE });
            Answer::OwnWay
        });
        assert_eq!((gone, world.placed(0)), (1, None));
        assert_eq!(world.of_class(Class::Debris).len(), count);
        assert_eq!(world.of_class(Class::Bolt), [], "no drops");
        assert_eq!(world.world.kill(id, false), Err(Refusal::Stale(id)));
        assert_eq!(world.world.drive(id, true), Err(Refusal::Stale(id)));
    }
}

#[test]
fn one_that_goes_is_not_killed_again_while_its_end_is_told() {
    let mut played = Played::of("moby biter 9 9 0 0");
    let id = played.placed(0).expect("lives").id;
    let Played { world, progress, .. } = &mut played;
    let mut told = 0;
    assert_eq!(world.kill(id, true), Ok(()));
    while let Some(ask) = world.poll(progress, true) {
        if matches!(ask, Ask::Gone { .. }) {
            told += 1;
            assert_eq!(world.kill(id, true), Ok(()), "its handle is still good");
            assert_eq!(world.poll(progress, true), None, "and nothing comes of it");
        }
        world.answer(progress, Answer::OwnWay);
    }
    assert_eq!((told, played.placed(0)), (1, None));
}

#[test]
fn one_that_a_gate_drives_or_breaks_does_not_run() {
    let mut world = Played::of("moby biter 5 0 0 0\nmoby bolt_crate 9 0 0 0");
    let (biter, broken) = (world.placed(0).expect("lives"), world.placed(1).expect("stands").id);
    let mut progress = world.progress.clone();
    step_with(&mut world, Pad::NEUTRAL, &mut |world, ask| {
        if *ask == Ask::Gate(biter.id) {
            world.drive(biter.id, true).expect("lives");
        } else if *ask == Ask::Gate(broken) {
            world.break_crate(broken, MobyId::NONE).expect("stands");
            world.settle(&mut progress);
        }
        Answer::OwnWay
    });
    let after = world.placed(0).expect("lives");
    assert_eq!((after.ran, after.animation), (false, biter.animation));
    assert_eq!((world.placed(1), world.of_class(Class::Bolt).len()), (None, 5));
}

#[test]
fn a_handle_is_stale_even_when_its_slot_is_used_again() {
    let mut world = Played::of("");
    let make = |world: &mut Played| {
        world.world.make(Class::Bolt as i16, Vec3::new(9.0, 9.0, 0.0), 0.0).expect("room")
    };
    let first = make(&mut world);
    world.kill(first);
    let second = make(&mut world);
    assert_ne!(first, second);
    assert!(world.world.mobys().get(first).is_none() && world.world.mobys().get(second).is_some());
}

#[test]
fn a_level_has_room_for_so_many_mobys_and_no_more() {
    let mut world = Played::of("moby lamp 9 9 0 0");
    let at = Vec3::new(9.0, 9.0, 0.0);
    let made = (0..MOBYS).filter_map(|_| world.world.make(Class::Bolt as i16, at, 0.0)).count();
    assert_eq!(made, MOBYS - 1);
    assert_eq!(world.world.make(Class::Lamp as i16, at, 0.0), None, "not made in play");
    assert_eq!(world.world.make(12_345, at, 0.0), None, "no such class");
    world.run(60, Pad::NEUTRAL);
}

#[test]
fn a_driven_enemy_that_is_killed_goes_at_once() {
    let mut world = Played::of("moby biter 9 9 0 0 bolts=2");
    let id = world.placed(0).expect("lives").id;
    world.world.drive(id, true).expect("lives");
    let attacker = MobyId::HERO;
    world.hit(&Hit { damage: 9.0, attacker, ..no_hit(id) });
    assert_eq!((world.placed(0), world.of_class(Class::Bolt).len()), (None, 2));
}

#[test]
fn a_hit_needs_a_target_and_an_attacker_that_is_there() {
    let mut world = Played::of("moby lamp 9 9 0 0");
    let lamp = world.placed(0).expect("stands").id;
    assert_eq!(world.world.hit(&no_hit(lamp)), Ok(true), "it is there, and nothing happens to it");
    world.world.settle(&mut world.progress);
    assert_eq!(world.world.hit(&no_hit(MobyId(77))), Ok(false));
    world.world.settle(&mut world.progress);
    let stale = MobyId(78);
    let hit = Hit { attacker: stale, ..no_hit(lamp) };
    assert_eq!(world.world.hit(&hit), Err(Refusal::Stale(stale)));
    world.run(3, Pad::NEUTRAL);
}

/// What others do draws nothing from a moby's own chance: the drops of a crate are the same whoever
/// stands in, and whatever else ran before.
#[test]
fn chance_is_each_mobys_own() {
    let drops = |lines: &str, ticks: u32| {
        let mut world = Played::of(lines);
        world.run(ticks, Pad::NEUTRAL);
        let id = world.placed(0).expect("stands").id;
        world.world.break_crate(id, MobyId::NONE).expect("is there");
        world.world.settle(&mut world.progress);
        world.of_class(Class::Bolt).iter().map(|bolt| bolt.rotation.z).collect::<Vec<_>>()
    };
    let alone = drops("moby bolt_crate 20 0 0 0 bolts=6", 0);
    let crowded =
        drops("moby bolt_crate 20 0 0 0 bolts=6\nmoby biter 0 15 0 0\nmoby nest 9 9 0 0", 300);
    assert_eq!(alone, crowded);
}

#[test]
fn nothing_is_allocated_once_it_is_warm() {
    let mut world = Played::new(Level::find(3).expect("Kerwan"), 2, TickRate::Ntsc);
    let mut rng = Rng::new(3);
    for _ in 0..1_200 {
        let pad = scribble(&mut rng);
        world.world.step(pad, &mut world.progress);
        while world.world.poll_event().is_some() {}
    }
    let room = world.world.room();
    for _ in 0..1_200 {
        let pad = scribble(&mut rng);
        world.world.step(pad, &mut world.progress);
        while world.world.poll_event().is_some() {}
    }
    assert_eq!(world.world.room(), room);
}
