//! The metrics' own small HTTP server, in a thread of its own: `/metrics` and `/healthz`, one request a
//! connection and one connection at a time, everything bounded. It is for an operator's network.

use std::io::{self, Read, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crate::prometheus;
use crate::relay::Monitor;

/// The most bytes of a request's head.
const HEAD_MAX: usize = 8 * 1024;
/// How long a request may take to come, and its answer to be taken.
const PATIENCE: Duration = Duration::from_secs(2);
/// How long after the system could not accept (no descriptors left) it is asked again.
const ACCEPT_AGAIN: Duration = Duration::from_millis(100);
/// How long a connect to ourselves may take, which is how the thread is woken to end.
const WAKING: Duration = Duration::from_millis(200);

/// The metrics' server. Dropping it ends it.
#[derive(Debug)]
pub struct Admin {
    address: SocketAddr,
    ending: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Admin {
    /// Serves a relay's figures.
    ///
    /// # Errors
    /// It cannot listen there, or the system gives no thread.
    pub fn start(at: SocketAddr, monitor: Monitor) -> io::Result<Self> {
        let listener = TcpListener::bind(at)?;
        let address = listener.local_addr()?;
        let ending = Arc::new(AtomicBool::new(false));
        let told = Arc::clone(&ending);
        let thread = std::thread::Builder::new().name("relay-metrics".into()).spawn(move || {
            let wait = || std::thread::sleep(ACCEPT_AGAIN);
            serve(listener.incoming(), &monitor, &told, wait);
        })?;
        Ok(Self { address, ending, thread: Some(thread) })
    }

    /// Where it listens.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }
}

impl Drop for Admin {
    fn drop(&mut self) {
        self.ending.store(true, Ordering::Release);
        let woken = TcpStream::connect_timeout(&from_here(self.address), WAKING);
        if let Some(thread) = self.thread.take().filter(|_| woken.is_ok()) {
            // A panic in it is a bug, and was said by it.
            let _panicked = thread.join();
        }
    }
}

/// Where what listens at an address is reached from this machine: not every system connects to the
/// address that stands for all of its own.
fn from_here(mut address: SocketAddr) -> SocketAddr {
    match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => address.set_ip(Ipv4Addr::LOCALHOST.into()),
        IpAddr::V6(ip) if ip.is_unspecified() => address.set_ip(Ipv6Addr::LOCALHOST.into()),
        _ => {}
    }
    address
}

fn serve(
    clients: impl Iterator<Item = io::Result<TcpStream>>,
    monitor: &Monitor,
    ending: &AtomicBool,
    wait: impl Fn(),
) {
    for client in clients {
        if ending.load(Ordering::Acquire) {
            return;
        }
        match client {
            Ok(stream) => {
                // One that is gone or too slow has no answer; the next one is served.
                let _failed = answer(stream, monitor);
            }
            // The next would be refused at once too, over and over.
            Err(_) => wait(),
        }
    }
}

fn answer(mut stream: TcpStream, monitor: &Monitor) -> io::Result<()> {
    let mut head = [0; HEAD_MAX];
    let (status, kind, body) = match read_head(&mut stream, &mut head)? {
        Some(head) => respond(head, monitor),
        None => ("431 Request Header Fields Too Large", "text/plain", "too long\n".into()),
    };
    stream.set_write_timeout(Some(PATIENCE))?;
    let length = body.len();
    write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\n\
         Connection: close\r\n\r\n{body}"
    )?;
    stream.shutdown(Shutdown::Write)
}

/// A request's head, up to its empty line; none if it is too long.
fn read_head<'a>(stream: &mut TcpStream, head: &'a mut [u8]) -> io::Result<Option<&'a [u8]>> {
    let until = Instant::now() + PATIENCE;
    let mut length = 0;
    while length < head.len() {
        let left = until.saturating_duration_since(Instant::now());
        // A time-out of zero would be none.
        stream.set_read_timeout(Some(left.max(Duration::from_millis(1))))?;
        match stream.read(&mut head[length..])? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            count => length += count,
        }
        if head[..length].windows(4).any(|end| end == b"\r\n\r\n") {
            return Ok(Some(&head[..length]));
        }
        if Instant::now() >= until {
            return Err(io::ErrorKind::TimedOut.into());
        }
    }
    Ok(None)
}

fn respond(head: &[u8], monitor: &Monitor) -> (&'static str, &'static str, String) {
    let mut words = head.split(|byte| byte.is_ascii_whitespace());
    let (method, path) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let plain = "text/plain; charset=utf-8";
    if method != b"GET" {
        return ("405 Method Not Allowed", plain, "GET only\n".into());
    }
    match (path, monitor.stats()) {
        (b"/metrics", Some(stats)) => {
            ("200 OK", prometheus::CONTENT_TYPE, prometheus::text(&stats))
        }
        (b"/healthz", Some(stats)) if stats.draining => {
            ("503 Service Unavailable", plain, "draining\n".into())
        }
        (b"/healthz", Some(_)) => ("200 OK", plain, "ok\n".into()),
        (b"/metrics" | b"/healthz", None) => {
            ("503 Service Unavailable", plain, "a thread does not answer\n".into())
        }
        _ => ("404 Not Found", plain, "/metrics or /healthz\n".into()),
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::{Log, Relay, Settings};

    #[test]
    fn one_that_listens_everywhere_is_woken_over_its_familys_loopback() {
        let wakes = |at: &str| from_here(at.parse().unwrap()).to_string();
        assert_eq!(wakes("0.0.0.0:9100"), "127.0.0.1:9100");
        assert_eq!(wakes("[::]:9100"), "[::1]:9100");
        for own in ["127.0.0.2:9100", "192.0.2.7:9100", "[fe80::1%3]:9100"] {
            assert_eq!(wakes(own), own);
        }
    }

    #[test]
    fn a_system_that_accepts_nothing_is_asked_again_only_after_a_while() {
        let (log, _end) = Log::start(io::sink()).unwrap();
        let listen = SocketAddr::from(([127, 0, 0, 1], 0));
        let settings = Settings { listen, threads: Some(1), ..Settings::default() };
        let relay = Relay::start(&settings, log).unwrap();
        let refusals = (0..3).map(|_| Err(io::Error::other("no descriptors left")));
        let waits = Cell::new(0);
        let wait = || waits.set(waits.get() + 1);
        serve(refusals, &relay.monitor(), &AtomicBool::new(false), wait);
        assert_eq!(waits.get(), 3);
        assert!(relay.stop());
    }
}
