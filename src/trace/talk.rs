//! What the party said of the shared world, as lines: its events with their mobys, and of each snapshot
//! what came into it and what is in it no more.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Write};

use mp_protocol::SessionId;
use mp_protocol::game::{Level, Message, MobyId, MobyKey, World};

use super::{Trace, What};

/// Which way a message goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Way {
    /// It was sent to one, or to all.
    Out,
    /// It came from one.
    In,
}

/// The mobys of the newest snapshot each way, by who it goes to or comes from.
pub(super) type Snapshots = BTreeMap<(Way, Option<SessionId>), BTreeSet<u16>>;

impl Trace {
    /// Tells of a message that was sent or received, if it is one of the shared world. `peer`: whom to, or
    /// whom from; `None`: all.
    pub fn message(&self, way: Way, peer: Option<SessionId>, message: &Message) {
        if !self.is_on() {
            return;
        }
        if let Message::World(world) = message {
            return self.snapshot(way, peer, world);
        }
        let Some(Told { name, level, of, ids }) = told(message) else { return };
        self.line(What::Msg, |line| {
            begin(line, way, peer, name, level)?;
            write_ids(line, of, ids)
        });
    }

    /// Tells of a message that was dropped, whose it was, and why (B3.4).
    pub fn dropped(&self, from: SessionId, why: &dyn fmt::Display) {
        self.line(What::Msg, |line| write!(line, "dropped from={} why={why}", from.0));
    }

    fn snapshot(&self, way: Way, peer: Option<SessionId>, world: &World) {
        let now: BTreeSet<u16> = world.mobys.iter().map(|moby| moby.id.to_bits()).collect();
        let before = self.newest_snapshot(way, peer, now.clone());
        self.line(What::Snap, |line| {
            begin(line, way, peer, "", world.level)?;
            write!(line, " count={}", world.mobys.len())?;
            write_ids(line, "added", now.difference(&before).copied().collect())?;
            write_ids(line, "missing", before.difference(&now).copied().collect())
        });
    }
}

/// An event of the shared world: its name, its level, and its mobys with what they are called.
struct Told {
    name: &'static str,
    level: Level,
    of: &'static str,
    ids: Vec<u16>,
}

fn told(message: &Message) -> Option<Told> {
    let (name, level, of, ids) = match message {
        Message::Killed(killed) => {
            ("KILLED", killed.level, "keys", killed.keys.iter().map(MobyKey::get).collect())
        }
        Message::Dead(dead) => {
            ("DEAD", dead.level, "keys", dead.iter().map(MobyKey::get).collect())
        }
        Message::Spawn(spawn) => {
            ("SPAWN", spawn.level, "id", vec![MobyId::Net(spawn.net).to_bits()])
        }
        Message::Despawn(despawn) => {
            let nets = despawn.nets.iter().map(|net| MobyId::Net(net).to_bits()).collect();
            ("DESPAWN", despawn.level, "ids", nets)
        }
        Message::Broke(broke) => ("BROKE", broke.level, "key", vec![broke.key.get()]),
        Message::Claim(claim) => ("CLAIM", claim.level, "id", vec![claim.id.to_bits()]),
        _ => return None,
    };
    Some(Told { name, level, of, ids })
}

fn begin(
    line: &mut String,
    way: Way,
    peer: Option<SessionId>,
    name: &str,
    level: Level,
) -> fmt::Result {
    let (way, side) = match way {
        Way::Out => ("out", "to"),
        Way::In => ("in", "from"),
    };
    let gap = if name.is_empty() { "" } else { " " };
    write!(line, "{way}{gap}{name} {side}=")?;
    match peer {
        Some(peer) => write!(line, "{}", peer.0)?,
        None => line.push_str("all"),
    }
    write!(line, " level={}", level.number().map_or(-1, i32::from))
}

/// ` name=1,2,0x8003`; nothing without numbers.
fn write_ids(line: &mut String, name: &str, ids: Vec<u16>) -> fmt::Result {
    for (index, id) in ids.into_iter().enumerate() {
        match index {
            0 => write!(line, " {name}=")?,
            _ => line.push(','),
        }
        if id < 0x8000 { write!(line, "{id}")? } else { write!(line, "{id:#06x}")? }
    }
    Ok(())
}
