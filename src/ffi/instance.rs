//! One loaded mod. What the player does is put in a list and taken from it when the core is free, and
//! what the game draws is read from the pages as last published: so the game may call back from inside
//! any call of ours, and no borrow of the core is ever asked for twice.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::ffi::c_void;
use std::time::Duration;

use mp_netcode::LocalTime;
use mp_sockets::Clock;

use super::core::{Core, STOPPED, Stopped};
use super::guard::Guard;
use super::host::HostGame;
use super::panics::{Hook, catch};
use super::threads;
use crate::game::{Game, LogLevel, PageEvent, PageId, PageView, PromptId};

const STOPPED_SHOWS: Duration = Duration::from_secs(6);

/// What the player did.
#[derive(Clone, Copy, Debug)]
pub(super) enum Input {
    Page(PageId, PageEvent),
    Answer(PromptId, bool),
}

/// See the module.
pub(super) struct Instance {
    pub(super) game: HostGame,
    pub(super) guard: Guard,
    clock: Clock,
    /// `None` only while it is ended.
    core: RefCell<Option<Box<dyn Core>>>,
    inputs: RefCell<VecDeque<Input>>,
    shown: Cell<Option<PageId>>,
    views: RefCell<[PageView; PageId::ALL.len()]>,
    stopped: Cell<bool>,
    _hook: Hook,
}

impl Instance {
    pub(super) fn new(game: HostGame, clock: Clock, core: Box<dyn Core>, hook: Hook) -> Self {
        Self {
            game,
            guard: Guard::default(),
            clock,
            core: RefCell::new(Some(core)),
            inputs: RefCell::default(),
            shown: Cell::new(None),
            views: RefCell::default(),
            stopped: Cell::new(false),
            _hook: hook,
        }
    }

    /// Puts it where the game's calls find it, until `guard::unload` frees it.
    pub(super) fn leak(self) -> *mut c_void {
        let user = Box::into_raw(Box::new(self)).cast::<c_void>();
        // SAFETY: it was boxed just now, and nobody else has it yet.
        let instance = unsafe { &*user.cast::<Self>() };
        instance.game.set_user(user);
        user
    }

    pub(super) fn tick(&self) {
        self.drain();
        self.with_core(|core, now| core.tick(&self.game, now));
        self.drain();
        self.publish();
    }

    /// Takes what the player did: at once, or, from inside a call of the core's, when that returns.
    pub(super) fn input(&self, input: Input) {
        self.inputs.borrow_mut().push_back(input);
        self.drain();
    }

    /// Reads a page as last published.
    pub(super) fn view<R>(&self, page: PageId, read: impl FnOnce(&PageView) -> R) -> R {
        read(&self.views.borrow()[page.index()])
    }

    /// Gives up what panicked: leaves the party, says so once, and does nothing from then on.
    pub(super) fn stop(&self, words: &str) {
        self.game.log(LogLevel::Error, &format!("{STOPPED}: {words}"));
        let core = self.core.take();
        // What is half changed may panic again; the socket thread then ends unjoined.
        let net = core.and_then(|core| {
            catch(|| core.end(&self.game)).unwrap_or_else(|again| {
                self.game.log(LogLevel::Error, &format!("and again at its end: {again}"));
                None
            })
        });
        *self.core.borrow_mut() = Some(Box::new(Stopped { net }));
        if !self.stopped.replace(true) {
            self.game.message(STOPPED, STOPPED_SHOWS.as_secs_f32());
        }
        self.drain();
        self.publish();
    }

    /// Ends the core, the threads and the sockets.
    pub(super) fn end(&self) {
        let core = self.core.take();
        let Some(net) = core.and_then(|core| core.end(&self.game)) else { return };
        if !threads::join(net) {
            self.game.log(LogLevel::Warning, "the socket thread has not ended yet");
        }
    }

    fn drain(&self) {
        while !self.guard.is_over() {
            // A core that is busy drains when it is done.
            if self.core.try_borrow_mut().is_err() {
                return;
            }
            let Some(input) = self.inputs.borrow_mut().pop_front() else { return };
            self.note_shown(input);
            self.with_core(|core, now| match input {
                Input::Page(page, event) => core.page_event(page, event, &self.game, now),
                Input::Answer(prompt, yes) => core.answered(prompt, yes, &self.game),
            });
            self.publish();
        }
    }

    fn note_shown(&self, input: Input) {
        match input {
            Input::Page(page, PageEvent::Shown) => self.shown.set(Some(page)),
            Input::Page(page, PageEvent::Hidden) if self.shown.get() == Some(page) => {
                self.shown.set(None);
            }
            _ => {}
        }
    }

    fn publish(&self) {
        let Some(page) = self.shown.get() else { return };
        if let Some(view) = self.with_core(|core, now| core.page(page, &self.game, now)) {
            self.views.borrow_mut()[page.index()] = view;
        }
    }

    /// `None` while the core is busy (the game called back from inside it) or ended.
    fn with_core<R>(&self, run: impl FnOnce(&mut dyn Core, LocalTime) -> R) -> Option<R> {
        let mut core = self.core.try_borrow_mut().ok()?;
        core.as_deref_mut().map(|core| run(core, self.clock.now()))
    }
}
