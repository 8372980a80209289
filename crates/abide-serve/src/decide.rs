//! `/v1/decide`: one request in, one decision out.

use crate::answer;
use crate::asker::Asker;
use crate::body;
use crate::parts::{PartWriter, parts};
use crate::problem::Problem;
use crate::query::{self, Query};
use crate::retrievals::RequestTurns;
use crate::sites::{Found, MIN_WORKER_BYTES, requested};
use crate::state::App;
use crate::workers::{Desk, Work};
use abide::preference::Documents;
use abide::tag::Response as PageResponse;
use abide::{Named, Profile};
use abide_contract::{AnswerOptions, FetchedRules, Request, RequestError};
use abide_fetch::RequestUrl;
use axum::body::Bytes;
use axum::extract::{self, RawQuery};
use axum::response::Response;
use std::io::{self, Write};
use std::mem;
use tokio::sync::oneshot;
use tokio::task::JoinSet;
use utoipa::openapi::schema::{Schema, Type};
use utoipa::openapi::{ObjectBuilder, RefOr};
use utoipa::{PartialSchema, ToSchema};

/// What the `OpenAPI` document says about the parameter `profile`.
struct ProfileNames;

impl PartialSchema for ProfileNames {
    fn schema() -> RefOr<Schema> {
        let names = ObjectBuilder::new().schema_type(Type::String);
        let names = names.enum_values(Some(Profile::names()));
        let description = "How to read what the specifications leave open.";
        names.description(Some(description)).into()
    }
}

impl ToSchema for ProfileNames {}

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
pub(crate) async fn get(asker: Asker, RawQuery(text): RawQuery) -> Result<Response, Problem> {
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
    let parameters = Parameters {
        url: url.to_owned(),
        agents,
        profile,
        known_robots: query.flag("known_robots")?,
        nonstandard_token: query.flag("nonstandard_token")?,
    };
    decision(asker, Asked::With(parameters), options(&query)?).await
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
    asker: Asker,
    RawQuery(text): RawQuery,
    request: extract::Request,
) -> Result<Response, Problem> {
    let options = options(&Query::read(text.as_deref(), &["slim"])?)?;
    let bytes = body::json_bytes(request, &asker.app).await?;
    decision(asker, Asked::In(bytes), options).await
}

/// What the parameters say about the form of the answer.
fn options(query: &Query<'_>) -> Result<AnswerOptions, Problem> {
    Ok(AnswerOptions {
        is_slim: query.flag("slim")?,
        ..AnswerOptions::default()
    })
}

/// What is asked, as it came.
enum Asked {
    With(Parameters),
    In(Bytes),
}

/// The parameters of a query.
struct Parameters {
    url: String,
    agents: Vec<String>,
    profile: Profile,
    known_robots: bool,
    nonstandard_token: bool,
}

impl Asked {
    fn request(&self) -> Result<Request<'_>, Problem> {
        match self {
            Self::With(parameters) => {
                Ok(Request::about(&parameters.url, parameters.agents.clone())
                    .with_profile(parameters.profile)
                    .with_known_robots(parameters.known_robots)
                    .with_nonstandard_token(parameters.nonstandard_token))
            }
            Self::In(bytes) => Ok(Request::read(bytes)?),
        }
    }

    /// The problem with a request that can be read.
    fn problem(&self, error: RequestError) -> Problem {
        match self {
            Self::With(_) => of_parameter(&error),
            Self::In(_) => Problem::from(error),
        }
    }

    fn is_long(&self) -> bool {
        matches!(self, Self::In(bytes) if bytes.len() > MIN_WORKER_BYTES)
    }
}

/// The answer to what is asked: at once if that is quick.
async fn decision(
    asker: Asker,
    question: Asked,
    options: AnswerOptions,
) -> Result<Response, Problem> {
    if !question.is_long() {
        let request = question.request()?;
        if let Some(answer) = at_once(&asker.app, &request, options) {
            return answer.map_err(|error| question.problem(error));
        }
    }
    by_worker(asker, question, options).await
}

/// The answer to a request that is not long, if nothing has to be fetched or compiled for it, and
/// the file of the site is not long.
fn at_once(
    app: &App,
    request: &Request<'_>,
    options: AnswerOptions,
) -> Option<Result<Response, RequestError>> {
    let mut line = Vec::with_capacity(4 << 10);
    let mut retry_after = None;
    let written = if request.has_robots() {
        request.decide(options, |json| json.write_line(&mut line))
    } else {
        SiteAnswer::known(app, request)?.and_then(|site| {
            retry_after = site.retry_after();
            let written = site.write(request, options, &mut line)?;
            written.expect("memory takes all that is written");
            Ok(())
        })
    };
    Some(written.map(|()| {
        line.push(b'\n');
        answer::with_retry_after(answer::json(line), retry_after)
    }))
}

