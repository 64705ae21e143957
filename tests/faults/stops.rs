//! Processes that stand still for a while and go on (SIGSTOP): a short while costs nothing, a long one is
//! said. To one that stood still, the monotonic clock has jumped.

use std::time::Duration;

use libtest_mimic::Failed;

use crate::links::Linked;
use crate::party::{HOST, MEMBER, Party, Relay, folder};
use crate::process::live_lines;
use crate::{Trials, check, is_long, trial};
use mp_playground::proxy::Blocked;

/// Under the 5 s after which a figure goes (behaviour.md 5.4), over the 2 s after which a link counts as
/// interrupted (3.2).
const SHORT: Duration = Duration::from_secs(4);
/// In seconds: long over the 15 after which the relay closes the connection of one that stands still.
const LONG: usize = 30;

pub fn trials() -> Trials {
    let mut trials = vec![
        trial!(a_relay_that_stands_still_for_a_short_while_costs_nothing),
        trial!(a_relay_that_stands_still_for_long_is_said),
        trial!(a_game_that_stands_still_for_a_short_while_goes_on_in_its_party),
    ];
    if is_long() {
        trials.push(trial!(a_member_that_stands_still_for_30_s_is_told_and_the_others_too));
        trials.push(trial!(a_host_that_stands_still_for_30_s_ends_the_party));
    }
    trials
}

fn a_relay_that_stands_still_for_a_short_while_costs_nothing() -> Result<(), Failed> {
    let mut linked = Linked::meet(Blocked::Nothing)?;
    linked.relay.process.signal("STOP")?;
    linked.meanwhile(SHORT, "nobody is told of a loss", |linked| {
        let told = linked.table.screens();
        !told.contains("went away") && !told.contains("left")
    })?;
    linked.relay.process.signal("CONT")?;
    linked.until_they_see_each_other();
    linked.table.until("both have control", |table| (0..2).all(|player| table.has_control(player)));
    linked.end()
}

fn a_relay_that_stands_still_for_long_is_said() -> Result<(), Failed> {
    let mut linked = Linked::meet(Blocked::Nothing)?;
    linked.relay.process.signal("STOP")?;
    linked.table.until("both are at the title", |table| {
        (0..2).all(|player| table.screen(player).to_string().contains("The server went away"))
    });
    linked.relay.process.signal("CONT")?;
    linked.table.until("the server is there again", |table| {
        (0..2)
            .all(|player| table.screen(player).row("Create match").is_some_and(|(_, row)| !row.dim))
    });
    linked.end()
}

fn a_game_that_stands_still_for_a_short_while_goes_on_in_its_party() -> Result<(), Failed> {
    let mut party = Party::begin(Relay::start()?, &folder("stopped")?, &[], |_| {})?;
    party.meet()?;
    for who in [1, 0] {
        let (process, other) = match who {
            0 => (&party.host, &mut party.member),
            _ => (&party.member, &mut party.host),
        };
        process.signal("STOP")?;
        live_lines([other], 2)?;
        process.signal("CONT")?;
        party.meet()?;
    }
    party.member.end_well()?;
    party.host.end_well()?;
    let told = [party.host.said(), party.member.said()].concat().join("\n");
    check(!told.contains("went away"), || told)
}

fn a_member_that_stands_still_for_30_s_is_told_and_the_others_too() -> Result<(), Failed> {
    let mut party = Party::begin(Relay::start()?, &folder("stopped-member")?, &[], |_| {})?;
    party.meet()?;
    party.member.signal("STOP")?;
    let [told] = live_lines([&mut party.host], LONG)?;
    check(told.contains(&format!("{MEMBER} left")), || told)?;
    party.member.signal("CONT")?;
    party.member.line("The server went away")?;
    party.member.end_well()?;
    party.host.end_well()
}

fn a_host_that_stands_still_for_30_s_ends_the_party() -> Result<(), Failed> {
    let mut party = Party::begin(Relay::start()?, &folder("stopped-host")?, &[], |_| {})?;
    party.meet()?;
    party.host.signal("STOP")?;
    party.member.line("The host left: the party is over")?;
    // At its title it says only every 10 s that it still waits there.
    live_lines([&mut party.member], 2)?;
    party.host.signal("CONT")?;
    party.host.line_of("", &[HOST, "The server went away"])?;
    party.member.end_well()?;
    party.host.end_well()
}
