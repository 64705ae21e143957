//! What the members say to each other, checked on the way in and encoded on the way out.

use std::collections::{BTreeSet, VecDeque};

use mp_netcode::{LocalTime, ServerTime};
use mp_protocol::game::{Kind, Message, Pose, Side, World, stamp_is_ahead};
use mp_protocol::limits::STATE_MAX;
use mp_protocol::{Malformed, SessionId};
use mp_sockets::Command;
use thiserror::Error;

use super::Session;
use super::strikes::Strike;
use crate::trace::Way;

/// The key of WORLD among a member's states: no session has that number.
const WORLD_KEY: u32 = 0;

/// Why a message of a member's is not taken (protocol.md 3, "Malformed").
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum InvalidMessage {
    /// Its bytes are wrong in themselves.
    #[error(transparent)]
    Malformed(#[from] Malformed),
    /// The other side's to say.
    #[error("{0:?} is not this side's to say")]
    WrongSide(Kind),
    /// A member speaks for another.
    #[error("a pose or shot of another player's")]
    OfAnother,
    /// It is passed on to everyone, many times a second.
    #[error("a pose of {0} bytes")]
    TooLarge(usize),
    /// The owner is not in the party.
    #[error("a pose or shot of nobody in the party")]
    OfNobody,
    /// Its stamp is too far ahead of the server's clock.
    #[error("a pose from the future")]
    FromTheFuture,
}

impl InvalidMessage {
    /// The same without what was in the message, to be counted by.
    fn sort(&self) -> &'static str {
        match self {
            Self::Malformed(_) | Self::TooLarge(_) => "malformed",
            Self::WrongSide(_) => "not its sender's to say",
            Self::OfAnother => "in another player's name",
            Self::OfNobody => "of nobody in the party",
            Self::FromTheFuture => "from the future",
        }
    }
}

/// What could not be sent, and what of it is still to be said.
#[derive(Debug, Default)]
pub(super) struct Unsent {
    said: BTreeSet<Option<Kind>>,
    to_say: VecDeque<String>,
}

impl Unsent {
    fn add(&mut self, kind: Option<Kind>, why: Malformed) {
        if self.said.insert(kind) {
            self.to_say.push_back(format!("a message is not sent: {why}"));
        }
    }

    /// The next line for the log.
    pub(super) fn poll(&mut self) -> Option<String> {
        self.to_say.pop_front()
    }
}

/// What a member's message came as.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Came<'a> {
    /// Who sent it, as the connection knows it.
    pub(crate) sender: SessionId,
    /// Its bytes, which a host passes on as they are.
    pub(crate) bytes: &'a [u8],
    /// When it was read off the network.
    pub(crate) at: LocalTime,
}

impl Session {
    /// Sends a message to one member or, from the host, to all the others (`None`): reliable, in order.
    pub(crate) fn send_message(&mut self, target: Option<SessionId>, message: &Message) {
        let Some(bytes) = self.encoded(message) else { return };
        self.trace.message(Way::Out, target, message);
        self.tally.count(Way::Out, message.kind(), bytes.len());
        self.command(Command::Event { target, bytes: bytes.into() });
    }

    /// Sends this player's pose, as state: to all from the host, to the host from a member.
    pub(crate) fn send_pose(&mut self, pose: &Pose) {
        if let Some(bytes) = self.encoded(&Message::Pose(*pose)) {
            self.pass_on_pose(pose.owner, bytes);
        }
    }

    /// Sends a pose's bytes, of which only its owner's newest matters.
    pub(crate) fn pass_on_pose(&mut self, owner: SessionId, bytes: Vec<u8>) {
        self.tally.count(Way::Out, Some(Kind::Pose), bytes.len());
        self.command(Command::State {
            target: None,
            key: owner.0.unsigned_abs(),
            bytes: bytes.into(),
        });
    }

    /// Sends the host's world to a member, as state. What the wire has no room for is left out before.
    pub(crate) fn send_world(&mut self, target: SessionId, world: &World) {
        let world = Message::World(*world);
        let Some(bytes) = self.encoded(&world) else { return };
        self.trace.message(Way::Out, Some(target), &world);
        self.tally.count(Way::Out, Some(Kind::World), bytes.len());
        self.command(Command::State { target: Some(target), key: WORLD_KEY, bytes: bytes.into() });
    }

    /// A message's bytes, as long as they are: they grow in a buffer that stays, and only what the socket
    /// thread takes with it is allocated. `None`: the wire has no room for what it says, which is this
    /// game's fault or the mod's; that is counted, and said once of each kind.
    fn encoded(&mut self, message: &Message) -> Option<Vec<u8>> {
        self.buffer.clear();
        match message.encode(&mut self.buffer) {
            Ok(()) => Some(self.buffer.clone()),
            Err(why) => {
                self.tally.drop_one("not fit to be sent");
                self.unsent.add(message.kind(), why);
                None
            }
        }
    }

    /// Passes on a member's SHOT to everyone, bytes unchanged; it comes back to the member too.
    pub(crate) fn pass_on_shot(&mut self, bytes: &[u8]) {
        self.tally.count(Way::Out, Some(Kind::Shot), bytes.len());
        self.command(Command::Event { target: None, bytes: bytes.to_vec().into() });
    }

