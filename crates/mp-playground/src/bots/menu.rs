//! A bot at the menus: it reads the rows on the screen as a player does, and says which button to press
//! next. It keeps almost nothing: what is on the screen tells what to do.

use std::net::{Ipv4Addr, SocketAddrV4};
use std::str::FromStr;

use mp_protocol::limits::{PARTY_CODE_ALPHABET, PARTY_CODE_CHARS};

use super::visitor::Place;
use crate::game::{Phase, Screen};
use crate::sim::{Button, Level, TICKS_PER_SECOND};

/// What a bot wants of the menus.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Errand {
    /// Nothing: it leaves the menus alone.
    #[default]
    None,
    /// Host directly, and start once so many others are ready.
    Host {
        /// How many.
        ready: usize,
    },
    /// Create a match on the server, and start once so many others are ready.
    Create {
        /// How many.
        ready: usize,
    },
    /// Join the match of that code, and get ready.
    Code(String),
    /// Join that address, and get ready.
    Join {
        /// Where.
        address: SocketAddrV4,
    },
    /// Bring up the pause menu's Multiplayer page, and stay there.
    ShowLink,
    /// Pause in a level for so many ticks, and go on.
    Pause {
        /// How many are left.
        ticks: u32,
    },
    /// Go to a thing of the level, and use it.
    Visit(Place),
    /// Leave the party by the pause menu.
    Leave,
    /// Choose the row, or the answer of a question, with this label once it shows.
    Choose(String),
}

impl Errand {
    /// Whether it is done once its game is in a level: a bot that is thrown back to the title later
    /// leaves what the page says of it there to be read.
    pub(super) const fn ends_in_the_level(&self) -> bool {
        matches!(self, Self::Host { .. } | Self::Create { .. } | Self::Code(_) | Self::Join { .. })
    }

    /// Whether it takes the bot from the level to a menu.
    pub(super) const fn begins_in_the_level(&self) -> bool {
        matches!(self, Self::ShowLink | Self::Pause { .. } | Self::Visit(_) | Self::Leave)
    }
}

/// What a host has its party play.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SaveChoice {
    /// A new game.
    #[default]
    New,
    /// The card's save of that number, from 1.
    Slot(u8),
}

/// No save of that name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a save is `new` or 1 to 5")]
pub struct NoSave;

impl FromStr for SaveChoice {
    type Err = NoSave;

    fn from_str(text: &str) -> Result<Self, NoSave> {
        match text.parse() {
            Ok(slot @ 1..=5) => Ok(Self::Slot(slot)),
            Err(_) if text == "new" => Ok(Self::New),
            _ => Err(NoSave),
        }
    }
}

/// What to do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Move {
    /// Nothing for now.
    Wait,
    /// Press a button and let it go.
    Tap(Button),
    /// Keep a button down.
    Hold(Button),
}

/// A row this many steps or more from its value is held down, and let go of when this near: a held row
/// steps slowly at first, then ten at a time.
const FAR: i32 = 30;
const NEAR: i32 = 10;
/// A choice that changed nothing is made again after so long, in ticks; joining takes longer.
const PATIENCE: u32 = 2 * TICKS_PER_SECOND;
const JOINING: u32 = 20 * TICKS_PER_SECOND;

/// The mind of a bot at the menus.
#[derive(Clone, Debug, Default)]
pub(super) struct Mind {
    /// What it chose a row on, by its title, and how long it waits for something else, in ticks.
    chosen: Option<(String, u32)>,
    /// It holds a row down.
    holding: bool,
    /// Its newest press was on the way to an address or a code.
    stepping: bool,
}

impl Mind {
    /// Whether it steps in an address or a code.
    pub(super) const fn is_stepping(&self) -> bool {
        self.stepping
    }

