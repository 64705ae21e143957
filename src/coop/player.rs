//! One of the others: its poses and shots, played a little behind, and its figure.

use std::collections::VecDeque;
use std::time::Duration;

use mp_netcode::interpolation::{PlaybackStats, Played, Pose as Keyed, PoseBuffer, Pushed};
use mp_netcode::{LocalTime, Sequence, ServerTime};
use mp_protocol::game::{Level, Pose, PoseFlags};

use super::wardrobe::{Clothes, Wardrobe};
use crate::game::{Animation, Figure, Game, HeroPose, Pieces, Shot};

/// How long a player may be silent before its figure goes (B5.4).
const SILENT: Duration = Duration::from_secs(5);

/// How long one that died is alive again without a word of a teleport before it is taken to have come back:
/// of the teleport 8 poses tell, which may all be lost.
const BACK_UNHEARD: Duration = Duration::from_secs(1);

/// The buffer's segment for poses of no level.
const NOWHERE: i32 = -1;

/// The most shots that wait to be fired: 20 a second for as long as poses are played behind.
const SHOTS_MAX: usize = 16;

/// What a pose says that steps from one to the next and is not interpolated.
#[derive(Clone, Debug)]
struct Step {
    state: i16,
    health: i16,
    item: i16,
    blending: bool,
    /// It came here without a path in this pose or the few before it.
    teleported: bool,
    animation: Animation,
    pieces: Pieces,
}

/// What is seen of the others now, and when now is.
pub(super) struct Stage {
    /// The level; `None`: nobody is to be seen.
    pub(super) level: Option<i32>,
    /// Whether the others show in it.
    pub(super) shows: bool,
    pub(super) server_now: ServerTime,
    pub(super) patient: LocalTime,
}

/// How one of the others is played.
#[derive(Clone, Copy, Debug)]
pub struct Playback {
    /// How far behind.
    pub delay: Duration,
    /// How much of it is held that has not been played yet.
    pub depth: Duration,
    /// What went wrong with it so far.
    pub stats: PlaybackStats,
}

/// See the module.
pub(super) struct Player {
    buffer: PoseBuffer<Step>,
    heard: LocalTime,
    /// Where its newest pose is, and whether that is in a scene.
    newest: (Option<i32>, bool),
    life: Life,
    /// When each is to be fired, on the server's clock.
    shots: VecDeque<(ServerTime, Shot)>,
    shown: Option<Shown>,
}

/// Whether one died and has not come back since (B5.4).
#[derive(Debug, Default)]
struct Life {
    dead: bool,
    /// Since when it has health again, while it is dead.
    healthy_since: Option<LocalTime>,
}

impl Life {
    /// What its pose says now; `placed`: in a level. Outside one a pose is all zeros: nobody dies of it, and
    /// who comes in anew is alive.
    fn look(&mut self, step: &Step, placed: bool, now: LocalTime) {
        let healthy = step.health > 0;
        let since = *self.healthy_since.get_or_insert(now);
        let is_back = healthy && (step.teleported || now.since(since) >= BACK_UNHEARD);
        self.dead = placed && (!healthy || self.dead && !is_back);
        if !self.dead || !healthy {
            self.healthy_since = None;
        }
    }
}

struct Shown {
    figure: Figure,
    visible: bool,
    clothes: Clothes,
    position: [f32; 3],
}

impl Player {
    /// One that nothing is known of yet.
    pub(super) fn new(patient: LocalTime) -> Self {
        Self {
            buffer: PoseBuffer::new(),
            heard: patient,
            newest: (None, false),
            life: Life::default(),
            shots: VecDeque::new(),
            shown: None,
        }
    }

