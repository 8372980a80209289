//! `/healthz` and `/readyz`.

use crate::answer;
use crate::problem::Problem;
use crate::state::App;
use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use serde::Serialize;
use std::sync::Arc;

/// How the service is.
#[derive(Debug, Serialize)]
struct Health {
    status: &'static str,
}

/// Whether the process lives.
#[utoipa::path(
    get,
    path = "/healthz",
    tag = "operations",
    responses((status = 200, description = "The process answers", content_type = "application/json")),
)]
pub(crate) async fn live() -> Response {
    answer::of(&Health { status: "ok" })
}

/// Whether requests should be sent here.
#[utoipa::path(
    get,
    path = "/readyz",
    tag = "operations",
    responses(
        (status = 200, description = "Requests are welcome", content_type = "application/json"),
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
    Ok(answer::of(&Health { status: "ready" }))
}
