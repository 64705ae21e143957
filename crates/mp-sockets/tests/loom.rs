//! What the two threads hand over by, in every order that two threads can run in.

mod sync {
    use std::sync::PoisonError;
    use std::time::Instant;

    pub(crate) use loom::sync::Condvar;
    use loom::sync::MutexGuard;
    pub(crate) use loom::sync::atomic::{AtomicBool, Ordering};

    /// As parking_lot's: a lock is never poisoned.
    #[derive(Debug, Default)]
    pub(crate) struct Mutex<T>(loom::sync::Mutex<T>);

    impl<T> Mutex<T> {
        pub(crate) fn lock(&self) -> MutexGuard<'_, T> {
            self.0.lock().unwrap_or_else(PoisonError::into_inner)
        }

        pub(crate) fn try_lock(&self) -> Option<MutexGuard<'_, T>> {
            self.0.try_lock().ok()
        }
    }

    /// No time passes: who waits for what never comes waits for ever, which loom tells.
    pub(crate) fn wait_until<'a, T>(
        told: &Condvar,
        held: MutexGuard<'a, T>,
        _deadline: Instant,
    ) -> (MutexGuard<'a, T>, bool) {
        (told.wait(held).unwrap_or_else(PoisonError::into_inner), false)
    }
}

#[path = "../src/handoff.rs"]
mod handoff;

use std::collections::VecDeque;
use std::time::Instant;

use handoff::{Bell, Handoff};
use loom::model;
use loom::sync::Arc;
use loom::thread;
use sync::{AtomicBool, Condvar, Mutex, Ordering};

type Queue = Handoff<VecDeque<u32>>;

fn take(queue: &Queue, into: &mut Vec<u32>) {
    queue.try_take(|held| into.extend(held.drain(..)));
}

#[test]
fn what_is_put_is_taken_once_and_in_order_by_one_that_never_waits() {
    model(|| {
        let queue = Arc::new(Queue::default());
        let from = Arc::clone(&queue);
        let thread =
            thread::spawn(move || (1..=3).for_each(|n| from.put(|held| held.push_back(n))));
        let mut taken = Vec::new();
        take(&queue, &mut taken);
        take(&queue, &mut taken);
        thread.join().expect("it puts");
        take(&queue, &mut taken);
        assert_eq!(taken, [1, 2, 3]);
        queue.with(|held| assert!(held.is_empty()));
    });
}

#[test]
fn of_state_what_is_taken_is_never_older_than_what_was_and_the_newest_comes() {
    model(|| {
        let state = Arc::new(Handoff::<Option<u32>>::default());
        let from = Arc::clone(&state);
        let thread = thread::spawn(move || (1..=3).for_each(|n| from.put(|held| *held = Some(n))));
        let mut seen = 0;
        let mut look = || {
            state.try_take(|held| {
                if let Some(newest) = held.take() {
                    assert!(newest > seen, "{newest} after {seen}");
                    seen = newest;
                }
            });
        };
        look();
        look();
        thread.join().expect("it puts");
        look();
        assert_eq!(seen, 3);
    });
}

#[test]
fn one_that_waits_is_woken_by_what_comes() {
    model(|| {
        let queue = Arc::new(Queue::default());
        let from = Arc::clone(&queue);
        let thread = thread::spawn(move || from.put(|held| held.push_back(1)));
        let mut taken = Vec::new();
        let all = |held: &mut VecDeque<u32>| taken.extend(held.drain(..));
        queue.take_until(Instant::now(), |held| !held.is_empty(), all);
        assert_eq!(taken, [1]);
        thread.join().expect("it puts");
    });
}

#[test]
fn one_that_waits_gets_all_and_is_let_go_at_the_end() {
    model(|| {
        let queue = Arc::new(Queue::default());
        let from = Arc::clone(&queue);
        let thread = thread::spawn(move || {
            from.put(|held| held.push_back(1));
            from.put(|held| held.push_back(2));
            from.end();
        });
        let mut taken = Vec::new();
        while taken.last() != Some(&2) {
            let before = taken.len();
            let all = |held: &mut VecDeque<u32>| taken.extend(held.drain(..));
            queue.take_until(Instant::now(), |held| !held.is_empty(), all);
            assert!(taken.len() > before, "let go before the end, with nothing");
        }
        // Nothing is there, and nothing will be.
        queue.take_until(Instant::now(), |held| !held.is_empty(), |held| assert!(held.is_empty()));
        assert_eq!(taken, [1, 2]);
        thread.join().expect("it ends");
    });
}

/// What the system wakes a thread with: it stays set until the thread wakes up.
#[derive(Default)]
struct Waker {
    set: Mutex<bool>,
    told: Condvar,
}

impl Waker {
    fn wake(&self) -> bool {
        *self.set.lock() = true;
        self.told.notify_one();
        true
    }

    fn sleep(&self) {
        let mut set = self.set.lock();
        while !*set {
            set = sync::wait_until(&self.told, set, Instant::now()).0;
        }
        *set = false;
    }
}

/// The game's thread and the socket thread as `handle.rs` and `thread.rs` have them: a queue of commands (a
/// channel there), the flag that the thread is to end, and the bell.
#[derive(Default)]
struct Shared {
    commands: Mutex<VecDeque<u32>>,
    ending: AtomicBool,
    bell: Bell,
    waker: Waker,
}

impl Shared {
    /// What the game's thread does to have a command obeyed.
    fn send(&self, command: u32, wake: impl FnOnce() -> bool) {
        self.commands.lock().push_back(command);
        self.bell.ring(wake);
    }

    /// A round of the socket thread: it sleeps, and obeys what there is. Whether it is to end.
    fn round(&self, obeyed: &mut Vec<u32>) -> bool {
        self.waker.sleep();
        self.bell.hear();
        let is_ending = self.ending.load(Ordering::Acquire);
        while let Some(command) = { self.commands.lock().pop_front() } {
            obeyed.push(command);
        }
        is_ending
    }
}

#[test]
fn a_thread_that_sleeps_misses_no_command_and_not_the_end() {
    model(|| {
        let shared = Arc::new(Shared::default());
        let socket = Arc::clone(&shared);
        let thread = thread::spawn(move || {
            let mut obeyed = Vec::new();
            while !socket.round(&mut obeyed) {}
            obeyed
        });
        (1..=2).for_each(|command| shared.send(command, || shared.waker.wake()));
        shared.ending.store(true, Ordering::Release);
        shared.bell.ring(|| shared.waker.wake());
        assert_eq!(thread.join().expect("it is woken"), [1, 2]);
    });
}

#[test]
fn a_waker_that_failed_is_tried_again_with_the_next_command() {
    model(|| {
        let shared = Arc::new(Shared::default());
        let socket = Arc::clone(&shared);
        let thread = thread::spawn(move || {
            let mut obeyed = Vec::new();
            while obeyed.len() < 2 {
                socket.round(&mut obeyed);
            }
        });
        shared.send(1, || false);
        shared.send(2, || shared.waker.wake());
        thread.join().expect("it is woken");
    });
}
