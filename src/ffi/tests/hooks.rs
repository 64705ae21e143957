//! What the game asks and tells while it plays, also from inside the mod's own calls.

use std::cell::Cell;
use std::num::NonZeroU32;
use std::rc::Rc;

use sdk_bindings as sdk;
use sdk_bindings::{OpenracHit, OpenracHooks, OpenracShot, OpenracVec3};

use super::host::FakeHost;
use super::{Did, TestCore, load_acting, load_core, load_quiet};
use crate::game::{Kill, Kinds, MobyHandle};
use crate::hooks::Standing;

const POINT: OpenracVec3 = OpenracVec3 { x: 1.0, y: 2.0, z: 3.0 };

fn handle(number: u32) -> MobyHandle {
    MobyHandle(NonZeroU32::new(number).expect("a test's number"))
}

fn hit() -> OpenracHit {
    OpenracHit { target: 5, attacker: 0, mask: 6, damage: 7.0, position: POINT, velocity: POINT }
}

/// The hooks as a game calls them.
struct Calls(OpenracHooks);

impl Calls {
    fn of(host: &FakeHost) -> Self {
        Self(host.hooks.get())
    }

    fn travel(&self) -> u8 {
        // SAFETY: the mod's own callback with its user, here and below.
        unsafe { self.0.on_travel.expect("set")(self.0.user, 3, 1) }
    }

    fn skip(&self, what: u8) -> u8 {
        // SAFETY: as above.
        unsafe { self.0.on_skip.expect("set")(self.0.user, what, 4) }
    }

    fn shot(&self, aim: f32) {
        let shot = OpenracShot {
            position: POINT,
            velocity: POINT,
            aim: [aim; 4],
            item: 9,
            ..OpenracShot::ZERO
        };
        // SAFETY: as above, and the shot outlives the call.
        unsafe { self.0.on_shot.expect("set")(self.0.user, &raw const shot) }
    }

    fn make(&self, kinds: u32) -> u8 {
        // SAFETY: as above.
        unsafe { self.0.on_make.expect("set")(self.0.user, 8, kinds, 2, POINT) }
    }

    fn made(&self) {
        // SAFETY: as above.
        unsafe { self.0.on_made.expect("set")(self.0.user, 7, 8, sdk::KIND_BOLT, 0) }
    }

    fn gone(&self) {
        // SAFETY: as above.
        unsafe { self.0.on_gone.expect("set")(self.0.user, 7, sdk::GONE_OTHER, 2) }
    }

    fn gate(&self, moby: u32) -> (u8, u32) {
        let mut figure = 0;
        // SAFETY: as above, and there is a place for the figure.
        let answer = unsafe { self.0.gate.expect("set")(self.0.user, moby, &raw mut figure) };
        (answer, figure)
    }

    fn hit(&self, hit: &OpenracHit) -> u8 {
        // SAFETY: as above, and the hit outlives the call.
        unsafe { self.0.on_hit.expect("set")(self.0.user, hit) }
    }

    fn bolt(&self) -> u8 {
        // SAFETY: as above.
        unsafe { self.0.on_bolt.expect("set")(self.0.user, 7, 1, 12) }
    }

    fn broke(&self) {
        // SAFETY: as above.
        unsafe { self.0.on_broke.expect("set")(self.0.user, 7, 0) }
    }

    fn pickup(&self) {
        // SAFETY: as above.
        unsafe { self.0.on_pickup.expect("set")(self.0.user, 7, 1) }
    }
}

/// A core that answers with `allows`.
fn load_answering(host: &FakeHost, allows: bool) -> Did {
    let core = TestCore { allows, ..TestCore::new(|_, _| {}) };
    let did = Rc::clone(&core.did);
    load_core(host, core);
    did
}

