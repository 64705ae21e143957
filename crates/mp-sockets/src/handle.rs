//! The game's end of the socket thread: commands in, reports out, and nothing that waits but what says
//! so.

use std::collections::VecDeque;
use std::io;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, TryRecvError, TrySendError};
use mio::Waker;
use mp_protocol::SessionId;
use parking_lot::Mutex;

use crate::api::{Command, Event, Report, SendError};
use crate::clock::Clock;
use crate::handoff::Bell;
use crate::inbox::{Inbox, Stalled};
use crate::resolver::{LookUp, system};
use crate::thread::SocketThread;

/// Commands that may wait for the socket thread.
pub const COMMANDS_MAX: usize = 4096;
/// Bytes of events, state, chat and requests that may wait to go out, each with 64 more than it carries.
pub const QUEUED_MAX: usize = 4 << 20;

/// What both ends share.
#[derive(Debug, Default)]
pub(crate) struct Shared {
    pub(crate) inbox: Inbox,
    /// What the commands cost that the socket thread has not taken.
    pub(crate) commanded: AtomicUsize,
    /// What that costs which the link holds back under the limits.
    pub(crate) held_back: AtomicUsize,
    /// The thread is to end.
    pub(crate) ending: AtomicBool,
    /// Wakes the thread.
    pub(crate) bell: Bell,
    /// Why the thread ended, if it was not told to.
    failed: OnceLock<io::Error>,
}

/// Starts a socket thread, which waits for commands.
///
/// # Errors
/// If the system gives no thread, or nothing to wait for sockets with.
pub fn start(clock: Clock) -> io::Result<Handle> {
    start_with(clock, Arc::new(system))
}

/// As [`start`], with something else to look names up.
pub(crate) fn start_with(clock: Clock, look_up: Arc<LookUp>) -> io::Result<Handle> {
    let shared = Arc::new(Shared::default());
    let (commands, taken) = crossbeam_channel::bounded(COMMANDS_MAX);
    let (done, ended) = crossbeam_channel::bounded::<()>(0);
    let far = FarEnd { commands: taken, shared: Arc::clone(&shared) };
    let (thread, waker) = SocketThread::new(clock, far, look_up)?;
    let thread = std::thread::Builder::new().name("mp-sockets".into()).spawn(move || {
        thread.run();
        drop(done);
    })?;
    let thread = Some(Thread { waker, ended, thread: Some(thread) });
    Ok(Handle {
        commands,
        shared,
        thread,
        taken: Mutex::default(),
        unflushed: AtomicBool::default(),
    })
}

/// The game's end. Dropping it tells the thread to end, without waiting for it.
#[derive(Debug)]
pub struct Handle {
    commands: Sender<Command>,
    shared: Arc<Shared>,
    thread: Option<Thread>,
    taken: Mutex<VecDeque<Report>>,
    /// Something was queued, and the thread was not woken for it.
    unflushed: AtomicBool,
}

#[derive(Debug)]
struct Thread {
    waker: Arc<Waker>,
    /// Gets no message: it is disconnected when the thread has ended.
    ended: Receiver<()>,
    thread: Option<JoinHandle<()>>,
}

impl Handle {
    /// A handle with no thread behind it, and the end where one would stand.
    #[must_use]
    pub fn detached() -> (Self, FarEnd) {
        let shared = Arc::new(Shared::default());
        let (commands, taken) = crossbeam_channel::bounded(COMMANDS_MAX);
        let far = FarEnd { commands: taken, shared: Arc::clone(&shared) };
        let handle = Self {
            commands,
            shared,
            thread: None,
            taken: Mutex::default(),
            unflushed: AtomicBool::default(),
        };
        (handle, far)
    }

    fn ended(&self) -> SendError {
        match self.shared.failed.get() {
            Some(why) => SendError::Failed(why.to_string()),
            None => SendError::Ended,
        }
    }

    /// Hands a command over, and wakes the socket thread. Never waits.
    ///
    /// # Errors
    /// [`SendError`] says why it was not taken; it is lost then.
    pub fn send(&self, command: Command) -> Result<(), SendError> {
        let sent = self.queue(command);
        self.flush();
        sent
    }

    /// As [`Self::send`], but [`Self::flush`] wakes the thread: once for all that a tick says, as each
    /// wake-up of a sleeping thread costs the game's more than a system call.
    ///
    /// # Errors
    /// [`SendError`] says why it was not taken; it is lost then.
    pub fn queue(&self, command: Command) -> Result<(), SendError> {
        command.check()?;
        let cost = command.cost();
        let waiting = self.shared.commanded.fetch_add(cost, Ordering::AcqRel)
            + self.shared.held_back.load(Ordering::Acquire);
        let sent = if cost > 0 && waiting + cost > QUEUED_MAX {
            Err(SendError::Full)
        } else {
            self.commands.try_send(command).map_err(|error| match error {
                TrySendError::Full(_) => SendError::Full,
                TrySendError::Disconnected(_) => self.ended(),
            })
        };
        if sent.is_err() {
            self.shared.commanded.fetch_sub(cost, Ordering::AcqRel);
        }
        self.unflushed.store(true, Ordering::Release);
        sent
    }

