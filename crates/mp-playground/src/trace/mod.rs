//! Reads traces, the mod's verbose logs, of one or more players, lays them side by side by the server's
//! clock, leaves out what is not asked for, and draws what is left as a timeline: so that a report of three
//! files shows what each game thought of one moby. It takes what it can read and counts what it cannot.

pub(crate) mod args;
mod parse;
mod timeline;
mod words;

use std::fmt;
use std::fs::File;
use std::io::{self, BufReader, Read as _};
use std::path::{Path, PathBuf};

use thiserror::Error;

use mp_protocol::limits::NAME_CHARS_MAX;

pub use parse::Line;
use parse::Parsed;

/// What a game's trace is called.
pub(crate) const FILE: &str = "mp-trace.log";
/// The longest trace that is read, in bytes: about an hour at its limit of 2,000 lines a second.
const FILE_BYTES_MAX: u64 = 1 << 30;

/// Why a trace could not be read.
#[derive(Debug, Error)]
pub enum TraceError {
    /// The file.
    #[error("{} cannot be read: {source}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// It is longer than any trace.
    #[error("{} is longer than {FILE_BYTES_MAX} bytes", path.display())]
    TooLong {
        /// Which.
        path: PathBuf,
    },
    /// No line of it is a trace's.
    #[error(
        "{} is no trace: it should be an mp-trace.log, which the setting Verbose log makes",
        path.display()
    )]
    NoTrace {
        /// Which.
        path: PathBuf,
    },
    /// What is printed.
    #[error("the lines cannot be printed: {0}")]
    Print(#[from] io::Error),
    /// The picture.
    #[error("{} cannot be written: {source}", path.display())]
    Picture {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

/// What is wanted of the lines; the default is all.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Wanted {
    /// Only what names that moby: its key (`17`), its number on the wire (`0x8003`) or its handle.
    pub moby: Option<String>,
    /// Only that player's.
    pub player: Option<String>,
    /// Only from so many seconds after the first line on.
    pub from_s: Option<f64>,
    /// Only up to so many seconds after the first line.
    pub to_s: Option<f64>,
}

/// A line of one player's trace, in its place among all.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Milliseconds by the server's clock; by the player's own, from the first line of its trace on, if
    /// that never knew the server's.
    pub at_ms: i64,
    /// Whose game's, by its place among [`Merged::players`].
    pub player: usize,
    /// What it says.
    pub line: Line,
}

/// Several traces in one. See the module.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Merged {
    /// The lines in order of time; of one time, in the order of the files.
    pub entries: Vec<Entry>,
    /// The players in the order of the files.
    pub players: Vec<String>,
    /// What a reader should know of the files, in words.
    pub notes: Vec<String>,
    /// Why the files may be of different runs, in words; such lie side by side by chance.
    pub doubts: Vec<String>,
    /// From when to when each that knew the server's clock goes, and whose it is.
    spans: Vec<(i64, i64, String)>,
}

impl Merged {
    /// Reads the traces.
    ///
    /// # Errors
    /// [`TraceError`] of the first file that cannot be had, or is no trace.
    pub fn read(files: &[PathBuf]) -> Result<Self, TraceError> {
        let mut merged = Self::default();
        for path in files {
            // A game's directory stands for the trace in it.
            let path = if path.is_dir() { &path.join(FILE) } else { path };
            merged.add(&name_of(path), parse_file(path)?);
        }
        merged.finish();
        Ok(merged)
    }

    /// Lays traces that are in memory side by side, each with the name that its player has if no line of
    /// it tells one.
    #[must_use]
    pub fn of(traces: &[(&str, &[u8])]) -> Self {
        let mut merged = Self::default();
        for (name, text) in traces {
            merged.add(name, Parsed::read(*text).expect("memory can be read"));
        }
        merged.finish();
        merged
    }

    fn finish(&mut self) {
        self.entries.sort_by_key(|entry| entry.at_ms);
        self.spans.sort();
        // Of one run, one may have left before another came, but then a third saw both.
        let mut latest: Option<&(i64, i64, String)> = None;
        for span in &self.spans {
            if let Some((_, end, before)) = latest
                && *end < span.0
            {
                let apart = seconds(span.0.saturating_sub(*end));
                let player = &span.2;
                self.doubts.push(format!(
                    "by the server's clock {player}'s trace begins {apart:.1} s after {before}'s ends: \
                     they are of different runs, or of different servers"
                ));
            }
            if latest.is_none_or(|(_, end, _)| *end < span.1) {
                latest = Some(span);
            }
        }
    }

