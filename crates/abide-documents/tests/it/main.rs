//! Documents by requirement, and properties of all documents.

#![allow(
    missing_docs,
    clippy::format_collect,
    clippy::format_push_string,
    clippy::unwrap_used,
    reason = "tests"
)]

mod properties;
mod rsl;
mod tdmrep;
mod xml;
