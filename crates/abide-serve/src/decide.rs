//! `/v1/decide`: one request in, one decision out.

use crate::body::{self, JsonBytes};
use crate::problem::Problem;
use crate::query::{self, Query};
use crate::sites::requested;
use crate::state::App;
use abide::Profile;
use abide_json::{AnswerOptions, Request, RequestError, SiteRules};
use axum::extract::{RawQuery, State};
use axum::response::Response;
use std::sync::Arc;

/// Asks for one decision with parameters.
#[utoipa::path(
    get,
    path = "/v1/decide",
    tag = "decisions",
    params(
        ("url" = String, Query, description = "Absolute URL, as the client will send it"),
        ("agent" = String, Query, description = "Product token of the robot. Several in order of preference: the first that has a group decides"),
        ("profile" = Option<String>, Query, description = "How to read open points of the specifications: careful or google"),
        ("known_robots" = Option<bool>, Query, description = "Apply what the operators of known robots document"),
    ),
    responses((status = 200, description = "The decision", content_type = "application/json")),
)]
pub(crate) async fn get(
    State(app): State<Arc<App>>,
    RawQuery(text): RawQuery,
) -> Result<Response, Problem> {
    let query = Query::read(
        text.as_deref(),
        &["url", "agent", "profile", "known_robots"],
    )?;
    let url = query.needed("url")?;
    let agents: Vec<_> = query.all("agent").map(str::to_owned).collect();
    if agents.is_empty() {
        return Err(query::missing("agent"));
    }
    let profile = match query.one("profile")? {
        None | Some("careful") => Profile::Careful,
        Some("google") => Profile::Google,
        Some(_) => {
            return Err(Problem::bad_request(
                "invalid-query",
                "the parameter \"profile\" is neither careful nor google",
                "write profile=careful or profile=google",
            )
            .at("profile"));
        }
    };
    let request = Request::about(url, agents)
        .with_profile(profile)
        .with_known_robots(query.flag("known_robots")?);
    let answer = decision(&app, &request).await;
    answer.map_err(|error| of_parameter(&error))
}

/// Asks for one decision with everything that the contract knows. Without `robots`, `robots_base64`,
/// `robots_status` and `robots_error` the site's robots.txt is fetched.
#[utoipa::path(
    post,
    path = "/v1/decide",
    tag = "decisions",
    request_body(content_type = "application/json", description = "A request of the contract"),
    responses((status = 200, description = "The decision", content_type = "application/json")),
)]
pub(crate) async fn post(
    State(app): State<Arc<App>>,
    JsonBytes(bytes): JsonBytes,
) -> Result<Response, Problem> {
    let request = Request::read(&bytes).map_err(|error| unreadable(&error, &bytes))?;
    Ok(decision(&app, &request).await?)
}

/// The answer to `request`.
async fn decision(app: &App, request: &Request<'_>) -> Result<Response, RequestError> {
    let mut line = Vec::with_capacity(4 << 10);
    write_decision(app, request, &mut line).await?;
    line.push(b'\n');
    Ok(crate::answer::json(line))
}

/// Writes the decision about `request`, by its own robots.txt or by that of its site.
async fn write_decision(
    app: &App,
    request: &Request<'_>,
    line: &mut Vec<u8>,
) -> Result<(), RequestError> {
    let options = AnswerOptions::default();
    if request.has_robots() {
        return request.decide(options, |json| json.write_line(line));
    }
    let requested = requested(request.url())?;
    let found = app.sites.rules(request, &requested).await?;
    let response = request.response(None);
    let documents = found.documents(request, &requested, &response).await?;
    let rules = SiteRules {
        policy: &found.policy,
        retrieval: &found.retrieval,
        requested: requested.as_str(),
        response: &response,
        documents: &documents,
    };
    request.decide_by(rules, options, |json| json.write_line(line))
}

/// The problem with a request that cannot be read.
fn unreadable(error: &RequestError, bytes: &[u8]) -> Problem {
    let problem = Problem::from(error);
    match error {
        RequestError::Request { .. } => match body::place_of_mistake::<Request<'_>>(bytes) {
            Some(place) => problem.at(place),
            None => problem,
        },
        _ => problem,
    }
}

/// The problem with a parameter: a name instead of a JSON Pointer.
fn of_parameter(error: &RequestError) -> Problem {
    let member = match error.code() {
        "invalid-url" => "url",
        "invalid-agent" => "agent",
        _ => return Problem::from(error),
    };
    Problem::from(error).at(member)
}
