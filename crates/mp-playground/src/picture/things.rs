//! What the things of the world look like, by their class: a few boxes each.

use std::f32::consts::{FRAC_PI_2, FRAC_PI_4, PI, TAU};

use super::colour::Colour;
use super::scene::Face;
use super::shape::Block;
use crate::sim::{Class, Moby, Vec3};

/// How many frames the game's own mobys' animations have.
const FRAMES: f32 = 24.0;

const WOOD: Colour = Colour::rgb(176, 122, 66);
const IRON: Colour = Colour::rgb(150, 158, 168);
const DARK: Colour = Colour::rgb(58, 54, 66);
const GOLD: Colour = Colour::rgb(255, 204, 70);
const STEEL: Colour = Colour::rgb(206, 214, 222);
const BLUE: Colour = Colour::rgb(84, 176, 255);
const RED: Colour = Colour::rgb(228, 70, 58);
const GREEN: Colour = Colour::rgb(96, 196, 92);
const SLIME: Colour = Colour::rgb(150, 190, 70);
const SAND: Colour = Colour::rgb(222, 196, 150);
const GLOW: Colour = Colour::rgb(255, 240, 170);

/// A thing to draw.
#[derive(Clone, Copy, Debug)]
pub(super) struct Thing {
    pub class: Class,
    /// The middle of its foot.
    pub at: Vec3,
    /// Where it looks, in radians from east.
    pub yaw: f32,
    /// Half its size along x and y, and its height.
    pub size: Vec3,
    /// How far its animation is, from 0 to 1.
    pub share: f32,
    /// How fast it goes over the ground, in units a second.
    pub speed: f32,
    /// It hangs in the air by itself.
    pub flying: bool,
    /// A switch that was set.
    pub set: bool,
}

impl Thing {
    /// One that stands there.
    pub(super) const fn new(class: Class, at: Vec3, yaw: f32) -> Self {
        let traits = class.traits();
        let size = Vec3::new(traits.half_width, traits.half_width, traits.height);
        Self { class, at, yaw, size, share: 0.0, speed: 0.0, flying: false, set: false }
    }

    /// A moby as it is.
    pub(super) fn of(moby: &Moby) -> Self {
        let frame = f32::from(moby.animation.frame) + moby.animation.time;
        Self {
            size: moby.size,
            share: (frame / FRAMES).min(1.0),
            speed: moby.velocity.flat_length(),
            set: moby.state != 0,
            ..Self::new(moby.class, moby.position, moby.rotation.z)
        }
    }

    /// From -1 to 1, again and again, so many times while its animation plays once.
    fn wave(&self, times: f32) -> f32 {
        (self.share * times * TAU).sin()
    }

    /// A turn that begins again half way round, where such a thing looks as it did.
    fn turn(&self) -> f32 {
        self.share * PI
    }
}

/// Adds the faces of a thing. The hero has a model of his own.
pub(super) fn push(thing: &Thing, faces: &mut Vec<Face>) {
    let blocks = match thing.class {
        Class::Hero => Vec::new(),
        Class::BoltCrate => crate_of(WOOD, WOOD.times(0.7), None),
        Class::NanotechCrate => crate_of(STEEL, BLUE.times(0.8), Some(BLUE)),
        Class::AmmoCrate => crate_of(IRON.times(0.7), RED.times(0.8), Some(RED)),
        Class::Bolt | Class::BigBolt | Class::GoldBolt => bolt(thing),
        Class::Nanotech => orb(thing, BLUE),
        Class::Ammo => ammo(thing),
        Class::Find => find(thing),
        Class::Biter => biter(thing, SLIME, 1.0),
        Class::Hatchling => biter(thing, Colour::rgb(210, 160, 60), 0.62),
        Class::Shooter => shooter(thing),
        Class::Nest => nest(thing),
        Class::Door => door(thing),
        Class::Lift | Class::Bridge | Class::MovingPlatform => platform(thing),
        Class::Switch => switch(thing),
        Class::Vendor => vendor(thing),
        Class::Person => person(thing),
        Class::HelpDesk => help_desk(thing),
        Class::Ship => ship(thing),
        Class::EnemyShot => shot(0.16, RED.towards(Colour::WHITE, 0.3)),
        Class::BlasterShot => shot(0.12, GLOW),
        Class::Bomb => bomb(),
        Class::Debris => debris(thing),
        Class::Explosion => explosion(thing),
        Class::Lamp => lamp(),
        Class::Plant => plant(thing),
    };
    blocks.iter().for_each(|block| block.push(faces, thing.at, thing.yaw));
}

