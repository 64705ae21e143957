//! Plays a hero who runs and jumps over one link, and prints what playback made of it.
//!
//! ```sh
//! cargo run -p mp-netcode --example playback -- --latency 50 --jitter 30 --loss 5
//! ```

#[allow(dead_code, reason = "each user of the module takes a part of it")]
#[path = "../tests/support/mod.rs"]
mod support;

use std::process::ExitCode;

use support::{HEADER, Link, Row, play};

const USAGE: &str = "usage: playback [--latency MS] [--jitter MS] [--loss PERCENT] [--duplicate PERCENT] \
                     [--seed N] [--seconds N]   (each at most 10,000)";

fn parse(mut words: impl Iterator<Item = String>) -> Option<(Link, u32)> {
    let (mut link, mut seconds) = (Link::default(), 60);
    while let Some(word) = words.next() {
        let number: u32 = words.next()?.parse().ok().filter(|number| *number <= 10_000)?;
        match word.as_str() {
            "--latency" => link.latency_ms = number,
            "--jitter" => link.jitter_ms = number,
            "--loss" => link.loss_percent = number,
            "--duplicate" => link.duplicate_percent = number,
            "--seed" => link.seed = number.into(),
            "--seconds" => seconds = number,
            _ => return None,
        }
    }
    Some((link, seconds))
}

fn main() -> ExitCode {
    let Some((link, seconds)) = parse(std::env::args().skip(1)) else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    println!("{link:?}, {seconds} s\n{HEADER}\n{}", Row(link, &play(link, seconds)));
    ExitCode::SUCCESS
}
