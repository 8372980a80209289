//! `/v1/explain`: what `abide explain --format json` writes.

use super::work;
use crate::answer::indented;
use crate::asker::Asker;
use crate::body::JsonBytes;
use crate::problem::Problem;
use abide_contract::explain::Explanations;
use abide_contract::read_within;
use abide_contract::tools::ExplainRequest;
use axum::response::Response;

/// Shows a robots.txt as robots read it, and which lines decide about pages. For one robot the
/// answer is an object, for several an array of such objects.
#[utoipa::path(
    post,
    path = "/v1/explain",
    tag = "tools",
    request_body(content = ref("#/components/schemas/ExplainBody"), content_type = "application/json", examples(("example" = (value = json!({
    "robots": "User-agent: *\nDisallow: /private/\n",
    "agents": "Googlebot",
    "urls": ["/private/x"],
}))))),
    responses(
        (status = 200, description = "What the robot reads; for several robots an array", body = ref("#/components/schemas/Explanation"), content_type = "application/json"),
        (status = 400, description = "The request cannot be read", body = Problem, content_type = "application/problem+json"),
        (status = 422, description = "The answer would be too long", body = Problem, content_type = "application/problem+json"),
    ),
)]
pub(crate) async fn post(asker: Asker, JsonBytes(bytes): JsonBytes) -> Result<Response, Problem> {
    work::answer(&asker, move |work| {
        let (request, circumstances) = read_within::<ExplainRequest>(&bytes)?;
        Ok(request.answer(&circumstances, work, |views| {
            indented(&Explanations::of(views))
        })?)
    })
    .await
}
