//! What forwarding costs, against forwarders that do nothing else.
//!
//! `cargo bench -p mp-relay` measures the relay and a bare forwarder in turns, in one process and under the
//! same load, and prints their ratios beside the targets. `-- --short` does it in seconds, `-- udp tcp` only
//! those, `-- --gate` fails where a target is missed.
//!
//! The load is the mix of real play: a party's second is 60 member-to-host poses of 100 bytes, 80
//! host-to-all of 100 and 45 host-to-one of 1,150. The relay runs on one thread with everything on
//! (tokens, limits, figures); the rates are set out of reach where the load is the most it can take.
#![forbid(unsafe_code)]
#![allow(clippy::unwrap_used, reason = "what fails here fails the bench")]
#![allow(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "figures for people"
)]

#[cfg(target_os = "linux")]
mod bare_tcp;
#[cfg(target_os = "linux")]
mod bare_udp;
#[cfg(target_os = "linux")]
mod cases;
#[cfg(target_os = "linux")]
mod cpu;
#[cfg(target_os = "linux")]
mod flood;
#[cfg(target_os = "linux")]
mod held;
#[cfg(target_os = "linux")]
mod mix;
#[cfg(target_os = "linux")]
mod paced;
#[cfg(target_os = "linux")]
mod players;
#[cfg(target_os = "linux")]
mod report;

#[cfg(target_os = "linux")]
fn main() -> std::process::ExitCode {
    cases::run()
}

#[cfg(not(target_os = "linux"))]
fn main() {
    println!("the forwarders it is measured against are Linux's: nothing is measured here");
}
