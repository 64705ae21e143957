//! The classes of mobys, and what all of a class have in common. The numbers are this game's own, but
//! for the wrench's; the kinds are the mod interface's (`OPENRAC_KIND_*`).

/// What a moby is, as bits (interface.md, `mobys`).
pub mod kind {
    #![allow(missing_docs)] // the interface's words
    pub const PLACED: u32 = 0x001;
    pub const UPDATES: u32 = 0x002;
    pub const ENEMY: u32 = 0x004;
    pub const CREATURE: u32 = 0x008;
    pub const CRATE: u32 = 0x010;
    pub const BOLT: u32 = 0x020;
    pub const PICKUP: u32 = 0x040;
    pub const PLATFORM: u32 = 0x080;
    pub const STATIC: u32 = 0x100;
    pub const SERVICE: u32 = 0x200;
    pub const PROJECTILE: u32 = 0x400;
    pub const EFFECT: u32 = 0x800;
}

/// What all mobys of a class have in common.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Traits {
    /// The word for it in a level's file.
    pub word: &'static str,
    /// [`kind`] bits, but for `PLACED`.
    pub kinds: u32,
    /// At the start.
    pub health: f32,
    /// Half its width, in units; of a platform the level says more.
    pub half_width: f32,
    /// In units.
    pub height: f32,
    /// Others cannot walk through it.
    pub solid: bool,
    /// The farthest from the run list's point, or from an eye, that it runs; 0: always.
    pub update_distance: f32,
    /// The farthest from the camera that it is drawn; 0: always.
    pub draw_distance: f32,
    /// A bolt's, in bolts.
    pub value: i32,
}

