//! Relays for tests.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use mp_relay::{Log, Relay, Settings};

/// Settings for a free loopback port and so many threads.
pub fn settings(threads: u32) -> Settings {
    let mut settings = Settings {
        listen: SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 0),
        threads: Some(threads),
        ..Settings::default()
    };
    settings.limits.connections_per_address = 1_000;
    settings
}

pub fn relay(settings: &Settings) -> Relay {
    let (log, _end) = Log::start(std::io::sink()).unwrap();
    Relay::start(settings, log).expect("a relay on a free port")
}
