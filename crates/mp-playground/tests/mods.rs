//! Packages and folders of mods that are not as they should be: they cost themselves only.

use std::fs;
use std::io::{Cursor, Write as _};
use std::path::{Path, PathBuf};
use std::process::Command;

use mp_playground::mods::{BadManifest, Loadable, ModsError, ModsFolder, ModsMenu, NotInstalled};
use mp_playground::{Button, Pad};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("mods").join(name);
    if folder.exists() {
        fs::remove_dir_all(&folder).expect("the last run's folder can go");
    }
    fs::create_dir_all(&folder).expect("can be made");
    folder
}

fn manifest(version: &str) -> String {
    let here = format!("{}-{}", std::env::consts::OS, std::env::consts::ARCH);
    serde_json::json!({
        "format": 1, "id": "sample", "name": "Sample", "version": version, "summary": "A sample.",
        "interface": "1.9", "games": [], "authors": ["Someone"], "licence": "MIT",
        "icon": "icon.png", "page": "README.md", "libraries": { here: "lib" },
        "settings": [{
            "key": "Loud", "name": "Loud", "kind": "switch", "default": "0", "help": "Louder."
        }, {
            "key": "Nick", "name": "Nick", "kind": "text", "default": "No", "help": "Who it is for."
        }, {
            "key": "Who", "name": "Who", "kind": "name", "default": "${player_name}", "help": "",
            "shown": false
        }, {
            "key": "Port", "name": "Port", "kind": "port", "default": "7770", "help": "",
            "shown": false
        }, {
            "key": "Server", "name": "Server", "kind": "server", "default": "example:1", "help": "",
            "shown": false
        }, {
            "key": "Deep", "name": "Deep", "kind": "switch", "default": "0", "help": "",
            "shown": false
        }]
    })
    .to_string()
}

/// A package of these files, in that folder.
fn package(folder: &Path, files: &[(&str, &str)]) -> PathBuf {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in files {
        zip.start_file(*name, SimpleFileOptions::default()).expect("in memory");
        zip.write_all(text.as_bytes()).expect("in memory");
    }
    let file = folder.join("package.zip");
    let bytes = zip.finish().expect("in memory").into_inner();
    fs::write(&file, bytes).expect("can be written");
    file
}

fn good(folder: &Path, version: &str) -> PathBuf {
    let manifest = manifest(version);
    let files = [("icon.png", ""), ("README.md", ""), ("lib", ""), ("mod.json", &*manifest)];
    let named: Vec<_> = files.map(|(name, text)| (format!("sample/{name}"), text)).into();
    let named: Vec<_> = named.iter().map(|(name, text)| (&**name, *text)).collect();
    package(folder, &named)
}

#[test]
fn an_update_takes_the_old_ones_place_and_a_bad_one_does_not() {
    let folder = folder("update");
    let mods = ModsFolder::at(&folder.join("mods"));
    let version = || {
        let mut found = mods.list().expect("can be read");
        found.remove(0).manifest.expect("is good").version
    };
    mods.install(&good(&folder, "1.0.0")).expect("is good");
    assert_eq!(version(), "1.0.0");
    mods.install(&good(&folder, "1.1.0")).expect("is good");
    assert_eq!(version(), "1.1.0");
    for (newer, older) in [("1.1.0", "1.0.9"), ("1.10.0", "1.9.0"), ("2.0.0", "1.10.11")] {
        let mut over = [newer, older, older, newer]
            .map(|version| mods.install(&good(&folder, version)).expect("is good").over_newer);
        assert_eq!(over[1].take().as_deref(), Some(newer));
        assert_eq!(over, [None, None, None, None], "the same one or a newer one is not said");
    }
    mods.install(&good(&folder, "1.1.0")).expect("is good");

    let whole = fs::read(good(&folder, "2.0.0")).expect("is there");
    let cut = folder.join("cut.zip");
    fs::write(&cut, &whole[..whole.len() / 2]).expect("can be written");
    assert!(matches!(mods.install(&cut), Err(NotInstalled::Zip(_))));
    let files = [("sample/mod.json", &*manifest("2.0.0"))];
    let without = mods.install(&package(&folder, &files));
    assert!(matches!(without, Err(NotInstalled::Bad(BadManifest::Missing(_)))), "{without:?}");
    assert_eq!(version(), "1.1.0");
    let left = fs::read_dir(folder.join("mods")).expect("is there").count();
    assert_eq!(left, 1, "nothing is left of what was not installed");
}

