//! A panic in any entry stops the mod and not the game.

use std::ffi::c_void;

use super::host::FakeHost;
use super::{HOME, LOBBY, load_acting, load_quiet};

use crate::ffi::guard::enter;
use crate::ffi::instance::Instance;
use crate::ffi::stopped::STOPPED;
use crate::game::{Game, LogLevel, PageId, PromptId};

/// Plays through every entry there is.
fn play(host: &FakeHost) {
    host.show(HOME);
    host.tick();
    host.choose(HOME, 0);
    host.step(HOME, 0, 1);
    host.back(HOME);
    if host.prompt.get().is_some() {
        host.answer(1);
    }
    host.hide(HOME);
    host.tick();
}

#[test]
fn a_panic_in_any_call_is_logged_with_its_place_and_said_once() {
    for fails_in in ["tick", "page_event", "answered", "page"] {
        let host = FakeHost::new();
        let did = load_acting(&host, move |name, game| {
            if name == "tick" {
                game.prompt(PromptId::Leave, "Leave?", "Yes", "No");
            }
            assert!(name != fails_in, "{name} failed on purpose");
        });
        play(&host);
        let lines = host.lines.borrow().join("\n");
        let words = format!("{fails_in} failed on purpose (src/ffi/tests/panics.rs:");
        assert!(lines.contains(&words), "{lines}");
        assert_eq!(host.lines_with(STOPPED), 1, "{lines}");
        assert_eq!(host.calls_with(&format!("message {STOPPED}")), 1);
        assert_eq!(did.borrow().last().map(String::as_str), Some("end"), "the party is left");
        let (calls, done) = (host.calls.borrow().len(), did.borrow().len());
        play(&host);
        // Only leaving its page still does something.
        assert_eq!(host.calls.borrow()[calls..], ["page_close"], "after {fails_in}");
        assert_eq!(did.borrow().len(), done);
        host.unload();
        assert_eq!(host.calls_with("message"), 1);
    }
}

#[test]
fn the_pages_of_a_stopped_mod_say_so_and_can_be_left() {
    let host = FakeHost::new();
    load_acting(&host, |name, _| assert!(name != "page_event", "on purpose"));
    host.show(LOBBY);
    assert_eq!(host.lines_of(LOBBY), [STOPPED]);
    host.back(LOBBY);
    assert_eq!(host.calls_with("page_close"), 1);
    host.show(HOME);
    assert_eq!(host.lines_of(HOME), [STOPPED]);
    host.unload();
}

#[test]
fn a_core_whose_end_panics_too_is_still_stopped() {
    let host = FakeHost::new();
    load_acting(&host, |name, _| assert!(name != "tick" && name != "end", "{name} on purpose"));
    host.tick();
    host.tick();
    assert_eq!(host.lines_with("tick on purpose"), 1);
    assert_eq!(host.lines_with("end on purpose"), 1);
    assert_eq!(host.calls_with(STOPPED), 1);
    host.unload();
}

#[test]
fn a_panic_in_unload_does_not_reach_the_game() {
    let host = FakeHost::new();
    let did = load_acting(&host, |name, _| assert!(name != "end", "on purpose"));
    host.unload();
    assert_eq!(*did.borrow(), ["end"]);
}

#[test]
fn a_panic_in_an_inner_callback_silences_the_outer_call_and_then_stops_the_mod() {
    let host = FakeHost::new();
    let did = load_quiet(&host);
    let user: *mut c_void = host.module.get().user;
    let outer = |instance: &Instance| {
        // SAFETY: the instance of this test, on this thread.
        let inner = unsafe { enter(user, "inner", 7, |_| panic!("inside")) };
        assert_eq!(inner, 7);
        instance.game.log(LogLevel::Info, "not to be heard");
        instance.game.page_open(PageId::Home);
        assert_eq!(host.calls_with("message"), 0, "stopped only when the outer call is over");
    };
    // SAFETY: as above.
    unsafe { enter(user, "outer", (), outer) };
    assert_eq!(host.lines_with("not to be heard"), 0);
    assert_eq!(host.calls_with("page_open"), 0);
    assert_eq!(host.lines_with("inside (src/ffi/tests/panics.rs:"), 1);
    assert_eq!(host.calls_with(STOPPED), 1);
    assert_eq!(*did.borrow(), ["end"]);
    host.unload();
}

#[test]
fn a_second_panic_is_logged_but_not_said_again() {
    let host = FakeHost::new();
    load_quiet(&host);
    let user = host.module.get().user;
    for words in ["first", "second"] {
        // SAFETY: the instance of this test, on this thread.
        unsafe { enter(user, "test", (), |_| panic!("{words}")) };
        assert_eq!(host.lines_with(words), 1);
    }
    assert_eq!(host.calls_with(STOPPED), 1);
    host.unload();
}
