//! A party of two terminals, by chat lines.
//!
//! ```sh
//! cargo run -p mp-sockets --example chat -- host 7770
//! cargo run -p mp-sockets --example chat -- join localhost 7770 Clank
//! ```

use std::error::Error;
use std::io::BufRead;
use std::process::ExitCode;
use std::time::Duration;

use mp_sockets::{Clock, Command, Destination, Event, Handle, LinkId, PartyNews, start};

/// How long the program lets its thread say goodbye.
const GOODBYE: Duration = Duration::from_millis(500);

const USAGE: &str = "usage: chat host PORT | chat join HOST PORT NAME";
/// The exit code for a command line that is none of these.
const WRONG_USAGE: u8 = 2;

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some(command) = asked(&arguments) else {
        eprintln!("{USAGE}");
        return Ok(ExitCode::from(WRONG_USAGE));
    };
    let handle = start(Clock::new())?;
    handle.send(command)?;

    // Typed lines come from a thread that may wait for them; it ends with the program.
    let (typed, lines) = crossbeam_channel::unbounded();
    std::thread::spawn(move || {
        std::io::stdin().lock().lines().map_while(Result::ok).try_for_each(|line| typed.send(line))
    });
    loop {
        match lines.try_recv() {
            Ok(line) if line.is_empty() => {}
            Ok(line) => handle.send(Command::Chat { text: line })?,
            Err(crossbeam_channel::TryRecvError::Empty) => {}
            Err(crossbeam_channel::TryRecvError::Disconnected) => break,
        }
        listen(&handle);
    }
    if !handle.join_within(GOODBYE) {
        eprintln!("the socket thread still runs");
    }
    Ok(ExitCode::SUCCESS)
}

fn asked(arguments: &[String]) -> Option<Command> {
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let link = LinkId(1);
    match arguments[..] {
        ["host", port] => Some(Command::Host {
            link,
            port: port.parse().ok()?,
            name: "Ratchet".into(),
            description: "Chat".into(),
        }),
        ["join", host, port, name] => {
            let to = Destination::Name { host: host.into(), port: port.parse().ok()? };
            Some(Command::Connect { link, to, name: name.into() })
        }
        _ => None,
    }
}

fn listen(handle: &Handle) {
    let Some(report) = handle.next_within(Duration::from_millis(50)) else { return };
    match report.event {
        Event::Hosting { port, addresses } => {
            println!("hosting on port {port} of {addresses:?}; here another joins by");
            println!("cargo run -p mp-sockets --example chat -- join localhost {port} Clank");
        }
        Event::HostFailed { port, why } => println!("not hosting on port {port}: {why}"),
        Event::Connecting { attempt } => println!("connecting, attempt {attempt}"),
        Event::ConnectFailed { why, retry_in } => println!("{why}; trying again in {retry_in:?}"),
        Event::Connected { session } => println!("connected as session {session}"),
        Event::Lost { why } => println!("lost: {why}"),
        Event::Closed { address, why, .. } => println!("closed a connection of {address}: {why}"),
        Event::NotAccepting { why } => println!("nobody can connect just now: {why}"),
        Event::Refused(reason) => println!("refused: {reason}"),
        Event::Liveness(grade) => println!("the link is {grade:?}"),
        Event::Chat { sender, text } => println!("{sender}: {text}"),
        Event::Party(PartyNews::Joined(member)) => println!("{} came", member.name),
        Event::Party(PartyNews::Left { id }) => println!("{id} left"),
        Event::Party(news) => println!("{news:?}"),
        Event::Data { .. } | Event::Quality(_) => {}
    }
}
