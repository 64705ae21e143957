//! What the machine and the network can do to a party, tried on purpose, and what must never leave a game:
//! real processes, real sockets, the built library. `FAULTS=all` plays the long form; tests/README.md says
//! what is tried.
#![allow(
    clippy::disallowed_types,
    clippy::disallowed_methods,
    reason = "end to end: real sockets, processes and time"
)]

use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};

#[path = "../common/library.rs"]
mod library;
#[path = "../common/process.rs"]
mod process;
#[path = "../common/table.rs"]
mod table;

mod attacks;
mod clock;
mod disk;
mod kills;
mod links;
mod namespaces;
mod party;
mod search;
mod secrets;
mod stops;

/// Parties at a time: they wait far more than they compute.
const AT_ONCE: usize = 32;

fn main() -> ExitCode {
    if let Some(code) = process::program() {
        return code;
    }
    let mut arguments = Arguments::from_args();
    arguments.test_threads.get_or_insert(AT_ONCE);
    let trials = [
        stops::trials(),
        kills::trials(),
        links::trials(),
        secrets::trials(),
        disk::trials(),
        clock::trials(),
        namespaces::trials(),
        attacks::trials(),
    ];
    libtest_mimic::run(&arguments, trials.into_iter().flatten().collect()).exit_code()
}

/// Whether the long form is asked for.
fn is_long() -> bool {
    std::env::var_os("FAULTS").is_some_and(|value| value == "all")
}

/// A test by the name of its function.
macro_rules! trial {
    ($name:ident) => {
        libtest_mimic::Trial::test(stringify!($name), $name)
    };
}
use trial;

/// Fails with those words unless it holds.
fn check(holds: bool, words: impl FnOnce() -> String) -> Result<(), Failed> {
    if holds { Ok(()) } else { Err(words().into()) }
}

/// Tests, as a list.
type Trials = Vec<Trial>;
