//! All that is drawn of one game, as lists: the picture in software and the window draw the same.

use std::collections::BTreeSet;
use std::time::Duration;

use super::View;
use super::camera::Camera;
use super::colour::{self, Colour};
use super::marks::{Area, Marks};
use super::names;
use super::overlay;
use super::plots;
use super::scene::{self, Actor, Face};
use super::stage;
use super::theme::Theme;
use crate::game::SceneKind;
use crate::sim::Vec3;

/// Where the camera looks to: north-west and down.
pub(crate) const LOOK: Vec3 = Vec3::new(-0.58, 0.58, -0.62);
/// Where the sunlight goes.
pub(crate) const SUN: Vec3 = Vec3::new(0.34, 0.56, -0.72);
/// How wide and high the map of what the sun sees is, in pixels.
pub(crate) const MAP: usize = 1_024;
/// How many units fit across the smaller side of a view.
const ACROSS: f32 = 18.0;
/// And across the sun's map, for each of those.
const SUN_ACROSS: f32 = 2.4;
/// A hero further away than this from the game's own does not pull the camera, in units.
const PULL: f32 = 12.0;

/// All that is drawn of one game.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Drawing {
    pub faces: Vec<Face>,
    pub camera: Camera,
    /// The sun's eye, for its map.
    pub sun: Camera,
    pub theme: Theme,
    /// Whether the ground has a grid.
    pub grid: bool,
    /// What is written over it.
    pub marks: Marks,
}

/// Whose colour is which: everyone who is in any of the views has the same in all.
#[derive(Clone, Debug)]
pub(crate) struct Colours(BTreeSet<String>);

impl Colours {
    pub(crate) fn of(views: &[View<'_>]) -> Self {
        let figures = views.iter().flat_map(|view| view.game.figures().iter());
        let names = figures.map(|figure| figure.name.clone());
        Self(names.chain(views.iter().map(|view| view.name.to_owned())).collect())
    }

    fn get(&self, name: &str) -> Colour {
        colour::of_hero(self.0.iter().position(|other| other == name).unwrap_or(0))
    }
}

impl Drawing {
    /// Of that view, for a picture of that size in pixels.
    pub(crate) fn of(view: &View<'_>, colours: &Colours, size: (usize, usize)) -> Self {
        let game = view.game;
        let colour_of = |name: &str| colours.get(name);
        let staged = game.scene_view();
        let (playing, seconds) = match game.scene() {
            Some(now) => (now.kind == SceneKind::Camera, milliseconds(now.elapsed_ms)),
            None => (true, 0.0),
        };
        // Nobody but its cast is in a scene; a moby's shot shows the world as it is.
        let actors = match &staged {
            Some(scene) if !playing => stage::cast(scene, seconds),
            _ => scene::actors(game, view.name),
        };
        let theme = Theme::of(game.world().map(|world| world.level().number));
        let eye = staged.as_ref().map_or_else(|| (LOOK, focus(&actors), ACROSS), stage::eye);
        let (camera, sun) = eyes(eye, size);
        let mut faces = scene::faces(game, &actors, &camera, &theme, colour_of);
        if let Some(scene) = &staged {
            stage::others(scene, &camera, seconds, &mut faces);
        }
        let look = game.look();
        let mut marks = Marks::new(size);
        if look.names && staged.is_none() {
            names::draw(&mut marks, &camera, &actors, colour_of);
        }
        let mine = colour_of(view.name);
        overlay::hud(&mut marks, view.name, mine, game);
        // Under a page, which is to be read whole.
        if let Some(plots) = view.plots {
            plots::draw(&mut marks, plots, mine);
        }
        overlay::screen(&mut marks, &game.screen());
        overlay::edge(&mut marks, mine, view.played);
        Self { faces, camera, sun, theme, grid: look.grid, marks }
    }
}

/// In seconds.
fn milliseconds(count: u32) -> f32 {
    Duration::from_millis(count.into()).as_secs_f32()
}

/// The camera and the sun's eye, for where it looks to, what is in the middle, and how many units fit
/// across.
fn eyes((look, centre, across): (Vec3, Vec3, f32), size: (usize, usize)) -> (Camera, Camera) {
    let side = |pixels: usize| f32::from(u16::try_from(pixels).unwrap_or(u16::MAX));
    let camera = Camera::new(look, centre, size, side(size.0.min(size.1)) / across);
    let scale = side(MAP) / (across.max(ACROSS * 0.5) * SUN_ACROSS);
    // In whole pixels of its map, so that the shadows' edges stand still while it moves.
    let sky = Camera::new(SUN, Vec3::ZERO, (MAP, MAP), scale);
    let mut at = sky.project(centre);
    (at.x, at.y) = (at.x.round(), at.y.round());
    (camera, Camera::new(SUN, sky.unproject(at), (MAP, MAP), scale))
}

/// The middle between the game's own hero and those near him.
fn focus(actors: &[Actor]) -> Vec3 {
    let Some(own) = actors.iter().find(|actor| actor.own) else { return Vec3::ZERO };
    let own = own.pose.position;
    // The further away, the less it pulls, so that one who comes or goes does not jerk the camera.
    let pulls = actors.iter().map(|actor| {
        let way = actor.pose.position - own;
        (way, (1.0 - way.length() / PULL).max(0.0))
    });
    let (sum, weight) =
        pulls.fold((Vec3::ZERO, 0.0), |(sum, all), (way, pull)| (sum + way * pull, all + pull));
    let middle = own + sum * (1.0 / weight);
    Vec3::new(middle.x, middle.y, middle.z + 0.8)
}

/// The rectangle of the view of that number of so many, two in a row, with `gap` between them.
pub(crate) fn place(index: usize, count: usize, size: (usize, usize), gap: usize) -> Area {
    let (columns, rows) = (count.clamp(1, 2), count.div_ceil(2).max(1));
    let part = |whole: usize, parts: usize| whole.saturating_sub(gap * (parts - 1)) / parts;
    let (width, height) = (part(size.0, columns), part(size.1, rows));
    Area { x: index % 2 * (width + gap), y: index / 2 * (height + gap), width, height }
}
