//! Who is in the party, as the server tells it, and what each said of itself.

use std::time::Duration;

use mp_protocol::SessionId;
use mp_protocol::game::Arrival;
use mp_protocol::limits::{CODE_MAX, PARTY_SIZE};

use super::words::{DESCRIPTION_SHOWN, or_new_game, shown, shown_name};

/// How a player's link to the server does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct LinkQuality {
    /// There and back; `None` until measured.
    pub round_trip: Option<Duration>,
    /// Whether its state goes by UDP.
    pub udp: bool,
}

impl LinkQuality {
    /// `12 ms UDP`, as the pages say it.
    pub fn words(self) -> String {
        let by = if self.udp { "UDP" } else { "TCP" };
        match self.round_trip {
            Some(round_trip) => format!("{} ms {by}", round_trip.as_millis()),
            None => "-".to_owned(),
        }
    }
}

/// One player of the party.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// Its session's id.
    pub id: SessionId,
    /// Its name, fit to be shown.
    pub name: String,
    /// Whether it said that it is ready.
    pub ready: bool,
    /// Its link, as it says itself.
    pub link: LinkQuality,
    /// How far it followed the host's ship, as it says itself; `None`: it says nothing of it.
    pub arrival: Option<Arrival>,
    /// It sent too much that is malformed: nothing it says counts, and nobody waits for it.
    pub ignored: bool,
}

/// A party.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Party {
    /// The code that others join it by (`DIRECT` at a direct host), fit to be shown.
    pub code: String,
    /// Who hosts it.
    pub host: SessionId,
    /// What it plays, in the host's words, fit to be shown.
    pub description: String,
    members: Vec<Member>,
}

impl Party {
    /// The party that INFO tells of. Nobody is ready yet.
    pub(super) fn new(
        code: String,
        host: SessionId,
        members: Vec<mp_sockets::Member>,
        description: String,
    ) -> Self {
        let code = shown(&code, CODE_MAX);
        let description = shown(or_new_game(&description), DESCRIPTION_SHOWN);
        let mut party = Self { code, host, description, members: Vec::new() };
        for member in members {
            party.joined(member);
        }
        party
    }

    /// Everyone in it, in the order they came, this player included.
    pub fn members(&self) -> &[Member] {
        &self.members
    }

    /// One of them.
    pub fn member(&self, id: SessionId) -> Option<&Member> {
        self.members.iter().find(|member| member.id == id)
    }

    /// The same, to be changed.
    pub(super) fn member_mut(&mut self, id: SessionId) -> Option<&mut Member> {
        self.members.iter_mut().find(|member| member.id == id)
    }

    /// Whether every member but the host, and those ignored, is ready. The host alone is.
    pub fn all_ready(&self) -> bool {
        let waited_for = |member: &&Member| member.id != self.host && !member.ignored;
        self.members.iter().filter(waited_for).all(|member| member.ready)
    }

    /// Told twice of the same one, it stays one member. More than a party holds are none of it.
    pub(super) fn joined(&mut self, member: mp_sockets::Member) {
        if self.member(member.id).is_some() || self.members.len() >= PARTY_SIZE {
            return;
        }
        let (id, name) = (member.id, shown_name(&member.name));
        let link = LinkQuality::default();
        let (ready, arrival, ignored) = (false, None, false);
        self.members.push(Member { id, name, ready, link, arrival, ignored });
    }

    /// Takes one out; `None` if it was not in.
    pub(super) fn left(&mut self, id: SessionId) -> Option<Member> {
        let place = self.members.iter().position(|member| member.id == id)?;
        Some(self.members.remove(place))
    }
}
