//! The mod's hooks: set, and asked when the game asks something. A hook the mod left out is the game's
//! own way, and so is everything before the mod set any. Nothing of the game is borrowed while one runs.

use std::ffi::c_void;
use std::time::Instant;

use sdk_bindings::{
    ALLOW, BOLT_KEEP, BOLT_SWALLOW, GATE_RUN, GATE_SKIP, GATE_STAND_IN, HIT_DELIVER, HIT_SWALLOW,
    OpenracHooks, REFUSE,
};

use super::args::Arg;
use super::convert::{openrac_hit, openrac_shot, openrac_vec3};
use super::door::{Door, enter};
use super::faults::FaultKind;
use super::scenes::NO_NUMBER;
use super::table::calls;
use crate::game::{Reply, Skip};
use crate::sim::{Ask, Making, MobyId};

calls! {
    fn hooks_set(door, hooks: *const OpenracHooks) {
        let hooks = if hooks.is_null() { OpenracHooks::ZERO } else { hooks.sized()? };
        door.hooks.set(hooks);
        Ok(())
    }
}

impl Door {
    /// Asks whether the hero may leave for that level.
    pub(super) fn ask_travel(&self, level: i32, by_ship: bool) -> Result<(), FaultKind> {
        let hooks = self.hooks.get();
        let Some(on_travel) = hooks.on_travel else { return Ok(()) };
        // SAFETY: the mod gave hook and user together, and is loaded.
        let answer = unsafe { on_travel(hooks.user, level, u8::from(by_ship)) };
        self.take_answer("on_travel", answer)
    }

    /// Asks whether Start may skip what plays.
    pub(super) fn ask_skip(&self, what: Skip, scene: Option<i32>) -> Result<(), FaultKind> {
        let hooks = self.hooks.get();
        let Some(on_skip) = hooks.on_skip else { return Ok(()) };
        // SAFETY: as above.
        let answer = unsafe { on_skip(hooks.user, what as u8, scene.unwrap_or(NO_NUMBER)) };
        self.take_answer("on_skip", answer)
    }

    fn take_answer(&self, hook: &'static str, answer: u8) -> Result<(), FaultKind> {
        match answer {
            ALLOW => {}
            REFUSE => self.game()?.refuse(),
            other => self.gate.fault(hook, FaultKind::Unknown(other)),
        }
        Ok(())
    }

    /// Asks the mod all that the game wants to know until what was begun is over.
    pub(super) fn make_asks(&self) -> Result<(), FaultKind> {
        loop {
            let ask = self.game()?.poll_ask(self.listens());
            let Some(ask) = ask else { return Ok(()) };
            let reply = self.timed_ask(&ask).unwrap_or_else(|(hook, kind)| {
                self.gate.fault(hook, kind);
                Reply::OwnWay
            });
            if let Err(refusal) = self.game()?.answer(reply) {
                self.gate.fault("gate", refusal.into());
            }
        }
    }

    /// Whether the mod has any hook of the world's.
    fn listens(&self) -> bool {
        let hooks = self.hooks.get();
        hooks.on_shot.is_some()
            || hooks.on_make.is_some()
            || hooks.on_made.is_some()
            || hooks.on_gone.is_some()
            || hooks.gate.is_some()
            || hooks.on_hit.is_some()
            || hooks.on_bolt.is_some()
            || hooks.on_broke.is_some()
            || hooks.on_pickup.is_some()
    }

    fn timed_ask(&self, ask: &Ask) -> Result<Reply, (&'static str, FaultKind)> {
        let (start, depth) = (Instant::now(), self.hook_depth.get());
        self.hook_depth.set(depth + 1);
        let reply = self.ask(ask);
        self.hook_depth.set(depth);
        if depth == 0 {
            self.in_hooks.set(self.in_hooks.get() + start.elapsed());
        }
        reply
    }

