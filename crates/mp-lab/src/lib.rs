//! The party in one thread: playground games behind the mod's trait `Game`, the mod itself, every
//! player's link, the router, and bad wires between them, all driven from one seed. No socket is opened,
//! no clock read, no thread started: equal seeds give equal runs, and a run takes as long as its work.
//!
//! From the inside out: [`game`] is one game with the mod in it, [`network`] what lies between them, and
//! [`Lab`] a run of a party, which says what it came to.

mod chaos;
pub mod game;
mod guide;
mod lab;
mod measures;
pub mod network;
mod seat;

pub use guide::{Goal, Place};
pub use lab::{Failed, Lab, Options, Outcome};
pub use seat::NAMES;
