//! `/v1/convert`: what `abide convert` writes.

use super::input::{few, file, one_of};
use super::work::{self, Deadline};
use crate::answer::line;
use crate::asker::Asker;
use crate::body::Json;
use crate::problem::Problem;
use abide::UnknownNameError;
use abide::preference::Revision;
use abide_analysis::convert::{self, Conversion, Form, TagForm};
use abide_contract::page_response;
use abide_contract::{Versioned, codes};
use axum::response::Response;
use serde::Deserialize;
use serde::de::{Deserializer, Error};
use std::borrow::Cow;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::Schema;

/// What to convert, and to what.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ConvertRequest {
    /// A robots.txt as text.
    robots: Option<String>,
    /// The file in base64, for any bytes.
    robots_base64: Option<String>,
    /// Header fields with robots tags, in place of a robots.txt.
    #[serde(default, deserialize_with = "few")]
    #[schema(value_type = Vec<Vec<String>>)]
    headers: Vec<(String, String)>,
    /// A page with robots meta elements, in place of a robots.txt.
    html: Option<String>,
    /// The target format.
    to: To,
    /// Revision of `Content-Usage` whose words count, from or to it: 08 or 07 [default: 08]
    #[serde(default)]
    revision: Option<String>,
}

/// A target format, by name.
#[derive(Clone, Copy, Debug)]
struct To(Form);

impl<'de> Deserialize<'de> for To {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = Cow::<'de, str>::deserialize(deserializer)?;
        name.parse().map(Self).map_err(|error: UnknownNameError| {
            let names = Form::names().collect::<Vec<_>>().join(", ");
            D::Error::custom(format_args!("{error}; expected one of {names}"))
        })
    }
}

impl utoipa::PartialSchema for To {
    fn schema() -> RefOr<Schema> {
        one_of("A target format.", Form::names())
    }
}

impl utoipa::ToSchema for To {}

/// Converts a robots.txt or robots tags to another specification.
/// If the result would not mean the same, `converted` is null, and the first finding says why, with
/// a URL that shows it.
#[utoipa::path(
    post,
    path = "/v1/convert",
    tag = "tools",
    request_body(content = ConvertRequest, content_type = "application/json", examples(("example" = (value = json!({
    "robots": "User-agent: *\nContent-Signal: ai-train=no\n",
    "to": "content-usage",
}))))),
    responses(
        (status = 200, description = "The result, or why there is none", body = ref("#/components/schemas/Conversion"), content_type = "application/json"),
        (status = 400, description = "The request cannot be read", body = Problem, content_type = "application/problem+json"),
    ),
)]
pub(crate) async fn post(
    asker: Asker,
    Json(request): Json<ConvertRequest>,
) -> Result<Response, Problem> {
    let work = move |deadline: &Deadline| converted(request, deadline);
    work::answer(&asker, work).await
}

fn converted(request: ConvertRequest, deadline: &Deadline) -> Result<Vec<u8>, Problem> {
    let revision = Revision::named(request.revision.as_deref().unwrap_or("08"));
    let revision = revision.map_err(|error| {
        let detail = format!("in \"revision\": {error}");
        Problem::bad_request(codes::INVALID_REQUEST, detail, "write 08 or 07").at("/revision")
    })?;
    let has_tags = !request.headers.is_empty() || request.html.is_some();
    let has_file = request.robots.is_some() || request.robots_base64.is_some();
    let converted = match request.to.0 {
        Form::File(_) if has_tags => {
            return Err(misplaced(
                "\"headers\" and \"html\" have robots tags, and this form is of a robots.txt",
                "convert them to robots-tag, x-robots-tag or meta",
            ));
        }
        Form::Tags(_) if has_tags && has_file => {
            return Err(misplaced(
                "this form is made either from robots tags or from the ACAP records of a robots.txt",
                "send \"headers\" and \"html\", or a robots.txt",
            ));
        }
        Form::Tags(form) if !has_file => tags(&request, form)?,
        form => {
            let bytes = file(request.robots, request.robots_base64.as_deref(), "")?;
            let goes_on = || deadline.goes_on();
            convert::robots_txt_while(&bytes, form, revision, goes_on)
                .ok_or_else(|| deadline.passed())?
        }
    };
    Ok(line(&Versioned::new(&converted)))
}

fn tags(request: &ConvertRequest, form: TagForm) -> Result<Conversion, Problem> {
    let html = request.html.as_ref().map(String::as_bytes);
    let response = page_response(&request.headers, html, None);
    let statements = response.statements();
    if statements.is_empty() {
        return Err(Problem::bad_request(
            codes::INVALID_REQUEST,
            "there are no robots tags to convert",
            "send \"headers\" such as [[\"X-Robots-Tag\", \"noindex\"]], a page with robots meta elements in \"html\", or ACAP records in \"robots\"",
        ));
    }
    Ok(convert::tags(statements, form))
}

fn misplaced(detail: &'static str, remedy: &'static str) -> Problem {
    Problem::bad_request(
        codes::INVALID_REQUEST,
        format!("in \"to\": {detail}"),
        remedy,
    )
    .at("/to")
}
