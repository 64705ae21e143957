//! The deliberate faults of the wire: what one does to a message between mods on its way to the game.

use mp_protocol::game::Message;

/// How far aside, in units, and how coarse a clock, in milliseconds.
const SHIFT: f32 = 3.0;
const COARSE_MS: i64 = 1_000;
/// How long a burst is, and the silence before it, in milliseconds.
const BURST_MS: i64 = 600;

/// A deliberate fault of the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WireFault {
    /// Every POSE says a place 3 units east of the true one.
    PosesShifted,
    /// No POSE arrives.
    PosesDropped,
    /// For 0.6 s in every 1.2 s, no POSE arrives.
    PosesInBursts,
    /// Every POSE says the time of the last whole second.
    StaleStamps,
    /// No KILLED arrives.
    KilledDropped,
    /// Every CHUNK says that it goes a byte further on: no save arrives whole.
    ChunksShifted,
}

/// What became of a message.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Altered {
    /// It is as it was.
    Same,
    /// It is gone.
    Dropped,
    /// It is this now.
    Changed(Vec<u8>),
}

impl WireFault {
    /// Does it to a message, if it is one of those it is done to.
    pub(super) fn alter(self, message: &[u8]) -> Altered {
        match (self, Message::decode(message)) {
            (Self::PosesDropped, Ok(Message::Pose(_)))
            | (Self::KilledDropped, Ok(Message::Killed(_))) => Altered::Dropped,
            (Self::PosesInBursts, Ok(Message::Pose(pose)))
                if pose.stamp_ms.rem_euclid(2 * BURST_MS) < BURST_MS =>
            {
                Altered::Dropped
            }
            (Self::PosesShifted, Ok(Message::Pose(mut pose))) => {
                pose.position[0] += SHIFT;
                changed(&pose.into())
            }
            (Self::StaleStamps, Ok(Message::Pose(mut pose))) => {
                pose.stamp_ms = pose.stamp_ms.saturating_sub(pose.stamp_ms.rem_euclid(COARSE_MS));
                changed(&pose.into())
            }
            (Self::ChunksShifted, Ok(Message::Chunk(mut chunk))) => {
                chunk.offset += 1;
                changed(&chunk.into())
            }
            // What cannot be read is the receiver's to refuse.
            _ => Altered::Same,
        }
    }
}

fn changed(message: &Message<'_>) -> Altered {
    let mut bytes = Vec::new();
    // A place at the edge of the format cannot be moved further: it stays.
    message.encode(&mut bytes).map_or(Altered::Same, |()| Altered::Changed(bytes))
}

#[cfg(test)]
mod tests {
    use mp_protocol::game::{Chunk, Killed, Level, PlayId, Pose, PoseFlags};
    use mp_protocol::{List, SessionId};

    use super::*;

    fn encoded(message: &Message<'_>) -> Vec<u8> {
        let mut bytes = Vec::new();
        message.encode(&mut bytes).expect("within the format");
        bytes
    }

    /// The pose of sequence 1.
    fn pose(x: f32, stamp_ms: i64) -> Vec<u8> {
        let animation = mp_protocol::game::Animation {
            seq: 1,
            frame: 2,
            next_frame: 3,
            time: mp_protocol::game::AnimTime(0),
            speed: mp_protocol::game::PoseAnimSpeed(0),
        };
        let pose = Pose {
            owner: SessionId(7),
            sequence: 1,
            stamp_ms,
            level: Level::new(0).expect("a level"),
            flags: PoseFlags(0),
            position: [x, 2.0, 3.0],
            rotation: [0.0; 3],
            velocity: [0.0; 3],
            state: 0,
            health: 4,
            item: 8,
            animation,
            pieces: List::default(),
        };
        encoded(&pose.into())
    }

    #[test]
    fn each_fault_does_what_it_says_to_poses_and_nothing_to_others() {
        let before = pose(1.0, 5_332);
        assert_eq!(WireFault::PosesShifted.alter(&before), Altered::Changed(pose(4.0, 5_332)));
        assert_eq!(WireFault::StaleStamps.alter(&before), Altered::Changed(pose(1.0, 5_000)));
        assert_eq!(WireFault::PosesDropped.alter(&before), Altered::Dropped);
        assert_eq!(WireFault::PosesInBursts.alter(&before), Altered::Dropped);
        assert_eq!(WireFault::PosesInBursts.alter(&pose(1.0, 5_400)), Altered::Same);
        assert_eq!(WireFault::KilledDropped.alter(&before), Altered::Same);
        let killed = Killed { level: Level::new(0).expect("a level"), keys: List::default() };
        let killed = encoded(&killed.into());
        assert_eq!(WireFault::KilledDropped.alter(&killed), Altered::Dropped);
        let chunk = |offset| encoded(&Chunk { play: PlayId(3), offset, bytes: &[1, 2] }.into());
        assert_eq!(WireFault::ChunksShifted.alter(&chunk(16_000)), Altered::Changed(chunk(16_001)));
        assert_eq!(WireFault::ChunksShifted.alter(&before), Altered::Same);
        for other in [&killed[..], &[], &[7, 0], &[200, 1]] {
            assert_eq!(WireFault::PosesShifted.alter(other), Altered::Same);
        }
    }
}
