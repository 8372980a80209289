//! `/v1/decide`: one request in, one decision out.

use crate::answer;
use crate::body;
use crate::parts::{PartWriter, parts};
use crate::problem::{Problem, REFUSED_PORT};
use crate::query::{self, Query};
use crate::sites::{Found, requested};
use crate::state::App;
use crate::tools::ProfileNames;
use abide::Profile;
use abide::preference::Documents;
use abide::tag::Response as PageResponse;
use abide_fetch::RequestUrl;
use abide_json::{AnswerOptions, FetchedRules, Request, RequestError};
use axum::body::Bytes;
use axum::extract::{self, RawQuery, State};
use axum::response::Response;
use http::header;
use std::io::{self, Write};
use std::sync::Arc;
use tokio::runtime::Handle;
use tokio::sync::oneshot;

/// Asks for one decision with parameters.
#[utoipa::path(
    get,
    path = "/v1/decide",
    tag = "decisions",
    params(
        ("url" = String, Query, description = "Absolute URL, as the client will send it"),
        ("agent" = Vec<String>, Query, style = Form, explode, description = "Product token of the robot. It can be repeated, in order of preference: the first that has a group decides"),
        ("profile" = inline(Option<ProfileNames>), Query, description = "How to read open points of the specifications [default: careful]"),
        ("known_robots" = Option<bool>, Query, description = "Apply what the operators of known robots document"),
        ("nonstandard_token" = Option<bool>, Query, description = "Accept product tokens outside RFC 9309, such as MJ12bot"),
        ("slim" = Option<bool>, Query, description = "Leave out usages that no source mentions"),
    ),
    responses(
        (status = 200, description = "The decision", body = ref("#/components/schemas/Decision"), content_type = "application/json", headers(("Retry-After" = Option<u64>, description = "After how many seconds an unreachable site is asked again"))),
        (status = 400, description = "A parameter is wrong", body = Problem, content_type = "application/problem+json"),
    ),
)]
pub(crate) async fn get(
    State(app): State<Arc<App>>,
    RawQuery(text): RawQuery,
) -> Result<Response, Problem> {
    let query = Query::read(
        text.as_deref(),
        &[
            "url",
            "agent",
            "profile",
            "known_robots",
            "nonstandard_token",
            "slim",
        ],
    )?;
    let url = query.needed("url")?;
    let agents: Vec<_> = query.all("agent").map(str::to_owned).collect();
    if agents.is_empty() {
        return Err(query::missing("agent"));
    }
    let profile = match query.one("profile")? {
        None | Some("careful") => Profile::Careful,
        Some("google") => Profile::Google,
        Some(_) => {
            return Err(Problem::bad_request(
                "invalid-query",
                "the parameter \"profile\" is neither careful nor google",
                "write profile=careful or profile=google",
            )
            .at("profile"));
        }
    };
    let request = Request::about(url, agents)
        .with_profile(profile)
        .with_known_robots(query.flag("known_robots")?)
        .with_nonstandard_token(query.flag("nonstandard_token")?);
    let answer = decision(&app, &request, options(&query)?).await;
    answer.map_err(|error| of_parameter(&error))
}

/// Asks for one decision with everything that the contract knows. Without `robots`,
/// `robots_base64`, `robots_status` and `robots_error` the site's robots.txt is fetched.
#[utoipa::path(
    post,
    path = "/v1/decide",
    tag = "decisions",
    params(("slim" = Option<bool>, Query, description = "Leave out usages that no source mentions")),
    request_body(
        content = ref("#/components/schemas/Request"),
        content_type = "application/json",
        description = "A request of the contract",
        examples(
            ("the file of the site" = (value = json!({"url": "https://127.0.0.1:1/page", "agent": "ExampleBot"}))),
            ("a file" = (value = json!({"url": "https://example.com/page", "agent": "ExampleBot", "robots": "User-agent: *\nDisallow: /private\n"}))),
            ("no file" = (value = json!({"id": 7, "url": "https://example.com/page", "agent": ["ExampleBot-News", "ExampleBot"], "robots_status": 404}))),
            ("preferences" = (value = json!({"url": "https://example.com/page", "agent": "GPTBot", "known_robots": true, "robots": "User-agent: *\nContent-Usage: train-ai=n\n", "preferences": {}}))),
        ),
    ),
    responses(
        (status = 200, description = "The decision", body = ref("#/components/schemas/Decision"), content_type = "application/json", headers(("Retry-After" = Option<u64>, description = "After how many seconds an unreachable site is asked again"))),
        (status = 400, description = "A member is wrong", body = Problem, content_type = "application/problem+json"),
        (status = 413, description = "The body is too large", body = Problem, content_type = "application/problem+json"),
        (status = 415, description = "The body is not JSON", body = Problem, content_type = "application/problem+json"),
    ),
)]
pub(crate) async fn post(
    State(app): State<Arc<App>>,
    RawQuery(text): RawQuery,
    request: extract::Request,
) -> Result<Response, Problem> {
    let options = options(&Query::read(text.as_deref(), &["slim"])?)?;
    let bytes = body::json_bytes(request, &app).await?;
    if bytes.len() > LONG {
        return long_decision(app, bytes, options).await;
    }
    let request = Request::read(&bytes).map_err(|error| unreadable(&error, &bytes))?;
    Ok(decision(&app, &request, options).await?)
}

/// What the parameters say about the form of the answer.
fn options(query: &Query<'_>) -> Result<AnswerOptions, Problem> {
    Ok(AnswerOptions {
        is_slim: query.flag("slim")?,
        ..AnswerOptions::default()
    })
}

