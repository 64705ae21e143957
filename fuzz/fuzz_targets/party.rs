//! See runs/party.rs.
#![no_main]

#[allow(dead_code)] // each target uses its part
#[path = "../runs/input.rs"]
mod input;
#[path = "../runs/party.rs"]
mod party;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| party::run(bytes));
