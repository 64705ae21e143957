//! See runs/trace.rs.
#![no_main]

#[path = "../runs/trace.rs"]
mod trace;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| trace::run(bytes));
