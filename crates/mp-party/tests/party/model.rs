//! What can happen to a router, and what clients know of it: after each step all of it must agree. The
//! sequences are drawn by the tests here and by the fuzz target `router`.

use std::collections::BTreeSet;
use std::time::Duration;

use mp_party::{Limits, Mode};
use mp_protocol::datagram::ClientDatagramKind;
use mp_protocol::{ClientPacket, ServerPacket, SessionId};

use crate::world::{Who, World, address, hello};

/// Small, so that sequences reach them. Frames are never too fast, so that a client's LEAVE is heard.
pub fn limits() -> Limits {
    Limits {
        frames_per_second: u32::MAX,
        frame_bytes_per_second: u32::MAX,
        chats_per_second: 1,
        lobby_requests_per_second: 2,
        connections_per_address: 3,
        queue_bytes: 3_000,
        host_queue_bytes: 1_500,
        ..Limits::default()
    }
}

#[derive(Clone, Debug)]
pub enum Op {
    Connect { from: usize },
    Hello { good: bool },
    Create,
    JoinNewest,
    Join,
    Find,
    Leave,
    List,
    Chat,
    Data { target: i32, size: usize },
    Time,
    Bytes(Vec<u8>),
    Bind { heard: bool, mine: bool },
    State { target: i32, size: usize },
    Datagram(Vec<u8>),
    Lost,
    Disconnect,
    Stall,
    Read,
    Pass { ms: u64 },
    Stop,
}

/// What a client believes of its party, from what it was told.
#[derive(Clone, Debug, PartialEq, Eq)]
struct View {
    code: String,
    host: SessionId,
    members: BTreeSet<SessionId>,
}

/// A router with its clients, and what they were told.
pub struct Model {
    pub world: World,
    views: Vec<Option<View>>,
    /// It has sent bytes that are no frames: what it says after is not known to be heard.
    wild: Vec<bool>,
    lost: Vec<bool>,
    newest_code: String,
    /// All that was told, for comparison.
    pub transcript: Vec<u8>,
}

impl Model {
    pub fn new(mode: Mode) -> Self {
        let direct = mode != Mode::Server;
        let mut model = Self {
            world: World::new(mode, limits()),
            views: Vec::new(),
            wild: Vec::new(),
            lost: Vec::new(),
            newest_code: "222222".into(),
            transcript: Vec::new(),
        };
        if direct {
            let own = model.world.connect_local();
            model.added();
            model.world.send(own, &hello("Own"));
        }
        model
    }

    fn added(&mut self) {
        self.views.push(None);
        self.wild.push(false);
        self.lost.push(false);
    }

    /// Does it, to the client that the number chooses, and checks all that must hold.
    pub fn step(&mut self, chosen: usize, op: &Op) {
        self.apply(chosen, op);
        self.read();
        self.check();
    }

    fn apply(&mut self, chosen: usize, op: &Op) {
        if let Op::Connect { from } = op {
            self.world.connect_from(address(*from));
            self.added();
            return;
        }
        if let Op::Pass { ms } = op {
            self.world.pass(Duration::from_millis(*ms));
            return;
        }
        let there: Vec<_> = (0..self.views.len()).filter(|&who| !self.is_gone(who)).collect();
        if there.is_empty() {
            return;
        }
        let who = there[chosen % there.len()];
        let talks = !matches!(op, Op::Hello { .. } | Op::Bytes(_) | Op::Lost | Op::Stall);
        if talks && self.world.clients[who].session.0 == 0 && !self.world.clients[who].stalled {
            self.apply_to(who, &Op::Hello { good: true });
            self.read();
        }
        self.apply_to(who, op);
    }

