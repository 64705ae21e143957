//! Tokens and saves are in no log, trace, metric or message, and files are in the games' directories only.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use libtest_mimic::Failed;
use mp_playground::card::{LevelMemory, RECORDS, Save};
use mp_playground::proxy::{Plan, Proxy};
use mp_playground::sim::Rng;
use mp_protocol::Token;

use crate::party::{HOST, MEMBER, Party, Relay, folder, give_host};
use crate::process::{Process, command};
use crate::search::{Secret, Text};
use crate::{Trials, check, trial};

const SEED: u64 = 7_770;
/// How many bytes of a save in a row are looked for.
const PIECE: usize = 12;

pub fn trials() -> Trials {
    vec![
        trial!(a_secret_is_found_in_whatever_form_it_is_told),
        trial!(a_party_tells_no_token_and_no_save_and_writes_in_its_games_directories_only),
        trial!(a_direct_party_tells_no_token),
    ]
}

fn a_secret_is_found_in_whatever_form_it_is_told() -> Result<(), Failed> {
    let bytes: Vec<u8> = (0..12).map(|n: u8| n.wrapping_mul(73) ^ 0xa5).collect();
    let token = Token::from_bits(0xfedc_ba98_0765_4321);
    let bits = token.to_bits();
    let secrets = [Secret::new("a save", &bytes), Secret::of_bits("a token", bits)];
    let forms = [
        vec![format!("{bytes:?}"), format!("{bytes:#?}"), format!("{bytes:x?}")],
        vec![format!("{bytes:#04X?}"), bytes.escape_ascii().to_string()],
        vec![bytes.iter().map(|byte| format!("{byte:02X}")).collect::<Vec<_>>().join(" ")],
    ];
    let of_bits = [
        vec![bits.to_string(), bits.cast_signed().to_string(), format!("{bits:#x}")],
        vec![format!("{bits:016X}"), format!("{:?}", bits.to_le_bytes())],
    ];
    for (secret, forms) in secrets.iter().zip([forms.concat(), of_bits.concat()]) {
        for form in forms {
            let text = Text::new("a log", format!("before {form} after").into_bytes());
            check(text.tells(secret).is_some(), || format!("not found: {form}"))?;
        }
    }
    for before in 0..3 {
        let text = [&[7; 3][..before], &bytes, b"zz"].concat();
        check(Text::new("", text.clone()).tells(&secrets[0]).is_some(), || "raw".to_owned())?;
    }
    // `printf '\xa5\xec\x37' | base64`, and so on for the rest.
    let text = Text::new("", b"key=peyV-".to_vec());
    check(text.tells(&Secret::new("three", &[0xa5, 0xec, 0x95])).is_some(), || {
        "base64".to_owned()
    })?;
    let other = Text::new("", format!("{token:?} {token}").into_bytes());
    check(other.tells(&secrets[1]).is_none(), || "a token shows itself".to_owned())
}

fn a_party_tells_no_token_and_no_save_and_writes_in_its_games_directories_only()
-> Result<(), Failed> {
    println!("seed {SEED}");
    let games = folder("secrets")?;
    let elsewhere = folder("secrets-elsewhere")?;
    let save = save();
    give_host(&games, &save)?;
    let prepared = |command: &mut std::process::Command| {
        command.current_dir(&elsewhere).env("OPENRAC_MP_TRACE", "1");
        for variable in ["HOME", "TMPDIR", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"] {
            command.env(variable, &elsewhere);
        }
    };
    let mut relay = command(&["relay", "--listen", "127.0.0.1:0", "--metrics", "127.0.0.1:0"]);
    prepared(&mut relay);
    let mut party = Party::begin(Relay::run(relay)?, &games, &["--save", "1"], prepared)?;
    party.meet()?;
    party.live_lines(2)?;
    for process in [&party.host, &party.member, &party.relay.process] {
        writes_only_in(&games, process.id())?;
    }
    let mut texts = vec![Text::new("the metrics", party.relay.page()?.into_bytes())];
    party.host.end_well()?;
    party.member.end_well()?;
    party.relay.process.end_well()?;

    let mut secrets = secrets_of_save(&save);
    for (whose, link) in [HOST, MEMBER].into_iter().zip(&party.links) {
        let traffic = link.traffic();
        let token = traffic.token.ok_or("no token was sent")?;
        secrets.push(Secret::of_bits(&format!("{whose}'s token"), token.to_bits()));
        texts.push(Text::new("the proxy's figures", format!("{traffic:?}").into_bytes()));
    }
    for (who, process) in [
        (HOST, &mut party.host),
        (MEMBER, &mut party.member),
        ("the relay", &mut party.relay.process),
    ] {
        texts.push(Text::new(format!("what {who} said"), process.said().join("\n").into_bytes()));
    }
    let mut files = BTreeSet::new();
    for name in [HOST, MEMBER] {
        for file in files_in(&games.join(name))? {
            let words = format!("{name}/{}", file.file_name().unwrap_or_default().display());
            if !words.ends_with(".bin") {
                texts.push(Text::new(words.clone(), std::fs::read(file)?));
            }
            files.insert(words);
        }
    }
    tell_nothing(&texts, &secrets)?;
    let expected = [
        "Alex/mp-trace.log",
        "Alex/run.log",
        "Alex/save0.bin",
        "Blair/mp-trace.log",
        "Blair/run.log",
    ];
    check(files.iter().map(String::as_str).eq(expected), || format!("files: {files:?}"))?;
    let strays = files_in(&elsewhere)?;
    check(strays.is_empty(), || format!("files elsewhere: {strays:?}"))?;
    // The save did go over the wire, and the traces are of a party.
    let chunks = party.links[1].traffic().kinds_down.contains(&5);
    let trace = std::fs::read_to_string(games.join(MEMBER).join("mp-trace.log"))?;
    check(chunks && trace.contains(" member snap in "), || "no save, or no trace".to_owned())
}

