//! A message's repeated field, without a copy of it.

use core::fmt;
use core::ops::RangeInclusive;

use crate::error::{Malformed, in_range};
use crate::wire::{Fields, Reader, Writer};

/// A repeated field: a slice when it is to be sent, the checked bytes of a message when it came.
///
/// Decoding one allocates nothing; its entries are made as they are iterated over.
#[derive(Clone, Copy)]
pub struct List<'a, T> {
    entries: Entries<'a, T>,
}

#[derive(Clone, Copy)]
enum Entries<'a, T> {
    Given(&'a [T]),
    /// `bytes` hold `count` entries, each read once without an error.
    Came {
        bytes: Reader<'a>,
        count: usize,
    },
}

impl<'a, T> List<'a, T> {
    /// How many entries there are.
    #[must_use]
    pub fn len(&self) -> usize {
        match self.entries {
            Entries::Given(slice) => slice.len(),
            Entries::Came { count, .. } => count,
        }
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl<'a, T: Fields<'a>> List<'a, T> {
    /// The entries, in the order of the wire.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = T> + use<'a, T> {
        let mut entries = self.entries;
        (0..self.len()).map(move |index| match &mut entries {
            Entries::Given(slice) => slice[index],
            Entries::Came { bytes, .. } => T::read(bytes).expect("was read when the list was"),
        })
    }

    /// Reads `count` entries, which must be in `range`.
    pub(crate) fn read(
        what: &'static str,
        reader: &mut Reader<'a>,
        count: usize,
        range: RangeInclusive<usize>,
    ) -> Result<Self, Malformed> {
        in_range(what, count, range)?;
        let bytes = *reader;
        for _ in 0..count {
            T::read(reader)?;
        }
        Ok(Self { entries: Entries::Came { bytes, count } })
    }

    /// Writes the entries; their count is the caller's to write first, with [`List::count`].
    pub(crate) fn write(&self, writer: &mut Writer<'_>) -> Result<(), Malformed> {
        self.iter().try_for_each(|entry| entry.write(writer))
    }

    /// How many entries there are, as the wire's count, which must be in `range`.
    pub(crate) fn count<N: TryFrom<usize>>(
        &self,
        what: &'static str,
        range: RangeInclusive<usize>,
    ) -> Result<N, Malformed> {
        let count = in_range(what, self.len(), range)?;
        N::try_from(count).map_err(|_| crate::error::out_of_range(what, count))
    }
}

impl<'a, T> From<&'a [T]> for List<'a, T> {
    fn from(slice: &'a [T]) -> Self {
        Self { entries: Entries::Given(slice) }
    }
}

impl<T> Default for List<'_, T> {
    fn default() -> Self {
        Self { entries: Entries::Given(&[]) }
    }
}

impl<'a, T: Fields<'a> + PartialEq> PartialEq for List<'a, T> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl<'a, T: Fields<'a> + fmt::Debug> fmt::Debug for List<'a, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
