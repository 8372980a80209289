//! Pages beside the vectors, and beside the tree that html5ever builds.

#![allow(
    missing_docs,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "tests"
)]

mod composed;
mod examples;
mod licences;
mod oracle;
mod preferences;
mod reach;
mod vectors;
