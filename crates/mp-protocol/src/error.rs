//! What can be wrong with a message.

/// Why bytes are no message, or why a message has no bytes.
///
/// `what` names the message and the field as protocol.md does, for example `"INFO host"`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Malformed {
    /// The bytes end before the field does.
    #[error("{what} is cut short")]
    Short {
        /// The field that was being read.
        what: &'static str,
    },
    /// A number, a count or a length is outside its range.
    #[error("{what} is out of range: {value}")]
    OutOfRange {
        /// The field.
        what: &'static str,
        /// The number it held.
        value: i64,
    },
    /// A text is not what its field may hold.
    #[error("{what} {fault}")]
    BadText {
        /// The field.
        what: &'static str,
        /// What is wrong with it.
        fault: TextFault,
    },
    /// A float is infinite or no number.
    #[error("{what} is not finite")]
    NotFinite {
        /// The field.
        what: &'static str,
    },
    /// A position lies farther than [`POSITION_MAX`](crate::limits::POSITION_MAX) from the origin.
    #[error("{what} is too far from the origin")]
    TooFar {
        /// The field.
        what: &'static str,
    },
    /// A packet id, an opcode or a kind that means nothing.
    #[error("{what} {kind} is unknown")]
    UnknownKind {
        /// What kind of number it is.
        what: &'static str,
        /// The number.
        kind: u8,
    },
    /// A packet that only the other side may send.
    #[error("{what} comes from the wrong side")]
    WrongSide {
        /// The packet.
        what: &'static str,
    },
}

/// What is wrong with a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TextFault {
    /// Its bytes are not UTF-8.
    #[error("is not UTF-8")]
    NotUtf8,
    /// It holds a character of category Cc.
    #[error("holds a control character")]
    Control,
}

/// Holds a number to its range.
pub(crate) fn in_range<T>(
    what: &'static str,
    value: T,
    range: core::ops::RangeInclusive<T>,
) -> Result<T, Malformed>
where
    T: PartialOrd + Copy + TryInto<i64>,
{
    if range.contains(&value) { Ok(value) } else { Err(out_of_range(what, value)) }
}

/// The error for a number outside its range; one past i64 is named as the nearest that fits.
pub(crate) fn out_of_range<T: TryInto<i64>>(what: &'static str, value: T) -> Malformed {
    Malformed::OutOfRange { what, value: value.try_into().unwrap_or(i64::MAX) }
}
