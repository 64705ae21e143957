//! What goes out by TCP: the bytes on their way, and what is held back so that the server's limits are
//! never met (protocol.md 1, "A client keeps itself under the limits").
//!
//! Events and party requests keep their order; an event for a receiver that has had its bytes for this
//! second lets those for others pass. State takes turns with events, so that neither starves.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use mp_netcode::LocalTime;
use mp_protocol::{ClientPacket, SessionId, limits};

use super::state::StateQueue;
use crate::api::PartyRequest;
use crate::command::QUEUED_COST;
use crate::window::Window;

/// While this many bytes wait for the socket, events wait here instead, where they can still be counted
/// and forgotten.
const BYTES_AHEAD: usize = 64 << 10;
/// Likewise for state, which should be new when it goes.
const STATE_AHEAD: usize = 16 << 10;
/// How far past an event that has to wait others for other receivers are looked for.
const LOOK_PAST: usize = 1024;
/// A frame's bytes besides what DATA carries.
const DATA_OVERHEAD: usize = 9;

/// The target that means everyone, on the wire.
pub(super) const EVERYONE: i32 = 0;

/// What waits to go out by TCP, and what is on its way.
#[derive(Debug)]
pub(super) struct Outgoing {
    bytes: Vec<u8>,
    written: usize,
    ordered: VecDeque<Ordered>,
    chat: VecDeque<String>,
    list: bool,
    pub(super) state: StateQueue,
    /// State goes next if both it and an event could.
    state_turn: bool,
    held: usize,
    data_rate: Window,
    request_rate: Window,
    chat_rate: Window,
    /// Bytes of DATA to each of the others in the party.
    receivers: BTreeMap<i32, Window>,
}

#[derive(Debug)]
enum Ordered {
    Event { target: i32, bytes: Vec<u8> },
    Request(PartyRequest),
}

/// A `u32` limit as a size.
const fn size(limit: u32) -> usize {
    limit as usize
}

impl Outgoing {
    pub(super) fn new() -> Self {
        Self {
            bytes: Vec::new(),
            written: 0,
            ordered: VecDeque::new(),
            chat: VecDeque::new(),
            list: false,
            state: StateQueue::default(),
            state_turn: false,
            held: 0,
            data_rate: Window::new(size(limits::MEMBER_DATA_PER_SECOND)),
            request_rate: Window::new(size(limits::CLIENT_REQUESTS_PER_SECOND)),
            chat_rate: Window::new(size(limits::CLIENT_REQUESTS_PER_SECOND)),
            receivers: BTreeMap::new(),
        }
    }

