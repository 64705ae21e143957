//! The client in Python, written from the protocol alone, holds the relay to it.

use std::io::ErrorKind;
use std::net::SocketAddr;
use std::path::Path;
use std::process::Command;

use mp_relay::Settings;

use crate::support::relay;

fn conform(threads: u32, more: &[&str]) {
    let listen = SocketAddr::from(([127, 0, 0, 1], 0));
    let settings = Settings { listen, threads: Some(threads), ..Settings::default() };
    let relay = relay(&settings);
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/foreign/conformance.py");
    let mut python = Command::new("python3");
    python.arg(script).arg(relay.address().to_string()).args(["--mode", "relay"]).args(more);
    match python.output() {
        Ok(output) => {
            let said = String::from_utf8_lossy(&output.stdout);
            let faults = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{said}{faults}");
            assert!(said.contains(" passed, 0 failed"), "{said}");
        }
        Err(error) if error.kind() == ErrorKind::NotFound => {
            println!("no python3 here: the foreign client is left out");
        }
        Err(error) => panic!("{error}"),
    }
    assert!(relay.stop());
}

#[test]
fn a_foreign_client_finds_the_protocol_kept_on_several_threads() {
    conform(4, &[]);
}

#[test]
fn a_foreign_client_finds_the_protocol_kept_where_it_takes_time() {
    conform(1, &["--slow"]);
}