#[test]
fn each_command_answers_in_a_line_and_without_one_the_page_is_printed() {
    let folder = folder("command");
    let file = good(&folder, "1.0.0");
    let mods = folder.join("mods");
    let run = |words: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mp-playground"));
        let output = command.arg("mods").arg("--dir").arg(&mods).args(words).output();
        let output = output.expect("the program runs");
        let text = |bytes| String::from_utf8(bytes).expect("is text");
        (text(output.stdout), text(output.stderr))
    };
    let done = |words: &[&str]| run(words).0;
    assert_eq!(done(&["install", file.to_str().expect("is text")]), "installed sample 1.0.0\n");
    assert_eq!(done(&["on", "sample"]), "sample is on\n");
    assert_eq!(done(&["set", "sample", "Who", "Nova"]), "Who = Nova\n");
    let (said, why) = run(&["set", "sample", "Port", "-1"]);
    assert_eq!((said.as_str(), why.lines().count()), ("", 1), "{why}");
    assert!(why.starts_with("Port: \"-1\" is no port: "), "{why}");
    let page = done(&[]);
    assert!(page.contains("[on] Sample 1.0.0") && page.contains("     Port: 7770\n"), "{page}");
    assert_eq!(done(&["set", "sample", "Server", ""]), "Server = \n");
    assert!(done(&[]).contains("     Server: example:1\n"), "the usual one is said");
    let older = good(&folder, "0.9.0");
    let over = "installed sample 0.9.0 over 1.0.0, which was newer\n";
    assert_eq!(done(&["install", older.to_str().expect("is text")]), over);
    assert_eq!(run(&["on", "none"]).1, "no mod \"none\" is installed; installed: sample\n");
    assert_eq!(done(&["off", "sample"]), "sample is off\n");
    assert_eq!(done(&["remove", "sample"]), "removed sample; what was chosen of it stays\n");
    let how = "`cargo xtask package` makes one, `mods install FILE.zip` installs it";
    let none = format!("no mod \"sample\" is installed: none is installed; {how}\n");
    for command in ["remove", "on"] {
        assert_eq!(run(&[command, "sample"]).1, none);
    }
    assert!(done(&[]).ends_with(&format!("None is installed: {how}.\n")));
    let (_, why) = run(&["install", "no/such.zip"]);
    assert_eq!(why.matches("no/such.zip").count(), 1, "{why}");
    assert!(why.ends_with("; `cargo xtask package` makes one\n"), "{why}");
    let (_, why) = run(&["install", "a.zip", "b.zip"]);
    assert_eq!(why, "one zip at a time: a.zip, b.zip\n");
}

#[test]
fn a_mod_that_is_removed_is_gone_and_is_as_it_was_set_when_it_is_back() {
    let folder = folder("remove");
    let mods = ModsFolder::at(&folder.join("mods"));
    let file = good(&folder, "1.0.0");
    mods.install(&file).expect("is good");
    assert!(!mods.remove("sample").expect("is installed"), "nothing was chosen of it");
    assert_eq!(mods.list().expect("can be read").len(), 0);
    assert!(!folder.join("mods/sample").exists());

    mods.install(&file).expect("is good");
    mods.switch("sample", true).expect("is installed");
    mods.set("sample", "Nick", "Nova").expect("is one");
    fs::write(folder.join("mods/sample/mod.json"), "{").expect("can be written");
    assert!(mods.remove("sample").expect("one that cannot be loaded can go too"));
    assert!(matches!(mods.loadable(), Err(ModsError::NoneOn(_))));
    mods.install(&file).expect("is good");
    assert_eq!(mods.loadable().expect("is on").settings["Nick"], "Nova");

    for id in ["other", ".", "..", "mods.json", ""] {
        let removed = mods.remove(id);
        assert!(matches!(removed, Err(ModsError::NoMod { .. })), "{id:?}: {removed:?}");
    }
    assert!(folder.join("mods/sample/mod.json").exists() && folder.join("mods/mods.json").exists());
}

#[test]
fn a_file_that_is_no_package_is_refused_in_plain_words() {
    let folder = folder("no-package");
    let mods = ModsFolder::at(&folder.join("mods"));
    let refused = |file: &Path| mods.install(file).expect_err("is none").to_string();
    let file = folder.join("not.zip");
    let missing = refused(&file);
    assert!(!missing.contains("not.zip"), "whoever named it says which: {missing}");
    fs::write(&file, "words").expect("can be written");
    assert_eq!(refused(&file), "it is no package: it is no zip file, or not a whole one");
    assert_eq!(refused(&package(&folder, &[])), "it is no package: it is an empty zip file");
}

