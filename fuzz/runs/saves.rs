//! A memory card's file with bytes changed, under right checksums and wrong ones: damaged, or a save that
//! comes back the same and that a game can start from.

use std::sync::{Arc, LazyLock};

use mp_playground::card::{Card, LevelMemory, Save, Slot, sealed};
use mp_playground::game::{StandIn, Start};
use mp_playground::sim::Pad;

use super::input::Input;

/// Ticks from the start of a game until it shows its title.
const TITLE: usize = 400;
/// How far a save is played, in ticks.
const PLAYED: usize = 60;

static WHOLE: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let levels = std::array::from_fn(|_| LevelMemory { gone: [3, 9].into(), seen: 1 });
    Save { levels, ..Save::in_level(1) }.encode()
});

/// One input.
pub fn run(bytes: &[u8]) {
    assert!(Save::decode(bytes).is_err() || bytes.len() == WHOLE.len());
    let (mut file, mut input) = (WHOLE.clone(), Input(bytes));
    while let Some(byte) = input.byte() {
        // Most of what means something lies in the first 2 KB.
        let at =
            (input.small() << 8 | input.small()) % if byte % 2 == 0 { 2_048 } else { file.len() };
        let len = (input.small() % 8 + 1).min(file.len() - at);
        let change = input.bytes(len);
        file[at..at + change.len()].copy_from_slice(change);
    }
    let _ = Save::decode(&file);
    let file: Arc<[u8]> = sealed(file).into();
    let slot = Slot::of(Arc::clone(&file));
    let Some(save) = slot.save().cloned() else { return };
    assert_eq!(Save::decode(&save.encode()).as_ref(), Ok(&save));
    let mut game = StandIn::new(1);
    let mut card = Card::default();
    card.slots[0] = slot;
    game.insert_card(card);
    let (mut began, mut ticks) = (false, 0);
    while ticks < PLAYED {
        began = began || game.play_start(Start::Save(Box::new(save.clone())), None);
        ticks += usize::from(began);
        tick(&mut game);
        if !began && game.frame() > TITLE as u64 {
            // A planet that this game does not have.
            return;
        }
    }
}

fn tick(game: &mut StandIn) {
    game.read_pad(Pad::NEUTRAL);
    while game.poll_call().is_some() {}
    game.step();
    while game.poll_call().is_some() {}
}
