//! What the hero does at a vendor, a help desk, a person and the ship: a list of its own, which is no
//! menu, so that a mod's pages do not open over it.

use super::repeat::Repeat;
use super::screen::{PageView, Row};
use super::show::{Show, Then};
use super::{Asked, ModCall, Phase, Sound, StandIn};
use crate::progress::{Gift, ITEM_NAMES, Progress};
use crate::scenes::{self, Own};
use crate::sim::{Button, Class, Digest, Level, Pad, Vec3, World};

/// What a vendor sells: items, and for how many bolts.
const STOCK: [(usize, i32); 6] = [(15, 25), (16, 80), (17, 120), (11, 250), (19, 400), (23, 1_500)];

/// What the hero can use, with Triangle beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Used {
    /// Sells items.
    Vendor,
    /// Says how things work.
    HelpDesk,
    /// Starts the level's scene of that number.
    Person(i32),
    /// Flies to another planet.
    Ship,
}

#[derive(Clone, Debug, PartialEq)]
enum Kind {
    Vendor,
    /// What is said, a line at a time.
    Talk(Vec<String>),
    /// The planets the hero knows, by their levels.
    Ship(Vec<i32>),
}

/// One that is being used.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Service {
    kind: Kind,
    cursor: usize,
    repeat: Repeat,
}

/// What a press in it means.
enum Deed {
    Moved,
    Chosen(usize),
    Left,
}

impl Service {
    fn new(kind: Kind) -> Self {
        Self { kind, cursor: 0, repeat: Repeat::default() }
    }

    pub(super) fn view(&self, progress: &Progress, here: Option<i32>) -> (PageView, usize) {
        let (title, lines, rows) = match &self.kind {
            Kind::Vendor => {
                let line = format!("You have {} bolts", progress.bolts);
                ("Vendor", vec![line], STOCK.map(|ware| ware_row(ware, progress)).to_vec())
            }
            Kind::Talk(lines) => {
                let next = if lines.len() > 1 { "Next" } else { "Goodbye" };
                ("Help Desk", lines.iter().take(1).cloned().collect(), vec![Row::action(next)])
            }
            Kind::Ship(planets) => {
                let row = |&level: &i32| Row {
                    dim: Some(level) == here,
                    ..Row::action(&Level::name_of(level).unwrap_or_default())
                };
                ("Select a planet", Vec::new(), planets.iter().map(row).collect())
            }
        };
        (PageView { title: title.to_owned(), lines, rows, footer: Vec::new() }, self.cursor)
    }

    fn read(&mut self, view: &PageView, pad: Pad, before: Pad) -> Option<Deed> {
        let direction = self.repeat.step(pad, before);
        if pad.presses(Button::Triangle, before) {
            return Some(Deed::Left);
        }
        if pad.presses(Button::Cross, before) {
            return Some(Deed::Chosen(self.cursor));
        }
        let (button, held) = direction?;
        let down = match button {
            Button::Down => true,
            Button::Up => false,
            _ => return None,
        };
        self.cursor = view.next(self.cursor, down, held == 0)?;
        Some(Deed::Moved)
    }

    pub(super) fn digest(&self, digest: &mut Digest) {
        let (kind, left) = match &self.kind {
            Kind::Vendor => (1, 0),
            Kind::Talk(lines) => (2, lines.len()),
            Kind::Ship(planets) => (3, planets.len()),
        };
        digest.byte(kind).word(left as u64).word(self.cursor as u64);
    }
}

fn ware_row((item, price): (usize, i32), progress: &Progress) -> Row {
    let had = progress.has(Gift::Item(item)) == Some(true);
    let value = if had { "Yours".to_owned() } else { format!("{price} bolts") };
    Row { value, dim: had || progress.bolts < price, ..Row::action(ITEM_NAMES[item]) }
}

