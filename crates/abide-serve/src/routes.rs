//! Which path leads where.
//!
//! A route is one line here: `.routes(routes!(module::handler))`, where the handler has
//! `#[utoipa::path(…)]`. Everything below `/v1` needs a token if tokens are configured.

use crate::problem::Problem;
use crate::state::App;
use crate::{decide, health, page, tools};
use axum::Router;
use http::StatusCode;
use std::sync::Arc;
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// What the OpenAPI document says beside its paths.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "abide",
        description = "What a robot may do with a URL, and why"
    ),
    components(schemas(Problem))
)]
struct Document;

/// All routes.
pub(crate) fn router(app: Arc<App>) -> Router {
    let (router, _document) = OpenApiRouter::with_openapi(Document::openapi())
        .routes(routes!(decide::get, decide::post))
        .merge(tools::router())
        .routes(routes!(health::live))
        .routes(routes!(health::ready))
        .split_for_parts();
    router
        .merge(page::router())
        .fallback(|| async { not_found() })
        .method_not_allowed_fallback(|| async { method_not_allowed() })
        .with_state(app)
}

fn not_found() -> Problem {
    Problem::new(
        StatusCode::NOT_FOUND,
        "not-found",
        "there is nothing at this path",
        "see the paths in /openapi.json",
    )
}

fn method_not_allowed() -> Problem {
    Problem::new(
        StatusCode::METHOD_NOT_ALLOWED,
        "method-not-allowed",
        "the path does not have this method",
        "see the methods in /openapi.json",
    )
}
