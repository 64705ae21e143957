use super::*;
use crate::progress::Gift;

/// At the ship's planet select, knowing Veldin and Novalis.
fn at_ship() -> StandIn {
    let mut game = in_level();
    assert!(game.give(Gift::Planet(1)));
    game.used(Used::Ship);
    assert_eq!((game.phase(), game.screen().title()), (Phase::Dialog, "Select a planet"));
    game
}

#[test]
fn a_vendor_sells_for_bolts_what_the_hero_does_not_have_and_can_pay() {
    let mut game = in_level();
    game.bolts_add(30);
    game.used(Used::Vendor);
    assert_eq!(game.phase(), Phase::Vendor);
    let rows = game.screen().page.expect("shows").rows;
    assert_eq!((rows[0].label.as_str(), rows[0].value.as_str()), ("Blaster", "25 bolts"));
    assert!(!rows[0].dim && rows[1].dim);
    press(&mut game, Button::Cross);
    assert_eq!((game.progress().bolts, game.progress().items[15]), (5, true));
    assert_eq!(game.screen().page.expect("shows").rows[0].value, "Yours");
    press(&mut game, Button::Cross);
    press(&mut game, Button::Down);
    press(&mut game, Button::Cross);
    assert_eq!((game.progress().bolts, game.sounds().refused), (5, 2), "had, and too dear");
    press(&mut game, Button::Triangle);
    assert_eq!((game.phase(), game.screen().page), (Phase::Playing, None));
}

#[test]
fn the_help_desk_says_a_line_at_a_time() {
    let mut game = in_level();
    game.used(Used::HelpDesk);
    assert_eq!(game.phase(), Phase::Dialog);
    let mut said = Vec::new();
    while game.phase() == Phase::Dialog {
        said.extend(game.screen().page.expect("shows").lines);
        press(&mut game, Button::Cross);
    }
    assert_eq!(said, crate::scenes::help(0));
    ticks(&mut game, 5);
    assert!(game.hero_pose().expect("a hero").velocity.z < 1.0, "the last press is no jump");
}

#[test]
fn a_person_starts_its_scene() {
    let mut game = in_level();
    game.used(Used::Person(1));
    assert_eq!(game.scene().and_then(|scene| scene.number), Some(1));
    play(&mut game);
    assert!(game.progress().items[14], "and gives what it gives");
}

#[test]
fn the_ship_flies_where_the_hero_knows_the_way_and_not_where_he_is() {
    let mut game = at_ship();
    let rows = game.screen().page.expect("shows").rows;
    let labels: Vec<_> = rows.iter().map(|row| (row.label.as_str(), row.dim)).collect();
    assert_eq!(labels, [("Veldin", true), ("Novalis", false)], "nobody told him of another");
    assert_eq!(press(&mut game, Button::Cross), []);
    assert_eq!((game.phase(), game.sounds().refused), (Phase::Dialog, 1));
}

#[test]
fn the_ship_takes_off_and_lands_elsewhere_or_lands_again_when_the_mod_refuses() {
    for (allows, level) in [(true, 1), (false, 0)] {
        let mut game = at_ship();
        press(&mut game, Button::Down);
        game.read_pad(NEUTRAL.with(Button::Cross));
        assert_eq!(game.poll_call(), Some(ModCall::OnTravel { level: 1, by_ship: true }));
        if !allows {
            game.refuse();
        }
        game.step();
        let scene = game.scene().expect("plays");
        assert_eq!((game.phase(), scene.kind, scene.number), (Phase::Scene, SceneKind::Own, None));
        let mut phases = vec![game.phase()];
        while game.phase() != Phase::Playing {
            tick(&mut game, NEUTRAL);
            if phases.last() != Some(&game.phase()) {
                phases.push(game.phase());
            }
        }
        let way = [Phase::Scene, Phase::Travel, Phase::Movie, Phase::Loading, Phase::Scene];
        let expected: &[Phase] = if allows { &way } else { &way[..1] };
        assert_eq!(phases.split_last(), Some((&Phase::Playing, expected)));
        assert_eq!(game.level(), Some(level));
    }
}

#[test]
fn the_world_goes_on_under_a_dialog_when_menus_do_not_pause_it() {
    let mut game = in_level();
    game.used(Used::HelpDesk);
    let before = game.world().expect("in a level").tick();
    ticks(&mut game, 10);
    assert_eq!(game.world().expect("in a level").tick(), before);
    game.menus_pause(false);
    ticks(&mut game, 10);
    assert_eq!(game.world().expect("in a level").tick(), before + 10);
}

#[test]
fn no_menu_of_a_mod_opens_over_a_dialog() {
    let (mut game, page, _) = with_page(in_level());
    game.used(Used::HelpDesk);
    game.page_open(page).expect("is a page");
    assert_eq!((game.page_shown(), game.prompt("Over what?", "Yes", "No")), (None, false));
}

#[test]
fn nothing_is_used_where_nobody_has_control() {
    let mut game = in_level();
    press(&mut game, Button::Start);
    game.used(Used::Vendor);
    assert_eq!(game.phase(), Phase::Paused);
    let mut title = at_title();
    title.used(Used::Ship);
    assert_eq!(title.phase(), Phase::Title);
    assert!(!title.give(Gift::Item(15)));
}