    pub(super) fn next(&mut self, errand: &Errand, save: SaveChoice, screen: &Screen) -> Move {
        self.stepping = false;
        if let Errand::Choose(label) = errand {
            return choose(screen, label);
        }
        if let Some((title, left)) = &mut self.chosen {
            *left = left.saturating_sub(1);
            if *left > 0 && title == screen.title() {
                return Move::Wait;
            }
        }
        let next = match errand {
            Errand::None | Errand::Pause { .. } | Errand::Choose(_) => Move::Wait,
            Errand::Visit(place) => fly(screen, *place),
            Errand::Host { ready } => {
                host(screen, *ready, save, &["Host directly", "Direct connect", "Multiplayer"])
            }
            Errand::Create { ready } => {
                host(screen, *ready, save, &["Create match", "Multiplayer"])
            }
            Errand::Code(code) => self.join_code(screen, code),
            Errand::Join { address } => self.join(screen, *address),
            Errand::ShowLink => in_the_pause_menu(screen, &["Multiplayer"]),
            Errand::Leave if screen.prompt.is_some() => choose(screen, "Yes"),
            Errand::Leave => in_the_pause_menu(screen, &["Leave party", "Multiplayer"]),
        };
        let joining = screen.row("Join").is_some();
        self.chosen = (next == Move::Tap(Button::Cross))
            .then(|| (screen.title().to_owned(), if joining { JOINING } else { PATIENCE }));
        next
    }

    fn join(&mut self, screen: &Screen, address: SocketAddrV4) -> Move {
        if screen.row("Address part 1").is_none() {
            let rows = ["Ready", "Join by address", "Direct connect", "Multiplayer"];
            return choose_first(screen, &rows);
        }
        match address_in(screen.title()).map(|shown| lack(shown, address)) {
            None => Move::Wait,
            Some(Some((label, steps))) => self.step(screen, &label, steps),
            Some(None) => choose(screen, "Join"),
        }
    }

    fn join_code(&mut self, screen: &Screen, code: &str) -> Move {
        if screen.row("Character 1").is_none() {
            return choose_first(screen, &["Ready", "Join by code", "Multiplayer"]);
        }
        match shown_code(screen.title()).map(|shown| lack_of_code(shown, code)) {
            None => Move::Wait,
            Some(Some((label, steps))) => self.step(screen, &label, steps),
            Some(None) => choose(screen, "Join"),
        }
    }

    /// The press that steps a row so many times.
    fn step(&mut self, screen: &Screen, label: &str, steps: i32) -> Move {
        self.stepping = true;
        if let Some(step) = go_to(screen, label) {
            self.holding = false;
            return step;
        }
        self.holding = steps.abs() > if self.holding { NEAR } else { FAR };
        let button = if steps < 0 { Button::Left } else { Button::Right };
        if self.holding { Move::Hold(button) } else { Move::Tap(button) }
    }
}

/// On the way to a lobby by these rows, the way in last, and in it.
fn host(screen: &Screen, ready: usize, save: SaveChoice, rows: &[&str]) -> Move {
    if screen.title() == "Choose a save" {
        let row = match save {
            SaveChoice::New => 0,
            SaveChoice::Slot(slot) => usize::from(slot),
        };
        return choose_row(screen, row);
    }
    if let Some((_, start)) = screen.row("Start") {
        let are_ready = screen.texts().iter().filter(|text| text.contains("(ready)")).count();
        return if are_ready >= ready && !start.dim { choose(screen, "Start") } else { Move::Wait };
    }
    choose_first(screen, rows)
}

/// At the ship's list of planets.
fn fly(screen: &Screen, place: Place) -> Move {
    match place {
        Place::Ship(level) if screen.page.is_some() => {
            choose_first(screen, &[&Level::name_of(level).unwrap_or_default()])
        }
        _ => Move::Wait,
    }
}

/// Opens the pause menu, and chooses the first of these rows that it has.
fn in_the_pause_menu(screen: &Screen, labels: &[&str]) -> Move {
    match &screen.page {
        None if screen.phase == Phase::Playing => Move::Tap(Button::Start),
        Some(_) => choose_first(screen, labels),
        None => Move::Wait,
    }
}

/// Chooses the first of these rows that is on the screen, once it may.
fn choose_first(screen: &Screen, labels: &[&str]) -> Move {
    let found = labels.iter().find_map(|label| Some((*label, screen.row(label)?.1)));
    match found {
        Some((label, row)) if !row.dim => choose(screen, label),
        _ => Move::Wait,
    }
}

