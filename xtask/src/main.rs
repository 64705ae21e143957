//! `cargo xtask`: what is done to the project beside building and testing it.
#![forbid(unsafe_code)]

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};
use xtask::build;
use xtask::package::Package;
use xtask::platform::Platform;
use xtask::third_party::ThirdParty;

/// What is done to the project beside building and testing it.
#[derive(Parser)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Builds the mod for this machine and makes the package that the launcher installs.
    Package(PackageArgs),
    /// Holds what the project depends on to deny.toml.
    Audit,
    /// Draws package/icon.png from package/icon.svg (wants the feature `icon`).
    #[cfg(feature = "icon")]
    Icon,
}

#[derive(Args)]
struct PackageArgs {
    /// A library that is built already; may be given once a platform. Without one for this machine's it
    /// is built.
    #[arg(long = "library", value_name = "PLATFORM=FILE", value_parser = library)]
    libraries: Vec<(Platform, PathBuf)>,
    /// Where the package is put.
    #[arg(long, value_name = "DIR", default_value = "dist")]
    out: PathBuf,
}

fn library(text: &str) -> Result<(Platform, PathBuf), String> {
    let (platform, file) = text.split_once('=').ok_or("PLATFORM=FILE is wanted")?;
    let platform =
        platform.parse().map_err(|error: xtask::platform::NoPlatform| error.to_string())?;
    Ok((platform, file.into()))
}

fn main() -> ExitCode {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the root");
    let done = match Cli::parse().command {
        Command::Package(args) => package(root, args),
        Command::Audit => audit(root),
        #[cfg(feature = "icon")]
        Command::Icon => xtask::icon::draw(root).map_err(Into::into),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error}");
            ExitCode::FAILURE
        }
    }
}

fn audit(root: &Path) -> Result<(), Box<dyn Error>> {
    println!("{} packages are as deny.toml says", xtask::audit::audit(root)?);
    Ok(())
}

fn package(root: &Path, args: PackageArgs) -> Result<(), Box<dyn Error>> {
    let mut libraries: BTreeMap<_, _> = args.libraries.into_iter().collect();
    let this = Platform::this()?;
    if let Entry::Vacant(own) = libraries.entry(this) {
        own.insert(build::library(root)?);
    }
    let third_party = ThirdParty::gather(root, libraries.keys().copied())?;
    let package = Package { root: root.to_path_buf(), libraries, third_party, is_release: true };
    let packed = package.pack()?;
    let file = packed.save(&args.out)?;
    println!("{}: {} bytes, SHA-256 {}", file.display(), packed.bytes.len(), packed.sha256());
    Ok(())
}
