//! The pause menu's Multiplayer page (B2.8).

use super::lobby::place_lines;
use super::view::View;
use super::{Action, Parts};
use crate::session::{LinkQuality, Member, Party};

/// What a player can say with a pad: there is no text entry.
const PHRASES: [&str; 5] = ["Over here!", "Wait for me", "Let's go", "Help!", "Thanks!"];

pub(super) fn view(parts: &Parts) -> View {
    let mut view = View::new("Multiplayer");
    let Some(party) = parts.session.party() else {
        view.line("Not in a party");
        return view;
    };
    place_lines(parts).into_iter().for_each(|line| view.line(line));
    if let Some(level) = parts.coop.host_level() {
        view.line(format!("The host is on {}", parts.game.level_name(level)));
    }
    for member in party.members() {
        view.text(label(member, party, parts), link(member, parts).words());
    }
    view.button("Leave party", Action::Leave);
    if parts.settings.quick_phrases {
        for phrase in PHRASES {
            let label = format!("Say \"{phrase}\"");
            view.button_if(parts.session.may_say(parts.now), &label, Action::Say(phrase));
        }
    }
    view
}

fn label(member: &Member, party: &Party, parts: &Parts) -> String {
    let mut marks = Vec::new();
    if member.id == party.host {
        marks.push("host");
    }
    if parts.session.me() == Some(member.id) {
        marks.push("you");
    }
    if member.ignored {
        marks.push("ignored");
    }
    if marks.is_empty() {
        member.name.clone()
    } else {
        format!("{} ({})", member.name, marks.join(", "))
    }
}

/// One's own link is known at first hand, the others' by what they say.
fn link(member: &Member, parts: &Parts) -> LinkQuality {
    if parts.session.me() == Some(member.id) { parts.session.quality() } else { member.link }
}
