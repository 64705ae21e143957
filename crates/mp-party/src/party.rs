//! The parties: their codes, their members and which have room. It must never know of connections'
//! bytes: who is told what is the router's.

use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::fmt;

use mp_protocol::{SessionId, limits};

use crate::connection::ConnectionId;

/// A party's code: six characters, upper case.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Code([u8; limits::PARTY_CODE_CHARS]);

impl Code {
    /// What a client asked for, in either case; none if no party could have it.
    pub(crate) fn asked(text: &str) -> Option<Self> {
        let mut code: [u8; limits::PARTY_CODE_CHARS] = text.as_bytes().try_into().ok()?;
        code.make_ascii_uppercase();
        code.is_ascii().then_some(Self(code))
    }

    /// A direct host's one party.
    pub(crate) fn direct() -> Self {
        Self::asked(limits::DIRECT_CODE).expect("it has a code's length")
    }

    /// The code of a number: its low 30 bits, 5 a character.
    fn from_number(number: u64) -> Self {
        let mut code = [0; limits::PARTY_CODE_CHARS];
        for (place, character) in (0_u32..).zip(&mut code) {
            let index = (number >> (5 * place)) & 31;
            *character = limits::PARTY_CODE_ALPHABET[usize::try_from(index).expect("5 bits fit")];
        }
        Self(code)
    }

    /// A number that any two codes which differ in one character differ in.
    pub(crate) fn sum(self) -> u32 {
        self.0.into_iter().map(u32::from).sum()
    }

    /// The code as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        str::from_utf8(&self.0).expect("a code is ASCII")
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

/// Names a party while the router runs; a newer party's is greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct PartyKey(u64);

/// One who is in a party.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Member {
    pub(crate) connection: ConnectionId,
    pub(crate) session: SessionId,
    pub(crate) name: Box<str>,
}

#[derive(Debug)]
pub(crate) struct Party {
    pub(crate) code: Code,
    pub(crate) description: Box<str>,
    /// In the order they came, the host first: a party is over when its host leaves.
    members: Vec<Member>,
}

impl Party {
    pub(crate) fn host(&self) -> &Member {
        &self.members[0]
    }

    pub(crate) fn others(&self) -> &[Member] {
        &self.members[1..]
    }

    /// In the order they came, the host first.
    pub(crate) fn members(&self) -> &[Member] {
        &self.members
    }

    pub(crate) fn has_room(&self) -> bool {
        self.members.len() < limits::PARTY_SIZE
    }
}

/// The parties, by key and by code.
#[derive(Debug, Default)]
pub(crate) struct Parties {
    by_key: BTreeMap<PartyKey, Party>,
    by_code: BTreeMap<Code, PartyKey>,
    created: u64,
}

impl Parties {
    /// A party with this code, which must be free.
    pub(crate) fn create(&mut self, code: Code, description: &str, host: Member) -> PartyKey {
        self.created += 1;
        let key = PartyKey(self.created);
        let mut members = Vec::with_capacity(limits::PARTY_SIZE);
        members.push(host);
        self.by_key.insert(key, Party { code, description: description.into(), members });
        self.by_code.insert(code, key);
        key
    }

    /// A code that is free and `fits`, drawn from `random`; the next such one where it is not.
    pub(crate) fn free_code(&self, random: u64, fits: impl Fn(Code) -> bool) -> Code {
        (0..)
            .map(|step: u64| Code::from_number(random.wrapping_add(step)))
            .find(|code| !self.by_code.contains_key(code) && fits(*code))
            .expect("memory ends before 2^30 parties do")
    }

    pub(crate) fn get(&self, key: PartyKey) -> Option<&Party> {
        self.by_key.get(&key)
    }

    pub(crate) fn find(&self, code: Code) -> Option<PartyKey> {
        self.by_code.get(&code).copied()
    }

    /// Adds a member; false if there is no such party or no room in it.
    pub(crate) fn add(&mut self, key: PartyKey, member: Member) -> bool {
        let Some(party) = self.by_key.get_mut(&key).filter(|party| party.has_room()) else {
            return false;
        };
        party.members.push(member);
        true
    }

    /// Takes a member out that is not the host.
    pub(crate) fn remove_member(&mut self, key: PartyKey, connection: ConnectionId) {
        if let Some(party) = self.by_key.get_mut(&key) {
            party.members.retain(|member| member.connection != connection);
        }
    }

    /// Ends a party and hands it out.
    pub(crate) fn remove(&mut self, key: PartyKey) -> Option<Party> {
        let party = self.by_key.remove(&key)?;
        self.by_code.remove(&party.code);
        Some(party)
    }

    pub(crate) fn keys(&self) -> impl Iterator<Item = PartyKey> + '_ {
        self.by_key.keys().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_six_characters_of_the_alphabet() {
        assert_eq!(Code::from_number(0).as_str(), "222222");
        assert_eq!(Code::from_number(u64::MAX).as_str(), "ZZZZZZ");
        assert_eq!(Code::from_number(31 << 5).as_str(), "2Z2222");
    }

    #[test]
    fn a_code_is_asked_for_in_either_case() {
        assert_eq!(Code::asked("h7kq2m").unwrap().as_str(), "H7KQ2M");
        assert_eq!(Code::asked("direct"), Some(Code::direct()));
        for none in ["", "H7KQ2", "H7KQ2MM", "éé22"] {
            assert_eq!(Code::asked(none), None, "{none}");
        }
    }

    #[test]
    fn a_taken_code_is_not_given_again_even_by_a_stuck_generator() {
        let mut parties = Parties::default();
        let host = Member {
            connection: crate::connection::tests::ANY_ID,
            session: SessionId(1),
            name: "Nova".into(),
        };
        for _ in 0..100 {
            let code = parties.free_code(u64::MAX, |_| true);
            assert_eq!(parties.find(code), None);
            parties.create(code, "", host.clone());
        }
    }
}
