//! The stand-in game against mods written in C, compiled here with the interface's header: what a mod can
//! do, that what it must not do is refused, counted and harms nothing, and that no call or callback of
//! the header is left out.

mod pages;
mod play;
mod reach;
#[path = "../support/mod.rs"]
mod support;
mod world;
