//! `/v1/init`: what `abide init` writes.

use super::input::{Agents, few};
use super::work::{self, Deadline};
use crate::answer::line;
use crate::asker::Asker;
use crate::body::Json;
use crate::problem::Problem;
use abide_analysis::wishes::{Draft, WishError, Wishes};
use abide_contract::SCHEMA;
use axum::response::Response;
use http::StatusCode;
use serde::{Deserialize, Serialize};

/// What a site wishes of its robots.txt.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
#[expect(clippy::struct_excessive_bools, reason = "each is a wish")]
pub(crate) struct InitRequest {
    /// Closes the site to robots that fetch for the training of AI models.
    #[serde(default)]
    no_training: bool,
    /// Closes the site to robots that fetch for AI answers.
    #[serde(default)]
    no_ai_input: bool,
    /// Lets in every robot that mainly searches, and refuses wishes that close the site to one.
    #[serde(default)]
    keep_search: bool,
    /// Closes the site to every robot.
    #[serde(default)]
    staging: bool,
    /// Closes the site to these robots too.
    #[serde(default)]
    block: Agents,
    /// How many seconds robots wait between visits.
    delay: Option<u32>,
    /// The absolute URLs of sitemaps.
    #[serde(default, deserialize_with = "few")]
    sitemaps: Vec<String>,
}

/// A robots.txt that was proved to keep the wishes.
#[derive(Serialize, utoipa::ToSchema)]
#[schema(as = WrittenFile)]
pub(crate) struct Written {
    /// Version of this form.
    schema: u32,
    /// The file.
    robots: String,
    /// What was proved, in a sentence.
    summary: String,
    /// What the file does besides, and what no robots.txt can do, in sentences.
    notes: Vec<String>,
}

/// Writes a robots.txt from wishes, reads it back, and checks for every known robot that it gets
/// the answer that was wished.
#[utoipa::path(
    post,
    path = "/v1/init",
    tag = "tools",
    request_body(content = InitRequest, content_type = "application/json", examples(("example" = (value = json!({"no_training": true, "keep_search": true}))))),
    responses(
        (status = 200, description = "The file", body = Written, content_type = "application/json"),
        (status = 400, description = "The request cannot be read, or its wishes contradict each other", body = Problem, content_type = "application/problem+json"),
        (status = 422, description = "No file keeps the wishes", body = Problem, content_type = "application/problem+json"),
    ),
)]
pub(crate) async fn post(
    asker: Asker,
    Json(request): Json<InitRequest>,
) -> Result<Response, Problem> {
    work::answer(&asker, move |_: &Deadline| written(request)).await
}

fn written(request: InitRequest) -> Result<Vec<u8>, Problem> {
    let wishes = Wishes {
        no_training: request.no_training,
        no_ai_input: request.no_ai_input,
        keep_search: request.keep_search,
        staging: request.staging,
        block: request.block.into_lists(),
        delay: request.delay,
        sitemaps: request.sitemaps,
    };
    let Draft {
        text,
        summary,
        notes,
        ..
    } = wishes.draft().map_err(|error| refused(&error))?;
    Ok(line(&Written {
        schema: SCHEMA,
        robots: text,
        summary,
        notes,
    }))
}

fn refused(error: &WishError) -> Problem {
    const INVALID_WISH: &str = "invalid-wish";
    let detail = error.to_string();
    let wrong = |remedy: &'static str| Problem::bad_request(INVALID_WISH, detail.clone(), remedy);
    match error {
        WishError::NotKept(_) => {
            let status = StatusCode::UNPROCESSABLE_ENTITY;
            let remedy = "leave out one of the wishes";
            Problem::new(status, "wish-not-kept", detail, remedy)
        }
        WishError::Sitemap { .. } => wrong("write the whole URL of the sitemap").at("/sitemaps"),
        WishError::Delay { .. } => wrong("write fewer seconds").at("/delay"),
        WishError::Nothing | WishError::Contradiction { .. } => wrong("change the wishes"),
        _ => wrong("write names and sets as robots.txt files do; GET /v1/known-robots lists them")
            .at("/block"),
    }
}
