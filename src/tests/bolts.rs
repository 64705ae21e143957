//! The bolts of a party (B6.7): whose each becomes, over whole games.

use mp_protocol::game::{Claim, Killed, Kind, Level, Message, MobyId, MobyKey};

use super::world::playing;
use crate::front::Core as _;
use crate::game::{Hit, Kill, Kinds, Phase};
use crate::hooks::{Asked, Gate, Happened};
use crate::world::Refused;
use mp_sockets::{Event, PartyNews};

const BOLT: Kinds = Kinds::BOLT;

fn claim(level: i32, key: u16) -> Claim {
    let id = MobyId::Key(MobyKey::new(key).expect("a key"));
    Claim { level: Level::new(level).expect("a level"), id }
}

/// B6.7: a member's collect adds nothing there and is a CLAIM; the host gives it the bolt's value and the
/// bolt leaves the host's game.
#[test]
fn what_a_member_collects_comes_with_the_hosts_word() {
    let mut party = playing();
    let bolt = party.placed(7, BOLT);
    assert!(!party.collects(1, bolt[1], None));
    assert_eq!(party.bolts(), [0, 0, 0]);
    party.ticks(3);
    assert_eq!(party.bolts(), [0, 5, 0]);
    assert_eq!(*party.players[0].game.world.killed.borrow(), [(bolt[0], Kill::Quiet)]);
    party.ticks(200);
    assert_eq!(party.bolts(), [0, 5, 0]);
}

/// B6.7: of two in one tick the first to ask has it, and the other gets nothing.
#[test]
fn of_two_who_collect_in_one_tick_the_first_to_ask_has_it() {
    let mut party = playing();
    let bolt = party.placed(7, BOLT);
    party.collects(1, bolt[1], None);
    party.collects(2, bolt[2], None);
    party.ticks(10);
    assert_eq!(party.bolts(), [0, 5, 0]);
    assert_eq!(party.refused(Refused::Taken), 1);
}

/// B6.7: the host's own are its own at once; a claim that comes later gets nothing.
#[test]
fn what_the_host_collects_is_its_own_at_once() {
    let mut party = playing();
    let bolt = party.placed(7, BOLT);
    party.collects(1, bolt[1], None);
    assert!(party.collects(0, bolt[0], None));
    party.ticks(10);
    assert_eq!(party.bolts(), [5, 0, 0]);
    assert_eq!(party.refused(Refused::NoMoby(Kind::Claim)), 1);
}

/// B6.7: what flies to a stand-in is that player's, and its own claim for it brings no more.
#[test]
fn what_flies_to_a_stand_in_is_that_players() {
    let mut party = playing();
    let bolt = party.placed(7, BOLT);
    let ann = party.figure_of(1, 0);
    party.collects(1, bolt[1], None);
    assert!(!party.collects(0, bolt[0], Some(ann)));
    party.ticks(10);
    assert_eq!(party.bolts(), [0, 5, 0]);
}

/// B6.7: the host gives it to the first to ask though it already flies to another.
#[test]
fn a_claim_counts_while_the_bolt_flies_to_the_host() {
    let mut party = playing();
    let bolt = party.placed(7, BOLT);
    party.players[0].game.world.change(bolt[0], |moby| moby.pose.position = [1.0, 0.0, 0.5]);
    party.tick();
    party.collects(2, bolt[2], None);
    party.ticks(3);
    assert_eq!(party.bolts(), [0, 0, 5]);
    assert!(!party.is_there(0, bolt[0]));
}

/// B6.7: of one who leaves before it is paid the bolt is anyone's, and one who is in no party any more is
/// not paid.
#[test]
fn one_who_leaves_with_its_claim_is_not_paid() {
    let mut party = playing();
    let bolt = party.placed(7, BOLT);
    let ann = party.figure_of(1, 0);
    party.says(1, claim(0, 7));
    let gone = party.players[1].id;
    party.lose(1);
    party.ticks(3);
    assert!(party.is_there(0, bolt[0]), "nobody was paid for it");
    assert!(party.collects(0, bolt[0], Some(ann)), "a figure that is gone collects for nobody");
    assert_eq!(party.bolts(), [5, 0]);
    let paid = |(to, _): &(Option<_>, Vec<u8>)| *to == Some(gone);
    assert!(!party.players[0].events.iter().any(paid));
}

