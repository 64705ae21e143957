//! See runs/saves.rs.
#![no_main]

#[allow(dead_code)] // each target uses its part
#[path = "../runs/input.rs"]
mod input;
#[path = "../runs/saves.rs"]
mod saves;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| saves::run(bytes));
