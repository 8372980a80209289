//! Pages and rules together, properties, and real files.

#![allow(
    missing_docs,
    clippy::format_collect,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "tests"
)]

mod acap_fixes;
mod bad_site;
mod corpus;
mod fixes;
mod generate;
mod layout;
mod pages;
mod standing;
