//! One connection, from HELLO to its end: what the server says, the clock, liveness, and which way
//! state goes.

use std::collections::VecDeque;
use std::time::Duration;

use mp_netcode::{ClockSync, Grade, Liveness, LocalTime, ServerTime};
use mp_protocol::datagram::ServerDatagram;
use mp_protocol::{
    ClientPacket, ErrorReason, FrameReader, HELLO_VERSION, PartyInfo, ServerPacket, SessionId,
    limits,
};

use super::datagrams::Datagrams;
use super::loss::StateLoss;
use super::outgoing::{EVERYONE, Outgoing};
use super::{Output, Outputs};
use crate::api::{Event, LostReason, Member, PartyNews, PartyRequest, PartyRow, Quality, Traffic};

/// How long the server may take to answer HELLO.
pub(crate) const HELLO_TIMEOUT: Duration = Duration::from_secs(10);
/// Without a word for this long, the link is interrupted, and then gone (B3.2).
pub(crate) const INTERRUPTED_AFTER: Duration = Duration::from_secs(2);
pub(crate) const GONE_AFTER: Duration = Duration::from_secs(10);
/// A connection that lasted this long was a good one: the next attempt after it need not be put off.
const SETTLED_AFTER: Duration = Duration::from_secs(10);
/// TIMEs whose answers are waited for; in this many seconds the link is gone.
const ASKED_MAX: usize = 16;

/// One connection's state.
#[derive(Debug)]
pub(super) struct Conversation {
    began: LocalTime,
    in_process: bool,
    reader: FrameReader,
    outgoing: Outgoing,
    greeted: Option<Greeted>,
    turned_away: Option<ErrorReason>,
    traffic: Traffic,
}

/// What there is once the server has answered HELLO.
#[derive(Debug)]
struct Greeted {
    session: SessionId,
    liveness: Liveness,
    grade: Grade,
    clock: ClockSync,
    next_time: LocalTime,
    /// The clock in each TIME that has no answer yet, oldest first, and when it went.
    asked: VecDeque<(i64, LocalTime)>,
    role: Role,
    datagrams: Option<Datagrams>,
    loss: StateLoss,
    /// Whether state went by datagram alone when last looked at.
    udp: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    Alone,
    Member,
    Host,
}

impl Conversation {
    /// A connection that has just opened.
    pub(super) fn new(now: LocalTime, name: &str, in_process: bool) -> Self {
        let mut outgoing = Outgoing::new();
        outgoing.send_now(&ClientPacket::Hello { version: HELLO_VERSION, name });
        let reader = FrameReader::new();
        Self {
            began: now,
            in_process,
            reader,
            outgoing,
            greeted: None,
            turned_away: None,
            traffic: Traffic::default(),
        }
    }

    pub(super) fn is_greeted(&self) -> bool {
        self.greeted.is_some()
    }

    /// The ERROR that came instead of HELLO.
    pub(super) fn turned_away(&self) -> Option<ErrorReason> {
        self.turned_away
    }

    pub(super) fn has_settled(&self, now: LocalTime) -> bool {
        self.is_greeted() && now.since(self.began) >= SETTLED_AFTER
    }

    pub(super) fn outgoing(&self) -> &[u8] {
        self.outgoing.bytes()
    }

    pub(super) fn wrote(&mut self, count: usize) {
        self.traffic.sent += count as u64;
        self.outgoing.wrote(count);
    }

    pub(super) fn held_back(&self) -> usize {
        let datagrams = self.greeted.as_ref().and_then(|greeted| greeted.datagrams.as_ref());
        self.outgoing.held_back() + datagrams.map_or(0, |datagrams| datagrams.state.bytes())
    }

    /// What should still go out when the link is closed: all events, and LEAVE.
    pub(super) fn last_words(mut self) -> Vec<u8> {
        if self.greeted.is_some_and(|greeted| greeted.role != Role::Alone) {
            self.outgoing.flush();
            self.outgoing.send_now(&ClientPacket::Leave);
        }
        self.outgoing.bytes().to_vec()
    }

