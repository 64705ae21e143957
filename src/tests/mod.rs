//! The mod's core, driven tick by tick: fake games, a clock by hand, and at the other end of each
//! session's handle a party that does with commands what a direct host would.

mod arrivals;
mod bad_input;
mod bolts;
mod chat;
mod crates;
pub(crate) mod fake;
mod fake_world;
mod figures;
mod floods;
mod hits;
mod leaving;
mod leaving_from;
mod limits;
mod network;
mod pages;
mod party;
mod pickups;
mod progress;
mod rows;
mod saves;
mod scenes;
mod server;
mod shared;
mod shots;
mod snapshots;
mod stalls;
mod travel;
mod untrue;
mod world;

use core::net::SocketAddr;
use std::time::Duration;

use fake::FakeGame;
use mp_netcode::LocalTime;
use mp_protocol::SessionId;
use mp_protocol::game::Message;
use mp_sockets::{
    Command, Event, FarEnd, Handle, LinkId, Member, PartyNews, PartyRequest, Quality, Report,
    Traffic,
};

use crate::front::Core as _;
use crate::game::{Animation, Gone, HeroPose, PageEvent, PageId, PageView, PromptId, Skip};
use crate::hooks::Asked;
use crate::hooks::Happened;
use crate::multiplayer::Multiplayer;

/// A tick of a 60 Hz game.
const TICK: Duration = Duration::from_micros(16_667);
/// A second's ticks.
const SECOND: u32 = 60;
/// The server's clock minus the local one, in these tests.
const OFFSET_MICROS: i64 = 1_700_000_000_000_000;

/// One player: the mod in a fake game, and what stands in for its socket thread.
struct Player {
    mp: Multiplayer,
    game: FakeGame,
    far: FarEnd,
    link: LinkId,
    id: SessionId,
    name: &'static str,
    events: Vec<(Option<SessionId>, Vec<u8>)>,
    states: Vec<Vec<u8>>,
    worlds: Vec<(Option<SessionId>, Vec<u8>)>,
    closed: bool,
    asked: Vec<Command>,
    said: Vec<String>,
}

impl Player {
    fn new(name: &'static str, id: i32) -> Self {
        Self::in_game(name, id, FakeGame::default())
    }

    fn in_game(name: &'static str, id: i32, game: FakeGame) -> Self {
        game.settings.borrow_mut().insert("Name", name.to_owned());
        let (handle, far) = Handle::detached();
        Self {
            mp: Multiplayer::new(&game, handle, 0),
            game,
            far,
            link: LinkId(0),
            id: SessionId(id),
            name,
            events: Vec::new(),
            states: Vec::new(),
            worlds: Vec::new(),
            closed: false,
            asked: Vec::new(),
            said: Vec::new(),
        }
    }

    fn member(&self) -> Member {
        Member { id: self.id, name: self.name.to_owned() }
    }

    /// Takes the commands that wait.
    fn take_commands(&mut self) {
        while let Some(command) = self.far.try_next() {
            match command {
                Command::Connect { link, .. } | Command::Host { link, .. } => {
                    self.link = link;
                    self.closed = false;
                    self.asked.push(command);
                }
                Command::Event { target, bytes } => self.events.push((target, bytes.0)),
                Command::State { target: None, bytes, .. } => self.states.push(bytes.0),
                Command::State { target, bytes, .. } => self.worlds.push((target, bytes.0)),
                Command::Close => self.closed = true,
                Command::Chat { text } => self.said.push(text),
                Command::Disconnect { .. } | Command::Party(_) | Command::Simulate(_) => {
                    self.asked.push(command);
                }
            }
        }
    }

    /// It has asked to host a party, which from now on it does. What the party plays.
    fn hosts(&self) -> String {
        match self.asked.last() {
            Some(Command::Party(PartyRequest::Create { description })) => description.clone(),
            Some(Command::Host { description, .. }) => {
                let addresses = vec![[192, 168, 1, 20].into()];
                self.report(Event::Hosting { port: 7770, addresses });
                description.clone()
            }
            _ => panic!("hosts: {:?}", self.asked),
        }
    }

    fn report(&self, event: Event) {
        self.far.report(Report { link: self.link, event }).expect("a test's inbox has room");
    }

    fn data_at(&self, at: LocalTime, sender: SessionId, bytes: &[u8]) {
        self.report(Event::Data { sender, bytes: bytes.to_vec().into(), at, udp: false });
    }

    /// A message whose time of arrival does not matter.
    fn data(&self, sender: SessionId, bytes: &[u8]) {
        self.data_at(LocalTime::ZERO, sender, bytes);
    }

