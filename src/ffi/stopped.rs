//! What takes the core's place after a panic, so that a player is never shut in on a page of a mod that no
//! longer answers, and the game goes its own way in everything else.

use std::cell::Cell;
use std::rc::Rc;

use mp_netcode::LocalTime;
use mp_sockets::Handle;

use crate::front::Core;
use crate::game::{Game, MobyHandle, PageEvent, PageId, PageView, PromptId};
use crate::hooks::{Asked, Gate, Happened, Standing};

/// What is said in the game, and on its pages, of a mod that panicked.
pub(super) const STOPPED: &str = "Multiplayer stopped working (see the log)";

/// A mod that panicked: its pages say so and can be left, and that is all.
pub(super) struct Stopped {
    /// The socket thread, which has been told to end, until it is joined.
    pub(super) net: Option<Handle>,
}

impl Core for Stopped {
    fn tick(&mut self, _game: &dyn Game, _now: LocalTime) {}

    fn page_event(&mut self, _page: PageId, event: PageEvent, game: &dyn Game, _now: LocalTime) {
        if event == PageEvent::Back {
            game.page_close();
        }
    }

    fn answered(&mut self, _prompt: PromptId, _yes: bool, _game: &dyn Game) {}

    fn page(&mut self, _page: PageId, _game: &dyn Game, _now: LocalTime) -> PageView {
        PageView {
            title: "Multiplayer".to_owned(),
            lines: vec![STOPPED.to_owned()],
            ..PageView::default()
        }
    }

    fn asked(&mut self, _asked: &Asked, _game: &dyn Game, _now: LocalTime) -> bool {
        true
    }

    fn gate(&mut self, _moby: MobyHandle) -> Gate {
        Gate::Run
    }

    fn happened(&mut self, _happened: &Happened, _game: &dyn Game, _now: LocalTime) {}

    fn standing(&self) -> Rc<Cell<Standing>> {
        Rc::default()
    }

    fn end(self: Box<Self>, _game: &dyn Game) -> Option<Handle> {
        self.net
    }
}
