//! Each entry that a game can call, from one list: a panic in it, a wrong thread, and a game that calls
//! back into any of them from inside any of its own calls.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::ffi::c_void;
use std::ptr::null_mut;
use std::rc::Rc;

use sdk_bindings as sdk;
use sdk_bindings::{FieldKind, Layout, OpenracHooks, OpenracMod, OpenracPageDef};

use super::everything::Busy;
use super::failing::Hosting;
use super::host::{ENTRIES, Entry, FakeHost, Tables, host_calls};
use super::{Did, HOME, LOBBY, TestCore, fail_in, load_boxed, load_quiet};
use crate::ffi::stopped::STOPPED;
use crate::game::PromptId;

/// Whether a struct of the mod's has that call.
fn gives<T>(table: &T, offset: usize) -> bool {
    let start = std::ptr::from_ref(table).cast::<Option<unsafe extern "C" fn()>>();
    // SAFETY: the offset is a call's of this struct.
    let call = unsafe { start.byte_add(offset) };
    // SAFETY: every call is an optional function, which all have one layout.
    unsafe { call.read() }.is_some()
}

#[test]
fn every_entry_that_the_mod_gives_the_game_is_in_the_list_once() {
    let host = FakeHost::new();
    load_quiet(&host);
    let Tables { module, hooks, page, .. } = host.tables(LOBBY);
    let given = |layout: Layout, gives: &dyn Fn(usize) -> bool| -> Vec<_> {
        let calls = layout.fields.iter().filter(|f| matches!(f.kind, FieldKind::Call { .. }));
        calls.filter(|f| gives(f.offset)).map(|f| (layout.name, f.name)).collect()
    };
    let mut expected = [
        given(OpenracMod::LAYOUT, &|offset| gives(&module, offset)),
        given(OpenracHooks::LAYOUT, &|offset| gives(&hooks, offset)),
        given(OpenracPageDef::LAYOUT, &|offset| gives(&page, offset)),
        vec![("OpenracPromptDone", "answered")],
    ]
    .concat();
    let mut listed: Vec<_> = ENTRIES.iter().map(|entry| (entry.table, entry.name)).collect();
    expected.sort_unstable();
    listed.sort_unstable();
    assert_eq!(listed, expected);
    host.unload();
}

/// What a game gets that calls this without a mod.
fn without_a_mod(entry: &Entry, tables: &Tables) -> Option<String> {
    entry.call(tables, null_mut())
}

/// Calls every entry but the last; answers those whose answer is not that of no mod.
fn call_all(tables: &Tables) -> Vec<&'static str> {
    let entries = ENTRIES.iter().filter(|entry| !entry.is_the_end());
    let odd = entries
        .filter(|entry| entry.call(tables, tables.module.user) != without_a_mod(entry, tables));
    odd.map(|entry| entry.name).collect()
}

/// The panic of one entry, and all that has to follow.
fn panics(entry: &Entry, prepare: impl FnOnce(&Hosting), place: &str) {
    let host = FakeHost::new();
    let hosting = Hosting::in_game(&host);
    let tables = host.tables(LOBBY);
    prepare(&hosting);
    let what = format!("{} failing {place}", entry.name);
    let answer = entry.call(&tables, tables.module.user);
    fail_in(None);
    assert_eq!(answer, without_a_mod(entry, &tables), "{what}");
    if entry.is_the_end() {
        // Without its last words to the socket thread: that ends, and leaves the party by itself.
        assert!(hosting.is_over(), "{what}");
    } else {
        assert!(hosting.has_left(), "{what}");
        assert_eq!(host.calls_with(&format!("message {STOPPED}")), 1, "{what}");
        stays_quiet(&host, &tables, &what);
        host.unload();
    }
    let lines = host.lines.borrow();
    let why = format!("in {}: ", entry.name);
    let told = lines.iter().filter(|line| line.contains(STOPPED));
    let told: Vec<_> = told.filter(|line| line.contains(&why) && line.contains(".rs:")).collect();
    assert_eq!(told.len(), 1, "{what}: {lines:?}");
}

