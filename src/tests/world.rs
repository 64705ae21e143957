//! What the tests of the shared world have in common: a party of three in one level, whose games' hooks
//! the tests call.

use mp_protocol::game::Message;

use super::{Party, Player, hero};
use crate::front::Core as _;
use crate::game::{Kinds, MobyHandle};
use crate::hooks::{Asked, Happened};
use crate::world::Refused;

/// Where each of the three stands.
const PLACES: [[f32; 3]; 3] = [[0.0, 0.0, 0.0], [40.0, 0.0, 0.0], [0.0, 40.0, 0.0]];

/// A host, Ann and Bob, in one level, each seen by the others.
pub(super) fn playing() -> Party {
    let mut party = Party::of(&["Host", "Ann", "Bob"]);
    party.start();
    for (player, place) in party.players.iter().zip(PLACES) {
        player.game.play(0, hero(place));
    }
    // Until everyone's poses are played.
    party.ticks(30);
    party
}

impl Party {
    /// Puts a moby of the level's file into every game. Returns its handle in each, the host's first.
    pub(super) fn placed(&mut self, key: u16, kinds: Kinds) -> Vec<MobyHandle> {
        let updates = kinds | Kinds::UPDATES;
        let put = |player: &Player| player.game.world.put(Some(key), updates, [9.0, 9.0, 0.0]);
        let mobys: Vec<_> = self.players.iter().map(put).collect();
        if kinds.any(Kinds::BOLT) {
            for (player, &moby) in self.players.iter().zip(&mobys) {
                player.game.world.change(moby, |moby| moby.value = 5);
            }
        }
        self.ticks(2);
        mobys
    }

    /// A game asks the mod.
    pub(super) fn asks(&mut self, place: usize, asked: &Asked) -> bool {
        let Player { mp, game, .. } = &mut self.players[place];
        mp.asked(asked, game, self.now)
    }

    /// A game tells the mod.
    pub(super) fn happens(&mut self, place: usize, happened: Happened) {
        let Player { mp, game, .. } = &mut self.players[place];
        mp.happened(&happened, game, self.now);
    }

    /// The hero of that game, or a figure in it, collects a bolt, which goes. Returns whether the game
    /// adds it.
    pub(super) fn collects(
        &mut self,
        place: usize,
        moby: MobyHandle,
        collector: Option<MobyHandle>,
    ) -> bool {
        let value = self.players[place].game.world.moby(moby).expect("a bolt that is there").value;
        let adds = self.asks(place, &Asked::Bolt { moby, collector, value });
        self.ends(place, moby);
        if adds {
            let bolts = &self.players[place].game.world.bolts;
            bolts.set(bolts.get() + value);
        }
        adds
    }

    /// A moby of that game ends by itself.
    pub(super) fn ends(&mut self, place: usize, moby: MobyHandle) {
        let how = crate::game::Gone::Own;
        self.happens(place, Happened::Gone { moby, how, by: None });
        self.players[place].game.world.remove(moby);
    }

    /// The moby of one player's figure in another's game.
    pub(super) fn figure_of(&self, whom: usize, place: usize) -> MobyHandle {
        let game = &self.players[place].game;
        let name = self.players[whom].name;
        let figures = game.figures.borrow();
        let (&figure, _) = figures.iter().find(|(_, made)| made.name == name).expect("a figure");
        drop(figures);
        crate::game::Game::figure_moby(game, figure).expect("a figure that is there")
    }

    /// How many bolts each has, the host first.
    pub(super) fn bolts(&self) -> Vec<i32> {
        self.players.iter().map(|player| player.game.world.bolts.get()).collect()
    }

    /// A message of that player's reaches the host, as it is.
    pub(super) fn says<'a>(&mut self, place: usize, message: impl Into<Message<'a>>) {
        let mut bytes = Vec::new();
        message.into().encode(&mut bytes).expect("a message that fits");
        let id = self.players[place].id;
        self.players[0].data(id, &bytes);
    }

    /// How often the host refused something for that reason.
    pub(super) fn refused(&self, why: Refused) -> u64 {
        self.players[0].mp.refused(why)
    }

    /// Whether a moby is in that game.
    pub(super) fn is_there(&self, place: usize, moby: MobyHandle) -> bool {
        self.players[place].game.world.moby(moby).is_some()
    }
}
