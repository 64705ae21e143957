//! The built library, and how long to wait for what it does.
#![allow(dead_code, reason = "each program that includes this uses its part")]

use std::path::PathBuf;
use std::time::Duration;

/// How long a test waits for anything before it fails and shows the screens.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// The library that cargo built beside this test, and no other.
pub fn library() -> PathBuf {
    let test = std::env::current_exe().expect("a test knows where it lies");
    let folder = test.parent().expect("a file lies in a folder");
    let (prefix, suffix) = (std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    folder.join(format!("{prefix}openrac_multiplayer{suffix}"))
}
