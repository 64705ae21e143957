//! A member's game and a host's, with the mod in them, and a peer that says whatever it likes. The game is
//! the stand-in game behind the mod's trait, as in mp-lab: it refuses what a game cannot do, and counts
//! that as a fault of the mod's. So no message may panic the mod, give its game anything out of range, or
//! make it say what is no message.

use std::net::{IpAddr, Ipv4Addr};
use std::time::Duration;

use mp_lab::game::{Instance, Settings};
use mp_netcode::{Grade, LocalTime};
use mp_playground::bots::{Bot, Errand, Habit};
use mp_playground::card::Card;
use mp_playground::game::{Phase, StandIn};
use mp_playground::sim::{Pad, Vec3};
use mp_protocol::game::{Level, Message, Play, PlayFrom, PlayId, Ready};
use mp_protocol::{ErrorReason, SessionId};
use mp_sockets::{
    Command, Event, FarEnd, LinkId, LostReason, Member, PartyNews, PartyRequest, PartyRow, Quality,
    Report, Traffic,
};

use super::input::Input;

const TICK: Duration = Duration::from_micros(16_667);
/// The longest that a game takes to where a run begins, in ticks.
const PRELUDE: usize = 3_000;
/// Steps of a run at most.
const STEPS: usize = 256;
const ME: SessionId = SessionId(1);
const OTHER: SessionId = SessionId(2);
const THIRD: SessionId = SessionId(3);
const SERVER: &str = "127.0.0.1:7770";
/// No position that a game is given is further out (protocol.md 3), with what a hero runs in a while.
const FAR: f32 = 110_000.0;

/// Where a run begins.
#[derive(Clone, Copy, PartialEq)]
enum Begin {
    Home,
    MemberInLobby,
    MemberPlays,
    HostInLobby,
    HostPlays,
}

struct Player {
    game: Instance,
    far: FarEnd,
    bot: Bot,
    now: LocalTime,
    link: LinkId,
    hosts: bool,
}

impl Player {
    fn begin(begin: Begin) -> Self {
        let settings = Settings { name: "Nova_7".to_owned(), server: SERVER.to_owned() };
        let (game, far) = Instance::start(settings, 1, Card::default());
        let errand = match begin {
            Begin::HostInLobby => Errand::Host { ready: 9 },
            Begin::HostPlays => Errand::Host { ready: 1 },
            _ => Errand::Choose("Multiplayer".to_owned()),
        };
        let bot = Bot::new(errand, Habit::Play, 1);
        let mut player =
            Self { game, far, bot, now: LocalTime::ZERO, link: LinkId(0), hosts: false };
        let is_host = matches!(begin, Begin::HostInLobby | Begin::HostPlays);
        player.until(|player| if is_host { player.hosts } else { player.link != LinkId(0) });
        match begin {
            Begin::Home => {}
            Begin::MemberInLobby | Begin::MemberPlays => {
                player.report(info(OTHER));
                if begin == Begin::MemberPlays {
                    let build = player.build();
                    let from = PlayFrom::NewGame;
                    let play = Play { play: PlayId(7), from, level: Level::NONE, build: &build };
                    player.data(OTHER, &encoded(&play.into()));
                    player.until(|player| player.phase() == Phase::Playing);
                }
            }
            Begin::HostInLobby | Begin::HostPlays => {
                player.report(joined(OTHER));
                player.report(joined(THIRD));
                player.tick();
                if begin == Begin::HostPlays {
                    for member in [OTHER, THIRD] {
                        player.data(member, &encoded(&Ready { ready: true }.into()));
                    }
                    player.until(|player| player.phase() == Phase::Playing);
                }
            }
        }
        player
    }

    /// The build of this mod in this game, as the mod itself says it.
    fn build(&self) -> String {
        use openrac_multiplayer::game::Game as _;
        format!("{}/{}", mp_protocol::VERSION, self.game.game().build())
    }

    fn phase(&self) -> Phase {
        self.game.look(StandIn::phase)
    }

