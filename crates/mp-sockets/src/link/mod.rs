//! The link's machine: one client's connection to a server or a direct host, from the first attempt to
//! the last. Sans-IO: bytes, datagrams, commands and the time come in as calls; bytes, datagrams and
//! reports go out; [`Link::poll_timeout`] says when it next wants [`Link::advance`]. It must never open
//! a socket or read a clock. The socket thread drives one; so may whoever wants a party without sockets.

mod conversation;
mod datagrams;
mod loss;
mod outgoing;
mod race;
mod state;

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::time::Duration;

use mp_netcode::{Backoff, LocalTime};
use mp_protocol::{ErrorReason, SessionId};

use self::conversation::Conversation;
use self::race::Race;
use crate::api::{
    ConnectError, Destination, Event, LinkId, LostReason, PartyNews, PartyRequest, Report,
};

/// How long the look-up of a name may take.
pub(crate) const LOOK_UP_TIMEOUT: Duration = Duration::from_secs(10);
const BACKOFF_FIRST: Duration = Duration::from_secs(1);
const BACKOFF_MAX: Duration = Duration::from_secs(30);

/// What the driver has to do.
#[derive(Debug, PartialEq)]
pub enum Output {
    /// Look the name up, and say what was found: [`Link::looked_up`].
    LookUp(String),
    /// Begin to connect, besides the attempts there are, and say how it went: [`Link::opened`], which
    /// ends all other attempts, or [`Link::failed`].
    Connect(SocketAddr),
    /// Be ready for datagrams, to this address; in-process links have none.
    OpenUdp(Option<SocketAddr>),
    /// Send it.
    Datagram(Vec<u8>),
    /// Let go of the sockets, of all attempts too. These last bytes should still go out.
    Close(Vec<u8>),
    /// Tell the game.
    Report(Report),
}

/// One client's link.
#[derive(Debug)]
pub struct Link {
    target: Option<Target>,
    stage: Stage,
    attempt: u32,
    backoff: Backoff,
    random: u64,
    outputs: VecDeque<Output>,
}

#[derive(Debug)]
struct Target {
    link: LinkId,
    /// None: in-process, and not tried again.
    to: Option<Destination>,
    /// The address that reached, of those the destination has.
    reached: Option<SocketAddr>,
    name: String,
}

#[derive(Debug)]
enum Stage {
    Idle,
    Waiting { until: LocalTime },
    LookingUp { until: LocalTime },
    Connecting(Race),
    Talking(Box<Conversation>),
}

