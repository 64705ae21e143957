//! The others' heroes in this game: a pose buffer a player, and its figure while it is to be seen
//! (B5.1, B5.3, B5.4).

use std::collections::BTreeMap;
use std::time::Duration;

use mp_netcode::interpolation::{Played, Pose as Keyed, PoseBuffer};
use mp_netcode::{LocalTime, Sequence, ServerTime};
use mp_protocol::SessionId;
use mp_protocol::game::{Level, Pose, PoseFlags};

use super::{Now, wire};
use crate::game::{Animation, Figure, Game, HeroPose, Phase, Pieces};
use crate::session::Session;

/// How long a player may be silent before its figure goes (B5.4).
const SILENT: Duration = Duration::from_secs(5);

/// The buffer's segment for poses of no level.
const NOWHERE: i32 = -1;

/// What a pose says that steps from one to the next and is not interpolated.
#[derive(Clone, Debug)]
struct Step {
    state: i16,
    health: i16,
    item: i16,
    blending: bool,
    teleport: bool,
    animation: Animation,
    pieces: Pieces,
}

/// One of the others.
struct Player {
    buffer: PoseBuffer<Step>,
    heard: LocalTime,
    /// Died, and has not come back by a teleport since.
    dead: bool,
    figure: Option<(Figure, Pieces)>,
}

/// Every other player of the party that said where it is.
#[derive(Default)]
pub(super) struct Figures {
    players: BTreeMap<SessionId, Player>,
}

impl Figures {
    /// A pose of another player's came, `at` that moment of the server's clock.
    pub(super) fn came(&mut self, pose: &Pose, at: ServerTime, patient: LocalTime) {
        let player = self.players.entry(pose.owner).or_insert_with(|| Player {
            buffer: PoseBuffer::new(),
            heard: patient,
            dead: false,
            figure: None,
        });
        player.heard = patient;
        let teleport = pose.flags.teleport_ago();
        let keyed = Keyed {
            stamp: ServerTime::from_millis(pose.stamp_ms),
            position: pose.position,
            rotation: pose.rotation,
            velocity: pose.velocity,
            segment: segment(pose.level),
            teleport,
        };
        let step = Step {
            state: pose.state,
            health: pose.health,
            item: pose.item,
            blending: pose.flags.contains(PoseFlags::BLENDING),
            teleport: teleport.is_some(),
            animation: wire::animation(pose.animation),
            pieces: pose.pieces.iter().collect(),
        };
        player.buffer.push(at, Sequence(pose.sequence), keyed, step);
    }

    /// Shows everyone where they were an interpolation delay ago.
    pub(super) fn tick(&mut self, session: &Session, game: &dyn Game, now: Now) {
        let Some(server_now) = session.server_time(now.local) else { return };
        let here = game.level().filter(|_| shows_figures(game.phase()));
        for (id, player) in &mut self.players {
            let name = session.party().and_then(|party| party.member(*id)).map(|m| m.name.as_str());
            player.tick(name, here, server_now, game, now.patient);
        }
    }

    /// One who left leaves no figure.
    pub(super) fn remove(&mut self, id: SessionId, game: &dyn Game) {
        if let Some(mut player) = self.players.remove(&id) {
            player.hide(game);
        }
    }

    /// Nobody is shown any more.
    pub(super) fn clear(&mut self, game: &dyn Game) {
        for player in self.players.values_mut() {
            player.hide(game);
        }
        self.players.clear();
    }
}

/// In a scene, and on the way between levels, nobody is shown (B5.4).
fn shows_figures(phase: Phase) -> bool {
    phase.has_hero() && phase != Phase::Scene
}

/// A level as the buffer's segment: a pose in another one is a jump.
fn segment(level: Level) -> i32 {
    level.number().map_or(NOWHERE, i32::from)
}

impl Player {
    fn tick(
        &mut self,
        name: Option<&str>,
        here: Option<i32>,
        server_now: ServerTime,
        game: &dyn Game,
        patient: LocalTime,
    ) {
        let silent = patient.since(self.heard) > SILENT;
        let played = self.buffer.play(server_now);
        let seen = played.filter(|played| {
            let alive = played.step.health > 0;
            // Outside a level a pose is all zeros: nobody dies of it, and who comes in anew is alive.
            let placed = played.segment != NOWHERE;
            self.dead = placed && (!alive || (self.dead && !played.step.teleport));
            !self.dead && !silent && Some(played.segment) == here
        });
        let (Some(played), Some(name)) = (seen, name) else {
            hide(&mut self.figure, game);
            return;
        };
        let pose = shown(&played);
        if self.figure.is_none() {
            self.figure = game.figure_make(name).map(|figure| (figure, Pieces::new()));
        }
        let Some((figure, worn)) = &mut self.figure else { return };
        if *worn != pose.pieces {
            game.figure_wear(*figure, &pose.pieces);
            worn.clone_from(&pose.pieces);
        }
        if !game.figure_pose(*figure, &pose) {
            // Its level ended under it: the next tick makes another.
            self.figure = None;
        }
    }

    fn hide(&mut self, game: &dyn Game) {
        hide(&mut self.figure, game);
    }
}

fn hide(figure: &mut Option<(Figure, Pieces)>, game: &dyn Game) {
    if let Some((figure, _)) = figure.take() {
        game.figure_remove(figure);
    }
}

fn shown(played: &Played<Step>) -> HeroPose {
    let step = played.step;
    HeroPose {
        position: played.position,
        rotation: played.rotation,
        velocity: played.velocity,
        state: step.state,
        health: step.health,
        item: step.item,
        animation: step.animation,
        blending: step.blending,
        teleport: played.teleported,
        pieces: step.pieces.clone(),
    }
}
