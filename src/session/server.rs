//! The Server setting: `host`, `host:port` or `[v6]:port` (B1.1).

use core::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::fmt;

use mp_protocol::limits::PORT;
use mp_sockets::{Destination, HOST_MAX};

/// The server that is played on unless the setting names another.
pub const DEFAULT: &str = "game.openrac.dev:7770";

/// A server by name or address, and its port.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerName {
    /// A name or an address, without brackets.
    pub host: String,
    /// 1 to 65,535.
    pub port: u16,
}

impl ServerName {
    /// Reads the setting; `None` if it is not understood.
    pub fn parse(setting: &str) -> Option<Self> {
        let setting = setting.trim();
        if let Some(rest) = setting.strip_prefix('[') {
            let (host, after) = rest.split_once(']')?;
            host.parse::<Ipv6Addr>().ok()?;
            return Some(Self { host: host.to_owned(), port: port(after)? });
        }
        let (host, after) = setting.split_at(setting.find(':').unwrap_or(setting.len()));
        let understood = !host.is_empty()
            && host.len() <= HOST_MAX
            && host.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_'));
        understood.then_some(Self { host: host.to_owned(), port: port(after)? })
    }
}

/// The port behind a host: nothing, or a colon and 1 to 65,535.
fn port(after: &str) -> Option<u16> {
    let Some(digits) = after.strip_prefix(':') else {
        return after.is_empty().then_some(PORT);
    };
    let plain = digits.bytes().all(|byte| byte.is_ascii_digit());
    digits.parse().ok().filter(|&port| plain && port != 0)
}

impl From<ServerName> for Destination {
    fn from(server: ServerName) -> Self {
        match server.host.parse::<IpAddr>() {
            Ok(address) => Self::Address(SocketAddr::new(address, server.port)),
            Err(_) => Self::Name { host: server.host, port: server.port },
        }
    }
}

impl fmt::Display for ServerName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.host.contains(':') {
            write!(f, "[{}]:{}", self.host, self.port)
        } else {
            write!(f, "{}:{}", self.host, self.port)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(setting: &str) -> Option<String> {
        ServerName::parse(setting).map(|server| server.to_string())
    }

    /// B1.1
    #[test]
    fn a_host_may_stand_alone_or_with_a_port_and_v6_in_brackets() {
        assert_eq!(parsed("play.example").as_deref(), Some("play.example:7770"));
        assert_eq!(parsed(" localhost:1 ").as_deref(), Some("localhost:1"));
        assert_eq!(parsed("10.0.0.7:65535").as_deref(), Some("10.0.0.7:65535"));
        assert_eq!(parsed("[::1]").as_deref(), Some("[::1]:7770"));
        assert_eq!(parsed("[fe80::2]:7771").as_deref(), Some("[fe80::2]:7771"));
        assert!(ServerName::parse(DEFAULT).is_some());
    }

    #[test]
    fn an_address_needs_no_look_up() {
        let to = |setting| ServerName::parse(setting).map(Destination::from);
        let address = Destination::Address(SocketAddr::from(([127, 0, 0, 1], 7)));
        assert_eq!(to("127.0.0.1:7"), Some(address));
        let name = Destination::Name { host: "localhost".to_owned(), port: 7 };
        assert_eq!(to("localhost:7"), Some(name));
    }

    /// B1.1
    #[test]
    fn what_is_no_server_is_not_understood() {
        let long = "a".repeat(HOST_MAX + 1);
        for setting in [
            "",
            ":7770",
            "h:",
            "h:0",
            "h:65536",
            "h:+1",
            "h:1:2",
            "::1",
            "[::1",
            "[]:1",
            "[h]:1",
            "[::1]7770",
            "a b",
            "a/b",
            "h:x",
            &long,
        ] {
            assert_eq!(parsed(setting), None, "{setting:?}");
        }
    }
}