    fn ask(&self, ask: &Ask) -> Result<Reply, (&'static str, FaultKind)> {
        let hooks = self.hooks.get();
        match ask {
            Ask::Gate(moby) => self.deciding(|| gate(&hooks, *moby)),
            Ask::Make(making) => self.deciding(|| on_make(&hooks, making)),
            Ask::Hit(hit) => {
                let Some(on_hit) = hooks.on_hit else { return Ok(Reply::OwnWay) };
                let hit = openrac_hit(hit);
                // SAFETY: the mod gave hook and user together, and is loaded; `hit` outlives the call.
                match unsafe { on_hit(hooks.user, &raw const hit) } {
                    HIT_DELIVER => Ok(Reply::OwnWay),
                    HIT_SWALLOW => Ok(Reply::Not),
                    other => Err(("on_hit", FaultKind::Unknown(other))),
                }
            }
            Ask::Bolt { moby, collector, value } => {
                let Some(on_bolt) = hooks.on_bolt else { return Ok(Reply::OwnWay) };
                // SAFETY: the mod gave hook and user together, and is loaded.
                match unsafe { on_bolt(hooks.user, moby.0, collector.0, *value) } {
                    BOLT_KEEP => Ok(Reply::OwnWay),
                    BOLT_SWALLOW => Ok(Reply::Not),
                    other => Err(("on_bolt", FaultKind::Unknown(other))),
                }
            }
            told => {
                tell(&hooks, told);
                Ok(Reply::OwnWay)
            }
        }
    }

    /// Calls a hook from which nothing may be made or killed.
    fn deciding<T>(&self, hook: impl FnOnce() -> T) -> T {
        self.deciding.set(self.deciding.get() + 1);
        let answer = hook();
        self.deciding.set(self.deciding.get() - 1);
        answer
    }
}

fn gate(hooks: &OpenracHooks, moby: MobyId) -> Result<Reply, (&'static str, FaultKind)> {
    let Some(gate) = hooks.gate else { return Ok(Reply::OwnWay) };
    let mut figure = 0;
    // SAFETY: the mod gave hook and user together, and is loaded; `figure` outlives the call.
    match unsafe { gate(hooks.user, moby.0, &raw mut figure) } {
        GATE_RUN => Ok(Reply::OwnWay),
        GATE_SKIP => Ok(Reply::Not),
        GATE_STAND_IN => Ok(Reply::StandIn(figure)),
        other => Err(("gate", FaultKind::Unknown(other))),
    }
}

fn on_make(hooks: &OpenracHooks, making: &Making) -> Result<Reply, (&'static str, FaultKind)> {
    let Some(on_make) = hooks.on_make else { return Ok(Reply::OwnWay) };
    let Making { class, maker, position, .. } = *making;
    let kinds = class.traits().kinds;
    // SAFETY: the mod gave hook and user together, and is loaded.
    match unsafe { on_make(hooks.user, class as i16, kinds, maker.0, openrac_vec3(position)) } {
        ALLOW => Ok(Reply::OwnWay),
        REFUSE => Ok(Reply::Not),
        other => Err(("on_make", FaultKind::Unknown(other))),
    }
}

/// The hooks that are only told.
fn tell(hooks: &OpenracHooks, told: &Ask) {
    let user = hooks.user;
    match *told {
        Ask::Made { moby, class, maker } => {
            if let Some(on_made) = hooks.on_made {
                // SAFETY: the mod gave hook and user together, and is loaded.
                unsafe { on_made(user, moby.0, class as i16, class.traits().kinds, maker.0) };
            }
        }
        Ask::Gone { moby, how, by } => {
            if let Some(on_gone) = hooks.on_gone {
                // SAFETY: as above.
                unsafe { on_gone(user, moby.0, how as u8, by.0) };
            }
        }
        Ask::Broke { moby, by } => {
            if let Some(on_broke) = hooks.on_broke {
                // SAFETY: as above.
                unsafe { on_broke(user, moby.0, by.0) };
            }
        }
        Ask::Pickup { moby, by } => {
            if let Some(on_pickup) = hooks.on_pickup {
                // SAFETY: as above.
                unsafe { on_pickup(user, moby.0, by.0) };
            }
        }
        Ask::Shot(shot) => {
            if let Some(on_shot) = hooks.on_shot {
                let shot = openrac_shot(&shot);
                // SAFETY: as above, and `shot` outlives the call.
                unsafe { on_shot(user, &raw const shot) };
            }
        }
        Ask::Gate(_) | Ask::Make(_) | Ask::Hit(_) | Ask::Bolt { .. } => {}
    }
}
