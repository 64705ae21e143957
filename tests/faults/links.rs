//! What networks do to a link of a party over a relay, through a proxy: connections reset, datagrams that
//! do not pass, an address that changes.

use std::time::{Duration, Instant};

use libtest_mimic::Failed;
use mp_playground::bots::Errand;
use mp_playground::game::Phase;
use mp_playground::proxy::{Blocked, Plan, Proxy, Traffic};
use mp_playground::sim::Button;

use crate::party::{HOST, MEMBER, Relay};
use crate::table::Table;
use crate::{Trials, check, is_long, trial};

pub fn trials() -> Trials {
    let mut trials = vec![
        trial!(a_members_connection_that_is_reset_takes_it_to_the_title_and_the_host_plays_on),
        trial!(a_hosts_connection_that_is_reset_ends_the_party_and_everyone_reads_why),
        trial!(with_udp_blocked_both_ways_state_goes_by_tcp),
        trial!(with_udp_blocked_from_the_game_state_goes_by_tcp),
        trial!(with_udp_blocked_to_the_game_state_goes_by_tcp),
        trial!(with_only_large_datagrams_blocked_state_goes_by_tcp),
        trial!(an_address_that_changes_heals_by_itself),
    ];
    if is_long() {
        trials.push(trial!(udp_that_is_blocked_in_play_falls_back_and_comes_back));
    }
    trials
}

/// Two games of this process that play over a relay, each behind a proxy.
pub struct Linked {
    pub relay: Relay,
    pub table: Table,
    pub links: [Proxy; 2],
}

/// How long the others' silence is not yet a loss.
const A_WHILE: Duration = Duration::from_secs(3);

impl Linked {
    /// Both in the level and in sight of each other; the datagrams of the member's link blocked so from
    /// the start.
    pub fn meet(blocked: Blocked) -> Result<Self, Failed> {
        let relay = Relay::start()?;
        let link = || Proxy::start(relay.address, Plan::default());
        let links = [link()?, link()?];
        links[1].block(blocked);
        let mut table = Table::new();
        for (name, link) in [HOST, MEMBER].into_iter().zip(&links) {
            let errand = match name {
                HOST => Errand::Create { ready: 1 },
                _ => Errand::None,
            };
            table.sit_with(name, errand, 0, &link.address().to_string());
        }
        table.until("the lobby shows the code", |table| {
            table.screen(0).title().starts_with("Party ")
        });
        let code = table.screen(0).title().trim_start_matches("Party ").to_owned();
        table.players[1].bot.send(Errand::Code(code));
        table.until_all_play();
        let mut linked = Self { relay, table, links };
        linked.until_they_see_each_other();
        Ok(linked)
    }

    pub fn sees(&self, player: usize) -> bool {
        let other = [MEMBER, HOST][player];
        self.table.figure(player, other).is_some()
    }

    pub fn until_they_see_each_other(&mut self) {
        let holds = |table: &mut Table| {
            table.figure(0, MEMBER).is_some() && table.figure(1, HOST).is_some()
        };
        self.table.until("each sees the other", holds);
    }

    /// Until that player's page says so.
    pub fn until_page(&mut self, player: usize, words: &str) {
        self.table.until(words, |table| {
            let screen = table.screen(player);
            screen.phase == Phase::TitlePage && screen.to_string().contains(words)
        });
    }

    /// Ticks until a link's figures are so.
    fn until_traffic(&mut self, link: usize, what: &str, holds: impl Fn(&Traffic) -> bool) {
        let proxy = &self.links[link];
        self.table.until(what, |_| holds(&proxy.traffic()));
    }

    /// Ticks that long, in real time, at every tick of which this holds.
    pub fn meanwhile(
        &mut self,
        time: Duration,
        what: &str,
        holds: impl Fn(&Self) -> bool,
    ) -> Result<(), Failed> {
        let begin = Instant::now();
        while begin.elapsed() < time {
            self.table.tick();
            check(holds(self), || format!("{what}: not so\n{}", self.table.screens()))?;
        }
        Ok(())
    }

    /// The figure that the host shows of the member goes where it goes: its poses come.
    fn until_the_member_moves(&mut self) {
        let before = self.table.figure(0, MEMBER);
        self.table.until("the member's figure moves", |table| {
            let (now, before) = (table.figure(0, MEMBER), before);
            now.zip(before).is_some_and(|(now, before)| (now - before).length() > 1.0)
        });
    }

