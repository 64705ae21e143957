//! The relay's sockets: for each thread its own listeners and UDP sockets on the one port, between which
//! the kernel shares connections and datagrams out.
//!
//! A datagram begins with its session, and a session begins on the thread whose number its own gives
//! ([`mp_party::Shard`]). So the kernel is told to look there: those whose connection has not moved to
//! another thread since, hosts above all, come to the right one.

use std::io::{self, ErrorKind};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use mio::net::{TcpListener, UdpSocket};
use socket2::{Domain, Protocol, Socket, Type};

/// How many free TCP ports are tried for one that is free everywhere.
const ANY_PORT_TRIES: u32 = 32;
/// Connections that may wait to be accepted.
const BACKLOG: i32 = 1_024;
/// Bytes of datagrams that may wait in a socket. The system may allow less (net.core.rmem_max): what a
/// flood can push out then is more.
const UDP_BUFFER: usize = 4 << 20;

/// One thread's sockets, IPv4's first where it has both.
#[derive(Debug, Default)]
pub(crate) struct Sockets {
    pub(crate) tcp: Vec<TcpListener>,
    pub(crate) udp: Vec<UdpSocket>,
}

/// Sockets at `listen` for so many threads, and the address with the port they have.
pub(crate) fn open(listen: SocketAddr, threads: u32) -> io::Result<(SocketAddr, Vec<Sockets>)> {
    let mut tries = if listen.port() == 0 { ANY_PORT_TRIES } else { 1 };
    loop {
        tries -= 1;
        match open_once(listen, threads) {
            Err(error) if error.kind() == ErrorKind::AddrInUse && tries > 0 => {}
            opened => return opened,
        }
    }
}

fn open_once(listen: SocketAddr, threads: u32) -> io::Result<(SocketAddr, Vec<Sockets>)> {
    let mut addresses = vec![listen];
    if listen.is_ipv6() && listen.ip().is_unspecified() {
        addresses.insert(0, SocketAddr::new(IpAddr::V4(Ipv4Addr::UNSPECIFIED), listen.port()));
    }
    let mut port = listen.port();
    let mut usable = Vec::new();
    for mut at in addresses {
        at.set_port(port);
        match free_port(at) {
            Ok(free) => port = free,
            // The system has no IPv6; the other address stands for both.
            Err(error) if !usable.is_empty() && mp_sockets::is_no_ipv6(&error) => continue,
            Err(error) => return Err(error),
        }
        at.set_port(port);
        usable.push(at);
    }
    let mut sockets = Vec::new();
    for _ in 0..threads {
        let mut own = Sockets::default();
        for at in &usable {
            own.tcp.push(listen_tcp(*at, threads > 1)?);
            own.udp.push(bind_udp(*at, threads > 1)?);
        }
        sockets.push(own);
    }
    if threads > 1 {
        steer(&sockets[0].udp, threads)?;
    }
    let told = usable.pop().unwrap_or(listen);
    Ok((told, sockets))
}

/// Has the kernel choose, among the sockets of a port, by a datagram's session.
#[cfg(target_os = "linux")]
fn steer(first: &[UdpSocket], threads: u32) -> io::Result<()> {
    use nix::libc::{
        BPF_A, BPF_ABS, BPF_ALU, BPF_K, BPF_LD, BPF_MOD, BPF_RET, BPF_SUB, BPF_W, sock_filter,
        sock_fprog,
    };
    use nix::sys::socket::{setsockopt, sockopt::AttachReusePortCbpf};

    let step = |code: u32, k: u32| {
        let code = u16::try_from(code).expect("these are 16 bits wide");
        sock_filter { code, jt: 0, jf: 0, k }
    };
    // What is too short for a session goes to the first socket.
    let mut steps = [
        step(BPF_LD | BPF_W | BPF_ABS, 0),
        step(BPF_ALU | BPF_SUB | BPF_K, 1),
        step(BPF_ALU | BPF_MOD | BPF_K, threads),
        step(BPF_RET | BPF_A, 0),
    ];
    let program = sock_fprog { len: 4, filter: steps.as_mut_ptr() };
    for socket in first {
        setsockopt(socket, AttachReusePortCbpf, &program)?;
    }
    Ok(())
}

#[cfg(not(target_os = "linux"))]
fn steer(_: &[UdpSocket], _: u32) -> io::Result<()> {
    Ok(())
}

/// The port, if nobody has it on TCP or UDP: shared sockets would not be refused it even so.
fn free_port(mut at: SocketAddr) -> io::Result<u16> {
    let tcp = new(at, Type::STREAM, Protocol::TCP, false)?;
    #[cfg(not(windows))]
    tcp.set_reuse_address(true)?;
    tcp.bind(&at.into())?;
    tcp.listen(1)?;
    let bound = tcp.local_addr()?.as_socket().unwrap_or(at);
    at.set_port(bound.port());
    new(at, Type::DGRAM, Protocol::UDP, false)?.bind(&at.into())?;
    Ok(at.port())
}

fn listen_tcp(at: SocketAddr, shared: bool) -> io::Result<TcpListener> {
    let socket = new(at, Type::STREAM, Protocol::TCP, shared)?;
    // A relay that was just stopped leaves connections of its own behind; they do not keep its port.
    #[cfg(not(windows))]
    socket.set_reuse_address(true)?;
    socket.bind(&at.into())?;
    socket.listen(BACKLOG)?;
    Ok(TcpListener::from_std(socket.into()))
}

fn bind_udp(at: SocketAddr, shared: bool) -> io::Result<UdpSocket> {
    let socket = new(at, Type::DGRAM, Protocol::UDP, shared)?;
    socket.set_recv_buffer_size(UDP_BUFFER)?;
    socket.set_send_buffer_size(UDP_BUFFER)?;
    socket.bind(&at.into())?;
    Ok(UdpSocket::from_std(socket.into()))
}

fn new(at: SocketAddr, kind: Type, protocol: Protocol, shared: bool) -> io::Result<Socket> {
    let socket = Socket::new(Domain::for_address(at), kind, Some(protocol))?;
    socket.set_nonblocking(true)?;
    if at.is_ipv6() {
        // IPv4 has a socket of its own, so that no address is an IPv4-mapped one.
        socket.set_only_v6(true)?;
    }
    if shared {
        #[cfg(unix)]
        socket.set_reuse_port(true)?;
    }
    Ok(socket)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_port_that_is_taken_is_refused_though_the_sockets_are_shared() {
        let any = "127.0.0.1:0".parse().unwrap();
        let (at, _sockets) = open(any, 2).unwrap();
        assert_eq!(open(at, 2).unwrap_err().kind(), ErrorKind::AddrInUse);
    }

    #[test]
    fn every_thread_has_both_families() {
        let (at, sockets) = open("[::]:0".parse().unwrap(), 2).unwrap();
        assert_eq!(sockets.len(), 2);
        for own in sockets {
            assert_eq!(own.tcp.len(), own.udp.len());
            for socket in own.udp {
                assert_eq!(socket.local_addr().unwrap().port(), at.port());
            }
        }
    }
}
