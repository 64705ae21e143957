//! The lobby: the party before it plays (B2.7).

use super::view::View;
use super::{Action, Parts};
use crate::direct::hosting_lines;
use crate::session::{Member, Party, Target};

pub(super) fn view(parts: &Parts) -> View {
    let Some(party) = parts.session.party() else { return View::new("Not in a party") };
    let mut titles = place_lines(parts).into_iter();
    let mut view = View::new(titles.next().unwrap_or_default());
    titles.for_each(|line| view.line(line));
    view.line(count_line(party));
    first_row(&mut view, party, parts);
    view.button("Leave", Action::Leave);
    view.text(format!("Playing: {}", party.description), "");
    for member in party.members() {
        view.text(member.name.as_str(), standing(member, party));
    }
    view.text("Round trip", parts.session.quality().words());
    for line in parts.session.chat_lines() {
        view.text(line, "");
    }
    view
}

/// Where the party is: what the others join, or where this player joined (B2.7).
pub(super) fn place_lines(parts: &Parts) -> Vec<String> {
    match (parts.session.hosting(), parts.session.target()) {
        (Some(hosting), _) => hosting_lines(&hosting.addresses, hosting.port),
        (None, Some(Target::Joining { address })) => vec![format!("Party at {address}")],
        (None, _) => {
            let code = parts.session.party().map_or("", |party| &party.code);
            vec![format!("Party {code}")]
        }
    }
}

fn count_line(party: &Party) -> String {
    let count = party.members().len();
    let players = if count == 1 { "1 player".to_owned() } else { format!("{count} players") };
    if party.all_ready() { players } else { format!("{players}, not all ready") }
}

/// Start for the host, Ready for a member, Join the game once it is on.
fn first_row(view: &mut View, party: &Party, parts: &Parts) {
    if parts.session.is_host() {
        view.button_if(party.all_ready(), "Start", Action::Start);
        return;
    }
    let ready =
        parts.session.me().and_then(|me| party.member(me)).is_some_and(|member| member.ready);
    if parts.coop.can_join_game() {
        view.button("Join the game", Action::JoinGame);
    } else if ready {
        view.button("Not ready", Action::Ready(false));
    } else {
        view.button("Ready", Action::Ready(true));
    }
}

fn standing(member: &Member, party: &Party) -> &'static str {
    match (member.id == party.host, member.ready) {
        _ if member.ignored => "(ignored)",
        (true, _) => "(host)",
        (false, true) => "(ready)",
        (false, false) => "(not ready)",
    }
}
