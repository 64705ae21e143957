//! The link's machine, with a clock set by hand: against a peer that says what a test tells it to, and
//! (in `wired`) against the real router.

mod pacing;
mod races;
mod rules;
mod wired;

use std::net::SocketAddr;
use std::time::Duration;

use mp_netcode::LocalTime;
use mp_protocol::datagram::{ClientDatagram, ClientDatagramKind, ServerDatagram};
use mp_protocol::{ClientPacket, FrameReader, Member, PartyInfo, ServerPacket, SessionId, Token};

use super::{Link, Output};
use crate::api::{Destination, Event, LinkId};

const ME: SessionId = SessionId(4);
const HOST: SessionId = SessionId(1);
const OTHER: SessionId = SessionId(2);

fn server() -> SocketAddr {
    "127.0.0.1:7770".parse().expect("an address")
}

/// A link, and a peer that says nothing by itself.
struct Scripted {
    link: Link,
    now: LocalTime,
    reader: FrameReader,
    /// What the link did, bytes and datagrams aside, since last taken.
    outputs: Vec<Output>,
    /// What it sent since last taken, and when.
    frames: Vec<(LocalTime, Sent)>,
    datagrams: Vec<(LocalTime, Sent)>,
}

/// A frame or a datagram of the link's.
#[derive(Clone, Debug, PartialEq)]
enum Sent {
    Hello(String),
    Data { target: i32, bytes: Vec<u8> },
    Chat(String),
    Leave,
    List,
    Find,
    Join(String),
    Time(i64),
    Bind { heard: bool, size: usize },
    State { target: i32, bytes: Vec<u8> },
}

impl Scripted {
    /// Told to connect, and waiting for TCP.
    fn connecting() -> Self {
        Self::connecting_to(server().into())
    }

    fn connecting_to(to: Destination) -> Self {
        let mut new = Self {
            link: Link::new(1),
            now: LocalTime::ZERO,
            reader: FrameReader::new(),
            outputs: Vec::new(),
            frames: Vec::new(),
            datagrams: Vec::new(),
        };
        new.link.connect(new.now, LinkId(9), Some(to), "Ratchet".into());
        new.settle();
        new
    }

    /// TCP is connected.
    fn opened() -> Self {
        let mut new = Self::connecting();
        new.open();
        new
    }

    /// HELLO is answered.
    fn greeted() -> Self {
        let mut new = Self::opened();
        new.says(&ServerPacket::Hello { session: ME });
        new
    }

    /// In a party, and what went before is forgotten.
    fn in_party(host: SessionId, members: &[SessionId]) -> Self {
        let mut new = Self::greeted();
        new.enters(host, members);
        new.forget();
        new
    }

    fn open(&mut self) {
        self.reader = FrameReader::new();
        self.link.opened(self.now, server());
        self.settle();
    }

    fn enters(&mut self, host: SessionId, members: &[SessionId]) {
        let members: Vec<_> = members.iter().map(|id| Member { id: *id, name: "Name" }).collect();
        self.says(&ServerPacket::Info(PartyInfo {
            code: "ABCDEF",
            host,
            members: members.as_slice().into(),
            description: "",
        }));
    }

    fn offers_udp(&mut self) {
        self.says(&ServerPacket::Udp { token: Token::from_bits(77), port: 0 });
    }

    fn says(&mut self, packet: &ServerPacket<'_>) {
        let mut bytes = Vec::new();
        packet.encode(&mut bytes).expect("a packet");
        self.says_bytes(&bytes);
    }

    fn says_bytes(&mut self, bytes: &[u8]) {
        self.link.received(self.now, bytes);
        self.settle();
    }

    fn says_by_datagram(&mut self, datagram: &ServerDatagram<'_>) {
        let mut bytes = Vec::new();
        datagram.encode(&mut bytes).expect("a datagram");
        self.link.datagram(self.now, &bytes);
        self.settle();
    }

    /// Time passes; the link is called whenever it wants to be.
    fn pass(&mut self, time: Duration) {
        let until = self.now + time;
        while let Some(at) = self.link.poll_timeout(self.now).filter(|at| *at <= until) {
            self.now = self.now.max(at);
            self.settle();
            if self.link.poll_timeout(self.now).is_some_and(|next| next <= self.now) {
                panic!("the link wants to be called again at once, at {:?}", self.now);
            }
        }
        self.now = until;
        self.settle();
    }

