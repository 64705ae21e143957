//! The built library, loaded and unloaded as a game does it. One test, so that nothing else in this
//! process starts or ends a thread.
#![allow(unsafe_code)]

#[path = "../src/ffi/tests/host/mod.rs"]
mod host;

use std::path::PathBuf;

use host::FakeHost;
use sdk_bindings::ModLibrary;

const HOME: usize = 0;

/// The library that this test was built with.
fn library() -> PathBuf {
    let name = format!(
        "{}openrac_multiplayer{}",
        std::env::consts::DLL_PREFIX,
        std::env::consts::DLL_SUFFIX
    );
    let mut path = std::env::current_exe().expect("this program has a path");
    path.set_file_name(name);
    path
}

/// This process's threads and open descriptors; nothing where the system does not list them.
fn threads_and_descriptors() -> Option<(usize, usize)> {
    let count = |folder: &str| std::fs::read_dir(folder).ok().map(Iterator::count);
    Some((count("/proc/self/task")?, count("/proc/self/fd")?))
}

/// The same once they have settled: the system lists a thread for a moment after it was joined.
fn settled(expected: Option<(usize, usize)>) -> Option<(usize, usize)> {
    let mut now = threads_and_descriptors();
    for _ in 0..1_000_000 {
        if now == expected {
            break;
        }
        std::thread::yield_now();
        now = threads_and_descriptors();
    }
    now
}

fn cycle(library: &ModLibrary, before: Option<(usize, usize)>) {
    assert_eq!(settled(before), before);
    let (first, second) = (FakeHost::new(), FakeHost::new());
    // SAFETY: a whole table, whose host outlives the mod.
    let mut a = unsafe { library.load(&raw const first.table) }.expect("it takes this game");
    // SAFETY: as above.
    let mut b = unsafe { library.load(&raw const second.table) }.expect("it takes another");
    let meanwhile = threads_and_descriptors();
    assert_eq!(meanwhile.map(|(threads, _)| threads), before.map(|(threads, _)| threads + 2));
    for _ in 0..3 {
        a.tick();
        first.show(HOME);
        assert!(first.row(HOME, 0).is_some(), "Home has rows");
        first.hide(HOME);
        b.tick();
        b.drawn();
    }
    a.unload();
    b.tick();
    b.unload();
    assert!(first.lines.borrow().iter().any(|line| line.contains("Qwark")), "{:?}", first.lines);
    assert_eq!(first.lines_with("has not ended"), 0);
}

#[test]
fn two_hundred_cycles_leave_the_threads_and_descriptors_as_they_were() {
    // SAFETY: the library of this workspace.
    let library = unsafe { ModLibrary::open(&library()) }.expect("cargo built it beside this test");
    let start = threads_and_descriptors();
    cycle(&library, start);
    let before = settled(start);
    for _ in 0..200 {
        cycle(&library, before);
    }
    assert_eq!(settled(before), before);
}
