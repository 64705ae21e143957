//! The system's look-up of names, which in this program answers nobody before it is told to. Where the
//! library's cannot be put in its place, it is the system's own.

/// Whether look-ups wait.
pub const CAN_WAIT: bool = cfg!(target_os = "linux");

#[cfg(not(target_os = "linux"))]
pub fn is_asked() -> bool {
    false
}

#[cfg(not(target_os = "linux"))]
pub fn answer() {}

#[cfg(target_os = "linux")]
pub use linux::{answer, is_asked};

#[cfg(target_os = "linux")]
mod linux {
    use std::ffi::{c_char, c_int, c_void};
    use std::sync::{Condvar, Mutex, PoisonError};

    /// The system's: such a name is not known.
    const UNKNOWN: c_int = -2;

    /// How many wait.
    static ASKED: Mutex<usize> = Mutex::new(0);
    static ANSWERED: Condvar = Condvar::new();

    /// Stands for the C library's, also in libraries that this program loads: the program's own come first.
    ///
    /// # Safety
    ///
    /// None is needed: nothing that it is given is looked at.
    // SAFETY: it has the C library's name on purpose, and its signature but for what it never reads.
    #[unsafe(no_mangle)]
    unsafe extern "C" fn getaddrinfo(
        _node: *const c_char,
        _service: *const c_char,
        _hints: *const c_void,
        _out: *mut *mut c_void,
    ) -> c_int {
        let mut asked = ASKED.lock().unwrap_or_else(PoisonError::into_inner);
        *asked += 1;
        drop(ANSWERED.wait_while(asked, |asked| *asked > 0));
        UNKNOWN
    }

    /// Whether a look-up waits.
    pub fn is_asked() -> bool {
        *ASKED.lock().unwrap_or_else(PoisonError::into_inner) > 0
    }

    /// Answers all that wait.
    pub fn answer() {
        *ASKED.lock().unwrap_or_else(PoisonError::into_inner) = 0;
        ANSWERED.notify_all();
    }
}
