//! What a run shows while it plays: its games in a window, if there is one, the last seconds of them for
//! a clip, and what is known of each link over time.

use std::collections::VecDeque;
use std::time::Duration;

use super::links::Links;
use super::seat::Seat;
use super::track;
use crate::picture::{Clip, LinkFigures, Plots, Shown};
use crate::proxy::Traffic;
use crate::sim::Pad;
use crate::window::Stage;

/// Between two looks at the links, in seconds.
const LOOK: f64 = 0.1;
/// Over how many looks a rate is taken.
const LOOKS: usize = 10;

/// What a run shows.
#[derive(Debug)]
pub(super) struct Outlook {
    stage: Option<Stage>,
    clip: Option<Clip>,
    links: Vec<Link>,
    next: f64,
}

/// What is known of one game's link over time.
#[derive(Clone, Debug, Default)]
struct Link {
    plots: Plots,
    /// What had passed at a time, the newest last.
    passed: VecDeque<(f64, Traffic)>,
    /// The round trips the mod's page said, without repeats.
    trips: VecDeque<u32>,
}

impl Outlook {
    /// Of so many games, on a stage if there is a window, with a clip if one is wanted.
    pub(super) fn new(stage: Option<Stage>, clip: bool, games: usize) -> Self {
        let clip = clip.then(Clip::default);
        Self { stage, clip, links: vec![Link::default(); games], next: 0.0 }
    }

    /// Reads the pad of the person who plays that game, if one does.
    pub(super) fn read_pad(&self, seat: usize) -> Option<Pad> {
        self.stage.as_ref()?.read_pad(seat)
    }

    /// After each tick.
    pub(super) fn look(&mut self, at: f64, seats: &[Seat], links: Option<&Links>) {
        if at >= self.next {
            self.next = at + LOOK;
            for (index, link) in self.links.iter_mut().enumerate() {
                let traffic = links.map(|links| links.of_seat(index));
                link.look(at, &seats[index], seats, traffic);
            }
        }
        let (stage, plots) = (&self.stage, &self.links);
        let shown = || {
            let of_one = |(index, seat): (usize, &Seat)| Shown {
                name: seat.name.clone(),
                game: seat.copy(),
                plots: plots[index].plots.clone(),
                played: stage.as_ref().is_some_and(|stage| stage.is_played(index)),
            };
            seats.iter().enumerate().map(of_one).collect()
        };
        if let Some(stage) = stage {
            stage.show(shown);
        }
        if let Some(clip) = &mut self.clip {
            clip.see(at, shown);
        }
    }

    /// The clip as it is, and no more of it from here.
    pub(super) const fn take_clip(&mut self) -> Option<Clip> {
        self.clip.take()
    }
}

impl Link {
    fn look(&mut self, at: f64, seat: &Seat, seats: &[Seat], traffic: Option<Traffic>) {
        if let Some(traffic) = traffic {
            if self.passed.len() > LOOKS {
                self.passed.pop_front();
            }
            self.passed.push_back((at, traffic));
        }
        let (round_trip, _) = seat.link();
        if let Some(trip) = round_trip.filter(|trip| self.trips.back() != Some(trip)) {
            if self.trips.len() == LOOKS {
                self.trips.pop_front();
            }
            self.trips.push_back(trip);
        }
        let shown = track::newest(seat.track(), seats.iter().map(Seat::track));
        self.plots.add(LinkFigures {
            round_trip_ms: round_trip.map(float),
            jitter_ms: round_trip.and_then(|_| self.jitter()),
            lost_per_s: self.rate(|traffic| traffic.lost),
            behind_ms: shown.map(|(lag, _)| f32::from(lag)),
            error_units: shown.map(|(_, error)| error),
            bytes_up_per_s: self.rate(|traffic| traffic.bytes_up),
            bytes_down_per_s: self.rate(|traffic| traffic.bytes_down),
            mod_tick_us: Some(micros(seat.in_mod())),
        });
    }

    /// How much the round trip changes from one that was said to the next, on average.
    fn jitter(&self) -> Option<f32> {
        let steps: Vec<f32> = (self.trips.iter().zip(self.trips.iter().skip(1)))
            .map(|(a, b)| float(a.abs_diff(*b)))
            .collect();
        let count = u16::try_from(steps.len()).ok().filter(|&count| count > 0)?;
        Some(steps.iter().sum::<f32>() / f32::from(count))
    }

    /// So much a second of what is counted, over the last looks.
    fn rate(&self, of: fn(&Traffic) -> u64) -> Option<f32> {
        let ((from, before), (to, now)) = (self.passed.front()?, self.passed.back()?);
        #[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation)] // for the eye
        let rate = (of(now).saturating_sub(of(before)) as f64 / (to - from)) as f32;
        (to > from).then_some(rate)
    }
}

fn float(milliseconds: u32) -> f32 {
    f32::from(u16::try_from(milliseconds).unwrap_or(u16::MAX))
}

fn micros(time: Duration) -> f32 {
    time.as_secs_f32() * 1e6
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_is_taken_over_the_last_looks() {
        let mut link = Link::default();
        assert_eq!(link.rate(|traffic| traffic.bytes_up), None);
        for (at, bytes_up) in [(10.0, 500), (10.5, 800), (11.0, 1_500)] {
            link.passed.push_back((at, Traffic { bytes_up, ..Traffic::default() }));
        }
        assert_eq!(link.rate(|traffic| traffic.bytes_up), Some(1_000.0));
        assert_eq!(link.rate(|traffic| traffic.lost), Some(0.0));
    }

    #[test]
    fn jitter_is_how_much_the_round_trip_changes() {
        let mut link = Link::default();
        assert_eq!(link.jitter(), None);
        link.trips.extend([20, 26, 22]);
        assert_eq!(link.jitter(), Some(5.0));
    }
}
