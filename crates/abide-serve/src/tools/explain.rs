//! `/v1/explain`: what `abide explain --format json` writes.

use super::input::{Agents, MAX_ENTRIES, ProfileNames, few, optional_file};
use super::work::{self, Deadline};
use crate::answer::indented;
use crate::asker::Asker;
use crate::body::JsonBytes;
use crate::problem::Problem;
use abide::{Policy, Profile, Target};
use abide_analysis::preferences;
use abide_analysis::view::{FileView, MAX_PAGES, PageView, Tally};
use abide_contract::explain::{Explanation, Explanations};
use abide_contract::{Circumstances, Page, codes, read_within};
use abide_known_robots::{Robot, in_file};
use axum::response::Response;
use http::StatusCode;
use serde::Deserialize;
use std::sync::Arc;
use utoipa::ToSchema;

/// How much may be shown: the bytes of the file and [`PER_LINE`] for each of its lines, for each
/// robot. The answer has every line of the file for every robot.
const MAX_SHOWN_BYTES: usize = 64 << 20;
/// About how many bytes of memory a line takes.
const PER_LINE: usize = 100;

/// A file, the robots that read it, and pages. Members of a request of `/v1/decide` that hold for
/// all of them may follow.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = ExplainBody)]
pub(crate) struct ExplainRequest {
    /// The robots.txt as text.
    robots: Option<String>,
    /// The file in base64, for any bytes.
    robots_base64: Option<String>,
    /// The robots that read it.
    agents: Agents,
    /// Absolute URLs, or paths. More than eight are counted.
    #[serde(default, deserialize_with = "few")]
    urls: Vec<String>,
    /// How to read what the specifications leave open [default: careful]
    #[serde(default)]
    #[schema(value_type = ProfileNames)]
    profile: Profile,
    /// Whether to leave out what operators document about their robots.
    #[serde(default)]
    literal: bool,
}

/// Shows a robots.txt as robots read it, and which lines decide about pages. For one robot the
/// answer is an object, for several an array of such objects.
#[utoipa::path(
    post,
    path = "/v1/explain",
    tag = "tools",
    request_body(content = ExplainRequest, content_type = "application/json", examples(("example" = (value = json!({
    "robots": "User-agent: *\nDisallow: /private/\n",
    "agents": "Googlebot",
    "urls": ["/private/x"],
}))))),
    responses(
        (status = 200, description = "What the robot reads; for several robots an array", body = ref("#/components/schemas/Explanation"), content_type = "application/json"),
        (status = 400, description = "The request cannot be read", body = Problem, content_type = "application/problem+json"),
        (status = 422, description = "The answer would be too long", body = Problem, content_type = "application/problem+json"),
    ),
)]
pub(crate) async fn post(asker: Asker, JsonBytes(bytes): JsonBytes) -> Result<Response, Problem> {
    let work = move |deadline: &Deadline| {
        let (request, circumstances) = read_within(&bytes)?;
        explained(request, &circumstances, deadline)
    };
    work::answer(&asker, work).await
}

fn explained(
    request: ExplainRequest,
    circumstances: &Circumstances<'_>,
    deadline: &Deadline,
) -> Result<Vec<u8>, Problem> {
    let robots = request.agents.needed(request.literal)?;
    let profile = request.profile;
    let body = optional_file(request.robots, request.robots_base64.as_deref(), "")?;
    if let Some(body) = &body {
        check_size(body, robots.len())?;
    }
    let page = circumstances.page()?;
    let policies = policies(
        circumstances,
        (&request.agents, &robots),
        profile,
        body.as_ref(),
        deadline,
    )?;
    let robots = in_file(&robots, &policies);
    let views = FileView::for_robots(&policies, &robots);
    let readings: Vec<(&Robot, &FileView<'_>)> = robots.iter().zip(&views).collect();
    if request.urls.len() > MAX_PAGES {
        return counted(&readings, &page, &request.urls, deadline);
    }
    let mut targets = Vec::new();
    for (at, url) in request.urls.iter().enumerate() {
        targets.push(target(url, at, &page)?);
    }
    let mut pages: Vec<Vec<PageView<'_>>> = Vec::new();
    for (_, view) in &readings {
        deadline.check()?;
        pages.push(targets.iter().map(|target| view.page(target)).collect());
    }
    let views = readings.iter().zip(&pages).map(|((robot, view), pages)| {
        deadline.check()?;
        let json = Explanation::new(&robot.name(), view, page.response());
        Ok(json.with_pages(view, pages))
    });
    let views: Vec<_> = views.collect::<Result<_, Problem>>()?;
    Ok(indented(&Explanations::of(views)))
}

fn counted(
    readings: &[(&Robot, &FileView<'_>)],
    page: &Page<'_>,
    urls: &[String],
    deadline: &Deadline,
) -> Result<Vec<u8>, Problem> {
    let mut tallies: Vec<_> = readings.iter().map(|(_, view)| Tally::new(view)).collect();
    for (at, url) in urls.iter().enumerate() {
        let target = target(url, at, page)?;
        for ((_, view), tally) in readings.iter().zip(&mut tallies) {
            deadline.check()?;
            tally.add(&view.page(&target));
        }
    }
    let views = readings.iter().zip(&tallies).map(|((robot, view), tally)| {
        deadline.check()?;
        let json = Explanation::new(&robot.name(), view, page.response());
        Ok(json.with_tally(tally))
    });
    let views: Vec<_> = views.collect::<Result<_, Problem>>()?;
    Ok(indented(&Explanations::of(views)))
}

/// The policies of the robots. They ask for AI preferences if the request does, or if the file
/// states any.
fn policies(
    circumstances: &Circumstances<'_>,
    (agents, robots): (&Agents, &[Robot]),
    profile: Profile,
    body: Option<&Arc<[u8]>>,
    deadline: &Deadline,
) -> Result<Vec<Policy>, Problem> {
    let every = circumstances.policy(&Robot::unnamed(), profile, body)?;
    // Without any preference, groups for `*` alone could say something about control tokens.
    let asks = circumstances.ask_preferences() || preferences::are_stated(&every.robots());
    let policies = robots.iter().map(|robot| {
        deadline.check()?;
        let policy = if asks {
            circumstances.policy_with_preferences(robot, profile, body)
        } else {
            circumstances.policy(robot, profile, body)
        };
        policy.map_err(|error| agents.problem(robot, &error))
    });
    policies.collect()
}

fn target<'t>(url: &'t str, at: usize, page: &'t Page<'_>) -> Result<Target<'t>, Problem> {
    let target = Target::new(url).map_err(|error| {
        Problem::bad_request(
            codes::INVALID_URL,
            format!("in \"urls\": {error}"),
            "write an absolute URL, or a path that begins with \"/\"",
        )
        .at(format!("/urls/{at}"))
    })?;
    Ok(page.target(target))
}

/// Refuses a file that is too long to be shown for so many robots.
fn check_size(body: &[u8], robots: usize) -> Result<(), Problem> {
    let lines = body.iter().filter(|byte| matches!(byte, b'\n' | b'\r'));
    let size = body.len() + PER_LINE * lines.count();
    let most = (MAX_SHOWN_BYTES / size.max(1)).min(MAX_ENTRIES);
    if robots <= most {
        return Ok(());
    }
    Err(Problem::new(
        StatusCode::UNPROCESSABLE_ENTITY,
        "too-much-work",
        format!("in \"agents\": expected at most {most} robots for a file of this size, but found {robots}"),
        "ask about fewer robots at a time, or for a table with POST /v1/table",
    )
    .at("/agents"))
}