    fn until(&mut self, holds: impl Fn(&Self) -> bool) {
        for _ in 0..PRELUDE {
            if holds(self) {
                return;
            }
            self.tick();
        }
        panic!("the game is not there:\n{}", self.game.look(StandIn::screen));
    }

    fn tick(&mut self) {
        let pad = self.game.look(|game| self.bot.pad(game));
        self.tick_with(pad);
    }

    fn tick_with(&mut self, pad: Pad) {
        self.now = self.now + TICK;
        self.game.tick(pad, self.now);
        while let Some(command) = self.far.try_next() {
            self.obey(command);
        }
        self.check();
    }

    /// Does with a command what a link does that all goes well with.
    fn obey(&mut self, command: Command) {
        match command {
            Command::Connect { link, .. } => {
                self.link = link;
                self.report(Event::Connected { session: ME });
            }
            Command::Host { link, port, .. } => {
                (self.link, self.hosts) = (link, true);
                let addresses = vec![IpAddr::V4(Ipv4Addr::new(192, 168, 1, 2))];
                self.report(Event::Hosting { port, addresses });
                self.report(Event::Connected { session: ME });
                self.report(info(ME));
            }
            Command::Party(PartyRequest::Create { .. } | PartyRequest::Find) => {
                self.report(info(ME));
            }
            Command::Party(PartyRequest::Join { .. }) => self.report(info(OTHER)),
            Command::Event { bytes, .. } | Command::State { bytes, .. } => {
                Message::decode(&bytes).expect("the mod says messages");
            }
            Command::Chat { text } => self.report(Event::Chat { sender: ME, text }),
            Command::Close
            | Command::Disconnect { .. }
            | Command::Simulate(_)
            | Command::Party(PartyRequest::Leave | PartyRequest::List) => {}
        }
    }

    fn report(&mut self, event: Event) {
        let stalled = self.far.report(Report { link: self.link, event });
        if stalled.is_err() {
            let event = Event::Lost { why: LostReason::GameStalled };
            self.far.report(Report { link: self.link, event }).expect("its messages are gone");
        }
    }

    fn data(&mut self, sender: SessionId, bytes: &[u8]) {
        let event = Event::Data { sender, bytes: bytes.to_vec().into(), at: self.now, udp: false };
        self.report(event);
    }

    /// The game was told nothing that a game cannot do, and nothing in it is where nothing can be.
    fn check(&self) {
        let faults = self.game.game().faults();
        // A peer that breaks the rules is worth a warning.
        let real: Vec<_> = faults.iter().filter(|fault| !fault.starts_with("it warns: ")).collect();
        assert!(real.is_empty(), "{real:?}");
        self.game.look(|game| {
            for figure in game.figures().iter() {
                assert!(
                    figure.pose.as_ref().is_none_or(|pose| is_sane(pose.position)),
                    "{figure:?}"
                );
            }
            assert!(
                game.hero_pose().is_none_or(|pose| is_sane(pose.position)),
                "{:?}",
                game.hero_pose()
            );
            let mut mobys = game.mobys();
            assert!(mobys.all(|moby| is_sane(moby.position)));
            assert!(game.progress().bolts >= 0);
        });
    }
}

fn is_sane(place: Vec3) -> bool {
    [place.x, place.y, place.z].into_iter().all(|number| number.abs() < FAR)
}

fn encoded(message: &Message<'_>) -> Vec<u8> {
    let mut bytes = Vec::new();
    message.encode(&mut bytes).expect("within the format");
    bytes
}

fn member(id: SessionId) -> Member {
    Member { id, name: format!("Player_{}", id.0) }
}

fn joined(id: SessionId) -> Event {
    Event::Party(PartyNews::Joined(member(id)))
}

/// A party of that host's; everyone is in a member's, its host alone in its own.
fn info(host: SessionId) -> Event {
    let members = if host == ME { vec![member(ME)] } else { [ME, OTHER, THIRD].map(member).into() };
    let (code, description) = ("H7KQ2M".to_owned(), "New game".to_owned());
    Event::Party(PartyNews::Info { code, host, members, description })
}

