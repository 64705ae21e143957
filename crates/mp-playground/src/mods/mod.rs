//! What a launcher does with mods, as far as this stand-in needs it: a folder of mods, each in a folder of
//! its own with a manifest; the package that is installed there; which are on, and how they are set.
//!
//! A mod's folder is the package's: an update replaces it. So what the player chose is kept beside it, in
//! `mods.json`. What is read here was written by others: it is checked before it is believed, and a mod
//! with a bad manifest costs itself only.

mod choices;
mod command;
mod editor;
mod install;
mod manifest;
mod menu;
mod page;

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use choices::Choices;
pub use command::{ModsArgs, NotDone};
pub use install::{NotInstalled, Update};
pub use manifest::{BadManifest, BadValue, GameDiscs, Kind, Manifest, Setting};
pub use menu::ModsMenu;

/// The manifest's name in a mod's folder.
const MANIFEST: &str = "mod.json";
/// What the player chose, in the folder of mods.
const CHOICES: &str = "mods.json";

/// The longest that either of them is, in bytes.
const MAX_TEXT: u64 = 1 << 20;

/// A file of the two, which somebody else may have put there: no pipe that never ends, and not more than
/// there can be.
fn read_text(file: &Path) -> io::Result<Vec<u8>> {
    if !fs::metadata(file)?.is_file() {
        return Err(io::Error::other("it is no file"));
    }
    let mut bytes = Vec::new();
    File::open(file)?.take(MAX_TEXT + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_TEXT {
        return Err(io::Error::other(format!("it is longer than {MAX_TEXT} bytes")));
    }
    Ok(bytes)
}

/// How one comes to a mod on a command line.
const HOW_TO_INSTALL: &str = "`cargo xtask package` makes one, `mods install FILE.zip` installs it";

/// Why something cannot be done with the mods of a folder.
#[derive(Debug, thiserror::Error)]
pub enum ModsError {
    /// A file or folder cannot be read or written.
    #[error("{}: {error}", file.display())]
    File {
        /// Which.
        file: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// `mods.json` is not what was written there.
    #[error("{}: {error}", file.display())]
    Choices {
        /// Which.
        file: PathBuf,
        /// Where it goes wrong.
        error: serde_json::Error,
    },
    /// No such mod is installed.
    #[error("no mod {id:?} is installed")]
    NoMod {
        /// What was asked for.
        id: String,
        /// What is installed.
        has: Vec<String>,
    },
    /// It is installed, but cannot be loaded.
    #[error("{id}: {why}")]
    Bad {
        /// Which.
        id: String,
        /// Why.
        why: BadManifest,
    },
    /// It has no such setting.
    #[error("{id} has no setting {key:?}; it has {}", has.join(", "))]
    NoSetting {
        /// Which mod.
        id: String,
        /// What was asked for.
        key: String,
        /// What it has.
        has: Vec<String>,
    },
    /// The setting cannot be that.
    #[error("{key}: {why}")]
    BadValue {
        /// Which.
        key: String,
        /// What it can be.
        why: BadValue,
    },
    /// No mod is on; these are installed.
    #[error("no mod is on")]
    NoneOn(Vec<String>),
    /// This game loads one.
    #[error("several mods are on, and this game loads one: {}", .0.join(", "))]
    SeveralOn(Vec<String>),
}

impl ModsError {
    /// It, and what to do about it on a command line.
    pub(crate) fn with_advice(&self) -> String {
        match self {
            Self::NoneOn(has) | Self::NoMod { has, .. } if has.is_empty() => {
                format!("{self}: none is installed; {HOW_TO_INSTALL}")
            }
            Self::NoMod { has, .. } => format!("{self}; installed: {}", has.join(", ")),
            Self::NoneOn(installed) => {
                format!("{self}: `mods on ID` switches one on; installed: {}", installed.join(", "))
            }
            Self::SeveralOn(_) => format!("{self}; `mods off ID` switches one off"),
            _ => self.to_string(),
        }
    }

    fn file(file: &Path) -> impl FnOnce(io::Error) -> Self {
        |error| Self::File { file: file.to_path_buf(), error }
    }
}

/// A mod that was found.
#[derive(Clone, Debug)]
pub struct Installed {
    /// Its folder's name, which is its id.
    pub id: String,
    /// Whether the player switched it on.
    pub is_on: bool,
    /// What it says of itself, or why it cannot be loaded here.
    pub manifest: Result<Manifest, BadManifest>,
}

/// What a game is given of a mod: its library, and what each of its settings is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loadable {
    /// The library's file.
    pub library: PathBuf,
    /// Each setting's value: the player's, else its default.
    pub settings: BTreeMap<String, String>,
}

/// A folder of mods.
#[derive(Clone, Debug)]
pub struct ModsFolder {
    path: PathBuf,
}

impl ModsFolder {
    /// The folder at that place; it need not be there yet.
    #[must_use]
    pub fn at(path: &Path) -> Self {
        Self { path: path.to_path_buf() }
    }

    /// What is installed, by id. What is no folder with a manifest is passed over.
    ///
    /// # Errors
    /// The folder, or the player's choices, cannot be read.
    pub fn list(&self) -> Result<Vec<Installed>, ModsError> {
        let choices = self.choices()?;
        let entries = match fs::read_dir(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries.map_err(ModsError::file(&self.path))?,
        };
        let mut found = Vec::new();
        for entry in entries {
            let entry = entry.map_err(ModsError::file(&self.path))?;
            let Ok(id) = entry.file_name().into_string() else { continue };
            // What an installation left behind begins with a dot.
            if id.starts_with('.') || !entry.path().join(MANIFEST).is_file() {
                continue;
            }
            let manifest = Manifest::read(&entry.path()).and_then(|read| read.named(&id));
            found.push(Installed { is_on: choices.is_on(&id), id, manifest });
        }
        found.sort_by(|a, b| a.id.cmp(&b.id));
        Ok(found)
    }

    /// Installs a package, or updates the mod that it holds. Answers what was installed.
    ///
    /// # Errors
    /// It is no package, or cannot be written; what was installed before is as it was.
    pub fn install(&self, package: &Path) -> Result<Update, NotInstalled> {
        install::install(package, &self.path)
    }

    /// Removes a mod, also one that cannot be loaded. Whether what the player chose of it stays, for when
    /// it is back; else nothing was chosen.
    ///
    /// # Errors
    /// There is no such mod, or its folder cannot be removed.
    pub fn remove(&self, id: &str) -> Result<bool, ModsError> {
        let folder = self.path.join(self.find(id)?.id);
        fs::remove_dir_all(&folder).map_err(ModsError::file(&folder))?;
        Ok(self.choices()?.has(id))
    }

    /// Switches a mod on or off.
    ///
    /// # Errors
    /// There is no such mod, or `mods.json` cannot be written.
    pub fn switch(&self, id: &str, on: bool) -> Result<(), ModsError> {
        self.manifest(id)?;
        let mut choices = self.choices()?;
        choices.switch(id, on);
        choices.write(&self.path.join(CHOICES))
    }

    /// Sets a mod's setting. A switch is set to `on` or `off`.
    ///
    /// # Errors
    /// There is no such mod, setting or value, or `mods.json` cannot be written.
    pub fn set(&self, id: &str, key: &str, value: &str) -> Result<(), ModsError> {
        let manifest = self.manifest(id)?;
        let Some(setting) = manifest.settings.iter().find(|setting| setting.key == key) else {
            let has = manifest.settings.into_iter().map(|setting| setting.key).collect();
            return Err(ModsError::NoSetting { id: id.to_owned(), key: key.to_owned(), has });
        };
        let value =
            setting.kept(value).map_err(|why| ModsError::BadValue { key: key.to_owned(), why })?;
        let mut choices = self.choices()?;
        choices.set(id, key, value);
        choices.write(&self.path.join(CHOICES))
    }

    /// The mod that is on, for a game to load.
    ///
    /// # Errors
    /// None or several are on, or it cannot be loaded.
    pub fn loadable(&self) -> Result<Loadable, ModsError> {
        let (on, off): (Vec<_>, Vec<_>) =
            self.list()?.into_iter().partition(|installed| installed.is_on);
        let ids = |of: Vec<Installed>| of.into_iter().map(|installed| installed.id).collect();
        let [installed] = on.try_into().map_err(|on: Vec<Installed>| {
            if on.is_empty() { ModsError::NoneOn(ids(off)) } else { ModsError::SeveralOn(ids(on)) }
        })?;
        let bad = |why| ModsError::Bad { id: installed.id.clone(), why };
        let manifest = installed.manifest.map_err(bad)?;
        let library = manifest.library().map_err(bad)?;
        let settings = self.values(&manifest)?;
        Ok(Loadable { library: self.path.join(&installed.id).join(library), settings })
    }

    /// Each setting's value: the player's, else its default.
    fn values(&self, manifest: &Manifest) -> Result<BTreeMap<String, String>, ModsError> {
        let choices = self.choices()?;
        let value = |setting: &Setting| {
            let chosen = choices.value(&manifest.id, &setting.key);
            (setting.key.clone(), chosen.unwrap_or(&setting.default).to_owned())
        };
        Ok(manifest.settings.iter().map(value).collect())
    }

    fn manifest(&self, id: &str) -> Result<Manifest, ModsError> {
        let installed = self.find(id)?;
        installed.manifest.map_err(|why| ModsError::Bad { id: id.to_owned(), why })
    }

    fn find(&self, id: &str) -> Result<Installed, ModsError> {
        let mut all = self.list()?;
        let Some(at) = all.iter().position(|installed| installed.id == id) else {
            let has = all.into_iter().map(|installed| installed.id).collect();
            return Err(ModsError::NoMod { id: id.to_owned(), has });
        };
        Ok(all.swap_remove(at))
    }

    fn choices(&self) -> Result<Choices, ModsError> {
        Choices::read(&self.path.join(CHOICES))
    }
}