    pub(super) fn request(&mut self, request: PartyRequest) {
        let Some(greeted) = &mut self.greeted else { return };
        if request == PartyRequest::Leave {
            greeted.role = Role::Alone;
            greeted.loss.clear();
            self.outgoing.state.clear();
            if let Some(datagrams) = &mut greeted.datagrams {
                datagrams.state.clear();
            }
        }
        self.outgoing.request(request);
    }

    pub(super) fn chat(&mut self, text: String) {
        if self.target(None).is_some() {
            self.outgoing.chat(text);
        }
    }

    pub(super) fn event(&mut self, target: Option<SessionId>, bytes: Vec<u8>) {
        if let Some(target) = self.target(target) {
            self.outgoing.event(target, bytes);
        }
    }

    /// By datagram once they come back, by DATA where there are none or it is too large for one, and
    /// both ways in between (protocol.md 2).
    pub(super) fn state(
        &mut self,
        now: LocalTime,
        target: Option<SessionId>,
        key: u32,
        bytes: Vec<u8>,
    ) {
        let Some(target) = self.target(target) else { return };
        let datagrams = self.greeted.as_mut().and_then(|greeted| greeted.datagrams.as_mut());
        match datagrams.filter(|_| bytes.len() <= limits::STATE_MAX) {
            Some(datagrams) if datagrams.comes_back(now) => {
                datagrams.state.push((target, key), bytes);
            }
            Some(datagrams) => {
                datagrams.state.push((target, key), bytes.clone());
                self.outgoing.state.push((target, key), bytes);
            }
            None => self.outgoing.state.push((target, key), bytes),
        }
    }

    /// Bytes came. A reason: the connection is over.
    pub(super) fn received(
        &mut self,
        now: LocalTime,
        mut bytes: &[u8],
        outputs: &mut Outputs<'_>,
    ) -> Option<LostReason> {
        self.traffic.received += bytes.len() as u64;
        if let Some(greeted) = &mut self.greeted {
            greeted.liveness.heard(now);
        }
        let mut reader = std::mem::take(&mut self.reader);
        loop {
            let packet = match reader.next(&mut bytes) {
                Ok(Some(body)) => ServerPacket::decode(body),
                Ok(None) => break,
                Err(error) => return Some(LostReason::Protocol(error.to_string())),
            };
            let heard = packet.map_err(|malformed| malformed.to_string());
            if let Err(words) = heard.and_then(|packet| self.packet(now, packet, outputs)) {
                return Some(LostReason::Protocol(words));
            }
        }
        self.reader = reader;
        None
    }

    /// A datagram came.
    pub(super) fn datagram(&mut self, now: LocalTime, bytes: &[u8], outputs: &mut Outputs<'_>) {
        let Some(greeted) = &mut self.greeted else { return };
        let Some(datagrams) = &mut greeted.datagrams else { return };
        // What no server sends is some stranger's, and says nothing about ours.
        let Ok(datagram) = ServerDatagram::decode(bytes) else { return };
        self.traffic.received += bytes.len() as u64;
        greeted.liveness.heard(now);
        datagrams.came(now);
        if let ServerDatagram::State { sender, bytes } = datagram {
            greeted.loss.came(sender, bytes);
            outputs.report(Event::Data {
                sender,
                bytes: bytes.to_vec().into(),
                at: now,
                udp: true,
            });
        }
    }

    /// Judges what time decides, and asks for the time. A reason: the connection is over.
    pub(super) fn judge(
        &mut self,
        now: LocalTime,
        outputs: &mut Outputs<'_>,
    ) -> Option<LostReason> {
        let Some(greeted) = &mut self.greeted else {
            let late = now.since(self.began) >= HELLO_TIMEOUT && !self.in_process;
            return late.then_some(LostReason::Silent);
        };
        // What is in the same process is never silent: only the process can have stood still.
        let grade = if self.in_process { Grade::Live } else { greeted.liveness.grade(now) };
        if grade == Grade::Gone {
            return Some(LostReason::Silent);
        }
        if grade != greeted.grade {
            greeted.grade = grade;
            outputs.report(Event::Liveness(grade));
        }
        if greeted.next_time <= now {
            self.outgoing.send_now(&greeted.ask_time(now));
        }
        let udp = greeted.datagrams.as_ref().is_some_and(|datagrams| datagrams.comes_back(now));
        if udp != greeted.udp {
            greeted.udp = udp;
            greeted.report_quality(now, self.traffic, outputs);
        }
        None
    }

