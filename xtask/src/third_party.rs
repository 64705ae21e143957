//! What others wrote of a library that is shipped, and on what terms: the crates in it, as Cargo.lock pins
//! them, with the texts that lie in their sources, and Rust's own library. Nothing of it is written by hand,
//! and a crate without a text is an error: what is shipped without its terms is shipped without leave.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::env;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde::Deserialize;

use crate::platform::Platform;

/// The package whose library is shipped.
const MOD: &str = "openrac-multiplayer";
/// How the names of files with terms begin, in small letters.
const TERMS: [&str; 6] = ["license", "licence", "copying", "copyright", "unlicense", "notice"];
/// What the toolchain says of the library that is part of every Rust program, in its folder.
const RUST: &str = "share/doc/rust/COPYRIGHT-library.html";

/// What goes into a package about what others wrote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThirdParty {
    /// The crates, and each text once.
    pub crates: String,
    /// Rust's own library, in the toolchain's words (HTML).
    pub rust: Vec<u8>,
}

/// Why it is not known.
#[derive(Debug, thiserror::Error)]
pub enum NotKnown {
    /// A program of the toolchain could not be started.
    #[error("cannot start {0}: {1}")]
    NotStarted(&'static str, io::Error),
    /// It failed; what is wrong stands above.
    #[error("{0} ended with {1}")]
    Failed(&'static str, String),
    /// `cargo metadata` says something else than it does.
    #[error("cargo metadata: {0}")]
    Metadata(#[from] serde_json::Error),
    /// The mod is not among the packages.
    #[error("cargo metadata names no {MOD}")]
    NoMod,
    /// A file with terms cannot be read.
    #[error("{}: {error}", file.display())]
    File {
        /// Which.
        file: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// A crate's source has no terms in it.
    #[error("{0} has no text with its terms")]
    NoTerms(String),
}

/// The output of `cargo metadata`, as far as it matters here.
#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
    resolve: Resolve,
}

#[derive(Deserialize)]
struct Package {
    id: String,
    name: String,
    version: String,
    license: Option<String>,
    repository: Option<String>,
    /// `None`: it is of this workspace.
    source: Option<String>,
    manifest_path: PathBuf,
    targets: Vec<Target>,
}

#[derive(Deserialize)]
struct Target {
    kind: Vec<String>,
}

#[derive(Deserialize)]
struct Resolve {
    nodes: Vec<Node>,
}

#[derive(Deserialize)]
struct Node {
    id: String,
    deps: Vec<Dependency>,
}

#[derive(Deserialize)]
struct Dependency {
    pkg: String,
    dep_kinds: Vec<DependencyKind>,
}

#[derive(Deserialize)]
struct DependencyKind {
    /// `None`: one that is linked in.
    kind: Option<String>,
}

/// A crate, with its texts.
struct Crate {
    /// Its name, version, licence and home.
    title: String,
    texts: Vec<String>,
}

impl ThirdParty {
    /// Gathers it for the libraries of those platforms. Cargo downloads what they need and is not there yet.
    ///
    /// # Errors
    /// Cargo or rustc does not say, or a crate has no terms.
    pub fn gather(
        root: &Path,
        platforms: impl IntoIterator<Item = Platform>,
    ) -> Result<Self, NotKnown> {
        let mut crates = BTreeMap::new();
        for platform in platforms {
            let metadata = metadata(root, platform)?;
            for package in linked(&metadata)? {
                let key = (package.name.clone(), package.version.clone());
                crates.insert(key, package.read()?);
            }
        }
        let crates: Vec<Crate> = crates.into_values().collect();
        Ok(Self { crates: text(&crates), rust: rust_library(root)? })
    }
}

fn metadata(root: &Path, platform: Platform) -> Result<Metadata, NotKnown> {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let args = ["metadata", "--locked", "--format-version=1", "--filter-platform"];
    let output = said("cargo metadata", cargo, &[&args[..], &[platform.triple()]].concat(), root)?;
    Ok(serde_json::from_slice(&output)?)
}

/// What the toolchain that builds here says of Rust's own library.
fn rust_library(root: &Path) -> Result<Vec<u8>, NotKnown> {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let sysroot = said("rustc", rustc, &["--print=sysroot"], root)?;
    let file = Path::new(String::from_utf8_lossy(&sysroot).trim()).join(RUST);
    fs::read(&file).map_err(|error| NotKnown::File { file, error })
}

fn said(
    name: &'static str,
    program: OsString,
    args: &[&str],
    root: &Path,
) -> Result<Vec<u8>, NotKnown> {
    let mut command = Command::new(program);
    command.args(args).current_dir(root).stdin(Stdio::null()).stderr(Stdio::inherit());
    let output = command.output().map_err(|error| NotKnown::NotStarted(name, error))?;
    if !output.status.success() {
        return Err(NotKnown::Failed(name, output.status.to_string()));
    }
    Ok(output.stdout)
}

/// The packages of others that are linked into the mod's library: not what only builds or tests it.
fn linked(metadata: &Metadata) -> Result<Vec<&Package>, NotKnown> {
    let packages: HashMap<&str, &Package> =
        metadata.packages.iter().map(|package| (package.id.as_str(), package)).collect();
    let nodes: HashMap<&str, &Node> =
        metadata.resolve.nodes.iter().map(|node| (node.id.as_str(), node)).collect();
    let is_mod = |package: &&Package| package.name == MOD && package.source.is_none();
    let start = metadata.packages.iter().find(is_mod).ok_or(NotKnown::NoMod)?;
    let (mut seen, mut open) = (BTreeSet::new(), vec![start.id.as_str()]);
    while let Some(id) = open.pop() {
        let is_macro = packages.get(id).is_none_or(|package| package.is_macro());
        if is_macro || !seen.insert(id) {
            continue;
        }
        let dependencies = nodes.get(id).into_iter().flat_map(|node| &node.deps);
        let linked = dependencies.filter(|dependency| dependency.is_linked());
        open.extend(linked.map(|dependency| dependency.pkg.as_str()));
    }
    let seen = seen.iter().filter_map(|id| packages.get(id).copied());
    Ok(seen.filter(|package| package.source.is_some()).collect())
}

impl Dependency {
    fn is_linked(&self) -> bool {
        self.dep_kinds.iter().any(|kind| kind.kind.is_none())
    }
}

impl Package {
    /// It runs in the compiler, and nothing of it is in what that makes.
    fn is_macro(&self) -> bool {
        self.targets.iter().any(|target| target.kind.iter().any(|kind| kind == "proc-macro"))
    }

    fn read(&self) -> Result<Crate, NotKnown> {
        let folder = self.manifest_path.parent().unwrap_or(Path::new("."));
        let failed = |file: &Path| {
            let file = file.to_path_buf();
            |error| NotKnown::File { file, error }
        };
        let mut files = Vec::new();
        for entry in fs::read_dir(folder).map_err(failed(folder))? {
            let entry = entry.map_err(failed(folder))?;
            let name = entry.file_name().to_string_lossy().to_lowercase();
            if TERMS.iter().any(|begin| name.starts_with(begin)) && entry.path().is_file() {
                files.push(entry.path());
            }
        }
        files.sort();
        let read = |file: &PathBuf| fs::read_to_string(file).map_err(failed(file));
        let texts = files.iter().map(read).collect::<Result<Vec<_>, _>>()?;
        let name = format!("{} {}", self.name, self.version);
        if texts.iter().all(|text| text.trim().is_empty()) {
            return Err(NotKnown::NoTerms(name));
        }
        let said = |words: &Option<String>| words.clone().unwrap_or_default();
        let title = format!("{name}: {}\n  {}", said(&self.license), said(&self.repository));
        Ok(Crate { title, texts })
    }
}

/// Who is in it, and below every text once, by number.
fn text(crates: &[Crate]) -> String {
    let mut texts: Vec<&str> = Vec::new();
    let mut out = "The library in this package contains work of others. Each is listed with its terms, whose \
         texts\nstand below by their numbers. Rust's own library: see THIRD-PARTY-RUST.html.\n"
        .to_owned();
    for one in crates {
        let mut numbers = Vec::new();
        for text in &one.texts {
            let text = text.trim();
            let at = texts.iter().position(|other| *other == text).unwrap_or_else(|| {
                texts.push(text);
                texts.len() - 1
            });
            numbers.push((at + 1).to_string());
        }
        let _infallible = write!(out, "\n{}\n  text {}\n", one.title, numbers.join(", "));
    }
    for (index, text) in texts.iter().enumerate() {
        let _infallible = write!(out, "\n{:=<78}\nText {}\n\n{text}\n", "", index + 1);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn package(id: &str, source: Option<&str>, kind: &str) -> Package {
        Package {
            id: id.to_owned(),
            name: id.to_owned(),
            version: "1.0.0".to_owned(),
            license: None,
            repository: None,
            source: source.map(str::to_owned),
            manifest_path: PathBuf::new(),
            targets: vec![Target { kind: vec![kind.to_owned()] }],
        }
    }

    fn node(id: &str, deps: &[(&str, Option<&str>)]) -> Node {
        let dependency = |&(pkg, kind): &(&str, Option<&str>)| Dependency {
            pkg: pkg.to_owned(),
            dep_kinds: vec![DependencyKind { kind: kind.map(str::to_owned) }],
        };
        Node { id: id.to_owned(), deps: deps.iter().map(dependency).collect() }
    }

    #[test]
    fn what_is_linked_in_is_named_and_what_only_builds_or_tests_is_not() {
        let others = ["linked", "deep", "build", "tests", "macro", "behind-macro"];
        let mut packages = vec![package(MOD, None, "cdylib"), package("ours", None, "lib")];
        packages.extend(others.map(|name| {
            let kind = if name == "macro" { "proc-macro" } else { "lib" };
            package(name, Some("registry"), kind)
        }));
        let nodes = vec![
            node(MOD, &[("ours", None), ("tests", Some("dev")), ("build", Some("build"))]),
            node("ours", &[("linked", None), ("macro", None)]),
            node("linked", &[("deep", None), ("ours", None)]),
            node("macro", &[("behind-macro", None)]),
        ];
        let metadata = Metadata { packages, resolve: Resolve { nodes } };
        let found = linked(&metadata).expect("the mod is there");
        let names: Vec<&str> = found.iter().map(|package| package.name.as_str()).collect();
        assert_eq!(names, ["deep", "linked"]);
    }

    #[test]
    fn a_text_that_two_share_stands_there_once() {
        let one = |title: &str, texts: &[&str]| Crate {
            title: title.to_owned(),
            texts: texts.iter().map(|&text| text.to_owned()).collect(),
        };
        let text =
            text(&[one("a 1", &["Apache\n", "MIT of a"]), one("b 2", &["MIT of b", "Apache"])]);
        assert!(text.contains("\na 1\n  text 1, 2\n") && text.contains("\nb 2\n  text 3, 1\n"));
        assert_eq!(text.matches("Apache").count(), 1, "{text}");
        assert!(text.contains("Text 3\n\nMIT of b\n"), "{text}");
    }
}
