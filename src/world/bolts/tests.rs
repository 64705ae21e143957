//! Nobody is paid twice for a bolt and none is lost, whatever comes in whatever order.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::time::Duration;

use mp_netcode::LocalTime;
use mp_protocol::SessionId;
use mp_protocol::game::{MobyId, MobyKey, NetId};
use proptest::prelude::*;

use super::host::{BoltState, ClaimRefused, Grant, HostBolts, Reached};
use super::member::MemberBolts;

const ME: SessionId = SessionId(1);
const ANN: SessionId = SessionId(2);
const BOB: SessionId = SessionId(3);
const TICK: Duration = Duration::from_millis(20);

fn net(number: u16) -> MobyId {
    MobyId::Net(NetId::new(number).expect("a net id"))
}

fn key(number: u16) -> MobyId {
    MobyId::Key(MobyKey::new(number).expect("a key"))
}

fn at(ms: u64) -> LocalTime {
    LocalTime::from_micros(ms * 1_000)
}

/// A placed bolt and one in the air, seen at 0 ms.
fn bolts() -> HostBolts {
    let mut bolts = HostBolts::default();
    bolts.saw(key(4), 1, [0.0; 3], ME, at(0));
    bolts.saw(net(9), 10, [0.0, 0.0, 5.0], ME, at(0));
    bolts
}

/// B6.7: falling, lying, flying to whom, lying again.
#[test]
fn a_bolt_falls_then_lies_then_flies_to_whom_it_sees() {
    let mut bolts = bolts();
    assert_eq!(bolts.state(key(4)), BoltState::Lying);
    for step in 0..50_u8 {
        assert_eq!(bolts.state(net(9)), BoltState::Falling);
        assert!(!bolts.is_loose(net(9)));
        let height = 5.0 - 0.1 * f32::from(step);
        bolts.saw(net(9), 10, [0.0, 0.0, height], ME, at(20 * u64::from(step)));
    }
    // It hovers over the ground.
    for step in 50..80_u8 {
        let height = if step % 2 == 0 { 0.0 } else { 0.2 };
        bolts.saw(net(9), 10, [0.0, 0.0, height], ME, at(20 * u64::from(step)));
    }
    assert_eq!(bolts.state(net(9)), BoltState::Lying);
    bolts.sees(net(9), ANN);
    bolts.saw(net(9), 10, [1.0, 0.0, 0.0], ME, at(1_600));
    assert_eq!(bolts.state(net(9)), BoltState::Flying(ANN));
    assert!(bolts.is_loose(net(9)));
    bolts.sees(net(9), BOB);
    bolts.saw(net(9), 10, [1.1, 0.0, 0.0], ME, at(1_620));
    assert_eq!(bolts.state(net(9)), BoltState::Flying(BOB));
    bolts.saw(net(9), 10, [1.1, 0.0, 0.0], ME, at(2_200));
    assert_eq!(bolts.state(net(9)), BoltState::Lying);
}

/// B6.7: the first to ask has it, also of two in one tick; a later one gets nothing.
#[test]
fn the_first_claim_is_granted() {
    let mut bolts = bolts();
    assert_eq!(bolts.claim(net(9), BOB), Ok(()));
    assert_eq!(bolts.claim(key(4), ANN), Ok(()));
    assert_eq!(bolts.claim(net(9), ANN), Err(ClaimRefused::Taken));
    assert_eq!(bolts.claim(net(9), BOB), Err(ClaimRefused::Taken));
    assert_eq!(bolts.state(net(9)), BoltState::Claimed(BOB));
    assert_eq!(bolts.poll_grant(), Some(Grant { to: BOB, count: 10, id: net(9) }));
    assert_eq!(bolts.poll_grant(), Some(Grant { to: ANN, count: 1, id: key(4) }));
    assert_eq!(bolts.poll_grant(), None);
    assert_eq!(bolts.state(net(9)), BoltState::Credited(BOB));
    assert_eq!(bolts.claim(net(9), ANN), Err(ClaimRefused::Taken));
    bolts.gone(net(9));
    assert_eq!(bolts.claim(net(9), ANN), Err(ClaimRefused::Gone));
    assert_eq!(bolts.state(net(9)), BoltState::Gone);
}

/// B6.7: a claim counts also when the bolt already flies to another, who then gets nothing.
#[test]
fn a_claim_counts_though_the_bolt_flies_to_another() {
    let mut bolts = bolts();
    bolts.sees(key(4), BOB);
    bolts.saw(key(4), 1, [1.0, 0.0, 0.0], ME, at(20));
    assert_eq!(bolts.state(key(4)), BoltState::Flying(BOB));
    assert_eq!(bolts.claim(key(4), ANN), Ok(()));
    assert_eq!(bolts.reached(key(4), 1, BOB, ME, at(40)), Reached::Nothing);
    assert_eq!(bolts.poll_grant(), Some(Grant { to: ANN, count: 1, id: key(4) }));
}

