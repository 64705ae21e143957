//! What a run's games showed, measured for the report as the playground measures its own: nothing here
//! decides whether a run held.

use mp_playground::game::{SceneNow, StandIn};
use mp_playground::run::{
    Messages, Places, PlayerReport, Track, WorldReport, Worlds, fill_accounts, fill_figures,
};

use crate::network::{Network, Said};
use crate::seat::{NAMES, Seat};

/// See the module.
pub(crate) struct Measures {
    tracks: Vec<Track>,
    worlds: Worlds,
    games: Vec<Measured>,
}

/// One game.
#[derive(Clone, Debug, Default)]
struct Measured {
    /// With a hero.
    ticks: usize,
    /// How many mobys its mod drove at once, at most.
    driven: usize,
    scene: Option<SceneNow>,
    scenes: usize,
}

impl Measures {
    /// Nothing yet, of so many games.
    pub(crate) fn new(games: usize) -> Self {
        Self {
            tracks: NAMES[..games].iter().map(|name| Track::new(name)).collect(),
            worlds: Worlds::default(),
            games: vec![Measured::default(); games],
        }
    }

    /// Takes in a tick, `at` seconds into the run.
    pub(crate) fn look(&mut self, at: f64, seats: &[Seat]) {
        for ((seat, track), measured) in seats.iter().zip(&mut self.tracks).zip(&mut self.games) {
            let Some(game) = &seat.game else { continue };
            game.look(|game| {
                track.look(at, game);
                measured.look(game);
            });
        }
        let places = |seat: &Seat| seat.game.as_ref().and_then(|game| game.look(Places::of));
        self.worlds.look(at, seats.iter().map(places).collect());
    }

    /// The players, the host first. One whose game has crashed left nothing behind.
    pub(crate) fn players(
        mut self,
        seats: &[Seat],
        network: &Network,
        seconds: f64,
    ) -> Vec<PlayerReport> {
        let said: Vec<Said> = (0..seats.len()).map(|seat| network.said(seat)).collect();
        let report = |(seat, measured): (&Seat, &Measured)| {
            let of = &said[seat.number];
            let game = seat.game.as_ref()?;
            let screen = game.look(StandIn::screen);
            let of_game = game.look(|game| PlayerReport::of(seat.name, seat.role(), game, &screen));
            // A run's bytes are far from where a float rounds them.
            #[allow(clippy::cast_precision_loss)]
            let rate = |bytes: u64| Some((bytes as f64 / seconds).round());
            Some(PlayerReport {
                id: network.words(seat.number).session,
                ticks: measured.ticks,
                bytes_up_per_s: rate(of.bytes_up),
                bytes_down_per_s: rate(of.bytes_down),
                world: WorldReport { driven: measured.driven, ..WorldReport::default() },
                scenes: measured.scenes,
                messages: Some(Messages {
                    received: of.messages_in,
                    sent: of.messages_out,
                    dropped: None,
                }),
                faults: game.game().faults(),
                ..of_game
            })
        };
        let mut players: Vec<_> = seats.iter().zip(&self.games).filter_map(report).collect();
        for (seat, track) in seats.iter().zip(&mut self.tracks) {
            if let Some(game) = &seat.game {
                game.look(|game| track.end(game));
            }
        }
        let reported = |name: &String| players.iter().any(|player| player.name == *name);
        self.tracks.retain(|track| reported(&track.name));
        fill_figures(&mut players, &self.tracks);
        if players.len() == seats.len() {
            self.worlds.fill(&mut players);
        }
        let claims: Vec<_> =
            NAMES.iter().zip(&said).map(|(&name, said)| (name, said.claims)).collect();
        fill_accounts(&mut players, &self.tracks, &claims);
        players
    }
}

impl Measured {
    fn look(&mut self, game: &StandIn) {
        self.ticks += usize::from(game.hero_pose().is_some());
        self.driven = game.mobys().filter(|moby| moby.driven).count().max(self.driven);
        let scene = game.scene();
        let begins = |now: &SceneNow| {
            self.scene.is_none_or(|then| then.kind != now.kind || then.number != now.number)
        };
        self.scenes += usize::from(scene.as_ref().is_some_and(begins));
        self.scene = scene;
    }
}
