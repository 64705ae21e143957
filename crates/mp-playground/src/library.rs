//! Which file is the mod. Under `cargo run` it is built first, so that one command does all; what is
//! found is never guessed at beyond the three places below.

use std::env;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde::Deserialize;

/// The mod's package, and its library's name.
const PACKAGE: &str = "openrac-multiplayer";
const NAME: &str = "openrac_multiplayer";

/// How to come to a library.
const BUILD_IT: &str =
    "`cargo build --release` builds the mod, and `cargo run -p mp-playground` by itself";

/// Why there is no file to load.
#[derive(Debug, thiserror::Error)]
pub enum NoLibrary {
    /// Cargo could not be started.
    #[error("cannot build the mod: {}: {error}", cargo.display())]
    NoCargo {
        /// The program that was to be started.
        cargo: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// The build failed; what is wrong stands above.
    #[error("cannot build the mod: cargo build ended with {0}")]
    NotBuilt(String),
    /// The build did not name the library.
    #[error("cannot build the mod: cargo build named no library")]
    NotNamed,
    /// The file that was named is not there.
    #[error("{}: no such file; {BUILD_IT}", .0.display())]
    NotThere(PathBuf),
    /// Nothing beside the program.
    #[error("{}: no such file; {BUILD_IT}, or name it with --library FILE", .0.display())]
    NotBeside(PathBuf),
    /// The program does not know where it lies.
    #[error("cannot tell where this program lies: {0}")]
    Nowhere(io::Error),
}

/// The mod to load: the one named; else, when cargo runs this program, one built now in the profile of
/// this program; else the one beside this program.
///
/// # Errors
/// The build failed, or there is no such file.
pub fn find(named: Option<&Path>) -> Result<PathBuf, NoLibrary> {
    if let Some(named) = named {
        let there = named.exists().then(|| named.to_path_buf());
        return there.ok_or_else(|| NoLibrary::NotThere(named.to_path_buf()));
    }
    let program = env::current_exe().map_err(NoLibrary::Nowhere)?;
    let folder = program.parent().unwrap_or(Path::new("."));
    if let Some(cargo) = env::var_os("CARGO") {
        return build(cargo, folder);
    }
    let (prefix, suffix) = (env::consts::DLL_PREFIX, env::consts::DLL_SUFFIX);
    let beside = folder.join(format!("{prefix}{NAME}{suffix}"));
    if beside.exists() { Ok(beside) } else { Err(NoLibrary::NotBeside(beside)) }
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

fn build(cargo: OsString, folder: &Path) -> Result<PathBuf, NoLibrary> {
    // A profile's folder has its name, but for the one of `dev`.
    let profile = folder.file_name().filter(|&name| name != "debug").unwrap_or("dev".as_ref());
    let mut command = Command::new(&cargo);
    command
        .args(["build", "--locked", "-p", PACKAGE, "--lib"])
        .arg("--message-format=json-render-diagnostics")
        .arg("--profile")
        .arg(profile)
        .stdin(Stdio::null())
        .stderr(Stdio::inherit());
    // Cargo names the package it runs, which lies in the workspace.
    if let Some(package) = env::var_os("CARGO_MANIFEST_DIR") {
        command.current_dir(package);
    }
    let no_cargo = |error| NoLibrary::NoCargo { cargo: cargo.into(), error };
    let output = command.output().map_err(no_cargo)?;
    if !output.status.success() {
        return Err(NoLibrary::NotBuilt(output.status.to_string()));
    }
    named_in(&String::from_utf8_lossy(&output.stdout)).ok_or(NoLibrary::NotNamed)
}

/// The library that cargo's messages name.
fn named_in(messages: &str) -> Option<PathBuf> {
    let messages = messages.lines().filter_map(|line| serde_json::from_str::<Message>(line).ok());
    let ours = messages.filter(|message| {
        message.reason == "compiler-artifact"
            && message.target.as_ref().is_some_and(|target| target.name == NAME)
    });
    let suffix = env::consts::DLL_SUFFIX;
    let mut files = ours.flat_map(|message| message.filenames);
    files.find(|file| file.to_string_lossy().ends_with(suffix))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_library_is_the_one_that_cargo_names() {
        let suffix = env::consts::DLL_SUFFIX;
        let messages = format!(
            "{{\"reason\":\"compiler-artifact\",\"target\":{{\"name\":\"other\"}},\
             \"filenames\":[\"/t/libother{suffix}\"]}}\nnot json\n\
             {{\"reason\":\"compiler-artifact\",\"target\":{{\"name\":\"{NAME}\"}},\
             \"filenames\":[\"/t/lib.rlib\",\"/t/lib{NAME}{suffix}\"]}}\n\
             {{\"reason\":\"build-finished\",\"success\":true}}\n"
        );
        assert_eq!(named_in(&messages), Some(PathBuf::from(format!("/t/lib{NAME}{suffix}"))));
        assert_eq!(named_in("{\"reason\":\"build-finished\",\"success\":true}"), None);
    }

    #[test]
    fn one_that_is_named_is_taken_as_it_is() {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
        assert_eq!(find(Some(&file)).expect("named"), file);
    }
}
