//! Playing together: the start of the host's game in every game, its levels and scenes followed, and
//! each player's figure in the others'. What the wire carries of it is in mp-protocol's game messages;
//! the game is reached only through [`Game`].

mod control;
mod figures;
mod following;
mod here;
mod leading;
mod player;
mod poses;
mod relay;
mod save;
mod scenes;
mod seldom;
mod shots;
mod start;
mod travel;
mod wardrobe;
mod wire;

use mp_netcode::LocalTime;
use mp_protocol::SessionId;
use mp_protocol::game::{HostLevel, Kind, Level, Message, PlayId, Pose, Shot as ShotNews};

use crate::game::{Figure, Game, Shot, Skip};
use crate::session::{Came, Session};
use crate::world::Refused;
use control::Control;
use figures::Figures;
use following::Following;
use here::Here;
use leading::Leading;
pub use player::Playback;
use poses::PoseSender;
use relay::PoseRelay;
pub use save::HostSave;
use shots::ShotRelay;
use start::HostGame;

/// For how long a sentence about what only the host does shows (B5.5, B5.7).
const SENTENCE_SECONDS: f32 = 3.0;

/// The times of a tick.
#[derive(Clone, Copy, Debug, Default)]
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
    was_in_game: bool,
    in_game: bool,
    /// The newest tick's.
    now: Now,
    leading: Leading,
    following: Following,
    control: Control,
    sender: PoseSender,
    relay: PoseRelay,
    shots: ShotRelay,
    figures: Figures,
}

