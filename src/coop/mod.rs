//! Playing together: the start of the host's game in every game, and each player's figure in the
//! others'. What the wire carries of it is in mp-protocol's game messages; the game is reached only
//! through [`Game`].

mod figures;
mod poses;
mod relay;
mod seldom;
mod wire;

use std::time::Duration;

use mp_netcode::LocalTime;
use mp_protocol::SessionId;
use mp_protocol::game::{
    self as messages, HostLevel, Message, Play, PlayFrom, PlayId, Travel, Want,
};
use mp_protocol::limits::REPEAT_INTERVAL;

use crate::game::{Game, LogLevel, Start};
use crate::session::{Came, Session};
use figures::Figures;
use poses::PoseSender;
use relay::PoseRelay;
use seldom::Seldom;

/// The times of a tick.
#[derive(Clone, Copy, Debug)]
pub struct Now {
    /// The clock that poses are stamped and played by.
    pub local: LocalTime,
    /// A clock that a stall moves by at most 100 ms: the one to measure silence with (B3.6).
    pub patient: LocalTime,
}

/// Where this player is with the host's game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
enum Stage {
    /// The party does not play yet.
    #[default]
    Lobby,
    /// The host's game is to be started as soon as this game can.
    Starting { since: LocalTime },
    /// In it, or back at the title out of it.
    Started,
}

/// How long a game may refuse to start before the player is told.
const START_WITHIN: Duration = Duration::from_secs(5);

/// How often a member that asks for the host's game is given it (WANT).
const GAME_EVERY: Duration = Duration::from_secs(1);
/// How often it is logged that the host's game is refused.
const REFUSAL_EVERY: Duration = Duration::from_secs(10);
/// How much of another build is shown, in characters.
const BUILD_SHOWN: usize = 64;

/// Playing together. See the module.
pub struct Coop {
    build: String,
    stage: Stage,
    play: PlayId,
    host_level: Option<i32>,
    level_sent: Option<(Option<i32>, LocalTime)>,
    was_in_game: bool,
    in_game: bool,
    sender: PoseSender,
    relay: PoseRelay,
    figures: Figures,
    wants: Seldom,
    refusals: Seldom,
}

impl Coop {
    /// Nothing played yet. `build` is `<mod>/<game>/<disc>` (B4.3).
    pub fn new(build: String) -> Self {
        Self {
            build,
            stage: Stage::default(),
            play: PlayId(0),
            host_level: None,
            level_sent: None,
            was_in_game: false,
            in_game: false,
            sender: PoseSender::default(),
            relay: PoseRelay::default(),
            figures: Figures::default(),
            wants: Seldom::new(GAME_EVERY),
            refusals: Seldom::new(REFUSAL_EVERY),
        }
    }

    /// The level that the host plays, as it says; `None` while it plays none.
    pub fn host_level(&self) -> Option<i32> {
        self.host_level
    }

    /// Whether this player is at the title while the host's game is on (B4.4).
    pub fn can_join_game(&self) -> bool {
        !self.in_game && self.host_level.is_some() && !matches!(self.stage, Stage::Starting { .. })
    }

    /// The host's Start: its game, for everyone (B4.2).
    pub fn start(&mut self, session: &mut Session, game: &dyn Game) {
        if !game.play_start(Start::NewGame) {
            session.set_footer("The game cannot start now");
            return;
        }
        self.play = PlayId(self.play.0.wrapping_add(1).max(1));
        self.stage = Stage::Started;
        session.set_footer("Starting");
        session.send_message(None, &messages::Start.into());
        self.send_play(session, None);
    }

    fn send_play(&self, session: &mut Session, target: Option<SessionId>) {
        let play = Play {
            play: self.play,
            from: PlayFrom::NewGame,
            level: messages::Level::NONE,
            build: &self.build,
        };
        session.send_message(target, &play.into());
    }

    /// Asks the host for its game (Join the game).
    pub fn want(&mut self, session: &mut Session) {
        session.send_message(None, &Want { play: self.play }.into());
    }

    /// Somebody came: one who comes while the game is on gets it unasked (B4.4).
    pub fn joined(&mut self, id: SessionId, session: &mut Session) {
        if session.is_host() && self.in_game && self.stage == Stage::Started {
            self.send_play(session, Some(id));
            session.send_message(Some(id), &self.level_news().into());
        }
    }

    /// Somebody left: no figure stays.
    pub fn left(&mut self, id: SessionId, game: &dyn Game) {
        self.relay.forget(id);
        self.wants.forget(id);
        self.figures.remove(id, game);
    }

    /// The party is over for this player: no figures, and menus stop the world again (B5.10).
    pub fn ended(&mut self, game: &dyn Game) {
        self.figures.clear(game);
        game.menus_pause(true);
        let build = std::mem::take(&mut self.build);
        *self = Self { was_in_game: self.was_in_game, in_game: self.in_game, ..Self::new(build) };
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
            Message::Play(play) => self.play_came(play, came.sender, session, game, now),
            Message::Level(news) => self.level_came(news),
            Message::Want(_) if self.wants.may(came.sender, now.local) => {
                self.joined(came.sender, session);
            }
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
            // The shared world, scenes, shots and progress are not shared by this version.
            _ => {}
        }
    }

    fn play_came(
        &mut self,
        play: &Play,
        sender: SessionId,
        session: &mut Session,
        game: &dyn Game,
        now: Now,
    ) {
        let (words, footer) = if play.build != self.build {
            let theirs: String = play.build.chars().take(BUILD_SHOWN).collect();
            let words = format!("the host plays {theirs:?}, this is {:?}", self.build);
            (format!("Incompatible version: {words}"), "Incompatible version")
        } else if play.from != PlayFrom::NewGame {
            let words = "the host plays a save, which this version cannot load";
            (words.to_owned(), "Could not get the host's game")
        } else {
            self.play = play.play;
            self.stage = Stage::Starting { since: now.patient };
            session.set_footer("Starting");
            return;
        };
        if self.refusals.may(sender, now.local) {
            game.log(LogLevel::Error, &words);
        }
        session.set_footer(footer);
    }

    fn level_came(&mut self, news: &HostLevel) {
        self.play = news.play;
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
        self.start_when_ready(session, game, now);
        if session.is_host() {
            self.host_level = if self.in_game { game.level() } else { None };
            self.send_level(session, now);
            self.relay.tick(session, now.local);
        }
        self.sender.tick(session, game, now.local);
        self.figures.tick(session, game, now);
    }

    /// Leaves the title for the host's game, as soon as this game can. One in a level keeps it (B4.5).
    fn start_when_ready(&mut self, session: &mut Session, game: &dyn Game, now: Now) {
        let Stage::Starting { since } = self.stage else { return };
        if self.in_game || game.play_start(Start::NewGame) {
            self.stage = Stage::Started;
        } else if now.patient.since(since) >= START_WITHIN {
            self.stage = Stage::Lobby;
            session.set_footer("The game cannot start now");
        }
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
            play: self.play,
            level: level.unwrap_or(messages::Level::NONE),
            scene: false,
            // No travel is known to this version.
            travel: Some(Travel { number: 0, dest: messages::Level::NONE, arriving: false }),
        }
    }
}
