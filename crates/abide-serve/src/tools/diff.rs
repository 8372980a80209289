//! `/v1/diff`: what `abide diff --format json` writes.

use super::work;
use crate::answer::indented;
use crate::asker::Asker;
use crate::body::Json;
use crate::problem::Problem;
use crate::sites::requested;
use abide_contract::tools::{DiffRequest, NamedFile, Side};
use axum::response::Response;
use futures_util::future::try_join;
use http::StatusCode;

/// Shows what changes between two robots.txt files, and for which robots.
#[utoipa::path(
    post,
    path = "/v1/diff",
    tag = "tools",
    request_body(content = ref("#/components/schemas/DiffRequest"), content_type = "application/json", examples(("example" = (value = json!({
    "before": {"robots": "User-agent: *\nDisallow: /private/\n"},
    "after": {"robots": "User-agent: *\nDisallow: /\n"},
}))))),
    responses(
        (status = 200, description = "What changes", body = ref("#/components/schemas/Diff"), content_type = "application/json"),
        (status = 400, description = "The request cannot be read", body = Problem, content_type = "application/problem+json"),
        (status = 422, description = "A site has no robots.txt to compare", body = Problem, content_type = "application/problem+json"),
    ),
)]
pub(crate) async fn post(
    asker: Asker,
    Json(request): Json<DiffRequest>,
) -> Result<Response, Problem> {
    request.purposes.tokens(None)?;
    let before = named(&asker, &request.before.0, "before");
    let after = named(&asker, &request.after.0, "after");
    let files: [NamedFile; 2] = try_join(before, after).await?.into();
    work::answer(&asker, move |work| {
        Ok(request.answer(&files, work, |answer| indented(answer))?)
    })
    .await
}

/// The file of the `member`: given, or that of a site.
async fn named(asker: &Asker, side: &Side, member: &'static str) -> Result<NamedFile, Problem> {
    if let Some(given) = side.given(member)? {
        return Ok(given);
    }
    let place = format!("/{member}/url");
    let url = side.url.as_deref().unwrap_or_default();
    let requested = requested(url).map_err(|error| Problem::from(error).at(place.clone()))?;
    let sites = &asker.app.sites;
    let found = sites.state(&requested, asker.turns(), false).await;
    let found = found.map_err(|error| Problem::from(error).at(place.clone()))?;
    let bytes = sites.file(found.as_ref()).map_err(|why| {
        let detail = format!("in \"{member}\": {why}");
        let remedy = "send the file in \"robots\", or try again when the site answers";
        let status = StatusCode::UNPROCESSABLE_ENTITY;
        Problem::new(status, "no-robots-txt", detail, remedy).at(place)
    })?;
    Ok(NamedFile {
        bytes,
        name: side.file.clone().unwrap_or_else(|| url.to_owned()),
    })
}
