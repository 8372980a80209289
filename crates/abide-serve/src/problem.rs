//! Errors as problem details (RFC 9457).

use abide_contract::{RequestError, codes, tools};
use axum::body::Body;
use axum::response::{IntoResponse, Response};
use http::{HeaderValue, StatusCode, header};
use serde::Serialize;
use std::borrow::Cow;

/// Why a request has no answer: what is wrong, where, and what to do.
#[derive(Clone, Debug, Serialize, utoipa::ToSchema)]
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

impl From<&RequestError> for Problem {
    fn from(error: &RequestError) -> Self {
        let (code, detail) = (error.code(), error.to_string());
        let problem = match code {
            OVERLOADED => {
                let status = StatusCode::SERVICE_UNAVAILABLE;
                Self::new(status, code, detail, error.remedy()).retry_after(1)
            }
            tools::CANNOT_FORMAT | tools::WISH_NOT_KEPT | tools::TOO_MUCH_WORK => {
                let status = StatusCode::UNPROCESSABLE_ENTITY;
                Self::new(status, code, detail, error.remedy())
            }
            tools::UNKNOWN_CODE => Self::new(StatusCode::NOT_FOUND, code, detail, error.remedy()),
            codes::INVALID_REQUEST if !error.has_own_remedy() => {
                let remedy = "see the members of this request in /openapi.json";
                Self::bad_request(code, detail, remedy)
            }
            _ => Self::bad_request(code, detail, error.remedy()),
        };
        match error.pointer() {
            "" => problem,
            pointer => problem.at(pointer.to_owned()),
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
        response.extensions_mut().insert(ProblemCode(self.code));
        response
    }
}

/// The code of a problem, for logs and metrics.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ProblemCode(pub(crate) &'static str);

#[cfg(test)]
mod tests {
    use super::*;
    use abide_contract::Request;

    /// Other words change nothing but the words.
    #[test]
    fn problems_are_made_of_no_message() {
        for (request, code, member) in [
            (r#"{"url":1}"#, "invalid-request", Some("/url")),
            (r#"{"x":1}"#, "invalid-request", Some("/x")),
            (
                r#"{"url":"/","agent":"A","references":{"/a":1}}"#,
                "invalid-request",
                Some("/references/~1a"),
            ),
            (
                r#"{"preferences":{"use":1}}"#,
                "invalid-preferences",
                Some("/preferences/use"),
            ),
            ("{", "invalid-json", None),
        ] {
            let error = Request::read(request.as_bytes()).unwrap_err();
            let problem = Problem::from(&error);
            for words in ["", "in \"agent\": no", "unknown field `y`, expected `z`"] {
                let reworded = Problem::from(error.clone().with_message(words));
                assert_eq!(reworded.detail(), words);
                for each in [&problem, &reworded] {
                    assert_eq!((each.code(), each.member()), (code, member), "{request}");
                    assert_eq!(each.what_to_do(), problem.what_to_do());
                    assert_eq!(each.status(), StatusCode::BAD_REQUEST);
                }
            }
        }
    }
}
