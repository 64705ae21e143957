//! The C side: a game with a mod in it. The only unsafe code of the playground is here: the table of
//! extern functions the mod calls, and the calls of the mod.
//!
//! A mod that breaks a rule of the interface never harms the game: the call is refused and listed
//! ([`Game::faults`]).
#![allow(unsafe_code)]

mod args;
mod convert;
mod door;
mod faults;
mod hooks;
mod pace;
mod pages;
mod progress;
mod saves;
mod scenes;
mod stray;
mod table;
mod world;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::{Duration, Instant};

use cpu_time::ThreadTime;
use door::Door;
pub use faults::{Fault, FaultKind};
pub use pace::Pacer;
use sdk_bindings::{LoadError, LoadedMod, OpenracHost};

use crate::game::{Screen, StandIn};
use crate::sim::{Pad, TickRate};

/// How long a mod's unload may take (interface.md).
const UNLOAD: Duration = Duration::from_millis(500);

/// A mod's library, trusted to be one. Several games can be loaded from it.
#[derive(Clone, Debug)]
pub struct ModLibrary(sdk_bindings::ModLibrary);

impl ModLibrary {
    /// Opens the library in that file, which is trusted: its code runs in this process.
    ///
    /// # Errors
    /// The file is missing, no library, or exports no entry.
    pub fn open(path: &Path) -> Result<Self, LoadError> {
        // SAFETY: the file is the mod its player chose to run, as a game loads any mod.
        unsafe { sdk_bindings::ModLibrary::open(path) }.map(Self)
    }
}

/// What a game tells its mod, and its seed.
#[derive(Clone, Debug, Default)]
pub struct Setup {
    /// The launcher's multiplayer name; empty: no launcher.
    pub launcher_name: String,
    /// The mod's settings by name.
    pub settings: BTreeMap<String, String>,
    /// `<game version>/<disc>`.
    pub build: String,
    /// The game's directory.
    pub work_dir: PathBuf,
    /// Of the simulation.
    pub seed: u64,
    /// The disc's ticks a second.
    pub rate: TickRate,
}

/// A line the mod wrote to the game's log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogLine {
    /// 0 error, 1 warning, 2 information, 3 for developers.
    pub level: u8,
    /// The line.
    pub text: String,
}

/// Why a game has no mod, in one line.
#[derive(Debug, thiserror::Error)]
#[error("{error}{}", log.iter().fold(String::new(), |all, line| all + "; " + &line.text))]
pub struct NotLoaded {
    /// What the loader says.
    #[source]
    pub error: LoadError,
    /// What the mod wrote to the log meanwhile.
    pub log: Vec<LogLine>,
}

/// A stand-in game with the mod loaded into it. It stays on the thread that made it, which is the
/// game's thread; dropped, it unloads the mod.
pub struct Game {
    // First, so that it is dropped, and so unloaded, while the table and the door are still there.
    module: Option<LoadedMod>,
    table: Rc<OpenracHost>,
    door: Rc<Door>,
}

impl Game {
    /// Starts a game and loads the mod into it.
    ///
    /// # Errors
    /// The mod refused, or left out a call.
    pub fn load(library: &ModLibrary, setup: Setup) -> Result<Self, NotLoaded> {
        let door = Rc::new(Door::new(setup));
        if let Err(kind) = door.insert_card() {
            door.gate.fault("insert_card", kind);
        }
        let table = Rc::new(table::of(Rc::as_ptr(&door)));
        // SAFETY: every call of the table is one of this module's, `user` is the door they want, and
        // both outlive the mod: it is the first field to be dropped, and `unload` drops it sooner.
        let loaded = unsafe { library.0.load(Rc::as_ptr(&table)) };
        match loaded {
            Ok(module) => Ok(Self { module: Some(module), table, door }),
            Err(error) => Err(NotLoaded { error, log: door.log.take() }),
        }
    }

