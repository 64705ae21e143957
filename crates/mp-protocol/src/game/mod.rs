//! What the mods say to each other inside DATA and STATE: a kind byte, then its fields
//! (protocol.md 3).
//!
//! Decoding checks all that the bytes themselves can show: lengths, counts, ranges, finite floats,
//! positions near enough. What takes context is the receiver's: whether the sender is on the side
//! that may say it ([`Kind::side`]), whether an owner is its sender or in the party, whether a stamp
//! is too far ahead ([`stamp_is_ahead`]), whether a level or a play is the receiver's.
//!
//! Bytes past the known fields are ignored, for a newer mod may send more. A field with a "since"
//! that is absent takes protocol.md's default; a group of them is there whole or not at all.

mod fight;
mod flags;
mod ids;
mod lobby;
mod pose;
mod progress;
mod scene;
mod units;
mod world;

pub use fight::{Blow, Bolts, Claim, Damage, Hit};
pub use flags::{MobyFlags, PieceFlags, PoseFlags};
pub use ids::{Level, MobyId, MobyKey, NetId, PlayId};
pub use lobby::{
    Arrival, Chunk, Link, LinkRow, Links, Play, PlayFrom, Ready, ReadyRow, ReadyStates, Start, Want,
};
pub use pose::{Animation, Piece, Placement, Pose, Shot};
pub use progress::Progress;
pub use scene::{HostLevel, Scene, SceneProgress, SceneState, Skip, SkipTarget, SkipWhat, Travel};
pub use units::{AnimTime, MobyAngle, MobyAnimSpeed, PoseAnimSpeed};
pub use world::{Broke, Dead, Despawn, Killed, Spawn, World, WorldMoby};

pub use crate::wire::position_fits;

use alloc::vec::Vec;

use crate::error::Malformed;
use crate::limits::STAMP_AHEAD_MAX_MS;
use crate::wire::{Fields, Reader, Writer, append};

/// Who in a party may say a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Members other than the host, to the host.
    Member,
    /// The host, to its members.
    Host,
    /// Either.
    Everyone,
}

/// Protocol.md 3's table: number, name, fields, who says it, what it is.
macro_rules! messages {
    ($($number:literal $kind:ident($fields:ty) $side:ident $what:literal)*) => {
        /// What a message is about: its first byte.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum Kind {
            $(#[doc = $what] $kind = $number,)*
        }

        impl Kind {
            /// Every kind this version knows, by number.
            pub const ALL: &[Self] = &[$(Self::$kind,)*];

            /// Who may say it. From the other side it is malformed, but for a member's SKIP, which
            /// older mods send and which is only ignored.
            #[must_use]
            pub const fn side(self) -> Side {
                match self {
                    $(Self::$kind => Side::$side,)*
                }
            }
        }

        /// A message between mods.
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub enum Message<'a> {
            $(#[doc = $what] $kind($fields),)*
            /// A kind of a newer version, to be ignored: 24 to 63, or 66 and up.
            Unknown(u8),
        }

        impl<'a> Message<'a> {
            fn read(kind: u8, r: &mut Reader<'a>) -> Result<Self, Malformed> {
                match kind {
                    $($number => Fields::read(r).map(Self::$kind),)*
                    _ => check_newer(kind).map(Self::Unknown),
                }
            }

            fn write(&self, w: &mut Writer<'_>) -> Result<(), Malformed> {
                match self {
                    $(Self::$kind(fields) => {
                        w.u8($number);
                        fields.write(w)
                    })*
                    &Self::Unknown(kind) => {
                        w.u8(check_newer(kind)?);
                        Ok(())
                    }
                }
            }

            /// What it is about; `None` for a newer version's.
            #[must_use]
            pub const fn kind(&self) -> Option<Kind> {
                match self {
                    $(Self::$kind(_) => Some(Kind::$kind),)*
                    Self::Unknown(_) => None,
                }
            }
        }

        $(impl<'a> From<$fields> for Message<'a> {
            fn from(fields: $fields) -> Self {
                Self::$kind(fields)
            }
        })*
    };
}

