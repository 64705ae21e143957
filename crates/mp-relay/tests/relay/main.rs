//! The relay over real sockets: the program as a process, and the library with several threads.
#![forbid(unsafe_code)]
#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]

mod floods;
mod foreign;
mod hostile;
mod linked;
mod play;
mod player;
#[cfg(unix)]
mod program;
mod support;
