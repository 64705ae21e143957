//! What a member asks is held to what the game allows: over it, it is dropped, counted and traced (B3.4).

use super::world::playing;
use super::*;
use crate::game::Kinds;
use crate::trace::{Trace, channel};
use crate::world::Refused;
use mp_protocol::game::{Blow, Broke, Claim, Hit, Kind, Level, MobyId, MobyKey, Shot};

impl Party {
    /// From now on the host's mod writes a trace; what it says of it in the end.
    fn traced(&mut self, run: impl FnOnce(&mut Self)) -> String {
        let (outlet, drain) = channel();
        let host = &mut self.players[0];
        let stand_in = Player::new("Spare", 99).mp;
        let mp = std::mem::replace(&mut host.mp, stand_in);
        host.mp = mp.traced(Trace::to(outlet));
        run(self);
        // Every clone of the trace goes with the mod.
        self.players.clear();
        let mut written = Vec::new();
        drain.run(&mut written);
        String::from_utf8(written).expect("lines are text")
    }
}

/// B3.4: 120 HIT, 60 CLAIM, 60 BROKE and 20 SHOT a second of one member, with two seconds' worth of the
/// first three at once; of a moby that is not, in another level, of more damage than there is.
#[test]
fn what_is_over_a_limit_is_dropped_counted_and_traced() {
    let mut party = playing();
    party.placed(3, Kinds::ENEMY);
    let (ann, level) = (party.players[1].id, Level::new(0).expect("a level"));
    let (key, nothing) = (MobyKey::new(3).expect("a key"), MobyKey::new(9).expect("a key"));
    let blow = |damage| Blow { mask: 1, damage, position: [0.0; 3], velocity: [0.0; 3] };
    let hit = |key, damage| Hit { id: MobyId::Key(key), blow: blow(damage) };
    let trace = party.traced(|party| {
        for _ in 0..300 {
            party.says(1, hit(key, 1.0));
            party.says(1, Claim { level, id: MobyId::Key(nothing) });
            party.says(1, Broke { level, key: nothing });
            let (position, velocity, aim) = ([0.0; 3], [0.0; 3], [0.0; 4]);
            party.says(1, Shot { owner: ann, level, item: 15, position, velocity, aim });
        }
        // The other member's rates are its own.
        party.says(2, hit(nothing, 1.0));
        party.says(2, hit(key, 1_000.5));
        party.says(2, Claim { level: Level::new(4).expect("a level"), id: MobyId::Key(key) });
        party.tick();
        for (why, count) in [
            (Refused::TooOften(Kind::Hit), 60),
            (Refused::TooOften(Kind::Claim), 180),
            (Refused::TooOften(Kind::Broke), 180),
            (Refused::TooOften(Kind::Shot), 280),
            (Refused::NoMoby(Kind::Hit), 1),
            (Refused::Damage(Kind::Hit), 1),
            (Refused::OtherLevel(Kind::Claim), 1),
        ] {
            assert_eq!(party.refused(why), count, "{why}");
        }
        assert_eq!(party.host().game.world.posted.borrow().len(), 240);
    });
    for (line, count) in [
        ("host msg dropped from=8 why=Hit over its rate", 60),
        ("host msg dropped from=8 why=Claim over its rate", 180),
        ("host msg dropped from=8 why=Broke over its rate", 180),
        ("host msg dropped from=8 why=Shot over its rate", 280),
        ("host msg dropped from=9 why=Hit of no moby", 1),
        ("host msg dropped from=9 why=Hit of that much damage", 1),
        ("host msg dropped from=9 why=Claim of another level", 1),
    ] {
        assert_eq!(trace.lines().filter(|it| it.ends_with(line)).count(), count, "{line}");
    }
}

/// protocol.md 3, "Malformed"
#[test]
fn what_is_malformed_is_traced_with_whose_it_was_and_why() {
    let mut party = playing();
    let (ann, level) = (party.players[1].id, Level::new(0).expect("a level"));
    let (position, velocity, aim) = ([0.0; 3], [0.0; 3], [0.0; 4]);
    let trace = party.traced(|party| {
        party.host().data(ann, &[Kind::Hit as u8]);
        party.says(2, Shot { owner: ann, level, item: 15, position, velocity, aim });
        party.tick();
    });
    let dropped: Vec<_> =
        trace.lines().filter_map(|line| line.split_once("msg dropped ")).collect();
    let [(_, of_ann), (_, of_bob)] = dropped[..] else { panic!("{trace}") };
    assert!(of_ann.starts_with("from=8 why="), "{of_ann}");
    assert_eq!(of_bob, "from=9 why=a pose or shot of another player's");
}

/// B3.4: who speaks is known from the connection: of what one says of another nothing is taken.
#[test]
fn what_one_says_in_anothers_name_is_nothing() {
    let mut party = playing();
    let (ann, level) = (party.players[1].id, Level::new(0).expect("a level"));
    let (position, velocity, aim) = ([0.0; 3], [0.0; 3], [0.0; 4]);
    party.host().events.clear();
    party.says(2, Shot { owner: ann, level, item: 15, position, velocity, aim });
    party.step();
    let passed_on = party.host().events.iter().filter(|(_, b)| b[0] == Kind::Shot as u8);
    assert_eq!(passed_on.count(), 0);
    party.ticks(30);
    for player in &party.players {
        assert_eq!(player.game.fired.borrow().len(), 0);
    }
    let logged = party.host().game.logged.borrow().join("\n");
    assert!(logged.contains("malformed message from Bob"), "{logged}");
}
