//! Commands as packets: what the protocol has room for is checked once, as the game hands it over.

use mp_protocol::limits::DATA_MAX;
use mp_protocol::{ClientPacket, name_is_valid};

use crate::api::{Command, Destination, PartyRequest, SendError};

/// What something that waits to go out costs besides the bytes it carries.
pub(crate) const QUEUED_COST: usize = 64;
/// The longest name of a host, in bytes: what DNS has room for (RFC 1035, 2.3.4).
pub const HOST_MAX: usize = 253;

impl Command {
    /// Whether the protocol has room for it.
    pub(crate) fn check(&self) -> Result<(), SendError> {
        match self {
            Self::Connect { to, name, .. } => {
                check_destination(to)?;
                check_name(name)
            }
            Self::Host { name, description, .. } => {
                check_name(name)?;
                check_packet(&ClientPacket::Create { description })
            }
            Self::Close | Self::Simulate(_) | Self::Disconnect { .. } => Ok(()),
            Self::Party(request) => check_packet(&request.packet()),
            Self::Chat { text } => check_packet(&ClientPacket::Chat { text }),
            Self::Event { bytes, .. } | Self::State { bytes, .. } => {
                if bytes.len() <= DATA_MAX {
                    return Ok(());
                }
                let words = format!("a message of {} bytes ({DATA_MAX} at most)", bytes.len());
                Err(SendError::Invalid(words))
            }
        }
    }

    /// What it costs while it waits to go out; what goes at once costs nothing.
    pub(crate) fn cost(&self) -> usize {
        match self {
            Self::Event { bytes, .. } | Self::State { bytes, .. } => QUEUED_COST + bytes.len(),
            Self::Chat { text } => QUEUED_COST + text.len(),
            Self::Party(_) => QUEUED_COST,
            Self::Connect { .. }
            | Self::Host { .. }
            | Self::Close
            | Self::Simulate(_)
            | Self::Disconnect { .. } => 0,
        }
    }
}

impl PartyRequest {
    /// The packet that asks for it.
    pub(crate) fn packet(&self) -> ClientPacket<'_> {
        match self {
            Self::Create { description } => ClientPacket::Create { description },
            Self::Join { code } => ClientPacket::Join { code },
            Self::Leave => ClientPacket::Leave,
            Self::Find => ClientPacket::Find,
            Self::List => ClientPacket::List,
        }
    }
}

fn check_destination(to: &Destination) -> Result<(), SendError> {
    match to {
        Destination::Name { host, .. }
            if host.is_empty() || host.len() > HOST_MAX || host.contains(char::is_control) =>
        {
            let words = format!("a host's name is 1 to {HOST_MAX} bytes, no control character");
            Err(SendError::Invalid(words))
        }
        Destination::Address(_) | Destination::Name { .. } => Ok(()),
    }
}

fn check_name(name: &str) -> Result<(), SendError> {
    if name_is_valid(name) {
        return Ok(());
    }
    Err(SendError::Invalid("a name is 1 to 32 characters, none of them a control character".into()))
}

fn check_packet(packet: &ClientPacket<'_>) -> Result<(), SendError> {
    packet.encode(&mut Vec::new()).map_err(|malformed| SendError::Invalid(malformed.to_string()))
}
