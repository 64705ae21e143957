//! The game's datagrams, to and from the server.

use std::io::{self, ErrorKind};
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};

use mio::net::UdpSocket;
use mp_netcode::LocalTime;
use mp_netcode::conditioner::DatagramConditioner;
use mp_protocol::datagram::{ClientDatagram, ClientDatagramKind, ServerDatagram};
use mp_protocol::limits::DATAGRAM_MAX;

use super::fault::{Altered, WireFault};
use super::traffic::{Shared, bytes};
use super::{Blocked, Plan};

/// The longest datagram that passes where large ones are blocked, in bytes.
const SMALL: usize = 600;

/// Both ways of the datagrams.
#[derive(Debug)]
pub(super) struct Datagrams {
    game: UdpSocket,
    server: UdpSocket,
    /// Where the game sent from last: a game has one link.
    game_at: Option<SocketAddr>,
    up: DatagramConditioner<Vec<u8>>,
    down: DatagramConditioner<Vec<u8>>,
    fault: Option<WireFault>,
    blocked: Blocked,
}

impl Datagrams {
    /// `game` is the socket that the game sends to.
    pub(super) fn new(game: UdpSocket, server: SocketAddr, plan: &Plan) -> io::Result<Self> {
        Ok(Self {
            game,
            server: UdpSocket::bind(any(server))?,
            game_at: None,
            up: DatagramConditioner::new(plan.conditions, plan.seed),
            down: DatagramConditioner::new(plan.conditions, plan.seed.wrapping_add(1)),
            fault: plan.fault,
            blocked: Blocked::default(),
        })
    }

    /// From now on those do not pass.
    pub(super) fn block(&mut self, blocked: Blocked) {
        self.blocked = blocked;
    }

    /// Goes on to the server from another port; `exchange` is given the socket so far and the new one.
    pub(super) fn rebind(
        &mut self,
        server: SocketAddr,
        exchange: impl FnOnce(&mut UdpSocket, &mut UdpSocket) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut new = UdpSocket::bind(any(server))?;
        exchange(&mut self.server, &mut new)?;
        self.server = new;
        Ok(())
    }

    /// The sockets, to be registered: the game's, the server's.
    pub(super) fn sockets(&mut self) -> [&mut UdpSocket; 2] {
        [&mut self.game, &mut self.server]
    }

    /// Takes all that came from the game.
    pub(super) fn take_from_game(&mut self, now: LocalTime, shared: &Shared) -> io::Result<()> {
        while let Some((datagram, from)) = receive(&self.game)? {
            self.game_at = Some(from);
            if self.blocks(Blocked::Up, &datagram) {
                shared.count(|traffic| traffic.datagrams_blocked += 1);
                continue;
            }
            let state = matches!(
                ClientDatagram::decode(&datagram),
                Ok(ClientDatagram { what: ClientDatagramKind::State { .. }, .. })
            );
            shared.count(|traffic| {
                traffic.bytes_up += bytes(datagram.len());
                traffic.messages_up += u64::from(state);
            });
            self.up.push(now, datagram);
        }
        Ok(())
    }

    /// Takes all that came from the server.
    pub(super) fn take_from_server(&mut self, now: LocalTime, shared: &Shared) -> io::Result<()> {
        while let Some((datagram, _)) = receive(&self.server)? {
            if self.blocks(Blocked::Down, &datagram) {
                shared.count(|traffic| traffic.datagrams_blocked += 1);
                continue;
            }
            let (passed, faulty) = altered(datagram, self.fault);
            shared.count(|traffic| traffic.faults_done += u64::from(faulty));
            if let Some(datagram) = passed {
                self.down.push(now, datagram);
            }
        }
        Ok(())
    }

