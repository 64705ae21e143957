//! Chat: what was said last, and how often this player may say something. Words only come from the phrases
//! that the pause page offers, for there is no text entry.

use std::collections::VecDeque;
use std::time::Duration;

use mp_netcode::LocalTime;
use mp_protocol::SessionId;
use mp_protocol::limits::CLIENT_REQUESTS_PER_SECOND;
use mp_sockets::Command;

use super::words::{CHAT_SHOWN, shown};
use super::{Notice, Session};

/// How many lines the lobby shows.
const LINES: usize = 4;

/// The last lines, and when this player last spoke.
#[derive(Debug, Default)]
pub(super) struct Chat {
    /// The Chat setting (B1.3).
    shows: bool,
    lines: VecDeque<String>,
    said: VecDeque<LocalTime>,
}

impl Chat {
    /// Nothing said yet. `shows`: whether what comes is shown.
    pub(super) fn new(shows: bool) -> Self {
        Self { shows, ..Self::default() }
    }

    /// The party is over: its lines go with it.
    pub(super) fn clear(&mut self) {
        self.lines.clear();
    }
}

impl Session {
    /// The last lines of the party's chat, oldest first.
    pub fn chat_lines(&self) -> impl Iterator<Item = &str> {
        self.chat.lines.iter().map(String::as_str)
    }

    /// Whether this player may say something now: at most 2 lines a second (protocol.md 1).
    pub fn may_say(&self, now: LocalTime) -> bool {
        let lately = self.chat.said.iter().filter(|&&at| now.since(at) < Duration::from_secs(1));
        self.party.is_some() && lately.count() < CLIENT_REQUESTS_PER_SECOND as usize
    }

    /// Says something to the party, if this player may. It comes back as any other line.
    pub fn say(&mut self, text: &str, now: LocalTime) {
        if !self.may_say(now) {
            return;
        }
        self.chat.said.push_back(now);
        if self.chat.said.len() > CLIENT_REQUESTS_PER_SECOND as usize {
            self.chat.said.pop_front();
        }
        self.command(Command::Chat { text: text.to_owned() });
    }

    /// Somebody of the party said something. One who is ignored, or not in it, is not heard.
    pub(super) fn chat_came(&mut self, sender: SessionId, text: &str) -> Option<Notice> {
        let member = self.party.as_ref()?.member(sender).filter(|member| !member.ignored)?;
        if !self.chat.shows {
            return None;
        }
        let line = format!("{}: {}", member.name, shown(text, CHAT_SHOWN));
        if self.chat.lines.len() == LINES {
            self.chat.lines.pop_front();
        }
        self.chat.lines.push_back(line.clone());
        Some(Notice::Said(line))
    }
}
