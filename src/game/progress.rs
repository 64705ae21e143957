//! What a game has: items, gold bolts and planets.

/// How many items there are.
pub const ITEMS: usize = 37;
/// How many gold bolts: index level x 4 + number.
pub const GOLD_BOLTS: usize = 80;
/// How many planets.
pub const PLANETS: usize = 20;

/// What a game has, by index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// By item number.
    pub items: [bool; ITEMS],
    /// By level x 4 + number.
    pub gold_bolts: [bool; GOLD_BOLTS],
    /// By level.
    pub planets: [bool; PLANETS],
}

impl Default for Progress {
    fn default() -> Self {
        Self { items: [false; ITEMS], gold_bolts: [false; GOLD_BOLTS], planets: [false; PLANETS] }
    }
}

/// Something to be given to the hero, by its index in [`Progress`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Give {
    /// An item.
    Item(u8),
    /// A gold bolt.
    GoldBolt(u8),
    /// A planet.
    Planet(u8),
}
