//! The settings that players write: Server and Name. Whatever they are, what comes of them can be asked
//! for and shown.

use mp_protocol::name_is_valid;
use mp_sockets::{Command, Destination, Handle, LinkId};
use openrac_multiplayer::session::names;
use openrac_multiplayer::session::server::ServerName;
use openrac_multiplayer::settings;

/// One input.
pub fn run(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let (server, name) = text.split_once('\n').unwrap_or((text, text));
    let name = names::choose(name, server, bytes.len() as u64);
    assert!(names::is_valid(&name) && name_is_valid(&name));
    let _ = (settings::switched(server), settings::switched(&name));
    let Some(server) = ServerName::parse(server) else { return };
    assert!(!server.host.is_empty() && server.port != 0);
    assert_eq!(ServerName::parse(&server.to_string()).as_ref(), Some(&server));
    let to = Destination::from(server);
    let (handle, _far) = Handle::detached();
    handle.send(Command::Connect { link: LinkId(1), to, name }).expect("it can be asked for");
}
