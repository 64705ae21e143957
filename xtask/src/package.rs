//! The package that the launcher installs: one zip with one folder, which holds the manifest, the icon,
//! the player's page, the licences, those of what others wrote too, and a library for each platform.
//!
//! The same input makes the same bytes: entries are sorted, times and permissions fixed.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Cursor, Write as _};
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, System, ZipWriter};

use crate::library::{Facts, Unfit};
use crate::platform::Platform;
use crate::third_party::ThirdParty;

/// What of `package/` and of the root goes into the package as it is.
const FILES: [(&str, &str); 4] = [
    ("icon.png", "package/icon.png"),
    ("README.md", "package/README.md"),
    ("LICENSE-MIT", "LICENSE-MIT"),
    ("LICENSE-APACHE", "LICENSE-APACHE"),
];
/// The manifest, without what is known only here: the version and the libraries.
const MANIFEST: &str = "package/mod.json";

/// What is to be packed.
#[derive(Clone, Debug)]
pub struct Package {
    /// The root of the project.
    pub root: PathBuf,
    /// The library's file for each platform.
    pub libraries: BTreeMap<Platform, PathBuf>,
    /// What others wrote of them.
    pub third_party: ThirdParty,
    /// Whether a library is held to what is shipped; else only to being one.
    pub is_release: bool,
}

/// A package was made.
#[derive(Clone, Debug)]
pub struct Packed {
    /// `multiplayer-<version>-<platform>.zip`; for several platforms `combined`.
    pub name: String,
    /// The zip.
    pub bytes: Vec<u8>,
}

/// Why there is no package.
#[derive(Debug, thiserror::Error)]
pub enum NotPacked {
    /// A file cannot be read or written.
    #[error("{}: {error}", file.display())]
    File {
        /// Which.
        file: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// `package/mod.json` is not what it should be.
    #[error("{MANIFEST}: {0}")]
    Manifest(String),
    /// A library is not shipped.
    #[error("{}: {why}", file.display())]
    Library {
        /// Which.
        file: PathBuf,
        /// Why.
        why: Unfit,
    },
    /// There is nothing to load in it.
    #[error("a package wants a library for one platform at least")]
    Empty,
    /// The zip cannot be written.
    #[error("zip: {0}")]
    Zip(#[from] zip::result::ZipError),
}

impl NotPacked {
    fn file(file: &Path) -> impl FnOnce(io::Error) -> Self {
        |error| Self::File { file: file.to_path_buf(), error }
    }
}

impl Package {
    /// Makes the package.
    ///
    /// # Errors
    /// A file is missing, or what it holds is not for a package.
    pub fn pack(&self) -> Result<Packed, NotPacked> {
        let mut libraries = BTreeMap::new();
        for (&platform, file) in &self.libraries {
            libraries.insert(platform, self.read_library(platform, file)?);
        }
        let tag = match libraries.keys().collect::<Vec<_>>()[..] {
            [] => return Err(NotPacked::Empty),
            [one] => one.name(),
            _ => "combined",
        };
        let manifest = self.manifest(libraries.keys().copied())?;
        let id = member(&manifest, "id")?;
        let version = member(&manifest, "version")?;
        let mut entries = BTreeMap::new();
        for (name, file) in FILES {
            entries.insert(name.to_owned(), self.read(file)?);
        }
        let mut text = serde_json::to_vec_pretty(&manifest)
            .map_err(|error| NotPacked::Manifest(error.to_string()))?;
        text.push(b'\n');
        entries.insert("mod.json".to_owned(), text);
        let ThirdParty { crates, rust } = &self.third_party;
        entries.insert("THIRD-PARTY.txt".to_owned(), crates.clone().into_bytes());
        entries.insert("THIRD-PARTY-RUST.html".to_owned(), rust.clone());
        for (platform, bytes) in libraries {
            entries.insert(library_path(platform), bytes);
        }
        let bytes = zip(&id, &entries)?;
        Ok(Packed { name: format!("{id}-{version}-{tag}.zip"), bytes })
    }

    fn read(&self, name: &str) -> Result<Vec<u8>, NotPacked> {
        let file = self.root.join(name);
        fs::read(&file).map_err(NotPacked::file(&file))
    }

    fn read_library(&self, platform: Platform, file: &Path) -> Result<Vec<u8>, NotPacked> {
        let bytes = fs::read(file).map_err(NotPacked::file(file))?;
        let checked = Facts::of(&bytes, platform)
            .and_then(|facts| if self.is_release { facts.check(platform) } else { Ok(()) });
        checked.map_err(|why| NotPacked::Library { file: file.to_path_buf(), why })?;
        Ok(bytes)
    }

    /// The manifest with the version of this build and where the libraries lie.
    fn manifest(
        &self,
        platforms: impl Iterator<Item = Platform>,
    ) -> Result<Map<String, Value>, NotPacked> {
        let parsed = serde_json::from_slice(&self.read(MANIFEST)?);
        let mut manifest: Map<String, Value> =
            parsed.map_err(|error| NotPacked::Manifest(error.to_string()))?;
        let libraries: Map<String, Value> =
            platforms.map(|one| (one.name().to_owned(), library_path(one).into())).collect();
        let built =
            [("version", env!("CARGO_PKG_VERSION").into()), ("libraries", libraries.into())];
        for (name, value) in built {
            if manifest.insert(name.to_owned(), value).is_some() {
                return Err(NotPacked::Manifest(format!("{name:?} is filled in here")));
            }
        }
        Ok(manifest)
    }
}

impl Packed {
    /// The SHA-256 of the zip, in hex.
    #[must_use]
    pub fn sha256(&self) -> String {
        Sha256::digest(&self.bytes).iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// Writes the zip, and its SHA-256 beside it as `sha256sum --check` reads it. Answers where.
    ///
    /// # Errors
    /// The disk's.
    pub fn save(&self, folder: &Path) -> Result<PathBuf, NotPacked> {
        let file = folder.join(&self.name);
        let sum = folder.join(format!("{}.sha256", self.name));
        fs::create_dir_all(folder).map_err(NotPacked::file(folder))?;
        fs::write(&file, &self.bytes).map_err(NotPacked::file(&file))?;
        let line = format!("{}  {}\n", self.sha256(), self.name);
        fs::write(&sum, line).map_err(NotPacked::file(&sum))?;
        Ok(file)
    }
}

fn library_path(platform: Platform) -> String {
    format!("{}/{}", platform.name(), platform.library_name())
}

fn member(manifest: &Map<String, Value>, name: &str) -> Result<String, NotPacked> {
    let text = manifest.get(name).and_then(Value::as_str);
    text.map(str::to_owned).ok_or_else(|| NotPacked::Manifest(format!("it has no {name:?}")))
}

fn zip(folder: &str, entries: &BTreeMap<String, Vec<u8>>) -> Result<Vec<u8>, NotPacked> {
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .compression_level(Some(9))
        .last_modified_time(DateTime::default())
        .unix_permissions(0o644)
        .system(System::Unix);
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in entries {
        writer.start_file(format!("{folder}/{name}"), options)?;
        writer.write_all(bytes).map_err(zip::result::ZipError::from)?;
    }
    Ok(writer.finish()?.into_inner())
}
