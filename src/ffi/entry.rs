//! The exported symbol. Everything that can be refused is refused here, with a line in the game's log
//! as soon as the table can be read that far.

use std::ffi::c_void;

use mp_sockets::Clock;
use sdk_bindings as sdk;
use sdk_bindings::{OpenracHost, OpenracMod, VERSION_MAJOR, VERSION_MINOR};
use thiserror::Error;

use super::guard;
use super::host::HostGame;
use super::instance::Instance;
use super::panics::{Hook, catch};
use super::pin::pin;
use super::table::Table;
use super::{threads, trace_file};
use crate::front::Core;
use crate::multiplayer::Multiplayer;
use crate::trace::Trace;

/// Why the mod did not load.
#[derive(Debug, Error)]
pub(super) enum Refusal {
    #[error("a table is null")]
    Null,
    #[error("the game's table ends before its version")]
    NoVersion,
    #[error(
        "the game speaks version {0}.{1} of the mod interface, this mod {VERSION_MAJOR}.{VERSION_MINOR}"
    )]
    Version(u16, u16),
    #[error("the game has no {0}")]
    NoCall(&'static str),
    #[error("the game's table for the mod's calls is too small: {0} bytes")]
    ModTable(u32),
    #[error("the library could not be kept in memory: {0}")]
    Pin(#[source] std::io::Error),
    #[error("the socket thread did not start: {0}")]
    Thread(#[from] std::io::Error),
    #[error("the system gave no random number: {0}")]
    Random(#[from] getrandom::Error),
    #[error("it panicked: {0}")]
    Panic(String),
}

impl Refusal {
    fn code(&self) -> i32 {
        match self {
            Self::Null => sdk::REFUSED_NULL,
            Self::Version(..) => sdk::REFUSED_VERSION,
            Self::NoVersion | Self::NoCall(_) | Self::ModTable(_) => sdk::REFUSED_TABLE,
            Self::Pin(_) | Self::Thread(_) | Self::Random(_) | Self::Panic(_) => {
                sdk::REFUSED_FAILED
            }
        }
    }
}

/// Loads the mod into a game: checks the game's table, starts an instance and fills the mod's table.
/// Answers `LOADED` or a `REFUSED_*`.
///
/// # Safety
///
/// Each pointer is null or a table as the header describes it; `host` and what it points to stay valid
/// until the mod's `unload` returns.
// SAFETY: the one symbol of that name in the program, as the interface wants it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn openrac_mod_entry(
    host: *const OpenracHost,
    module: *mut OpenracMod,
) -> i32 {
    // SAFETY: as the caller promises.
    unsafe { load(host, module, multiplayer) }
}

/// The mod there is.
fn multiplayer(game: &HostGame, clock: Clock, trace: Trace) -> Result<Box<dyn Core>, Refusal> {
    let random = getrandom::u64()?;
    Ok(Box::new(Multiplayer::new(game, threads::start(clock)?, random).traced(trace)))
}

/// The entry, for the core that `make` makes.
///
/// # Safety
///
/// As for [`openrac_mod_entry`].
pub(super) unsafe fn load(
    host: *const OpenracHost,
    module: *mut OpenracMod,
    make: impl FnOnce(&HostGame, Clock, Trace) -> Result<Box<dyn Core>, Refusal>,
) -> i32 {
    if host.is_null() || module.is_null() {
        return Refusal::Null.code();
    }
    // SAFETY: not null, so a table whose size is true.
    let Some(table) = (unsafe { Table::copy(host) }) else { return Refusal::NoVersion.code() };
    // SAFETY: not null, so a table that begins with its size.
    let room = unsafe { module.cast::<u32>().read() };
    let hook = Hook::install();
    let game = HostGame::new(table);
    let loaded = catch(|| {
        check(&table, room)?;
        pin().map_err(Refusal::Pin)?;
        game.say_what_is_off();
        let clock = Clock::new();
        let (trace, writer) = trace_file::start(&game);
        let core = make(&game, clock, trace)?;
        Ok((clock, core, writer))
    });
    let (clock, core, writer) = match loaded.unwrap_or_else(|words| Err(Refusal::Panic(words))) {
        Ok(parts) => parts,
        Err(refusal) => {
            refused(&table, &refusal);
            return refusal.code();
        }
    };
    let user = Instance::new(game, clock, core, writer, hook).leak();
    // From here on a panic stops the instance as in any other call, and the game unloads it.
    // SAFETY: leaked just now.
    unsafe { guard::enter(user, sdk::ENTRY_SYMBOL, (), Instance::begin) };
    // SAFETY: `check` saw that it has room for the whole table.
    unsafe { fill(module, user) };
    sdk::LOADED
}

fn check(table: &Table, room: u32) -> Result<(), Refusal> {
    let OpenracHost { major, minor, .. } = table.calls;
    if major != VERSION_MAJOR || minor < VERSION_MINOR {
        return Err(Refusal::Version(major, minor));
    }
    if let Some(call) = table.base.missing {
        return Err(Refusal::NoCall(call));
    }
    if usize::try_from(room).is_ok_and(|room| room < size_of::<OpenracMod>()) {
        return Err(Refusal::ModTable(room));
    }
    Ok(())
}

/// Says why in the game's log, if it has one: also when the rest of the group is not there.
fn refused(table: &Table, refusal: &Refusal) {
    let text = format!("multiplayer does not load: {refusal}");
    if let Some(log) = table.calls.log {
        let user = table.calls.user;
        // SAFETY: a call of the game's table, during the entry; the text outlives it.
        unsafe { log(user, sdk::LOG_ERROR, sdk::OpenracStr::new(&text)) };
    }
}

/// # Safety
///
/// `module` is valid for writes of a whole table.
unsafe fn fill(module: *mut OpenracMod, user: *mut c_void) {
    // SAFETY: valid for writes, as the caller promises.
    let size = unsafe { module.cast::<u32>().read() };
    let filled = OpenracMod {
        size,
        major: VERSION_MAJOR,
        minor: VERSION_MINOR,
        user,
        tick: Some(tick),
        drawn: Some(drawn),
        unload: Some(unload),
    };
    // SAFETY: as above; a table that is longer keeps its rest.
    unsafe { module.write(filled) };
}

unsafe extern "C" fn tick(user: *mut c_void) {
    // SAFETY: the game calls as the header says.
    unsafe { guard::enter(user, "tick", (), Instance::tick) }
}

/// Nothing is done once the world is drawn, but the game may rely on the call.
unsafe extern "C" fn drawn(user: *mut c_void) {
    // SAFETY: the game calls as the header says.
    unsafe { guard::enter(user, "drawn", (), |_| ()) }
}

unsafe extern "C" fn unload(user: *mut c_void) {
    // SAFETY: the game calls as the header says.
    unsafe { guard::unload(user) }
}
