//! `/v1/robots` and `/v1/history`: the current rules of a site, and earlier ones.

use crate::answer;
use crate::asker::Asker;
use crate::problem::Problem;
use crate::query::Query;
use crate::sites::requested;
use crate::state::App;
use crate::workers::{Desk, Work};
use abide::Moment;
use abide_contract::codes;
use abide_contract::tools::text_or_base64;
use abide_fetch::http::HopReport;
use abide_fetch::machine::{self, CurrentRules, Trail};
use abide_fetch::store::StoreError;
use abide_fetch::{Body, BodyHash, RequestUrl, Resource};
use axum::extract::RawQuery;
use axum::response::Response;
use http::StatusCode;
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The version of these answers.
const SCHEMA: u32 = 1;

/// The current rules of a site.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct RobotsJson {
    schema: u32,
    /// The site.
    origin: String,
    robots_url: String,
    /// Why these rules apply: fresh, refresh-failed, unreachable, grace-is-over, due or
    /// never-asked.
    state: &'static str,
    /// Where the rules come from: file, allow-all, disallow-all or unknown.
    in_force: &'static str,
    /// The status of the last of `redirects`.
    status: Option<u16>,
    /// When the file was fetched.
    since: Option<String>,
    /// When it was last confirmed.
    confirmed: Option<String>,
    /// How many seconds ago that was.
    age: Option<u64>,
    /// Until when it is fresh.
    expires: Option<String>,
    /// Since when every attempt has failed.
    unreachable_since: Option<String>,
    /// When the site is asked again at the earliest.
    retry_at: Option<String>,
    /// Until when the site asked to be left alone (`Retry-After`), if `refresh` did not ask it for
    /// that reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    asks_to_wait: Option<String>,
    /// The reason in words.
    why: String,
    /// How many seconds the site says that its file is fresh.
    lifetime: Option<u64>,
    /// Every request of the last fetch, if this process made it, else of the fetch that brought
    /// what is kept: redirects lead from one to the next.
    redirects: Vec<HopJson>,
    /// The fields that are kept of the response that brought the file.
    headers: BTreeMap<String, String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<FileJson>,
}

/// A request of a fetch.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct HopJson {
    url: String,
    /// Address and port that responded.
    #[serde(skip_serializing_if = "Option::is_none")]
    address: Option<String>,
    status: Option<u16>,
    /// Why there is no answer, or none that can be read.
    failure: Option<String>,
    milliseconds: u64,
}

/// A file as it was served.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct FileJson {
    /// Of the bytes that were kept.
    sha256: String,
    /// How many bytes were kept.
    bytes: usize,
    /// Whether the file goes on behind them.
    cut: bool,
    /// Whether the bytes that were kept end within a line. That line does not count.
    cut_line: bool,
    /// The text, if it is UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    body: Option<String>,
    /// The bytes otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    body_base64: Option<String>,
}

impl FileJson {
    fn new(body: &Body) -> Self {
        let bytes = body.as_bytes();
        let (text, encoded) = text_or_base64(bytes);
        Self {
            sha256: body.hash().to_string(),
            bytes: bytes.len(),
            cut: body.is_cut(),
            cut_line: body.is_cut_in_line(),
            body: text.map(str::to_owned),
            body_base64: encoded,
        }
    }
}

/// Every file that a site served.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct HistoryJson {
    schema: u32,
    origin: String,
    robots_url: String,
    observations: Vec<ObservationJson>,
    /// The file that `sha256` asks for.
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<FileJson>,
}

/// A file that a site served, and when.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct ObservationJson {
    sha256: String,
    bytes: u64,
    /// The first and the last time that it was served.
    first: String,
    last: String,
    /// Every request of the fetch that brought it first, as far as they were kept: redirects lead
    /// from one to the next.
    requests: Vec<HopJson>,
    /// The fields of the response that brought it first, as far as they were kept.
    headers: BTreeMap<String, String>,
}

