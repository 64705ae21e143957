//! Direct connect, and the address's rows that take its place (B2.6).

use super::saves::HostOn;
use super::view::View;
use super::{Action, Parts};
use crate::direct::address::{AddressRow, AddressRows};

pub(super) fn view() -> View {
    let mut view = View::new("Direct connect");
    view.line("Play without a server: one hosts, the others join its address.");
    view.line("Everyone in the party can see the host's address.");
    view.button("Host directly", Action::OpenSaves(HostOn::Direct));
    view.button("Join by address", Action::OpenJoin);
    view
}

pub(super) fn join_view(address: AddressRows, parts: &Parts) -> View {
    let mut view = View::new(format!("Join {}", address.address()));
    for row in AddressRow::ALL {
        view.value(row.label(), address.value(row), Action::Address(row));
    }
    view.button("Join", Action::Join);
    if parts.session.target().is_some() {
        view.line("Triangle gives up");
    }
    view
}
