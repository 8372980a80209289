//! `/v1/test`: what `abide test --format json` writes.

use super::input::file;
use super::site_preferences::SitePreferencesMembers;
use super::work::{self, Deadline};
use crate::answer::indented;
use crate::asker::Asker;
use crate::body::Json;
use crate::problem::Problem;
use abide_analysis::expectation::{Case, Cases, CasesError, run_while};
use abide_contract::test::TestReport;
use abide_contract::{Object, SitePreferences, codes};
use axum::response::Response;
use http::StatusCode;
use serde::Deserialize;

/// The largest number of checks: robots times URLs of all cases.
const MAX_CHECKS: usize = 20_000;

/// A file, and what its site expects of it.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TestRequest {
    /// The robots.txt as text.
    robots: Option<String>,
    /// The file in base64, for any bytes.
    robots_base64: Option<String>,
    /// The text of a TOML file of cases.
    cases: String,
    /// Whether to leave out what operators document about their robots.
    #[serde(default)]
    literal: bool,
    /// Vocabularies that count for every case, whatever it says, and documents beside robots.txt.
    #[schema(value_type = Option<SitePreferencesMembers>)]
    preferences: Option<Object<SitePreferences>>,
}

/// Tests what a site expects of its robots.txt.
#[utoipa::path(
    post,
    path = "/v1/test",
    tag = "tools",
    request_body(content = TestRequest, content_type = "application/json", examples(
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
    let work = move |deadline: &Deadline| tested(request, deadline);
    work::answer(&asker, work).await
}

fn tested(request: TestRequest, deadline: &Deadline) -> Result<Vec<u8>, Problem> {
    let bytes = file(request.robots, request.robots_base64.as_deref(), "")?;
    let cases = Cases::read(&request.cases).map_err(|error| wrong(&error))?;
    let checks = |case: &Case| case.agents.len().saturating_mul(case.urls.len());
    let count = cases
        .cases
        .iter()
        .map(checks)
        .fold(0, usize::saturating_add);
    if count > MAX_CHECKS {
        return Err(Problem::new(
            StatusCode::UNPROCESSABLE_ENTITY,
            "too-much-work",
            format!("in \"cases\": expected at most {MAX_CHECKS} checks, but found {count}: one for each robot and URL of a case"),
            "divide the cases",
        )
        .at("/cases"));
    }
    let cases = if request.literal {
        cases.without_known_facts()
    } else {
        cases
    };
    let preferences = request
        .preferences
        .as_ref()
        .map(|Object(preferences)| preferences);
    let cases = with_preferences(cases, preferences)?;
    let checks = run_while(&cases, &bytes, || deadline.goes_on()).map_err(|error| wrong(&error))?;
    let checks = checks.ok_or_else(|| deadline.passed())?;
    Ok(indented(&TestReport::new(&checks)))
}

/// The cases with what the request says about preferences.
fn with_preferences(
    mut cases: Cases,
    preferences: Option<&SitePreferences>,
) -> Result<Cases, Problem> {
    let Some(preferences) = preferences else {
        return Ok(cases);
    };
    if !cases.ask_preferences() {
        return Err(Problem::bad_request(
            codes::INVALID_PREFERENCES,
            "in \"preferences\": no case expects anything of train, ai-input or search",
            "leave the member out, or add such an expectation to a case",
        )
        .at("/preferences"));
    }
    if let Some(vocabularies) = preferences.vocabularies()? {
        cases = cases.with_vocabularies(&vocabularies);
    }
    if let Some(revision) = preferences.revision()? {
        cases = cases.with_revision(revision);
    }
    if let Some(scope) = preferences.signal_scope()? {
        cases = cases.with_signal_scope(scope);
    }
    cases.documents = preferences.documents()?;
    Ok(cases)
}

fn wrong(error: &CasesError) -> Problem {
    Problem::bad_request(
        "invalid-cases",
        format!("in \"cases\": {error}"),
        "correct these lines; docs/test.md describes cases",
    )
    .at("/cases")
}