    fn apply_to(&mut self, who: Who, op: &Op) {
        let code = self.newest_code.clone();
        let world = &mut self.world;
        match op {
            Op::Connect { .. } | Op::Pass { .. } => unreachable!("handled above"),
            Op::Hello { good } => {
                // A second one would close; one that is stalled has not read whether it was the first.
                if world.clients[who].session.0 == 0 {
                    world.send(who, &hello(if *good { "Nova_7" } else { "" }));
                }
            }
            Op::Create => world.send(who, &ClientPacket::Create { description: "New game" }),
            Op::JoinNewest => world.send(who, &ClientPacket::Join { code: &code }),
            Op::Join => world.send(who, &ClientPacket::Join { code: "222223" }),
            Op::Find => world.send(who, &ClientPacket::Find),
            // What a stalled one reads later would be of the party it left: one that leaves has read.
            Op::Leave if world.clients[who].stalled => {}
            Op::Leave => {
                self.views[who] = None;
                world.send(who, &ClientPacket::Leave);
            }
            Op::List => world.send(who, &ClientPacket::List),
            Op::Chat => world.send(who, &ClientPacket::Chat { text: "hi" }),
            Op::Data { target, size } => {
                world.send(who, &ClientPacket::Data { target: *target, bytes: &vec![1; *size] });
            }
            Op::Time => world.send(who, &ClientPacket::Time { clock_ms: 1 }),
            Op::Bytes(bytes) => {
                self.wild[who] = true;
                world.send_bytes(who, bytes);
            }
            Op::Bind { heard, mine } => {
                let from = if *mine { who } else { 99 };
                let client = &world.clients[who];
                let bind = ClientDatagramKind::Bind { heard: *heard, size: 100 };
                let bytes = crate::world::datagram(client.session, client.token, bind);
                world.datagram_from(crate::world::udp_address(from), &bytes);
            }
            Op::State { target, size } => {
                let bytes = vec![2; *size];
                let state = ClientDatagramKind::State { target: *target, bytes: &bytes };
                world.send_datagram(who, state);
            }
            Op::Datagram(bytes) => {
                world.datagram_from(crate::world::udp_address(who), bytes);
            }
            Op::Lost | Op::Disconnect | Op::Stall | Op::Read | Op::Stop => self.befall(who, op),
        }
    }

    /// What it does not do itself.
    fn befall(&mut self, who: Who, op: &Op) {
        let world = &mut self.world;
        let id = world.clients[who].id;
        match op {
            Op::Lost => {
                self.lost[who] = true;
                world.drop_client(who);
            }
            Op::Disconnect => {
                world.router.disconnect(world.now, id);
                world.pump();
            }
            Op::Stall => world.clients[who].stalled = true,
            Op::Read => {
                world.clients[who].stalled = false;
                world.write(id);
                world.pump();
            }
            Op::Stop => {
                world.router.stop(world.now);
                world.pump();
            }
            _ => unreachable!("it does that itself"),
        }
    }

    fn is_gone(&self, who: Who) -> bool {
        self.lost[who] || self.world.clients[who].closed.is_some()
    }

    /// Whether this client has heard all it was told and says what it means.
    fn is_sound(&self, who: Who) -> bool {
        !self.is_gone(who) && !self.wild[who] && !self.world.clients[who].stalled
    }

    /// Reads what everyone was told since, each packet checked against what they knew.
    fn read(&mut self) {
        for who in 0..self.views.len() {
            for body in self.world.bodies(who) {
                self.transcript.extend_from_slice(&who.to_be_bytes());
                self.transcript.extend_from_slice(&body);
                let packet = ServerPacket::decode(&body).expect("the router sends valid packets");
                self.hear(who, packet);
            }
            if self.is_gone(who) {
                self.views[who] = None;
            }
        }
        for sent in self.world.datagrams.drain(..) {
            self.transcript.extend_from_slice(format!("{sent:?}").as_bytes());
        }
    }

