//! `/v1/table`: which URLs which robots may have, thousands at a time.

use super::work;
use crate::answer::line;
use crate::asker::Asker;
use crate::body::JsonBytes;
use crate::problem::Problem;
use abide_contract::read_within;
use abide_contract::tools::TableRequest;
use abide_fetch::as_sent;
use axum::response::Response;

/// Shows which robots may have which URLs: for each URL and robot the
/// place of its answer in a short list of different answers. URLs are judged as clients send them.
#[utoipa::path(
    post,
    path = "/v1/table",
    tag = "tools",
    request_body(content = ref("#/components/schemas/TableBody"), content_type = "application/json", examples(("example" = (value = json!({
    "robots": "User-agent: GPTBot\nDisallow: /blog/\n",
    "agents": ["GPTBot", "Googlebot"],
    "urls": ["/blog/a", "https://example.com/"],
}))))),
    responses(
        (status = 200, description = "The table", body = ref("#/components/schemas/Table"), content_type = "application/json"),
        (status = 400, description = "The request cannot be read", body = Problem, content_type = "application/problem+json"),
        (status = 422, description = "There are too many cells", body = Problem, content_type = "application/problem+json"),
    ),
)]
pub(crate) async fn post(asker: Asker, JsonBytes(bytes): JsonBytes) -> Result<Response, Problem> {
    work::answer(&asker, move |work| {
        let (request, circumstances) = read_within::<TableRequest>(&bytes)?;
        Ok(request.answer(&circumstances, as_sent, work, |answer| line(answer))?)
    })
    .await
}
