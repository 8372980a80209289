//! `/v1/table`: which URLs which robots may have, thousands at a time.

use super::input::{Agents, ProfileNames, at_most, optional_file};
use super::work::{self, Deadline};
use crate::answer::line;
use crate::asker::Asker;
use crate::body::JsonBytes;
use crate::problem::Problem;
use abide::{Named, Profile, Target, Usage};
use abide_analysis::table::{Table, TableRobot, missing_scheme};
use abide_contract::table::{TableUrl, UrlError, UrlTable};
use abide_contract::{Circumstances, codes, read_within};
use abide_fetch::as_sent;
use axum::response::Response;
use http::StatusCode;
use serde::Deserialize;
use utoipa::ToSchema;

/// The largest number of URLs.
const MAX_URLS: usize = 20_000;
/// The largest number of cells.
const MAX_CELLS: usize = 2_000_000;
/// How many bytes are read at most: those of the file, for each robot and profile.
const MAX_READ_BYTES: usize = 512 << 20;

/// A file, robots and URLs. Members of a request of `/v1/decide` that hold for all of them may
/// follow.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = TableBody)]
pub(crate) struct TableRequest {
    /// The robots.txt as text.
    robots: Option<String>,
    /// The file in base64, for any bytes.
    robots_base64: Option<String>,
    /// The robots: one column each.
    agents: Agents,
    /// Absolute URLs, or paths: one row each.
    #[serde(deserialize_with = "at_most::<_, _, MAX_URLS>")]
    urls: Vec<String>,
    /// How to read what the specifications leave open: one profile, or two to see where they differ
    /// [default: careful]
    #[serde(default = "careful", deserialize_with = "at_most::<_, _, 2>")]
    #[schema(value_type = Vec<ProfileNames>)]
    profiles: Vec<Profile>,
    /// The usage to answer for [default: crawl]
    #[serde(default)]
    usage: Option<String>,
    /// Whether to leave out what operators document about their robots.
    #[serde(default)]
    literal: bool,
}

fn careful() -> Vec<Profile> {
    vec![Profile::default()]
}

/// Shows which robots may have which URLs: for each URL and robot the
/// place of its answer in a short list of different answers. URLs are judged as clients send them.
#[utoipa::path(
    post,
    path = "/v1/table",
    tag = "tools",
    request_body(content = TableRequest, content_type = "application/json", examples(("example" = (value = json!({
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
    let work = move |deadline: &Deadline| {
        let (request, circumstances) = read_within(&bytes)?;
        table(request, &circumstances, deadline)
    };
    work::answer(&asker, work).await
}

fn table(
    request: TableRequest,
    circumstances: &Circumstances<'_>,
    deadline: &Deadline,
) -> Result<Vec<u8>, Problem> {
    let robots = request.agents.needed(request.literal)?;
    let body = optional_file(request.robots, request.robots_base64.as_deref(), "")?;
    let profiles = profiles(&request.profiles)?;
    let usage = usage(request.usage.as_deref())?;
    let read = body.as_ref().map_or(0, |body| body.len());
    check_size(read * profiles.len(), robots.len(), request.urls.len())?;
    let page = circumstances.page()?;
    let mut table_robots = Vec::new();
    for robot in &robots {
        deadline.check()?;
        let policy = |profile| {
            let policy = if Usage::PREFERENCES.contains(&usage) {
                circumstances.policy_with_preferences(robot, profile, body.as_ref())
            } else {
                circumstances.policy(robot, profile, body.as_ref())
            };
            policy.map_err(|error| request.agents.problem(robot, &error))
        };
        let mut policies = profiles.iter().map(|profile| policy(*profile));
        let first = policies.next().expect("there is at least one profile")?;
        table_robots.push(TableRobot::new(first, policies.next().transpose()?));
    }
    let urls: Vec<TableUrl<'_>> = request.urls.iter().map(|url| table_url(url)).collect();
    let readable = urls.iter().filter(|url| url.error.is_none());
    let targets = readable.filter_map(|url| {
        let judged = url.requested.as_deref().unwrap_or(url.url.trim());
        Target::new(judged).ok().map(|target| page.target(target))
    });
    let targets: Vec<Target<'_>> = targets.collect();
    let table = Table::of_while(&table_robots, &targets, usage, || deadline.goes_on());
    let table = table.ok_or_else(|| deadline.passed())?;
    let robots = robots.iter().zip(&table_robots);
    Ok(line(&UrlTable::new(
        &profiles, usage, robots, &urls, &table,
    )))
}

/// What a URL of the request is, and what clients send for it.
fn table_url(url: &str) -> TableUrl<'_> {
    let typed = url.trim();
    let (requested, error) = match Target::new(typed) {
        Ok(target) => (as_sent(&target), None),
        Err(error) => {
            let message = missing_scheme(typed).unwrap_or_else(|| error.to_string());
            let code = codes::INVALID_URL;
            (None, Some(UrlError { code, message }))
        }
    };
    // What clients send can be read: they made it.
    let requested = requested.filter(|url| Target::new(url).is_ok());
    TableUrl {
        url,
        requested,
        error,
    }
}

/// One profile, or two different ones.
fn profiles(names: &[Profile]) -> Result<Vec<Profile>, Problem> {
    let mut profiles: Vec<Profile> = Vec::new();
    for profile in names.iter().copied() {
        if !profiles.contains(&profile) {
            profiles.push(profile);
        }
    }
    if profiles.is_empty() {
        return Err(Problem::bad_request(
            codes::INVALID_REQUEST,
            "in \"profiles\": expected careful, google or both, but found an empty list",
            "name a profile, or leave the member out",
        )
        .at("/profiles"));
    }
    Ok(profiles)
}

fn usage(name: Option<&str>) -> Result<Usage, Problem> {
    let name = name.unwrap_or("crawl");
    Usage::by_name(name).ok_or_else(|| {
        Problem::bad_request(
            codes::INVALID_REQUEST,
            "in \"usage\": there is no such usage",
            format!("write one of {}", Usage::listed()),
        )
        .at("/usage")
    })
}

/// Refuses more than can be answered at once.
fn check_size(read: usize, robots: usize, urls: usize) -> Result<(), Problem> {
    let too_much = |member: &str, detail: String| {
        let status = StatusCode::UNPROCESSABLE_ENTITY;
        let remedy = "ask about fewer robots or URLs at a time";
        Err(Problem::new(status, "too-much-work", detail, remedy).at(format!("/{member}")))
    };
    let cells = robots.saturating_mul(urls);
    if cells > MAX_CELLS {
        let detail = format!(
            "expected at most {MAX_CELLS} cells, but {urls} URLs for {robots} robots are {cells}"
        );
        return too_much("urls", detail);
    }
    let most = MAX_READ_BYTES / read.max(1);
    if robots > most {
        let detail = format!(
            "in \"agents\": expected at most {most} robots for a file of this size, but found {robots}"
        );
        return too_much("agents", detail);
    }
    Ok(())
}
