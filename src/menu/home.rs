//! Home, what the main menu's Multiplayer opens (B2.2).

use super::saves::HostOn;
use super::view::View;
use super::{Action, Parts};

/// The row of Browse games, where the cursor goes once the server said hello.
pub(super) const BROWSE_ROW: usize = 0;
/// The row of Direct connect, which never waits for a server.
pub(super) const DIRECT_ROW: usize = 3;

pub(super) fn view(parts: &Parts) -> View {
    let mut view = View::new("Multiplayer");
    let dim = !parts.session.is_online();
    for (label, action) in [
        ("Browse games", Action::OpenBrowse),
        ("Create match", Action::OpenSaves(HostOn::Server)),
        ("Join by code", Action::OpenCode),
    ] {
        view.button_if(!dim, label, action);
    }
    view.button("Direct connect", Action::OpenDirect);
    view.text("Your name", parts.session.name());
    view
}
