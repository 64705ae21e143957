use super::*;
use crate::sim::{Button, HeroPose, TICKS_PER_SECOND, Vec3};

mod saves;
mod scenes;
mod services;
mod world;

const NEUTRAL: Pad = Pad::NEUTRAL;

fn tick(game: &mut StandIn, pad: Pad) -> Vec<ModCall> {
    game.read_pad(pad);
    game.step();
    std::iter::from_fn(|| game.poll_call()).collect()
}

fn ticks(game: &mut StandIn, count: u32) {
    for _ in 0..count {
        tick(game, NEUTRAL);
    }
}

/// Presses a button and lets it go.
fn press(game: &mut StandIn, button: Button) -> Vec<ModCall> {
    let mut calls = tick(game, NEUTRAL.with(button));
    calls.extend(tick(game, NEUTRAL));
    calls
}

fn at_title() -> StandIn {
    let mut game = StandIn::new(1);
    ticks(&mut game, TICKS_PER_SECOND);
    assert_eq!(game.phase(), Phase::Title);
    game
}

fn in_level() -> StandIn {
    let mut game = at_title();
    press(&mut game, Button::Cross);
    play(&mut game);
    game
}

/// Waits for the level, and skips what plays first.
fn play(game: &mut StandIn) {
    for _ in 0..20 * TICKS_PER_SECOND {
        tick(game, NEUTRAL);
        match game.phase() {
            Phase::Scene | Phase::Movie => drop(press(game, Button::Start)),
            Phase::Playing => return,
            _ => {}
        }
    }
    panic!("never plays: {}", game.screen());
}

/// A game with a page of three rows (a value, a text, an action) in both menus.
fn with_page(mut game: StandIn) -> (StandIn, PageId, PageView) {
    let page = game.page_add().expect("there is room");
    assert_eq!(game.menu_item(Menu::Main, "Load Game", "Multiplayer", page), Ok(true));
    assert_eq!(game.menu_item(Menu::Pause, "Video", "Multiplayer", page), Ok(true));
    let row = |label: &str, kind| Row { kind, ..Row::action(label) };
    let rows = vec![row("Text", RowKind::Text), row("Part", RowKind::Value), Row::action("Join")];
    (game, page, PageView { title: "T".to_owned(), rows, ..PageView::default() })
}

fn labels(game: &StandIn) -> Vec<String> {
    let page = game.screen().page.expect("a page shows");
    page.rows.into_iter().map(|row| row.label).collect()
}

/// B2.1, B2.8
#[test]
fn the_items_of_a_mod_stand_where_they_were_put() {
    let (mut game, page, _) = with_page(at_title());
    assert_eq!(labels(&game), ["New Game", "Load Game", "Multiplayer", "Options"]);
    assert_eq!(game.menu_item(Menu::Main, "Video", "X", page), Ok(false), "not in that menu");
    assert_eq!(game.menu_item(Menu::Main, "Options", "X", PageId(9)), Err(Refusal::NoPage(9)));
    press(&mut game, Button::Cross);
    play(&mut game);
    press(&mut game, Button::Start);
    assert_eq!(labels(&game), ["Resume", "Options", "Video", "Multiplayer", "Save Game", "Quit"]);
}

#[test]
fn without_a_card_load_game_says_so_and_stays() {
    let mut game = at_title();
    press(&mut game, Button::Down);
    press(&mut game, Button::Cross);
    let screen = game.screen();
    assert_eq!(screen.message.as_deref(), Some("No memory card"));
    assert_eq!((screen.phase, game.sounds().refused), (Phase::Title, 1));
    ticks(&mut game, 3 * TICKS_PER_SECOND);
    assert_eq!(game.screen().message, None);
}

