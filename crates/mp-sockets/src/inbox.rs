//! Reports on their way to the game: held while the game's thread stands still, up to 1 MiB, of state
//! the newest (B3.6). The game's side never waits for the socket thread.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::time::Instant;

use mp_protocol::SessionId;
use mp_protocol::game::Kind;

use crate::api::{Event, PartyNews, Report};
use crate::handoff::Handoff;

/// Bytes of reports held for a game that does not read them (B3.6).
pub const INBOX_MAX: usize = 1 << 20;
/// Bytes of state held whole; over it only the newest of each kind is kept. A game that reads each
/// tick stays far below: a full party's state is under 100 KiB a second.
pub const STATE_HELD_WHOLE: usize = 64 << 10;
/// The kinds of game messages that are state (protocol.md 3): the newest counts, however it came.
const POSE: u8 = Kind::Pose as u8;
const WORLD: u8 = Kind::World as u8;
/// What a report costs besides the bytes it carries.
const REPORT_COST: usize = 64;

/// The game has read nothing for so long that [`INBOX_MAX`] is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stalled;

/// The queue between the socket thread and the game's.
#[derive(Debug, Default)]
pub(crate) struct Inbox(Handoff<Held>);

#[derive(Debug, Default)]
struct Held {
    reports: VecDeque<Report>,
    bytes: usize,
    state_bytes: usize,
}

impl Inbox {
    /// Adds a report. One that would bring it over [`INBOX_MAX`] comes back.
    pub(crate) fn push(&self, report: Report) -> Result<(), Box<Report>> {
        self.0.put(|held| held.push(report))
    }

    /// Forgets the game messages of whoever sent most of what is held, and tells who that is. `None`
    /// when no message is held.
    pub(crate) fn drop_heaviest(&self) -> Option<SessionId> {
        self.0.with(Held::drop_heaviest)
    }

    /// Forgets the game messages held, or, if there is little else than other reports, all of it: what
    /// happens next has to be told.
    pub(crate) fn make_room(&self) {
        self.0.with(|held| {
            held.keep(|event| !matches!(event, Event::Data { .. }));
            if held.bytes > INBOX_MAX / 2 {
                *held = Held::default();
            }
        });
    }

    /// Moves everything held to `into`, unless the socket thread is at it in this very moment.
    pub(crate) fn try_take(&self, into: &mut VecDeque<Report>) {
        self.0.try_take(|held| held.take(into));
    }

    /// As [`Self::try_take`], after waiting for a report until `deadline`. Only for threads that may
    /// wait.
    pub(crate) fn take_until(&self, deadline: Instant, into: &mut VecDeque<Report>) {
        self.0.take_until(deadline, |held| !held.reports.is_empty(), |held| held.take(into));
    }

    /// No more will come: waiting has no use.
    pub(crate) fn end(&self) {
        self.0.end();
    }
}

impl Held {
    fn push(&mut self, report: Report) -> Result<(), Box<Report>> {
        let cost = cost(&report.event);
        let state = state_key(&report.event).is_some();
        if state && self.state_bytes + cost > STATE_HELD_WHOLE {
            self.keep_newest_state();
        }
        if self.bytes + cost > INBOX_MAX {
            return Err(Box::new(report));
        }
        self.bytes += cost;
        self.state_bytes += if state { cost } else { 0 };
        self.reports.push_back(report);
        Ok(())
    }

    fn drop_heaviest(&mut self) -> Option<SessionId> {
        let mut weights = BTreeMap::<SessionId, usize>::new();
        for report in &self.reports {
            if let Event::Data { sender, .. } = &report.event {
                *weights.entry(*sender).or_default() += cost(&report.event);
            }
        }
        let (&heaviest, _) = weights.iter().max_by_key(|&(_, weight)| weight)?;
        self.keep(|event| !matches!(event, Event::Data { sender, .. } if *sender == heaviest));
        Some(heaviest)
    }

