//! What the trace tells of the game by itself, by looking at it once a tick: phases and cameras, which
//! mobys ran, showed, came and went, and who removed them. Only while the trace is on; it changes nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::time::Duration;

use mp_netcode::{LocalTime, ServerTime};

use super::{Role, Trace, What};
use crate::game::{Game, Gone, LogLevel, Moby, MobyHandle, Phase};
use crate::hooks::Happened;

/// How often what is counted is told.
const COUNTED_EVERY: Duration = Duration::from_secs(1);

/// What the shared world knows of a moby.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Known {
    /// Its number on the wire, if it is shared: its key, or `0x8000 | net`.
    pub id: Option<u16>,
    /// It is driven from the host's.
    pub driven: bool,
}

/// What the shared world shows a watch.
pub struct Sight<'a> {
    /// The server's clock now, if it is known.
    pub server: Option<ServerTime>,
    /// What is known of a moby.
    pub known: &'a dyn Fn(MobyHandle) -> Known,
    /// The points that the host's game runs the world around, on the host.
    pub eyes: &'a [[f32; 3]],
}

/// Who removed a moby, as far as it was told.
#[derive(Clone, Copy, Debug)]
struct Removed {
    how: Gone,
    by: Option<MobyHandle>,
}

/// See the module.
#[derive(Debug, Default)]
pub struct Watch {
    trace: Trace,
    started: bool,
    list: Vec<Moby>,
    phase: Option<Phase>,
    level: Option<i32>,
    mobys: BTreeMap<MobyHandle, Moby>,
    removed: BTreeMap<MobyHandle, Removed>,
    /// What was known of each when it was last seen: of one that went, nothing is any more.
    known: BTreeMap<MobyHandle, Known>,
    came: u32,
    went: u32,
    counted_at: Option<LocalTime>,
}

impl Watch {
    /// One that writes there.
    #[must_use]
    pub fn new(trace: Trace) -> Self {
        Self { trace, ..Self::default() }
    }

    /// A tick begins: what `player` is in the party. The first says whose trace it is.
    pub fn begin(&mut self, game: &dyn Game, role: Role, player: &str, now: LocalTime) {
        if !self.trace.is_on() {
            return;
        }
        self.trace.begin(game.frame(), now, role);
        if !std::mem::replace(&mut self.started, true) {
            self.trace.line(What::Start, |line| write!(line, "player={player}"));
        }
    }

    /// Something happened in the game.
    pub fn happened(&mut self, happened: &Happened) {
        if let Happened::Gone { moby, how, by } = *happened
            && self.trace.is_on()
        {
            self.removed.insert(moby, Removed { how, by });
        }
    }

    /// A tick is over: looks at the game, and sends the lines on their way. What went wrong with the file is
    /// said to the game's log, once.
    pub fn end(&mut self, game: &dyn Game, sight: &Sight, now: LocalTime) {
        if !self.trace.is_on() {
            return;
        }
        let trace = self.trace.clone();
        let mut list = std::mem::take(&mut self.list);
        game.mobys(&mut list);
        self.look(&trace, game, &list, sight.known);
        if self.counted_at.is_none_or(|at| now.since(at) >= COUNTED_EVERY) {
            self.counted_at = Some(now);
            self.census(&trace, &list, game.phase());
            if let Some(server) = sight.server {
                trace.line(What::Clock, |line| write!(line, "server_ms={}", server.as_millis()));
            }
            if !sight.eyes.is_empty() {
                trace.line(What::Eyes, |line| {
                    line.push_str("at=");
                    sight.eyes.iter().try_for_each(|eye| {
                        point(line, *eye)?;
                        line.push(' ');
                        Ok(())
                    })
                });
            }
        }
        self.list = list;
        trace.flush();
        if let Some(why) = trace.trouble() {
            game.log(LogLevel::Warning, &format!("the trace ends here: {why}"));
        }
    }

    fn look(
        &mut self,
        trace: &Trace,
        game: &dyn Game,
        mobys: &[Moby],
        known: &dyn Fn(MobyHandle) -> Known,
    ) {
        let phase = game.phase();
        self.phases(trace, game, phase);
        // All goes with a level, and comes with the next: that is no news of any one moby.
        if game.level() != self.level {
            self.level = game.level();
            self.mobys.clear();
            self.removed.clear();
            self.known.clear();
            self.mobys.extend(mobys.iter().map(|moby| (moby.handle, *moby)));
        }
        self.changes(trace, mobys, in_menu(phase));
        self.drives(trace, mobys, known);
        self.went(trace, game, mobys);
    }

    fn phases(&mut self, trace: &Trace, game: &dyn Game, phase: Phase) {
        if self.phase != Some(phase) {
            let level = game.level().unwrap_or(-1);
            match self.phase {
                Some(before) => trace.line(What::Pause, |line| {
                    write!(line, "phase {before:?} -> {phase:?} level={level}")
                }),
                None => {
                    trace.line(What::Pause, |line| write!(line, "phase {phase:?} level={level}"))
                }
            }
            self.phase = Some(phase);
        }
        if in_menu(phase)
            && let Some(cameras) = game.cameras()
        {
            trace.line(What::Pause, |line| {
                line.push_str("cameras mods=");
                point(line, cameras.mods)?;
                line.push_str(" run_list=");
                point(line, cameras.run_list)?;
                line.push_str(" pause_menu=");
                point(line, cameras.pause_menu)
            });
        }
    }

