//! The load: who sends what to whom, in an order that is the same in every run.

/// A party's second, as it is measured.
pub const MEMBER_TO_HOST: usize = 60;
pub const HOST_TO_ALL: usize = 80;
pub const HOST_TO_ONE: usize = 45;
pub const SMALL: usize = 100;
pub const LARGE: usize = 1_150;

/// Members of a party, the host not counted.
pub const MEMBERS: usize = 3;

/// One message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Message {
    /// A member's to its host.
    Up { party: usize, member: usize },
    /// A host's to all its members.
    All { party: usize },
    /// A host's to one.
    One { party: usize, member: usize },
}

impl Message {
    pub const fn party(self) -> usize {
        match self {
            Self::Up { party, .. } | Self::All { party } | Self::One { party, .. } => party,
        }
    }

    /// Bytes of what it carries.
    pub const fn size(self) -> usize {
        match self {
            Self::Up { .. } | Self::All { .. } => SMALL,
            Self::One { .. } => LARGE,
        }
    }

    /// Who gets it: 0 is the host, then the members.
    pub fn receivers(self) -> impl Iterator<Item = usize> {
        match self {
            Self::Up { .. } => 0..1,
            Self::All { .. } => 1..MEMBERS + 1,
            Self::One { member, .. } => member..member + 1,
        }
    }

    /// Who sends it.
    pub const fn sender(self) -> usize {
        match self {
            Self::Up { member, .. } => member,
            Self::All { .. } | Self::One { .. } => 0,
        }
    }
}

/// A second of so many parties, mixed.
pub fn second(parties: usize) -> Vec<Message> {
    let mut messages = Vec::new();
    for party in 0..parties {
        let member = |number: usize| number % MEMBERS + 1;
        messages.extend((0..MEMBER_TO_HOST).map(|it| Message::Up { party, member: member(it) }));
        messages.extend((0..HOST_TO_ALL).map(|_| Message::All { party }));
        messages.extend((0..HOST_TO_ONE).map(|it| Message::One { party, member: member(it) }));
    }
    shuffle(&mut messages);
    messages
}

/// Only poses of hosts to all: 1 to 3 of 100 bytes.
pub fn poses(parties: usize) -> Vec<Message> {
    let mut messages: Vec<_> =
        (0..parties).flat_map(|party| vec![Message::All { party }; 185]).collect();
    shuffle(&mut messages);
    messages
}

fn shuffle(messages: &mut [Message]) {
    let mut random = 0x5eed_u64;
    for index in (1..messages.len()).rev() {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        messages.swap(index, (random >> 33) as usize % (index + 1));
    }
}
