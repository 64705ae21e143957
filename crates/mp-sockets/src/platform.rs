//! What differs between systems: how a listener is bound, and what a socket's errors mean.

use std::io::{self, ErrorKind};
use std::net::SocketAddr;

use socket2::{Domain, Protocol, Socket, Type};

use crate::api::{ConnectError, HostError};

/// A read that did not take as much as it might has taken all there was, and the system tells of what
/// comes after (epoll(7)). Elsewhere only `WouldBlock` says that it will.
pub(crate) const SHORT_READ_IS_ALL: bool = cfg!(any(target_os = "linux", target_os = "android"));
/// How many connections may wait to be accepted: a burst of strangers' is not to cost a friend the second
/// after which a system connects again.
const BACKLOG: i32 = 1_024;

/// A non-blocking TCP listener, or an error if anyone listens there already. The port of a host that
/// just stopped is free again at once.
pub(crate) fn listen_tcp(at: SocketAddr) -> io::Result<mio::net::TcpListener> {
    let socket = Socket::new(Domain::for_address(at), Type::STREAM, Some(Protocol::TCP))?;
    prepare(&socket, at)?;
    // Elsewhere than on Windows this lets a port go while connections of the one that had it still
    // linger, and no further: a live listener still has it alone. On Windows that is so without, and
    // with it two could listen on one port.
    #[cfg(not(windows))]
    socket.set_reuse_address(true)?;
    socket.bind(&at.into())?;
    socket.listen(BACKLOG)?;
    Ok(mio::net::TcpListener::from_std(socket.into()))
}

/// A non-blocking UDP socket at an address that nobody else has.
pub(crate) fn bind_udp(at: SocketAddr) -> io::Result<mio::net::UdpSocket> {
    let socket = Socket::new(Domain::for_address(at), Type::DGRAM, Some(Protocol::UDP))?;
    prepare(&socket, at)?;
    socket.bind(&at.into())?;
    Ok(mio::net::UdpSocket::from_std(socket.into()))
}

fn prepare(socket: &Socket, at: SocketAddr) -> io::Result<()> {
    socket.set_nonblocking(true)?;
    if at.is_ipv6() {
        // IPv4 has a socket of its own: no address is ever an IPv4-mapped one.
        socket.set_only_v6(true)?;
    }
    Ok(())
}

/// Whether a socket could not be had or bound because the system has no IPv6, or none that can be used.
#[must_use]
pub fn is_no_ipv6(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::AddrNotAvailable | ErrorKind::Unsupported)
        || error.raw_os_error() == Some(NO_ADDRESS_FAMILY)
}

/// The system lacks a call or an option, which it also says of one that is for another kind of socket.
pub(crate) fn is_unsupported(error: &io::Error) -> bool {
    /// WSAEOPNOTSUPP, which the standard library does not know by name.
    const NOT_SUPPORTED: i32 = 10045;
    error.kind() == ErrorKind::Unsupported
        || (cfg!(windows) && error.raw_os_error() == Some(NOT_SUPPORTED))
}

/// EAFNOSUPPORT: the kernel was built or started without IPv6.
#[cfg(any(target_os = "linux", target_os = "android"))]
const NO_ADDRESS_FAMILY: i32 = 97;
/// WSAEAFNOSUPPORT.
#[cfg(windows)]
const NO_ADDRESS_FAMILY: i32 = 10047;
/// EAFNOSUPPORT of the BSDs, macOS among them.
#[cfg(not(any(target_os = "linux", target_os = "android", windows)))]
const NO_ADDRESS_FAMILY: i32 = 47;

impl From<io::Error> for HostError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            ErrorKind::AddrInUse => Self::PortInUse,
            _ => Self::Other(error.to_string()),
        }
    }
}

impl From<io::Error> for ConnectError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            ErrorKind::ConnectionRefused => Self::Refused,
            ErrorKind::TimedOut => Self::TimedOut,
            ErrorKind::HostUnreachable
            | ErrorKind::NetworkUnreachable
            | ErrorKind::NetworkDown
            | ErrorKind::AddrNotAvailable => Self::Unreachable,
            _ if is_no_ipv6(&error) => Self::Unreachable,
            _ => Self::Other(error.to_string()),
        }
    }
}

/// The connection is gone in a way that means no more than that the peer is.
pub(crate) fn is_gone(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::ConnectionReset | ErrorKind::ConnectionAborted | ErrorKind::BrokenPipe
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_without_ipv6_has_no_way_to_an_ipv6_address() {
        let none = || io::Error::from_raw_os_error(NO_ADDRESS_FAMILY);
        assert!(is_no_ipv6(&none()));
        assert_eq!(ConnectError::from(none()), ConnectError::Unreachable);
    }
}
