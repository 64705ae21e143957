//! The links of a run: a proxy in front of each game that has a server to go to, and what passed it.

use std::io;
use std::net::{SocketAddr, SocketAddrV4};
use std::ops::Range;
use std::time::Instant;

use super::report::{Messages, PlayerReport};
use crate::invariants::{Broken, Invariant};
use crate::proxy::{Plan, Proxy, Traffic};

/// The proxies of the games, in their order: of all that go to a server, or of a direct host's members.
#[derive(Debug)]
pub(super) struct Links {
    /// The seat of the first proxy: 0, or 1 where the host has none of its own.
    first: usize,
    proxies: Vec<Proxy>,
    since: Instant,
    before: Vec<Traffic>,
}

/// What passed each proxy in a while, and for how long, in seconds.
#[derive(Clone, Debug)]
pub(super) struct Passed {
    first: usize,
    of: Vec<Traffic>,
    seconds: f64,
}

impl Links {
    /// A proxy for each of those seats, in front of that server.
    pub(super) fn start(server: SocketAddr, seats: Range<usize>, plan: Plan) -> io::Result<Self> {
        let one = |seat: usize| {
            // Far enough apart that no two links of a run draw the same chances.
            let apart = u64::try_from(seat).unwrap_or_default() << 32;
            Proxy::start(server, Plan { seed: plan.seed.wrapping_add(apart), ..plan })
        };
        let (first, before) = (seats.start, vec![Traffic::default(); seats.len()]);
        let proxies = seats.map(one).collect::<io::Result<Vec<_>>>()?;
        Ok(Self { first, proxies, since: Instant::now(), before })
    }

    /// Where the game of that seat is to go.
    pub(super) fn address(&self, seat: usize) -> SocketAddrV4 {
        self.proxies[seat - self.first].address()
    }

    /// What passed that seat's link so far.
    pub(super) fn of_seat(&self, seat: usize) -> Traffic {
        match seat.checked_sub(self.first).map(|place| self.proxies.get(place)) {
            Some(proxy) => proxy.map(Proxy::traffic).unwrap_or_default(),
            None => of_host(&self.proxies.iter().map(Proxy::traffic).collect::<Vec<_>>()),
        }
    }

    /// Counts from now on.
    pub(super) fn begin(&mut self) {
        self.since = Instant::now();
        self.before = self.proxies.iter().map(Proxy::traffic).collect();
    }

    /// What passed since.
    pub(super) fn passed(&self) -> Passed {
        let since = |(proxy, before): (&Proxy, &Traffic)| {
            let now = proxy.traffic();
            Traffic {
                bytes_up: now.bytes_up - before.bytes_up,
                bytes_down: now.bytes_down - before.bytes_down,
                messages_up: now.messages_up - before.messages_up,
                messages_down: now.messages_down - before.messages_down,
                ..now
            }
        };
        let of = self.proxies.iter().zip(&self.before).map(since).collect();
        Passed { first: self.first, of, seconds: self.since.elapsed().as_secs_f64() }
    }

    /// How many bolts each player's game asked its host for since the start; `names` are all players'.
    pub(super) fn claims<'a>(&self, names: &[&'a str]) -> Vec<(&'a str, u64)> {
        let sent = |seat: usize| {
            let proxy = seat.checked_sub(self.first).and_then(|place| self.proxies.get(place));
            // A direct host has no line, and asks nobody.
            proxy.map_or(0, |proxy| proxy.traffic().claims_up)
        };
        names.iter().enumerate().map(|(seat, &name)| (name, sent(seat))).collect()
    }

    /// What was no frame, by the player's name; `names` are all players'.
    pub(super) fn refused(&self, names: &[&str]) -> Vec<Broken> {
        let of_one = |(proxy, name): (&Proxy, &&str)| {
            let name = (*name).to_owned();
            let told = move |words| format!("the link of {name}: {words}");
            proxy.traffic().refused.into_iter().map(told)
        };
        let all = self.proxies.iter().zip(&names[self.first..]).flat_map(of_one);
        all.map(|what| Broken { invariant: Invariant::WellFormed, at_s: None, what }).collect()
    }
}

impl Passed {
    /// Gives the players what passed; `names` are all that there were, the host first.
    pub(super) fn fill(&self, players: &mut [PlayerReport], names: &[&str]) {
        for player in players {
            // What passed nobody's link is nobody's: its figures stay untold.
            let seat = names.iter().position(|name| *name == player.name);
            let Some(seat) = seat else { continue };
            let traffic = match seat.checked_sub(self.first).map(|place| self.of.get(place)) {
                Some(own) => own.cloned().unwrap_or_default(),
                None => of_host(&self.of),
            };
            // A direct host has no link that would tell its session; its members' tell their host's.
            player.id = traffic.session.or(traffic.host.filter(|_| seat == 0));
            self.count(player, &traffic);
        }
    }

    fn count(&self, player: &mut PlayerReport, traffic: &Traffic) {
        // A run's bytes are far from where a float rounds them.
        #[allow(clippy::cast_precision_loss)]
        let rate = |bytes: u64| Some((bytes as f64 / self.seconds).round());
        player.bytes_up_per_s = rate(traffic.bytes_up);
        player.bytes_down_per_s = rate(traffic.bytes_down);
        player.messages = Some(Messages {
            received: traffic.messages_down,
            sent: traffic.messages_up,
            dropped: None,
        });
    }
}

/// A direct host has no link of its own: what goes up and down its line is what goes down and up its
/// members'.
fn of_host(members: &[Traffic]) -> Traffic {
    members.iter().fold(Traffic::default(), |all, one| Traffic {
        bytes_up: all.bytes_up + one.bytes_down,
        bytes_down: all.bytes_down + one.bytes_up,
        messages_up: all.messages_up + one.messages_down,
        messages_down: all.messages_down + one.messages_up,
        lost: all.lost + one.lost,
        host: all.host.or(one.host),
        words: all.words.and(&one.host_words),
        ..all
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_passed_is_given_to_the_links_own_player_and_to_no_stranger() {
        let link = |session, messages_up| Traffic {
            session: Some(session),
            messages_up,
            ..Traffic::default()
        };
        let passed = Passed { first: 0, of: vec![link(7, 30), link(8, 20)], seconds: 1.0 };
        let mut players = ["Nova", "Nobody", "Host"].map(|name| PlayerReport::example(name, "Ann"));
        for player in &mut players {
            player.id = None;
        }
        passed.fill(&mut players, &["Host", "Nova"]);
        let told = players.map(|player| (player.id, player.messages.map(|passed| passed.sent)));
        assert_eq!(told, [(Some(8), Some(20)), (None, None), (Some(7), Some(30))]);
    }
}
