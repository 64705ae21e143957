//! A proxy of TCP and UDP in front of a game, on loopback: the game takes it for the server. It makes
//! the link as bad as it is told ([`Conditions`]), counts what passes, and can put a deliberate fault
//! into what the others say ([`WireFault`]). Everything that is not such a fault arrives bytes unchanged,
//! but for the port in the server's UDP packet: datagrams, too, are to come through here. While it runs it
//! can do what networks do: block datagrams, break connections off, change the address it goes on from.
//!
//! One thread a proxy owns its sockets; it ends when the proxy is dropped.

mod connection;
mod datagrams;
mod fault;
mod flow;
mod thread;
mod traffic;

use std::io;
use std::net::{Ipv4Addr, SocketAddr, SocketAddrV4};
use std::sync::Arc;
use std::thread::JoinHandle;

use mio::net::{TcpListener, UdpSocket};
use mio::{Poll, Waker};
pub use mp_netcode::conditioner::Conditions;

pub use fault::WireFault;
pub use traffic::Traffic;
use traffic::{Order, Shared};

/// How often a port that is free for TCP and taken for UDP is tried again.
const TRIES: u32 = 64;

/// What a proxy does to what passes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Plan {
    /// The link, each way.
    pub conditions: Conditions,
    /// Of its chances.
    pub seed: u64,
    /// What is done to the game's messages that come down.
    pub fault: Option<WireFault>,
}

/// Which datagrams do not pass.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Blocked {
    /// All pass.
    #[default]
    Nothing,
    /// None passes, either way.
    Both,
    /// None from the game.
    Up,
    /// None to the game.
    Down,
    /// None of over 600 bytes, either way: a link whose largest datagram is small.
    Large,
}

/// A proxy that runs.
#[derive(Debug)]
pub struct Proxy {
    address: SocketAddrV4,
    shared: Arc<Shared>,
    waker: Waker,
    thread: Option<JoinHandle<()>>,
}

impl Proxy {
    /// Starts one in front of that server.
    ///
    /// # Errors
    /// The system has no port, or no thread.
    pub fn start(server: SocketAddr, plan: Plan) -> io::Result<Self> {
        let poll = Poll::new()?;
        let waker = Waker::new(poll.registry(), thread::WAKER)?;
        let (listener, datagrams, address) = bind()?;
        let shared = Arc::new(Shared::default());
        let worker =
            thread::Worker::new(poll, (listener, datagrams), server, plan, Arc::clone(&shared))?;
        let run = std::thread::Builder::new().name("proxy".to_owned());
        let thread = run.spawn(move || worker.run())?;
        Ok(Self { address, shared, waker, thread: Some(thread) })
    }

    /// Where the game is to go, by TCP; its datagrams go to the same port.
    #[must_use]
    pub const fn address(&self) -> SocketAddrV4 {
        self.address
    }

    /// What has passed so far.
    #[must_use]
    pub fn traffic(&self) -> Traffic {
        self.shared.traffic()
    }

    /// From now on those datagrams do not pass.
    pub fn block(&self, blocked: Blocked) {
        self.order(Order::Block(blocked));
    }

    /// Breaks every connection off, both sides: each is told that its peer reset it, and what was on its
    /// way is lost.
    pub fn reset(&self) {
        self.order(Order::Reset);
    }

    /// Goes on to the server from another port, as a NAT does that forgot: what the server sends to the
    /// old one reaches nobody.
    pub fn rebind(&self) {
        self.order(Order::Rebind);
    }

    fn order(&self, order: Order) {
        self.shared.order(order);
        // A thread that has ended has nothing to do it to.
        drop(self.waker.wake());
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.shared.end();
        let woken = self.waker.wake();
        let ended = self.thread.take().map(JoinHandle::join);
        // A panic of the thread's is shown by the runtime; here it must not become a second one.
        drop((woken, ended));
    }
}

/// A port of loopback that is free for both.
fn bind() -> io::Result<(TcpListener, UdpSocket, SocketAddrV4)> {
    let any = SocketAddrV4::new(Ipv4Addr::LOCALHOST, 0);
    for _ in 1..TRIES {
        let listener = TcpListener::bind(any.into())?;
        let address = listener.local_addr()?;
        if let Ok(datagrams) = UdpSocket::bind(address) {
            return Ok((
                listener,
                datagrams,
                SocketAddrV4::new(Ipv4Addr::LOCALHOST, address.port()),
            ));
        }
    }
    Err(io::Error::new(io::ErrorKind::AddrInUse, "no port is free for TCP and UDP"))
}
