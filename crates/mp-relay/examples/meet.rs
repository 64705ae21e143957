//! A relay and two players' links in one process, over loopback: one creates a party, the other joins by
//! its code, they talk, and the host leaves. Prints what each of them sees.
//!
//! `cargo run -p mp-relay --example meet`

use std::error::Error;
use std::net::{Ipv4Addr, SocketAddr};
use std::time::{Duration, Instant};

use mp_relay::{Log, Relay, Settings};
use mp_sockets::{Clock, Command, Event, Handle, LinkId, PartyNews, PartyRequest, start};

/// How long anything may take on this machine.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long a socket thread may take to say goodbye.
const GOODBYE: Duration = Duration::from_millis(500);

/// A player's link, as the mod has one.
struct Player {
    name: &'static str,
    link: Handle,
}

fn main() -> Result<(), Box<dyn Error>> {
    let listen = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
    // What the relay has to say goes to stderr; its thread ends when the last `Log` is gone.
    let (log, log_end) = Log::start(std::io::stderr())?;
    let relay = Relay::start(&Settings { listen, ..Settings::default() }, log)?;
    println!("  relay: listens on {}", relay.address());

    let nova = Player::connect("Nova_7", relay.address())?;
    let description = "Pokitaru, 12 gold bolts".to_owned();
    nova.link.send(Command::Party(PartyRequest::Create { description }))?;
    let code = nova.until(entered)?;

    let orbit = Player::connect("Orbit", relay.address())?;
    orbit.link.send(Command::Party(PartyRequest::Join { code }))?;
    orbit.until(entered)?;
    orbit.link.send(Command::Chat { text: "Over here!".to_owned() })?;
    nova.until(|event| matches!(event, Event::Chat { .. }).then_some(()))?;
    orbit.until(|event| matches!(event, Event::Chat { .. }).then_some(()))?;

    nova.link.send(Command::Party(PartyRequest::Leave))?;
    orbit.until(|event| matches!(event, Event::Party(PartyNews::End)).then_some(()))?;
    for player in [nova, orbit] {
        if !player.link.join_within(GOODBYE) {
            return Err(format!("{}'s socket thread still runs", player.name).into());
        }
    }
    if !relay.stop() {
        return Err("the relay's threads still run".into());
    }
    log_end.close();
    println!("  relay: stopped");
    Ok(())
}

impl Player {
    fn connect(name: &'static str, to: SocketAddr) -> Result<Self, Box<dyn Error>> {
        let player = Self { name, link: start(Clock::new())? };
        let (link, to, name) = (LinkId(1), to.into(), name.to_owned());
        player.link.send(Command::Connect { link, to, name })?;
        player.until(|event| matches!(event, Event::Connected { .. }).then_some(()))?;
        Ok(player)
    }

    /// Prints what the link reports until `pick` finds what it is after.
    fn until<T>(&self, pick: impl Fn(&Event) -> Option<T>) -> Result<T, Box<dyn Error>> {
        let end = Instant::now() + PATIENCE;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            let Some(report) = self.link.next_within(left) else {
                return Err(format!("{} waited in vain", self.name).into());
            };
            println!("{:>7}: {:?}", self.name, report.event);
            if let Some(found) = pick(&report.event) {
                return Ok(found);
            }
        }
    }
}

/// The code of the party that a player got into.
fn entered(event: &Event) -> Option<String> {
    match event {
        Event::Party(PartyNews::Info { code, .. }) => Some(code.clone()),
        _ => None,
    }
}