    /// Sends all that has arrived by now.
    pub(super) fn send(
        &mut self,
        now: LocalTime,
        server: SocketAddr,
        shared: &Shared,
    ) -> io::Result<()> {
        while let Some(datagram) = self.up.poll(now) {
            send(&self.server, &datagram, server)?;
        }
        while let Some(datagram) = self.down.poll(now) {
            let Some(game) = self.game_at else { continue };
            let kind = match ServerDatagram::decode(&datagram) {
                Ok(ServerDatagram::State { bytes, .. }) => bytes.first().copied(),
                _ => None,
            };
            shared.count(|traffic| {
                traffic.bytes_down += bytes(datagram.len());
                traffic.datagrams_down += 1;
                traffic.messages_down += u64::from(kind.is_some());
                traffic.kinds_down.extend(kind);
            });
            send(&self.game, &datagram, game)?;
        }
        let lost = self.up.counts().lost + self.down.counts().lost;
        shared.count(|traffic| traffic.lost = lost);
        Ok(())
    }

    /// Whether a datagram that goes that way does not pass.
    fn blocks(&self, way: Blocked, datagram: &[u8]) -> bool {
        match self.blocked {
            Blocked::Nothing => false,
            Blocked::Both => true,
            Blocked::Large => datagram.len() > SMALL,
            Blocked::Up | Blocked::Down => self.blocked == way,
        }
    }

    /// When [`Self::send`] has something to do.
    pub(super) fn poll_timeout(&self) -> Option<LocalTime> {
        [self.up.poll_timeout(), self.down.poll_timeout()].into_iter().flatten().min()
    }
}

/// Any port of this machine's, of the server's family.
fn any(server: SocketAddr) -> SocketAddr {
    match server {
        SocketAddr::V4(_) => SocketAddr::from((Ipv4Addr::UNSPECIFIED, 0)),
        SocketAddr::V6(_) => SocketAddr::from((Ipv6Addr::UNSPECIFIED, 0)),
    }
}

/// What goes on in place of a server's datagram, and whether the fault was done to it.
fn altered(datagram: Vec<u8>, fault: Option<WireFault>) -> (Option<Vec<u8>>, bool) {
    let Some(fault) = fault else { return (Some(datagram), false) };
    let Ok(ServerDatagram::State { sender, bytes }) = ServerDatagram::decode(&datagram) else {
        return (Some(datagram), false);
    };
    match fault.alter(bytes) {
        Altered::Same => (Some(datagram), false),
        Altered::Dropped => (None, true),
        Altered::Changed(bytes) => {
            let mut changed = Vec::new();
            let state = ServerDatagram::State { sender, bytes: &bytes };
            state.encode(&mut changed).expect("as long as it was");
            (Some(changed), true)
        }
    }
}

/// The next datagram of a socket; `None`: there is none now.
fn receive(socket: &UdpSocket) -> io::Result<Option<(Vec<u8>, SocketAddr)>> {
    // One byte more than a datagram may have: a longer one is passed on too long, and refused there.
    let mut buffer = [0; DATAGRAM_MAX + 1];
    loop {
        match socket.recv_from(&mut buffer) {
            Ok((length, from)) => return Ok(Some((buffer[..length].to_vec(), from))),
            Err(error) => match error.kind() {
                ErrorKind::WouldBlock => return Ok(None),
                // An earlier datagram was told to have found nobody: as lost as any.
                ErrorKind::Interrupted
                | ErrorKind::ConnectionReset
                | ErrorKind::ConnectionRefused => {}
                _ => return Err(error),
            },
        }
    }
}

/// Sends one; the system's full buffer, or nobody there, loses it as a link does.
fn send(socket: &UdpSocket, datagram: &[u8], to: SocketAddr) -> io::Result<()> {
    match socket.send_to(datagram, to) {
        Ok(_) => Ok(()),
        Err(error) => match error.kind() {
            ErrorKind::WouldBlock
            | ErrorKind::Interrupted
            | ErrorKind::ConnectionReset
            | ErrorKind::ConnectionRefused => Ok(()),
            _ => Err(error),
        },
    }
}
