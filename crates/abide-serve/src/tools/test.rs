//! `/v1/test`: what `abide test --format json` writes.

use super::work;
use crate::answer::indented;
use crate::asker::Asker;
use crate::body::Json;
use crate::problem::Problem;
use abide_contract::tools::TestRequest;
use axum::response::Response;

/// Tests what a site expects of its robots.txt.
#[utoipa::path(
    post,
    path = "/v1/test",
    tag = "tools",
    request_body(content = ref("#/components/schemas/TestRequest"), content_type = "application/json", examples(
        ("example" = (value = json!({
            "robots": "User-agent: *\nDisallow: /private/\n",
            "cases": "[[case]]\nname = \"drafts stay closed\"\nagent = \"Googlebot\"\nurl = \"/private/x\"\ncrawl = \"disallowed\"\n",
        }))),
        ("preferences" = (value = json!({
            "robots": "User-agent: *\nAllow: /\n",
            "cases": "[[case]]\nname = \"nobody trains on the blog\"\nagent = \"@ai-training\"\nurl = \"/blog/x\"\ntrain = \"disallowed\"\n",
            "preferences": {"tdmrep": "[{\"location\": \"/blog/*\", \"tdm-reservation\": 1}]"},
        }))),
    )),
    responses(
        (status = 200, description = "What passed and what failed", body = ref("#/components/schemas/TestReport"), content_type = "application/json"),
        (status = 400, description = "The request or the cases cannot be read", body = Problem, content_type = "application/problem+json"),
        (status = 422, description = "There are too many checks", body = Problem, content_type = "application/problem+json"),
    ),
)]
pub(crate) async fn post(
    asker: Asker,
    Json(request): Json<TestRequest>,
) -> Result<Response, Problem> {
    work::answer(&asker, move |work| {
        Ok(request.answer(work, |answer| indented(answer))?)
    })
    .await
}
