//! What changes for whom from one file to another.

use super::{Answer, Files, needed, robots, wrong};
use abide::{Robots, Target};
use abide_analysis::Bound;
use abide_analysis::compare::{self, ChangedUrls, Review};
use abide_contract::diff::Diff;
use abide_contract::{Purposes, RequestError, codes, read};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DiffRequest {
    /// Robots [default: all known robots, and those that the files name].
    #[serde(default)]
    agents: Vec<String>,
    #[serde(default)]
    purposes: Purposes,
    /// URLs to look up.
    urls: Option<Vec<String>>,
    #[serde(default)]
    literal: bool,
}

pub(super) fn diff(request: &[u8], [old, new]: Files<'_>) -> Result<Answer, RequestError> {
    let request: DiffRequest = read(request)?;
    let old = Robots::parse(needed(old, "before")?);
    let new = Robots::parse(needed(new, "after")?);
    let selected = robots(&request.agents, request.literal)?;
    let clients = compare::clients_named(&selected, request.literal, &old, &new);
    let clients = clients.map_err(|error| wrong("agents", error))?;
    let purposes = request.purposes.tokens(None)?;
    let clients = compare::claiming(clients, &purposes);
    let is_everyone = selected.is_empty() && purposes.is_empty();
    let differences = compare::files(&old, &new, &clients, Bound::default());
    let review = Review::new(&old, &new, &differences, is_everyone, Bound::default());
    let mut changed = ChangedUrls::new(&old, &new, &differences);
    for (at, url) in request.urls.iter().flatten().enumerate() {
        let target = Target::new(url)
            .map_err(|error| RequestError::new(codes::INVALID_URL, format!("/urls/{at}"), error))?;
        changed.add(&target);
    }
    let changed = request.urls.is_some().then_some(changed);
    Ok(Answer::of(&Diff::new(
        "before",
        "after",
        differences,
        review,
        changed,
    )))
}
