//! `/v1/fmt`: what `abide fmt` writes.

use super::work;
use crate::answer::line;
use crate::asker::Asker;
use crate::body::Json;
use crate::problem::Problem;
use abide_contract::tools::FmtRequest;
use axum::response::Response;

/// Formats a robots.txt without changing its meaning.
#[utoipa::path(
    post,
    path = "/v1/fmt",
    tag = "tools",
    request_body(content = ref("#/components/schemas/FmtRequest"), content_type = "application/json", examples(("example" = (value = json!({"robots": "user-agent:*\ndisallow :/private/\n"}))))),
    responses(
        (status = 200, description = "The formatted file", body = ref("#/components/schemas/FormattedFile"), content_type = "application/json"),
        (status = 422, description = "The file cannot be formatted", body = Problem, content_type = "application/problem+json"),
    ),
)]
pub(crate) async fn post(
    asker: Asker,
    Json(request): Json<FmtRequest>,
) -> Result<Response, Problem> {
    work::answer(&asker, move |work| {
        Ok(request.answer(work, |answer| line(answer))?)
    })
    .await
}
