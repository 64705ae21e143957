//! What the game asks and tells a mod while it plays.

use core::ffi::c_void;

use crate::{OpenracFigureHandle, OpenracHit, OpenracMobyHandle, OpenracShot, OpenracVec3};

interface_struct! {
    /// What the game asks and tells the mod while it plays. A hook that is NULL counts as the
    /// game's own way (allow, make, run, deliver, keep). Set with OpenracHost.hooks_set, which
    /// copies this table.
    OpenracHooks {
        /// Bytes, this struct.
        size: u32;
        /// 0.
        reserved: u32;
        /// The first argument of every hook.
        user: *mut c_void;
    }
    calls {
        // Play (1.8)

        /// The hero is about to leave for a level. [`REFUSE`](crate::REFUSE): the ship lands again.
        /// Not asked for a mod's own travel.
        fn on_travel(level: i32, by_ship: u8) -> u8;
        /// Start was pressed in a scene or a movie (what: `SKIP_*`). [`REFUSE`](crate::REFUSE): it
        /// plays on.
        fn on_skip(what: u8, scene: i32) -> u8;
        /// The hero fired.
        fn on_shot(shot: *const OpenracShot);

        // World (1.9)

        /// A moby is about to be made in play by the game (not by moby_make or figure_make); maker
        /// 0: the level's own code. [`REFUSE`](crate::REFUSE): it is not made. Not from here:
        /// moby_make, moby_kill.
        fn on_make(
            moby_class: i16,
            kinds: u32,
            maker: OpenracMobyHandle,
            position: OpenracVec3,
        ) -> u8;
        /// It was made.
        fn on_made(moby: OpenracMobyHandle, moby_class: i16, kinds: u32, maker: OpenracMobyHandle);
        /// A moby goes; its handle is valid until this returns. how: `GONE_*`; by: the moby that
        /// removed it, or 0. Not called for all that goes with its level.
        fn on_gone(moby: OpenracMobyHandle, how: u8, by: OpenracMobyHandle);
        /// Before each update of a moby. [`GATE_STAND_IN`](crate::GATE_STAND_IN) with *stand_in
        /// set: during that update the game's own code sees that figure as the hero, and a hit it
        /// deals the hero is an on_hit with the figure's moby as target. Not from here: moby_make,
        /// moby_kill.
        fn gate(moby: OpenracMobyHandle, stand_in: *mut OpenracFigureHandle) -> u8;
        /// A hit is about to land. [`HIT_SWALLOW`](crate::HIT_SWALLOW): it does not. Not asked for
        /// hit_post, hero_hit.
        fn on_hit(hit: *const OpenracHit) -> u8;
        /// A bolt reached the hero or a figure (collector). [`BOLT_SWALLOW`](crate::BOLT_SWALLOW):
        /// the count stays as it is; the bolt is gone either way. value in bolts.
        fn on_bolt(moby: OpenracMobyHandle, collector: OpenracMobyHandle, value: i32) -> u8;
        /// A crate broke; by: what broke it, or 0.
        fn on_broke(moby: OpenracMobyHandle, by: OpenracMobyHandle);
        /// A pickup that is no bolt was taken; by: the hero's moby.
        fn on_pickup(moby: OpenracMobyHandle, by: OpenracMobyHandle);
    }
}