fn crate_of(body: Colour, beams: Colour, sign: Option<Colour>) -> Vec<Block> {
    let mut blocks = vec![Block::new([0.0, 0.0, 0.5], [0.44, 0.44, 0.44], body)];
    for side in [-1.0, 1.0] {
        for height in [0.07, 0.93] {
            blocks.push(Block::new([0.0, side * 0.43, height], [0.5, 0.07, 0.07], beams));
            blocks.push(Block::new([side * 0.43, 0.0, height], [0.07, 0.5, 0.07], beams));
        }
        for other in [-1.0, 1.0] {
            let corner = [side * 0.43, other * 0.43, 0.5];
            blocks.push(Block::new(corner, [0.07, 0.07, 0.5], beams));
        }
    }
    if let Some(sign) = sign {
        blocks.push(Block::new([0.0, 0.0, 0.94], [0.2, 0.07, 0.04], sign).bright());
        blocks.push(Block::new([0.0, 0.0, 0.94], [0.07, 0.2, 0.04], sign).bright());
    }
    blocks
}

/// A nut that turns: a ring of blocks, upright.
fn bolt(thing: &Thing) -> Vec<Block> {
    let (radius, colour) = match thing.class {
        Class::Bolt => (0.16, STEEL),
        Class::BigBolt => (0.26, GOLD.times(0.9)),
        _ => (0.36, GOLD),
    };
    let turn = thing.turn();
    let height = radius * 1.5 + 0.05 * thing.wave(1.0);
    let mut blocks: Vec<Block> = [0.0, FRAC_PI_4, FRAC_PI_2, FRAC_PI_2 + FRAC_PI_4]
        .into_iter()
        .map(|angle| {
            let bar = [radius, radius * 0.36, radius * 0.42];
            Block::new([0.0, 0.0, height], bar, colour).pitched(angle).turned(turn)
        })
        .collect();
    let eye = [radius * 0.34, radius * 0.4, radius * 0.34];
    blocks.push(Block::new([0.0, 0.0, height], eye, DARK).turned(turn));
    if thing.class == Class::GoldBolt {
        let halo = Block::new([0.0, 0.0, 0.02], [0.5, 0.5, 0.015], GLOW).bright();
        blocks.push(halo.turned(turn));
        blocks.push(halo.turned(turn + FRAC_PI_4));
    }
    blocks
}

fn orb(thing: &Thing, colour: Colour) -> Vec<Block> {
    let height = 0.32 + 0.06 * thing.wave(1.0);
    let turn = thing.turn();
    [0.0, FRAC_PI_4]
        .into_iter()
        .map(|angle| {
            Block::new([0.0, 0.0, height], [0.2, 0.2, 0.2], colour).bright().turned(turn + angle)
        })
        .collect()
}

fn ammo(thing: &Thing) -> Vec<Block> {
    let turn = thing.turn();
    let body = Block::new([0.0, 0.0, 0.28], [0.22, 0.14, 0.2], GREEN.times(0.8)).turned(turn);
    let band = Block::new([0.0, 0.0, 0.28], [0.23, 0.05, 0.21], GLOW).bright().turned(turn);
    vec![body, band]
}

fn find(thing: &Thing) -> Vec<Block> {
    let turn = thing.turn();
    let height = 0.55 + 0.06 * thing.wave(1.0);
    vec![
        Block::new([0.0, 0.0, height], [0.26, 0.18, 0.2], BLUE.towards(STEEL, 0.5)).turned(turn),
        Block::new([0.0, 0.0, height + 0.22], [0.1, 0.1, 0.05], GLOW).bright().turned(turn),
        Block::new([0.0, 0.0, 0.02], [0.45, 0.45, 0.015], BLUE).bright().turned(turn),
    ]
}

