//! Answers questions about robots.txt files: what one lets robots do, what changes from one to
//! another, whether it does what its site expects.
//!
//! Bytes in, answers out. Nothing here opens a file, and nothing here decides what a robot may do:
//! every statement about a decision comes from [`abide`].
//!
//! - [`view`]: shows a file as one client reads it, line by line and in plain English.
//! - [`compare`]: shows what changes for whom from one file to another.
//! - [`matrix`]: which robots may crawl a site.
//! - [`wishes`]: writes a robots.txt from wishes, and proves that it keeps them.
//! - [`ShortAnswer`]: what a file says about a page, and what decides it.
//! - [`table`]: answers about many URLs for many robots.
//! - [`expectation`]: tests what a site expects of its file.
//! - [`convert`]: converts records and tags to another specification.
//! - [`preferences`]: asks for AI preferences with the control tokens of a robot.
//! - [`language`]: what patterns match: whether two overlap, whether one is within another.
//! - [`words`]: what things are called in sentences.
//! - [`meaning`]: whether two files, or two lines, mean the same.
//! - [`Bound`]: how much work a comparison or search may take.
//! - [`sample`], [`spelling`], [`mistakes`], [`data`]: what the tools share: URLs for patterns,
//!   names that were almost typed right, mistakes in settings, foreign text as data.

// docs.rs shows which feature an item needs.
#![cfg_attr(docsrs, feature(doc_cfg))]
// What users may match and build completely is said with its reason.
#![warn(clippy::exhaustive_enums, clippy::exhaustive_structs)]

mod bound;
pub mod compare;
pub mod convert;
pub mod data;
pub mod expectation;
pub mod language;
pub mod matrix;
pub mod meaning;
pub mod mistakes;
pub mod preferences;
pub mod sample;
mod short_answer;
pub mod spelling;
pub mod table;
pub mod view;
pub mod wishes;
pub mod words;

pub use bound::{Bound, GoesOn};
pub use short_answer::{DecidedBy, ShortAnswer};

/// The README's example runs as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
