//! A disk that is full under the trace: the game's log says so, and the party plays on.

use std::path::Path;
use std::process::Command;

use libtest_mimic::Failed;

use crate::party::{HOST, MEMBER, Party, Relay, folder};
use crate::{Trials, check, trial};

const TRACE: &str = "mp-trace.log";

pub fn trials() -> Trials {
    vec![
        trial!(a_full_disk_under_the_trace_is_said_and_the_party_plays_on),
        trial!(a_disk_that_fills_up_under_the_trace_is_said_and_the_party_plays_on),
    ]
}

/// `/dev/full` takes no byte.
fn a_full_disk_under_the_trace_is_said_and_the_party_plays_on() -> Result<(), Failed> {
    let folder = folder("full")?;
    if !Path::new("/dev/full").exists() {
        println!("there is no /dev/full here: not tried");
        return Ok(());
    }
    plays_on(&folder, Path::new("/dev/full"), "No space left on device")
}

/// A file system of 24 KB, where the machine lets one be mounted.
fn a_disk_that_fills_up_under_the_trace_is_said_and_the_party_plays_on() -> Result<(), Failed> {
    let (folder, disk) = (folder("filling")?, folder("filling-disk")?);
    let mount =
        Command::new("mount").args(["-t", "tmpfs", "-o", "size=24k", "tmpfs"]).arg(&disk).output();
    if !mount.is_ok_and(|mount| mount.status.success()) {
        println!("no file system can be mounted here: not tried");
        return Ok(());
    }
    let played = plays_on(&folder, &disk.join(TRACE), "No space left on device");
    let size = std::fs::metadata(disk.join(TRACE)).map(|file| file.len());
    check(Command::new("umount").arg(&disk).status()?.success(), || "umount".to_owned())?;
    played?;
    let size = size?;
    check((12_288..=24_576).contains(&size), || format!("{size} bytes were written"))
}

/// The host's trace goes to that file, the member's to the disk.
fn plays_on(folder: &Path, file: &Path, why: &str) -> Result<(), Failed> {
    let games = [HOST, MEMBER].map(|name| folder.join(name));
    std::fs::create_dir_all(&games[0])?;
    link(file, &games[0].join(TRACE))?;
    let traced = |command: &mut Command| {
        command.env("OPENRAC_MP_TRACE", "1");
    };
    let mut party = Party::begin(Relay::start()?, folder, &[], traced)?;
    party.meet()?;
    let said = || std::fs::read_to_string(games[0].join("run.log")).unwrap_or_default();
    let begin = std::time::Instant::now();
    while !said().contains(why) && begin.elapsed() < crate::library::PATIENCE {
        party.host.line(&format!("sees {MEMBER}"))?;
    }
    party.meet()?;
    party.member.end_well()?;
    party.host.end_well()?;
    let said = said();
    check(said.matches(why).count() == 1, || format!("the host's log:\n{said}"))?;
    let whole = std::fs::read_to_string(games[1].join(TRACE))?;
    check(whole.contains(" member snap in "), || "the member's trace is not whole".to_owned())
}

#[cfg(unix)]
fn link(to: &Path, at: &Path) -> Result<(), Failed> {
    Ok(std::os::unix::fs::symlink(to, at)?)
}

#[cfg(not(unix))]
fn link(_: &Path, _: &Path) -> Result<(), Failed> {
    Err("this system is not looked at".into())
}
