//! What the entry takes and what it refuses.

use std::collections::BTreeSet;

use sdk_bindings::{
    Field, LOADED, OpenracHost, OpenracMod, REFUSED_FAILED, REFUSED_NULL, REFUSED_TABLE,
    REFUSED_VERSION,
};

use crate::game::PageId;

use super::everything::Busy;
use super::host::{ENTRIES, FakeHost, empty_module, host_calls};
use super::{Did, HOME, load_boxed, load_quiet};
use crate::ffi::entry::{Refusal, load};
use crate::ffi::openrac_mod_entry;

const BASE_END: usize = 72;
const PAGES_END: usize = 128;
const PLAY_END: usize = 336;

/// Loads and, if that worked, plays a little, calls every entry there is, and unloads.
fn try_out(host: &FakeHost, table: *const OpenracHost) -> i32 {
    let mut module = empty_module();
    // SAFETY: a table as long as it says; the host outlives the mod.
    let code = unsafe { openrac_mod_entry(table, &raw mut module) };
    if code == LOADED {
        host.module.set(module);
        host.tick();
        if !host.pages.borrow().is_empty() {
            host.show(HOME);
            host.tick();
            host.back(HOME);
        }
        let tables = host.tables(HOME);
        for entry in ENTRIES.iter().filter(|entry| !entry.is_the_end()) {
            entry.call(&tables, module.user);
            host.tick();
        }
        host.unload();
    }
    code
}

#[test]
fn null_tables_are_refused() {
    let host = FakeHost::new();
    let (table, mut module) = (&raw const host.table, empty_module());
    // SAFETY: null pointers are what is tested.
    let code = unsafe { openrac_mod_entry(std::ptr::null(), &raw mut module) };
    assert_eq!(code, REFUSED_NULL);
    // SAFETY: as above.
    assert_eq!(unsafe { openrac_mod_entry(table, std::ptr::null_mut()) }, REFUSED_NULL);
    assert!(module.tick.is_none());
}

#[test]
fn another_version_is_refused_in_a_line_that_names_both() {
    for (major, minor) in [(0, 9), (2, 9), (2, 0), (1, 8), (1, 0)] {
        let mut host = FakeHost::new();
        (host.table.major, host.table.minor) = (major, minor);
        assert_eq!(try_out(&host, &raw const host.table), REFUSED_VERSION);
        let line = host.lines.borrow().join("\n");
        assert!(line.contains(&format!("version {major}.{minor} ")), "{line}");
        assert!(line.contains("this mod 1.9"), "{line}");
    }
}

#[test]
fn a_newer_minor_with_a_longer_table_is_taken() {
    #[repr(C)]
    struct Longer {
        table: OpenracHost,
        more: [usize; 8],
    }
    let host = FakeHost::new();
    let mut longer = Longer { table: host.table, more: [1; 8] };
    longer.table.minor = 42;
    longer.table.size += 64;
    assert_eq!(try_out(&host, (&raw const longer).cast()), LOADED);
    assert_eq!(longer.more, [1; 8]);
    assert_eq!(host.lines_with("off"), 0, "{:?}", host.lines.borrow());
}

/// What a table that ends there comes to: the code, and the calls that the log names.
fn expected_of(size: usize) -> (i32, Vec<&'static str>) {
    let first_missing_from = |start: usize, end: usize| {
        let mut fields = OpenracHost::LAYOUT.fields.iter();
        fields.find(|f| f.offset >= start && f.offset < end && f.offset + 8 > size).map(|f| f.name)
    };
    if size < 24 {
        return (REFUSED_TABLE, Vec::new());
    }
    if let Some(call) = first_missing_from(16, BASE_END) {
        return (REFUSED_TABLE, vec![call]);
    }
    let groups = [(BASE_END, PAGES_END), (PAGES_END, PLAY_END), (PLAY_END, 440)];
    (LOADED, groups.iter().filter_map(|&(a, b)| first_missing_from(a, b)).collect())
}

#[test]
fn a_table_cut_anywhere_is_read_no_further_than_it_goes() {
    let whole = size_of::<OpenracHost>();
    for size in 0..=whole {
        let host = FakeHost::new();
        // What lies beyond the end is not null, and not to be called.
        let mut bytes = vec![0x01_u8; whole + 8];
        let place = bytes.as_mut_ptr().wrapping_add(bytes.as_ptr().align_offset(8));
        // SAFETY: `size` bytes of the table, into a buffer that has more.
        unsafe { (&raw const host.table).cast::<u8>().copy_to_nonoverlapping(place, size) };
        let said = u32::try_from(size).expect("small");
        // SAFETY: the buffer has these four bytes, and is aligned.
        unsafe { place.cast::<u32>().write(said) };
        let code = try_out(&host, place.cast_const().cast());
        let (expected, calls) = expected_of(size);
        let lines = host.lines.borrow();
        assert_eq!(code, expected, "at {size}: {lines:?}");
        for call in &calls {
            let named = lines.iter().any(|line| line.ends_with(&format!("the game has no {call}")));
            assert!(named, "at {size}: no line names {call}: {lines:?}");
        }
        assert_eq!(host.lines_with("the game has no"), calls.len(), "at {size}: {lines:?}");
    }
}

