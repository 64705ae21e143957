//! The network of a party: every player's link, the router, and bad wires between them, in one thread
//! and without a socket. Time is the caller's; in between it jumps from one deadline to the next.
//!
//! Every machine has a clock of its own, so that nothing can take one's time for another's.

mod hub;
mod machine;
mod wire;

use std::net::SocketAddr;
use std::time::Duration;

use mp_netcode::LocalTime;
use mp_netcode::conditioner::Conditions;
use mp_party::{ConnectionId, DropReason, Output as Routed, Strike};
use mp_playground::invariants::BoltWords;
use mp_playground::sim::Rng;
use mp_sockets::link::Output;
use mp_sockets::{Command, Event, FarEnd, Report};

use hub::{Hub, IN_PROCESS, SOCKET};
use machine::Machine;
pub use machine::Said;
use wire::Piece;

/// Where a relay is.
pub const RELAY: &str = "192.168.1.250:7770";
/// How far apart the machines' clocks are at most, in seconds.
const CLOCKS_APART_S: u32 = 100_000;
/// Deadlines nearer than this are met together: a driver's wake-up is no finer.
const GRAIN: Duration = Duration::from_micros(500);

/// What no player of ours sends. A wrong token is none of it: one that was late comes to the next party
/// of its host.
const MISTAKES: [DropReason; 2] = [DropReason::MalformedDatagram, DropReason::OversizeDatagram];

/// See the module.
pub struct Network {
    now: LocalTime,
    rng: Rng,
    hub: Option<Hub>,
    machines: Vec<Machine>,
}

impl Network {
    /// Machines without a game, and a relay if they are to meet at one.
    #[must_use]
    pub fn new(machines: usize, relay: bool, conditions: Conditions, seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        let mut machine = |number| {
            let ahead = Duration::from_secs(rng.below(CLOCKS_APART_S).into());
            Machine::new(number, ahead, conditions, rng.bits())
        };
        let machines = (0..machines).map(&mut machine).collect();
        let hub = relay.then(|| Hub::relay(&mut rng));
        Self { now: LocalTime::ZERO, rng, hub, machines }
    }

    /// The network's time.
    #[must_use]
    pub const fn now(&self) -> LocalTime {
        self.now
    }

    /// The time on a machine's clock.
    #[must_use]
    pub fn time_of(&self, machine: usize) -> LocalTime {
        self.machines[machine].time(self.now)
    }

    /// A game starts on that machine; `far` is the other end of its handle.
    pub fn start(&mut self, machine: usize, far: FarEnd) {
        self.machines[machine].start(far);
    }

    /// That machine's game is killed. Its system still closes its connections.
    pub fn kill(&mut self, machine: usize) {
        self.machines[machine].kill(self.now);
        self.lose_hub_of(machine, true);
        self.settle();
    }

    /// That machine is gone from one moment to the next, and nobody is told.
    pub fn power_off(&mut self, machine: usize) {
        self.machines[machine].power_off();
        self.lose_hub_of(machine, false);
        self.settle();
    }

    /// Nothing comes to that machine or goes from it for so long.
    pub fn cut(&mut self, machine: usize, time: Duration) {
        let until = self.now + time;
        self.machines[machine].cut_until(until);
        // A host that is cut off is cut off from everyone.
        if self.hub.as_ref().is_some_and(|hub| hub.host.is_some_and(|(host, _)| host == machine)) {
            self.machines.iter_mut().for_each(|other| other.cut_until(until));
        }
    }

    /// What was said of bolts on that machine's link since its game was started.
    #[must_use]
    pub fn words(&self, machine: usize) -> &BoltWords {
        &self.machines[machine].words
    }

    /// What passed that machine's line since the run began. A direct host's: what its members' lines carry.
    #[must_use]
    pub fn said(&self, machine: usize) -> Said {
        let own = self.machines[machine].said;
        let hosts =
            self.hub.as_ref().and_then(|hub| hub.host).is_some_and(|(host, _)| host == machine);
        if !hosts {
            return own;
        }
        let others = self.machines.iter().enumerate().filter(|(number, _)| *number != machine);
        others.fold(Said { bytes_up: 0, bytes_down: 0, ..own }, |all, (_, other)| Said {
            bytes_up: all.bytes_up + other.said.bytes_down,
            bytes_down: all.bytes_down + other.said.bytes_up,
            ..all
        })
    }

