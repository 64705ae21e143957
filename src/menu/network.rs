//! The network page, for developers and reports: how the link does, what goes over it, what was not
//! taken, and a bad link to try the game over. Offered only while the verbose log is on (B1.3).

use std::time::Duration;

use mp_netcode::conditioner::{Conditions, Percent};
use mp_sockets::{Quality, Traffic};

use super::view::View;
use super::{Action, Parts};
use crate::game::PageId;
use crate::session::{Count, KindRate};

/// What can be bad about a link, each way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    Latency,
    Jitter,
    Loss,
    Duplicates,
    Reordering,
}

impl Fault {
    const ALL: [Self; 5] =
        [Self::Latency, Self::Jitter, Self::Loss, Self::Duplicates, Self::Reordering];

    const fn label(self) -> &'static str {
        match self {
            Self::Latency => "Simulated latency, one way",
            Self::Jitter => "Simulated jitter",
            Self::Loss => "Simulated loss",
            Self::Duplicates => "Simulated duplicates",
            Self::Reordering => "Simulated reordering",
        }
    }

    /// One step, the most (worse than any link that a party is played over), and the unit.
    const fn range(self) -> (u16, u16, &'static str) {
        match self {
            Self::Latency => (10, 500, "ms"),
            Self::Jitter => (5, 200, "ms"),
            Self::Loss | Self::Duplicates | Self::Reordering => (1, 50, "%"),
        }
    }
}

/// How bad the link is to be: milliseconds and percentages, a fault each.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Faults([u16; Fault::ALL.len()]);

impl Faults {
    /// More or less of one; its ends do not wrap, as nobody wants the worst link after the best.
    pub(super) fn step(&mut self, fault: Fault, more: bool) -> Conditions {
        let (step, most, _) = fault.range();
        let value = &mut self.0[fault as usize];
        *value = if more { (*value + step).min(most) } else { value.saturating_sub(step) };
        self.conditions()
    }

    fn conditions(self) -> Conditions {
        let [latency, jitter, loss, duplicate, reorder] = self.0;
        let share = |percent: u16| Percent::new(percent.into()).unwrap_or_default();
        Conditions {
            latency: Duration::from_millis(latency.into()),
            jitter: Duration::from_millis(jitter.into()),
            loss: share(loss),
            duplicate: share(duplicate),
            reorder: share(reorder),
        }
    }

    fn words(self, fault: Fault) -> String {
        format!("{} {}", self.0[fault as usize], fault.range().2)
    }
}

/// The row that opens the page from another one, while the verbose log is on.
pub(super) fn row(view: &mut View, from: PageId, parts: &Parts) {
    if parts.session.is_verbose() {
        let simulated = parts.session.simulated();
        let value = if simulated == Conditions::default() { "" } else { "simulated" };
        view.choice("Network".to_owned(), value.to_owned(), Action::OpenNetwork(from));
    }
}

pub(super) fn view(faults: Faults, parts: &Parts) -> View {
    let mut view = View::new("Network");
    match parts.session.measured() {
        Some((quality, bytes)) => link_rows(&mut view, &quality, bytes, parts),
        None => view.line("No link has been measured yet"),
    }
    simulation_rows(&mut view, faults, parts);
    for (id, playback) in parts.coop.playbacks() {
        let party = parts.session.party();
        let Some(member) = party.and_then(|party| party.member(id)) else { continue };
        let (delay, depth) = (playback.delay.as_millis(), playback.depth.as_millis());
        let counts = playback.stats;
        let counts = format!("{} late, {} stalls", counts.late, counts.stalls);
        let label = format!("{} is played", member.name);
        view.text(label, format!("{delay} ms behind, {depth} ms held, {counts}"));
    }
    for (kind, rate) in parts.session.rates() {
        view.text(format!("{kind:?}").to_uppercase(), rate_words(rate));
    }
    for (why, count) in parts.session.dropped() {
        view.text(format!("Dropped: {why}"), count.to_string());
    }
    for (why, count) in parts.refused.iter() {
        view.text(format!("Dropped: {why}"), count.to_string());
    }
    view
}

fn link_rows(view: &mut View, quality: &Quality, bytes: Traffic, parts: &Parts) {
    view.text("Round trip", parts.session.quality().words());
    view.text("Jitter", format!("{:.1} ms", quality.jitter.as_secs_f64() * 1e3));
    view.text("Loss", format!("{:.1} %", quality.loss * 100.0));
    view.text("Sent", format!("{} bytes/s", bytes.sent));
    view.text("Received", format!("{} bytes/s", bytes.received));
}

fn simulation_rows(view: &mut View, faults: Faults, parts: &Parts) {
    if parts.session.hosting().is_some() {
        view.text("Simulated link", "a direct host has none");
        return;
    }
    for fault in Fault::ALL {
        view.value(fault.label().to_owned(), faults.words(fault), Action::Simulate(fault));
    }
}

fn rate_words(rate: KindRate) -> String {
    let words = |count: Count| format!("{}/s {} bytes", count.messages, count.bytes);
    format!("out {}, in {}", words(rate.sent), words(rate.received))
}
