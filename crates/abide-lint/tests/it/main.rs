//! The linter as those see it who call it: pages and rules together, fixes, real files.

#![allow(
    missing_docs,
    clippy::format_collect,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "tests"
)]

mod acap_fixes;
mod pages;
