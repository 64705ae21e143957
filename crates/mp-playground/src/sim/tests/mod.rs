mod enemies;
mod items;
mod platforms;
mod steps;
mod things;

use std::collections::BTreeSet;
use std::sync::Arc;

use super::*;
use crate::progress::{Gift, Progress};

/// A world, what its hero has, and what happened in it.
#[derive(Clone, Debug, PartialEq)]
struct Played {
    world: World,
    progress: Progress,
    events: Vec<Event>,
}

impl Played {
    fn new(level: Arc<Level>, seed: u64, rate: TickRate) -> Self {
        let progress = Progress::new();
        let (health, gone) = (FULL_HEALTH, &BTreeSet::new());
        let start = Start { seed, rate, progress: &progress, health, gone };
        Self { world: World::new(level, start), progress, events: Vec::new() }
    }

    /// A level of a floor and these lines, with the hero in its middle, looking east.
    fn of(lines: &str) -> Self {
        let text = format!(
            "number 9\nname T\nstart 0 0 0 0\nabyss -5\nbox floor -30 -30 -1 60 60 1\n{lines}"
        );
        Self::new(Arc::new(Level::parse(&text).expect("parses")), 1, TickRate::Ntsc)
    }

    fn step(&mut self, pad: Pad) {
        self.world.step(pad, &mut self.progress);
        self.listen();
    }

    /// What happened: he is given what he took.
    fn listen(&mut self) {
        while let Some(event) = self.world.poll_event() {
            if let Event::Took { gift, .. } = event {
                assert!(self.progress.give(gift));
            }
            self.events.push(event);
        }
    }

    fn run(&mut self, ticks: u32, pad: Pad) {
        (0..ticks).for_each(|_| self.step(pad));
    }

    /// Presses a button for a tick, and lets it go.
    fn press(&mut self, button: Button) {
        self.step(Pad::NEUTRAL.with(button));
        self.step(Pad::NEUTRAL);
    }

    fn hit(&mut self, hit: &Hit) {
        assert_eq!(self.world.hit(hit), Ok(true));
        self.world.settle(&mut self.progress);
    }

    fn kill(&mut self, id: MobyId) {
        assert_eq!(self.world.kill(id, false), Ok(()));
        self.world.settle(&mut self.progress);
    }

    fn hero(&self) -> &Hero {
        self.world.hero()
    }

    fn pose(&self) -> HeroPose {
        self.world.hero().pose(&self.progress)
    }

    fn digest(&self) -> u64 {
        self.world.digest()
    }

    fn of_class(&self, class: Class) -> Vec<Moby> {
        self.world.mobys().iter().filter(|moby| moby.class == class).copied().collect()
    }

    fn placed(&self, key: u16) -> Option<Moby> {
        self.world.mobys().placed(key).copied()
    }
}

fn veldin(seed: u64) -> Played {
    Played::new(Level::find(0).expect("Veldin is level 0"), seed, TickRate::Ntsc)
}

/// A pad that does something of everything, from a seed.
fn scribble(rng: &mut Rng) -> Pad {
    let mut pad = Pad::NEUTRAL.with_stick(rng.between(-1.0, 1.0), rng.between(-1.0, 1.0));
    for button in [Button::Cross, Button::Square, Button::Circle, Button::Triangle, Button::R1] {
        if rng.below(8) == 0 {
            pad = pad.with(button);
        }
    }
    if rng.below(60) == 0 { pad.with(Button::Right) } else { pad }
}

#[test]
fn equal_pads_and_seeds_give_equal_digests() {
    let digests = |seed| {
        let (mut world, mut rng) = (veldin(seed), Rng::new(7));
        (0..3_600)
            .map(|tick| {
                world.step(if tick / 600 % 2 == 0 { scribble(&mut rng) } else { Pad::NEUTRAL });
                world.digest()
            })
            .collect::<Vec<_>>()
    };
    assert_eq!(digests(1), digests(1));
    assert_ne!(digests(1), digests(2), "the seed decides when he fidgets");
}