#[test]
fn a_setting_takes_what_its_kind_can_be_and_keeps_what_it_was_else() {
    let folder = folder("values");
    let mods = ModsFolder::at(&folder.join("mods"));
    mods.install(&good(&folder, "1.0.0")).expect("is good");
    mods.switch("sample", true).expect("is installed");
    let now = |key: &str| mods.loadable().expect("is on").settings.remove(key).expect("is one");
    let can_be = [
        ("Who", &["", "${player_name}", "Nova_7"][..], &["ab", "a name", "seventeen_letters"][..]),
        ("Port", &["", "0", "1", "65535"], &["abc", "-1", "65536", "7.5", " 1"]),
        (
            "Server",
            &["", "h", "play.example:1", "10.0.0.7:65535", "[::1]", "[fe80::2]:7771"],
            &["what ever:", ":1", "h:", "h:0", "h:+1", "h:1:2", "::1", "[h]", "[::1]1", "[::1]:0"],
        ),
        ("Nick", &["", "any thing"], &[]),
        ("Loud", &["off", "on"], &["1", "no", ""]),
    ];
    for (key, right, wrong) in can_be {
        for value in right {
            mods.set("sample", key, value).expect(value);
        }
        let kept = now(key);
        for value in wrong {
            let refused = mods.set("sample", key, value);
            assert!(matches!(refused, Err(ModsError::BadValue { .. })), "{key} {value}");
            assert_eq!(now(key), kept);
        }
    }
    assert_eq!(["Who", "Port", "Loud"].map(now), ["Nova_7", "65535", "1"]);
}

/// As `zip -r` makes it: each folder is an entry of its own.
#[test]
fn a_packages_folders_may_be_named_in_it_if_they_are_its_own() {
    let folder = folder("folders");
    let mods = ModsFolder::at(&folder.join("mods"));
    let manifest = manifest("1.0.0");
    let files = ["sample/", "sample/icon.png", "sample/README.md", "sample/lib", "sample/more/"];
    let mut files: Vec<_> = files.map(|name| (name, "")).into();
    files.push(("sample/mod.json", &*manifest));
    mods.install(&package(&folder, &files)).expect("is good");
    assert_eq!(mods.list().expect("can be read").len(), 1);
    for name in ["other/", "../", "/", "sample/../other/", "/tmp/", "sample\\more/"] {
        let files = [&[(name, "")], &files[..]].concat();
        let refused = mods.install(&package(&folder, &files));
        assert!(matches!(refused, Err(NotInstalled::Name(_))), "{name}: {refused:?}");
    }
}

#[test]
fn a_package_stays_in_its_own_folder() {
    let folder = folder("outside");
    let mods = ModsFolder::at(&folder.join("mods"));
    for name in ["../out", "sample/../../out", "/out", "out", "sample\\..\\out", "sample//out"] {
        let installed = mods.install(&package(&folder, &[(name, "x")]));
        assert!(matches!(installed, Err(NotInstalled::Name(_))), "{name}: {installed:?}");
    }
    let two = mods.install(&package(&folder, &[("a/x", ""), ("b/x", "")]));
    assert!(matches!(two, Err(NotInstalled::Name(_))), "{two:?}");
    assert!(!folder.join("out").exists() && !folder.join("mods/out").exists());
}

#[test]
fn a_package_that_would_fill_the_disk_is_refused() {
    let folder = folder("large");
    let mods = ModsFolder::at(&folder.join("mods"));
    let names: Vec<_> = (0..65).map(|number| format!("sample/{number}")).collect();
    let many: Vec<_> = names.iter().map(|name| (&**name, "")).collect();
    let refused = mods.install(&package(&folder, &many));
    assert!(matches!(refused, Err(NotInstalled::TooMuch)), "{refused:?}");
    let large = "0".repeat((64 << 20) + 1);
    let refused = mods.install(&package(&folder, &[("sample/x", &*large)]));
    assert!(matches!(refused, Err(NotInstalled::TooMuch)), "{refused:?}");
}

