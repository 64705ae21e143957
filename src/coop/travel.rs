//! Following the host's ship (B5.5): the host's count of its travels and who it still waits for, and a
//! member's way to where the host is. Neither sends anything or calls the game: they say what is to be
//! told (LEVEL, LINK) and where to fly.

use std::time::Duration;

use mp_netcode::LocalTime;
use mp_protocol::game::{Arrival, HostLevel, Level, PlayId, Travel};

use super::here::Here;
use crate::changes::Changes;

/// How long those who arrived wait for one that never does (B5.5).
const WAIT_MAX: Duration = Duration::from_secs(90);
/// A game that has not left for so long after it was told to is told again.
const ASK_AGAIN: Duration = Duration::from_secs(1);
/// A host that is in control in the old level for so long after its take-off does not fly after all.
const STAYS: Duration = Duration::from_secs(3);

/// The host's travels.
#[derive(Debug, Default)]
pub(super) struct HostTravel {
    /// The newest's number; 0 and no destination before the first.
    number: u16,
    dest: Option<i32>,
    stage: Stage,
}

/// How far the newest travel is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
enum Stage {
    /// Over: everyone who was waited for is there.
    #[default]
    Over,
    /// The host is on its way.
    Flying { since: LocalTime, left: bool },
    /// The host is there, and waits for the others.
    Waiting { since: LocalTime },
}

impl HostTravel {
    /// The host's ship leaves for that level.
    pub(super) fn depart(&mut self, dest: i32, now: LocalTime) {
        self.number = self.number.wrapping_add(1);
        self.dest = Some(dest);
        self.stage = Stage::Flying { since: now, left: false };
    }

    /// One tick: whether the host is there, and whether it waits any longer. `all_arrived` tells whether
    /// every member that is waited for is there.
    pub(super) fn tick(&mut self, here: &Here, all_arrived: bool) {
        if !here.phase.in_game() {
            self.stage = Stage::Over;
        }
        match &mut self.stage {
            Stage::Over => {}
            Stage::Flying { since, left } => {
                *left |= here.level.is_none();
                if *left && here.level.is_some() {
                    let there = here.level == self.dest;
                    let since = here.now;
                    self.stage = if there { Stage::Waiting { since } } else { Stage::Over };
                } else if here.in_control && here.now.since(*since) >= STAYS {
                    self.stage = Stage::Over;
                }
            }
            Stage::Waiting { since } => {
                if all_arrived || here.now.since(*since) >= WAIT_MAX {
                    self.stage = Stage::Over;
                }
            }
        }
    }

    /// The newest travel as LEVEL says it.
    pub(super) fn news(&self) -> Travel {
        Travel {
            number: self.number,
            dest: self.dest.and_then(Level::new).unwrap_or(Level::NONE),
            arriving: self.stage != Stage::Over,
        }
    }

    /// Whether a member that says this is where the newest travel leads. One that says nothing (a mod
    /// before 0.7) is when its pose is of that level.
    pub(super) fn has_arrived(&self, said: Option<Arrival>, pose_level: Option<i32>) -> bool {
        said.map_or(pose_level.is_some() && pose_level == self.dest, |said| {
            said.travel == self.number && said.arrived
        })
    }

    /// Whether the party still arrives.
    pub(super) fn is_arriving(&self) -> bool {
        self.stage != Stage::Over
    }

    /// Whether the host is there, and waits for the others.
    pub(super) fn is_waiting(&self) -> bool {
        matches!(self.stage, Stage::Waiting { .. })
    }
}

/// A member's way to where the host is.
#[derive(Debug, Default)]
pub(super) struct MemberTravel {
    /// What the host's LEVEL said last.
    host: Option<HostLevel>,
    /// The newest travel that this game left for, or that was over when it came.
    followed: Option<u16>,
    going: Option<Going>,
    entered: Option<Entered>,
    leaves: Changes,
    /// Since when it is there, and waits for the others.
    waiting: Option<LocalTime>,
    arrived: bool,
}

/// The level that this game is in, as it came into it.
#[derive(Clone, Copy, Debug)]
struct Entered {
    level: i32,
    /// The play that went on then.
    play: PlayId,
}

/// On the way.
#[derive(Clone, Copy, Debug)]
struct Going {
    dest: i32,
    /// When the game was told; `None`, not yet.
    told: Option<LocalTime>,
    /// It left the level that it was in.
    left: bool,
}

impl MemberTravel {
    /// The host says where it is.
    pub(super) fn level_came(&mut self, news: HostLevel) {
        self.host = Some(news);
    }

