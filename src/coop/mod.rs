//! Playing together: the start of the host's game in every game, and each player's figure in the
//! others'. What the wire carries of it is in mp-protocol's game messages; the game is reached only
//! through [`Game`].

mod figures;
mod poses;
mod relay;
mod save;
mod seldom;
mod start;
mod wire;

use mp_netcode::LocalTime;
use mp_protocol::SessionId;
use mp_protocol::game::{self as messages, HostLevel, Message, PlayId, Travel};
use mp_protocol::limits::REPEAT_INTERVAL;

use crate::game::Game;
use crate::session::{Came, Session};
use figures::Figures;
use poses::PoseSender;
use relay::PoseRelay;
pub use save::HostSave;
use start::HostGame;

/// The times of a tick.
#[derive(Clone, Copy, Debug)]
pub struct Now {
    /// The clock that poses are stamped and played by.
    pub local: LocalTime,
    /// A clock that a stall moves by at most 100 ms: the one to measure silence with (B3.6).
    pub patient: LocalTime,
}

/// Playing together. See the module.
pub struct Coop {
    host_game: HostGame,
    host_level: Option<i32>,
    level_sent: Option<(Option<i32>, LocalTime)>,
    was_in_game: bool,
    in_game: bool,
    sender: PoseSender,
    relay: PoseRelay,
    figures: Figures,
}

impl Coop {
    /// Nothing played yet. `build` is `<mod>/<game>/<disc>` (B4.3).
    pub fn new(build: String) -> Self {
        Self {
            host_game: HostGame::new(build),
            host_level: None,
            level_sent: None,
            was_in_game: false,
            in_game: false,
            sender: PoseSender::default(),
            relay: PoseRelay::default(),
            figures: Figures::default(),
        }
    }

    /// The level that the host plays, as it says; `None` while it plays none.
    pub fn host_level(&self) -> Option<i32> {
        self.host_level
    }

    /// The host's game that is on, as its host numbered it.
    pub(crate) fn play(&self) -> PlayId {
        self.host_game.play()
    }

    /// Whether this player is at the title while the host's game is on (B4.4).
    pub fn can_join_game(&self) -> bool {
        !self.in_game && self.host_level.is_some() && !self.host_game.is_starting()
    }

    /// Whether this game has been told to leave the title, and may not have done so yet.
    pub fn is_leaving_title(&self) -> bool {
        self.host_game.is_leaving_title()
    }

    /// What the host's Start is to start (B2.4).
    pub fn choose(&mut self, save: HostSave) {
        self.host_game.choose(save);
    }

    /// The host's Start: its game, for everyone (B4.2).
    pub fn start(&mut self, session: &mut Session, game: &dyn Game) {
        self.host_game.start(session, game);
    }

    /// Asks the host for its game (Join the game).
    pub fn want(&mut self, session: &mut Session) {
        self.host_game.want(session);
    }

    /// Somebody came: one who comes while the game is on gets it unasked (B4.4).
    pub fn joined(&mut self, id: SessionId, session: &mut Session) {
        self.host_game.owe(id);
        if session.is_host() {
            session.send_message(Some(id), &self.level_news().into());
        }
    }

    /// Somebody left: no figure stays.
    pub fn left(&mut self, id: SessionId, game: &dyn Game) {
        self.relay.forget(id);
        self.host_game.left(id);
        self.figures.remove(id, game);
    }

    /// The party is over for this player: no figures, and menus stop the world again (B5.10).
    pub fn ended(&mut self, game: &dyn Game) {
        self.figures.clear(game);
        game.menus_pause(true);
        self.host_game.ended();
        self.host_level = None;
        self.level_sent = None;
        self.sender = PoseSender::default();
        self.relay = PoseRelay::default();
    }

    /// A checked message of a party's member, and what it came as.
    pub(crate) fn message(
        &mut self,
        message: &Message,
        came: Came,
        session: &mut Session,
        game: &dyn Game,
        now: Now,
    ) {
        match message {
            Message::Start(_) => self.host_game.start_came(session, game),
            Message::Play(play) => self.host_game.play_came(play, came.sender, session, game, now),
            Message::Level(news) => self.level_came(news),
            Message::Chunk(chunk) => {
                self.host_game.chunk_came(chunk, came.sender, session, game, now);
            }
            Message::Want(_) => self.host_game.owe(came.sender),
            Message::Pose(pose) => {
                if session.is_host() {
                    self.relay.came(came.sender, came.bytes);
                }
                // A member's own comes back to it among all the others'.
                if session.me() != Some(pose.owner)
                    && let Some(at) = session.server_time(came.at)
                {
                    self.figures.came(pose, at, now.patient);
                }
            }
            // The shared world, scenes and shots are not shared by this version.
            _ => {}
        }
    }

    fn level_came(&mut self, news: &HostLevel) {
        self.host_game.follow(news.play);
        self.host_level = news.level.number().map(i32::from);
    }

    /// One tick of the game, after everything that came was taken.
    pub fn tick(&mut self, session: &mut Session, game: &dyn Game, now: Now) {
        let phase = game.phase();
        self.was_in_game = self.in_game;
        self.in_game = phase.in_game();
        if session.party().is_none() {
            return;
        }
        if self.in_game != self.was_in_game {
            game.menus_pause(!self.in_game);
            session.set_footer("");
        }
        self.host_game.tick(self.in_game, session, game, now);
        if session.is_host() {
            self.host_level = if self.in_game { game.level() } else { None };
            self.send_level(session, now);
            self.relay.tick(session, now.local);
        }
        self.sender.tick(session, game, now.local);
        self.figures.tick(session, game, now);
    }

    fn send_level(&mut self, session: &mut Session, now: Now) {
        let due = match self.level_sent {
            None => true,
            Some((level, at)) => level != self.host_level || now.local.since(at) >= REPEAT_INTERVAL,
        };
        if due {
            self.level_sent = Some((self.host_level, now.local));
            session.send_message(None, &self.level_news().into());
        }
    }

    fn level_news(&self) -> HostLevel {
        let level = self.host_level.and_then(messages::Level::new);
        HostLevel {
            play: self.host_game.play(),
            level: level.unwrap_or(messages::Level::NONE),
            scene: false,
            // No travel is known to this version.
            travel: Some(Travel { number: 0, dest: messages::Level::NONE, arriving: false }),
        }
    }
}
