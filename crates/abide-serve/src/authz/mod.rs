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
use abide_analysis::view::sentences;
use abide_known_robots::{Robot, sender};
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
const MAX_EXPLANATION_BYTES: usize = 512;

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
        (status = 403, description = "Refuse it. `X-Robots-Explain` has the reason, such as the line of the robots.txt", body = Problem, content_type = "application/problem+json"),
        (status = 400, description = "The original request cannot be found or read", body = Problem, content_type = "application/problem+json"),
        (status = 409, description = "Forward auth is off", body = Problem, content_type = "application/problem+json"),
    ),
)]
pub(crate) async fn check(State(app): State<Arc<App>>, request: Request) -> Response {
    let (Some(settings), Some(files)) = (&app.settings.authz, &app.site_files) else {
        return off().into_response();
    };
    let proxy_request = match ProxyRequest::read(&request) {
        Ok(proxy_request) => proxy_request,
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
    let file = files.of(proxy_request.original.host()).await;
    Verdict::of(&proxy_request, &file, settings).answer(&proxy_request, &app, settings)
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

/// The `User-Agent` line; empty if there is none. Of several, all count.
fn user_agent(headers: &HeaderMap) -> String {
    let values = headers.get_all(header::USER_AGENT).iter();
    let values: Vec<_> = values.map(HeaderValue::as_bytes).collect();
    String::from_utf8_lossy(&values.join(&b' ')).into_owned()
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answer {
    /// It is of no robot.
    NotRobot,
    /// The robots.txt allows it.
    Allowed,
    /// The robots.txt disallows it.
    Disallowed,
    /// There is no robots.txt that says anything.
    NoFile,
    /// Nobody can say which path would be served.
    UnclearPath,
    /// Nobody can say who asks.
    NoUserAgent,
}

impl Answer {
    /// Its name in counters and logs, and the code of a refusal.
    const fn name(self) -> &'static str {
        match self {
            Self::NotRobot => "not-a-robot",
            Self::Allowed => "allowed",
            Self::Disallowed => "disallowed",
            Self::NoFile => "no-file",
            Self::UnclearPath => "unclear-path",
            Self::NoUserAgent => "no-user-agent",
        }
    }

    /// What to do about a refusal; `None` for an answer that lets the request through.
    fn remedy(self, settings: &Authz) -> Option<&'static str> {
        match self {
            Self::NotRobot | Self::Allowed => None,
            Self::NoFile if settings.on_failure == OnFailure::Open => None,
            Self::NoFile => Some("add the robots.txt of the site, or default.txt, to the folder"),
            Self::Disallowed => Some("follow the robots.txt of the site"),
            Self::UnclearPath => Some("send the path as web clients write it"),
            Self::NoUserAgent => Some("send a User-Agent"),
        }
    }
}

/// An answer and its reasons.
struct Verdict {
    answer: Answer,
    /// The reason for the client.
    why: String,
    /// The reason for the log, which has nothing that a client keeps in URLs.
    logged: String,
}

impl Verdict {
    fn new(answer: Answer, why: impl Into<String>) -> Self {
        let why = why.into();
        Self {
            answer,
            logged: why.clone(),
            why,
        }
    }

    fn of(request: &ProxyRequest, file: &SiteFile, settings: &Authz) -> Self {
        let agent = request.user_agent.trim();
        let is_for_file = request.original.target() == "/robots.txt";
        if settings.require_user_agent && agent.is_empty() && !is_for_file {
            return Self::new(Answer::NoUserAgent, "the request has no User-Agent");
        }
        let rules = file.rules();
        let is_named = |name: &ProductToken| rules.is_some_and(|rules| rules.names(name));
        let Some(robot) = sender(agent, is_named) else {
            return Self::new(Answer::NotRobot, "the request is of no known robot");
        };
        let host = || visible(request.original.host().as_bytes());
        match file {
            SiteFile::Rules(rules) => Self::by_rules(request, &robot, rules),
            SiteFile::Missing => {
                let why = format!("there is no robots.txt for {}", host());
                Self::new(Answer::NoFile, why)
            }
            SiteFile::Broken(error) => {
                let why = format!("the robots.txt for {} cannot be read: {error}", host());
                Self::new(Answer::NoFile, why)
            }
        }
    }

    /// What the rules say about every path that may be served: one that is disallowed is enough.
    fn by_rules(request: &ProxyRequest, robot: &Robot, rules: &Rules) -> Self {
        let policy = match rules.policy(robot) {
            Ok(policy) => policy,
            Err(error) => return Self::new(Answer::NoFile, error.to_string()),
        };
        if let Some(flaw) = request.original.flaw() {
            return Self::new(Answer::UnclearPath, flaw);
        }
        let sent = request.original.target();
        let Some(paths) = judged_paths::of(sent) else {
            let why = "servers read the path of the request in too many ways";
            return Self::new(Answer::UnclearPath, why);
        };
        let disallowed = paths.iter().find(|path| !policy.allows(path));
        let path = disallowed.map_or(sent, String::as_str);
        let Ok(target) = Target::new(path) else {
            return Self::new(Answer::UnclearPath, "the request is for no path");
        };
        let (answer, may) = match disallowed {
            Some(_) => (Answer::Disallowed, "may not"),
            None => (Answer::Allowed, "may"),
        };
        let reason = reason(&policy, &target);
        let path = explain::visible_url(path);
        Self {
            answer,
            why: format!("{robot} {may} fetch {path}: {reason}"),
            logged: format!("{robot}: {reason}"),
        }
    }

    /// The answer, which is counted and, if it refuses anything, logged.
    fn answer(self, request: &ProxyRequest, app: &App, settings: &Authz) -> Response {
        let name = self.answer.name();
        let (host, why) = (request.original.host(), self.logged);
        match (self.answer.remedy(settings), settings.report_only) {
            (None, _) => {
                app.counts.authz(name);
                through(request.pass, &self.why)
            }
            (Some(_), true) => {
                app.counts.authz("would-refuse");
                tracing::info!(host, code = name, why, "would refuse a request");
                through(request.pass, &format!("report only: {}", self.why))
            }
            (Some(remedy), false) => {
                app.counts.authz(name);
                tracing::info!(host, code = name, why, "refused a request");
                let problem = Problem::new(request.status, name, self.why.as_str(), remedy);
                explained(problem.into_response(), &self.why)
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
            (Some(place), None) if sentences::is_statement(first) => {
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
        if value.len() > MAX_EXPLANATION_BYTES {
            value.truncate(MAX_EXPLANATION_BYTES);
            value.push_str("...");
            break;
        }
    }
    HeaderValue::from_str(&value).expect("visible ASCII is the value of a header")
}