    fn add(&mut self, name: &str, mut parsed: Parsed) {
        let called = parsed.player.as_deref().unwrap_or(name);
        let player = self.unique(called);
        if player != called {
            self.doubts.push(format!(
                "two traces are of a player called {called}: the second is shown as {player}; are they \
                 of one run?"
            ));
        }
        match parsed.unreadable {
            0 => {}
            1 => self.notes.push(format!("{player}: 1 line could not be read")),
            lines => self.notes.push(format!("{player}: {lines} lines could not be read")),
        }
        if parsed.over > 0 {
            let (most, over) = (parse::LINES_MAX, parsed.over);
            self.notes.push(format!("{player}: {over} lines after the first {most} were not read"));
        }
        if parsed.clock.is_empty() {
            self.notes.push(format!(
                "{player}: never knew the server's clock, by which it would be placed"
            ));
        }
        let lines = std::mem::take(&mut parsed.lines);
        let begin_ms = lines.first().map_or(0, |line| line.t_ms);
        let at_ms = |line: &Line| parsed.at_ms(line.t_ms, begin_ms);
        if let (false, Some(first), Some(last)) =
            (parsed.clock.is_empty(), lines.iter().map(at_ms).min(), lines.iter().map(at_ms).max())
        {
            self.spans.push((first, last, player.clone()));
        }
        let place = self.players.len();
        let entry = |line| Entry { at_ms: at_ms(&line), player: place, line };
        self.entries.extend(lines.into_iter().map(entry));
        self.players.push(player);
    }

    /// Two players of one name stay two.
    fn unique(&self, name: &str) -> String {
        let taken = |name: &str| self.players.iter().any(|player| player == name);
        if !taken(name) {
            return name.to_owned();
        }
        let numbered = (2..).map(|number| format!("{name}#{number}"));
        numbered.into_iter().find(|name| !taken(name)).expect("numbers do not end")
    }

    /// Leaves only what is wanted.
    #[must_use]
    pub fn only(mut self, wanted: &Wanted) -> Self {
        let begin = self.entries.first().map_or(0, |entry| entry.at_ms);
        let players = &self.players;
        self.entries.retain(|entry| {
            let at_s = seconds(entry.at_ms.saturating_sub(begin));
            wanted.player.as_ref().is_none_or(|player| *player == players[entry.player])
                && wanted.moby.as_ref().is_none_or(|moby| entry.line.names(moby))
                && wanted.from_s.is_none_or(|from| at_s >= from)
                && wanted.to_s.is_none_or(|to| at_s <= to)
        });
        if self.entries.is_empty() {
            let players = self.players.join(", ");
            self.notes.push(format!("no line is what is asked for; the players are {players}"));
        }
        self
    }

    /// Draws what is left as a timeline: a band a player, a lane for each kind of line.
    ///
    /// # Errors
    /// [`TraceError::Picture`].
    pub fn draw(&self, file: &Path) -> Result<(), TraceError> {
        let picture = timeline::draw(self);
        let failed = |source| TraceError::Picture { path: file.to_path_buf(), source };
        picture.save(file).map_err(failed)
    }
}

impl fmt::Display for Merged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let begin = self.entries.first().map_or(0, |entry| entry.at_ms);
        let width = self.players.iter().map(|player| player.chars().count()).max().unwrap_or(0);
        for Entry { at_ms, player, line } in &self.entries {
            let at_s = seconds(at_ms.saturating_sub(begin));
            let (player, Line { frame, role, .. }) = (&self.players[*player], line);
            let (what, words) = (line.what(), line.words());
            writeln!(f, "{at_s:+10.3} {player:width$} {role:6} f={frame} {what} {words}")?;
        }
        self.notes.iter().try_for_each(|note| writeln!(f, "# {note}"))
    }
}

/// Whole milliseconds in seconds.
#[allow(clippy::cast_precision_loss)] // exact up to thousands of years
fn seconds(ms: i64) -> f64 {
    ms as f64 / 1_000.0
}

/// A player's name by its file: the folder's, since every game's trace has the same name. Folders can be
/// called whatever their maker likes: what a terminal might obey is replaced.
fn name_of(path: &Path) -> String {
    let folder = path.parent().and_then(Path::file_name);
    let name =
        folder.or_else(|| path.file_stem()).map_or("?".into(), |name| name.to_string_lossy());
    let shown = |c: char| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c };
    name.chars().take(NAME_CHARS_MAX).map(shown).collect()
}

fn parse_file(path: &Path) -> Result<Parsed, TraceError> {
    let failed = |source| TraceError::File { path: path.to_path_buf(), source };
    let file = File::open(path).map_err(failed)?;
    if file.metadata().map_err(failed)?.len() > FILE_BYTES_MAX {
        return Err(TraceError::TooLong { path: path.to_path_buf() });
    }
    let parsed = Parsed::read(BufReader::new(file).take(FILE_BYTES_MAX)).map_err(failed)?;
    if parsed.lines.is_empty() {
        return Err(TraceError::NoTrace { path: path.to_path_buf() });
    }
    Ok(parsed)
}

#[cfg(test)]
mod tests;
