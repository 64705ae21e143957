//! Home, what the main menu's Multiplayer opens (B2.2).

use super::view::View;
use super::{Action, Parts};

pub(super) fn view(parts: &Parts) -> View {
    let mut view = View::new("Multiplayer");
    view.button("Direct connect", Action::OpenDirect);
    view.text("Your name", parts.session.name());
    view
}
