//! Browse games: the parties that have room (B2.3).

use super::view::View;
use super::{Action, Parts};

pub(super) fn view(parts: &Parts) -> View {
    let mut view = View::new("Browse games");
    view.button("Refresh", Action::Refresh);
    match parts.session.parties() {
        None => view.line("Asking the server"),
        Some([]) => view.line("Nobody hosts a game now. Create match starts one."),
        Some(parties) => {
            for party in parties {
                let value = format!("{}  {}/{}", party.description, party.members, party.size);
                view.choice(party.host.clone(), value, Action::JoinCode(party.code.clone()));
            }
        }
    }
    view
}
