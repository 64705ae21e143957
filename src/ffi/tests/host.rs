//! A game's side of the interface for tests: a whole table whose calls keep what they were told, and
//! call back into the mod when a test says so. Used by the tests of the boundary and of the built
//! library, each its own part.
#![allow(dead_code)]

use std::cell::{Cell, RefCell};
use std::ffi::c_void;
use std::rc::Rc;

use sdk_bindings as sdk;
use sdk_bindings::{
    OpenracHooks, OpenracHost, OpenracMoby, OpenracMobyHandle, OpenracMod, OpenracPageDef,
    OpenracPageHandle, OpenracPromptDone, OpenracRow, OpenracStr,
};

/// What a test does from inside a call of the game's; it is given the call's name.
pub(crate) type Reaction = Rc<dyn Fn(&FakeHost, &str)>;

/// See the module.
pub(crate) struct FakeHost {
    pub(crate) table: OpenracHost,
    /// The lines of the log.
    pub(crate) lines: RefCell<Vec<String>>,
    /// The calls that have an effect, in order, but the log.
    pub(crate) calls: RefCell<Vec<String>>,
    pub(crate) pages: RefCell<Vec<OpenracPageDef>>,
    pub(crate) prompt: Cell<Option<(OpenracPromptDone, *mut c_void)>>,
    pub(crate) reaction: RefCell<Option<Reaction>>,
    pub(crate) module: Cell<OpenracMod>,
    pub(crate) hooks: Cell<OpenracHooks>,
    /// How many mobys the level has.
    pub(crate) mobys: Cell<u32>,
}

/// Stands in each place that no typed call below is put in: it is there, and never called.
unsafe extern "C" fn not_for_this_test() {
    std::process::abort();
}

