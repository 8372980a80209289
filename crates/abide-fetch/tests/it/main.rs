//! The machine against its vectors, its table, an oracle that replays history, and RFC 9111's oracle; the
//! guard against its registries. Tests are named after the faults of the catalogue that they show.

#![allow(
    missing_docs,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "tests, which tell their figures"
)]

mod adapters;
mod catalogue;
mod faults;
mod file_store;
mod freshness;
mod guard;
mod history;
mod http;
mod redirects;
mod robots;
mod shared;
mod simulation;
mod vectors;

use abide::{Client, Moment, ProductToken};

/// An instant, in seconds.
fn at(seconds: i64) -> Moment {
    Moment::from_unix_seconds(seconds)
}

fn client() -> Client {
    Client::new(ProductToken::new("f").unwrap())
}
