//! How much of the sequenced state is lost on its way: what is missing between the sequence numbers of
//! each player's poses, however they come. It is counted here rather than by the game, which after a
//! stall sees only the newest (B3.6).

use std::collections::BTreeMap;

use mp_netcode::Sequence;
use mp_protocol::SessionId;
use mp_protocol::game::Kind;

/// Senders and owners kept apart; a party has three others.
const STREAMS_MAX: usize = 8;

/// The poses of everyone who sends some.
#[derive(Debug, Default)]
pub(super) struct StateLoss {
    /// By who sent them and whose they are: a host passes on every member's.
    streams: BTreeMap<(SessionId, SessionId), Stream>,
}

/// The newest of one player's sequence numbers.
#[derive(Debug)]
struct Stream {
    newest: Sequence,
    /// Bit n: the one n before the newest came.
    came: u128,
    /// How many of the bits count.
    span: u32,
}

impl StateLoss {
    /// A game message came.
    pub(super) fn came(&mut self, sender: SessionId, message: &[u8]) {
        let Some((owner, sequence)) = pose(message) else { return };
        let has_room = self.streams.len() < STREAMS_MAX;
        match self.streams.get_mut(&(sender, owner)) {
            Some(stream) => stream.came(sequence),
            None if has_room => {
                self.streams.insert((sender, owner), Stream::new(sequence));
            }
            None => {}
        }
    }

    /// One who left sends no more.
    pub(super) fn left(&mut self, id: SessionId) {
        self.streams.retain(|(sender, owner), _| *sender != id && *owner != id);
    }

    /// In a party, or out of one: what was counted is another's.
    pub(super) fn clear(&mut self) {
        self.streams.clear();
    }

    /// The share that did not come, 0 to 1.
    pub(super) fn share(&self) -> f32 {
        let span: u32 = self.streams.values().map(|stream| stream.span).sum();
        let came: u32 = self.streams.values().map(|stream| stream.came.count_ones()).sum();
        #[expect(clippy::cast_precision_loss, reason = "at most 8 x 128")]
        if span > 0 { (span - came) as f32 / span as f32 } else { 0.0 }
    }
}

impl Stream {
    const fn new(sequence: Sequence) -> Self {
        Self { newest: sequence, came: 1, span: 1 }
    }

    fn came(&mut self, sequence: Sequence) {
        let ahead = i32::from(self.newest.distance_to(sequence));
        let steps = ahead.unsigned_abs();
        if steps >= u128::BITS {
            // It was away for long, or began anew.
            *self = Self::new(sequence);
        } else if ahead <= 0 {
            // Late, or a second time. One from before the first says nothing.
            if steps < self.span {
                self.came |= 1 << steps;
            }
        } else {
            self.newest = sequence;
            self.came = (self.came << steps) | 1;
            self.span = u128::BITS.min(self.span + steps);
        }
    }
}

/// Whose pose a message is, and its number (protocol.md 3, POSE); `None` if it is none.
fn pose(message: &[u8]) -> Option<(SessionId, Sequence)> {
    let (kind, fields) = message.split_first()?;
    let (owner, fields) = fields.split_first_chunk()?;
    let (sequence, _) = fields.split_first_chunk()?;
    let owner = SessionId(i32::from_be_bytes(*owner));
    let sequence = Sequence(u16::from_be_bytes(*sequence));
    (*kind == Kind::Pose as u8).then_some((owner, sequence))
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOST: SessionId = SessionId(1);
    const OTHER: SessionId = SessionId(2);

    fn message(owner: SessionId, sequence: u16) -> Vec<u8> {
        let mut message = vec![Kind::Pose as u8];
        message.extend(owner.0.to_be_bytes());
        message.extend(sequence.to_be_bytes());
        message.resize(65, 0);
        message
    }

    /// The share lost once these of the host's came, in this order.
    fn share(sequences: impl IntoIterator<Item = u16>) -> f32 {
        let mut loss = StateLoss::default();
        sequences.into_iter().for_each(|sequence| loss.came(HOST, &message(HOST, sequence)));
        loss.share()
    }

    #[test]
    fn what_is_missing_between_the_numbers_is_lost() {
        assert_eq!(share([]), 0.0);
        assert_eq!(share([9]), 0.0);
        assert_eq!(share(0..50), 0.0);
        assert_eq!(share([1, 2, 4, 6, 10]), 0.5);
    }

    #[test]
    fn what_comes_late_or_twice_is_not() {
        assert_eq!(share([5, 8, 6, 7, 6, 8]), 0.0);
        assert_eq!(share([5, 8, 4, 7]), 0.25, "6; 4 was never waited for");
    }

    #[test]
    fn numbers_come_round() {
        assert_eq!(share([65_534, 65_535, 0, 1]), 0.0);
        assert_eq!(share([65_534, 1]), 0.5);
        assert_eq!(share([1, 65_535]), 0.0);
    }

    #[test]
    fn only_the_newest_128_count() {
        assert_eq!(share([0].into_iter().chain(65..=192)), 0.0);
        assert_eq!(share([0].into_iter().chain(64..=190)), 1.0 / 128.0);
    }

    #[test]
    fn one_who_begins_anew_has_lost_nothing() {
        assert_eq!(share([10, 1000, 1001]), 0.0);
        assert_eq!(share([40_000, 3]), 0.0);
        assert_eq!(share([0, 32_768, 32_769, 32_771]), 0.25);
    }

    #[test]
    fn players_are_counted_apart_and_one_who_left_no_more() {
        let mut loss = StateLoss::default();
        for sequence in 0..10 {
            loss.came(HOST, &message(HOST, sequence));
            loss.came(HOST, &message(OTHER, 1000 + 3 * sequence));
            loss.came(OTHER, &message(HOST, 500));
        }
        assert_eq!(loss.share(), 18.0 / 39.0);
        loss.left(OTHER);
        assert_eq!(loss.share(), 0.0);
    }

    #[test]
    fn made_up_players_cost_no_more_than_eight() {
        let mut loss = StateLoss::default();
        for owner in 0..1000 {
            loss.came(HOST, &message(SessionId(owner), 1));
        }
        assert_eq!(loss.streams.len(), STREAMS_MAX);
    }

    #[test]
    fn what_is_no_pose_says_nothing() {
        let mut loss = StateLoss::default();
        let whole = message(HOST, 7);
        for cut in 0..7 {
            loss.came(HOST, &whole[..cut]);
        }
        loss.came(HOST, &[&[Kind::World as u8], &whole[1..]].concat());
        assert!(loss.streams.is_empty());
    }
}
