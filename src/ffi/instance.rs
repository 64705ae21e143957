//! One loaded mod: the game, the front with the core behind it, and what the guard keeps of the calls that
//! are on their way.

use std::cell::Cell;
use std::ffi::c_void;
use std::time::Duration;

use mp_sockets::Clock;

use super::guard::Guard;
use super::home::Home;
use super::host::HostGame;
use super::panics::{Hook, catch};
use super::stopped::{STOPPED, Stopped};
use super::threads::UNLOAD;
use super::trace_file::Writer;
use crate::front::{Core, Front, Input};
use crate::game::{Game, LogLevel, MobyHandle};
use crate::hooks::{Asked, Gate};

const STOPPED_SHOWS: Duration = Duration::from_secs(6);

/// See the module.
pub(super) struct Instance {
    pub(super) game: HostGame,
    pub(super) guard: Guard,
    pub(super) home: Home,
    pub(super) front: Front,
    clock: Clock,
    /// Of the trace, if there is one, until it is joined.
    writer: Cell<Option<Writer>>,
    stopped: Cell<bool>,
    _hook: Hook,
}

impl Instance {
    pub(super) fn new(
        game: HostGame,
        clock: Clock,
        core: Box<dyn Core>,
        writer: Option<Writer>,
        hook: Hook,
    ) -> Self {
        Self {
            game,
            guard: Guard::default(),
            home: Home::here(),
            front: Front::new(core),
            clock,
            writer: Cell::new(writer),
            stopped: Cell::new(false),
            _hook: hook,
        }
    }

    /// Puts it where the game's calls find it, until `guard::unload` frees it.
    pub(super) fn leak(self) -> *mut c_void {
        let user = Box::into_raw(Box::new(self)).cast::<c_void>();
        // SAFETY: it was boxed just now, and nobody else has it yet.
        let instance = unsafe { &*user.cast::<Self>() };
        instance.game.set_user(user);
        user
    }

    /// Adds the pages and sets the hooks.
    pub(super) fn begin(&self) {
        self.game.add_pages();
        self.game.set_hooks();
    }

    pub(super) fn tick(&self) {
        self.say_who_strayed();
        self.front.tick(&self.game, self.clock.now());
    }

    /// Says which calls came from a wrong thread: here, as the game is called on its own thread only.
    fn say_who_strayed(&self) {
        for call in self.home.take_strays() {
            let words = format!("the game called {call} from another thread than its own: refused");
            self.game.log(LogLevel::Error, &words);
        }
    }

    pub(super) fn input(&self, input: Input) {
        self.front.input(input, &self.game, self.clock.now());
    }

    pub(super) fn asked(&self, asked: &Asked) -> bool {
        self.front.asked(asked, &self.game, self.clock.now())
    }

    pub(super) fn gate(&self, moby: MobyHandle) -> Gate {
        self.front.gate(moby)
    }

    /// The game is called no more and nothing reaches the core, or both are again as they were.
    pub(super) fn mute(&self, muted: bool) {
        self.game.mute(muted);
        self.front.hush(muted);
    }

    /// Whether the game is called no more.
    pub(super) fn is_mute(&self) -> bool {
        self.game.is_mute()
    }

    /// Says in the game's log why the mod stopped.
    pub(super) fn say_why(&self, words: &str) {
        self.game.log(LogLevel::Error, &format!("{STOPPED}: {words}"));
    }

    /// Gives up what panicked: leaves the party, says so once, and does nothing from then on.
    pub(super) fn stop(&self, words: &str) {
        self.say_why(words);
        let core = self.front.take();
        // What is half changed may panic again; the socket thread then ends unjoined.
        let net = core.and_then(|core| {
            catch(|| core.end(&self.game)).unwrap_or_else(|again| {
                self.game.log(LogLevel::Error, &format!("and again at its end: {again}"));
                None
            })
        });
        if let Some(net) = &net {
            // Also when no room was left to tell it so.
            net.end();
        }
        if !self.stopped.replace(true) {
            self.game.message(STOPPED, STOPPED_SHOWS.as_secs_f32());
        }
        self.front.put(Box::new(Stopped { net }), &self.game, self.clock.now());
    }

    /// Ends the core, the threads and the sockets.
    #[expect(
        clippy::disallowed_methods,
        reason = "the game waits for them while it unloads the mod"
    )]
    pub(super) fn end(&self) {
        self.say_who_strayed();
        let began = self.clock.now();
        let core = self.front.take();
        if let Some(net) = core.and_then(|core| core.end(&self.game))
            && !net.join_within(UNLOAD)
        {
            self.game.log(LogLevel::Warning, "the socket thread has not ended yet");
        }
        let left = UNLOAD.saturating_sub(self.clock.now().since(began));
        if let Some(writer) = self.writer.take()
            && !writer.join_within(left)
        {
            self.game.log(LogLevel::Warning, "the disk has not taken the whole trace yet");
        }
    }
}
