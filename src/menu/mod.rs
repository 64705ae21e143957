//! The pages that the mod adds to the game's own menus (behaviour.md 2): what they show and what a
//! choice does. A page is a [`PageView`] made anew from the session and the play; the menu keeps only
//! which page shows, and the address being stepped.

mod browse;
mod code;
mod direct;
mod home;
mod lobby;
mod network;
mod pause;
mod saves;
mod view;

use std::time::Duration;

use mp_netcode::LocalTime;

use crate::coop::Coop;
use crate::direct::address::{AddressRow, AddressRows};
use crate::game::{Game, MenuSound, PageEvent, PageId, PageView, PromptId};
use crate::session::Session;
use crate::settings::Settings;
use crate::world::RefusedCounts;
use code::CodeRows;
use network::Fault;
use saves::{Card, Choice, HostOn};
use view::View;

/// What choosing or stepping a row does.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Action {
    /// Words only.
    Nothing,
    /// The games that others host.
    OpenBrowse,
    /// The rows of a code.
    OpenCode,
    /// The card's saves, for a party that is hosted there.
    OpenSaves(HostOn),
    /// A slot with nothing to play.
    NoSave,
    /// Hosts a party that plays this.
    Play(Choice),
    /// Asks for the games again.
    Refresh,
    /// Joins the party of that code.
    JoinCode(String),
    /// Steps a character of the code.
    Character(usize),
    /// The page of Host directly and Join by address.
    OpenDirect,
    /// The rows of the address.
    OpenJoin,
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
    /// Says a phrase to the party.
    Say(&'static str),
    /// Leaves the party, having asked.
    Leave,
    /// The network page, from that one.
    OpenNetwork(PageId),
    /// Steps what is bad about the link.
    Simulate(Fault),
}

/// How often the games are asked for while they are shown (B2.3).
const LIST_INTERVAL: Duration = Duration::from_secs(3);

/// What the pages are made from.
pub struct Parts<'a> {
    /// The player's place in a party.
    pub session: &'a mut Session,
    /// The play.
    pub coop: &'a mut Coop,
    /// What the others said that is not taken.
    pub(crate) refused: &'a RefusedCounts,
    /// The game that shows the pages.
    pub game: &'a dyn Game,
    /// Now.
    pub now: LocalTime,
    /// What the launcher's page says.
    pub settings: Settings,
}

/// Why what was chosen last is not done.
#[derive(Debug)]
struct Refused {
    words: &'static str,
    /// The row that was dim, if it was that: the words go once it may be chosen.
    dim: Option<Action>,
}

