//! `/v1/init`: what `abide init` writes.

use super::work;
use crate::answer::line;
use crate::asker::Asker;
use crate::body::Json;
use crate::problem::Problem;
use abide_contract::tools::InitRequest;
use axum::response::Response;

/// Writes a robots.txt from wishes, reads it back, and checks for every known robot that it gets
/// the answer that was wished.
#[utoipa::path(
    post,
    path = "/v1/init",
    tag = "tools",
    request_body(content = ref("#/components/schemas/InitRequest"), content_type = "application/json", examples(("example" = (value = json!({"no_training": true, "keep_search": true}))))),
    responses(
        (status = 200, description = "The file", body = ref("#/components/schemas/WrittenFile"), content_type = "application/json"),
        (status = 400, description = "The request cannot be read, or its wishes contradict each other", body = Problem, content_type = "application/problem+json"),
        (status = 422, description = "No file keeps the wishes", body = Problem, content_type = "application/problem+json"),
    ),
)]
pub(crate) async fn post(
    asker: Asker,
    Json(request): Json<InitRequest>,
) -> Result<Response, Problem> {
    work::answer(&asker, move |_| Ok(line(&request.answer()?))).await
}
