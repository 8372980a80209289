//! What many robots.txt files say.
//!
//! - [`schema`]: the tables of a survey and their columns.
//! - [`Capture`]: a robots.txt as one site served it once. [`Surveyor`]: captures in, rows out.
//! - [`records`]: records one by one, for programs that distribute a survey.
//! - [`Survey`]: folders, archives and tables in, folders of tables out.
//! - `report` (feature `report`): the tables counted, as numbers and as a page with charts.

// docs.rs shows which feature an item needs.
#![cfg_attr(docsrs, feature(doc_cfg))]
// What users may match and build completely is said with its reason.
#![warn(clippy::exhaustive_enums, clippy::exhaustive_structs)]

mod capture;
mod facts;
mod input;
mod method;
mod options;
mod output;
mod page;
pub mod records;
#[cfg(feature = "report")]
pub mod report;
mod rows;
mod run;
pub mod schema;
mod trail;
mod what_if;
mod words;

pub use capture::{BODY_KEPT, Body, Capture, RecordPlace};
pub use input::sources::InputError;
pub use method::{Method, MethodInputs};
pub use options::{Options, WhatIf};
pub use output::Format;
pub use rows::Surveyor;
pub use run::{ChangeCount, Progress, Summary, Survey, SurveyError};

/// The README's example runs as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
