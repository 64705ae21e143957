//! What one thread has for another: connections that go on there, datagrams that came to the wrong
//! socket, orders. Each is bounded, and none is waited for.

use std::io;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};

use crossbeam_channel::Sender;
use mio::Waker;
use mio::net::TcpStream;
use mp_party::{Departure, LocalAddress};
use mp_sockets::Strays;
use parking_lot::Mutex;

use crate::stats::ShardStats;

/// What the relay wants of a thread.
#[derive(Debug)]
pub(crate) enum Order {
    /// No party begins any more.
    CloseToParties,
    /// Its figures.
    Report(Sender<(usize, ShardStats)>),
    /// END to all, then the end.
    Stop,
}

/// What waits for a thread. Connections are as many as there are at most; orders are few.
#[derive(Debug, Default)]
pub(crate) struct Mail {
    pub(crate) arrivals: Vec<(Departure, TcpStream)>,
    pub(crate) strays: Strays,
    pub(crate) orders: Vec<Order>,
}

/// Where other threads leave what they have for one.
#[derive(Debug)]
pub(crate) struct Mailbox {
    mail: Mutex<Mail>,
    waker: Waker,
    /// The thread has been woken and has not looked yet: waking it again has no use.
    woken: AtomicBool,
}

impl Mailbox {
    pub(crate) fn new(waker: Waker) -> Self {
        Self { mail: Mutex::default(), waker, woken: AtomicBool::new(false) }
    }

    /// Swaps what is there for `empty`, whose room is used again.
    pub(crate) fn take(&self, empty: &mut Mail) {
        self.woken.store(false, Ordering::Release);
        std::mem::swap(&mut *self.mail.lock(), empty);
    }

    pub(crate) fn arrive(&self, departure: Departure, stream: TcpStream) -> io::Result<()> {
        self.mail.lock().arrivals.push((departure, stream));
        self.wake()
    }

    pub(crate) fn order(&self, order: Order) -> io::Result<()> {
        self.mail.lock().orders.push(order);
        self.wake()
    }

    /// Leaves a datagram, without waking the thread.
    pub(crate) fn stray(&self, from: SocketAddr, to: LocalAddress, bytes: &[u8]) {
        self.mail.lock().strays.add(0, from, to, bytes);
    }

    /// Has the thread look.
    pub(crate) fn wake(&self) -> io::Result<()> {
        if self.woken.swap(true, Ordering::AcqRel) {
            return Ok(());
        }
        // Failing, the mail is still there, and the next one tries again.
        self.waker.wake().inspect_err(|_| self.woken.store(false, Ordering::Release))
    }
}