    /// Lets go out what may go now.
    pub(super) fn put_out(&mut self, now: LocalTime, outputs: &mut Outputs<'_>) {
        self.outgoing.advance(now);
        let datagrams = self.greeted.as_mut().and_then(|greeted| greeted.datagrams.as_mut());
        if let Some(datagrams) = datagrams {
            while let Some(bytes) = datagrams.next(now) {
                self.traffic.sent += bytes.len() as u64;
                outputs.push(Output::Datagram(bytes));
            }
        }
    }

    pub(super) fn next_wake(&mut self, now: LocalTime) -> LocalTime {
        let Some(greeted) = &mut self.greeted else { return self.began + HELLO_TIMEOUT };
        let outgoing = self.outgoing.next_wake(now);
        let datagrams = greeted.datagrams.as_mut().map(|datagrams| datagrams.next_wake(now));
        let liveness = greeted.liveness.next_change(now);
        let all = [outgoing, datagrams, liveness];
        all.into_iter().flatten().fold(greeted.next_time, LocalTime::min)
    }

    /// The target on the wire; `None` in no party, where nobody would hear. A member's host is everyone
    /// it reaches.
    fn target(&self, target: Option<SessionId>) -> Option<i32> {
        match self.greeted.as_ref()?.role {
            Role::Alone => None,
            Role::Member => Some(EVERYONE),
            Role::Host => Some(target.map_or(EVERYONE, |id| id.0)),
        }
    }

    /// What the server said. Words: it may not say that.
    fn packet(
        &mut self,
        now: LocalTime,
        packet: ServerPacket<'_>,
        outputs: &mut Outputs<'_>,
    ) -> Result<(), String> {
        let Some(greeted) = &mut self.greeted else { return self.greeting(now, packet, outputs) };
        match packet {
            ServerPacket::Hello { .. } => return Err("a second HELLO".into()),
            ServerPacket::Time { echo_ms, server_ms } => {
                if greeted.time(now, echo_ms, server_ms) {
                    greeted.report_quality(now, self.traffic, outputs);
                }
            }
            ServerPacket::Udp { token, port } => {
                let hosts = greeted.role == Role::Host;
                greeted.datagrams = Some(Datagrams::new(now, greeted.session, token, hosts));
                outputs.open_udp(port);
            }
            ServerPacket::Info(info) => self.entered(&info, outputs),
            ServerPacket::Joined { id, name } => {
                if greeted.role == Role::Host {
                    self.outgoing.joined(id);
                }
                outputs.party(PartyNews::Joined(Member { id, name: name.into() }));
            }
            ServerPacket::Left { id } => {
                greeted.loss.left(id);
                self.outgoing.left(id);
                outputs.party(PartyNews::Left { id });
            }
            ServerPacket::End => self.ended(outputs),
            ServerPacket::List(rows) => {
                let rows = rows.iter().map(|row| PartyRow {
                    code: row.code.into(),
                    host: row.host.into(),
                    members: row.members,
                    size: row.size,
                    description: row.description.into(),
                });
                outputs.party(PartyNews::List(rows.collect()));
            }
            ServerPacket::Chat { sender, text } => {
                outputs.report(Event::Chat { sender, text: text.into() });
            }
            ServerPacket::Data { sender, bytes } => {
                greeted.loss.came(sender, bytes);
                outputs.report(Event::Data {
                    sender,
                    bytes: bytes.to_vec().into(),
                    at: now,
                    udp: false,
                });
            }
            ServerPacket::Error(reason) => outputs.report(Event::Refused(reason)),
        }
        Ok(())
    }

