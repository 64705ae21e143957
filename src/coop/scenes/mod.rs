//! Scenes that everyone sees, and how they end together (B5.6 to B5.8). The host's machine numbers the
//! scenes of its game and waits for the members; a member's starts the host's scenes late, ends them with
//! the host, and skips what the host skipped. Neither sends anything or calls the game.

mod host;
mod member;
mod showing;

pub(super) use host::{HostScenes, Other};
pub(super) use member::MemberScenes;
