//! `/v1/turn`: when a crawler may come to a site, and the end of its visit.

use crate::answer;
use crate::asker::Asker;
use crate::body::{self, Json};
use crate::leases::Leases;
use crate::problem::{OVERLOADED, Problem};
use crate::query::Query;
use crate::shares::Share;
use crate::sites::{Found, requested};
use crate::state::App;
use crate::workers::{Desk, Work};
use abide::rep::Access;
use abide_contract::{Request, codes};
use abide_fetch::RequestUrl;
use abide_fetch::machine::Field;
use abide_fetch::pace::{TurnError, Visit};
use axum::body::Bytes;
use axum::extract::{self, OriginalUri, RawQuery, State};
use axum::response::Response;
use http::StatusCode;
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{Instant, timeout_at};
use utoipa::ToSchema;

/// The version of these answers.
const SCHEMA: u32 = 1;
/// The path before the token of a visit.
const PREFIX: &str = "/v1/turn/";
/// How many seconds a request may wait for its turn, and how many it waits by default.
const WAIT: (RangeInclusive<u64>, u64) = (1..=60, 20);
/// How many seconds a visit may last, and how many it lasts by default.
const LASTS: (RangeInclusive<u64>, u64) = (1..=300, 60);
/// How often rules may change while a request waits.
const MAX_CHANGES: usize = 3;

/// Whether a site may be visited now.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Turn)]
pub(crate) struct TurnJson {
    schema: u32,
    state: TurnState,
    /// The URL to send, or that would be sent.
    url: String,
    /// For `go`: the token that ends the visit.
    #[serde(skip_serializing_if = "Option::is_none")]
    turn: Option<String>,
    /// For `go`: after how many seconds the visit ends by itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    lasts_seconds: Option<u64>,
    /// For `wait` and `unreachable`: after how many seconds to ask again; also the field
    /// `Retry-After`.
    #[serde(skip_serializing_if = "Option::is_none")]
    wait_seconds: Option<u64>,
}

/// What a crawler does with a URL now.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum TurnState {
    /// Fetch it, and end the visit.
    Go,
    /// Nothing: the site has no turn in the time that the request may wait.
    Wait,
    /// Nothing: the robots.txt disallows it.
    Disallowed,
    /// Nothing: the robots.txt cannot be fetched.
    Unreachable,
    /// Nothing: the robots.txt is not known, and nothing is fetched.
    Unknown,
}

/// How a visit went.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = TurnEndBody)]
pub(crate) struct EndRequest {
    /// The status of the answer.
    #[serde(default)]
    #[schema(minimum = 100, maximum = 999)]
    status: Option<u16>,
    /// The field `Retry-After` of the answer. It counts for status 429 and 503.
    #[serde(default)]
    retry_after: Option<String>,
    /// Whether there was no answer, or none that can be read [default: false].
    #[serde(default)]
    failed: bool,
    /// Whether nothing was sent: the site keeps the delay that it had [default: false].
    #[serde(default)]
    unused: bool,
}

/// The end of a visit.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = TurnEnd)]
pub(crate) struct EndJson {
    schema: u32,
    /// How many seconds the site rests now.
    rests_seconds: f64,
}

/// Waits until the site of a URL may be visited, if its robots.txt allows the URL.
#[utoipa::path(
    post,
    path = "/v1/turn",
    tag = "turns",
    params(
        ("wait" = Option<u64>, Query, description = "How many seconds to wait for the turn, from 1 to 60 [default: 20]"),
        ("lasts" = Option<u64>, Query, description = "After how many seconds the visit ends by itself, from 1 to 300 [default: 60]"),
    ),
    request_body(
        content = ref("#/components/schemas/Request"),
        content_type = "application/json",
        description = "A request of the contract, without a robots.txt. Members about the page do not count",
        examples(("example" = (value = json!({"url": "https://127.0.0.1:1/page", "agent": "ExampleBot"})))),
    ),
    responses(
        (status = 200, description = "Whether to fetch the URL now", body = TurnJson, content_type = "application/json", headers(("Retry-After" = Option<u64>, description = "After how many seconds to ask again"))),
        (status = 400, description = "A member is wrong", body = Problem, content_type = "application/problem+json"),
        (status = 409, description = "The service gives no turns", body = Problem, content_type = "application/problem+json"),
    ),
)]
pub(crate) async fn post(
    asker: Asker,
    RawQuery(query): RawQuery,
    request: extract::Request,
) -> Result<Response, Problem> {
    let query = Query::read(query.as_deref(), &["wait", "lasts"])?;
    let wait = seconds(&query, "wait", WAIT)?;
    let lasts = seconds(&query, "lasts", LASTS)?;
    let leases = leases(&asker.app)?;
    let bytes = body::json_bytes(request, &asker.app).await?;
    let room = leases.room(asker.key())?;
    let until = Instant::now() + wait;
    let turn = turn(asker.clone(), bytes, until);
    let (url, turn) = asker.run(Work::Decision, &Desk::default(), turn).await?;
    // Whoever has gone meanwhile gets no visit.
    answered(&asker, leases, &url, turn, (room, lasts))
}

