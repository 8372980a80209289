//! The engine against its vectors, its properties, a slow model, hostile files, a port of Google's
//! parser and real files. One binary, so that it links once.

#![allow(
    missing_docs,
    clippy::format_collect,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "tests"
)]

mod acap;
mod applications;
mod corpus;
mod examples;
mod generate;
mod google_port;
mod hostile;
mod licence_findings;
mod lines;
mod names;
mod preference_findings;
mod preferences;
mod properties;
mod readings;
mod requirements;
mod site;
mod tags;
mod vectors;

/// A copy of the client without ACAP: its answers use only conventional records.
fn conventional(client: &abide::Client) -> abide::Client {
    client.clone().with_acap(abide::acap::AcapProfile {
        mode: abide::acap::AcapMode::Off,
        ..abide::acap::AcapProfile::default()
    })
}

/// A client with this product token.
fn client(token: &str) -> abide::Client {
    abide::Client::new(abide::ProductToken::new(token).unwrap())
}
