//! What happens around every request: who asks, limits, time, panics, headers, metrics, logs.

use crate::config::LogRequests;
use crate::head;
use crate::in_flight::{HeldMemory, Kept, MAX_UNCOUNTED_BYTES};
use crate::problem::{self, Problem, ProblemCode};
use crate::shares::Share;
use crate::state::App;
use crate::tokens::{Caller, Peer};
use crate::trace::Trace;
use axum::body::{Body, Bytes};
use axum::extract::{MatchedPath, Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use futures_util::{FutureExt, TryFutureExt};
use http::header::{self, HeaderName};
use http::{HeaderValue, StatusCode};
use http_body::Body as _;
use std::any::Any;
use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};
use tokio::sync::OwnedSemaphorePermit;

/// The paths that are answered whatever the load, so that an overloaded service can be watched.
const ALWAYS: [&str; 3] = ["/healthz", "/readyz", "/metrics"];
/// The path whose answers may take long.
pub(crate) const BATCH: &str = "/v1/batch";

/// Passes a request on if it may be answered now.
pub(crate) async fn pass(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let start = Instant::now();
    let route = request.extensions().get::<MatchedPath>().cloned();
    let path = route.as_ref().map_or("other", MatchedPath::as_str);
    let logs = app.settings.log_requests;
    let parent = request.headers().get("traceparent").cloned();
    let method = request.method().clone();
    let (response, caller) = admitted(&app, path, request, next).await;
    let mut response = finished(&app, response);
    let status = response.status();
    let took = start.elapsed();
    let code = response
        .extensions()
        .get::<ProblemCode>()
        .map(|problem_code| problem_code.0);
    app.counts.answered(path, status.as_u16(), took);
    if let Some(caller) = caller.as_ref().filter(|_| needs_token(path)) {
        app.counts.count_request(&caller.name);
    }
    if let Some(code) = code {
        app.counts.problem(code);
    }
    let is_logged = match logs {
        LogRequests::None => false,
        LogRequests::Errors => status.as_u16() >= 400,
        LogRequests::All => true,
    };
    // Most requests have no trace and are not logged: they need no identifiers.
    if !is_logged && parent.is_none() {
        return response;
    }
    let trace = Trace::of(parent.as_ref());
    if let Some(value) = trace.response() {
        response.headers_mut().insert("traceresponse", value);
    }
    if is_logged {
        tracing::info!(
            route = path,
            method = method.as_str(),
            status = status.as_u16(),
            code,
            caller = caller.as_ref().map(|caller| &*caller.name),
            microseconds = u64::try_from(took.as_micros()).unwrap_or(u64::MAX),
            trace_id = trace.id,
            span_id = trace.span_id,
            "request"
        );
    }
    response
}

/// Whether a path needs a token, if tokens are configured.
fn needs_token(path: &str) -> bool {
    path.starts_with("/v1/") || path == "/metrics"
}

/// The answer, and who asked.
async fn admitted(
    app: &Arc<App>,
    path: &str,
    mut request: Request,
    next: Next,
) -> (Response, Option<Arc<Caller>>) {
    if let Err(problem) = head::check(&request) {
        return (head::last_answer(problem), None);
    }
    let needs_token = needs_token(path);
    let Some(peer) = request.extensions().get::<Peer>().cloned() else {
        return (Problem::bug().into_response(), None);
    };
    let caller = match app.callers.of(request.headers(), &peer) {
        Ok(caller) => {
            request.extensions_mut().insert(Arc::clone(&caller));
            Some(caller)
        }
        Err(problem) if needs_token => return (problem.into_response(), None),
        Err(_) => None,
    };
    let is_always = ALWAYS.contains(&path);
    let permits = if is_always {
        None
    } else {
        let key = caller.as_ref().map_or(&peer.address, |caller| &caller.key);
        match permits(app, key, caller.as_ref().filter(|_| needs_token)) {
            Ok(permits) => Some(Arc::new(permits)),
            Err(problem) => return (problem.into_response(), caller),
        }
    };
    if let Some(permits) = &permits {
        request.extensions_mut().insert(Arc::clone(permits));
    }
    let answer = AssertUnwindSafe(next.run(request))
        .catch_unwind()
        .unwrap_or_else(panicked);
    let Some(permits) = permits else {
        return (answer.await, caller);
    };
    let limit = if path == BATCH {
        app.settings.limits.batch_timeout
    } else {
        app.settings.limits.request_timeout
    };
    let answer = tokio::time::timeout(limit, answer).await;
    let response = answer.unwrap_or_else(|_| too_slow(limit).into_response());
    (held(app, response, permits), caller)
}

/// What a request in progress holds until its answer is sent.
#[derive(Debug)]
pub(crate) struct Permits {
    /// Who shares what all callers need.
    pub(crate) key: Arc<str>,
    /// Who asks, if that counts.
    pub(crate) caller: Option<Arc<Caller>>,
    /// The memory of its body and answer.
    memory: Mutex<Vec<HeldMemory>>,
    _own: Option<OwnedSemaphorePermit>,
    _all: Share,
    _counted: Counted,
}

impl Permits {
    /// Holds memory until the answer is sent.
    pub(crate) fn hold(&self, memory: HeldMemory) {
        let mut held = self.memory.lock().unwrap_or_else(PoisonError::into_inner);
        held.push(memory);
    }
}