impl StandIn {
    /// The hero used something; where nobody has control, nothing happens.
    pub fn used(&mut self, what: Used) {
        let Some(level) = self.level().filter(|_| self.phase == Phase::Playing) else { return };
        match what {
            Used::Vendor => self.serve(Kind::Vendor, Phase::Vendor),
            Used::HelpDesk => self.serve(Kind::Talk(scenes::help(level)), Phase::Dialog),
            Used::Person(scene) => {
                self.play_scene(scene);
            }
            Used::Ship => {
                let known = (0..).zip(&self.progress().planets).filter(|&(_, &known)| known);
                let there = known.map(|(level, _)| level).filter(|&l| Level::find(l).is_some());
                let planets = there.collect();
                self.serve(Kind::Ship(planets), Phase::Dialog);
            }
        }
    }

    fn serve(&mut self, kind: Kind, phase: Phase) {
        self.sound(Sound::Choose);
        self.service = Some(Service::new(kind));
        self.set_phase(phase);
    }

    pub(super) fn read_service(&mut self, pad: Pad, before: Pad) {
        let (progress, here) = (&self.campaign.progress, self.level());
        let Some(service) = &mut self.service else { return };
        let (view, _) = service.view(progress, here);
        match service.read(&view, pad, before) {
            Some(Deed::Moved) => self.sound(Sound::Move),
            Some(Deed::Left) => {
                self.sound(Sound::Back);
                self.leave_service();
            }
            Some(Deed::Chosen(row)) => self.choose_in_service(row),
            None => {}
        }
    }

    fn choose_in_service(&mut self, row: usize) {
        let here = self.level();
        let Some(service) = &mut self.service else { return };
        match &mut service.kind {
            Kind::Vendor => self.buy(row),
            Kind::Talk(lines) if lines.len() > 1 => {
                lines.remove(0);
                self.sound(Sound::Choose);
            }
            Kind::Talk(_) => {
                self.sound(Sound::Choose);
                self.leave_service();
            }
            Kind::Ship(planets) => match planets.get(row).copied() {
                Some(level) if Some(level) != here => {
                    self.sound(Sound::Choose);
                    self.leave_service();
                    self.pick_planet(level);
                }
                _ => self.sound(Sound::Refused),
            },
        }
    }

    fn buy(&mut self, row: usize) {
        let affordable = |&&(item, price): &&(usize, i32)| {
            self.progress().bolts >= price && self.progress().has(Gift::Item(item)) == Some(false)
        };
        let Some(&(item, price)) = STOCK.get(row).filter(affordable) else {
            return self.sound(Sound::Refused);
        };
        self.sound(Sound::Choose);
        self.bolts_add(-price);
        self.give(Gift::Item(item));
    }

    fn leave_service(&mut self) {
        self.service = None;
        self.spent = self.pad;
        self.set_phase(Phase::Playing);
    }

    /// The hero has picked a planet in the ship: the mod is asked, and the ship takes off. Nothing happens
    /// while he has no control, or where there is no such planet.
    pub fn pick_planet(&mut self, level: i32) {
        if self.in_control() && self.asked.is_none() && Level::find(level).is_some() {
            self.asked = Some(Asked::Travel(level));
            self.calls.push_back(ModCall::OnTravel { level, by_ship: true });
        }
    }

    /// The ship leaves for that level; it may not: it lands again.
    pub(super) fn take_off(&mut self, level: i32, may: bool) {
        let (own, then) =
            if may { (Own::TakeOff, Then::Fly(level)) } else { (Own::Landing, Then::Play) };
        self.begin(Show::own(own, self.ship(), then));
    }

    /// Where the ship stands.
    pub(super) fn ship(&self) -> Vec3 {
        let level = self.world.as_ref().map(World::level);
        let placed =
            level.and_then(|level| level.mobys.iter().find(|placed| placed.class == Class::Ship));
        placed.map_or(Vec3::ZERO, |ship| ship.position)
    }
}
