//! The header's calls and callbacks, read from the header itself: each is reached by one of the mods of
//! these tests; and each call, made by a mod that is generated from the same list, holds the rules: the
//! game's thread, not from where a callback may only answer, no stale handle, no number that is not
//! finite.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use mp_playground::game::{Phase, Refusal, StandIn};
use mp_playground::host::{FaultKind, Game, ModLibrary, Setup};
use mp_playground::sim::{Button, Pad};

use crate::support::compile_file;
use crate::{pages, play, world};

const HEADER: &str = include_str!("../../../../sdk-bindings/include/openrac_mod.h");

/// What a mod noted in these lines as reached (`say_reached`).
pub fn reached_in<'a>(lines: impl Iterator<Item = &'a str>) -> Vec<String> {
    lines.filter_map(|line| line.strip_prefix("reached ")).map(str::to_owned).collect()
}

/// What a mod noted as reached in the lines that the game was not asked for yet, and at its end.
pub fn at_the_end(game: Game) -> Vec<String> {
    let (_, lines) = game.unload_and_log();
    reached_in(lines.iter().map(|line| line.text.as_str()))
}

/// A member of one of the header's tables that can be called.
struct Function {
    name: String,
    /// The types of its arguments after `user`.
    arguments: Vec<String>,
}

/// The header without its comments, on one line.
fn header() -> String {
    let mut pieces = HEADER.split("/*");
    let first = pieces.next().unwrap_or_default().to_owned();
    let code =
        pieces.fold(first, |code, piece| code + piece.split_once("*/").expect("a comment ends").1);
    code.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What can be called of that table, in order.
fn functions(table: &str) -> Vec<Function> {
    let header = header();
    let begin = format!("typedef struct {table} {{");
    let body = header.split_once(&begin).expect("the table is in the header").1;
    let body = body.split_once('}').expect("it ends").0;
    body.split(';').filter_map(function).collect()
}

/// A member such as `void (*eyes)(void *user, const OpenracVec3 *points, uint32_t count)`.
fn function(member: &str) -> Option<Function> {
    let (name, arguments) = member.split_once("(*")?.1.split_once(")(")?;
    let arguments = arguments.strip_suffix(')').expect("its arguments end");
    let mut types = arguments.split(',').map(|argument| {
        let name = argument.rfind(|letter: char| !letter.is_alphanumeric() && letter != '_');
        argument[..=name.expect("a type and a name")].trim().to_owned()
    });
    assert_eq!(types.next().as_deref(), Some("void *"), "{name} begins with user");
    Some(Function { name: name.to_owned(), arguments: types.collect() })
}

/// The calls of the game.
fn calls() -> Vec<Function> {
    functions("OpenracHost")
}

#[test]
fn every_call_and_every_callback_of_the_header_is_reached_by_a_mod_in_c() {
    let tables = ["OpenracHost", "OpenracPageDef", "OpenracHooks", "OpenracMod"];
    let names = |table: &&str| {
        let of = functions(table).into_iter();
        of.map(|function| format!("{table}.{}", function.name)).collect::<Vec<_>>()
    };
    let all: BTreeSet<String> = tables.iter().flat_map(names).collect();
    let reached: BTreeSet<String> =
        [pages::reached(), play::reached(), world::reached()].into_iter().flatten().collect();
    let missing: Vec<_> = all.difference(&reached).collect();
    assert!(missing.is_empty(), "never reached: {missing:?}");
    let unknown: Vec<_> = reached.difference(&all).collect();
    assert!(unknown.is_empty(), "not in the header, or not found there: {unknown:?}");
}

/// Types that are a handle, or point to something with one.
const HANDLES: [&str; 4] =
    ["OpenracPageHandle", "OpenracFigureHandle", "OpenracMobyHandle", "const OpenracHit *"];
/// Types that are a number which may be not finite, or hold one, with where.
const NUMBERS: [(&str, &str); 8] = [
    ("float", ""),
    ("OpenracVec3", ".x"),
    ("const OpenracVec3 *", ".x"),
    ("const OpenracPose *", ".position.x"),
    ("const OpenracPiece *", ".position.x"),
    ("const OpenracShot *", ".position.x"),
    ("const OpenracMobyPose *", ".position.x"),
    ("const OpenracHit *", ".position.x"),
];

/// The source of a mod that makes every call of the header, in the way that its setting Do names: from
/// another `thread`, from a page's `title`, with nothing but `zeros`, with `stale` handles, with numbers
/// that are `nan`.
fn source() -> String {
    let mut source = PROLOGUE.to_owned();
    for Function { name, arguments } in calls() {
        let mut given = String::from("mod->head.host->user");
        source += "    {\n";
        for (index, of) in arguments.iter().enumerate() {
            source += &argument(index, of);
            write!(given, ", a{index}").expect("a string has room");
        }
        writeln!(source, "        mod->head.host->{name}({given});\n    }}")
            .expect("a string has room");
    }
    source + EPILOGUE
}

/// The declaration and the value of an argument.
fn argument(index: usize, of: &str) -> String {
    let (a, v) = (format!("a{index}"), format!("v{index}"));
    let number = NUMBERS.iter().find(|(name, _)| *name == of).map(|(_, at)| at);
    let pointed = of.strip_suffix('*').map(|to| to.trim().trim_start_matches("const ").to_owned());
    let mut code = String::new();
    let mut add = |line: String| writeln!(code, "        {line}").expect("a string has room");
    match pointed.as_deref() {
        Some("void") => add(format!("{of} {a} = NULL;")),
        Some(to) => {
            add(format!("{to} {v};\n        {of} {a} = mod->mode == ZEROS ? NULL : &{v};"));
            add(format!("memset(&{v}, 0, sizeof {v});"));
            if let Some(at) = number {
                add(format!("if (mod->mode == NOT_FINITE) {v}{at} = NAN;"));
            }
            match to {
                "OpenracPageDef" | "OpenracHooks" => add(format!("{v}.size = sizeof {v};")),
                "OpenracHit" => add(format!("if (mod->mode == STALE) {v}.attacker = 12345;")),
                _ => {}
            }
        }
        None => {
            add(format!("{of} {a};\n        memset(&{a}, 0, sizeof {a});"));
            if let Some(at) = number {
                add(format!("if (mod->mode == NOT_FINITE) {a}{at} = NAN;"));
            }
            match of {
                "OpenracFigureHandle" => {
                    add(format!("{a} = mod->mode == STALE ? 12345 : mod->figure;"));
                }
                "OpenracMobyHandle" => {
                    add(format!("{a} = mod->mode == STALE ? 12345 : mod->moby;"))
                }
                "OpenracPageHandle" => add(format!("{a} = mod->mode == STALE ? 12345 : 0;")),
                // A count: of the one that is there.
                "uint32_t" => add(format!("{a} = mod->mode != ZEROS;")),
                _ => {}
            }
        }
    }
    code
}

const PROLOGUE: &str = r#"/* Made from the header's list of calls. */
#include "test_mod.h"

enum Mode { THREAD, TITLE, ZEROS, STALE, NOT_FINITE };

typedef struct Mod {
    Head head;
    enum Mode mode;
    int done;
    OpenracPageHandle page;
    OpenracFigureHandle figure;
    OpenracMobyHandle moby;
} Mod;

static void every_call(void *user) {
    Mod *mod = user;
"#;

const EPILOGUE: &str = r#"}

static OpenracStr title(void *user) {
    Mod *mod = user;
    if (mod->mode == TITLE && !mod->done++) every_call(mod);
    return str("Every call");
}

static void tick(void *user) {
    Mod *mod = user;
    OpenracMoby first;
    if (mod->done || CALL(mod, phase)(USER(mod)) != OPENRAC_PHASE_PLAYING) return;
    if (mod->mode == TITLE) {
        CALL(mod, title_return)(USER(mod), mod->page);
        return;
    }
    mod->done = 1;
    if (mod->mode == THREAD) {
        on_another_thread(every_call, mod);
        return;
    }
    if (mod->mode == NOT_FINITE) {
        CALL(mod, mobys)(USER(mod), &first, 1);
        mod->moby = first.handle;
        CALL(mod, moby_drive)(USER(mod), mod->moby, 1);
        mod->figure = CALL(mod, figure_make)(USER(mod), str("Skid"));
    }
    every_call(mod);
}

int32_t openrac_mod_entry(const OpenracHost *host, OpenracMod *out) {
    static const char *const MODES[] = {"thread", "title", "zeros", "stale", "nan"};
    OpenracPageDef page;
    Mod *mod = calloc(1, sizeof *mod);
    if (mod == NULL) return OPENRAC_REFUSED_FAILED;
    mod->head.host = host;
    for (unsigned mode = THREAD; mode <= NOT_FINITE; mode++)
        if (is(CALL(mod, setting)(USER(mod), str("Do")), MODES[mode])) mod->mode = (enum Mode)mode;
    memset(&page, 0, sizeof page);
    page.size = sizeof page;
    page.user = mod;
    page.title = title;
    mod->page = CALL(mod, page_add)(USER(mod), &page);
    out->user = mod;
    out->tick = tick;
    out->drawn = drawn;
    out->unload = unload;
    return OPENRAC_LOADED;
}
"#;

fn library() -> &'static Path {
    static FILE: OnceLock<PathBuf> = OnceLock::new();
    FILE.get_or_init(|| {
        let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("every_call.c");
        fs::write(&file, source()).expect("can be written");
        compile_file(&file)
    })
}

/// The game after every call was made in that way, and what was refused, by call.
fn made(mode: &str) -> (Game, BTreeMap<&'static str, Vec<FaultKind>>) {
    let settings = BTreeMap::from([("Do".to_owned(), mode.to_owned())]);
    let library = ModLibrary::open(library()).expect("is a mod");
    let setup = Setup { settings, seed: 5, ..Setup::default() };
    let mut game = Game::load(&library, setup).expect("loads");
    for (phase, button) in [
        (Phase::Title, Button::Cross),
        (Phase::Scene, Button::Start),
        (Phase::Playing, Button::Square),
    ] {
        let there = (0..2_000).any(|_| {
            let there = game.look(StandIn::phase) == phase;
            if !there {
                game.tick(Pad::NEUTRAL);
            }
            there
        });
        assert!(there, "never {phase}: {}", game.screen());
        game.tick(Pad::NEUTRAL.with(button));
    }
    for _ in 0..120 {
        game.tick(Pad::NEUTRAL);
    }
    let mut faults = BTreeMap::<_, Vec<_>>::new();
    for fault in game.faults() {
        assert_eq!(fault.count, 1, "{mode}: {fault}");
        faults.entry(fault.call).or_default().push(fault.kind);
    }
    (game, faults)
}

/// That each call that `takes` such an argument was refused for a reason that `fits`, and what it says
/// nothing of was not.
fn all_refused(mode: &str, takes: impl Fn(&str) -> bool, fits: impl Fn(&FaultKind) -> bool) {
    let (_, faults) = made(mode);
    for Function { name, arguments } in calls() {
        let expected = arguments.iter().any(|of| takes(of));
        let refused = faults.get(name.as_str()).is_some_and(|kinds| kinds.iter().any(&fits));
        assert_eq!(refused, expected, "{mode}: {name}: {faults:?}");
    }
}

#[test]
fn every_call_from_another_thread_is_refused_and_counted_and_changes_nothing() {
    let (game, faults) = made("thread");
    let refused: Vec<_> = calls().into_iter().map(|call| call.name).collect();
    assert!(refused.len() > 50, "{refused:?}");
    for name in &refused {
        assert_eq!(faults.get(name.as_str()), Some(&vec![FaultKind::WrongThread]), "{name}");
    }
    assert_eq!((faults.len(), game.look(StandIn::phase)), (refused.len(), Phase::Playing));
}

#[test]
fn every_call_from_a_callback_that_may_only_answer_is_refused_and_counted() {
    let (game, faults) = made("title");
    for Function { name, .. } in calls() {
        assert_eq!(faults.get(name.as_str()), Some(&vec![FaultKind::NotFromHere]), "{name}");
    }
    assert_eq!(game.screen().title(), "Every call");
}

#[test]
fn every_call_with_a_stale_handle_is_refused_and_counted() {
    let stale = |kind: &FaultKind| {
        let FaultKind::Refused(refusal) = kind else { return false };
        matches!(
            refusal,
            Refusal::StaleFigure(12_345) | Refusal::StaleMoby(12_345) | Refusal::NoPage(12_345)
        )
    };
    all_refused("stale", |of| HANDLES.contains(&of), stale);
}

#[test]
fn every_call_with_a_number_that_is_not_finite_is_refused_and_counted() {
    let takes = |of: &str| NUMBERS.iter().any(|(name, _)| *name == of);
    all_refused("nan", takes, |kind| *kind == FaultKind::Refused(Refusal::NotFinite));
}

#[test]
fn every_call_with_nothing_but_zeros_leaves_the_game_whole() {
    let (game, faults) = made("zeros");
    let own = |kind: &&FaultKind| matches!(kind, FaultKind::Panic(_) | FaultKind::Busy);
    assert_eq!(faults.values().flatten().find(own), None);
    assert!(game.screen().phase != Phase::Boot);
}
