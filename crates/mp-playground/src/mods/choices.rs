//! What the player chose of the mods, as `mods.json` keeps it: which are on, and the settings that are
//! not their defaults. A mod that is gone keeps its choices for when it is back.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::{ModsError, read_text};

/// By the mods' ids.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(transparent)]
pub(super) struct Choices(BTreeMap<String, Choice>);

#[derive(Clone, Debug, Default, Deserialize, Serialize)]
struct Choice {
    on: bool,
    #[serde(default)]
    settings: BTreeMap<String, String>,
}

impl Choices {
    /// Reads the file; none yet: nothing was chosen.
    pub(super) fn read(file: &Path) -> Result<Self, ModsError> {
        match read_text(file) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Self::default()),
            read => {
                let bytes = read.map_err(ModsError::file(file))?;
                serde_json::from_slice(&bytes)
                    .map_err(|error| ModsError::Choices { file: file.to_path_buf(), error })
            }
        }
    }

    /// Writes the file, whole or not at all.
    pub(super) fn write(&self, file: &Path) -> Result<(), ModsError> {
        let bytes = serde_json::to_vec_pretty(self)
            .map_err(|error| ModsError::Choices { file: file.to_path_buf(), error })?;
        let new = file.with_extension("json.new");
        let written = fs::write(&new, bytes).and_then(|()| fs::rename(&new, file));
        written.map_err(ModsError::file(file))
    }

    /// Whether anything of a mod was chosen.
    pub(super) fn has(&self, id: &str) -> bool {
        self.0.contains_key(id)
    }

    pub(super) fn is_on(&self, id: &str) -> bool {
        self.0.get(id).is_some_and(|choice| choice.on)
    }

    pub(super) fn switch(&mut self, id: &str, on: bool) {
        self.0.entry(id.to_owned()).or_default().on = on;
    }

    pub(super) fn value(&self, id: &str, key: &str) -> Option<&str> {
        self.0.get(id)?.settings.get(key).map(String::as_str)
    }

    pub(super) fn set(&mut self, id: &str, key: &str, value: &str) {
        let settings = &mut self.0.entry(id.to_owned()).or_default().settings;
        settings.insert(key.to_owned(), value.to_owned());
    }
}