    fn take(&mut self, into: &mut VecDeque<Report>) {
        into.append(&mut self.reports);
        self.bytes = 0;
        self.state_bytes = 0;
    }

    /// Of each sender's state keeps the newest of each kind, and of that half of what may be held whole.
    fn keep_newest_state(&mut self) {
        let mut seen = BTreeSet::new();
        let mut state_bytes = 0;
        let reports = std::mem::take(&mut self.reports);
        for report in reports.into_iter().rev() {
            if let Some(key) = state_key(&report.event) {
                let with = state_bytes + cost(&report.event);
                if with > STATE_HELD_WHOLE / 2 || !seen.insert(key) {
                    self.bytes -= cost(&report.event);
                    continue;
                }
                state_bytes = with;
            }
            self.reports.push_front(report);
        }
        self.state_bytes = state_bytes;
    }

    fn keep(&mut self, wanted: impl Fn(&Event) -> bool) {
        self.reports.retain(|report| wanted(&report.event));
        self.bytes = self.reports.iter().map(|report| cost(&report.event)).sum();
        let state = self.reports.iter().filter(|report| state_key(&report.event).is_some());
        self.state_bytes = state.map(|report| cost(&report.event)).sum();
    }
}

/// What tells one state from the next of its kind: the sender, the message's kind byte and, for a pose,
/// whose it is (a host passes on every member's). `None` for what is no state.
fn state_key(event: &Event) -> Option<(SessionId, u8, [u8; 4])> {
    let Event::Data { sender, bytes, udp, .. } = event else { return None };
    let kind = *bytes.first()?;
    if !udp && kind != POSE && kind != WORLD {
        return None;
    }
    let owner = if kind == POSE { bytes.get(1..5) } else { None };
    Some((*sender, kind, owner.and_then(|four| four.try_into().ok()).unwrap_or_default()))
}

