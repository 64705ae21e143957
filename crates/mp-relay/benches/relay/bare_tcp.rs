//! The least a forwarder of frames can be: read, cut by the lengths, look at a target, write each
//! receiver's frames in one call a wake-up. It checks nothing.

use std::io::{ErrorKind, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use mio::{Events, Interest, Poll, Token};

/// Its thread's name.
pub const THREAD: &str = "bare-tcp";

/// Bytes before DATA's target: length and packet id.
const TARGET_AT: usize = 5;

struct Wire {
    stream: mio::net::TcpStream,
    part: Vec<u8>,
    out: Vec<u8>,
    written: usize,
}

pub struct BareTcp {
    ending: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

/// Connections in the order of the parties' players, and a forwarder between them. A host's target is the
/// member's number, or 0 for all.
pub fn start(parties: usize) -> (BareTcp, Vec<Vec<TcpStream>>) {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let at: SocketAddr = listener.local_addr().unwrap();
    let (mut near, mut far) = (Vec::new(), Vec::new());
    for _ in 0..parties {
        near.push(Vec::new());
        for _ in 0..4 {
            let stream = TcpStream::connect(at).unwrap();
            stream.set_nodelay(true).unwrap();
            near.last_mut().unwrap().push(stream);
            far.push(listener.accept().unwrap().0);
        }
    }
    let ending = Arc::new(AtomicBool::new(false));
    let told = Arc::clone(&ending);
    let thread =
        std::thread::Builder::new().name(THREAD.into()).spawn(move || run(far, &told)).unwrap();
    (BareTcp { ending, thread: Some(thread) }, near)
}

impl Drop for BareTcp {
    fn drop(&mut self) {
        self.ending.store(true, Ordering::Relaxed);
        self.thread.take().unwrap().join().unwrap();
    }
}

fn run(streams: Vec<TcpStream>, ending: &AtomicBool) {
    let mut poll = Poll::new().unwrap();
    let mut wires = Vec::new();
    for (index, stream) in streams.into_iter().enumerate() {
        stream.set_nonblocking(true).unwrap();
        stream.set_nodelay(true).unwrap();
        let mut stream = mio::net::TcpStream::from_std(stream);
        let both = Interest::READABLE | Interest::WRITABLE;
        poll.registry().register(&mut stream, Token(index), both).unwrap();
        wires.push(Wire { stream, part: Vec::new(), out: Vec::new(), written: 0 });
    }
    let (mut events, mut buffer) = (Events::with_capacity(1_024), vec![0; 64 << 10]);
    let mut touched = Vec::new();
    while !ending.load(Ordering::Relaxed) {
        poll.poll(&mut events, Some(Duration::from_millis(50))).unwrap();
        for event in &events {
            let Token(from) = event.token();
            if event.is_writable() && !wires[from].out.is_empty() {
                touched.push(from);
            }
            read(&mut wires, from, &mut buffer, &mut touched);
        }
        for index in touched.drain(..) {
            write(&mut wires[index]);
        }
    }
}

fn read(wires: &mut [Wire], from: usize, buffer: &mut [u8], touched: &mut Vec<usize>) {
    loop {
        let count = match wires[from].stream.read(buffer) {
            Ok(0) => return,
            Ok(count) => count,
            Err(error) if error.kind() == ErrorKind::WouldBlock => return,
            Err(_) => return,
        };
        let mut part = std::mem::take(&mut wires[from].part);
        let mut input = &buffer[..count];
        if !part.is_empty() {
            part.extend_from_slice(input);
            input = &part;
        }
        while let Some(length) = frame(input) {
            let (frame, rest) = input.split_at(length);
            pass_on(wires, from, frame, touched);
            input = rest;
        }
        wires[from].part = input.to_vec();
        if count < buffer.len() {
            return;
        }
    }
}

/// How long the frame at the front is, if it is whole.
fn frame(input: &[u8]) -> Option<usize> {
    let length = u32::from_be_bytes(input.get(..4)?.try_into().unwrap()) as usize + 4;
    (input.len() >= length).then_some(length)
}

fn pass_on(wires: &mut [Wire], from: usize, frame: &[u8], touched: &mut Vec<usize>) {
    let (host, own) = (from / 4 * 4, from % 4);
    let target = i32::from_be_bytes(frame[TARGET_AT..][..4].try_into().unwrap());
    let to = match (own, usize::try_from(target).unwrap()) {
        (0, 0) => host + 1..host + 4,
        (0, member) => host + member..host + member + 1,
        _ => host..host + 1,
    };
    for index in to {
        if wires[index].out.is_empty() {
            touched.push(index);
        }
        wires[index].out.extend_from_slice(frame);
    }
}

fn write(wire: &mut Wire) {
    while wire.written < wire.out.len() {
        match wire.stream.write(&wire.out[wire.written..]) {
            Ok(count) => wire.written += count,
            Err(_) => return,
        }
    }
    wire.out.clear();
    wire.written = 0;
}
