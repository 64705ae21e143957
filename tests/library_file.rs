//! The built library as a file: what it exports and how it is linked.
#![cfg(target_os = "linux")]

use std::path::PathBuf;
use std::process::Command;

/// The library that this test was built with.
fn library() -> PathBuf {
    let mut path = std::env::current_exe().expect("this program has a path");
    path.set_file_name("libopenrac_multiplayer.so");
    path
}

fn output_of(tool: &str, options: &[&str]) -> String {
    let output = Command::new(tool).args(options).arg(library()).output();
    let output = output.unwrap_or_else(|error| panic!("{tool}, of the linker's package: {error}"));
    assert!(output.status.success(), "{tool}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("it prints ASCII")
}

#[test]
fn the_library_exports_its_entry_and_nothing_else() {
    let symbols = output_of("nm", &["--dynamic", "--defined-only", "--format=just-symbols"]);
    assert_eq!(symbols.lines().collect::<Vec<_>>(), ["openrac_mod_entry"]);
}

#[test]
fn the_library_stays_mapped_when_it_is_closed() {
    let dynamic = output_of("readelf", &["--dynamic", "--wide"]);
    assert!(dynamic.contains("NODELETE"), "{dynamic}");
}
