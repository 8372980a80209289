//! `/v1/diff`: what `abide diff --format json` writes.

use super::input::{Agents, few, file, unknown_robot};
use super::work::{self, Deadline};
use crate::answer::indented;
use crate::asker::Asker;
use crate::body::Json;
use crate::problem::Problem;
use crate::sites::requested;
use abide::{PurposeToken, Robots, Target};
use abide_analysis::Bound;
use abide_analysis::compare::{self, ChangedUrls, Review};
use abide_contract::diff::Diff;
use abide_contract::{Object, Purposes, Room, codes};
use axum::response::Response;
use futures_util::future::try_join;
use http::StatusCode;
use serde::Deserialize;
use std::sync::Arc;

/// Two files, and the robots to compare for.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct DiffRequest {
    /// The old file.
    #[schema(value_type = Side)]
    before: Object<Side>,
    /// The new file.
    #[schema(value_type = Side)]
    after: Object<Side>,
    /// Robots to compare for [default: every robot that either file names, one that neither names,
    /// and known robots that follow other groups]
    #[serde(default)]
    agents: Agents,
    /// Purposes that the robots claim, as `User-Agent-Purpose` lines name them.
    #[serde(default)]
    #[schema(value_type = Vec<String>)]
    purposes: Purposes,
    /// Whether to leave out what operators document about their robots.
    #[serde(default)]
    literal: bool,
    /// URLs, or paths, to look for changes.
    #[serde(deserialize_with = "some", default)]
    urls: Option<Vec<String>>,
    /// Whether the answer may be longer than 20 times the files.
    #[serde(default)]
    all: bool,
}

fn some<'de, D: serde::Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Vec<String>>, D::Error> {
    few(deserializer).map(Some)
}

/// A file: given, or that of a site.
#[derive(Debug, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
struct Side {
    /// The robots.txt as text.
    robots: Option<String>,
    /// The file in base64, for any bytes.
    robots_base64: Option<String>,
    /// The name of the file in the answer [default: before, after]
    file: Option<String>,
    /// A URL of the site whose robots.txt is fetched.
    url: Option<String>,
}

/// Shows what changes between two robots.txt files, and for which robots.
#[utoipa::path(
    post,
    path = "/v1/diff",
    tag = "tools",
    request_body(content = DiffRequest, content_type = "application/json", examples(("example" = (value = json!({
    "before": {"robots": "User-agent: *\nDisallow: /private/\n"},
    "after": {"robots": "User-agent: *\nDisallow: /\n"},
}))))),
    responses(
        (status = 200, description = "What changes", body = ref("#/components/schemas/Diff"), content_type = "application/json"),
        (status = 400, description = "The request cannot be read", body = Problem, content_type = "application/problem+json"),
        (status = 422, description = "A site has no robots.txt to compare", body = Problem, content_type = "application/problem+json"),
    ),
)]
pub(crate) async fn post(
    asker: Asker,
    Json(request): Json<DiffRequest>,
) -> Result<Response, Problem> {
    let purposes = request.purposes.tokens(None)?;
    let before = read(&asker, request.before.0, "before");
    let after = read(&asker, request.after.0, "after");
    let (before, after) = try_join(before, after).await?;
    let asking = Asking {
        agents: request.agents,
        purposes,
        literal: request.literal,
        urls: request.urls,
        all: request.all,
    };
    let work = move |deadline: &Deadline| asking.compared(&before, &after, deadline);
    work::answer(&asker, work).await
}

/// A file with its name.
struct Named {
    name: String,
    bytes: Arc<[u8]>,
}

/// Reads one of the files.
async fn read(asker: &Asker, side: Side, member: &'static str) -> Result<Named, Problem> {
    let object = format!("/{member}");
    let Some(url) = side.url else {
        return Ok(Named {
            bytes: file(side.robots, side.robots_base64.as_deref(), &object)?,
            name: side.file.unwrap_or_else(|| member.to_owned()),
        });
    };
    if side.robots.is_some() || side.robots_base64.is_some() {
        return Err(Problem::bad_request(
            codes::INVALID_ROBOTS,
            format!("in \"{member}\": expected a file or \"url\", but found both"),
            "leave one of them out",
        )
        .at(object));
    }
    let place = format!("{object}/url");
    let requested = requested(&url).map_err(|error| Problem::from(error).at(place.clone()))?;
    let found = asker.app.sites.fetched(&requested, asker.turns()).await;
    found.map_err(|error| Problem::from(error).at(place.clone()))?;
    let bytes = asker
        .app
        .sites
        .file(&requested, asker.turns())
        .await
        .map_err(|why| {
            let detail = format!("in \"{member}\": {why}");
            let remedy = "send the file in \"robots\", or try again when the site answers";
            let status = StatusCode::UNPROCESSABLE_ENTITY;
            Problem::new(status, "no-robots-txt", detail, remedy).at(place)
        })?;
    Ok(Named {
        bytes,
        name: side.file.unwrap_or(url),
    })
}

/// What is asked about the two files.
struct Asking {
    agents: Agents,
    purposes: Vec<PurposeToken>,
    literal: bool,
    urls: Option<Vec<String>>,
    all: bool,
}

impl Asking {
    fn compared(
        &self,
        before: &Named,
        after: &Named,
        deadline: &Deadline,
    ) -> Result<Vec<u8>, Problem> {
        let robots = self.agents.robots(self.literal)?;
        let [old, new] = [before, after].map(|side| Robots::parse(&side.bytes));
        let clients = compare::clients_named(&robots, self.literal, &old, &new)
            .map_err(|error| unknown_robot(&error))?;
        let clients = compare::claiming(clients, &self.purposes);
        let (bound, goes_on) = (Bound::default(), || deadline.goes_on());
        let differences = compare::files_while(&old, &new, &clients, bound, &goes_on)
            .ok_or_else(|| deadline.passed())?;
        let is_everyone = robots.is_empty() && self.purposes.is_empty();
        let review = Review::new_while(&old, &new, &differences, is_everyone, bound, &goes_on)
            .ok_or_else(|| deadline.passed())?;
        let mut changed = ChangedUrls::new(&old, &new, &differences);
        for (at, url) in self.urls.iter().flatten().enumerate() {
            deadline.check()?;
            let target = Target::new(url).map_err(|error| {
                Problem::bad_request(
                    codes::INVALID_URL,
                    format!("in \"urls\": {error}"),
                    "write an absolute URL, or a path that begins with \"/\"",
                )
                .at(format!("/urls/{at}"))
            })?;
            changed.add(&target);
        }
        let changed = self.urls.is_some().then_some(changed);
        let (old, new) = (&before.name, &after.name);
        let diff = Diff::new(old, new, differences, review, changed);
        let bytes = before.bytes.len() + after.bytes.len();
        Ok(indented(&if self.all {
            diff
        } else {
            diff.within(Room::for_bytes(bytes))
        }))
    }
}
