//! `/v1/matrix`: what `abide matrix --format json` writes.

use super::input::{Agents, ProfileNames, file, unknown_robot};
use super::site_preferences::PreferenceChoice;
use super::work::{self, Deadline};
use crate::answer::indented;
use crate::asker::Asker;
use crate::body::Json;
use crate::problem::Problem;
use abide::{Limits, Profile, Robots};
use abide_analysis::Bound;
use abide_analysis::matrix::{Matrix, MatrixSettings};
use abide_analysis::preferences::{self, SiteQuestion};
use abide_contract::matrix::FileMatrix;
use abide_contract::{Purposes, codes};
use axum::response::Response;
use serde::Deserialize;

/// A file, and the robots to answer for.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct MatrixRequest {
    /// The robots.txt as text.
    robots: Option<String>,
    /// The file in base64, for any bytes.
    robots_base64: Option<String>,
    /// The name of the file in the answer [default: robots.txt]
    #[serde(default = "robots_txt")]
    file: String,
    /// Robots [default: all known robots, those that the file names, and every other robot]
    #[serde(default)]
    agents: Agents,
    /// Purposes that the robots claim, as `User-Agent-Purpose` lines name them.
    #[serde(default)]
    #[schema(value_type = Vec<String>)]
    purposes: Purposes,
    /// How to read what the specifications leave open [default: careful]
    #[serde(default)]
    #[schema(value_type = ProfileNames)]
    profile: Profile,
    /// Whether to leave out what operators document about their robots.
    #[serde(default)]
    literal: bool,
    /// Whether to answer for training, AI input and search too, or by which vocabularies and
    /// documents [default: if the file states a preference]
    #[serde(default)]
    preferences: PreferenceChoice,
    /// A URL of the site that the file is from. Without it, licences for whole URLs do not count.
    site: Option<String>,
}

fn robots_txt() -> String {
    "robots.txt".to_owned()
}

/// Shows which robots may crawl a site.
#[utoipa::path(
    post,
    path = "/v1/matrix",
    tag = "tools",
    request_body(content = MatrixRequest, content_type = "application/json", examples(
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
    work::answer(&asker, move |deadline: &Deadline| matrix(request, deadline)).await
}

fn matrix(request: MatrixRequest, deadline: &Deadline) -> Result<Vec<u8>, Problem> {
    let profile = request.profile;
    let agents = request.agents.robots(false)?;
    let bytes = file(request.robots, request.robots_base64.as_deref(), "")?;
    let robots = Robots::parse_as(&bytes, profile, Limits::default());
    let settings = MatrixSettings {
        literal: request.literal,
        preferences: question(&request.preferences, request.site.as_deref(), &robots)?,
        purposes: request.purposes.tokens(None)?,
    };
    let goes_on = || deadline.goes_on();
    let matrix = Matrix::of_file_while(&robots, &agents, &settings, Bound::default(), goes_on)
        .map_err(|error| unknown_robot(&error))?;
    let matrix = matrix.ok_or_else(|| deadline.passed())?;
    Ok(indented(&FileMatrix::new(
        &request.file,
        profile,
        request.literal,
        &matrix,
    )))
}

/// What is asked about preferences, if anything.
fn question(
    choice: &PreferenceChoice,
    site: Option<&str>,
    robots: &Robots,
) -> Result<Option<SiteQuestion>, Problem> {
    let question = match choice {
        PreferenceChoice::Flag(false) => return Ok(None),
        PreferenceChoice::IfStated if !preferences::are_stated(robots) => return Ok(None),
        PreferenceChoice::IfStated | PreferenceChoice::Flag(true) => SiteQuestion::default(),
        PreferenceChoice::With(choice) => choice.question()?,
    };
    let Some(url) = site else {
        return Ok(Some(question));
    };
    let question = question.with_origin_of(url);
    if question.origin.is_none() {
        return Err(Problem::bad_request(
            codes::INVALID_URL,
            "in \"site\": expected a URL such as https://example.com/",
            "write a whole URL of the site, or leave the member out",
        )
        .at("/site"));
    }
    Ok(Some(question))
}