#[test]
fn a_copy_goes_on_as_the_original_does() {
    let (mut world, mut rng) = (veldin(3), Rng::new(11));
    for _ in 0..200 {
        world.step(scribble(&mut rng));
    }
    let mut copy = world.clone();
    for _ in 0..200 {
        let pad = scribble(&mut rng);
        world.step(pad);
        assert_ne!(world, copy);
        copy.step(pad);
        assert_eq!(world, copy);
    }
}

#[test]
fn he_runs_eight_units_a_second() {
    let mut world = veldin(0);
    let start = world.hero().position();
    world.run(30, Pad::NEUTRAL.with_stick(0.0, 1.0));
    let before = world.hero().position();
    world.run(30, Pad::NEUTRAL.with_stick(0.0, 1.0));
    let ran = (world.hero().position() - before).length();
    assert!((ran - 4.0).abs() < 0.05, "{ran} in half a second");
    assert!(before.y > start.y && world.hero().state() == HeroState::Run);
}

#[test]
fn a_jump_lasts_1_2_seconds_and_lands() {
    let mut world = veldin(0);
    world.run(10, Pad::NEUTRAL);
    let ground = world.hero().position().z;
    world.step(Pad::NEUTRAL.with(Button::Cross));
    let (mut ticks, mut top) = (1_u32, ground);
    while world.hero().state() == HeroState::Jump || world.hero().state() == HeroState::Fall {
        world.step(Pad::NEUTRAL.with(Button::Cross));
        top = top.max(world.hero().position().z);
        ticks += 1;
        assert!(ticks < 120, "never lands");
    }
    assert!((70..=74).contains(&ticks), "{ticks} ticks in the air");
    assert!((2.5..2.8).contains(&(top - ground)), "{top}");
    assert_eq!(world.hero().state(), HeroState::Land, "held, Cross jumps once");
    assert!((world.hero().position().z - ground).abs() < 1e-3);
}

#[test]
fn walls_hold_him_and_low_edges_do_not() {
    let mut world = veldin(0);
    world.run(300, Pad::NEUTRAL.with_stick(0.0, -1.0));
    let at = world.hero().position();
    assert!((at.y - (-17.0 + HALF_WIDTH)).abs() < 0.01, "stands at the southern wall: {at:?}");
    let level = "number 9\nname T\nstart 0 0 0 0\nabyss -5\nbox floor -9 -9 -1 18 18 1\n\
                 box step 2 -2 0 2 4 0.3\nbox step 4 -2 0 2 4 0.6";
    let mut world = Played::new(Arc::new(Level::parse(level).expect("parses")), 0, TickRate::Ntsc);
    world.run(60, Pad::NEUTRAL.with_stick(1.0, 0.0));
    let at = world.hero().position();
    assert!((at.z - 0.6).abs() < 1e-3 || at.x > 6.0, "walked up both: {at:?}");
}

#[test]
fn one_who_falls_off_dies_and_comes_back_with_the_teleport_flag_for_one_tick() {
    let level = "number 9\nname T\nstart 0 0 0 0\nabyss -5\nbox floor -2 -2 -1 4 4 1";
    let mut world = Played::new(Arc::new(Level::parse(level).expect("parses")), 0, TickRate::Ntsc);
    let mut flagged = 0;
    for _ in 0..360 {
        let falls = world.events.is_empty();
        world.step(if falls { Pad::NEUTRAL.with_stick(1.0, 0.0) } else { Pad::NEUTRAL });
        flagged += u32::from(world.pose().flags & HeroPose::TELEPORT != 0);
        assert_eq!(world.pose().health <= 0, world.events == [Event::Died]);
    }
    assert_eq!(flagged, 1);
    assert_eq!(world.events, [Event::Died, Event::CameBack]);
    assert!(world.hero().position().length() < 0.5);
    assert_eq!(world.hero().health(), FULL_HEALTH);
}

#[test]
fn he_comes_back_where_he_passed_a_checkpoint_last() {
    let mut world = Played::of("checkpoint 6 0 0 90 1.5\ncheckpoint 12 0 0 180 1.5");
    world.run(60, Pad::NEUTRAL.with_stick(1.0, 0.0));
    assert!((7.0..10.0).contains(&world.hero().position().x), "past the first only");
    while world.events.is_empty() {
        let hit = Hit { damage: 1.0, ..no_hit(MobyId::HERO) };
        world.hit(&hit);
        world.step(Pad::NEUTRAL);
    }
    world.run(200, Pad::NEUTRAL);
    assert!((world.hero().position() - Vec3::new(6.0, 0.0, 0.0)).length() < 0.1);
    assert!((world.pose().rotation.z - std::f32::consts::FRAC_PI_2).abs() < 0.01);
}

