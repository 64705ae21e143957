//! One player's place in a party: the link it speaks over, who else is in it, who is ready. Fed with the
//! socket thread's reports on the game's thread; never waits and never touches the game.

mod chat;
mod link;
mod lobby;
mod messages;
pub mod names;
mod party;
mod reports;
pub mod server;
mod strikes;
mod traffic;
mod words;

use core::net::SocketAddr;

use mp_netcode::conditioner::Conditions;
use mp_netcode::{Grade, LocalTime, ServerTime};
use mp_protocol::SessionId;
use mp_protocol::game::Kind;
use mp_protocol::limits::CODE_MAX;
use mp_sockets::{Bytes, Command, Handle, LinkId, PartyRequest, PartyRow, Quality, Traffic};

pub use link::{Ended, Hosting, Target};
pub(crate) use messages::Came;
pub use messages::InvalidMessage;
use messages::Unsent;
pub use party::{LinkQuality, Member, Party};
pub use traffic::{Count, KindRate};

use crate::trace::Trace;
use chat::Chat;
use link::Link;
use lobby::Beats;
use server::ServerName;
use strikes::Strikes;
use traffic::{Meter, Tally};
pub(crate) use words::NEW_GAME;
use words::shown;

/// How much of a setting that is not understood is shown, in characters.
const SETTING_SHOWN: usize = 48;

/// What a report came to, for the rest of the mod.
#[derive(Debug, PartialEq)]
pub enum Notice {
    /// A line for the log.
    Log(String),
    /// A line for the log, of something that is wrong in this game or on its computer.
    Fault(String),
    /// The server answered HELLO.
    Greeted,
    /// This player is in a party now.
    Entered,
    /// Somebody came into it.
    Joined(SessionId),
    /// Somebody left it, by will or by accident.
    Left {
        /// Who it was.
        id: SessionId,
        /// What it was called.
        name: String,
    },
    /// Somebody of the party said something: the line, with the name.
    Said(String),
    /// The party is over.
    Ended(Ended),
    /// Bytes of a party's member (protocol.md 3), not looked at yet.
    Data {
        /// Who sent them, as the connection knows it.
        sender: SessionId,
        /// The message.
        bytes: Bytes,
        /// When it came in from the network.
        at: LocalTime,
    },
}

/// One player's session. See the module.
pub struct Session {
    net: Handle,
    link_id: LinkId,
    link: Link,
    name: String,
    server: Result<ServerName, String>,
    parties: Option<Vec<PartyRow>>,
    party: Option<Party>,
    hosting: Option<Hosting>,
    footer: String,
    server_offset_micros: Option<i64>,
    quality: LinkQuality,
    liveness: Grade,
    strikes: Strikes,
    beats: Beats,
    chat: Chat,
    /// Asked into a party of the server's, without an answer yet.
    entering: bool,
    /// A party that is over, to be said at the next poll.
    over: Option<Ended>,
    /// Close, not taken by the socket thread yet.
    owes_close: bool,
    /// Where messages are encoded.
    buffer: Vec<u8>,
    trace: Trace,
    meter: Meter,
    simulated: Conditions,
    tally: Tally,
    unsent: Unsent,
}

impl Session {
    /// A session without a link, of a player of that name. `net` is the socket thread's end, `server`
    /// the Server setting; one that is not understood is said, and direct play works (B1.1). `shows_chat`:
    /// the Chat setting (B1.3).
    pub fn new(net: Handle, name: String, server: &str, shows_chat: bool) -> Self {
        Self {
            net,
            link_id: LinkId(0),
            link: Link::Closed,
            name,
            server: ServerName::parse(server).ok_or_else(|| server.to_owned()),
            parties: None,
            party: None,
            hosting: None,
            footer: String::new(),
            server_offset_micros: None,
            quality: LinkQuality::default(),
            liveness: Grade::Live,
            strikes: Strikes::default(),
            beats: Beats::default(),
            chat: Chat::new(shows_chat),
            entering: false,
            over: None,
            owes_close: false,
            buffer: Vec::new(),
            trace: Trace::default(),
            meter: Meter::default(),
            simulated: Conditions::default(),
            tally: Tally::default(),
            unsent: Unsent::default(),
        }
    }

