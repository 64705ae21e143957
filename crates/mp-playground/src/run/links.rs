//! The links of a run: a proxy in front of each member, and what passed it.

use std::io;
use std::net::SocketAddrV4;
use std::time::Instant;

use super::report::{Messages, PlayerReport};
use crate::invariants::{Broken, Invariant};
use crate::proxy::{Plan, Proxy, Traffic};

/// The proxies of the members, in their order.
#[derive(Debug)]
pub(super) struct Links {
    proxies: Vec<Proxy>,
    since: Instant,
    before: Vec<Traffic>,
}

/// What passed each proxy in a while, and for how long, in seconds.
#[derive(Clone, Debug)]
pub(super) struct Passed {
    of: Vec<Traffic>,
    seconds: f64,
}

impl Links {
    /// A proxy for each of so many members, in front of their host.
    pub(super) fn start(host: SocketAddrV4, members: usize, plan: Plan) -> io::Result<Self> {
        let member = |index: usize| {
            // Far enough apart that no two links of a run draw the same chances.
            let apart = u64::try_from(index).unwrap_or_default() << 32;
            Proxy::start(host.into(), Plan { seed: plan.seed.wrapping_add(apart), ..plan })
        };
        let proxies = (0..members).map(member).collect::<io::Result<Vec<_>>>()?;
        let before = vec![Traffic::default(); members];
        Ok(Self { proxies, since: Instant::now(), before })
    }

    /// Where that member is to go.
    pub(super) fn address(&self, member: usize) -> SocketAddrV4 {
        self.proxies[member].address()
    }

    /// What passed that seat's link so far; seat 0 is the host's.
    pub(super) fn of_seat(&self, seat: usize) -> Traffic {
        match seat.checked_sub(1).map(|member| self.proxies.get(member)) {
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
        Passed { of, seconds: self.since.elapsed().as_secs_f64() }
    }

    /// What was no frame, by the member's name.
    pub(super) fn refused(&self, members: &[&str]) -> Vec<Broken> {
        let of_one = |(proxy, name): (&Proxy, &&str)| {
            let name = (*name).to_owned();
            let told = move |words| format!("the link of {name}: {words}");
            proxy.traffic().refused.into_iter().map(told)
        };
        let all = self.proxies.iter().zip(members).flat_map(of_one);
        all.map(|what| Broken { invariant: Invariant::WellFormed, at_s: None, what }).collect()
    }
}

impl Passed {
    /// Gives the players, the host first, what passed.
    pub(super) fn fill(&self, players: &mut [PlayerReport]) {
        let Some((host, members)) = players.split_first_mut() else { return };
        for (member, traffic) in members.iter_mut().zip(&self.of) {
            member.id = traffic.session;
            self.count(member, traffic);
        }
        let all = of_host(&self.of);
        host.id = all.host;
        self.count(host, &all);
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
        ..all
    })
}
