//! The start of the host's game in every game: PLAY and what goes with it, who asks for it again (WANT),
//! and leaving the title for it (behaviour.md 4). Levels, figures and scenes are not its business.

use std::time::Duration;

use mp_netcode::LocalTime;
use mp_protocol::SessionId;
use mp_protocol::game::{self as messages, Play, PlayFrom, PlayId, Want};

use super::Now;
use super::seldom::Seldom;
use crate::game::{Game, LogLevel, Start};
use crate::session::Session;

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

/// The host's game, on its way from the host to the members. See the module.
pub(super) struct HostGame {
    build: String,
    stage: Stage,
    play: PlayId,
    wants: Seldom,
    refusals: Seldom,
}

impl HostGame {
    /// Nothing played yet. `build` is `<mod>/<game>/<disc>` (B4.3).
    pub(super) fn new(build: String) -> Self {
        Self {
            build,
            stage: Stage::default(),
            play: PlayId(0),
            wants: Seldom::new(GAME_EVERY),
            refusals: Seldom::new(REFUSAL_EVERY),
        }
    }

    /// The party is over: nothing is played, by the same build.
    pub(super) fn ended(&mut self) {
        *self = Self::new(std::mem::take(&mut self.build));
    }

    /// The play that goes on, as its host numbered it.
    pub(super) fn play(&self) -> PlayId {
        self.play
    }

    /// The host says which play goes on (LEVEL).
    pub(super) fn follow(&mut self, play: PlayId) {
        self.play = play;
    }

    /// Whether this game is about to leave the title for the host's.
    pub(super) fn is_starting(&self) -> bool {
        matches!(self.stage, Stage::Starting { .. })
    }

    /// The host's Start: its game, for everyone (B4.2).
    pub(super) fn start(&mut self, session: &mut Session, game: &dyn Game) {
        if !game.play_start(Start::NewGame, None) {
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
    pub(super) fn want(&self, session: &mut Session) {
        session.send_message(None, &Want { play: self.play }.into());
    }

    /// Whether one that asks for the host's game is given it now.
    pub(super) fn may_have(&mut self, who: SessionId, now: LocalTime) -> bool {
        self.wants.may(who, now)
    }

    /// Gives the host's game to one that came or asked, while it is on (B4.4). Returns whether it did.
    pub(super) fn give(&self, who: SessionId, in_game: bool, session: &mut Session) -> bool {
        let on = session.is_host() && in_game && self.stage == Stage::Started;
        if on {
            self.send_play(session, Some(who));
        }
        on
    }

    /// Somebody left.
    pub(super) fn left(&mut self, id: SessionId) {
        self.wants.forget(id);
    }

    /// The host's PLAY came.
    pub(super) fn play_came(
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

    /// Leaves the title for the host's game, as soon as this game can. One in a level keeps it (B4.5).
    pub(super) fn tick(&mut self, in_game: bool, session: &mut Session, game: &dyn Game, now: Now) {
        let Stage::Starting { since } = self.stage else { return };
        if in_game || game.play_start(Start::NewGame, None) {
            self.stage = Stage::Started;
        } else if now.patient.since(since) >= START_WITHIN {
            self.stage = Stage::Lobby;
            session.set_footer("The game cannot start now");
        }
    }
}
