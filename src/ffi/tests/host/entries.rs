//! Every entry of the mod's that a game can call, in one list, from which the tests of the boundary are
//! made. That none is missing here is a test of its own (`boundary.rs`).

use std::ffi::c_void;
use std::ptr::from_mut;

use sdk_bindings as sdk;
use sdk_bindings::{
    OpenracHit, OpenracHooks, OpenracMod, OpenracPageDef, OpenracPromptDone, OpenracRow,
    OpenracShot, OpenracStr, OpenracVec3,
};

/// What a game has of a mod: the mod's calls, its hooks, one of its pages and its question.
#[derive(Clone, Copy)]
pub(crate) struct Tables {
    pub(crate) module: OpenracMod,
    pub(crate) hooks: OpenracHooks,
    pub(crate) page: OpenracPageDef,
    pub(crate) prompt: OpenracPromptDone,
}

/// One entry of the mod's.
pub(crate) struct Entry {
    /// The struct of the interface that it stands in.
    pub(crate) table: &'static str,
    pub(crate) name: &'static str,
    /// The call of the core that it comes to; `None`: it is answered without the core.
    pub(crate) core: Option<&'static str>,
    call: fn(&Tables, *mut c_void) -> Option<String>,
}

impl Entry {
    /// Calls it as a game does, for the mod of that `user`: its answer in words. `None`: the mod did not
    /// give it.
    pub(crate) fn call(&self, tables: &Tables, user: *mut c_void) -> Option<String> {
        (self.call)(tables, user)
    }

    /// The last of all calls, after which there is no mod.
    pub(crate) fn is_the_end(&self) -> bool {
        self.name == "unload"
    }
}

/// An answer in words.
trait Answer {
    fn words(self) -> String;
}

macro_rules! plain_answers {
    ($($type:ty),*) => {
        $(impl Answer for $type {
            fn words(self) -> String {
                format!("{self:?}")
            }
        })*
    };
}
plain_answers!((), u8, u32);

impl Answer for OpenracStr {
    fn words(self) -> String {
        // SAFETY: the mod gave it just now, and was not called since.
        unsafe { self.to_string_lossy() }
    }
}

macro_rules! core {
    () => {
        None
    };
    ($core:literal) => {
        Some($core)
    };
}

/// Lists entries: `name(arguments)`, and what of the core they come to.
macro_rules! entries {
    ($($table:ident $place:ident {
        $($name:ident($($arg:expr),*) $(=> $core:literal)?;)*
    })*) => {
        /// All of them, the last one last.
        pub(crate) const ENTRIES: &[Entry] = &[
            $($(Entry {
                table: stringify!($table),
                name: stringify!($name),
                core: core!($($core)?),
                call: |tables, user| {
                    let call = tables.$place.$name?;
                    // SAFETY: the mod's own entry, with its user or none; what is pointed to outlives
                    // the call.
                    Some(unsafe { call(user, $($arg),*) }.words())
                },
            },)*)*
            Entry {
                table: "OpenracPromptDone",
                name: "answered",
                core: Some("answered"),
                call: |tables, user| {
                    let call = tables.prompt?;
                    // SAFETY: as above.
                    Some(unsafe { call(user, sdk::PROMPT_NO) }.words())
                },
            },
            Entry {
                table: "OpenracMod",
                name: "unload",
                core: Some("end"),
                call: |tables, user| {
                    let call = tables.module.unload?;
                    // SAFETY: as above.
                    Some(unsafe { call(user) }.words())
                },
            },
        ];
    };
}

const POINT: OpenracVec3 = OpenracVec3 { x: 1.0, y: 2.0, z: 3.0 };
static SHOT: OpenracShot =
    OpenracShot { position: POINT, velocity: POINT, item: 9, ..OpenracShot::ZERO };
static HIT: OpenracHit =
    OpenracHit { target: 5, attacker: 0, mask: 6, damage: 7.0, position: POINT, velocity: POINT };

entries! {
    OpenracMod module {
        tick() => "tick";
        drawn();
    }
    OpenracHooks hooks {
        on_travel(3, 1) => "asked";
        on_skip(sdk::SKIP_LEVEL, 4) => "asked";
        on_shot(&raw const SHOT) => "happened";
        on_make(8, sdk::KIND_CREATURE, 2, POINT) => "asked";
        on_made(7, 8, sdk::KIND_BOLT, 0) => "happened";
        on_gone(7, sdk::GONE_OTHER, 2) => "happened";
        gate(2, from_mut(&mut 0)) => "gate";
        on_hit(&raw const HIT) => "asked";
        on_bolt(7, 1, 12) => "asked";
        on_broke(7, 0) => "happened";
        on_pickup(7, 1) => "happened";
    }
    OpenracPageDef page {
        title();
        line_count();
        line(0);
        row_count();
        row(0, from_mut(&mut { OpenracRow::ZERO }));
        footer_count();
        footer_line(0);
        shown() => "page_event";
        choose(90) => "page_event";
        step(90, 1, 0) => "page_event";
        back() => "page_event";
        hidden() => "page_event";
    }
}
