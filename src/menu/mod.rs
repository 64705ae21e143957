//! The pages that the mod adds to the game's own menus (behaviour.md 2): what they show and what a
//! choice does. A page is a [`PageView`] made anew from the session and the play; the menu keeps only
//! which page shows, and the address being stepped.

mod direct;
mod home;
mod lobby;
mod pause;
mod view;

use mp_netcode::LocalTime;

use crate::coop::Coop;
use crate::direct::address::{AddressRow, AddressRows};
use crate::game::{Game, MenuSound, PageEvent, PageId, PageView, PromptId};
use crate::session::Session;
use view::View;

/// What choosing or stepping a row does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Action {
    /// Words only.
    Nothing,
    /// The page of Host directly and Join by address.
    OpenDirect,
    /// The rows of the address.
    OpenJoin,
    /// Hosts directly.
    Host,
    /// Joins the address as it stands.
    Join,
    /// Steps the address.
    Address(AddressRow),
    /// Ready, or no longer.
    Ready(bool),
    /// Starts the game for everyone.
    Start,
    /// Asks for the host's game again.
    JoinGame,
    /// Leaves the party, having asked.
    Leave,
}

/// What the pages are made from.
pub struct Parts<'a> {
    /// The player's place in a party.
    pub session: &'a mut Session,
    /// The play.
    pub coop: &'a mut Coop,
    /// The game that shows the pages.
    pub game: &'a dyn Game,
    /// Now.
    pub now: LocalTime,
    /// The port that Host directly takes (B1.3).
    pub direct_port: u16,
}

/// The pages. See the module.
#[derive(Debug, Default)]
pub struct Menu {
    shown: Option<PageId>,
    address: AddressRows,
    refused: Option<&'static str>,
}

impl Menu {
    /// The page that shows, if one of the mod's does.
    pub fn shown(&self) -> Option<PageId> {
        self.shown
    }

    /// A page as it is to be drawn now.
    pub fn page(&self, page: PageId, parts: &Parts) -> PageView {
        self.view(page, parts).page
    }

    fn view(&self, page: PageId, parts: &Parts) -> View {
        let mut view = match page {
            PageId::Home => home::view(parts),
            PageId::Direct => direct::view(),
            PageId::Join => direct::join_view(self.address, parts),
            PageId::Lobby => lobby::view(parts),
            PageId::Pause => pause::view(parts),
        };
        view.page.footer.push(parts.session.footer(parts.now));
        view.page.footer.extend(self.refused.map(str::to_owned));
        view
    }

    /// A player did something on a page.
    pub fn event(&mut self, page: PageId, event: PageEvent, parts: &mut Parts) {
        match event {
            PageEvent::Shown => self.shown = Some(page),
            PageEvent::Hidden => {
                if self.shown == Some(page) {
                    self.shown = None;
                }
            }
            PageEvent::Choose { row } => self.choose(page, row, parts),
            PageEvent::Step { row, right, held_ticks } => {
                if let Some((Action::Address(row), _)) = self.view(page, parts).action(row) {
                    parts.game.menu_sound(MenuSound::Move);
                    self.address.step(row, right, held_ticks);
                }
            }
            PageEvent::Back => self.back(page, parts),
        }
    }

    fn choose(&mut self, page: PageId, row: usize, parts: &mut Parts) {
        self.refused = None;
        // The list may have changed between the press and now: a row that is gone does nothing.
        let Some((action, dim)) = self.view(page, parts).action(row) else { return };
        if dim {
            parts.game.menu_sound(MenuSound::Refused);
            self.refused = action.refusal(parts);
            return;
        }
        if action != Action::Nothing {
            parts.game.menu_sound(MenuSound::Choose);
        }
        self.act(action, parts);
    }

    fn act(&mut self, action: Action, parts: &mut Parts) {
        match action {
            Action::Nothing => {}
            Action::OpenDirect => parts.game.page_open(PageId::Direct),
            Action::OpenJoin => parts.game.page_open(PageId::Join),
            Action::Host => parts.session.host(parts.direct_port),
            Action::Join => parts.session.join(self.address.address()),
            // Cross steps a value too, as Right does.
            Action::Address(row) => self.address.step(row, true, 0),
            Action::Ready(ready) => parts.session.set_ready(ready),
            Action::Start => parts.coop.start(parts.session, parts.game),
            Action::JoinGame => parts.coop.want(parts.session),
            Action::Leave => ask_to_leave(parts),
        }
    }

    fn back(&mut self, page: PageId, parts: &mut Parts) {
        self.refused = None;
        parts.game.menu_sound(MenuSound::Back);
        match page {
            PageId::Home | PageId::Pause => parts.game.page_close(),
            PageId::Direct => {
                parts.session.leave();
                parts.game.page_open(PageId::Home);
            }
            PageId::Join => {
                parts.session.leave();
                parts.game.page_open(PageId::Direct);
            }
            PageId::Lobby => ask_to_leave(parts),
        }
    }
}

impl Action {
    /// Why a dim row is refused, in words.
    fn refusal(self, parts: &Parts) -> Option<&'static str> {
        let waits = self == Action::Start && parts.session.party().is_some();
        waits.then_some("Wait until everyone is ready")
    }
}

/// Leave and Triangle ask first (B2.7, B2.8).
fn ask_to_leave(parts: &Parts) {
    let text = if parts.session.hosting().is_some() { "Stop hosting?" } else { "Leave the party?" };
    parts.game.prompt(PromptId::Leave, text, "Yes", "No");
}
