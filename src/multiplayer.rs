//! The mod: one instance of it, in one game. What happens in a tick, and how a report of the socket
//! thread, a choice on a page and the end of a party reach session, play and pages. It knows no
//! pointer, no clock and no thread: `src/ffi` calls it and gives it the time.

use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

use mp_netcode::LocalTime;
use mp_protocol::game::{Kind, Message};
use mp_protocol::{SessionId, VERSION};
use mp_sockets::Handle;

use crate::coop::{Coop, Now};
use crate::front::Core;
use crate::game::{Game, LogLevel, MobyHandle, PageEvent, PageId, PageView, PromptId, Setting};
use crate::hooks::{Asked, Gate, Happened, Standing};
use crate::menu::{Menu, Parts};
use crate::progress::SharedProgress;
use crate::session::{Came, InvalidMessage, Notice, Session, names, server};
use crate::settings::Settings;
use crate::trace::{Role, Sight, Trace, Watch};
use crate::world::{self, Refused, RefusedCounts, World};

/// What a stall of the game's counts at most for any waiting (B3.6).
const WAIT_PER_TICK_MAX: Duration = Duration::from_millis(100);

/// For how long a message over the level shows.
const MESSAGE_SECONDS: f32 = 4.0;

/// One instance of the mod. See the module.
pub struct Multiplayer {
    session: Session,
    coop: Coop,
    progress: SharedProgress,
    world: World,
    refused: RefusedCounts,
    menu: Menu,
    settings: Settings,
    trace: Trace,
    watch: Watch,
    last_tick: LocalTime,
    patient: LocalTime,
}

impl Multiplayer {
    /// The mod, with what the game's settings say. `net` is the socket thread's end; `random` makes up
    /// a name if there is none.
    pub fn new(game: &dyn Game, net: Handle, random: u64) -> Self {
        let name = names::choose(&game.setting(Setting::Name), &game.launcher_name(), random);
        let mut server = game.setting(Setting::Server);
        if server.trim().is_empty() {
            server::DEFAULT.clone_into(&mut server);
        }
        let build = format!("{VERSION}/{}", game.build());
        game.log(LogLevel::Info, &format!("multiplayer {build}: you are {name}"));
        let settings = Settings::read(game);
        Self {
            session: Session::new(net, name, &server, settings.chat),
            coop: Coop::new(build),
            progress: SharedProgress::default(),
            world: World::new(),
            refused: RefusedCounts::default(),
            menu: Menu::default(),
            settings,
            trace: Trace::default(),
            watch: Watch::default(),
            last_tick: LocalTime::ZERO,
            patient: LocalTime::ZERO,
        }
    }

    /// The same, with a trace of what happens (behaviour.md 9).
    #[must_use]
    pub fn traced(mut self, trace: Trace) -> Self {
        self.session.trace_to(trace.clone());
        self.watch = Watch::new(trace.clone());
        self.trace = trace;
        self
    }

    fn role(&self) -> Role {
        match self.session.party() {
            None => Role::Solo,
            Some(_) if self.session.is_host() => Role::Host,
            Some(_) => Role::Member,
        }
    }

    fn advance(&mut self, now: LocalTime) -> Now {
        let passed = now.since(self.last_tick);
        self.last_tick = now;
        self.patient = self.patient + passed.min(WAIT_PER_TICK_MAX);
        Now { local: now, patient: self.patient }
    }

    fn take(&mut self, notice: Notice, game: &dyn Game, now: Now) {
        match notice {
            Notice::Log(line) => game.log(LogLevel::Info, &line),
            Notice::Fault(line) => game.log(LogLevel::Error, &line),
            Notice::Greeted => self.menu.greeted(game),
            Notice::Entered => self.entered(game),
            Notice::Joined(id) => {
                self.coop.joined(id, &mut self.session);
                self.progress.joined();
                self.say_of(id, "joined", game);
            }
            Notice::Left { id, name } => {
                self.forget(id, game);
                if game.phase().in_game() {
                    game.message(&format!("{name} left"), MESSAGE_SECONDS);
                }
            }
            Notice::Said(line) => {
                if game.phase().in_game() {
                    game.message(&line, MESSAGE_SECONDS);
                }
            }
            Notice::Ended(why) => {
                game.log(LogLevel::Info, &format!("the party is over: {}", why.words()));
                self.go_home(game);
            }
            Notice::Data { sender, bytes, at } => {
                self.data(Came { sender, bytes: &bytes, at }, game, now);
            }
        }
    }