    /// One tick with this pad: the pads are read, the mod ticks, the world steps, what shows is drawn.
    /// Answers the time spent in the mod: this thread's CPU time in its tick, its drawn and its pages'
    /// callbacks, and the time its hooks took in the step, of which there are too many to ask for that.
    pub fn tick(&mut self, pad: Pad) -> Duration {
        let mut in_mod = Duration::ZERO;
        self.on_game("read_pad", |game| game.read_pad(pad));
        in_mod += self.timed("pages", |door, _| {
            door.make_calls()?;
            door.tick_page()
        });
        in_mod += self.timed("tick", |_, module| {
            module.tick();
            Ok(())
        });
        self.on_game("step", StandIn::begin_step);
        self.door.in_hooks.set(Duration::ZERO);
        if let Err(kind) = self.door.make_asks() {
            self.door.gate.fault("hooks", kind);
        }
        in_mod += self.door.in_hooks.get();
        if let Err(kind) = self.door.write_saves() {
            self.door.gate.fault("write_saves", kind);
        }
        in_mod += self.timed("pages", |door, _| {
            door.make_calls()?;
            door.draw_page()
        });
        in_mod += self.timed("drawn", |_, module| {
            module.drawn();
            Ok(())
        });
        in_mod
    }

    /// Looks at the game between two ticks.
    ///
    /// # Panics
    /// If `look` comes back to this game, which it has no way to.
    pub fn look<T>(&self, look: impl FnOnce(&StandIn) -> T) -> T {
        look(&self.door.game().expect("nothing of the game is borrowed between two ticks"))
    }

    /// Changes the game between two ticks: for deliberate faults.
    ///
    /// # Panics
    /// If `change` comes back to this game, which it has no way to.
    pub fn change<T>(&mut self, change: impl FnOnce(&mut StandIn) -> T) -> T {
        change(&mut self.door.game().expect("nothing of the game is borrowed between two ticks"))
    }

    /// All that is written on the screen.
    #[must_use]
    pub fn screen(&self) -> Screen {
        self.look(StandIn::screen)
    }

    /// What the mod did that it must not.
    #[must_use]
    pub fn faults(&self) -> Vec<Fault> {
        self.door.gate.faults()
    }

    /// What the mod wrote to the log since this was asked last.
    #[must_use]
    pub fn take_log(&self) -> Vec<LogLine> {
        self.door.log.take()
    }

    /// Unloads the mod, and answers all its faults.
    pub fn unload(self) -> Vec<Fault> {
        self.unload_and_log().0
    }

    /// Unloads the mod, and answers all its faults and what it wrote to the log since that was asked for
    /// last, at its end too.
    pub fn unload_and_log(mut self) -> (Vec<Fault>, Vec<LogLine>) {
        self.end();
        (self.faults(), self.take_log())
    }

    fn end(&mut self) {
        let Some(module) = self.module.take() else { return };
        let start = Instant::now();
        module.unload();
        let took = start.elapsed();
        if took > UNLOAD {
            self.door.gate.fault("unload", FaultKind::Slow(took.as_millis()));
        }
    }

    fn on_game(&self, what: &'static str, change: impl FnOnce(&mut StandIn)) {
        match self.door.game() {
            Ok(mut game) => change(&mut game),
            Err(kind) => self.door.gate.fault(what, kind),
        }
    }

    /// Runs what calls the mod, and answers the CPU time it took.
    fn timed(
        &mut self,
        what: &'static str,
        run: impl FnOnce(&Door, &mut LoadedMod) -> Result<(), FaultKind>,
    ) -> Duration {
        let Some(module) = &mut self.module else { return Duration::ZERO };
        let start = ThreadTime::now();
        if let Err(kind) = run(&self.door, module) {
            self.door.gate.fault(what, kind);
        }
        start.elapsed()
    }
}

impl Drop for Game {
    fn drop(&mut self) {
        self.end();
    }
}
