use super::*;
use crate::progress::Gift;
use crate::scenes::{Own, Script};

/// How long one of the game's own scenes plays, in ticks.
fn length(own: Own) -> u32 {
    length_of(&Script::own(own))
}

fn length_of(script: &Script) -> u32 {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a few seconds
    let ticks = (script.seconds * 60.0) as u32;
    ticks
}

fn kind(game: &StandIn) -> Option<SceneKind> {
    game.scene().map(|scene| scene.kind)
}

/// A new game's first tick in the level.
fn at_opening() -> StandIn {
    let mut game = at_title();
    press(&mut game, Button::Cross);
    while game.phase() != Phase::Scene {
        tick(&mut game, NEUTRAL);
    }
    game
}

#[test]
fn a_new_game_opens_with_veldins_scene_which_plays_to_its_end() {
    let mut game = at_opening();
    let scene = game.scene().expect("plays");
    assert_eq!((scene.number, scene.kind, scene.elapsed_ms), (Some(0), SceneKind::Level, 0));
    assert!(!game.in_control());
    assert_eq!(game.hero_pose().expect("a hero").flags & 4, 4, "in a scene");
    let stood = game.world().expect("in a level").digest();
    let long = length_of(&Script::find(0, 0).expect("the opening"));
    ticks(&mut game, long - 1);
    assert_eq!(
        (game.phase(), game.scene().map(|s| s.elapsed_ms)),
        (Phase::Scene, Some((long - 1) * 1_000 / 60))
    );
    assert_eq!(game.world().expect("in a level").digest(), stood, "the world stands still");
    tick(&mut game, NEUTRAL);
    assert_eq!((game.phase(), game.scene()), (Phase::Playing, None));
    assert!(game.in_control());
    assert_eq!(game.hero_pose().expect("a hero").flags & 4, 0);
}

#[test]
fn what_is_said_and_who_acts_shows_while_it_plays() {
    let mut game = at_opening();
    ticks(&mut game, TICKS_PER_SECOND);
    let view = game.scene_view().expect("plays");
    assert!(view.actors.iter().any(|actor| actor.class == 0 && actor.speed > 1.0));
    assert_eq!(game.screen().line, view.line);
    assert!(game.screen().to_string().contains("One more turn"), "{}", game.screen());
}

#[test]
fn start_asks_the_mod_and_skips_unless_it_refuses() {
    let mut game = at_opening();
    let asked = [ModCall::OnSkip { what: Skip::Level, scene: Some(0) }];
    game.read_pad(NEUTRAL.with(Button::Start));
    assert_eq!(game.poll_call(), Some(asked[0]));
    game.refuse();
    game.step();
    assert_eq!(game.phase(), Phase::Scene, "it plays on");
    tick(&mut game, NEUTRAL);
    assert_eq!(press(&mut game, Button::Start), asked);
    assert_eq!(game.phase(), Phase::Playing);
    assert!(game.play_scene(1) && !game.progress().items[14]);
    press(&mut game, Button::Start);
    assert!(game.progress().items[14], "what it gives is given all the same");
}

#[test]
fn an_opening_that_was_seen_does_not_play_again() {
    let save = in_level().capture().expect("plays");
    let mut game = at_title();
    assert!(game.play_start(Start::Save(Box::new(save)), None));
    ticks(&mut game, TICKS_PER_SECOND + 1);
    assert_eq!(game.phase(), Phase::Playing);
}

#[test]
fn a_level_scene_is_played_on_demand_from_its_start_and_only_while_playing() {
    assert!(!at_title().play_scene(0));
    let mut game = in_level();
    assert!(!game.play_scene(9), "there is no such scene");
    assert!(game.play_scene(1));
    let scene = game.scene().expect("plays");
    assert_eq!((game.phase(), scene.number, scene.elapsed_ms), (Phase::Scene, Some(1), 0));
    assert!(!game.play_scene(1), "one plays");
    game.scene_skip(Skip::Level, 1);
    tick(&mut game, NEUTRAL);
    assert_eq!(game.phase(), Phase::Playing);
    press(&mut game, Button::Start);
    assert!(!game.play_scene(1), "not in a menu");
}

#[test]
fn a_skip_ends_only_what_it_names_and_never_what_plays_next() {
    let mut game = at_opening();
    game.scene_skip(Skip::Own, 0);
    game.scene_skip(Skip::Movie, 0);
    game.scene_skip(Skip::Level, 1);
    tick(&mut game, NEUTRAL);
    assert_eq!(kind(&game), Some(SceneKind::Level));
    let mut game = in_level();
    game.travel(0);
    ticks(&mut game, 70);
    assert_eq!(kind(&game), Some(SceneKind::Movie));
    game.scene_skip(Skip::Movie, -1);
    ticks(&mut game, 62);
    assert_eq!((kind(&game), game.scene().map(|s| s.number)), (Some(SceneKind::Own), Some(None)));
    assert!(game.scene().expect("lands").elapsed_ms < 100);
    ticks(&mut game, 10);
    assert_eq!(kind(&game), Some(SceneKind::Own), "the landing is not skipped with it");
    game.scene_skip(Skip::Own, 0);
    tick(&mut game, NEUTRAL);
    assert_eq!(game.phase(), Phase::Playing);
}

