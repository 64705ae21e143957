//! The calls about what the hero has.

use std::ffi::c_void;

use sdk_bindings::{GIVE_GOLD_BOLT, GIVE_ITEM, GIVE_PLANET, OpenracProgress};

use super::args::Arg;
use super::door::{Door, enter};
use super::faults::FaultKind;
use super::table::calls;
use crate::progress::Gift;

calls! {
    fn bolts_add(door, count: i32) {
        door.game()?.bolts_add(count);
        Ok(())
    }

    fn progress(door, out: *mut OpenracProgress) {
        let game = door.game()?;
        let has = game.progress();
        out.set(OpenracProgress {
            items: has.items.map(u8::from),
            gold_bolts: has.gold_bolts.map(u8::from),
            planets: has.planets.map(u8::from),
        })
    }

    fn progress_give(door, what: u8, index: u32) {
        let place = usize::try_from(index).map_err(|_| FaultKind::TooMany(index))?;
        let gift = match what {
            GIVE_ITEM => Gift::Item(place),
            GIVE_GOLD_BOLT => Gift::GoldBolt(place),
            GIVE_PLANET => Gift::Planet(place),
            other => return Err(FaultKind::Unknown(other)),
        };
        let mut game = door.game()?;
        game.progress().has(gift).ok_or(FaultKind::TooMany(index))?;
        game.give(gift);
        Ok(())
    }
}
