//! The plain values that cross. Their layouts are fixed: they never change, not even at the end.

use crate::{GOLD_BOLTS, ITEMS, PLANETS, POSE_PIECES};

/// A page of a mod's, 0 for none.
pub type OpenracPageHandle = u32;
/// A figure, 0 for none.
pub type OpenracFigureHandle = u32;
/// A moby, 0 for none. Valid until that moby is gone; another one may then get the same number.
pub type OpenracMobyHandle = u32;

interface_struct! {
    /// A point or a direction.
    OpenracVec3 {
        /// In the game's units.
        x: f32;
        /// In the game's units.
        y: f32;
        /// In the game's units; up.
        z: f32;
    }
}

interface_struct! {
    /// Where an animation stands.
    OpenracAnimation {
        /// Which animation.
        sequence: u8;
        /// The frame it comes from.
        frame: u8;
        /// The frame it goes to.
        next_frame: u8;
        /// 0.
        reserved: u8;
        /// Between frame and next_frame, 0 to 1.
        time: f32;
        /// Frames a tick.
        speed: f32;
    }
}

interface_struct! {
    /// A thing the hero or a figure wears or holds: a weapon, a gadget, Clank, a pack, boots.
    OpenracPiece {
        /// Where it is worn.
        slot: u8;
        /// Which part of the item.
        part: u8;
        /// The item it is of.
        item: u8;
        /// Of the wearer, where it hangs.
        joint: u8;
        /// Of the game's moby classes.
        moby_class: i16;
        /// `PIECE_*`.
        flags: u8;
        /// 0.
        reserved: u8;
        /// Where its animation stands.
        animation: OpenracAnimation;
        /// Only a loose one's, in the game's units.
        position: OpenracVec3;
        /// Only a loose one's, in radians, within ±π.
        rotation: OpenracVec3;
    }
}

interface_struct! {
    /// The hero as he is, or a figure as it is to be.
    OpenracPose {
        /// In the game's units.
        position: OpenracVec3;
        /// In radians, within ±π, around each axis.
        rotation: OpenracVec3;
        /// In units a second.
        velocity: OpenracVec3;
        /// Of the game's states of such a moby.
        state: i16;
        /// 0 or less: dead.
        health: i16;
        /// In the hand.
        item: i16;
        /// `POSE_*`.
        flags: u8;
        /// 0 to [`POSE_PIECES`](crate::POSE_PIECES).
        piece_count: u8;
        /// Where its animation stands.
        animation: OpenracAnimation;
        /// What is worn and held: the first `piece_count`.
        pieces: [OpenracPiece; POSE_PIECES];
    }
}

interface_struct! {
    /// A shot the hero fired, or a figure is to fire.
    OpenracShot {
        /// In the game's units.
        position: OpenracVec3;
        /// In units a second.
        velocity: OpenracVec3;
        /// The game's own four numbers, given back to it as they were.
        aim: [f32; 4];
        /// What was fired, by item number.
        item: i16;
        /// 0.
        reserved: i16;
    }
}

interface_struct! {
    /// What a slot of the memory card holds.
    OpenracCardSave {
        /// 0: the slot is empty.
        used: u8;
        /// Used, but cannot be read.
        damaged: u8;
        /// 0.
        reserved: u16;
        /// Where it was saved.
        level: i32;
        /// How many.
        gold_bolts: u32;
        /// In seconds.
        seconds_played: u32;
    }
}

interface_struct! {
    /// The scene or movie that plays.
    OpenracScene {
        /// The level's number of it; -1 for one without.
        number: i32;
        /// Since its start, in milliseconds.
        elapsed_ms: u32;
        /// `SCENE_*`.
        kind: u8;
        /// 0.
        reserved: [u8; 3];
    }
}

interface_struct! {
    /// A live moby of the level, as the newest tick left it.
    OpenracMoby {
        /// Not 0.
        handle: OpenracMobyHandle;
        /// Its record in the level's file, the same in every game; or
        /// [`KEY_NONE`](crate::KEY_NONE).
        key: u16;
        /// Of the game's moby classes.
        moby_class: i16;
        /// `KIND_*`.
        kinds: u32;
        /// In the game's units.
        position: OpenracVec3;
        /// In radians, within ±π, around each axis.
        rotation: OpenracVec3;
        /// Where its animation stands.
        animation: OpenracAnimation;
        /// As the game counts it.
        health: f32;
        /// A bolt's, in bolts.
        value: i32;
        /// Of its class's states.
        state: i16;
        /// 0: it shows.
        hidden: u8;
        /// Its update ran in this tick.
        ran: u8;
        /// It was drawn in this tick.
        drawn: u8;
        /// 0.
        reserved: [u8; 3];
        /// From the point the run list measured from.
        distance: f32;
        /// Beyond this it does not run; 0: always runs.
        update_distance: f32;
        /// Beyond this it is not drawn; 0: always drawn.
        draw_distance: f32;
    }
}

interface_struct! {
    /// Where a driven moby is to be.
    OpenracMobyPose {
        /// In the game's units.
        position: OpenracVec3;
        /// In radians, within ±π, around each axis.
        rotation: OpenracVec3;
        /// Where its animation stands.
        animation: OpenracAnimation;
    }
}

interface_struct! {
    /// A hit, before it lands.
    OpenracHit {
        /// Who is hit.
        target: OpenracMobyHandle;
        /// Who deals it, or 0.
        attacker: OpenracMobyHandle;
        /// The game's own kinds of hit.
        mask: u32;
        /// As the game counts it.
        damage: f32;
        /// In the game's units.
        position: OpenracVec3;
        /// The push.
        velocity: OpenracVec3;
    }
}

interface_struct! {
    /// The three points the world is seen and run from.
    OpenracCameras {
        /// The camera mods read.
        mods: OpenracVec3;
        /// The point the run list measured from.
        run_list: OpenracVec3;
        /// The one the pause menu puts up.
        pause_menu: OpenracVec3;
    }
}

interface_struct! {
    /// What a game has: a byte each, 0 for not had.
    OpenracProgress {
        /// By item number.
        items: [u8; ITEMS];
        /// Index level x 4 + number.
        gold_bolts: [u8; GOLD_BOLTS];
        /// By level number.
        planets: [u8; PLANETS];
    }
}