impl Link {
    /// A link to nothing. `seed` is for the jitter of its attempts.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self {
            target: None,
            stage: Stage::Idle,
            attempt: 0,
            backoff: Backoff::new(BACKOFF_FIRST, BACKOFF_MAX),
            random: seed,
            outputs: VecDeque::new(),
        }
    }

    /// Links to `to`, or in-process to a router that was told of it, in place of any link there is.
    pub fn connect(&mut self, now: LocalTime, link: LinkId, to: Option<Destination>, name: String) {
        self.close();
        self.target = Some(Target { link, to, reached: None, name });
        self.backoff.reset();
        self.attempt = 0;
        self.try_once(now);
    }

    /// Ends the link at once; nothing is reported about it afterwards.
    pub fn close(&mut self) {
        let stage = std::mem::replace(&mut self.stage, Stage::Idle);
        self.target = None;
        self.outputs.retain(|output| !matches!(output, Output::Report(_)));
        match stage {
            // A look-up cannot be cancelled: its answer comes to nothing.
            Stage::Idle | Stage::Waiting { .. } | Stage::LookingUp { .. } => {}
            Stage::Connecting(_) => self.outputs.push_back(Output::Close(Vec::new())),
            Stage::Talking(talk) => self.outputs.push_back(Output::Close(talk.last_words())),
        }
    }

    /// The look-up of a name ended; it has no address if `found` is empty.
    pub fn looked_up(&mut self, now: LocalTime, host: &str, mut found: Vec<SocketAddr>) {
        let Stage::LookingUp { .. } = self.stage else { return };
        let Some(Destination::Name { host: wanted, port }) =
            self.target.as_ref().and_then(|target| target.to.as_ref())
        else {
            return;
        };
        if wanted == host {
            found.iter_mut().for_each(|address| address.set_port(*port));
            self.race(now, &found);
        }
    }

    /// TCP is connected to this address.
    pub fn opened(&mut self, now: LocalTime, at: SocketAddr) {
        if let (Stage::Connecting(_), Some(target)) = (&self.stage, &mut self.target) {
            target.reached = Some(at);
            self.stage =
                Stage::Talking(Box::new(Conversation::new(now, &target.name, target.to.is_none())));
        }
    }

    /// An attempt of TCP's to connect came to nothing, or a look-up did not begin.
    pub fn failed(&mut self, now: LocalTime, why: ConnectError) {
        match &mut self.stage {
            Stage::LookingUp { .. } => self.retry(now, why),
            Stage::Connecting(race) => {
                race.failed(now, why);
                self.go_on(now);
            }
            Stage::Idle | Stage::Waiting { .. } | Stage::Talking(_) => {}
        }
    }

    /// Bytes came.
    pub fn received(&mut self, now: LocalTime, bytes: &[u8]) {
        let ended = self.talk(now, |talk, outputs| talk.received(now, bytes, outputs));
        self.end(now, ended);
    }

    /// A datagram came.
    pub fn datagram(&mut self, now: LocalTime, bytes: &[u8]) {
        let ended = self.talk(now, |talk, outputs| {
            talk.datagram(now, bytes, outputs);
            None
        });
        self.end(now, ended);
    }

    /// The peer closed the connection, or it failed, in the system's words.
    pub fn closed(&mut self, now: LocalTime, failure: Option<String>) {
        self.end(now, Some(failure.map_or(LostReason::Closed, LostReason::Failed)));
    }

    /// The game does not read: the link is of no use.
    pub fn stalled(&mut self, now: LocalTime) {
        self.end(now, Some(LostReason::GameStalled));
    }

    /// A party request, in its place among the events.
    pub fn party(&mut self, now: LocalTime, request: PartyRequest) {
        self.say(now, |talk| talk.request(request));
    }

    /// A line of chat.
    pub fn chat(&mut self, now: LocalTime, text: String) {
        self.say(now, |talk| talk.chat(text));
    }

    /// Something that must arrive.
    pub fn event(&mut self, now: LocalTime, target: Option<SessionId>, bytes: Vec<u8>) {
        self.say(now, |talk| talk.event(target, bytes));
    }

    /// Something that counts while it is the newest of its key.
    pub fn state(&mut self, now: LocalTime, target: Option<SessionId>, key: u32, bytes: Vec<u8>) {
        self.say(now, |talk| talk.state(now, target, key, bytes));
    }

    /// Time has passed. To be called after what came has been handed in.
    pub fn advance(&mut self, now: LocalTime) {
        match self.stage {
            Stage::Waiting { until } if until <= now => self.try_once(now),
            Stage::LookingUp { until } if until <= now => self.retry(now, ConnectError::TimedOut),
            Stage::Connecting(_) => self.go_on(now),
            Stage::Talking(_) => {
                let ended = self.talk(now, |talk, outputs| talk.judge(now, outputs));
                self.end(now, ended);
            }
            _ => {}
        }
    }

    /// Bytes for the socket; report those it took with [`Self::wrote`].
    #[must_use]
    pub fn outgoing(&self) -> &[u8] {
        match &self.stage {
            Stage::Talking(talk) => talk.outgoing(),
            _ => &[],
        }
    }

    /// The socket took `count` bytes of [`Self::outgoing`].
    pub fn wrote(&mut self, now: LocalTime, count: usize) {
        self.say(now, |talk| talk.wrote(count));
    }

    /// The next thing to do.
    pub fn poll_output(&mut self) -> Option<Output> {
        self.outputs.pop_front()
    }

    /// When to call [`Self::advance`]; `None`: when something comes.
    pub fn poll_timeout(&mut self, now: LocalTime) -> Option<LocalTime> {
        match &mut self.stage {
            Stage::Idle => None,
            Stage::Waiting { until } | Stage::LookingUp { until } => Some(*until),
            Stage::Connecting(race) => Some(race.next_wake()),
            Stage::Talking(talk) => Some(talk.next_wake(now)),
        }
    }

    /// Bytes that wait to go out.
    #[must_use]
    pub fn held_back(&self) -> usize {
        match &self.stage {
            Stage::Talking(talk) => talk.held_back(),
            _ => 0,
        }
    }

    fn say(&mut self, now: LocalTime, what: impl FnOnce(&mut Conversation)) {
        let ended = self.talk(now, |talk, _| {
            what(talk);
            None
        });
        self.end(now, ended);
    }

    /// Lets `what` be done to the conversation, if there is one, and what may go now go out.
    fn talk(
        &mut self,
        now: LocalTime,
        what: impl FnOnce(&mut Conversation, &mut Outputs<'_>) -> Option<LostReason>,
    ) -> Option<LostReason> {
        let (Stage::Talking(talk), Some(target)) = (&mut self.stage, &self.target) else {
            return None;
        };
        let mut outputs = Outputs { target, queue: &mut self.outputs };
        let ended = what(talk, &mut outputs);
        if ended.is_none() {
            talk.put_out(now, &mut outputs);
        }
        if talk.is_greeted() {
            self.attempt = 0;
        }
        if talk.has_settled(now) {
            self.backoff.reset();
        }
        ended
    }

    /// The conversation, if there is one, is over for this reason.
    fn end(&mut self, now: LocalTime, why: Option<LostReason>) {
        let (Some(why), Stage::Talking(talk)) = (why, &self.stage) else { return };
        let greeted = talk.is_greeted();
        let turned_away = talk.turned_away();
        let in_process = self.target.as_ref().is_some_and(|target| target.to.is_none());
        self.outputs.push_back(Output::Close(Vec::new()));
        if in_process {
            self.stage = Stage::Idle;
            self.report(Event::Lost { why });
        } else if greeted {
            self.report(Event::Lost { why });
            self.wait(now);
        } else {
            self.retry(now, before_hello(why, turned_away));
        }
    }

    fn retry(&mut self, now: LocalTime, why: ConnectError) {
        let retry_in = self.wait(now);
        self.report(Event::ConnectFailed { why, retry_in });
    }

    /// Waits before the next attempt.
    fn wait(&mut self, now: LocalTime) -> Duration {
        let random = self.random();
        let wait = self.backoff.next_delay(random);
        self.stage = Stage::Waiting { until: now + wait };
        wait
    }

    fn try_once(&mut self, now: LocalTime) {
        let Some(target) = &self.target else { return };
        self.attempt += 1;
        let to = match &target.to {
            Some(to) => to.clone(),
            None => {
                self.stage = Stage::Talking(Box::new(Conversation::new(
                    now,
                    &target.name,
                    target.to.is_none(),
                )));
                return;
            }
        };
        self.report(Event::Connecting { attempt: self.attempt });
        match to {
            Destination::Address(address) => self.race(now, &[address]),
            Destination::Name { host, .. } => {
                self.stage = Stage::LookingUp { until: now + LOOK_UP_TIMEOUT };
                self.outputs.push_back(Output::LookUp(host));
            }
        }
    }

    fn race(&mut self, now: LocalTime, addresses: &[SocketAddr]) {
        self.stage = Stage::Connecting(Race::new(now, addresses));
        self.go_on(now);
    }

    /// Begins the attempts whose turn it is, and gives up once none is left.
    fn go_on(&mut self, now: LocalTime) {
        let Stage::Connecting(race) = &mut self.stage else { return };
        self.outputs.extend(race.next(now).map(Output::Connect));
        if let Some(why) = race.lost(now) {
            self.outputs.push_back(Output::Close(Vec::new()));
            self.retry(now, why);
        }
    }

    fn report(&mut self, event: Event) {
        if let Some(target) = &self.target {
            Outputs { target, queue: &mut self.outputs }.report(event);
        }
    }

    /// SplitMix64: even enough for the jitter of attempts, which is all it is for.
    fn random(&mut self) -> u32 {
        self.random = self.random.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.random;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        u32::try_from((mixed ^ (mixed >> 31)) >> 32).expect("32 bits are left")
    }
}

