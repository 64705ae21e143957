//! What a mod says of itself, in `mod.json`.

use std::collections::{BTreeMap, BTreeSet};
use std::env::consts;
use std::net::{Ipv6Addr, SocketAddrV6};
use std::path::{Component, Path, PathBuf};

use sdk_bindings::{VERSION_MAJOR as MAJOR, VERSION_MINOR as MINOR};
use serde::Deserialize;

use super::{MANIFEST, read_text};
use crate::run::check_name;

/// The format of manifests that is read here.
const FORMAT: u32 = 1;
/// The most letters of an id.
const MAX_ID: usize = 32;

/// What a mod says of itself.
#[derive(Clone, Debug, Deserialize)]
pub struct Manifest {
    format: u32,
    /// The name of its folder: small letters, digits and hyphens, 32 at most.
    pub id: String,
    /// Its name for people.
    pub name: String,
    /// `<major>.<minor>.<patch>`.
    pub version: String,
    /// What it is for, in a line.
    pub summary: String,
    /// The least version of the mod interface that it wants, `<major>.<minor>`.
    pub interface: String,
    /// The games that it is for. This stand-in has none of their discs and loads it all the same.
    pub games: Vec<GameDiscs>,
    /// Who made it.
    pub authors: Vec<String>,
    /// On what terms, as an SPDX expression.
    pub licence: String,
    /// A picture of it, PNG, in its folder.
    pub icon: PathBuf,
    /// A page for players, Markdown, in its folder.
    pub page: PathBuf,
    /// Its library for each platform (`<system>-<processor>`), in its folder.
    pub libraries: BTreeMap<String, PathBuf>,
    /// What a player can set.
    pub settings: Vec<Setting>,
}

/// A game, and the discs of it that a mod is for.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct GameDiscs {
    /// The launcher's name of the game.
    pub game: String,
    /// The discs' serial numbers.
    pub discs: Vec<String>,
}

/// Something that a player can set. The mod asks for it by its key.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Setting {
    /// What the mod calls it.
    pub key: String,
    /// What people call it.
    pub name: String,
    /// What it can be.
    pub kind: Kind,
    /// What it is until the player sets it; a switch's is `1` or `0`.
    pub default: String,
    /// What it does, in a sentence or two.
    pub help: String,
    /// Whether the page of mods in a window shows it; the printed one shows each.
    #[serde(default = "yes")]
    pub shown: bool,
}

/// What a setting can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Any text.
    Text,
    /// On (`1`) or off (`0`).
    Switch,
    /// A player's name; empty, or as it is by default, it is the launcher's.
    Name,
    /// A port, 1 to 65,535; 0: any free one; empty: the usual one.
    Port,
    /// A server, as `host`, `host:port` or `[v6]:port`; empty: the usual one.
    Server,
}

/// What a setting of its kind can be, and the value is not.
#[derive(Clone, Debug, thiserror::Error, PartialEq, Eq)]
pub enum BadValue {
    /// A switch has two values.
    #[error("{0:?} is neither on nor off")]
    Switch(String),
    /// No player may be called that.
    #[error("{0}; empty: the launcher's name")]
    Name(String),
    /// There is no such port.
    #[error("{0:?} is no port: a number of 1 to 65535; 0: any free one")]
    Port(String),
    /// No server can be called that.
    #[error(
        "{0:?} is no server: host:port, such as localhost:7770 or [::1]:7770; empty: the usual one"
    )]
    Server(String),
}

impl Setting {
    /// What is kept of a value that a player sets it to: of a switch, which is `on` or `off` to him, `1` or
    /// `0`.
    ///
    /// # Errors
    /// It can not be that.
    pub fn kept<'a>(&self, value: &'a str) -> Result<&'a str, BadValue> {
        let bad = |why: fn(String) -> BadValue| Err(why(value.to_owned()));
        match (self.kind, value) {
            (Kind::Switch, "on") => Ok("1"),
            (Kind::Switch, "off") => Ok("0"),
            (Kind::Switch, _) => bad(BadValue::Switch),
            (Kind::Text, _) | (Kind::Name | Kind::Port | Kind::Server, "") => Ok(value),
            (Kind::Name, _) if value == self.default => Ok(value),
            (Kind::Name, _) => match check_name(value) {
                Ok(()) => Ok(value),
                Err(why) => Err(BadValue::Name(why.to_string())),
            },
            (Kind::Port, _) if value.parse::<u16>().is_ok() => Ok(value),
            (Kind::Port, _) => bad(BadValue::Port),
            (Kind::Server, _) if is_server(value) => Ok(value),
            (Kind::Server, _) => bad(BadValue::Server),
        }
    }

    /// A value as a player reads it: one that is empty as what it stands for.
    pub(super) fn in_words<'a>(&'a self, value: &'a str) -> &'a str {
        match (self.kind, value) {
            (Kind::Switch, "1") => "on",
            (Kind::Switch, _) => "off",
            (Kind::Name | Kind::Port | Kind::Server, "") => &self.default,
            _ => value,
        }
    }
}

/// Whether a server can be called that. Nothing is looked up.
fn is_server(text: &str) -> bool {
    let is_port = |digits: &str| {
        digits.bytes().all(|byte| byte.is_ascii_digit())
            && digits.parse::<u16>().is_ok_and(|port| port != 0)
    };
    if text.starts_with('[') {
        let bare = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
        return bare.is_some_and(|bare| bare.parse::<Ipv6Addr>().is_ok())
            || text.parse::<SocketAddrV6>().is_ok_and(|address| address.port() != 0);
    }
    let (host, port) = text.split_once(':').unwrap_or((text, "7770"));
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_');
    !host.is_empty() && host.bytes().all(plain) && is_port(port)
}