impl FakeHost {
    pub(crate) fn new() -> Box<Self> {
        let mut host = Box::new(Self {
            table: OpenracHost::ZERO,
            lines: RefCell::default(),
            calls: RefCell::default(),
            pages: RefCell::default(),
            prompt: Cell::new(None),
            reaction: RefCell::new(None),
            module: Cell::new(empty_module()),
            hooks: Cell::new(OpenracHooks::ZERO),
            mobys: Cell::new(0),
        });
        for field in OpenracHost::LAYOUT.fields.iter().filter(|f| f.name == "log" || f.offset > 16)
        {
            host.set_call(field.offset, Some(not_for_this_test));
        }
        let user = std::ptr::from_mut(&mut *host).cast();
        host.table = OpenracHost {
            size: u32::try_from(size_of::<OpenracHost>()).expect("small"),
            major: sdk::VERSION_MAJOR,
            minor: sdk::VERSION_MINOR,
            user,
            log: Some(log),
            setting: Some(setting),
            launcher_name: Some(launcher_name),
            build: Some(build),
            page_add: Some(page_add),
            menu_item: Some(menu_item),
            page_open: Some(page_open),
            page_close: Some(page_close),
            page_cursor: Some(page_cursor),
            prompt: Some(prompt),
            menu_sound: Some(menu_sound),
            phase: Some(phase),
            level: Some(level),
            level_name: Some(level_name),
            hero_pose: Some(hero_pose),
            menus_pause: Some(menus_pause),
            message: Some(message),
            hooks_set: Some(hooks_set),
            moby_kill: Some(moby_kill),
            moby_break: Some(moby_break),
            mobys: Some(mobys),
            ..host.table
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

    fn did(&self, name: &str, what: String) {
        self.calls.borrow_mut().push(what);
        self.react(name);
    }

    fn react(&self, name: &str) {
        let reaction = self.reaction.borrow().clone();
        if let Some(reaction) = reaction {
            reaction(self, name);
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

fn copied(text: OpenracStr) -> String {
    // SAFETY: the mod gave it to a call that has not returned.
    unsafe { text.to_string_lossy() }
}

unsafe extern "C" fn log(user: *mut c_void, _level: u8, text: OpenracStr) {
    let host = FakeHost::from(user);
    host.lines.borrow_mut().push(copied(text));
    host.react("log");
}

unsafe extern "C" fn setting(_user: *mut c_void, key: OpenracStr) -> OpenracStr {
    OpenracStr::new(match copied(key).as_str() {
        "Name" => "Qwark",
        // Nobody listens there: these tests need no server, and look up no name.
        "Server" => "127.0.0.1:1",
        _ => "",
    })
}

unsafe extern "C" fn launcher_name(_user: *mut c_void) -> OpenracStr {
    OpenracStr::ZERO
}

unsafe extern "C" fn build(_user: *mut c_void) -> OpenracStr {
    OpenracStr::new("1.2.0/TEST-00001")
}

unsafe extern "C" fn page_add(user: *mut c_void, def: *const OpenracPageDef) -> OpenracPageHandle {
    let host = FakeHost::from(user);
    // SAFETY: the mod gave it to this call.
    host.pages.borrow_mut().push(unsafe { *def });
    let count = host.pages.borrow().len();
    host.react("page_add");
    u32::try_from(count).expect("small")
}

unsafe extern "C" fn menu_item(
    user: *mut c_void,
    menu: u8,
    after: OpenracStr,
    label: OpenracStr,
    page: OpenracPageHandle,
) -> u8 {
    let what = format!("menu_item {menu} {} {} {page}", copied(after), copied(label));
    FakeHost::from(user).did("menu_item", what);
    1
}

unsafe extern "C" fn page_open(user: *mut c_void, page: OpenracPageHandle) {
    FakeHost::from(user).did("page_open", format!("page_open {page}"));
}

unsafe extern "C" fn page_cursor(user: *mut c_void, row: u32) {
    FakeHost::from(user).did("page_cursor", format!("page_cursor {row}"));
}

unsafe extern "C" fn page_close(user: *mut c_void) {
    FakeHost::from(user).did("page_close", "page_close".to_owned());
}

unsafe extern "C" fn prompt(
    user: *mut c_void,
    text: OpenracStr,
    _yes: OpenracStr,
    _no: OpenracStr,
    done: OpenracPromptDone,
    done_user: *mut c_void,
) -> u8 {
    let host = FakeHost::from(user);
    host.prompt.set(Some((done, done_user)));
    host.did("prompt", format!("prompt {}", copied(text)));
    1
}

unsafe extern "C" fn menu_sound(user: *mut c_void, which: u8) {
    FakeHost::from(user).did("menu_sound", format!("menu_sound {which}"));
}

unsafe extern "C" fn phase(user: *mut c_void) -> u8 {
    FakeHost::from(user).react("phase");
    sdk::PHASE_TITLE
}

unsafe extern "C" fn level(_user: *mut c_void) -> i32 {
    sdk::LEVEL_NONE
}

unsafe extern "C" fn level_name(_user: *mut c_void, _level: i32) -> OpenracStr {
    OpenracStr::ZERO
}

unsafe extern "C" fn hero_pose(_user: *mut c_void, _out: *mut sdk::OpenracPose) -> u8 {
    0
}

unsafe extern "C" fn menus_pause(user: *mut c_void, pause: u8) {
    FakeHost::from(user).did("menus_pause", format!("menus_pause {pause}"));
}

unsafe extern "C" fn message(user: *mut c_void, text: OpenracStr, _seconds: f32) {
    FakeHost::from(user).did("message", format!("message {}", copied(text)));
}

unsafe extern "C" fn hooks_set(user: *mut c_void, hooks: *const OpenracHooks) {
    let host = FakeHost::from(user);
    // SAFETY: the mod gave it to this call.
    host.hooks.set(unsafe { *hooks });
    host.react("hooks_set");
}

unsafe extern "C" fn moby_kill(user: *mut c_void, moby: OpenracMobyHandle, how: u8) {
    FakeHost::from(user).did("moby_kill", format!("moby_kill {moby} {how}"));
}

unsafe extern "C" fn moby_break(
    user: *mut c_void,
    moby: OpenracMobyHandle,
    by: OpenracMobyHandle,
) -> u8 {
    FakeHost::from(user).did("moby_break", format!("moby_break {moby} {by}"));
    1
}

unsafe extern "C" fn mobys(user: *mut c_void, buffer: *mut OpenracMoby, capacity: u32) -> u32 {
    let host = FakeHost::from(user);
    let count = host.mobys.get();
    host.calls.borrow_mut().push(format!("mobys {capacity}"));
    for (number, place) in (1..=count.min(capacity)).zip(0..) {
        let moby = OpenracMoby { handle: number, key: sdk::KEY_NONE, ..OpenracMoby::ZERO };
        let place = buffer.wrapping_add(place);
        // SAFETY: less than the capacity, so in the mod's buffer.
        unsafe { place.write(moby) };
    }
    count
}
