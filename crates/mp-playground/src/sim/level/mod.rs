//! A level as its data file describes it: what is solid, where the hero starts and comes back, and the
//! mobys placed in it. Read once; the simulation never changes it.

mod grid;
mod parse;
mod placed;

use std::sync::{Arc, OnceLock};

pub use grid::Grid;
pub use parse::LevelError;
pub use placed::{Params, Placed};

use super::vec3::Vec3;

/// What a box of the level is: how it looks, all are equally solid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // the words of the file
pub enum BoxKind {
    Floor,
    Wall,
    House,
    Platform,
    Step,
    Rock,
}

/// A solid box with its sides along the axes.
#[derive(Clone, Debug, PartialEq)]
pub struct Solid {
    /// How it looks.
    pub kind: BoxKind,
    /// The corner with the lowest coordinates.
    pub low: Vec3,
    /// The corner with the highest.
    pub high: Vec3,
}

/// A place where a dead hero comes back, once he was near it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Checkpoint {
    /// Where he comes back.
    pub position: Vec3,
    /// Where he looks then, in radians from east.
    pub yaw: f32,
    /// How near he must have been, over the ground, in units.
    pub radius: f32,
}

/// One level.
#[derive(Clone, Debug, PartialEq)]
pub struct Level {
    /// The game's number of it.
    pub number: i32,
    /// The game's name of it.
    pub name: String,
    /// Where the hero starts.
    pub start: Vec3,
    /// Where he looks then, in radians from east.
    pub start_yaw: f32,
    /// A hero below this height has fallen off the level.
    pub abyss: f32,
    /// Where else he comes back, in the file's order.
    pub checkpoints: Vec<Checkpoint>,
    /// What is solid, in the file's order.
    pub solids: Vec<Solid>,
    /// The mobys, each at its record: a moby's key is its place in this list.
    pub mobys: Vec<Placed>,
    grid: Grid,
}

/// The data files of all the levels there are, in the order of their numbers.
const FILES: &[&str] = &[
    include_str!("../../../levels/veldin.txt"),
    include_str!("../../../levels/novalis.txt"),
    include_str!("../../../levels/aridia.txt"),
    include_str!("../../../levels/kerwan.txt"),
    include_str!("../../../levels/pokitaru.txt"),
    include_str!("../../../levels/oltanis.txt"),
];

impl Level {
    /// The level of that number, or `None` when this game has none such. Each is read once.
    #[must_use]
    pub fn find(number: i32) -> Option<Arc<Self>> {
        Self::all().iter().find(|level| level.number == number).cloned()
    }

    /// The name of the level of that number.
    #[must_use]
    pub fn name_of(number: i32) -> Option<String> {
        Self::find(number).map(|level| level.name.clone())
    }

    /// Every level there is, by its number.
    #[must_use]
    pub fn all() -> &'static [Arc<Self>] {
        // What the files say is the same for every game of the process: this holds no state.
        static ALL: OnceLock<Vec<Arc<Level>>> = OnceLock::new();
        ALL.get_or_init(|| {
            let parse =
                |text: &&str| Self::parse(text).expect("a test parses every embedded level");
            FILES.iter().map(|text| Arc::new(parse(text))).collect()
        })
    }

    /// Its boxes by where they are.
    #[must_use]
    pub const fn grid(&self) -> &Grid {
        &self.grid
    }

    /// How many mobys the file has: keys are below this.
    #[must_use]
    pub fn records(&self) -> u16 {
        u16::try_from(self.mobys.len()).expect("the parser holds the limit")
    }
}

#[cfg(test)]
mod tests;
