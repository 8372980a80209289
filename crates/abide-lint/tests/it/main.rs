//! Pages and rules together, property tests, and real files.

#![allow(
    missing_docs,
    clippy::format_collect,
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::too_many_lines,
    clippy::unwrap_used,
    reason = "tests"
)]

mod acap_fixes;
mod bad_site;
mod config;
mod corpus;
mod documents;
mod doubted_lines;
mod fixes;
mod format;
#[path = "../../../abide-analysis/tests/it/generate.rs"]
mod generate;
mod grammars;
mod media_type;
mod messages;
mod owners;
mod pages;
mod peers;
mod preference_cases;
mod preference_findings;
mod preferences;
mod standing;
mod tool_bounds;
mod views;
mod written;