#[test]
fn the_cursor_passes_over_text_wraps_on_a_press_and_stops_when_held() {
    let (mut game, page, view) = with_page(at_title());
    game.page_open(page).expect("is a page");
    game.page_seen(page, view.clone());
    assert_eq!(game.screen().cursor, Some(1), "the first row it can be on");
    press(&mut game, Button::Down);
    assert_eq!(game.screen().cursor, Some(2));
    press(&mut game, Button::Down);
    assert_eq!(game.screen().cursor, Some(1), "from the end to the first, not the text");
    for _ in 0..90 {
        tick(&mut game, NEUTRAL.with(Button::Down));
    }
    assert_eq!(game.screen().cursor, Some(2), "held, it stops at the end");
    game.page_cursor(0);
    assert_eq!(game.screen().cursor, Some(1));
    game.page_seen(page, PageView { rows: view.rows[..1].to_vec(), ..view });
    assert_eq!(game.screen().cursor, None, "nothing left to stand on");
}

#[test]
fn a_wish_for_the_cursor_before_the_page_was_drawn_is_kept() {
    let (mut game, page, view) = with_page(at_title());
    game.page_open(page).expect("is a page");
    game.page_cursor(2);
    game.page_seen(page, view);
    assert_eq!(game.screen().cursor, Some(2));
}

/// B2.6
#[test]
fn a_held_step_repeats_and_says_how_long() {
    let (mut game, page, view) = with_page(at_title());
    game.page_open(page).expect("is a page");
    game.page_seen(page, view);
    tick(&mut game, NEUTRAL);
    let calls: Vec<ModCall> =
        (0..41).flat_map(|_| tick(&mut game, NEUTRAL.with(Button::Left))).collect();
    let held: Vec<ModCall> = [0, 24, 32, 40].map(|held| ModCall::Step(page, 1, -1, held)).to_vec();
    assert_eq!(calls, held);
    press(&mut game, Button::Down);
    assert_eq!(press(&mut game, Button::Right), [], "an action row does not step");
    assert_eq!(press(&mut game, Button::Cross), [ModCall::Choose(page, 2)]);
    assert_eq!(press(&mut game, Button::Triangle), [ModCall::Back(page)]);
    assert_eq!(game.page_shown(), Some(page), "the page stays until the mod says");
}

#[test]
fn opening_and_closing_tells_the_pages() {
    let (mut game, page, _) = with_page(at_title());
    let other = game.page_add().expect("there is room");
    game.page_open(page).expect("is a page");
    game.page_open(other).expect("is a page");
    assert_eq!(game.phase(), Phase::TitlePage);
    game.page_close();
    assert_eq!(game.phase(), Phase::Title);
    let calls: Vec<ModCall> = std::iter::from_fn(|| game.poll_call()).collect();
    let told = [
        ModCall::Shown(page),
        ModCall::Hidden(page),
        ModCall::Shown(other),
        ModCall::Hidden(other),
    ];
    assert_eq!(calls, told);
    let mut playing = in_level();
    let page = playing.page_add().expect("there is room");
    playing.page_open(page).expect("is a page");
    assert_eq!(playing.page_shown(), None, "no menu shows, nothing happens");
}

#[test]
fn a_question_is_answered_once_and_ends_with_its_page() {
    let (mut game, page, _) = with_page(at_title());
    game.page_open(page).expect("is a page");
    while game.poll_call().is_some() {}
    assert!(game.prompt("Stop hosting?", "Yes", "No"));
    assert!(!game.prompt("Another?", "Yes", "No"), "one at a time");
    assert_eq!(press(&mut game, Button::Right), []);
    assert_eq!(press(&mut game, Button::Cross), [ModCall::PromptDone(true)]);
    assert!(game.prompt("Again?", "Yes", "No"));
    assert_eq!(press(&mut game, Button::Cross), [ModCall::PromptDone(false)], "starts on no");
    assert!(game.prompt("Again?", "Yes", "No"));
    assert_eq!(press(&mut game, Button::Triangle), [ModCall::PromptDone(false)]);
    assert!(game.prompt("Again?", "Yes", "No"));
    game.page_close();
    assert_eq!(game.poll_call(), Some(ModCall::PromptDone(false)));
    assert!(!in_level().prompt("Over what?", "Yes", "No"));
}

