//! The tools of the command over HTTP: the same code, and the same JSON.

mod convert;
mod diff;
mod explain;
mod fmt;
mod init;
mod known_robots;
mod lint;
mod matrix;
mod sitemap;
mod table;
mod test;
mod work;

use crate::state::App;
use std::sync::Arc;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// The routes of the tools.
pub(crate) fn router() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(lint::get, lint::post))
        .routes(routes!(fmt::post))
        .routes(routes!(explain::post))
        .routes(routes!(matrix::post))
        .routes(routes!(diff::post))
        .routes(routes!(test::post))
        .routes(routes!(convert::post))
        .routes(routes!(table::post))
        .routes(routes!(sitemap::post))
        .routes(routes!(init::post))
        .routes(routes!(known_robots::get))
}
