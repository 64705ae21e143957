//! Leaving and being left from every phase (behaviour.md 5.9), by every way: a table of where a player is
//! against how its party ends, on a server and at a host's address.

use std::io;

use super::*;
use crate::game::{Kinds, Phase, SceneKind};
use crate::hooks::Gate;
use mp_protocol::game::{Chunk, Level, Play, PlayFrom, PlayId, Start};
use mp_sockets::LostReason;

/// The places that a player can be at, and all of them.
macro_rules! places {
    ($($(#[$doc:meta])* $place:ident,)*) => {
        /// Where a player is when its party ends.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        enum Where {
            $($(#[$doc])* $place,)*
        }

        const ALL: &[Where] = &[$($place,)*];
    };
}

places! {
    /// In the title's pages.
    Lobby,
    /// The host said START, and nothing more yet.
    Announced,
    /// A part of the host's save is there.
    Receiving,
    /// The game refuses to start for the moment.
    Starting,
    /// The game was told to leave the title.
    LeavingTitle,
    /// It loads the host's game.
    LoadingAtTheStart,
    Playing,
    /// The mod's page in the pause menu shows.
    Paused,
    Dialog,
    Vendor,
    Dying,
    /// In the host's scene.
    Scene,
    /// Out of it, and held until the host is.
    HeldByAScene,
    /// On the way to where the host flies.
    Travel,
    Movie,
    LoadingAfterATravel,
    /// There, and held until all are.
    HeldByTheBarrier,
    /// It quit to the title, and the party plays on.
    Quit,
}

use Where::*;

impl Where {
    /// Whether the host can be there too: it makes nobody wait for itself, and receives nothing.
    fn can_be_the_hosts(self) -> bool {
        !matches!(self, Announced | Receiving | Starting)
    }

    /// Whether the title has to be returned to.
    fn is_out_of_the_title(self) -> bool {
        !matches!(self, Lobby | Announced | Receiving | Starting | Quit)
    }

    /// A party of three of which one is there.
    fn party(self, on_server: bool, place: usize) -> Party {
        let names = ["Nova_7", "Orbit", "Quark"];
        let mut party = if on_server { Party::on_server(&names) } else { Party::of(&names) };
        match self {
            Lobby | Announced | Receiving | Starting => self.before_the_start(&mut party, place),
            LeavingTitle => party.press_start(),
            _ => {
                party.start();
                if self == LoadingAtTheStart {
                    party.players[place].game.fly();
                    party.players[place].game.phase.set(Phase::Loading);
                }
                party.ticks(30);
                party.placed(3, Kinds::ENEMY);
                party.ticks(10);
                self.in_play(&mut party, place);
            }
        }
        party.ticks(3);
        party
    }

    fn before_the_start(self, party: &mut Party, place: usize) {
        let play = |from| {
            let build = "0.7.0/1.2.0/PLAY-00001";
            encoded(&Play { play: PlayId(1), from, level: Level::NONE, build }.into())
        };
        let said = match self {
            Announced => vec![encoded(&Start.into())],
            Receiving => {
                let part = Chunk { play: PlayId(1), offset: 0, bytes: &[1; 60] };
                vec![play(PlayFrom::Save { size: 100 }), encoded(&part.into())]
            }
            Starting => {
                party.players[place].game.starts.set(false);
                vec![play(PlayFrom::NewGame)]
            }
            _ => Vec::new(),
        };
        let host = party.players[0].id;
        said.iter().for_each(|bytes| party.players[place].data(host, bytes));
    }

    fn in_play(self, party: &mut Party, place: usize) {
        let game = &party.players[place].game;
        match self {
            Paused => {
                game.phase.set(Phase::Paused);
                let now = party.now;
                party.players[place].show(PageId::Pause, now);
            }
            Dialog => game.phase.set(Phase::Dialog),
            Vendor => game.phase.set(Phase::Vendor),
            Dying => {
                game.phase.set(Phase::Dying);
                *game.hero.borrow_mut() = Some(HeroPose { health: 0, ..hero([0.0; 3]) });
            }
            Scene | HeldByAScene => {
                // One in a menu still has to see it, so that the host waits too.
                party.players[2].game.phase.set(Phase::Paused);
                party.host().game.show(SceneKind::Level, Some(1));
                party.ticks(5);
                if self == HeldByAScene {
                    party.players[place].game.scene_over();
                    party.ticks(5);
                    assert!(held(&party.players[place]).is_some());
                }
            }
            Travel | Movie | LoadingAfterATravel | HeldByTheBarrier => {
                assert!(party.host().picks(3));
                party.ticks(3);
                party.players.iter().for_each(|player| player.game.fly());
                party.ticks(3);
                self.on_the_way(party, place);
            }
            Quit => {
                game.title();
                party.players[place].game.page.set(Some(PageId::Home));
            }
            _ => {}
        }
    }

    fn on_the_way(self, party: &mut Party, place: usize) {
        let game = &party.players[place].game;
        match self {
            Movie => game.show(SceneKind::Movie, None),
            LoadingAfterATravel => game.phase.set(Phase::Loading),
            HeldByTheBarrier => {
                game.play(3, hero([0.0; 3]));
                party.ticks(5);
                assert!(held(&party.players[place]).is_some());
            }
            _ => {}
        }
    }
}

/// How a player's party ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum How {
    /// It answers Yes to Leave.
    Chose,
    /// The host ended it.
    HostEnded,
    /// Nothing comes over the link any more: of the host's, or of the server's.
    LinkSilent,
    /// The host, or the server, closed the connection: it crashed, or threw this player out.
    Closed,
    /// The game stood still while too much came in.
    Stalled,
    /// The socket thread can hear nothing any more, and ends.
    NetworkStopped,
}

use How::*;

const WAYS: [How; 6] = [Chose, HostEnded, LinkSilent, Closed, Stalled, NetworkStopped];

impl How {
    /// Whether it can happen to that player: a host ends its own party by choosing so, and its link to a
    /// router in its own process goes only with its socket thread.
    fn can_be(self, on_server: bool, place: usize) -> bool {
        match self {
            Chose | NetworkStopped => true,
            HostEnded => place > 0,
            LinkSilent | Closed | Stalled => place > 0 || on_server,
        }
    }

    fn happens(self, party: &mut Party, place: usize) {
        let player = &mut party.players[place];
        let lost = |why| Event::Lost { why };
        match self {
            Chose => player.leave(),
            HostEnded => player.report(Event::Party(PartyNews::End)),
            LinkSilent => player.report(lost(LostReason::Silent)),
            Closed => player.report(lost(LostReason::Closed)),
            Stalled => player.report(lost(LostReason::GameStalled)),
            NetworkStopped => {
                let (_, nobody) = Handle::detached();
                let far = std::mem::replace(&mut player.far, nobody);
                far.fail(io::Error::other("bad descriptor"));
            }
        }
    }

    /// What the footer of the Multiplayer page then says, of the link and of why.
    fn footer(self, on_server: bool) -> &'static str {
        match (self, on_server) {
            (Chose, true) => "Connected",
            (HostEnded, true) => "Connected | The host left: the party is over",
            (LinkSilent | Closed | Stalled, true) => {
                "Connecting to game.openrac.dev:7770 | The server went away"
            }
            // Home tries the server again (B2.9).
            (Chose, false) => "Connecting to game.openrac.dev:7770",
            (HostEnded, false) => {
                "Connecting to game.openrac.dev:7770 | The host left: the party is over"
            }
            (LinkSilent | Closed | Stalled, false) => {
                "Connecting to game.openrac.dev:7770 | The host went away"
            }
            (NetworkStopped, _) => "The network stopped: the socket thread failed: bad descriptor",
        }
    }
}

/// A cell of the table: what was then wrong.
fn ends(at: Where, how: How, on_server: bool, place: usize) {
    let cell = format!("{at:?}, {how:?}, server: {on_server}, place {place}");
    let mut party = at.party(on_server, place);
    let old = party.players[0].id;
    let game = &party.players[place].game;
    if at.is_out_of_the_title() && game.phase.get().has_hero() && at != LeavingTitle {
        assert_ne!(game.not_let_go(), [""; 0], "{cell}: else the test shows nothing");
    }
    game.did();
    game.messages.take();
    how.happens(&mut party, place);
    // A socket thread that ended is noticed at the next word, which goes every 2 s.
    party.ticks(if how == NetworkStopped { 2 * SECOND + 5 } else { 3 });

    let player = &mut party.players[place];
    let did = player.game.did();
    let count = |what| did.iter().filter(|did| *did == what).count();
    let returns = usize::from(at.is_out_of_the_title());
    // One in the title's pages goes back to Home by its page.
    let opens = usize::from(returns == 0 && player.mp.shown().is_some());
    let menus = did.iter().rfind(|did| did.starts_with("menus"));
    assert_eq!((count("title Home"), count("open Home")), (returns, opens), "{cell}: {did:?}");
    assert_eq!(menus.map(String::as_str), Some("menus pause true"), "{cell}");
    assert_eq!(player.game.left_behind.take(), [""; 0], "{cell}: let go before the level goes");
    assert_eq!(player.game.not_let_go(), [""; 0], "{cell}");
    assert_eq!(player.game.phase.get(), Phase::Title, "{cell}");

    // The game shows the page that it was told to open.
    let now = party.now;
    party.players[place].show(PageId::Home, now);
    party.tick();
    let player = &mut party.players[place];
    assert_eq!(player.footer(PageId::Home, now), how.footer(on_server), "{cell}");
    let pause = text(&player.page(PageId::Pause, now));
    assert_eq!(pause.lines().nth(1), Some("  Not in a party"), "{cell}");
    nothing_follows(&mut party, place, old, &cell);
}

/// What the old host still says reaches nothing, and alone everything is the player's own again.
fn nothing_follows(party: &mut Party, place: usize, host: SessionId, cell: &str) {
    let player = &mut party.players[place];
    player.game.did();
    player.game.play(0, hero([0.0; 3]));
    let moby = player.game.world.put(Some(3), Kinds::ENEMY | Kinds::UPDATES, [9.0, 9.0, 0.0]);
    player.data(host, &encoded(&Start.into()));
    party.ticks(60);
    let player = &mut party.players[place];
    assert_eq!(player.game.did(), [""; 0], "{cell}");
    assert_eq!(player.game.not_let_go(), [""; 0], "{cell}");
    assert_eq!(player.game.messages.take(), [""; 0], "{cell}: the page says why it is here");
    assert_eq!(player.mp.gate(moby), Gate::Run, "{cell}");
    assert!(player.picks(5) && player.skips(Skip::Level(1)), "{cell}");
}

/// B5.9
#[test]
fn a_player_whose_party_ends_is_at_the_title_from_wherever_it_was_and_reads_why() {
    let mut cells = 0;
    for &at in ALL {
        for how in WAYS {
            for (on_server, place) in [(false, 0), (false, 1), (true, 0), (true, 1)] {
                let can = how.can_be(on_server, place) && (place > 0 || at.can_be_the_hosts());
                if can {
                    ends(at, how, on_server, place);
                    cells += 1;
                }
            }
        }
    }
    assert_eq!(cells, 321, "no cell is left out");
}
