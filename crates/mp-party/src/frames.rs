//! What a connection's frames do: HELLO first and once, the limits, then whom they are for.

use mp_netcode::LocalTime;
use mp_protocol::limits::FRAME_PREFIX;
use mp_protocol::{ClientPacket, ErrorReason, ServerPacket, SessionId, Token, name_is_valid};

use crate::config::Mode;
use crate::connection::{ConnectionId, Session, Stage};
use crate::output::{CloseReason, NoteReason};
use crate::party::Code;
use crate::rates::Strike;
use crate::router::Router;
use crate::shard::{Departure, Journey};

impl Router {
    /// Cuts what came into frames and obeys each, until the connection is on its way out or off to
    /// another router.
    pub(crate) fn read_frames(
        &mut self,
        now: LocalTime,
        id: ConnectionId,
        bytes: &[u8],
    ) -> Option<Departure> {
        let connection = self.links.heard(id)?;
        let mut journey = None;
        let mut begun = connection.frame_begun;
        // Taken out, so that a frame can be lent from it while the router changes.
        let mut reader = core::mem::take(&mut connection.reader);
        reader.lend(|| self.links.spares.take());
        let mut input = bytes;
        while journey.is_none() && self.links.heard(id).is_some() {
            let read = match reader.next(&mut input) {
                Ok(None) => break,
                Ok(Some(body)) => self.frame(now, id, body),
                Err(error) => Err(CloseReason::BadLength(error)),
            };
            begun = None;
            match read {
                Ok(onward) => journey = onward,
                Err(why) => self.links.doom(id, why),
            }
        }
        self.links.spares.give(reader.reclaim());
        if let Some(connection) = self.links.heard(id) {
            connection.frame_begun = reader.is_partial().then(|| begun.unwrap_or(now));
            connection.reader = reader;
            self.links.arm(id);
        }
        self.depart(id, journey?, input)
    }

    /// Parses one frame, then holds it to the limits, then to the party's state (protocol.md 1).
    fn frame(
        &mut self,
        now: LocalTime,
        id: ConnectionId,
        body: &[u8],
    ) -> Result<Option<Journey>, CloseReason> {
        let packet = ClientPacket::decode(body).map_err(CloseReason::Malformed)?;
        let Some(connection) = self.links.heard(id) else { return Ok(None) };
        connection.last_frame = now;
        let greeted = connection.session().is_some();
        self.links.counters.frames_in += 1;
        match packet {
            ClientPacket::Hello { .. } if greeted => return Err(CloseReason::SecondHello),
            ClientPacket::Hello { .. } => {}
            _ if !greeted => return Err(CloseReason::NoHello),
            _ => {}
        }
        if let Err(limit) = self.charge(now, id, &packet, body.len()) {
            self.links.strike(now, id, limit);
            return Ok(None);
        }
        match packet {
            ClientPacket::Hello { version: _, name } => self.greet(id, name)?,
            ClientPacket::Create { description } => self.create(id, description),
            ClientPacket::Join { code } => return Ok(self.join(id, Code::asked(code))),
            ClientPacket::Leave => self.leave(id),
            ClientPacket::Find => return Ok(self.find(id)),
            ClientPacket::List => self.list(id),
            ClientPacket::Chat { text } => self.chat(now, id, text),
            ClientPacket::Data { target, bytes } => self.data(now, id, target, bytes),
            ClientPacket::Time { clock_ms } => self.tell_time(now, id, clock_ms),
        }
        Ok(None)
    }

    /// Takes a frame out of the connection's rates.
    fn charge(
        &mut self,
        now: LocalTime,
        id: ConnectionId,
        packet: &ClientPacket<'_>,
        body: usize,
    ) -> Result<(), Strike> {
        let Some(connection) = self.links.heard(id) else { return Ok(()) };
        let bytes = u32::try_from(FRAME_PREFIX + body).expect("a frame is at most 64 KiB");
        let hosts = connection.hosts();
        connection.rates.frame(now, bytes, hosts)?;
        match packet {
            ClientPacket::Chat { .. } => connection.rates.chat(now),
            ClientPacket::Create { .. }
            | ClientPacket::Join { .. }
            | ClientPacket::Find
            | ClientPacket::List => connection.rates.lobby_request(now),
            ClientPacket::Hello { .. }
            | ClientPacket::Leave
            | ClientPacket::Data { .. }
            | ClientPacket::Time { .. } => Ok(()),
        }
    }

    /// Begins a session: HELLO, UDP, and at a direct host the party.
    fn greet(&mut self, id: ConnectionId, name: &str) -> Result<(), CloseReason> {
        if !name_is_valid(name) {
            self.links.send_error(id, ErrorReason::BadName);
            return Err(CloseReason::BadName);
        }
        let session = self.next_session.ok_or(CloseReason::NoSessions)?;
        self.next_session = session.checked_add(self.shard.session_step());
        let session = SessionId(session);
        let token = Token::from_bits((self.random)());
        let Some(connection) = self.links.heard(id) else { return Ok(()) };
        connection.stage = Stage::Greeted(Session {
            id: session,
            token,
            name: name.into(),
            membership: None,
            binding: None,
        });
        self.sessions.insert(session, id);
        if !self.shard.is_only() {
            let index = self.shard.index();
            self.links.commons.with(|commons| commons.sessions.insert(session, index));
        }
        self.links.counters.sessions += 1;
        self.links.note(id, NoteReason::Greeted(session));
        self.links.send(id, &ServerPacket::Hello { session });
        if let Some(port) = self.udp_port {
            self.links.send(id, &ServerPacket::Udp { token, port });
        }
        if matches!(self.mode, Mode::Direct { .. }) {
            self.enter_direct(id);
        }
        Ok(())
    }

    /// Echoes TIME with the server's clock: wall time at its start, monotonic after.
    fn tell_time(&mut self, now: LocalTime, id: ConnectionId, clock_ms: i64) {
        let since_ms = i64::try_from(now.as_millis()).unwrap_or(i64::MAX);
        let server_ms = self.epoch_ms.saturating_add(since_ms);
        self.links.send(id, &ServerPacket::Time { echo_ms: clock_ms, server_ms });
    }
}
