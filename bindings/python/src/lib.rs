//! The native part of the Python package `abide-robots`, imported as `abide_robots._native`.
//!
//! It holds no rule of its own: it hands bytes, names and URLs to the crates that the `abide`
//! command calls too. Options become a request of the decision contract (`options`), because
//! `abide-contract` reads these strictly and names the member that is wrong.
//!
//! - `error`: exceptions; `input`: bytes and text from Python; `json`: JSON into Python.
//! - `options`, `policy`, `decision`, `column`, `table` (`texts` in, `kept_policies`): the engine.
//! - `batches`: record batches in and out; `survey`, `captures`: surveys of them.
//! - `tools`: the linter and its relatives; `write`: fields and lines.
//! - `runtime`, `cache`: retrieval; `hops`: through a client in Python; `pace`: turns to visit
//!   sites; `machine`: its states without I/O.

mod batches;
mod cache;
mod captures;
mod column;
mod decision;
mod error;
mod hops;
mod input;
mod json;
mod kept_policies;
mod machine;
mod options;
mod pace;
mod policy;
mod runtime;
mod survey;
mod table;
mod texts;
mod tools;
mod write;

use pyo3::prelude::*;
use std::ffi::OsString;

/// Runs the `abide` command with these words, the first of which is its name.
#[pyfunction]
fn command(py: Python<'_>, words: Vec<OsString>) -> u8 {
    py.detach(|| abide_cli::run(words))
}

/// What a robot may do with a URL, and why.
#[pymodule(gil_used = false)]
mod _native {
    #[pymodule_export]
    use super::batches::RecordBatches;
    #[pymodule_export]
    use super::cache::NativeCache;
    #[pymodule_export]
    use super::captures::{ArchiveBatches, TableRows, capture_links, follow_ways, robots_urls};
    #[pymodule_export]
    use super::column::BooleanColumn;
    #[pymodule_export]
    use super::command;
    #[pymodule_export]
    use super::decision::Decision;
    #[pymodule_export]
    use super::hops::OpenHop;
    #[pymodule_export]
    use super::machine::NativeSite;
    #[pymodule_export]
    use super::pace::Visit;
    #[pymodule_export]
    use super::policy::{Policy, allows, product_token, user_agent_names};
    #[pymodule_export]
    use super::runtime::end_network;
    #[pymodule_export]
    use super::survey::survey_batches;
    #[pymodule_export]
    use super::table::{DecisionColumn, RowDecider, SortedDecider};
    #[pymodule_export]
    use super::tools::{convert, diff, fix, fmt, known_robots, lint, matrix};
    #[pymodule_export]
    use super::write::{
        FieldRules, write_app_directives, write_content_usage, write_group, write_robots_tag,
        write_x_robots_tag,
    };

    #[pymodule_export]
    #[expect(non_upper_case_globals, reason = "Python's name")]
    const __version__: &str = env!("CARGO_PKG_VERSION");
}