fn cost(event: &Event) -> usize {
    let carried = match event {
        Event::Data { bytes, .. } => bytes.len(),
        Event::Chat { text, .. } => text.len(),
        Event::Party(PartyNews::List(rows)) => rows
            .iter()
            .map(|row| REPORT_COST + row.code.len() + row.host.len() + row.description.len())
            .sum(),
        Event::Party(PartyNews::Info { members, description, .. }) => {
            description.len() + members.iter().map(|member| member.name.len()).sum::<usize>()
        }
        _ => 0,
    };
    REPORT_COST + carried
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::LinkId;
    use mp_netcode::LocalTime;
    use std::sync::Arc;
    use std::time::Duration;

    const HOST: SessionId = SessionId(1);

    fn data(bytes: Vec<u8>, udp: bool) -> Report {
        Report {
            link: LinkId(1),
            event: Event::Data { sender: HOST, bytes: bytes.into(), at: LocalTime::ZERO, udp },
        }
    }

    fn pose(owner: i32, stamp: u8) -> Report {
        let mut bytes = vec![POSE];
        bytes.extend(owner.to_be_bytes());
        bytes.resize(300, stamp);
        data(bytes, true)
    }

    fn taken(inbox: &Inbox) -> Vec<Report> {
        let mut into = VecDeque::new();
        inbox.try_take(&mut into);
        into.into()
    }

    /// B3.6
    #[test]
    fn events_are_held_whole_and_in_order_up_to_1_mib() {
        let inbox = Inbox::default();
        let mut sent = Vec::new();
        let refused = loop {
            let report =
                data(vec![KILLED, u8::try_from(sent.len() % 256).expect("small"), 0], false);
            match inbox.push(report.clone()) {
                Ok(()) => sent.push(report),
                Err(refused) => break *refused == report,
            }
        };
        assert!(refused);
        assert_eq!(sent.len(), INBOX_MAX / (REPORT_COST + 3));
        assert_eq!(taken(&inbox), sent);
        inbox.push(data(vec![KILLED; 65_531], false)).expect("there is room again");
    }

    const KILLED: u8 = Kind::Killed as u8;

    /// B3.1: it takes nothing rather than wait for the socket thread, and the next time what there is.
    #[test]
    fn a_game_that_reads_while_the_socket_thread_writes_does_not_wait() {
        let inbox = Arc::new(Inbox::default());
        let report = data(vec![KILLED], false);
        inbox.push(report.clone()).expect("room");
        // What is in `with` holds the lock, as the socket thread does while it writes.
        inbox.0.with(|_| {
            let (done, read) = crossbeam_channel::bounded(1);
            let reading = Arc::clone(&inbox);
            std::thread::spawn(move || done.send(taken(&reading)).expect("the test listens"));
            assert_eq!(read.recv_timeout(Duration::from_secs(20)), Ok(Vec::new()));
        });
        assert_eq!(taken(&inbox), [report]);
    }

    /// B3.6
    #[test]
    fn state_of_a_few_ticks_is_all_there() {
        let inbox = Inbox::default();
        let sent: Vec<_> = (0..100).map(|stamp| pose(i32::from(stamp % 3), stamp)).collect();
        sent.iter().for_each(|report| inbox.push(report.clone()).expect("room"));
        assert_eq!(taken(&inbox), sent);
    }

    /// B3.6
    #[test]
    fn of_a_long_stall_every_event_and_the_newest_state_of_each_player_is_left() {
        let inbox = Inbox::default();
        // 30 s of four players' poses, by datagram or as DATA, among them an event each second.
        for tick in 0..600_u32 {
            for owner in 0..4 {
                let mut report = pose(owner, u8::try_from(tick % 256).expect("small"));
                if let Event::Data { udp, .. } = &mut report.event {
                    *udp = owner % 2 == 0;
                }
                inbox.push(report).expect("state never fills it");
            }
            if tick % 20 == 0 {
                inbox.push(data(vec![KILLED; 1000], false)).expect("room");
            }
        }
        let left = taken(&inbox);
        let kinds = |kind: u8| {
            left.iter().filter(move |report| {
                matches!(&report.event, Event::Data { bytes, .. } if bytes[0] == kind)
            })
        };
        assert_eq!(kinds(KILLED).count(), 30);
        assert!(kinds(POSE).count() * 364 <= STATE_HELD_WHOLE);
        for owner in 0..4 {
            let newest = kinds(POSE)
                .rfind(|report| state_key(&report.event) == state_key(&pose(owner, 0).event));
            assert!(
                matches!(&newest.expect("one").event, Event::Data { bytes, .. } if bytes[299] == 87)
            );
        }
    }

    /// B3.6
    #[test]
    fn state_of_made_up_kinds_and_owners_stays_bounded() {
        let inbox = Inbox::default();
        for owner in 0..20_000 {
            inbox.push(pose(owner, 0)).expect("state never fills it");
            inbox
                .push(data(vec![u8::try_from(owner % 256).expect("small"); 1195], true))
                .expect("nor this");
        }
        inbox.0.with(|held| {
            assert!(held.state_bytes <= STATE_HELD_WHOLE);
            assert_eq!(held.bytes, held.state_bytes);
            let carried = held.reports.iter().map(|report| cost(&report.event));
            assert_eq!(held.bytes, carried.sum::<usize>());
        });
    }

    /// B3.6
    #[test]
    fn making_room_keeps_what_is_no_message() {
        let inbox = Inbox::default();
        let end = Report { link: LinkId(1), event: Event::Party(PartyNews::End) };
        inbox.push(end.clone()).expect("room");
        while inbox.push(data(vec![KILLED; 60_000], false)).is_ok() {}
        inbox.make_room();
        assert_eq!(taken(&inbox), std::slice::from_ref(&end));
        while inbox.push(end.clone()).is_ok() {}
        inbox.make_room();
        inbox.push(end).expect("room");
    }
}
