//! The window's own loop: what the person does goes to the stage, what the games show is drawn.

use std::cell::RefCell;
use std::rc::Rc;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use miniquad::{
    EventHandler, KeyCode, KeyMods, MouseButton, PassAction, RenderingBackend, TextureFormat,
    window,
};

use super::gamepad::Gamepad;
use super::keys::Keys;
use super::painter::{Painter, Target, texture};
use super::stage::Stage;
use crate::picture::drawing::{Colours, Drawing, place};
use crate::picture::marks::Area;
use crate::picture::{GAP, Picture, Shown, View};
use crate::say;
use crate::sim::{Button, Pad};

/// Between two frames, at least: a card that does not wait for its display draws no more than this.
const FRAME: Duration = Duration::from_nanos(16_666_667);
/// From so many pixels on, a view is drawn with everything twice as large, and so on.
const VIEW: usize = 640;
/// A view smaller than this, in pixels, is not drawn.
const SMALLEST: usize = 100;

/// The window's background, between the views.
const BACKGROUND: PassAction =
    PassAction::Clear { color: Some((0.03, 0.03, 0.05, 1.0)), depth: Some(1.0), stencil: None };

/// The window of a run.
pub(super) struct App<T, F> {
    card: Box<dyn RenderingBackend>,
    painter: Painter,
    stage: Stage,
    running: Option<JoinHandle<T>>,
    /// Takes what the run came to.
    end: Option<F>,
    shown: Vec<Shown>,
    keys: Keys,
    gamepad: Gamepad,
    /// The gamepad in the frame before.
    before: Pad,
    plots: bool,
    due: Instant,
}

impl<T, F: FnOnce(thread::Result<T>)> App<T, F> {
    pub(super) fn new(stage: Stage, running: JoinHandle<T>, end: F) -> Self {
        if let Some(note) = Gamepad::NOTE {
            say!("{note}");
        }
        let (card, painter) = begin();
        Self {
            card,
            painter,
            stage,
            running: Some(running),
            end: Some(end),
            shown: Vec::new(),
            keys: Keys::default(),
            gamepad: Gamepad::default(),
            before: Pad::NEUTRAL,
            plots: false,
            due: Instant::now(),
        }
    }
}

/// The card, ready to draw.
fn begin() -> (Box<dyn RenderingBackend>, Painter) {
    let mut card = window::new_rendering_backend();
    let painter = Painter::new(card.as_mut());
    (card, painter.expect("any card that opens a window takes these shaders"))
}

/// A window's size in pixels.
fn size() -> (usize, usize) {
    let (width, height) = window::screen_size();
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // saturates
    let whole = |side: f32| side as usize;
    (whole(width), whole(height))
}

/// How many pixels of the window one of a view is, for so many views.
fn zoom(size: (usize, usize), count: usize) -> usize {
    (size.0 / count.clamp(1, 2) / VIEW).max(1)
}

/// Each view's rectangle, in views' pixels.
fn areas(size: (usize, usize), count: usize, zoom: usize) -> Vec<Area> {
    let all = (size.0 / zoom, size.1 / zoom);
    (0..count).map(|index| place(index, count, all, GAP)).collect()
}