/// B6.7: the host's own are its own at once; what flies to a stand-in is that player's.
#[test]
fn what_reaches_one_in_the_hosts_game_is_that_players() {
    let mut bolts = bolts();
    assert_eq!(bolts.reached(key(4), 1, ME, ME, at(20)), Reached::Keep);
    assert_eq!(bolts.claim(key(4), ANN), Err(ClaimRefused::Taken));
    assert_eq!(bolts.reached(net(9), 10, ANN, ME, at(20)), Reached::Pay(10));
    assert_eq!(bolts.reached(net(9), 10, ANN, ME, at(20)), Reached::Nothing);
    assert_eq!(bolts.claim(net(9), ANN), Err(ClaimRefused::Taken));
    // One that no tick has seen yet.
    assert_eq!(bolts.reached(net(10), 1, BOB, ME, at(20)), Reached::Pay(1));
    assert_eq!(bolts.claim(net(10), ANN), Err(ClaimRefused::Taken));
    assert_eq!(bolts.poll_grant(), None);
}

/// B6.7: one whose taker leaves flies to the nearest again; what it asked for is anyone's.
#[test]
fn a_bolt_whose_taker_leaves_is_anyones() {
    let mut bolts = bolts();
    bolts.sees(key(4), ANN);
    bolts.saw(key(4), 1, [1.0, 0.0, 0.0], ME, at(20));
    assert_eq!(bolts.claim(net(9), ANN), Ok(()));
    bolts.left(ANN, ME);
    assert_eq!(bolts.state(key(4)), BoltState::Lying);
    assert_eq!(bolts.state(net(9)), BoltState::Falling);
    assert_eq!(bolts.poll_grant(), None);
    assert_eq!(bolts.claim(net(9), BOB), Ok(()));
    assert_eq!(bolts.poll_grant(), Some(Grant { to: BOB, count: 10, id: net(9) }));
    assert_eq!(bolts.poll_grant(), None);
    bolts.saw(key(4), 1, [2.0, 0.0, 0.0], ME, at(40));
    assert_eq!(bolts.state(key(4)), BoltState::Flying(ME));
}

/// B6.7: a collected bolt is not made again for 2 s; if the host still lists it then, it is.
#[test]
fn a_collected_bolt_is_not_remade_for_2_seconds() {
    let mut bolts = MemberBolts::new();
    assert!(bolts.may_remake(net(9), at(0)));
    bolts.collected(net(9), at(0));
    assert_eq!(bolts.poll_claim(at(0)), Some(net(9)));
    assert!(!bolts.may_remake(net(9), at(1_999)));
    assert!(bolts.may_remake(net(9), at(2_000)));
    // Shown again and collected again: asked for again.
    bolts.collected(net(9), at(2_500));
    assert_eq!(bolts.poll_claim(at(2_500)), Some(net(9)));
    bolts.gone(net(9));
    assert!(bolts.may_remake(net(9), at(2_501)), "a new life of the id");
}

/// B3.4: a member claims no faster than the host listens, and forgets none over it.
#[test]
fn claims_wait_for_the_rate() {
    let mut bolts = MemberBolts::new();
    for number in 0..200 {
        bolts.collected(net(number), at(0));
        bolts.collected(net(number), at(0));
    }
    let mut claimed = Vec::new();
    let mut when = at(0);
    while claimed.len() < 200 {
        claimed.extend(std::iter::from_fn(|| bolts.poll_claim(when)));
        assert!(
            claimed.len() as u64 <= 120 + 60 * when.as_millis() / 1_000,
            "over the host's limit"
        );
        assert!(!bolts.may_remake(net(199), when) || claimed.len() == 200);
        when = when + TICK;
    }
    assert!(claimed.iter().copied().eq((0..200).map(net)));
}

/// B6.7: what was granted is added once, and not lost on a way to another level.
#[test]
fn what_was_granted_is_added_once() {
    let mut bolts = MemberBolts::new();
    bolts.granted(10);
    bolts.granted(1);
    bolts.clear();
    assert_eq!(bolts.poll_grant(), Some(11));
    assert_eq!(bolts.poll_grant(), None);
}

/// A party around one level, with a network that keeps order between two and nothing else.
struct Party {
    now: LocalTime,
    host: HostBolts,
    /// What lies or flies in the host's game.
    world: BTreeMap<MobyId, i32>,
    host_has: u64,
    members: BTreeMap<SessionId, Member>,
    /// Everything that was ever in the world, and what fell out of it.
    made: u64,
    fallen: u64,
    /// Granted to members, added or still on its way.
    granted: u64,
    granted_for: BTreeSet<MobyId>,
    next_net: u16,
}