    /// Whether nothing comes to that machine or goes from it now.
    #[must_use]
    pub fn is_cut(&self, machine: usize) -> bool {
        self.machines[machine].is_cut(self.now)
    }

    /// Whether someone still believes in a connection of that machine's whose other end is gone.
    #[must_use]
    pub fn is_haunted(&self, machine: usize) -> bool {
        self.machines[machine].is_haunted()
    }

    /// From now on every link is like that; connections that stand keep their delays.
    pub fn set_conditions(&mut self, conditions: Conditions) {
        self.machines.iter_mut().for_each(|machine| machine.set_conditions(conditions));
    }

    /// What the router held against anyone so far: who keeps to the rules gives it no reason to.
    #[must_use]
    pub fn held_against(&self) -> Vec<String> {
        let Some(hub) = &self.hub else { return Vec::new() };
        let counters = hub.router.counters();
        let strikes = Strike::ALL.iter().map(|&limit| (limit.to_string(), counters.strikes(limit)));
        let drops = MISTAKES.iter().map(|&why| (why.to_string(), counters.drops(why)));
        let held = strikes.chain(drops).filter(|(_, count)| *count > 0);
        held.map(|(what, _)| format!("the router found something of a player's: {what}")).collect()
    }

    /// Lets everything happen that is due until then.
    pub fn run_until(&mut self, until: LocalTime) {
        loop {
            let now = self.now;
            let hub = self
                .hub
                .as_ref()
                .and_then(|hub| hub.router.poll_timeout().map(|at| now + at.since(hub.time(now))));
            let machines = self.machines.iter_mut().filter_map(|machine| machine.next_wake(now));
            let Some(next) = machines.chain(hub).min() else { break };
            let next = next.max(now + GRAIN);
            if next > until {
                break;
            }
            self.now = next;
            self.settle();
        }
        self.now = until.max(self.now);
        self.settle();
    }

    /// Carries what is there to where it goes, until nothing moves at this moment.
    pub fn settle(&mut self) {
        loop {
            let mut moved = false;
            for machine in 0..self.machines.len() {
                moved |= self.drive(machine);
            }
            moved |= self.route();
            if !moved {
                return;
            }
        }
    }

    /// What a socket thread does in a wake-up.
    fn drive(&mut self, number: usize) -> bool {
        let now = self.now;
        let mut moved = self.machines[number].hear(now);
        while let Some(command) = self.next_command(number) {
            self.obey(number, command);
            moved = true;
        }
        let machine = &mut self.machines[number];
        let time = machine.time(now);
        machine.link.advance(time);
        while let Some(output) = self.machines[number].link.poll_output() {
            self.carry(number, output);
            moved = true;
        }
        moved | self.speak(number)
    }

    fn next_command(&mut self, number: usize) -> Option<Command> {
        let Machine { far, link, .. } = &mut self.machines[number];
        let far = far.as_ref()?;
        far.set_held_back(link.held_back());
        far.try_next()
    }

    fn obey(&mut self, number: usize, command: Command) {
        let now = self.now;
        let time = self.time_of(number);
        self.machines[number].note_command(&command);
        let link = &mut self.machines[number].link;
        match command {
            Command::Connect { link: id, to, name } => {
                self.close(number);
                self.machines[number].link.connect(time, id, Some(to), name);
            }
            Command::Host { link: id, port, name, description } => {
                self.close(number);
                let machine = &mut self.machines[number];
                let host = (number, &*machine);
                self.hub = Some(Hub::direct(host, port, description, now, &mut self.rng));
                machine.hosts = id;
                let addresses = vec![machine.address];
                self.report(number, Report { link: id, event: Event::Hosting { port, addresses } });
                self.machines[number].link.connect(time, id, None, name);
            }
            Command::Close => self.close(number),
            // The lab's links are as bad as the lab makes them.
            Command::Simulate(_) => {}
            Command::Disconnect { session } => {
                if let Some(hub) = self.hub_of(number)
                    && let Some(id) = hub.router.connection_of(session)
                {
                    hub.router.disconnect(time, id);
                }
            }
            Command::Party(request) => link.party(time, request),
            Command::Chat { text } => link.chat(time, text),
            Command::Event { target, bytes } => link.event(time, target, bytes.0),
            Command::State { target, key, bytes } => link.state(time, target, key, bytes.0),
        }
    }