    /// Greeted and measured, as a link on one machine is.
    fn connected(&self) {
        self.report(Event::Connected { session: self.id });
        self.report(Event::Quality(Quality {
            round_trip: Duration::from_millis(12),
            server_offset_micros: OFFSET_MICROS,
            udp: true,
            jitter: Duration::ZERO,
            loss: 0.0,
            bytes: Traffic::default(),
        }));
    }

    fn choose(&mut self, page: PageId, label: &str, now: LocalTime) {
        let view = self.mp.page(page, &self.game, now);
        let row = view.rows.iter().position(|row| row.label == label);
        let row = row.unwrap_or_else(|| panic!("no row {label:?} in {view:?}"));
        self.mp.page_event(page, PageEvent::Choose { row }, &self.game, now);
    }

    fn show(&mut self, page: PageId, now: LocalTime) {
        self.mp.page_event(page, PageEvent::Shown, &self.game, now);
    }

    fn page(&mut self, page: PageId, now: LocalTime) -> PageView {
        self.mp.page(page, &self.game, now)
    }

    /// Another of the party says something.
    fn said(&self, sender: SessionId, text: &str) {
        self.report(Event::Chat { sender, text: text.to_owned() });
    }

    fn footer(&mut self, page: PageId, now: LocalTime) -> String {
        self.page(page, now).footer.join(" | ")
    }

    /// The player picks a level in the ship. Returns whether it leaves.
    fn picks(&mut self, level: i32) -> bool {
        self.asks(&Asked::Travel { level, by_ship: true })
    }

    /// The player presses Start in that. Returns whether it is skipped.
    fn skips(&mut self, skip: Skip) -> bool {
        self.asks(&Asked::Skip(skip))
    }

    fn asks(&mut self, asked: &Asked) -> bool {
        self.mp.asked(asked, &self.game, LocalTime::ZERO)
    }

    fn leave(&mut self) {
        self.mp.answered(PromptId::Leave, true, &self.game);
    }
}

/// A page as a player reads it: `value` behind its label, dim rows in brackets.
fn text(view: &PageView) -> String {
    let mut lines = vec![view.title.clone()];
    lines.extend(view.lines.iter().map(|line| format!("  {line}")));
    for row in &view.rows {
        let words = format!("{} {}", row.label, row.value);
        let words = words.trim_end();
        lines.push(if row.dim { format!("- ({words})") } else { format!("- {words}") });
    }
    lines
        .extend(view.footer.iter().filter(|line| !line.is_empty()).map(|line| format!("> {line}")));
    lines.join("\n")
}

/// A party of such players: the first hosts it. Events arrive in the tick they were sent in, after
/// everyone's tick; states too.
struct Party {
    players: Vec<Player>,
    now: LocalTime,
    description: String,
    /// On a server, not at its host's address.
    on_server: bool,
}