struct Member {
    bolts: MemberBolts,
    shown: BTreeSet<MobyId>,
    has: u64,
    to_host: VecDeque<MobyId>,
    from_host: VecDeque<Word>,
}

#[derive(Clone, Copy, Debug)]
enum Word {
    Spawn(MobyId),
    End(MobyId),
    Bolts(u32),
    Listed(MobyId),
}

/// Indices pick among what there is.
#[derive(Clone, Debug)]
enum Op {
    Tick,
    Make(i32),
    HostTakes(usize),
    StandInTakes(usize, usize),
    Falls(usize),
    MemberTakes(usize, usize),
    HostHears(usize),
    MemberHears(usize),
    Leaves(usize),
    Comes,
    Lists,
}

fn op() -> impl Strategy<Value = Op> {
    let index = || 0..usize::MAX;
    prop_oneof![
        3 => Just(Op::Tick),
        4 => (0..12).prop_map(Op::Make),
        1 => index().prop_map(Op::HostTakes),
        2 => (index(), index()).prop_map(|(bolt, member)| Op::StandInTakes(bolt, member)),
        1 => index().prop_map(Op::Falls),
        8 => (index(), index()).prop_map(|(bolt, member)| Op::MemberTakes(bolt, member)),
        8 => index().prop_map(Op::HostHears),
        8 => index().prop_map(Op::MemberHears),
        1 => index().prop_map(Op::Leaves),
        1 => Just(Op::Comes),
        1 => Just(Op::Lists),
    ]
}

fn pick<T: Copy>(all: impl IntoIterator<Item = T>, index: usize) -> Option<T> {
    let all: Vec<T> = all.into_iter().collect();
    all.get(index.checked_rem(all.len())?).copied()
}

impl Party {
    fn new() -> Self {
        let mut party = Self {
            now: LocalTime::ZERO,
            host: HostBolts::default(),
            world: BTreeMap::new(),
            host_has: 0,
            members: BTreeMap::new(),
            made: 0,
            fallen: 0,
            granted: 0,
            granted_for: BTreeSet::new(),
            next_net: 0,
        };
        party.comes();
        party.comes();
        party
    }

    fn comes(&mut self) {
        let id = (2..5).map(SessionId).find(|id| !self.members.contains_key(id));
        let Some(id) = id else { return };
        let from_host = self.world.keys().copied().map(Word::Spawn).collect();
        self.members.insert(
            id,
            Member {
                bolts: MemberBolts::new(),
                shown: BTreeSet::new(),
                has: 0,
                to_host: VecDeque::new(),
                from_host,
            },
        );
    }

    fn tell(&mut self, word: Word) {
        self.members.values_mut().for_each(|member| member.from_host.push_back(word));
    }

    fn grant(&mut self, to: SessionId, count: u32, id: MobyId) {
        assert!(self.granted_for.insert(id), "{id:?} was paid for twice");
        self.granted += u64::from(count);
        let member = self.members.get_mut(&to).expect("who is paid is in the party");
        member.from_host.push_back(Word::Bolts(count));
    }

    fn goes(&mut self, id: MobyId) -> u64 {
        let value = self.world.remove(&id).expect("it was there");
        self.host.gone(id);
        self.tell(Word::End(id));
        u64::try_from(value).expect("not less than nothing")
    }

    fn reaches(&mut self, id: MobyId, by: SessionId) {
        let value = self.world[&id];
        match self.host.reached(id, value, by, ME, self.now) {
            Reached::Keep => {
                assert!(self.granted_for.insert(id), "{id:?} was paid for twice");
                self.host_has += u64::try_from(value).expect("not less than nothing");
            }
            Reached::Pay(count) => self.grant(by, count, id),
            // Then the claim of another is still to be granted.
            Reached::Nothing => self.grant_claims(),
        }
        if self.world.contains_key(&id) {
            self.goes(id);
        }
    }

    fn grant_claims(&mut self) {
        while let Some(Grant { to, count, id }) = self.host.poll_grant() {
            self.grant(to, count, id);
            self.goes(id);
        }
    }

    fn leaves(&mut self, id: SessionId) {
        if let Some(member) = self.members.remove(&id) {
            // What was credited to it counts as its own, whether it still hears of it or not.
            assert!(member.has <= self.granted);
            self.host.left(id, ME);
        }
    }