const fn yes() -> bool {
    true
}

/// Why a mod cannot be loaded.
#[derive(Clone, Debug, thiserror::Error, PartialEq, Eq)]
pub enum BadManifest {
    /// The file cannot be read, or is no manifest.
    #[error("{MANIFEST}: {0}")]
    Unreadable(String),
    /// It is of a launcher to come.
    #[error("its manifest has format {0}, and {FORMAT} is what is read here")]
    Format(u32),
    /// A folder cannot have that name, or has another.
    #[error("its id {0:?} is no name for its folder")]
    Id(String),
    /// A text that is more than text to a terminal.
    #[error("{0:?} holds a control character")]
    Text(String),
    /// It wants calls that this game does not have.
    #[error("it wants interface {0}, and this game has {MAJOR}.{MINOR}")]
    Interface(String),
    /// A file outside its folder.
    #[error("{} is not in its folder", .0.display())]
    Outside(PathBuf),
    /// A file that should be in its folder.
    #[error("it has no {}", .0.display())]
    Missing(PathBuf),
    /// A setting twice, or one whose default is not of its kind.
    #[error("its setting {0:?} is not one that can be set")]
    Setting(String),
    /// It has no library for this system.
    #[error("it is not for {0}; it is for {list}", list = .1.join(", "))]
    Platform(String, Vec<String>),
}

impl Manifest {
    /// Reads the manifest in a mod's folder.
    ///
    /// # Errors
    /// Why it cannot be loaded.
    pub fn read(folder: &Path) -> Result<Self, BadManifest> {
        let unreadable = |error: &dyn std::error::Error| BadManifest::Unreadable(error.to_string());
        let bytes = read_text(&folder.join(MANIFEST)).map_err(|error| unreadable(&error))?;
        let manifest: Self = serde_json::from_slice(&bytes).map_err(|error| unreadable(&error))?;
        manifest.check()?;
        let files =
            || [&manifest.icon, &manifest.page].into_iter().chain(manifest.libraries.values());
        if let Some(file) = files().find(|file| !is_inside(file)) {
            return Err(BadManifest::Outside(file.clone()));
        }
        if let Some(file) = files().find(|file| !folder.join(file).is_file()) {
            return Err(BadManifest::Missing(file.clone()));
        }
        Ok(manifest)
    }

    /// The manifest, if its id is the name of its folder.
    pub(super) fn named(self, folder: &str) -> Result<Self, BadManifest> {
        if self.id == folder { Ok(self) } else { Err(BadManifest::Id(self.id)) }
    }

    /// Whether its version is the later one; one that is not as versions are is neither earlier nor later.
    pub(super) fn is_newer_than(&self, other: &Self) -> bool {
        let numbers = |version: &str| -> Option<[u64; 3]> {
            let numbers: Result<Vec<_>, _> = version.split('.').map(str::parse).collect();
            numbers.ok()?.try_into().ok()
        };
        numbers(&self.version)
            .zip(numbers(&other.version))
            .is_some_and(|(this, other)| this > other)
    }

    /// Its library for this system, in its folder.
    ///
    /// # Errors
    /// It has none.
    pub fn library(&self) -> Result<&Path, BadManifest> {
        let here = format!("{}-{}", consts::OS, consts::ARCH);
        match self.libraries.get(&here) {
            Some(library) => Ok(library),
            None => Err(BadManifest::Platform(here, self.libraries.keys().cloned().collect())),
        }
    }

    /// All that is shown of it.
    fn texts(&self) -> impl Iterator<Item = &str> {
        let Self { name, version, summary, interface, licence, .. } = self;
        let own = [name, version, summary, interface, licence].into_iter().chain(&self.authors);
        let games = self.games.iter().flat_map(|game| [&game.game].into_iter().chain(&game.discs));
        let settings = self.settings.iter();
        let settings = settings.flat_map(|it| [&it.key, &it.name, &it.default, &it.help]);
        own.chain(games).chain(self.libraries.keys()).chain(settings).map(String::as_str)
    }

    fn check(&self) -> Result<(), BadManifest> {
        if self.format != FORMAT {
            return Err(BadManifest::Format(self.format));
        }
        let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        if self.id.is_empty() || self.id.len() > MAX_ID || !self.id.bytes().all(plain) {
            return Err(BadManifest::Id(self.id.clone()));
        }
        if let Some(odd) = self.texts().find(|text| text.contains(char::is_control)) {
            return Err(BadManifest::Text(odd.to_owned()));
        }
        let version = self.interface.split_once('.');
        let wanted = version.and_then(|(major, minor)| {
            Some((major.parse::<u16>().ok()?, minor.parse::<u16>().ok()?))
        });
        if !wanted.is_some_and(|(major, minor)| major == MAJOR && minor <= MINOR) {
            return Err(BadManifest::Interface(self.interface.clone()));
        }
        let mut keys = BTreeSet::new();
        for setting in &self.settings {
            let can_be = match setting.kind {
                Kind::Switch => matches!(&*setting.default, "0" | "1"),
                _ => setting.kept(&setting.default).is_ok(),
            };
            if !can_be || !keys.insert(&setting.key) {
                return Err(BadManifest::Setting(setting.key.clone()));
            }
        }
        Ok(())
    }
}

/// Whether a path, taken from a folder, ends in it.
pub(super) fn is_inside(path: &Path) -> bool {
    path.components().all(|part| matches!(part, Component::Normal(_)))
        && path.components().next().is_some()
}
