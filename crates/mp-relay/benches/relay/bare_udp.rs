//! The least a forwarder of datagrams can be: recvmmsg, a table by the sender's port, sendmmsg. It parses
//! nothing and checks nothing.

use std::io::{IoSlice, IoSliceMut};
use std::net::{Ipv4Addr, SocketAddrV4, UdpSocket};
use std::os::fd::AsRawFd;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use nix::sys::socket::{MsgFlags, MultiHeaders, SockaddrIn, recvmmsg, sendmmsg};
use socket2::SockRef;

/// Its thread's name.
pub const THREAD: &str = "bare-udp";

const BATCH: usize = 64;
/// A batch whose every datagram goes to three.
const OUT: usize = BATCH * 3;
const BUFFER: usize = 2_048;

/// Whom a datagram goes to, by the port it came from.
pub type Routes = Vec<Vec<SocketAddrV4>>;

pub struct BareUdp {
    ending: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl BareUdp {
    pub fn socket() -> UdpSocket {
        let socket = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let options = SockRef::from(&socket);
        options.set_recv_buffer_size(4 << 20).unwrap();
        options.set_send_buffer_size(4 << 20).unwrap();
        // So that it sees that it is to end.
        socket.set_read_timeout(Some(Duration::from_millis(50))).unwrap();
        socket
    }

    pub fn start(socket: UdpSocket, routes: Routes) -> Self {
        let ending = Arc::new(AtomicBool::new(false));
        let told = Arc::clone(&ending);
        let thread = std::thread::Builder::new()
            .name(THREAD.into())
            .spawn(move || {
                let mut buffers = vec![[0; BUFFER]; BATCH];
                while !told.load(Ordering::Relaxed) {
                    forward(&socket, &routes, &mut buffers);
                }
            })
            .unwrap();
        Self { ending, thread: Some(thread) }
    }
}

impl Drop for BareUdp {
    fn drop(&mut self) {
        self.ending.store(true, Ordering::Relaxed);
        self.thread.take().unwrap().join().unwrap();
    }
}

thread_local! {
    static HEADERS: std::cell::RefCell<(MultiHeaders<SockaddrIn>, MultiHeaders<SockaddrIn>)> =
        std::cell::RefCell::new((
            MultiHeaders::preallocate(BATCH, None),
            MultiHeaders::preallocate(OUT, None),
        ));
}

fn forward(socket: &UdpSocket, routes: &Routes, buffers: &mut [[u8; BUFFER]]) {
    HEADERS.with_borrow_mut(|(headers, out_headers)| {
        let mut came = [(0_usize, 0_u16); BATCH];
        let mut count = 0;
        {
            let mut slices: Vec<_> =
                buffers.iter_mut().map(|buffer| [IoSliceMut::new(buffer)]).collect();
            let flags = MsgFlags::MSG_WAITFORONE;
            let Ok(results) = recvmmsg(socket.as_raw_fd(), headers, slices.iter_mut(), flags, None)
            else {
                return;
            };
            for result in results {
                came[count] = (result.bytes, result.address.map_or(0, |from| from.port()));
                count += 1;
            }
        }
        let (mut slices, mut to) = (Vec::with_capacity(OUT), Vec::with_capacity(OUT));
        for ((bytes, port), buffer) in came[..count].iter().zip(&*buffers) {
            for receiver in &routes[usize::from(*port)] {
                slices.push([IoSlice::new(&buffer[..*bytes])]);
                to.push(Some(SockaddrIn::from(*receiver)));
            }
        }
        let mut sent = 0;
        while sent < slices.len() {
            let some = sendmmsg(
                socket.as_raw_fd(),
                out_headers,
                slices[sent..].iter(),
                &to[sent..],
                [],
                MsgFlags::empty(),
            );
            sent += some.map_or(1, Iterator::count);
        }
    });
}
