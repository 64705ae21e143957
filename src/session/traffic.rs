//! What went over the link, counted for the network page: messages and bytes by kind, and what was not
//! taken, by reason. Counts only; it must never keep a message.

use std::collections::BTreeMap;
use std::time::Duration;

use mp_netcode::LocalTime;
use mp_protocol::game::Kind;
use mp_sockets::{Quality, Traffic};

use crate::trace::Way;

/// Over how long a rate is taken.
const PERIOD: Duration = Duration::from_secs(1);

/// So many messages, and their bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// Messages.
    pub messages: u64,
    /// Their bytes, without the headers of frames and datagrams.
    pub bytes: u64,
}

/// One kind's counts, both ways, in the newest whole second.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KindRate {
    /// Sent. What goes to everyone counts once.
    pub sent: Count,
    /// Received.
    pub received: Count,
}

/// The link as measured, and the bytes a second between measurements.
#[derive(Debug, Default)]
pub(super) struct Meter {
    newest: Option<(LocalTime, Quality)>,
    per_second: Traffic,
}

impl Meter {
    /// A measurement came.
    pub(super) fn measured(&mut self, quality: Quality, now: LocalTime) {
        let before = self.newest.replace((now, quality));
        let Some((at, before)) = before else { return };
        let millis = u64::try_from(now.since(at).as_millis()).unwrap_or(u64::MAX).max(1);
        let rate = |now: u64, before: u64| now.saturating_sub(before).saturating_mul(1000) / millis;
        self.per_second = Traffic {
            received: rate(quality.bytes.received, before.bytes.received),
            sent: rate(quality.bytes.sent, before.bytes.sent),
        };
    }

    /// The newest measurement, and the bytes a second since the one before.
    pub(super) fn newest(&self) -> Option<(Quality, Traffic)> {
        self.newest.map(|(_, quality)| (quality, self.per_second))
    }
}

/// The counts of this session. See the module.
#[derive(Debug, Default)]
pub(super) struct Tally {
    now: BTreeMap<Kind, KindRate>,
    second: BTreeMap<Kind, KindRate>,
    began: LocalTime,
    dropped: BTreeMap<&'static str, u64>,
}

impl Tally {
    /// A message went, or came. A newer version's has no kind, and is not counted.
    pub(super) fn count(&mut self, way: Way, kind: Option<Kind>, bytes: usize) {
        let Some(kind) = kind else { return };
        let rate = self.now.entry(kind).or_default();
        let count = match way {
            Way::Out => &mut rate.sent,
            Way::In => &mut rate.received,
        };
        count.messages += 1;
        count.bytes += bytes as u64;
    }

    /// A message was not taken.
    pub(super) fn drop_one(&mut self, why: &'static str) {
        *self.dropped.entry(why).or_default() += 1;
    }

    /// Time has passed.
    pub(super) fn tick(&mut self, now: LocalTime) {
        if now.since(self.began) >= PERIOD {
            self.began = now;
            self.second = std::mem::take(&mut self.now);
        }
    }

    /// The newest whole second, by kind.
    pub(super) fn rates(&self) -> impl Iterator<Item = (Kind, KindRate)> + '_ {
        self.second.iter().map(|(kind, rate)| (*kind, *rate))
    }

    /// What was not taken so far, and why.
    pub(super) fn dropped(&self) -> impl Iterator<Item = (&'static str, u64)> + '_ {
        self.dropped.iter().map(|(why, count)| (*why, *count))
    }
}
