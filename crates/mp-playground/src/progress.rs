//! What the hero has: items, gold bolts, planets, bolts. Items, gold bolts and planets are only ever
//! given, never taken.

use crate::sim::Level;

/// How many items there are (interface.md).
pub const ITEMS: usize = 37;
/// How many gold bolts there are; the index is level x 4 + number.
pub const GOLD_BOLTS: usize = 80;
/// How many planets there are.
pub const PLANETS: usize = 20;

/// One thing to have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Gift {
    /// An item, by its number.
    Item(usize),
    /// A gold bolt: level x 4 + number.
    GoldBolt(usize),
    /// A planet, by its level's number.
    Planet(usize),
}

/// The game's names of its items, by number.
pub const ITEM_NAMES: [&str; ITEMS] = [
    "Nothing",
    "Nothing",
    "Heli-pack",
    "Thruster-pack",
    "Hydro-pack",
    "Sonic Summoner",
    "O2 Mask",
    "Pilot's Helmet",
    "Wrench",
    "Suck Cannon",
    "Bomb Glove",
    "Devastator",
    "Swingshot",
    "Visibomb",
    "Taunter",
    "Blaster",
    "Pyrocitor",
    "Mine Glove",
    "Walloper",
    "Tesla Claw",
    "Glove of Doom",
    "Morph-o-Ray",
    "Hydrodisplacer",
    "R.Y.N.O.",
    "Drone Device",
    "Decoy Glove",
    "Trespasser",
    "Metal Detector",
    "Magneboots",
    "Grindboots",
    "Hoverboard",
    "Hologuise",
    "PDA",
    "Map-o-Matic",
    "Bolt Grabber",
    "Persuader",
    "Codebot",
];

impl Gift {
    /// The line that shows when it is given.
    #[must_use]
    pub fn banner(self) -> String {
        match self {
            Self::Item(index) => {
                format!("You got the {}", ITEM_NAMES.get(index).unwrap_or(&"Nothing"))
            }
            Self::GoldBolt(_) => "You got a Gold Bolt".to_owned(),
            Self::Planet(index) => {
                let name = i32::try_from(index).ok().and_then(Level::name_of);
                format!("New destination: {}", name.unwrap_or_else(|| format!("planet {index}")))
            }
        }
    }
}

/// What the hero has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    /// By the item's number.
    pub items: [bool; ITEMS],
    /// By level x 4 + number.
    pub gold_bolts: [bool; GOLD_BOLTS],
    /// By the level's number.
    pub planets: [bool; PLANETS],
    /// Bolts to spend, 0 and up.
    pub bolts: i32,
}

impl Progress {
    /// What a new game begins with: the planet it begins on.
    #[must_use]
    pub fn new() -> Self {
        let mut planets = [false; PLANETS];
        planets[0] = true;
        Self { items: [false; ITEMS], gold_bolts: [false; GOLD_BOLTS], planets, bolts: 0 }
    }

    /// Whether he has it; `None` when there is no such thing.
    #[must_use]
    pub fn has(&self, gift: Gift) -> Option<bool> {
        match gift {
            Gift::Item(index) => self.items.get(index),
            Gift::GoldBolt(index) => self.gold_bolts.get(index),
            Gift::Planet(index) => self.planets.get(index),
        }
        .copied()
    }

    /// Gives it; false: he has it already, or there is no such thing.
    pub fn give(&mut self, gift: Gift) -> bool {
        let had = match gift {
            Gift::Item(index) => self.items.get_mut(index),
            Gift::GoldBolt(index) => self.gold_bolts.get_mut(index),
            Gift::Planet(index) => self.planets.get_mut(index),
        };
        had.is_some_and(|had| !std::mem::replace(had, true))
    }

    /// Adds to his bolts, which stay within 0 and the most there can be.
    pub fn add_bolts(&mut self, count: i32) {
        self.bolts = self.bolts.saturating_add(count).max(0);
    }

    /// How many gold bolts he has.
    #[must_use]
    pub fn gold_bolt_count(&self) -> u32 {
        self.gold_bolts.iter().map(|&had| u32::from(had)).sum()
    }
}

impl Default for Progress {
    fn default() -> Self {
        Self::new()
    }
}
