//! Tests of `abide-lint`: properties, and real files.

#![allow(
    missing_docs,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "tests"
)]

mod compare;
mod convert;
mod corpus;
mod generate;
mod layout;
