//! `/v1/fmt`: what `abide fmt` writes.

use super::input::file;
use super::work::{self, Deadline};
use crate::answer::{line, text_or_base64};
use crate::asker::Asker;
use crate::body::Json;
use crate::problem::Problem;
use abide_lint::format::{self, FormatError};
use axum::response::Response;
use http::StatusCode;
use serde::{Deserialize, Serialize};

/// A file to format.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct FmtRequest {
    /// The robots.txt as text.
    robots: Option<String>,
    /// The file in base64, for any bytes.
    robots_base64: Option<String>,
}

/// The formatted file.
#[derive(Serialize, utoipa::ToSchema)]
#[schema(as = FormattedFile)]
pub(crate) struct FormattedJson<'a> {
    /// Version of this form.
    schema: u32,
    /// Whether the formatted file differs from the file.
    changed: bool,
    /// Whether the file has any robots.txt field. If not, it stays as it is.
    robots_txt: bool,
    /// The formatted file, if it is UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    formatted: Option<&'a str>,
    /// The formatted file otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    formatted_base64: Option<String>,
}

/// Formats a robots.txt without changing its meaning.
#[utoipa::path(
    post,
    path = "/v1/fmt",
    tag = "tools",
    request_body(content = FmtRequest, content_type = "application/json", examples(("example" = (value = json!({"robots": "user-agent:*\ndisallow :/private/\n"}))))),
    responses(
        (status = 200, description = "The formatted file", body = FormattedJson<'_>, content_type = "application/json"),
        (status = 422, description = "The file cannot be formatted", body = Problem, content_type = "application/problem+json"),
    ),
)]
pub(crate) async fn post(
    asker: Asker,
    Json(request): Json<FmtRequest>,
) -> Result<Response, Problem> {
    let work = move |deadline: &Deadline| formatted(request, deadline);
    work::answer(&asker, work).await
}

fn formatted(request: FmtRequest, deadline: &Deadline) -> Result<Vec<u8>, Problem> {
    let bytes = file(request.robots, request.robots_base64.as_deref(), "")?;
    let formatted = format::format_while(&bytes, &|| deadline.goes_on());
    let formatted = formatted.ok_or_else(|| deadline.passed())?;
    let formatted = formatted.map_err(|error| refused(&error))?;
    let (text, encoded) = text_or_base64(formatted.as_bytes());
    Ok(line(&FormattedJson {
        schema: 1,
        changed: *formatted.as_bytes() != *bytes,
        robots_txt: formatted.is_robots_txt(),
        formatted: text,
        formatted_base64: encoded,
    }))
}

fn refused(error: &FormatError) -> Problem {
    let remedy = match error {
        FormatError::TooLong { .. } => "shorten the file",
        FormatError::Utf16 => "convert the file to UTF-8, as with iconv",
        _ => "please report this file as a bug; nothing was changed",
    };
    let status = StatusCode::UNPROCESSABLE_ENTITY;
    Problem::new(status, "cannot-format", error.to_string(), remedy).at("/robots")
}
