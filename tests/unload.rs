//! The built library, loaded, played with and unloaded as a game does it: over and over, and in every state
//! it can be in. One test after the other on one thread, so that nothing else in this process starts or
//! ends a thread. `UNLOAD_CYCLES=1000` plays that many cycles (4 without it).
#![allow(unsafe_code)]
#![allow(
    clippy::disallowed_types,
    clippy::disallowed_methods,
    reason = "end to end: real sockets and time"
)]

#[path = "common/card.rs"]
mod card;
#[path = "../src/ffi/tests/host/mod.rs"]
mod host;
#[path = "common/library.rs"]
mod library;
#[path = "common/look_up.rs"]
mod look_up;
#[path = "common/table.rs"]
mod table;

use std::any::Any;
use std::net::{Ipv4Addr, TcpListener};
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use host::FakeHost;
use libtest_mimic::{Arguments, Failed, Trial};
use mp_playground::bots::{Bot, Errand, Habit, SaveChoice};
use mp_playground::game::Phase;
use sdk_bindings::ModLibrary;
use table::{NO_SERVER, Table};

const HOME: usize = 0;
/// Cycles that are played when nobody says how many.
const CYCLES: u32 = 4;
/// Cycles after which all that is kept for good is there.
const WARM: u32 = 1;
/// What memory may grow by in all, in pages of 4 KiB: what the allocator keeps for a thread, 4 MiB of it, it
/// keeps anew when two run at once that did not before.
const GROWTH_PAGES: usize = 4096;
/// And where nothing is played: less than 5 KiB that every load leaves behind is more than this.
const IDLE_GROWTH_PAGES: usize = 512;
/// How often the system is asked again before what it lists counts. No more: a thread that nobody waited for
/// must still be there, and with others at work a turn takes longer.
const TURNS: u32 = 20_000;

