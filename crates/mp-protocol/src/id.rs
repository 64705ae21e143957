//! Who is who: session ids and tokens.

use core::fmt;

/// A connection's number for as long as the server runs: 1 and up, never reused (protocol.md 1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SessionId(pub i32);

impl fmt::Display for SessionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// What proves that a datagram is its session's: 64 random bits (protocol.md 2).
///
/// Neither Debug nor Display shows them, so that no log ever does.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Token(u64);

impl Token {
    /// A token of these bits, which come from the operating system's generator.
    #[must_use]
    pub const fn from_bits(bits: u64) -> Self {
        Self(bits)
    }

    /// The bits, as the wire carries them (big-endian).
    #[must_use]
    pub const fn to_bits(self) -> u64 {
        self.0
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(hidden)")
    }
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(hidden)")
    }
}

#[cfg(test)]
mod tests {
    use super::Token;
    use alloc::format;

    #[test]
    fn a_token_is_never_shown() {
        let token = Token::from_bits(0x1122_3344_5566_7788);
        for shown in [format!("{token}"), format!("{token:?}"), format!("{token:#?}")] {
            assert!(shown.contains("hidden"));
            assert!(!shown.contains(|c: char| c.is_ascii_digit()));
        }
        assert_eq!(token.to_bits(), 0x1122_3344_5566_7788);
    }
}