    /// What is sent is told to that trace.
    pub(crate) fn trace_to(&mut self, trace: Trace) {
        self.trace = trace;
    }

    /// The player's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The party, while in one.
    pub fn party(&self) -> Option<&Party> {
        self.party.as_ref()
    }

    /// This player's id, while greeted.
    pub fn me(&self) -> Option<SessionId> {
        match self.link {
            Link::Up { me, .. } => Some(me),
            _ => None,
        }
    }

    /// Whether this player hosts the party it is in.
    pub fn is_host(&self) -> bool {
        self.party.as_ref().is_some_and(|party| self.me() == Some(party.host))
    }

    /// Whom the link goes to, while there is one.
    pub fn target(&self) -> Option<Target> {
        match &self.link {
            Link::Closed => None,
            Link::Opening(target) | Link::Up { target, .. } => Some(*target),
            Link::Retrying { target, .. } => Some(*target),
        }
    }

    /// Where this game listens, while it hosts directly.
    pub fn hosting(&self) -> Option<&Hosting> {
        self.hosting.as_ref()
    }

    /// Whether there is a verbose log, and with it the network page.
    pub fn is_verbose(&self) -> bool {
        self.trace.is_on()
    }

    /// The link as last measured, and what goes over it in bytes a second.
    pub fn measured(&self) -> Option<(Quality, Traffic)> {
        self.meter.newest()
    }

    /// The messages of the newest whole second, by kind.
    pub fn rates(&self) -> impl Iterator<Item = (Kind, KindRate)> {
        self.tally.rates()
    }

    /// The messages that were not taken so far, by reason.
    pub fn dropped(&self) -> impl Iterator<Item = (&'static str, u64)> {
        self.tally.dropped()
    }

    /// How bad the link is made.
    pub fn simulated(&self) -> Conditions {
        self.simulated
    }

    /// Makes the link so bad, each way.
    pub fn simulate(&mut self, conditions: Conditions) {
        self.simulated = conditions;
        self.command(Command::Simulate(conditions));
    }

    /// How this player's link does.
    pub fn quality(&self) -> LinkQuality {
        self.quality
    }

    /// The server's clock now; `None` until the link has measured it.
    pub fn server_time(&self, now: LocalTime) -> Option<ServerTime> {
        let micros = i64::try_from(now.as_micros()).ok()?;
        self.server_offset_micros
            .map(|offset| ServerTime::from_micros(micros.saturating_add(offset)))
    }

    /// Makes the footer say something until the next thing happens.
    pub fn set_footer(&mut self, words: &str) {
        words.clone_into(&mut self.footer);
    }

    /// Hosts directly on a port (0: any that is free). `description`: what the party plays, 256 bytes at
    /// most.
    pub fn host(&mut self, port: u16, description: String) {
        let link = self.open(Target::Hosting { port });
        let name = self.name.clone();
        self.command(Command::Host { link, port, name, description });
    }

    /// Joins the direct host at an address, trying until [`Self::close`].
    pub fn join(&mut self, address: SocketAddr) {
        let link = self.open(Target::Joining { address });
        let name = self.name.clone();
        self.command(Command::Connect { link, to: address.into(), name });
    }

    /// Links to the server of the setting, unless there is a link already (B2.2).
    pub fn go_online(&mut self) {
        if self.link != Link::Closed {
            return;
        }
        let server = match &self.server {
            Ok(server) => server.clone(),
            Err(setting) => {
                self.footer =
                    format!("Server setting not understood: {}", shown(setting, SETTING_SHOWN));
                return;
            }
        };
        // Why the last party ended stays to be read.
        let footer = std::mem::take(&mut self.footer);
        let link = self.open(Target::Server);
        self.footer = footer;
        let (to, name) = (server.into(), self.name.clone());
        self.command(Command::Connect { link, to, name });
    }

