//! Direct connect: the address that a player steps together, and the words a direct host gives out. The
//! sockets and the router behind it run on the socket thread (mp-sockets); nothing here opens one.

pub mod address;

use core::net::{IpAddr, SocketAddr};

/// How many addresses a lobby's page has room for, above its list.
const ADDRESSES: usize = 4;

/// The title and lines of a direct host's lobby: `Hosting on` every address that fits (B2.7). A computer
/// without one still says its port.
pub fn hosting_lines(addresses: &[IpAddr], port: u16) -> Vec<String> {
    let Some((first, others)) = addresses.split_first() else {
        return vec![format!("Hosting on port {port}")];
    };
    let mut lines = vec![format!("Hosting on {}", SocketAddr::new(*first, port))];
    lines.extend(
        others
            .iter()
            .take(ADDRESSES - 1)
            .map(|address| format!("or on {}", SocketAddr::new(*address, port))),
    );
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    /// B2.7
    #[test]
    fn every_address_that_fits_is_said_with_the_port() {
        let addresses = [IpAddr::from([192, 168, 1, 20]), IpAddr::from([10, 0, 0, 3])];
        assert_eq!(
            hosting_lines(&addresses, 7770),
            ["Hosting on 192.168.1.20:7770", "or on 10.0.0.3:7770"]
        );
    }

    /// B2.7
    #[test]
    fn more_addresses_than_fit_leave_room_for_the_lobby() {
        let many: Vec<IpAddr> = (1..=20).map(|n| IpAddr::from([10, 0, 0, n])).collect();
        assert_eq!(hosting_lines(&many, 7770).len(), ADDRESSES);
    }

    /// B2.7
    #[test]
    fn without_an_address_the_port_is_said() {
        assert_eq!(hosting_lines(&[], 7771), ["Hosting on port 7771"]);
    }
}
