//! A moby as the level's file places it: its class, its place, and what is said of it beyond its class.

use crate::progress::Gift;
use crate::sim::class::Class;
use crate::sim::vec3::Vec3;

/// What a level's file says of a moby beyond its class. What a class has no use for is as in
/// [`Params::NONE`].
#[derive(Clone, Debug, PartialEq)]
pub struct Params {
    /// `bolts`: what a crate or an enemy drops, in bolts.
    pub bolts: u16,
    /// `size`: how large a platform is along x, y and z, in units; it stands on the middle of its foot.
    pub size: Vec3,
    /// `travel`: how far a platform goes, in units.
    pub travel: Vec3,
    /// `seconds`: how long a platform is on its way.
    pub seconds: f32,
    /// `wait`: how long a platform stays at its ends, in seconds.
    pub wait: f32,
    /// `opens`: the keys of what a switch sets going.
    pub opens: Vec<u16>,
    /// `scene`: the number of the level's scene that a person starts.
    pub scene: Option<i32>,
    /// `until`: a person is gone once the hero has this.
    pub until: Option<Gift>,
    /// `item`, `planet`, `number`: what one who takes it is given.
    pub gives: Option<Gift>,
    /// `limit`: how many hatchlings of a nest there are at once.
    pub limit: u16,
}

impl Params {
    /// Of a moby that is made in play.
    pub const NONE: Self = Self {
        bolts: 0,
        size: Vec3::ZERO,
        travel: Vec3::ZERO,
        seconds: 0.0,
        wait: 0.0,
        opens: Vec::new(),
        scene: None,
        until: None,
        gives: None,
        limit: 0,
    };

    /// Of a moby of that class of which the file says nothing more.
    #[must_use]
    pub fn of(class: Class) -> Self {
        let traits = class.traits();
        let width = 2.0 * traits.half_width;
        let size = Vec3::new(width, width, traits.height);
        let none = Self { size, ..Self::NONE };
        match class {
            Class::BoltCrate => Self { bolts: 5, ..none },
            Class::Biter | Class::Shooter => Self { bolts: 3, ..none },
            Class::Nest => Self { bolts: 10, limit: 3, ..none },
            Class::Door => {
                Self { travel: Vec3::new(0.0, 0.0, traits.height), seconds: 0.5, ..none }
            }
            Class::Lift => {
                Self { travel: Vec3::new(0.0, 0.0, 3.0), seconds: 2.0, wait: 2.0, ..none }
            }
            Class::Bridge => Self { seconds: 1.5, ..none },
            Class::MovingPlatform => Self { seconds: 3.0, wait: 1.0, ..none },
            _ => none,
        }
    }

    /// The words a level's file may say of that class.
    #[must_use]
    pub(super) const fn words(class: Class) -> &'static [&'static str] {
        match class {
            Class::BoltCrate | Class::Biter | Class::Shooter => &["bolts"],
            Class::Nest => &["bolts", "limit"],
            Class::Door | Class::Lift | Class::Bridge | Class::MovingPlatform => {
                &["size", "travel", "seconds", "wait"]
            }
            Class::Switch => &["opens"],
            Class::Person => &["scene", "until"],
            Class::GoldBolt => &["number"],
            Class::Find => &["item", "planet"],
            _ => &[],
        }
    }
}

/// A moby as placed.
#[derive(Clone, Debug, PartialEq)]
pub struct Placed {
    /// Its class.
    pub class: Class,
    /// The middle of its foot.
    pub position: Vec3,
    /// Where it looks, in radians from east.
    pub yaw: f32,
    /// What else there is to say.
    pub params: Params,
}
