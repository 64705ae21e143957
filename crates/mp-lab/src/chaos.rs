//! What goes wrong in a run, and what players do besides playing: drawn from the seed. After its last
//! deed all is calm, and everyone has to find together again.

use std::ops::Range;
use std::time::Duration;

use mp_netcode::conditioner::{Conditions, Percent};
use mp_playground::bots::Errand;
use mp_playground::progress::{GOLD_BOLTS, Gift, ITEMS, PLANETS};
use mp_playground::sim::{Level, Rng, TICKS_PER_SECOND};

use crate::guide::Goal;
use crate::lab::Lab;

/// From one deed to the next, in ticks.
const PAUSE_TICKS: Range<u32> = 20..240;

/// Something that happens to one player.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Deed {
    /// Leaves the party by the pause menu, and wants back after so many ticks.
    Leave(u64),
    /// Opens the pause menu for so many ticks.
    Pause(u32),
    /// Its game's thread stands still.
    Stall(Duration),
    /// Its process is killed; it is started again after so many ticks.
    Kill(u64),
    /// Its machine is off from one moment to the next; it is started again after so many ticks.
    PowerOff(u64),
    /// Nothing reaches it or comes from it.
    Cut(Duration),
    /// Everybody's link changes.
    Weather(Conditions),
    /// Quits to the title, and stays in the party.
    Quit,
    /// Finds something.
    Find(Gift),
    /// Picks a planet in the ship.
    Travel(i32),
    /// A scene of the level begins in its game.
    Scene(i32),
    /// Presses Start, also in a scene or a movie.
    Start,
}

/// Something that is to be undone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Back {
    /// It wants into the party again.
    Wants,
    /// Its game is started again.
    Starts,
}

/// See the module.
pub(crate) struct Chaos {
    rng: Rng,
    conditions: Conditions,
    /// When the next deed is, in ticks of play.
    next: u64,
    /// After so many ticks of play all is calm.
    ends: u64,
    back: Vec<(u64, usize, Back)>,
    /// What everybody wanted at the start.
    goals: Vec<Goal>,
}

impl Chaos {
    pub(crate) fn new(seed: u64, seconds: u32, goals: Vec<Goal>) -> Self {
        let mut rng = Rng::new(seed);
        let conditions = weather(&mut rng);
        let ends = u64::from(seconds) * u64::from(TICKS_PER_SECOND);
        Self { rng, conditions, next: 0, ends, back: Vec::new(), goals }
    }

    /// What every link is like at first.
    pub(crate) const fn conditions(&self) -> Conditions {
        self.conditions
    }

    /// Nothing more happens, and all that happened is undone.
    pub(crate) fn is_over(&self, tick: u64) -> bool {
        tick >= self.ends && self.back.is_empty()
    }

    /// What happens in this tick of play.
    pub(crate) fn tick(&mut self, tick: u64, lab: &mut Lab) {
        let mut due = Vec::new();
        self.back.retain(|&(at, seat, back)| {
            let is_due = at <= tick;
            if is_due {
                due.push((seat, back));
            }
            !is_due
        });
        for (seat, back) in due {
            lab.tell(seat, &format!("{back:?}"));
            match back {
                Back::Wants => lab.seats[seat].guide.goal = self.goals[seat].clone(),
                Back::Starts => lab.seats[seat].start(&mut lab.network),
            }
        }
        if tick >= self.ends || tick < self.next {
            return;
        }
        self.next = tick + u64::from(self.between(PAUSE_TICKS));
        let players = u32::try_from(lab.seats.len()).expect("a party of four");
        let seat = usize::try_from(self.rng.below(players)).expect("a party of four");
        // One thing at a time happens to a player.
        if self.back.iter().any(|(_, busy, _)| *busy == seat) || lab.is_disturbed(seat) {
            return;
        }
        let deed = self.draw();
        lab.tell(seat, &format!("{deed:?}"));
        self.make(deed, seat, tick, lab);
    }

