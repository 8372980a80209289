//! The rules of the house, and the models that other tests rely on.

#![allow(missing_docs, clippy::unwrap_used, reason = "tests")]

mod comments;
mod figures;
mod ids;
mod links;
mod names;
mod order;
mod paths;
mod preferences;
