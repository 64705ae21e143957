//! What the tests of the shared world have in common: a party of three in one level, whose games' hooks
//! the tests call.

use mp_protocol::SessionId;
use mp_protocol::game::{Level, Message, MobyFlags, MobyId, MobyKey, NetId, WorldMoby};

use super::{OFFSET_MICROS, Party, Player, hero};
use crate::front::Core as _;
use crate::game::{Kinds, MobyHandle};
use crate::hooks::{Asked, Happened};
use crate::world::Refused;

/// Where each of the three stands.
const PLACES: [[f32; 3]; 3] = [[0.0, 0.0, 0.0], [40.0, 0.0, 0.0], [0.0, 40.0, 0.0]];

/// What a creature of the level is.
pub(super) const ENEMY: Kinds = Kinds(Kinds::ENEMY.0 | Kinds::CREATURE.0);

pub(super) fn key(number: u16) -> MobyKey {
    MobyKey::new(number).expect("a test's key")
}

pub(super) fn net(number: u16) -> NetId {
    NetId::new(number).expect("a test's net id")
}

pub(super) fn level(number: i32) -> Level {
    Level::new(number).expect("a test's level")
}

/// What WORLD says of a moby that stands there.
pub(super) fn told_at(id: MobyId, position: [f32; 3]) -> WorldMoby {
    WorldMoby {
        id,
        position,
        rotation: Default::default(),
        seq: 0,
        frame: 0,
        anim_time: Default::default(),
        anim_speed: Default::default(),
        flags: MobyFlags::default(),
    }
}

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

    /// Moves a moby of the host's game, or of another.
    pub(super) fn moves(&self, place: usize, moby: MobyHandle, position: [f32; 3]) {
        let world = &self.players[place].game.world;
        world.change(moby, |moby| moby.pose.position = position);
    }

    pub(super) fn position(&self, place: usize, moby: MobyHandle) -> [f32; 3] {
        self.players[place].game.world.moby(moby).expect("it is there").pose.position
    }

    pub(super) fn drives(&self, place: usize, moby: MobyHandle) -> bool {
        self.players[place].game.world.driven.borrow().contains(&moby)
    }

    /// A tick, and whom the host told of what as WORLD.
    pub(super) fn told(&mut self) -> Vec<(SessionId, Vec<WorldMoby>)> {
        self.step();
        let mut told = Vec::new();
        for (target, bytes) in &self.players[0].worlds {
            let Ok(Message::World(world)) = Message::decode(bytes) else { panic!("no WORLD") };
            told.push((target.expect("to one"), world.mobys.iter().collect()));
        }
        self.route();
        told
    }

    /// What the host told that player of in so many ticks.
    pub(super) fn told_to(&mut self, place: usize, ticks: u32) -> Vec<Vec<WorldMoby>> {
        let id = self.players[place].id;
        let mut all = Vec::new();
        for _ in 0..ticks {
            all.extend(self.told().into_iter().filter(|(to, _)| *to == id).map(|(_, told)| told));
        }
        all
    }

    /// The host's game makes a moby.
    pub(super) fn makes(&mut self, kinds: Kinds, position: [f32; 3]) -> MobyHandle {
        let moby = self.players[0].game.world.put(None, kinds | Kinds::UPDATES, position);
        self.happens(
            0,
            Happened::Made { moby, class: 500, kinds: kinds | Kinds::UPDATES, maker: None },
        );
        moby
    }

    /// A message of the host's reaches that player, as it is.
    pub(super) fn hears<'a>(&mut self, place: usize, message: impl Into<Message<'a>>) {
        let mut bytes = Vec::new();
        message.into().encode(&mut bytes).expect("a message that fits");
        let host = self.players[0].id;
        self.players[place].data_at(self.now, host, &bytes);
    }

    /// What the server's clock shows.
    pub(super) fn stamp_ms(&self) -> i64 {
        (i64::try_from(self.now.as_micros()).expect("small") + OFFSET_MICROS) / 1_000
    }
}
