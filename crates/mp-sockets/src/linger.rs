//! Connections that are over for everything else, and have bytes to deliver: what is left is written,
//! the sending side ended, and the peer read until it closes too. A socket dropped with unread bytes
//! would send a reset, which can take the last frames (an END, an ERROR) from the peer.

use std::collections::BTreeMap;
use std::io::{self, ErrorKind, Read, Write};
use std::net::Shutdown;
use std::time::Duration;

use mio::net::TcpStream;
use mio::{Interest, Registry, Token};
use mp_netcode::LocalTime;

use crate::tokens::Tokens;

/// How long a connection may take to deliver its last bytes.
pub const LINGER: Duration = Duration::from_millis(500);
/// What a peer may still send; more is a flood.
const IGNORED_MAX: usize = 1 << 20;

/// The connections that linger.
#[derive(Debug)]
pub struct Lingering {
    most: usize,
    closing: BTreeMap<Token, Closing>,
}

#[derive(Debug)]
struct Closing {
    stream: TcpStream,
    rest: Vec<u8>,
    written: usize,
    ended: bool,
    ignored: usize,
    until: LocalTime,
}

impl Lingering {
    /// Room for so many at once; the one nearest its end makes room for the next.
    #[must_use]
    pub const fn new(most: usize) -> Self {
        Self { most, closing: BTreeMap::new() }
    }

    /// Takes a registered connection over, with the bytes it has still to deliver.
    pub fn take(
        &mut self,
        registry: &Registry,
        tokens: &mut Tokens,
        now: LocalTime,
        mut stream: TcpStream,
        rest: Vec<u8>,
    ) {
        let token = tokens.next();
        let both = Interest::READABLE | Interest::WRITABLE;
        if registry.reregister(&mut stream, token, both).is_err() {
            // Nothing can be heard of it any more, so nothing can be waited for.
            return;
        }
        let until = now + LINGER;
        let closing = Closing { stream, rest, written: 0, ended: false, ignored: 0, until };
        if self.closing.len() >= self.most {
            self.closing.pop_first();
        }
        self.closing.insert(token, closing);
        self.ready(token);
    }

    /// Goes on with the connection that has this token, if one lingers under it.
    pub fn ready(&mut self, token: Token) {
        if let Some(closing) = self.closing.get_mut(&token)
            && !matches!(closing.go_on(), Err(error) if error.kind() == ErrorKind::WouldBlock)
        {
            self.closing.remove(&token);
        }
    }

    /// Drops those whose time is up.
    pub fn advance(&mut self, now: LocalTime) {
        self.closing.retain(|_, closing| closing.until > now);
    }

    /// When [`Self::advance`] next has something to do.
    #[must_use]
    pub fn next_wake(&self) -> Option<LocalTime> {
        self.closing.values().map(|closing| closing.until).min()
    }

    /// Whether none lingers.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.closing.is_empty()
    }
}

impl Closing {
    /// Ends with `WouldBlock` while there is more to do, and with anything else when it is over.
    fn go_on(&mut self) -> io::Result<()> {
        while self.written < self.rest.len() {
            match self.stream.write(&self.rest[self.written..]) {
                Ok(0) => return Ok(()),
                Ok(count) => self.written += count,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        if !self.ended {
            self.stream.shutdown(Shutdown::Write)?;
            self.ended = true;
        }
        let mut ignored = [0; 4096];
        while self.ignored < IGNORED_MAX {
            match self.stream.read(&mut ignored) {
                Ok(0) => return Ok(()),
                Ok(count) => self.ignored += count,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::net::{Ipv4Addr, TcpListener};

    use mio::Poll;

    use super::*;

    #[test]
    fn no_more_linger_than_there_is_room_for_and_none_for_ever() {
        let poll = Poll::new().expect("a poll");
        let (mut tokens, mut lingering) = (Tokens::new(), Lingering::new(2));
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
        let at = listener.local_addr().expect("its address");
        let mut peers = Vec::new();
        for _ in 0..3 {
            let mut stream = TcpStream::connect(at).expect("it listens");
            peers.push(listener.accept().expect("it connects").0);
            let token = tokens.next();
            poll.registry()
                .register(&mut stream, token, Interest::READABLE)
                .expect("it is registered");
            lingering.take(poll.registry(), &mut tokens, LocalTime::ZERO, stream, vec![7]);
        }
        assert_eq!(lingering.closing.len(), 2);
        lingering.advance(LocalTime::ZERO + LINGER);
        assert!(lingering.is_empty());
    }
}