/// One input.
pub fn run(bytes: &[u8]) {
    let mut input = Input(bytes);
    let begin = match input.small() % 5 {
        0 => Begin::Home,
        1 => Begin::MemberInLobby,
        2 => Begin::HostInLobby,
        3 => Begin::MemberPlays,
        _ => Begin::HostPlays,
    };
    let mut player = Player::begin(begin);
    for _ in 0..STEPS {
        if !step(&mut player, &mut input) {
            break;
        }
    }
    (0..60).for_each(|_| player.tick());
}

/// One thing happens; false: the input is over.
fn step(player: &mut Player, input: &mut Input<'_>) -> bool {
    let Some(what) = input.byte() else { return false };
    match what % 16 {
        // Mostly messages, of the host's, a member's or a stranger's.
        0..6 => {
            let (sender, length) = (near(input), input.small() * 6);
            let sender = if what % 16 < 4 { OTHER } else { sender };
            player.data(sender, input.bytes(length));
        }
        6 => (0..input.small()).for_each(|_| player.tick()),
        7 => {
            let pad = Pad::of_parts((
                u16::from_be_bytes([input.next(), input.next()]),
                input.next().cast_signed(),
                input.next().cast_signed(),
            ));
            (0..input.small() % 16).for_each(|_| player.tick_with(pad));
        }
        8 => player.now = player.now + Duration::from_millis(input.small() as u64 * 64),
        9 => player.bot.send(errand(input)),
        10 => player.report(Event::Party(news(input))),
        11 => player.report(Event::Chat { sender: id(input), text: input.text() }),
        12 => player.report(Event::Refused(reason(input))),
        13 => player.report(trouble(input)),
        14 => player.report(quality(input)),
        _ => {}
    }
    player.tick();
    true
}

/// One of the party's sessions, or one that is just not.
fn near(input: &mut Input<'_>) -> SessionId {
    SessionId(i32::from(input.next() % 5))
}

/// Any, or one of these.
fn id(input: &mut Input<'_>) -> SessionId {
    if input.next() & 7 == 0 { SessionId(input.number()) } else { near(input) }
}

fn errand(input: &mut Input<'_>) -> Errand {
    match input.small() % 6 {
        0 => Errand::ShowLink,
        1 => Errand::Leave,
        2 => Errand::Pause { ticks: 30 },
        3 => Errand::Choose("Ready".to_owned()),
        4 => Errand::Choose("Start".to_owned()),
        _ => Errand::None,
    }
}

fn news(input: &mut Input<'_>) -> PartyNews {
    match input.small() % 5 {
        0 => PartyNews::Joined(Member { id: id(input), name: input.text() }),
        1 => PartyNews::Left { id: id(input) },
        2 => PartyNews::End,
        3 => PartyNews::List(vec![PartyRow {
            code: input.text(),
            host: input.text(),
            members: input.next(),
            size: input.next(),
            description: input.text(),
        }]),
        _ => PartyNews::Info {
            code: input.text(),
            host: id(input),
            members: (0..input.small() % 5)
                .map(|_| Member { id: id(input), name: input.text() })
                .collect(),
            description: input.text(),
        },
    }
}

fn reason(input: &mut Input<'_>) -> ErrorReason {
    match input.small() % 4 {
        0 => ErrorReason::NoSuchParty,
        1 => ErrorReason::Full,
        2 => ErrorReason::NotInOne,
        _ => ErrorReason::TooFast,
    }
}

fn trouble(input: &mut Input<'_>) -> Event {
    match input.small() % 5 {
        0 => Event::Lost { why: LostReason::Silent },
        1 => Event::Connecting { attempt: 1 },
        2 => Event::Connected { session: id(input) },
        3 => Event::Liveness(Grade::Interrupted),
        _ => Event::Liveness(Grade::Live),
    }
}

fn quality(input: &mut Input<'_>) -> Event {
    Event::Quality(Quality {
        round_trip: Duration::from_millis(input.small() as u64),
        server_offset_micros: i64::from(input.number()) << (input.small() % 32),
        udp: input.next() & 1 == 0,
        jitter: Duration::from_millis(input.small() as u64),
        loss: 0.0,
        bytes: Traffic::default(),
    })
}