fn biter(thing: &Thing, colour: Colour, scale: f32) -> Vec<Block> {
    let hop = (0.10 * thing.wave(2.0).abs()) * if thing.speed > 0.2 { 1.6 } else { 0.4 };
    let gape = 0.08 + 0.08 * thing.wave(2.0).abs();
    let at = |x: f32, y: f32, z: f32| [x * scale, y * scale, z * scale];
    let up = |x: f32, y: f32, z: f32| at(x, y, z + hop);
    let mut blocks = vec![
        Block::new(up(-0.05, 0.0, 0.55), at(0.42, 0.38, 0.26), colour).tapered(0.8),
        Block::new(up(0.42, 0.0, 0.62 + gape), at(0.24, 0.3, 0.14), colour.times(0.9)),
        Block::new(up(0.42, 0.0, 0.36 - gape * 0.4), at(0.24, 0.28, 0.08), colour.times(0.75)),
        Block::new(up(0.55, 0.0, 0.47 + gape * 0.5), at(0.1, 0.24, 0.03), Colour::WHITE),
        Block::new(up(-0.55, 0.0, 0.6), at(0.2, 0.08, 0.08), colour.times(0.7)).pitched(-0.6),
    ];
    for side in [-1.0, 1.0] {
        let step = 0.16 * side * thing.wave(2.0);
        blocks
            .push(Block::new(up(0.4, side * 0.2, 0.86 + gape), at(0.09, 0.09, 0.1), GLOW).bright());
        blocks.push(Block::new(up(0.48, side * 0.2, 0.87 + gape), at(0.03, 0.04, 0.05), DARK));
        blocks.push(Block::new(at(step, side * 0.26, 0.16), at(0.1, 0.1, 0.18), colour.times(0.6)));
    }
    blocks
}

fn shooter(thing: &Thing) -> Vec<Block> {
    let lift = 0.04 * thing.wave(1.0);
    let mut blocks = vec![
        Block::new([0.0, 0.0, 0.12], [0.55, 0.55, 0.12], DARK),
        Block::new([0.0, 0.0, 0.4], [0.2, 0.2, 0.2], IRON.times(0.8)),
        Block::new([-0.05, 0.0, 0.92 + lift], [0.42, 0.4, 0.34], RED.times(0.75)),
        Block::new([-0.1, 0.0, 1.3 + lift], [0.24, 0.26, 0.08], IRON),
        Block::new([0.38, 0.0, 1.04 + lift], [0.06, 0.26, 0.07], GLOW).bright(),
    ];
    for side in [-1.0, 1.0] {
        blocks.push(Block::new([0.4, side * 0.32, 0.76 + lift], [0.42, 0.09, 0.09], IRON));
        blocks.push(Block::new([0.8, side * 0.32, 0.76 + lift], [0.05, 0.12, 0.12], DARK));
    }
    blocks
}

fn nest(thing: &Thing) -> Vec<Block> {
    let breath = 1.0 + 0.04 * thing.wave(1.0);
    let shell = Colour::rgb(150, 92, 110);
    let mut blocks: Vec<Block> = [0.0, FRAC_PI_4]
        .into_iter()
        .flat_map(|turn| {
            [
                Block::new([0.0, 0.0, 0.25], [0.9, 0.9, 0.25], shell.times(0.8)).turned(turn),
                Block::new([0.0, 0.0, 0.7], [0.66 * breath, 0.66 * breath, 0.3], shell)
                    .turned(turn),
            ]
        })
        .collect();
    blocks.push(Block::new([0.0, 0.0, 1.02], [0.36, 0.36, 0.06], DARK));
    blocks.push(Block::new([0.0, 0.0, 1.06], [0.2, 0.2, 0.05], SLIME).bright());
    blocks
}

fn door(thing: &Thing) -> Vec<Block> {
    let Vec3 { x, y, z } = thing.size;
    let middle = z * 0.5;
    let mut blocks = vec![Block::new([0.0, 0.0, middle], [x, y, middle], IRON.times(0.8))];
    for height in [0.25, 0.5, 0.75] {
        let band = [x * 1.01, y * 1.15, 0.07];
        blocks.push(Block::new([0.0, 0.0, z * height], band, Colour::rgb(214, 168, 60)));
    }
    let long = if x > y { [0.08, y * 1.2, middle] } else { [x * 1.2, 0.08, middle] };
    blocks.push(Block::new([0.0, 0.0, middle], long, DARK));
    blocks
}

fn platform(thing: &Thing) -> Vec<Block> {
    let Vec3 { x, y, z } = thing.size;
    let middle = z * 0.5;
    let trim = match thing.class {
        Class::Lift => Colour::rgb(240, 190, 70),
        Class::Bridge => Colour::rgb(96, 200, 170),
        _ => Colour::rgb(120, 150, 240),
    };
    let mut blocks = vec![Block::new([0.0, 0.0, middle], [x, y, middle], IRON.times(0.9))];
    for side in [-1.0, 1.0] {
        blocks.push(Block::new([0.0, side * (y - 0.1), z], [x, 0.1, 0.03], trim));
        blocks.push(Block::new([side * (x - 0.1), 0.0, z], [0.1, y, 0.03], trim));
    }
    blocks
}

