//! A relay of this process.

use std::net::{Ipv4Addr, SocketAddr};

use mp_relay::{Log, Relay, Settings};

/// A relay on a free port of this machine, and its address as the Server setting wants it.
pub fn relay() -> (Relay, String) {
    let listen = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
    let settings = Settings { listen, ..Settings::default() };
    let (log, _end) = Log::start(std::io::sink()).expect("a log");
    let relay = Relay::start(&settings, log).expect("a free port");
    let server = relay.address().to_string();
    (relay, server)
}
