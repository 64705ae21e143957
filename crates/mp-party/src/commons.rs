//! What all the routers of one server know together: how many connections each address has, which
//! parties there are, and which router serves a session. A router alone has one to itself.
//!
//! It is plain data. A driver of several routers shares it between them and says how each gets at it
//! ([`Router::sharded`](crate::Router::sharded)); only lobby requests, connects, closes and datagrams
//! that came to the wrong router do.

use alloc::boxed::Box;
use alloc::collections::BTreeMap;

use mp_protocol::SessionId;

use crate::address::Addresses;
use crate::directory::Directory;

/// What all the routers of one server know together.
#[derive(Debug, Default)]
pub struct Commons {
    pub(crate) addresses: Addresses,
    pub(crate) directory: Directory,
    /// Which router serves each session; kept only where there are several.
    pub(crate) sessions: BTreeMap<SessionId, u32>,
}

impl Commons {
    /// Connections that count for an address.
    #[must_use]
    pub const fn connections(&self) -> usize {
        self.addresses.total()
    }

    /// Parties there are.
    #[must_use]
    pub fn parties(&self) -> usize {
        self.directory.len()
    }
}

/// How a router gets at the commons: calls what it is given with them, once, before it returns.
pub(crate) type Access = Box<dyn FnMut(&mut dyn FnMut(&mut Commons)) + Send>;

/// A router's way to the commons.
pub(crate) struct Shared(Access);

impl Shared {
    pub(crate) fn new(access: Access) -> Self {
        Self(access)
    }

    /// Commons that nobody else has.
    pub(crate) fn own() -> Self {
        let mut commons = Commons::default();
        Self(Box::new(move |act| act(&mut commons)))
    }

    pub(crate) fn with<R>(&mut self, act: impl FnOnce(&mut Commons) -> R) -> R {
        let (mut act, mut result) = (Some(act), None);
        (self.0)(&mut |commons| {
            if let Some(act) = act.take() {
                result = Some(act(commons));
            }
        });
        result.expect("the driver's access calls what it is given")
    }
}
