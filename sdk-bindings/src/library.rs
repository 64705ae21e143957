//! The game's side of loading a mod. A library and its entry are owned together, so that neither a
//! mod nor an entry can outlive the code they point into; this must never hand out a bare symbol.

use core::marker::PhantomData;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use libloading::Library;
use thiserror::Error;

use crate::{
    ENTRY_SYMBOL, LOADED, OpenracHost, OpenracMod, OpenracModEntry, REFUSED_FAILED, REFUSED_NULL,
    REFUSED_TABLE, REFUSED_VERSION, VERSION_MAJOR, VERSION_MINOR,
};

/// Why a library or a mod in it is not loaded.
#[derive(Debug, Error)]
pub enum LoadError {
    /// There is no such file, or it cannot be read.
    #[error("{}: {source}", path.display())]
    NoFile {
        /// The file asked for.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The system does not load this file: not a library, or of another machine.
    #[error("{}: not a library this system loads: {source}", path.display())]
    NotALibrary {
        /// The file asked for.
        path: PathBuf,
        /// What the system said.
        source: libloading::Error,
    },
    /// A library, but no mod.
    #[error("{}: not a mod: it does not export {ENTRY_SYMBOL}", path.display())]
    NoEntry {
        /// The file asked for.
        path: PathBuf,
    },
    /// The mod's entry answered something other than [`LOADED`].
    #[error("{}: the mod refused to load: {} (code {code})", path.display(), refusal(*code))]
    Refused {
        /// The library's file.
        path: PathBuf,
        /// The entry's answer.
        code: i32,
    },
    /// The entry answered [`LOADED`] but left out a call.
    #[error("{}: the mod loaded without its call {call}", path.display())]
    Incomplete {
        /// The library's file.
        path: PathBuf,
        /// The call that is not there.
        call: &'static str,
    },
}

fn refusal(code: i32) -> &'static str {
    match code {
        REFUSED_NULL => "a table is null",
        REFUSED_VERSION => "another version of the interface",
        REFUSED_TABLE => "a table lacks a call it needs",
        REFUSED_FAILED => "it could not start",
        _ => "for a reason of its own",
    }
}

struct Inner {
    entry: OpenracModEntry,
    path: PathBuf,
    // Behind the entry, which points into it; closed when the last mod and the last clone are gone.
    _library: Library,
}

/// A mod's library. Clones share it, and several mods (several games) can be loaded from it.
#[derive(Clone)]
pub struct ModLibrary(Arc<Inner>);

impl fmt::Debug for ModLibrary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ModLibrary").field(&self.0.path).finish()
    }
}

impl ModLibrary {
    /// Loads the library in that file.
    ///
    /// # Errors
    ///
    /// [`LoadError::NoFile`], [`LoadError::NotALibrary`] or [`LoadError::NoEntry`].
    ///
    /// # Safety
    ///
    /// Loading runs the library's own start code, and its entry is taken to be what the interface says
    /// it is: the file is one the caller trusts.
    pub unsafe fn open(path: &Path) -> Result<Self, LoadError> {
        let no_file = |source| LoadError::NoFile { path: path.to_path_buf(), source };
        std::fs::File::open(path).map_err(no_file)?;
        // A name without a folder would be looked for on the system's library path.
        let absolute = std::path::absolute(path).map_err(no_file)?;
        // SAFETY: the caller trusts the file.
        let library = unsafe { Library::new(absolute) }
            .map_err(|source| LoadError::NotALibrary { path: path.to_path_buf(), source })?;
        // SAFETY: the caller trusts the library's entry to be of this type.
        let entry = unsafe { library.get::<OpenracModEntry>(ENTRY_SYMBOL) }
            .map(|symbol| *symbol)
            .map_err(|_| LoadError::NoEntry { path: path.to_path_buf() })?;
        Ok(Self(Arc::new(Inner { entry, path: path.to_path_buf(), _library: library })))
    }

    /// The file it was loaded from, as it was asked for.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.0.path
    }

    /// Loads a mod of this library into a game. The mod calls the game from within this call too.
    ///
    /// # Errors
    ///
    /// [`LoadError::Refused`] or [`LoadError::Incomplete`].
    ///
    /// # Safety
    ///
    /// `host` is a table as the header describes it (its calls are callable on this thread with its
    /// `user`), and it and what it points to stay valid until the [`LoadedMod`] is gone.
    pub unsafe fn load(&self, host: *const OpenracHost) -> Result<LoadedMod, LoadError> {
        let path = &self.0.path;
        let mut table = OpenracMod {
            size: u32::try_from(size_of::<OpenracMod>()).expect("a table is small"),
            major: VERSION_MAJOR,
            minor: VERSION_MINOR,
            ..OpenracMod::ZERO
        };
        // SAFETY: the caller promises the host's table; the mod's is whole, zeroed and lives here.
        let code = unsafe { (self.0.entry)(host, &raw mut table) };
        if code != LOADED {
            return Err(LoadError::Refused { path: path.clone(), code });
        }
        match (table.tick, table.drawn, table.unload) {
            (Some(tick), Some(drawn), Some(unload)) => Ok(LoadedMod {
                user: table.user,
                tick,
                drawn,
                unload,
                library: self.clone(),
                _game_thread: PhantomData,
            }),
            (tick, _, unload) => {
                if let Some(unload) = unload {
                    // SAFETY: the mod filled call and user together, and nothing of it is called after.
                    unsafe { unload(table.user) };
                }
                let call = match (tick, unload) {
                    (_, None) => "unload",
                    (None, _) => "tick",
                    _ => "drawn",
                };
                Err(LoadError::Incomplete { path: path.clone(), call })
            }
        }
    }
}

type Call = unsafe extern "C" fn(*mut core::ffi::c_void);

/// A loaded mod, which is unloaded once: by [`unload`](Self::unload) or when it is dropped. It stays on
/// the game's thread.
pub struct LoadedMod {
    user: *mut core::ffi::c_void,
    tick: Call,
    drawn: Call,
    unload: Call,
    // Keeps the code mapped that the calls point into.
    library: ModLibrary,
    _game_thread: PhantomData<*mut ()>,
}

impl fmt::Debug for LoadedMod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LoadedMod").field("library", &self.library).finish_non_exhaustive()
    }
}

impl LoadedMod {
    /// Calls the mod's `tick`: once a tick, after the pads are read and before the world steps.
    pub fn tick(&mut self) {
        // SAFETY: the mod filled call and user together, and is not unloaded while this lives.
        unsafe { (self.tick)(self.user) };
    }

    /// Calls the mod's `drawn`: after the world stepped and was drawn.
    pub fn drawn(&mut self) {
        // SAFETY: as in `tick`.
        unsafe { (self.drawn)(self.user) };
    }

    /// Unloads the mod now.
    pub fn unload(self) {
        drop(self);
    }
}

impl Drop for LoadedMod {
    fn drop(&mut self) {
        // SAFETY: the mod filled call and user together, and this is the only place that unloads.
        unsafe { (self.unload)(self.user) };
    }
}
