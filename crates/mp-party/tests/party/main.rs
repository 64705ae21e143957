//! The router's rules, one test each, through its public interface: clients are byte pipes and the clock
//! is moved by hand.
#![forbid(unsafe_code)]

mod direct;
mod greeting;
mod hostile;
mod limits;
mod lobby;
mod model;
mod queues;
mod sequences;
mod shards;

mod traffic;
mod udp;
mod world;
