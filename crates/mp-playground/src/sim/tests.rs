use super::*;

fn veldin(seed: u64) -> World {
    World::new(Arc::new(Level::find(0).expect("Veldin is level 0")), seed)
}

/// A pad that does something of everything, from a seed.
fn scribble(rng: &mut Rng) -> Pad {
    let mut pad = Pad::NEUTRAL.with_stick(rng.between(-1.0, 1.0), rng.between(-1.0, 1.0));
    if rng.below(8) == 0 {
        pad = pad.with(Button::Cross);
    }
    pad
}

fn run(world: &mut World, ticks: u32, pad: Pad) {
    for _ in 0..ticks {
        world.step(pad);
    }
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
    run(&mut world, 30, Pad::NEUTRAL.with_stick(0.0, 1.0));
    let before = world.hero().position();
    run(&mut world, 30, Pad::NEUTRAL.with_stick(0.0, 1.0));
    let ran = (world.hero().position() - before).length();
    assert!((ran - 4.0).abs() < 0.05, "{ran} in half a second");
    assert!(before.y > start.y && world.hero().state() == HeroState::Run);
}

#[test]
fn a_jump_lasts_1_2_seconds_and_lands() {
    let mut world = veldin(0);
    run(&mut world, 10, Pad::NEUTRAL);
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
    run(&mut world, 300, Pad::NEUTRAL.with_stick(0.0, -1.0));
    let at = world.hero().position();
    assert!((at.y - (-17.0 + HALF_WIDTH)).abs() < 0.01, "stands at the southern wall: {at:?}");
    let level = "number 9\nname T\nstart 0 0 0 0\nabyss -5\nbox floor -9 -9 -1 18 18 1\n\
                 box step 2 -2 0 2 4 0.3\nbox step 4 -2 0 2 4 0.6";
    let mut world = World::new(Arc::new(Level::parse(level).expect("parses")), 0);
    run(&mut world, 60, Pad::NEUTRAL.with_stick(1.0, 0.0));
    let at = world.hero().position();
    assert!((at.z - 0.6).abs() < 1e-3 || at.x > 6.0, "walked up both: {at:?}");
}

#[test]
fn one_who_falls_off_comes_back_at_the_start_with_the_teleport_flag_for_one_tick() {
    let level = "number 9\nname T\nstart 0 0 0 0\nabyss -5\nbox floor -2 -2 -1 4 4 1";
    let mut world = World::new(Arc::new(Level::parse(level).expect("parses")), 0);
    let mut flagged = 0;
    for _ in 0..240 {
        world.step(if flagged == 0 { Pad::NEUTRAL.with_stick(1.0, 0.0) } else { Pad::NEUTRAL });
        flagged += u32::from(world.hero().pose().flags & HeroPose::TELEPORT != 0);
    }
    assert_eq!(flagged, 1);
    assert!(world.hero().position().length() < 0.5);
}

#[test]
fn nothing_a_pad_does_takes_him_out_of_the_numbers() {
    for seed in 0..20 {
        let (mut world, mut rng) = (veldin(seed), Rng::new(seed));
        for _ in 0..1_800 {
            let pad = scribble(&mut rng);
            world.step(pad);
            let pose = world.hero().pose();
            assert!(pose.is_finite() && pose.velocity.length() < 40.0, "seed {seed}: {pose:?}");
            assert!(pose.position.z > -12.1, "seed {seed}: {pose:?}");
        }
    }
}
