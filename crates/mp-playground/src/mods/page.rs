//! The page of a folder of mods, in text: what a launcher's Mods tab shows.

use std::fmt::Write as _;

use super::{HOW_TO_INSTALL, Installed, Manifest, ModsError, ModsFolder};
use crate::text::wrapped;

/// Columns of a line.
const WIDTH: usize = 92;

impl ModsFolder {
    /// What is installed, whether it is on, and how it is set.
    ///
    /// # Errors
    /// The folder, or the player's choices, cannot be read.
    pub fn page(&self) -> Result<String, ModsError> {
        let mut page = format!("Mods in {}\n", self.path.display());
        let installed = self.list()?;
        if installed.is_empty() {
            page += &format!("\nNone is installed: {HOW_TO_INSTALL}.\n");
        }
        for one in installed {
            self.entry(&mut page, &one)?;
        }
        Ok(page)
    }

    fn entry(&self, page: &mut String, one: &Installed) -> Result<(), ModsError> {
        let on = if one.is_on { "on" } else { "off" };
        let manifest = match &one.manifest {
            Ok(manifest) => manifest,
            Err(why) => {
                let _infallible = write!(page, "\n[{on}] {}: cannot be loaded: {why}\n", one.id);
                return Ok(());
            }
        };
        let state = manifest.library().map_or_else(|why| format!("; {why}"), |_| String::new());
        let head = format!("\n[{on}] {} {} ({}){state}\n", manifest.name, manifest.version, one.id);
        *page += &head;
        indented(page, "     ", &manifest.summary);
        indented(page, "     ", &facts(manifest));
        let values = self.values(manifest)?;
        for setting in &manifest.settings {
            let value = values.get(&setting.key).map_or("", String::as_str);
            let value = setting.in_words(value);
            // A name that says another thing than the key.
            let key = if setting.key == setting.name { "" } else { &setting.key };
            let key = if key.is_empty() { String::new() } else { format!(" ({key})") };
            let _infallible = writeln!(page, "     {}{key}: {value}", setting.name);
            indented(page, "         ", &setting.help);
        }
        Ok(())
    }
}

fn facts(manifest: &Manifest) -> String {
    let games = manifest.games.iter();
    let games: Vec<_> =
        games.map(|game| format!("{} ({})", game.game, game.discs.join(", "))).collect();
    format!(
        "By {}. {}. For {}; interface {}.",
        manifest.authors.join(", "),
        manifest.licence,
        games.join(", "),
        manifest.interface
    )
}

/// Writes a text in lines that fit, each indented so.
fn indented(page: &mut String, indent: &str, text: &str) {
    for line in wrapped(text, WIDTH - indent.len()) {
        let _infallible = writeln!(page, "{indent}{line}");
    }
}
