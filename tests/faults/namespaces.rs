//! Two machines, as far as the network goes: two namespaces, joined by a link of packets that a program of
//! the test is (namespaces.py): late, lossy, blocked, behind a NAT that forgets.

use std::path::Path;
use std::process::Command;

use libtest_mimic::Failed;

use crate::party::{HOST, MEMBER, folder};
use crate::process::{Process, command, live_lines};
use crate::{Trials, check, is_long, trial};

/// The first namespace's address (namespaces.py).
const HOSTING: &str = "10.77.0.1:7770";
/// One way, in ms and %.
const LINK: [&str; 4] = ["30", "10", "2", "7770"];

pub fn trials() -> Trials {
    if !cfg!(target_os = "linux") {
        return Vec::new();
    }
    let mut trials = vec![trial!(a_party_of_two_machines_plays_on_when_a_nat_forgets)];
    if is_long() {
        trials.push(trial!(a_party_of_two_machines_falls_back_to_tcp_and_reads_of_a_cut));
    }
    trials
}

/// A direct host on one machine, a member on the other, and what joins them.
struct Machines {
    link: Process,
    host: Process,
    member: Process,
}

impl Machines {
    /// Both in sight of each other; none where the machine allows no namespaces.
    fn meet(name: &str) -> Result<Option<Self>, Failed> {
        let folder = folder(name)?;
        let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/faults/namespaces.py");
        let mut link = Command::new("python3");
        link.arg(program).args(LINK);
        let Ok(mut link) = Process::commanded(link) else {
            println!("there is no python3 here: not tried");
            return Ok(None);
        };
        let spaces = match link.line("namespaces ") {
            Ok(line) => line,
            Err(_) => {
                println!("no namespaces can be joined here: {:?}: not tried", link.said().last());
                return Ok(None);
            }
        };
        let spaces: Vec<&str> = spaces.split(' ').skip(1).collect();
        let folder = folder.to_str().ok_or("the folder is no text")?;
        let play = |space: &str, name, words: &[&str]| {
            let game = ["play", "--headless", "--bot", "walk", "--name", name];
            let game = command(&[&game[..], &["--work-dir", folder], words].concat());
            let mut inside = Command::new("nsenter");
            inside.args(["-t", space, "-n"]).arg(game.get_program()).args(game.get_args());
            Process::start(inside)
        };
        let mut host = play(spaces[0], HOST, &["--host-direct", "--port", "7770"]);
        host.line("hosting: ")?;
        let mut member = play(spaces[1], MEMBER, &["--join", HOSTING]);
        host.line(&format!("sees {MEMBER}"))?;
        member.line(&format!("sees {HOST}"))?;
        Ok(Some(Self { link, host, member }))
    }

    /// Has the link do something.
    fn order(&mut self, line: &str) -> Result<(), Failed> {
        self.link.tell(line)?;
        self.link.line(line).map(drop)
    }

    /// What both say for so many seconds from now on.
    fn say_for(&mut self, seconds: usize) -> Result<[String; 2], Failed> {
        live_lines([&mut self.host, &mut self.member], seconds)
    }

    /// Both are in the party for so many seconds, and see each other at their end.
    fn see_each_other_for(&mut self, seconds: usize) -> Result<(), Failed> {
        let said = self.say_for(seconds)?;
        let sees = [MEMBER, HOST].map(|name| format!("sees {name}"));
        let last = |said: &String| said.lines().last().unwrap_or_default().to_owned();
        let well = said.iter().zip(&sees).all(|(said, sees)| last(said).contains(sees));
        let said = said.join("\n");
        check(well && !said.contains("left") && !said.contains("went away"), || said)
    }

    fn end(mut self) -> Result<(), Failed> {
        self.member.end_well()?;
        self.host.end_well()
    }
}

/// It heals at the next BIND, 3 s later at most; a figure goes after 5 s of silence.
fn a_party_of_two_machines_plays_on_when_a_nat_forgets() -> Result<(), Failed> {
    let Some(mut machines) = Machines::meet("machines")? else { return Ok(()) };
    machines.order("rebind")?;
    machines.see_each_other_for(6)?;
    machines.end()
}

fn a_party_of_two_machines_falls_back_to_tcp_and_reads_of_a_cut() -> Result<(), Failed> {
    let Some(mut machines) = Machines::meet("machines-cut")? else { return Ok(()) };
    for blocked in ["up", "down", "large", "udp"] {
        machines.order(&format!("block {blocked}"))?;
        // Fallen back 15 s later (protocol.md 2).
        machines.say_for(18)?;
        machines.see_each_other_for(4)?;
        machines.order("block nothing")?;
        machines.see_each_other_for(5)?;
    }
    machines.order("block all")?;
    machines.member.line("The host went away")?;
    machines.host.line("Blair left")?;
    machines.end()
}
