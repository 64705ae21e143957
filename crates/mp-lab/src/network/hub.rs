//! The router at its place: a relay's, which is there all the time, or that of a player who hosts.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::time::Duration;

use mp_netcode::LocalTime;
use mp_party::{Config, ConnectionId, Limits, LocalAddress, Mode, Router};
use mp_playground::sim::Rng;

use super::RELAY;
use super::machine::Machine;

/// Wall time when a party begins, in milliseconds since 1970: any will do.
const EPOCH_MS: i64 = 1_700_000_000_000;
/// The one socket of a router's for datagrams.
pub(super) const SOCKET: LocalAddress = LocalAddress { socket: 0, ip: None };
/// Where the host's own client is: no datagram to it passes a wire.
pub(super) const IN_PROCESS: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::UNSPECIFIED), 0);

/// A router.
pub(super) struct Hub {
    pub(super) router: Router,
    /// Where it is.
    pub(super) address: SocketAddr,
    /// How far its machine's clock is ahead of the network's.
    pub(super) ahead: Duration,
    /// Whose game it runs in, and that game's own client.
    pub(super) host: Option<(usize, ConnectionId)>,
}

impl Hub {
    /// A relay.
    pub(super) fn relay(rng: &mut Rng) -> Self {
        Self {
            router: router(Mode::Server, Limits::default(), rng),
            address: RELAY.parse().expect("an address and a port"),
            ahead: Duration::ZERO,
            host: None,
        }
    }

    /// A router in the process of player `host`, at that port of its machine.
    pub(super) fn direct(
        (host, machine): (usize, &Machine),
        port: u16,
        description: String,
        now: LocalTime,
        rng: &mut Rng,
    ) -> Self {
        let (address, ahead) = (SocketAddr::new(machine.address, port), machine.ahead);
        let mut router = router(Mode::Direct { description }, Limits::direct(), rng);
        let own = router.connect_local(now + ahead);
        Self { router, address, ahead, host: Some((host, own)) }
    }

    /// The time on its machine's clock.
    pub(super) fn time(&self, now: LocalTime) -> LocalTime {
        now + self.ahead
    }
}

fn router(mode: Mode, limits: Limits, rng: &mut Rng) -> Router {
    let config = Config { mode, limits, udp_port: Some(0), epoch_ms: EPOCH_MS };
    let mut random = Rng::new(rng.bits());
    Router::new(config, move || random.bits()).expect("a description that the command took")
}
