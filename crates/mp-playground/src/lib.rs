//! A stand-in for the game: what people and tests play the mod in.
pub mod bots;
pub mod card;
pub mod game;
pub mod host;
pub mod picture;
pub mod progress;
pub mod sim;
