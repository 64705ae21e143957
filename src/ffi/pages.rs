//! The pages' callbacks. Those that the game draws from read what was last published; those that tell
//! what the player did put it in the instance's list. The page is part of the function, so that all of
//! an instance's callbacks are given the instance and nothing else.

use std::ffi::c_void;

use sdk_bindings as sdk;
use sdk_bindings::{OpenracPageDef, OpenracRow, OpenracStr};

use super::guard::enter;
use crate::front::Input;
use crate::game::{PageEvent, PageId, PageView, RowKind};

/// A page's definition for the game, by [`PageId::index`].
pub(super) fn definition(page: PageId, user: *mut c_void) -> OpenracPageDef {
    const DEFINITIONS: [fn(*mut c_void) -> OpenracPageDef; PageId::ALL.len()] = [
        define::<0>,
        define::<1>,
        define::<2>,
        define::<3>,
        define::<4>,
        define::<5>,
        define::<6>,
        define::<7>,
        define::<8>,
    ];
    DEFINITIONS[page.index()](user)
}

fn define<const PAGE: usize>(user: *mut c_void) -> OpenracPageDef {
    OpenracPageDef {
        size: u32::try_from(size_of::<OpenracPageDef>()).expect("a definition is small"),
        user,
        title: Some(title::<PAGE>),
        line_count: Some(line_count::<PAGE>),
        line: Some(line::<PAGE>),
        row_count: Some(row_count::<PAGE>),
        row: Some(row::<PAGE>),
        footer_count: Some(footer_count::<PAGE>),
        footer_line: Some(footer_line::<PAGE>),
        choose: Some(choose::<PAGE>),
        step: Some(step::<PAGE>),
        back: Some(back::<PAGE>),
        shown: Some(shown::<PAGE>),
        hidden: Some(hidden::<PAGE>),
        ..OpenracPageDef::ZERO
    }
}

/// # Safety
///
/// As for [`enter`], here and for every callback below: the game calls them as the header says.
unsafe fn read<const PAGE: usize, R>(
    user: *mut c_void,
    call: &'static str,
    otherwise: R,
    read: impl FnOnce(&PageView) -> R,
) -> R {
    // SAFETY: the game calls as the header says.
    unsafe { enter(user, call, otherwise, |instance| instance.front.view(PageId::ALL[PAGE], read)) }
}

/// # Safety
///
/// As for [`read`].
unsafe fn did<const PAGE: usize>(user: *mut c_void, call: &'static str, event: PageEvent) {
    let input = Input::Page(PageId::ALL[PAGE], event);
    // SAFETY: the game calls as the header says.
    unsafe { enter(user, call, (), |instance| instance.input(input)) }
}

fn count(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

fn index(index: u32) -> usize {
    usize::try_from(index).unwrap_or(usize::MAX)
}

fn nth(lines: &[String], at: u32) -> OpenracStr {
    lines.get(index(at)).map_or(OpenracStr::ZERO, |line| OpenracStr::new(line))
}

unsafe extern "C" fn title<const PAGE: usize>(user: *mut c_void) -> OpenracStr {
    // SAFETY: the game calls as the header says.
    unsafe { read::<PAGE, _>(user, "title", OpenracStr::ZERO, |view| OpenracStr::new(&view.title)) }
}

unsafe extern "C" fn line_count<const PAGE: usize>(user: *mut c_void) -> u32 {
    // SAFETY: the game calls as the header says.
    unsafe { read::<PAGE, _>(user, "line_count", 0, |view| count(view.lines.len())) }
}

unsafe extern "C" fn line<const PAGE: usize>(user: *mut c_void, at: u32) -> OpenracStr {
    // SAFETY: the game calls as the header says.
    unsafe { read::<PAGE, _>(user, "line", OpenracStr::ZERO, |view| nth(&view.lines, at)) }
}

unsafe extern "C" fn row_count<const PAGE: usize>(user: *mut c_void) -> u32 {
    // SAFETY: the game calls as the header says.
    unsafe { read::<PAGE, _>(user, "row_count", 0, |view| count(view.rows.len())) }
}

unsafe extern "C" fn row<const PAGE: usize>(
    user: *mut c_void,
    at: u32,
    out: *mut OpenracRow,
) -> u8 {
    let row = |view: &PageView| {
        let row = view.rows.get(index(at))?;
        Some(OpenracRow {
            label: OpenracStr::new(&row.label),
            value: OpenracStr::new(&row.value),
            kind: match row.kind {
                RowKind::Button => sdk::ROW_ACTION,
                RowKind::Value => sdk::ROW_VALUE,
                RowKind::Text => sdk::ROW_TEXT,
            },
            dim: u8::from(row.dim),
            ..OpenracRow::ZERO
        })
    };
    // SAFETY: the game calls as the header says.
    let Some(row) = (unsafe { read::<PAGE, _>(user, "row", None, row) }) else { return 0 };
    if out.is_null() {
        return 0;
    }
    // SAFETY: not null, so the game's own row to be filled.
    unsafe { out.write(row) };
    1
}

unsafe extern "C" fn footer_count<const PAGE: usize>(user: *mut c_void) -> u32 {
    // SAFETY: the game calls as the header says.
    unsafe { read::<PAGE, _>(user, "footer_count", 0, |view| count(view.footer.len())) }
}

unsafe extern "C" fn footer_line<const PAGE: usize>(user: *mut c_void, at: u32) -> OpenracStr {
    // SAFETY: the game calls as the header says.
    unsafe { read::<PAGE, _>(user, "footer_line", OpenracStr::ZERO, |view| nth(&view.footer, at)) }
}

unsafe extern "C" fn choose<const PAGE: usize>(user: *mut c_void, row: u32) {
    // SAFETY: the game calls as the header says.
    unsafe { did::<PAGE>(user, "choose", PageEvent::Choose { row: index(row) }) }
}

unsafe extern "C" fn step<const PAGE: usize>(
    user: *mut c_void,
    row: u32,
    direction: i32,
    held_ticks: u32,
) {
    let event = PageEvent::Step { row: index(row), right: direction > 0, held_ticks };
    // SAFETY: the game calls as the header says.
    unsafe { did::<PAGE>(user, "step", event) }
}

unsafe extern "C" fn back<const PAGE: usize>(user: *mut c_void) {
    // SAFETY: the game calls as the header says.
    unsafe { did::<PAGE>(user, "back", PageEvent::Back) }
}

unsafe extern "C" fn shown<const PAGE: usize>(user: *mut c_void) {
    // SAFETY: the game calls as the header says.
    unsafe { did::<PAGE>(user, "shown", PageEvent::Shown) }
}

unsafe extern "C" fn hidden<const PAGE: usize>(user: *mut c_void) {
    // SAFETY: the game calls as the header says.
    unsafe { did::<PAGE>(user, "hidden", PageEvent::Hidden) }
}

/// What a prompt calls with its answer.
pub(super) unsafe extern "C" fn answered(user: *mut c_void, answer: u8) {
    let take = |instance: &super::instance::Instance| {
        // One prompt shows at a time, so the answer is to the last one.
        if let Some(prompt) = instance.game.take_asked() {
            instance.input(Input::Answer(prompt, answer == sdk::PROMPT_YES));
        }
    };
    // SAFETY: the game calls as the header says.
    unsafe { enter(user, "answered", (), take) }
}
