//! Scenes as data: what the camera and the actors do from moment to moment, what is said, and what the
//! hero is given at the end. A scene reads no clock: [`Script::view`] tells how it looks at a time.
//!
//! The files are described in `scenes/own.txt`. The levels' scenes stand in the level's coordinates, the
//! game's own are relative to a point the game chooses.

mod parse;
#[cfg(test)]
mod tests;

use std::f32::consts::{PI, TAU};

pub use parse::SceneError;
use parse::SceneFile;

use crate::progress::Gift;
use crate::sim::Vec3;

/// The data files.
const LEVELS: &[&str] = &[
    include_str!("../../scenes/veldin.txt"),
    include_str!("../../scenes/novalis.txt"),
    include_str!("../../scenes/aridia.txt"),
    include_str!("../../scenes/kerwan.txt"),
    include_str!("../../scenes/pokitaru.txt"),
    include_str!("../../scenes/oltanis.txt"),
];
const OWN: &str = include_str!("../../scenes/own.txt");

/// A scene of the game's own, by its number in `own.txt`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Own {
    /// The ship comes down.
    Landing = 0,
    /// It leaves.
    TakeOff = 1,
    /// A gold bolt is looked at.
    GoldBolt = 2,
    /// The movie between two planets.
    Movie = 3,
}

/// A value at a time.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Key<T> {
    seconds: f32,
    value: T,
}

/// One who acts in a scene.
#[derive(Clone, Debug, PartialEq)]
struct Actor {
    name: String,
    class: i16,
    /// Where he is, and where he looks, in radians from east.
    keys: Vec<Key<(Vec3, f32)>>,
}

/// A scene.
#[derive(Clone, Debug, PartialEq)]
pub struct Script {
    /// The level's number of it.
    pub number: i32,
    /// What it is, for those who read the file.
    pub name: String,
    /// It plays by itself when the hero comes to the level for the first time.
    pub is_intro: bool,
    /// How long it is.
    pub seconds: f32,
    /// What the hero is given at its end.
    pub gives: Vec<Gift>,
    /// The eye, and what it looks at.
    camera: Vec<Key<(Vec3, Vec3)>>,
    actors: Vec<Actor>,
    /// Said from then until that many seconds.
    lines: Vec<Key<(f32, String)>>,
}

/// A scene at a moment.
#[derive(Clone, Debug, PartialEq)]
pub struct SceneView {
    /// Where the camera is.
    pub eye: Vec3,
    /// What it looks at.
    pub target: Vec3,
    /// Who is there.
    pub actors: Vec<ActorView>,
    /// What is said.
    pub line: Option<String>,
}

/// An actor at a moment.
#[derive(Clone, Debug, PartialEq)]
pub struct ActorView {
    /// Who it is.
    pub name: String,
    /// The class of moby that he looks like; the hero's is 0.
    pub class: i16,
    /// Where his feet are.
    pub position: Vec3,
    /// Where he looks, in radians from east.
    pub yaw: f32,
    /// How fast he goes, in units a second.
    pub speed: f32,
}

impl Script {
    /// A level's scene of that number.
    #[must_use]
    pub fn find(level: i32, number: i32) -> Option<Self> {
        of_level(level)?.scripts.into_iter().find(|script| script.number == number)
    }

    /// The scene that plays when the hero comes to the level for the first time.
    #[must_use]
    pub fn intro(level: i32) -> Option<Self> {
        of_level(level)?.scripts.into_iter().find(|script| script.is_intro)
    }

    /// One of the game's own.
    #[must_use]
    pub fn own(own: Own) -> Self {
        let found = parsed(OWN).scripts.into_iter().find(|script| script.number == own as i32);
        found.expect("a test finds each of them")
    }

    /// How it looks so many seconds in, seen from where `origin` is its origin.
    #[must_use]
    pub fn view(&self, seconds: f32, origin: Vec3) -> SceneView {
        let (eye, target) = at(&self.camera, seconds, |(a, b), (c, d), share| {
            (a.towards(c, share), b.towards(d, share))
        });
        let line = self
            .lines
            .iter()
            .rfind(|line| (line.seconds..line.seconds + line.value.0).contains(&seconds));
        SceneView {
            eye: origin + eye,
            target: origin + target,
            actors: self.actors.iter().map(|actor| actor.view(seconds, origin)).collect(),
            line: line.map(|line| line.value.1.clone()),
        }
    }
}

impl Actor {
    fn view(&self, seconds: f32, origin: Vec3) -> ActorView {
        /// How far apart two moments are that tell how fast he goes.
        const MOMENT: f32 = 0.05;
        let place = |seconds| {
            at(&self.keys, seconds, |(a, yaw), (b, to), share| {
                (a.towards(b, share), wrapped(yaw + wrapped(to - yaw) * share))
            })
        };
        let (position, yaw) = place(seconds);
        let (before, _) = place(seconds - MOMENT);
        let speed = (position - before).length() / MOMENT;
        ActorView {
            name: self.name.clone(),
            class: self.class,
            position: origin + position,
            yaw,
            speed,
        }
    }
}

/// What the help desk of a level says, a line at a time.
#[must_use]
pub fn help(level: i32) -> Vec<String> {
    of_level(level).map(|file| file.help).unwrap_or_default()
}

fn of_level(level: i32) -> Option<SceneFile> {
    LEVELS.iter().map(|text| parsed(text)).find(|file| file.level == Some(level))
}

fn parsed(text: &str) -> SceneFile {
    parse::scenes(text).expect("a test parses every embedded file")
}

/// The value at a time: before the first key as there, after the last as there, and in between a share
/// of the way from one to the next. There is one key at least.
fn at<T: Copy>(keys: &[Key<T>], seconds: f32, between: impl Fn(T, T, f32) -> T) -> T {
    let next = keys.partition_point(|key| key.seconds <= seconds);
    let Some(from) = next.checked_sub(1).map(|last| keys[last]) else { return keys[0].value };
    let Some(to) = keys.get(next) else { return from.value };
    between(from.value, to.value, (seconds - from.seconds) / (to.seconds - from.seconds))
}

/// An angle brought within ±π.
fn wrapped(angle: f32) -> f32 {
    ((angle + PI).rem_euclid(TAU) - PI).clamp(-PI, PI)
}