    /// What the server is called, for the player.
    pub(crate) fn server_words(&self) -> String {
        self.server.as_ref().map_or_else(String::clone, ServerName::to_string)
    }

    /// Whether the server said hello, and this player is in no party of it.
    pub fn is_online(&self) -> bool {
        matches!(self.link, Link::Up { target: Target::Server, .. }) && self.party.is_none()
    }

    /// A party of one's own on the server. `description`: what it plays, 256 bytes at most.
    pub fn create(&mut self, description: String) {
        self.enter("Creating a match", PartyRequest::Create { description });
    }

    /// Into the party on the server that has this code.
    pub fn join_code(&mut self, code: String) {
        let words = format!("Joining {}", shown(&code, CODE_MAX));
        self.enter(&words, PartyRequest::Join { code });
    }

    /// One at a time: a second request would be refused with words about the first's party.
    fn enter(&mut self, footer: &str, request: PartyRequest) {
        if self.is_online() && !self.entering {
            self.entering = true;
            self.set_footer(footer);
            self.command(Command::Party(request));
        }
    }

    /// Asks which parties have room.
    pub fn list(&mut self) {
        self.command(Command::Party(PartyRequest::List));
    }

    /// The parties with room, as last told; `None` until then.
    pub fn parties(&self) -> Option<&[PartyRow]> {
        self.parties.as_deref()
    }

    /// Leaves the party: the server's link stays, direct play ends.
    pub fn leave(&mut self) {
        if self.target() == Some(Target::Server) {
            self.command(Command::Party(PartyRequest::Leave));
            self.forget_party();
            self.footer.clear();
        } else {
            self.close();
        }
    }

    /// Leaves the party, gives up a link on its way, stops hosting: whatever there is, at once.
    pub fn close(&mut self) {
        self.owes_close |= self.link != Link::Closed;
        self.forget();
        self.footer.clear();
        self.close_if_owed();
    }

    /// Closes the link, at the latest when the socket thread takes commands again.
    fn close_if_owed(&mut self) {
        self.owes_close = self.owes_close && self.net.send(Command::Close).is_err();
    }

    fn open(&mut self, target: Target) -> LinkId {
        self.close();
        self.link_id = LinkId(self.link_id.0.wrapping_add(1));
        self.link = Link::Opening(target);
        self.link_id
    }

    /// Drops what belongs to the party.
    fn forget_party(&mut self) {
        self.party = None;
        self.parties = None;
        self.strikes = Strikes::default();
        self.beats = Beats::default();
        self.chat.clear();
        self.entering = false;
    }

    /// Drops what belongs to the link, and wants none.
    fn forget(&mut self) {
        self.forget_party();
        self.forget_measured();
        self.link = Link::Closed;
        self.hosting = None;
    }

    /// Drops what was measured of the link: the next begins as live, and unmeasured.
    fn forget_measured(&mut self) {
        self.server_offset_micros = None;
        self.quality = LinkQuality::default();
        self.meter = Meter::default();
        self.liveness = Grade::Live;
    }

    /// A command that the socket thread cannot take means that it has ended or is hopelessly behind:
    /// either way this link is over, and the player is told.
    fn command(&mut self, command: Command) {
        let Err(error) = self.net.queue(command) else { return };
        let in_party = self.party.is_some();
        self.close();
        self.footer = format!("The network stopped: {error}");
        if in_party {
            // A second command that is lost in the same tick takes nothing back.
            self.over = Some(Ended::NetworkStopped);
        }
    }

    /// What was said since the last time goes out. Whoever calls into the mod does so at the end: what
    /// comes after may be a load of 30 s.
    pub fn flush(&self) {
        self.net.flush();
    }

    /// The socket thread's end, to be joined.
    pub fn into_net(self) -> Handle {
        self.net
    }
}
