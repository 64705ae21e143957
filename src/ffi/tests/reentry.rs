//! A game that calls back from inside the mod's calls, and one that unloads the mod there.

use std::cell::Cell;
use std::rc::Rc;

use super::host::{FakeHost, Reaction};
use super::{HOME, LOBBY, load_acting, load_quiet};
use crate::game::{LogLevel, PageId};

/// Does everything a page can, once, when a call of that name comes.
fn everything_in(call: &'static str) -> Reaction {
    let done = Cell::new(false);
    Rc::new(move |host, name| {
        if name != call || done.replace(true) {
            return;
        }
        host.hide(HOME);
        host.show(LOBBY);
        host.title(LOBBY);
        host.lines_of(LOBBY);
        host.row(LOBBY, 0);
        host.choose(LOBBY, 3);
        host.step(LOBBY, 4, -1);
        host.back(LOBBY);
        host.tick();
    })
}

#[test]
fn what_comes_from_inside_a_call_is_done_when_that_call_is_over_in_order() {
    for call in ["page_open", "message", "log", "phase", "prompt", "menu_sound", "page_close"] {
        let host = FakeHost::new();
        let did = load_acting(&host, |name, game| {
            if name == "tick" {
                game.page_open(PageId::Lobby);
                game.message("hello", 1.0);
                game.log(LogLevel::Info, "hello");
                game.phase();
                game.prompt(crate::game::PromptId::Leave, "Leave?", "Yes", "No");
                game.menu_sound(crate::game::MenuSound::Back);
                game.page_close();
            }
        });
        host.show(HOME);
        assert_eq!(host.title(HOME), "Home");
        *host.reaction.borrow_mut() = Some(everything_in(call));
        host.tick();
        assert_eq!(
            *did.borrow(),
            [
                "Home Shown",
                "tick",
                "Home Hidden",
                "Lobby Shown",
                "Lobby Choose { row: 3 }",
                "Lobby Step { row: 4, right: false, held_ticks: 0 }",
                "Lobby Back",
            ],
            "from inside {call}"
        );
        assert_eq!(host.title(LOBBY), "Lobby");
        host.unload();
    }
}

#[test]
fn a_page_can_be_read_while_the_core_makes_it() {
    let host = FakeHost::new();
    load_acting(&host, |name, game| {
        if name == "page" {
            game.phase();
        }
    });
    host.show(LOBBY);
    *host.reaction.borrow_mut() = Some(Rc::new(|host, _| assert_eq!(host.title(LOBBY), "Lobby")));
    host.tick();
    assert_eq!(host.row(LOBBY, 0), Some(("Row".to_owned(), String::new(), 0, 1)));
    assert_eq!(host.row(LOBBY, 1), None);
    host.unload();
}

#[test]
fn a_prompts_answer_reaches_the_core() {
    for answer in [0, 1] {
        let host = FakeHost::new();
        let did = load_acting(&host, |name, game| {
            if name == "tick" {
                game.prompt(crate::game::PromptId::Leave, "Leave?", "Yes", "No");
            }
        });
        host.tick();
        host.answer(answer);
        assert_eq!(did.borrow()[1], format!("Leave {}", answer == 1));
        host.unload();
    }
}

#[test]
fn an_unload_from_inside_a_callback_waits_for_it_and_the_game_is_called_no_more() {
    let host = FakeHost::new();
    let did = load_acting(&host, |name, game| {
        if name == "tick" {
            game.page_open(PageId::Lobby);
            game.message("after the unload", 1.0);
            game.log(LogLevel::Info, "after the unload");
        }
        if name == "end" {
            game.message("at the end", 1.0);
        }
    });
    let seen = Rc::clone(&did);
    *host.reaction.borrow_mut() = Some(Rc::new(move |host, _| {
        host.choose(HOME, 0);
        host.unload();
        host.choose(HOME, 1);
        assert_eq!(*seen.borrow(), ["tick"], "its core is still running");
    }));
    host.tick();
    assert_eq!(*did.borrow(), ["tick", "end"]);
    assert_eq!(Rc::strong_count(&did), 2, "the instance is freed: ours, and the reaction's");
    assert_eq!(host.calls_with("page_open"), 1);
    assert_eq!(host.calls_with("message"), 0);
    assert_eq!(host.lines_with("after"), 0);
}

#[test]
fn callbacks_from_inside_an_unload_do_nothing() {
    let host = FakeHost::new();
    let did = load_acting(&host, |name, game| {
        if name == "end" {
            game.page_close();
        }
    });
    host.show(HOME);
    assert_eq!(host.title(HOME), "Home");
    *host.reaction.borrow_mut() = Some(Rc::new(|host, _| {
        assert_eq!(host.title(HOME), "");
        host.choose(HOME, 0);
        host.tick();
        host.unload();
        host.hide(HOME);
    }));
    host.unload();
    assert_eq!(*did.borrow(), ["Home Shown", "end"]);
    assert_eq!(Rc::strong_count(&did), 1, "the instance is freed once");
}

#[test]
fn callbacks_without_an_instance_do_nothing() {
    let host = FakeHost::new();
    load_quiet(&host);
    for page in host.pages.borrow_mut().iter_mut() {
        page.user = std::ptr::null_mut();
    }
    host.show(HOME);
    host.choose(HOME, 0);
    assert_eq!(host.title(HOME), "");
    assert_eq!(host.row(HOME, 0), None);
    host.unload();
}
