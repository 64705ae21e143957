//! Figures: mobys of the hero's class that a mod makes, poses and dresses. They run none of the hero's
//! logic, collide with nothing and nothing aims at them.
//!
//! A handle is the mod's from `make` until `remove`, and is never given again. The figure itself goes
//! with its level: from then on its handle does nothing, and removing it is still right. A handle that
//! was never given, or already removed, is stale, which is refused.

use std::collections::BTreeMap;

use super::Refusal;
use crate::sim::{HeroPose, MobyId, PIECE_CLASSES, Piece, Shot, TickRate, Vec3};

/// How long a figure's shot flies, in seconds.
const SHOT_SECONDS: f32 = 1.0;

/// One figure.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// Whose it is.
    pub name: String,
    /// Its moby.
    pub moby: MobyId,
    /// As it was posed last; `None` before the first time.
    pub pose: Option<HeroPose>,
    /// Whether it is to be seen.
    pub shown: bool,
    /// What it wears.
    pub pieces: Vec<Piece>,
}

/// A shot on its way.
#[derive(Clone, Debug, PartialEq)]
struct Flying {
    shot: Shot,
    seconds_left: f32,
}

/// The figures of one game.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figures {
    /// By handle; `None`: gone with its level, not yet removed.
    by_handle: BTreeMap<u32, Option<Figure>>,
    given: u32,
    shots: Vec<Flying>,
}

impl Figures {
    /// Makes one, hidden, and answers its handle.
    pub(super) fn make(&mut self, name: &str) -> u32 {
        self.given += 1;
        let moby = MobyId::figure(self.given);
        let figure =
            Figure { name: name.to_owned(), moby, pose: None, shown: false, pieces: Vec::new() };
        self.by_handle.insert(self.given, Some(figure));
        self.given
    }

    /// The figure, or `None` when it is gone with its level.
    pub(super) fn get(&mut self, handle: u32) -> Result<Option<&mut Figure>, Refusal> {
        self.by_handle.get_mut(&handle).map(Option::as_mut).ok_or(Refusal::StaleFigure(handle))
    }

    pub(super) fn pose(&mut self, handle: u32, pose: HeroPose) -> Result<(), Refusal> {
        if !pose.is_finite() {
            return Err(Refusal::NotFinite);
        }
        if let Some(figure) = self.get(handle)? {
            figure.pose = Some(pose);
        }
        Ok(())
    }

    /// Dresses it, and answers how many of the pieces this game has.
    pub(super) fn wear(&mut self, handle: u32, pieces: &[Piece]) -> Result<u32, Refusal> {
        if !pieces.iter().all(Piece::is_finite) {
            return Err(Refusal::NotFinite);
        }
        let Some(figure) = self.get(handle)? else { return Ok(0) };
        figure.pieces = pieces
            .iter()
            .filter(|piece| PIECE_CLASSES.contains(&piece.moby_class))
            .copied()
            .collect();
        Ok(u32::try_from(figure.pieces.len()).expect("8 at most"))
    }

    pub(super) fn fire(&mut self, handle: u32, shot: Shot) -> Result<(), Refusal> {
        let finite = shot.position.is_finite() && shot.velocity.is_finite();
        if !finite || !shot.aim.iter().all(|number| number.is_finite()) {
            return Err(Refusal::NotFinite);
        }
        if self.get(handle)?.is_some() {
            self.shots.push(Flying { shot, seconds_left: SHOT_SECONDS });
        }
        Ok(())
    }

    pub(super) fn remove(&mut self, handle: u32) -> Result<(), Refusal> {
        self.by_handle.remove(&handle).map(|_| ()).ok_or(Refusal::StaleFigure(handle))
    }

    /// One tick: shots fly.
    pub(super) fn step(&mut self, rate: TickRate) {
        for flying in &mut self.shots {
            flying.shot.position += flying.shot.velocity * rate.seconds();
            flying.seconds_left -= rate.seconds();
        }
        // Half a tick is nothing but rounding.
        self.shots.retain(|flying| flying.seconds_left > 0.5 * rate.seconds());
    }

    /// The level is left, and everything in it with it.
    pub(super) fn leave_level(&mut self) {
        self.by_handle.values_mut().for_each(|figure| *figure = None);
        self.shots.clear();
    }

    /// Those in the level, in the order they were made.
    pub fn iter(&self) -> impl Iterator<Item = &Figure> {
        self.by_handle.values().flatten()
    }

    /// Where shots are now.
    pub fn shots(&self) -> impl Iterator<Item = Vec3> {
        self.shots.iter().map(|flying| flying.shot.position)
    }
}