    /// The bytes to write to the socket.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes[self.written..]
    }

    /// Takes `count` written bytes off the front.
    pub(super) fn wrote(&mut self, count: usize) {
        self.written = self.bytes.len().min(self.written + count);
        if self.written > self.bytes.len() / 2 {
            self.bytes.drain(..self.written);
            self.written = 0;
        }
    }

    /// What is held back or on its way costs so many bytes.
    pub(super) fn held_back(&self) -> usize {
        self.held + self.state.bytes() + self.bytes().len()
    }

    /// A frame that has no limit to keep.
    pub(super) fn send_now(&mut self, packet: &ClientPacket<'_>) {
        packet.encode(&mut self.bytes).expect("commands are checked as they are handed over");
    }

    pub(super) fn event(&mut self, target: i32, bytes: Vec<u8>) {
        self.held += QUEUED_COST + bytes.len();
        self.ordered.push_back(Ordered::Event { target, bytes });
    }

    pub(super) fn request(&mut self, request: PartyRequest) {
        match request {
            PartyRequest::List => self.list = true,
            in_order => {
                self.held += QUEUED_COST;
                self.ordered.push_back(Ordered::Request(in_order));
            }
        }
    }

    pub(super) fn chat(&mut self, text: String) {
        self.held += QUEUED_COST + text.len();
        self.chat.push_back(text);
    }

    /// In a party with these others, and as its host or not.
    pub(super) fn enter(&mut self, others: impl Iterator<Item = SessionId>, hosts: bool) {
        let rate =
            if hosts { limits::HOST_DATA_PER_SECOND } else { limits::MEMBER_DATA_PER_SECOND };
        self.data_rate.set_limit(size(rate));
        self.receivers = others.map(|id| (id.0, receiver())).collect();
    }

    pub(super) fn joined(&mut self, id: SessionId) {
        self.receivers.entry(id.0).or_insert_with(receiver);
    }

    pub(super) fn left(&mut self, id: SessionId) {
        self.receivers.remove(&id.0);
    }

    /// The party is over: what was for it has no receiver any more. Party requests still go.
    pub(super) fn leave(&mut self) {
        self.data_rate.set_limit(size(limits::MEMBER_DATA_PER_SECOND));
        self.receivers.clear();
        self.ordered.retain(|item| matches!(item, Ordered::Request(_)));
        self.chat.clear();
        self.state.clear();
        self.held = QUEUED_COST * self.ordered.len();
    }

    /// Puts all events and requests on their way, whatever the limits: the link is about to close.
    pub(super) fn flush(&mut self) {
        while !self.ordered.is_empty() {
            self.put_ordered(0);
        }
    }

    /// Puts on its way what may go now.
    pub(super) fn advance(&mut self, now: LocalTime) {
        while let Some(text) = self.chat.front()
            && self.chat_rate.has_room(now, 1)
        {
            self.held -= QUEUED_COST + text.len();
            self.chat_rate.pass(now, 1);
            let packet = ClientPacket::Chat { text };
            packet.encode(&mut self.bytes).expect("commands are checked as they are handed over");
            self.chat.pop_front();
        }
        if self.list && self.request_rate.has_room(now, 1) {
            self.list = false;
            self.request_rate.pass(now, 1);
            self.send_now(&ClientPacket::List);
        }
        while let Some(put) = self.next(now) {
            match put {
                Next::State => self.put_state(now),
                Next::Ordered(index) => {
                    self.count(now, index);
                    self.put_ordered(index);
                }
            }
        }
    }

    /// When [`Self::advance`] next has something to do, unless bytes are written before.
    pub(super) fn next_wake(&mut self, now: LocalTime) -> Option<LocalTime> {
        let chat = (!self.chat.is_empty()).then(|| self.chat_rate.room_at(now, 1));
        let list = self.list.then(|| self.request_rate.room_at(now, 1));
        let ordered = (self.bytes().len() < BYTES_AHEAD).then(|| self.first_ordered(now));
        let ordered = ordered.flatten().map(|(room, _)| room);
        let state = (self.bytes().len() < STATE_AHEAD).then(|| self.state_room_at(now)).flatten();
        [chat, list, ordered, state].into_iter().flatten().min()
    }

    fn next(&mut self, now: LocalTime) -> Option<Next> {
        let waits = self.bytes().len();
        let state = waits < STATE_AHEAD && self.state_room_at(now).is_some_and(|room| room <= now);
        let ordered = (waits < BYTES_AHEAD).then(|| self.first_ordered(now)).flatten();
        match ordered {
            Some((room, index)) if room <= now && !(state && self.state_turn) => {
                Some(Next::Ordered(index))
            }
            _ => state.then_some(Next::State),
        }
    }

    fn state_room_at(&mut self, now: LocalTime) -> Option<LocalTime> {
        let ((target, _), state) = self.state.first()?;
        let size = state.len() + DATA_OVERHEAD;
        Some(self.data_room_at(now, target, size))
    }

    /// Of the events and requests that would pass none they must follow, the one that may go first, and
    /// when.
    fn first_ordered(&mut self, now: LocalTime) -> Option<(LocalTime, usize)> {
        let mut first = None;
        let mut passed = BTreeSet::new();
        for index in 0..self.ordered.len().min(LOOK_PAST) {
            let (target, size) = match &self.ordered[index] {
                Ordered::Event { target, bytes } => (*target, bytes.len() + DATA_OVERHEAD),
                Ordered::Request(_) if index > 0 => break,
                Ordered::Request(PartyRequest::Leave) => return Some((now, 0)),
                Ordered::Request(_) => return Some((self.request_rate.room_at(now, 1), 0)),
            };
            if target == EVERYONE && index > 0 {
                break;
            }
            if passed.insert(target) {
                let room = self.data_room_at(now, target, size);
                if first.is_none_or(|(earliest, _)| room < earliest) {
                    first = Some((room, index));
                }
            }
            if target == EVERYONE || first.is_some_and(|(earliest, _)| earliest <= now) {
                break;
            }
        }
        first
    }

    fn data_room_at(&mut self, now: LocalTime, target: i32, size: usize) -> LocalTime {
        let receivers = self.receivers.iter_mut().filter(|(id, _)| hears(target, **id));
        let rooms = receivers.map(|(_, window)| window.room_at(now, size));
        rooms.max().unwrap_or(now).max(self.data_rate.room_at(now, 1))
    }

    fn count(&mut self, now: LocalTime, index: usize) {
        match &self.ordered[index] {
            Ordered::Event { target, bytes } => {
                let (target, size) = (*target, bytes.len());
                self.count_data(now, target, size);
                self.state_turn = true;
            }
            Ordered::Request(PartyRequest::Leave) => {}
            Ordered::Request(_) => self.request_rate.pass(now, 1),
        }
    }

    fn count_data(&mut self, now: LocalTime, target: i32, size: usize) {
        self.data_rate.pass(now, 1);
        let receivers = self.receivers.iter_mut().filter(|(id, _)| hears(target, **id));
        receivers.for_each(|(_, window)| window.pass(now, size + DATA_OVERHEAD));
    }

    fn put_ordered(&mut self, index: usize) {
        match self.ordered.remove(index) {
            Some(Ordered::Event { target, bytes }) => {
                self.held -= QUEUED_COST + bytes.len();
                self.send_now(&ClientPacket::Data { target, bytes: &bytes });
            }
            Some(Ordered::Request(request)) => {
                self.held -= QUEUED_COST;
                self.send_now(&request.packet());
            }
            None => {}
        }
    }

    fn put_state(&mut self, now: LocalTime) {
        if let Some(((target, _), state)) = self.state.pop() {
            self.count_data(now, target, state.len());
            self.send_now(&ClientPacket::Data { target, bytes: &state });
            self.state_turn = false;
        }
    }
}

enum Next {
    State,
    Ordered(usize),
}

fn receiver() -> Window {
    Window::new(size(limits::DATA_BYTES_PER_SECOND))
}

/// Whether what goes to `target` reaches `receiver`.
fn hears(target: i32, receiver: i32) -> bool {
    target == EVERYONE || target == receiver
}
