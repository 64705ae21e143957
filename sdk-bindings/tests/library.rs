//! Loading mods from a game's side: what is refused, and that a mod is unloaded once. The mods are C
//! programs that include the header, so this also shows that C can use it.
#![allow(unsafe_code)]

mod common;

use std::cell::RefCell;
use std::ffi::c_void;
use std::path::PathBuf;

use common::{Language, compile, folder};
use sdk_bindings::{
    LoadError, ModLibrary, OpenracHost, OpenracStr, REFUSED_VERSION, VERSION_MAJOR, VERSION_MINOR,
};

/// A mod that logs each of its calls. Refuses a host of another minor than 9; leaves out `drawn` when
/// the host has no `frame`.
const MOD: &str = r#"
#include <stdlib.h>
#include <string.h>
#include "openrac_mod.h"

#ifdef _WIN32
__declspec(dllexport)
#endif
int32_t openrac_mod_entry(const OpenracHost *host, OpenracMod *mod);

static void say(void *user, const char *text) {
    const OpenracHost *host = (const OpenracHost *)user;
    OpenracStr line;
    line.ptr = text;
    line.len = strlen(text);
    host->log(host->user, OPENRAC_LOG_INFO, line);
}

static void tick(void *user) { say(user, "tick"); }
static void drawn(void *user) { say(user, "drawn"); }
static void unload(void *user) {
    say(user, "unload");
    free(user);
}

int32_t openrac_mod_entry(const OpenracHost *host, OpenracMod *mod) {
    OpenracHost *mine;
    if (host->minor != OPENRAC_VERSION_MINOR) return OPENRAC_REFUSED_VERSION;
    mine = (OpenracHost *)malloc(sizeof *mine);
    if (mine == NULL) return OPENRAC_REFUSED_FAILED;
    *mine = *host;
    mod->user = mine;
    mod->tick = tick;
    mod->drawn = host->frame == NULL ? NULL : drawn;
    mod->unload = unload;
    say(mine, "loaded");
    return OPENRAC_LOADED;
}
"#;

struct Game {
    lines: RefCell<Vec<String>>,
}

unsafe extern "C" fn log(user: *mut c_void, _level: u8, text: OpenracStr) {
    // SAFETY: `host` gave this pointer, and the game outlives the mod in every test here.
    let game = unsafe { &*user.cast::<Game>() };
    // SAFETY: the mod's string is valid during this call.
    game.lines.borrow_mut().push(unsafe { text.to_string_lossy() });
}

unsafe extern "C" fn frame(_user: *mut c_void) -> u64 {
    0
}

impl Game {
    fn new() -> Self {
        Self { lines: RefCell::new(Vec::new()) }
    }

    fn host(&self) -> OpenracHost {
        OpenracHost {
            size: u32::try_from(size_of::<OpenracHost>()).expect("a table is small"),
            major: VERSION_MAJOR,
            minor: VERSION_MINOR,
            user: std::ptr::from_ref(self).cast_mut().cast(),
            log: Some(log),
            frame: Some(frame),
            ..OpenracHost::ZERO
        }
    }

    fn lines(&self) -> Vec<String> {
        self.lines.borrow().clone()
    }
}

fn compiled(name: &str, source: &str) -> Option<PathBuf> {
    compile(Language::C, &folder(name), "test_mod", source, true)
}

fn open(path: &std::path::Path) -> Result<ModLibrary, LoadError> {
    // SAFETY: every file these tests open is one of their own, or no library.
    unsafe { ModLibrary::open(path) }
}

fn load(library: &ModLibrary, host: &OpenracHost) -> Result<sdk_bindings::LoadedMod, LoadError> {
    // SAFETY: the table and its game outlive the mod in every test here.
    unsafe { library.load(host) }
}

#[test]
fn a_mod_is_called_and_unloaded_once() {
    let Some(path) = compiled("library-called", MOD) else { return };
    let library = open(&path).expect("it loads");
    let game = Game::new();
    let host = game.host();
    let mut loaded = load(&library, &host).expect("it takes this game");
    loaded.tick();
    loaded.drawn();
    loaded.unload();
    assert_eq!(game.lines(), ["loaded", "tick", "drawn", "unload"]);
}

#[test]
fn a_dropped_mod_is_unloaded_while_its_library_is_still_there() {
    let Some(path) = compiled("library-dropped", MOD) else { return };
    let library = open(&path).expect("it loads");
    let (first, second) = (Game::new(), Game::new());
    let (first_host, second_host) = (first.host(), second.host());
    let a = load(&library.clone(), &first_host).expect("it takes this game");
    let mut b = load(&library, &second_host).expect("it takes another");
    drop(library);
    drop(a);
    b.tick();
    drop(b);
    assert_eq!(first.lines(), ["loaded", "unload"]);
    assert_eq!(second.lines(), ["loaded", "tick", "unload"]);
}

#[test]
fn a_mod_that_lacks_a_call_is_unloaded_and_refused() {
    let Some(path) = compiled("library-lacks", MOD) else { return };
    let library = open(&path).expect("it loads");
    let game = Game::new();
    let host = OpenracHost { frame: None, ..game.host() };
    let error = load(&library, &host).expect_err("it has no drawn");
    assert!(matches!(error, LoadError::Incomplete { call: "drawn", .. }), "{error}");
    assert_eq!(game.lines(), ["loaded", "unload"]);
}

#[test]
fn a_refusal_says_which_file_and_the_code() {
    let Some(path) = compiled("library-refuses", MOD) else { return };
    let library = open(&path).expect("it loads");
    let game = Game::new();
    let host = OpenracHost { minor: 8, ..game.host() };
    let error = load(&library, &host).expect_err("the mod wants 1.9");
    assert!(matches!(error, LoadError::Refused { code: REFUSED_VERSION, .. }), "{error}");
    assert!(error.to_string().contains(&path.display().to_string()), "{error}");
    assert!(error.to_string().contains("another version of the interface"), "{error}");
}

#[test]
fn a_missing_file_is_named() {
    let path = folder("library-missing").join("nothing.so");
    let error = open(&path).expect_err("there is nothing");
    assert!(matches!(error, LoadError::NoFile { .. }), "{error}");
    assert!(error.to_string().contains("nothing.so"), "{error}");
}

#[test]
fn a_file_that_is_no_library_is_named() {
    let folder = folder("library-text");
    std::fs::create_dir_all(&folder).expect("the folder can be made");
    let path = folder.join("text.so");
    std::fs::write(&path, "no library").expect("the file can be written");
    let error = open(&path).expect_err("it is text");
    assert!(matches!(error, LoadError::NotALibrary { .. }), "{error}");
    assert!(error.to_string().contains("text.so"), "{error}");
}

#[test]
fn a_library_without_the_entry_is_named() {
    let source = "int other(void);\nint other(void) { return 0; }\n";
    let Some(path) = compiled("library-no-entry", source) else { return };
    let error = open(&path).expect_err("it exports no entry");
    assert!(matches!(error, LoadError::NoEntry { .. }), "{error}");
    assert!(error.to_string().contains(&path.display().to_string()), "{error}");
}
