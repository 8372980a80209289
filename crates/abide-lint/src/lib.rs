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
//! - [`mod@format`]: formats a file without changing its meaning.
//! - [`compare`]: shows what changes for whom from one file to another.
//! - [`matrix`]: which robots may crawl a site.
//! - [`convert`]: converts records and tags to another specification.
//! - [`view`]: shows a file as one client reads it, line by line and in plain English.
//! - [`ShortAnswer`]: what a file says about a page, and what decides it.
//! - [`table`]: answers about many URLs for many robots.
//! - [`preferences`]: asks for AI preferences with the control tokens of a robot.
//! - [`expectation`]: tests what a site expects of its file.
//! - [`enumeration`]: names in a sentence.

// What users may match and build completely is said with its reason.
#![warn(clippy::exhaustive_enums, clippy::exhaustive_structs)]

mod acap;
mod applications;
mod comments;
pub mod compare;
pub mod config;
mod control_tokens;
pub mod convert;
mod crawlers;
mod data;
pub mod document;
mod doubtful_lines;
mod edits;
pub mod enumeration;
mod escape;
pub mod expectation;
mod facts;
mod file;
pub mod finding;
pub mod fix;
pub mod format;
mod legal_comment;
mod linter;
pub mod matrix;
mod meaning;
mod mistakes;
pub mod page;
mod parser_differences;
mod preference_lines;
mod preference_overlap;
mod preference_witness;
pub mod preferences;
mod rule;
pub mod rules;
mod safety;
mod sample;
mod short_answer;
mod spelling;
pub mod table;
mod unused_rules;
pub mod view;

pub use file::{Context, asked_instead};
pub use linter::{Linter, severity};
pub use rule::{Finding, Rule};
pub use short_answer::{DecidedBy, ShortAnswer};

/// The README's example runs as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