    fn draw(&mut self) -> Deed {
        match self.rng.below(100) {
            0..8 => Deed::Leave(self.between(60..360).into()),
            8..20 => Deed::Pause(self.between(10..300)),
            20..34 => Deed::Stall(Duration::from_millis(self.between(30..1_500).into())),
            34..38 => Deed::Stall(Duration::from_millis(self.between(1_500..30_000).into())),
            38..42 => Deed::Kill(self.between(60..300).into()),
            42..45 => Deed::PowerOff(self.between(60..300).into()),
            45..58 => Deed::Cut(Duration::from_millis(self.between(50..3_000).into())),
            58..62 => Deed::Cut(Duration::from_millis(self.between(3_000..20_000).into())),
            62..67 => Deed::Weather(weather(&mut self.rng)),
            67..70 => Deed::Quit,
            70..76 => Deed::Travel(self.level()),
            76..80 => Deed::Scene(self.between(1..4).cast_signed()),
            80..88 => Deed::Start,
            _ => Deed::Find(self.gift()),
        }
    }

    fn level(&mut self) -> i32 {
        let levels = Level::all();
        let index = self.rng.below(u32::try_from(levels.len()).expect("a few levels"));
        levels[usize::try_from(index).expect("a few levels")].number
    }

    fn gift(&mut self) -> Gift {
        let mut of = |count: usize| {
            let index = self.rng.below(u32::try_from(count).expect("a few of each"));
            usize::try_from(index).expect("a few of each")
        };
        match of(3) {
            0 => Gift::Item(of(ITEMS)),
            1 => Gift::GoldBolt(of(GOLD_BOLTS)),
            _ => Gift::Planet(of(PLANETS)),
        }
    }

    fn make(&mut self, deed: Deed, seat: usize, tick: u64, lab: &mut Lab) {
        match deed {
            Deed::Leave(ticks) => {
                lab.seats[seat].guide.goal = Goal::Alone;
                lab.seats[seat].send(Errand::Leave);
                self.back.push((tick + ticks, seat, Back::Wants));
            }
            Deed::Pause(ticks) => lab.seats[seat].send(Errand::Pause { ticks }),
            Deed::Stall(time) => {
                let now = lab.network.now();
                lab.seats[seat].stall(now, time);
            }
            Deed::Kill(ticks) => {
                lab.seats[seat].crash();
                lab.network.kill(seat);
                self.back.push((tick + ticks, seat, Back::Starts));
            }
            Deed::PowerOff(ticks) => {
                lab.seats[seat].crash();
                lab.network.power_off(seat);
                self.back.push((tick + ticks, seat, Back::Starts));
            }
            Deed::Cut(time) => lab.network.cut(seat, time),
            Deed::Quit => lab.change(seat, |game| {
                game.title_return(None).expect("without a page there is none to miss");
            }),
            Deed::Find(gift) => lab.change(seat, |game| {
                game.give(gift);
            }),
            Deed::Travel(level) => lab.change(seat, |game| game.pick_planet(level)),
            Deed::Scene(number) => lab.change(seat, |game| {
                game.play_scene(number);
            }),
            Deed::Start => lab.seats[seat].press_start(),
            Deed::Weather(conditions) => lab.network.set_conditions(conditions),
        }
    }

    fn between(&mut self, range: Range<u32>) -> u32 {
        range.start + self.rng.below(range.end - range.start)
    }
}

/// A link as bad as any that is played over: 30 to 300 ms, 0 to 30 % lost, 0 to 50 % twice.
fn weather(rng: &mut Rng) -> Conditions {
    let percent = |rng: &mut Rng, most: u32| {
        // Half of all links lose and double nothing.
        let percent = if rng.below(2) == 0 { 0 } else { rng.below(most + 1) };
        Percent::new(percent.into()).expect("50 at most")
    };
    let latency = 15 + rng.below(136);
    Conditions {
        latency: Duration::from_millis(latency.into()),
        jitter: Duration::from_millis(rng.below(latency).into()),
        loss: percent(rng, 30),
        duplicate: percent(rng, 50),
        reorder: percent(rng, 10),
    }
}
