//! Counts of times in fixed steps, as Prometheus wants them.

use std::time::Duration;

/// Upper ends of the steps, in microseconds; what is longer than the last is in one more.
pub(crate) const STEPS_US: [u64; 14] =
    [5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 50_000, 100_000, 500_000];

/// How often what took how long.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Histogram {
    counts: [u64; STEPS_US.len() + 1],
    sum: Duration,
}

impl Histogram {
    /// Counts `times` that each took `time`.
    pub(crate) fn record(&mut self, time: Duration, times: u64) {
        let us = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        let step = STEPS_US.partition_point(|end| *end < us);
        self.counts[step] += times;
        let times = u32::try_from(times).unwrap_or(u32::MAX);
        self.sum = self.sum.saturating_add(time.saturating_mul(times));
    }

    pub(crate) fn add(&mut self, other: &Self) {
        for (count, more) in self.counts.iter_mut().zip(other.counts) {
            *count += more;
        }
        self.sum = self.sum.saturating_add(other.sum);
    }

    /// All times together.
    #[must_use]
    pub const fn sum(&self) -> Duration {
        self.sum
    }

    /// How many times there were.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// The upper end of each step, and how many times were at most that long.
    pub(crate) fn cumulative(&self) -> impl Iterator<Item = (Duration, u64)> + '_ {
        let ends = STEPS_US.into_iter().map(Duration::from_micros);
        let sums = self.counts.iter().scan(0, |sum, count| {
            *sum += count;
            Some(*sum)
        });
        ends.zip(sums)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_in_its_step_and_in_all_after() {
        let mut histogram = Histogram::default();
        histogram.record(Duration::from_micros(5), 2);
        histogram.record(Duration::from_micros(6), 1);
        histogram.record(Duration::from_secs(9), 4);
        let sums: Vec<_> = histogram.cumulative().map(|(_, sum)| sum).collect();
        assert_eq!(sums[..3], [2, 3, 3]);
        assert_eq!(*sums.last().unwrap(), 3);
        assert_eq!(histogram.count(), 7);
        assert_eq!(histogram.sum(), Duration::from_secs(36) + Duration::from_micros(16));
    }
}