    /// Ends whatever link there is, and the hosting.
    fn close(&mut self, number: usize) {
        self.machines[number].link.close();
        while let Some(output) = self.machines[number].link.poll_output() {
            self.carry(number, output);
        }
        self.route();
    }

    fn carry(&mut self, number: usize, output: Output) {
        let now = self.now;
        let time = self.time_of(number);
        let in_process = self.hub_of(number).is_some();
        let machine = &mut self.machines[number];
        match output {
            // No name of a party's leads anywhere.
            Output::LookUp(host) => machine.link.looked_up(time, &host, Vec::new()),
            Output::Connect(to) => machine.connect(now, to),
            Output::OpenUdp(None) => {}
            Output::OpenUdp(Some(_)) => machine.open_udp(),
            Output::Datagram(bytes) if in_process => {
                if let Some(hub) = &mut self.hub {
                    hub.router.datagram(time, IN_PROCESS, SOCKET, &bytes);
                }
            }
            Output::Datagram(bytes) => {
                if let Some(port) = machine.port {
                    machine.said.bytes_up += machine::count(&bytes);
                    machine.udp.up.push(now, (port, bytes));
                }
            }
            Output::Close(rest) if in_process => {
                if let Some(hub) = &mut self.hub
                    && let Some((_, own)) = hub.host
                {
                    let departed = hub.router.received(time, own, &rest);
                    debug_assert!(departed.is_none(), "a direct host has one router");
                    hub.router.stop(time);
                }
                self.route();
                self.lose_hub_of(number, true);
            }
            Output::Close(rest) => machine.close(now, rest),
            Output::Report(report) => self.report(number, report),
        }
    }

    fn report(&mut self, number: usize, report: Report) {
        let time = self.time_of(number);
        let Self { hub, machines, .. } = self;
        let machine = &mut machines[number];
        machine.note_event(&report.event);
        let Some(far) = &machine.far else { return };
        let hub = hub.as_mut().filter(|hub| hub.host.is_some_and(|(host, _)| host == number));
        let told = match hub {
            Some(hub) => far.report_to_host(report, |member| {
                if let Some(id) = hub.router.connection_of(member) {
                    hub.router.disconnect(time, id);
                }
            }),
            None => far.report(report),
        };
        if told.is_err() {
            machine.link.stalled(time);
        }
    }

    /// The link's bytes, onto the wire or into the router of the same process.
    fn speak(&mut self, number: usize) -> bool {
        let time = self.time_of(number);
        let Self { hub, machines, now, .. } = self;
        let machine = &mut machines[number];
        let own = hub.as_mut().and_then(|hub| {
            let (_, own) = hub.host.filter(|(host, _)| *host == number)?;
            Some((hub, own))
        });
        let Some((hub, own)) = own else { return machine.speak(*now) };
        let bytes = machine.link.outgoing().to_vec();
        if bytes.is_empty() {
            return false;
        }
        machine.link.wrote(time, bytes.len());
        let departed = hub.router.received(time, own, &bytes);
        debug_assert!(departed.is_none(), "a direct host has one router");
        true
    }

    /// What the router's driver does in a wake-up: hands in what arrived, and carries out what it wants.
    fn route(&mut self) -> bool {
        let mut moved = false;
        for number in 0..self.machines.len() {
            moved |= self.hand_in(number);
        }
        let Some(hub) = &mut self.hub else { return moved };
        hub.router.advance(hub.time(self.now));
        moved | self.put_out()
    }

