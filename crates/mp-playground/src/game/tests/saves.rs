use std::sync::Arc;

use super::*;
use crate::card::{Card, Save, Slot};
use crate::progress::Gift;

/// No slot was written.
const NONE: [usize; 0] = [];

/// A save made early in a game, with what tells it from others.
fn save(gold_bolts: &[usize]) -> Save {
    let mut game = in_level();
    for &index in gold_bolts {
        assert!(game.give(Gift::GoldBolt(index)));
    }
    game.bolts_add(70);
    game.capture().expect("plays")
}

fn slot(save: &Save) -> Slot {
    Slot::of(save.encode().into())
}

/// A game at the title, with a card: a save, a damaged one, and three empty slots.
fn with_card() -> StandIn {
    let mut game = at_title();
    let mut card = Card::default();
    card.slots[0] = slot(&save(&[0, 5]));
    let mut cut = save(&[]).encode();
    cut.pop();
    card.slots[1] = Slot::of(cut.into());
    game.insert_card(card);
    game
}

/// Writes what the game wants written, as a driver does; answers the slots.
fn write(game: &mut StandIn) -> Vec<usize> {
    let mut slots = Vec::new();
    while let Some(write) = game.poll_write() {
        game.written(&write, true);
        slots.push(write.slot);
    }
    slots
}

fn choose(game: &mut StandIn, row: usize) {
    for _ in 0..row {
        press(game, Button::Down);
    }
    press(game, Button::Cross);
}

#[test]
fn load_game_lists_the_slots_and_loads_the_one_chosen() {
    let mut game = with_card();
    choose(&mut game, 1);
    let screen = game.screen();
    assert_eq!(screen.title(), "Load Game");
    let rows = screen.page.expect("shows").rows;
    let row = |at: usize| (rows[at].label.as_str(), rows[at].dim);
    assert_eq!(
        [row(0), row(1), row(2)],
        [("1. Veldin", false), ("2. Damaged", true), ("3. Empty", true)]
    );
    assert!(rows[0].value.starts_with("2 gold bolts, 0:00:0"), "{}", rows[0].value);
    press(&mut game, Button::Cross);
    play(&mut game);
    assert_eq!(game.phase(), Phase::Playing);
    assert_eq!((game.progress().gold_bolt_count(), game.progress().bolts), (2, 70));
    assert!(game.capture().expect("plays").seconds_played >= save(&[]).seconds_played);
}

#[test]
fn a_damaged_or_empty_slot_is_refused() {
    for row in [1, 2] {
        let mut game = with_card();
        choose(&mut game, 1);
        choose(&mut game, row);
        ticks(&mut game, TICKS_PER_SECOND);
        assert_eq!((game.phase(), game.sounds().refused), (Phase::Title, 1), "row {row}");
    }
}

#[test]
fn saving_asks_before_it_writes_over_a_slot_and_not_for_an_empty_one() {
    let mut game = in_level();
    game.insert_card(with_card().card().expect("one").clone());
    game.bolts_add(5);
    press(&mut game, Button::Start);
    choose(&mut game, 3);
    assert_eq!(game.screen().title(), "Save Game");
    assert!(game.screen().page.expect("shows").rows.iter().all(|row| !row.dim));
    press(&mut game, Button::Cross);
    assert_eq!(game.screen().prompt.expect("asks").text, "Write over this save?");
    press(&mut game, Button::Triangle);
    assert_eq!(write(&mut game), NONE);
    choose(&mut game, 2);
    assert_eq!(write(&mut game), [2]);
    let held = game.card_slot(2).and_then(Slot::save).expect("saved");
    assert_eq!((held.level, held.progress.bolts), (0, 5));
    assert_eq!(game.screen().message.as_deref(), Some("Saved"));
}

#[test]
fn a_save_that_could_not_be_written_is_not_on_the_card() {
    let mut game = in_level();
    game.insert_card(Card::default());
    game.took(Gift::GoldBolt(1), Vec3::ZERO);
    let lost = game.poll_write().expect("saves by itself");
    game.written(&lost, false);
    assert_eq!(game.card_slot(0), Some(&Slot::Empty));
    assert_eq!(game.screen().message.as_deref(), Some("The game could not be saved"));
}

#[test]
fn the_game_saves_by_itself_to_its_own_slot_or_the_first_empty_one_and_no_other() {
    let mut game = in_level();
    game.insert_card(with_card().card().expect("one").clone());
    game.took(Gift::GoldBolt(1), Vec3::ZERO);
    assert_eq!(write(&mut game), [2], "0 holds another game, 1 is damaged");
    game.took(Gift::GoldBolt(1), Vec3::ZERO);
    assert_eq!(write(&mut game), NONE, "had already");
    game.took(Gift::Planet(2), Vec3::ZERO);
    assert_eq!(write(&mut game), [2], "its own by now");
    let mut full = in_level();
    let slots = std::array::from_fn(|_| slot(&save(&[])));
    full.insert_card(Card { slots });
    full.took(Gift::GoldBolt(1), Vec3::ZERO);
    assert_eq!(write(&mut full), NONE, "no slot is free");
    let mut loaded = with_card();
    choose(&mut loaded, 1);
    press(&mut loaded, Button::Cross);
    play(&mut loaded);
    loaded.took(Gift::GoldBolt(1), Vec3::ZERO);
    assert_eq!(write(&mut loaded), [0], "where it was loaded from");
}