/// Ends a visit: the delay of its site begins.
#[utoipa::path(
    post,
    path = "/v1/turn/{turn}",
    tag = "turns",
    params(("turn" = String, Path, description = "The token of the visit")),
    request_body(content = EndRequest, content_type = "application/json", examples(
        ("an answer" = (value = json!({"status": 200}))),
        ("a busy site" = (value = json!({"status": 503, "retry_after": "120"}))),
    )),
    responses(
        (status = 200, description = "The visit has ended", body = EndJson, content_type = "application/json"),
        (status = 400, description = "A member is wrong", body = Problem, content_type = "application/problem+json"),
        (status = 404, description = "There is no such visit", body = Problem, content_type = "application/problem+json"),
        (status = 409, description = "The service gives no turns", body = Problem, content_type = "application/problem+json"),
    ),
)]
pub(crate) async fn end(
    State(app): State<Arc<App>>,
    asker: Asker,
    OriginalUri(uri): OriginalUri,
    Json(request): Json<EndRequest>,
) -> Result<Response, Problem> {
    let leases = leases(&app)?;
    request.check()?;
    let token = uri.path().strip_prefix(PREFIX).unwrap_or_default();
    let (visit, _held) = leases.take(token, asker.key()).ok_or_else(no_turn)?;
    let rests = request.end(visit);
    Ok(answer::of(&EndJson {
        schema: SCHEMA,
        rests_seconds: rests.as_secs_f64(),
    }))
}

/// What came of waiting for a turn.
enum Turn {
    Go(Visit, Share),
    Wait,
    Refused(TurnState, Option<u64>),
}

/// Waits for a turn at the site of the request in `bytes`.
async fn turn(asker: Asker, bytes: Bytes, until: Instant) -> Result<(RequestUrl, Turn), Problem> {
    let question = Request::read(&bytes)?;
    if question.has_robots() {
        return Err(Problem::bad_request(
            codes::INVALID_REQUEST,
            "the request has a robots.txt, and a turn is given by that of the site",
            "leave out robots, robots_base64, robots_status and robots_error",
        ));
    }
    let url = requested(question.url())?;
    let turn = timeout_at(until, turn_at(&asker, &question, &url)).await;
    Ok((url, turn.unwrap_or(Ok(Turn::Wait))?))
}

async fn turn_at(asker: &Asker, question: &Request<'_>, url: &RequestUrl) -> Result<Turn, Problem> {
    let leases = leases(&asker.app)?;
    for _ in 0..MAX_CHANGES {
        let found = asker.app.sites.rules(question, url, asker.turns()).await?;
        if let Some(state) = refusal(&found, url) {
            return Ok(Turn::Refused(state, found.retry_after()));
        }
        let next = leases.next_at(url, asker.key()).await;
        match found.turn(url).await {
            Ok(Some(visit)) => return Ok(Turn::Go(visit, next)),
            // The rules changed meanwhile.
            Ok(None) => {}
            Err(TurnError::Late | TurnError::Expired) => return Ok(Turn::Wait),
            Err(error) => return Err(no_room(&error)),
        }
    }
    Ok(Turn::Wait)
}

/// Why a crawler may not fetch `url`, if it may not.
fn refusal(found: &Found, url: &RequestUrl) -> Option<TurnState> {
    if found.policy.allows(url.as_str()) {
        return None;
    }
    Some(match found.policy.access() {
        Access::Unreachable(_) => TurnState::Unreachable,
        Access::Unknown => TurnState::Unknown,
        _ => TurnState::Disallowed,
    })
}

