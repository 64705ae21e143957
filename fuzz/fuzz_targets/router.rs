//! The router under a sequence of all that can happen to it: after each step its queues are in bounds,
//! what its clients were told agrees, and what it counts is what there is. The model is the tests' own
//! (crates/mp-party/tests/party/model.rs).
#![no_main]
#![allow(dead_code)] // of the tests' world, which others use more of

#[allow(dead_code)] // each target uses its part
#[path = "../runs/input.rs"]
mod input;
#[path = "../../crates/mp-party/tests/party/model.rs"]
mod model;
#[path = "../../crates/mp-party/tests/party/world.rs"]
mod world;

use input::Input;
use libfuzzer_sys::fuzz_target;
use model::{Model, Op};
use mp_party::Mode;

fuzz_target!(|bytes: &[u8]| {
    let mut input = Input(bytes);
    let mode = match input.small() % 2 {
        0 => Mode::Server,
        _ => Mode::Direct { description: "New game".into() },
    };
    let mut model = Model::new(mode);
    while let Some((chosen, op)) = op(&mut input) {
        model.step(chosen, &op);
    }
});

fn op(input: &mut Input<'_>) -> Option<(usize, Op)> {
    let (what, chosen) = (input.byte()?, input.small());
    let op = match what % 21 {
        0 => Op::Connect { from: input.small() % 6 },
        1 => Op::Hello { good: input.small() % 8 != 0 },
        2 => Op::Create,
        3 => Op::JoinNewest,
        4 => Op::Join,
        5 => Op::Find,
        6 => Op::Leave,
        7 => Op::List,
        8 => Op::Chat,
        9 => Op::Data { target: target(input), size: input.small() * 4 },
        10 => Op::Time,
        11 => Op::Bytes(some(input)),
        12 => {
            let bits = input.small();
            Op::Bind { heard: bits % 2 == 1, mine: bits & 2 == 0 }
        }
        13 => Op::State { target: target(input), size: input.small() * 4 },
        14 => Op::Datagram(some(input)),
        15 => Op::Lost,
        16 => Op::Disconnect,
        17 => Op::Stall,
        18 => Op::Read,
        19 => Op::Pass { ms: input.small() as u64 * 8 },
        // A router that is stopped does little more: seldom.
        _ if input.small() == 77 => Op::Stop,
        _ => Op::Time,
    };
    Some((chosen, op))
}

fn target(input: &mut Input<'_>) -> i32 {
    (input.small() % 12) as i32 - 1
}

fn some(input: &mut Input<'_>) -> Vec<u8> {
    let count = input.small();
    input.bytes(count).to_vec()
}
