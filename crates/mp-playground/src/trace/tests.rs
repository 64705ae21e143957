//! What is read of traces, how it is laid side by side, and what is left out.

use clap::{Args as _, FromArgMatches as _};

use super::args::TraceArgs;
use super::*;
use crate::picture::marks::{Mark, text_width};

const HOST: &str = "\
[mp-trace] f=10 t=1000 host start player=Nova
[mp-trace] f=10 t=1000 host clock server_ms=500000
[mp-trace] f=70 t=2000 host msg out KILLED keys=17,18
half a li
[mp-trace] f=130 t=3000 host clock server_ms=502010
[mp-trace] f=131 t=3017 host vis hidden moby=90 class=500 key=18
";
const MEMBER: &str = "\
[mp-trace] f=1 t=20 member pause phase Playing level=1
[mp-trace] f=2 t=40 member clock server_ms=501100
[mp-trace] f=9 t=150 member msg in KILLED keys=17,18
[mp-trace] f=9 t=150 member despawn moby=4 class=500 key=17 shared=0x0011 by=mod
";

fn parsed(text: &str) -> Parsed {
    Parsed::read(text.as_bytes()).expect("it is in memory")
}

fn merged() -> Merged {
    Merged::of(&[("host", HOST.as_bytes()), ("member", MEMBER.as_bytes())])
}

/// A trace is a file that somebody sent: whatever its numbers are, it is laid out.
#[test]
fn clocks_at_the_ends_of_time_are_laid_side_by_side() {
    let at = |server_ms: i64| {
        format!("[mp-trace] f=1 t=1 host clock server_ms={server_ms}\n")
            + &format!("[mp-trace] f=1 t={} host msg out KILLED\n", u64::MAX)
    };
    let files = [at(i64::MIN), at(i64::MAX)];
    for files in [&files[..], &files[1..]] {
        let traces: Vec<_> = files.iter().map(|text| ("Nova", text.as_bytes())).collect();
        let merged = Merged::of(&traces);
        assert_eq!(merged.entries.len(), 2 * files.len());
        assert_eq!(merged.to_string().lines().count(), 2 * files.len());
        timeline::draw(&merged);
        let late = Wanted { from_s: Some(1.0), ..Wanted::default() };
        assert_eq!(merged.only(&late).entries.is_empty(), files.len() == 1);
    }
}

#[test]
fn lines_of_several_players_stand_in_the_order_of_the_servers_clock() {
    let merged = merged();
    assert_eq!(merged.players, ["Nova", "member"]);
    let order: Vec<_> =
        merged.entries.iter().map(|entry| (entry.at_ms, entry.line.what())).collect();
    assert_eq!(
        order,
        [
            (500_000, "start"),
            (500_000, "clock"),
            (501_000, "msg"),
            (501_080, "pause"),
            (501_100, "clock"),
            (501_210, "msg"),
            (501_210, "despawn"),
            (502_010, "clock"),
            (502_027, "vis"),
        ]
    );
}

#[test]
fn what_is_no_line_is_counted_and_passed_over() {
    assert_eq!(parsed(HOST).unreadable, 1);
    assert_eq!(merged().notes, ["Nova: 1 line could not be read"]);
    for text in ["", "[mp-trace]", "[mp-trace] f=x t=1 host msg", "[mp-trace] f=1 t=1 guest msg a"]
    {
        assert_eq!(Line::parse(text), None, "{text:?}");
    }
    assert_eq!(parsed("\u{ff}\n\0\n").lines.len(), 0);
}

