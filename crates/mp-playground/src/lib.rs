//! A stand-in for the game: what people, bots and tests play the mod in. It knows the mod only by the
//! interface of sdk-bindings, as the real game does, and loads the built library.
//!
//! From the inside out: [`sim`] is the world, without clock or mod; [`game`] the game around it, with
//! its menus; [`host`] the C side that loads a mod; [`picture`] draws and [`window`] shows it, [`bots`]
//! play, [`proxy`] makes links bad on purpose, [`invariants`] looks on, and [`run`] plays whole games in
//! real time and judges them; [`trace`] reads what the mod's verbose log says of them; [`cli`] is the
//! program, [`out`] what it prints. A test loads a mod with [`host::Game::load`], ticks it with a pad, reads
//! [`host::Game::screen`] and asks [`host::Game::faults`].

pub mod bots;
pub mod card;
pub mod cli;
pub mod game;
pub mod host;
pub mod invariants;
pub mod library;
pub mod mods;
pub mod out;
pub mod picture;
pub mod progress;
pub mod proxy;
pub mod run;
pub mod scenes;
pub mod sim;
mod text;
pub mod trace;
pub mod window;

pub use host::{Fault, Game, ModLibrary, Setup};
pub use sim::{Button, Pad};
