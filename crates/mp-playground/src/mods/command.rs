//! `mp-playground mods`: the page of mods on a command line.

use std::io;
use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::{Manifest, ModsError, ModsFolder, ModsMenu, NotInstalled, Update};
use crate::cli::values::png;
use crate::picture::{Picture, View};

/// What is done with a folder of mods; without a command its page is shown.
#[derive(Args, Clone, Debug)]
pub struct ModsArgs {
    /// The folder of mods.
    #[arg(long, value_name = "DIR", default_value = "mods", global = true)]
    dir: PathBuf,
    /// Draw the page there, as `play --mods` shows it in a window.
    #[arg(long, value_name = "FILE.png", value_parser = png, global = true)]
    picture: Option<PathBuf>,
    #[command(subcommand)]
    action: Option<Action>,
}

#[derive(Subcommand, Clone, Debug)]
enum Action {
    /// Installs a package, or updates the mod that it holds.
    Install {
        /// The package.
        #[arg(required = true, value_name = "FILE.zip")]
        packages: Vec<PathBuf>,
    },
    /// Removes a mod; what was chosen of it stays, for when it is installed again.
    Remove {
        /// Its id.
        id: String,
    },
    /// Switches a mod on.
    On {
        /// Its id.
        id: String,
    },
    /// Switches a mod off.
    Off {
        /// Its id.
        id: String,
    },
    /// Sets a setting of a mod.
    Set {
        /// Its id.
        id: String,
        /// The setting's key.
        key: String,
        /// What it is to be; a switch: on or off.
        #[arg(allow_hyphen_values = true)]
        value: String,
    },
}

/// Why it was not done.
#[derive(Debug, thiserror::Error)]
pub enum NotDone {
    /// The package was not installed.
    #[error("{}: {why}{}", package.display(), advice(why))]
    Install {
        /// Which.
        package: PathBuf,
        /// Why.
        why: NotInstalled,
    },
    /// One after the other: which of a mod's is to stay is for the player to say.
    #[error("one zip at a time: {}", .0.iter().map(|file| file.display().to_string()).collect::<Vec<_>>().join(", "))]
    Several(Vec<PathBuf>),
    /// The mods could not be read or set.
    #[error("{}", .0.with_advice())]
    Mods(#[from] ModsError),
    /// The picture could not be written.
    #[error("{}: {error}", file.display())]
    Picture {
        /// Where.
        file: PathBuf,
        /// What the system said.
        error: io::Error,
    },
}

/// How one comes to a package where there is none.
fn advice(why: &NotInstalled) -> &'static str {
    match why {
        NotInstalled::Unreadable(error) if error.kind() == io::ErrorKind::NotFound => {
            "; `cargo xtask package` makes one"
        }
        _ => "",
    }
}

impl NotDone {
    /// The exit status: 2 when it was not understood, else 1.
    #[must_use]
    pub const fn exit_code(&self) -> u8 {
        if matches!(self, Self::Several(_)) { 2 } else { 1 }
    }
}

impl ModsArgs {
    /// Does it; answers what was done, or the page.
    ///
    /// # Errors
    /// It was not done.
    pub fn run(&self) -> Result<String, NotDone> {
        let mods = ModsFolder::at(&self.dir);
        let done = match &self.action {
            None => mods.page()?,
            Some(Action::Install { packages }) => {
                let [package] = &packages[..] else {
                    return Err(NotDone::Several(packages.clone()));
                };
                let not = |why| NotDone::Install { package: package.clone(), why };
                let Update { manifest, over_newer } = mods.install(package).map_err(not)?;
                let over = over_newer.map(|old| format!(" over {old}, which was newer"));
                let Manifest { id, version, .. } = manifest;
                format!("installed {id} {version}{}\n", over.unwrap_or_default())
            }
            Some(Action::Remove { id }) => {
                let stays = mods.remove(id)?;
                let stays = if stays { "; what was chosen of it stays" } else { "" };
                format!("removed {id}{stays}\n")
            }
            Some(Action::On { id }) => {
                mods.switch(id, true)?;
                format!("{id} is on\n")
            }
            Some(Action::Off { id }) => {
                mods.switch(id, false)?;
                format!("{id} is off\n")
            }
            Some(Action::Set { id, key, value }) => {
                mods.set(id, key, value)?;
                format!("{key} = {value}\n")
            }
        };
        if let Some(file) = &self.picture {
            let menu = ModsMenu::open(&mods)?;
            let drawn = Picture::of(&[View::new(menu.game(), "")]).save(file);
            drawn.map_err(|error| NotDone::Picture { file: file.clone(), error })?;
        }
        Ok(done)
    }
}
