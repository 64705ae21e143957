//! The crate is no_std, so the compiler keeps clocks, sockets and threads out; `extern crate std`
//! would get round that.

use std::path::Path;

/// How many lines of the sources under `folder` name std's crate, and how many files there are.
fn count(folder: &Path) -> (usize, usize) {
    let (mut named, mut files) = (0, 0);
    for entry in std::fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("an entry of it").path();
        if path.is_dir() {
            let (inner_named, inner_files) = count(&path);
            named += inner_named;
            files += inner_files;
        } else {
            let source = std::fs::read_to_string(&path).expect("a source");
            named += source.lines().filter(|line| line.contains("extern crate std")).count();
            files += 1;
        }
    }
    (named, files)
}

#[test]
fn no_source_brings_std_in() {
    let (named, files) = count(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
    assert_eq!(named, 0);
    assert!(files > 10, "{files} sources were looked at");
}
