use super::marks::Mark;
use super::*;
use crate::game::Phase;
use crate::sim::{Button, HeroPose, Pad, Vec3};

pub(super) fn in_level() -> StandIn {
    let mut game = StandIn::new(1);
    for tick in 0..220 {
        // New Game, and past its opening scene.
        game.read_pad(match tick {
            40 => Pad::NEUTRAL.with(Button::Cross),
            150 => Pad::NEUTRAL.with(Button::Start),
            _ => Pad::NEUTRAL,
        });
        game.step();
    }
    assert_eq!(game.phase(), Phase::Playing);
    game
}

fn differing(a: &Picture, b: &Picture) -> usize {
    a.rgb.chunks(3).zip(b.rgb.chunks(3)).filter(|(a, b)| a != b).count()
}

#[test]
fn the_same_scene_gives_the_same_bytes() {
    let game = in_level();
    let view = View::new(&game, "Ann");
    assert_eq!(Picture::of(&[view]), Picture::of(&[view]));
}

#[test]
fn a_figure_is_seen_only_while_it_is_shown() {
    let mut game = in_level();
    let plain = Picture::of(&[View::new(&game, "Ann")]);
    let figure = game.figure_make("Bob").expect("in a level");
    let position = Vec3::new(1.5, -9.0, 0.0);
    game.figure_pose(figure, HeroPose { position, ..HeroPose::default() }).expect("good");
    assert_eq!(differing(&plain, &Picture::of(&[View::new(&game, "Ann")])), 0);
    game.figure_show(figure, true).expect("is a figure");
    let shown = Picture::of(&[View::new(&game, "Ann")]);
    assert!(differing(&plain, &shown) > 1_000);
}

#[test]
fn a_scene_is_drawn_with_its_own_camera_and_cast() {
    let mut game = in_level();
    let plain = Picture::of(&[View::new(&game, "Ann")]);
    assert!(game.play_scene(0));
    let start = Picture::of(&[View::new(&game, "Ann")]);
    assert!(differing(&plain, &start) > 100_000);
    for _ in 0..60 {
        game.read_pad(Pad::NEUTRAL);
        game.step();
    }
    let later = Picture::of(&[View::new(&game, "Ann")]);
    assert!(differing(&start, &later) > 10_000, "it moves");
    game.travel(0);
    for _ in 0..120 {
        game.read_pad(Pad::NEUTRAL);
        game.step();
    }
    assert_eq!(game.phase(), Phase::Movie);
    let movie = Picture::of(&[View::new(&game, "Ann")]);
    assert!(differing(&later, &movie) > 10_000);
}

#[test]
fn a_page_is_drawn_over_the_world() {
    let mut game = in_level();
    let plain = Picture::of(&[View::new(&game, "Ann")]);
    game.read_pad(Pad::NEUTRAL.with(Button::Start));
    let paused = Picture::of(&[View::new(&game, "Ann")]);
    assert!(differing(&plain, &paused) > 10_000);
}

#[test]
fn what_is_known_of_the_link_lies_under_a_page() {
    let (mut game, mut plots) = (in_level(), Plots::default());
    plots.add(LinkFigures { round_trip_ms: Some(12.0), ..LinkFigures::default() });
    game.read_pad(Pad::NEUTRAL.with(Button::Start));
    let view = View { plots: Some(&plots), ..View::new(&game, "Ann") };
    let marks = Drawing::of(&view, &Colours::of(&[view]), (640, 540)).marks;
    let [known, page] = ["12 ms", "Resume"].map(|wanted| {
        let is_it = |mark: &Mark| matches!(mark, Mark::Text { text, .. } if text == wanted);
        marks.list.iter().position(is_it).expect(wanted)
    });
    assert!(known < page);
}

#[test]
fn names_and_messages_longer_than_the_view_are_cut_off() {
    let mut game = in_level();
    game.message(&"very long ".repeat(100), 5.0).expect("finite");
    game.control_hold(Some("Waiting for the other players to arrive"));
    let name = "N".repeat(300);
    let picture = Picture::of(&[View::new(&game, &name); 3]);
    assert_eq!((picture.width, picture.height), (1_284, 1_084));
}

#[test]
fn a_picture_is_read_as_it_was_written_and_laid_beside_another() {
    let game = in_level();
    let picture = Picture::of(&[View::new(&game, "Ann")]);
    let file = std::env::temp_dir().join(format!("mp-playground-{}.png", std::process::id()));
    picture.save(&file).expect("is written");
    let read = Picture::load(&file).expect("is read");
    std::fs::remove_file(&file).expect("is removed");
    assert_eq!(read, picture);
    let both = Picture::of(&[View::new(&game, "Ann"); 2]);
    assert_eq!(Picture::beside(&[read, picture]), both);
}
