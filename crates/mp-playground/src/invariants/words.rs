//! What a game's mod and the others' told each other of bolts (BOLTS), taken down where the game's link
//! passes: by mp-lab's network, and by the proxies of a run.

use std::collections::BTreeMap;

use mp_protocol::game::Message;

/// What was said on one game's link since the game's start, in the value of the bolts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BoltWords {
    /// What this game told others is theirs, all in all.
    pub paid: i64,
    /// What it told each who is in its party, by session, since that one came.
    pub paid_to: BTreeMap<i32, i64>,
    /// What it was told is its own, all in all.
    pub granted: i64,
    /// The game's session, while it is in a party.
    pub session: Option<i32>,
    /// How often it came into a party.
    pub parties: u32,
}

impl BoltWords {
    /// It came into a party, as that session, with those members in it.
    pub fn entered(&mut self, session: i32, members: impl Iterator<Item = i32>) {
        self.parties += 1;
        self.session = Some(session);
        self.paid_to = members.filter(|member| *member != session).map(|id| (id, 0)).collect();
    }

    /// Its party is over for it.
    pub fn ended(&mut self) {
        self.session = None;
        self.paid_to.clear();
    }

    /// Another came into the party.
    pub fn joined(&mut self, session: i32) {
        self.paid_to.insert(session, 0);
    }

    /// Another left it.
    pub fn left(&mut self, session: i32) {
        self.paid_to.remove(&session);
    }

    /// A message between mods goes out, to one of the party or to all the others.
    pub fn sent(&mut self, target: Option<i32>, message: &[u8]) {
        let Some(count) = count(message) else { return };
        match target {
            Some(target) => {
                self.paid += count;
                // One of whom it was not told that it left may have left.
                if let Some(paid) = self.paid_to.get_mut(&target) {
                    *paid += count;
                }
            }
            None => {
                for paid in self.paid_to.values_mut() {
                    self.paid += count;
                    *paid += count;
                }
            }
        }
    }

    /// And what was said elsewhere on behalf of the same game: to others.
    #[must_use]
    pub fn and(mut self, other: &Self) -> Self {
        self.paid += other.paid;
        self.paid_to.extend(&other.paid_to);
        self.session = self.session.or(other.session);
        self.parties = self.parties.max(other.parties);
        self
    }

    /// A message between mods comes in.
    pub fn came(&mut self, message: &[u8]) {
        self.granted += count(message).unwrap_or_default();
    }
}

/// How many bolts a message is about, if it is BOLTS.
fn count(message: &[u8]) -> Option<i64> {
    match Message::decode(message) {
        Ok(Message::Bolts(bolts)) => Some(bolts.count.into()),
        _ => None,
    }
}
