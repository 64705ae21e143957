//! The mod itself, hosting a party, in which a call of the core's fails when a test says so; and the other
//! end of its socket thread's handle.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use mp_netcode::LocalTime;
use mp_protocol::SessionId;
use mp_sockets::{Command, Event, FarEnd, Handle, Member, PartyNews, Report};
use sdk_bindings::LOADED;

use super::HOME;
use super::host::{FakeHost, empty_module};
use crate::ffi::entry::load;
use crate::ffi::host::HostGame;
use crate::front::Core;
use crate::game::{Game, MobyHandle, PageEvent, PageId, PageView, PromptId};
use crate::hooks::{Asked, Gate, Happened, Standing};
use crate::multiplayer::Multiplayer;

const DIRECT: usize = PageId::Direct as usize;
const SAVES: usize = PageId::Saves as usize;
const LOBBY: usize = PageId::Lobby as usize;
const ME: SessionId = SessionId(7);

/// The name of the core's call that is to fail.
type Fails = Rc<Cell<Option<&'static str>>>;

struct Failing {
    core: Multiplayer,
    fails: Fails,
}

impl Failing {
    fn check(&self, call: &'static str) {
        assert!(self.fails.get() != Some(call), "{call} failed on purpose");
    }
}

impl Core for Failing {
    fn tick(&mut self, game: &dyn Game, now: LocalTime) {
        self.check("tick");
        self.core.tick(game, now);
    }

    fn page_event(&mut self, page: PageId, event: PageEvent, game: &dyn Game, now: LocalTime) {
        self.check("page_event");
        self.core.page_event(page, event, game, now);
    }

    fn answered(&mut self, prompt: PromptId, yes: bool, game: &dyn Game) {
        self.check("answered");
        self.core.answered(prompt, yes, game);
    }

    fn page(&mut self, page: PageId, game: &dyn Game, now: LocalTime) -> PageView {
        self.check("page");
        self.core.page(page, game, now)
    }

    fn asked(&mut self, asked: &Asked, game: &dyn Game, now: LocalTime) -> bool {
        self.check("asked");
        self.core.asked(asked, game, now)
    }

    fn gate(&mut self, moby: MobyHandle) -> Gate {
        self.check("gate");
        self.core.gate(moby)
    }

    fn happened(&mut self, happened: &Happened, game: &dyn Game, now: LocalTime) {
        self.check("happened");
        self.core.happened(happened, game, now);
    }

    fn standing(&self) -> Rc<Cell<Standing>> {
        self.core.standing()
    }

    fn end(self: Box<Self>, game: &dyn Game) -> Option<Handle> {
        self.check("end");
        Box::new(self.core).end(game)
    }
}

/// A mod that hosts a party, and has just asked its player whether to leave it.
pub(super) struct Hosting {
    pub(super) fails: Fails,
    far: FarEnd,
}

impl Hosting {
    pub(super) fn in_game(host: &FakeHost) -> Self {
        let (fails, far) = (Fails::default(), Rc::new(RefCell::new(None)));
        let (mut module, place, told) = (empty_module(), Rc::clone(&far), Rc::clone(&fails));
        let make = move |game: &HostGame, _, _| -> Result<Box<dyn Core>, _> {
            let (handle, far) = Handle::detached();
            *place.borrow_mut() = Some(far);
            Ok(Box::new(Failing { core: Multiplayer::new(game, handle, 0), fails: told }))
        };
        // SAFETY: a whole table, and every test unloads before it drops its host.
        let code = unsafe { load(&raw const host.table, &raw mut module, make) };
        assert_eq!(code, LOADED, "{:?}", host.lines.borrow());
        host.module.set(module);
        let hosting = Self { fails, far: far.take().expect("the mod was made") };
        hosting.enter(host);
        hosting
    }

    fn enter(&self, host: &FakeHost) {
        for (page, row) in
            [(HOME, None), (DIRECT, Some("Host directly")), (SAVES, Some("New game"))]
        {
            host.show(page);
            if let Some(row) = row {
                choose(host, page, row);
            }
        }
        let mut commands = std::iter::from_fn(|| self.far.try_next());
        let hosts = |command| match command {
            Command::Host { link, description, .. } => Some((link, description)),
            _ => None,
        };
        let (link, description) = commands.find_map(hosts).expect("it hosts");
        let member = Member { id: ME, name: "Qwark".to_owned() };
        let (code, members) = ("DIRECT".to_owned(), vec![member]);
        let info = PartyNews::Info { code, host: ME, members, description };
        for event in [
            Event::Hosting { port: 7770, addresses: Vec::new() },
            Event::Connected { session: ME },
            Event::Party(info),
        ] {
            self.far.report(Report { link, event }).expect("a test's inbox has room");
        }
        host.tick();
        host.show(LOBBY);
        choose(host, LOBBY, "Leave");
        assert!(host.prompt.get().is_some(), "it asks: {:?}", host.calls.borrow());
    }

    /// It has left its party, and its socket thread is told to end.
    pub(super) fn has_left(&self) -> bool {
        let closes = std::iter::from_fn(|| self.far.try_next()).any(|c| c == Command::Close);
        closes && self.is_over()
    }

    /// Its socket thread is told to end, which leaves the party too.
    pub(super) fn is_over(&self) -> bool {
        self.far.is_ending()
    }
}

fn choose(host: &FakeHost, page: usize, label: &str) {
    let rows: Vec<_> = (0..).map_while(|at| host.row(page, at)).map(|row| row.0).collect();
    let row = rows.iter().position(|row| row == label);
    let row = row.unwrap_or_else(|| panic!("no row {label:?} in {rows:?}"));
    host.choose(page, u32::try_from(row).expect("small"));
}
