//! Tools for people who write robots.txt files and robots tags.
//!
//! Bytes in, findings out. Nothing here opens a file, and nothing here decides what a robot may do:
//! every statement about a decision comes from [`abide`].
//!
//! - [`Linter`]: runs rules over a file, headers and pages. A [`Finding`] has its parts in
//!   [`finding`].
//! - [`Rule`]: a kind of finding. [`rules`]: all of them, each with a file and a [`page`] of its
//!   own.
//! - [`fix`]: applies fixes.
//! - [`document`]: lints and fixes `tdmrep.json` files and RSL licences.
//! - [`config`]: settings of a repository, from its `abide.toml`.
//! - [`peers`]: what Lighthouse and Google's parser will say.
//! - [`mod@format`]: formats a file without changing its meaning.

// docs.rs shows which feature an item needs.
#![cfg_attr(docsrs, feature(doc_cfg))]
// What users may match and build completely is said with its reason.
#![warn(clippy::exhaustive_enums, clippy::exhaustive_structs)]

mod acap;
mod applications;
mod comments;
pub mod config;
mod control_tokens;
mod crawlers;
pub mod document;
mod doubtful_lines;
mod edits;
mod escape;
mod facts;
mod file;
pub mod finding;
pub mod fix;
pub mod format;
mod legal_comment;
mod linter;
mod needless;
pub mod page;
mod parser_differences;
pub mod peers;
mod preference_lines;
mod preference_overlap;
mod preference_witness;
mod resource_folders;
mod rule;
pub mod rules;
mod safety;
mod unused_rules;

pub use file::{Context, PageResource, asked_instead};
pub use linter::{Linter, severity};
pub use rule::{Finding, Rule};

/// The README's example runs as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
