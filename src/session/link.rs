//! Where the link of a session is, and what the footer says of it (B2.9).

use core::net::{IpAddr, SocketAddr};

use mp_netcode::{Grade, LocalTime};
use mp_protocol::SessionId;
use mp_sockets::ConnectError;

use super::Session;

/// Whom the link goes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// The server of the setting.
    Server,
    /// This game hosts directly, on this port (0: any that is free).
    Hosting {
        /// The port asked for.
        port: u16,
    },
    /// A direct host's address.
    Joining {
        /// Where it listens.
        address: SocketAddr,
    },
}

/// Where the link is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Link {
    /// No link, and none wanted.
    Closed,
    /// On its way: connecting, or listening.
    Opening(Target),
    /// An attempt failed, and another follows by itself.
    Retrying { target: Target, why: ConnectError, at: LocalTime },
    /// Greeted.
    Up { target: Target, me: SessionId },
}

/// Where this game's direct host listens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hosting {
    /// The port, TCP and UDP.
    pub port: u16,
    /// This computer's addresses that others may reach.
    pub addresses: Vec<IpAddr>,
}

/// Why a party is over for this player without its choice, in the words of B5.9.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// The host chose to leave.
    HostLeft,
    /// The link to a direct host is lost.
    HostWentAway,
    /// The link to the server is lost.
    ServerWentAway,
    /// The socket thread ended or fell hopelessly behind.
    NetworkStopped,
}

/// What the footer says of a server's link that is lost (B2.9).
pub(super) const SERVER_WENT_AWAY: &str = "The server went away";

impl Ended {
    /// What the footer says.
    pub fn words(self) -> &'static str {
        match self {
            Self::HostLeft => "The host left: the party is over",
            Self::HostWentAway => "The host went away",
            Self::ServerWentAway => SERVER_WENT_AWAY,
            Self::NetworkStopped => "The network stopped",
        }
    }
}

impl Session {
    /// What the footer says: first what the connection is doing, then what happened last (B2.9).
    pub fn footer(&self, now: LocalTime) -> Vec<String> {
        let mut lines: Vec<String> = self.doing(now).into_iter().collect();
        if !self.footer.is_empty() {
            lines.push(self.footer.clone());
        }
        lines
    }

    fn doing(&self, now: LocalTime) -> Option<String> {
        match &self.link {
            Link::Closed => None,
            Link::Opening(target) => Some(match target {
                Target::Server => format!("Connecting to {}", self.server_words()),
                Target::Hosting { .. } => "Opening the port".to_owned(),
                Target::Joining { address } => format!("Connecting to {address}"),
            }),
            Link::Retrying { target, why, at } => {
                let seconds = at.since(now).as_secs() + 1;
                let why = self.no_link_words(*target, why);
                Some(format!("{why}: trying again in {seconds} s"))
            }
            Link::Up { .. } if self.liveness != Grade::Live => {
                Some("Connection interrupted".to_owned())
            }
            Link::Up { .. } => self.party.is_none().then(|| "Connected".to_owned()),
        }
    }

    /// Why there is no link, in a player's words.
    fn no_link_words(&self, target: Target, why: &ConnectError) -> String {
        let Target::Joining { address } = target else {
            return format!("Server unreachable ({}, {why})", self.server_words());
        };
        match why {
            ConnectError::Refused => format!("Nobody hosts at {address}"),
            ConnectError::NotFound => format!("{address} was not found"),
            ConnectError::TimedOut => format!("No answer from {address}"),
            ConnectError::Unreachable => format!("{address} cannot be reached from here"),
            ConnectError::Rejected(reason) => format!("{address} turned you away: {reason}"),
            ConnectError::Closed | ConnectError::Protocol(_) => {
                format!("What answers at {address} is no OpenRAC host")
            }
            ConnectError::Other(why) => format!("Could not connect to {address}: {why}"),
        }
    }
}
