//! The front of the mod: what a game calls may come at any moment, also from inside a call of the mod's
//! own. What the player did and what happened goes to an inbox and reaches the core when it is free; what
//! the game draws is read from the pages as last published; and what the game asks is answered by the
//! core, or, while that is at work, from what it says holds. So no borrow of the core is ever asked
//! for twice. It knows no pointer and no clock: `src/ffi` and mp-lab stand behind it alike.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;

use mp_netcode::LocalTime;
use mp_sockets::Handle;

use crate::game::{Game, MobyHandle, PageEvent, PageId, PageView, PromptId};
use crate::hooks::{Asked, Gate, Happened, Standing};

/// What the front drives.
pub trait Core {
    /// One tick of the game.
    fn tick(&mut self, game: &dyn Game, now: LocalTime);
    /// The player did something on a page.
    fn page_event(&mut self, page: PageId, event: PageEvent, game: &dyn Game, now: LocalTime);
    /// The player answered a question.
    fn answered(&mut self, prompt: PromptId, yes: bool, game: &dyn Game);
    /// A page as it is to be drawn now.
    fn page(&mut self, page: PageId, game: &dyn Game, now: LocalTime) -> PageView;
    /// Whether what the game asks may be.
    fn asked(&mut self, asked: &Asked, game: &dyn Game, now: LocalTime) -> bool;
    /// Whether a moby updates now, and whom it sees as the hero. Asked for each of them, each tick.
    fn gate(&mut self, moby: MobyHandle) -> Gate;
    /// Something happened in the game.
    fn happened(&mut self, happened: &Happened, game: &dyn Game, now: LocalTime);
    /// Where it says what is to be answered while it cannot be asked: it is read in the middle of its calls.
    fn standing(&self) -> Rc<Cell<Standing>>;
    /// Leaves the party and the game; the socket thread is given back to be joined.
    fn end(self: Box<Self>, game: &dyn Game) -> Option<Handle>;
}

/// What the player did, or what happened.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Input {
    /// On a page.
    Page(PageId, PageEvent),
    /// To a question.
    Answer(PromptId, bool),
    /// In the game.
    Happened(Happened),
}

/// See the module.
pub struct Front {
    /// `None` only once it is taken.
    core: RefCell<Option<Box<dyn Core>>>,
    inbox: RefCell<VecDeque<Input>>,
    standing: RefCell<Rc<Cell<Standing>>>,
    shown: Cell<Option<PageId>>,
    views: RefCell<[PageView; PageId::ALL.len()]>,
    hushed: Cell<bool>,
}

impl Front {
    /// The front of that core.
    #[must_use]
    pub fn new(core: Box<dyn Core>) -> Self {
        Self {
            standing: RefCell::new(core.standing()),
            core: RefCell::new(Some(core)),
            inbox: RefCell::default(),
            shown: Cell::new(None),
            views: RefCell::default(),
            hushed: Cell::new(false),
        }
    }

    /// One tick of the game.
    pub fn tick(&self, game: &dyn Game, now: LocalTime) {
        self.drain(game, now);
        self.with_core(|core| core.tick(game, now));
        self.drain(game, now);
        self.publish(game, now);
    }

    /// Takes what the player did and what happened: at once, or, from inside a call of the core's, when
    /// that returns; from inside a question, at the next tick, as what follows may not be called there.
    pub fn input(&self, input: Input, game: &dyn Game, now: LocalTime) {
        self.inbox.borrow_mut().push_back(input);
        self.drain(game, now);
    }

    /// Whether what the game asks may be.
    #[must_use]
    pub fn asked(&self, asked: &Asked, game: &dyn Game, now: LocalTime) -> bool {
        self.with_core(|core| core.asked(asked, game, now))
            .unwrap_or_else(|| self.standing.borrow().get().allows(asked))
    }

    /// Whether a moby updates now, and whom it sees as the hero.
    #[must_use]
    pub fn gate(&self, moby: MobyHandle) -> Gate {
        let mut core = self.core.try_borrow_mut().ok();
        core.as_deref_mut().and_then(Option::as_deref_mut).map_or(Gate::Run, |core| core.gate(moby))
    }

    /// Reads a page as last published.
    pub fn view<R>(&self, page: PageId, read: impl FnOnce(&PageView) -> R) -> R {
        read(&self.views.borrow()[page.index()])
    }

    /// From now on nothing reaches the core, or, with false, it does again.
    pub fn hush(&self, hushed: bool) {
        self.hushed.set(hushed);
    }

    /// Takes the core out, to be ended.
    pub fn take(&self) -> Option<Box<dyn Core>> {
        self.core.take()
    }

    /// Puts another core in the place of the one that was taken.
    pub fn put(&self, core: Box<dyn Core>, game: &dyn Game, now: LocalTime) {
        *self.standing.borrow_mut() = core.standing();
        *self.core.borrow_mut() = Some(core);
        self.drain(game, now);
        self.publish(game, now);
    }

    fn drain(&self, game: &dyn Game, now: LocalTime) {
        while !self.hushed.get() {
            // A core that is at work drains when it is done.
            if self.core.try_borrow_mut().is_err() {
                return;
            }
            let Some(input) = self.inbox.borrow_mut().pop_front() else { return };
            self.note_shown(input);
            self.with_core(|core| match input {
                Input::Page(page, event) => core.page_event(page, event, game, now),
                Input::Answer(prompt, yes) => core.answered(prompt, yes, game),
                Input::Happened(happened) => core.happened(&happened, game, now),
            });
            // What happens in the game shows on no page before the next tick.
            if !matches!(input, Input::Happened(_)) {
                self.publish(game, now);
            }
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

    fn publish(&self, game: &dyn Game, now: LocalTime) {
        let Some(page) = self.shown.get() else { return };
        if let Some(view) = self.with_core(|core| core.page(page, game, now)) {
            self.views.borrow_mut()[page.index()] = view;
        }
    }

    /// `None` while the core is at work (the game called back from inside it) or taken.
    fn with_core<R>(&self, run: impl FnOnce(&mut dyn Core) -> R) -> Option<R> {
        let mut core = self.core.try_borrow_mut().ok()?;
        let core = core.as_deref_mut()?;
        Some(run(core))
    }
}