fn switch(thing: &Thing) -> Vec<Block> {
    let light = if thing.set { GREEN } else { RED };
    let lean = if thing.set { -0.7 } else { 0.7 };
    vec![
        Block::new([0.0, 0.0, 0.3], [0.38, 0.38, 0.3], IRON.times(0.8)),
        Block::new([0.0, 0.0, 0.64], [0.3, 0.3, 0.05], DARK),
        Block::new([lean * 0.3, 0.0, 0.9], [0.07, 0.07, 0.32], STEEL).pitched(-lean),
        Block::new([lean * 0.5, 0.0, 1.16], [0.12, 0.12, 0.12], light).bright(),
    ]
}

fn vendor(thing: &Thing) -> Vec<Block> {
    let lift = 0.03 * thing.wave(1.0);
    vec![
        Block::new([0.0, 0.0, 0.1], [0.8, 0.8, 0.1], DARK),
        Block::new([-0.1, 0.0, 0.95], [0.55, 0.62, 0.85], Colour::rgb(206, 150, 52)),
        Block::new([0.47, 0.0, 1.2], [0.04, 0.46, 0.36], Colour::rgb(70, 220, 210)).bright(),
        Block::new([0.5, 0.0, 0.62], [0.2, 0.5, 0.05], STEEL),
        Block::new([-0.1, 0.0, 1.86], [0.6, 0.68, 0.08], Colour::rgb(150, 100, 40)),
        Block::new([-0.1, 0.0, 2.16 + lift], [0.1, 0.3, 0.16], GOLD).bright(),
    ]
}

fn person(thing: &Thing) -> Vec<Block> {
    let sway = 0.03 * thing.wave(1.0);
    let coat = Colour::rgb(92, 120, 176);
    let mut blocks = vec![
        Block::new([0.0, 0.0, 0.85 + sway], [0.22, 0.3, 0.4], coat),
        Block::new([0.0, 0.0, 0.46], [0.23, 0.31, 0.05], DARK),
        Block::new([0.02, 0.0, 1.46 + sway], [0.22, 0.22, 0.22], SAND),
        Block::new([0.0, 0.0, 1.7 + sway], [0.26, 0.26, 0.06], coat.times(0.7)),
        Block::new([0.3, 0.0, 1.7 + sway], [0.1, 0.2, 0.03], coat.times(0.7)),
    ];
    for side in [-1.0, 1.0] {
        blocks.push(Block::new([0.0, side * 0.16, 0.22], [0.12, 0.11, 0.22], DARK));
        blocks.push(Block::new(
            [0.05, side * 0.38, 0.9 + sway],
            [0.09, 0.08, 0.3],
            coat.times(0.85),
        ));
        blocks.push(Block::new([0.23, side * 0.09, 1.5 + sway], [0.02, 0.04, 0.05], DARK));
    }
    blocks
}

fn help_desk(thing: &Thing) -> Vec<Block> {
    let lift = 0.06 * thing.wave(1.0);
    let paint = Colour::rgb(64, 160, 150);
    let mut blocks = vec![
        Block::new([0.0, 0.0, 0.08], [0.5, 0.5, 0.08], DARK),
        Block::new([0.0, 0.0, 0.5], [0.14, 0.14, 0.4], IRON),
        Block::new([0.02, 0.0, 0.95], [0.3, 0.42, 0.12], paint),
        Block::new([0.02, 0.0, 1.09], [0.22, 0.32, 0.02], Colour::rgb(150, 250, 230)).bright(),
    ];
    // A question mark over it: a hook and a dot.
    for (y, z, width, height) in [
        (0.0, 1.95, 0.18, 0.05),
        (-0.16, 1.84, 0.05, 0.12),
        (0.0, 1.7, 0.05, 0.12),
        (0.0, 1.48, 0.05, 0.05),
    ] {
        let block = Block::new([0.0, y, z + lift], [0.05, width, height], GLOW);
        blocks.push(block.bright());
    }
    blocks
}

