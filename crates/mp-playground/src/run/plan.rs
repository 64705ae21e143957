//! What the demo's bots do, and when: a table, in shares of the time that is played.

use crate::bots::{Habit, Place};

/// Who does it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Who {
    Host,
    /// The first of the members.
    First,
    /// The one between first and last, if there is one.
    Middle,
    /// The last of the members.
    Last,
}

/// What is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Deed {
    /// Plays so from now on.
    Play(Habit),
    /// Goes to that place, and uses it.
    Visit(Place),
    /// Pauses for so many seconds.
    Pause(u32),
    /// Leaves the party, and comes back once it is out.
    LeaveAndComeBack,
}

/// A line of the plan.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    /// From 0 to 1 of the time that is played.
    pub at: f64,
    pub who: Who,
    pub does: Deed,
    /// Too much for a run that is shorter than [`LONG`].
    takes_long: bool,
}

/// From so many seconds on there is time for all of it.
const LONG: u32 = 20;

/// Where the ship flies to.
pub(super) const SECOND_PLANET: i32 = 1;

const fn line(at: f64, who: Who, does: Deed) -> Line {
    Line { at, who, does, takes_long: !matches!(does, Deed::Play(_)) }
}

const PLAN: [Line; 11] = [
    line(0.00, Who::Host, Deed::Play(Habit::Fight)),
    line(0.00, Who::First, Deed::Play(Habit::Play)),
    line(0.00, Who::Middle, Deed::Play(Habit::Collect)),
    line(0.00, Who::Last, Deed::Play(Habit::Play)),
    line(0.02, Who::First, Deed::Visit(Place::GoldBolt)),
    line(0.08, Who::Last, Deed::LeaveAndComeBack),
    line(0.12, Who::Middle, Deed::Pause(2)),
    line(0.22, Who::Host, Deed::Visit(Place::Person)),
    line(0.30, Who::Middle, Deed::Play(Habit::Fight)),
    line(0.42, Who::Host, Deed::Visit(Place::Ship(SECOND_PLANET))),
    line(0.60, Who::Host, Deed::Play(Habit::Play)),
];

/// What is still to be done of the plan.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    lines: Vec<Line>,
    seconds: f64,
}

impl Plan {
    /// Of a run of so many seconds. `leaves`: one leaves and comes back however short it is.
    pub(super) fn of(seconds: u32, leaves: bool) -> Self {
        let wanted = |line: &Line| {
            let must = leaves && line.does == Deed::LeaveAndComeBack;
            must || !line.takes_long || seconds >= LONG
        };
        let lines = PLAN.into_iter().filter(wanted).collect();
        Self { lines, seconds: f64::from(seconds) }
    }

    /// The seat of the next bot for which something is due `since` seconds into the play, and what:
    /// until `None`.
    pub(super) fn poll(&mut self, since: f64, seats: usize) -> Option<(usize, Deed)> {
        loop {
            let line = *self.lines.first().filter(|line| line.at * self.seconds <= since)?;
            self.lines.remove(0);
            let seat = match line.who {
                Who::Host => Some(0),
                Who::First => Some(1),
                Who::Middle => Some(2).filter(|&seat| seat + 1 < seats),
                Who::Last => Some(seats - 1),
            };
            if let Some(seat) = seat {
                return Some((seat, line.does));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_plan_is_in_order_and_each_deed_is_polled_once_when_it_is_due() {
        assert!(PLAN.is_sorted_by(|a, b| a.at <= b.at));
        let mut plan = Plan::of(100, false);
        let begin: Vec<_> = std::iter::from_fn(|| plan.poll(0.0, 4)).collect();
        assert_eq!(begin.iter().map(|(seat, _)| *seat).collect::<Vec<_>>(), [0, 1, 2, 3]);
        assert_eq!(plan.poll(1.9, 4), None);
        assert_eq!(plan.poll(2.1, 4), Some((1, Deed::Visit(Place::GoldBolt))));
        assert_eq!(std::iter::from_fn(|| plan.poll(100.0, 4)).count(), PLAN.len() - 5);
    }

    #[test]
    fn a_short_run_only_plays_unless_one_must_leave() {
        let deeds = |leaves| {
            let mut plan = Plan::of(8, leaves);
            std::iter::from_fn(move || plan.poll(8.0, 2)).map(|(_, deed)| deed).collect::<Vec<_>>()
        };
        assert!(deeds(false).iter().all(|deed| matches!(deed, Deed::Play(_))));
        assert!(deeds(true).contains(&Deed::LeaveAndComeBack));
    }
}