/// B6.7: only the host's game drops them; in no party each game drops its own.
#[test]
fn only_the_hosts_game_drops_bolts() {
    let mut party = playing();
    let drop =
        Asked::Make { class: 600, kinds: BOLT | Kinds::UPDATES, maker: None, position: [0.0; 3] };
    assert_eq!([0, 1, 2].map(|place| party.asks(place, &drop)), [true, false, false]);
    let standing =
        |party: &super::Party, place: usize| party.players[place].mp.standing().get().allows(&drop);
    assert_eq!([0, 1, 2].map(|place| standing(&party, place)), [true, false, false]);
    party.lose(0);
    party.players[0].report(Event::Party(PartyNews::End));
    party.ticks(2);
    party.players[0].game.play(0, super::hero([0.0; 3]));
    assert!(party.asks(0, &drop), "in no party a game drops its own");
}

/// B6.7: a member's game adds no bolt by itself: not while its mod is at work and cannot be asked, not one
/// that the host's game has not, and not where the host is not.
#[test]
fn a_members_game_adds_no_bolt_by_itself() {
    let mut party = playing();
    let bolt = party.placed(7, BOLT);
    let taken = |moby| Asked::Bolt { moby, collector: None, value: 5 };
    let standing = |party: &super::Party, place: usize| {
        party.players[place].mp.standing().get().allows(&taken(bolt[place]))
    };
    assert_eq!([0, 1, 2].map(|place| standing(&party, place)), [true, false, false]);
    let own = party.players[1].game.world.put(None, BOLT | Kinds::UPDATES, [1.0, 2.0, 3.0]);
    party.ticks(2);
    assert!(!party.asks(1, &taken(own)));
    party.players[0].game.phase.set(Phase::Loading);
    party.players[0].game.level.set(None);
    party.ticks(20);
    assert!(!standing(&party, 1) && !party.asks(1, &taken(bolt[1])));
    assert_eq!(party.bolts(), [0, 0, 0]);
}

/// B6.7: nor in the very tick in which it is in the level, when the word on a crate there is at hand.
#[test]
fn a_crate_that_breaks_as_a_member_arrives_drops_no_bolts_there() {
    let mut party = playing();
    let of_host = party.placed(5, Kinds::CRATE);
    for player in &party.players {
        *player.game.world.standing.borrow_mut() = Some(player.mp.standing());
    }
    party.players[1].game.phase.set(Phase::Loading);
    party.ticks(10);
    let key = MobyKey::new(5).expect("a key");
    let keys = [key];
    let killed = Killed { level: Level::new(0).expect("a level"), keys: (&keys[..]).into() };
    let mut bytes = Vec::new();
    Message::from(killed).encode(&mut bytes).expect("a message that fits");
    let host = party.players[0].id;
    party.players[1].game.phase.set(Phase::Playing);
    party.players[1].data(host, &bytes);
    party.ticks(2);
    let world = &party.players[1].game.world;
    assert!(!party.is_there(1, of_host[1]), "it broke");
    assert_eq!(world.dropped.get(), 0);
}

/// What was granted is not lost on the way to another level: it is added where there is a hero again.
#[test]
fn what_is_granted_to_one_who_loads_is_added_later() {
    let mut party = playing();
    let bolt = party.placed(7, BOLT);
    party.collects(1, bolt[1], None);
    party.players[1].game.phase.set(Phase::Loading);
    party.ticks(20);
    assert_eq!(party.bolts(), [0, 0, 0]);
    party.players[1].game.phase.set(Phase::Playing);
    party.ticks(2);
    assert_eq!(party.bolts(), [0, 5, 0]);
}

/// Issue 6, bad input: claims twice, for a crate, for one that is gone, from another level, too often.
#[test]
fn false_claims_bring_nothing_and_are_counted() {
    let mut party = playing();
    party.placed(7, BOLT);
    party.placed(8, Kinds::CRATE);
    for key in [7, 7, 8, 9] {
        party.says(1, claim(0, key));
    }
    party.says(1, claim(4, 7));
    party.ticks(3);
    assert_eq!(party.bolts(), [0, 5, 0]);
    assert_eq!(party.refused(Refused::Taken), 1);
    assert_eq!(party.refused(Refused::WrongMoby(Kind::Claim)), 1);
    assert_eq!(party.refused(Refused::NoMoby(Kind::Claim)), 1);
    assert_eq!(party.refused(Refused::OtherLevel(Kind::Claim)), 1);
    (0..500).for_each(|_| party.says(1, claim(0, 9)));
    party.ticks(1);
    assert!(party.refused(Refused::TooOften(Kind::Claim)) >= 500 - 120);
    assert_eq!(party.bolts(), [0, 5, 0]);
}

