//! A relay and a direct host under attack, while a party plays there (attacks.py): its players notice
//! nothing. Games whose server lies (liar.py): they go on, and play as soon as there is a true one.

use std::net::SocketAddr;
use std::path::Path;
use std::process::Command;

use libtest_mimic::Failed;
use mp_playground::bots::{Errand, party_code};

use crate::party::{HOST, MEMBER, Party, Relay, folder};
use crate::process::{Process, command, live_lines};
use crate::table::Table;
use crate::{Trials, check, is_long, trial};

/// Of the attackers' chances.
const SEED: &str = "7";
/// The code of the parties that a liar tells of.
const LIE: &str = "H7KQ2M";

pub fn trials() -> Trials {
    let mut trials = vec![trial!(games_whose_server_lies_play_once_it_is_a_true_one)];
    // Elsewhere a machine has one address of its own, and the attackers would have the players' share.
    if cfg!(target_os = "linux") {
        trials.push(trial!(a_party_plays_on_while_its_relay_is_attacked));
        trials.push(trial!(a_direct_party_plays_on_while_its_host_is_attacked));
    }
    trials
}

fn seconds() -> usize {
    if is_long() { 60 } else { 6 }
}

/// `None`, and said so, where there is no Python.
fn python(script: &str, words: &[&str]) -> Option<Process> {
    let mut python = Command::new("python3");
    python.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/faults").join(script)).args(words);
    let python = Process::commanded(python).ok();
    if python.is_none() {
        println!("there is no python3 here: not tried");
    }
    python
}

fn attack(to: SocketAddr, code: &str) -> Option<Process> {
    python("attacks.py", &[&to.to_string(), code, &seconds().to_string(), SEED])
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

fn games_whose_server_lies_play_once_it_is_a_true_one() -> Result<(), Failed> {
    let seconds = if is_long() { "40" } else { "6" };
    let Some(mut liar) = python("liar.py", &[seconds, SEED]) else { return Ok(()) };
    let address = liar.line("listening on ")?.trim_start_matches("listening on ").to_owned();
    let mut table = Table::new();
    let multiplayer = || Errand::Choose("Multiplayer".to_owned());
    let errands = [
        (HOST, Errand::Create { ready: 1 }),
        (MEMBER, Errand::Code("222222".to_owned())),
        ("Casey", multiplayer()),
        ("Drew", multiplayer()),
    ];
    for (name, errand) in errands {
        table.sit_with(name, errand, 0, &address);
    }
    table.until("the liar ends", |_| liar.said().iter().any(|line| line.starts_with("lies: ")));
    println!("{}", liar.said().last().expect("it said so"));
    check(liar.ended()?.success(), || liar.said().join("\n"))?;
    let mut relay = Relay::start_at(address.parse()?)?;
    table.players[0].bot.send(Errand::Create { ready: 1 });
    table.until("the lobby shows the code", |table| {
        party_code(&table.screen(0)).is_some_and(|code| code != LIE)
    });
    let code = party_code(&table.screen(0)).expect("it shows").to_owned();
    table.players[1].bot.send(Errand::Code(code));
    table.until("each sees the other", |table| {
        table.figure(0, MEMBER).is_some() && table.figure(1, HOST).is_some()
    });
    table.end();
    relay.process.end_well()
}
