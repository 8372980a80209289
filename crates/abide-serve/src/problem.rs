//! Errors as problem details (RFC 9457).

use abide::ProductTokenError;
use abide_contract::RequestError;
use abide_known_robots::RobotError;
use axum::body::Body;
use axum::response::{IntoResponse, Response};
use http::{HeaderValue, StatusCode, header};
use serde::Serialize;
use std::borrow::Cow;

/// Why a request has no answer: what is wrong, where, and what to do.
#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
// Exhaustive: every endpoint builds it.
pub struct Problem {
    /// Always `about:blank`: `code` names the problem.
    #[serde(rename = "type")]
    kind: ProblemKind,
    /// The status in words.
    title: &'static str,
    /// The HTTP status.
    status: u16,
    /// What is wrong.
    detail: String,
    /// A stable name: one of the contract, or of the service (docs/serve.md).
    code: &'static str,
    /// Where it is wrong: a JSON Pointer, or the name of a parameter or header.
    #[serde(skip_serializing_if = "Option::is_none")]
    member: Option<Cow<'static, str>>,
    /// What to do.
    remedy: Cow<'static, str>,
    /// After how many seconds to try again; also the field `Retry-After`.
    #[serde(skip)]
    retry_after: Option<u32>,
}

/// What kind of problem it is: `code` says it.
#[derive(Clone, Copy, Debug, Serialize, utoipa::ToSchema)]
enum ProblemKind {
    #[serde(rename = "about:blank")]
    Blank,
}

impl Problem {
    /// A problem with this status and code. `remedy` says what to do.
    pub fn new(
        status: StatusCode,
        code: &'static str,
        detail: impl Into<String>,
        remedy: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self {
            kind: ProblemKind::Blank,
            title: status.canonical_reason().unwrap_or("Error"),
            status: status.as_u16(),
            detail: detail.into(),
            code,
            member: None,
            remedy: remedy.into(),
            retry_after: None,
        }
    }

    /// A mistake in the request: 400.
    pub fn bad_request(
        code: &'static str,
        detail: impl Into<String>,
        remedy: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self::new(StatusCode::BAD_REQUEST, code, detail, remedy)
    }

    /// A bug of ours: 500.
    pub(crate) fn bug() -> Self {
        Self::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "internal-error",
            "the service has a bug",
            "report the request that led here",
        )
    }

    /// Adds where it is wrong: a JSON Pointer, or the name of a parameter or header.
    #[must_use]
    pub fn at(mut self, member: impl Into<Cow<'static, str>>) -> Self {
        self.member = Some(member.into());
        self
    }

    /// Adds a JSON Pointer, unless it is that of the whole.
    #[must_use]
    pub(crate) fn at_any(self, pointer: String) -> Self {
        if pointer.is_empty() {
            self
        } else {
            self.at(pointer)
        }
    }

    /// Replaces what to do.
    #[must_use]
    pub fn remedy(mut self, remedy: impl Into<Cow<'static, str>>) -> Self {
        self.remedy = remedy.into();
        self
    }

    /// Adds after how many seconds to try again.
    #[must_use]
    pub fn retry_after(mut self, seconds: u64) -> Self {
        self.retry_after = Some(u32::try_from(seconds).unwrap_or(u32::MAX));
        self
    }

    /// The stable name of the problem.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        self.code
    }

    /// The HTTP status.
    #[must_use]
    pub fn status(&self) -> StatusCode {
        StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }

    /// Where it is wrong.
    pub(crate) fn member(&self) -> Option<&str> {
        self.member.as_deref()
    }

    /// What to do.
    pub(crate) fn what_to_do(&self) -> &str {
        &self.remedy
    }

    /// What is wrong.
    pub(crate) fn detail(&self) -> &str {
        &self.detail
    }
}

/// The code of a URL at a port that the service does not connect to.
pub(crate) const REFUSED_PORT: &str = "refused-port";
/// The code of a service that has no room for a request.
pub(crate) const OVERLOADED: &str = "overloaded";

/// What to do about a set of robots where one is expected.
const ONE_ROBOT: &str =
    "name one robot, such as \"GPTBot\"; sets are for /v1/explain and /v1/table";

/// What to do about an error of the contract.
fn remedy(error: &RequestError) -> &'static str {
    match error {
        RequestError::LongName(_) => return "send the name as robots.txt files write it",
        RequestError::TwoBodies => return "send one of the two",
        RequestError::Base64 { .. } => {
            return "send the bytes of the file in base64, or its text in \"robots\"";
        }
        RequestError::Status(_) => {
            return "write the final status of the robots.txt, or leave the member out";
        }
        RequestError::UnknownFailure { .. } => {
            return "write one of these names, or leave the member out";
        }
        RequestError::Agent {
            error: ProductTokenError::Character { token, .. },
        } if token.starts_with('@') => return ONE_ROBOT,
        RequestError::Robot(RobotError::Set { .. } | RobotError::Selection(_)) => {
            return ONE_ROBOT;
        }
        _ => {}
    }
    match error.code() {
        "invalid-json" => "send one JSON object in UTF-8",
        "invalid-request" => "see the members of a request in /openapi.json",
        "invalid-agent" => "write the name as robots.txt files do, such as \"ExampleBot\"",
        "invalid-url" => "write an absolute URL, as the client will send it",
        REFUSED_PORT => "the operator can add the port to the setting ports",
        OVERLOADED => "ask again later, or ask another instance",
        _ => "correct this member, or leave it out",
    }
}

/// Where an error of the contract is: the member that its message quotes after `in`.
fn place(message: &str) -> Option<String> {
    let (_, rest) = message.split_once("in \"")?;
    let (member, _) = rest.split_once('"')?;
    // Members of these are URLs, in which a dot divides nothing.
    let urls = ["references.", "preferences.rsl."];
    let map = urls.iter().find(|map| member.starts_with(**map));
    let (path, url) = member.split_at(map.map_or(member.len(), |map| map.len()));
    let url = url.replace('~', "~0").replace('/', "~1");
    let path = path.replace(['.', '['], "/").replace(']', "");
    Some(format!("/{path}{url}"))
}

impl From<&RequestError> for Problem {
    fn from(error: &RequestError) -> Self {
        let message = error.to_string();
        let code = error.code();
        let place = place(&message);
        let problem = if code == OVERLOADED {
            let status = StatusCode::SERVICE_UNAVAILABLE;
            Self::new(status, code, message, remedy(error)).retry_after(1)
        } else {
            Self::bad_request(code, message, remedy(error))
        };
        match place {
            Some(place) => problem.at(place),
            None => problem,
        }
    }
}

impl From<RequestError> for Problem {
    fn from(error: RequestError) -> Self {
        Self::from(&error)
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let json = abide_contract::text::line(&self);
        let mut response = Response::new(Body::from(json));
        *response.status_mut() = self.status();
        let headers = response.headers_mut();
        let media_type = HeaderValue::from_static("application/problem+json");
        headers.insert(header::CONTENT_TYPE, media_type);
        if let Some(seconds) = self.retry_after {
            headers.insert(header::RETRY_AFTER, seconds.into());
        }
        if self.status == 401 {
            let scheme = HeaderValue::from_static("Bearer realm=\"abide\"");
            headers.insert(header::WWW_AUTHENTICATE, scheme);
        }
        response.extensions_mut().insert(Told(self.code));
        response
    }
}

/// The code of a problem, for logs and metrics.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Told(pub(crate) &'static str);