    /// What became different about the mobys that were there before, and the new ones.
    fn changes(&mut self, trace: &Trace, mobys: &[Moby], in_menu: bool) {
        for moby in mobys {
            let Some(before) = self.mobys.insert(moby.handle, *moby) else {
                self.came += 1;
                trace.line(What::Vis, |line| {
                    line.push_str("came ");
                    name(line, moby)?;
                    line.push_str(" at=");
                    point(line, moby.pose.position)
                });
                continue;
            };
            if moby.ran != before.ran && moby.update_distance > 0.0 {
                trace.line(What::Run, |line| {
                    line.push_str(if moby.ran { "in " } else { "out " });
                    name(line, moby)?;
                    let Moby { distance, update_distance, draw_distance, .. } = moby;
                    write!(line, " distance={distance:.1} update={update_distance:.1} draw={draw_distance:.1}")
                });
            }
            if moby.hidden != before.hidden {
                seen(trace, moby, if moby.hidden { "hidden" } else { "shown" });
            }
            if moby.health <= 0.0 && before.health > 0.0 {
                seen(trace, moby, "dead");
            }
            if in_menu && moby.drawn != before.drawn {
                seen(trace, moby, if moby.drawn { "drawn" } else { "not drawn" });
            }
        }
    }

    /// Which of them the host's world drives now, and which no more.
    fn drives(&mut self, trace: &Trace, mobys: &[Moby], known: &dyn Fn(MobyHandle) -> Known) {
        for moby in mobys {
            let now = known(moby.handle);
            let before = self.known.insert(moby.handle, now).unwrap_or_default();
            if now.driven != before.driven {
                trace.line(What::Drive, |line| {
                    line.push_str(if now.driven { "driven " } else { "let go " });
                    name(line, moby)
                });
            }
        }
    }

    /// Those that are in the list no more, and who removed them.
    fn went(&mut self, trace: &Trace, game: &dyn Game, mobys: &[Moby]) {
        if self.mobys.len() > mobys.len() {
            let here: BTreeSet<_> = mobys.iter().map(|moby| moby.handle).collect();
            let hero = game.hero_pose().map(|hero| hero.position);
            let removed = std::mem::take(&mut self.removed);
            let (went, known) = (&mut self.went, &mut self.known);
            self.mobys.retain(|handle, moby| {
                let stays = here.contains(handle);
                if !stays {
                    *went += 1;
                    let known = known.remove(handle).unwrap_or_default();
                    despawn(trace, moby, removed.get(handle), known, hero);
                }
                stays
            });
        }
        self.removed.clear();
    }

    fn census(&mut self, trace: &Trace, mobys: &[Moby], phase: Phase) {
        let mut classes: BTreeMap<i16, u32> = BTreeMap::new();
        for moby in mobys {
            *classes.entry(moby.class).or_default() += 1;
        }
        let (came, went) = (std::mem::take(&mut self.came), std::mem::take(&mut self.went));
        trace.line(What::Census, |line| {
            write!(line, "mobys={} came={came} went={went}", mobys.len())?;
            classes.iter().try_for_each(|(class, count)| write!(line, " {class}:{count}"))
        });
        if in_menu(phase) {
            let ran = mobys.iter().filter(|moby| moby.ran).count();
            trace.line(What::Run, |line| write!(line, "ran={ran} of={}", mobys.len()));
        }
    }
}

fn in_menu(phase: Phase) -> bool {
    matches!(phase, Phase::Paused | Phase::Dialog | Phase::Vendor)
}

fn seen(trace: &Trace, moby: &Moby, how: &str) {
    trace.line(What::Vis, |line| {
        write!(line, "{how} ")?;
        name(line, moby)
    });
}

fn despawn(
    trace: &Trace,
    moby: &Moby,
    removed: Option<&Removed>,
    known: Known,
    hero: Option<[f32; 3]>,
) {
    trace.line(What::Despawn, |line| {
        name(line, moby)?;
        match known.id {
            Some(id) => write!(line, " shared={id:#06x}")?,
            None => line.push_str(" local"),
        }
        if known.driven {
            line.push_str(" driven");
        }
        match removed {
            Some(Removed { how: Gone::Own, .. }) => line.push_str(" by=own"),
            Some(Removed { how: Gone::Mod, .. }) => line.push_str(" by=mod"),
            Some(Removed { how: Gone::Other, by }) => {
                write!(line, " by=moby:{}", by.map_or(0, |by| by.0.get()))?;
            }
            None => line.push_str(" by=vanished"),
        }
        line.push_str(" at=");
        point(line, moby.pose.position)?;
        if let Some(hero) = hero {
            let apart: f32 =
                hero.iter().zip(moby.pose.position).map(|(a, b)| (a - b) * (a - b)).sum();
            write!(line, " hero={:.1}", apart.sqrt())?;
        }
        write!(line, " camera={:.1} state={} health={}", moby.distance, moby.state, moby.health)
    });
}

/// A moby in a line: its handle, its class, and its key if it has one.
fn name(line: &mut String, moby: &Moby) -> std::fmt::Result {
    write!(line, "moby={} class={}", moby.handle.0.get(), moby.class)?;
    match moby.key {
        Some(key) => write!(line, " key={}", key.get()),
        None => Ok(()),
    }
}

fn point(line: &mut String, [x, y, z]: [f32; 3]) -> std::fmt::Result {
    write!(line, "{x:.2},{y:.2},{z:.2}")
}