messages! {
    1 Ready(Ready) Member "READY: the member is ready, or no longer."
    2 State(ReadyStates<'a>) Host "STATE: who is ready."
    3 Start(Start) Host "START: the lobby's Start."
    4 Play(Play<'a>) Host "PLAY: play this game; a save follows in CHUNKs."
    5 Chunk(Chunk<'a>) Host "CHUNK: a part of PLAY's save."
    6 Level(HostLevel) Host "LEVEL: where the host plays, and its last travel."
    7 Pose(Pose<'a>) Everyone "POSE: a player's hero, as state."
    8 Want(Want) Member "WANT: asks for the host's game again."
    9 World(World<'a>) Host "WORLD: where the host's mobys are, as state to one member."
    10 Killed(Killed<'a>) Host "KILLED: placed mobys gone in the host's game."
    11 Spawn(Spawn) Host "SPAWN: a moby the host's game made."
    12 Despawn(Despawn<'a>) Host "DESPAWN: the end of mobys the host's game made."
    13 Hit(Hit) Member "HIT: the member hit the host's moby."
    14 Damage(Damage) Host "DAMAGE: the host's moby hit that member."
    15 Bolts(Bolts) Host "BOLTS: bolts that are that member's."
    16 Dead(Dead<'a>) Host "DEAD: which placed mobys are gone, to one who arrives."
    17 Broke(Broke) Member "BROKE: the member broke a crate or took a pickup."
    18 Skip(Skip) Host "SKIP: the host's Start in a scene or a movie."
    19 Shot(Shot) Everyone "SHOT: a shot a player fired."
    20 Scene(Scene) Host "SCENE: a scene of the level that the host's game plays."
    21 SceneState(SceneState) Member "SCENE_STATE: where a member is with that scene."
    22 Claim(Claim) Member "CLAIM: the member's hero collected that bolt."
    23 Progress(Progress<'a>) Everyone "PROGRESS: what the member, or from the host the party, has."
    64 Link(Link) Member "LINK: the member's link to the server."
    65 Links(Links<'a>) Host "LINKS: every member's link, the host's too."
}

/// A kind that a newer version may use; 0 is nobody's.
fn check_newer(kind: u8) -> Result<u8, Malformed> {
    match kind {
        24..=63 | 66.. => Ok(kind),
        _ => Err(Malformed::UnknownKind { what: "message kind", kind }),
    }
}

impl<'a> Message<'a> {
    /// Reads what DATA or STATE carried.
    ///
    /// # Errors
    /// Why it is malformed: drop it and count it.
    pub fn decode(bytes: &'a [u8]) -> Result<Self, Malformed> {
        let mut r = Reader::new(bytes);
        let kind = r.u8("message kind")?;
        Self::read(kind, &mut r)
    }

    /// Appends the message, for DATA or STATE to carry.
    ///
    /// # Errors
    /// What [`decode`](Self::decode) would refuse; `out` is as it was.
    pub fn encode(&self, out: &mut Vec<u8>) -> Result<(), Malformed> {
        append(out, |w| self.write(w))
    }
}

/// Whether a stamp is so far ahead of the server's clock (both in milliseconds) that the message is
/// malformed: over [`STAMP_AHEAD_MAX_MS`].
#[must_use]
pub const fn stamp_is_ahead(stamp_ms: i64, server_clock_ms: i64) -> bool {
    stamp_ms > server_clock_ms.saturating_add(STAMP_AHEAD_MAX_MS)
}

#[cfg(test)]
mod tests {
    use super::{Kind, Message, Side, stamp_is_ahead};
    use crate::error::Malformed;
    use alloc::vec::Vec;

    #[test]
    fn kinds_of_newer_versions_are_known_to_be_unknown() {
        for number in 0..=255 {
            let known = Kind::ALL.iter().any(|&kind| kind as u8 == number);
            let unknown = Message::decode(&[number]) == Ok(Message::Unknown(number));
            assert_eq!(unknown, number != 0 && !known, "{number}");
            let mut out = Vec::new();
            assert_eq!(Message::Unknown(number).encode(&mut out).is_ok(), unknown, "{number}");
        }
        let refused = Malformed::UnknownKind { what: "message kind", kind: 0 };
        assert_eq!(Message::decode(&[0, 1, 2]), Err(refused));
    }

    #[test]
    fn each_side_has_its_kinds() {
        let of = |side| Kind::ALL.iter().filter(move |kind| kind.side() == side).map(|&k| k as u8);
        assert!(of(Side::Member).eq([1, 8, 13, 17, 21, 22, 64]));
        assert!(of(Side::Everyone).eq([7, 19, 23]));
        assert_eq!(of(Side::Host).count(), 15);
    }

    #[test]
    fn a_stamp_may_be_10_seconds_ahead() {
        assert!(!stamp_is_ahead(11_000, 1_000));
        assert!(stamp_is_ahead(11_001, 1_000));
        assert!(!stamp_is_ahead(i64::MIN, i64::MAX));
        assert!(!stamp_is_ahead(i64::MAX, i64::MAX));
        assert!(stamp_is_ahead(i64::MAX, i64::MIN));
    }
}
