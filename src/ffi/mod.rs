//! The C boundary: the library's one exported symbol, and all of the mod's unsafe code. A call of the
//! game's comes in through `guard` and no panic leaves through it; a call to the game goes out through
//! `host`. What the mod does is not decided here.
//!
//! | module | for |
//! |---|---|
//! | `entry` | the exported symbol: checks, versions, building an instance |
//! | `guard` | what every entry goes through: depth, panics, unloading from inside a callback |
//! | `home` | the game's thread, and calls from any other |
//! | `instance` | one loaded mod: the front with the core behind it, and the game |
//! | `stopped` | what takes the core's place after a panic |
//! | `pages`, `hooks` | the pages' callbacks, and those of the hooks |
//! | `host`, `convert`, `convert_world` | the game's table behind `trait Game` |
//! | `table` | the table copied by size, and its groups |
//! | `panics` | a panic as a line of text, with its place |
//! | `threads`, `trace_file`, `pin` | starting and joining an instance's threads; staying mapped for them |
#![allow(unsafe_code)]

mod convert;
mod convert_world;
mod entry;
mod guard;
mod home;
mod hooks;
mod host;
mod instance;
mod pages;
mod panics;
mod pin;
mod stopped;
mod table;
mod threads;
mod trace_file;

#[cfg(test)]
mod tests;

pub use entry::openrac_mod_entry;