    /// Wakes the socket thread, if anything was queued since it was woken last.
    pub fn flush(&self) {
        if self.unflushed.swap(false, Ordering::AcqRel) {
            self.wake();
        }
    }

    /// The next report there is. Never waits: when the socket thread is adding one in this very moment,
    /// it is there the next time.
    #[must_use]
    pub fn try_next(&self) -> Option<Report> {
        let mut taken = self.taken.try_lock()?;
        if taken.is_empty() {
            self.shared.inbox.try_take(&mut taken);
        }
        taken.pop_front()
    }

    /// The next report, waited for at most `patience`. For programs with a thread to spare; a game's
    /// thread uses [`Self::try_next`].
    #[must_use]
    pub fn next_within(&self, patience: Duration) -> Option<Report> {
        let mut taken = self.taken.lock();
        if taken.is_empty() {
            self.shared.inbox.take_until(Instant::now() + patience, &mut taken);
        }
        taken.pop_front()
    }

    /// Tells the thread to end, and does not wait: it closes the link and stops hosting first, as
    /// [`Self::join_within`] says.
    pub fn end(&self) {
        self.shared.ending.store(true, Ordering::Release);
        self.wake();
    }

    /// Tells the thread to end and waits for it: leaving and stopping are flushed first, for 300 ms at
    /// most. False if it had not ended within `patience`; it ends by itself then.
    #[must_use = "false says that the thread still runs"]
    pub fn join_within(mut self, patience: Duration) -> bool {
        self.end();
        let Some(thread) = &mut self.thread else { return true };
        match thread.ended.recv_timeout(patience) {
            Ok(()) | Err(RecvTimeoutError::Disconnected) => {}
            Err(RecvTimeoutError::Timeout) => return false,
        }
        // What is left of the thread is its return; a panic in it is a bug, and has been said by it.
        thread.thread.take().is_none_or(|thread| thread.join().is_ok())
    }

    fn wake(&self) {
        let Some(thread) = &self.thread else { return };
        self.shared.bell.ring(|| thread.waker.wake().is_ok());
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        self.end();
    }
}

/// The other end of a [`Handle`]: where commands come out and reports go in.
#[derive(Debug)]
pub struct FarEnd {
    commands: Receiver<Command>,
    pub(crate) shared: Arc<Shared>,
}

impl FarEnd {
    /// The next command, if one waits. `None` too once the handle is gone.
    #[must_use]
    pub fn try_next(&self) -> Option<Command> {
        match self.commands.try_recv() {
            Ok(command) => {
                self.shared.commanded.fetch_sub(command.cost(), Ordering::AcqRel);
                Some(command)
            }
            Err(TryRecvError::Empty | TryRecvError::Disconnected) => None,
        }
    }

    /// Puts a report in the game's inbox.
    ///
    /// # Errors
    /// [`Stalled`] if the game has read nothing while 1 MiB came (B3.6): its link is of no
    /// use any more. The messages held are forgotten, so that what happens next can be told.
    pub fn report(&self, report: Report) -> Result<(), Stalled> {
        let Err(refused) = self.shared.inbox.push(report) else { return Ok(()) };
        self.shared.inbox.make_room();
        if !matches!(refused.event, Event::Data { .. }) {
            self.shared.inbox.push(*refused).expect("an inbox without messages has room");
        }
        Err(Stalled)
    }

    /// As [`Self::report`], of a direct host, whose link is everyone's party: of its members the one
    /// that sent most of what is held goes instead. Its session is given to `disconnect`.
    ///
    /// # Errors
    /// [`Stalled`] if what is held is no member's.
    pub fn report_to_host(
        &self,
        report: Report,
        mut disconnect: impl FnMut(SessionId),
    ) -> Result<(), Stalled> {
        let Err(mut refused) = self.shared.inbox.push(report) else { return Ok(()) };
        while let Some(heaviest) = self.shared.inbox.drop_heaviest() {
            disconnect(heaviest);
            if matches!(&refused.event, Event::Data { sender, .. } if *sender == heaviest) {
                return Ok(());
            }
            match self.shared.inbox.push(*refused) {
                Ok(()) => return Ok(()),
                Err(again) => refused = again,
            }
        }
        self.report(*refused)
    }

    /// Says how many bytes the link holds back ([`Link::held_back`](crate::link::Link::held_back)): they
    /// count against what the game may hand over.
    pub fn set_held_back(&self, bytes: usize) {
        self.shared.held_back.store(bytes, Ordering::Release);
    }

    /// Ends this end, for a reason that the handle is then told of
    /// ([`SendError::Failed`](crate::SendError::Failed)).
    pub fn fail(self, why: io::Error) {
        // The first is told, and there is no second: this end goes.
        let _first = self.shared.failed.set(why);
    }

    /// The handle is gone or wants the thread to end.
    #[must_use]
    pub fn is_ending(&self) -> bool {
        self.shared.ending.load(Ordering::Acquire)
    }
}

impl Drop for FarEnd {
    fn drop(&mut self) {
        self.shared.inbox.end();
    }
}
