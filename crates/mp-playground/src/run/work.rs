//! Where a run's games have their directories: in the one named, else in a temporary one that goes when
//! the run has gone well.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::{env, fs, process};

use super::RunError;

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

    /// Keeps it for someone who wants to know what went wrong, and says where it is.
    pub(super) fn keep(mut self) {
        if std::mem::take(&mut self.temporary) {
            println!("logs: {}", self.path.display());
        }
    }
}

impl Drop for WorkDir {
    fn drop(&mut self) {
        if self.temporary
            && let Err(error) = fs::remove_dir_all(&self.path)
        {
            println!("{} cannot be removed: {error}", self.path.display());
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
}
