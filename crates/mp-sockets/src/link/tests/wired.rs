//! The link and the real router in memory: both ends as they are, no socket between them.

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::time::Duration;

use mp_netcode::LocalTime;
use mp_party::{Config, ConnectionId, Limits, LocalAddress, Mode, Output as Routed, Router};

use super::{assert_at_most_a_second, secs};
use crate::api::{Event, LinkId, PartyNews, Traffic};
use crate::link::{Link, Output};

const HERE: LocalAddress = LocalAddress { socket: 0, ip: None };

/// A router, and clients whose every byte reaches it a moment later.
struct Wired {
    now: LocalTime,
    router: Router,
    clients: Vec<Client>,
    /// Whether datagrams get through to the router, and back.
    datagrams_up: bool,
    datagrams_down: bool,
}

struct Client {
    link: Link,
    id: Option<ConnectionId>,
    at: SocketAddr,
    down: VecDeque<Vec<u8>>,
    events: Vec<(LocalTime, Event)>,
    /// What was carried for it, after each time that something was.
    carried: Vec<Traffic>,
}

impl Client {
    fn carried(&mut self, sent: usize, received: usize) {
        let before = self.carried.last().copied().unwrap_or_default();
        self.carried.push(Traffic {
            sent: before.sent + sent as u64,
            received: before.received + received as u64,
        });
    }
}

impl Wired {
    fn new(clients: u16) -> Self {
        let config = Config {
            mode: Mode::Direct { description: String::new() },
            limits: Limits::default(),
            udp_port: Some(0),
            epoch_ms: 1_700_000_000_000,
        };
        let mut random = 7_u64;
        let router = Router::new(config, move || {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            random
        });
        let mut new = Self {
            now: LocalTime::ZERO,
            router: router.expect("a router"),
            clients: Vec::new(),
            datagrams_up: true,
            datagrams_down: true,
        };
        for index in 0..clients {
            let at = SocketAddr::from(([127, 0, 0, 1], 1000 + index));
            // The first is the host's own, in its process.
            let to = (index > 0).then(|| super::server().into());
            let mut link = Link::new(index.into());
            link.connect(new.now, LinkId(index.into()), to, format!("Player{index}"));
            let id = (index == 0).then(|| new.router.connect_local(new.now));
            new.clients.push(Client {
                link,
                id,
                at,
                down: VecDeque::new(),
                events: Vec::new(),
                carried: Vec::new(),
            });
            new.settle();
        }
        new
    }

    fn settle(&mut self) {
        loop {
            let mut moved = false;
            for index in 0..self.clients.len() {
                moved |= self.carry_up(index);
            }
            self.router.advance(self.now);
            moved |= self.carry_down();
            if !moved {
                return;
            }
        }
    }

    fn carry_up(&mut self, index: usize) -> bool {
        let Self { now, router, clients, .. } = self;
        let client = &mut clients[index];
        client.link.advance(*now);
        let bytes = client.link.outgoing().to_vec();
        let mut moved = !bytes.is_empty();
        if let Some(id) = client.id {
            client.link.wrote(*now, bytes.len());
            client.carried(bytes.len(), 0);
            router.received(*now, id, &bytes);
        }
        while let Some(output) = client.link.poll_output() {
            moved = true;
            match output {
                Output::LookUp(host) => panic!("an address was given, not {host}"),
                Output::Connect(to) => {
                    client.id = Some(router.connect(*now, client.at.ip()));
                    client.link.opened(*now, to);
                }
                Output::OpenUdp(_) => {}
                Output::Datagram(bytes) => {
                    client.carried(bytes.len(), 0);
                    if self.datagrams_up {
                        router.datagram(*now, client.at, HERE, &bytes);
                    }
                }
                Output::Close(rest) => {
                    if let Some(id) = client.id.take() {
                        router.received(*now, id, &rest);
                        router.closed(*now, id);
                    }
                }
                Output::Report(report) => client.events.push((*now, report.event)),
            }
        }
        moved
    }

    fn carry_down(&mut self) -> bool {
        let mut moved = false;
        while let Some(output) = self.router.poll_output() {
            match output {
                Routed::Datagram { to, bytes, .. } if self.datagrams_down => {
                    let client = self.clients.iter_mut().find(|client| client.at == to);
                    client.expect("a client's address").down.push_back(bytes.to_vec());
                }
                Routed::Close { id, why, .. } => panic!("{id:?} was closed: {why}"),
                _ => {}
            }
        }
        for client in &mut self.clients {
            let Some(id) = client.id else { continue };
            let bytes = self.router.outgoing(id).to_vec();
            self.router.wrote(id, bytes.len());
            moved |= !bytes.is_empty();
            client.carried(0, bytes.len());
            client.link.received(self.now, &bytes);
            while let Some(datagram) = client.down.pop_front() {
                client.carried(0, datagram.len());
                client.link.datagram(self.now, &datagram);
                moved = true;
            }
        }
        moved
    }

    fn pass(&mut self, time: Duration) {
        let until = self.now + time;
        loop {
            let now = self.now;
            let links = self.clients.iter_mut().filter_map(|client| client.link.poll_timeout(now));
            let next = links.chain(self.router.poll_timeout()).min();
            match next.filter(|at| *at <= until) {
                // The router may be early, and is told so.
                Some(at) => self.now = at.max(self.now + Duration::from_micros(1)),
                None => break,
            }
            self.settle();
        }
        self.now = until;
        self.settle();
    }

