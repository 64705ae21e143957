//! How many connections each address has: IPv6 counts by its first 64 bits (one household), an
//! IPv4-mapped address as IPv4 (protocol.md 1). One that is refused or closing counts no longer.

use alloc::collections::BTreeMap;
use core::net::{IpAddr, Ipv6Addr};

/// What counts as one address (protocol.md 1): an IPv6 one by its first 64 bits, the others zero, and an
/// IPv4-mapped one as IPv4.
#[must_use]
pub fn origin(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(v6) => Ipv6Addr::from_bits(v6.to_bits() >> 64 << 64).into(),
        v4 => v4,
    }
}

/// Where there is no room for one more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Full {
    /// Its address has as many as it may.
    Address,
    /// There are as many in all as there may be.
    All,
}

/// The count an address, and of all together.
#[derive(Debug, Default)]
pub(crate) struct Addresses {
    counts: BTreeMap<IpAddr, usize>,
    total: usize,
}

impl Addresses {
    /// How many connections count in all.
    pub(crate) const fn total(&self) -> usize {
        self.total
    }

    /// Counts one more, unless its address has `each` already or there are `all`.
    pub(crate) fn add(&mut self, address: IpAddr, each: usize, all: usize) -> Result<(), Full> {
        let origin = origin(address);
        if self.counts.get(&origin).copied().unwrap_or(0) >= each {
            return Err(Full::Address);
        }
        if self.total >= all {
            return Err(Full::All);
        }
        *self.counts.entry(origin).or_insert(0) += 1;
        self.total += 1;
        Ok(())
    }

    /// Takes back one `add`.
    pub(crate) fn remove(&mut self, address: IpAddr) {
        let origin = origin(address);
        let Some(count) = self.counts.get_mut(&origin) else { return };
        *count -= 1;
        self.total -= 1;
        if *count == 0 {
            self.counts.remove(&origin);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether the two count as one.
    fn are_one(first: &str, second: &str) -> bool {
        let mut addresses = Addresses::default();
        assert_eq!(addresses.add(first.parse().unwrap(), 1, 9), Ok(()));
        addresses.add(second.parse().unwrap(), 1, 9) == Err(Full::Address)
    }

    #[test]
    fn ipv6_counts_by_its_first_64_bits() {
        assert!(are_one("2001:db8:1:2::1", "2001:db8:1:2:ffff::9"));
        assert!(!are_one("2001:db8:1:2::1", "2001:db8:1:3::1"));
    }

    #[test]
    fn an_ipv4_mapped_address_counts_as_ipv4() {
        assert!(are_one("::ffff:192.0.2.1", "192.0.2.1"));
        assert!(!are_one("::ffff:192.0.2.1", "::ffff:192.0.2.2"));
    }

    #[test]
    fn an_address_without_connections_is_forgotten() {
        let mut addresses = Addresses::default();
        let address = "192.0.2.1".parse().unwrap();
        assert_eq!(addresses.add(address, 1, 1), Ok(()));
        addresses.remove(address);
        addresses.remove(address);
        assert!(addresses.counts.is_empty());
        assert_eq!(addresses.total(), 0);
    }
}
