//! Parties made, entered, left, found and listed, and who is told of it (protocol.md 1).

use alloc::vec::Vec;

use mp_protocol::limits::LIST_ROWS_MAX;
use mp_protocol::{ErrorReason, Member as InfoMember, PartyInfo, ServerPacket};

use crate::config::Mode;
use crate::connection::{ConnectionId, Membership};
use crate::output::NoteReason;
use crate::party::{Code, Member, PartyKey};
use crate::router::Router;
use crate::shard::{Errand, Journey};

impl Router {
    pub(crate) fn create(&mut self, id: ConnectionId, description: &str) {
        if self.is_in_one(id) {
            return;
        }
        if matches!(self.mode, Mode::Direct { .. }) {
            self.enter_direct(id);
        } else {
            self.begin(id, description);
        }
    }

    /// Puts one into the party it asks for (`None`: a code that no party could have). A party of another
    /// router is asked for there.
    pub(crate) fn join(&mut self, id: ConnectionId, code: Option<Code>) -> Option<Journey> {
        if self.is_in_one(id) {
            return None;
        }
        if matches!(self.mode, Mode::Direct { .. }) {
            self.enter_direct(id);
            return None;
        }
        if let Some(code) = code
            && let Some(to) = self.shard.elsewhere(code)
        {
            return Some(Journey { to, errand: Errand::Join(code) });
        }
        match code.and_then(|code| self.parties.find(code)) {
            Some(party) => self.enter(id, party),
            None => self.links.send_error(id, ErrorReason::NoSuchParty),
        }
        None
    }

    /// Puts one into any party with room; should that one be full when it gets there, it looks again.
    pub(crate) fn find(&mut self, id: ConnectionId) -> Option<Journey> {
        if self.is_in_one(id) {
            return None;
        }
        if matches!(self.mode, Mode::Direct { .. }) {
            self.enter_direct(id);
            return None;
        }
        let code = self.links.commons.with(|commons| commons.directory.any_with_room());
        if let Some(to) = code.and_then(|code| self.shard.elsewhere(code)) {
            return Some(Journey { to, errand: Errand::Find });
        }
        match code.and_then(|code| self.parties.find(code)) {
            Some(party) => self.enter(id, party),
            None => self.begin(id, ""),
        }
        None
    }

    /// ERROR 2 to one who is in a party.
    fn is_in_one(&mut self, id: ConnectionId) -> bool {
        let connection = self.links.connections.get(id);
        let in_one = connection.is_some_and(|connection| connection.membership().is_some());
        if in_one {
            self.links.send_error(id, ErrorReason::AlreadyInOne);
        }
        in_one
    }

    /// Puts one into a direct host's party, which the host's own client begins.
    pub(crate) fn enter_direct(&mut self, id: ConnectionId) {
        let own = self.links.connections.get(id).is_some_and(|it| it.address.is_none());
        match (&self.mode, self.parties.find(Code::direct())) {
            (_, Some(party)) => self.enter(id, party),
            (Mode::Direct { description }, None) if own => {
                let description = description.clone();
                self.begin_as(id, Code::direct(), &description);
            }
            _ => self.links.send_error(id, ErrorReason::NoSuchParty),
        }
    }

    /// Begins a party with a code of its own.
    fn begin(&mut self, id: ConnectionId, description: &str) {
        if self.closed_to_parties {
            self.links.send_error(id, ErrorReason::Full);
            return;
        }
        let shard = self.shard;
        let own = |code| shard.elsewhere(code).is_none();
        let code = self.parties.free_code((self.random)(), own);
        self.begin_as(id, code, description);
    }

    fn begin_as(&mut self, id: ConnectionId, code: Code, description: &str) {
        let Some(host) = self.as_member(id) else { return };
        self.links.commons.with(|it| it.directory.begin(code, &host.name, description));
        let party = self.parties.create(code, description, host);
        self.set_membership(id, Membership { party, host: true });
        self.links.counters.parties += 1;
        self.links.note(id, NoteReason::PartyBegan(code));
        self.send_info(id, party);
    }