#[test]
fn the_world_stands_still_under_a_menu_unless_it_must_not() {
    let mut game = in_level();
    press(&mut game, Button::Start);
    assert_eq!(game.phase(), Phase::Paused);
    let digest = |game: &StandIn| game.world().expect("in a level").digest();
    let stood = digest(&game);
    ticks(&mut game, 10);
    assert_eq!(digest(&game), stood);
    game.menus_pause(false);
    let before = game.hero_pose().expect("a hero").position;
    for _ in 0..10 {
        tick(&mut game, NEUTRAL.with_stick(1.0, 0.0));
    }
    assert_ne!(digest(&game), stood);
    assert_eq!(game.hero_pose().expect("a hero").position, before, "the hero waits");
}

#[test]
fn the_press_that_resumes_does_not_make_the_hero_jump() {
    let mut game = in_level();
    press(&mut game, Button::Start);
    for _ in 0..20 {
        tick(&mut game, NEUTRAL.with(Button::Cross));
    }
    assert_eq!(game.phase(), Phase::Playing);
    let grounded = game.hero_pose().expect("a hero").position.z;
    assert!(grounded.abs() < 1e-3, "{grounded}");
    tick(&mut game, NEUTRAL);
    tick(&mut game, NEUTRAL.with(Button::Cross));
    assert!(game.hero_pose().expect("a hero").velocity.z > 5.0, "the next one does");
}

#[test]
fn held_control_moves_nobody_and_says_why() {
    let mut game = in_level();
    game.control_hold(Some("Waiting"));
    let before = game.hero_pose().expect("a hero").position;
    for _ in 0..30 {
        tick(&mut game, NEUTRAL.with_stick(1.0, 0.0));
    }
    assert_eq!(game.hero_pose().expect("a hero").position, before);
    assert_eq!(game.screen().held.as_deref(), Some("Waiting"));
    assert!(!game.in_control());
    game.control_hold(None);
    assert!(game.in_control());
}

#[test]
fn quitting_asks_and_returns_to_the_title() {
    let mut game = in_level();
    press(&mut game, Button::Start);
    press(&mut game, Button::Up);
    press(&mut game, Button::Cross);
    assert_eq!(game.screen().prompt.expect("asks").text, "Quit to the title?");
    press(&mut game, Button::Left);
    press(&mut game, Button::Cross);
    assert_eq!((game.phase(), game.level()), (Phase::Title, None));
}

#[test]
fn figures_live_in_the_level_and_handles_until_removed() {
    assert_eq!(at_title().figure_make("Skid"), None);
    let mut game = in_level();
    let figure = game.figure_make("Skid").expect("in a level");
    let moby = game.figure_moby(figure).expect("is a figure").expect("in the level");
    assert_ne!(moby.0, 0);
    let pose = HeroPose { position: Vec3::new(1.0, 2.0, 3.0), ..HeroPose::default() };
    game.figure_pose(figure, pose.clone()).expect("a good pose");
    game.figure_show(figure, true).expect("is a figure");
    let shown = game.figures().iter().next().expect("one");
    assert_eq!(
        (shown.name.as_str(), shown.pose.as_ref(), shown.shown),
        ("Skid", Some(&pose), true)
    );
    let bad = HeroPose { velocity: Vec3::new(f32::NAN, 0.0, 0.0), ..pose.clone() };
    assert_eq!(game.figure_pose(figure, bad), Err(Refusal::NotFinite));
    game.title_return(None).expect("no page to check");
    tick(&mut game, NEUTRAL);
    assert_eq!(game.figures().iter().count(), 0, "gone with the level");
    assert_eq!(game.figure_moby(figure), Ok(None));
    assert_eq!(game.figure_pose(figure, pose), Ok(()), "does nothing");
    assert_eq!(game.figure_remove(figure), Ok(()));
    assert_eq!(game.figure_remove(figure), Err(Refusal::StaleFigure(figure)));
    assert_eq!(game.figure_show(99, true), Err(Refusal::StaleFigure(99)));
}

