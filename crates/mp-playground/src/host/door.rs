//! The one place where the mod comes into the game. Every call of the table goes through [`enter`],
//! which holds the rules: the game's thread only, not from a callback that only answers, and no panic out.
//!
//! **Why the cells are right.** The mod calls the game from inside the game's own calls of the mod, so
//! the game must not be borrowed while the mod runs. It is not: what the game wants of the mod comes out
//! of it as a value ([`StandIn::poll_call`], [`StandIn::poll_ask`]), and the borrow ends before the call is
//! made. Each call that comes in borrows for the length of its own body, which never calls the mod. The
//! `RefCell` checks this at run time: a mistake is a [`FaultKind::Busy`], not undefined behaviour. Another
//! thread touches only [`Gate`], which is `Sync`.

use std::any::Any;
use std::cell::{Cell, RefCell, RefMut};
use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, ThreadId};
use std::time::Duration;

use sdk_bindings::{
    LEVEL_NONE, LOG_ERROR, OpenracHooks, OpenracPageDef, OpenracPromptDone, OpenracStr,
};

use super::faults::{Fault, FaultKind, Faults};
use super::{LogLine, Setup};
use crate::game::StandIn;

/// What any thread may touch.
pub(super) struct Gate {
    owner: ThreadId,
    faults: Mutex<Faults>,
}

impl Gate {
    pub(super) fn fault(&self, call: &'static str, kind: FaultKind) {
        self.faults.lock().unwrap_or_else(PoisonError::into_inner).add(call, kind);
    }

    pub(super) fn faults(&self) -> Vec<Fault> {
        self.faults.lock().unwrap_or_else(PoisonError::into_inner).list()
    }
}

/// What the table's `user` points to: one game, as the mod sees it.
pub(super) struct Door {
    pub(super) gate: Gate,
    pub(super) setup: Setup,
    game: RefCell<StandIn>,
    pub(super) log: RefCell<Vec<LogLine>>,
    /// By handle, from 1.
    pub(super) pages: RefCell<Vec<OpenracPageDef>>,
    pub(super) hooks: Cell<OpenracHooks>,
    pub(super) prompt: Cell<(OpenracPromptDone, *mut c_void)>,
    /// A page is being asked what is on it.
    pub(super) asking: Cell<bool>,
    /// So many hooks run from which nothing may be made or killed.
    pub(super) deciding: Cell<u32>,
    /// The time hooks took since this was set last, those inside others not counted again.
    pub(super) in_hooks: Cell<Duration>,
    pub(super) hook_depth: Cell<u32>,
    /// The string given last.
    lent: RefCell<Vec<u8>>,
}

impl Door {
    pub(super) fn new(setup: Setup) -> Self {
        Self {
            gate: Gate { owner: thread::current().id(), faults: Mutex::default() },
            game: RefCell::new(StandIn::new(setup.seed).with_rate(setup.rate)),
            setup,
            log: RefCell::default(),
            pages: RefCell::default(),
            hooks: Cell::new(OpenracHooks::ZERO),
            prompt: Cell::new((None, std::ptr::null_mut())),
            asking: Cell::new(false),
            deciding: Cell::new(0),
            in_hooks: Cell::new(Duration::ZERO),
            hook_depth: Cell::new(0),
            lent: RefCell::default(),
        }
    }

    /// The game, for as long as one body needs it.
    pub(super) fn game(&self) -> Result<RefMut<'_, StandIn>, FaultKind> {
        self.game.try_borrow_mut().map_err(|_| FaultKind::Busy)
    }

    /// A line of the game's own in its log.
    pub(super) fn game_says(&self, text: String) {
        self.log.borrow_mut().push(LogLine { level: LOG_ERROR, text });
    }

    pub(super) fn setting(&self, key: &str) -> &str {
        self.setup.settings.get(key).map_or("", String::as_str)
    }

    /// A string as the interface returns it: valid until the game is called next. It is kept here, and
    /// written over at that call, so that a mod that keeps it sees it change.
    pub(super) fn lend(&self, text: &str) -> OpenracStr {
        let mut lent = self.lent.borrow_mut();
        lent.clear();
        lent.extend_from_slice(text.as_bytes());
        OpenracStr { ptr: lent.as_ptr().cast(), len: lent.len() }
    }
}

/// What a refused call answers.
pub(super) trait Answer {
    const NOTHING: Self;
}

macro_rules! nothing {
    ($($type:ty: $nothing:expr),*) => {
        $(impl Answer for $type { const NOTHING: Self = $nothing; })*
    };
}
// The only call that answers an i32 is `level`.
nothing!((): (), u8: 0, u16: 0, u32: 0, u64: 0, usize: 0, i32: LEVEL_NONE, OpenracStr: OpenracStr::ZERO);

/// Runs the body of a call that came in.
///
/// # Safety
///
/// `user` is the table's: it points to a [`Door`] that is alive.
pub(super) unsafe fn enter<T: Answer>(
    user: *mut c_void,
    call: &'static str,
    body: impl FnOnce(&Door) -> Result<T, FaultKind>,
) -> T {
    let door: *const Door = user.cast_const().cast();
    // SAFETY: it points to a door; whichever thread this is, it looks only at the gate, which is `Sync`.
    let gate = unsafe { &(*door).gate };
    if gate.owner != thread::current().id() {
        gate.fault(call, FaultKind::WrongThread);
        return T::NOTHING;
    }
    // SAFETY: it points to a door, and this is the thread that made it.
    let door = unsafe { &*door };
    if door.asking.get() {
        gate.fault(call, FaultKind::NotFromHere);
        return T::NOTHING;
    }
    door.lent.borrow_mut().fill(b'?');
    let kind = match catch_unwind(AssertUnwindSafe(|| body(door))) {
        Ok(Ok(answer)) => return answer,
        Ok(Err(kind)) => kind,
        Err(panic) => FaultKind::Panic(words_of(&*panic)),
    };
    gate.fault(call, kind);
    T::NOTHING
}

fn words_of(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "?".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_or_a_borrow_of_our_own_becomes_a_fault() {
        let door = Door::new(Setup::default());
        let user = (&raw const door).cast_mut().cast();
        // SAFETY: `user` is a door that is alive.
        let answer: u8 = unsafe { enter(user, "a", |_| panic!("at the disco")) };
        assert_eq!(answer, 0);
        let borrowed = door.game().expect("is free");
        // SAFETY: as above.
        let answer = unsafe { enter(user, "b", |door| Ok(door.game()?.frame())) };
        assert_eq!(answer, 0);
        drop(borrowed);
        let kinds: Vec<FaultKind> = door.gate.faults().into_iter().map(|f| f.kind).collect();
        assert_eq!(kinds, [FaultKind::Panic("at the disco".to_owned()), FaultKind::Busy]);
    }
}