/// The pages. See the module.
#[derive(Debug, Default)]
pub struct Menu {
    shown: Option<PageId>,
    address: AddressRows,
    code: CodeRows,
    host_on: HostOn,
    card: Card,
    next_list: LocalTime,
    refused: Option<Refused>,
    /// Where the network page goes back to.
    network_from: Option<PageId>,
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
            PageId::Browse => browse::view(parts),
            PageId::Saves => saves::view(&self.card, self.host_on, parts),
            PageId::Code => code::view(self.code, parts),
            PageId::Direct => direct::view(),
            PageId::Join => direct::join_view(self.address, parts),
            PageId::Lobby => lobby::view(parts),
            PageId::Pause => pause::view(parts),
            PageId::Network => network::view(parts),
        };
        if matches!(page, PageId::Home | PageId::Lobby | PageId::Pause) {
            network::row(&mut view, page, parts);
        }
        view.page.footer.extend(parts.session.footer(parts.now));
        let holds = |refused: &&Refused| refused.dim.as_ref().is_none_or(|row| view.is_dim(row));
        let refused = self.refused.as_ref().filter(holds).map(|refused| refused.words.to_owned());
        view.page.footer.extend(refused);
        view
    }

    /// A player did something on a page.
    pub fn event(&mut self, page: PageId, event: PageEvent, parts: &mut Parts) {
        match event {
            PageEvent::Shown => self.show(page, parts),
            PageEvent::Hidden => {
                if self.shown == Some(page) {
                    self.shown = None;
                }
            }
            PageEvent::Choose { row } => self.choose(page, row, parts),
            PageEvent::Step { row, right, held_ticks } => {
                let Some((action, _)) = self.view(page, parts).action(row) else { return };
                self.step(&action, right, held_ticks, parts);
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
            self.refused = action.refusal().map(|words| Refused { words, dim: Some(action) });
            return;
        }
        if action != Action::Nothing {
            parts.game.menu_sound(MenuSound::Choose);
        }
        self.act(&action, parts);
    }

    fn act(&mut self, action: &Action, parts: &mut Parts) {
        match action {
            Action::Nothing | Action::NoSave => {}
            Action::OpenBrowse => parts.game.page_open(PageId::Browse),
            Action::OpenCode => parts.game.page_open(PageId::Code),
            Action::OpenSaves(host_on) => {
                self.host_on = *host_on;
                parts.game.page_open(PageId::Saves);
            }
            Action::Play(choice) => self.host(*choice, parts),
            Action::Refresh => self.list(parts),
            Action::JoinCode(code) => parts.session.join_code(code.clone()),
            Action::OpenDirect => {
                // Direct play has no use for the server, nor its pages for the server's state (B2.9).
                parts.session.close();
                parts.game.page_open(PageId::Direct);
            }
            Action::OpenJoin => parts.game.page_open(PageId::Join),
            Action::Join => parts.session.join(self.address.address()),
            // Cross steps a value too, as Right does.
            Action::Address(_) | Action::Character(_) | Action::Simulate(_) => {
                self.step(action, true, 0, parts);
            }
            Action::Ready(ready) => parts.session.set_ready(*ready),
            Action::Start => parts.coop.start(parts.session, parts.game),
            Action::JoinGame => parts.coop.want(parts.session),
            Action::Say(phrase) => parts.session.say(phrase, parts.now),
            Action::Leave => ask_to_leave(parts),
            Action::OpenNetwork(from) => {
                self.network_from = Some(*from);
                parts.game.page_open(PageId::Network);
            }
        }
    }

    /// Hosts a party that plays what was chosen (B2.4).
    fn host(&mut self, choice: Choice, parts: &mut Parts) {
        match saves::choose(choice, parts.game) {
            Ok((save, description)) => {
                parts.coop.choose(save);
                match self.host_on {
                    HostOn::Server => parts.session.create(description),
                    HostOn::Direct => parts.session.host(parts.settings.direct_port, description),
                }
            }
            Err(words) => self.refused = Some(Refused { words, dim: None }),
        }
    }

    fn step(&mut self, action: &Action, right: bool, held_ticks: u32, parts: &mut Parts) {
        match action {
            Action::Simulate(fault) => {
                parts.session.simulate(fault.step(parts.session.simulated(), right));
            }
            Action::Address(row) => self.address.step(*row, right, held_ticks),
            Action::Character(place) => self.code.step(*place, right),
            _ => return,
        }
        parts.game.menu_sound(MenuSound::Move);
    }

    fn show(&mut self, page: PageId, parts: &mut Parts) {
        self.shown = Some(page);
        match page {
            // One that quit to the title finds its party here (B4.4).
            PageId::Home if parts.session.party().is_some() => parts.game.page_open(PageId::Lobby),
            PageId::Home => {
                parts.session.go_online();
                let online = parts.session.is_online();
                let row = if online { home::BROWSE_ROW } else { home::DIRECT_ROW };
                parts.game.page_cursor(row);
            }
            PageId::Browse => self.list(parts),
            PageId::Saves => self.card = Card::read(parts.game),
            _ => {}
        }
    }

    /// The server said hello: the cursor moves up to what was dim until now (B2.2).
    pub fn greeted(&self, game: &dyn Game) {
        if self.shown == Some(PageId::Home) {
            game.page_cursor(home::BROWSE_ROW);
        }
    }

    /// One tick: the games are asked for again while they are shown (B2.3).
    pub fn tick(&mut self, parts: &mut Parts) {
        if self.shown == Some(PageId::Browse) && parts.now >= self.next_list {
            self.list(parts);
        }
    }

    fn list(&mut self, parts: &mut Parts) {
        self.next_list = parts.now + LIST_INTERVAL;
        if parts.session.is_online() {
            parts.session.list();
        }
    }

    fn back(&mut self, page: PageId, parts: &mut Parts) {
        self.refused = None;
        parts.game.menu_sound(MenuSound::Back);
        match page {
            PageId::Home | PageId::Pause => parts.game.page_close(),
            PageId::Browse | PageId::Code => parts.game.page_open(PageId::Home),
            PageId::Saves if self.host_on == HostOn::Server => parts.game.page_open(PageId::Home),
            PageId::Direct => {
                parts.session.close();
                parts.game.page_open(PageId::Home);
            }
            PageId::Join | PageId::Saves => {
                parts.session.close();
                parts.game.page_open(PageId::Direct);
            }
            PageId::Lobby => ask_to_leave(parts),
            PageId::Network => match self.network_from.take() {
                Some(from) => parts.game.page_open(from),
                None => parts.game.page_close(),
            },
        }
    }
}

impl Action {
    /// Why a dim row is refused, in words.
    fn refusal(&self) -> Option<&'static str> {
        match self {
            Self::Start => Some("Wait until everyone is ready"),
            Self::NoSave => Some("There is no save to play"),
            Self::Say(_) => Some("Wait a moment"),
            Self::OpenBrowse
            | Self::OpenSaves(_)
            | Self::OpenCode
            | Self::JoinCode(_)
            | Self::Play(_) => Some("This needs the server: wait for it, or use Direct connect"),
            _ => None,
        }
    }
}

/// Leave and Triangle ask first (B2.7, B2.8).
fn ask_to_leave(parts: &Parts) {
    let text = match (parts.session.hosting(), parts.session.is_host()) {
        (Some(_), _) => "Stop hosting?",
        (None, true) => "End the party?",
        (None, false) => "Leave the party?",
    };
    parts.game.prompt(PromptId::Leave, text, "Yes", "No");
}
