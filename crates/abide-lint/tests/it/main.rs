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
mod compare;
mod compare_corpus;
mod compare_google;
mod compare_hostile;
mod config;
mod convert;
mod convert_preferences;
mod corpus;
mod documents;
mod doubted_lines;
mod expectation;
mod fixes;
mod format;
mod generate;
mod media_type;
mod messages;
mod odd;
mod pages;
mod preference_cases;
mod preference_findings;
mod preferences;
mod reading;
mod short_ways;
mod standing;
mod tool_bounds;
mod views;

use serde_json::Value;

/// Checks JSON against a published schema.
fn fits(schema: &str, json: &str) -> Value {
    let schema: Value = serde_json::from_str(schema).unwrap();
    let value: Value = serde_json::from_str(json).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let errors: Vec<_> = validator
        .iter_errors(&value)
        .map(|error| error.to_string())
        .collect();
    assert!(errors.is_empty(), "{value:#}: {errors:?}");
    value
}

const EXPLAIN: &str = include_str!("../../../../schema/explain.json");
const TEST: &str = include_str!("../../../../schema/test.json");
