//! What a mod did that the interface forbids. The game refuses it, answers as if nothing was asked, and
//! keeps it here: a run with faults has failed.

use std::fmt;

use crate::game::Refusal;

/// How many different faults are kept; more are only counted.
const KEPT: usize = 64;

/// What was wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FaultKind {
    /// A call from a thread that is not the game's.
    #[error("called from another thread than the game's")]
    WrongThread,
    /// A call from a callback that only answers what is on a page.
    #[error("called from a callback that may only answer")]
    NotFromHere,
    /// The game does not do that.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// A pointer that must be there is null.
    #[error("a pointer is null")]
    Null,
    /// A string is not UTF-8.
    #[error("a string is not UTF-8")]
    NotUtf8,
    /// A table says it is too small for what it must hold.
    #[error("a table of {0} bytes is too small")]
    ShortTable(u32),
    /// More than there can be, such as a page of thousands of rows.
    #[error("{0} are too many")]
    TooMany(u32),
    /// A number that stands for nothing.
    #[error("{0} stands for nothing")]
    Unknown(u8),
    /// `unload` took longer than 500 ms.
    #[error("took {0} ms")]
    Slow(u128),
    /// The playground's own mistake: a call came while the game was borrowed.
    #[error("the game was busy (the playground's own mistake)")]
    Busy,
    /// The playground's own mistake: it panicked.
    #[error("the playground panicked: {0}")]
    Panic(String),
}

/// A fault, and how often it came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The call of the interface it was made with.
    pub call: &'static str,
    /// What was wrong.
    pub kind: FaultKind,
    /// How often.
    pub count: u64,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} ({} times)", self.call, self.kind, self.count)
    }
}

/// The faults of one game, each kind once.
#[derive(Debug, Default)]
pub(super) struct Faults {
    kept: Vec<Fault>,
}

impl Faults {
    pub(super) fn add(&mut self, call: &'static str, kind: FaultKind) {
        let known = self.kept.iter_mut().find(|fault| fault.call == call && fault.kind == kind);
        if let Some(fault) = known {
            fault.count += 1;
        } else if self.kept.len() < KEPT {
            self.kept.push(Fault { call, kind, count: 1 });
        } else if let Some(last) = self.kept.last_mut() {
            last.count += 1;
        }
    }

    pub(super) fn list(&self) -> Vec<Fault> {
        self.kept.clone()
    }
}
