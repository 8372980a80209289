//! The decision contract as JSON: one request in, one decision out.
//!
//! `abide batch` reads requests and writes decisions as JSON Lines; `abide check --format json`
//! gives the same decision object. The contract is versioned ([`SCHEMA`]) and published as JSON
//! Schema files in `schema/`. Field order is stable: the same input gives the same bytes.
//!
//! ```
//! let answer = abide_json::answer(
//!     br#"{"id":1,"url":"https://e.example/x","agent":"ExampleBot","robots":"User-agent: *\nDisallow: /x"}"#,
//! );
//! assert!(answer.line.starts_with(r#"{"schema":1,"id":1,"url":"https://e.example/x""#));
//! assert!(answer.line.contains(r#""crawl":{"outcome":"prohibited""#));
//! ```
//!
//! - [`request`]: what is asked, strictly read; [`names`], its lists.
//! - [`decision`]: what is answered.
//! - [`registry`]: registries of applications.
//! - [`text`]: JSON as text that is safe to show.

mod application;
pub mod decision;
pub mod names;
mod redirect;
pub mod registry;
pub mod request;
mod retrieval;
pub mod text;

pub use decision::DecisionJson;
pub use redirect::StatusError;
pub use request::{Request, RequestError};
pub use retrieval::RetrievalJson;

/// Version of the contract, the `schema` member of every decision.
pub const SCHEMA: u32 = 1;

/// The answer to one request.
#[derive(Debug)]
pub struct Answer {
    /// A decision, or an object with `error`: one line of JSON, without its line end.
    pub line: String,
    /// Why there is no decision, where there is none.
    pub error: Option<RequestError>,
}

/// Answers one request, a JSON object. Never fails: a request that cannot be read is answered with
/// an object that says so.
///
/// Where the request leaves `now` out, the clock is read.
///
/// # Panics
/// Never but for a bug: what is written is JSON.
#[must_use]
pub fn answer(request: &[u8]) -> Answer {
    let mut line = Vec::new();
    let error = answer_to(&mut line, request);
    let line = String::from_utf8(line).expect("JSON is UTF-8");
    Answer { line, error }
}

/// As [`answer`], but puts the line at the end of `lines`, still without its line end: for those who answer many.
///
/// ```
/// let mut lines = Vec::new();
/// for request in [r#"{"id":1}"#, "{}"] {
///     let error = abide_json::answer_to(&mut lines, request.as_bytes());
///     assert_eq!(error.unwrap().code(), "invalid-request");
///     lines.push(b'\n');
/// }
/// assert!(lines.starts_with(br#"{"id":1,"error":{"code":"invalid-request""#));
/// ```
pub fn answer_to(lines: &mut Vec<u8>, request: &[u8]) -> Option<RequestError> {
    let (id, error) = match Request::read(request) {
        Ok(request) => (request.id, decide(lines, &request).err()?),
        Err(error) => (request::id_of(request), error),
    };
    lines.extend_from_slice(error.to_json(id).as_bytes());
    Some(error)
}

fn decide(lines: &mut Vec<u8>, request: &Request<'_>) -> Result<(), RequestError> {
    let client = request.client()?;
    let response = request.response();
    let target = request
        .target()?
        .with_response(&response)
        .with_now(request.instant());
    let policy = request.policy(&client)?;
    let decision = policy.decide(&target);
    let json = DecisionJson::new(request.id, &request.url, &policy, &decision);
    request.redirected(json).write_line(lines);
    Ok(())
}

/// The README's example runs as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