#[test]
fn a_figures_shot_flies_for_a_second() {
    let mut game = in_level();
    let figure = game.figure_make("Skid").expect("in a level");
    let velocity = Vec3::new(30.0, 0.0, 0.0);
    let shot = Shot { position: Vec3::ZERO, velocity, aim: [0.0; 4], item: 10 };
    game.figure_fire(figure, shot).expect("a good shot");
    ticks(&mut game, TICKS_PER_SECOND / 2);
    let at = game.figures().shots().next().expect("still flies");
    assert!((at.x - 15.0).abs() < 0.1, "{at:?}");
    ticks(&mut game, TICKS_PER_SECOND / 2);
    assert_eq!(game.figures().shots().count(), 0);
    let bad = Shot { aim: [f32::INFINITY, 0.0, 0.0, 0.0], ..shot };
    assert_eq!(game.figure_fire(figure, bad), Err(Refusal::NotFinite));
}

#[test]
fn a_mod_starts_a_game_from_the_title_only_and_returns_from_any_phase() {
    let (mut game, page, _) = with_page(at_title());
    game.page_open(page).expect("is a page");
    assert!(!game.play_start(Start::New, Some(77)), "no such level");
    assert!(game.play_start(Start::New, None));
    let calls = tick(&mut game, NEUTRAL);
    assert_eq!(calls, [ModCall::Shown(page), ModCall::Hidden(page)]);
    assert_eq!(game.phase(), Phase::Loading);
    assert!(!game.play_start(Start::New, None), "not in the title");
    game.title_return(Some(page)).expect("is a page");
    assert_eq!(tick(&mut game, NEUTRAL), [ModCall::Shown(page)]);
    assert_eq!((game.phase(), game.page_shown()), (Phase::TitlePage, Some(page)));
    assert!(game.play_start(Start::New, Some(0)));
    play(&mut game);
    assert_eq!((game.phase(), game.level()), (Phase::Playing, Some(0)));
    assert_eq!(game.title_return(Some(PageId(9))), Err(Refusal::NoPage(9)));
}

#[test]
fn messages_show_for_their_time_and_the_newest_wins() {
    let mut game = in_level();
    game.message("one", 5.0).expect("finite");
    game.message("two", 0.5).expect("finite");
    ticks(&mut game, 29);
    assert_eq!(game.screen().message.as_deref(), Some("two"));
    ticks(&mut game, 1);
    assert_eq!(game.screen().message, None);
    assert_eq!(game.message("never", f32::NAN), Err(Refusal::NotFinite));
}

#[test]
fn options_and_video_set_the_picture() {
    let mut game = in_level();
    press(&mut game, Button::Start);
    press(&mut game, Button::Down);
    press(&mut game, Button::Cross);
    assert_eq!(game.screen().title(), "Options");
    press(&mut game, Button::Right);
    assert!(!game.look().names && game.look().grid);
    press(&mut game, Button::Triangle);
    assert_eq!(game.screen().title(), "Paused");
    press(&mut game, Button::Triangle);
    assert_eq!(game.phase(), Phase::Playing);
}

#[test]
fn boot_and_loading_take_as_long_at_either_rate() {
    for rate in [TickRate::Ntsc, TickRate::Pal] {
        let mut game = StandIn::new(1).with_rate(rate);
        let until = |game: &mut StandIn, phase| {
            let mut seconds = 0.0;
            while game.phase() != phase {
                tick(game, NEUTRAL);
                seconds += rate.seconds();
            }
            seconds
        };
        let boot = until(&mut game, Phase::Title);
        assert!((boot - 0.5).abs() < 0.03, "{rate:?}: {boot} s");
        press(&mut game, Button::Cross);
        let loading = until(&mut game, Phase::Scene);
        assert!((loading - 1.0).abs() < 0.1, "{rate:?}: {loading} s");
        assert_eq!(game.tick_rate(), rate.per_second());
    }
}