/// A mod that stopped: its pages say so and can be left, and that is all.
fn stays_quiet(host: &FakeHost, tables: &Tables, what: &str) {
    let before = host.lines.borrow().len();
    host.show(LOBBY);
    host.called.take();
    for _ in 0..3 {
        let odd = call_all(tables);
        assert_eq!(odd, ["title", "line_count", "line"], "{what}");
        host.tick();
    }
    assert_eq!(host.lines_of(LOBBY), [STOPPED]);
    assert_eq!(host.called.take(), BTreeSet::from(["page_close"]), "{what}");
    assert_eq!(host.lines.borrow().len(), before, "{what}");
}

#[test]
fn a_panic_in_any_entry_leaves_the_party_and_then_there_is_no_mod() {
    for entry in ENTRIES {
        panics(entry, |_| fail_in(Some(entry.name)), "at the boundary");
        if let Some(core) = entry.core {
            panics(entry, |hosting| hosting.fails.set(Some(core)), "in the core");
        }
        // The page that shows is made anew then.
        if entry.name == "tick" || entry.name == "shown" {
            panics(entry, |hosting| hosting.fails.set(Some("page")), "in the core's page");
        }
    }
}

#[test]
fn a_panic_in_the_export_leaves_a_loaded_mod_that_is_stopped() {
    let host = FakeHost::new();
    fail_in(Some(sdk::ENTRY_SYMBOL));
    let did = load_quiet(&host);
    fail_in(None);
    assert_eq!(host.lines_with("in openrac_mod_entry: "), 1, "{:?}", host.lines);
    assert_eq!(*did.borrow(), ["end"]);
    assert_eq!(host.called.take().into_iter().collect::<Vec<_>>(), ["log", "message", "setting"]);
    host.tick();
    host.unload();
    assert!(host.called.take().is_empty());
}

/// What is taken to another thread.
struct Away<'a>(&'a Entry, Tables);

// SAFETY: an entry looks, on a wrong thread, only at what every thread may; the test waits for it.
unsafe impl Send for Away<'_> {}

impl Away<'_> {
    fn call(&self) -> Option<String> {
        self.0.call(&self.1, self.1.module.user)
    }
}

#[test]
fn a_call_from_a_wrong_thread_is_refused_and_told_of_once() {
    for entry in ENTRIES {
        let host = FakeHost::new();
        let did = Did::default();
        let core = TestCore {
            did: Rc::clone(&did),
            ..TestCore::new(|name, game| {
                if name == "page_event" {
                    game.prompt(PromptId::Leave, "Leave?", "Yes", "No");
                }
            })
        };
        load_boxed(&host, Box::new(core));
        host.show(HOME);
        let tables = host.tables(HOME);
        did.take();
        host.called.take();
        for _ in 0..3 {
            let away = Away(entry, tables);
            let answer = std::thread::scope(|scope| scope.spawn(move || away.call()).join());
            assert_eq!(answer.ok(), Some(without_a_mod(entry, &tables)), "{}", entry.name);
        }
        assert_eq!(
            (did.take(), host.called.take()),
            (Vec::new(), BTreeSet::new()),
            "{}",
            entry.name
        );
        host.tick();
        host.tick();
        let words = format!("the game called {} from another thread", entry.name);
        assert_eq!(host.lines_with(&words), 1, "{:?}", host.lines.borrow());
        assert_eq!(did.take(), ["tick", "tick"], "it goes on");
        host.unload();
        assert_eq!(did.take(), ["end"]);
    }
}

#[test]
fn a_stray_call_that_no_tick_has_told_of_is_told_of_at_the_end() {
    let host = FakeHost::new();
    load_quiet(&host);
    let away = Away(&ENTRIES[0], host.tables(HOME));
    std::thread::scope(|scope| scope.spawn(move || away.call()).join()).expect("no panic");
    host.unload();
    assert_eq!(host.lines_with("the game called tick from another thread"), 1);
}