    /// What came to a client since it was last asked.
    fn data(&mut self, index: usize) -> Vec<(LocalTime, Vec<u8>, bool)> {
        let events = std::mem::take(&mut self.clients[index].events);
        let data = events.into_iter().filter_map(|(at, event)| match event {
            Event::Data { bytes, udp, .. } => Some((at, bytes.0, udp)),
            _ => None,
        });
        data.collect()
    }
}

#[test]
fn everyone_is_in_the_hosts_party_right_after_hello() {
    let mut it = Wired::new(4);
    for (index, client) in it.clients.iter().enumerate() {
        let infos = client.events.iter().filter_map(|(_, event)| match event {
            Event::Party(PartyNews::Info { members, host, code, .. }) => {
                Some((members.len(), host.0, code.as_str()))
            }
            _ => None,
        });
        assert_eq!(infos.collect::<Vec<_>>(), [(index + 1, 1, "DIRECT")]);
    }
    // And stays there: the clocks, the liveness and the limits agree.
    it.pass(secs(60));
    for client in &it.clients {
        let bad = client.events.iter().find(|(_, event)| {
            matches!(event, Event::Lost { .. } | Event::Refused(_) | Event::Liveness(_))
        });
        assert_eq!(bad, None);
    }
}

#[test]
fn a_storm_of_events_all_arrives_and_is_no_strike() {
    let mut it = Wired::new(3);
    it.pass(secs(1));
    let count = 1500_u32;
    for index in 0..count {
        let now = it.now;
        for client in &mut it.clients {
            client.link.event(now, None, index.to_be_bytes().to_vec());
            client.link.state(now, None, index % 3, vec![7; 100]);
        }
    }
    it.settle();
    it.pass(secs(15));
    for client in &it.clients {
        let refused = client.events.iter().find(|(_, event)| matches!(event, Event::Refused(_)));
        assert_eq!(refused, None);
    }
    let host = it.data(0).into_iter().filter(|(_, bytes, _)| bytes.len() == 4).collect::<Vec<_>>();
    assert_eq!(host.len(), 2 * count as usize);
    for member in [1, 2] {
        let came = it.data(member).into_iter().filter(|(_, bytes, _)| bytes.len() == 4);
        let (moments, values): (Vec<_>, Vec<_>) = came.map(|(at, bytes, _)| (at, bytes)).unzip();
        assert!(values.iter().map(Vec::as_slice).eq(
            (0..count).map(u32::to_be_bytes).collect::<Vec<_>>().iter().map(<[u8; 4]>::as_slice)
        ));
        assert_at_most_a_second(&moments, 500);
    }
}

#[test]
fn state_arrives_by_datagram_once_they_come_back_and_as_data_where_they_do_not() {
    for (up, down) in [(true, true), (true, false), (false, true), (false, false)] {
        let mut it = Wired::new(2);
        (it.datagrams_up, it.datagrams_down) = (up, down);
        // The first BINDs went before the network was cut.
        it.pass(secs(40));
        it.data(0);
        it.data(1);
        for round in 0..20 {
            let now = it.now;
            for client in &mut it.clients {
                client.link.state(now, None, 1, vec![7, round]);
            }
            it.pass(Duration::from_millis(50));
        }
        for index in [0, 1] {
            let came = it.data(index);
            let rounds: std::collections::BTreeSet<_> =
                came.iter().map(|(_, bytes, _)| bytes[1]).collect();
            assert_eq!(rounds.len(), 20, "client {index}, up {up}, down {down}");
            let by_datagram = came.iter().filter(|(_, _, udp)| *udp).count();
            assert_eq!(by_datagram, if up && down { 20 } else { 0 }, "client {index}");
        }
    }
}

#[test]
fn datagrams_that_cease_and_come_back_lose_no_state() {
    let mut it = Wired::new(2);
    it.pass(secs(5));
    let mut lost = 0;
    for step in 0..1200_u32 {
        // Cut for 20 s of 60.
        let cut = (400..800).contains(&step);
        (it.datagrams_up, it.datagrams_down) = (!cut, !cut);
        it.data(1);
        let now = it.now;
        it.clients[0].link.state(now, None, 1, step.to_be_bytes().to_vec());
        it.pass(Duration::from_millis(50));
        lost += u32::from(it.data(1).is_empty());
    }
    // The 15 s until it is noticed that none come, and no longer.
    assert!((1..=301).contains(&lost), "{lost} of 1200 lost");
}

/// What the network page shows is what went over the link, to the byte.
#[test]
fn what_a_link_says_it_carried_is_what_was_carried() {
    let mut it = Wired::new(3);
    for step in 0..200_u32 {
        let now = it.now;
        for (client, bytes) in it.clients.iter_mut().zip([300, 500, 700]) {
            client.link.state(now, None, 1, vec![7; bytes]);
            if step % 5 == 0 {
                client.link.event(now, None, step.to_be_bytes().to_vec());
            }
        }
        it.pass(Duration::from_millis(50));
    }
    for (index, client) in it.clients.iter().enumerate() {
        let said: Vec<_> = client
            .events
            .iter()
            .filter_map(|(_, event)| match event {
                Event::Quality(quality) => Some(quality.bytes),
                _ => None,
            })
            .collect();
        let last = said.last().copied().unwrap_or_default();
        assert!(said.len() > 8 && last.sent > 30_000 && last.received > 30_000, "{said:?}");
        let odd: Vec<_> = said.iter().filter(|said| !client.carried.contains(said)).collect();
        assert!(odd.is_empty(), "client {index}: {odd:?}");
    }
}
