//! `/authz`: whether a proxy should let a request of a robot through, by the robots.txt files of
//! the proxy's own sites.

mod judged_paths;
mod original;

use crate::config::{Authz, OnFailure};
use crate::problem::Problem;
use crate::query::Query;
use crate::site_files::{Rules, SiteFile};
use crate::state::App;
use abide::explain::{self, visible};
use abide::{Policy, ProductToken, Target, Usage};
use abide_known_robots::{Robot, sender};
use abide_lint::view::words;
use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};
use axum::routing::any;
use http::{HeaderMap, HeaderValue, StatusCode, header};
use original::Original;
use std::fmt::Write;
use std::sync::Arc;
use utoipa_axum::router::OpenApiRouter;

/// The header that says why.
const EXPLAIN: &str = "X-Robots-Explain";
/// The status that lets a request through.
const PASS: StatusCode = StatusCode::NO_CONTENT;
/// The longest explanation, in bytes.
const LONGEST: usize = 512;

/// The routes of forward auth: any method, because proxies pass on that of the request.
pub(crate) fn router() -> OpenApiRouter<Arc<App>> {
    #[derive(utoipa::OpenApi)]
    #[openapi(paths(check))]
    struct Described;

    OpenApiRouter::with_openapi(<Described as utoipa::OpenApi>::openapi())
        .route("/authz", any(check))
        .route("/authz/", any(check))
        .route("/authz/{*path}", any(check))
}

/// Says whether a robot may have what a proxy was asked for. Proxies ask it before they answer a
/// request (docs/proxies.md). Any method is accepted. Browsers, and programs that nothing marks as
/// robots, always may.
///
/// The original request comes in one of four ways: in `X-Original-URI` (a path, with `Host`), in
/// `X-Original-URL`, in `X-Forwarded-Uri` with `X-Forwarded-Host`, or as the path behind `/authz`,
/// with `Host`. If it comes in several, `from` says which one counts.
#[utoipa::path(
    get,
    path = "/authz",
    tag = "forward auth",
    params(
        ("status" = Option<u16>, Query, description = "The status of a refusal, 400 to 499 [default: 403]"),
        ("from" = Option<String>, Query, description = "Where the original request is: x-original-uri, x-original-url or x-forwarded-uri [default: the one of them that is there]"),
    ),
    responses(
        (status = 204, description = "Let it through. `X-Robots-Explain` says why. If the path is behind `/authz`, the status is 200"),
        (status = 403, description = "Refuse it. `X-Robots-Explain` has the reason with the line of the robots.txt", body = Problem, content_type = "application/problem+json"),
        (status = 400, description = "The original request cannot be found or read", body = Problem, content_type = "application/problem+json"),
        (status = 409, description = "Forward auth is off", body = Problem, content_type = "application/problem+json"),
    ),
)]
pub(crate) async fn check(State(app): State<Arc<App>>, request: Request) -> Response {
    let (Some(settings), Some(files)) = (&app.settings.authz, &app.site_files) else {
        return off().into_response();
    };
    let asked = match ProxyRequest::read(&request) {
        Ok(asked) => asked,
        Err(problem) => {
            // Whoever only wants a report never refuses anything, not even what is unclear.
            app.counts.authz("unreadable");
            return if settings.report_only {
                // Without the report, every request of this proxy would be refused.
                tracing::warn!(
                    code = problem.code(),
                    header = problem.member(),
                    remedy = problem.what_to_do(),
                    "a proxy does not say clearly what was requested: would answer 400"
                );
                through(PASS, &format!("report only: {}", problem.detail()))
            } else {
                problem.into_response()
            };
        }
    };
    let file = files.of(asked.original.host()).await;
    Verdict::of(&asked, &file).answer(&asked, &app, settings)
}

fn off() -> Problem {
    Problem::new(
        StatusCode::CONFLICT,
        "authz-off",
        "forward auth is off",
        "name a folder with robots.txt files with --authz, or authz in the settings",
    )
}

/// What a proxy asks.
struct ProxyRequest {
    original: Original,
    user_agent: String,
    /// The status of a refusal.
    status: StatusCode,
    /// The status that lets the request through.
    pass: StatusCode,
}

impl ProxyRequest {
    fn read(request: &Request) -> Result<Self, Problem> {
        let query = request.uri().query();
        let behind = original::path_behind(request.uri());
        // The query of a path behind /authz is that of the original request.
        let own = if behind.is_some() { None } else { query };
        let own = Query::read(own, &["status", "from"])?;
        let status = own
            .one("status")?
            .map_or(Ok(StatusCode::FORBIDDEN), status)?;
        let original = match behind {
            Some(path) => Original::behind(path, query, request.headers())?,
            None => Original::read(request.headers(), own.one("from")?)?,
        };
        Ok(Self {
            original,
            user_agent: user_agent(request.headers()),
            status,
            // Envoy, which adds the path, takes any other status for a refusal.
            pass: behind.map_or(PASS, |_| StatusCode::OK),
        })
    }
}

/// The `User-Agent` line; empty if there is none.
fn user_agent(headers: &HeaderMap) -> String {
    let value = headers.get(header::USER_AGENT).map(HeaderValue::as_bytes);
    String::from_utf8_lossy(value.unwrap_or_default()).into_owned()
}

