//! A wall clock that jumps a day every second, under the relay and both games: nothing changes, since only
//! the monotonic clock counts. That one standing still for long, then jumping, is what [`crate::stops`]
//! tries.

use std::path::{Path, PathBuf};
use std::process::Command;

use libtest_mimic::Failed;

use crate::party::{Party, Relay, folder};
use crate::process::command;
use crate::{Trials, check, trial};

/// So many jumps, one a second.
const JUMPS: usize = 4;

pub fn trials() -> Trials {
    if cfg!(target_os = "linux") {
        vec![trial!(a_wall_clock_that_jumps_changes_nothing)]
    } else {
        Vec::new()
    }
}

fn a_wall_clock_that_jumps_changes_nothing() -> Result<(), Failed> {
    let folder = folder("clock")?;
    let jumps = compile(&folder)?;
    let jumping = |command: &mut Command| {
        command.env("LD_PRELOAD", &jumps);
    };
    let mut relay = command(&["relay", "--listen", "127.0.0.1:0", "--metrics", "127.0.0.1:0"]);
    jumping(&mut relay);
    let mut party = Party::begin(Relay::run(relay)?, &folder, &[], jumping)?;
    party.meet()?;
    let meanwhile = party.live_lines(JUMPS)?.concat();
    check(!meanwhile.contains("left") && !meanwhile.contains("went away"), || meanwhile)?;
    // What comes now was seen after the jumps.
    party.meet()?;
    party.member.end_well()?;
    party.host.end_well()?;
    party.relay.process.end_well()?;
    for process in [&mut party.host, &mut party.member, &mut party.relay.process] {
        let said = process.said().join("\n");
        check(said.contains("the wall clock jumps"), || format!("it did not:\n{said}"))?;
    }
    Ok(())
}

fn compile(folder: &Path) -> Result<PathBuf, Failed> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/faults/clock.c");
    let out = folder.join("clock.so");
    let compiler = std::env::var_os("CC").unwrap_or_else(|| "cc".into());
    let mut compile = Command::new(compiler);
    compile.args(["-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-o"]).arg(&out).arg(source);
    check(compile.status()?.success(), || "the C compiler failed".to_owned())?;
    Ok(out)
}
