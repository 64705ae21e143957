//! Where a demo's party meets: at a relay of its own, at one that runs already, or at its host's address.
//! Every game's way there is a proxy of its own.

use std::fs::File;
use std::net::{Ipv4Addr, SocketAddr, SocketAddrV4};
use std::path::Path;

use mp_relay::{Log, Relay, Settings};

use super::RunError;
use super::links::Links;
use crate::bots::{Errand, hosting_port, party_code};
use crate::game::Screen;
use crate::proxy::Plan;

/// Where a party meets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Meet {
    /// At an embedded relay on a free port of loopback.
    #[default]
    Relay,
    /// At a relay that runs already.
    Server(SocketAddr),
    /// At the host's embedded direct host.
    Direct,
}

/// The place where a party meets, and the links to it.
pub(super) struct Venue {
    relay: Option<Relay>,
    seats: usize,
    plan: Plan,
    /// A direct party has none before its host said its port.
    links: Option<Links>,
    invitation: Option<Invitation>,
}

/// What the others need to know to join.
#[derive(Clone, Debug)]
enum Invitation {
    Code(String),
    Address,
}

impl Venue {
    /// Opens it for so many games. A relay of its own writes its log in that folder.
    pub(super) fn open(
        meet: Meet,
        seats: usize,
        plan: Plan,
        folder: &Path,
    ) -> Result<Self, RunError> {
        let mut venue = Self { relay: None, seats, plan, links: None, invitation: None };
        let server = match meet {
            Meet::Direct => return Ok(venue),
            Meet::Server(server) => server,
            Meet::Relay => {
                let relay = start_relay(&folder.join("relay.log"))?;
                let server = relay.address();
                venue.relay = Some(relay);
                server
            }
        };
        venue.links = Some(Links::start(server, 0..seats, plan).map_err(RunError::Proxy)?);
        Ok(venue)
    }

    /// The Server setting of that seat; `None`: this party has no server.
    pub(super) fn server(&self, seat: usize) -> Option<String> {
        self.links.as_ref().map(|links| links.address(seat).to_string())
    }

    /// What the host is to do, once so many others are ready.
    pub(super) const fn host_errand(&self, ready: usize) -> Errand {
        if self.links.is_some() { Errand::Create { ready } } else { Errand::Host { ready } }
    }

    /// Looks whether the host's page invites the others by now; true once, when it begins to.
    pub(super) fn look(&mut self, host: &Screen) -> Result<bool, RunError> {
        if self.invitation.is_some() {
            return Ok(false);
        }
        if let Some(code) = party_code(host) {
            self.invite_by_code(code);
        } else if let Some(port) = hosting_port(host) {
            self.invite_to(port)?;
        }
        Ok(self.invitation.is_some())
    }

    /// The party has that code.
    pub(super) fn invite_by_code(&mut self, code: &str) {
        self.invitation = Some(Invitation::Code(code.to_owned()));
    }

    /// The party is hosted on that port of this machine.
    pub(super) fn invite_to(&mut self, port: u16) -> Result<(), RunError> {
        let host = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
        let links = Links::start(host, 1..self.seats, self.plan).map_err(RunError::Proxy)?;
        self.links = Some(links);
        self.invitation = Some(Invitation::Address);
        Ok(())
    }

    /// What the member of that seat is to do to join; `None`: nobody invites yet.
    pub(super) fn member_errand(&self, seat: usize) -> Option<Errand> {
        Some(match self.invitation.as_ref()? {
            Invitation::Code(code) => Errand::Code(code.clone()),
            Invitation::Address => Errand::Join { address: self.address(seat)? },
        })
    }

    /// The code of the party, if it has one.
    pub(super) fn code(&self) -> Option<&str> {
        match self.invitation.as_ref()? {
            Invitation::Code(code) => Some(code),
            Invitation::Address => None,
        }
    }

    /// Where the game of that seat is to go.
    pub(super) fn address(&self, seat: usize) -> Option<SocketAddrV4> {
        self.links.as_ref().map(|links| links.address(seat))
    }

    /// The links, if there are any yet.
    pub(super) const fn links(&self) -> Option<&Links> {
        self.links.as_ref()
    }

    /// The links of a party that has met.
    pub(super) fn links_mut(&mut self) -> Result<&mut Links, RunError> {
        let nobody = || RunError::Stuck("the host invited nobody".to_owned());
        self.links.as_mut().ok_or_else(nobody)
    }

    /// Closes it. A relay that does not end in its time is said.
    pub(super) fn close(self) -> Result<(), RunError> {
        let ended = self.relay.is_none_or(Relay::stop);
        if ended { Ok(()) } else { Err(RunError::Stuck("the relay did not stop".to_owned())) }
    }
}

fn start_relay(log_file: &Path) -> Result<Relay, RunError> {
    let log = File::create(log_file).map_err(|error| RunError::file(log_file, error))?;
    let (log, _end) = Log::start(log).map_err(RunError::Proxy)?;
    // A party needs one thread, and the games need the rest.
    let settings = Settings {
        listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)),
        threads: Some(1),
        ..Settings::default()
    };
    Relay::start(&settings, log).map_err(|error| RunError::Relay(error.to_string()))
}
