//! What a deliberate fault does to one game, tick by tick.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

use super::breaks::Break;
use super::cards::FORGOTTEN;
use crate::card::store;
use crate::game::{Figure, StandIn};
use crate::host::Game;

/// The byte of a save that is flipped: one in its global section.
const FLIPPED: usize = 20;

/// How long a game is in its level before it forgets, in ticks: others know by then what it had.
const BEFORE: u32 = 120;

/// A deliberate fault in a game.
#[derive(Clone, Debug)]
pub(super) struct Sabotage {
    what: Break,
    done: bool,
    /// In the level.
    ticks: u32,
    /// What had been credited to the player.
    credited: i64,
    /// The figures there were, by their players' names.
    figures: BTreeMap<String, Figure>,
}

impl Sabotage {
    pub(super) const fn new(what: Break) -> Self {
        Self { what, done: false, ticks: 0, credited: 0, figures: BTreeMap::new() }
    }

    /// Does it, once the game is in a level.
    pub(super) fn tick(&mut self, game: &mut Game, folder: &Path) -> io::Result<()> {
        if game.look(StandIn::level).is_none() {
            self.figures.clear();
            return Ok(());
        }
        self.ticks += 1;
        match self.what {
            Break::BoltTwice => {
                self.credit_twice(game);
                return Ok(());
            }
            Break::GoldBoltForgotten if self.ticks == BEFORE => {
                game.change(|game| game.forget_gold_bolt(FORGOTTEN));
            }
            Break::FigureForgotten => self.keep_figures(game),
            Break::WrongThread if !self.done => game.call_from_another_thread(),
            Break::CardByteFlipped if !self.done => flip_a_byte(&store::file_of(folder, 0))?,
            _ => {}
        }
        self.done = true;
        Ok(())
    }

    /// Credits what was credited once more, the first time.
    fn credit_twice(&mut self, game: &mut Game) {
        let credited = game.look(StandIn::bolt_account).credited;
        let more = i32::try_from(credited - self.credited).unwrap_or_default();
        self.credited = credited;
        if more > 0 && !self.done {
            self.done = true;
            game.change(|game| game.bolts_add(more));
        }
    }

    /// Makes what the mod removed again.
    fn keep_figures(&mut self, game: &mut Game) {
        let there: BTreeMap<String, Figure> = game.look(|game| {
            game.figures().iter().map(|figure| (figure.name.clone(), figure.clone())).collect()
        });
        for (name, figure) in &self.figures {
            if !there.contains_key(name) {
                game.change(|game| make(game, figure));
            }
        }
        self.figures.extend(there);
    }
}

/// A figure again, as it was.
fn make(game: &mut StandIn, was: &Figure) {
    let Some(handle) = game.figure_make(&was.name) else { return };
    let posed = was.pose.clone().map_or(Ok(()), |pose| game.figure_pose(handle, pose));
    let shown = posed.and_then(|()| game.figure_show(handle, was.shown));
    shown.expect("it was made a moment ago, with a pose that was taken before");
}

fn flip_a_byte(save: &Path) -> io::Result<()> {
    let mut bytes = fs::read(save)?;
    if let Some(byte) = bytes.get_mut(FLIPPED) {
        *byte ^= 1;
    }
    fs::write(save, bytes)
}
