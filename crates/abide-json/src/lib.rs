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
//! - [`request`]: what is asked, strictly read.
//! - [`decision`]: what is answered.
//! - [`registry`]: registries of applications.

mod application;
pub mod decision;
pub mod registry;
pub mod request;
mod retrieval;

pub use decision::DecisionJson;
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
#[must_use]
pub fn answer(request: &[u8]) -> Answer {
    let unanswered = |id, error: RequestError| Answer {
        line: error.to_json(id),
        error: Some(error),
    };
    match Request::read(request) {
        Ok(request) => match decide(&request) {
            Ok(line) => Answer { line, error: None },
            Err(error) => unanswered(request.id, error),
        },
        Err(error) => unanswered(request::id_of(request), error),
    }
}

fn decide(request: &Request<'_>) -> Result<String, RequestError> {
    let client = request.client()?;
    let response = request.response();
    let target = request.target()?.response(&response).now(request.instant());
    let policy = request.policy(&client)?;
    let decision = policy.decide(&target);
    Ok(DecisionJson::new(request.id, &request.url, &policy, &decision).to_line())
}
