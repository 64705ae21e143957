//! A bot at the menus: it reads the rows on the screen as a player does, and says which button to press
//! next. It keeps almost nothing: what is on the screen tells what to do.

use std::net::SocketAddrV4;

use crate::game::Screen;
use crate::sim::{Button, TICKS_PER_SECOND};

/// What a bot wants of the menus.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Errand {
    /// Nothing: it leaves the menus alone.
    None,
    /// Host directly, and start once so many others are ready.
    Host {
        /// How many.
        ready: usize,
    },
    /// Join that address, and get ready.
    Join {
        /// Where.
        address: SocketAddrV4,
    },
    /// Bring up the pause menu's Multiplayer page, and stay there.
    ShowLink,
    /// Choose the row, or the answer of a question, with this label once it shows.
    Choose(String),
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

/// A step of a row held down is let go of when this near to the value, in steps.
const NEAR: i32 = 25;
/// A host that does not answer is asked to join again after so long, in ticks.
const PATIENCE: u32 = 20 * TICKS_PER_SECOND;

/// The mind of a bot at the menus.
#[derive(Clone, Debug, Default)]
pub(super) struct Mind {
    /// Ticks since it chose Join.
    waiting: Option<u32>,
}

impl Mind {
    pub(super) fn next(&mut self, errand: &Errand, screen: &Screen) -> Move {
        if let Some(ticks) = &mut self.waiting {
            *ticks += 1;
        }
        self.waiting.take_if(|ticks| *ticks > PATIENCE);
        match errand {
            Errand::None => Move::Wait,
            Errand::Host { ready } => host(screen, *ready),
            Errand::Join { address } => self.join(screen, *address),
            Errand::ShowLink => show_link(screen),
            Errand::Choose(label) => choose(screen, label),
        }
    }

    fn join(&mut self, screen: &Screen, address: SocketAddrV4) -> Move {
        if screen.row("Address part 1").is_none() {
            return choose_first(
                screen,
                &["Ready", "Join by address", "Direct connect", "Multiplayer"],
            );
        }
        if self.waiting.is_some() {
            return Move::Wait;
        }
        let Some(shown) = address_in(screen.title()) else { return Move::Wait };
        if let Some(step) = towards(screen, shown, address) {
            return step;
        }
        let step = choose(screen, "Join");
        if step == Move::Tap(Button::Cross) {
            self.waiting = Some(0);
        }
        step
    }
}

fn host(screen: &Screen, ready: usize) -> Move {
    if let Some((_, start)) = screen.row("Start") {
        let are_ready = screen.texts().iter().filter(|text| text.contains("(ready)")).count();
        return if are_ready >= ready && !start.dim { choose(screen, "Start") } else { Move::Wait };
    }
    choose_first(screen, &["New game", "Host directly", "Direct connect", "Multiplayer"])
}

fn show_link(screen: &Screen) -> Move {
    match &screen.page {
        None if screen.level.is_some() => Move::Tap(Button::Start),
        Some(_) => choose_first(screen, &["Multiplayer"]),
        None => Move::Wait,
    }
}

/// Chooses the first of these rows that is on the screen.
fn choose_first(screen: &Screen, labels: &[&str]) -> Move {
    let label = labels.iter().find(|label| screen.row(label).is_some());
    label.map_or(Move::Wait, |label| choose(screen, label))
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
    let (Some((row, _)), Some(cursor)) = (screen.row(label), screen.cursor) else {
        return Some(Move::Wait);
    };
    match row.cmp(&cursor) {
        std::cmp::Ordering::Less => Some(Move::Tap(Button::Up)),
        std::cmp::Ordering::Equal => None,
        std::cmp::Ordering::Greater => Some(Move::Tap(Button::Down)),
    }
}

/// The press that brings the address on the screen nearer to the one wanted; `None` when it is that.
fn towards(screen: &Screen, shown: SocketAddrV4, wanted: SocketAddrV4) -> Option<Move> {
    let parts = shown.ip().octets().into_iter().zip(wanted.ip().octets());
    for (index, (shown, wanted)) in parts.enumerate() {
        if shown != wanted {
            let label = format!("Address part {}", index + 1);
            return Some(step(screen, &label, i32::from(wanted) - i32::from(shown)));
        }
    }
    let lack = i32::from(wanted.port()) - i32::from(shown.port());
    match lack.abs() {
        0 => None,
        100.. => Some(step(screen, "Port by 100", lack / 100)),
        _ => Some(step(screen, "Port", lack)),
    }
}

/// The press that steps a row so many times, to the left if less than 0: held while it is far.
fn step(screen: &Screen, label: &str, steps: i32) -> Move {
    if let Some(step) = go_to(screen, label) {
        return step;
    }
    let button = if steps < 0 { Button::Left } else { Button::Right };
    if steps.abs() > NEAR { Move::Hold(button) } else { Move::Tap(button) }
}

/// The address and port in a line such as `Join 192.168.1.1:7770`.
fn address_in(line: &str) -> Option<SocketAddrV4> {
    line.split_whitespace().find_map(|word| word.trim_matches(',').parse().ok())
}

/// Where a lobby says that it hosts: the address and port of its title, or only the port.
#[must_use]
pub fn hosting_place(screen: &Screen) -> Option<String> {
    let place = screen.title().strip_prefix("Hosting on ")?.trim_start_matches("port ");
    Some(place.to_owned())
}

/// The port a lobby says that it hosts on.
#[must_use]
pub fn hosting_port(screen: &Screen) -> Option<u16> {
    hosting_place(screen)?.rsplit(':').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{PageView, Phase, Row, RowKind};

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

    /// Plays the address page of the mod (behaviour.md 2.6) against the bot's presses.
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
                let next = mind.next(&errand, &screen(&title, &ROWS, cursor));
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
        assert_eq!(mind.next(&errand, &waits), Move::Wait);
        let starts = lobby(&["A (host)", "B (ready)"]);
        assert_eq!(mind.next(&errand, &starts), Move::Tap(Button::Cross));
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
