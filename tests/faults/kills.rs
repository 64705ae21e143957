//! kill -9 of the host, a member or the relay at the first message of each kind: the others' players read
//! what happened, their games go on, and they play on with whoever comes. The short form draws some of
//! these, the long one tries all.

use std::path::Path;
use std::time::SystemTime;

use libtest_mimic::{Failed, Trial};
use mp_playground::bots::{Bot, Errand, Habit, SaveChoice, party_code};
use mp_playground::card::Save;
use mp_playground::proxy::{Plan, Proxy, WireFault};
use mp_playground::sim::{Button, Rng};

use crate::party::{HOST, MEMBER, Relay, folder, give_host};
use crate::process::Process;
use crate::table::Table;
use crate::{Trials, is_long};

/// Who comes in the place of one that was killed.
const NEWCOMER: &str = "Casey";
/// How long a host's bot looks on at a scene, in ticks.
const SKIPS_AFTER: u32 = 75;
/// How many the short form tries.
const SHORT: usize = 6;
const NOVALIS: u8 = 1;
const OLTANIS: u8 = 14;

/// Who is killed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Who {
    Host,
    Member,
    Relay,
}

/// Whose messages are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum From {
    Host,
    Member,
    /// One that is not killed.
    Survivor,
}

/// What two bots play until a kind is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Played {
    /// A save on Novalis.
    Save,
    /// A save that does not arrive whole at the member's.
    BrokenSave,
    /// A new game, which has an opening.
    NewGame,
    /// A save on a planet whose enemies are near; the host stands there and leaves all to the member.
    Alone,
    /// The save; a survivor throws bombs.
    Bombs,
}

/// The kinds of protocol.md 3, in the order in which they come.
const KINDS: &[(&str, u8, From, Played)] = &[
    ("READY", 1, From::Member, Played::Save),
    ("STATE", 2, From::Host, Played::Save),
    ("START", 3, From::Host, Played::Save),
    ("PLAY", 4, From::Host, Played::Save),
    ("CHUNK", 5, From::Host, Played::Save),
    ("WANT", 8, From::Member, Played::BrokenSave),
    ("LEVEL", 6, From::Host, Played::Save),
    ("POSE of the host", 7, From::Host, Played::Save),
    ("POSE of the member", 7, From::Member, Played::Save),
    ("LINK", 64, From::Member, Played::Save),
    ("LINKS", 65, From::Host, Played::Save),
    ("WORLD", 9, From::Host, Played::Save),
    ("DEAD", 16, From::Host, Played::Save),
    ("PROGRESS of the host", 23, From::Host, Played::Save),
    ("PROGRESS of the member", 23, From::Member, Played::Save),
    ("BROKE", 17, From::Member, Played::Alone),
    ("KILLED", 10, From::Host, Played::Save),
    ("SPAWN", 11, From::Host, Played::Save),
    ("BOLTS", 15, From::Host, Played::Save),
    ("DESPAWN", 12, From::Host, Played::Save),
    ("SHOT", 19, From::Survivor, Played::Bombs),
    ("SCENE", 20, From::Host, Played::NewGame),
    ("SCENE_STATE", 21, From::Member, Played::NewGame),
    ("SKIP", 18, From::Host, Played::NewGame),
    ("CLAIM", 22, From::Member, Played::Alone),
    ("HIT", 13, From::Member, Played::Alone),
    ("DAMAGE", 14, From::Host, Played::Alone),
];

pub fn trials() -> Trials {
    let all = KINDS.iter().flat_map(|kind| {
        [Who::Host, Who::Member, Who::Relay].into_iter().map(move |who| (who, kind))
    });
    let mut chosen: Vec<_> = all.collect();
    if !is_long() {
        let mut rng = Rng::new(seed());
        while chosen.len() > SHORT {
            let all = u32::try_from(chosen.len()).expect("a few");
            chosen.swap_remove(rng.below(all) as usize);
        }
    }
    let trials = chosen.into_iter().map(|(who, &(name, kind, from, played))| {
        let title = format!("the_{who:?}_is_killed_at_the_first_{name}");
        let title = title.to_lowercase().replace(' ', "_");
        let folder = title.clone();
        Trial::test(title, move || killed(&folder, who, (kind, from), played))
    });
    trials.collect()
}

/// What the short form draws its kinds from.
fn seed() -> u64 {
    let given = std::env::var("FAULTS_SEED").ok().and_then(|seed| seed.parse().ok());
    let seed = given.unwrap_or_else(|| {
        let now = SystemTime::UNIX_EPOCH.elapsed().map_or(0, |now| now.subsec_nanos());
        u64::from(now / 1_000)
    });
    eprintln!("who is killed, and when: FAULTS_SEED={seed}");
    seed
}

/// The one that is killed is a process; the others are games of this one, whose pages are read.
struct Killing {
    who: Who,
    played: Played,
    table: Table,
    relay: Relay,
    /// The host's, and the member's.
    links: [Proxy; 2],
    code: String,
    process: Option<Process>,
}

