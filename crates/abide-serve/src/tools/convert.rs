//! `/v1/convert`: what `abide convert` writes.

use super::work;
use crate::answer::line;
use crate::asker::Asker;
use crate::body::Json;
use crate::problem::Problem;
use abide_contract::tools::ConvertRequest;
use axum::response::Response;

/// Converts a robots.txt or robots tags to another specification.
/// If the result would not mean the same, `converted` is null, and the first finding says why, with
/// a URL that shows it.
#[utoipa::path(
    post,
    path = "/v1/convert",
    tag = "tools",
    request_body(content = ref("#/components/schemas/ConvertRequest"), content_type = "application/json", examples(("example" = (value = json!({
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
    work::answer(&asker, move |work| Ok(request.answer(work, line)?)).await
}
