//! How many connections each address has: IPv6 counts by its first 64 bits (one household), an
//! IPv4-mapped address as IPv4 (protocol.md 1). One that is refused or
//! closing counts no longer.

use alloc::collections::BTreeMap;
use core::net::IpAddr;

/// What counts as one address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Origin {
    V4(u32),
    /// The first 64 bits.
    V6(u64),
}

impl From<IpAddr> for Origin {
    fn from(address: IpAddr) -> Self {
        match address.to_canonical() {
            IpAddr::V4(v4) => Self::V4(v4.to_bits()),
            IpAddr::V6(v6) => {
                let [a, b, c, d, ..] = v6.segments();
                Self::V6([a, b, c, d].into_iter().fold(0, |bits, s| bits << 16 | u64::from(s)))
            }
        }
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
    counts: BTreeMap<Origin, usize>,
    total: usize,
}

impl Addresses {
    /// How many connections count in all.
    pub(crate) const fn total(&self) -> usize {
        self.total
    }

    /// Counts one more, unless its address has `each` already or there are `all`.
    pub(crate) fn add(&mut self, address: IpAddr, each: usize, all: usize) -> Result<(), Full> {
        let origin = address.into();
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
        let origin = address.into();
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