/// The current rules of the site of a URL, since when they apply and why, and the file.
#[utoipa::path(
    get,
    path = "/v1/robots",
    tag = "sites",
    params(
        ("url" = String, Query, description = "A URL of the site"),
        ("refresh" = Option<bool>, Query, description = "Whether to ask the site even if its file is fresh, unless it was asked within the last two seconds or asks to be left alone (Retry-After) [default: false]"),
    ),
    responses(
        (status = 200, description = "The current rules", body = RobotsJson),
        (status = 400, description = "A parameter is wrong", body = Problem, content_type = "application/problem+json"),
    ),
)]
pub(crate) async fn robots(asker: Asker, RawQuery(query): RawQuery) -> Result<Response, Problem> {
    let query = Query::read(query.as_deref(), &["url", "refresh"])?;
    let (url, resource) = site(&query)?;
    let work = current(asker.clone(), url, resource, query.flag("refresh")?);
    asker.run(Work::Decision, &Desk::default(), work).await
}

/// The answer about the current rules.
async fn current(
    asker: Asker,
    url: RequestUrl,
    resource: Resource,
    is_refresh: bool,
) -> Result<Response, Problem> {
    let app = &asker.app;
    let failed = |error| Problem::from(error).at("url");
    let mut waits = None;
    let found = if is_refresh {
        let found = app.sites.refreshed(&url, asker.turns()).await;
        let found = found.map_err(failed)?;
        waits = found.as_ref().and_then(|found| found.asks_to_wait);
        found.map(|found| (found.state, found.at))
    } else {
        let found = app.sites.fetched(&url, asker.turns()).await;
        found.map_err(failed)?;
        app.sites.state(url.as_str(), asker.turns()).await
    };
    let (state, at) =
        found.unwrap_or_else(|| (machine::State::default(), abide_fetch::http::now()));
    let plan = state.plan(at, &app.sites.settings);
    let (in_force, why, file) = match plan.current {
        CurrentRules::File(body) => ("file", "the rules of the file".to_owned(), Some(body)),
        CurrentRules::AllowAll(cause) => {
            let why = format!("everything is allowed: the file is unavailable ({cause})");
            ("allow-all", why, None)
        }
        CurrentRules::DisallowAll(cause) => {
            let why = format!("only robots.txt itself is allowed: it is unreachable ({cause})");
            ("disallow-all", why, None)
        }
        CurrentRules::Unknown => ("unknown", "nothing is known".to_owned(), None),
    };
    let why = match waits {
        Some(until) => format!(
            "{why}; it was not asked again, because it asked to be left alone until {until} (Retry-After)"
        ),
        None => why,
    };
    let copy = state.copy();
    let last = app.sites.last_fetch(&resource);
    let trail = copy.and_then(|copy| copy.trail.as_deref());
    let redirects = match (&last, trail) {
        (Some(last), _) => hops(&last.hops),
        (None, Some(trail)) => hops(&trail.hops),
        (None, None) => Vec::new(),
    };
    Ok(answer::of(&RobotsJson {
        schema: SCHEMA,
        origin: resource.origin().as_str().to_owned(),
        robots_url: resource.url(),
        state: plan.why.name(),
        in_force,
        status: redirects.last().and_then(|hop| hop.status),
        since: copy.map(|copy| copy.fetched_at.to_string()),
        confirmed: copy.map(|copy| copy.checked_at.to_string()),
        age: copy.map(|copy| age(copy.checked_at)),
        expires: copy.map(|copy| copy.fresh_until.to_string()),
        unreachable_since: state.outage().map(|outage| outage.since.to_string()),
        retry_at: state.outage().map(|outage| outage.retry_at.to_string()),
        asks_to_wait: waits.map(|until| until.to_string()),
        why,
        lifetime: copy.and_then(|copy| copy.freshness.seconds),
        redirects,
        headers: trail.map_or_else(BTreeMap::new, headers),
        file: file.map(FileJson::new),
    }))
}

/// Every file that the site of a URL served, as far as the service has seen it.
#[utoipa::path(
    get,
    path = "/v1/history",
    tag = "sites",
    params(
        ("url" = String, Query, description = "A URL of the site"),
        ("sha256" = Option<String>, Query, description = "Also the file with this hash, which the site served"),
    ),
    responses(
        (status = 200, description = "What was served, and when", body = HistoryJson),
        (status = 404, description = "The service keeps no history, or the site did not serve such a file", body = Problem, content_type = "application/problem+json"),
    ),
)]
pub(crate) async fn history(asker: Asker, RawQuery(query): RawQuery) -> Result<Response, Problem> {
    let query = Query::read(query.as_deref(), &["url", "sha256"])?;
    let (_, resource) = site(&query)?;
    let sha256 = query.one("sha256")?.map(str::to_owned);
    let app = Arc::clone(&asker.app);
    let work = async move { seen(&app, &resource, sha256.as_deref()) };
    asker.run(Work::Decision, &Desk::default(), work).await
}