impl Party {
    /// All of them in one party, in their lobbies.
    fn of(names: &[&'static str]) -> Self {
        Self::playing(FakeGame::default(), "New game", names)
    }

    /// Likewise; the first hosts with this game, and chooses this row on Choose a save.
    fn playing(host: FakeGame, save: &str, names: &[&'static str]) -> Self {
        Self::begun(false, host, save, names)
    }

    /// All of them in one party on a server.
    fn on_server(names: &[&'static str]) -> Self {
        Self::begun(true, FakeGame::default(), "New game", names)
    }

    fn begun(on_server: bool, host: FakeGame, save: &str, names: &[&'static str]) -> Self {
        let (now, description) = (LocalTime::from_micros(1_000_000), String::new());
        let mut party = Self { players: Vec::new(), now, description, on_server };
        party.enter_as(names[0], host, save);
        for name in &names[1..] {
            party.enter(name);
        }
        party
    }

    /// One more comes in. Returns its place.
    fn enter(&mut self, name: &'static str) -> usize {
        self.enter_as(name, FakeGame::default(), "New game")
    }

    fn enter_as(&mut self, name: &'static str, game: FakeGame, save: &str) -> usize {
        let place = self.players.len();
        let mut player = Player::in_game(name, 7 + i32::try_from(place).expect("few"), game);
        player.show(PageId::Home, self.now);
        if self.on_server {
            player.take_commands();
            player.connected();
            player.mp.tick(&player.game, self.now);
        }
        let (menu, row) = if self.on_server {
            (PageId::Home, "Create match")
        } else {
            (PageId::Direct, "Host directly")
        };
        if place == 0 {
            player.choose(menu, row, self.now);
            player.show(PageId::Saves, self.now);
            player.choose(PageId::Saves, save, self.now);
            player.take_commands();
            self.description = player.hosts();
        } else {
            let page = if self.on_server { PageId::Code } else { PageId::Join };
            player.choose(page, "Join", self.now);
            player.take_commands();
        }
        if !self.on_server {
            player.connected();
        }
        self.players.push(player);
        let members: Vec<_> = self.players.iter().map(Player::member).collect();
        let info = PartyNews::Info {
            code: if self.on_server { "H7KQ2M" } else { "DIRECT" }.to_owned(),
            host: self.players[0].id,
            members,
            description: self.description.clone(),
        };
        self.players[place].report(Event::Party(info));
        for other in &self.players[..place] {
            other.report(Event::Party(PartyNews::Joined(self.players[place].member())));
        }
        self.tick();
        place
    }

    /// One is lost: the others hear it, and what it said before arrived.
    fn lose(&mut self, place: usize) {
        let id = self.players.remove(place).id;
        for other in &self.players {
            other.report(Event::Party(PartyNews::Left { id }));
        }
    }

    /// One tick of every game, then what they sent arrives.
    fn tick(&mut self) {
        self.step();
        self.route();
    }

    /// One tick of every game.
    fn step(&mut self) {
        self.now = self.now + TICK;
        for player in &mut self.players {
            player.mp.tick(&player.game, self.now);
            for moby in player.game.world.gone.take() {
                let gone = Happened::Gone { moby, how: Gone::Mod, by: None };
                player.mp.happened(&gone, &player.game, self.now);
            }
            player.take_commands();
        }
    }

    fn ticks(&mut self, ticks: u32) {
        (0..ticks).for_each(|_| self.tick());
    }

    /// The host's to whom it says or to all, a member's to the host.
    fn route(&mut self) {
        let host = self.players[0].id;
        for place in 0..self.players.len() {
            let sender = self.players[place].id;
            for text in std::mem::take(&mut self.players[place].said) {
                for other in &self.players {
                    other.report(Event::Chat { sender, text: text.clone() });
                }
            }
            let mut sent = std::mem::take(&mut self.players[place].events);
            sent.extend(
                std::mem::take(&mut self.players[place].states).into_iter().map(|s| (None, s)),
            );
            sent.append(&mut self.players[place].worlds);
            for (target, bytes) in sent {
                for other in self.players.iter().filter(|other| other.id != sender) {
                    let reached = if sender == host {
                        target.is_none_or(|target| target == other.id)
                    } else {
                        other.id == host
                    };
                    if reached && !other.closed {
                        other.data_at(self.now, sender, &bytes);
                    }
                }
            }
        }
    }

    fn host(&mut self) -> &mut Player {
        &mut self.players[0]
    }

    fn choose(&mut self, place: usize, page: PageId, label: &str) {
        let now = self.now;
        self.players[place].choose(page, label, now);
        self.tick();
    }

    fn text(&mut self, place: usize, page: PageId) -> String {
        let now = self.now;
        text(&self.players[place].page(page, now))
    }

    /// All get ready and the host starts; each game that was told to is then in a level.
    fn start(&mut self) {
        self.press_start();
        for player in &self.players {
            assert!(player.game.did().iter().any(|did| did.starts_with("start ")));
            player.game.play(0, hero([0.0, 0.0, 0.0]));
        }
        self.tick();
    }

    /// All get ready and the host starts.
    fn press_start(&mut self) {
        for place in 1..self.players.len() {
            self.choose(place, PageId::Lobby, "Ready");
        }
        self.ticks(2);
        self.choose(0, PageId::Lobby, "Start");
        self.tick();
    }
}

/// A message as its bytes.
fn encoded(message: &Message) -> Vec<u8> {
    let mut bytes = Vec::new();
    message.encode(&mut bytes).expect("a test's message");
    bytes
}

/// A hero that stands there.
fn hero(position: [f32; 3]) -> HeroPose {
    HeroPose {
        position,
        health: 4,
        item: 10,
        animation: Animation { sequence: 5, frame: 6, next_frame: 7, time: 0.5, speed: 1.0 },
        ..HeroPose::default()
    }
}

fn address(text: &str) -> SocketAddr {
    text.parse().expect("a test's address")
}

/// A party that plays in level 0, what the mod did until then taken.
fn playing(names: &[&'static str]) -> Party {
    let mut party = Party::of(names);
    party.start();
    party.ticks(30);
    for player in &party.players {
        player.game.did();
    }
    party
}

/// The words with which the mod holds a player's control, if it does.
fn held(player: &Player) -> Option<String> {
    player.game.hold.borrow().clone()
}

/// A pose's bytes as a player sends them now.
fn sent_by(party: &mut Party, place: usize) -> Vec<u8> {
    party.now = party.now + TICK * 3;
    let now = party.now;
    let player = &mut party.players[place];
    player.mp.tick(&player.game, now);
    player.take_commands();
    player.states.pop().expect("a pose is due")
}
