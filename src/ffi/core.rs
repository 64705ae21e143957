//! What the boundary drives. [`Multiplayer`] is the one there is; [`Stopped`] takes its place after a
//! panic, so that a player is never shut in on a page of a mod that no longer answers.

use mp_netcode::LocalTime;
use mp_sockets::Handle;

use crate::game::{Game, PageEvent, PageId, PageView, PromptId};
use crate::multiplayer::Multiplayer;

/// What is said in the game, and on its pages, of a mod that panicked.
pub(super) const STOPPED: &str = "Multiplayer stopped working (see the log)";

/// What the boundary needs of the mod.
pub(super) trait Core {
    /// One tick of the game.
    fn tick(&mut self, game: &dyn Game, now: LocalTime);
    /// The player did something on a page.
    fn page_event(&mut self, page: PageId, event: PageEvent, game: &dyn Game, now: LocalTime);
    /// The player answered a question.
    fn answered(&mut self, prompt: PromptId, yes: bool, game: &dyn Game);
    /// A page as it is to be drawn now.
    fn page(&mut self, page: PageId, game: &dyn Game, now: LocalTime) -> PageView;
    /// Leaves the party and the game; the socket thread is given back to be joined.
    fn end(self: Box<Self>, game: &dyn Game) -> Option<Handle>;
}

impl Core for Multiplayer {
    fn tick(&mut self, game: &dyn Game, now: LocalTime) {
        self.tick(game, now);
    }

    fn page_event(&mut self, page: PageId, event: PageEvent, game: &dyn Game, now: LocalTime) {
        self.page_event(page, event, game, now);
    }

    fn answered(&mut self, prompt: PromptId, yes: bool, game: &dyn Game) {
        self.answered(prompt, yes, game);
    }

    fn page(&mut self, page: PageId, game: &dyn Game, now: LocalTime) -> PageView {
        self.page(page, game, now)
    }

    fn end(self: Box<Self>, game: &dyn Game) -> Option<Handle> {
        Some((*self).end(game))
    }
}

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

    fn end(self: Box<Self>, _game: &dyn Game) -> Option<Handle> {
        self.net
    }
}
