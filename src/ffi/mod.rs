//! The C boundary: the library's one exported symbol, and all of the mod's unsafe code. A call of the
//! game's comes in through `guard` and no panic leaves through it; a call to the game goes out through
//! `host`. What the mod does is not decided here.
//!
//! | module | for |
//! |---|---|
//! | `entry` | the exported symbol: checks, versions, building an instance |
//! | `guard` | what every entry goes through: depth, panics, unloading from inside a callback |
//! | `instance` | one loaded mod: the core, what the player did, the pages as last published |
//! | `core` | what the boundary drives, and what takes its place after a panic |
//! | `pages` | the pages' callbacks |
//! | `host`, `convert`, `convert_world` | the game's table behind `trait Game` |
//! | `table` | the table copied by size, and its groups |
//! | `panics` | a panic as a line of text, with its place |
//! | `threads`, `pin` | starting and joining an instance's threads; staying mapped for them |
#![allow(unsafe_code)]

mod convert;
mod convert_world;
mod core;
mod entry;
mod guard;
mod host;
mod instance;
mod pages;
mod panics;
mod pin;
mod table;
mod threads;

#[cfg(test)]
mod tests;

pub use entry::openrac_mod_entry;
