//! See runs/settings.rs.
#![no_main]

#[path = "../runs/settings.rs"]
mod settings;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| settings::run(bytes));
