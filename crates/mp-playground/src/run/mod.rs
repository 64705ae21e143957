//! Runs: games played by bots in real time, measured, judged and reported. `demo` plays several in this
//! process or in processes of their own, `play` plays one.

mod breaks;
mod cards;
mod demo;
mod here;
mod judge;
mod launch;
mod links;
mod live;
mod outlook;
mod plan;
mod play;
mod processes;
mod recording;
mod report;
mod sabotage;
mod seat;
mod shared;
mod table;
mod track;
mod venue;
mod work;

use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

pub use breaks::{Break, NoBreak};
pub use demo::{Demo, demo};
pub use launch::choose_mod;
pub use play::{Party, Play, play};
pub use recording::{BadRecording, Recording};
pub use report::{
    BoltsReport, FigureReport, Link, Messages, PlayerReport, Report, Spread, Unchecked, WorldReport,
};
pub use shared::{Places, Worlds, fill_accounts};
pub use track::{Sample, Track, fill_figures};
pub use venue::Meet;

use crate::host::NotLoaded;
use crate::library::NoLibrary;
use crate::mods::ModsError;
use crate::say;
use crate::window::Stage;

/// Why a run did not come to its end.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// No file to load.
    #[error(transparent)]
    NoLibrary(#[from] NoLibrary),
    /// The folder of mods has none to load.
    #[error("{}", .0.with_advice())]
    Mods(#[from] ModsError),
    /// The file is no mod.
    #[error(transparent)]
    NotAMod(#[from] sdk_bindings::LoadError),
    /// The mod did not load.
    #[error(transparent)]
    NotLoaded(#[from] NotLoaded),
    /// A file or folder could not be written or read.
    #[error("{}: {error}", file.display())]
    File {
        /// Which.
        file: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// The bots did not get where they were to get.
    #[error("{0}")]
    Stuck(String),
    /// The player, or the system, asked for the end before there was a result.
    #[error("interrupted")]
    Interrupted,
    /// Nobody is there to play.
    #[error(
        "nobody would play: without a window, begin a party (--host-direct, --create, --code CODE or \
         --join ADDR), give a recorded pad (--pad FILE), or say how long the game is to stay at its \
         title (--seconds N)"
    )]
    NothingToPlay,
    /// No player may be called that.
    #[error("`{0}` is no name for a player: 3 to 16 letters, digits and underscores")]
    BadName(String),
    /// A party was to meet at a relay that is not there.
    #[error("no relay at {address} ({error}); `cargo run --release -p mp-relay` starts one")]
    NoRelay {
        /// Where.
        address: SocketAddr,
        /// What the system said.
        error: io::Error,
    },
    /// The embedded relay could not be started.
    #[error("cannot start a relay: {0}")]
    Relay(String),
    /// A proxy could not be started.
    #[error("cannot start a proxy: {0}")]
    Proxy(io::Error),
    /// A game's own process could not be run.
    #[error("cannot run a game: {0}")]
    Child(io::Error),
}

impl RunError {
    fn file(file: &Path, error: io::Error) -> Self {
        Self::File { file: file.to_path_buf(), error }
    }

    /// The exit status: 2 when there was nothing to play with, else 1.
    #[must_use]
    pub const fn exit_code(&self) -> u8 {
        match self {
            Self::NoLibrary(_)
            | Self::Mods(_)
            | Self::NotAMod(_)
            | Self::NotLoaded(_)
            | Self::NoRelay { .. }
            | Self::NothingToPlay => 2,
            Self::File { .. }
            | Self::Stuck(_)
            | Self::Child(_)
            | Self::Proxy(_)
            | Self::Relay(_)
            | Self::BadName(_) => 1,
            Self::Interrupted => 130,
        }
    }
}

/// Writes a file, if it is wanted, and says where.
fn save_file(
    what: &str,
    file: Option<&Path>,
    write: impl FnOnce(&Path) -> io::Result<()>,
) -> Result<(), RunError> {
    let Some(file) = file else { return Ok(()) };
    write(file).map_err(|error| RunError::file(file, error))?;
    say!("{what}: {}", file.display());
    Ok(())
}

/// Whether a player may be called that, and so may a file of his (B1.2).
///
/// # Errors
/// [`RunError::BadName`].
pub fn check_name(name: &str) -> Result<(), RunError> {
    let letters = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    if letters && (3..=16).contains(&name.len()) {
        Ok(())
    } else {
        Err(RunError::BadName(name.to_owned()))
    }
}

/// Whether the player, or the system, asked this process to end.
#[derive(Clone, Debug)]
struct Asked {
    flag: Arc<AtomicBool>,
    /// Whose window may be closed.
    stage: Option<Stage>,
}

impl Asked {
    /// Listens for Ctrl+C, SIGTERM and the window's end from now on.
    fn listen(stage: Option<Stage>) -> Result<Self, RunError> {
        let flag = Arc::new(AtomicBool::new(false));
        for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
            signal_hook::flag::register(signal, Arc::clone(&flag)).map_err(RunError::Child)?;
        }
        Ok(Self { flag, stage })
    }

    fn to_end(&self) -> bool {
        self.flag.load(Ordering::Relaxed) || self.stage.as_ref().is_some_and(Stage::is_closed)
    }
}