    /// As [`Self::pass`], with a server that answers TIME and nothing else.
    fn pass_with_time(&mut self, time: Duration) {
        let until = self.now + time;
        while self.now < until {
            let step = Duration::from_millis(500).min(until.since(self.now));
            self.pass(step);
            let asked = self.frames.iter().rev().find_map(|(_, sent)| match sent {
                Sent::Time(clock_ms) => Some(*clock_ms),
                _ => None,
            });
            if let Some(echo_ms) = asked {
                self.says(&ServerPacket::Time { echo_ms, server_ms: 1_000_000 + echo_ms });
            }
        }
    }

    /// Takes whatever the link puts out.
    fn settle(&mut self) {
        self.link.advance(self.now);
        while !self.link.outgoing().is_empty() {
            let bytes = self.link.outgoing().to_vec();
            self.link.wrote(self.now, bytes.len());
            self.read(&bytes);
        }
        while let Some(output) = self.link.poll_output() {
            match output {
                Output::Datagram(bytes) => {
                    let datagram = ClientDatagram::decode(&bytes).expect("well-formed");
                    assert_eq!((datagram.session, datagram.token.to_bits()), (ME, 77));
                    self.datagrams.push((self.now, datagram.what.into()));
                }
                Output::Close(rest) => {
                    self.read(&rest);
                    self.outputs.push(Output::Close(rest));
                }
                other => self.outputs.push(other),
            }
        }
    }

    fn read(&mut self, mut bytes: &[u8]) {
        while let Some(body) = self.reader.next(&mut bytes).expect("frames") {
            let packet = ClientPacket::decode(body).expect("well-formed");
            self.frames.push((self.now, packet.into()));
        }
    }

    fn forget(&mut self) {
        self.outputs.clear();
        self.frames.clear();
        self.datagrams.clear();
    }

    /// The events reported since last taken.
    fn events(&mut self) -> Vec<Event> {
        let taken = std::mem::take(&mut self.outputs);
        let reports = taken.into_iter().filter_map(|output| match output {
            Output::Report(report) => {
                assert_eq!(report.link, LinkId(9));
                Some(report.event)
            }
            _ => None,
        });
        reports.collect()
    }

    /// DATA sent since last taken, oldest first.
    fn data(&mut self) -> Vec<(i32, Vec<u8>)> {
        let taken = std::mem::take(&mut self.frames);
        let data = taken.into_iter().filter_map(|(_, sent)| match sent {
            Sent::Data { target, bytes } => Some((target, bytes)),
            _ => None,
        });
        data.collect()
    }

    /// State sent by datagram since last taken, oldest first.
    fn state(&mut self) -> Vec<(i32, Vec<u8>)> {
        let taken = std::mem::take(&mut self.datagrams);
        let state = taken.into_iter().filter_map(|(_, sent)| match sent {
            Sent::State { target, bytes } => Some((target, bytes)),
            _ => None,
        });
        state.collect()
    }
}

impl From<ClientPacket<'_>> for Sent {
    fn from(packet: ClientPacket<'_>) -> Self {
        match packet {
            ClientPacket::Hello { name, .. } => Self::Hello(name.into()),
            ClientPacket::Data { target, bytes } => Self::Data { target, bytes: bytes.into() },
            ClientPacket::Chat { text } => Self::Chat(text.into()),
            ClientPacket::Leave => Self::Leave,
            ClientPacket::List => Self::List,
            ClientPacket::Find => Self::Find,
            ClientPacket::Join { code } => Self::Join(code.into()),
            ClientPacket::Time { clock_ms } => Self::Time(clock_ms),
            other => panic!("no test asks for {other:?}"),
        }
    }
}

impl From<ClientDatagramKind<'_>> for Sent {
    fn from(kind: ClientDatagramKind<'_>) -> Self {
        match kind {
            ClientDatagramKind::Bind { heard, size } => Self::Bind { heard, size },
            ClientDatagramKind::State { target, bytes } => {
                Self::State { target, bytes: bytes.into() }
            }
        }
    }
}

fn secs(secs: u64) -> Duration {
    Duration::from_secs(secs)
}

/// Fails if any second has more than `limit` of these moments.
fn assert_at_most_a_second(moments: &[LocalTime], limit: usize) {
    for (index, start) in moments.iter().enumerate() {
        let end = *start + secs(1);
        let within = moments[index..].iter().take_while(|at| **at < end).count();
        assert!(within <= limit, "{within} in the second from {start:?}");
    }
}