#[test]
fn what_the_game_asks_is_answered_by_the_core() {
    for allows in [true, false] {
        let host = FakeHost::new();
        let did = load_answering(&host, allows);
        let calls = Calls::of(&host);
        let answer = if allows { sdk::ALLOW } else { sdk::REFUSE };
        assert_eq!((calls.travel(), calls.skip(sdk::SKIP_LEVEL)), (answer, answer));
        assert_eq!(calls.make(sdk::KIND_CREATURE), answer);
        let answer = if allows { sdk::HIT_DELIVER } else { sdk::HIT_SWALLOW };
        assert_eq!(calls.hit(&hit()), answer);
        let answer = if allows { sdk::BOLT_KEEP } else { sdk::BOLT_SWALLOW };
        assert_eq!(calls.bolt(), answer);
        assert_eq!(
            did.take(),
            [
                "Travel { level: 3, by_ship: true }",
                "Skip(Level(4))",
                "Make { class: 8, kinds: Kinds(8), maker: Some(MobyHandle(2)), position: [1.0, 2.0, 3.0] }",
                "Hit(Hit { target: Some(MobyHandle(5)), attacker: None, mask: 6, damage: 7.0, \
                 position: [1.0, 2.0, 3.0], velocity: [1.0, 2.0, 3.0] })",
                "Bolt { moby: MobyHandle(7), collector: Some(MobyHandle(1)), value: 12 }",
            ]
        );
        host.unload();
    }
}

#[test]
fn what_the_game_tells_reaches_the_core_at_once() {
    let host = FakeHost::new();
    let did = load_quiet(&host);
    let calls = Calls::of(&host);
    calls.shot(0.5);
    calls.made();
    calls.gone();
    calls.broke();
    calls.pickup();
    assert_eq!(
        did.take(),
        [
            "Shot(Shot { item: 9, position: [1.0, 2.0, 3.0], velocity: [1.0, 2.0, 3.0], \
             aim: [0.5, 0.5, 0.5, 0.5] })",
            "Made { moby: MobyHandle(7), class: 8, kinds: Kinds(32), maker: None }",
            "Gone { moby: MobyHandle(7), how: Other, by: Some(MobyHandle(2)) }",
            "Broke { moby: MobyHandle(7), by: None }",
            "PickedUp { moby: MobyHandle(7), by: Some(MobyHandle(1)) }",
        ]
    );
    host.unload();
}

#[test]
fn a_moby_is_let_through_stopped_or_shown_a_figure() {
    let host = FakeHost::new();
    load_quiet(&host);
    let calls = Calls::of(&host);
    assert_eq!(calls.gate(1), (sdk::GATE_RUN, 0));
    assert_eq!(calls.gate(2), (sdk::GATE_SKIP, 0));
    assert_eq!(calls.gate(9), (sdk::GATE_STAND_IN, 9));
    assert_eq!(calls.gate(0), (sdk::GATE_RUN, 0));
    host.unload();
}

#[test]
fn what_cannot_be_read_goes_the_games_own_way() {
    let host = FakeHost::new();
    let did = load_answering(&host, false);
    let calls = Calls::of(&host);
    assert_eq!(calls.skip(77), sdk::ALLOW);
    assert_eq!(calls.hit(&OpenracHit { damage: f32::NAN, ..hit() }), sdk::HIT_DELIVER);
    calls.shot(f32::INFINITY);
    let hooks = host.hooks.get();
    // SAFETY: the mod's own callbacks with its user; null is what is tested.
    unsafe { hooks.on_shot.expect("set")(hooks.user, std::ptr::null()) };
    // SAFETY: as above.
    let answer = unsafe { hooks.on_hit.expect("set")(hooks.user, std::ptr::null()) };
    assert_eq!(answer, sdk::HIT_DELIVER);
    // SAFETY: as above.
    let answer = unsafe { hooks.gate.expect("set")(hooks.user, 9, std::ptr::null_mut()) };
    assert_eq!(answer, sdk::GATE_RUN);
    assert_eq!(did.take(), ["gate MobyHandle(9)"]);
    host.unload();
}

/// Plays a crate's break back into the mod from inside a call of the mod's own.
fn break_back(host: &FakeHost) {
    let calls = Calls::of(host);
    assert_eq!(calls.make(sdk::KIND_BOLT), sdk::REFUSE, "what stands is answered");
    assert_eq!(calls.make(sdk::KIND_PICKUP), sdk::ALLOW);
    assert_eq!(calls.travel(), sdk::ALLOW);
    assert_eq!(calls.gate(2), (sdk::GATE_RUN, 0));
    calls.made();
    calls.gone();
    calls.broke();
}