#[test]
fn a_mod_that_cannot_be_loaded_says_why_and_stands_in_nobodys_way() {
    let folder = folder("bad");
    let mods = ModsFolder::at(&folder.join("mods"));
    mods.install(&good(&folder, "1.0.0")).expect("is good");
    mods.switch("sample", true).expect("is installed");
    let other = folder.join("mods/other");
    fs::create_dir_all(&other).expect("can be made");
    for (from, to, why) in [
        ("\"1.9\"", "\"1.10\"", "it wants interface 1.10"),
        ("\"1.9\"", "\"2.0\"", "it wants interface 2.0"),
        ("\"format\":1", "\"format\":2", "its manifest has format 2"),
        ("\"lib\"", "\"../sample/lib\"", "../sample/lib is not in its folder"),
        ("\"default\":\"0\"", "\"default\":\"no\"", "its setting \"Loud\""),
        ("\"default\":\"7770\"", "\"default\":\"no\"", "its setting \"Port\""),
        ("\"sample\"", "\"Other\"", "its id \"Other\""),
        ("{", "", "mod.json: "),
        // Its folder is another.
        ("\"Sample\"", "\"Other\"", "it has no icon.png"),
    ] {
        let text = manifest("1.0.0");
        assert!(text.contains(from), "{from} in {text}");
        fs::write(other.join("mod.json"), text.replacen(from, to, 1)).expect("can be written");
        let page = mods.page().expect("can be read");
        assert!(page.contains(&format!("[off] other: cannot be loaded: {why}")), "{why}: {page}");
        assert!(page.contains("[on] Sample 1.0.0 (sample)"), "{page}");
        mods.loadable().expect("the good one loads all the same");
    }
}

#[test]
fn choices_that_cannot_be_read_are_not_written_over() {
    let folder = folder("choices");
    let mods = ModsFolder::at(&folder.join("mods"));
    mods.install(&good(&folder, "1.0.0")).expect("is good");
    let choices = folder.join("mods/mods.json");
    fs::write(&choices, "{\"sample\": 1}").expect("can be written");
    assert!(matches!(mods.switch("sample", true), Err(ModsError::Choices { .. })));
    assert_eq!(fs::read_to_string(choices).expect("is there"), "{\"sample\": 1}");
}

/// Presses these one after the other, each let go of before the next. What was chosen at the last.
fn press(menu: &mut ModsMenu, buttons: &[Button]) -> Option<Loadable> {
    let mut chosen = None;
    for &button in buttons {
        chosen = menu.tick(Pad::NEUTRAL.with(button)).expect("the folder is there");
        menu.tick(Pad::NEUTRAL).expect("the folder is there");
    }
    chosen
}

fn texts(menu: &ModsMenu) -> Vec<String> {
    menu.game().screen().texts()
}

#[test]
fn the_page_of_mods_is_operated_by_the_pad() {
    use Button::{Cross, Down, Left, Right, Triangle, Up};
    let folder = folder("page");
    let mods = ModsFolder::at(&folder.join("mods"));
    mods.install(&good(&folder, "1.0.0")).expect("is good");
    let mut menu = ModsMenu::open(&mods).expect("can be read");
    let rows = ["Sample 1.0.0 Off", "  Loud Off", "  Nick No", "Play"];
    assert_eq!(texts(&menu), [&["Mods"], &rows[..], &["A sample."]].concat());
    // Nothing is on: it says why, and Play does nothing.
    assert_eq!(press(&mut menu, &[Up, Cross]), None);
    assert_eq!(texts(&menu).last().expect("help"), "Not yet: no mod is on.");
    press(&mut menu, &[Down, Cross]);
    assert_eq!(texts(&menu)[1], "Sample 1.0.0 On");
    press(&mut menu, &[Left, Right, Down]);
    assert_eq!(texts(&menu).last().expect("help"), "Louder.");
    press(&mut menu, &[Right]);
    assert_eq!(texts(&menu)[2], "  Loud On");

    // A text opens a page of its own; Triangle leaves it as it was.
    press(&mut menu, &[Down, Cross, Down, Right, Triangle]);
    assert_eq!(texts(&menu)[3], "  Nick No");
    press(&mut menu, &[Cross]);
    let rows = ["Place 3 of 2", "Character -", "Insert", "Remove", "Done"];
    assert_eq!(texts(&menu), [&["Nick", "No", "  ^"], &rows[..], &["Who it is for."]].concat());
    press(&mut menu, &[Down, Right, Right, Up, Up, Cross]);
    assert_eq!(texts(&menu)[3], "  Nick Nob");
    assert_eq!(menu.game().screen().cursor, Some(2), "where it was left");

    let loadable = press(&mut menu, &[Down, Cross]).expect("it plays");
    assert_eq!(loadable, mods.loadable().expect("is on"));
    let settings = ["Loud", "Nick", "Deep"].map(|key| &*loadable.settings[key]);
    assert_eq!(settings, ["1", "Nob", "0"]);
}

