//! The fuzz targets that want a whole game (`fuzz/runs`), which take minutes to build for a fuzzer: their
//! corpora are replayed here, and changed at random for a moment. `CORPORA_SEED` plays a run's changes again.

use std::path::Path;
use std::time::SystemTime;

use mp_playground::sim::Rng;

#[path = "../../../fuzz/runs/input.rs"]
mod input;
#[path = "../../../fuzz/runs/party.rs"]
mod party;
#[path = "../../../fuzz/runs/saves.rs"]
mod saves;
#[path = "../../../fuzz/runs/settings.rs"]
mod settings;
#[path = "../../../fuzz/runs/trace.rs"]
mod trace;

/// Changes of an input at most, and how many bytes one of them is about at most.
const CHANGES: u32 = 8;
const CHANGED: u32 = 16;

#[test]
fn traces_that_somebody_sent_are_laid_side_by_side() {
    feed("trace", trace::run, 40);
}

#[test]
fn settings_are_understood_or_not_and_names_are_valid() {
    feed("settings", settings::run, 4_000);
}

#[test]
fn a_cards_file_is_damaged_or_plays() {
    feed("saves", saves::run, 300);
}

#[test]
fn a_member_and_a_host_stand_whatever_their_peers_do() {
    feed("party", party::run, 200);
}

/// The corpus, then so many of it with changes.
fn feed(target: &str, run: fn(&[u8]), count: u32) {
    let corpus = corpus(target);
    corpus.iter().for_each(|(name, bytes)| {
        println!("{target}: {name}");
        run(bytes);
    });
    let seed = seed();
    println!("CORPORA_SEED={seed}");
    let mut rng = Rng::new(seed);
    for number in 0..count {
        let bytes = changed(&corpus, &mut rng);
        println!("{target}: {number}");
        run(&bytes);
    }
}

/// What is committed of a target's corpus, by name.
fn corpus(target: &str) -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus").join(target);
    let listed = std::fs::read_dir(&folder).expect("it is committed");
    let mut corpus: Vec<_> = listed
        .map(|entry| {
            let entry = entry.expect("it can be listed");
            let bytes = std::fs::read(entry.path()).expect("it can be read");
            (entry.file_name().to_string_lossy().into_owned(), bytes)
        })
        .collect();
    corpus.sort();
    assert!(!corpus.is_empty(), "{}", folder.display());
    corpus
}

fn seed() -> u64 {
    let given = std::env::var("CORPORA_SEED").ok().and_then(|seed| seed.parse().ok());
    given.unwrap_or_else(|| {
        let now = SystemTime::UNIX_EPOCH.elapsed().expect("it is after 1970");
        u64::from(now.subsec_nanos())
    })
}

/// One of the corpus, with bytes overwritten, left out, put in, or taken from another.
fn changed(corpus: &[(String, Vec<u8>)], rng: &mut Rng) -> Vec<u8> {
    let mut bytes = pick(corpus, rng).to_vec();
    for _ in 0..=rng.below(CHANGES) {
        let at = below(rng, bytes.len() + 1);
        let end = (at + below(rng, CHANGED as usize) + 1).min(bytes.len());
        let other = pick(corpus, rng);
        let from = below(rng, other.len() + 1);
        let piece = &other[from..(from + end - at).min(other.len())];
        match rng.below(4) {
            0 => bytes[at..end].iter_mut().for_each(|byte| *byte = rng.bits().to_be_bytes()[0]),
            1 => drop(bytes.drain(at..end)),
            2 => drop(bytes.splice(at..at, piece.iter().copied())),
            _ => drop(bytes.splice(at..end, piece.iter().copied())),
        }
    }
    bytes
}

fn pick<'a>(corpus: &'a [(String, Vec<u8>)], rng: &mut Rng) -> &'a [u8] {
    &corpus[below(rng, corpus.len())].1
}

fn below(rng: &mut Rng, limit: usize) -> usize {
    rng.below(u32::try_from(limit).expect("a small corpus")) as usize
}
