//! The mod's table and its entry.

use core::ffi::c_void;

use crate::OpenracHost;

interface_struct! {
    /// The mod's calls. The game sets size (what it has room for) and its own major and minor, and
    /// zeros the rest. The mod writes its major and minor and what lies within size, and never
    /// beyond. After [`LOADED`](crate::LOADED) all three calls are there.
    OpenracMod {
        /// Bytes, this struct.
        size: u32;
        /// See [`VERSION_MAJOR`](crate::VERSION_MAJOR).
        major: u16;
        /// See [`VERSION_MINOR`](crate::VERSION_MINOR).
        minor: u16;
        /// The first argument of every call below.
        user: *mut c_void;
    }
    calls {
        /// Once a tick in every phase (while loading at least twice a second where the game can),
        /// after the pads are read and before the world steps.
        fn tick();
        /// After the world stepped and was drawn.
        fn drawn();
        /// The last call of the mod: once, and then none of its callbacks. Ends its threads and
        /// closes its sockets, within 500 ms. From inside a callback of the mod it takes effect
        /// when the outermost one returns.
        fn unload();
    }
}

/// The exported symbol ([`ENTRY_SYMBOL`](crate::ENTRY_SYMBOL)). The host's table stays valid, and is the
/// mod's to use, until `unload` returns. Answers [`LOADED`](crate::LOADED); any other answer says why
/// the mod did not load (`REFUSED_*`), and its table is not to be used.
pub type OpenracModEntry =
    unsafe extern "C" fn(host: *const OpenracHost, module: *mut OpenracMod) -> i32;
