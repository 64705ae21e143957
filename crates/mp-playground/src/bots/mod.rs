//! Bots: players that see what is on the screen and where their hero is, and answer with a pad. They
//! have no other way into a game.

mod fingers;
mod hunter;
mod menu;
mod visitor;
mod walker;

use fingers::Fingers;
use hunter::Hunter;
pub use menu::{Errand, NoSave, SaveChoice, hosting_place, hosting_port, party_code};
use menu::{Mind, Move};
pub use visitor::Place;
use visitor::Visitor;
use walker::Walker;

use crate::game::{Phase, SceneKind, StandIn};
use crate::sim::{Button, Pad, kind};

/// What a bot does in a level.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Habit {
    /// Walks, runs and jumps about.
    #[default]
    Walk,
    /// Stands where it is.
    Stand,
    /// Breaks crates and swings at enemies.
    Fight,
    /// Collects bolts, and whatever else lies about.
    Collect,
    /// All of this, the nearest first.
    Play,
}

impl Habit {
    /// What it goes for, as [`kind`] bits.
    const fn wants(self) -> u32 {
        const HITS: u32 = kind::ENEMY | kind::CRATE;
        const TAKES: u32 = kind::BOLT | kind::PICKUP;
        match self {
            Self::Walk | Self::Stand => 0,
            Self::Fight => HITS,
            Self::Collect => TAKES,
            Self::Play => HITS | TAKES,
        }
    }
}

/// A bot.
#[derive(Clone, Debug)]
pub struct Bot {
    errand: Errand,
    habit: Habit,
    save: SaveChoice,
    mind: Mind,
    walker: Walker,
    hunter: Hunter,
    visitor: Option<Visitor>,
    /// After so many ticks of a scene or a movie it skips it; `None`: it looks on.
    skips_after: Option<u32>,
    looked_on: u32,
    fingers: Fingers,
}

impl Bot {
    /// A bot with an errand at the menus, and a habit in a level; `seed` decides where it goes.
    #[must_use]
    pub fn new(errand: Errand, habit: Habit, seed: u64) -> Self {
        Self {
            errand,
            habit,
            save: SaveChoice::New,
            mind: Mind::default(),
            walker: Walker::new(seed),
            hunter: Hunter::new(habit.wants(), seed),
            visitor: None,
            skips_after: None,
            looked_on: 0,
            fingers: Fingers::default(),
        }
    }

    /// The same bot, which hosts the game of that save.
    #[must_use]
    pub const fn with_save(mut self, save: SaveChoice) -> Self {
        self.save = save;
        self
    }

    /// The same bot, which skips scenes and movies after so many ticks of each.
    #[must_use]
    pub const fn who_skips(mut self, after: u32) -> Self {
        self.skips_after = Some(after);
        self
    }

    /// Does this in a level from now on.
    pub const fn set_habit(&mut self, habit: Habit) {
        self.habit = habit;
        self.hunter.want(habit.wants());
    }

    /// Whether it steps in an address or a code: hundreds of presses, which nobody has to wait for.
    #[must_use]
    pub const fn is_stepping(&self) -> bool {
        self.mind.is_stepping()
    }

    /// Gives it another errand.
    pub fn send(&mut self, errand: Errand) {
        self.visitor = match errand {
            Errand::Visit(place) => Some(Visitor::new(place)),
            _ => None,
        };
        self.errand = errand;
    }

    /// Whether there is nothing left for it to do at the menus.
    #[must_use]
    pub fn is_idle(&self) -> bool {
        self.errand == Errand::None && self.fingers.are_free()
    }

    /// The pad of the next tick, from what there is to see of the game.
    pub fn pad(&mut self, game: &StandIn) -> Pad {
        if !self.fingers.are_free() {
            return self.fingers.pad();
        }
        if matches!(game.phase(), Phase::Scene | Phase::Movie) {
            return self.look_on(game);
        }
        self.looked_on = 0;
        let screen = game.screen();
        let playing = screen.phase == Phase::Playing;
        if playing && self.errand.ends_in_the_level() {
            self.errand = Errand::None;
        }
        if screen.level.is_none() && self.errand.begins_in_the_level() {
            self.errand = Errand::None;
        }
        if let Errand::Pause { ticks } = self.errand {
            return self.pause(playing, ticks);
        }
        let hero = game.hero_pose().filter(|_| playing && screen.held.is_none());
        if playing && matches!(self.errand, Errand::Visit(_)) {
            let Some(hero) = hero else { return Pad::NEUTRAL };
            let pad = self.visitor.as_mut().and_then(|visitor| visitor.pad(&hero, game));
            if pad.is_none() {
                self.send(Errand::None);
            }
            return pad.unwrap_or(Pad::NEUTRAL);
        }
        if playing && !self.errand.begins_in_the_level() {
            let Some(hero) = hero.filter(|_| self.habit != Habit::Stand) else {
                return Pad::NEUTRAL;
            };
            return self.hunter.pad(&hero, game, &mut self.walker);
        }
        let next = self.mind.next(&self.errand, self.save, &screen);
        if matches!(self.errand, Errand::Choose(_)) && next == Move::Tap(Button::Cross) {
            self.errand = Errand::None;
        }
        self.act(next)
    }

    /// In a scene or a movie. One that a visit was for ends the visit; another's does not.
    fn look_on(&mut self, game: &StandIn) -> Pad {
        let kind = game.scene().map(|scene| scene.kind);
        let over = match self.errand {
            Errand::Visit(Place::Person) => kind == Some(SceneKind::Level),
            Errand::Visit(Place::GoldBolt) => kind == Some(SceneKind::Camera),
            Errand::Visit(Place::Ship(_)) => kind == Some(SceneKind::Own),
            _ => false,
        };
        if over {
            self.send(Errand::None);
        }
        self.looked_on += 1;
        let skips = self.skips_after.is_some_and(|after| self.looked_on.is_multiple_of(after));
        if skips { self.act(Move::Tap(Button::Start)) } else { Pad::NEUTRAL }
    }

