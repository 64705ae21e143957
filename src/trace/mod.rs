//! The trace: what each game thought of the party's world, a line an event, for reports (behaviour.md 9).
//! A tick's lines gather here and go to whoever writes them through a bounded channel, so the game's
//! thread never waits for a disk; what does not fit is counted. Off, nothing is formatted. Names and
//! addresses may be in it, tokens and saves never.
//!
//! A line is `[mp-trace] f=<frame> t=<ms> <host|member|solo> <what> ...`. `t` counts from the load of the
//! mod; a line `clock server_ms=<ms>` a second tells what the server's clock showed then, so that the
//! traces of several players can be laid side by side.

mod outlet;
mod talk;
mod watch;

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fmt::{self, Write};
use std::rc::Rc;
use std::time::Duration;

use mp_netcode::LocalTime;
use mp_protocol::SessionId;

pub use outlet::{BUFFERS, Drain, Outlet, channel};
pub use talk::Way;
pub use watch::{Known, Sight, Watch};

use talk::Snapshots;

/// Lines a second at most; the rest are counted in one (behaviour.md 9).
pub const LINES_PER_SECOND: u32 = 2_000;
const SECOND: Duration = Duration::from_secs(1);

/// Whose game it is that a line is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Role {
    /// The party's host.
    Host,
    /// Another of the party.
    Member,
    /// In no party.
    #[default]
    Solo,
}

impl Role {
    fn word(self) -> &'static str {
        match self {
            Self::Host => "host",
            Self::Member => "member",
            Self::Solo => "solo",
        }
    }
}

/// What a line tells of, each by the word that stands in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// Whose game it is.
    Start,
    /// Phases, menus, and where the cameras are under one.
    Pause,
    /// A moby out of the run list, or in it again.
    Run,
    /// A moby hidden, shown, dead, or drawn or not under a menu.
    Vis,
    /// A moby gone, and who removed it.
    Despawn,
    /// The points that the host's world runs around.
    Eyes,
    /// A snapshot sent or received.
    Snap,
    /// A moby driven from the host's, or let go.
    Drive,
    /// A message of the shared world, sent or received, and what was dropped and why.
    Msg,
    /// The live mobys by class.
    Census,
    /// What the server's clock shows.
    Clock,
    /// How many lines were left out.
    Over,
}

impl What {
    fn word(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::Pause => "pause",
            Self::Run => "run",
            Self::Vis => "vis",
            Self::Despawn => "despawn",
            Self::Eyes => "eyes",
            Self::Snap => "snap",
            Self::Drive => "drive",
            Self::Msg => "msg",
            Self::Census => "census",
            Self::Clock => "clock",
            Self::Over => "over",
        }
    }
}

/// Where lines of the trace go; all clones are one trace. The default is off. See the module.
#[derive(Clone, Default)]
pub struct Trace(Option<Rc<RefCell<Lines>>>);

/// The lines of a tick, and how many there were in this second.
struct Lines {
    outlet: Outlet,
    frame: u64,
    now: LocalTime,
    role: Role,
    buffer: String,
    in_buffer: u32,
    second_began: LocalTime,
    in_second: u32,
    left_out: u64,
    snapshots: Snapshots,
}

impl Trace {
    /// A trace whose lines go there.
    #[must_use]
    pub fn to(outlet: Outlet) -> Self {
        Self(Some(Rc::new(RefCell::new(Lines {
            outlet,
            frame: 0,
            now: LocalTime::ZERO,
            role: Role::Solo,
            buffer: String::new(),
            in_buffer: 0,
            second_began: LocalTime::ZERO,
            in_second: 0,
            left_out: 0,
            snapshots: Snapshots::default(),
        }))))
    }

    /// Whether it is written at all: what is costly to find out is found out only then.
    #[must_use]
    pub fn is_on(&self) -> bool {
        self.0.is_some()
    }

    /// A tick begins: every line until the next says so.
    pub fn begin(&self, frame: u64, now: LocalTime, role: Role) {
        let Some(lines) = &self.0 else { return };
        let lines = &mut *lines.borrow_mut();
        (lines.frame, lines.now, lines.role) = (frame, now, role);
        if now.since(lines.second_began) < SECOND {
            return;
        }
        (lines.second_began, lines.in_second) = (now, 0);
        let left_out = std::mem::take(&mut lines.left_out);
        if left_out > 0 {
            lines.push(What::Over, |line| write!(line, "lines={left_out}"));
        }
    }

    /// Adds a line. `write` gives what comes after the word for `what`, and is not called when the trace
    /// is off or this second is full.
    pub fn line(&self, what: What, write: impl FnOnce(&mut String) -> fmt::Result) {
        let Some(lines) = &self.0 else { return };
        let lines = &mut *lines.borrow_mut();
        if lines.in_second >= LINES_PER_SECOND {
            lines.left_out += 1;
        } else {
            lines.push(what, write);
        }
    }

    /// A tick is over: its lines go on their way.
    pub fn flush(&self) {
        let Some(lines) = &self.0 else { return };
        let lines = &mut *lines.borrow_mut();
        if lines.buffer.is_empty() {
            return;
        }
        let full = std::mem::replace(&mut lines.buffer, lines.outlet.spare());
        let count = std::mem::take(&mut lines.in_buffer);
        if let Err(back) = lines.outlet.send(full) {
            lines.left_out += u64::from(count);
            lines.buffer = back;
        }
    }

    /// Keeps a snapshot's mobys, and gives back those of the one before it.
    fn newest_snapshot(
        &self,
        way: Way,
        peer: Option<SessionId>,
        mobys: BTreeSet<u16>,
    ) -> BTreeSet<u16> {
        let before = self
            .0
            .as_ref()
            .and_then(|lines| lines.borrow_mut().snapshots.insert((way, peer), mobys));
        before.unwrap_or_default()
    }

    /// One who left sends and gets no more snapshots: the last of it is not kept.
    pub fn left(&self, peer: SessionId) {
        if let Some(lines) = &self.0 {
            lines.borrow_mut().snapshots.retain(|(_, of), _| *of != Some(peer));
        }
    }

    /// Why the trace is no longer written, said once.
    #[must_use]
    pub fn trouble(&self) -> Option<String> {
        self.0.as_ref().and_then(|lines| lines.borrow_mut().outlet.trouble())
    }
}

impl Lines {
    fn push(&mut self, what: What, write: impl FnOnce(&mut String) -> fmt::Result) {
        let Self { frame, now, role, .. } = *self;
        let (role, what) = (role.word(), what.word());
        let line = &mut self.buffer;
        write!(line, "[mp-trace] f={frame} t={} {role} {what} ", now.as_millis())
            .and_then(|()| write(line))
            .expect("a string takes whatever is written");
        line.push('\n');
        self.in_buffer += 1;
        self.in_second += 1;
    }
}

impl fmt::Debug for Trace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Trace").field(&self.is_on()).finish()
    }
}

#[cfg(test)]
mod tests;
