//! `/v1/robots` and `/v1/history`: the current rules of a site, and earlier ones.

use crate::answer;
use crate::asker::Asker;
use crate::problem::Problem;
use crate::query::Query;
use crate::sites::requested;
use crate::state::App;
use crate::workers::{Desk, Work};
use abide_contract::fetch::{
    FetchTrail, FetchedSite, Observation, SentRequest, ServedFile, SiteHistory,
};
use abide_contract::{Versioned, codes};
use abide_fetch::machine::{HopReport, State};
use abide_fetch::store::StoreError;
use abide_fetch::{BodyHash, RequestUrl, Resource};
use axum::extract::RawQuery;
use axum::response::Response;
use http::StatusCode;
use std::sync::Arc;

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
        (status = 200, description = "The current rules", body = ref("#/components/schemas/FetchedSite"), content_type = "application/json"),
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
    let sites = &asker.app.sites;
    let found = sites.state(&url, asker.turns(), is_refresh).await;
    let found = found.map_err(|error| Problem::from(error).at("url"))?;
    let now = abide_fetch::http::now();
    let asks_to_wait = found.as_ref().and_then(|found| found.asks_to_wait);
    let (state, at) =
        found.map_or_else(|| (State::default(), now), |found| (found.state, found.at));
    let plan = state.plan(at, &sites.settings);
    let last = sites.last_fetch(&resource);
    let site = FetchedSite::of(resource.url(), &state, &plan, now, request);
    Ok(answer::of(&Versioned::new(FetchedSite {
        file: plan.file().map(ServedFile::with_text),
        asks_to_wait,
        user_agent: last.as_ref().map(|_| sites.user_agent.clone()),
        requests: last
            .iter()
            .flat_map(|last| &last.hops)
            .map(request)
            .collect(),
        media_type: last.as_ref().and_then(|last| last.media_type.clone()),
        downgraded: last.is_some_and(|last| last.is_downgraded),
        ..site
    })))
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
        (status = 200, description = "What was served, and when", body = ref("#/components/schemas/SiteHistory"), content_type = "application/json"),
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
            body.as_ref().map(ServedFile::with_text)
        }
    };
    let observations = served.iter().map(|seen| Observation {
        sha256: seen.sha256.to_string(),
        bytes: seen.bytes,
        first: seen.first,
        last: seen.last,
        trail: seen
            .trail
            .as_ref()
            .map(|kept| FetchTrail::of(kept, request)),
    });
    Ok(answer::of(&Versioned::new(SiteHistory {
        url: resource.url(),
        observations: observations.collect(),
        file,
    })))
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

/// What callers learn of a request. Details are for the operator's log unless the site answered:
/// what the system says of an address would let callers look into networks that they cannot see.
fn request(hop: &HopReport) -> SentRequest {
    let sent = SentRequest::of(hop);
    if hop.status.is_some() {
        return sent;
    }
    SentRequest {
        address: None,
        failure: hop.cause.map(|cause| cause.to_string()),
        ..sent
    }
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
