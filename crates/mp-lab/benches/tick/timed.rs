//! The mod, with a watch beside it: how much CPU time each tick of it takes.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;

use cpu_time::ThreadTime;
use mp_netcode::LocalTime;
use mp_sockets::Handle;
use openrac_multiplayer::front::Core;
use openrac_multiplayer::game::{Game, MobyHandle, PageEvent, PageId, PageView, PromptId};
use openrac_multiplayer::hooks::{Asked, Gate, Happened, Standing};
use openrac_multiplayer::multiplayer::Multiplayer;

/// The ticks' times, in their order.
pub type Times = Rc<RefCell<Vec<Duration>>>;

/// See the module.
pub struct Timed {
    multiplayer: Box<Multiplayer>,
    times: Times,
}

impl Timed {
    pub fn new(multiplayer: Multiplayer, times: Times) -> Self {
        Self { multiplayer: Box::new(multiplayer), times }
    }
}

impl Core for Timed {
    fn tick(&mut self, game: &dyn Game, now: LocalTime) {
        let begin = ThreadTime::now();
        self.multiplayer.tick(game, now);
        self.times.borrow_mut().push(begin.elapsed());
    }

    fn page_event(&mut self, page: PageId, event: PageEvent, game: &dyn Game, now: LocalTime) {
        self.multiplayer.page_event(page, event, game, now);
    }

    fn answered(&mut self, prompt: PromptId, yes: bool, game: &dyn Game) {
        self.multiplayer.answered(prompt, yes, game);
    }

    fn page(&mut self, page: PageId, game: &dyn Game, now: LocalTime) -> PageView {
        Core::page(&mut *self.multiplayer, page, game, now)
    }

    fn asked(&mut self, asked: &Asked, game: &dyn Game, now: LocalTime) -> bool {
        self.multiplayer.asked(asked, game, now)
    }

    fn gate(&mut self, moby: MobyHandle) -> Gate {
        self.multiplayer.gate(moby)
    }

    fn happened(&mut self, happened: &Happened, game: &dyn Game, now: LocalTime) {
        self.multiplayer.happened(happened, game, now);
    }

    fn standing(&self) -> Rc<Cell<Standing>> {
        self.multiplayer.standing()
    }

    fn end(self: Box<Self>, game: &dyn Game) -> Option<Handle> {
        self.multiplayer.end(game)
    }
}