#[test]
fn travel_leaves_at_once_from_any_phase_of_a_level_and_takes_the_flight_the_movie_and_the_landing()
{
    let in_phase = |phase| {
        let mut game = in_level();
        match phase {
            Phase::Paused => drop(press(&mut game, Button::Start)),
            Phase::Dialog => game.used(Used::HelpDesk),
            Phase::Vendor => game.used(Used::Vendor),
            Phase::Scene => assert!(game.play_scene(1)),
            Phase::Travel | Phase::Movie | Phase::Loading => {
                game.travel(0);
                while game.phase() != phase {
                    tick(&mut game, NEUTRAL);
                }
            }
            _ => {}
        }
        assert_eq!(game.phase(), phase);
        game
    };
    for phase in [
        Phase::Playing,
        Phase::Paused,
        Phase::Dialog,
        Phase::Vendor,
        Phase::Scene,
        Phase::Travel,
        Phase::Movie,
        Phase::Loading,
    ] {
        let mut game = in_phase(phase);
        game.travel(0);
        assert_eq!(tick(&mut game, NEUTRAL), [], "{phase}: on_travel is not asked");
        assert_eq!((game.phase(), game.level()), (Phase::Travel, None), "{phase}");
        let mut phases = vec![game.phase()];
        while game.phase() != Phase::Playing {
            tick(&mut game, NEUTRAL);
            if phases.last() != Some(&game.phase()) {
                phases.push(game.phase());
            }
        }
        let way = [Phase::Travel, Phase::Movie, Phase::Loading, Phase::Scene, Phase::Playing];
        assert_eq!(phases, way, "{phase}");
        let mut game = in_phase(phase);
        game.title_return(None).expect("no page to check");
        tick(&mut game, NEUTRAL);
        assert_eq!(
            (game.phase(), game.scene(), game.level()),
            (Phase::Title, None, None),
            "{phase}"
        );
        ticks(&mut game, 600);
        assert_eq!(game.phase(), Phase::Title, "{phase}: nothing of it goes on");
    }
}

#[test]
fn travel_keeps_what_the_hero_has_and_also_a_game_that_still_loads() {
    let mut game = in_level();
    assert!(game.give(Gift::Item(15)));
    game.travel(0);
    tick(&mut game, NEUTRAL);
    play(&mut game);
    assert!(game.progress().items[15]);
    let save = game.capture().expect("plays");
    let mut game = at_title();
    game.travel(0);
    ticks(&mut game, 5);
    assert_eq!(game.phase(), Phase::Title, "not in a level");
    assert!(game.play_start(Start::Save(Box::new(save)), None));
    ticks(&mut game, 5);
    game.travel(0);
    tick(&mut game, NEUTRAL);
    assert_eq!(game.phase(), Phase::Travel);
    play(&mut game);
    assert!(game.progress().items[15]);
}

#[test]
fn a_gold_bolt_is_looked_at_while_the_world_goes_on_and_nothing_skips_that() {
    let mut game = in_level();
    game.took(Gift::GoldBolt(2), Vec3::new(4.0, 1.0, 0.0));
    assert_eq!((game.phase(), kind(&game)), (Phase::Scene, Some(SceneKind::Camera)));
    assert_eq!(game.scene_view().expect("plays").target, Vec3::new(4.0, 1.0, 0.6));
    assert_eq!(game.hero_pose().expect("a hero").flags & 4, 0, "others do not wait for it");
    let before = game.world().expect("in a level").tick();
    assert_eq!(press(&mut game, Button::Start), [], "no question");
    for what in [Skip::Own, Skip::Level, Skip::Movie] {
        game.scene_skip(what, 2);
    }
    ticks(&mut game, length(Own::GoldBolt) - 3);
    assert_eq!(game.phase(), Phase::Scene);
    tick(&mut game, NEUTRAL);
    assert_eq!(game.phase(), Phase::Playing);
    let world = game.world().expect("in a level");
    assert_eq!(world.tick() - before, u64::from(length(Own::GoldBolt)));
    game.give(Gift::GoldBolt(3));
    assert_eq!(game.phase(), Phase::Playing, "one that is given has no scene");
}

#[test]
fn the_hero_does_nothing_in_a_scene_and_equal_pads_give_equal_digests() {
    let run = |seed: u64| {
        let mut game = at_opening();
        let mut rng = crate::sim::Rng::new(seed);
        (0..1_500)
            .map(|tick_number| {
                let pad = NEUTRAL.with_stick(rng.between(-1.0, 1.0), rng.between(-1.0, 1.0));
                let pad = if rng.below(40) == 0 { pad.with(Button::Start) } else { pad };
                if tick_number == 700 {
                    game.travel(0);
                }
                tick(&mut game, pad);
                game.digest()
            })
            .collect::<Vec<_>>()
    };
    assert_eq!(run(1), run(1));
    assert_ne!(run(1), run(2));
}
