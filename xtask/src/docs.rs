//! The pages for people say what is there: a file, a name or an example that they speak of and that is gone
//! fails here.

use std::fs;
use std::path::{Path, PathBuf};

/// The pages that are looked through.
const PAGES: [&str; 8] = [
    "README.md",
    "CONTRIBUTING.md",
    "DECISIONS.md",
    "docs/one-bolt-one-pose.md",
    "crates/mp-relay/OPERATOR.md",
    "package/README.md",
    "package/wireshark/README.md",
    "tests/foreign/README.md",
];
/// The page that follows a pose and a bolt, and how many names it has at least: else it is not that page.
const TOUR: (&str, usize) = ("docs/one-bolt-one-pose.md", 50);

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the root")
}

fn read(file: &str) -> String {
    fs::read_to_string(root().join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// What stands between backquotes.
fn quoted(page: &str) -> impl Iterator<Item = &str> {
    page.split('`').skip(1).step_by(2)
}

/// Whether a source file defines something of that name.
fn defines(source: &str, name: &str) -> bool {
    let ends = |rest: &str| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_');
    let words = ["fn", "struct", "enum", "trait", "const", "type"];
    words.iter().any(|word| {
        let definition = format!("{word} {name}");
        source.split(&definition).skip(1).any(ends)
    })
}

#[test]
fn every_name_that_the_tour_follows_is_where_it_says() {
    let (page, least) = TOUR;
    let text = read(page);
    let names: Vec<(&str, &str)> = quoted(&text).filter_map(|word| word.split_once("::")).collect();
    assert!(names.len() >= least, "{page} names {} places", names.len());
    for (file, name) in names {
        assert!(defines(&read(file), name), "{page}: {file} defines no {name}");
    }
}

#[test]
fn a_name_is_found_only_where_it_is_defined() {
    let source = "pub fn tick(&self) {}\nstruct Ticker;\nconst TICKS: u32 = tock();\n";
    assert!(defines(source, "tick") && defines(source, "Ticker") && defines(source, "TICKS"));
    assert!(!defines(source, "tock") && !defines(source, "Tick") && !defines(source, "tic"));
}

#[test]
fn every_link_of_a_page_leads_to_a_file_that_is_there() {
    for page in PAGES {
        let text = read(page);
        let folder = root().join(page).parent().expect("a file lies in a folder").to_path_buf();
        for target in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let file = target.split('#').next().unwrap_or_default();
            let is_elsewhere = file.is_empty() || file.contains("://");
            assert!(is_elsewhere || folder.join(file).exists(), "{page} links {target}");
        }
    }
}

#[test]
fn every_example_is_named_in_the_readme() {
    let readme = read("README.md");
    let mut crates = vec![root().join("sdk-bindings")];
    let folder = fs::read_dir(root().join("crates")).expect("there are crates");
    crates.extend(folder.map(|entry| entry.expect("can be read").path()).filter(|it| it.is_dir()));
    for one in crates {
        let examples = examples(&one);
        assert!(!examples.is_empty(), "{} has no example", one.display());
        for name in examples {
            assert!(readme.contains(&format!("--example {name}")), "README names no {name}");
        }
    }
}

/// The names of a crate's examples.
fn examples(of: &Path) -> Vec<String> {
    let Ok(folder) = fs::read_dir(of.join("examples")) else { return Vec::new() };
    let files = folder.map(|entry| entry.expect("can be read").path());
    let sources = files.filter(|file| file.extension().is_some_and(|extension| extension == "rs"));
    sources.filter_map(|file: PathBuf| Some(file.file_stem()?.to_str()?.to_owned())).collect()
}