fn status(text: &str) -> Result<StatusCode, Problem> {
    let read = text
        .parse()
        .ok()
        .and_then(|number| StatusCode::from_u16(number).ok());
    read.filter(StatusCode::is_client_error).ok_or_else(|| {
        Problem::bad_request(
            "invalid-query",
            "the parameter \"status\" is no status from 400 to 499",
            "write status=403, or another status that refuses",
        )
        .at("status")
    })
}

/// What comes of a request.
enum Verdict {
    /// It is of no robot.
    NotRobot,
    /// The robots.txt allows it.
    Allowed(String),
    /// The robots.txt disallows it.
    Disallowed(String),
    /// There is no robots.txt that says anything.
    NoFile(String),
}

impl Verdict {
    fn of(asked: &ProxyRequest, file: &SiteFile) -> Self {
        let rules = file.rules();
        let is_named = |name: &ProductToken| rules.is_some_and(|rules| rules.names(name));
        let Some(robot) = sender(&asked.user_agent, is_named) else {
            return Self::NotRobot;
        };
        match file {
            SiteFile::Rules(rules) => Self::by_rules(asked, &robot, rules),
            SiteFile::Missing => Self::NoFile(format!(
                "there is no robots.txt for {}",
                visible(asked.original.host().as_bytes())
            )),
            SiteFile::Broken(why) => Self::NoFile(format!(
                "the robots.txt for {} cannot be read: {why}",
                visible(asked.original.host().as_bytes())
            )),
        }
    }

    /// What the rules say about every path that may be served: one that is disallowed is enough.
    fn by_rules(asked: &ProxyRequest, robot: &Robot, rules: &Rules) -> Self {
        let policy = match rules.policy(robot) {
            Ok(policy) => policy,
            Err(error) => return Self::NoFile(error.to_string()),
        };
        let mut allowed = None;
        for path in judged_paths::of(asked.original.target()) {
            let Ok(target) = Target::new(&path) else {
                continue;
            };
            let is_allowed = policy.allows(&path);
            let sentence = || {
                let may = if is_allowed { "may" } else { "may not" };
                format!(
                    "{robot} {may} fetch {}: {}",
                    explain::visible_url(&path),
                    reason(&policy, &target)
                )
            };
            if !is_allowed {
                return Self::Disallowed(sentence());
            }
            allowed.get_or_insert_with(sentence);
        }
        Self::Allowed(allowed.unwrap_or_else(|| format!("{robot} asks for no path")))
    }

    /// The answer, which is counted and, if it refuses anything, logged.
    fn answer(self, asked: &ProxyRequest, app: &App, settings: &Authz) -> Response {
        let is_closed = settings.on_failure == OnFailure::Closed;
        let (name, refuses, why) = match self {
            Self::NotRobot => {
                let why = "the request is of no known robot".to_owned();
                ("not-a-robot", false, why)
            }
            Self::Allowed(why) => ("allowed", false, why),
            Self::Disallowed(why) => ("disallowed", true, why),
            Self::NoFile(why) => ("no-file", is_closed, why),
        };
        let host = asked.original.host();
        match (refuses, settings.report_only) {
            (false, _) => {
                app.counts.authz(name);
                through(asked.pass, &why)
            }
            (true, true) => {
                app.counts.authz("would-refuse");
                tracing::info!(host, why, "would refuse a robot");
                through(asked.pass, &format!("report only: {why}"))
            }
            (true, false) => {
                app.counts.authz(name);
                tracing::info!(host, why, "refused a robot");
                let remedy = "follow the robots.txt of the site";
                let problem = Problem::new(asked.status, "disallowed", why.as_str(), remedy);
                explained(problem.into_response(), &why)
            }
        }
    }
}

/// Why: the line that decides, with its text, or the reason if no line does.
fn reason(policy: &Policy, target: &Target<'_>) -> String {
    let decision = policy.decide(target);
    let first = decision
        .usage(Usage::Crawl)
        .and_then(|crawl| crawl.evidence.first());
    match first {
        Some(first) => match (first.place, first.locator()) {
            (Some(place), None) if words::is_statement(first) => {
                let text = visible(first.statement);
                format!("line {}: {text}", place.line)
            }
            _ => explain::why(first),
        },
        None => "nothing is said about it".to_owned(),
    }
}

/// Lets the request through.
fn through(status: StatusCode, why: &str) -> Response {
    explained(status.into_response(), why)
}

/// Adds the header that says why.
fn explained(mut response: Response, why: &str) -> Response {
    response.headers_mut().insert(EXPLAIN, header_text(why));
    response
}

/// Text as the value of a header: ASCII, and not too long.
fn header_text(text: &str) -> HeaderValue {
    let mut value = String::new();
    for character in text.chars() {
        match character {
            ' '..='~' => value.push(character),
            other => {
                // Writing to a String cannot fail.
                let _ = write!(value, "{}", other.escape_unicode());
            }
        }
        if value.len() > LONGEST {
            value.truncate(LONGEST);
            value.push_str("...");
            break;
        }
    }
    HeaderValue::from_str(&value).expect("visible ASCII is the value of a header")
}
