//! A link conditioner: what a real link does to datagrams and streams, done on purpose.
//!
//! [`DatagramConditioner`] delays, loses, doubles and reorders; [`StreamConditioner`] only delays, and
//! keeps the order, as TCP shows a bad link to those above it. Both are one way, seeded, and driven by
//! the caller: what goes in with `push` comes out of `poll` when it is due, and `poll_timeout` says when
//! to ask again. They hold all that is in flight, so the caller bounds what it pushes ([`held_bytes`]).
//!
//! Equal seeds and equal calls give equal outcomes, on every machine.
//!
//! [`held_bytes`]: StreamConditioner::held_bytes

mod conditions;
mod datagrams;
mod random;
mod stream;

pub use conditions::{BadConditions, Conditions, DELAY_MAX_MS, Percent};
pub use datagrams::{Conditioned, DatagramConditioner, HELD_BACK};
pub use stream::StreamConditioner;