    /// In a party now. One who has gone back to the title meanwhile, or on into a game, has given it up: it
    /// would be in a party without knowing, and the others would wait for it.
    fn entered(&mut self, game: &dyn Game) {
        if game.phase().in_game() || self.menu.shown().is_none() {
            self.session.leave();
        } else {
            game.page_open(PageId::Lobby);
        }
    }

    /// A member's message: the lobby's are the session's, all others the play's. One that is malformed
    /// costs its sender and reaches nothing (protocol.md 3).
    fn data(&mut self, came: Came, game: &dyn Game, now: Now) {
        if !self.session.hears(came.sender) {
            return;
        }
        match self.session.checked(came.sender, came.bytes, now.local) {
            Ok(message) => {
                self.session.took(&message, came);
                if let Message::Progress(progress) = &message {
                    self.progress.came(self.coop.play(), progress);
                } else if !self.session.lobby_message(came.sender, &message) {
                    let taken = [
                        self.world(game, now.local, |world, parts| {
                            world.message(&message, came, parts)
                        }),
                        self.coop.message(&message, came, &mut self.session, game, now),
                    ];
                    taken.into_iter().filter_map(Result::err).for_each(|why| {
                        self.refused.count(why);
                        self.trace.dropped(came.sender, &why);
                    });
                }
            }
            Err(why) => self.malformed(came, &why, game, now.local),
        }
    }

    /// What is malformed is counted; the player reads of it where it was waited for, or is of one whom
    /// nothing more is taken of.
    fn malformed(&mut self, came: Came, why: &InvalidMessage, game: &dyn Game, now: LocalTime) {
        self.trace.dropped(came.sender, why);
        if let Some(words) = self.session.strike(came.sender, why, now) {
            game.log(LogLevel::Warning, &words);
        }
        if !self.session.is_host() && came.bytes.first() == Some(&(Kind::Play as u8)) {
            self.coop.play_came_malformed(&mut self.session, game);
        }
        if !self.session.hears(came.sender) {
            self.say_of(came.sender, "is ignored: its game sends what makes no sense", game);
            self.forget(came.sender, game);
        }
    }

    /// One who left, or of whom nothing counts any more: no figure stays, and nothing waits for it.
    fn forget(&mut self, id: SessionId, game: &dyn Game) {
        self.coop.left(id, game);
        self.world.left(id);
    }

    /// The end of a party takes a player to the Multiplayer page, out of any level (B5.9).
    fn go_home(&mut self, game: &dyn Game) {
        let leaves_title = self.coop.is_leaving_title();
        self.coop.ended(game);
        self.progress = SharedProgress::default();
        self.world(game, self.last_tick, |world, parts| world.ended(parts));
        if game.phase().in_game() || leaves_title {
            game.title_return(PageId::Home);
        } else if self.menu.shown().is_some() {
            game.page_open(PageId::Home);
        }
    }

    /// The menu, and what it works on.
    fn parts<R>(
        &mut self,
        game: &dyn Game,
        now: LocalTime,
        work: impl FnOnce(&mut Menu, &mut Parts) -> R,
    ) -> R {
        let (session, coop, refused) = (&mut self.session, &mut self.coop, &self.refused);
        let mut parts = Parts { session, coop, refused, game, now, settings: self.settings };
        work(&mut self.menu, &mut parts)
    }