fn ship(thing: &Thing) -> Vec<Block> {
    let hull = Colour::rgb(214, 96, 62);
    let up = if thing.flying { 0.0 } else { 0.42 };
    let mut blocks = vec![
        Block::new([-0.2, 0.0, 0.55 + up], [1.3, 0.55, 0.4], hull),
        Block::new([1.55, 0.0, 0.5 + up], [0.5, 0.5, 0.34], hull.times(0.92)).tapered(0.35),
        Block::new([0.45, 0.0, 1.0 + up], [0.55, 0.36, 0.2], Colour::rgb(120, 206, 240))
            .tapered(0.6),
        Block::new([-1.1, 0.0, 1.15 + up], [0.35, 0.07, 0.4], STEEL).tapered(0.5),
        Block::new([-0.3, 0.0, 0.52 + up], [0.9, 0.6, 0.1], Colour::rgb(240, 220, 190)),
    ];
    for side in [-1.0, 1.0] {
        let wing = Block::new([-0.45, side * 1.05, 0.5 + up], [0.6, 0.55, 0.08], STEEL);
        blocks.push(wing.turned(side * 0.25));
        blocks.push(Block::new([-1.2, side * 0.6, 0.6 + up], [0.55, 0.24, 0.24], IRON.times(0.8)));
        let fire = if thing.flying { GLOW } else { DARK };
        let length = if thing.flying { 0.5 } else { 0.06 };
        let jet = Block::new([-1.72 - length, side * 0.6, 0.6 + up], [length, 0.17, 0.17], fire);
        blocks.push(if thing.flying { jet.bright() } else { jet });
        if !thing.flying {
            for along in [-0.8, 0.8] {
                blocks.push(Block::new([along, side * 0.5, 0.3], [0.06, 0.06, 0.3], DARK));
            }
        }
    }
    blocks
}

fn shot(half: f32, colour: Colour) -> Vec<Block> {
    vec![Block::new([0.0, 0.0, half], [half * 2.0, half, half], colour).bright()]
}

fn bomb() -> Vec<Block> {
    let spark = Block::new([0.0, 0.0, 0.42], [0.05, 0.05, 0.07], GLOW).bright();
    vec![Block::new([0.0, 0.0, 0.2], [0.18, 0.18, 0.18], DARK), spark]
}

/// Splinters that fly apart.
fn debris(thing: &Thing) -> Vec<Block> {
    let out = thing.share;
    let splinter = |number: u8| {
        let angle = f32::from(number) * 1.3;
        let (sin, cos) = angle.sin_cos();
        let far = 0.25 + out * (0.6 + 0.1 * f32::from(number % 3));
        let high = 0.4 + 0.9 * out - 1.2 * out * out + 0.1 * f32::from(number % 4);
        let half = 0.12 * (1.0 - 0.7 * out);
        let at = [far * cos, far * sin, high.max(half)];
        Block::new(at, [half * 1.5, half, half * 0.7], WOOD.times(0.85))
            .turned(angle)
            .pitched(angle)
    };
    (0..7).map(splinter).collect()
}

fn explosion(thing: &Thing) -> Vec<Block> {
    let share = thing.share;
    let half = 0.25 + 0.85 * share.sqrt();
    let hot = Colour::rgb(255, 236, 150).towards(Colour::rgb(226, 84, 36), share);
    [0.0, FRAC_PI_4]
        .into_iter()
        .flat_map(|turn| {
            let ball = Block::new([0.0, 0.0, 0.8], [half, half, half * 0.7], hot).bright();
            [ball.turned(turn + share), ball.turned(turn).pitched(FRAC_PI_4)]
        })
        .collect()
}

fn lamp() -> Vec<Block> {
    vec![
        Block::new([0.0, 0.0, 0.06], [0.22, 0.22, 0.06], DARK),
        Block::new([0.0, 0.0, 1.1], [0.06, 0.06, 1.05], IRON.times(0.7)),
        Block::new([0.0, 0.0, 2.2], [0.16, 0.16, 0.18], GLOW).bright(),
        Block::new([0.0, 0.0, 2.42], [0.22, 0.22, 0.05], DARK),
    ]
}

fn plant(thing: &Thing) -> Vec<Block> {
    let mut blocks = vec![Block::new([0.0, 0.0, 0.4], [0.09, 0.09, 0.4], Colour::rgb(122, 92, 62))];
    // The same plant never has the same leaves as its neighbour.
    let start = thing.at.x * 1.7 + thing.at.y;
    for (number, height) in [(0.0, 0.95), (1.0, 1.05), (2.0, 0.85), (3.0, 1.15), (4.0, 0.75)] {
        let angle = start + number * TAU / 5.0;
        let leaf =
            Block::new([0.3 * angle.cos(), 0.3 * angle.sin(), height], [0.34, 0.12, 0.06], GREEN);
        let shade = leaf.colour.times(0.8 + 0.05 * number);
        blocks.push(Block { colour: shade, ..leaf }.turned(angle).pitched(0.35));
    }
    blocks.push(Block::new([0.0, 0.0, 1.2], [0.16, 0.16, 0.2], GREEN.times(1.1)));
    blocks
}