/// What the conversation may put out: the machine's outputs, with the link they are about.
struct Outputs<'a> {
    target: &'a Target,
    queue: &'a mut VecDeque<Output>,
}

impl Outputs<'_> {
    fn push(&mut self, output: Output) {
        self.queue.push_back(output);
    }

    fn report(&mut self, event: Event) {
        self.push(Output::Report(Report { link: self.target.link, event }));
    }

    fn party(&mut self, news: PartyNews) {
        self.report(Event::Party(news));
    }

    /// Datagrams go where TCP went, to this port; 0 is the same as TCP's.
    fn open_udp(&mut self, port: u16) {
        let to = self.target.reached.map(|mut to| {
            to.set_port(if port == 0 { to.port() } else { port });
            to
        });
        self.push(Output::OpenUdp(to));
    }
}

/// Why there was no HELLO, out of why the conversation ended.
fn before_hello(why: LostReason, turned_away: Option<ErrorReason>) -> ConnectError {
    match (turned_away, why) {
        (Some(reason), _) => ConnectError::Rejected(reason),
        (None, LostReason::Silent) => ConnectError::TimedOut,
        (None, LostReason::Protocol(words)) => ConnectError::Protocol(words),
        (None, LostReason::Failed(words)) => ConnectError::Other(words),
        (None, LostReason::Closed | LostReason::GameStalled) => ConnectError::Closed,
    }
}

#[cfg(test)]
mod tests;
