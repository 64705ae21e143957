//! A party of two games and a relay, each a process, each game behind a proxy of this one.

use std::io::{Read as _, Write as _};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::Command;

use libtest_mimic::Failed;
use mp_playground::card::store;
use mp_playground::proxy::{Plan, Proxy};

use crate::library::PATIENCE;
use crate::process::{Process, command, live_lines};

pub const HOST: &str = "Alex";
pub const MEMBER: &str = "Blair";

/// A relay, and where it takes players and tells its metrics.
pub struct Relay {
    pub process: Process,
    pub address: SocketAddr,
    pub metrics: SocketAddr,
}

impl Relay {
    pub fn start() -> Result<Self, Failed> {
        Self::start_at(SocketAddr::from((Ipv4Addr::LOCALHOST, 0)))
    }

    /// One that takes players there, as one that is started again does.
    pub fn start_at(address: SocketAddr) -> Result<Self, Failed> {
        let listen = address.to_string();
        Self::run(command(&["relay", "--listen", &listen, "--metrics", "127.0.0.1:0"]))
    }

    pub fn run(command: Command) -> Result<Self, Failed> {
        let mut process = Process::start(command);
        // One is told on stdout, the other on stderr: they come in any order.
        let (mut address, mut metrics) = (None, None);
        while address.is_none() || metrics.is_none() {
            let line = process.line(" on ")?;
            if let Some(at) = line.strip_prefix("listening on ") {
                address = Some(at.parse()?);
            } else if let Some(at) = line.strip_prefix("metrics on http://") {
                metrics = Some(at.trim_end_matches("/metrics").parse()?);
            }
        }
        let (Some(address), Some(metrics)) = (address, metrics) else { unreachable!("both came") };
        Ok(Self { process, address, metrics })
    }

    /// Its page of metrics, as Prometheus reads it.
    pub fn page(&self) -> Result<String, Failed> {
        let mut stream = TcpStream::connect(self.metrics)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        write!(stream, "GET /metrics HTTP/1.1\r\nHost: relay\r\n\r\n")?;
        let mut page = String::new();
        stream.read_to_string(&mut page)?;
        Ok(page)
    }
}

/// The party.
pub struct Party {
    pub relay: Relay,
    pub host: Process,
    pub member: Process,
    /// The host's link, and the member's.
    pub links: [Proxy; 2],
    pub code: String,
}

impl Party {
    /// One that begins: the host has created it, the member is about to join. Both games have their
    /// directories in `folder`; `more` is added to the host's words, `prepared` to both commands.
    pub fn begin(
        relay: Relay,
        folder: &Path,
        more: &[&str],
        prepared: impl Fn(&mut Command),
    ) -> Result<Self, Failed> {
        let link = || Proxy::start(relay.address, Plan::default());
        let links = [link()?, link()?];
        let folder = folder.to_str().ok_or("the folder is no text")?;
        let play = |name, link: &Proxy, more: &[&str]| {
            let server = link.address().to_string();
            let words = ["play", "--headless", "--name", name, "--server", &server];
            let mut command = command(&[&words[..], &["--work-dir", folder], more].concat());
            prepared(&mut command);
            Process::start(command)
        };
        let mut host = play(HOST, &links[0], &[&["--bot", "play", "--create"], more].concat());
        let code = host.line("code: ")?;
        let code = code.trim_start_matches("code: ").to_owned();
        let member = play(MEMBER, &links[1], &["--bot", "play", "--code", &code]);
        Ok(Self { relay, host, member, links, code })
    }

    /// What the host and the member say for so many seconds.
    pub fn live_lines(&mut self, seconds: usize) -> Result<[String; 2], Failed> {
        live_lines([&mut self.host, &mut self.member], seconds)
    }

    /// Until each has the other in sight.
    pub fn meet(&mut self) -> Result<(), Failed> {
        self.host.line(&format!("sees {MEMBER}"))?;
        self.member.line(&format!("sees {HOST}"))?;
        Ok(())
    }
}

/// An empty folder for a test's games.
pub fn folder(name: &str) -> Result<PathBuf, Failed> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("faults").join(name);
    if folder.exists() {
        std::fs::remove_dir_all(&folder)?;
    }
    std::fs::create_dir_all(&folder)?;
    Ok(folder)
}

/// Puts a save in the first slot of the host's card.
pub fn give_host(folder: &Path, save: &[u8]) -> Result<(), Failed> {
    let folder = folder.join(HOST);
    std::fs::create_dir_all(&folder)?;
    Ok(store::write(&folder, 0, save)?)
}
