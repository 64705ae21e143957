//! Times as people write them: seconds, with a fraction or without.

use std::time::Duration;

/// The longest time anyone may set: a day.
const MAX_SECONDS: f64 = 86_400.0;

/// Why a number of seconds was not taken.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("a time is {least} to {MAX_SECONDS} seconds")]
pub(crate) struct BadSeconds {
    least: f64,
}

/// A time of at least `least` seconds.
pub(crate) fn duration(seconds: f64, least: f64) -> Result<Duration, BadSeconds> {
    if (least..=MAX_SECONDS).contains(&seconds) {
        Ok(Duration::from_secs_f64(seconds))
    } else {
        Err(BadSeconds { least })
    }
}
