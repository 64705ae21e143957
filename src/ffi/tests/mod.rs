//! The boundary against a game made here: what is refused, what a panic does, and a game that calls
//! back from inside the mod's calls.

mod boundary;
mod convert;
mod entry;
mod everything;
mod failing;
mod hooks;
mod host;
mod panics;
mod reentry;

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use mp_netcode::LocalTime;
use mp_sockets::Handle;
use sdk_bindings::LOADED;

use super::entry::load;
use crate::front::Core;
use crate::game::{Figure, Game, MobyHandle, PageEvent, PageId, PageView, PromptId, Row};
use crate::hooks::{Asked, Gate, Happened, Standing};
use host::FakeHost;

/// What a core did, in order. The core's own end is the last there can be.
type Did = Rc<RefCell<Vec<String>>>;

/// Does something with the game in the call of that name.
type Act = Rc<dyn Fn(&str, &dyn Game)>;

/// A core that keeps what it was called with.
struct TestCore {
    did: Did,
    act: Act,
    /// What it answers to what it is asked.
    allows: bool,
    standing: Rc<Cell<Standing>>,
}

thread_local! {
    /// The entry that fails at the boundary.
    static FAILS: Cell<Option<&'static str>> = const { Cell::new(None) };
}

/// From now on the entry of that name panics at the boundary, or none does.
fn fail_in(entry: Option<&'static str>) {
    FAILS.set(entry);
}

/// Called by the guard inside every entry.
pub(super) fn fail_if_told(entry: &'static str) {
    assert!(FAILS.get() != Some(entry), "{entry} failed on purpose");
}

impl TestCore {
    fn new(act: impl Fn(&str, &dyn Game) + 'static) -> Self {
        let (did, standing) = (Did::default(), Rc::default());
        Self { did, act: Rc::new(act), allows: true, standing }
    }

    fn called(&self, name: &str, what: String, game: &dyn Game) {
        self.did.borrow_mut().push(what);
        (self.act)(name, game);
    }
}

impl Core for TestCore {
    fn tick(&mut self, game: &dyn Game, _now: LocalTime) {
        self.called("tick", "tick".to_owned(), game);
    }

    fn page_event(&mut self, page: PageId, event: PageEvent, game: &dyn Game, _now: LocalTime) {
        self.called("page_event", format!("{page:?} {event:?}"), game);
    }

    fn answered(&mut self, prompt: PromptId, yes: bool, game: &dyn Game) {
        self.called("answered", format!("{prompt:?} {yes}"), game);
    }

    fn page(&mut self, page: PageId, game: &dyn Game, _now: LocalTime) -> PageView {
        (self.act)("page", game);
        let row = Row { label: "Row".to_owned(), dim: true, ..Row::default() };
        PageView { title: format!("{page:?}"), rows: vec![row], ..PageView::default() }
    }

    fn asked(&mut self, asked: &Asked, game: &dyn Game, _now: LocalTime) -> bool {
        self.called("asked", format!("{asked:?}"), game);
        self.allows
    }

    fn gate(&mut self, moby: MobyHandle) -> Gate {
        let figure = Figure(moby.0);
        self.did.borrow_mut().push(format!("gate {moby:?}"));
        match moby.0.get() {
            1 => Gate::Run,
            2 => Gate::Skip,
            _ => Gate::StandIn(figure),
        }
    }

    fn happened(&mut self, happened: &Happened, game: &dyn Game, _now: LocalTime) {
        self.called("happened", format!("{happened:?}"), game);
    }

    fn standing(&self) -> Rc<Cell<Standing>> {
        Rc::clone(&self.standing)
    }

    fn end(self: Box<Self>, game: &dyn Game) -> Option<Handle> {
        self.called("end", "end".to_owned(), game);
        None
    }
}

/// Loads a core into the host.
fn load_core(host: &FakeHost, core: TestCore) {
    load_boxed(host, Box::new(core));
}

fn load_boxed(host: &FakeHost, core: Box<dyn Core>) {
    let mut module = host::empty_module();
    // SAFETY: a whole table, and every test unloads before it drops its host.
    let code = unsafe { load(&raw const host.table, &raw mut module, |_, _, _| Ok(core)) };
    assert_eq!(code, LOADED, "{:?}", host.lines.borrow());
    host.module.set(module);
}

/// Loads a core that acts like that into the host.
fn load_acting(host: &FakeHost, act: impl Fn(&str, &dyn Game) + 'static) -> Did {
    let core = TestCore::new(act);
    let did = Rc::clone(&core.did);
    load_core(host, core);
    did
}

fn load_quiet(host: &FakeHost) -> Did {
    load_acting(host, |_, _| {})
}

const HOME: usize = PageId::Home as usize;
const LOBBY: usize = PageId::Lobby as usize;