    /// One tick. Returns the level that the game is to leave for at once. `starting`: it is about to
    /// leave the title for the host's game.
    pub(super) fn tick(&mut self, here: &Here, starting: bool, play: PlayId) -> Option<i32> {
        self.entered = here.level.map(|level| {
            let same = self.entered.filter(|entered| entered.level == level);
            same.unwrap_or(Entered { level, play })
        });
        let travel = self.host.and_then(|host| host.travel);
        if !here.phase.in_game() {
            // Where the host's game starts is where the host is: what it flew before is over for us.
            let Self { host, entered, .. } = *self;
            *self = Self { host, entered, followed: travel.map(|t| t.number), ..Self::default() };
            self.arrived = !starting;
            return None;
        }
        if let Some(travel) = travel
            && self.followed.replace(travel.number).is_some_and(|known| known != travel.number)
        {
            self.going = number(travel.dest).map(Going::to);
        }
        let target = self.target();
        if self.going.is_none()
            && here.level.is_some()
            && target.is_some_and(|_| here.level != target || self.is_of_another_play())
        {
            self.going = target.map(Going::to);
        }
        let leave_for = self.fly(here);
        self.arrived = self.going.is_none() && here.level.is_some();
        self.wait(here);
        leave_for
    }

    /// Where the host is, or flies to; `None`: it says no level.
    fn target(&self) -> Option<i32> {
        let host = self.host?;
        let flies = host.travel.filter(|travel| travel.arriving);
        number(flies.map_or(host.level, |travel| travel.dest))
    }

    /// Whether this game's level is of a play that the host has ended: what was broken and taken in it is
    /// there again in the host's, and would be gone here for good.
    fn is_of_another_play(&self) -> bool {
        self.entered.zip(self.host).is_some_and(|(entered, host)| entered.play != host.play)
    }

    fn fly(&mut self, here: &Here) -> Option<i32> {
        let going = self.going.as_mut()?;
        if going.told.is_some() {
            going.left |= here.level.is_none();
            if going.left && here.level == Some(going.dest) {
                self.going = None;
                return None;
            }
            if going.left && here.level.is_some() {
                // What it was loading came first.
                *going = Going::to(going.dest);
            }
        }
        let is_due = match going.told {
            None => true,
            Some(told) => !going.left && here.now.since(told) >= ASK_AGAIN,
        };
        (is_due && self.leaves.may(here.now)).then(|| {
            going.told = Some(here.now);
            going.dest
        })
    }

    fn wait(&mut self, here: &Here) {
        let arriving = self.host.and_then(|host| host.travel).is_some_and(|t| t.arriving);
        if arriving && self.arrived && here.level == self.target() {
            self.waiting.get_or_insert(here.now);
        } else {
            self.waiting = None;
        }
    }

    /// Whether this game is there, and waits for the others.
    pub(super) fn is_waiting(&self, now: LocalTime) -> bool {
        self.waiting.is_some_and(|since| now.since(since) < WAIT_MAX)
    }

    /// Whether this game is on its way to where the host is.
    pub(super) fn is_going(&self) -> bool {
        self.going.is_some()
    }

    /// Whether the party still arrives.
    pub(super) fn is_arriving(&self) -> bool {
        self.host.and_then(|host| host.travel).is_some_and(|travel| travel.arriving)
    }

    /// What LINK says of it.
    pub(super) fn arrival(&self) -> Arrival {
        Arrival { travel: self.followed.unwrap_or(0), arrived: self.arrived }
    }
}

impl Going {
    fn to(dest: i32) -> Self {
        Self { dest, told: None, left: false }
    }
}

fn number(level: Level) -> Option<i32> {
    level.number().map(i32::from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Phase;
    use mp_protocol::game::PlayId;

    fn here(level: Option<i32>) -> Here {
        let phase = if level.is_some() { Phase::Playing } else { Phase::Loading };
        let in_control = level.is_some();
        Here { phase, level, in_control, scene: None, now: LocalTime::ZERO }
    }

    /// B5.5: the count of travels wraps, and each is one more.
    #[test]
    fn the_count_of_travels_wraps_and_each_is_followed() {
        let mut host = HostTravel { number: u16::MAX - 2, ..HostTravel::default() };
        let mut member = MemberTravel::default();
        let mut told = Vec::new();
        for dest in [3, 4, 5, 6, 7] {
            member.level_came(HostLevel {
                play: PlayId(1),
                level: Level::NONE,
                scene: false,
                travel: Some(host.news()),
            });
            told.push(member.tick(&here(Some(dest - 1)), false, PlayId(1)));
            host.depart(dest, LocalTime::ZERO);
        }
        // The first told of none that this game had not come after.
        assert_eq!(told, [None, Some(3), Some(4), Some(5), Some(6)]);
        assert_eq!((member.arrival().travel, host.news().number), (1, 2));
    }
}