    fn hear(&mut self, who: Who, packet: ServerPacket<'_>) {
        let client = &mut self.world.clients[who];
        let view = &mut self.views[who];
        match packet {
            ServerPacket::Hello { session } => client.session = session,
            ServerPacket::Udp { token, .. } => client.token = token,
            ServerPacket::Info(info) => {
                let members: Vec<_> = info.members.iter().map(|member| member.id).collect();
                let view = View {
                    code: info.code.into(),
                    host: info.host,
                    members: members.iter().copied().collect(),
                };
                assert_eq!(view.members.len(), members.len(), "one who is in a party twice");
                self.newest_code.clone_from(&view.code);
                self.views[who] = Some(view);
            }
            ServerPacket::Joined { id, .. } => {
                if let Some(view) = view {
                    assert!(view.members.insert(id), "one who is in already joined");
                }
            }
            ServerPacket::Left { id } => {
                if let Some(view) = view {
                    assert!(view.members.remove(&id), "one who was not in left");
                    assert_ne!(id, view.host, "a party without its host goes on");
                }
            }
            ServerPacket::End => *view = None,
            ServerPacket::Chat { sender, .. } => {
                if let Some(view) = view {
                    assert!(view.members.contains(&sender), "chat from outside");
                }
            }
            ServerPacket::Data { sender, .. } => {
                if let Some(view) = view {
                    assert!(view.members.contains(&sender), "data from outside");
                    let between = view.host == sender || view.host == client.session;
                    assert!(between, "data between members");
                }
            }
            ServerPacket::List(_) | ServerPacket::Error(_) | ServerPacket::Time { .. } => {}
        }
    }

    fn check(&self) {
        for who in 0..self.views.len() {
            let client = &self.world.clients[who];
            let queued = self.world.router.outgoing(client.id).len();
            assert!(queued < limits().queue_bytes, "client {who} has {queued} waiting");
            if self.is_sound(who)
                && let Some(view) = &self.views[who]
            {
                self.check_view(who, view);
            }
        }
        self.check_counts();
    }

    /// What all routers know together is what the clients know: no party without members, no connection
    /// that counts though it is gone.
    fn check_counts(&self) {
        let commons = self.world.commons.lock().expect("no one panicked with it");
        let counters = self.world.router.counters();
        assert_eq!(commons.parties() as u64, counters.parties - counters.parties_ended);
        let open: Vec<Who> = (0..self.views.len()).filter(|&who| !self.is_gone(who)).collect();
        assert_eq!(self.world.router.queues().connections, open.len());
        // Those who have not heard all may be in a party of which only they know, or on their way out.
        let (sound, unsure): (Vec<Who>, Vec<Who>) =
            open.iter().copied().partition(|&who| self.is_sound(who));
        let codes = sound.iter().filter_map(|&who| Some(&self.views[who].as_ref()?.code));
        let known = codes.collect::<BTreeSet<_>>().len();
        assert!((known..=known + unsure.len()).contains(&commons.parties()), "{known} known");
        let counted = |who: &&Who| !self.world.clients[**who].local;
        let (most, stalled) = (
            open.iter().filter(counted).count(),
            open.iter().filter(counted).filter(|&&who| self.world.clients[who].stalled).count(),
        );
        assert!((most - stalled..=most).contains(&commons.connections()), "{most}, {stalled}");
    }

    fn check_view(&self, who: Who, view: &View) {
        assert!(view.members.contains(&self.world.clients[who].session), "{who}: not in its own");
        assert!(view.members.contains(&view.host), "{who}: a host that is not in");
        assert!(view.members.len() <= 4, "{who}: {view:?}");
        for member in &view.members {
            let other =
                (0..self.views.len()).find(|&other| self.world.clients[other].session == *member);
            // A stalled one has not read who it is.
            let Some(other) = other else { continue };
            assert!(!self.is_gone(other), "{who}: {member} is gone");
            if self.is_sound(other) {
                assert_eq!(self.views[other].as_ref(), Some(view), "{who} and {other}");
            }
        }
    }
}
