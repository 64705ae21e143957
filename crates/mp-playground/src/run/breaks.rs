//! Deliberate faults (`--break WHAT`): each breaks one thing in a game or on a link, and the run must
//! then fail and name the invariant. They are how it is known that the invariants look.

use std::fmt;
use std::str::FromStr;

use crate::invariants::Invariant;
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

/// No fault has that name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no fault is called `{0}`; `--break list` prints them")]
pub struct NoBreak(String);

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
        let line =
            |fault: &Self| format!("{:<20} {} ({})\n", fault.name(), fault.words(), fault.breaks());
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

    /// By its name.
    fn from_str(name: &str) -> Result<Self, NoBreak> {
        let found = Self::ALL.into_iter().find(|fault| fault.name() == name);
        found.ok_or_else(|| NoBreak(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_is_found_by_its_name_and_no_other_is() {
        for fault in Break::ALL {
            assert_eq!(fault.name().parse(), Ok(fault));
            assert!(Break::list().contains(fault.name()));
        }
        assert_eq!("x".parse::<Break>(), Err(NoBreak("x".to_owned())));
    }
}