macro_rules! classes {
    ($($(#[doc = $doc:literal])* $name:ident = $number:literal, $word:literal, [$($kind:ident)|*],
        health $health:literal, size $half_width:literal x $height:literal, solid $solid:literal,
        run $run:literal, draw $draw:literal, value $value:literal;)*) => {
        /// A class of mobys, by its number.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        #[repr(i16)]
        pub enum Class {
            $($(#[doc = $doc])* $name = $number,)*
        }

        impl Class {
            /// Every class, by its number.
            pub const ALL: &'static [Self] = &[$(Self::$name),*];

            /// What all of the class have in common.
            #[must_use]
            pub const fn traits(self) -> &'static Traits {
                match self {
                    $(Self::$name => &Traits {
                        word: $word,
                        kinds: 0 $(| kind::$kind)*,
                        health: $health,
                        half_width: $half_width,
                        height: $height,
                        solid: $solid,
                        update_distance: $run,
                        draw_distance: $draw,
                        value: $value,
                    },)*
                }
            }
        }
    };
}

classes! {
    /// The hero, and figures.
    Hero = 0, "hero", [UPDATES],
        health 4.0, size 0.4 x 1.6, solid false, run 0.0, draw 0.0, value 0;
    /// Drops bolts when it breaks.
    BoltCrate = 500, "bolt_crate", [UPDATES | CRATE],
        health 1.0, size 0.5 x 1.0, solid true, run 32.0, draw 48.0, value 0;
    /// Drops a nanotech.
    NanotechCrate = 501, "nanotech_crate", [UPDATES | CRATE],
        health 1.0, size 0.5 x 1.0, solid true, run 32.0, draw 48.0, value 0;
    /// Drops ammo.
    AmmoCrate = 502, "ammo_crate", [UPDATES | CRATE],
        health 1.0, size 0.5 x 1.0, solid true, run 32.0, draw 48.0, value 0;
    /// Lies about or flies out of a crate or an enemy.
    Bolt = 600, "bolt", [UPDATES | BOLT],
        health 1.0, size 0.15 x 0.3, solid false, run 40.0, draw 40.0, value 1;
    /// A bolt worth ten.
    BigBolt = 601, "big_bolt", [UPDATES | BOLT],
        health 1.0, size 0.25 x 0.5, solid false, run 40.0, draw 40.0, value 10;
    /// Heals by one.
    Nanotech = 602, "nanotech", [UPDATES | PICKUP],
        health 1.0, size 0.25 x 0.5, solid false, run 40.0, draw 40.0, value 0;
    /// Fills the weapons up a little.
    Ammo = 603, "ammo", [UPDATES | PICKUP],
        health 1.0, size 0.25 x 0.5, solid false, run 40.0, draw 40.0, value 0;
    /// One of a level's four at most.
    GoldBolt = 604, "gold_bolt", [UPDATES | PICKUP],
        health 1.0, size 0.35 x 0.7, solid false, run 40.0, draw 60.0, value 0;
    /// An item or a planet's coordinates to find.
    Find = 605, "find", [UPDATES | PICKUP],
        health 1.0, size 0.35 x 0.7, solid false, run 40.0, draw 60.0, value 0;
    /// Chases the hero and bites.
    Biter = 700, "biter", [UPDATES | ENEMY | CREATURE],
        health 2.0, size 0.5 x 1.1, solid false, run 30.0, draw 48.0, value 0;
    /// Stands and shoots.
    Shooter = 701, "shooter", [UPDATES | ENEMY | CREATURE],
        health 3.0, size 0.6 x 1.4, solid false, run 30.0, draw 48.0, value 0;
    /// Makes hatchlings.
    Nest = 702, "nest", [UPDATES | ENEMY],
        health 5.0, size 0.9 x 1.2, solid true, run 30.0, draw 48.0, value 0;
    /// A small biter, made by a nest.
    Hatchling = 703, "hatchling", [UPDATES | ENEMY | CREATURE],
        health 1.0, size 0.35 x 0.7, solid false, run 30.0, draw 48.0, value 0;
    /// Slides away from one who comes near.
    Door = 800, "door", [UPDATES | PLATFORM],
        health 1.0, size 1.0 x 3.0, solid true, run 0.0, draw 0.0, value 0;
    /// Takes one who steps on it to its other end, and comes back.
    Lift = 801, "lift", [UPDATES | PLATFORM],
        health 1.0, size 1.5 x 0.4, solid true, run 0.0, draw 0.0, value 0;
    /// Comes out when its switch is hit.
    Bridge = 802, "bridge", [UPDATES | PLATFORM],
        health 1.0, size 1.5 x 0.4, solid true, run 0.0, draw 0.0, value 0;
    /// Goes to and fro.
    MovingPlatform = 803, "moving_platform", [UPDATES | PLATFORM],
        health 1.0, size 1.5 x 0.4, solid true, run 0.0, draw 0.0, value 0;
    /// Hit, it opens what it is set to.
    Switch = 804, "switch", [UPDATES],
        health 1.0, size 0.4 x 1.2, solid true, run 40.0, draw 48.0, value 0;
    /// Sells.
    Vendor = 900, "vendor", [UPDATES | SERVICE],
        health 1.0, size 0.8 x 2.0, solid true, run 40.0, draw 60.0, value 0;
    /// Talks: a scene.
    Person = 901, "person", [UPDATES | SERVICE],
        health 1.0, size 0.4 x 1.7, solid true, run 40.0, draw 60.0, value 0;
    /// Helps.
    HelpDesk = 902, "help_desk", [UPDATES | SERVICE],
        health 1.0, size 0.5 x 1.2, solid true, run 40.0, draw 60.0, value 0;
    /// Flies to another planet.
    Ship = 903, "ship", [UPDATES | SERVICE],
        health 1.0, size 1.5 x 1.8, solid true, run 0.0, draw 0.0, value 0;
    /// What a shooter shoots.
    EnemyShot = 1000, "enemy_shot", [UPDATES | PROJECTILE],
        health 1.0, size 0.2 x 0.4, solid false, run 60.0, draw 60.0, value 0;
    /// What the Blaster shoots.
    BlasterShot = 1001, "blaster_shot", [UPDATES | PROJECTILE],
        health 1.0, size 0.15 x 0.3, solid false, run 0.0, draw 60.0, value 0;
    /// What the Bomb Glove throws.
    Bomb = 1002, "bomb", [UPDATES | PROJECTILE],
        health 1.0, size 0.2 x 0.4, solid false, run 0.0, draw 60.0, value 0;
    /// What is left of a crate or an enemy, for a moment.
    Debris = 1100, "debris", [UPDATES | EFFECT],
        health 1.0, size 0.4 x 0.6, solid false, run 0.0, draw 40.0, value 0;
    /// Of a bomb.
    Explosion = 1101, "explosion", [UPDATES | EFFECT],
        health 1.0, size 1.0 x 2.0, solid false, run 0.0, draw 60.0, value 0;
    /// Stands there.
    Lamp = 1200, "lamp", [STATIC],
        health 1.0, size 0.2 x 2.4, solid true, run 0.0, draw 60.0, value 0;
    /// Grows there.
    Plant = 1201, "plant", [STATIC],
        health 1.0, size 0.4 x 1.4, solid true, run 0.0, draw 60.0, value 0;
}

impl Class {
    /// How many bolts a big one is worth.
    pub(super) const BIG_BOLT: u16 = 10;

    /// The class of that number.
    #[must_use]
    pub fn of_number(number: i16) -> Option<Self> {
        let at = Self::ALL.binary_search_by_key(&number, |&class| class as i16).ok()?;
        Some(Self::ALL[at])
    }

    /// The class of that word of a level's file.
    #[must_use]
    pub fn of_word(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|class| class.traits().word == word)
    }

    /// Whether it is any of these [`kind`]s.
    #[must_use]
    pub const fn is(self, kinds: u32) -> bool {
        self.traits().kinds & kinds != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_words_lead_back_to_their_class() {
        assert!(Class::ALL.is_sorted_by(|a, b| (*a as i16) < (*b as i16)));
        for &class in Class::ALL {
            assert_eq!(Class::of_number(class as i16), Some(class));
            assert_eq!(Class::of_word(class.traits().word), Some(class));
        }
        assert_eq!(Class::of_number(71), None);
    }
}
