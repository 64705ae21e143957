//! Names for sockets in the poll: each used once, so that an event of a socket that is gone is never
//! taken for one of its successor.

use mio::Token;

/// The waker's.
pub const WAKER: Token = Token(0);

/// Gives out tokens.
#[derive(Debug)]
pub struct Tokens(usize);

impl Default for Tokens {
    fn default() -> Self {
        Self::new()
    }
}

impl Tokens {
    /// A source of tokens, from the one after the waker's on.
    #[must_use]
    pub const fn new() -> Self {
        Self(WAKER.0 + 1)
    }

    /// A token that none has had before (a 64-bit count does not come round; a 32-bit one comes round
    /// to sockets that are long gone, and never to the waker's).
    #[expect(clippy::should_implement_trait, reason = "it never ends")]
    pub fn next(&mut self) -> Token {
        let token = Token(self.0);
        self.0 = self.0.checked_add(1).unwrap_or(WAKER.0 + 1);
        token
    }
}
