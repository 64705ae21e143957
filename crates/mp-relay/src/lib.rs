//! The party server: [`Relay`] listens, runs one router a thread and tells its figures; [`program`], the
//! binary `openrac-relay`, gives it a command line, a config file, a log and signals.
//!
//! What travels and what is allowed is mp-protocol's and mp-party's, the sockets are mp-sockets'. This
//! crate must never look into a frame or a datagram.
#![forbid(unsafe_code)]

mod admin;
mod args;
mod closes;
mod config;
mod histogram;
mod log;
mod mailbox;
mod ports;
pub mod program;
mod prometheus;
mod relay;
mod seconds;
mod settings;
mod shard;
mod stats;

pub use admin::Admin;
pub use args::Args;
pub use closes::Closes;
pub use config::ConfigError;
pub use histogram::Histogram;
pub use log::{Log, LogEnd};
pub use relay::{Monitor, Relay, StartError};
pub use settings::Settings;
pub use stats::{ShardStats, Stats};