    fn host_hears(&mut self, from: SessionId) {
        if let Some(id) = self.members.get_mut(&from).and_then(|member| member.to_host.pop_front())
        {
            // Refused or not, the games go on.
            let _ = self.host.claim(id, from);
        }
    }

    fn member_hears(&mut self, id: SessionId) {
        let Some(member) = self.members.get_mut(&id) else { return };
        match member.from_host.pop_front() {
            Some(Word::Spawn(bolt)) => {
                member.shown.insert(bolt);
            }
            Some(Word::Listed(bolt)) => {
                let lacks = !member.shown.contains(&bolt);
                if lacks && member.bolts.may_remake(bolt, self.now) {
                    member.shown.insert(bolt);
                }
            }
            Some(Word::End(bolt)) => {
                member.shown.remove(&bolt);
                member.bolts.gone(bolt);
            }
            Some(Word::Bolts(count)) => member.bolts.granted(count),
            None => {}
        }
        member.has += u64::from(member.bolts.poll_grant().unwrap_or_default());
    }

    fn tick(&mut self) {
        self.now = self.now + TICK;
        self.grant_claims();
        for (&id, &value) in &self.world {
            self.host.saw(id, value, [0.0; 3], ME, self.now);
        }
        for member in self.members.values_mut() {
            member.to_host.extend(std::iter::from_fn(|| member.bolts.poll_claim(self.now)));
        }
    }

    fn act(&mut self, op: &Op) {
        match *op {
            Op::Tick => self.tick(),
            Op::Make(value) => {
                let id = net(self.next_net);
                self.next_net += 1;
                self.made += u64::try_from(value).expect("not less than nothing");
                self.world.insert(id, value);
                self.host.saw(id, value, [0.0; 3], ME, self.now);
                self.tell(Word::Spawn(id));
            }
            Op::HostTakes(bolt) => {
                if let Some(bolt) = pick(self.world.keys().copied(), bolt) {
                    self.reaches(bolt, ME);
                }
            }
            Op::StandInTakes(bolt, member) => {
                if let Some(bolt) = pick(self.world.keys().copied(), bolt)
                    && let Some(member) = pick(self.members.keys().copied(), member)
                {
                    self.reaches(bolt, member);
                }
            }
            Op::Falls(bolt) => {
                // The driver grants what was asked for before the world moves on.
                self.grant_claims();
                if let Some(bolt) = pick(self.world.keys().copied(), bolt) {
                    self.fallen += self.goes(bolt);
                }
            }
            Op::MemberTakes(bolt, member) => {
                if let Some(member) = pick(self.members.keys().copied(), member)
                    && let Some(member) = self.members.get_mut(&member)
                    && let Some(bolt) = pick(member.shown.iter().copied(), bolt)
                {
                    member.shown.remove(&bolt);
                    member.bolts.collected(bolt, self.now);
                }
            }
            Op::HostHears(from) => {
                if let Some(from) = pick(self.members.keys().copied(), from) {
                    self.host_hears(from);
                }
            }
            Op::MemberHears(member) => {
                if let Some(member) = pick(self.members.keys().copied(), member) {
                    self.member_hears(member);
                }
            }
            Op::Leaves(member) => {
                if let Some(member) = pick(self.members.keys().copied(), member) {
                    self.leaves(member);
                }
            }
            Op::Comes => self.comes(),
            Op::Lists => {
                let ids: Vec<_> = self.world.keys().copied().collect();
                ids.into_iter().for_each(|id| self.tell(Word::Listed(id)));
            }
        }
    }

    fn check(&self) {
        let lying: i32 = self.world.values().sum();
        let lying = u64::try_from(lying).expect("not less than nothing");
        assert_eq!(self.made, lying + self.fallen + self.host_has + self.granted);
    }

    /// Everyone stays and everything arrives.
    fn settle(&mut self) {
        // Claims go out, are answered, and what was not granted is listed again after 2 s.
        for _ in 0..3 {
            (0..110).for_each(|_| self.tick());
            self.act(&Op::Lists);
            for id in [2, 3, 4].map(SessionId) {
                (0..10_000).for_each(|_| self.host_hears(id));
                (0..10_000).for_each(|_| self.member_hears(id));
            }
        }
        self.check();
        for member in self.members.values() {
            assert!(member.from_host.is_empty() && member.to_host.is_empty());
            assert!(self.world.keys().eq(&member.shown), "a bolt that lies is shown to everyone");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// B6.7: nobody is paid twice for a bolt, and none is lost, whatever the order of arrival.
    #[test]
    fn bolts_are_conserved(ops in prop::collection::vec(op(), 1..300)) {
        let mut party = Party::new();
        for op in &ops {
            party.act(op);
            party.check();
        }
        party.settle();
    }
}
