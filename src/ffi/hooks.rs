//! The hooks' callbacks: what the game asks and tells, copied, checked and passed to the front. What
//! cannot be read is as if it had not been asked: the game goes its own way.

use std::ffi::c_void;

use sdk_bindings as sdk;
use sdk_bindings::{
    OpenracFigureHandle, OpenracHit, OpenracHooks, OpenracMobyHandle, OpenracShot, OpenracVec3,
};

use super::convert::floats;
use super::convert_world::{
    gone_from_game, handle_from_game, hit_from_game, shot_from_game, skip_from_game,
};
use super::guard::enter;
use super::instance::Instance;
use crate::front::Input;
use crate::game::Kinds;
use crate::hooks::{Asked, Gate, Happened};

/// The hooks, for the game to copy.
pub(super) fn table(user: *mut c_void) -> OpenracHooks {
    OpenracHooks {
        size: u32::try_from(size_of::<OpenracHooks>()).expect("a table is small"),
        reserved: 0,
        user,
        on_travel: Some(on_travel),
        on_skip: Some(on_skip),
        on_shot: Some(on_shot),
        on_make: Some(on_make),
        on_made: Some(on_made),
        on_gone: Some(on_gone),
        gate: Some(gate),
        on_hit: Some(on_hit),
        on_bolt: Some(on_bolt),
        on_broke: Some(on_broke),
        on_pickup: Some(on_pickup),
    }
}

/// Asks the front what `read` reads; true where there is nothing to ask.
///
/// # Safety
///
/// As for [`enter`], here and for every callback below: the game calls them as the header says.
unsafe fn asked(
    user: *mut c_void,
    call: &'static str,
    read: impl FnOnce() -> Option<Asked>,
) -> bool {
    let ask = |instance: &Instance| read().is_none_or(|asked| instance.asked(&asked));
    // SAFETY: the game calls as the header says.
    unsafe { enter(user, call, true, ask) }
}

/// Tells the front what `read` reads, if that is something.
///
/// # Safety
///
/// As for [`asked`].
unsafe fn told(user: *mut c_void, call: &'static str, read: impl FnOnce() -> Option<Happened>) {
    let tell = |instance: &Instance| {
        if let Some(happened) = read() {
            instance.input(Input::Happened(happened));
        }
    };
    // SAFETY: the game calls as the header says.
    unsafe { enter(user, call, (), tell) }
}

fn may(allowed: bool) -> u8 {
    if allowed { sdk::ALLOW } else { sdk::REFUSE }
}

unsafe extern "C" fn on_travel(user: *mut c_void, level: i32, by_ship: u8) -> u8 {
    let travel = || Some(Asked::Travel { level, by_ship: by_ship != 0 });
    // SAFETY: the game calls as the header says.
    may(unsafe { asked(user, "on_travel", travel) })
}

unsafe extern "C" fn on_skip(user: *mut c_void, what: u8, scene: i32) -> u8 {
    let skip = || skip_from_game(what, scene).map(Asked::Skip);
    // SAFETY: the game calls as the header says.
    may(unsafe { asked(user, "on_skip", skip) })
}

unsafe extern "C" fn on_shot(user: *mut c_void, shot: *const OpenracShot) {
    // SAFETY: null, or the game's own shot for this call.
    let shot = unsafe { shot.as_ref() };
    let fired = || shot.and_then(shot_from_game).map(Happened::Shot);
    // SAFETY: the game calls as the header says.
    unsafe { told(user, "on_shot", fired) }
}

unsafe extern "C" fn on_make(
    user: *mut c_void,
    class: i16,
    kinds: u32,
    maker: OpenracMobyHandle,
    position: OpenracVec3,
) -> u8 {
    let (kinds, maker) = (Kinds(kinds), handle_from_game(maker));
    let make = || Some(Asked::Make { class, kinds, maker, position: floats(position)? });
    // SAFETY: the game calls as the header says.
    may(unsafe { asked(user, "on_make", make) })
}

unsafe extern "C" fn on_made(
    user: *mut c_void,
    moby: OpenracMobyHandle,
    class: i16,
    kinds: u32,
    maker: OpenracMobyHandle,
) {
    let (kinds, maker) = (Kinds(kinds), handle_from_game(maker));
    let made = || Some(Happened::Made { moby: handle_from_game(moby)?, class, kinds, maker });
    // SAFETY: the game calls as the header says.
    unsafe { told(user, "on_made", made) }
}

unsafe extern "C" fn on_gone(
    user: *mut c_void,
    moby: OpenracMobyHandle,
    how: u8,
    by: OpenracMobyHandle,
) {
    let (how, by) = (gone_from_game(how), handle_from_game(by));
    let gone = || Some(Happened::Gone { moby: handle_from_game(moby)?, how, by });
    // SAFETY: the game calls as the header says.
    unsafe { told(user, "on_gone", gone) }
}

unsafe extern "C" fn gate(
    user: *mut c_void,
    moby: OpenracMobyHandle,
    stand_in: *mut OpenracFigureHandle,
) -> u8 {
    let ask =
        |instance: &Instance| handle_from_game(moby).map_or(Gate::Run, |moby| instance.gate(moby));
    // SAFETY: the game calls as the header says.
    match unsafe { enter(user, "gate", Gate::Run, ask) } {
        Gate::Skip => sdk::GATE_SKIP,
        Gate::StandIn(figure) if !stand_in.is_null() => {
            // SAFETY: not null, so the game's own place for a figure.
            unsafe { stand_in.write(figure.0.get()) };
            sdk::GATE_STAND_IN
        }
        Gate::Run | Gate::StandIn(_) => sdk::GATE_RUN,
    }
}

unsafe extern "C" fn on_hit(user: *mut c_void, hit: *const OpenracHit) -> u8 {
    // SAFETY: null, or the game's own hit for this call.
    let hit = unsafe { hit.as_ref() };
    let lands = || hit.and_then(hit_from_game).map(Asked::Hit);
    // SAFETY: the game calls as the header says.
    let deliver = unsafe { asked(user, "on_hit", lands) };
    if deliver { sdk::HIT_DELIVER } else { sdk::HIT_SWALLOW }
}

unsafe extern "C" fn on_bolt(
    user: *mut c_void,
    moby: OpenracMobyHandle,
    collector: OpenracMobyHandle,
    value: i32,
) -> u8 {
    let collector = handle_from_game(collector);
    let bolt = || Some(Asked::Bolt { moby: handle_from_game(moby)?, collector, value });
    // SAFETY: the game calls as the header says.
    let keep = unsafe { asked(user, "on_bolt", bolt) };
    if keep { sdk::BOLT_KEEP } else { sdk::BOLT_SWALLOW }
}

unsafe extern "C" fn on_broke(user: *mut c_void, moby: OpenracMobyHandle, by: OpenracMobyHandle) {
    let by = handle_from_game(by);
    let broke = || Some(Happened::Broke { moby: handle_from_game(moby)?, by });
    // SAFETY: the game calls as the header says.
    unsafe { told(user, "on_broke", broke) }
}

unsafe extern "C" fn on_pickup(user: *mut c_void, moby: OpenracMobyHandle, by: OpenracMobyHandle) {
    let by = handle_from_game(by);
    let taken = || Some(Happened::PickedUp { moby: handle_from_game(moby)?, by });
    // SAFETY: the game calls as the header says.
    unsafe { told(user, "on_pickup", taken) }
}