    /// The shared world, and what it works on.
    fn world<R>(
        &mut self,
        game: &dyn Game,
        now: LocalTime,
        work: impl FnOnce(&mut World, &mut world::Parts) -> R,
    ) -> R {
        let mut parts = world::Parts { session: &mut self.session, coop: &self.coop, game, now };
        work(&mut self.world, &mut parts)
    }

    /// Playing together, and the session it stands on.
    #[cfg(test)]
    pub(crate) fn parties(&self) -> (&Coop, &Session) {
        (&self.coop, &self.session)
    }

    /// The page that shows, if one of the mod's does.
    pub fn shown(&self) -> Option<PageId> {
        self.menu.shown()
    }

    /// How often something that another said was dropped for that reason.
    pub fn refused(&self, why: Refused) -> u64 {
        self.refused.of(why)
    }

    fn say_of(&self, id: SessionId, what: &str, game: &dyn Game) {
        let Some(member) = self.session.party().and_then(|party| party.member(id)) else { return };
        if game.phase().in_game() {
            game.message(&format!("{} {what}", member.name), MESSAGE_SECONDS);
        }
    }
}

impl Core for Multiplayer {
    fn tick(&mut self, game: &dyn Game, now: LocalTime) {
        let now = self.advance(now);
        self.watch.begin(game, self.role(), self.session.name(), now.local);
        while let Some(notice) = self.session.poll(now.local) {
            self.take(notice, game, now);
        }
        self.session.tick(now.local);
        self.parts(game, now.local, |menu, parts| menu.tick(parts));
        self.coop.tick(&mut self.session, game, now);
        if self.session.party().is_some() {
            self.progress.play(self.coop.play(), &mut self.session, game, now.local);
            self.world(game, now.local, |world, parts| world.tick(parts));
        }
        let world = &self.world;
        let server = self.session.server_time(now.local);
        let sight = Sight { server, known: &|moby| world.known(moby), eyes: world.eyes() };
        self.watch.end(game, &sight, now.local);
        self.session.flush();
    }

    fn page_event(&mut self, page: PageId, event: PageEvent, game: &dyn Game, now: LocalTime) {
        self.parts(game, now, |menu, parts| menu.event(page, event, parts));
        self.session.flush();
    }

    fn answered(&mut self, prompt: PromptId, yes: bool, game: &dyn Game) {
        match prompt {
            PromptId::Leave if yes => {
                self.session.leave();
                self.go_home(game);
            }
            PromptId::Leave => {}
        }
        self.session.flush();
    }

    fn page(&mut self, page: PageId, game: &dyn Game, now: LocalTime) -> PageView {
        self.parts(game, now, |menu, parts| menu.page(page, parts))
    }

    fn asked(&mut self, asked: &Asked, game: &dyn Game, now: LocalTime) -> bool {
        let answer = match *asked {
            Asked::Travel { level, .. } => self.coop.on_travel(level, &mut self.session, game),
            Asked::Skip(skip) => self.coop.on_skip(skip, &mut self.session, game),
            Asked::Make { .. } | Asked::Hit(_) | Asked::Bolt { .. } => {
                self.world(game, now, |world, parts| world.asked(asked, parts))
            }
        };
        self.session.flush();
        answer
    }

    fn happened(&mut self, happened: &Happened, game: &dyn Game, now: LocalTime) {
        self.watch.happened(happened);
        if let Happened::Shot(shot) = happened {
            self.coop.on_shot(shot, &mut self.session, game);
        } else {
            self.world(game, now, |world, parts| world.happened(happened, parts));
        }
        self.session.flush();
    }

    fn gate(&mut self, moby: MobyHandle) -> Gate {
        self.world.gate(moby)
    }

    fn standing(&self) -> Rc<Cell<Standing>> {
        self.world.standing()
    }

    fn end(mut self: Box<Self>, game: &dyn Game) -> Option<Handle> {
        self.world(game, self.last_tick, |world, parts| world.ended(parts));
        self.session.close();
        self.coop.ended(game);
        Some(self.session.into_net())
    }
}
