//! Programs of another language, written from the wire's document alone: the Python client against a
//! direct host in a real game, and the Wireshark dissector over a capture of every vector.
#![allow(
    clippy::disallowed_types,
    clippy::disallowed_methods,
    reason = "end to end: real sockets, processes and time"
)]

#[path = "common/library.rs"]
mod library;
#[path = "common/table.rs"]
mod table;

use std::path::Path;
use std::process::{Child, Command, Stdio};

use table::Table;

/// A script of this repository; `None`, and said so, where there is no Python.
fn python(script: &str, arguments: &[&str]) -> Option<Child> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join(script);
    let mut command = Command::new("python3");
    command.arg(script).args(arguments).stdin(Stdio::null());
    match command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn() {
        Ok(child) => Some(child),
        Err(error) => {
            println!("left out: python3 does not start: {error}");
            None
        }
    }
}

fn passed(child: Child) {
    let output = child.wait_with_output().expect("it was started");
    let said = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}\n{said}\n{errors}", output.status);
}

/// B8.1, protocol.md 1 and 2
#[test]
fn a_foreign_client_finds_the_protocol_kept_by_a_direct_host() {
    // One that waits for more than can come, so that it stays in its lobby.
    let (mut table, port) = Table::with_host("Alex", 9);
    let address = format!("127.0.0.1:{port}");
    let arguments = [address.as_str(), "--mode", "direct", "--slow"];
    let Some(mut child) = python("tests/foreign/conformance.py", &arguments) else { return };
    table.until("the checks are through", |_| child.try_wait().expect("it was started").is_some());
    passed(child);
    table.end();
}

/// It says so itself, and passes, where tshark is not there.
#[test]
fn the_dissector_names_every_message() {
    if let Some(child) = python("package/wireshark/test.py", &[]) {
        passed(child);
    }
}