/// A request that is counted as in progress.
#[derive(Debug)]
struct Counted(Arc<App>);

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.counts.in_progress.decrement(1);
    }
}

fn permits(
    app: &Arc<App>,
    key: &Arc<str>,
    caller: Option<&Arc<Caller>>,
) -> Result<Permits, Problem> {
    if caller.is_some() {
        app.in_flight.check(key)?;
    }
    let all = app.room.try_take(key).ok_or_else(|| {
        let most = app.settings.limits.requests;
        Problem::new(
            StatusCode::SERVICE_UNAVAILABLE,
            problem::OVERLOADED,
            format!("{most} requests are in progress, or your share of them"),
            "ask again later, or ask another instance",
        )
        .retry_after(1)
    })?;
    let own = caller.map(|caller| caller.admit()).transpose()?;
    app.counts.in_progress.increment(1);
    Ok(Permits {
        key: Arc::clone(key),
        caller: caller.cloned(),
        memory: Mutex::default(),
        _own: own,
        _all: all,
        _counted: Counted(Arc::clone(app)),
    })
}

fn too_slow(limit: Duration) -> Problem {
    Problem::new(
        StatusCode::GATEWAY_TIMEOUT,
        "timeout",
        format!("the request took longer than {} s", limit.as_secs()),
        "ask again later: what was fetched meanwhile is kept",
    )
    .retry_after(1)
}

/// Keeps the permits until the answer is sent, and counts its bytes. Those of other paths than
/// `/v1` are in memory anyway.
fn held(app: &App, response: Response, permits: Arc<Permits>) -> Response {
    let size = response.body().size_hint().exact().unwrap_or_default();
    let size = usize::try_from(size).unwrap_or(usize::MAX);
    if size > MAX_UNCOUNTED_BYTES && permits.caller.is_some() {
        match app.in_flight.admit(&permits.key, size) {
            Ok(memory) => permits.hold(memory),
            Err(problem) => return problem.into_response(),
        }
    }
    response.map(|body| Body::new(Held { body, permits }))
}

/// A body that holds permits, as does each piece of it until it is sent.
struct Held {
    body: Body,
    permits: Arc<Permits>,
}

impl http_body::Body for Held {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<http_body::Frame<Self::Data>, Self::Error>>> {
        let frame = ready!(Pin::new(&mut self.body).poll_frame(context));
        let kept = |bytes| Bytes::from_owner(Kept(bytes, Arc::clone(&self.permits)));
        Poll::Ready(frame.map(|frame| frame.map(|frame| frame.map_data(kept))))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> http_body::SizeHint {
        self.body.size_hint()
    }
}

/// Adds the fields that every answer has. A page has its own policy.
fn finished(app: &App, mut response: Response) -> Response {
    static FIELDS: [(HeaderName, HeaderValue); 3] = [
        (
            header::X_CONTENT_TYPE_OPTIONS,
            HeaderValue::from_static("nosniff"),
        ),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
        (
            header::CONTENT_SECURITY_POLICY,
            HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'"),
        ),
    ];
    let headers = response.headers_mut();
    for (name, value) in &FIELDS {
        headers.entry(name).or_insert_with(|| value.clone());
    }
    if app.is_draining() {
        headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    response
}

/// The answer after a bug of ours.
#[expect(
    clippy::needless_pass_by_value,
    reason = "the form of the result of a future that is caught"
)]
fn panicked(panic: Box<dyn Any + Send>) -> Response {
    let message = panic
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned())
        .or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_default();
    tracing::error!(message, "a request panicked");
    Problem::bug().into_response()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;
    use crate::counts::Counts;
    use crate::sites::Sites;
    use crate::state::SiteEvents;
    use crate::tokens::Callers;
    use axum::Router;
    use axum::routing::get;
    use tower::ServiceExt;

    /// O8: a bug in one request is an answer, is counted, and leaves the others alone.
    #[tokio::test]
    async fn o8_a_panic_is_an_answer() {
        let config = Config {
            offline: Some(true),
            ..Config::default()
        };
        let settings = config.checked().unwrap();
        let counts = Arc::new(Counts::new().unwrap());
        let sites = Sites::open(&settings, SiteEvents).unwrap();
        let callers = Callers::open(&settings).unwrap();
        let app = Arc::new(App::new(settings, sites, callers, counts));
        let bug = || async {
            assert!(std::hint::black_box(false), "a bug");
            "no bug"
        };
        let router = Router::new()
            .route("/v1/bug", get(bug))
            .route("/v1/fine", get(|| async { "fine" }))
            .layer(axum::middleware::from_fn_with_state(Arc::clone(&app), pass));
        for (path, status) in [("/v1/bug", 500), ("/v1/fine", 200), ("/v1/bug", 500)] {
            let address = Arc::from("127.0.0.1");
            let peer = Peer {
                caller: app.callers.at(&address),
                address,
            };
            let request = Request::get(path).header(header::HOST, "x").extension(peer);
            let request = request.body(Body::empty()).unwrap();
            let answer = router.clone().oneshot(request).await.unwrap();
            assert_eq!(answer.status(), status, "{path}");
        }
        let text = app.counts.text();
        assert!(
            text.contains("abide_problems_total{code=\"internal-error\"} 2"),
            "{text}"
        );
        assert!(text.contains("abide_requests_in_progress 0"), "{text}");
    }
}
