//! The verbose log (behaviour.md 9) of the built library: written when it is asked for, read by the
//! playground, and never in the game's way.

#[path = "common/library.rs"]
mod library;

use std::path::{Path, PathBuf};

use mp_playground::game::Phase;
use mp_playground::host::{Game, ModLibrary, Setup};
use mp_playground::sim::Pad;
use mp_playground::trace::{Merged, Wanted};

/// Ticks until the title shows, and some more: over a second of a game.
const TICKS: usize = 200;

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    if folder.exists() {
        std::fs::remove_dir_all(&folder).expect("it is this test's");
    }
    std::fs::create_dir_all(&folder).expect("it can be made");
    folder
}

/// Far more than the writer's thread ever needs to say what it met, however busy the machine is.
const TICKS_MAX: usize = 1_000_000;

/// Plays a while at the title, the mod's Verbose log set so; what the mod said to the game's log.
fn play(work_dir: &Path, verbose: &str) -> Vec<String> {
    play_until(work_dir, verbose, |_| true)
}

/// Likewise, and on until that is in the log.
fn play_until(work_dir: &Path, verbose: &str, enough: impl Fn(&[String]) -> bool) -> Vec<String> {
    let library =
        ModLibrary::open(&library::library()).expect("cargo built the mod beside this test");
    let settings = [("Name", "Nova_7"), ("Server", "127.0.0.1:1"), ("VerboseLog", verbose)];
    let setup = Setup {
        settings: settings.map(|(key, value)| (key.to_owned(), value.to_owned())).into(),
        build: "1.2.0/PLAY-00001".to_owned(),
        work_dir: work_dir.to_path_buf(),
        ..Setup::default()
    };
    let mut game = Game::load(&library, setup).expect("the mod loads");
    let mut log = Vec::new();
    for tick in 0..TICKS_MAX {
        game.tick(Pad::default());
        log.extend(game.take_log().into_iter().map(|line| line.text));
        if tick >= TICKS && enough(&log) {
            break;
        }
        std::thread::yield_now();
    }
    assert_eq!(game.look(|game| game.phase()), Phase::Title);
    assert_eq!(game.unload(), []);
    log
}

/// B9.1: where the trace is written is said once; it says whose it is and what the game does.
#[test]
fn a_trace_that_is_asked_for_is_written_and_read() {
    let folder = folder("trace-on");
    let log = play(&folder, "on");
    let file = folder.join("mp-trace.log");
    let said = format!("the trace is written to {}", file.display());
    assert_eq!(log.iter().filter(|line| **line == said).count(), 1, "{log:?}");
    let merged = Merged::read(std::slice::from_ref(&file)).expect("it is a trace");
    assert_eq!(Merged::read(std::slice::from_ref(&folder)).expect("it lies there"), merged);
    assert_eq!(merged.players, ["Nova_7"]);
    let text = merged.to_string();
    for words in ["solo   f=", " start player=Nova_7", " pause phase Boot", "-> Title", " census "]
    {
        assert!(text.contains(words), "{words:?} is not in\n{text}");
    }
    let picture = folder.join("timeline.png");
    merged.only(&Wanted::default()).draw(&picture).expect("it is drawn");
    assert!(std::fs::metadata(picture).expect("it was written").len() > 1_000);
}

/// B9.1
#[test]
fn without_the_setting_there_is_no_trace() {
    let folder = folder("trace-off");
    play(&folder, "");
    assert!(!folder.join("mp-trace.log").exists());
}

/// B9.1: a trace that cannot be written is said, and the game goes on.
#[test]
fn a_trace_that_cannot_be_written_is_said_and_costs_nothing_else() {
    let folder = folder("trace-nowhere");
    std::fs::create_dir(folder.join("mp-trace.log")).expect("a folder in the file's place");
    let said = |log: &[String]| {
        let words = "the trace ends here: it cannot be written: ";
        log.iter().filter(|line| line.starts_with(words)).count()
    };
    let log = play_until(&folder, "on", |log| said(log) > 0);
    assert_eq!(said(&log), 1, "{log:?}");
}

/// B3.5, B9.1: a disk that does not even open the file, as a pipe that nobody reads does not, holds up
/// neither the load nor the unload, which the game judges.
#[cfg(unix)]
#[test]
fn a_disk_that_never_answers_holds_up_neither_load_nor_unload() {
    let folder = folder("trace-stuck");
    let pipe = std::process::Command::new("mkfifo").arg(folder.join("mp-trace.log")).status();
    assert!(pipe.expect("mkfifo runs").success());
    play(&folder, "on");
}

/// B3.5, B9.1: a full disk is said, and neither the game nor its end waits for it.
#[cfg(target_os = "linux")]
#[test]
fn a_disk_that_is_full_is_said_and_costs_nothing_else() {
    let folder = folder("trace-full");
    std::os::unix::fs::symlink("/dev/full", folder.join("mp-trace.log")).expect("a link");
    let full = |log: &[String]| log.iter().filter(|line| line.contains("No space left")).count();
    let log = play_until(&folder, "on", |log| full(log) > 0);
    assert_eq!(full(&log), 1, "{log:?}");
    assert!(!log.iter().any(|line| line.contains("has not ended")), "{log:?}");
}