/// A trace is a file that somebody sent, and is printed to a terminal.
#[test]
fn nothing_of_a_trace_reaches_a_terminal_that_is_more_than_text() {
    let (long, csi) = ("x".repeat(60_000), '\u{9b}');
    let trace = format!(
        "[mp-trace] f=1 t=0 host start player={long}\n\
         [mp-trace] f=1 t=1 host msg out KILLED \x1b[2J\n\
         [mp-trace] f=1 t=2 host \x07msg out\n\
         [mp-trace] f=1 t=3 host msg a\rb\n\
         [mp-trace] f=1 t=4 host msg a{csi}2Jb\n\
         [mp-trace] f=1 t=5 host msg out KILLED keys=17\n"
    );
    let folder = name_of(Path::new("of/a\x1b[2Jb/mp-trace.log"));
    let merged = Merged::of(&[(&folder, trace.as_bytes())]);
    assert_eq!(merged.players, ["a\u{fffd}[2Jb"], "its own name is none that a player can have");
    let told = merged.to_string();
    assert!(!told.contains(|c: char| c.is_control() && c != '\n'), "{told:?}");
    assert!(told.contains("KILLED keys=17\n") && told.contains(": 4 lines could not be read"));
    assert_eq!(name_of(Path::new(&format!("{long}/mp-trace.log"))).len(), 32);
}

/// Tiny lines, of which a file has most: what is kept of one is what it says and a few words of its own.
#[test]
fn a_line_that_is_kept_takes_little_more_memory_than_it_is_long() {
    let line = Line::parse("[mp-trace] f=1 t=1 solo x").expect("a line");
    assert_eq!((line.what(), line.words()), ("x", ""));
    assert!(size_of::<Entry>() <= 64, "{}", size_of::<Entry>());
}

#[test]
fn of_a_trace_of_too_many_lines_the_first_are_read_and_the_rest_are_counted() {
    let parsed = Parsed::read_at_most(HOST.as_bytes(), 2).expect("it is in memory");
    assert_eq!((parsed.lines.len(), parsed.over), (2, 4));
    let mut merged = Merged::default();
    merged.add("host", parsed);
    let note = "Nova: 4 lines after the first 7200000 were not read";
    assert!(merged.notes.iter().any(|told| told == note), "{:?}", merged.notes);
}

#[test]
fn a_moby_is_found_by_each_of_its_numbers() {
    let of = |moby: &str| {
        let wanted = Wanted { moby: Some(moby.to_owned()), ..Wanted::default() };
        merged().only(&wanted).entries.len()
    };
    assert_eq!([of("17"), of("18"), of("0x0011"), of("4"), of("1")], [3, 3, 1, 1, 0]);
    let nothing = Wanted { moby: Some("1".to_owned()), ..Wanted::default() };
    assert!(merged().only(&nothing).to_string().ends_with("the players are Nova, member\n"));
}

#[test]
fn what_is_no_mobys_number_and_a_time_that_ends_before_it_begins_are_refused() {
    let asked = |words: &[&str]| {
        let words = [&["trace", "a.log"], words].concat();
        TraceArgs::augment_args(clap::Command::new("trace"))
            .try_get_matches_from(words)
            .map(|found| TraceArgs::from_arg_matches(&found).expect("they are its words"))
    };
    for wrong in ["xyz", "", "-1", "017", "0x", "0x8", "0x+123", "0x80030"] {
        assert!(asked(&["--moby", wrong]).is_err(), "{wrong:?}");
    }
    for right in ["17", "0", "0x8003"] {
        asked(&["--moby", right]).expect(right);
    }
    let between = |from, to| asked(&["--from", from, "--to", to]).expect("times").nothing_between();
    assert_eq!((between("3", "9"), between("3", "3")), (None, None));
    let why = between("9", "3").expect("it ends before it begins");
    assert!(why.starts_with("--from 9 is after --to 3"), "{why}");
}

#[test]
fn players_and_times_can_be_picked() {
    let wanted = Wanted { player: Some("member".to_owned()), ..Wanted::default() };
    assert_eq!(merged().only(&wanted).entries.len(), 4);
    let wanted = Wanted { from_s: Some(1.0), to_s: Some(1.1), ..Wanted::default() };
    let picked = merged().only(&wanted).to_string();
    assert!(picked.starts_with("    +0.000 Nova   host   f=70 msg out KILLED"), "{picked}");
    assert_eq!(picked.lines().filter(|line| !line.starts_with('#')).count(), 3);
}

