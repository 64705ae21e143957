//! One connection of the game's, and the one to the server that belongs to it.

use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use mio::net::TcpStream;
use mio::{Interest, Registry, Token};
use mp_netcode::LocalTime;
use mp_protocol::game::Message;
use mp_protocol::limits::FRAME_PREFIX;
use mp_protocol::{ClientPacket, ServerPacket, encode_data};
use socket2::SockRef;

use super::Plan;
use super::fault::{Altered, WireFault};
use super::flow::{Closed, Flow};
use super::traffic::{Shared, Traffic, bytes};

/// A game's connection, both ways.
#[derive(Debug)]
pub(super) struct Connection {
    game: TcpStream,
    server: TcpStream,
    up: Flow,
    down: Flow,
    fault: Option<WireFault>,
}

/// Which of the two sockets the system spoke of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Game,
    Server,
}

impl Connection {
    /// Takes a game's connection and begins one to the server.
    pub(super) fn open(
        mut game: TcpStream,
        server: SocketAddr,
        plan: &Plan,
        (number, tokens): (u64, [Token; 2]),
        registry: &Registry,
    ) -> io::Result<Self> {
        let mut server = TcpStream::connect(server)?;
        let both = Interest::READABLE | Interest::WRITABLE;
        for (stream, token) in [&mut game, &mut server].into_iter().zip(tokens) {
            registry.register(stream, token, both)?;
        }
        game.set_nodelay(true)?;
        let seed = |way| plan.seed.wrapping_add(number * 4 + way);
        Ok(Self {
            game,
            server,
            up: Flow::new(plan.conditions, seed(2)),
            down: Flow::new(plan.conditions, seed(3)),
            fault: plan.fault,
        })
    }

    /// The system says that a side can be read, or written.
    pub(super) fn ready(&mut self, side: Side, readable: bool, writable: bool) {
        let (from, to) = match side {
            Side::Game => (&mut self.up, &mut self.down),
            Side::Server => (&mut self.down, &mut self.up),
        };
        from.readable |= readable;
        to.writable |= writable;
    }

    /// Takes and gives what can be. `server_port` is told where the server takes datagrams.
    pub(super) fn turn(
        &mut self,
        now: LocalTime,
        shared: &Shared,
        server_port: &mut u16,
    ) -> Result<(), Closed> {
        self.up.fill(now, &mut self.game, |body| {
            shared.count(|traffic| count_up(body, traffic));
            Some(framed(body))
        })?;
        let fault = self.fault;
        self.down
            .fill(now, &mut self.server, |body| from_server(body, fault, shared, server_port))?;
        self.up.drain(now, &mut self.server, |_| {})?;
        self.down.drain(now, &mut self.game, |frame| {
            shared.count(|traffic| count_down(frame, traffic));
        })
    }

    /// Breaks it off: both sides are told that it was reset.
    pub(super) fn reset(self) -> io::Result<()> {
        for side in [&self.game, &self.server] {
            SockRef::from(side).set_linger(Some(Duration::ZERO))?;
        }
        Ok(())
    }

    /// When it wants its next turn, unless the system calls first.
    pub(super) fn poll_timeout(&self) -> Option<LocalTime> {
        [self.up.poll_timeout(), self.down.poll_timeout()].into_iter().flatten().min()
    }

    /// Whether both sides have ended.
    pub(super) const fn is_over(&self) -> bool {
        self.up.is_over() && self.down.is_over()
    }
}

/// A frame's body goes up.
fn count_up(body: &[u8], traffic: &mut Traffic) {
    traffic.bytes_up += bytes(FRAME_PREFIX + body.len());
    match ClientPacket::decode(body) {
        Ok(ClientPacket::Data { target, bytes }) => {
            traffic.messages_up += 1;
            let claim = matches!(Message::decode(bytes), Ok(Message::Claim(_)));
            traffic.claims_up += u64::from(claim);
            traffic.words.sent((target != 0).then_some(target), bytes);
        }
        Ok(ClientPacket::Leave) => traffic.words.ended(),
        _ => {}
    }
}

/// A whole frame reaches the game.
fn count_down(frame: &[u8], traffic: &mut Traffic) {
    traffic.bytes_down += bytes(frame.len());
    let body = frame.get(FRAME_PREFIX..).unwrap_or_default();
    match ServerPacket::decode(body) {
        Ok(ServerPacket::Data { bytes, .. }) => {
            traffic.messages_down += 1;
            traffic.kinds_down.extend(bytes.first());
            traffic.words.came(bytes);
        }
        Ok(ServerPacket::Info(info)) => {
            let Some(session) = traffic.session else { return };
            let members = info.members.iter().map(|member| member.id.0);
            traffic.words.entered(session, members);
            traffic.host_words.entered(info.host.0, std::iter::once(session));
        }
        Ok(ServerPacket::Joined { id, .. }) => traffic.words.joined(id.0),
        Ok(ServerPacket::Left { id }) => traffic.words.left(id.0),
        Ok(ServerPacket::End) => traffic.words.ended(),
        _ => {}
    }
}

/// What goes on to the game in place of a server's frame.
fn from_server(
    body: &[u8],
    fault: Option<WireFault>,
    shared: &Shared,
    server_port: &mut u16,
) -> Option<Vec<u8>> {
    match ServerPacket::decode(body) {
        Ok(ServerPacket::Hello { session }) => {
            shared.count(|traffic| traffic.session = Some(session.0));
        }
        Ok(ServerPacket::Info(info)) => shared.count(|traffic| traffic.host = Some(info.host.0)),
        Ok(ServerPacket::Udp { token, port }) => {
            if port != 0 {
                *server_port = port;
            }
            shared.count(|traffic| traffic.token = Some(token));
            // The game's datagrams are to come to the port that its frames come from.
            let mut frame = Vec::new();
            let same = ServerPacket::Udp { token, port: 0 };
            same.encode(&mut frame).expect("a UDP packet fits any frame");
            return Some(frame);
        }
        Ok(ServerPacket::Data { sender, bytes }) => {
            shared.count(|traffic| {
                let to = traffic.session;
                traffic.host_words.sent(to, bytes);
            });
            let altered = fault.map_or(Altered::Same, |fault| fault.alter(bytes));
            if altered != Altered::Same {
                shared.count(|traffic| traffic.faults_done += 1);
            }
            match altered {
                Altered::Same => {}
                Altered::Dropped => return None,
                Altered::Changed(bytes) => {
                    let mut frame = Vec::new();
                    encode_data(sender, &bytes, &mut frame).expect("as long as it was");
                    return Some(frame);
                }
            }
        }
        // What cannot be read is the game's to refuse.
        _ => {}
    }
    Some(framed(body))
}

/// A body with its length before it.
fn framed(body: &[u8]) -> Vec<u8> {
    let length = u32::try_from(body.len()).expect("a frame's body is short");
    [&length.to_be_bytes(), body].concat()
}
