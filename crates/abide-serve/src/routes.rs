//! Which path leads where.
//!
//! A route is one line here: `.routes(routes!(module::handler))`, where the handler has
//! `#[utoipa::path(…)]`. Everything below `/v1` needs a token if tokens are configured.

use crate::problem::Problem;
use crate::state::App;
use crate::{authz, batch, decide, document, gate, operations, page, robots, tools, turn};
use axum::Router;
use axum::routing::get;
use http::StatusCode;
use std::sync::Arc;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// All routes.
pub(crate) fn router(app: Arc<App>) -> Router {
    let (router, openapi) = OpenApiRouter::with_openapi(document::start())
        .routes(routes!(decide::get, decide::post))
        .routes(routes!(batch::post))
        .routes(routes!(turn::post))
        .routes(routes!(turn::end))
        .routes(routes!(robots::robots))
        .routes(routes!(robots::history))
        .merge(tools::router())
        .merge(authz::router())
        .routes(routes!(operations::live))
        .routes(routes!(operations::ready))
        .routes(routes!(operations::metrics))
        .split_for_parts();
    let document = document::finished(openapi);
    router
        .merge(page::router())
        .route(
            "/openapi.json",
            get(async move || operations::openapi(document.clone())),
        )
        .fallback(|| async { not_found() })
        .method_not_allowed_fallback(|| async { method_not_allowed() })
        .layer(axum::middleware::from_fn_with_state(
            Arc::clone(&app),
            gate::pass,
        ))
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
