use super::*;
use crate::progress::Progress;
use crate::sim::{Class, Level};

#[test]
fn every_embedded_file_parses_and_gives_what_there_is() {
    let mut levels = Vec::new();
    for text in LEVELS {
        let file = parse::scenes(text).expect("parses");
        levels.push(file.level.expect("whose it is"));
        assert!(!file.help.is_empty(), "{levels:?}");
        for script in &file.scripts {
            assert!(script.camera[0].seconds <= 0.0, "{}", script.name);
            for &gift in &script.gives {
                assert!(Progress::new().has(gift).is_some(), "{}: {gift:?}", script.name);
            }
        }
    }
    assert_eq!(levels, [0, 1, 2, 3, 11, 14]);
    let own = [Own::Landing, Own::TakeOff, Own::GoldBolt, Own::Movie].map(Script::own);
    assert_eq!(own.map(|script| script.name), ["landing", "take-off", "gold bolt", "movie"]);
    assert_eq!(Script::intro(0).map(|script| script.number), Some(0));
    assert_eq!(Script::find(0, 99), None);
    assert_eq!(Script::find(99, 0), None);
}

#[test]
fn every_person_has_a_scene_and_stands_in_it_where_the_level_put_him() {
    for file in LEVELS.iter().map(|text| parsed(text)) {
        let level = Level::find(file.level.expect("whose it is")).expect("there is one");
        for person in level.mobys.iter().filter(|placed| placed.class == Class::Person) {
            let Some(number) = person.params.scene else { continue };
            let script = Script::find(level.number, number).expect("a scene");
            let actor = script.actors.iter().find(|actor| actor.class == Class::Person as i16);
            let (at, yaw) = actor.expect("acts").keys[0].value;
            assert!((at - person.position).length() < 0.1, "{} {number}: {at:?}", level.name);
            assert!(wrapped(yaw - person.yaw).abs() < 0.1, "{} {number}: {yaw}", level.name);
        }
    }
}

#[test]
fn from_veldin_every_planet_there_is_comes_to_be_known() {
    let mut known = vec![0];
    let mut next = 0;
    while let Some(&number) = known.get(next) {
        let level = Level::find(number).expect("only levels there are come to be known");
        let file = of_level(number).expect("each has scenes");
        let told = file.scripts.iter().flat_map(|script| &script.gives);
        let found = level.mobys.iter().filter_map(|placed| placed.params.gives.as_ref());
        for gift in told.chain(found) {
            if let Gift::Planet(planet) = gift {
                let planet = i32::try_from(*planet).expect("a number");
                if !known.contains(&planet) {
                    known.push(planet);
                }
            }
        }
        next += 1;
    }
    known.sort_unstable();
    assert_eq!(known, [0, 1, 2, 3, 11, 14]);
}

const SCENE: &str = "level 7\nscene 3 a walk\nlength 4\ncamera 0 0 -9 4 0 0 1\ncamera 4 0 -5 4 4 0 1\n\
                     actor 0 Ratchet\nat 1 0 0 0 170\nat 3 4 0 0 -170\nsay 1 2 Here I go.\n";

#[test]
fn between_two_keys_a_scene_is_a_share_of_the_way() {
    let file = parse::scenes(SCENE).expect("parses");
    let view = |seconds| file.scripts[0].view(seconds, Vec3::new(10.0, 0.0, 0.0));
    let middle = view(2.0);
    assert_eq!(
        (middle.eye, middle.target),
        (Vec3::new(10.0, -7.0, 4.0), Vec3::new(12.0, 0.0, 1.0))
    );
    assert_eq!(middle.actors[0].position, Vec3::new(12.0, 0.0, 0.0));
    assert!(
        (middle.actors[0].yaw.abs() - PI).abs() < 1e-3,
        "the short way: {}",
        middle.actors[0].yaw
    );
    assert!((middle.actors[0].speed - 2.0).abs() < 1e-3);
    assert_eq!(middle.line.as_deref(), Some("Here I go."));
    for (seconds, x, line) in
        [(0.0, 10.0, false), (0.999, 10.0, false), (3.5, 14.0, false), (99.0, 14.0, false)]
    {
        let view = view(seconds);
        assert_eq!((view.actors[0].position.x, view.line.is_some()), (x, line), "at {seconds}");
    }
}

#[test]
fn a_bad_line_is_named() {
    for (text, line, what) in [
        ("length 3", 1, "no scene has begun"),
        ("scene 0 a\nlength 3", 2, "scene 0 lacks a camera"),
        ("scene 0 a\ncamera 0 0 0 0 0 0 0\nscene 1 b", 3, "scene 0 lacks a length"),
        (
            "scene 0 a\nlength 1\ncamera 0 0 0 0 0 0 0\nactor 0 A",
            4,
            "scene 0 lacks a place for an actor",
        ),
        (
            "scene 0 a\ncamera 1 0 0 0 0 0 0\ncamera 1 0 0 0 0 0 0",
            3,
            "1 is not later than the line before",
        ),
        ("scene 0 a\nat 0 0 0 0 0", 2, "no actor to be there"),
        ("scene 0 a\ngives money 3", 2, "nobody is given a `money`"),
        ("scene 0 a\nlength inf", 2, "`inf` is not finite"),
        ("scene 0 a\ndance", 2, "`dance` is not known"),
        ("scene 32 a", 1, "32 is not a number for a scene of its own, 0 to 31"),
    ] {
        let error = parse::scenes(text).expect_err(text);
        assert_eq!(error.to_string(), format!("line {line}: {what}"));
    }
}
