//! What a player wants of the menus, and the next row to choose for it: a bot's fingers do the rest. It
//! sees what is on the screen, as a player does.

use mp_playground::game::{RowKind, Screen};
use mp_playground::sim::TICKS_PER_SECOND;

/// A choice that changed nothing is made again after so long, in ticks; joining takes longer.
const PATIENCE: u64 = 2 * TICKS_PER_SECOND as u64;
const JOINING: u64 = 12 * TICKS_PER_SECOND as u64;
/// How long a host waits for the others before it starts with those that are there, in ticks.
const WAITING: u64 = 15 * TICKS_PER_SECOND as u64;

/// Where a party meets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// At a relay.
    Relay,
    /// At the host.
    Direct,
}

/// What a player is after.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Goal {
    /// To be in no party.
    Alone,
    /// To host, and to start once so many others are ready.
    Host {
        /// How many.
        others: usize,
    },
    /// To be in the party of the one with this name.
    Join {
        /// Its host's name.
        host: String,
    },
}

/// See the module.
#[derive(Clone, Debug)]
pub(crate) struct Guide {
    pub(crate) goal: Goal,
    place: Place,
    /// The title and the row chosen last, and until which tick that may take effect.
    chosen: Option<(String, String, u64)>,
    /// Since when it could have started.
    waits_since: Option<u64>,
}

impl Guide {
    pub(crate) const fn new(goal: Goal, place: Place) -> Self {
        Self { goal, place, chosen: None, waits_since: None }
    }

    /// The row, or the answer, to choose next in the title's pages.
    pub(crate) fn next(&mut self, screen: &Screen, tick: u64) -> Option<String> {
        if screen.level.is_some() || screen.page.is_none() {
            return None;
        }
        let label = self.label(screen, tick)?;
        let title = screen.title().to_owned();
        if let Some((on, row, until)) = &self.chosen
            && *on == title
            && *row == label
            && tick < *until
        {
            return None;
        }
        let patience = if label == "Join" { JOINING } else { PATIENCE };
        self.chosen = Some((title, label.clone(), tick + patience));
        Some(label)
    }

    fn label(&mut self, screen: &Screen, tick: u64) -> Option<String> {
        let labels: Vec<&str> = match (&self.goal, self.place) {
            (Goal::Alone, _) => Vec::new(),
            (Goal::Host { others }, place) => {
                if let Some((_, start)) = screen.row("Start") {
                    let ready =
                        screen.texts().iter().filter(|text| text.contains("(ready)")).count();
                    let since = *self.waits_since.get_or_insert(tick);
                    let starts = !start.dim && (ready >= *others || tick > since + WAITING);
                    return starts.then(|| "Start".to_owned());
                }
                self.waits_since = None;
                let way = match place {
                    Place::Relay => vec!["Create match"],
                    Place::Direct => vec!["Host directly", "Direct connect"],
                };
                [vec!["New game"], way, vec!["Multiplayer"]].concat()
            }
            (Goal::Join { host }, place) => {
                let way = match place {
                    Place::Relay => vec![host.as_str(), "Refresh", "Browse games"],
                    Place::Direct => vec!["Join", "Join by address", "Direct connect"],
                };
                [vec!["Join the game", "Ready"], way, vec!["Multiplayer"]].concat()
            }
        };
        let there = |label: &&&str| {
            screen.row(label).is_some_and(|(_, row)| !row.dim && row.kind != RowKind::Text)
        };
        labels.iter().find(there).map(|label| (*label).to_owned())
    }
}