/// From how many bytes of input a request is answered on a thread of its own, and its answer is
/// sent while it is written.
const LONG: usize = 16 << 10;

/// The answer to `request`, which is not long.
async fn decision(
    app: &App,
    request: &Request<'_>,
    options: AnswerOptions,
) -> Result<Response, RequestError> {
    let mut line = Vec::with_capacity(4 << 10);
    let mut retry_after = None;
    if request.has_robots() {
        request.decide(options, |json| json.write_line(&mut line))?;
    } else {
        let site = SiteAnswer::of(app, request).await?;
        retry_after = site.retry_after();
        let written = site.write(request, options, &mut line)?;
        written.expect("memory takes all that is written");
    }
    line.push(b'\n');
    Ok(with_retry_after(answer::json(line), retry_after))
}

/// Adds after how many seconds the site is asked again.
fn with_retry_after(mut response: Response, seconds: Option<u64>) -> Response {
    if let Some(seconds) = seconds {
        let headers = response.headers_mut();
        headers.insert(header::RETRY_AFTER, seconds.into());
    }
    response
}

/// The answer to a request with a long body.
async fn long_decision(
    app: Arc<App>,
    bytes: Bytes,
    options: AnswerOptions,
) -> Result<Response, Problem> {
    let worker = app.worker().await;
    let (mut writer, parts) = parts(&app, worker);
    let (sender, first) = oneshot::channel();
    let runtime = Handle::current();
    tokio::task::spawn_blocking(move || {
        let request = match Request::read(&bytes) {
            Ok(request) => request,
            Err(error) => {
                let _ = sender.send(Err(unreadable(&error, &bytes)));
                return;
            }
        };
        // Whatever was wrong is known when the first byte is written.
        let mut out = Begin {
            sender: Some(sender),
            retry_after: None,
            writer: &mut writer,
        };
        let written = if request.has_robots() {
            request.decide(options, |json| json.write(&mut out))
        } else {
            let site = runtime.block_on(SiteAnswer::of(&app, &request));
            site.and_then(|site| {
                out.retry_after = site.retry_after();
                site.write(&request, options, &mut out)
            })
        };
        let sender = out.sender;
        match (written, sender) {
            (Err(error), Some(sender)) => {
                let _ = sender.send(Err(Problem::from(error)));
            }
            // Fails if the client has gone.
            (Ok(Ok(())), _) => {
                let _ = writer.write_all(b"\n").and_then(|()| writer.finish());
            }
            _ => {}
        }
    });
    match first.await {
        Ok(Ok(retry_after)) => Ok(with_retry_after(answer::json_parts(parts), retry_after)),
        Ok(Err(problem)) => Err(problem),
        Err(_) => Err(Problem::bug()),
    }
}

/// Says that an answer has begun when its first byte is written.
struct Begin<'w> {
    sender: Option<oneshot::Sender<Result<Option<u64>, Problem>>>,
    /// After how many seconds the site is asked again.
    retry_after: Option<u64>,
    writer: &'w mut PartWriter,
}

impl Write for Begin<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let Some(sender) = self.sender.take() {
            let _ = sender.send(Ok(self.retry_after));
        }
        self.writer.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Writes the decision about `request` by the robots.txt of its site.
pub(crate) async fn write_by_site(
    app: &App,
    request: &Request<'_>,
    options: AnswerOptions,
    out: impl Write,
) -> Result<io::Result<()>, RequestError> {
    let site = SiteAnswer::of(app, request).await?;
    site.write(request, options, out)
}

/// What the site of a request says, and the page's response.
struct SiteAnswer {
    requested: RequestUrl,
    found: Found,
    response: PageResponse,
    documents: Documents,
}

impl SiteAnswer {
    /// What the site of `request` says: fetched first if needed.
    async fn of(app: &App, request: &Request<'_>) -> Result<Self, RequestError> {
        let requested = requested(request.url())?;
        let found = app.sites.rules(request, &requested).await?;
        let response = request.response(None);
        let documents = found.documents(request, &requested, &response).await?;
        Ok(Self {
            requested,
            found,
            response,
            documents,
        })
    }

    /// After how many seconds an unreachable site is asked again.
    fn retry_after(&self) -> Option<u64> {
        let at = self.found.retry_at?.unix_seconds();
        let seconds = at.saturating_sub(abide_fetch::http::now().unix_seconds());
        Some(u64::try_from(seconds).unwrap_or(0).max(1))
    }

    /// Writes the decision about `request`.
    fn write(
        &self,
        request: &Request<'_>,
        options: AnswerOptions,
        out: impl Write,
    ) -> Result<io::Result<()>, RequestError> {
        let rules = FetchedRules {
            policy: &self.found.policy,
            retrieval: &self.found.retrieval,
            requested: self.requested.as_str(),
            response: &self.response,
            documents: &self.documents,
        };
        request.decide_by(rules, options, |json| json.write(out))
    }
}

/// The problem with a request that cannot be read.
fn unreadable(error: &RequestError, bytes: &[u8]) -> Problem {
    // Reading it again finds the member that is wrong.
    let again = body::read::<Request<'_>>(bytes).err();
    again.unwrap_or_else(|| Problem::from(error))
}

/// The problem with a parameter: a name instead of a JSON Pointer.
fn of_parameter(error: &RequestError) -> Problem {
    let member = match error.code() {
        "invalid-url" | REFUSED_PORT => "url",
        "invalid-agent" => "agent",
        _ => return Problem::from(error),
    };
    Problem::from(error).at(member)
}