impl Coop {
    /// Nothing played yet. `build` is `<mod>/<game>/<disc>` (B4.3).
    pub fn new(build: String) -> Self {
        Self {
            host_game: HostGame::new(build),
            host_level: None,
            was_in_game: false,
            in_game: false,
            now: Now::default(),
            leading: Leading::default(),
            following: Following::default(),
            control: Control::default(),
            sender: PoseSender::default(),
            relay: PoseRelay::default(),
            shots: ShotRelay::default(),
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

    /// Whether the party still arrives in the host's level: nothing of the host's world shows until it
    /// has (B5.5).
    pub fn is_arriving(&self, session: &Session) -> bool {
        if session.is_host() { self.leading.is_arriving() } else { self.following.is_arriving() }
    }

    /// Whether the host's world may hurt this player: once it had control of its hero (B5.8).
    pub fn can_be_hurt(&self) -> bool {
        self.control.can_be_hurt()
    }

    /// How each of the others is played, for the network page.
    pub fn playbacks(&self) -> impl Iterator<Item = (SessionId, Playback)> {
        self.figures.playbacks()
    }

    /// The others' figures in this game, and where they stand.
    pub fn figures(&self) -> impl Iterator<Item = (SessionId, Figure, [f32; 3])> {
        self.figures.iter()
    }

    /// The host's Start: its game, for everyone (B4.2).
    pub fn start(&mut self, session: &mut Session, game: &dyn Game) {
        self.host_game.start(session, game, self.now);
    }

    /// Asks the host for its game (Join the game).
    pub fn want(&mut self, session: &mut Session) {
        self.host_game.want(session);
    }

    /// Somebody came: one who comes while the game is on gets it unasked (B4.4).
    pub fn joined(&mut self, id: SessionId, session: &mut Session) {
        self.host_game.owe(id);
        if session.is_host()
            && let Some(news) = self.leading.newest()
        {
            session.send_message(Some(id), &news.into());
        }
    }

    /// Somebody left: no figure stays, and nobody waits for it.
    pub fn left(&mut self, id: SessionId, game: &dyn Game) {
        self.relay.forget(id);
        self.shots.forget(id);
        self.leading.left(id);
        self.host_game.left(id);
        self.figures.remove(id, game);
    }

    /// The party is over for this player: no figures, and menus stop the world again (B5.10).
    pub fn ended(&mut self, game: &dyn Game) {
        self.figures.clear(game);
        self.control.release(game);
        game.menus_pause(true);
        self.host_game.ended();
        self.host_level = None;
        self.leading = Leading::default();
        self.following = Following::default();
        self.sender = PoseSender::default();
        self.relay = PoseRelay::default();
        self.shots = ShotRelay::default();
    }

    /// The hero is about to leave for that level. Returns whether he may: only the host flies, and with it
    /// everyone (B5.5).
    pub fn on_travel(&mut self, level: i32, session: &mut Session, game: &dyn Game) -> bool {
        if session.party().is_none() {
            return true;
        }
        if !session.is_host() {
            let words = "Only the host flies the ship to another planet";
            game.message(words, SENTENCE_SECONDS);
            return false;
        }
        let here = Here::read(game, self.now.patient);
        self.leading.depart(level, &here, self.host_game.play(), session, self.now.local);
        true
    }

    /// Start was pressed in a scene or a movie. Returns whether it is skipped: only by the host, and
    /// then everywhere (B5.7).
    pub fn on_skip(&mut self, skip: Skip, session: &mut Session, game: &dyn Game) -> bool {
        if session.party().is_none() {
            return true;
        }
        if !session.is_host() {
            game.message("Only the host can skip", SENTENCE_SECONDS);
            return false;
        }
        let here = Here::read(game, self.now.patient);
        self.leading.skip(skip, &here, self.host_game.play(), session);
        true
    }

    /// The hero fired: the others see it (B5.1).
    pub fn on_shot(&mut self, shot: &Shot, session: &mut Session, game: &dyn Game) {
        if session.party().is_none() {
            return;
        }
        let level = game.level().and_then(Level::new);
        if let (Some(me), Some(level)) = (session.me(), level)
            && self.shots.may_send(self.now.local)
        {
            session.send_message(None, &shots::to_wire(me, level, shot).into());
        }
    }

    /// A checked message of a party's member, and what it came as.
    ///
    /// # Errors
    /// Why nothing comes of it.
    pub(crate) fn message(
        &mut self,
        message: &Message,
        came: Came,
        session: &mut Session,
        game: &dyn Game,
        now: Now,
    ) -> Result<(), Refused> {
        match message {
            Message::Start(_) => self.host_game.start_came(session, game, now),
            Message::Play(play) => self.host_game.play_came(play, came.sender, session, game, now),
            Message::Level(news) => self.level_came(news, came.sender, session, game, now),
            Message::Chunk(chunk) => {
                self.host_game.chunk_came(chunk, came.sender, session, game, now);
            }
            Message::Want(_) => self.host_game.owe(came.sender),
            Message::Pose(pose) => self.pose_came(pose, came, session, now),
            Message::Shot(shot) => return self.shot_came(shot, came, session, game, now),
            Message::Scene(scene) if self.is_this_play(scene.play) => {
                self.following.scene_came(scene, &Here::read(game, now.patient));
            }
            Message::SceneState(state) if self.is_this_play(state.play) => {
                self.leading.state_came(came.sender, state);
            }
            // A member's, which older mods send, is nobody's to follow.
            Message::Skip(skip) if !session.is_host() => {
                if let Some(target) = skip.target.filter(|target| self.is_this_play(target.play)) {
                    let here = Here::read(game, now.patient);
                    self.following.skip_came(&target, &here, game);
                }
            }
            // The rest is the world's, or nothing to this version.
            _ => {}
        }
        Ok(())
    }

    /// A malformed PLAY of the host's: its player is told.
    pub(crate) fn play_came_malformed(&mut self, session: &mut Session, game: &dyn Game) {
        self.host_game.play_came_malformed(session, game);
    }

    fn is_this_play(&self, play: PlayId) -> bool {
        play == self.host_game.play()
    }

    fn pose_came(&mut self, pose: &Pose, came: Came, session: &Session, now: Now) {
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

    fn shot_came(
        &mut self,
        shot: &ShotNews,
        came: Came,
        session: &mut Session,
        game: &dyn Game,
        now: Now,
    ) -> Result<(), Refused> {
        if session.is_host() {
            if !self.shots.may_pass_on(came.sender, now.local) {
                return Err(Refused::TooOften(Kind::Shot));
            }
            session.pass_on_shot(came.bytes);
        }
        let is_here = shot.level.number().map(i32::from) == game.level();
        if is_here
            && session.me() != Some(shot.owner)
            && let Some(at) = session.server_time(came.at)
        {
            self.figures.fired(shot, at);
        }
        Ok(())
    }

    fn level_came(
        &mut self,
        news: &HostLevel,
        sender: SessionId,
        session: &mut Session,
        game: &dyn Game,
        now: Now,
    ) {
        // Nothing that the host says makes a game fly to a level that it does not have.
        let levels = [Some(news.level), news.travel.map(|travel| travel.dest)];
        let mut numbers = levels.into_iter().flatten().filter_map(Level::number).map(i32::from);
        if let Some(level) = numbers.find(|level| game.level_name(*level).is_empty()) {
            self.host_game.refuse_level(level, sender, session, game, now);
            return;
        }
        self.host_game.follow(news.play, now);
        self.host_level = news.level.number().map(i32::from);
        self.following.level_came(news);
    }

    /// One tick of the game, after everything that came was taken.
    pub fn tick(&mut self, session: &mut Session, game: &dyn Game, now: Now) {
        self.now = now;
        self.was_in_game = self.in_game;
        self.in_game = game.phase().in_game();
        if session.party().is_none() {
            return;
        }
        let here = Here::read(game, now.patient);
        if self.in_game != self.was_in_game {
            game.menus_pause(!self.in_game);
            session.set_footer("");
        }
        self.host_game.tick(self.in_game, session, game, now);
        let play = self.host_game.play();
        let hold = if session.is_host() {
            self.host_level = here.level;
            self.leading.tick(&here, play, session, &self.figures, now.local);
            self.relay.tick(session, now.local);
            self.leading.hold()
        } else {
            let state = (self.host_game.is_starting(), self.control.is_held());
            self.following.tick(&here, state, play, session, game);
            self.following.hold(&here)
        };
        self.control.tick(&here, hold, game);
        self.sender.tick(&here, session, game, now.local);
        self.figures.tick(session, &here, game, now);
    }
}