/// The answer to what is asked, which a worker computes. It is sent while it is written.
async fn by_worker(
    asker: Asker,
    question: Asked,
    options: AnswerOptions,
) -> Result<Response, Problem> {
    let desk = Desk::default();
    let (writer, parts) = parts(&asker.app, asker.key(), desk.clone());
    let (sender, first) = oneshot::channel();
    // A task of its own, which goes on while the answer is sent.
    let mut task = JoinSet::new();
    task.spawn(async move {
        let work = written(asker.clone(), question, options, (sender, writer));
        asker.run(Work::Decision, &desk, work).await;
    });
    let begun = first.await;
    task.detach_all();
    let begun = begun.map_err(|_| Problem::bug())??;
    let response = match begun.whole {
        Some(whole) => answer::json(whole),
        None => answer::json_parts(parts),
    };
    Ok(answer::with_retry_after(response, begun.retry_after))
}

/// How an answer begins.
struct Begun {
    /// After how many seconds the site is asked again.
    retry_after: Option<u64>,
    /// The whole answer, if it is short.
    whole: Option<Vec<u8>>,
}

/// Says how an answer begins, or what is wrong.
type Beginning = oneshot::Sender<Result<Begun, Problem>>;

/// Writes the answer.
async fn written(
    asker: Asker,
    question: Asked,
    options: AnswerOptions,
    (sender, mut writer): (Beginning, PartWriter),
) {
    let request = match question.request() {
        Ok(request) => request,
        Err(problem) => {
            let _ = sender.send(Err(problem));
            return;
        }
    };
    let site = if request.has_robots() {
        None
    } else {
        Some(SiteAnswer::of(&asker.app, &request, asker.turns()).await)
    };
    // Whatever was wrong is known when the first byte is written.
    let mut out = Begin {
        sender: Some(sender),
        retry_after: None,
        start: Vec::new(),
        writer: &mut writer,
    };
    let written = match site {
        None => request.decide(options, |json| json.write(&mut out)),
        Some(site) => site.and_then(|site| {
            out.retry_after = site.retry_after();
            site.write(&request, options, &mut out)
        }),
    };
    // Fails if the client has gone.
    let _ = match written {
        Ok(Ok(())) => out.end().and_then(|()| writer.finish()),
        Ok(gone) => gone,
        Err(error) => {
            out.fail(question.problem(error));
            Ok(())
        }
    };
}

/// The longest answer that is sent as a whole, with its length.
const MAX_WHOLE_BYTES: usize = 64 << 10;

/// Says that an answer begins when it is too long to be sent as a whole.
struct Begin<'w> {
    sender: Option<Beginning>,
    /// After how many seconds the site is asked again.
    retry_after: Option<u64>,
    /// What was written before the answer begins.
    start: Vec<u8>,
    writer: &'w mut PartWriter,
}

impl Begin<'_> {
    fn begin(&mut self, whole: Option<Vec<u8>>) {
        if let Some(sender) = self.sender.take() {
            let retry_after = self.retry_after;
            let _ = sender.send(Ok(Begun { retry_after, whole }));
        }
    }

    /// Ends the line of the answer.
    fn end(mut self) -> io::Result<()> {
        self.write_all(b"\n")?;
        if self.sender.is_some() {
            let whole = mem::take(&mut self.start);
            self.begin(Some(whole));
        }
        Ok(())
    }

    fn fail(self, problem: Problem) {
        if let Some(sender) = self.sender {
            let _ = sender.send(Err(problem));
        }
    }
}

impl Write for Begin<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.sender.is_some() {
            if self.start.len() + bytes.len() <= MAX_WHOLE_BYTES {
                self.start.extend_from_slice(bytes);
                return Ok(bytes.len());
            }
            self.begin(None);
            self.writer.write_all(&mem::take(&mut self.start))?;
        }
        self.writer.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// What the site of a request says, and the page's response.
pub(crate) struct SiteAnswer {
    requested: RequestUrl,
    found: Found,
    response: PageResponse,
    documents: Documents,
}

impl SiteAnswer {
    /// What the site of `request` says, if nothing has to be fetched or compiled for it, and the
    /// answer is short.
    pub(crate) fn known(app: &App, request: &Request<'_>) -> Option<Result<Self, RequestError>> {
        match request.documents() {
            Ok(None) => {}
            Ok(Some(_)) => return None,
            Err(error) => return Some(Err(error)),
        }
        let requested = match requested(request.url()) {
            Ok(requested) => requested,
            Err(error) => return Some(Err(error)),
        };
        let found = app.sites.known_rules(request, &requested)?;
        Some(Ok(Self {
            requested,
            found,
            response: request.response(None),
            documents: Documents::default(),
        }))
    }

    /// What the site of `request` says: fetched first if needed, when `turns` allow it.
    pub(crate) async fn of(
        app: &App,
        request: &Request<'_>,
        turns: &RequestTurns,
    ) -> Result<Self, RequestError> {
        let requested = requested(request.url())?;
        let found = app.sites.rules(request, &requested, turns).await?;
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
        self.found.retry_after()
    }

    /// Writes the decision about `request`.
    pub(crate) fn write(
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

/// The problem with a parameter: its name instead of a JSON Pointer.
fn of_parameter(error: &RequestError) -> Problem {
    let problem = Problem::from(error);
    match error.pointer().split('/').nth(1) {
        Some(name) => problem.at(name.to_owned()),
        None => problem,
    }
}
