//! `/v1/matrix`: what `abide matrix --format json` writes.

use super::work;
use crate::answer::indented;
use crate::asker::Asker;
use crate::body::Json;
use crate::problem::Problem;
use abide_contract::tools::MatrixRequest;
use axum::response::Response;

/// Shows which robots may crawl a site.
#[utoipa::path(
    post,
    path = "/v1/matrix",
    tag = "tools",
    request_body(content = ref("#/components/schemas/MatrixRequest"), content_type = "application/json", examples(
        ("example" = (value = json!({"robots": "User-agent: GPTBot\nDisallow: /\n", "agents": "@ai-training"}))),
        ("purposes" = (value = json!({
            "robots": "User-Agent-Purpose: AI-TRAINING\nDisallow: /\n",
            "agents": ["ExampleBot"],
            "purposes": ["AI-TRAINING"],
        }))),
        ("preferences" = (value = json!({
            "robots": "License: https://example.com/license.xml\n\nUser-agent: *\nContent-Usage: search=y\n",
            "agents": ["GPTBot", "*"],
            "site": "https://example.com/",
            "preferences": {
                "vocabularies": ["content-usage", "tdmrep", "rsl"],
                "revision": "08",
                "tdmrep": "[{\"location\": \"/blog/*\", \"tdm-reservation\": 1}]",
                "rsl": {"https://example.com/license.xml": "<rsl xmlns=\"https://rslstandard.org/rsl\"><content url=\"https://example.com/\"><license><prohibits type=\"usage\">ai-train</prohibits></license></content></rsl>"},
            },
        }))),
    )),
    responses(
        (status = 200, description = "Which robots may crawl the site", body = ref("#/components/schemas/Matrix"), content_type = "application/json"),
        (status = 400, description = "The request cannot be read", body = Problem, content_type = "application/problem+json"),
    ),
)]
pub(crate) async fn post(
    asker: Asker,
    Json(request): Json<MatrixRequest>,
) -> Result<Response, Problem> {
    work::answer(&asker, move |work| {
        Ok(request.answer(work, |answer| indented(answer))?)
    })
    .await
}