#[test]
fn a_player_that_never_knew_the_clock_is_said_so() {
    let mut merged = Merged::default();
    merged.add("Orbit", parsed("[mp-trace] f=5 t=700 solo census mobys=0\n"));
    merged.add("Orbit", parsed("[mp-trace] f=5 t=900 solo census mobys=0\n"));
    assert_eq!(merged.players, ["Orbit", "Orbit#2"]);
    assert_eq!(merged.entries.iter().map(|entry| entry.at_ms).collect::<Vec<_>>(), [0, 0]);
    assert!(merged.notes[0].starts_with("Orbit: never knew the server's clock"), "{merged:?}");
}

#[test]
fn every_line_is_a_mark_in_its_players_band() {
    let mut one = merged();
    one.entries.truncate(1);
    let of = |merged: &Merged| timeline::draw(merged);
    let (none, all) = (Merged { entries: Vec::new(), ..merged() }, merged());
    assert_eq!(of(&all).size(), of(&none).size());
    assert_ne!(of(&all).rgb(), of(&none).rgb());
    assert_ne!(of(&all).rgb(), of(&one).rgb());
}

/// The mod's words, as its source has them.
fn words_of_the_mod() -> Vec<&'static str> {
    let source = include_str!("../../../../src/trace/mod.rs");
    let (_, word) = source.split_once("impl What {").expect("it has words");
    let (word, _) = word.split_once("\n}\n").expect("it ends");
    word.lines().filter_map(|line| line.split_once("=> \"")?.1.strip_suffix("\",")).collect()
}

#[test]
fn the_help_explains_each_word_that_the_mod_writes_and_no_other() {
    let (mut written, mut known) = (words_of_the_mod(), words::WORDS.map(|(word, _)| word));
    written.sort_unstable();
    known.sort_unstable();
    assert_eq!(written, known);
    let legend = words::legend();
    assert!(words::WORDS.iter().all(|(word, meaning)| {
        legend.lines().any(|line| line.contains(word) && line.ends_with(meaning))
    }));
}

#[test]
fn a_timeline_says_what_its_lanes_are_and_nothing_written_leaves_it() {
    let marks = timeline::marks(&merged());
    let mut texts = Vec::new();
    for mark in &marks.list {
        if let Mark::Text { text, x, y, scale, .. } = mark {
            assert!(x + text_width(text, *scale) <= marks.width, "{text}");
            assert!(*y < marks.height, "{text}");
            texts.push(text.as_str());
        }
    }
    for (word, meaning) in words::WORDS {
        let has_a_lane = !["start", "clock", "over"].contains(&word);
        assert_eq!(texts.contains(&meaning), has_a_lane, "{word}");
    }
}

#[test]
fn traces_of_different_runs_are_doubted_and_those_of_one_are_not() {
    let trace = |player: &str, begin_ms: u64| {
        let mut text = format!("[mp-trace] f=1 t=0 host start player={player}\n");
        for t in [0, 1_000] {
            text += &format!("[mp-trace] f=1 t={t} host clock server_ms={}\n", begin_ms + t);
        }
        text
    };
    let doubts = |traces: &[(&str, u64)]| {
        let texts: Vec<_> = traces.iter().map(|(name, begin)| trace(name, *begin)).collect();
        let traces: Vec<_> = texts.iter().map(|text| ("folder", text.as_bytes())).collect();
        Merged::of(&traces).doubts
    };
    assert_eq!(doubts(&[("Nova", 5_000), ("Orbit", 6_000)]), [""; 0]);
    // Nova was gone when Vega came; Orbit saw both.
    assert_eq!(doubts(&[("Vega", 6_500), ("Nova", 5_000), ("Orbit", 5_800)]), [""; 0]);
    let apart = doubts(&[("Orbit", 8_500), ("Nova", 5_000)]);
    assert_eq!(apart.len(), 1);
    let words = "by the server's clock Orbit's trace begins 2.5 s after Nova's ends";
    assert!(apart[0].starts_with(words), "{apart:?}");
    let twice = doubts(&[("Nova", 5_000), ("Nova", 5_100)]);
    assert_eq!(twice.len(), 1);
    assert!(twice[0].contains("a player called Nova"), "{twice:?}");
}
