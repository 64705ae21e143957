//! What the mods tell each other about the party itself: who is ready, and how each one's link does
//! (protocol.md 3: READY, STATE, LINK, LINKS).

use std::time::Duration;

use mp_netcode::LocalTime;
use mp_protocol::SessionId;
use mp_protocol::game::{Arrival, Link, LinkRow, Links, Message, Ready, ReadyRow, ReadyStates};
use mp_protocol::limits::LINK_INTERVAL;

use super::Session;
use super::party::LinkQuality;
use crate::changes::Changes;

/// When the lobby's messages go next.
#[derive(Debug, Default)]
pub(super) struct Beats {
    next_link: LocalTime,
    /// How far this player followed the host's ship; to be told at once when it changes.
    arrival: Arrival,
    arrival_due: bool,
    arrivals: Changes,
    /// The newest tick's.
    now: LocalTime,
    ready_due: bool,
}

impl Session {
    /// This player is ready, or no longer; the host's word makes it so for all (B4.1).
    pub fn set_ready(&mut self, ready: bool) {
        if self.is_host() {
            return;
        }
        if let Some(me) = self.me()
            && let Some(member) = self.party.as_mut().and_then(|party| party.member_mut(me))
        {
            member.ready = ready;
        }
        self.send_message(None, &Ready { ready }.into());
    }

    /// One that was given the game that is on did not have to get ready (B4.4), and keeps no later Start
    /// waiting.
    pub(crate) fn count_as_ready(&mut self, id: SessionId) {
        if let Some(member) = self.party.as_mut().and_then(|party| party.member_mut(id)) {
            member.ready = true;
            self.beats.ready_due = true;
        }
    }

    /// Takes a message about the party itself. Returns whether it was one.
    pub(crate) fn lobby_message(&mut self, sender: SessionId, message: &Message) -> bool {
        let Some(party) = self.party.as_mut() else { return false };
        match message {
            Message::Ready(ready) => {
                if let Some(member) = party.member_mut(sender) {
                    member.ready = ready.ready;
                    self.beats.ready_due = true;
                }
            }
            Message::State(states) => {
                for row in states.members.iter() {
                    if let Some(member) = party.member_mut(row.id) {
                        member.ready = row.ready;
                    }
                }
            }
            Message::Link(link) => {
                if let Some(member) = party.member_mut(sender) {
                    member.link = quality(link.ping_ms, link.udp);
                    member.arrival = link.arrival;
                }
            }
            Message::Links(links) => {
                for row in links.members.iter() {
                    if let Some(member) = party.member_mut(row.id) {
                        member.link = quality(row.ping_ms, row.udp);
                    }
                }
            }
            _ => return false,
        }
        true
    }

    /// How far this player followed the host's ship; the host is told with the next LINK, which a change
    /// makes due.
    pub(crate) fn set_arrival(&mut self, arrival: Arrival) {
        if self.beats.arrival != arrival {
            self.beats.arrival = arrival;
            self.beats.arrival_due = true;
            self.send_arrival();
        }
    }

    fn send_arrival(&mut self) {
        let beats = &mut self.beats;
        if beats.arrival_due && beats.arrivals.may(beats.now) {
            self.send_link();
        }
    }

    /// Someone came: it is told who is ready.
    pub(super) fn tell_ready(&mut self) {
        self.beats.ready_due = true;
    }

    /// Sends what is due about the party itself.
    pub fn tick(&mut self, now: LocalTime) {
        self.tally.tick(now);
        if self.party.is_none() {
            return;
        }
        self.beats.now = now;
        self.send_arrival();
        if std::mem::take(&mut self.beats.ready_due) && self.is_host() {
            self.send_ready_states();
        }
        if now >= self.beats.next_link {
            self.beats.next_link = now + LINK_INTERVAL;
            if self.is_host() {
                self.send_links();
            } else {
                self.send_link();
            }
        }
    }

    fn send_ready_states(&mut self) {
        let rows: Vec<_> = self
            .party
            .iter()
            .flat_map(|party| party.members())
            .map(|member| ReadyRow { id: member.id, ready: member.ready })
            .collect();
        self.send_message(None, &ReadyStates { members: rows.as_slice().into() }.into());
    }

    fn send_link(&mut self) {
        self.beats.arrival_due = false;
        let LinkQuality { round_trip, udp } = self.quality;
        let arrival = Some(self.beats.arrival);
        self.send_message(None, &Link { ping_ms: round_trip.map(millis), udp, arrival }.into());
    }

    fn send_links(&mut self) {
        let (me, own) = (self.me(), self.quality);
        let rows: Vec<_> = self
            .party
            .iter()
            .flat_map(|party| party.members())
            .map(|member| {
                let link = if Some(member.id) == me { own } else { member.link };
                LinkRow { id: member.id, ping_ms: link.round_trip.map(millis), udp: link.udp }
            })
            .collect();
        self.send_message(None, &Links { members: rows.as_slice().into() }.into());
    }
}

fn quality(ping_ms: Option<u32>, udp: bool) -> LinkQuality {
    LinkQuality { round_trip: ping_ms.map(|ms| Duration::from_millis(ms.into())), udp }
}

/// As LINK carries it; a round trip past its range is as good as the longest.
fn millis(round_trip: Duration) -> u32 {
    i32::try_from(round_trip.as_millis()).map_or(i32::MAX.unsigned_abs(), i32::unsigned_abs)
}
