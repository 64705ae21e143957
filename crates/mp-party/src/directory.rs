//! The parties of a server as LIST names them and FIND chooses them: their codes, their hosts' names and
//! how many are in each, whichever router they live on.

use alloc::boxed::Box;
use alloc::collections::{BTreeMap, BTreeSet};

use mp_protocol::ListRow;
use mp_protocol::limits::PARTY_SIZE;

use crate::party::Code;

/// A party as others see it.
#[derive(Debug)]
struct Entry {
    code: Code,
    host: Box<str>,
    description: Box<str>,
    members: usize,
}

/// Every party there is, and which have room.
#[derive(Debug, Default)]
pub(crate) struct Directory {
    /// By age: a newer party's number is greater.
    entries: BTreeMap<u64, Entry>,
    numbers: BTreeMap<Code, u64>,
    with_room: BTreeSet<u64>,
    created: u64,
}

impl Directory {
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// A party began; its host alone is in it.
    pub(crate) fn begin(&mut self, code: Code, host: &str, description: &str) {
        self.created += 1;
        let entry = Entry { code, host: host.into(), description: description.into(), members: 1 };
        self.entries.insert(self.created, entry);
        self.numbers.insert(code, self.created);
        self.with_room.insert(self.created);
    }

    /// So many are in that party now.
    pub(crate) fn count(&mut self, code: Code, members: usize) {
        let Some(number) = self.numbers.get(&code) else { return };
        if let Some(entry) = self.entries.get_mut(number) {
            entry.members = members;
        }
        if members < PARTY_SIZE {
            self.with_room.insert(*number);
        } else {
            self.with_room.remove(number);
        }
    }

    /// That party is over.
    pub(crate) fn end(&mut self, code: Code) {
        if let Some(number) = self.numbers.remove(&code) {
            self.entries.remove(&number);
            self.with_room.remove(&number);
        }
    }

    /// The oldest with room: parties fill up before new ones are begun.
    pub(crate) fn any_with_room(&self) -> Option<Code> {
        self.entries.get(self.with_room.first()?).map(|entry| entry.code)
    }

    /// Those with room, newest first.
    pub(crate) fn rows(&self) -> impl Iterator<Item = ListRow<'_>> {
        let entries = self.with_room.iter().rev().filter_map(|number| self.entries.get(number));
        entries.map(|entry| ListRow {
            code: entry.code.as_str(),
            host: &entry.host,
            members: small(entry.members),
            size: small(PARTY_SIZE),
            description: &entry.description,
        })
    }
}

fn small(count: usize) -> u8 {
    u8::try_from(count).expect("a party has at most 4 members")
}
