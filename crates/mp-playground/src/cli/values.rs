//! What the values on the command line must be, so that a wrong one is refused before anything is run for
//! it. Nothing here leaves a file or opens a connection; a server's name is looked up.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, SocketAddrV4, ToSocketAddrs};
use std::path::{Path, PathBuf};

use mp_protocol::limits::{PARTY_CODE_ALPHABET, PARTY_CODE_CHARS, PORT};

/// The code of a match on a server, in capitals.
pub(super) fn code(text: &str) -> Result<String, String> {
    let code = text.to_ascii_uppercase();
    if code.len() == PARTY_CODE_CHARS && code.bytes().all(|of| PARTY_CODE_ALPHABET.contains(&of)) {
        return Ok(code);
    }
    let all = String::from_utf8_lossy(PARTY_CODE_ALPHABET);
    Err(format!("a code has {PARTY_CODE_CHARS} characters of {all}, such as K7PQ2A"))
}

/// The address of a host to join directly.
pub(super) fn host(text: &str) -> Result<SocketAddrV4, String> {
    let with_port = text.parse::<SocketAddrV4>().ok().filter(|address| address.port() != 0);
    let alone = || text.parse::<Ipv4Addr>().ok().map(|ip| SocketAddrV4::new(ip, PORT));
    with_port
        .or_else(alone)
        .ok_or_else(|| "not an IPv4 address with a port of 1 to 65535".to_owned())
}

/// The address of a server, which may be given by name and without a port. Of a name's addresses the first
/// IPv4 one counts: a server listens there unless it is told otherwise.
pub(super) fn server(text: &str) -> Result<SocketAddr, String> {
    let such = || format!("it must be ADDR[:PORT], such as localhost or 127.0.0.1:{PORT}");
    let bare = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(text);
    if let Ok(address) = bare.parse::<IpAddr>() {
        return Ok(SocketAddr::new(address, PORT));
    }
    let found =
        if text.contains(':') { text.to_socket_addrs() } else { (text, PORT).to_socket_addrs() };
    let found: Vec<_> = found.map_err(|error| format!("{}: {error}", such()))?.collect();
    let first = found.iter().find(|address| address.is_ipv4()).or_else(|| found.first());
    first.copied().filter(|address| address.port() != 0).ok_or_else(such)
}

/// Where a picture can be written.
pub(crate) fn png(text: &str) -> Result<PathBuf, String> {
    file_of("png", "a picture is", text)
}

/// Where a clip can be written.
pub(super) fn gif(text: &str) -> Result<PathBuf, String> {
    file_of("gif", "a clip is", text)
}

/// Where a file can be written: its folder is there, and takes one.
pub(super) fn file(text: &str) -> Result<PathBuf, String> {
    let file = PathBuf::from(text);
    match file.parent() {
        Some(folder) if folder != Path::new("") && !folder.is_dir() => {
            Err(format!("there is no folder {}", folder.display()))
        }
        _ => match try_to_write(&file) {
            Ok(()) => Ok(file),
            Err(error) => Err(format!("nothing can be written there: {error}")),
        },
    }
}

/// Opens a file as if to write it, and leaves all as it was. What is neither file nor folder, such as a
/// pipe, is not tried: whoever reads it would take that for its end.
fn try_to_write(file: &Path) -> io::Result<()> {
    match fs::metadata(file) {
        Ok(is) if is.is_file() || is.is_dir() => {
            OpenOptions::new().append(true).open(file).map(drop)
        }
        Ok(_) => Ok(()),
        Err(_) => {
            drop(File::create_new(file)?);
            fs::remove_file(file)
        }
    }
}

fn file_of(extension: &str, what: &str, text: &str) -> Result<PathBuf, String> {
    let file = file(text)?;
    let has = file.extension().is_some_and(|of| of.eq_ignore_ascii_case(extension));
    if has { Ok(file) } else { Err(format!("{what} written as .{extension}")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_taken_in_small_letters_and_refused_short_long_or_of_other_characters() {
        assert_eq!(code("k7pq2a").as_deref(), Ok("K7PQ2A"));
        for wrong in ["", "abc", "K7PQ2AA", "K7PQ1A", "K7PQIA", "K7PQ-A", "K7PQé"] {
            let why = code(wrong).expect_err(wrong);
            assert!(why.contains("6 characters of 23456789ABCDEF"), "{why}");
        }
    }

    #[test]
    fn a_server_may_be_a_name_and_go_without_a_port() {
        for (text, address) in [
            ("127.0.0.1", "127.0.0.1:7770"),
            ("127.0.0.1:80", "127.0.0.1:80"),
            ("::1", "[::1]:7770"),
            ("[::1]", "[::1]:7770"),
            ("[::1]:80", "[::1]:80"),
        ] {
            assert_eq!(server(text), Ok(address.parse().expect("is one")), "{text}");
        }
        let named = server("localhost:80").expect("every system has it");
        assert!(named.ip().is_loopback() && named.port() == 80, "{named}");
        for wrong in ["", "127.0.0.1:0", "127.0.0.1:65536", "no where", ":7770"] {
            let why = server(wrong).expect_err(wrong);
            assert!(why.contains("such as localhost or 127.0.0.1:7770"), "{wrong}: {why}");
        }
    }

    #[test]
    fn a_file_is_of_its_kind_and_in_a_folder_that_is_there() {
        assert_eq!(png("a.png"), Ok(PathBuf::from("a.png")));
        assert_eq!(gif("./A.GIF"), Ok(PathBuf::from("./A.GIF")));
        assert_eq!(png("a.jpg"), Err("a picture is written as .png".to_owned()));
        assert_eq!(gif("a"), Err("a clip is written as .gif".to_owned()));
        assert_eq!(file("no/such/a.json"), Err("there is no folder no/such".to_owned()));
        assert_eq!(gif("no/such/a.gif"), Err("there is no folder no/such".to_owned()));
    }

    #[test]
    fn whether_a_file_can_be_written_is_tried_and_what_is_there_stays_as_it_is() {
        let folder = std::env::temp_dir().join(format!("mp-playground-{}", std::process::id()));
        let path = |name: &str| folder.join(name).to_str().expect("is text").to_owned();
        fs::create_dir_all(folder.join("folder.json")).expect("can be made");
        let why = file(&path("folder.json")).expect_err("it is a folder");
        assert!(why.starts_with("nothing can be written there: "), "{why}");
        fs::write(path("old.json"), "words").expect("can be written");
        for name in ["old.json", "new.json"] {
            file(&path(name)).expect(name);
        }
        assert_eq!(fs::read_to_string(path("old.json")).expect("is there"), "words");
        assert!(!folder.join("new.json").exists());
        fs::remove_dir_all(&folder).expect("can go");
    }

    /// Not even root can write there.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_file_is_refused_where_no_file_can_be_made() {
        let why = png("/proc/a.png").expect_err("nobody makes a file there");
        assert!(why.starts_with("nothing can be written there: "), "{why}");
    }
}
