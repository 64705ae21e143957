//! Names to addresses. The system's look-up blocks and cannot be cancelled, so each runs on a thread of
//! its own that nobody ever waits for: a link that is closed, or a thread that ends, abandons it. Such a
//! thread holds nothing of ours open and ends by itself once the system has answered.

use std::collections::BTreeSet;
use std::io::{self, ErrorKind};
use std::net::{SocketAddr, ToSocketAddrs};
use std::sync::{Arc, Weak};

use crossbeam_channel::{Receiver, Sender};
use mio::Waker;

/// Look-ups that run at once, abandoned ones among them.
pub(crate) const LOOK_UPS_MAX: usize = 4;

/// What looks a name up; it may take its time.
pub(crate) type LookUp = dyn Fn(&str) -> io::Result<Vec<SocketAddr>> + Send + Sync;

/// The system's own look-up. The addresses have no port.
pub(crate) fn system(host: &str) -> io::Result<Vec<SocketAddr>> {
    Ok((host, 0).to_socket_addrs()?.collect())
}

/// A name, and the addresses found for it: none if it has none, or nobody could tell.
pub(crate) type Answer = (String, Vec<SocketAddr>);

/// Starts look-ups and gathers their answers.
pub(crate) struct Resolver {
    look_up: Arc<LookUp>,
    waker: Weak<Waker>,
    running: BTreeSet<String>,
    answer: Sender<Answer>,
    answers: Receiver<Answer>,
}

impl Resolver {
    /// Look-ups by `look_up`, each of which wakes the socket thread when it is done.
    pub(crate) fn new(look_up: Arc<LookUp>, waker: Weak<Waker>) -> Self {
        let (answer, answers) = crossbeam_channel::bounded(LOOK_UPS_MAX);
        Self { look_up, waker, running: BTreeSet::new(), answer, answers }
    }

    /// Begins to look a name up, unless that is under way.
    ///
    /// # Errors
    /// The system gives no thread; or as many as may run have not been answered in time.
    pub(crate) fn look_up(&mut self, host: &str) -> io::Result<()> {
        if self.running.contains(host) {
            return Ok(());
        }
        if self.running.len() >= LOOK_UPS_MAX {
            return Err(ErrorKind::TimedOut.into());
        }
        let (look_up, waker) = (Arc::clone(&self.look_up), Weak::clone(&self.waker));
        let (name, answer) = (host.to_owned(), self.answer.clone());
        std::thread::Builder::new().name("mp-look-up".into()).spawn(move || {
            let addresses = look_up(&name).unwrap_or_default();
            // There is room for all that run. Without a receiver, nobody is left to be told.
            if answer.send((name, addresses)).is_ok()
                && let Some(waker) = waker.upgrade()
            {
                // One that cannot be woken is told at its next time-out.
                let _asleep = waker.wake();
            }
        })?;
        self.running.insert(host.to_owned());
        Ok(())
    }

    /// The next answer there is.
    pub(crate) fn poll(&mut self) -> Option<Answer> {
        let answer = self.answers.try_recv().ok()?;
        self.running.remove(&answer.0);
        Some(answer)
    }
}

#[cfg(test)]
mod tests;
