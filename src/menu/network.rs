//! The network page, for developers and reports: how the link does, what goes over it, what was not
//! taken, and a bad link to try the game over. Offered only while the verbose log is on (B1.3).

use std::time::Duration;

use mp_netcode::conditioner::{Conditions, Percent};
use mp_sockets::{Quality, Traffic};

use super::view::View;
use super::{Action, Parts};
use crate::game::PageId;
use crate::session::{Count, KindRate};

/// One step of a time, and the most: worse than any link that a party is played over.
const LATENCY: (Duration, Duration) = (Duration::from_millis(10), Duration::from_millis(500));
const JITTER: (Duration, Duration) = (Duration::from_millis(5), Duration::from_millis(200));
/// The most of a share, in percent, which is stepped by one: likewise.
const SHARE_MAX: f64 = 50.0;

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

    /// More or less of it; its ends do not wrap, as nobody wants the worst link after the best.
    pub(super) fn step(self, mut conditions: Conditions, more: bool) -> Conditions {
        match self {
            Self::Latency => step_time(&mut conditions.latency, LATENCY, more),
            Self::Jitter => step_time(&mut conditions.jitter, JITTER, more),
            Self::Loss => step_share(&mut conditions.loss, more),
            Self::Duplicates => step_share(&mut conditions.duplicate, more),
            Self::Reordering => step_share(&mut conditions.reorder, more),
        }
        conditions
    }

    /// How bad it is.
    fn words(self, conditions: &Conditions) -> String {
        let millis = |time: Duration| format!("{} ms", time.as_millis());
        let percent = |share: Percent| format!("{} %", share.get());
        match self {
            Self::Latency => millis(conditions.latency),
            Self::Jitter => millis(conditions.jitter),
            Self::Loss => percent(conditions.loss),
            Self::Duplicates => percent(conditions.duplicate),
            Self::Reordering => percent(conditions.reorder),
        }
    }
}

fn step_time(time: &mut Duration, (step, most): (Duration, Duration), more: bool) {
    *time = if more { (*time + step).min(most) } else { time.saturating_sub(step) };
}

fn step_share(share: &mut Percent, more: bool) {
    let step = if more { 1.0 } else { -1.0 };
    let stepped = (share.get() + step).clamp(0.0, SHARE_MAX);
    *share = Percent::new(stepped).expect("0 to 50");
}

/// The row that opens the page from another one, while the verbose log is on.
pub(super) fn row(view: &mut View, from: PageId, parts: &Parts) {
    if parts.session.is_verbose() {
        let simulated = parts.session.simulated();
        let value = if simulated == Conditions::default() { "" } else { "simulated" };
        view.choice("Network".to_owned(), value.to_owned(), Action::OpenNetwork(from));
    }
}

pub(super) fn view(parts: &Parts) -> View {
    let mut view = View::new("Network");
    match parts.session.measured() {
        Some((quality, bytes)) => link_rows(&mut view, &quality, bytes, parts),
        None => view.line("No link has been measured yet"),
    }
    simulation_rows(&mut view, parts);
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

fn simulation_rows(view: &mut View, parts: &Parts) {
    if parts.session.hosting().is_some() {
        view.text("Simulated link", "a direct host has none");
        return;
    }
    let simulated = parts.session.simulated();
    for fault in Fault::ALL {
        view.value(fault.label().to_owned(), fault.words(&simulated), Action::Simulate(fault));
    }
}

fn rate_words(rate: KindRate) -> String {
    let words = |count: Count| format!("{}/s {} bytes", count.messages, count.bytes);
    format!("out {}, in {}", words(rate.sent), words(rate.received))
}
