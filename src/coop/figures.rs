//! The others' heroes in this game: what each said of itself, and its figure while it is to be seen
//! (B5.1, B5.3, B5.4).

use std::collections::BTreeMap;

use mp_netcode::{LocalTime, ServerTime};
use mp_protocol::SessionId;
use mp_protocol::game::{Pose, Shot};

use super::Now;
use super::here::Here;
use super::player::{Playback, Player, Stage};
use super::shots;
use super::wardrobe::Wardrobe;
use crate::game::{Figure, Game, Phase};
use crate::session::Session;

/// Every other player of the party that said where it is.
#[derive(Default)]
pub(super) struct Figures {
    players: BTreeMap<SessionId, Player>,
    wardrobe: Wardrobe,
}

impl Figures {
    /// A pose of another player's came, `at` that moment of the server's clock.
    pub(super) fn came(&mut self, pose: &Pose, at: ServerTime, patient: LocalTime) {
        let player = self.players.entry(pose.owner).or_insert_with(|| Player::new(patient));
        player.came(pose, at, patient);
    }

    /// Another player fired; `at` the server's clock when it came.
    pub(super) fn fired(&mut self, shot: &Shot, at: ServerTime) {
        if let Some(player) = self.players.get_mut(&shot.owner) {
            player.fired(shots::from_wire(shot), at);
        }
    }

    /// Shows everyone where they were an interpolation delay ago.
    pub(super) fn tick(&mut self, session: &Session, here: &Here, game: &dyn Game, now: Now) {
        let Some(server_now) = session.server_time(now.local) else { return };
        let stage = Stage {
            level: here.level.filter(|_| here.phase.has_hero()),
            // Nobody else is seen in a scene, nor in a moby's shot (B5.4).
            shows: here.phase != Phase::Scene && here.scene.is_none(),
            server_now,
            patient: now.patient,
        };
        for (id, player) in &mut self.players {
            let name = session.party().and_then(|party| party.member(*id)).map(|m| m.name.as_str());
            player.tick(name, &stage, &mut self.wardrobe, game);
        }
    }

    /// Where a player's newest pose is (`None`: in no level), and whether it is in a scene.
    pub(super) fn newest(&self, id: SessionId) -> Option<(Option<i32>, bool)> {
        self.players.get(&id).map(Player::newest)
    }

    /// Whose figures there are, and where they stand.
    pub(super) fn iter(&self) -> impl Iterator<Item = (SessionId, Figure, [f32; 3])> {
        let figures = self.players.iter();
        figures.filter_map(|(id, player)| player.figure().map(|(figure, at)| (*id, figure, at)))
    }

    /// How each is played.
    pub(super) fn playbacks(&self) -> impl Iterator<Item = (SessionId, Playback)> {
        self.players.iter().map(|(id, player)| (*id, player.playback()))
    }

    /// One who left leaves no figure.
    pub(super) fn remove(&mut self, id: SessionId, game: &dyn Game) {
        if let Some(mut player) = self.players.remove(&id) {
            player.remove_figure(game);
        }
    }

    /// Nobody is shown any more.
    pub(super) fn clear(&mut self, game: &dyn Game) {
        for player in self.players.values_mut() {
            player.remove_figure(game);
        }
        self.players.clear();
    }
}