    /// Start, a rest of so many ticks, Start.
    fn pause(&mut self, playing: bool, ticks: u32) -> Pad {
        match (playing, ticks) {
            (true, 0) => self.errand = Errand::None,
            (false, 1..) => self.errand = Errand::Pause { ticks: ticks - 1 },
            (true, 1..) | (false, 0) => return self.act(Move::Tap(Button::Start)),
        }
        Pad::NEUTRAL
    }

    fn act(&mut self, next: Move) -> Pad {
        match next {
            Move::Wait => Pad::NEUTRAL,
            Move::Hold(button) => Pad::NEUTRAL.with(button),
            Move::Tap(button) => {
                self.fingers.tap(button);
                self.fingers.pad()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A game in its first level, and the bot that brought it there.
    fn in_the_level(habit: Habit) -> (StandIn, Bot) {
        let mut game = StandIn::new(1);
        let mut bot = Bot::new(Errand::Choose("New Game".to_owned()), habit, 1);
        until(&mut game, &mut bot, |game| game.phase() == Phase::Playing);
        (game, bot)
    }

    /// Ticks until it holds, and answers how many it took.
    fn until(game: &mut StandIn, bot: &mut Bot, holds: impl Fn(&StandIn) -> bool) -> u32 {
        for ticks in 0..3_600 {
            if holds(game) {
                return ticks;
            }
            let pad = bot.pad(game);
            game.read_pad(pad);
            while game.poll_call().is_some() {}
            game.step();
            while game.poll_call().is_some() {}
        }
        panic!("never:\n{}", game.screen());
    }

    #[test]
    fn a_bot_pauses_for_as_long_as_it_is_told_and_goes_on() {
        let (mut game, mut bot) = in_the_level(Habit::Walk);
        bot.send(Errand::Pause { ticks: 100 });
        until(&mut game, &mut bot, |game| game.phase() == Phase::Paused);
        let rested = until(&mut game, &mut bot, |game| game.phase() == Phase::Playing);
        assert!((100..120).contains(&rested), "{rested}");
        let place = game.hero_pose().expect("in the level").position;
        until(&mut game, &mut bot, |game| {
            game.hero_pose().is_some_and(|hero| (hero.position - place).length() > 2.0)
        });
        assert!(bot.is_idle());
    }

    #[test]
    fn a_bot_finds_a_gold_bolt_up_the_steps() {
        let (mut game, mut bot) = in_the_level(Habit::Walk);
        bot.send(Errand::Visit(Place::GoldBolt));
        let ticks = until(&mut game, &mut bot, |game| game.progress().gold_bolt_count() == 1);
        assert!(ticks < 12 * 60, "{ticks} ticks");
        until(&mut game, &mut bot, |game| game.phase() == Phase::Playing);
        assert!(bot.is_idle());
    }

    #[test]
    fn a_bot_starts_a_persons_scene_and_one_who_skips_ends_it() {
        let (mut game, bot) = in_the_level(Habit::Walk);
        let mut bot = bot.who_skips(60);
        bot.send(Errand::Visit(Place::Person));
        let ticks = until(&mut game, &mut bot, |game| game.phase() == Phase::Scene);
        assert!(ticks < 8 * 60, "{ticks} ticks");
        let seen = until(&mut game, &mut bot, |game| game.phase() == Phase::Playing);
        assert!((60..70).contains(&seen), "{seen} ticks");
    }

    #[test]
    fn a_bot_flies_to_another_planet() {
        let (mut game, bot) = in_the_level(Habit::Walk);
        let mut bot = bot.who_skips(30);
        assert!(game.give(crate::progress::Gift::Planet(1)));
        bot.send(Errand::Visit(Place::Ship(1)));
        let ticks = until(&mut game, &mut bot, |game| {
            game.level() == Some(1) && game.phase() == Phase::Playing
        });
        assert!(ticks < 16 * 60, "{ticks} ticks");
        assert_eq!(bot.errand, Errand::None);
    }

    /// How many mobys of that kind there are.
    fn count(game: &StandIn, kind: u32) -> usize {
        game.mobys().filter(|moby| moby.kinds() & kind != 0 && !moby.hidden).count()
    }

    #[test]
    fn a_bot_that_fights_breaks_crates() {
        let (mut game, mut bot) = in_the_level(Habit::Fight);
        let before = count(&game, kind::CRATE);
        until(&mut game, &mut bot, |game| count(game, kind::CRATE) + 3 <= before);
    }

    #[test]
    fn a_bot_that_collects_has_more_bolts_for_it() {
        let (mut game, mut bot) = in_the_level(Habit::Fight);
        let before = count(&game, kind::CRATE);
        until(&mut game, &mut bot, |game| count(game, kind::CRATE) < before);
        until(&mut game, &mut bot, |game| count(game, kind::BOLT) > 0);
        let had = game.progress().bolts;
        let mut bot = Bot::new(Errand::None, Habit::Collect, 1);
        until(&mut game, &mut bot, |game| game.progress().bolts > had);
    }

    #[test]
    fn a_bot_that_plays_breaks_and_collects() {
        let (mut game, mut bot) = in_the_level(Habit::Play);
        let (crates, bolts) = (count(&game, kind::CRATE), game.progress().bolts);
        until(&mut game, &mut bot, |game| {
            count(game, kind::CRATE) < crates && game.progress().bolts >= bolts + 10
        });
    }
}