impl Killing {
    fn begin(folder: &Path, who: Who, played: Played) -> Result<Self, Failed> {
        let relay = Relay::start()?;
        let fault = (played == Played::BrokenSave).then_some(WireFault::ChunksShifted);
        let to_member = Plan { fault, ..Plan::default() };
        let links = [
            Proxy::start(relay.address, Plan::default())?,
            Proxy::start(relay.address, to_member)?,
        ];
        let (table, code, process) = (Table::new(), String::new(), None);
        let mut killing = Self { who, played, table, relay, links, code, process };
        if who == Who::Host {
            let save = if killing.save() == SaveChoice::New { "new" } else { "1" };
            let mut host = killing.play(folder, HOST, &["--create", "--save", save])?;
            host.line("code: ")?.trim_start_matches("code: ").clone_into(&mut killing.code);
            killing.process = Some(host);
        } else {
            killing.sit(folder, HOST, Errand::Create { ready: 1 });
            killing.until_the_code_shows();
        }
        if who == Who::Member {
            let code = killing.code.clone();
            killing.process = Some(killing.play(folder, MEMBER, &["--code", &code])?);
        } else {
            killing.sit(folder, MEMBER, Errand::Code(killing.code.clone()));
        }
        Ok(killing)
    }

    fn save(&self) -> SaveChoice {
        match self.played {
            Played::NewGame => SaveChoice::New,
            _ => SaveChoice::Slot(1),
        }
    }

    fn habit(&self, name: &str) -> (Habit, &'static str) {
        match self.played {
            Played::Alone if name == HOST => (Habit::Stand, "stand"),
            _ => (Habit::Play, "play"),
        }
    }

    fn server(&self, name: &str) -> String {
        self.links[usize::from(name == MEMBER)].address().to_string()
    }

    fn play(&self, folder: &Path, name: &str, words: &[&str]) -> Result<Process, Failed> {
        let (server, (_, habit)) = (self.server(name), self.habit(name));
        let folder = folder.to_str().ok_or("the folder is no text")?;
        let game = ["play", "--headless", "--bot", habit, "--name", name, "--server", &server];
        Ok(Process::run(&[&game[..], &["--work-dir", folder], words].concat()))
    }

    fn sit(&mut self, folder: &Path, name: &'static str, errand: Errand) {
        let (server, (habit, _)) = (self.server(name), self.habit(name));
        self.table.sit_in(folder.join(name), name, Errand::None, 0, &server);
        let bot = Bot::new(errand, habit, 1).with_save(self.save()).who_skips(SKIPS_AFTER);
        self.table.players.last_mut().expect("it sat down").bot = bot;
    }

    fn until_the_code_shows(&mut self) {
        self.table
            .until("the lobby shows the code", |table| party_code(&table.screen(0)).is_some());
        party_code(&self.table.screen(0)).expect("it shows").clone_into(&mut self.code);
    }

    /// Until something of that kind has come to whom it is for.
    fn until_said(&mut self, kind: u8, from: From) {
        let link = match (from, self.who) {
            (From::Member, _) | (From::Survivor, Who::Host) => &self.links[0],
            (From::Host | From::Survivor, _) => &self.links[1],
        };
        let mut presses = false;
        self.table.until("the kind is said", |table| {
            if self.played == Played::Bombs {
                presses = !presses && table.has_control(0);
                table.players[0].taps = presses.then_some(Button::Circle);
            }
            link.traffic().kinds_down.contains(&kind)
        });
    }

    /// Until that player reads it. Bots press nothing more in menus, so that it stays.
    fn until_read(&mut self, player: usize, words: &str) {
        self.table.players.iter_mut().for_each(|player| player.bot.send(Errand::None));
        self.table.until(words, |table| {
            let screen = table.screen(player);
            screen.to_string().contains(words) || screen.message.as_deref() == Some(words)
        });
    }

    /// What each reads, and that nothing is left of the one that was killed.
    fn until_all_read_it(&mut self) {
        match self.who {
            Who::Host => self.until_read(0, "The host left: the party is over"),
            Who::Member => self.until_read(0, "Blair left"),
            Who::Relay => {
                self.until_read(0, "The server went away");
                self.until_read(1, "The server went away");
            }
        }
        self.table.until("no figure is left", |table| {
            (0..table.players.len())
                .all(|player| [HOST, MEMBER].iter().all(|of| table.figure(player, of).is_none()))
        });
    }

    /// A party again: the host's goes on with a newcomer; a member without a host makes one of its own; two
    /// without a relay meet again once it is back.
    fn play_on(&mut self) -> Result<(), Failed> {
        if self.who == Who::Relay {
            self.relay = Relay::start_at(self.relay.address)?;
        } else {
            let server = self.relay.address.to_string();
            self.table.sit_with(NEWCOMER, Errand::None, 0, &server);
        }
        let create = Errand::Create { ready: 1 };
        if self.who == Who::Member {
            // Where its game is on, it has nothing to do for that.
            self.table.players[0].bot.send(create);
        } else {
            self.table.players[0].bot = Bot::new(create, Habit::Play, 1).who_skips(SKIPS_AFTER);
            self.until_the_code_shows();
        }
        self.table.players[1].bot = Bot::new(Errand::Code(self.code.clone()), Habit::Play, 2);
        let names = [0, 1].map(|player| self.table.players[player].name);
        self.table.until("each sees the other", |table| {
            table.figure(0, names[1]).is_some() && table.figure(1, names[0]).is_some()
        });
        self.table.until("both have control", |table| (0..2).all(|one| table.has_control(one)));
        Ok(())
    }
}

fn killed(name: &str, who: Who, (kind, from): (u8, From), played: Played) -> Result<(), Failed> {
    let folder = folder(name)?;
    let level = if played == Played::Alone { OLTANIS } else { NOVALIS };
    give_host(&folder, &Save::in_level(level).encode())?;
    let mut killing = Killing::begin(&folder, who, played)?;
    killing.until_said(kind, from);
    killing.process.as_mut().unwrap_or(&mut killing.relay.process).kill()?;
    killing.until_all_read_it();
    killing.play_on()?;
    killing.table.end();
    killing.relay.process.end_well()
}
