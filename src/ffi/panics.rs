//! A panic as a line of text. Where a panic happened is told to a hook only, and the hook is the
//! process's: it is put in place with the first instance and the one before it put back with the last,
//! and it keeps quiet only about panics that are caught here.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind, set_hook, take_hook};
use std::sync::{Arc, Mutex, PoisonError};

type PanicHook = Box<dyn Fn(&PanicHookInfo<'_>) + Send + Sync>;

/// Which hook is in place is a fact about the process, so this is the one static of the mod.
static INSTALLED: Mutex<Installed> = Mutex::new(Installed { instances: 0, previous: None });

struct Installed {
    instances: usize,
    previous: Option<Arc<PanicHook>>,
}

thread_local! {
    static CAUGHT: RefCell<Caught> = const { RefCell::new(Caught { depth: 0, newest: None }) };
}

struct Caught {
    /// How many `catch` this thread is in.
    depth: usize,
    /// The newest panic in one.
    newest: Option<String>,
}

/// Has panics told with their place for as long as it lives.
pub(super) struct Hook(());

impl Hook {
    pub(super) fn install() -> Self {
        let mut installed = INSTALLED.lock().unwrap_or_else(PoisonError::into_inner);
        if installed.instances == 0 {
            let previous = Arc::new(take_hook());
            installed.previous = Some(Arc::clone(&previous));
            set_hook(Box::new(move |info| {
                if !note(info) {
                    previous(info);
                }
            }));
        }
        installed.instances += 1;
        Self(())
    }
}

impl Drop for Hook {
    fn drop(&mut self) {
        let mut installed = INSTALLED.lock().unwrap_or_else(PoisonError::into_inner);
        installed.instances -= 1;
        if installed.instances == 0 {
            // Drops ours, and with it the other owner of the previous one.
            drop(take_hook());
            if let Some(previous) = installed.previous.take().and_then(Arc::into_inner) {
                set_hook(previous);
            }
        }
    }
}

/// Keeps the panic's words if this thread is in a `catch`; false if it is not.
fn note(info: &PanicHookInfo<'_>) -> bool {
    let text = || {
        let words = info.payload_as_str().unwrap_or("a panic without words");
        match info.location() {
            Some(place) => format!("{words} ({place})"),
            None => words.to_owned(),
        }
    };
    CAUGHT
        .try_with(|caught| match caught.try_borrow_mut() {
            Ok(mut caught) if caught.depth > 0 => {
                caught.newest = Some(text());
                true
            }
            _ => false,
        })
        .unwrap_or(false)
}

/// Runs `body`; a panic in it is the words it panicked with and where.
pub(super) fn catch<R>(body: impl FnOnce() -> R) -> Result<R, String> {
    CAUGHT.with_borrow_mut(|caught| caught.depth += 1);
    // The state that a panic may leave half changed is given up: see `Instance::stop`.
    let result = catch_unwind(AssertUnwindSafe(body));
    let newest = CAUGHT.with_borrow_mut(|caught| {
        caught.depth -= 1;
        caught.newest.take()
    });
    result.map_err(|_| newest.unwrap_or_else(|| "a panic whose words were not seen".to_owned()))
}
