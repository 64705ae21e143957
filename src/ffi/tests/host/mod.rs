//! A game's side of the interface for tests: a whole table whose calls keep what they were told, and
//! call back into the mod when a test says so. Used by the tests of the boundary and of the built
//! library, each its own part.
#![allow(dead_code)]

mod calls;
mod entries;

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::ffi::c_void;
use std::rc::Rc;

#[allow(unused_imports, reason = "each program that includes this uses its part")]
pub(crate) use entries::{ENTRIES, Entry, Tables};
use sdk_bindings as sdk;
use sdk_bindings::{
    FieldKind, OpenracHooks, OpenracHost, OpenracMod, OpenracPageDef, OpenracPromptDone, OpenracRow,
};

/// What a test does from inside a call of the game's; it is given the call's name.
pub(crate) type Reaction = Rc<dyn Fn(&FakeHost, &str)>;

/// See the module.
pub(crate) struct FakeHost {
    pub(crate) table: OpenracHost,
    /// The lines of the log.
    pub(crate) lines: RefCell<Vec<String>>,
    /// The calls that a test may want to see the arguments of, in order.
    pub(crate) calls: RefCell<Vec<String>>,
    /// Every call that came since this was taken, by name.
    pub(crate) called: RefCell<BTreeSet<&'static str>>,
    pub(crate) pages: RefCell<Vec<OpenracPageDef>>,
    pub(crate) prompt: Cell<Option<(OpenracPromptDone, *mut c_void)>>,
    pub(crate) reaction: RefCell<Option<Reaction>>,
    pub(crate) module: Cell<OpenracMod>,
    pub(crate) hooks: Cell<OpenracHooks>,
    /// How many mobys the level has.
    pub(crate) mobys: Cell<u32>,
}

/// The game's calls in the order of its table.
pub(crate) fn host_calls() -> impl Iterator<Item = &'static sdk::Field> {
    OpenracHost::LAYOUT.fields.iter().filter(|f| matches!(f.kind, FieldKind::Call { .. }))
}

impl FakeHost {
    pub(crate) fn new() -> Box<Self> {
        let mut host = Box::new(Self {
            table: OpenracHost::ZERO,
            lines: RefCell::default(),
            calls: RefCell::default(),
            called: RefCell::default(),
            pages: RefCell::default(),
            prompt: Cell::new(None),
            reaction: RefCell::new(None),
            module: Cell::new(empty_module()),
            hooks: Cell::new(OpenracHooks::ZERO),
            mobys: Cell::new(0),
        });
        let user = std::ptr::from_mut(&mut *host).cast();
        host.table = OpenracHost {
            size: u32::try_from(size_of::<OpenracHost>()).expect("small"),
            major: sdk::VERSION_MAJOR,
            minor: sdk::VERSION_MINOR,
            user,
            ..calls::table()
        };
        host
    }

    /// Puts a call, or none, at an offset of the table.
    pub(crate) fn set_call(&mut self, offset: usize, call: Option<unsafe extern "C" fn()>) {
        let start = (&raw mut self.table).cast::<Option<unsafe extern "C" fn()>>();
        // SAFETY: the offset is one of the table's fields.
        let place = unsafe { start.byte_add(offset) };
        // SAFETY: every call of the table is an optional function, which all have one layout.
        unsafe { place.write(call) };
    }

    fn from<'a>(user: *mut c_void) -> &'a Self {
        // SAFETY: `new` put it in the table, and every test keeps its host until the mod is unloaded.
        unsafe { &*user.cast::<Self>() }
    }

    fn did(&self, what: String) {
        self.calls.borrow_mut().push(what);
    }

    fn react(&self, name: &str) {
        let reaction = self.reaction.borrow().clone();
        if let Some(reaction) = reaction {
            reaction(self, name);
        }
    }

    /// What a game has of the mod, with that page of its pages.
    pub(crate) fn tables(&self, page: usize) -> Tables {
        Tables {
            module: self.module.get(),
            hooks: self.hooks.get(),
            page: self.pages.borrow().get(page).copied().unwrap_or(OpenracPageDef::ZERO),
            prompt: self.prompt.get().and_then(|(done, _)| done),
        }
    }

