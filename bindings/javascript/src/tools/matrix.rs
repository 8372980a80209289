//! Which robots may crawl a site.

use super::{Answer, Files, needed, robots, wrong};
use abide::{Limits, Profile, Robots};
use abide_analysis::Bound;
use abide_analysis::matrix::{Matrix, MatrixSettings};
use abide_analysis::preferences::{self, SiteQuestion};
use abide_contract::matrix::FileMatrix;
use abide_contract::{Purposes, RequestError, read};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MatrixRequest {
    /// Robots [default: all known robots, those that the file names, and every other robot].
    #[serde(default)]
    agents: Vec<String>,
    #[serde(default)]
    purposes: Purposes,
    #[serde(default)]
    profile: Profile,
    #[serde(default)]
    literal: bool,
    /// Whether to answer for training, AI input and search too [default: if the file states a
    /// preference].
    preferences: Option<bool>,
}

pub(super) fn matrix(request: &[u8], [file, _]: Files<'_>) -> Result<Answer, RequestError> {
    let request: MatrixRequest = read(request)?;
    let profile = request.profile;
    let selected = robots(&request.agents, false)?;
    let file = Robots::parse_as(needed(file, "robots")?, profile, Limits::default());
    let asks = request.preferences;
    let settings = MatrixSettings {
        literal: request.literal,
        preferences: asks
            .unwrap_or_else(|| preferences::are_stated(&file))
            .then(SiteQuestion::default),
        purposes: request.purposes.tokens(None)?,
    };
    let matrix = Matrix::of_file(&file, &selected, &settings, Bound::default());
    let matrix = matrix.map_err(|error| wrong("agents", error))?;
    Ok(Answer::of(&FileMatrix::new(
        "robots.txt",
        profile,
        request.literal,
        &matrix,
    )))
}
