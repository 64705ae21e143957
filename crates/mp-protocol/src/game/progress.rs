//! What has been found, given, bought and unlocked.

use crate::error::{Malformed, in_range};
use crate::limits::{PROGRESS_GOLD_BOLTS_MAX, PROGRESS_ITEMS_MAX, PROGRESS_PLANETS_MAX};
use crate::wire::{Fields, Reader, Writer};

/// PROGRESS: what the member has, or, from the host, the party. A byte each; non-zero: had.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress<'a> {
    /// By the game's item number: at most [`PROGRESS_ITEMS_MAX`].
    pub items: &'a [u8],
    /// By level x 4 + number: at most [`PROGRESS_GOLD_BOLTS_MAX`].
    pub gold_bolts: &'a [u8],
    /// By level: at most [`PROGRESS_PLANETS_MAX`].
    pub planets: &'a [u8],
}

impl<'a> Fields<'a> for Progress<'a> {
    fn read(r: &mut Reader<'a>) -> Result<Self, Malformed> {
        Ok(Self {
            items: read_list("PROGRESS items", r, PROGRESS_ITEMS_MAX)?,
            gold_bolts: read_list("PROGRESS gold bolts", r, PROGRESS_GOLD_BOLTS_MAX)?,
            planets: read_list("PROGRESS planets", r, PROGRESS_PLANETS_MAX)?,
        })
    }

    fn write(&self, w: &mut Writer<'_>) -> Result<(), Malformed> {
        write_list("PROGRESS items", self.items, w, PROGRESS_ITEMS_MAX)?;
        write_list("PROGRESS gold bolts", self.gold_bolts, w, PROGRESS_GOLD_BOLTS_MAX)?;
        write_list("PROGRESS planets", self.planets, w, PROGRESS_PLANETS_MAX)
    }
}

fn read_list<'a>(
    what: &'static str,
    r: &mut Reader<'a>,
    most: usize,
) -> Result<&'a [u8], Malformed> {
    let count = in_range(what, r.u8(what)?.into(), 0..=most)?;
    r.take(what, count)
}

fn write_list(
    what: &'static str,
    list: &[u8],
    w: &mut Writer<'_>,
    most: usize,
) -> Result<(), Malformed> {
    in_range(what, list.len(), 0..=most)?;
    w.u8(u8::try_from(list.len()).map_err(|_| crate::error::out_of_range(what, list.len()))?);
    w.bytes(list);
    Ok(())
}
