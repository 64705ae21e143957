//! Interpolation buffers: what came in bursts, late and in any order, shown smoothly a little behind
//! (B5.3).
//!
//! - `PlaybackClock` decides *when*: how far behind the sender to play, and the cursor that keeps it.
//! - `Track` keeps *what*: the poses in order, and where they say the sender is at any moment.
//! - [`PoseBuffer`] is the two together, for one sender's poses.
//! - [`WorldClock`] and [`LinearTrack`] are the same for the mobys of a world: one clock, a track each.
//!
//! Nothing here asks for time, makes up a pose or judges whether a pose is allowed: the caller drops
//! what is malformed (a float that is not finite, a stamp far ahead) before it comes here. What comes
//! here in spite of that spoils the figure it is for, and nothing else.

mod curve;
mod playback_clock;
mod pose_buffer;
mod track;
mod world_buffer;

pub use playback_clock::{BASE_DELAY, MAX_DELAY, MAX_RATE_PERCENT};
pub use pose_buffer::{PlaybackStats, Played, PoseBuffer, Pushed};
pub use track::{CAPACITY, MAX_EXTRAPOLATION, Pose, TELEPORT_STEP};
pub use world_buffer::{LinearTrack, Sampled, WorldClock};
