//! Random sequences of everything that can happen: what clients are told stays consistent, queues stay
//! in bounds, and the same inputs give the same outputs.

use mp_party::Mode;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use crate::model::{Model, Op};

fn op() -> impl Strategy<Value = (usize, Op)> {
    let op = prop_oneof![
        8 => (0_usize..6).prop_map(|from| Op::Connect { from }),
        2 => prop::bool::weighted(0.8).prop_map(|good| Op::Hello { good }),
        4 => Just(Op::Create),
        12 => Just(Op::JoinNewest),
        1 => Just(Op::Join),
        6 => Just(Op::Find),
        3 => Just(Op::Leave),
        2 => Just(Op::List),
        4 => Just(Op::Chat),
        16 => (0_i32..9, 0_usize..900).prop_map(|(target, size)| Op::Data { target, size }),
        6 => Just(Op::Time),
        1 => prop::collection::vec(any::<u8>(), 0..40).prop_map(Op::Bytes),
        4 => any::<(bool, bool)>().prop_map(|(heard, mine)| Op::Bind { heard, mine }),
        8 => (0_i32..9, 0_usize..900).prop_map(|(target, size)| Op::State { target, size }),
        1 => prop::collection::vec(any::<u8>(), 0..40).prop_map(Op::Datagram),
        1 => Just(Op::Lost),
        1 => Just(Op::Disconnect),
        3 => Just(Op::Stall),
        2 => Just(Op::Read),
        8 => (0_u64..800).prop_map(|ms| Op::Pass { ms }),
        1 => prop::bool::weighted(0.01).prop_map(|stop| if stop { Op::Stop } else { Op::Time }),
    ];
    (0_usize..12, op)
}

/// Plays a sequence and hands out all that was told.
fn play(mode: Mode, ops: &[(usize, Op)]) -> Vec<u8> {
    let mut model = Model::new(mode);
    for (chosen, op) in ops {
        model.step(*chosen, op);
    }
    let counters = model.world.router.counters();
    assert!(counters.connections >= counters.connections_ended);
    assert!(counters.parties >= counters.parties_ended);
    model.transcript
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 300,
        rng_seed: RngSeed::Fixed(7_770),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn any_sequence_keeps_a_server_consistent_and_is_deterministic(
        ops in prop::collection::vec(op(), 1..400),
    ) {
        prop_assert_eq!(play(Mode::Server, &ops), play(Mode::Server, &ops));
    }

    #[test]
    fn any_sequence_keeps_a_direct_host_consistent_and_is_deterministic(
        ops in prop::collection::vec(op(), 1..400),
    ) {
        let mode = Mode::Direct { description: "New game".into() };
        prop_assert_eq!(play(mode.clone(), &ops), play(mode, &ops));
    }
}
