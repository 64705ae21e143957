//! OpenRAC multiplayer: online co-op for Ratchet & Clank, as a mod that the game loads.
//!
//! The library exports one symbol, `openrac_mod_entry` (in [`mod@ffi`]). Everything else is written
//! against the safe trait [`game::Game`]; of the modules below each uses only those under it.
//!
//! | module | for |
//! |---|---|
//! | [`mod@ffi`] | the C boundary: entry, guard, the host's table, threads |
//! | [`front`], [`hooks`] | what a game may call at any moment, and what it asks and tells |
//! | [`multiplayer`] | one instance of the mod: what a tick does, and in which order |
//! | [`menu`] | the pages |
//! | [`coop`] | playing together: start, levels, figures |
//! | [`world`] | the shared world: mobys, hits, crates, bolts |
//! | `progress` | what anyone of the party has, everyone has |
//! | [`session`] | one player's place in a party |
//! | [`direct`] | direct connect: the address, the hosting lines |
//! | `changes` | how often at most the others' words bring something about |
//! | [`settings`] | what the launcher's page says |
//! | [`trace`] | the verbose log |
//! | [`game`] | the game, safe and typed |

mod changes;
pub mod coop;
pub mod direct;
pub mod ffi;
pub mod front;
pub mod game;
pub mod hooks;
pub mod menu;
pub mod multiplayer;
mod progress;
pub mod session;
pub mod settings;
pub mod trace;
pub mod world;

#[cfg(test)]
mod tests;
