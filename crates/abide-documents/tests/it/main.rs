//! Documents by requirement, and properties of all documents.

#![allow(
    missing_docs,
    clippy::format_collect,
    clippy::format_push_string,
    clippy::unwrap_used,
    reason = "tests"
)]

mod findings;
mod model;
mod properties;
mod rsl;
mod sitemap;
mod tdmrep;
mod xml;