    /// A pose came, `at` that moment of the server's clock.
    pub(super) fn came(&mut self, pose: &Pose, at: ServerTime, patient: LocalTime) {
        self.heard = patient;
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
            teleported: teleport.is_some(),
            animation: pose.animation.into(),
            pieces: pose.pieces.iter().collect(),
        };
        let pushed = self.buffer.push(at, Sequence(pose.sequence), keyed, step);
        if matches!(pushed, Pushed::Newest | Pushed::Restarted) {
            let level = pose.level.number().map(i32::from);
            self.newest = (level, pose.flags.contains(PoseFlags::IN_SCENE));
        }
    }

    /// It fired: that shows as far behind as its poses play (B5.1).
    pub(super) fn fired(&mut self, shot: Shot, at: ServerTime) {
        if self.shots.len() < SHOTS_MAX {
            let behind = i64::try_from(self.buffer.delay().as_micros()).unwrap_or(0);
            let due = ServerTime::from_micros(at.as_micros().saturating_add(behind));
            self.shots.push_back((due, shot));
        }
    }

    /// Where its newest pose is, and whether it is in a scene there.
    pub(super) fn newest(&self) -> (Option<i32>, bool) {
        self.newest
    }

    /// How it is played.
    pub(super) fn playback(&self) -> Playback {
        let Self { buffer, .. } = self;
        Playback { delay: buffer.delay(), depth: buffer.depth(), stats: buffer.stats() }
    }

    /// Its figure, and where that stands.
    pub(super) fn figure(&self) -> Option<(Figure, [f32; 3])> {
        self.shown.as_ref().map(|shown| (shown.figure, shown.position))
    }

    /// Shows it where it was an interpolation delay ago. `name`: what it is called, while in the party.
    pub(super) fn tick(
        &mut self,
        name: Option<&str>,
        stage: &Stage,
        wardrobe: &mut Wardrobe,
        game: &dyn Game,
    ) {
        let silent = stage.patient.since(self.heard) > SILENT;
        let played = self.buffer.play(stage.server_now);
        let seen = played.filter(|played| {
            self.life.look(played.step, played.segment != NOWHERE, stage.patient);
            !self.life.dead && !silent && Some(played.segment) == stage.level
        });
        if let (Some(played), Some(name)) = (seen, name) {
            let pose = posed(&played);
            show(&mut self.shown, name, &pose, stage, wardrobe, game);
        } else {
            self.remove_figure(game);
        }
        self.fire(stage.server_now, game);
    }

    fn fire(&mut self, server_now: ServerTime, game: &dyn Game) {
        let seen = self.shown.as_ref().filter(|shown| shown.visible);
        while let Some((_, shot)) = self.shots.pop_front_if(|(due, _)| *due <= server_now) {
            if let Some(shown) = seen {
                game.figure_fire(shown.figure, &shot);
            }
        }
    }

    /// Its figure goes.
    pub(super) fn remove_figure(&mut self, game: &dyn Game) {
        if let Some(shown) = self.shown.take() {
            game.figure_remove(shown.figure);
        }
    }
}

/// Poses its figure, which is made if there is none.
fn show(
    shown: &mut Option<Shown>,
    name: &str,
    pose: &HeroPose,
    stage: &Stage,
    wardrobe: &mut Wardrobe,
    game: &dyn Game,
) {
    if shown.is_none() {
        *shown = game.figure_make(name).map(|figure| Shown {
            figure,
            visible: true,
            clothes: Clothes::default(),
            position: pose.position,
        });
    }
    let Some(made) = shown else { return };
    if made.visible != stage.shows {
        made.visible = stage.shows;
        game.figure_show(made.figure, stage.shows);
    }
    made.clothes.wear(made.figure, pose, wardrobe, game, stage.patient);
    made.position = pose.position;
    if !game.figure_pose(made.figure, pose) {
        // Its level ended under it: the next tick makes another.
        *shown = None;
    }
}

/// A level as the buffer's segment: a pose in another one is a jump.
fn segment(level: Level) -> i32 {
    level.number().map_or(NOWHERE, i32::from)
}

fn posed(played: &Played<Step>) -> HeroPose {
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
