//! `openrac-relay`: see [`mp_relay::program`].
#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    mp_relay::program::run(std::env::args_os())
}