#[test]
fn from_inside_a_call_of_the_mods_own_what_stands_is_answered_and_what_happened_waits() {
    for call in ["moby_break", "moby_kill"] {
        let host = FakeHost::new();
        let did = Did::default();
        let standing = Rc::new(Cell::new(Standing { refused: Kinds::BOLT }));
        let seen = Rc::clone(&did);
        let act = move |name: &str, game: &dyn crate::game::Game| {
            if name == "tick" && call == "moby_break" {
                game.moby_break(handle(7), Some(handle(1)));
            } else if name == "tick" {
                game.moby_kill(handle(7), Kill::Death);
            }
            seen.borrow_mut().push(format!("{name} done"));
        };
        load_core(
            &host,
            TestCore { did: Rc::clone(&did), act: Rc::new(act), allows: true, standing },
        );
        *host.reaction.borrow_mut() = Some(Rc::new(move |host, name| {
            if name == call {
                break_back(host);
            }
        }));
        host.tick();
        let first_words = |did: &String| did.split(" {").next().map(str::to_owned);
        let done: Vec<_> = did.take().iter().filter_map(first_words).collect();
        let expected = ["tick", "tick done", "Made", "happened done", "Gone", "happened done"];
        assert_eq!(
            done,
            [&expected[..], &["Broke", "happened done"]].concat(),
            "from inside {call}"
        );
        host.unload();
    }
}

#[test]
fn what_stands_is_what_the_core_said_last_also_in_the_same_call() {
    let host = FakeHost::new();
    let standing = Rc::new(Cell::new(Standing::default()));
    let said = Rc::clone(&standing);
    let core = TestCore {
        did: Did::default(),
        act: Rc::new(move |name, game| {
            if name == "tick" {
                game.moby_kill(handle(7), Kill::Quiet);
                said.set(Standing { refused: Kinds::BOLT });
                game.moby_kill(handle(7), Kill::Quiet);
            }
        }),
        allows: true,
        standing,
    };
    load_core(&host, core);
    let answers = Rc::new(Cell::new([0; 2]));
    let answered = Rc::clone(&answers);
    *host.reaction.borrow_mut() = Some(Rc::new(move |host, name| {
        if name == "moby_kill" {
            let [_, newest] = answered.get();
            answered.set([newest, Calls::of(host).make(sdk::KIND_BOLT)]);
        }
    }));
    host.tick();
    assert_eq!(answers.get(), [sdk::ALLOW, sdk::REFUSE]);
    host.unload();
}

#[test]
fn a_panic_in_a_hook_stops_the_mod_and_the_game_goes_its_own_way() {
    type Call = (&'static str, fn(&Calls));
    let fails: [Call; 3] = [
        ("asked", |calls| assert_eq!(calls.travel(), sdk::ALLOW)),
        ("happened", Calls::broke),
        ("asked", |calls| assert_eq!(calls.hit(&hit()), sdk::HIT_DELIVER)),
    ];
    for (fails_in, call) in fails {
        let host = FakeHost::new();
        let did = load_acting(&host, move |name, _| assert!(name != fails_in, "on purpose"));
        let calls = Calls::of(&host);
        call(&calls);
        assert_eq!(host.calls_with("message"), 1, "after {fails_in}");
        let done = did.borrow().len();
        assert_eq!((calls.travel(), calls.make(sdk::KIND_BOLT)), (sdk::ALLOW, sdk::ALLOW));
        assert_eq!(calls.gate(2), (sdk::GATE_RUN, 0));
        calls.gone();
        assert_eq!(did.borrow().len(), done, "a stopped mod is asked nothing");
        host.unload();
    }
}

#[test]
fn the_list_of_mobys_grows_once_and_is_kept() {
    let host = FakeHost::new();
    let counts = Rc::new(Cell::new(0));
    let counted = Rc::clone(&counts);
    load_acting(&host, move |name, game| {
        if name == "tick" {
            let mut list = Vec::new();
            game.mobys(&mut list);
            counted.set(list.len());
        }
    });
    host.mobys.set(300);
    host.tick();
    assert_eq!(counts.get(), 300);
    host.mobys.set(320);
    host.tick();
    assert_eq!(counts.get(), 320);
    assert_eq!(host.calls_with("mobys 0"), 1);
    assert_eq!(host.calls_with("mobys "), 3, "{:?}", host.calls.borrow());
    host.unload();
}
