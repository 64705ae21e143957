//! The window: the games as the picture shows them, drawn by the graphics card, and a person's keys and
//! pad for the game that is picked.
//!
//! The games run on a thread of their own exactly as they do without a window, at their own pace; the
//! window takes what they show ([`Stage`]) and gives back what the person does. So nothing of a game ever
//! waits for a picture, and a slow picture changes nothing in a game.

mod app;
mod flat;
mod gamepad;
mod keys;
mod painter;
mod shaders;
mod stage;

use std::any::Any;
use std::cell::RefCell;
use std::env;
use std::panic::{self, AssertUnwindSafe};
use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use app::App;
use miniquad::conf::{Conf, LinuxBackend, Platform};
pub use stage::Stage;

use crate::picture::{Picture, Shown};

/// How large the window is at first, for one game and for several, in pixels.
const ONE: (i32, i32) = (960, 720);
const SEVERAL: (i32, i32) = (1_280, 900);
/// How smooth edges are.
const SAMPLES: i32 = 4;

/// Why there is no window.
#[derive(Clone, Debug, thiserror::Error)]
#[error("no window: {0}")]
pub struct NoWindow(String);

type Hook = Box<dyn Fn(&panic::PanicHookInfo<'_>) + Sync + Send>;

/// Whether there seems to be a display to open a window on.
#[must_use]
pub fn is_display_found() -> bool {
    backend().is_some()
}

/// Where to open one. Only Linux has several, and none that can be counted on.
fn backend() -> Option<LinuxBackend> {
    if !cfg!(target_os = "linux") {
        return Some(LinuxBackend::X11Only);
    }
    let is_set = |name| env::var_os(name).is_some_and(|value| !value.is_empty());
    if is_set("DISPLAY") {
        Some(LinuxBackend::X11Only)
    } else {
        is_set("WAYLAND_DISPLAY").then_some(LinuxBackend::WaylandOnly)
    }
}

/// Opens a window with that title for so many games, of which a person plays that one at first, runs `run`
/// on a thread of its own, which shows its games on the stage it is given, and closes the window when that is
/// over. A person who closes the window asks `run` to end ([`Stage::is_closed`]). To be called on the main
/// thread.
///
/// # Errors
/// There is no display, or it cannot be drawn on; `run` then did not begin.
pub fn open<T: Send + 'static>(
    title: &str,
    games: usize,
    person: Option<usize>,
    run: impl FnOnce(Stage) -> T + Send + 'static,
) -> Result<T, NoWindow> {
    let result = Rc::new(RefCell::new(None));
    let into = Rc::clone(&result);
    start(title, if games == 1 { ONE } else { SEVERAL }, move || {
        let stage = Stage::new(games, person);
        let shown = stage.clone();
        let running = thread::spawn(move || run(shown));
        let end = move |ended: thread::Result<T>| *into.borrow_mut() = Some(ended);
        Box::new(App::new(stage, running, end))
    })?;
    match result.take() {
        Some(Ok(result)) => Ok(result),
        Some(Err(panic)) => panic::resume_unwind(panic),
        None => Err(NoWindow("it was closed by the system".to_owned())),
    }
}

/// One frame of a window, drawn without showing it: what a test compares with [`Picture::of`].
///
/// # Errors
/// As for [`open`].
pub fn frame(shown: Vec<Shown>, size: (u16, u16)) -> Result<Picture, NoWindow> {
    let drawn = Rc::new(RefCell::new(None));
    let into = Rc::clone(&drawn);
    start("frame", ONE, move || Box::new(app::Once::new(shown, size, into)))?;
    drawn.take().ok_or_else(|| NoWindow("nothing was drawn".to_owned()))
}

/// Starts the window's library. It panics where it cannot: that is caught, and said as an error.
fn start(
    title: &str,
    (window_width, window_height): (i32, i32),
    begin: impl FnOnce() -> Box<dyn miniquad::EventHandler> + 'static,
) -> Result<(), NoWindow> {
    let linux_backend = backend().ok_or_else(|| NoWindow("no display".to_owned()))?;
    let conf = Conf {
        window_title: title.to_owned(),
        window_width,
        window_height,
        high_dpi: true,
        sample_count: SAMPLES,
        icon: None,
        platform: Platform {
            linux_backend,
            linux_wm_class: "mp-playground",
            swap_interval: Some(1),
            ..Platform::default()
        },
        ..Conf::default()
    };
    // Nothing else runs yet: until the window is there, its panics are not to be printed.
    let hook: Arc<Mutex<Option<Hook>>> = Arc::new(Mutex::new(Some(panic::take_hook())));
    panic::set_hook(Box::new(|_| {}));
    let put_back = move || {
        if let Some(hook) = hook.lock().unwrap_or_else(PoisonError::into_inner).take() {
            panic::set_hook(hook);
        }
    };
    let before = put_back.clone();
    let opened = Rc::new(RefCell::new(false));
    let is_open = Rc::clone(&opened);
    let started = panic::catch_unwind(AssertUnwindSafe(|| {
        miniquad::start(conf, move || {
            before();
            *is_open.borrow_mut() = true;
            begin()
        });
    }));
    put_back();
    match started {
        Ok(()) => Ok(()),
        // The window was there: this is a fault of ours, not of the display.
        Err(panic) if *opened.borrow() => panic::resume_unwind(panic),
        Err(panic) => Err(NoWindow(first_line(panic.as_ref()))),
    }
}

/// What a panic says, without what follows its first line.
fn first_line(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
    text.and_then(|text| text.lines().next()).unwrap_or("it cannot be opened").to_owned()
}