fn answered(
    asker: &Asker,
    leases: &Leases,
    url: &RequestUrl,
    turn: Turn,
    (room, lasts): (Share, Duration),
) -> Result<Response, Problem> {
    let mut json = TurnJson {
        schema: SCHEMA,
        state: TurnState::Go,
        url: url.as_str().to_owned(),
        turn: None,
        lasts_seconds: None,
        wait_seconds: None,
    };
    match turn {
        Turn::Go(visit, next) => {
            let token = leases.open(asker.key(), visit, (room, next), lasts)?;
            json.turn = Some(token.to_string());
            json.lasts_seconds = Some(lasts.as_secs());
        }
        Turn::Wait => {
            json.state = TurnState::Wait;
            json.wait_seconds = Some(ceil_seconds(leases.wait(url)).max(1));
        }
        Turn::Refused(state, wait) => {
            json.state = state;
            json.wait_seconds = wait;
        }
    }
    let response = answer::of(&json);
    Ok(answer::with_retry_after(response, json.wait_seconds))
}

impl EndRequest {
    fn check(&self) -> Result<(), Problem> {
        let said = [self.status.is_some(), self.failed, self.unused];
        if said.into_iter().filter(|said| *said).count() > 1 {
            return Err(Problem::bad_request(
                codes::INVALID_REQUEST,
                "expected one of \"status\", \"failed\" and \"unused\", but found several",
                "send status if there was an answer, failed if there was none, unused if nothing \
                 was sent",
            ));
        }
        if self
            .status
            .is_some_and(|status| !(100..1_000).contains(&status))
        {
            return Err(Problem::bad_request(
                codes::INVALID_REQUEST,
                "in \"status\": expected a status of HTTP from 100 to 999",
                "send the status of the answer, or failed if there was none",
            )
            .at("/status"));
        }
        Ok(())
    }

    /// Ends `visit`, and returns how long its site then rests.
    fn end(&self, mut visit: Visit) -> Duration {
        if self.unused {
            visit.give_back();
            return Duration::ZERO;
        }
        if self.failed {
            visit.failed();
        }
        if let Some(status) = self.status {
            let field = self.retry_after.as_deref();
            let field = field.map(|value| Field::new("Retry-After", value.as_bytes()));
            visit.answered(status, field.as_slice());
        }
        visit.end()
    }
}

fn leases(app: &App) -> Result<&Leases, Problem> {
    app.leases.as_ref().ok_or_else(|| {
        Problem::new(
            StatusCode::CONFLICT,
            "turns-off",
            "the service gives no turns",
            "set turns where the service is configured",
        )
    })
}

fn no_turn() -> Problem {
    Problem::new(
        StatusCode::NOT_FOUND,
        "no-such-turn",
        "you have no visit with this token: it has ended, by itself or because you said so, or \
         another instance gave it",
        "ask for a new turn",
    )
}

/// Why the pacer gives no turn, which is for the operator.
fn no_room(error: &TurnError) -> Problem {
    tracing::warn!(%error, "no turn");
    Problem::new(
        StatusCode::SERVICE_UNAVAILABLE,
        OVERLOADED,
        "the service has no room for another visit, or could not ask for the robots.txt of its site",
        "ask again later, or ask another instance",
    )
    .retry_after(1)
}

/// The seconds of a parameter, or its default.
fn seconds(
    query: &Query<'_>,
    name: &'static str,
    (range, default): (RangeInclusive<u64>, u64),
) -> Result<Duration, Problem> {
    let Some(text) = query.one(name)? else {
        return Ok(Duration::from_secs(default));
    };
    let seconds = text.parse().ok().filter(|seconds| range.contains(seconds));
    let seconds = seconds.ok_or_else(|| {
        let (least, most) = (range.start(), range.end());
        Problem::bad_request(
            "invalid-query",
            format!("the parameter {name:?} is no whole number of seconds from {least} to {most}"),
            format!("write {name}={default}, or leave it out"),
        )
        .at(name)
    })?;
    Ok(Duration::from_secs(seconds))
}

fn ceil_seconds(time: Duration) -> u64 {
    time.as_secs() + u64::from(time.subsec_nanos() > 0)
}
