//! Parties made, entered, left, found and listed, and who is told of it (protocol.md 1).

use alloc::vec::Vec;

use mp_protocol::limits::{LIST_ROWS_MAX, PARTY_SIZE};
use mp_protocol::{ErrorReason, ListRow, Member as InfoMember, PartyInfo, ServerPacket};

use crate::config::Mode;
use crate::connection::{ConnectionId, Membership};
use crate::output::NoteReason;
use crate::party::{Code, Member, PartyKey};
use crate::router::Router;

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

    pub(crate) fn join(&mut self, id: ConnectionId, code: &str) {
        if self.is_in_one(id) {
            return;
        }
        if matches!(self.mode, Mode::Direct { .. }) {
            self.enter_direct(id);
        } else if let Some(party) = Code::asked(code).and_then(|code| self.parties.find(code)) {
            self.enter(id, party);
        } else {
            self.links.send_error(id, ErrorReason::NoSuchParty);
        }
    }

    pub(crate) fn find(&mut self, id: ConnectionId) {
        if self.is_in_one(id) {
            return;
        }
        if matches!(self.mode, Mode::Direct { .. }) {
            self.enter_direct(id);
        } else if let Some(party) = self.parties.any_with_room() {
            self.enter(id, party);
        } else {
            self.begin(id, "");
        }
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
        let code = self.parties.free_code((self.random)());
        self.begin_as(id, code, description);
    }

    fn begin_as(&mut self, id: ConnectionId, code: Code, description: &str) {
        let Some(host) = self.as_member(id) else { return };
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
        let Some(party) = self.parties.get(key) else { return };
        for member in party.members() {
            self.links.send(member.connection, &ServerPacket::Left { id: left });
        }
    }

    /// Ends a party: END to everyone who is still in it.
    pub(crate) fn end_party(&mut self, key: PartyKey) {
        let Some(party) = self.parties.remove(key) else { return };
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
        let size = u8::try_from(PARTY_SIZE).expect("4 fits");
        let rows: Vec<_> = self
            .parties
            .with_room()
            .rev()
            .take(LIST_ROWS_MAX)
            .map(|party| ListRow {
                code: party.code.as_str(),
                host: &party.host().name,
                members: u8::try_from(party.members().len()).expect("at most 4"),
                size,
                description: &party.description,
            })
            .collect();
        self.links.send(id, &ServerPacket::List(rows.as_slice().into()));
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
