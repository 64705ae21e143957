//! Installs a package: a zip with one folder, the mod's, in it.
//!
//! It is unpacked beside where it will be, looked through there, and only then takes the old one's place:
//! a package that is cut short or is none changes nothing.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use zip::ZipArchive;
use zip::result::ZipError;

use super::manifest::{BadManifest, Manifest, is_inside};

/// The most files of a package.
const MAX_FILES: usize = 64;
/// The most bytes of a package's files together, unpacked.
const MAX_BYTES: u64 = 64 << 20;
/// Where it is unpacked, in the folder of mods.
const UNPACKING: &str = ".unpacking";
/// Where the old one is kept until the new one has its place.
const REPLACED: &str = ".replaced";

/// What an installation did.
#[derive(Clone, Debug)]
pub struct Update {
    /// What the mod says of itself.
    pub manifest: Manifest,
    /// The version that had its place and was newer, if one was.
    pub over_newer: Option<String>,
}

/// Why a package was not installed.
#[derive(Debug, thiserror::Error)]
pub enum NotInstalled {
    /// A file or folder cannot be read or written.
    #[error("{}: {error}", file.display())]
    File {
        /// Which.
        file: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// The package cannot be read.
    #[error("{0}")]
    Unreadable(io::Error),
    /// The file is no zip, or a broken one.
    #[error("it is no package: {}", in_words(.0))]
    Zip(#[from] ZipError),
    /// It has more files or bytes than any mod.
    #[error("it is no package: it holds more than {MAX_FILES} files or {MAX_BYTES} bytes")]
    TooMuch,
    /// A name that leads out of the folder, or not into a folder.
    #[error("it is no package: {0:?} is in no folder of its own")]
    Name(String),
    /// It holds no mod that can be loaded here.
    #[error("what it holds cannot be loaded: {0}")]
    Bad(#[from] BadManifest),
}

impl NotInstalled {
    fn file(file: &Path) -> impl FnOnce(io::Error) -> Self {
        |error| Self::File { file: file.to_path_buf(), error }
    }
}

/// What is wrong with a zip, for one who knows nothing of how zips are made.
fn in_words(error: &ZipError) -> String {
    match error {
        ZipError::InvalidArchive(_) => "it is no zip file, or not a whole one".to_owned(),
        ZipError::FileNotFound => "it is an empty zip file".to_owned(),
        error => error.to_string(),
    }
}

pub(super) fn install(package: &Path, mods: &Path) -> Result<Update, NotInstalled> {
    let unpacking = mods.join(UNPACKING);
    // What an installation that was killed left behind.
    remove(&unpacking)?;
    let installed = unpack(package, &unpacking)
        .and_then(|folder| Ok(Manifest::read(&unpacking.join(&folder))?.named(&folder)?))
        .and_then(|manifest| {
            manifest.library()?;
            let place = mods.join(&manifest.id);
            // One that cannot be read is no newer one.
            let before = Manifest::read(&place).ok().filter(|old| old.is_newer_than(&manifest));
            put(&unpacking.join(&manifest.id), &place, &mods.join(REPLACED))?;
            Ok(Update { manifest, over_newer: before.map(|old| old.version) })
        });
    let cleared = remove(&unpacking);
    // Why it was not installed counts more than that something of it is left, which goes next time.
    let update = installed?;
    cleared.map(|()| update)
}

/// Unpacks it there; answers the name of its one folder.
fn unpack(package: &Path, into: &Path) -> Result<String, NotInstalled> {
    let file = File::open(package).map_err(NotInstalled::Unreadable)?;
    let mut archive = ZipArchive::new(file)?;
    if archive.len() > MAX_FILES {
        return Err(NotInstalled::TooMuch);
    }
    let (mut folder, mut left) = (None, MAX_BYTES);
    for index in 0..archive.len() {
        let mut entry = archive.by_index(index)?;
        let name = entry.name()?.to_string();
        let Some(own) = folder_of(&name) else { return Err(NotInstalled::Name(name)) };
        if *folder.get_or_insert_with(|| own.to_owned()) != own {
            return Err(NotInstalled::Name(name));
        }
        // Folders are made for what is in them.
        if name.ends_with('/') {
            continue;
        }
        let path = into.join(&name);
        let parent = path.parent().unwrap_or(into);
        fs::create_dir_all(parent).map_err(NotInstalled::file(parent))?;
        let mut to = File::create_new(&path).map_err(NotInstalled::file(&path))?;
        // What a zip says of its sizes is not believed.
        let written = io::copy(&mut entry.by_ref().take(left + 1), &mut to);
        left = left
            .checked_sub(written.map_err(NotInstalled::file(&path))?)
            .ok_or(NotInstalled::TooMuch)?;
    }
    folder.ok_or(NotInstalled::Zip(ZipError::FileNotFound))
}

/// The folder at the root of a zip that this name in it leads into, or is the name of.
fn folder_of(name: &str) -> Option<&str> {
    let plain = |part: &str| !part.contains('\\') && is_inside(Path::new(part));
    let (own, rest) = name.split_once('/')?;
    (plain(own) && (rest.is_empty() || plain(rest))).then_some(own)
}

/// Puts the new folder in the place of the old one, if there is one.
fn put(new: &Path, place: &Path, replaced: &Path) -> Result<(), NotInstalled> {
    remove(replaced)?;
    let had_one = place.exists();
    if had_one {
        fs::rename(place, replaced).map_err(NotInstalled::file(place))?;
    }
    if let Err(error) = fs::rename(new, place) {
        if had_one {
            fs::rename(replaced, place).map_err(NotInstalled::file(replaced))?;
        }
        return Err(NotInstalled::File { file: place.to_path_buf(), error });
    }
    remove(replaced)
}

fn remove(folder: &Path) -> Result<(), NotInstalled> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(NotInstalled::File { file: folder.to_path_buf(), error })
        }
        _ => Ok(()),
    }
}