    /// A message came that is taken.
    pub(crate) fn took(&mut self, message: &Message, came: Came<'_>) {
        self.trace.message(Way::In, Some(came.sender), message);
        self.tally.count(Way::In, message.kind(), came.bytes.len());
    }

    /// Whether what this one says counts: it is in the party, and not ignored (protocol.md 3, "Malformed").
    /// What was on its way when this player left a party comes after that, and is nothing to the next.
    pub(crate) fn hears(&self, sender: SessionId) -> bool {
        self.party.as_ref().and_then(|party| party.member(sender)).is_some_and(|m| !m.ignored)
    }

    /// Reads a member's message, and checks what takes to know who says it and when.
    pub(crate) fn checked<'a>(
        &self,
        sender: SessionId,
        bytes: &'a [u8],
        now: LocalTime,
    ) -> Result<Message<'a>, InvalidMessage> {
        let message = Message::decode(bytes)?;
        if matches!(message, Message::Pose(_)) && bytes.len() > STATE_MAX {
            return Err(InvalidMessage::TooLarge(bytes.len()));
        }
        let side = if self.is_host() { Side::Member } else { Side::Host };
        match message.kind() {
            // A member's SKIP, which older mods send, is only ignored.
            None | Some(Kind::Skip) => {}
            Some(kind) if kind.side() == Side::Everyone || kind.side() == side => {}
            Some(kind) => return Err(InvalidMessage::WrongSide(kind)),
        }
        match &message {
            Message::World(world) => self.check_stamp(world.stamp_ms, now)?,
            Message::Pose(pose) => {
                self.check_owner(sender, pose.owner)?;
                self.check_stamp(pose.stamp_ms, now)?;
            }
            Message::Shot(shot) => self.check_owner(sender, shot.owner)?,
            _ => {}
        }
        Ok(message)
    }

    fn check_owner(&self, sender: SessionId, owner: SessionId) -> Result<(), InvalidMessage> {
        if self.is_host() && owner != sender {
            return Err(InvalidMessage::OfAnother);
        }
        if self.party.as_ref().is_none_or(|party| party.member(owner).is_none()) {
            return Err(InvalidMessage::OfNobody);
        }
        Ok(())
    }

    fn check_stamp(&self, stamp_ms: i64, now: LocalTime) -> Result<(), InvalidMessage> {
        let server_now = self.server_time(now).map(ServerTime::as_millis);
        if server_now.is_some_and(|server_now| stamp_is_ahead(stamp_ms, server_now)) {
            return Err(InvalidMessage::FromTheFuture);
        }
        Ok(())
    }

    /// Counts a malformed message of a member's. Returns the line for the log, if it is worth one: the
    /// first, and the one that was too many, each at most once in 10 s.
    pub(crate) fn strike(
        &mut self,
        sender: SessionId,
        why: &InvalidMessage,
        now: LocalTime,
    ) -> Option<String> {
        let is_host = self.is_host();
        // The host passes on everyone's poses, by another way than it says who came and who left.
        if !is_host && *why == InvalidMessage::OfNobody {
            return None;
        }
        self.tally.drop_one(why.sort());
        let member = self.party.as_mut()?.member_mut(sender)?;
        let name = member.name.clone();
        let strike = self.strikes.count(sender, now);
        let line = match strike {
            Strike::First => format!("malformed message from {name}: {why}"),
            Strike::Counted => return None,
            Strike::TooMany if !is_host => format!("too many malformed messages from {name}"),
            Strike::TooMany => {
                member.ignored = true;
                if self.hosting.is_none() {
                    format!("too many malformed messages: {name} is ignored")
                } else {
                    self.command(Command::Disconnect { session: sender });
                    format!("too many malformed messages: {name}'s connection is closed")
                }
            }
        };
        self.strikes.told(strike, line, now)
    }
}

#[cfg(test)]
mod tests {
    use mp_protocol::game::{Chunk, Level, MobyId, PlayId, World, WorldMoby};
    use mp_protocol::limits::WORLD_MOBYS_MAX;
    use mp_sockets::Handle;

    use super::*;
    use crate::session::Notice;

    #[test]
    fn what_the_wire_has_no_room_for_is_counted_and_said_once_of_each_kind() {
        let (net, far) = Handle::detached();
        let mut session = Session::new(net, "Nova_7".to_owned(), "", true);
        let moby = WorldMoby {
            id: MobyId::None,
            position: [0.0; 3],
            rotation: Default::default(),
            seq: 0,
            frame: 0,
            anim_time: Default::default(),
            anim_speed: Default::default(),
            flags: Default::default(),
        };
        let mobys = [moby; WORLD_MOBYS_MAX + 1];
        let world = World { level: Level::NONE, stamp_ms: 0, mobys: mobys.as_slice().into() };
        for _ in 0..3 {
            session.send_world(SessionId(2), &world);
        }
        session.send_message(None, &Chunk { play: PlayId(1), offset: 0, bytes: &[] }.into());
        let said: Vec<_> = std::iter::from_fn(|| session.poll(LocalTime::ZERO)).collect();
        let fault = |why: &str| Notice::Fault(format!("a message is not sent: {why}"));
        let whys = ["WORLD count is out of range: 47", "CHUNK size is out of range: 0"];
        assert_eq!(said, whys.map(fault));
        assert_eq!(session.dropped().collect::<Vec<_>>(), [("not fit to be sent", 4)]);
        assert!(far.try_next().is_none());
    }
}
