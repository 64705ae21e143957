//! What any game's netcode needs, and nothing of ours: it knows no message, no frame and no game.
//!
//! Every type is a value or a small machine: time comes in as [`LocalTime`] or [`ServerTime`], results
//! go out as return values. It must never read a clock, open a socket, start a thread or log, and no
//! value that a peer can send may make it panic.
//!
//! | module | for |
//! |---|---|
//! | [`time`] | this process's time and the server's, kept apart by the compiler |
//! | [`sequence`] | wrapping sequence numbers |
//! | [`clock`] | round trip and the server's clock, from echoes |
//! | [`liveness`] | live, interrupted, gone |
//! | [`backoff`] | the wait before the next attempt |
//! | [`bucket`] | rate limits |
//! | [`conditioner`] | bad links, on purpose |
//! | [`interpolation`] | a sender's poses, played smoothly a little behind |
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

pub mod backoff;
pub mod bucket;
pub mod clock;
pub mod conditioner;
pub mod interpolation;
pub mod liveness;
pub mod sequence;
pub mod time;

pub use backoff::Backoff;
pub use bucket::TokenBucket;
pub use clock::ClockSync;
pub use interpolation::{PlaybackStats, Played, Pose, PoseBuffer, Pushed};
pub use liveness::{Grade, Liveness};
pub use sequence::Sequence;
pub use time::{LocalTime, ServerTime};
