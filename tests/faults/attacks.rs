//! A relay and a direct host under attack, while a party plays there (attacks.py): its players notice
//! nothing.

use std::net::SocketAddr;
use std::path::Path;
use std::process::Command;

use libtest_mimic::Failed;

use crate::party::{HOST, MEMBER, Party, Relay, folder};
use crate::process::{Process, command, live_lines};
use crate::{Trials, check, is_long, trial};

/// Of the attackers' chances.
const SEED: &str = "7";

pub fn trials() -> Trials {
    // Elsewhere a machine has one address of its own, and the attackers would have the players' share.
    if !cfg!(target_os = "linux") {
        return Vec::new();
    }
    vec![
        trial!(a_party_plays_on_while_its_relay_is_attacked),
        trial!(a_direct_party_plays_on_while_its_host_is_attacked),
    ]
}

fn seconds() -> usize {
    if is_long() { 60 } else { 6 }
}

/// `None`, and said so, where there is no Python.
fn attack(to: SocketAddr, code: &str) -> Option<Process> {
    let mut attacks = Command::new("python3");
    attacks.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/faults/attacks.py"));
    attacks.args([&to.to_string(), code, &seconds().to_string(), SEED]);
    let attacks = Process::commanded(attacks).ok();
    if attacks.is_none() {
        println!("there is no python3 here: not tried");
    }
    attacks
}

/// Both see each other at the end of an attack, and neither was told of a loss of theirs.
fn play_on(host: &mut Process, member: &mut Process, mut attack: Process) -> Result<(), Failed> {
    let said = live_lines([host, member], seconds())?;
    println!("{}", attack.line("attacks: ")?);
    check(attack.ended()?.success(), || attack.said().join("\n"))?;
    let all = said.join("\n");
    let is_told = ["Blair left", "went away", "party is over"].iter().any(|bad| all.contains(bad));
    check(!is_told, || all)?;
    host.line(&format!("sees {MEMBER}"))?;
    member.line(&format!("sees {HOST}")).map(drop)
}

fn a_party_plays_on_while_its_relay_is_attacked() -> Result<(), Failed> {
    let mut party = Party::begin(Relay::start()?, &folder("attacked")?, &[], |_| {})?;
    party.meet()?;
    let Some(attack) = attack(party.relay.address, &party.code) else { return Ok(()) };
    play_on(&mut party.host, &mut party.member, attack)?;
    check(party.relay.page()?.contains("openrac_relay_"), || "no metrics".to_owned())?;
    party.member.end_well()?;
    party.host.end_well()?;
    party.relay.process.end_well()
}

fn a_direct_party_plays_on_while_its_host_is_attacked() -> Result<(), Failed> {
    let games = folder("attacked-direct")?;
    let games = games.to_str().ok_or("the folder is no text")?;
    let play = |name, words: &[&str]| {
        let game = ["play", "--headless", "--bot", "walk", "--name", name, "--work-dir", games];
        Process::start(command(&[&game[..], words].concat()))
    };
    let mut host = play(HOST, &["--host-direct", "--port", "0"]);
    let hosting = host.line("hosting: ")?;
    let port = hosting.rsplit([':', ' ']).next().unwrap_or_default();
    let address = format!("127.0.0.1:{port}");
    let mut member = play(MEMBER, &["--join", &address]);
    host.line(&format!("sees {MEMBER}"))?;
    member.line(&format!("sees {HOST}"))?;
    let Some(attack) = attack(address.parse()?, "-") else { return Ok(()) };
    play_on(&mut host, &mut member, attack)?;
    member.end_well()?;
    host.end_well()
}
