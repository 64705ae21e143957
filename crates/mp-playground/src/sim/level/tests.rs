use super::*;
use crate::progress::Gift;
use crate::sim::class::{Class, kind};
use crate::sim::collision;

#[test]
fn every_embedded_level_parses_and_has_its_own_number() {
    let numbers: Vec<i32> =
        FILES.iter().map(|text| Level::parse(text).expect("parses").number).collect();
    assert!(numbers.is_sorted_by(|a, b| a < b), "{numbers:?}");
    assert_eq!(Level::name_of(0).as_deref(), Some("Veldin"));
    assert_eq!(Level::name_of(-1), None);
}

#[test]
fn a_bad_line_is_named() {
    for (text, line, what) in [
        ("number 0\nbox floor 0 0 0 1 1", 2, "5 numbers, not 6"),
        ("box cloud 0 0 0 1 1 1", 1, "no box is a `cloud`"),
        ("box floor 0 0 0 1 1 0", 1, "a box needs a size"),
        ("start 0 0 nan 0", 1, "`nan` is not finite"),
        ("number x", 1, "`x` is not a number"),
        ("\n\nhero 1", 3, "`hero` is not known, or too many"),
        ("number 3", 0, "`start` is missing"),
        ("moby biter 0 0", 1, "a moby needs a class and four numbers"),
        ("moby debris 0 0 0 0", 1, "no moby is a `debris`"),
        ("moby biter 0 0 0 0 fast", 1, "`fast` is not WORD=VALUE"),
        ("moby biter 0 0 0 0 item=3", 1, "a biter has no `item`"),
        ("moby find 0 0 0 0 item=37", 1, "37 is too many"),
        ("moby gold_bolt 0 0 0 0 number=1", 1, "a gold bolt needs the level's number before it"),
        ("moby switch 0 0 0 0 opens=gate", 1, "nothing has the label `gate`"),
        ("moby lamp 0 0 0 0 repeat=513", 1, "more than 512 mobys"),
    ] {
        let error = Level::parse(text).expect_err(text);
        assert_eq!(error, LevelError { line, what: what.to_owned() });
    }
}

#[test]
fn mobys_get_their_keys_by_their_place_and_what_the_file_says_of_them() {
    let text = "number 2\nname T\nstart 0 0 0 0\nabyss -5\n\
                moby switch 1 2 3 90 opens=gate,far\n\
                moby bolt_crate 0 0 0 0 bolts=12 repeat=3 step=1.5,0,0\n\
                moby door 0 0 0 0 label=gate size=4,0.5,3 seconds=2\n\
                moby bridge 0 0 0 0 label=far travel=0,4,0\n\
                moby gold_bolt 0 0 0 0 number=3";
    let level = Level::parse(text).expect("parses");
    assert_eq!(level.records(), 7);
    assert_eq!(level.mobys[0].params.opens, [4, 5]);
    assert!((level.mobys[0].yaw - std::f32::consts::FRAC_PI_2).abs() < 1e-6);
    let crates = &level.mobys[1..4];
    assert!(crates.iter().all(|placed| placed.params.bolts == 12));
    assert_eq!(crates[2].position, Vec3::new(3.0, 0.0, 0.0));
    assert_eq!(level.mobys[4].params.size, Vec3::new(4.0, 0.5, 3.0));
    assert_eq!(level.mobys[6].params.gives, Some(Gift::GoldBolt(11)));
    assert_eq!(level.mobys[6].class, Class::GoldBolt);
    assert!(level.mobys[6].class.is(kind::PICKUP));
}

#[test]
fn the_grid_gives_every_box_that_reaches_into_a_place() {
    for level in Level::all() {
        for (number, solid) in level.solids.iter().enumerate() {
            let mut found = false;
            level.grid().near(solid.low, solid.low, |near| found |= near == number);
            assert!(found, "{}: the lowest corner of box {number}", level.name);
            found = false;
            let middle = solid.low.towards(solid.high, 0.5);
            level.grid().near(middle, middle, |near| found |= near == number);
            assert!(found, "{}: the middle of box {number}", level.name);
        }
    }
}

#[test]
fn there_are_the_games_levels_with_its_numbers_and_one_is_large() {
    let names: Vec<(i32, &str)> =
        Level::all().iter().map(|level| (level.number, level.name.as_str())).collect();
    let all = [
        (0, "Veldin"),
        (1, "Novalis"),
        (2, "Aridia"),
        (3, "Kerwan"),
        (11, "Pokitaru"),
        (14, "Oltanis"),
    ];
    assert_eq!(names, all);
    assert!((290..=320).contains(&Level::find(3).expect("Kerwan").records()));
}

/// What stands in a level stands on something and in nothing, so that nobody who edits a file leaves a
/// crate in the air or a bolt in a wall.
#[test]
fn every_placed_moby_stands_on_something_and_in_nothing() {
    for level in Level::all() {
        for (key, placed) in level.mobys.iter().enumerate() {
            if placed.class.is(kind::PLATFORM) {
                continue;
            }
            let what = format!("{}: {} {key}", level.name, placed.class.traits().word);
            let at = placed.position;
            let foot = at + Vec3::UP * 0.05;
            assert!(!collision::inside(level, foot), "{what} stands in something");
            let ground = collision::ground_below(level, foot);
            assert!(
                ground.is_some_and(|ground| (ground - at.z).abs() < 0.01),
                "{what}: {ground:?}"
            );
        }
        for point in level.checkpoints.iter().map(|point| point.position).chain([level.start]) {
            assert!(
                !collision::inside(level, point + Vec3::UP * 0.05),
                "{}: {point:?}",
                level.name
            );
            assert!(collision::ground_below(level, point).is_some(), "{}: {point:?}", level.name);
        }
    }
}

/// Every level has what the game is played for.
#[test]
fn every_level_has_enemies_crates_services_and_things_to_find() {
    for level in Level::all() {
        let count = |class| level.mobys.iter().filter(|placed| placed.class == class).count();
        for class in [
            Class::BoltCrate,
            Class::NanotechCrate,
            Class::AmmoCrate,
            Class::Bolt,
            Class::GoldBolt,
            Class::Find,
            Class::Biter,
            Class::Shooter,
            Class::Nest,
            Class::Ship,
            Class::Vendor,
            Class::HelpDesk,
            Class::Person,
            Class::Switch,
        ] {
            assert!(count(class) > 0, "{}: {class:?}", level.name);
        }
        assert!(count(Class::GoldBolt) <= 4, "{}", level.name);
    }
}