/// The picture breaks it into lines, as long as they can be there.
#[test]
fn the_page_of_mods_leaves_its_help_in_one_line() {
    let folder = folder("page-help");
    let mods = ModsFolder::at(&folder.join("mods"));
    mods.install(&good(&folder, "1.0.0")).expect("is good");
    let help = "up to four players in one level, ".repeat(4) + "or else.";
    let manifest = manifest("1.0.0").replace("A sample.", &help);
    fs::write(folder.join("mods/sample/mod.json"), manifest).expect("can be written");
    let menu = ModsMenu::open(&mods).expect("can be read");
    assert_eq!(menu.game().screen().footer(), [help]);
}

#[test]
fn the_page_of_mods_says_why_one_cannot_be_loaded_and_what_could_not_be_done() {
    let folder = folder("page-bad");
    let mods = ModsFolder::at(&folder.join("mods"));
    mods.install(&good(&folder, "1.0.0")).expect("is good");
    let bad = manifest("1.0.0").replace("\"1.9\"", "\"2.0\"");
    fs::write(folder.join("mods/sample/mod.json"), bad).expect("can be written");
    let mut menu = ModsMenu::open(&mods).expect("can be read");
    let all = texts(&menu).join("\n");
    assert!(all.contains("It cannot be loaded: it wants interface 2.0"), "{all}");
    press(&mut menu, &[Button::Cross]);
    let all = texts(&menu).join("\n");
    assert!(all.contains("sample Off") && all.contains("sample: it wants interface 2.0"), "{all}");
}

/// What lies in a folder of mods may be anybody's: no pipe or device is waited for, nothing endless is read.
#[cfg(unix)]
#[test]
fn a_manifest_or_the_choices_that_are_no_plain_file_cost_themselves_only() {
    use std::os::unix::fs::symlink;

    let folder = folder("no-plain-files");
    let mods = ModsFolder::at(&folder.join("mods"));
    mods.install(&good(&folder, "1.0.0")).expect("is good");
    let of = |id: &str| {
        let place = folder.join("mods").join(id);
        fs::create_dir_all(&place).expect("can be made");
        place.join("mod.json")
    };
    let pipe = |at: &Path| {
        assert!(Command::new("mkfifo").arg(at).status().expect("mkfifo runs").success());
    };
    pipe(&of("pipe"));
    symlink("/dev/zero", of("endless")).expect("a link");
    fs::create_dir(of("folder")).expect("can be made");
    let long = fs::File::create(of("long")).expect("can be made");
    long.set_len(1 << 40).expect("a file with holes");
    let found: Vec<_> = mods.list().expect("can be read").into_iter().map(|it| it.id).collect();
    assert_eq!(found, ["long", "sample"]);
    let long = mods.list().expect("can be read").remove(0).manifest;
    assert!(matches!(&long, Err(BadManifest::Unreadable(why)) if why.contains("longer than")));

    let choices = folder.join("mods/mods.json");
    for odd in ["pipe", "/dev/zero", "folder", "long"] {
        match odd {
            "pipe" => pipe(&choices),
            "folder" => fs::create_dir(&choices).expect("can be made"),
            "long" => symlink("long/mod.json", &choices).expect("a link"),
            device => symlink(device, &choices).expect("a link"),
        }
        let read = mods.list();
        assert!(matches!(read, Err(ModsError::File { .. })), "{odd}: {read:?}");
        if odd == "folder" { fs::remove_dir(&choices) } else { fs::remove_file(&choices) }
            .expect("it is this test's");
    }
}

#[test]
fn a_manifest_whose_words_are_more_than_text_to_a_terminal_is_refused() {
    let folder = folder("escapes");
    let mods = ModsFolder::at(&folder.join("mods"));
    for words in ["A sample.", "No", "Louder.", "Someone", "MIT"] {
        let odd = manifest("1.0.0").replace(words, &format!("{words}\\u001b[2J"));
        let files = [("sample/mod.json", &*odd)];
        let refused = mods.install(&package(&folder, &files));
        let Err(NotInstalled::Bad(BadManifest::Text(_))) = &refused else { panic!("{refused:?}") };
        let told = refused.expect_err("is refused").to_string();
        assert!(!told.contains('\u{1b}'), "{told:?}");
    }
}
