//! The mod interface of OpenRAC, version 1.9: what a game and a mod say to each other over a C ABI.
//!
//! `include/openrac_mod.h` is the interface, with what each call means, its units and from where it may
//! be called. The types here are the same ones for Rust, named as in C; `tests/header.rs` compiles the
//! header and holds the two together, field by field. This crate must never hold logic of the game or
//! the mod: it has the types, the strings that cross, and, for a game, [`ModLibrary`].
//!
//! The official header was not at hand. What knows its layout lives here and nowhere else, so that it
//! can be put in its place.
//!
//! This is one of the places where unsafe code is allowed.
#![allow(unsafe_code)]

#[macro_use]
mod layout;

mod constants;
mod hooks;
mod host;
mod library;
mod module;
mod page;
mod strings;
mod values;

pub use constants::*;
pub use hooks::OpenracHooks;
pub use host::OpenracHost;
pub use layout::{Field, FieldKind, Layout};
pub use library::{LoadError, LoadedMod, ModLibrary};
pub use module::{OpenracMod, OpenracModEntry};
pub use page::{OpenracPageDef, OpenracPromptDone, OpenracRow};
pub use strings::OpenracStr;
pub use values::*;

/// Every struct of the interface, for the test that compares them with the header.
pub const LAYOUTS: &[Layout] = &[
    OpenracStr::LAYOUT,
    OpenracVec3::LAYOUT,
    OpenracAnimation::LAYOUT,
    OpenracPiece::LAYOUT,
    OpenracPose::LAYOUT,
    OpenracShot::LAYOUT,
    OpenracCardSave::LAYOUT,
    OpenracScene::LAYOUT,
    OpenracMoby::LAYOUT,
    OpenracMobyPose::LAYOUT,
    OpenracHit::LAYOUT,
    OpenracCameras::LAYOUT,
    OpenracProgress::LAYOUT,
    OpenracRow::LAYOUT,
    OpenracPageDef::LAYOUT,
    OpenracHooks::LAYOUT,
    OpenracHost::LAYOUT,
    OpenracMod::LAYOUT,
];

// Tables only ever grow at the end and the other structs never change: a new field in the middle moves
// one of these.
#[cfg(target_pointer_width = "64")]
const _: () = {
    use core::mem::{align_of, offset_of, size_of};
    assert!(size_of::<OpenracStr>() == 16 && align_of::<OpenracStr>() == 8);
    assert!(size_of::<OpenracVec3>() == 12 && align_of::<OpenracVec3>() == 4);
    assert!(size_of::<OpenracAnimation>() == 12 && align_of::<OpenracAnimation>() == 4);
    assert!(size_of::<OpenracPiece>() == 44 && align_of::<OpenracPiece>() == 4);
    assert!(size_of::<OpenracPose>() == 408 && align_of::<OpenracPose>() == 4);
    assert!(size_of::<OpenracShot>() == 44 && align_of::<OpenracShot>() == 4);
    assert!(size_of::<OpenracCardSave>() == 16 && align_of::<OpenracCardSave>() == 4);
    assert!(size_of::<OpenracScene>() == 12 && align_of::<OpenracScene>() == 4);
    assert!(size_of::<OpenracMoby>() == 76 && align_of::<OpenracMoby>() == 4);
    assert!(size_of::<OpenracMobyPose>() == 36 && align_of::<OpenracMobyPose>() == 4);
    assert!(size_of::<OpenracHit>() == 40 && align_of::<OpenracHit>() == 4);
    assert!(size_of::<OpenracCameras>() == 36 && align_of::<OpenracCameras>() == 4);
    assert!(size_of::<OpenracProgress>() == 137 && align_of::<OpenracProgress>() == 1);
    assert!(size_of::<OpenracRow>() == 40 && align_of::<OpenracRow>() == 8);
    assert!(size_of::<OpenracPageDef>() == 120 && align_of::<OpenracPageDef>() == 8);
    assert!(offset_of!(OpenracPageDef, title) == 16);
    assert!(size_of::<OpenracHooks>() == 104 && align_of::<OpenracHooks>() == 8);
    assert!(offset_of!(OpenracHooks, on_travel) == 16 && offset_of!(OpenracHooks, on_make) == 40);
    assert!(size_of::<OpenracHost>() == 440 && align_of::<OpenracHost>() == 8);
    assert!(offset_of!(OpenracHost, log) == 16);
    assert!(offset_of!(OpenracHost, page_add) == 72);
    assert!(offset_of!(OpenracHost, phase) == 128);
    assert!(offset_of!(OpenracHost, mobys) == 336);
    assert!(size_of::<OpenracMod>() == 40 && align_of::<OpenracMod>() == 8);
    assert!(offset_of!(OpenracMod, tick) == 16 && offset_of!(OpenracMod, unload) == 32);
};
