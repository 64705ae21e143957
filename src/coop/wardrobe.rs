//! What figures wear and hold. A game has room for two weapon classes beside its own hero's: a weapon
//! that cannot be had is asked for again, and meanwhile the figure holds the wrench, or nothing (B5.1).

use std::time::Duration;

use mp_netcode::LocalTime;
use mp_protocol::game::{Piece, PieceFlags};

use crate::game::{Figure, Game, HeroPose, Pieces};

/// The game's number of the wrench, which every hero begins with.
const WRENCH: u8 = 8;

/// How often a piece that cannot be had is asked for again.
const ASK_EVERY: Duration = Duration::from_secs(1);

/// What figures may hold in place of what they do.
#[derive(Debug, Default)]
pub(super) struct Wardrobe {
    /// A wrench on its joint, as some hero held it.
    wrench: Option<Piece>,
}

impl Wardrobe {
    /// Looks whether there is a wrench among somebody's pieces.
    pub(super) fn look(&mut self, pieces: &Pieces) {
        let found = pieces.iter().find(|piece| piece.item == WRENCH);
        // One that was thrown is not on its joint.
        if let Some(wrench) = found.filter(|piece| piece.placement.is_none()) {
            self.wrench = Some(Piece { flags: PieceFlags::default(), ..*wrench });
        }
    }
}

/// What one figure wears.
#[derive(Debug, Default)]
pub(super) struct Clothes {
    worn: Pieces,
    /// The class in its hand that the game could not load, and when to ask again.
    missing: Option<(i16, LocalTime)>,
}

impl Clothes {
    /// Gives the figure what its player wears and holds, as far as this game can.
    pub(super) fn wear(
        &mut self,
        figure: Figure,
        pose: &HeroPose,
        wardrobe: &mut Wardrobe,
        game: &dyn Game,
        now: LocalTime,
    ) {
        wardrobe.look(&pose.pieces);
        let held = pose.pieces.iter().position(|piece| i16::from(piece.item) == pose.item);
        let class = held.and_then(|held| pose.pieces.get(held)).map(|piece| piece.class);
        let is_due =
            self.missing.is_none_or(|(missing, again)| class != Some(missing) || now >= again);
        let is_news = self.worn != pose.pieces;
        if !is_news && (self.missing.is_none() || !is_due) {
            return;
        }
        self.worn.clone_from(&pose.pieces);
        if is_due && game.figure_wear(figure, &pose.pieces) == pose.pieces.len() {
            self.missing = None;
            return;
        }
        let (Some(held), Some(class)) = (held, class) else { return };
        if is_due {
            self.missing = Some((class, now + ASK_EVERY));
        }
        let mut instead = pose.pieces.clone();
        if let Some(wrench) = wardrobe.wrench {
            let joint = instead[held].joint;
            instead[held] = Piece { joint, ..wrench };
            if game.figure_wear(figure, &instead) == instead.len() {
                return;
            }
        }
        instead.remove(held);
        game.figure_wear(figure, &instead);
    }
}
