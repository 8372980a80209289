//! The JSON contract: requests, answers, errors, and the files that are written from its types.

#![allow(
    missing_docs,
    clippy::format_collect,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "tests"
)]

mod contract;
mod generated;
mod pointers;
mod tools;
