//! What is done to the project beside building and testing it: the package that the launcher installs,
//! the checks of what goes into it, and of what it is built from.
//!
//! It is no part of the mod, and nothing but the tests of the package depends on it.
#![forbid(unsafe_code)]

pub mod audit;
pub mod build;
pub mod library;
pub mod package;
pub mod platform;
pub mod third_party;

#[cfg(feature = "icon")]
pub mod icon;

#[cfg(test)]
mod docs;