    fn greeting(
        &mut self,
        now: LocalTime,
        packet: ServerPacket<'_>,
        outputs: &mut Outputs<'_>,
    ) -> Result<(), String> {
        match packet {
            ServerPacket::Hello { session } => {
                self.greeted = Some(Greeted::new(now, session));
                outputs.report(Event::Connected { session });
                Ok(())
            }
            ServerPacket::Error(reason) => {
                self.turned_away = Some(reason);
                Ok(())
            }
            _ => Err("something else before HELLO".into()),
        }
    }

    fn entered(&mut self, info: &PartyInfo<'_>, outputs: &mut Outputs<'_>) {
        let Some(greeted) = &mut self.greeted else { return };
        let hosts = info.host == greeted.session;
        greeted.role = if hosts { Role::Host } else { Role::Member };
        greeted.loss.clear();
        let reached = info.members.iter().map(|member| member.id);
        let (own, host) = (greeted.session, info.host);
        self.outgoing.enter(reached.filter(|id| *id != own && (hosts || *id == host)), hosts);
        if let Some(datagrams) = &mut greeted.datagrams {
            datagrams.set_hosts(hosts);
        }
        let members = info.members.iter();
        outputs.party(PartyNews::Info {
            code: info.code.into(),
            host: info.host,
            members: members.map(|m| Member { id: m.id, name: m.name.into() }).collect(),
            description: info.description.into(),
        });
    }

    fn ended(&mut self, outputs: &mut Outputs<'_>) {
        let Some(greeted) = &mut self.greeted else { return };
        greeted.role = Role::Alone;
        greeted.loss.clear();
        self.outgoing.leave();
        if let Some(datagrams) = &mut greeted.datagrams {
            datagrams.state.clear();
            datagrams.set_hosts(false);
        }
        outputs.party(PartyNews::End);
    }
}

impl Greeted {
    /// TIME goes right after HELLO.
    fn new(now: LocalTime, session: SessionId) -> Self {
        Self {
            session,
            liveness: Liveness::new(now, INTERRUPTED_AFTER, GONE_AFTER),
            grade: Grade::Live,
            clock: ClockSync::new(),
            next_time: now,
            asked: VecDeque::new(),
            role: Role::Alone,
            datagrams: None,
            loss: StateLoss::default(),
            udp: false,
        }
    }

    fn ask_time(&mut self, now: LocalTime) -> ClientPacket<'static> {
        self.next_time = now + limits::TIME_INTERVAL;
        let clock_ms = i64::try_from(now.as_millis()).unwrap_or(i64::MAX);
        if self.asked.len() >= ASKED_MAX {
            self.asked.pop_front();
        }
        self.asked.push_back((clock_ms, now));
        ClientPacket::Time { clock_ms }
    }

    /// Takes an answer to TIME; false if it answers none of ours.
    fn time(&mut self, now: LocalTime, echo_ms: i64, server_ms: i64) -> bool {
        let Some(index) = self.asked.iter().position(|(clock, _)| *clock == echo_ms) else {
            return false;
        };
        let (_, asked) = self.asked[index];
        self.asked.drain(..=index);
        self.clock.sample(asked, now, ServerTime::from_millis(server_ms))
    }

    /// Says how good the link is, once that is known.
    fn report_quality(&self, now: LocalTime, bytes: Traffic, outputs: &mut Outputs<'_>) {
        let (Some(round_trip), Some(jitter), Some(server)) =
            (self.clock.round_trip(), self.clock.jitter(), self.clock.server_time(now))
        else {
            return;
        };
        let local = i64::try_from(now.as_micros()).unwrap_or(i64::MAX);
        outputs.report(Event::Quality(Quality {
            round_trip,
            server_offset_micros: server.as_micros().saturating_sub(local),
            udp: self.udp,
            jitter,
            bytes,
            loss: self.loss.share(),
        }));
    }
}
