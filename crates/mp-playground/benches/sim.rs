//! What a tick of the simulation costs: a level of about 60 mobys with its hero alone, one of about 300
//! with four heroes' worth of activity, where a mod is asked about everything, three figures stand in for
//! the hero, and the world runs around them too. `--short` measures for a moment only.

use std::time::{Duration, Instant};

use mp_playground::progress::{Gift, Progress};
use mp_playground::sim::{
    Answer, Ask, Button, FULL_HEALTH, HeroView, Level, MobyId, Pad, Rng, Start, TickRate, Vec3,
    World,
};

/// Ticks before anything is measured, so that what grows has grown.
const WARM: usize = 600;
/// A level is begun anew after so many ticks, so that there is always something left in it.
const LIFE: usize = 3_600;
/// How many others there are.
const OTHERS: usize = 3;

fn main() {
    let short = std::env::args().any(|arg| arg == "--short");
    let ticks = if short { 1_200 } else { 60_000 };
    for (number, others) in [(0, 0), (3, OTHERS)] {
        let level = Level::find(number).expect("is one of the levels");
        let mut played = Played::new(number, others);
        let mut times = Vec::with_capacity(ticks);
        while times.len() < ticks {
            played = Played::new(number, others);
            let life = (0..WARM + LIFE.min(ticks)).map(|_| played.tick());
            times.extend(life.skip(WARM));
        }
        times.sort_unstable();
        let at = |share: usize| times[times.len() * share / 100].as_nanos();
        let mobys = level.records();
        println!(
            "{}: {mobys} mobys, {} heroes: p50 {} ns, p99 {} ns a tick; digest {} ns",
            level.name,
            others + 1,
            at(50),
            at(99),
            played.digest_time().as_nanos()
        );
    }
}

/// A level, someone who plays in it, and the others.
struct Played {
    world: World,
    progress: Progress,
    rng: Rng,
    tick: u32,
    figures: Vec<HeroView>,
}

impl Played {
    fn new(number: i32, others: usize) -> Self {
        let level = Level::find(number).expect("is one of the levels");
        let mut progress = Progress::new();
        progress.give(Gift::Item(15));
        let (rate, health, gone) = (TickRate::Ntsc, FULL_HEALTH, &Default::default());
        let start = Start { seed: 1, rate, progress: &progress, health, gone };
        let world = World::new(level, start);
        let mut played = Self { world, progress, rng: Rng::new(7), tick: 0, figures: Vec::new() };
        for number in 0..others {
            let moby = MobyId::figure(u32::try_from(number).expect("a few"));
            let (position, velocity) = (played.someplace(), Vec3::ZERO);
            played.figures.push(HeroView { moby, position, velocity, alive: true });
        }
        played
    }

    /// One tick, timed: he goes from place to place and uses what he has, and so do the others.
    fn tick(&mut self) -> Duration {
        self.tick += 1;
        let yaw = f32::from(u16::try_from(self.tick / 120 % 1_000).expect("small")) * 1.3;
        let mut pad = Pad::NEUTRAL.with_stick(yaw.cos(), yaw.sin());
        for button in [Button::Cross, Button::Square, Button::Circle, Button::Right] {
            pad = if self.rng.below(20) == 0 { pad.with(button) } else { pad };
        }
        if self.tick.is_multiple_of(300) {
            for number in 0..self.figures.len() {
                self.figures[number].position = self.someplace();
            }
            let points: Vec<Vec3> = self.figures.iter().map(|view| view.position).collect();
            self.world.set_eyes(&points);
        }
        let start = Instant::now();
        self.world.begin(pad);
        while let Some(ask) = self.world.poll(&mut self.progress, !self.figures.is_empty()) {
            let answer = self.answer(&ask);
            self.world.answer(&mut self.progress, answer);
        }
        while self.world.poll_event().is_some() {}
        start.elapsed()
    }

    /// As a mod of a host answers: the nearest player stands in.
    fn answer(&self, ask: &Ask) -> Answer {
        let Ask::Gate(moby) = *ask else { return Answer::OwnWay };
        let Some(moby) = self.world.mobys().get(moby) else { return Answer::OwnWay };
        let distance = |at: Vec3| (at - moby.position).length();
        let hero = distance(self.world.hero().position());
        let nearest = self
            .figures
            .iter()
            .map(|view| (distance(view.position), view))
            .min_by(|a, b| a.0.total_cmp(&b.0))
            .filter(|(distance, _)| *distance < hero);
        nearest.map_or(Answer::OwnWay, |(_, view)| Answer::StandIn(*view))
    }

    /// Beside one of the level's mobys.
    fn someplace(&mut self) -> Vec3 {
        let mobys = &self.world.level().mobys;
        let which = self.rng.below(u32::try_from(mobys.len()).expect("a few"));
        mobys[which as usize].position + Vec3::new(2.0, 0.0, 0.0)
    }

    fn digest_time(&self) -> Duration {
        let start = Instant::now();
        std::hint::black_box(self.world.digest());
        start.elapsed()
    }
}
