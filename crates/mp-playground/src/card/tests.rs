use std::fs;
use std::path::PathBuf;

use proptest::prelude::*;

use super::crc::crc16;
use super::*;
use crate::progress::{Gift, Progress};

/// A directory of its own for a test, empty at first.
fn directory(name: &str) -> PathBuf {
    let directory = std::env::temp_dir().join(format!("mp-card-{}-{name}", std::process::id()));
    drop(fs::remove_dir_all(&directory));
    fs::create_dir_all(&directory).expect("a temporary directory");
    directory
}

fn save() -> Save {
    let mut progress = Progress::new();
    for gift in [Gift::Item(8), Gift::GoldBolt(45), Gift::Planet(11), Gift::Planet(1)] {
        assert!(progress.give(gift));
    }
    progress.add_bolts(12_345);
    let mut levels: [LevelMemory; LEVELS] = std::array::from_fn(|_| LevelMemory::default());
    levels[0] = LevelMemory { gone: [0, 7, 8, 299, RECORDS - 1].into(), seen: 1 };
    levels[19].seen = 1 << 31;
    Save { level: 11, health: 3, seconds_played: 4_000, progress, levels }
}

fn u32_at(file: &[u8], at: usize) -> usize {
    let bytes = file[at..at + 4].try_into().expect("four bytes");
    usize::try_from(u32::from_le_bytes(bytes)).expect("fits")
}

#[test]
fn a_save_comes_back_as_it_was() {
    let file = save().encode();
    assert_eq!(file.len(), SAVE_SIZE);
    assert_eq!(Save::decode(&file), Ok(save()));
}

/// Walks the file as the format is written down, apart from the code that made it.
#[test]
fn the_file_is_a_header_and_21_sections_of_chunks_each_with_its_crc() {
    let file = save().encode();
    let (global, level) = (u32_at(&file, 0), u32_at(&file, 4));
    assert_eq!(8 + global + 20 * level, SAVE_SIZE);
    let mut at = 8;
    for section in 0..21 {
        let size = u32_at(&file, at);
        assert_eq!(size + 8, if section == 0 { global } else { level });
        let data = &file[at + 8..at + 8 + size];
        assert_eq!(u32_at(&file, at + 4), usize::from(crc16(data)));
        let mut chunk = 0;
        while u32_at(data, chunk) != 0xffff_ffff {
            chunk += 8 + u32_at(data, chunk + 4).next_multiple_of(4);
        }
        assert_eq!((u32_at(data, chunk + 4), chunk + 8), (0, size), "ends with -1 and 0");
        at += 8 + size;
    }
    assert_eq!(at, SAVE_SIZE);
}

/// A flipped bit of a section's bytes is its checksum's to find; these are the others.
#[test]
fn every_bit_of_the_header_and_of_the_sections_heads_counts() {
    let mut file = save().encode();
    let (global, level) = (u32_at(&file, 0), u32_at(&file, 4));
    let heads = (0..LEVELS).map(|number| 8 + global + number * level);
    for start in [0, 8].into_iter().chain(heads) {
        for bit in 0..64 {
            file[start + bit / 8] ^= 1 << (bit % 8);
            assert!(Save::decode(&file).is_err(), "bit {bit} from {start}");
            file[start + bit / 8] ^= 1 << (bit % 8);
        }
    }
    assert_eq!(Save::decode(&file), Ok(save()));
}

#[test]
fn what_cannot_be_is_damaged_even_under_a_right_crc() {
    for (change, section, id) in [
        (Save { level: 20, ..save() }, 0, 1),
        (Save { health: 0, ..save() }, 0, 3),
        (Save { progress: Progress { bolts: -1, ..Progress::new() }, ..save() }, 0, 2),
    ] {
        assert_eq!(Save::decode(&change.encode()), Err(Damage::Chunk { section, id }));
    }
}

#[test]
fn a_slot_is_written_whole_and_read_back() {
    let directory = directory("whole");
    assert_eq!(store::read(&directory), Card::default(), "no files: empty");
    store::write(&directory, 2, &save().encode()).expect("can be written");
    let card = store::read(&directory);
    assert_eq!(card.slots[2].save(), Some(&save()));
    let second = Save { level: 3, ..save() };
    store::write(&directory, 2, &second.encode()).expect("can be written over");
    assert_eq!(store::read(&directory).slots[2].save(), Some(&second));
    let files: Vec<_> = fs::read_dir(&directory).expect("is there").collect();
    assert_eq!(files.len(), 1, "no temporary file stays");
    fs::remove_dir_all(directory).expect("can be removed");
}

