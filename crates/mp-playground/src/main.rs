//! The playground as a program; its command line is the library's.

use std::process::ExitCode;

fn main() -> ExitCode {
    mp_playground::cli::run(std::env::args_os())
}
