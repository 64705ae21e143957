//! The start of the host's game in every game: PLAY and the save that goes with it, who asks for it again
//! (WANT), and leaving the title for it (behaviour.md 4). Levels, figures and scenes are not its business.

use std::collections::BTreeSet;
use std::time::Duration;

use mp_netcode::LocalTime;
use mp_protocol::SessionId;
use mp_protocol::game::{self as messages, Chunk, Play, PlayFrom, PlayId, Want};
use mp_protocol::limits::CHUNK_MAX;

use super::save::{Broken, CHUNK_WITHIN, HostSave, Incoming};
use super::seldom::Seldom;
use super::{Now, SENTENCE_SECONDS};
use crate::changes::Changes;
use crate::game::{Game, LogLevel};
use crate::session::Session;

/// Where this player is with the host's game.
#[derive(Default)]
enum Stage {
    /// The party does not play yet, or this player has no part in it.
    #[default]
    Lobby,
    /// The host's save is on its way here.
    Receiving(Incoming, messages::Level),
    /// The host's game is to be started as soon as this game can.
    Starting { since: LocalTime, save: HostSave, level: messages::Level },
    /// This game leaves the title for it.
    Leaving { since: LocalTime },
    /// In it, or back at the title out of it.
    Started,
}

/// How long a game may refuse to start, or stay at the title though it said that it leaves, before the
/// player is told.
const START_WITHIN: Duration = Duration::from_secs(5);
/// How often one member is given the host's game, so that asking for it for ever takes little of the
/// host's link: 59,912 bytes in 3 s.
const GAME_EVERY: Duration = Duration::from_secs(3);
/// How often it is logged that the host's game is refused.
const REFUSAL_EVERY: Duration = Duration::from_secs(10);
/// How much of another build is shown, in characters.
const BUILD_SHOWN: usize = 64;

/// The host's game, on its way from the host to the members. See the module.
pub(super) struct HostGame {
    build: String,
    chosen: HostSave,
    stage: Stage,
    play: PlayId,
    /// On the host: it is back at the title out of its game.
    at_title: bool,
    /// On the host: who is to be given its game as it is, as soon as it can be captured.
    owed: BTreeSet<SessionId>,
    given: Seldom,
    /// On a member: the play whose save was broken and has been asked for again.
    asked_again: Option<PlayId>,
    /// What the host's words bring about: that its game is asked for again, and another play's number.
    asks: Changes,
    plays: Changes,
    /// On a member: since when START promises a game that has not come.
    promised: Option<LocalTime>,
    refusals: Seldom,
}