fn main() -> ExitCode {
    let mut trials = vec![
        Trial::test(
            "two_hundred_cycles_of_two_mods_leave_threads_descriptors_and_memory_as_they_were",
            two_hundred_cycles,
        ),
        Trial::test(
            "cycles_of_load_play_and_unload_leave_threads_descriptors_and_memory_as_they_were",
            cycles_of_play,
        ),
    ];
    for (name, begin) in STAGES {
        let name = format!("unload_{name}_takes_under_500_ms_and_leaves_nothing");
        trials.push(Trial::test(name, move || unloads(begin)));
    }
    // On this thread, one after the other.
    let arguments = Arguments { test_threads: Some(1), ..Arguments::from_args() };
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// This process's threads and open descriptors; nothing where the system does not list them.
fn threads_and_descriptors() -> Option<(usize, usize)> {
    let count = |folder: &str| std::fs::read_dir(folder).ok().map(Iterator::count);
    Some((count("/proc/self/task")?, count("/proc/self/fd")?))
}

/// The same once they have settled: the system lists a thread for a moment after it was joined.
fn settled(expected: Option<(usize, usize)>) -> Option<(usize, usize)> {
    let mut now = threads_and_descriptors();
    for _ in 0..TURNS {
        if now == expected {
            break;
        }
        std::thread::yield_now();
        now = threads_and_descriptors();
    }
    now
}

/// The memory of this process that is in use, in pages; nothing where the system does not say, nor under a
/// sanitizer (`.ci/sanitize` sets its options), which keeps what is freed and some of every thread there was.
fn pages() -> Option<usize> {
    if std::env::var_os("ASAN_OPTIONS").is_some() {
        return None;
    }
    let all = std::fs::read_to_string("/proc/self/statm").ok()?;
    all.split_whitespace().nth(1)?.parse().ok()
}

fn cycle(library: &ModLibrary, before: Option<(usize, usize)>) {
    assert_eq!(settled(before), before);
    let (first, second) = (FakeHost::new(), FakeHost::new());
    // SAFETY: a whole table, whose host outlives the mod.
    let mut a = unsafe { library.load(&raw const first.table) }.expect("it takes this game");
    // SAFETY: as above.
    let mut b = unsafe { library.load(&raw const second.table) }.expect("it takes another");
    let meanwhile = threads_and_descriptors();
    assert_eq!(meanwhile.map(|(threads, _)| threads), before.map(|(threads, _)| threads + 2));
    for _ in 0..3 {
        a.tick();
        first.show(HOME);
        assert!(first.row(HOME, 0).is_some(), "Home has rows");
        first.hide(HOME);
        b.tick();
        b.drawn();
    }
    a.unload();
    b.tick();
    b.unload();
    assert!(first.lines.borrow().iter().any(|line| line.contains("Qwark")), "{:?}", first.lines);
    assert_eq!(first.lines_with("has not ended"), 0);
}

fn two_hundred_cycles() -> Result<(), Failed> {
    // SAFETY: the library of this workspace.
    let library = unsafe { ModLibrary::open(&library::library()) }?;
    let start = threads_and_descriptors();
    cycle(&library, start);
    let (before, pages_before) = (settled(start), pages());
    for _ in 0..200 {
        cycle(&library, before);
    }
    assert_eq!(settled(before), before);
    let grown = pages().zip(pages_before).map(|(now, before)| now.saturating_sub(before));
    println!("memory grown by {grown:?} pages");
    assert!(grown.is_none_or(|grown| grown <= IDLE_GROWTH_PAGES), "{grown:?} pages");
    Ok(())
}

/// How many cycles are asked for.
fn cycles() -> Result<u32, Failed> {
    match std::env::var("UNLOAD_CYCLES") {
        Ok(cycles) => Ok(cycles.parse()?),
        Err(_) => Ok(CYCLES),
    }
}

fn cycles_of_play() -> Result<(), Failed> {
    let cycles = cycles()?;
    let (mut longest, began) = (Duration::ZERO, Instant::now());
    for _ in 0..WARM {
        end(in_a_level_with_figures());
    }
    let (before, pages_before) = (settled(threads_and_descriptors()), pages());
    for _ in 0..cycles {
        longest = longest.max(end(in_a_level_with_figures()));
        assert_eq!(settled(before), before);
    }
    let grown = pages().zip(pages_before).map(|(now, before)| now.saturating_sub(before));
    println!(
        "{cycles} cycles of two games in {:?}: {before:?} threads and descriptors before and after, \
         memory grown by {grown:?} pages, the longest unload {longest:?}",
        began.elapsed()
    );
    assert!(grown.is_none_or(|grown| grown <= GROWTH_PAGES), "{grown:?} pages");
    Ok(())
}

/// Games in some state, and what that state needs.
struct Stage {
    table: Table,
    kept: Vec<Box<dyn Any>>,
    /// Threads that are not the mod's to end.
    leaves: usize,
}

impl Stage {
    fn of(table: Table) -> Self {
        Self { table, kept: Vec::new(), leaves: 0 }
    }
}

/// Unloads every game, the first first. Answers how long the longest took; the game itself judges that,
/// and every other rule of the interface.
fn end(stage: Stage) -> Duration {
    let Stage { table, kept, .. } = stage;
    let mut longest = Duration::ZERO;
    for player in table.players {
        let began = Instant::now();
        let faults = player.game.unload();
        longest = longest.max(began.elapsed());
        assert!(faults.is_empty(), "{}: {faults:?}", player.name);
    }
    drop(kept);
    longest
}

fn unloads(begin: Begin) -> Result<(), Failed> {
    // The library stays mapped, and so does what it keeps for good.
    drop(Table::new());
    let before = threads_and_descriptors();
    let stage = begin();
    let leaves = stage.leaves;
    let longest = end(stage);
    let after = before.map(|(threads, descriptors)| (threads + leaves, descriptors));
    assert_eq!(settled(after), after);
    look_up::answer();
    assert_eq!(settled(before), before);
    println!("unloaded in {longest:?}");
    Ok(())
}

/// Brings games into a state.
type Begin = fn() -> Stage;

/// Every state.
const STAGES: [(&str, Begin); 9] = [
    ("at_the_title", at_the_title),
    ("while_connecting_to_a_black_hole", connecting),
    ("while_a_server_says_nothing", greeting),
    ("while_looking_up_a_name", looking_up),
    ("of_a_lobby_of_four", in_a_lobby_of_four),
    ("while_a_save_is_sent", sending_a_save),
    ("while_loading", loading),
    ("in_a_scene", in_a_scene),
    ("in_a_level_with_figures", in_a_level_with_figures),
];

fn hurried() -> Table {
    let mut table = Table::new();
    table.hurries = true;
    table
}

/// One on its Multiplayer page, which connects to that server.
fn at_home(server: &str) -> Stage {
    let mut table = hurried();
    table.sit_with("Alex", Errand::None, 0, server);
    table.choose(0, "Multiplayer");
    table.ticks(2);
    Stage::of(table)
}

/// A party of that many whose host is about to start.
fn party(players: usize) -> Table {
    let mut table = hurried();
    table.sit("Alex", Errand::Host { ready: players - 1 });
    let port = table.until_it_hosts();
    for name in ["Blair", "Casey", "Drew"].into_iter().take(players - 1) {
        table.join(name, port);
    }
    table
}

fn at_the_title() -> Stage {
    let mut table = hurried();
    table.sit("Alex", Errand::None);
    table.ticks(2);
    Stage::of(table)
}

#[cfg(target_os = "linux")]
fn connecting() -> Stage {
    use socket2::{Domain, Protocol, Socket, Type};

    // A listener that takes in nobody, and what fills it: the next one gets no answer at all.
    let socket = || Socket::new(Domain::IPV4, Type::STREAM, Some(Protocol::TCP)).expect("a socket");
    let listener = socket();
    listener.bind(&std::net::SocketAddr::from((Ipv4Addr::LOCALHOST, 0)).into()).expect("a port");
    listener.listen(0).expect("it listens");
    let at = listener.local_addr().expect("its address");
    let fill: Vec<_> = (0..4)
        .map(|_| {
            let socket = socket();
            socket.set_nonblocking(true).expect("non-blocking");
            let _in_progress = socket.connect(&at);
            socket
        })
        .collect();
    let mut stage = at_home(&at.as_socket().expect("an IPv4 address").to_string());
    stage.kept.push(Box::new((listener, fill)));
    stage
}

#[cfg(not(target_os = "linux"))]
fn connecting() -> Stage {
    // TEST-NET-1: nobody is there.
    at_home("192.0.2.1:7770")
}

fn greeting() -> Stage {
    let silent = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
    let mut stage = at_home(&silent.local_addr().expect("its address").to_string());
    let (stream, _) = silent.accept().expect("it connects");
    stage.kept.push(Box::new((silent, stream)));
    stage
}

fn looking_up() -> Stage {
    let mut stage = at_home("host.test:7770");
    stage.table.until("it looks the name up", |_| !look_up::CAN_WAIT || look_up::is_asked());
    stage.leaves = usize::from(look_up::CAN_WAIT);
    stage
}

fn in_a_lobby_of_four() -> Stage {
    let mut table = party(4);
    // The last one never gets ready.
    table.until("all are in the lobby", |table| {
        let lobby = table.screen(0).to_string();
        ["Blair", "Casey", "Drew"].iter().all(|name| lobby.contains(name))
    });
    Stage::of(table)
}

/// The save may all be there in the very tick in which the host begins to load: then it is sent once more.
fn sending_a_save() -> Stage {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("unload");
    for _ in 0..20 {
        card::with_a_save(&folder, 1, 2);
        let mut table = hurried();
        table.sit_in(folder.clone(), "Alex", Errand::None, 0, NO_SERVER);
        table.players[0].bot =
            Bot::new(Errand::Host { ready: 1 }, Habit::Walk, 0).with_save(SaveChoice::Slot(1));
        let port = table.until_it_hosts();
        table.join("Blair", port);
        table.until("the host starts", |table| table.screen(0).phase == Phase::Loading);
        if table.screen(1).phase != Phase::Loading {
            return Stage::of(table);
        }
        table.end();
    }
    panic!("the member always has it at once");
}

/// A party of two, one of whom is there: the other comes or goes in the next moment.
fn until_one_is(phase: Phase) -> Stage {
    let mut table = party(2);
    table.until("one is there", |table| {
        table.players.iter().any(|player| player.game.screen().phase == phase)
    });
    Stage::of(table)
}

fn loading() -> Stage {
    until_one_is(Phase::Loading)
}

fn in_a_scene() -> Stage {
    until_one_is(Phase::Scene)
}

fn in_a_level_with_figures() -> Stage {
    let mut table = party(2);
    table.until("each sees the other", |table| {
        table.figure(0, "Blair").is_some() && table.figure(1, "Alex").is_some()
    });
    Stage::of(table)
}