/// Draws the views into a window, or another target, of that size.
fn paint(
    card: &mut dyn RenderingBackend,
    painter: &mut Painter,
    views: &[View<'_>],
    pass: Option<miniquad::RenderPass>,
    size: (usize, usize),
) {
    card.begin_pass(pass, BACKGROUND);
    card.end_render_pass();
    let colours = Colours::of(views);
    let zoom = zoom(size, views.len());
    for (view, area) in views.iter().zip(areas(size, views.len(), zoom)) {
        if area.width >= SMALLEST && area.height >= SMALLEST {
            let drawing = Drawing::of(view, &colours, (area.width, area.height));
            painter.draw(card, &drawing, Target { pass, height: size.1, zoom, area });
        }
    }
}

impl<T, F: FnOnce(thread::Result<T>)> EventHandler for App<T, F> {
    fn update(&mut self) {
        let pad = self.gamepad.read();
        if pad.presses(Button::Select, self.before) {
            self.plots = !self.plots;
        }
        self.before = pad;
        self.stage.set_pad(self.keys.pad().and(pad));
        if let Some(running) = self.running.take_if(|running| running.is_finished())
            && let Some(end) = self.end.take()
        {
            end(running.join());
            window::order_quit();
        }
    }

    fn draw(&mut self) {
        if let Some(shown) = self.stage.take() {
            self.shown = shown;
        }
        let views: Vec<View<'_>> = self.shown.iter().map(|shown| shown.view(self.plots)).collect();
        paint(self.card.as_mut(), &mut self.painter, &views, None, size());
        self.card.commit_frame();
        let now = Instant::now();
        if now < self.due {
            thread::sleep(self.due - now);
        }
        self.due = (self.due + FRAME).max(now);
    }

    fn key_down_event(&mut self, key: KeyCode, _: KeyMods, repeat: bool) {
        match key {
            KeyCode::Tab if !repeat => self.stage.pick_next(),
            KeyCode::F3 if !repeat => self.plots = !self.plots,
            _ => self.keys.press(key),
        }
    }

    fn key_up_event(&mut self, key: KeyCode, _: KeyMods) {
        self.keys.release(key);
    }

    fn window_minimized_event(&mut self) {
        self.keys.release_all();
    }

    fn mouse_button_down_event(&mut self, _: MouseButton, x: f32, y: f32) {
        let count = self.shown.len();
        let zoom = zoom(size(), count);
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // saturates
        let (x, y) = (x as usize / zoom, y as usize / zoom);
        let hit = |area: &Area| {
            (area.x..area.x + area.width).contains(&x)
                && (area.y..area.y + area.height).contains(&y)
        };
        if let Some(game) = areas(size(), count, zoom).iter().position(hit) {
            self.stage.pick(game);
        }
    }

    fn quit_requested_event(&mut self) {
        // The run ends first, and reports; then the window goes.
        window::cancel_quit();
        self.stage.close();
    }
}

/// A window that draws one frame, unseen, and goes.
pub(super) struct Once {
    card: Box<dyn RenderingBackend>,
    painter: Painter,
    shown: Vec<Shown>,
    size: (u16, u16),
    into: Rc<RefCell<Option<Picture>>>,
}

impl Once {
    pub(super) fn new(
        shown: Vec<Shown>,
        size: (u16, u16),
        into: Rc<RefCell<Option<Picture>>>,
    ) -> Self {
        let (card, painter) = begin();
        Self { card, painter, shown, size, into }
    }
}

impl EventHandler for Once {
    fn update(&mut self) {}

    fn draw(&mut self) {
        let card = self.card.as_mut();
        let (width, height) = (u32::from(self.size.0), u32::from(self.size.1));
        let colour = card.new_render_texture(texture(width, height, TextureFormat::RGBA8));
        let depth = card.new_render_texture(texture(width, height, TextureFormat::Depth));
        let pass = card.new_render_pass(colour, Some(depth));
        let views: Vec<View<'_>> = self.shown.iter().map(|shown| shown.view(true)).collect();
        let size = (usize::from(self.size.0), usize::from(self.size.1));
        paint(card, &mut self.painter, &views, Some(pass), size);
        let mut rgba = vec![0; 4 * size.0 * size.1];
        card.texture_read_pixels(colour, &mut rgba);
        // The card's lines are from the bottom up.
        let lines = rgba.chunks_exact(4 * size.0).rev();
        let rgb =
            lines.flat_map(|line| line.chunks_exact(4)).flat_map(|dot| [dot[0], dot[1], dot[2]]);
        *self.into.borrow_mut() = Some(Picture { width, height, rgb: rgb.collect() });
        window::order_quit();
    }
}
