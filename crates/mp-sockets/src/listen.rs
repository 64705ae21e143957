//! A host's ports: TCP and UDP under one number, on IPv4 always and on IPv6 where the system has it
//! (B8.1), and the addresses to tell the others.

use std::collections::BTreeSet;
use std::io::{self, ErrorKind};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use mio::net::{TcpListener, UdpSocket};

use crate::platform;

/// How many free TCP ports are tried for one that UDP has free too.
const ANY_PORT_TRIES: u32 = 32;

/// What a host listens on.
#[derive(Debug)]
pub(crate) struct Ports {
    pub(crate) port: u16,
    pub(crate) tcp: Vec<TcpListener>,
    pub(crate) udp: Vec<UdpSocket>,
}

impl Ports {
    /// Opens `port`, or with 0 one that is free for both.
    pub(crate) fn open(port: u16) -> io::Result<Self> {
        let mut tries = if port == 0 { ANY_PORT_TRIES } else { 1 };
        loop {
            tries -= 1;
            match Self::open_on(port) {
                Err(error) if error.kind() == ErrorKind::AddrInUse && tries > 0 => {}
                opened => return opened,
            }
        }
    }

    fn open_on(port: u16) -> io::Result<Self> {
        let v4 = IpAddr::V4(Ipv4Addr::UNSPECIFIED);
        let v6 = IpAddr::V6(Ipv6Addr::UNSPECIFIED);
        let listener = platform::listen_tcp(SocketAddr::new(v4, port))?;
        let port = listener.local_addr()?.port();
        let mut ports = Self { port, tcp: vec![listener], udp: Vec::new() };
        ports.udp.push(platform::bind_udp(SocketAddr::new(v4, port))?);
        match platform::listen_tcp(SocketAddr::new(v6, port)) {
            Ok(listener) => {
                ports.tcp.push(listener);
                ports.udp.push(platform::bind_udp(SocketAddr::new(v6, port))?);
            }
            Err(error) if platform::is_no_ipv6(&error) => {}
            Err(error) => return Err(error),
        }
        Ok(ports)
    }
}

/// This machine's addresses that others may reach it at. Empty if the system does not tell them; it can
/// be reached all the same.
pub(crate) fn own_addresses() -> Vec<IpAddr> {
    let interfaces = if_addrs::get_if_addrs().unwrap_or_default();
    to_tell(interfaces.into_iter().map(|interface| interface.ip()))
}

/// The IPv4 ones in ascending order, each once, without loopback and link-local ones (B2.7).
fn to_tell(all: impl Iterator<Item = IpAddr>) -> Vec<IpAddr> {
    let fits =
        |ip: &IpAddr| matches!(ip, IpAddr::V4(v4) if !v4.is_loopback() && !v4.is_link_local());
    let fitting: BTreeSet<_> = all.filter(fits).collect();
    fitting.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// B2.7
    #[test]
    fn others_are_told_every_ipv4_address_but_loopback_and_link_local_ones() {
        let all = ["192.168.1.20", "127.0.0.1", "::1", "169.254.7.7", "10.0.0.2", "2001:db8::1"];
        let all = all.iter().chain(&["192.168.1.20"]).map(|ip| ip.parse().expect("an address"));
        let told: Vec<_> = to_tell(all).iter().map(ToString::to_string).collect();
        assert_eq!(told, ["10.0.0.2", "192.168.1.20"]);
    }
}