/// B6.7: what the host's game drops is SPAWNed everywhere, as it began; whoever collects it first has it,
/// and it leaves every game.
#[test]
fn what_the_host_drops_is_in_every_game_and_one_players() {
    let mut party = playing();
    let moby = party.players[0].game.world.put(None, BOLT | Kinds::UPDATES, [1.0, 2.0, 3.0]);
    party.players[0].game.world.change(moby, |moby| {
        (moby.value, moby.class, moby.pose.rotation[2]) = (10, 601, 0.5);
    });
    party
        .happens(0, Happened::Made { moby, class: 601, kinds: BOLT | Kinds::UPDATES, maker: None });
    party.ticks(3);
    let made =
        |party: &super::Party, place: usize| party.players[place].game.world.made.borrow()[0];
    let copies = [1, 2].map(|place| made(&party, place));
    for (place, copy) in [1, 2].into_iter().zip(copies) {
        let world = &party.players[place].game.world;
        assert_eq!(world.made.borrow().len(), 1);
        let copy = world.moby(copy).expect("it is there");
        assert_eq!((copy.class, copy.pose.position), (601, [1.0, 2.0, 3.0]));
        assert!((copy.pose.rotation[2] - 0.5).abs() < 1e-6);
    }
    assert!(!party.collects(2, copies[1], None));
    party.ticks(4);
    assert_eq!(party.bolts(), [0, 0, 10]);
    assert!(!party.is_there(0, moby) && !party.is_there(1, copies[0]));
}

/// B6.7: a placed bolt that one has leaves every game, also that of one who arrives later.
#[test]
fn a_placed_bolt_that_one_has_leaves_every_game() {
    let mut party = playing();
    let bolt = party.placed(7, BOLT);
    party.players[2].game.level.set(Some(3));
    party.ticks(10);
    party.collects(1, bolt[1], None);
    party.ticks(4);
    assert!(!party.is_there(0, bolt[0]) && party.is_there(2, bolt[2]));
    party.players[2].game.level.set(Some(0));
    party.ticks(10);
    assert!(!party.is_there(2, bolt[2]));
    assert_eq!(party.bolts(), [0, 5, 0]);
}

/// B6.5, B6.7: the player nearest a bolt stands in for the hero in its update.
#[test]
fn a_bolt_sees_the_player_nearest_it() {
    let mut party = playing();
    let bolt = party.placed(7, BOLT);
    assert_eq!(party.players[0].mp.gate(bolt[0]), Gate::Run, "the host is nearest");
    party.players[0].game.world.change(bolt[0], |moby| moby.pose.position = [38.0, 0.0, 0.0]);
    party.tick();
    let Gate::StandIn(figure) = party.players[0].mp.gate(bolt[0]) else { panic!("no stand-in") };
    let moby = crate::game::Game::figure_moby(&party.players[0].game, figure);
    assert_eq!(moby, Some(party.figure_of(1, 0)));
    assert_eq!(party.players[1].mp.gate(bolt[1]), Gate::Run);
}

/// B6.7: a member that is in the level before its host, or after it, has no bolts for itself there: nothing
/// happens that the host's world could not undo.
#[test]
fn nothing_happens_in_a_level_without_the_host() {
    let mut party = playing();
    let bolt = party.placed(7, BOLT);
    let enemy = party.placed(3, Kinds::ENEMY);
    let vendor = party.placed(9, Kinds::SERVICE);
    party.players[0].game.phase.set(Phase::Loading);
    party.players[0].game.level.set(None);
    party.ticks(20);
    assert_eq!(party.players[1].mp.gate(bolt[1]), Gate::Skip);
    assert_eq!(party.players[1].mp.gate(enemy[1]), Gate::Skip);
    assert_eq!(party.players[1].mp.gate(vendor[1]), Gate::Run);
    let (position, velocity) = ([0.0; 3], [0.0; 3]);
    let target = Some(enemy[1]);
    let hit = Hit { target, attacker: None, mask: 1, damage: 1.0, position, velocity };
    assert!(!party.asks(1, &Asked::Hit(hit)));
    let kinds = Kinds::PICKUP | Kinds::UPDATES;
    assert!(!party.asks(1, &Asked::Make { class: 602, kinds, maker: None, position }));
    party.players[0].game.phase.set(Phase::Playing);
    party.players[0].game.level.set(Some(0));
    party.ticks(20);
    assert_eq!(party.players[1].mp.gate(bolt[1]), Gate::Run);
}