    /// What arrived of a machine's at the router's machine.
    fn hand_in(&mut self, number: usize) -> bool {
        let Self { hub, machines, now, .. } = self;
        let now = *now;
        let machine = &mut machines[number];
        let mut moved = false;
        for tcp in &mut machine.tcp {
            while let Some(piece) = tcp.up.poll(now) {
                moved = true;
                let hub = hub.as_mut().filter(|hub| hub.address == tcp.to);
                match (piece, hub, tcp.id) {
                    (Piece::Open, Some(hub), _) => {
                        tcp.id = Some(hub.router.connect(hub.time(now), machine.address));
                        tcp.down.push(now, Piece::Open);
                    }
                    (Piece::Open, None, _) => tcp.down.push(now, Piece::Refused),
                    (Piece::Bytes(bytes), Some(hub), Some(id)) => {
                        let departed = hub.router.received(hub.time(now), id, &bytes);
                        debug_assert!(departed.is_none(), "there is one router");
                    }
                    (Piece::End, Some(hub), Some(id)) => {
                        tcp.id = None;
                        hub.router.closed(hub.time(now), id);
                    }
                    _ => {}
                }
            }
        }
        while let Some((port, datagram)) = machine.udp.up.poll(now) {
            moved = true;
            if let Some(hub) = hub.as_mut() {
                let from = SocketAddr::new(machine.address, port);
                hub.router.datagram(hub.time(now), from, SOCKET, &datagram);
            }
        }
        moved
    }

    /// Everything that the router wants done, and the bytes that waited for room on a wire.
    fn put_out(&mut self) -> bool {
        let Self { hub, machines, now, .. } = self;
        let (Some(hub), now) = (hub, *now) else { return false };
        let mut moved = false;
        while let Some(output) = hub.router.poll_output() {
            match output {
                Routed::Datagram { to, bytes, .. } => {
                    let bytes = bytes.to_vec();
                    if to == IN_PROCESS {
                        if let Some((host, _)) = hub.host {
                            machines[host].in_process.push_back(bytes);
                            moved = true;
                        }
                    } else if let Some(machine) =
                        machines.iter_mut().find(|machine| machine.address == to.ip())
                    {
                        machine.udp.down.push(now, (to.port(), bytes));
                    }
                }
                Routed::Close { id, .. } => {
                    close(hub, machines, now, id);
                    moved = true;
                }
                // Written below, with those that waited.
                Routed::Write(_) | Routed::Note(_) => {}
            }
        }
        for tcp in machines.iter_mut().flat_map(|machine| &mut machine.tcp) {
            let Some(id) = tcp.id else { continue };
            let bytes = hub.router.outgoing(id);
            if !bytes.is_empty() && tcp.has_room_down() {
                let bytes = bytes.to_vec();
                hub.router.wrote(id, bytes.len());
                tcp.down.push(now, Piece::Bytes(bytes));
                moved = true;
            }
        }
        moved | to_own_client(hub, machines, now)
    }

    /// The router in that machine's process, if it runs one.
    fn hub_of(&mut self, number: usize) -> Option<&mut Hub> {
        self.hub.as_mut().filter(|hub| hub.host.is_some_and(|(host, _)| host == number))
    }

    /// The router in that machine's process is no more. With `ends`, its system closes its connections.
    fn lose_hub_of(&mut self, number: usize, ends: bool) {
        if self.hub_of(number).is_none() {
            return;
        }
        self.hub = None;
        self.machines[number].in_process.clear();
        for tcp in self.machines.iter_mut().flat_map(|machine| &mut machine.tcp) {
            if tcp.id.take().is_some() && ends {
                tcp.down.push(self.now, Piece::End);
            }
        }
    }
}

/// The router has closed a connection; what it had written is on the wire, the rest is lost.
fn close(hub: &Hub, machines: &mut [Machine], now: LocalTime, id: ConnectionId) {
    if let Some((host, own)) = hub.host
        && own == id
    {
        let time = machines[host].time(now);
        machines[host].link.closed(time, None);
        return;
    }
    let mut all = machines.iter_mut().flat_map(|machine| &mut machine.tcp);
    if let Some(tcp) = all.find(|tcp| tcp.id == Some(id)) {
        tcp.id = None;
        tcp.down.push(now, Piece::End);
    }
}

/// The router's bytes for the client in its own process.
fn to_own_client(hub: &mut Hub, machines: &mut [Machine], now: LocalTime) -> bool {
    let Some((host, own)) = hub.host else { return false };
    let bytes = hub.router.outgoing(own).to_vec();
    if bytes.is_empty() {
        return false;
    }
    hub.router.wrote(own, bytes.len());
    let time = machines[host].time(now);
    machines[host].link.received(time, &bytes);
    true
}
