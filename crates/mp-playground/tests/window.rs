//! The window and the picture show the same: a frame drawn by the graphics card is laid beside one drawn
//! in software. Needs a display, so each is drawn under Xvfb in a process of its own; where that is not
//! installed, this says so and tests nothing.

mod support;

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};

use libtest_mimic::{Arguments, Failed, Trial};
use mp_playground::game::{Phase, StandIn};
use mp_playground::picture::{LinkFigures, Picture, Plots, Shown, View};
use mp_playground::sim::HeroPose;
use mp_playground::window;
use mp_playground::{Button, Pad};

/// What a process of this test is told to draw.
const SCENE: &str = "MP_PLAYGROUND_TEST_SCENE";

/// A scene by its name.
type Scene = (&'static str, fn() -> Vec<Shown>);

const SCENES: [Scene; 4] = [("level", level), ("page", page), ("scene", scene), ("two", two)];

fn main() -> ExitCode {
    if let Ok(wanted) = std::env::var(SCENE) {
        return draw(&wanted);
    }
    let xvfb = Xvfb::start();
    let Some(xvfb) = &xvfb else {
        println!("left out: Xvfb is not installed here");
        return ExitCode::SUCCESS;
    };
    let trial = |(scene, _): Scene| {
        let display = xvfb.display.clone();
        Trial::test(format!("the_window_shows_what_the_picture_shows_{scene}"), move || {
            compare(scene, &display)
        })
    };
    let mut trials: Vec<Trial> = SCENES.into_iter().map(trial).collect();
    let display = xvfb.display.clone();
    trials.push(Trial::test("a_game_is_played_in_a_window_and_watched", move || played(&display)));
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

/// A display that nobody sees, ended with this.
struct Xvfb {
    child: Child,
    display: String,
}

impl Xvfb {
    fn start() -> Option<Self> {
        let args = ["-displayfd", "1", "-screen", "0", "1300x700x24", "-nolisten", "tcp"];
        let mut command = Command::new("Xvfb");
        // Else it begins anew when the last window is gone, and refuses who comes meanwhile.
        command
            .args(args)
            .arg("-noreset")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let mut child = command.spawn().ok()?;
        let mut number = String::new();
        let mut out = BufReader::new(child.stdout.take()?);
        out.read_line(&mut number).ok()?;
        Some(Self { child, display: format!(":{}", number.trim()) })
    }
}

impl Drop for Xvfb {
    fn drop(&mut self) {
        // One that has ended cannot be ended again.
        _ = self.child.kill();
        _ = self.child.wait();
    }
}

/// The program, with a window: the run ends as it does without one.
fn played(display: &str) -> Result<(), Failed> {
    let work_dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("window");
    let mut command = Command::new(env!("CARGO_BIN_EXE_mp-playground"));
    command.args(["play", "--window", "--bot", "walk", "--seconds", "2", "--library"]);
    command.arg(support::compile("mod.c")).arg("--work-dir").arg(&work_dir);
    let output = command.env("DISPLAY", display).env_remove("CARGO").output()?;
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let words = String::from_utf8_lossy(&output.stderr).into_owned();
    let whole = said.contains("phase: TITLE") && !said.contains("no window");
    if output.status.success() && whole { Ok(()) } else { Err(format!("{said}{words}").into()) }
}

fn compare(scene: &str, display: &str) -> Result<(), Failed> {
    let this = std::env::current_exe()?;
    let drawn = Command::new(this).env(SCENE, scene).env("DISPLAY", display).output()?;
    let said = String::from_utf8_lossy(&drawn.stdout).into_owned();
    if drawn.status.success() {
        return Ok(());
    }
    Err(format!("{said}{}", String::from_utf8_lossy(&drawn.stderr)).into())
}

/// Draws a scene both ways, and says how far they are apart.
fn draw(wanted: &str) -> ExitCode {
    let (_, make) = SCENES.into_iter().find(|(name, _)| *name == wanted).expect("a scene");
    let shown = make();
    let views: Vec<View<'_>> = shown.iter().map(|shown| shown.view(true)).collect();
    let picture = Picture::of(&views);
    let (width, height) = picture.size();
    let side = |pixels: u32| u16::try_from(pixels).expect("a small picture");
    let frame = match window::frame(shown.clone(), (side(width), side(height))) {
        Ok(frame) => frame,
        Err(error) => {
            println!("{error}");
            return ExitCode::FAILURE;
        }
    };
    if let Some(folder) = std::env::var_os("MP_PLAYGROUND_TEST_PICTURES") {
        let folder = PathBuf::from(folder);
        picture.save(&folder.join(format!("{wanted}-picture.png"))).expect("is written");
        frame.save(&folder.join(format!("{wanted}-window.png"))).expect("is written");
    }
    let apart: Vec<u32> =
        picture.rgb().iter().zip(frame.rgb()).map(|(a, b)| u32::from(a.abs_diff(*b))).collect();
    let count = f64::from(u32::try_from(apart.len()).expect("a small picture"));
    let mean = f64::from(apart.iter().sum::<u32>()) / count;
    let far = apart.iter().filter(|&&apart| apart > 48).count();
    let far = f64::from(u32::try_from(far).expect("a small picture")) / count;
    println!("{wanted}: {mean:.2} of 255 apart, {:.2} % of it far", far * 100.0);
    // Edges are smoothed in one and not in the other; nothing else differs.
    if mean < 1.5 && far < 0.005 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn in_level(seed: u64) -> StandIn {
    let mut game = StandIn::new(seed);
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

fn shown(name: &str, game: StandIn) -> Shown {
    let mut plots = Plots::default();
    for value in 0..60_u8 {
        let round_trip_ms = Some(f32::from(value % 17));
        let jitter_ms = (value > 30).then_some(f32::from(value % 5));
        plots.add(LinkFigures { round_trip_ms, jitter_ms, ..LinkFigures::default() });
    }
    Shown { name: name.to_owned(), game, plots, played: name == "Ann" }
}

fn level() -> Vec<Shown> {
    let mut game = in_level(1);
    let figure = game.figure_make("Bob").expect("in a level");
    let place = game.hero_pose().expect("in a level").position;
    let position = place + mp_playground::sim::Vec3::new(2.0, 1.0, 0.0);
    game.figure_pose(figure, HeroPose { position, ..HeroPose::default() }).expect("good");
    game.figure_show(figure, true).expect("is a figure");
    vec![shown("Ann", game)]
}

fn page() -> Vec<Shown> {
    let mut game = in_level(1);
    game.read_pad(Pad::NEUTRAL.with(Button::Start));
    game.step();
    vec![shown("Ann", game)]
}

fn scene() -> Vec<Shown> {
    let mut game = in_level(1);
    assert!(game.play_scene(0));
    for _ in 0..150 {
        game.read_pad(Pad::NEUTRAL);
        game.step();
    }
    vec![shown("Ann", game)]
}

fn two() -> Vec<Shown> {
    let mut boot = StandIn::new(2);
    for _ in 0..60 {
        boot.read_pad(Pad::NEUTRAL);
        boot.step();
    }
    vec![shown("Ann", in_level(1)), shown("Bob", boot)]
}
