//! Where a run's games have their directories: in the one named, else in a temporary one that goes when
//! the run has gone well.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::{env, fs, io, process};

use super::RunError;
use crate::{say, trace};

/// The directory of a run.
#[derive(Debug)]
pub(super) struct WorkDir {
    path: PathBuf,
    temporary: bool,
}

impl WorkDir {
    /// The one named, else a new temporary one.
    pub(super) fn open(named: Option<&Path>) -> Result<Self, RunError> {
        // Two runs of one process have two.
        static RUNS: AtomicU32 = AtomicU32::new(0);
        let temporary = || {
            let run = RUNS.fetch_add(1, Ordering::Relaxed);
            env::temp_dir().join(format!("mp-playground-{}-{run}", process::id()))
        };
        let path = named.map_or_else(temporary, Path::to_path_buf);
        fs::create_dir_all(&path).map_err(|error| RunError::file(&path, error))?;
        Ok(Self { path, temporary: named.is_none() })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// What to warn of, once the games have begun: traces that would go with it.
    pub(super) fn warning(&self) -> Option<&'static str> {
        let has_trace = |folder: io::Result<fs::DirEntry>| {
            folder.is_ok_and(|folder| folder.path().join(trace::FILE).exists())
        };
        (self.temporary && fs::read_dir(&self.path).ok()?.any(has_trace)).then_some(
            "warning: the trace is in a temporary directory, which goes when the run has gone well: \
             --work-dir DIR keeps it",
        )
    }

    /// Keeps it for someone who wants to know what went wrong, and says where it is.
    pub(super) fn keep(mut self) {
        if std::mem::take(&mut self.temporary) {
            say!("logs: {}", self.path.display());
        }
    }
}

impl Drop for WorkDir {
    fn drop(&mut self) {
        if self.temporary
            && let Err(error) = fs::remove_dir_all(&self.path)
        {
            say!("{} cannot be removed: {error}", self.path.display());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_temporary_directory_goes_unless_it_is_kept_and_a_named_one_stays() {
        let gone = WorkDir::open(None).expect("can be made");
        let path = gone.path().to_path_buf();
        fs::write(path.join("run.log"), "words").expect("can be written");
        drop(gone);
        assert!(!path.exists());
        let kept = WorkDir::open(None).expect("can be made");
        let path = kept.path().to_path_buf();
        kept.keep();
        assert!(path.exists());
        let named = WorkDir::open(Some(&path)).expect("is there");
        drop(named);
        assert!(path.exists());
        fs::remove_dir_all(&path).expect("can be removed");
    }

    #[test]
    fn a_trace_is_warned_of_only_where_it_goes_with_its_directory() {
        let work = WorkDir::open(None).expect("can be made");
        let folder = work.path().join("Nova");
        fs::create_dir(&folder).expect("can be made");
        fs::write(folder.join("run.log"), "words").expect("can be written");
        assert_eq!(work.warning(), None);
        fs::write(folder.join("mp-trace.log"), "words").expect("can be written");
        assert!(work.warning().is_some_and(|words| words.contains("--work-dir DIR")));
        let named = WorkDir::open(Some(work.path())).expect("is there");
        assert_eq!(named.warning(), None);
    }
}
