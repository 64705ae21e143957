//! Builds the library that is shipped, and says where it is.

use std::env;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde::Deserialize;

/// Why there is no library.
#[derive(Debug, thiserror::Error)]
pub enum NotBuilt {
    /// Cargo could not be started.
    #[error("cannot start cargo: {0}")]
    NoCargo(io::Error),
    /// The build failed; what is wrong stands above.
    #[error("cargo ended with {0}")]
    Failed(String),
    /// The build did not name the library.
    #[error("cargo named no library")]
    NotNamed,
}

/// A line of cargo's output, as far as it matters here.
#[derive(Deserialize)]
struct Message {
    reason: String,
    target: Option<Target>,
    #[serde(default)]
    filenames: Vec<PathBuf>,
}

#[derive(Deserialize)]
struct Target {
    name: String,
}

/// Builds the mod as it is shipped: profile `dist`, a cdylib alone (else it is linked without LTO), and
/// without the paths of the machine that built it.
///
/// # Errors
/// The build failed.
pub fn library(root: &Path) -> Result<PathBuf, NotBuilt> {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command
        .args(["rustc", "--locked", "--profile", "dist", "-p", "openrac-multiplayer"])
        .args(["--lib", "--crate-type", "cdylib"])
        .arg("--message-format=json-render-diagnostics")
        .env("CARGO_ENCODED_RUSTFLAGS", remapped(root))
        .current_dir(root)
        .stdin(Stdio::null())
        .stderr(Stdio::inherit());
    let output = command.output().map_err(NotBuilt::NoCargo)?;
    if !output.status.success() {
        return Err(NotBuilt::Failed(output.status.to_string()));
    }
    let messages = String::from_utf8_lossy(&output.stdout);
    let messages = messages.lines().filter_map(|line| serde_json::from_str::<Message>(line).ok());
    let ours = messages.filter(|message| {
        message.reason == "compiler-artifact"
            && message.target.as_ref().is_some_and(|target| target.name == "openrac_multiplayer")
    });
    let mut files = ours.flat_map(|message| message.filenames);
    let is_library = |file: &PathBuf| file.to_string_lossy().ends_with(env::consts::DLL_SUFFIX);
    files.find(is_library).ok_or(NotBuilt::NotNamed)
}

/// Compiler flags that write the folders of this machine as `/cargo` and `/src`, so that what a panic
/// says of its place, and the bytes, are the same wherever it is built.
fn remapped(root: &Path) -> String {
    let home = env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| env::home_dir().map(|home| home.join(".cargo")));
    let mut flags = vec![format!("--remap-path-prefix={}=/src", root.display())];
    flags.extend(home.map(|home| format!("--remap-path-prefix={}=/cargo", home.display())));
    flags.join("\u{1f}")
}