#[test]
fn a_second_jump_is_had_in_the_air_and_no_third() {
    let mut world = Played::of("");
    world.run(5, Pad::NEUTRAL);
    world.press(Button::Cross);
    world.run(25, Pad::NEUTRAL);
    let single = world.hero().position().z;
    world.press(Button::Cross);
    assert_eq!(world.hero().state(), HeroState::SecondJump);
    let mut top = single;
    for _ in 0..40 {
        world.press(Button::Cross);
        top = top.max(world.hero().position().z);
    }
    assert!((3.5..5.0).contains(&top), "{top}");
    world.run(60, Pad::NEUTRAL);
    assert!(world.hero().position().z.abs() < 1e-3, "a third would have kept him up");
}

#[test]
fn times_and_speeds_do_not_depend_on_the_disc() {
    let ran = |rate: TickRate| {
        let level = Level::find(0).expect("Veldin is level 0");
        let mut world = Played::new(level, 0, rate);
        let second = u32::from(rate.per_second());
        world.run(second / 2, Pad::NEUTRAL.with_stick(0.0, 1.0));
        world.press(Button::Cross);
        let mut ticks = 2;
        while world.hero().position().z > 0.0 {
            world.step(Pad::NEUTRAL);
            ticks += 1;
        }
        (world.hero().position().y, ticks * 1000 / second)
    };
    let ((ntsc, ntsc_ms), (pal, pal_ms)) = (ran(TickRate::Ntsc), ran(TickRate::Pal));
    assert!((ntsc - pal).abs() < 0.3, "{ntsc} {pal}");
    assert!(ntsc_ms.abs_diff(pal_ms) < 40, "{ntsc_ms} {pal_ms}");
    assert_eq!((TickRate::Pal.per_second(), TickRate::Pal.ticks(0.5)), (50, 25));
}

/// A hit of that one, which does nothing yet.
fn no_hit(target: MobyId) -> Hit {
    let (position, velocity) = (Vec3::ZERO, Vec3::ZERO);
    Hit { target, attacker: MobyId::NONE, mask: mask::BITE, damage: 0.0, position, velocity }
}

/// A minute of anything in every level: equal seeds give equal worlds tick by tick, and nothing leaves
/// the numbers.
#[test]
fn a_minute_of_seeded_pads_in_each_level_repeats_to_the_tick() {
    for level in Level::all() {
        let digests = || {
            let mut world = Played::new(Arc::clone(level), 5, TickRate::Pal);
            let mut rng = Rng::new(17);
            let mut all = Vec::new();
            for tick in 0..3_000 {
                let pad = scribble(&mut rng);
                // Keeps a direction for a while, so that he gets somewhere.
                let yaw = f32::from(u16::try_from(tick / 100).expect("small")) * 1.3;
                world.step(pad.with_stick(yaw.cos(), yaw.sin()));
                all.push(world.digest());
                let still = |moby: &Moby| {
                    moby.position.is_finite()
                        && moby.rotation.is_finite()
                        && moby.velocity.is_finite()
                };
                assert!(world.world.mobys().iter().all(still), "{} tick {tick}", level.name);
            }
            all
        };
        let (one, other) = (digests(), digests());
        let differs = one.iter().zip(&other).position(|(a, b)| a != b);
        assert_eq!(differs, None, "{}: differs from that tick on", level.name);
    }
}

#[test]
fn nothing_a_pad_does_takes_him_out_of_the_numbers() {
    for seed in 0..20 {
        let (mut world, mut rng) = (veldin(seed), Rng::new(seed));
        for _ in 0..1_800 {
            let pad = scribble(&mut rng);
            world.step(pad);
            let pose = world.pose();
            assert!(pose.is_finite() && pose.velocity.length() < 40.0, "seed {seed}: {pose:?}");
            assert!(pose.position.z > -12.1, "seed {seed}: {pose:?}");
        }
    }
}
