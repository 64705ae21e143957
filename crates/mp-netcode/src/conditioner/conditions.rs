//! What a link is like, and how it is written: `latency=60,jitter=20,loss=2,duplicate=1,reorder=1`.

use core::fmt;
use core::str::FromStr;
use core::time::Duration;

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

/// The longest latency, and the most jitter, in milliseconds: longer than any link that is played over,
/// and short enough that a typing error is refused.
pub const DELAY_MAX_MS: u32 = 10_000;

/// A share of all, from 0 to 100.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub struct Percent(f64);

impl Percent {
    /// None of them.
    pub const ZERO: Self = Self(0.0);

    /// That share; `None`: not from 0 to 100.
    #[must_use]
    pub fn new(percent: f64) -> Option<Self> {
        (0.0..=100.0).contains(&percent).then_some(Self(percent))
    }

    /// From 0 to 100.
    #[must_use]
    pub const fn get(self) -> f64 {
        self.0
    }
}

/// What a link is like, one way. The default is a perfect one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Conditions {
    /// The shortest time on the way: at most [`DELAY_MAX_MS`].
    pub latency: Duration,
    /// Each takes from nothing to this longer, evenly: at most [`DELAY_MAX_MS`].
    pub jitter: Duration,
    /// How many datagrams never arrive.
    pub loss: Percent,
    /// How many arrive twice.
    pub duplicate: Percent,
    /// How many are held back ([`HELD_BACK`](super::HELD_BACK)), so that later ones overtake them.
    pub reorder: Percent,
}

/// Why words are no conditions.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadConditions {
    /// A part without `=`.
    #[error("`{0}` is not of the form name=number")]
    NoValue(String),
    /// A name that is none of the five.
    #[error("`{0}` is none of latency, jitter, loss, duplicate, reorder")]
    UnknownName(String),
    /// A name that came before.
    #[error("`{0}` is said twice")]
    Twice(String),
    /// Milliseconds that are none, or too many.
    #[error("`{0}` is not a number of milliseconds from 0 to {DELAY_MAX_MS}")]
    NotMillis(String),
    /// A share that is none.
    #[error("`{0}` is not a percentage from 0 to 100")]
    NotPercent(String),
}

impl FromStr for Conditions {
    type Err = BadConditions;

    /// Reads parts such as `latency=60` (ms) and `loss=2.5` (%), in any order, between commas; one left
    /// out is 0.
    fn from_str(text: &str) -> Result<Self, BadConditions> {
        let mut conditions = Self::default();
        let mut said = Vec::new();
        for part in text.split(',').map(str::trim) {
            let (name, value) =
                part.split_once('=').ok_or_else(|| BadConditions::NoValue(part.to_owned()))?;
            if said.contains(&name) {
                return Err(BadConditions::Twice(name.to_owned()));
            }
            match name {
                "latency" => conditions.latency = millis(value)?,
                "jitter" => conditions.jitter = millis(value)?,
                "loss" => conditions.loss = percent(value)?,
                "duplicate" => conditions.duplicate = percent(value)?,
                "reorder" => conditions.reorder = percent(value)?,
                _ => return Err(BadConditions::UnknownName(name.to_owned())),
            }
            said.push(name);
        }
        Ok(conditions)
    }
}

fn millis(value: &str) -> Result<Duration, BadConditions> {
    let millis = value.parse().ok().filter(|&millis: &u32| millis <= DELAY_MAX_MS);
    let millis = millis.ok_or_else(|| BadConditions::NotMillis(value.to_owned()))?;
    Ok(Duration::from_millis(millis.into()))
}

fn percent(value: &str) -> Result<Percent, BadConditions> {
    let percent = value.parse().ok().and_then(Percent::new);
    percent.ok_or_else(|| BadConditions::NotPercent(value.to_owned()))
}

impl fmt::Display for Conditions {
    /// As it is read.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (latency, jitter) = (self.latency.as_millis(), self.jitter.as_millis());
        let [loss, duplicate, reorder] =
            [self.loss, self.duplicate, self.reorder].map(Percent::get);
        write!(f, "latency={latency},jitter={jitter}")?;
        write!(f, ",loss={loss},duplicate={duplicate},reorder={reorder}")
    }
}

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::string::ToString;

    use super::*;

    #[test]
    fn conditions_are_read_as_they_are_written() {
        let text = "latency=60,jitter=20,loss=2.5,duplicate=1,reorder=100";
        let conditions: Conditions = text.parse().expect("well formed");
        assert_eq!(conditions.latency, Duration::from_millis(60));
        assert_eq!(conditions.jitter, Duration::from_millis(20));
        assert_eq!(Some(conditions.loss), Percent::new(2.5));
        assert_eq!(conditions.to_string(), text);
    }

    #[test]
    fn what_is_left_out_is_perfect_and_the_order_is_free() {
        let conditions: Conditions = "loss=1, latency=5".parse().expect("well formed");
        let expected = Conditions {
            latency: Duration::from_millis(5),
            loss: Percent::new(1.0).expect("a percentage"),
            ..Conditions::default()
        };
        assert_eq!(conditions, expected);
    }

    #[test]
    fn each_mistake_is_named() {
        let named = |text: &str| text.parse::<Conditions>().expect_err(text).to_string();
        assert_eq!(named(""), "`` is not of the form name=number");
        assert_eq!(named("latency=60,,"), "`` is not of the form name=number");
        assert_eq!(named("ping=60"), "`ping` is none of latency, jitter, loss, duplicate, reorder");
        assert_eq!(named("loss=1,jitter=2,loss=3"), "`loss` is said twice");
        for bad in ["latency=-1", "latency=1.5", "jitter=10001", "latency="] {
            let value = bad.split_once('=').expect("has one").1;
            let words = "is not a number of milliseconds from 0 to 10000";
            assert_eq!(named(bad), format!("`{value}` {words}"));
        }
        for bad in ["loss=101", "loss=-1", "reorder=NaN", "duplicate=inf", "loss=2%"] {
            assert!(named(bad).ends_with("is not a percentage from 0 to 100"), "{bad}");
        }
    }
}
