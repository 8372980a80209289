//! The rules of the house, and the models that other tests rely on.

#![allow(missing_docs, clippy::unwrap_used, reason = "tests")]

mod comments;
mod examples;
mod figures;
mod guides;
mod ids;
mod issues;
mod links;
mod names;
mod order;
mod paths;
mod preferences;
mod vectors;
