//! What a member's game does after the host's: it flies where the host flies, plays and skips the
//! scenes that the host does, and waits for it (B5.5 to B5.8).

use mp_protocol::game::{HostLevel, PlayId, Scene, SkipTarget};

use super::SENTENCE_SECONDS;
use super::control::Hold;
use super::here::Here;
use super::scenes::MemberScenes;
use super::travel::MemberTravel;
use crate::game::Game;
use crate::session::Session;

/// What a member is told that waited long enough for the host's scene.
const GOES_ON: &str = "The host is still in a scene: the game goes on without it";

/// A member's part. See the module.
#[derive(Debug, Default)]
pub(super) struct Following {
    travel: MemberTravel,
    scenes: MemberScenes,
}

impl Following {
    /// The host says where it is.
    pub(super) fn level_came(&mut self, news: &HostLevel) {
        self.travel.level_came(*news);
        self.scenes.level_came(news);
    }

    /// The host says what it plays: a scene of this play.
    pub(super) fn scene_came(&mut self, news: &Scene, here: &Here) {
        self.scenes.scene_came(news, here);
    }

    /// The host skipped something of this play.
    pub(super) fn skip_came(&mut self, skip: &SkipTarget, here: &Here, game: &dyn Game) {
        if let Some(skip) = self.scenes.skip_came(skip, here) {
            game.scene_skip(skip);
        }
    }

    /// One tick. `starting`: the game is about to leave the title for the host's; `held`: it is us who
    /// keep control from the player.
    pub(super) fn tick(
        &mut self,
        here: &Here,
        (starting, held): (bool, bool),
        play: PlayId,
        session: &mut Session,
        game: &dyn Game,
    ) {
        let leave_for = self.travel.tick(here, starting, play);
        session.set_arrival(self.travel.arrival());
        if let Some(level) = leave_for {
            self.scenes.leave();
            game.travel(level);
            return;
        }
        let skip = self.scenes.tick(here);
        if self.scenes.gives_up(here.now) {
            game.message(GOES_ON, SENTENCE_SECONDS);
        }
        if let Some(skip) = skip {
            game.scene_skip(skip);
        } else if let Some(scene) = self.scenes.to_start(here, held) {
            self.scenes.started(game.play_scene(scene), here);
        }
        if let Some(state) = self.scenes.poll_state(play, here.now) {
            session.send_message(None, &state.into());
        }
    }

    /// Why this member has no control now.
    pub(super) fn hold(&self, here: &Here) -> Option<Hold> {
        if self.travel.is_going() {
            None
        } else if self.travel.is_waiting(here.now) {
            Some(Hold::Arrivals)
        } else {
            self.scenes.is_waiting(here).then_some(Hold::Scenes)
        }
    }

    /// Whether the party still arrives in the level, or this game is on its way there.
    pub(super) fn is_arriving(&self) -> bool {
        self.travel.is_arriving() || self.travel.is_going()
    }
}