    fn enter(&mut self, id: ConnectionId, key: PartyKey) {
        let Some(member) = self.as_member(id) else { return };
        let (session, name) = (member.session, member.name.clone());
        if !self.parties.add(key, member) {
            self.links.send_error(id, ErrorReason::Full);
            return;
        }
        self.set_membership(id, Membership { party: key, host: false });
        self.send_info(id, key);
        self.list_members(key);
        let Some(party) = self.parties.get(key) else { return };
        for other in party.members().iter().filter(|member| member.connection != id) {
            let joined = ServerPacket::Joined { id: session, name: &name };
            self.links.send(other.connection, &joined);
        }
    }

    /// Takes one out of its party, if it is in one, and tells those who stay; without its host a party
    /// is over.
    pub(crate) fn leave(&mut self, id: ConnectionId) {
        let connection = self.links.connections.get_mut(id);
        let Some(session) = connection.and_then(|connection| connection.session_mut()) else {
            return;
        };
        let left = session.id;
        let Some(Membership { party: key, host }) = session.membership.take() else { return };
        if host {
            self.end_party(key);
            return;
        }
        self.parties.remove_member(key, id);
        self.list_members(key);
        let Some(party) = self.parties.get(key) else { return };
        for member in party.members() {
            self.links.send(member.connection, &ServerPacket::Left { id: left });
        }
    }

    /// Ends a party: END to everyone who is still in it.
    pub(crate) fn end_party(&mut self, key: PartyKey) {
        let Some(party) = self.parties.remove(key) else { return };
        self.links.commons.with(|commons| commons.directory.end(party.code));
        self.links.counters.parties_ended += 1;
        self.links.note(party.host().connection, NoteReason::PartyEnded(party.code));
        for member in party.members() {
            let connection = self.links.connections.get_mut(member.connection);
            let session = connection.and_then(|connection| connection.session_mut());
            if session.is_some_and(|session| session.membership.take().is_some()) {
                self.links.send(member.connection, &ServerPacket::End);
            }
        }
    }

    /// The parties with room, newest first.
    pub(crate) fn list(&mut self, id: ConnectionId) {
        let frame = self.links.commons.with(|commons| {
            let rows: Vec<_> = commons.directory.rows().take(LIST_ROWS_MAX).collect();
            let mut frame = Vec::new();
            let list = ServerPacket::List(rows.as_slice().into());
            list.encode(&mut frame).expect("every row was checked on the way in");
            frame
        });
        self.links.send_frame(id, &frame);
    }

    /// Tells the directory how many are in a party.
    fn list_members(&mut self, key: PartyKey) {
        if let Some(party) = self.parties.get(key) {
            let (code, members) = (party.code, party.members().len());
            self.links.commons.with(|commons| commons.directory.count(code, members));
        }
    }

    fn send_info(&mut self, id: ConnectionId, key: PartyKey) {
        let Some(party) = self.parties.get(key) else { return };
        let members: Vec<_> = party
            .members()
            .iter()
            .map(|member| InfoMember { id: member.session, name: &member.name })
            .collect();
        let info = PartyInfo {
            code: party.code.as_str(),
            host: party.host().session,
            members: members.as_slice().into(),
            description: &party.description,
        };
        self.links.send(id, &ServerPacket::Info(info));
    }

    fn as_member(&self, id: ConnectionId) -> Option<Member> {
        let session = self.links.connections.get(id)?.session()?;
        Some(Member { connection: id, session: session.id, name: session.name.clone() })
    }

    fn set_membership(&mut self, id: ConnectionId, membership: Membership) {
        let connection = self.links.connections.get_mut(id);
        if let Some(session) = connection.and_then(|connection| connection.session_mut()) {
            session.membership = Some(membership);
        }
    }
}
