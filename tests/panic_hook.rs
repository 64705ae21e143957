//! The panic hook of a game that is written in Rust is the game's again when the mod is gone. One test,
//! as the hook is the process's.
#![allow(unsafe_code)]

#[path = "../src/ffi/tests/host/mod.rs"]
mod host;

use std::panic::{catch_unwind, set_hook, take_hook};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use host::{FakeHost, empty_module};
use openrac_multiplayer::ffi::openrac_mod_entry;
use sdk_bindings::LOADED;

fn load(host: &FakeHost) {
    let mut module = empty_module();
    // SAFETY: whole tables, and the host outlives the mod.
    let code = unsafe { openrac_mod_entry(&raw const host.table, &raw mut module) };
    assert_eq!(code, LOADED);
    host.module.set(module);
}

#[test]
fn the_games_own_hook_hears_the_games_panics_and_is_put_back() {
    let heard = Arc::new(AtomicUsize::new(0));
    let by_hook = Arc::clone(&heard);
    set_hook(Box::new(move |_| {
        by_hook.fetch_add(1, Ordering::Relaxed);
    }));
    let (first, second) = (FakeHost::new(), FakeHost::new());
    load(&first);
    load(&second);
    first.unload();
    assert!(catch_unwind(|| panic!("the game's own, while a mod is loaded")).is_err());
    assert_eq!(heard.load(Ordering::Relaxed), 1);
    second.unload();
    assert!(catch_unwind(|| panic!("the game's own, when none is")).is_err());
    assert_eq!(heard.load(Ordering::Relaxed), 2);
    // Ours held the game's: were it still there, the counter would still be shared with it.
    drop(take_hook());
    assert_eq!(Arc::strong_count(&heard), 1);
}
