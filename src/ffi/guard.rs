//! What every entry of the game's goes through. No panic crosses it; a panic stops the mod, not the
//! game; a call from another thread than the game's is refused; and an instance that is unloaded from
//! inside one of its own callbacks is freed when the outermost of them returns.

use std::cell::{Cell, RefCell};
use std::ffi::c_void;
use std::ptr::NonNull;

use super::home::Home;
use super::instance::Instance;
use super::panics::catch;

/// How deep an instance's callbacks are nested, and what waits for the outermost to return.
#[derive(Default)]
pub(super) struct Guard {
    depth: Cell<u32>,
    failure: RefCell<Option<String>>,
    unloading: Cell<bool>,
}

impl Guard {
    /// A panic happened or the game has unloaded the mod, inside a callback that has not returned.
    pub(super) fn is_over(&self) -> bool {
        self.unloading.get() || self.failure.borrow().is_some()
    }
}

/// Runs `body` for the instance that `user` points to. `call` is the entry's name; `otherwise` is the
/// answer of an instance that is not there, that stops, or that is called from a wrong thread.
///
/// # Safety
///
/// `user` is null or the pointer that [`Instance::leak`] gave, and `unload` was not called with it outside
/// of its callbacks, nor is it on another thread before this returns.
pub(super) unsafe fn enter<R>(
    user: *mut c_void,
    call: &'static str,
    otherwise: R,
    body: impl FnOnce(&Instance) -> R,
) -> R {
    let Some(instance) = NonNull::new(user.cast::<Instance>()) else { return otherwise };
    // SAFETY: the caller promises the instance.
    if !unsafe { is_at_home(instance, call) } {
        return otherwise;
    }
    let answer = {
        // SAFETY: as above, and this is its thread; it is freed only at depth 0, below.
        let instance = unsafe { instance.as_ref() };
        nested(instance, call, otherwise, body)
    };
    // SAFETY: as above, and the reference is gone.
    unsafe { free_if_unloaded(instance) };
    answer
}

/// Unloads the instance: at once, or when the outermost callback returns.
///
/// # Safety
///
/// As for [`enter`]; after it returns outside of a callback, `user` is dangling.
pub(super) unsafe fn unload(user: *mut c_void) {
    let Some(instance) = NonNull::new(user.cast::<Instance>()) else { return };
    // SAFETY: the caller promises the instance.
    if !unsafe { is_at_home(instance, "unload") } {
        return;
    }
    {
        // SAFETY: as above, and this is its thread; it is freed only at depth 0, below.
        let instance = unsafe { instance.as_ref() };
        let inside = instance.guard.depth.get() > 0;
        let first = !instance.guard.unloading.replace(true);
        if first && inside {
            // The game's table may go as soon as this returns.
            instance.mute(true);
        }
    }
    // SAFETY: as above, and the reference is gone.
    unsafe { free_if_unloaded(instance) };
}

/// Whether this is the thread that the instance was loaded on. If it is not, that is noted.
///
/// # Safety
///
/// `instance` was leaked and not freed.
unsafe fn is_at_home(instance: NonNull<Instance>, call: &'static str) -> bool {
    // SAFETY: the caller promises that it is alive; of all of it only this field, which is `Sync`, is
    // looked at.
    let home: &Home = unsafe { &(*instance.as_ptr()).home };
    home.admits(call)
}

fn nested<R>(
    instance: &Instance,
    call: &'static str,
    otherwise: R,
    body: impl FnOnce(&Instance) -> R,
) -> R {
    let guard = &instance.guard;
    if guard.is_over() {
        return otherwise;
    }
    guard.depth.set(guard.depth.get() + 1);
    let answer = caught(instance, call, || body(instance)).unwrap_or(otherwise);
    if guard.depth.get() == 1 && !guard.unloading.get() {
        stop_if_failed(instance);
    }
    guard.depth.set(guard.depth.get() - 1);
    answer
}

/// Runs `body`; after a panic the instance calls the game no more until it has stopped.
fn caught<R>(instance: &Instance, call: &'static str, body: impl FnOnce() -> R) -> Option<R> {
    let body = || {
        #[cfg(test)]
        super::tests::fail_if_told(call);
        body()
    };
    match catch(body) {
        Ok(answer) => Some(answer),
        Err(words) => {
            instance.mute(true);
            instance.guard.failure.borrow_mut().get_or_insert(format!("in {call}: {words}"));
            None
        }
    }
}

fn stop_if_failed(instance: &Instance) {
    let Some(words) = instance.guard.failure.take() else { return };
    instance.mute(false);
    if caught(instance, "stop", || instance.stop(&words)).is_none() {
        // What stops an instance is small, but its core's own end is not: without it then.
        instance.guard.failure.take();
        instance.mute(false);
    }
}

/// # Safety
///
/// `instance` was leaked and not freed, and no reference to it is alive outside of callbacks that have
/// not returned.
unsafe fn free_if_unloaded(instance: NonNull<Instance>) {
    {
        // SAFETY: the caller promises it is alive.
        let instance = unsafe { instance.as_ref() };
        if instance.guard.depth.get() > 0 || !instance.guard.unloading.get() {
            return;
        }
        // Ending calls the game, which may call back: that finds an instance that is over.
        instance.guard.depth.set(1);
        let mute = instance.is_mute();
        // A panic in here is the last word of an instance that is freed in any case.
        if caught(instance, "unload", || instance.end()).is_none() && !mute {
            instance.mute(false);
            let words = instance.guard.failure.take().unwrap_or_default();
            instance.say_why(&words);
        }
    }
    // SAFETY: it came from `Box::into_raw` in `Instance::leak`, depth was 0 so no callback holds it,
    // and `unloading` lets nobody else in.
    drop(unsafe { Box::from_raw(instance.as_ptr()) });
}