/// Moves the cursor to the row, or to the answer while a question is asked, then presses Cross.
fn choose(screen: &Screen, label: &str) -> Move {
    if let Some(prompt) = &screen.prompt {
        let on = if prompt.on_yes { &prompt.yes } else { &prompt.no };
        let offered = prompt.yes == label || prompt.no == label;
        return match (offered, on == label) {
            (false, _) => Move::Wait,
            (true, false) => Move::Tap(Button::Right),
            (true, true) => Move::Tap(Button::Cross),
        };
    }
    go_to(screen, label).unwrap_or(Move::Tap(Button::Cross))
}

/// The press that brings the cursor nearer to the row; `None` when it is on it.
fn go_to(screen: &Screen, label: &str) -> Option<Move> {
    screen.row(label).map_or(Some(Move::Wait), |(row, _)| go_to_row(screen, row))
}

/// Moves the cursor to the row of that number, then presses Cross.
fn choose_row(screen: &Screen, row: usize) -> Move {
    go_to_row(screen, row).unwrap_or(Move::Tap(Button::Cross))
}

fn go_to_row(screen: &Screen, row: usize) -> Option<Move> {
    let Some(cursor) = screen.cursor else { return Some(Move::Wait) };
    match row.cmp(&cursor) {
        std::cmp::Ordering::Less => Some(Move::Tap(Button::Up)),
        std::cmp::Ordering::Equal => None,
        std::cmp::Ordering::Greater => Some(Move::Tap(Button::Down)),
    }
}

/// The row to step so that the address on the screen becomes the one wanted, and how many steps, to the
/// left if less than 0; `None` when it is that.
fn lack(shown: SocketAddrV4, wanted: SocketAddrV4) -> Option<(String, i32)> {
    let parts = shown.ip().octets().into_iter().zip(wanted.ip().octets());
    for (index, (shown, wanted)) in parts.enumerate() {
        if shown != wanted {
            // The part wraps at its ends, so the way round them may be the shorter.
            let steps = i32::from(wanted.wrapping_sub(shown).cast_signed());
            return Some((format!("Address part {}", index + 1), steps));
        }
    }
    let steps = i32::from(wanted.port()) - i32::from(shown.port());
    match steps.abs() {
        0 => None,
        100.. => Some(("Port by 100".to_owned(), steps / 100)),
        _ => Some(("Port".to_owned(), steps)),
    }
}

/// The address and port in a line such as `Join 192.168.1.1:7770`.
fn address_in(line: &str) -> Option<SocketAddrV4> {
    line.split_whitespace().find_map(|word| word.trim_matches(',').parse().ok())
}

/// The character to step so that the code on the screen becomes the one wanted, and how many steps, to
/// the left if less than 0; `None` when it is that.
fn lack_of_code(shown: &str, wanted: &str) -> Option<(String, i32)> {
    let place = |of: u8| PARTY_CODE_ALPHABET.iter().position(|&c| c == of.to_ascii_uppercase());
    let all = i32::try_from(PARTY_CODE_ALPHABET.len()).expect("a short alphabet");
    let steps = |(shown, wanted): (u8, u8)| {
        let [shown, wanted] = [shown, wanted].map(|of| i32::try_from(place(of)?).ok());
        let right = (wanted? - shown?).rem_euclid(all);
        // The ends wrap, so the way to the left may be the shorter.
        Some(if right > all / 2 { right - all } else { right })
    };
    let mut missing = (1..).zip(shown.bytes().zip(wanted.bytes()));
    missing.find_map(|(number, both)| {
        let steps = steps(both).filter(|&steps| steps != 0)?;
        Some((format!("Character {number}"), steps))
    })
}

/// The code in the title of its page.
fn shown_code(title: &str) -> Option<&str> {
    title.strip_prefix("Join ").filter(|code| code.len() == PARTY_CODE_CHARS)
}