/// The core's calls in which the game is called; its gate decides without.
fn reaches_the_game(entry: &Entry) -> bool {
    entry.core.is_some_and(|core| core != "gate")
}

/// From inside each call of the game's, once, every entry is called.
fn react_with_everything(host: &FakeHost, tables: Tables, reacted: Rc<RefCell<BTreeSet<String>>>) {
    let inside = Cell::new(false);
    *host.reaction.borrow_mut() = Some(Rc::new(move |host, call| {
        if inside.get() || !reacted.borrow_mut().insert(call.to_owned()) {
            return;
        }
        inside.set(true);
        for entry in ENTRIES.iter().filter(|entry| !entry.is_the_end()) {
            assert!(entry.call(&tables, tables.module.user).is_some(), "{}", entry.name);
            if entry.name == "answered" {
                // Each question is answered once.
                host.prompt.set(tables.prompt.map(|done| (Some(done), tables.module.user)));
            }
        }
        inside.set(false);
    }));
}

#[test]
fn every_entry_can_be_called_from_inside_any_call_of_any_entry() {
    for entry in ENTRIES.iter().filter(|entry| reaches_the_game(entry)) {
        let host = FakeHost::new();
        let did = Did::default();
        load_boxed(&host, Box::new(Busy { did: Rc::clone(&did) }));
        // Home shows, so that it is made anew after what happens on it; and a question is asked.
        host.show(HOME);
        let (tables, reacted) = (host.tables(HOME), Rc::default());
        did.take();
        host.called.take();
        react_with_everything(&host, tables, Rc::clone(&reacted));
        entry.call(&tables, tables.module.user);
        *host.reaction.borrow_mut() = None;
        let loading = ["hooks_set", "menu_item", "page_add"];
        let calls = host_calls().map(|call| call.name.to_owned());
        let calls: BTreeSet<_> = calls.filter(|name| !loading.contains(&name.as_str())).collect();
        assert_eq!(*reacted.borrow(), calls, "from inside {}", entry.name);
        if entry.is_the_end() {
            assert_eq!(*did.borrow(), ["end"], "nothing more reaches one that ends");
            continue;
        }
        // What was told waited, and came, at the latest with the next tick; what was asked was answered
        // from what stands.
        host.tick();
        let told = did.borrow().iter().filter(|did| *did == "happened").count();
        let of_a_round = ENTRIES.iter().filter(|entry| entry.core == Some("happened")).count();
        assert!(told >= of_a_round * calls.len(), "{told} from inside {}", entry.name);
        assert_eq!(host.lines_with(STOPPED), 0, "{:?}", host.lines.borrow());
        host.unload();
    }
}

#[test]
fn the_mod_can_be_unloaded_from_inside_any_call_of_any_entry() {
    for entry in ENTRIES.iter().filter(|entry| reaches_the_game(entry)) {
        for call in host_calls().map(|call| call.name) {
            let host = FakeHost::new();
            let did = Did::default();
            load_boxed(&host, Box::new(Busy { did: Rc::clone(&did) }));
            host.show(HOME);
            let tables = host.tables(HOME);
            let unloaded = Rc::new(Cell::new(false));
            let (seen, end) = (Rc::clone(&unloaded), did.borrow().len());
            *host.reaction.borrow_mut() = Some(Rc::new(move |host, name| {
                if name == call && !seen.replace(true) {
                    host.unload();
                    host.called.take();
                }
            }));
            let user: *mut c_void = tables.module.user;
            entry.call(&tables, user);
            if !unloaded.get() {
                // A call of the load: there is no mod to unload before it.
                if !entry.is_the_end() {
                    host.unload();
                }
                continue;
            }
            let after = host.called.take();
            assert!(entry.is_the_end() || after.is_empty(), "{after:?} after {call}");
            assert_eq!(did.borrow()[end..].last().map(String::as_str), Some("end"));
            assert_eq!(Rc::strong_count(&did), 1, "freed, from inside {call} of {}", entry.name);
        }
    }
}
