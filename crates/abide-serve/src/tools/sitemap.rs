//! `/v1/sitemap`: the URLs that a sitemap lists, for `/v1/table`.

use super::work;
use crate::answer::line;
use crate::asker::Asker;
use crate::body::Json;
use crate::in_flight::{HeldMemory, MAX_UNCOUNTED_BYTES, too_much};
use crate::problem::Problem;
use crate::sites::{SitemapFailure, requested};
use crate::state::App;
use abide_contract::tools::{SitemapRequest, SitemapSource, SitemapUrls};
use abide_documents::MAX_SITEMAP_BYTES;
use axum::response::Response;
use flate2::read::MultiGzDecoder;
use http::StatusCode;
use std::io::Read as _;
use std::sync::Arc;

/// How many times as long as a body what is compressed in it may be.
const MAX_RATIO: usize = 4;
/// How a gzip file begins.
const GZIP: &[u8] = b"\x1f\x8b";

/// Lists the URLs of a sitemap, for `/v1/table`. The URLs of an index lead to further sitemaps.
#[utoipa::path(
    post,
    path = "/v1/sitemap",
    tag = "tools",
    request_body(content = ref("#/components/schemas/SitemapRequest"), content_type = "application/json", examples(("example" = (value = json!({"sitemap": "<urlset><url><loc>https://example.com/a</loc></url></urlset>"}))))),
    responses(
        (status = 200, description = "The URLs", body = ref("#/components/schemas/SitemapUrls"), content_type = "application/json"),
        (status = 400, description = "The request or the sitemap cannot be read", body = Problem, content_type = "application/problem+json"),
        (status = 422, description = "There is no sitemap at the URL, or the service may not fetch it", body = Problem, content_type = "application/problem+json"),
    ),
)]
pub(crate) async fn post(
    asker: Asker,
    Json(request): Json<SitemapRequest>,
) -> Result<Response, Problem> {
    let (bytes, place, _fetched) = match request.source()? {
        SitemapSource::Given(bytes, place) => (bytes, place, None),
        SitemapSource::Url(url) => {
            let (bytes, held) = fetched(&asker, &url).await?;
            (bytes, "/url", Some(held))
        }
    };
    let app = Arc::clone(&asker.app);
    let caller = Arc::clone(asker.key());
    work::answer(&asker, move |work| {
        let urls = if bytes.starts_with(GZIP) {
            let (unzipped, _held) = unzipped(&bytes, place, &app, &caller)?;
            SitemapUrls::read(&unzipped, place)?
        } else {
            SitemapUrls::read(&bytes, place)?
        };
        work.check()?;
        Ok(line(&urls))
    })
    .await
}

/// Fetches a sitemap that is no longer than a body, and counts the memory for it.
async fn fetched(asker: &Asker, url: &str) -> Result<(Vec<u8>, HeldMemory), Problem> {
    let requested = requested(url)?;
    let app = &asker.app;
    let limit = app.settings.limits.body;
    let room = || app.in_flight.count(asker.key(), limit);
    let sitemap = app
        .sites
        .sitemap(&requested, limit.saturating_add(1), asker.turns(), room);
    let (bytes, held) = sitemap.await.map_err(|failure| match failure {
        SitemapFailure::Request(error) => Problem::from(error),
        SitemapFailure::NoRoom => too_much(),
        failure => {
            let remedy = "save the sitemap, and send it in \"sitemap_base64\"";
            let status = StatusCode::UNPROCESSABLE_ENTITY;
            Problem::new(status, "no-sitemap", failure.to_string(), remedy).at("/url")
        }
    })?;
    if bytes.len() > limit {
        return Err(too_long(limit, "/url"));
    }
    Ok((bytes, held))
}

fn too_long(limit: usize, place: &'static str) -> Problem {
    let why = format!("it is longer than {limit} bytes");
    Problem::from(SitemapUrls::unreadable(why, place))
        .remedy("split it, or raise max-body where the service is configured")
}

/// The bytes that were compressed with gzip, and the memory for them, which is counted while they
/// come: no gzip says how much is in it.
fn unzipped(
    bytes: &[u8],
    place: &'static str,
    app: &App,
    caller: &Arc<str>,
) -> Result<(Vec<u8>, Vec<HeldMemory>), Problem> {
    let limit = app.settings.limits.body.saturating_mul(MAX_RATIO);
    let limit = limit.min(MAX_SITEMAP_BYTES);
    let mut decoder = MultiGzDecoder::new(bytes);
    let (mut unzipped, mut held) = (Vec::new(), Vec::new());
    let mut room = MAX_UNCOUNTED_BYTES;
    loop {
        let mut part = decoder.by_ref().take((room - unzipped.len()) as u64);
        let read = part.read_to_end(&mut unzipped);
        let read = read.map_err(|error| {
            SitemapUrls::unreadable(format!("its gzip is broken: {error}"), place)
        })?;
        if unzipped.len() > limit {
            return Err(too_long(limit, place));
        }
        if read == 0 {
            return Ok((unzipped, held));
        }
        if unzipped.len() == room {
            // The list has room for twice as much.
            held.push(app.in_flight.admit(caller, room)?);
            room *= 2;
        }
    }
}
