//! `/healthz`, `/readyz`, `/metrics` and `/openapi.json`.

use crate::answer;
use crate::problem::Problem;
use crate::process;
use crate::state::App;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::response::Response;
use http::{HeaderValue, StatusCode, header};
use serde::Serialize;
use std::sync::Arc;

/// How the service is.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub(crate) struct HealthJson {
    status: &'static str,
}

/// Whether the process lives.
#[utoipa::path(
    get,
    path = "/healthz",
    tag = "operations",
    responses((status = 200, description = "The process answers", body = HealthJson)),
)]
pub(crate) async fn live() -> Response {
    answer::of(&HealthJson { status: "ok" })
}

/// Whether requests should be sent here.
#[utoipa::path(
    get,
    path = "/readyz",
    tag = "operations",
    responses(
        (status = 200, description = "Requests are welcome", body = HealthJson),
        (status = 503, description = "The service ends", body = Problem, content_type = "application/problem+json"),
    ),
)]
pub(crate) async fn ready(State(app): State<Arc<App>>) -> Result<Response, Problem> {
    if app.is_draining() {
        return Err(Problem::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "shutting-down",
            "the service ends",
            "send requests to another instance",
        ));
    }
    Ok(answer::of(&HealthJson { status: "ready" }))
}

/// What the service counts, in the text format of Prometheus. Needs a token if tokens are
/// configured.
#[utoipa::path(
    get,
    path = "/metrics",
    tag = "operations",
    responses((status = 200, description = "Counters", body = String, content_type = "text/plain")),
)]
pub(crate) async fn metrics(State(app): State<Arc<App>>) -> Response {
    let (counts, sites) = (&app.counts, &app.sites);
    for (gauge, level) in [
        (&counts.sites, Some(sites.len())),
        (&counts.in_flight, Some(app.in_flight.bytes())),
        (&counts.files_bytes, Some(sites.memory_used())),
        (&counts.store_bytes, sites.folder_bytes()),
        (&counts.resident_bytes, process::resident_bytes()),
        (&counts.open_files, process::open_files()),
        (&counts.most_open_files, process::most_open_files()),
    ] {
        #[expect(clippy::cast_precision_loss, reason = "a level")]
        gauge.set(level.unwrap_or_default() as f64);
    }
    let mut response = Response::new(Body::from(app.counts.text()));
    let media_type = HeaderValue::from_static("text/plain; version=0.0.4");
    response
        .headers_mut()
        .insert(header::CONTENT_TYPE, media_type);
    response
}

/// The document that describes every path.
pub(crate) fn openapi(document: Bytes) -> Response {
    let mut response = Response::new(Body::from(document));
    let media_type = HeaderValue::from_static("application/json");
    response
        .headers_mut()
        .insert(header::CONTENT_TYPE, media_type);
    response
}