impl HostGame {
    /// Nothing played yet. `build` is `<mod>/<game>/<disc>` (B4.3).
    pub(super) fn new(build: String) -> Self {
        Self {
            build,
            chosen: HostSave::default(),
            stage: Stage::default(),
            play: PlayId(0),
            at_title: false,
            owed: BTreeSet::new(),
            given: Seldom::new(GAME_EVERY),
            asked_again: None,
            asks: Changes::default(),
            plays: Changes::default(),
            promised: None,
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

    /// The host says which play goes on (PLAY, LEVEL). What hangs on it begins anew with each.
    pub(super) fn follow(&mut self, play: PlayId, now: Now) {
        if play != self.play && self.plays.may(now.local) {
            self.play = play;
        }
    }

    /// Whether this game waits for the host's, or is about to leave the title for it.
    pub(super) fn is_starting(&self) -> bool {
        !matches!(self.stage, Stage::Lobby | Stage::Started)
    }

    /// Whether this game has been told to leave the title, and may not have done so yet.
    pub(super) fn is_leaving_title(&self) -> bool {
        matches!(self.stage, Stage::Leaving { .. })
    }

    /// What the host's Start is to start (B2.4).
    pub(super) fn choose(&mut self, save: HostSave) {
        self.chosen = save;
    }

    /// The host's Start: its game, for everyone (B4.2).
    pub(super) fn start(&mut self, session: &mut Session, game: &dyn Game, now: Now) {
        if !game.play_start(self.chosen.as_start(), None) {
            session.set_footer(CANNOT_START);
            return;
        }
        self.next_play();
        self.stage = Stage::Leaving { since: now.patient };
        self.owed.clear();
        session.set_footer(STARTING);
        session.send_message(None, &messages::Start.into());
        self.send(None, &self.chosen, messages::Level::NONE, session);
    }

    /// Another play goes on from now, whatever level it is in.
    fn next_play(&mut self) {
        self.play = PlayId(self.play.0.wrapping_add(1).max(1));
        self.at_title = false;
    }

    /// PLAY, and the save in as many CHUNKs as it takes. The link holds them back under the limits and
    /// drops none (protocol.md 1).
    fn send(
        &self,
        target: Option<SessionId>,
        save: &HostSave,
        level: messages::Level,
        session: &mut Session,
    ) {
        let from = match save.size() {
            0 => PlayFrom::NewGame,
            size => PlayFrom::Save { size },
        };
        let play = Play { play: self.play, from, level, build: &self.build };
        session.send_message(target, &play.into());
        for (offset, bytes) in (0..).step_by(CHUNK_MAX).zip(save.bytes().chunks(CHUNK_MAX)) {
            session.send_message(target, &Chunk { play: self.play, offset, bytes }.into());
        }
    }

    /// Somebody came, or asks: it gets the host's game as it is, once that is on (B4.4).
    pub(super) fn owe(&mut self, who: SessionId) {
        if matches!(self.stage, Stage::Leaving { .. } | Stage::Started) {
            self.owed.insert(who);
        }
    }

    /// Somebody left.
    pub(super) fn left(&mut self, id: SessionId) {
        self.owed.remove(&id);
        self.given.forget(id);
    }

    /// Gives the game to those it is owed to, as soon as it can be captured.
    fn give(&mut self, session: &mut Session, game: &dyn Game, now: Now) {
        let due = |id: &&SessionId| self.given.is_due(**id, now.local);
        let due: Vec<_> = self.owed.iter().filter(due).copied().collect();
        if due.is_empty() {
            return;
        }
        let Some(level) = game.level().and_then(messages::Level::new) else { return };
        let Some(save) = game.save_capture() else { return };
        let save = HostSave::of(save);
        if save.is_none() {
            game.log(LogLevel::Error, "the game's save has no size that can be sent");
        }
        for id in due {
            self.owed.remove(&id);
            self.given.may(id, now.local);
            let Some(save) = &save else { continue };
            self.send(Some(id), save, level, session);
            session.count_as_ready(id);
        }
    }

    /// Asks the host for its game (Join the game).
    pub(super) fn want(&mut self, session: &mut Session) {
        self.asked_again = None;
        self.ask(session);
    }

    fn ask(&mut self, session: &mut Session) {
        self.stage = Stage::Lobby;
        session.set_footer("Waiting for the host's game");
        session.send_message(None, &Want { play: self.play }.into());
    }

    /// START came: the host's game follows.
    pub(super) fn start_came(&mut self, session: &mut Session, game: &dyn Game, now: Now) {
        if !game.phase().in_game() && self.promised.is_none() {
            self.promised = Some(now.patient);
            session.set_footer(STARTING);
        }
    }

    /// PLAY came and is malformed: there is no game to wait for, but one that is on its way comes.
    pub(super) fn play_came_malformed(&mut self, session: &mut Session, game: &dyn Game) {
        self.promised = None;
        if !game.phase().in_game() && !self.is_starting() {
            session.set_footer(CANNOT_GET);
        }
    }

    /// The host's PLAY came. One in a level keeps its progress and takes the play's number (B4.5), and so
    /// does one that is about to leave the title.
    pub(super) fn play_came(
        &mut self,
        play: &Play,
        sender: SessionId,
        session: &mut Session,
        game: &dyn Game,
        now: Now,
    ) {
        self.promised = None;
        if play.build != self.build {
            let theirs: String = play.build.chars().take(BUILD_SHOWN).collect();
            let words = format!("the host plays {theirs:?}, this is {:?}", self.build);
            self.refuse("Incompatible version", &words, sender, session, game, now);
            return;
        }
        let level = play.level.number().map(i32::from);
        if level.is_some_and(|level| game.level_name(level).is_empty()) {
            let words = format!("the host plays level {level:?}, which this game does not have");
            self.refuse(CANNOT_GET, &words, sender, session, game, now);
            return;
        }
        self.follow(play.play, now);
        if game.phase().in_game() {
            self.stage = Stage::Started;
            return;
        }
        if self.is_leaving_title() {
            return;
        }
        session.set_footer(STARTING);
        self.stage = match play.from {
            PlayFrom::NewGame => {
                let save = HostSave::NEW_GAME;
                Stage::Starting { since: now.patient, save, level: play.level }
            }
            PlayFrom::Save { size } => {
                Stage::Receiving(Incoming::new(play.play, size, now.patient), play.level)
            }
        };
    }

    /// The host says that it is in, or flies to, a level that this game does not have: the player is told,
    /// and stays where it is.
    pub(super) fn refuse_level(
        &mut self,
        level: i32,
        sender: SessionId,
        session: &mut Session,
        game: &dyn Game,
        now: Now,
    ) {
        session.set_footer(NO_SUCH_LEVEL);
        if self.refusals.may(sender, now.local) {
            game.log(LogLevel::Error, &format!("{NO_SUCH_LEVEL}: {level}"));
            if game.phase().in_game() {
                game.message(NO_SUCH_LEVEL, SENTENCE_SECONDS);
            }
        }
    }

    /// A part of the host's save came.
    pub(super) fn chunk_came(
        &mut self,
        chunk: &Chunk,
        sender: SessionId,
        session: &mut Session,
        game: &dyn Game,
        now: Now,
    ) {
        let Stage::Receiving(incoming, level) = &mut self.stage else { return };
        match incoming.take(chunk, now.patient) {
            Ok(None) => {}
            Ok(Some(save)) => {
                self.asked_again = None;
                self.stage = Stage::Starting { since: now.patient, save, level: *level };
            }
            Err(why) => self.broken(why, sender, session, game, now),
        }
    }

    /// A save that is not what PLAY said is asked for again, once (B4.2).
    fn broken(
        &mut self,
        why: Broken,
        sender: SessionId,
        session: &mut Session,
        game: &dyn Game,
        now: Now,
    ) {
        self.refuse(CANNOT_GET, &format!("the host's save: {why}"), sender, session, game, now);
        if self.asked_again.replace(self.play) != Some(self.play) && self.asks.may(now.local) {
            self.ask(session);
        }
    }

    /// Nothing comes of what the host sent, in words for the footer and for the log.
    fn refuse(
        &mut self,
        footer: &str,
        words: &str,
        sender: SessionId,
        session: &mut Session,
        game: &dyn Game,
        now: Now,
    ) {
        self.stage = Stage::Lobby;
        session.set_footer(footer);
        if self.refusals.may(sender, now.local) {
            game.log(LogLevel::Error, &format!("{footer}: {words}"));
        }
    }

    /// Leaves the title for the host's game, as soon as this game can, and gives it to those it is owed
    /// to. `in_game` is the game's phase in this tick.
    pub(super) fn tick(&mut self, in_game: bool, session: &mut Session, game: &dyn Game, now: Now) {
        // PLAY is waited for as long as a part of a save is.
        let waited = |since: &mut LocalTime| now.patient.since(*since) >= CHUNK_WITHIN;
        if in_game {
            self.promised = None;
        } else if self.promised.take_if(waited).is_some() {
            session.set_footer(CANNOT_GET);
        }
        match &self.stage {
            // One that left the title later than it was waited for plays all the same.
            Stage::Lobby if in_game && session.is_host() => self.stage = Stage::Started,
            Stage::Lobby => {}
            Stage::Started if session.is_host() => {
                // What its player starts by the game's own menu is another game, too.
                if in_game && self.at_title {
                    self.next_play();
                }
                self.at_title = !in_game;
                self.give(session, game, now);
            }
            Stage::Started => {}
            // One that is in a level by now, by whatever way, keeps it (B4.5).
            _ if in_game => self.stage = Stage::Started,
            Stage::Leaving { since } => {
                if now.patient.since(*since) >= START_WITHIN {
                    self.stage = Stage::Lobby;
                    session.set_footer(CANNOT_START);
                }
            }
            Stage::Receiving(incoming, _) => {
                if let Some(why) = incoming.late(now.patient) {
                    let Some(host) = session.party().map(|party| party.host) else { return };
                    self.broken(why, host, session, game, now);
                }
            }
            Stage::Starting { since, save, level } => {
                if game.play_start(save.as_start(), level.number().map(i32::from)) {
                    self.stage = Stage::Leaving { since: now.patient };
                } else if now.patient.since(*since) >= START_WITHIN {
                    self.stage = Stage::Lobby;
                    session.set_footer(CANNOT_START);
                }
            }
        }
    }
}

/// What the footer says of a start on its way, of a game that does not start, and of a save that is not
/// to be had (B2.7, B4.2).
const STARTING: &str = "Starting";
const CANNOT_START: &str = "The game cannot start now";
const CANNOT_GET: &str = "Could not get the host's game";
/// What a player is told of a host in a level that its own game does not have.
const NO_SUCH_LEVEL: &str = "The host is in a level that this game does not have";
