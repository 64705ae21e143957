//! How the hero looks: his states, which are his animation sequences, and what he wears and holds.

use super::{Hero, Item};
use crate::progress::{Gift, Progress};
use crate::sim::pose::{Animation, HeroPose, Piece};
use crate::sim::rate::TickRate;
use crate::sim::rng::Rng;
use crate::sim::vec3::Vec3;

/// Below this he stands; below [`WALK_SPEED`] he walks.
const STAND_SPEED: f32 = 0.2;
const WALK_SPEED: f32 = 4.5;

/// The moby classes of what he wears and holds.
pub const WRENCH_CLASS: i16 = 71;
const CLANK_CLASS: i16 = 72;
const BLASTER_CLASS: i16 = 73;
const BOMB_GLOVE_CLASS: i16 = 74;
/// Every class of a piece that this game can show.
pub const PIECE_CLASSES: [i16; 4] = [WRENCH_CLASS, CLANK_CLASS, BLASTER_CLASS, BOMB_GLOVE_CLASS];
/// Clank on his back: the item that comes with him.
const HELI_PACK: u8 = 2;
/// [`Piece::flags`] of one that is not on a joint.
const LOOSE: u8 = 4;

/// What the hero is doing; the number is his state and his animation sequence alike.
///
/// | number | state | animation |
/// |---|---|---|
/// | 0 to 2 | stands, walks, runs | 40, 24, 20 frames, again and again |
/// | 3, 7 | jumps, jumps a second time | 16, 14 frames, once |
/// | 4, 5 | falls, lands | 12 again and again, 6 once |
/// | 6 | fidgets | 60 frames, once |
/// | 8, 9 | swings, throws the wrench | 12, 14 frames, once |
/// | 10, 11 | shoots the Blaster, throws a bomb | 8, 16 frames, once |
/// | 12, 13 | is hurt, is dead | 12, 30 frames, once |
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
#[allow(missing_docs)] // the words say it
pub enum HeroState {
    Stand = 0,
    Walk = 1,
    Run = 2,
    Jump = 3,
    Fall = 4,
    Land = 5,
    Fidget = 6,
    SecondJump = 7,
    Swing = 8,
    Throw = 9,
    Shoot = 10,
    ThrowBomb = 11,
    Hurt = 12,
    Dead = 13,
}

impl HeroState {
    /// The animation's length in frames, whether it starts again at its end, and its frames a second.
    const fn animation(self) -> (u8, bool, f32) {
        match self {
            Self::Stand => (40, true, 30.0),
            Self::Walk => (24, true, 30.0),
            Self::Run => (20, true, 45.0),
            Self::Jump => (16, false, 30.0),
            Self::Fall => (12, true, 30.0),
            Self::Land => (6, false, 30.0),
            Self::Fidget => (60, false, 30.0),
            Self::SecondJump => (14, false, 30.0),
            Self::Swing => (12, false, 30.0),
            Self::Throw => (14, false, 30.0),
            Self::Shoot => (8, false, 30.0),
            Self::ThrowBomb => (16, false, 30.0),
            Self::Hurt => (12, false, 30.0),
            Self::Dead => (30, false, 30.0),
        }
    }
}

impl Hero {
    /// The hero as the mod interface shows him.
    #[must_use]
    pub fn pose(&self, progress: &Progress) -> HeroPose {
        let mut pieces = vec![self.held()];
        if progress.has(Gift::Item(usize::from(HELI_PACK))) == Some(true) {
            pieces.push(Piece {
                slot: 1,
                item: HELI_PACK,
                joint: 3,
                moby_class: CLANK_CLASS,
                ..Piece::default()
            });
        }
        HeroPose {
            position: self.position,
            rotation: Vec3::new(0.0, 0.0, self.yaw),
            velocity: self.velocity,
            state: i16::from(self.state as u8),
            health: self.health,
            item: i16::from(self.item as u8),
            flags: if self.teleported { HeroPose::TELEPORT } else { 0 },
            animation: self.animation,
            pieces,
        }
    }

    fn held(&self) -> Piece {
        let moby_class = match self.item {
            Item::Wrench => WRENCH_CLASS,
            Item::Blaster => BLASTER_CLASS,
            Item::BombGlove => BOMB_GLOVE_CLASS,
        };
        let held = Piece { item: self.item as u8, joint: 5, moby_class, ..Piece::default() };
        match &self.wrench {
            Some(wrench) if self.item == Item::Wrench => Piece {
                flags: LOOSE,
                position: wrench.position,
                rotation: wrench.rotation(),
                ..held
            },
            _ => held,
        }
    }

    pub(super) fn animate(
        &mut self,
        rate: TickRate,
        was_grounded: bool,
        pushed: bool,
        rng: &mut Rng,
    ) {
        let speed = self.velocity.flat_length();
        let (length, repeats, _) = self.state.animation();
        let over = !repeats && self.animation.frame + 1 >= length;
        let next = if self.health <= 0 {
            HeroState::Dead
        } else if self.hurt > 0 {
            HeroState::Hurt
        } else if let Some(action) = &self.action {
            action.state
        } else if !self.grounded {
            match (self.velocity.z > 0.0, self.jumps) {
                (true, 2) => HeroState::SecondJump,
                (true, _) => HeroState::Jump,
                (false, _) => HeroState::Fall,
            }
        } else if speed >= WALK_SPEED {
            HeroState::Run
        } else if speed >= STAND_SPEED || pushed {
            HeroState::Walk
        } else if !was_grounded || (self.state == HeroState::Land && !over) {
            HeroState::Land
        } else if self.patience == 0 || (self.state == HeroState::Fidget && !over) {
            HeroState::Fidget
        } else {
            HeroState::Stand
        };
        let second = u32::from(rate.per_second());
        self.patience = match (next, self.patience) {
            (HeroState::Stand, ticks) => ticks.saturating_sub(1),
            (HeroState::Fidget, 0) => second * (4 + rng.below(6)),
            (HeroState::Fidget, ticks) => ticks,
            (_, ticks) => ticks.max(2 * second),
        };
        if next == self.state {
            let (length, repeats, _) = next.animation();
            self.animation.advance(length, repeats);
        } else {
            self.state = next;
            self.animation = start_of(next, rate);
        }
    }
}

pub(super) fn start_of(state: HeroState, rate: TickRate) -> Animation {
    let (_, _, speed) = state.animation();
    let speed = speed * rate.seconds();
    Animation { sequence: state as u8, frame: 0, next_frame: 1, time: 0.0, speed }
}
