//! `/v1/known-robots`: what `abide robots --format json` writes.

use crate::problem::Problem;
use crate::query::Query;
use abide_contract::tools::KnownRobots;
use abide_known_robots::{KnownRobot, RobotError, Selection, search};
use axum::extract::RawQuery;
use axum::response::Response;
use http::{HeaderMap, StatusCode};

/// Lists the known robots.
#[utoipa::path(
    get,
    path = "/v1/known-robots",
    tag = "tools",
    params(
        ("name" = Option<String>, Query, description = "A name, a whole User-Agent line, or a set such as @search [default: all]"),
        ("kind" = Option<String>, Query, description = "Only robots of this set, written without @, such as ai-training or control-token"),
        ("operator" = Option<String>, Query, description = "Only robots of this operator; a part of the name is enough"),
    ),
    responses(
        (status = 200, description = "The robots", body = ref("#/components/schemas/KnownRobots"), content_type = "application/json"),
        (status = 400, description = "There is no such set", body = Problem, content_type = "application/problem+json"),
        (status = 404, description = "There is no such robot", body = Problem, content_type = "application/problem+json"),
    ),
)]
pub(crate) async fn get(headers: HeaderMap, RawQuery(text): RawQuery) -> Result<Response, Problem> {
    let query = Query::read(text.as_deref(), &["name", "kind", "operator"])?;
    let (name, kind) = (query.one("name")?, query.one("kind")?);
    let operator = query.one("operator")?.unwrap_or_default();
    let mut found = search(name.unwrap_or("@all"), operator).map_err(|error| unknown(&error))?;
    if let Some(kind) = kind {
        let set: Selection =
            kind.parse()
                .map_err(|error: abide_known_robots::SelectionError| {
                    wrong(error.to_string(), "kind")
                })?;
        let of_kind: Vec<&KnownRobot> = set.robots().collect();
        found.retain(|robot| of_kind.iter().any(|one| one.token == robot.token));
    }
    Ok(crate::answer::gzipped(&KnownRobots::of(found), &headers))
}

fn unknown(error: &RobotError) -> Problem {
    match error {
        RobotError::Unknown { .. } => Problem::new(
            StatusCode::NOT_FOUND,
            "unknown-robot",
            error.to_string(),
            "ask without name for all known robots",
        )
        .at("name"),
        _ => wrong(error.to_string(), "name"),
    }
}

fn wrong(detail: String, parameter: &'static str) -> Problem {
    let remedy = "write a name, a User-Agent line or one of these sets";
    Problem::bad_request("invalid-query", detail, remedy).at(parameter)
}