    pub(crate) fn lines_with(&self, words: &str) -> usize {
        self.lines.borrow().iter().filter(|line| line.contains(words)).count()
    }

    pub(crate) fn calls_with(&self, words: &str) -> usize {
        self.calls.borrow().iter().filter(|call| call.contains(words)).count()
    }

    pub(crate) fn page(&self, index: usize) -> OpenracPageDef {
        self.pages.borrow()[index]
    }

    pub(crate) fn title(&self, index: usize) -> String {
        let page = self.page(index);
        let title = page.title.expect("the mod gives titles");
        // SAFETY: the mod's own callback with its user.
        let title = unsafe { title(page.user) };
        // SAFETY: given just now, and the mod was not called since.
        unsafe { title.to_string_lossy() }
    }

    pub(crate) fn lines_of(&self, index: usize) -> Vec<String> {
        let page = self.page(index);
        let (count, line) = (page.line_count.expect("given"), page.line.expect("given"));
        // SAFETY: the mod's own callback with its user.
        let count = unsafe { count(page.user) };
        let one = |at| {
            // SAFETY: the mod's own callback with its user.
            let line = unsafe { line(page.user, at) };
            // SAFETY: given just now, and the mod was not called since.
            unsafe { line.to_string_lossy() }
        };
        (0..count).map(one).collect()
    }

    pub(crate) fn row(&self, index: usize, at: u32) -> Option<(String, String, u8, u8)> {
        let page = self.page(index);
        let (row, mut out) = (page.row.expect("given"), OpenracRow::ZERO);
        // SAFETY: the mod's own callback with its user, and a row to fill.
        if unsafe { row(page.user, at, &raw mut out) } == 0 {
            return None;
        }
        // SAFETY: given just now, and the mod was not called since.
        let label = unsafe { out.label.to_string_lossy() };
        // SAFETY: as above.
        let value = unsafe { out.value.to_string_lossy() };
        Some((label, value, out.kind, out.dim))
    }

    pub(crate) fn choose(&self, index: usize, row: u32) {
        let page = self.page(index);
        // SAFETY: the mod's own callback with its user.
        unsafe { page.choose.expect("given")(page.user, row) };
    }

    pub(crate) fn step(&self, index: usize, row: u32, direction: i32) {
        let page = self.page(index);
        // SAFETY: the mod's own callback with its user.
        unsafe { page.step.expect("given")(page.user, row, direction, 0) };
    }

    pub(crate) fn back(&self, index: usize) {
        let page = self.page(index);
        // SAFETY: the mod's own callback with its user.
        unsafe { page.back.expect("given")(page.user) };
    }

    pub(crate) fn show(&self, index: usize) {
        let page = self.page(index);
        // SAFETY: the mod's own callback with its user.
        unsafe { page.shown.expect("given")(page.user) };
    }

    pub(crate) fn hide(&self, index: usize) {
        let page = self.page(index);
        // SAFETY: the mod's own callback with its user.
        unsafe { page.hidden.expect("given")(page.user) };
    }

    pub(crate) fn answer(&self, answer: u8) {
        let (done, user) = self.prompt.take().expect("a prompt shows");
        // SAFETY: the mod's own callback with its user.
        unsafe { done.expect("given")(user, answer) };
    }

    pub(crate) fn tick(&self) {
        let module = self.module.get();
        // SAFETY: the mod's own call with its user.
        unsafe { module.tick.expect("filled")(module.user) };
    }

    pub(crate) fn unload(&self) {
        let module = self.module.get();
        // SAFETY: the mod's own call with its user.
        unsafe { module.unload.expect("filled")(module.user) };
    }
}

/// The mod's table as a game hands it to the entry.
pub(crate) fn empty_module() -> OpenracMod {
    OpenracMod {
        size: u32::try_from(size_of::<OpenracMod>()).expect("small"),
        major: sdk::VERSION_MAJOR,
        minor: sdk::VERSION_MINOR,
        ..OpenracMod::ZERO
    }
}
