//! `/v1/lint`: what `abide lint --format json` finds, and what `abide lint --explain` prints.

use super::work;
use crate::answer::line;
use crate::asker::Asker;
use crate::body::Json;
use crate::problem::Problem;
use crate::query::Query;
use abide_contract::tools::{LintCode, LintRequest};
use axum::extract::RawQuery;
use axum::response::Response;

/// Finds mistakes in a robots.txt, a tdmrep.json, an RSL licence, or a response. What was
/// fixed is no longer among the findings.
#[utoipa::path(
    post,
    path = "/v1/lint",
    tag = "tools",
    request_body(content = ref("#/components/schemas/LintRequest"), content_type = "application/json", examples(("example" = (value = json!({"robots": "User-agent: *\nDissalow: /private/\n"}))))),
    responses(
        (status = 200, description = "What was found", body = ref("#/components/schemas/Findings"), content_type = "application/json"),
        (status = 400, description = "The request cannot be read", body = Problem, content_type = "application/problem+json"),
    ),
)]
pub(crate) async fn post(
    asker: Asker,
    Json(request): Json<LintRequest>,
) -> Result<Response, Problem> {
    work::answer(&asker, move |work| {
        Ok(request.answer(work, |answer| line(answer))?)
    })
    .await
}

/// Explains a code of findings, as `abide lint --explain` does.
#[utoipa::path(
    get,
    path = "/v1/lint",
    tag = "tools",
    params(("code" = String, Query, description = "The code of a finding, such as pattern-no-slash")),
    responses(
        (status = 200, description = "What the code means", body = ref("#/components/schemas/LintCode"), content_type = "application/json"),
        (status = 400, description = "A parameter is wrong", body = Problem, content_type = "application/problem+json"),
        (status = 404, description = "There is no such code", body = Problem, content_type = "application/problem+json"),
    ),
)]
pub(crate) async fn get(RawQuery(text): RawQuery) -> Result<Response, Problem> {
    let query = Query::read(text.as_deref(), &["code"])?;
    let code = query.needed("code")?;
    let code = LintCode::of(code).map_err(|error| Problem::from(error).at("code"))?;
    Ok(crate::answer::of(&code))
}
