//! This player's own hero, told to the others: 20 poses a second while there is a hero, else one a
//! second that says there is none (protocol.md 3, "When").

use std::time::Duration;

use mp_netcode::{LocalTime, Sequence, ServerTime};
use mp_protocol::game::Level;
use mp_protocol::limits::{POSES_PER_SECOND, REPEAT_INTERVAL, TELEPORT_AGO_MAX};

use super::here::Here;
use super::wire::{self, Stamp};
use crate::game::{Game, HeroPose};
use crate::session::Session;

/// How many more poses than the first say at once that there is no hero any more: each may be lost, and
/// until one arrives the figure stands in the others' games.
const GONE_SAID_AGAIN: u8 = 4;

/// The hero's newest teleport, which a few poses say again, for the one it came with may be lost.
#[derive(Clone, Copy, Debug, Default)]
struct Teleport {
    /// The game still says it.
    lasts: bool,
    /// No pose said it yet.
    is_news: bool,
    /// The pose that said it.
    said_in: Option<Sequence>,
}

impl Teleport {
    fn tick(&mut self, hero: Option<&HeroPose>) {
        let said = hero.is_some_and(|hero| hero.teleport);
        self.is_news |= said && !self.lasts;
        self.lasts = said;
    }

    /// How many poses ago it was, for the pose of this sequence.
    fn ago(&mut self, sequence: Sequence) -> Option<u8> {
        if std::mem::take(&mut self.is_news) {
            self.said_in = Some(sequence);
        }
        let ago = self.said_in.and_then(|said| u8::try_from(said.distance_to(sequence)).ok());
        if ago.is_none_or(|ago| ago >= TELEPORT_AGO_MAX) {
            // Also before the sequences wrap and it would look new.
            self.said_in = None;
        }
        ago
    }
}

/// When the next pose goes, and as which.
#[derive(Debug, Default)]
pub(super) struct PoseSender {
    next: LocalTime,
    had_hero: bool,
    /// How many poses are still to say at once that it is gone.
    gone_again: u8,
    sequence: Sequence,
    last_stamp: Option<ServerTime>,
    teleport: Teleport,
    none: HeroPose,
}

impl PoseSender {
    /// Sends a pose if one is due.
    pub(super) fn tick(
        &mut self,
        here: &Here,
        session: &mut Session,
        game: &dyn Game,
        now: LocalTime,
    ) {
        let hero = if here.phase.has_hero() { game.hero_pose() } else { None };
        self.teleport.tick(hero.as_ref());
        // A hero that comes or goes is news at once, and so is one that did not walk here.
        let news = hero.is_some() != self.had_hero || self.teleport.is_news;
        if now < self.next && !news {
            return;
        }
        let (Some(me), Some(server_now)) = (session.me(), session.server_time(now)) else { return };
        self.gone_again = match (self.had_hero, hero.is_some()) {
            (true, false) => GONE_SAID_AGAIN,
            (false, false) => self.gone_again.saturating_sub(1),
            (_, true) => 0,
        };
        self.had_hero = hero.is_some();
        self.schedule(now);
        // The clock's offset is smoothed and may step back: stamps never decrease.
        let at = self.last_stamp.map_or(server_now, |last| last.max(server_now));
        self.last_stamp = Some(at);
        self.sequence = self.sequence.next();
        let level = match &hero {
            Some(_) => here.level.and_then(Level::new).unwrap_or(Level::NONE),
            None => Level::NONE,
        };
        let teleport_ago = self.teleport.ago(self.sequence);
        let stamp = Stamp { owner: me, sequence: self.sequence, at, level, teleport_ago };
        let pose = wire::pose(stamp, hero.as_ref().unwrap_or(&self.none), here.in_scene());
        session.send_pose(&pose);
    }

    /// On the beat while ticks keep up, from now on after a stall.
    fn schedule(&mut self, now: LocalTime) {
        let often = self.had_hero || self.gone_again > 0;
        let every = if often { Duration::from_secs(1) / POSES_PER_SECOND } else { REPEAT_INTERVAL };
        let beat = self.next + every;
        self.next = if beat > now { beat.min(now + every) } else { now + every };
    }
}
