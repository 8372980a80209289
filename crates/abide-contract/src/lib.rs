//! The decision contract as JSON: one request in, one decision out.
//!
//! `abide batch` reads requests and writes decisions as JSON Lines; `abide check --format json`
//! gives the same decision object. The contract is versioned ([`SCHEMA`]) and published as JSON
//! Schema files in `schema/`. Field order is stable: the same input gives the same bytes.
//!
//! ```
//! let (url, robots) = ("https://e.example/x", r"User-agent: *\nDisallow: /x");
//! let request = format!(r#"{{"id":1,"url":"{url}","agent":"ExampleBot","robots":"{robots}"}}"#);
//! let answer = abide_contract::answer(request.as_bytes());
//! assert!(answer.line.starts_with(r#"{"schema":1,"id":1,"url":"https://e.example/x""#));
//! assert!(answer.line.contains(r#""crawl":{"outcome":"prohibited""#));
//! ```
//!
//! - [`answer`], [`write_answer`]: requests, read strictly. [`DecisionJson`]: decisions.
//! - [`CompiledRobots`]: a robots.txt that is compiled once and asked about many pages.
//! - `lint`, `config`, `explain`, `diff`, `matrix`, `test`, `table` (feature `tools`): what the
//!   tools of these names write; `Versioned`, the version in front of it. `tools`: what they are
//!   asked, and what answers it. [`Circumstances`], `SitePreferences`: members of that.
//! - `fields` (feature `tools`): the paths of a decision, for tables.
//! - [`codes`]: the codes of errors. [`registry`]: registries of applications.
//! - [`text`]: writes JSON that is safe to print. [`csv`]: writes tables for spreadsheets.

// docs.rs shows which feature an item needs.
#![cfg_attr(docsrs, feature(doc_cfg))]
// What users may match and build completely is said with its reason.
#![warn(clippy::exhaustive_enums, clippy::exhaustive_structs)]

mod agent;
mod answer;
mod application;
mod circumstances;
mod client;
pub mod codes;
mod compiled;
#[cfg(feature = "tools")]
pub mod config;
#[cfg(feature = "tools")]
pub mod conformance;
pub mod csv;
mod decision;
#[cfg(feature = "tools")]
pub mod diff;
mod each;
mod error;
#[cfg(feature = "tools")]
pub mod explain;
#[cfg(feature = "tools")]
pub mod fetch;
#[cfg(feature = "tools")]
pub mod fields;
#[cfg(feature = "tools")]
pub mod lint;
#[cfg(feature = "tools")]
pub mod matrix;
mod names;
#[cfg(feature = "tools")]
mod page;
mod preferences;
mod purposes;
mod reader;
mod redirect;
mod reference;
pub mod registry;
mod request;
mod request_error;
#[cfg(feature = "schema")]
mod request_schema;
mod retrieval;
#[cfg(feature = "tools")]
mod room;
#[cfg(feature = "schema")]
pub mod schema;
#[cfg(feature = "tools")]
mod site_preferences;
#[cfg(feature = "tools")]
pub mod table;
#[cfg(feature = "tools")]
pub mod test;
pub mod text;
#[cfg(feature = "tools")]
pub mod tools;
#[cfg(feature = "tools")]
mod versioned;

pub use answer::FetchedRules;
pub use circumstances::{Circumstances, page_response, read_within};
pub use compiled::{CompiledRobots, PageQuestion};
pub use decision::DecisionJson;
pub use error::ErrorJson;
pub use names::{MAX_ID, MAX_NAME, MAX_USER_AGENT, Object};
#[cfg(feature = "tools")]
pub use page::Page;
pub use purposes::Purposes;
pub use reader::{read, read_from};
pub use request::{Body, Request, file_body};
pub use request_error::{RequestError, check_names};
pub use retrieval::RetrievalJson;
#[cfg(feature = "tools")]
pub use room::Room;
#[cfg(feature = "tools")]
pub use site_preferences::SitePreferences;
use std::io;
#[cfg(feature = "tools")]
pub use versioned::Versioned;

/// Version of the contract: the `schema` member of every decision.
pub const SCHEMA: u32 = 1;

/// The answer to one request.
#[derive(Debug)]
#[non_exhaustive]
pub struct Answer {
    /// A decision, or an object with `error`: one line of JSON, without its line end.
    pub line: String,
    /// Why there is no decision.
    pub error: Option<RequestError>,
}

/// Answers one request, a JSON object. An invalid request gets an error object as its answer.
///
/// Reads the clock if the request has no `now`.
///
/// # Panics
/// Only on a bug: the answer always serialises.
#[must_use]
pub fn answer(request: &[u8]) -> Answer {
    let mut line = Vec::new();
    let error = answer_to(&mut line, request);
    let line = String::from_utf8(line).expect("JSON is UTF-8");
    Answer { line, error }
}

/// Like [`answer`], but appends the line to `lines`, without a line end. For callers with many
/// requests.
///
/// ```
/// let mut lines = Vec::new();
/// for request in [r#"{"id":1}"#, "{}"] {
///     let error = abide_contract::answer_to(&mut lines, request.as_bytes());
///     assert_eq!(error.unwrap().code(), "invalid-request");
///     lines.push(b'\n');
/// }
/// assert!(lines.starts_with(br#"{"id":1,"error":{"code":"invalid-request""#));
/// ```
///
/// # Panics
/// Only on a bug: the answer always serialises.
pub fn answer_to(lines: &mut Vec<u8>, request: &[u8]) -> Option<RequestError> {
    write_answer(lines, request, AnswerOptions::default())
        .expect("memory takes all that is written")
}

/// How requests are answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "callers build it")]
pub struct AnswerOptions {
    /// Leaves out the usages that no source mentions. Crawl always stays.
    pub is_slim: bool,
    /// The number of the request's line in the input, from 1. An error repeats it.
    pub input_line: Option<u64>,
}

/// Like [`answer`], but writes the line to `out`, without a line end. The answer is never in memory
/// as a whole, because it can be a hundred times as long as its request: a line of a robots.txt can
/// be evidence for 13 usages. It comes in many small pieces, so `out` should have a buffer.
///
/// ```
/// use abide_contract::{AnswerOptions, write_answer};
/// let options = AnswerOptions { is_slim: true, input_line: Some(7) };
/// let mut out = Vec::new();
/// let error = write_answer(&mut out, b"{}", options)?;
/// assert_eq!(error.unwrap().code(), "invalid-request");
/// assert!(out.starts_with(br#"{"id":null,"error":{"code":"invalid-request","input_line":7"#));
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// Errors of `out`; then a part of the answer may be written.
///
/// # Panics
/// Only on a bug: the answer always serialises.
pub fn write_answer(
    out: impl io::Write,
    request: &[u8],
    options: AnswerOptions,
) -> io::Result<Option<RequestError>> {
    match Request::read(request) {
        Ok(request) => request.write_answer(out, options),
        Err(error) => {
            error.write(out, request::id_of(request), options.input_line)?;
            Ok(Some(error))
        }
    }
}

/// The README's example runs as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
