//! Answers about files beside brute force, property tests, and real files.

#![allow(
    missing_docs,
    clippy::format_collect,
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::too_many_lines,
    clippy::unwrap_used,
    reason = "tests"
)]

mod closed_sites;
mod compare;
mod compare_corpus;
mod compare_google;
mod compare_hostile;
mod convert;
mod convert_preferences;
mod corpus;
mod expectation;
mod generate;
mod odd;
mod reading;
mod short_ways;
mod wishes;

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
