//! Deliberate faults (`--break WHAT`): each breaks one thing in a game or on a link, and the run must
//! then fail and name the invariant. They are how it is known that the invariants look.

use std::fmt;
use std::str::FromStr;

use crate::invariants::{Invariant, NOT_SHARED, NOT_SHARED_WORDS};
use crate::proxy::WireFault;

/// A deliberate fault; [`Break::words`] says what each does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Break {
    PosesShifted,
    PosesDropped,
    PosesInBursts,
    StaleStamps,
    FigureForgotten,
    CardByteFlipped,
    WrongThread,
    BoltTwice,
    KilledDropped,
    GoldBoltForgotten,
}

/// Why there is no such fault to be done.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoBreak {
    /// None of that name.
    #[error("no fault is called `{0}`; `--break list` prints them")]
    Unknown(String),
    /// Nothing would notice.
    #[error("`{0}` cannot be detected yet: its world is {NOT_SHARED_WORDS}")]
    NotYet(Break),
}

impl Break {
    /// All of them.
    pub const ALL: [Self; 10] = [
        Self::PosesShifted,
        Self::PosesDropped,
        Self::PosesInBursts,
        Self::StaleStamps,
        Self::FigureForgotten,
        Self::CardByteFlipped,
        Self::WrongThread,
        Self::BoltTwice,
        Self::KilledDropped,
        Self::GoldBoltForgotten,
    ];

    /// As it is called on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::PosesShifted => "poses-shifted",
            Self::PosesDropped => "poses-dropped",
            Self::PosesInBursts => "poses-in-bursts",
            Self::StaleStamps => "stale-stamps",
            Self::FigureForgotten => "figure-forgotten",
            Self::CardByteFlipped => "card-byte-flipped",
            Self::WrongThread => "wrong-thread",
            Self::BoltTwice => "bolt-twice",
            Self::KilledDropped => "killed-dropped",
            Self::GoldBoltForgotten => "gold-bolt-forgotten",
        }
    }

    /// What it does.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::PosesShifted => "the others' poses come 3 units aside",
            Self::PosesDropped => "the others' poses do not come",
            Self::PosesInBursts => "the others' poses do not come for 0.6 s in every 1.2 s",
            Self::StaleStamps => "the others' poses say the time of the last whole second",
            Self::FigureForgotten => "a game keeps the figures that the mod removes",
            Self::CardByteFlipped => "a byte of a save changes on the disk",
            Self::WrongThread => "the game is called from another thread than its own",
            Self::BoltTwice => "a game credits a bolt twice",
            Self::KilledDropped => "what the host says is dead does not come",
            Self::GoldBoltForgotten => "a game forgets a gold bolt",
        }
    }

    /// The invariant that must be named.
    #[must_use]
    pub const fn breaks(self) -> Invariant {
        match self {
            Self::PosesShifted | Self::StaleStamps => Invariant::FigureError,
            Self::PosesDropped => Invariant::FigureShown,
            Self::PosesInBursts => Invariant::FigureFlow,
            Self::FigureForgotten => Invariant::NoFigureLeft,
            Self::CardByteFlipped => Invariant::CardKept,
            Self::WrongThread => Invariant::InterfaceRules,
            Self::BoltTwice => Invariant::BoltsOnce,
            Self::KilledDropped => Invariant::DeadEverywhere,
            Self::GoldBoltForgotten => Invariant::ProgressEqual,
        }
    }

    /// Whether a run can notice it.
    #[must_use]
    pub fn is_detectable(self) -> bool {
        !NOT_SHARED.contains(&self.breaks())
    }

    /// Whether it shows only once somebody left.
    pub(super) fn needs_one_to_leave(self) -> bool {
        self == Self::FigureForgotten
    }

    /// What it does to the link.
    pub(super) const fn on_the_wire(self) -> Option<WireFault> {
        match self {
            Self::PosesShifted => Some(WireFault::PosesShifted),
            Self::PosesDropped => Some(WireFault::PosesDropped),
            Self::PosesInBursts => Some(WireFault::PosesInBursts),
            Self::StaleStamps => Some(WireFault::StaleStamps),
            Self::KilledDropped => Some(WireFault::KilledDropped),
            _ => None,
        }
    }

    /// A line for each fault: its name, what it does, what it breaks.
    #[must_use]
    pub fn list() -> String {
        let line = |fault: &Self| {
            let yet = if fault.is_detectable() { "" } else { "; cannot be detected yet" };
            format!("{:<20} {} ({}{yet})\n", fault.name(), fault.words(), fault.breaks())
        };
        Self::ALL.iter().map(line).collect()
    }
}

impl fmt::Display for Break {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Break {
    type Err = NoBreak;

    /// By its name; one that cannot be detected is refused.
    fn from_str(name: &str) -> Result<Self, NoBreak> {
        let found = Self::ALL.into_iter().find(|fault| fault.name() == name);
        let found = found.ok_or_else(|| NoBreak::Unknown(name.to_owned()))?;
        if found.is_detectable() { Ok(found) } else { Err(NoBreak::NotYet(found)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_is_found_by_its_name_and_refused_in_words_when_nothing_would_notice() {
        for fault in Break::ALL {
            let found = fault.name().parse::<Break>();
            let expected =
                if fault.is_detectable() { Ok(fault) } else { Err(NoBreak::NotYet(fault)) };
            assert_eq!(found, expected);
        }
        let words = "bolt-twice".parse::<Break>().expect_err("not yet").to_string();
        let expected = "`bolt-twice` cannot be detected yet: its world is not shared by this version of \
                        the mod";
        assert_eq!(words, expected);
        assert_eq!("x".parse::<Break>(), Err(NoBreak::Unknown("x".to_owned())));
    }
}