#[test]
fn a_call_that_is_not_there_turns_its_group_off_and_is_named() {
    for field in OpenracHost::LAYOUT.fields.iter().filter(|field| field.offset >= 16) {
        let mut host = FakeHost::new();
        host.set_call(field.offset, None);
        let code = try_out(&host, &raw const host.table);
        let named = host.lines_with(&format!("the game has no {}", field.name));
        let (expected, lines) = match (field.offset < BASE_END, field.name) {
            (_, "log") => (REFUSED_TABLE, 0),
            (true, _) => (REFUSED_TABLE, 1),
            (false, _) => (LOADED, 1),
        };
        assert_eq!((code, named), (expected, lines), "without {}", field.name);
        let pages_off = (BASE_END..PAGES_END).contains(&field.offset) || field.offset < BASE_END;
        assert_eq!(host.pages.borrow().is_empty(), pages_off, "without {}", field.name);
    }
}

/// The group of that call: its place among the groups.
fn group_of(call: &Field) -> usize {
    [BASE_END, PAGES_END, PLAY_END].iter().filter(|&&end| call.offset >= end).count()
}

/// Loads a mod that makes every call there is, ticks it, and answers which calls came.
fn called_of(host: &FakeHost) -> BTreeSet<&'static str> {
    load_boxed(host, Box::new(Busy { did: Did::default() }));
    host.tick();
    host.unload();
    host.called.take()
}

/// The calls of the groups that are on.
fn calls_of(on: impl Fn(usize) -> bool) -> BTreeSet<&'static str> {
    host_calls().filter(|call| on(group_of(call))).map(|call| call.name).collect()
}

#[test]
fn a_game_that_has_every_call_gets_every_call() {
    assert_eq!(called_of(&FakeHost::new()), calls_of(|_| true));
}

#[test]
fn a_group_that_lacks_a_call_is_never_called_and_every_other_is() {
    for missing in host_calls().filter(|call| group_of(call) > 0) {
        let mut host = FakeHost::new();
        host.set_call(missing.offset, None);
        let expected = calls_of(|group| group != group_of(missing));
        assert_eq!(called_of(&host), expected, "without {}", missing.name);
        assert_eq!(host.lines_with(&format!("the game has no {}", missing.name)), 1);
    }
}

#[test]
fn of_a_table_cut_at_a_call_the_groups_before_it_are_called_and_no_other() {
    for missing in host_calls().filter(|call| group_of(call) > 0) {
        let mut host = FakeHost::new();
        host.table.size = u32::try_from(missing.offset).expect("small");
        let expected = calls_of(|group| group < group_of(missing));
        assert_eq!(called_of(&host), expected, "cut at {}", missing.name);
    }
}

#[test]
fn a_table_too_small_for_the_mods_calls_is_refused_and_not_written() {
    let host = FakeHost::new();
    let whole = u32::try_from(size_of::<OpenracMod>()).expect("small");
    for size in 0..whole {
        let mut module = OpenracMod { size, ..OpenracMod::ZERO };
        // SAFETY: whole tables, one of which says that it is not.
        let code = unsafe { openrac_mod_entry(&raw const host.table, &raw mut module) };
        assert_eq!(code, REFUSED_TABLE);
        assert_eq!((module.size, module.major), (size, 0));
        assert!(module.user.is_null() && module.tick.is_none() && module.unload.is_none());
    }
    assert_eq!(host.lines_with("too small"), size_of::<OpenracMod>());
}

#[test]
fn a_core_that_cannot_start_is_refused_with_its_reason() {
    let host = FakeHost::new();
    let mut module = empty_module();
    let table = &raw const host.table;
    let no_thread = |_: &_, _, _| Err(Refusal::Thread(std::io::Error::other("no more threads")));
    // SAFETY: whole tables.
    assert_eq!(unsafe { load(table, &raw mut module, no_thread) }, REFUSED_FAILED);
    assert_eq!(host.lines_with("no more threads"), 1);
    // SAFETY: whole tables.
    let code = unsafe { load(table, &raw mut module, |_, _, _| panic!("not made")) };
    assert_eq!(code, REFUSED_FAILED);
    assert_eq!(host.lines_with("not made (src/ffi/tests/entry.rs:"), 1, "{:?}", host.lines);
    assert!(module.tick.is_none());
}

/// B2.1, B2.8
#[test]
fn the_pages_and_their_menu_items_are_added() {
    let host = FakeHost::new();
    load_quiet(&host);
    let handle = |page: PageId| page.index() + 1;
    assert_eq!(host.pages.borrow().len(), PageId::ALL.len());
    assert_eq!(
        *host.calls.borrow(),
        [
            format!("menu_item 0 Load Game Multiplayer {}", handle(PageId::Home)),
            format!("menu_item 1 Video Multiplayer {}", handle(PageId::Pause)),
        ]
    );
    host.unload();
}
