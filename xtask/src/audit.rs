//! What the project depends on, held to `deny.toml`: everything comes from crates.io, under a licence that
//! is allowed there. It is the part of cargo-deny's audit that no change may fail, for machines without
//! cargo-deny, which takes minutes to build; where that is, it is used, and says more.

use std::path::Path;
use std::process::Command;

use serde::Deserialize;
use thiserror::Error;

const CRATES_IO: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// Why the audit could not be made, or what it found.
#[derive(Debug, Error)]
pub enum AuditError {
    /// The rules.
    #[error("deny.toml: {0}")]
    Rules(String),
    /// The packages.
    #[error("cargo metadata: {0}")]
    Metadata(String),
    /// What is not as the rules say, a line each.
    #[error("{}", .0.join("\n"))]
    Found(Vec<String>),
}

#[derive(Deserialize)]
struct Rules {
    licenses: Licences,
}

#[derive(Deserialize)]
struct Licences {
    allow: Vec<String>,
}

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Dependency>,
}

/// A package as `cargo metadata` tells of it.
#[derive(Deserialize)]
struct Dependency {
    name: String,
    version: String,
    /// `None`: it is of this workspace.
    source: Option<String>,
    license: Option<String>,
}

/// Audits the workspace in `root`; how many packages of others it has.
///
/// # Errors
/// [`AuditError`].
pub fn audit(root: &Path) -> Result<usize, AuditError> {
    let rules = std::fs::read_to_string(root.join("deny.toml"));
    let rules = rules.map_err(|error| AuditError::Rules(error.to_string()))?;
    let rules: Rules =
        toml::from_str(&rules).map_err(|error| AuditError::Rules(error.to_string()))?;
    let packages = packages(root)?;
    let found: Vec<String> =
        packages.iter().filter_map(|package| fault(package, &rules.licenses.allow)).collect();
    if !found.is_empty() {
        return Err(AuditError::Found(found));
    }
    Ok(packages.iter().filter(|package| package.source.is_some()).count())
}

fn packages(root: &Path) -> Result<Vec<Dependency>, AuditError> {
    let failed = |words: String| AuditError::Metadata(words);
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .current_dir(root)
        .args(["metadata", "--locked", "--all-features", "--format-version", "1"])
        .output()
        .map_err(|error| failed(error.to_string()))?;
    if !output.status.success() {
        return Err(failed(String::from_utf8_lossy(&output.stderr).into_owned()));
    }
    let metadata: Metadata =
        serde_json::from_slice(&output.stdout).map_err(|error| failed(error.to_string()))?;
    Ok(metadata.packages)
}

/// What is not as the rules say.
fn fault(package: &Dependency, allowed: &[String]) -> Option<String> {
    let Dependency { name, version, source, license } = package;
    let source = source.as_deref()?;
    if source != CRATES_IO {
        return Some(format!("{name} {version} comes from {source}"));
    }
    match license.as_deref() {
        None => Some(format!("{name} {version} has no licence")),
        Some(licence) if Expression::new(licence).met_by(allowed) == Some(true) => None,
        Some(licence) => Some(format!("{name} {version} is under {licence}")),
    }
}

/// What is left of an SPDX expression.
struct Expression<'a>(std::iter::Peekable<std::vec::IntoIter<&'a str>>);

impl<'a> Expression<'a> {
    fn new(licence: &'a str) -> Self {
        let mut words = Vec::new();
        for word in licence.split(' ').filter(|word| !word.is_empty()) {
            let (open, rest) = word.split_at(word.len() - word.trim_start_matches('(').len());
            let (word, close) = rest.split_at(rest.trim_end_matches(')').len());
            words.extend(open.split_inclusive('('));
            // As it was written before there was OR.
            let mut either = word.split('/').filter(|word| !word.is_empty());
            words.extend(either.next());
            either.for_each(|word| words.extend(["OR", word]));
            words.extend(close.split_inclusive(')'));
        }
        Self(words.into_iter().peekable())
    }

    /// Whether the allowed licences meet it; `None`: it cannot be read.
    fn met_by(mut self, allowed: &[String]) -> Option<bool> {
        let met = self.any(allowed)?;
        self.0.next().is_none().then_some(met)
    }

    fn any(&mut self, allowed: &[String]) -> Option<bool> {
        let mut met = self.all(allowed)?;
        while self.0.next_if_eq(&"OR").is_some() {
            met |= self.all(allowed)?;
        }
        Some(met)
    }

    fn all(&mut self, allowed: &[String]) -> Option<bool> {
        let mut met = self.one(allowed)?;
        while self.0.next_if_eq(&"AND").is_some() {
            met &= self.one(allowed)?;
        }
        Some(met)
    }

    fn one(&mut self, allowed: &[String]) -> Option<bool> {
        match self.0.next()? {
            "(" => {
                let met = self.any(allowed)?;
                (self.0.next() == Some(")")).then_some(met)
            }
            ")" | "OR" | "AND" | "WITH" => None,
            licence => {
                let exception = match self.0.next_if_eq(&"WITH") {
                    Some(_) => format!(" WITH {}", self.0.next()?),
                    None => String::new(),
                };
                Some(allowed.contains(&(licence.to_owned() + &exception)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_met(licence: &str) -> Option<bool> {
        let allowed = ["MIT", "Apache-2.0", "Apache-2.0 WITH LLVM-exception", "Unicode-3.0"];
        Expression::new(licence).met_by(&allowed.map(str::to_owned))
    }

    #[test]
    fn an_expression_is_met_by_what_is_allowed() {
        for licence in [
            "MIT",
            "Unlicense OR MIT",
            "MIT/GPL-3.0-only",
            "(MIT OR Zlib) AND Unicode-3.0",
            "Apache-2.0 WITH LLVM-exception OR GPL-3.0-only",
            "Zlib AND BSD-3-Clause OR MIT",
        ] {
            assert_eq!(is_met(licence), Some(true), "{licence}");
        }
        for licence in [
            "GPL-3.0-only",
            "MIT AND GPL-3.0-only",
            "(MIT OR Zlib) AND NCSA",
            "MIT WITH LLVM-exception",
            "Zlib/GPL-3.0-only",
        ] {
            assert_eq!(is_met(licence), Some(false), "{licence}");
        }
        for licence in ["", "MIT OR", "(MIT", "MIT MIT", "AND MIT", "MIT)"] {
            assert_eq!(is_met(licence), None, "{licence}");
        }
    }

    #[test]
    fn what_is_from_elsewhere_or_under_no_licence_is_found() {
        let package = |source: Option<&str>, license: Option<&str>| Dependency {
            name: "it".to_owned(),
            version: "1.0.0".to_owned(),
            source: source.map(str::to_owned),
            license: license.map(str::to_owned),
        };
        let allowed = ["MIT".to_owned()];
        let found = |source, license| fault(&package(source, license), &allowed);
        assert_eq!(found(None, None), None, "of this workspace");
        assert_eq!(found(Some(CRATES_IO), Some("MIT")), None);
        let git = Some("git+https://example.org/it");
        assert_eq!(
            found(git, Some("MIT")).as_deref(),
            Some("it 1.0.0 comes from git+https://example.org/it")
        );
        assert_eq!(found(Some(CRATES_IO), None).as_deref(), Some("it 1.0.0 has no licence"));
        let gpl = found(Some(CRATES_IO), Some("GPL-3.0-only"));
        assert_eq!(gpl.as_deref(), Some("it 1.0.0 is under GPL-3.0-only"));
    }
}
