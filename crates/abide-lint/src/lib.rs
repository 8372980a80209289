//! For the people who write robots.txt files and robots tags.
//!
//! Bytes in, findings out: nothing here opens a file, and nothing here decides what a robot may do.
//! Whatever is said about a decision was asked of [`abide`].
//!
//! - [`linter`]: rules run over what a site says; [`finding`]: what comes of it.
//! - [`rule`]: one kind of finding; [`rules`]: all of them, each with a file and a [`page`] of its own.
//! - [`fix`]: findings mended.
//! - [`layout`]: one canonical layout, with the meaning kept.
//! - [`compare`]: what changes for whom from one file to another.
//! - [`convert`]: records and tags in another specification's words.
//! - [`reading`]: a file as one client reads it, line by line, and in plain English.
//! - [`expectation`]: what a site expects of its file, tested.

mod acap;
mod applications;
mod comments;
pub mod compare;
pub mod convert;
mod crawlers;
mod escape;
pub mod expectation;
mod facts;
mod file;
pub mod finding;
pub mod fix;
pub mod layout;
pub mod linter;
pub mod page;
mod parser_differences;
pub mod rule;
pub mod rules;
mod spelling;
mod unused_rules;
pub mod view;

pub use file::Context;
pub use finding::Safety;
pub use linter::Linter;
pub use rule::Finding;

/// The README's example runs as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
