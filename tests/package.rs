//! The package, from the built library to a game that loads it out of a folder of mods, as the launcher
//! would. What is packed here is the library beside this test; `cargo xtask package` packs the one that
//! is shipped, which it holds to more.

#![allow(
    clippy::disallowed_types,
    clippy::disallowed_methods,
    reason = "end to end: a real library, waited for in real time"
)]

#[path = "common/library.rs"]
mod library;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use library::{PATIENCE, library};
use mp_playground::bots::{Bot, Errand, Habit};
use mp_playground::host::{Game, ModLibrary, Setup};
use mp_playground::mods::{Loadable, ModsError, ModsFolder, ModsMenu};
use mp_playground::{Button, Pad};
use xtask::library::{ENTRY, Facts, Unfit};
use xtask::package::{NotPacked, Package, Packed};
use xtask::platform::Platform;
use xtask::third_party::ThirdParty;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// An empty folder of this test's.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("package").join(name);
    if folder.exists() {
        fs::remove_dir_all(&folder).expect("the last run's folder can go");
    }
    fs::create_dir_all(&folder).expect("can be made");
    folder
}

fn package(is_release: bool) -> Package {
    let this = Platform::this().expect("packages are made for this system");
    let libraries = BTreeMap::from([(this, library())]);
    let third_party = ThirdParty::gather(root(), [this]).expect("every crate has its terms");
    Package { root: root().to_path_buf(), libraries, third_party, is_release }
}

fn packed() -> Packed {
    package(false).pack().expect("all that belongs to it is there")
}

#[test]
fn the_same_library_makes_the_same_package() {
    let (first, second) = (packed(), packed());
    assert!(first.bytes == second.bytes, "the packages differ");
    assert_eq!(first.name, second.name);
    let out = folder("saved");
    let file = first.save(&out).expect("can be written");
    let sum = fs::read_to_string(out.join(format!("{}.sha256", first.name))).expect("is there");
    assert_eq!(sum, format!("{}  {}\n", first.sha256(), first.name));
    assert!(fs::read(file).expect("is there") == first.bytes);
}

#[test]
fn a_library_for_a_debugger_is_not_shipped() {
    let refused = package(true).pack();
    assert!(
        matches!(refused, Err(NotPacked::Library { why: Unfit::NotStripped, .. })),
        "{refused:?}"
    );
}

/// But for what only the profile for shipping does: strip it and make it small.
#[test]
fn the_library_exports_one_symbol_and_needs_only_what_every_player_has() {
    let this = Platform::this().expect("packages are made for this system");
    let facts = Facts::of(&fs::read(library()).expect("is there"), this).expect("is a library");
    assert_eq!(facts.exports, [ENTRY]);
    let (has_symbols, size) = (false, 0);
    assert_eq!(Facts { has_symbols, size, ..facts }.check(this), Ok(()));
}

/// Goes down a page of mods to that row, and chooses it.
fn choose(menu: &mut ModsMenu, label: &str) -> Option<Loadable> {
    let press = |menu: &mut ModsMenu, button| {
        let chosen = menu.tick(Pad::NEUTRAL.with(button)).expect("the folder is there");
        menu.tick(Pad::NEUTRAL).expect("the folder is there");
        chosen
    };
    for _ in 0..32 {
        let screen = menu.game().screen();
        let (row, _) = screen.row(label).unwrap_or_else(|| panic!("no {label} on\n{screen}"));
        if screen.cursor == Some(row) {
            return press(menu, Button::Cross);
        }
        press(menu, Button::Down);
    }
    panic!("the cursor never comes to {label}");
}

