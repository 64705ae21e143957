//! The game's table, copied as far as the game says it goes, and which of its groups are whole. A group
//! that lacks a call is off: half of one is of no use, and what is off is said once.

use std::mem::offset_of;

use sdk_bindings::OpenracHost;

/// Up to and with `minor`.
const HEAD: usize = offset_of!(OpenracHost, user);

/// The copy. Calls that lie beyond the game's table are `None` in it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Table {
    pub(super) calls: OpenracHost,
    pub(super) base: Group,
    pub(super) pages: Group,
    pub(super) play: Group,
    pub(super) world: Group,
}

/// A group of the interface's calls.
#[derive(Clone, Copy, Debug)]
pub(super) struct Group {
    pub(super) name: &'static str,
    /// The first call that is not there; the group is on if there is none.
    pub(super) missing: Option<&'static str>,
}

impl Group {
    pub(super) fn is_on(self) -> bool {
        self.missing.is_none()
    }
}

impl Table {
    /// Copies the game's table. `None`: it ends before its version.
    ///
    /// # Safety
    ///
    /// `host` is valid for reads of a `u32` and, when that says more, of so many bytes.
    pub(super) unsafe fn copy(host: *const OpenracHost) -> Option<Self> {
        // SAFETY: the caller promises these four bytes; a field's place needs no whole table.
        let size = unsafe { host.cast::<u32>().read() };
        let size = usize::try_from(size).unwrap_or(usize::MAX).min(size_of::<OpenracHost>());
        if size < HEAD {
            return None;
        }
        // Pointers come whole: a table that ends inside one ends before it.
        let size = size - size % size_of::<usize>();
        let mut calls = OpenracHost::ZERO;
        // SAFETY: the caller promises that many bytes; the copy has at least as many, and any part of
        // it that is not written stays zero, which is `None` and null.
        unsafe { host.cast::<u8>().copy_to_nonoverlapping((&raw mut calls).cast::<u8>(), size) };
        let group = |name, from, to| Group { name, missing: first_missing(&calls, from, to) };
        Some(Self {
            calls,
            base: group("Base", offset_of!(OpenracHost, log), offset_of!(OpenracHost, page_add)),
            pages: group(
                "Pages",
                offset_of!(OpenracHost, page_add),
                offset_of!(OpenracHost, phase),
            ),
            play: group("Play", offset_of!(OpenracHost, phase), offset_of!(OpenracHost, mobys)),
            world: group("World", offset_of!(OpenracHost, mobys), size_of::<OpenracHost>()),
        })
    }
}

/// The first call from one offset up to another that is not there.
fn first_missing(calls: &OpenracHost, from: usize, to: usize) -> Option<&'static str> {
    let range = from..to;
    let mut fields = OpenracHost::LAYOUT.fields.iter().filter(|f| range.contains(&f.offset));
    fields.find(|field| !is_there(calls, field.offset)).map(|field| field.name)
}

fn is_there(calls: &OpenracHost, offset: usize) -> bool {
    let start = std::ptr::from_ref(calls).cast::<Option<unsafe extern "C" fn()>>();
    // SAFETY: the offset is a field's of this struct.
    let call = unsafe { start.byte_add(offset) };
    // SAFETY: every field from `log` on is an optional function, which all have one layout; it is only
    // looked at, not called.
    unsafe { call.read() }.is_some()
}