#[test]
fn a_scene_of_the_level_is_saved_once_at_its_end_the_first_time_it_was_seen() {
    let mut game = at_title();
    game.insert_card(Card::default());
    press(&mut game, Button::Cross);
    ticks(&mut game, 90);
    assert_eq!((game.phase(), write(&mut game).len()), (Phase::Scene, 0));
    play(&mut game);
    assert_eq!(write(&mut game), [0]);
    assert_eq!(game.card_slot(0).and_then(Slot::save).expect("saved").levels[0].seen, 1);
    for slots in [vec![0], vec![]] {
        assert!(game.play_scene(1));
        play(&mut game);
        assert_eq!(write(&mut game), slots);
    }
}

#[test]
fn a_game_a_mod_started_writes_no_slot_that_is_used() {
    let mut game = with_card();
    assert!(game.play_start(Start::Save(Box::new(save(&[7]))), None));
    play(&mut game);
    assert!(game.progress().gold_bolts[7]);
    assert_eq!(write(&mut game), NONE, "starting touches no card");
    game.took(Gift::GoldBolt(1), Vec3::ZERO);
    assert_eq!(write(&mut game), [2]);
}

#[test]
fn a_capture_starts_the_same_game_and_is_had_only_while_one_plays() {
    assert_eq!(at_title().capture(), None);
    let captured = save(&[3]);
    let mut game = at_title();
    assert!(game.play_start(Start::Save(Box::new(captured.clone())), Some(0)));
    tick(&mut game, NEUTRAL);
    assert_eq!((game.phase(), game.capture()), (Phase::Loading, None));
    ticks(&mut game, 60);
    assert_eq!(game.phase(), Phase::Playing);
    assert_eq!(game.capture(), Some(captured));
}

#[test]
fn gifts_are_given_once_with_their_banner() {
    let mut game = in_level();
    assert!(game.give(Gift::Item(15)));
    assert_eq!(game.screen().message.as_deref(), Some("You got the Blaster"));
    assert!(!game.give(Gift::Item(15)));
    assert!(!game.give(Gift::Item(37)), "there is no such item");
    assert!(game.give(Gift::Planet(14)));
    game.bolts_add(-5);
    assert_eq!(game.progress().bolts, 0, "never below none");
    assert!(!at_title().give(Gift::Item(15)));
}

#[test]
fn a_new_game_starts_with_nothing_of_the_one_before() {
    let mut game = in_level();
    game.took(Gift::GoldBolt(1), Vec3::ZERO);
    game.title_return(None).expect("no page to check");
    tick(&mut game, NEUTRAL);
    press(&mut game, Button::Cross);
    play(&mut game);
    assert_eq!(game.progress(), &crate::progress::Progress::new());
}

#[test]
fn a_card_is_shared_by_copies_of_a_game() {
    let game = with_card();
    let copy = game.clone();
    let file = |game: &StandIn| match game.card_slot(0) {
        Some(Slot::Used { file, .. }) => Arc::clone(file),
        other => panic!("{other:?}"),
    };
    assert!(Arc::ptr_eq(&file(&game), &file(&copy)));
}

#[test]
fn a_save_keeps_the_heros_health_and_what_was_taken_in_a_level() {
    let mut game = in_level();
    let hit = crate::sim::Hit {
        target: crate::sim::MobyId::HERO,
        attacker: crate::sim::MobyId::NONE,
        mask: crate::sim::mask::BITE,
        damage: 1.0,
        position: Vec3::ZERO,
        velocity: Vec3::ZERO,
    };
    let _ = game.hero_hit(&hit).expect("a good hit");
    ticks(&mut game, 1);
    let hurt = game.capture().expect("plays");
    assert_eq!(hurt.health, crate::sim::FULL_HEALTH - 1);
    let taken = {
        let level = game.world().expect("in a level").level();
        let bolt =
            level.mobys.iter().position(|placed| placed.class == crate::sim::Class::GoldBolt);
        u16::try_from(bolt.expect("Veldin has one")).expect("a key")
    };
    let mut save = hurt;
    save.levels[0].gone.insert(taken);
    let mut game = at_title();
    assert!(game.play_start(Start::Save(Box::new(save.clone())), None));
    play(&mut game);
    assert_eq!(game.hero_pose().expect("a hero").health, save.health);
    assert!(game.mobys().all(|moby| moby.key != Some(taken)), "gone for good");
    let again = game.capture().expect("plays");
    assert_eq!((again.health, &again.levels), (save.health, &save.levels));
}