/// The answer about the files that were served.
fn seen(app: &App, resource: &Resource, sha256: Option<&str>) -> Result<Response, Problem> {
    let Some(store) = &app.sites.history else {
        return Err(Problem::new(
            StatusCode::NOT_FOUND,
            "no-history",
            "the service keeps no history",
            "the operator can set cache to a folder",
        ));
    };
    let served = store.served(resource).map_err(|error| failed(&error))?;
    let file = match sha256 {
        None => None,
        Some(hash) => {
            // A hash of another site is not answered.
            let found = served.iter().find(|seen| seen.sha256.to_string() == hash);
            let found = found.ok_or_else(|| {
                Problem::new(
                    StatusCode::NOT_FOUND,
                    "no-such-file",
                    "the site did not serve a file with this hash",
                    "take a hash from the observations",
                )
                .at("sha256")
            })?;
            let hash: BodyHash = found.sha256;
            let body = store.body(hash).map_err(|error| failed(&error))?;
            body.as_ref().map(FileJson::new)
        }
    };
    let observations = served.iter().map(|seen| ObservationJson {
        requests: seen
            .trail
            .as_ref()
            .map_or_else(Vec::new, |trail| hops(&trail.hops)),
        headers: seen.trail.as_deref().map_or_else(BTreeMap::new, headers),
        sha256: seen.sha256.to_string(),
        bytes: seen.bytes,
        first: seen.first.to_string(),
        last: seen.last.to_string(),
    });
    Ok(answer::of(&HistoryJson {
        schema: SCHEMA,
        origin: resource.origin().as_str().to_owned(),
        robots_url: resource.url(),
        observations: observations.collect(),
        file,
    }))
}

/// The URL of the query, and the robots.txt of its site.
fn site(query: &Query<'_>) -> Result<(RequestUrl, Resource), Problem> {
    let url = query.needed("url")?;
    let url = requested(url).map_err(|error| Problem::from(error).at("url"))?;
    let resource = Resource::robots_txt(url.as_str()).ok_or_else(|| {
        let detail = "the URL has no site with a robots.txt";
        Problem::bad_request(codes::INVALID_URL, detail, "write an http or https URL").at("url")
    })?;
    Ok((url, resource))
}

/// How many seconds ago it was; none for an instant that has not come yet.
fn age(instant: Moment) -> u64 {
    let now = abide_fetch::http::now().unix_seconds();
    let age = now.saturating_sub(instant.unix_seconds());
    u64::try_from(age).unwrap_or_default()
}

fn hops(hops: &[HopReport]) -> Vec<HopJson> {
    let hops = hops.iter().map(|hop| HopJson {
        url: hop.url.as_str().to_owned(),
        // Where nothing answered, it would let callers look into networks that they cannot see.
        address: hop
            .status
            .and(hop.address)
            .map(|address| address.to_string()),
        status: hop.status,
        failure: failure(hop),
        milliseconds: u64::try_from(hop.took.as_millis()).unwrap_or(u64::MAX),
    });
    hops.collect()
}

/// Why a request failed. Details are for the operator's log unless the site answered: what the
/// system says of an address would let callers look into networks that they cannot see.
fn failure(hop: &HopReport) -> Option<String> {
    match hop.status {
        Some(_) => hop.failure.clone(),
        None => hop.cause.map(|cause| cause.to_string()),
    }
}

/// The fields of a response, each name once: the values of several lines are joined, as HTTP does.
fn headers(trail: &Trail) -> BTreeMap<String, String> {
    let mut found: BTreeMap<String, String> = BTreeMap::new();
    for (name, value) in &trail.fields {
        let value = String::from_utf8_lossy(value);
        let joined = found.entry(name.to_ascii_lowercase());
        joined
            .and_modify(|known| {
                known.push_str(", ");
                known.push_str(&value);
            })
            .or_insert_with(|| value.into_owned());
    }
    found
}

fn failed(error: &StoreError) -> Problem {
    tracing::warn!(%error, "the history cannot be read");
    Problem::new(
        StatusCode::SERVICE_UNAVAILABLE,
        "cache-failed",
        "the history cannot be read",
        "ask again later",
    )
    .retry_after(1)
}
