//! `/v1/robots` and `/v1/history`: the current rules of a site, and earlier ones.

use crate::answer;
use crate::asker::Asker;
use crate::problem::Problem;
use crate::query::Query;
use crate::sites::{LastFetch, requested};
use crate::state::App;
use crate::workers::{Desk, Work};
use abide::Moment;
use abide_contract::codes;
use abide_fetch::http::HopReport;
use abide_fetch::machine::{self, Answer, CurrentRules, Validators};
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
    /// The final status of the last fetch, if this process made it.
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
    /// The reason in words.
    why: String,
    /// How many seconds the site says that its file is fresh.
    lifetime: Option<u64>,
    /// Every request of the last fetch, if this process made it: redirects lead from one to the
    /// next.
    redirects: Vec<HopJson>,
    /// Fields of the response that are kept.
    headers: BTreeMap<&'static str, String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<FileJson>,
}

/// A request of a fetch.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct HopJson {
    url: String,
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
        let (text, encoded) = answer::text_or_base64(bytes);
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
}

/// The current rules of the site of a URL, since when they apply and why, and the file.
#[utoipa::path(
    get,
    path = "/v1/robots",
    tag = "sites",
    params(
        ("url" = String, Query, description = "A URL of the site"),
        ("refresh" = Option<bool>, Query, description = "Whether to ask the site even if its file is fresh, unless it was asked within the last two seconds [default: false]"),
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
    let found = if is_refresh {
        app.sites.refreshed(&url, asker.turns()).await
    } else {
        app.sites.fetched(&url, asker.turns()).await
    };
    found.map_err(|error| Problem::from(error).at("url"))?;
    let state = app.sites.state(url.as_str(), asker.turns()).await;
    let (state, at) =
        state.unwrap_or_else(|| (machine::State::default(), abide_fetch::http::now()));
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
    let copy = state.copy();
    let last = app.sites.last_fetch(&resource);
    Ok(answer::of(&RobotsJson {
        schema: SCHEMA,
        origin: resource.origin().as_str().to_owned(),
        robots_url: resource.url(),
        state: plan.why.name(),
        in_force,
        status: last.as_ref().and_then(|last| last.hops.last()?.status),
        since: copy.map(|copy| copy.fetched_at.to_string()),
        confirmed: copy.map(|copy| copy.checked_at.to_string()),
        age: copy.map(|copy| age(copy.checked_at)),
        expires: copy.map(|copy| copy.fresh_until.to_string()),
        unreachable_since: state.outage().map(|outage| outage.since.to_string()),
        retry_at: state.outage().map(|outage| outage.retry_at.to_string()),
        why,
        lifetime: copy.and_then(|copy| copy.freshness.seconds),
        redirects: last.as_ref().map_or_else(Vec::new, |last| hops(last)),
        headers: headers(
            last.as_deref(),
            copy.and_then(|copy| match copy.kept {
                Answer::File(_) => Some(&copy.validators),
                Answer::Missing(_) => None,
            }),
        ),
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

fn hops(last: &LastFetch) -> Vec<HopJson> {
    let hops = last.hops.iter().map(|hop| HopJson {
        url: hop.url.as_str().to_owned(),
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

fn headers(
    last: Option<&LastFetch>,
    validators: Option<&Validators>,
) -> BTreeMap<&'static str, String> {
    let media_type = last.and_then(|last| last.media_type.clone());
    let etag = validators.and_then(|validators| validators.etag.clone());
    let modified = validators.and_then(|validators| validators.last_modified.clone());
    let fields = [
        ("content-type", media_type),
        ("etag", etag),
        ("last-modified", modified),
    ];
    let fields = fields.into_iter();
    fields
        .filter_map(|(name, value)| Some((name, value?)))
        .collect()
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