/// B1.3: DirectPort is not shown in a window, and is set all the same.
#[test]
fn an_installed_package_is_listed_set_and_loaded() {
    let folder = folder("installed");
    let package = packed().save(&folder).expect("can be written");
    let mods = ModsFolder::at(&folder.join("mods"));
    assert!(mods.page().expect("an empty page").contains("None is installed: "));

    let manifest = mods.install(&package).expect("is a package").manifest;
    assert_eq!(manifest.version, env!("CARGO_PKG_VERSION"));
    let Err(ModsError::NoneOn(off)) = mods.loadable() else {
        panic!("on before it is switched on")
    };
    assert_eq!(off, ["multiplayer"]);
    let page = mods.page().expect("can be read");
    let default_server = "\n     Server: game.openrac.dev:7770\n";
    for part in ["[off] Multiplayer", default_server, "Quick phrases (QuickPhrases): on"] {
        assert!(page.contains(part), "{page}");
    }
    assert!(page.contains("Port to host on (DirectPort): 7770"), "{page}");

    // On the page as a player has it, by pad; what a pad is slow to write, by command.
    mods.set("multiplayer", "Server", "127.0.0.1:1").expect("is a setting");
    mods.set("multiplayer", "Name", "Nova_7").expect("is a setting");
    let mut menu = ModsMenu::open(&mods).expect("can be read");
    assert!(menu.game().screen().row("  Port to host on").is_none(), "{}", menu.game().screen());
    let head = format!("Multiplayer {}", env!("CARGO_PKG_VERSION"));
    assert_eq!(choose(&mut menu, &head), None);
    assert_eq!(choose(&mut menu, "  Chat"), None);
    let played = choose(&mut menu, "Play").expect("one is on");
    assert_eq!(played, mods.loadable().expect("one is on"));
    for (key, value, why) in [
        ("Chat", "no", "Chat: \"no\" is neither on nor off"),
        ("DirectPort", "65536", "is no port: a number of 1 to 65535; 0: any free one"),
        ("Server", "what ever:", "Server: \"what ever:\" is no server: host:port, such as"),
        ("Name", "ab", "Name: `ab` is no name for a player: 3 to 16 letters"),
    ] {
        let refused = mods.set("multiplayer", key, value).expect_err(value).to_string();
        assert!(refused.contains(why), "{refused}");
    }
    assert!(matches!(mods.set("multiplayer", "Port", "1"), Err(ModsError::NoSetting { .. })));
    let page = mods.page().expect("can be read");
    for part in ["[on] Multiplayer", "\n     Server: 127.0.0.1:1\n", "\n     Chat: off\n"] {
        assert!(page.contains(part), "{page}");
    }

    // An update keeps what the player chose.
    mods.install(&package).expect("is a package");
    let loadable = mods.loadable().expect("is on");
    assert_eq!(loadable.settings["Chat"], "0");
    assert_eq!(loadable.settings["DirectPort"], "7770");
    let library = ModLibrary::open(&loadable.library).expect("is a mod");
    let setup = Setup { settings: loadable.settings, ..Setup::default() };
    let mut game = Game::load(&library, setup).expect("loads");
    let mut bot = Bot::new(Errand::Choose("Multiplayer".to_owned()), Habit::Stand, 1);
    let begin = Instant::now();
    let (server, name) = ("Server unreachable (127.0.0.1:1", "Nova_7");
    loop {
        let pad = game.look(|game| bot.pad(game));
        game.tick(pad);
        let page = format!("{:?}", game.screen().page);
        if page.contains(server) && page.contains(name) {
            break;
        }
        assert!(begin.elapsed() < PATIENCE, "the settings do not show: {page}");
    }
    assert_eq!(game.faults(), []);
}

#[test]
fn what_others_wrote_is_in_the_package_with_its_terms() {
    let folder = folder("third-party");
    let package = packed().save(&folder).expect("can be written");
    let mods = ModsFolder::at(&folder.join("mods"));
    mods.install(&package).expect("is a package");
    let read = |name| fs::read_to_string(folder.join("mods/multiplayer").join(name));
    let crates = read("THIRD-PARTY.txt").expect("is there");
    for name in ["\nmio ", "\nparking_lot ", "\nsocket2 ", "\ngetrandom ", "\nlibc "] {
        assert!(crates.contains(name), "no {name} in\n{crates}");
    }
    assert!(crates.contains("Permission is hereby granted"), "{crates}");
    // Of what tests it, of what runs in the compiler, and of what is ours nothing is in the library.
    for name in ["\nproptest ", "\nthiserror-impl ", "\nmp-protocol "] {
        assert!(!crates.contains(name), "{name} in\n{crates}");
    }
    let rust = read("THIRD-PARTY-RUST.html").expect("is there");
    assert!(rust.contains("The Rust Standard Library"));
}

#[test]
fn a_package_for_several_systems_loads_on_this_one() {
    let folder = folder("combined");
    // The head of a library for macOS, with nothing in it: as much as can be had without a linker for it.
    let head: [u32; 8] = [0xfeed_facf, 0x0100_000c, 0, 6, 0, 0, 0, 0];
    let mac = folder.join("empty.dylib");
    fs::write(&mac, head.map(u32::to_le_bytes).concat()).expect("can be written");
    let mut package = package(false);
    package.libraries.insert(Platform::MacosAarch64, mac.clone());
    let packed = package.pack().expect("both are libraries");
    let version = env!("CARGO_PKG_VERSION");
    assert_eq!(packed.name, format!("multiplayer-{version}-combined.zip"));

    let mods = ModsFolder::at(&folder.join("mods"));
    let update = mods.install(&packed.save(&folder).expect("can be written"));
    assert_eq!(update.expect("is a package").manifest.libraries.len(), 2);
    mods.switch("multiplayer", true).expect("is installed");
    let loadable = mods.loadable().expect("is on");
    assert!(
        fs::read(loadable.library).expect("is there") == fs::read(library()).expect("is there")
    );

    // A library is taken for no other system's.
    package.libraries.insert(Platform::WindowsX86_64, mac);
    let refused = package.pack();
    assert!(
        matches!(
            refused,
            Err(NotPacked::Library { why: Unfit::OtherPlatform(Platform::WindowsX86_64), .. })
        ),
        "{refused:?}"
    );
}

/// The manifest says of the interface what the bindings do.
#[test]
fn the_manifest_wants_the_interface_that_the_mod_is_written_for() {
    let manifest = fs::read_to_string(root().join("package/mod.json")).expect("is there");
    let header = fs::read_to_string(root().join("sdk-bindings/include/openrac_mod.h"));
    let header = header.expect("is there");
    let number = |name: &str| -> u16 {
        let rest = header.split(name).nth(1).expect("the header defines it");
        let digits = rest.trim_start().split(|c: char| !c.is_ascii_digit()).next();
        digits.and_then(|digits| digits.parse().ok()).expect("a number")
    };
    let (major, minor) = (number("OPENRAC_VERSION_MAJOR"), number("OPENRAC_VERSION_MINOR"));
    let line = format!("\"interface\": \"{major}.{minor}\"");
    assert!(manifest.contains(&line), "package/mod.json wants {line}");
}