/// The code of the party whose lobby shows.
#[must_use]
pub fn party_code(screen: &Screen) -> Option<&str> {
    screen.title().strip_prefix("Party ").filter(|code| code.len() == PARTY_CODE_CHARS)
}

/// Where a lobby says that it hosts. On a machine without an address of its own it tells only the port,
/// and only games on the same machine can join.
#[must_use]
pub fn hosting_place(screen: &Screen) -> Option<String> {
    let place = screen.title().strip_prefix("Hosting on ")?;
    let here = |port| format!("{}:{port}", Ipv4Addr::LOCALHOST);
    Some(place.strip_prefix("port ").map_or_else(|| place.to_owned(), here))
}

/// The port a lobby says that it hosts on.
#[must_use]
pub fn hosting_port(screen: &Screen) -> Option<u16> {
    hosting_place(screen)?.rsplit(':').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{PageView, Row, RowKind};

    fn screen(title: &str, labels: &[&str], cursor: usize) -> Screen {
        let rows = labels.iter().map(|label| Row { kind: RowKind::Value, ..Row::action(label) });
        Screen {
            phase: Phase::TitlePage,
            level: None,
            page: Some(PageView {
                title: title.to_owned(),
                rows: rows.collect(),
                ..PageView::default()
            }),
            cursor: Some(cursor),
            prompt: None,
            message: None,
            held: None,
            line: None,
        }
    }

    const ROWS: [&str; 7] = [
        "Address part 1",
        "Address part 2",
        "Address part 3",
        "Address part 4",
        "Port",
        "Port by 100",
        "Join",
    ];

    /// Plays the address page of the mod (B2.6) against the bot's presses.
    #[test]
    fn any_address_is_stepped_in_and_joined() {
        for wanted in ["127.0.0.1:40123", "10.255.3.99:7770", "192.168.1.1:1", "127.0.0.1:65535"] {
            let wanted: SocketAddrV4 = wanted.parse().expect("an address");
            let errand = Errand::Join { address: wanted };
            let (mut mind, mut cursor, mut held) = (Mind::default(), 0_usize, 0_u32);
            let mut values = [192_i32, 168, 1, 1, 7770];
            let mut moves = 0;
            loop {
                let [a, b, c, d, port] = values;
                let title = format!("Join {a}.{b}.{c}.{d}:{port}");
                let next = mind.next(&errand, SaveChoice::New, &screen(&title, &ROWS, cursor));
                held = if matches!(next, Move::Hold(_)) { held + 1 } else { 0 };
                match next {
                    Move::Tap(Button::Up) => cursor -= 1,
                    Move::Tap(Button::Down) => cursor += 1,
                    Move::Tap(Button::Cross) => break,
                    Move::Tap(button) | Move::Hold(button) => {
                        let by = if button == Button::Left { -1 } else { 1 };
                        let by = by * if held > 10 { 10 } else { 1 };
                        match cursor {
                            0..=3 => values[cursor] = (values[cursor] + by).rem_euclid(256),
                            4 => values[4] += by,
                            _ => values[4] += by * 100,
                        }
                    }
                    Move::Wait => panic!("waits at {title} for {wanted}, cursor {cursor}"),
                }
                values[4] = (values[4] - 1).rem_euclid(65_535) + 1;
                moves += 1;
                assert!(moves < 1_000, "never arrives at {wanted}: {title}");
            }
            let [a, b, c, d, port] = values;
            assert_eq!(format!("{a}.{b}.{c}.{d}:{port}"), wanted.to_string());
            assert_eq!(cursor, 6);
        }
    }

    /// Plays the code page of the mod (B2.5) against the bot's presses.
    #[test]
    fn any_code_is_stepped_in_and_joined() {
        const ALPHABET: &[u8] = PARTY_CODE_ALPHABET;
        let labels: Vec<String> = (1..=6).map(|number| format!("Character {number}")).collect();
        let mut labels: Vec<&str> = labels.iter().map(String::as_str).collect();
        labels.push("Join");
        for wanted in ["222222", "ZZZZZZ", "K7PQ2A", "k7pq2a"] {
            let errand = Errand::Code(wanted.to_owned());
            let (mut mind, mut cursor, mut places) = (Mind::default(), 0_usize, [0_usize; 6]);
            for moves in 0.. {
                let code: String = places.map(|place| char::from(ALPHABET[place])).iter().collect();
                let page = screen(&format!("Join {code}"), &labels, cursor);
                match mind.next(&errand, SaveChoice::New, &page) {
                    Move::Tap(Button::Up) => cursor -= 1,
                    Move::Tap(Button::Down) => cursor += 1,
                    Move::Tap(Button::Cross) => {
                        assert!(!mind.is_stepping(), "it has stepped");
                        assert_eq!((code, cursor), (wanted.to_ascii_uppercase(), 6));
                        break;
                    }
                    Move::Tap(button) | Move::Hold(button) => {
                        assert!(mind.is_stepping());
                        let step = if button == Button::Left { ALPHABET.len() - 1 } else { 1 };
                        places[cursor] = (places[cursor] + step) % ALPHABET.len();
                    }
                    Move::Wait => panic!("waits at {code} for {wanted}, cursor {cursor}"),
                }
                assert!(moves < 120, "never arrives at {wanted}: {code}");
            }
        }
    }

    /// B2.2, B2.4
    #[test]
    fn a_match_is_created_with_the_save_that_was_chosen_once_the_server_said_hello() {
        let errand = Errand::Create { ready: 1 };
        let rows = ["Browse games", "Create match", "Join by code", "Direct connect"];
        let mut home = screen("Multiplayer", &rows, 1);
        let row = |screen: &mut Screen, dim| {
            screen.page.as_mut().expect("a page").rows[1].dim = dim;
        };
        row(&mut home, true);
        let next = |screen: &Screen, save| Mind::default().next(&errand, save, screen);
        assert_eq!(next(&home, SaveChoice::New), Move::Wait);
        row(&mut home, false);
        assert_eq!(next(&home, SaveChoice::New), Move::Tap(Button::Cross));
        let saves = ["New game", "Veldin", "Empty", "Veldin", "Empty", "Empty"];
        let saves = screen("Choose a save", &saves, 0);
        assert_eq!(next(&saves, SaveChoice::New), Move::Tap(Button::Cross));
        assert_eq!(next(&saves, SaveChoice::Slot(3)), Move::Tap(Button::Down));
        assert_eq!("3".parse(), Ok(SaveChoice::Slot(3)));
        assert_eq!("new".parse(), Ok(SaveChoice::New));
        for wrong in ["0", "6", "", "old"] {
            assert_eq!(wrong.parse::<SaveChoice>(), Err(NoSave), "{wrong}");
        }
    }

    #[test]
    fn a_host_starts_when_enough_are_ready_and_not_before() {
        let lobby = |members: &[&str]| {
            let mut labels = vec!["Start", "Leave"];
            labels.extend(members);
            screen("Hosting on 10.0.0.2:7770", &labels, 0)
        };
        let mut mind = Mind::default();
        let errand = Errand::Host { ready: 1 };
        let waits = lobby(&["A (host)", "B (not ready)"]);
        assert_eq!(mind.next(&errand, SaveChoice::New, &waits), Move::Wait);
        let starts = lobby(&["A (host)", "B (ready)"]);
        assert_eq!(mind.next(&errand, SaveChoice::New, &starts), Move::Tap(Button::Cross));
    }

    #[test]
    fn an_address_is_found_in_a_title() {
        assert_eq!(address_in("Join 10.0.0.2:7770").map(|at| at.port()), Some(7770));
        assert_eq!(address_in("Join 10.0.0.2:99999"), None);
        for (title, port) in [
            ("Hosting on 10.0.0.2:7771", Some(7771)),
            ("Hosting on [fd00::1]:7772", Some(7772)),
            ("Hosting on port 7773", Some(7773)),
            ("Party at 10.0.0.2:7774", None),
        ] {
            assert_eq!(hosting_port(&screen(title, &["Start"], 0)), port, "{title}");
        }
    }
}
