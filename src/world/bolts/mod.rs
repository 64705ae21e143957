//! The bolts of the shared world (B6.7).

mod host;
mod member;
#[cfg(test)]
mod tests;