#[test]
fn a_write_that_fails_leaves_the_old_save() {
    let directory = directory("fails");
    store::write(&directory, 0, &save().encode()).expect("can be written");
    // A directory in the way of the temporary file is an error on every system, for root too.
    fs::create_dir(directory.join("save0.bin.new")).expect("can be made");
    let second = Save { level: 3, ..save() };
    assert!(store::write(&directory, 0, &second.encode()).is_err());
    assert_eq!(store::read(&directory).slots[0].save(), Some(&save()));
    fs::remove_dir_all(directory).expect("can be removed");
}

#[test]
fn what_is_no_save_shows_as_damaged_and_what_cannot_be_read_too() {
    let directory = directory("damaged");
    let mut file = save().encode();
    file[100] ^= 1;
    store::write(&directory, 0, &file).expect("can be written");
    store::write(&directory, 1, &[]).expect("can be written");
    store::write(&directory, 2, &vec![0; 3 * SAVE_SIZE]).expect("can be written");
    fs::create_dir(store::file_of(&directory, 3)).expect("can be made");
    let slots = store::read(&directory).slots;
    assert_eq!(slots[0], Slot::Damaged(Damage::Checksum(0)));
    assert_eq!(slots[1], Slot::Damaged(Damage::Size(0)));
    assert!(matches!(slots[2], Slot::Damaged(Damage::Size(size)) if size > SAVE_SIZE));
    assert!(matches!(slots[3], Slot::Damaged(_)));
    assert_eq!(slots[4], Slot::Empty);
    fs::remove_dir_all(directory).expect("can be removed");
}

proptest! {
    #![proptest_config(ProptestConfig { rng_seed: proptest::test_runner::RngSeed::Fixed(1), ..ProptestConfig::default() })]

    #[test]
    fn a_save_cut_anywhere_is_damaged(length in 0..SAVE_SIZE) {
        prop_assert_eq!(Save::decode(&save().encode()[..length]), Err(Damage::Size(length)));
    }

    #[test]
    fn a_save_with_one_bit_flipped_is_damaged(byte in 0..SAVE_SIZE, bit in 0..8_u32) {
        let mut file = save().encode();
        file[byte] ^= 1 << bit;
        prop_assert!(Save::decode(&file).is_err());
    }

    /// Past the checksum too nothing is believed: whatever the bytes of a section say, reading them
    /// ends in a save that writes the same again, or in damage.
    #[test]
    fn changed_bytes_under_a_right_checksum_do_no_harm(
        changes in prop::collection::vec((16_usize..2_000, any::<u8>()), 1..20),
    ) {
        let mut file = save().encode();
        for (at, byte) in changes {
            file[at] = byte;
        }
        if let Ok(read) = Save::decode(&sealed(file)) {
            prop_assert_eq!(Save::decode(&read.encode()), Ok(read));
        }
    }

    #[test]
    fn any_bytes_at_all_are_read_without_harm(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        prop_assert!(Save::decode(&bytes).is_err());
        let mut file = save().encode();
        file[..bytes.len()].copy_from_slice(&bytes);
        let _ = Save::decode(&file);
    }

    #[test]
    fn every_save_comes_back(
        level in 0..20_u8,
        health in 1..i16::MAX,
        seconds_played: u32,
        items: [bool; 32],
        bolts in 0..i32::MAX,
        gone in prop::collection::btree_set(0..RECORDS, 0..40),
        seen: u32,
        of in 0..LEVELS,
    ) {
        let mut progress = Progress { bolts, ..Progress::new() };
        progress.items[..32].copy_from_slice(&items);
        let mut levels: [LevelMemory; LEVELS] = std::array::from_fn(|_| LevelMemory::default());
        levels[of] = LevelMemory { gone, seen };
        let save = Save { level, health, seconds_played, progress, levels };
        prop_assert_eq!(Save::decode(&save.encode()), Ok(save));
    }
}