    /// What that player's pause page says of its link has these words.
    fn until_link(&mut self, player: usize, words: &str) {
        self.table.players[player].bot.send(Errand::ShowLink);
        let own = format!("{} (", [HOST, MEMBER][player]);
        self.table.until(words, |table| {
            let screen = table.screen(player);
            let mut rows = screen.page.iter().flat_map(|page| &page.rows);
            rows.any(|row| row.label.starts_with(&own) && row.value.contains(words))
        });
        self.table.players[player].bot.send(Errand::None);
        let mut presses = false;
        self.table.until("it plays on", |table| {
            let pauses = table.screen(player).phase == Phase::Paused;
            presses = pauses && !presses;
            table.players[player].taps = presses.then_some(Button::Triangle);
            !pauses
        });
    }

    pub fn end(mut self) -> Result<(), Failed> {
        self.table.end();
        self.relay.process.end_well()
    }
}

fn a_members_connection_that_is_reset_takes_it_to_the_title_and_the_host_plays_on()
-> Result<(), Failed> {
    let mut linked = Linked::meet(Blocked::Nothing)?;
    linked.links[1].reset();
    linked.until_page(1, "The server went away");
    linked.table.until("the host is told", |table| {
        table.figure(0, MEMBER).is_none()
            && table.screen(0).message.as_deref() == Some("Blair left")
    });
    linked.table.until("the host has control", |table| table.has_control(0));
    linked.end()
}

fn a_hosts_connection_that_is_reset_ends_the_party_and_everyone_reads_why() -> Result<(), Failed> {
    let mut linked = Linked::meet(Blocked::Nothing)?;
    linked.links[0].reset();
    linked.until_page(0, "The server went away");
    linked.until_page(1, "The host left: the party is over");
    linked.end()
}

fn with_udp_blocked_both_ways_state_goes_by_tcp() -> Result<(), Failed> {
    goes_by_tcp(Blocked::Both)
}

fn with_udp_blocked_from_the_game_state_goes_by_tcp() -> Result<(), Failed> {
    goes_by_tcp(Blocked::Up)
}

fn with_udp_blocked_to_the_game_state_goes_by_tcp() -> Result<(), Failed> {
    goes_by_tcp(Blocked::Down)
}

fn with_only_large_datagrams_blocked_state_goes_by_tcp() -> Result<(), Failed> {
    goes_by_tcp(Blocked::Large)
}

fn goes_by_tcp(blocked: Blocked) -> Result<(), Failed> {
    let mut linked = Linked::meet(blocked)?;
    linked.until_the_member_moves();
    linked.until_link(1, "TCP");
    linked.until_link(0, "UDP");
    let traffic = linked.links[1].traffic();
    check(traffic.datagrams_blocked > 0 && traffic.datagrams_down == 0, || {
        format!("{blocked:?}: {traffic:?}")
    })?;
    linked.end()
}

fn an_address_that_changes_heals_by_itself() -> Result<(), Failed> {
    let mut linked = Linked::meet(Blocked::Nothing)?;
    linked.until_traffic(1, "datagrams come", |traffic| traffic.datagrams_down > 0);
    linked.until_link(1, "UDP");
    linked.links[1].rebind();
    let before = linked.links[1].traffic().datagrams_down;
    // A BIND every 3 s tells the relay where it is now.
    linked.until_traffic(1, "they come to the new address", |traffic| {
        traffic.datagrams_down > before + 60
    });
    linked.meanwhile(A_WHILE, "they see each other", |linked| linked.sees(0) && linked.sees(1))?;
    linked.until_link(1, "UDP");
    linked.end()
}

fn udp_that_is_blocked_in_play_falls_back_and_comes_back() -> Result<(), Failed> {
    let mut linked = Linked::meet(Blocked::Nothing)?;
    for blocked in [Blocked::Both, Blocked::Up, Blocked::Down, Blocked::Large] {
        linked.links[1].block(Blocked::Nothing);
        linked.until_link(1, "UDP");
        linked.links[1].block(blocked);
        // 15 s after the last datagram came (protocol.md 2).
        linked.until_link(1, "TCP");
        linked.until_they_see_each_other();
        linked.until_the_member_moves();
    }
    linked.end()
}