fn a_direct_party_tells_no_token() -> Result<(), Failed> {
    let games = folder("secrets-direct")?;
    let place = games.to_str().ok_or("the folder is no text")?;
    let play = |name, words: &[&str]| {
        let game = ["play", "--headless", "--bot", "walk", "--name", name, "--work-dir", place];
        let mut command = command(&[&game[..], words].concat());
        command.env("OPENRAC_MP_TRACE", "1");
        Process::start(command)
    };
    let mut host = play(HOST, &["--host-direct", "--port", "0"]);
    let hosting = host.line("hosting: ")?;
    let port = hosting.rsplit([':', ' ']).next().unwrap_or_default().to_owned();
    let link = Proxy::start(format!("127.0.0.1:{port}").parse()?, Plan::default())?;
    let mut member = play(MEMBER, &["--join", &link.address().to_string()]);
    host.line(&format!("sees {MEMBER}"))?;
    member.line(&format!("sees {HOST}"))?;
    member.end_well()?;
    host.end_well()?;
    let token = link.traffic().token.ok_or("no token was sent")?;
    let secrets = [Secret::of_bits("the member's token", token.to_bits())];
    let mut texts = Vec::new();
    for (name, process) in [(HOST, &mut host), (MEMBER, &mut member)] {
        texts.push(Text::new(format!("what {name} said"), process.said().join("\n").into_bytes()));
        for file in files_in(&games.join(name))? {
            texts.push(Text::new(file.display().to_string(), std::fs::read(file)?));
        }
    }
    tell_nothing(&texts, &secrets)
}

fn tell_nothing(texts: &[Text], secrets: &[Secret]) -> Result<(), Failed> {
    let told = texts.iter().flat_map(|text| secrets.iter().filter_map(|secret| text.tells(secret)));
    let told: Vec<String> = told.collect();
    check(told.is_empty(), || told.join("\n"))
}

/// A save full of bytes that stand nowhere else: what was done in levels that nobody visits.
fn save() -> Vec<u8> {
    let mut rng = Rng::new(SEED);
    let levels = std::array::from_fn(|level| LevelMemory {
        gone: (0..RECORDS).filter(|_| level > 5 && rng.below(2) == 0).collect(),
        seen: 0,
    });
    Save { levels, ..Save::in_level(1) }.encode()
}

/// Pieces from all over the save, of those that are like no other bytes.
fn secrets_of_save(save: &[u8]) -> Vec<Secret> {
    let rich = |piece: &&[u8]| piece.iter().collect::<BTreeSet<_>>().len() >= PIECE - 3;
    let pieces = save.chunks_exact(PIECE).filter(rich).step_by(8);
    pieces
        .enumerate()
        .map(|(n, piece)| Secret::new(format!("piece {n} of the save"), piece))
        .collect()
}

fn files_in(folder: &Path) -> Result<Vec<PathBuf>, Failed> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() { files.extend(files_in(&path)?) } else { files.push(path) }
    }
    Ok(files)
}

/// What a process has opened to write are files of the games' directories, or none.
fn writes_only_in(games: &Path, process: u32) -> Result<(), Failed> {
    let Ok(open) = std::fs::read_dir(format!("/proc/{process}/fd")) else {
        println!("this system does not tell what a process has open: not looked at");
        return Ok(());
    };
    for entry in open.flatten() {
        let Ok(file) = std::fs::read_link(entry.path()) else { continue };
        let number = entry.file_name();
        let info = format!("/proc/{process}/fdinfo/{}", number.display());
        let info = std::fs::read_to_string(info).unwrap_or_default();
        let flags = info.lines().find_map(|line| line.strip_prefix("flags:"));
        let flags = flags.and_then(|flags| u32::from_str_radix(flags.trim(), 8).ok());
        // The two lowest bits: 0 is to read.
        let writes = flags.is_some_and(|flags| flags & 3 != 0);
        // What this process was started with, it passes on: a lock, or a file that all is written to.
        let passed_on = std::fs::read_link(format!("/proc/self/fd/{}", number.display()));
        let is_own = passed_on.map_or(true, |passed_on| passed_on != file);
        if writes && is_own && file.is_file() && !file.starts_with(games) {
            return Err(format!("process {process} writes to {}", file.display()).into());
        }
    }
    Ok(())
}
