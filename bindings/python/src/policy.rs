//! `Policy`: a robots.txt compiled for one client.

use crate::column::{self, OnError};
use crate::decision::{Decision, Question};
use crate::error::{invalid_option, invalid_url, of_request};
use crate::input;
use crate::options::{Members, Page, is_sequence, url_text, utf8};
use abide::rep::{Access, Cause, UserAgentLine};
use abide::syntax::{FieldKind, Inspect};
use abide::{Span, Target};
use abide_analysis::view::{FileView, sentences};
use abide_contract::{CompiledRobots, RetrievalJson};
use abide_known_robots::Robot;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};
use std::sync::Arc;

/// The size of compiled rules, in bytes, from which one question can take long enough for other
/// threads to notice.
const LARGE: usize = 1 << 16;

/// A robots.txt, compiled for one robot. Immutable; threads and processes can share it.
///
/// - `body`: the file, as `bytes` or `str`. `None` if it could not be had; then `robots_status` or
///   `robots_error` says why.
/// - `agent`: the product token of the robot, such as `ExampleBot`; several in order of preference;
///   `*` for every robot that the file does not name; or a whole `User-Agent` line.
/// - `purposes`: `User-Agent-Purpose` tokens that the robot claims.
/// - `applications`: applications whose directives to list.
/// - `registry`: what is registered: a mapping, or the text of a TOML, JSON or CSV file.
/// - `acap`: how ACAP records are read, a dict with `names`, `purposes`, `prior_arrangement`,
///   `unsupported` and `mode` (`full`, `restrict`, `off`).
/// - `preferences`: asks for AI preferences; a dict that may be empty. `docs/json.md` lists its
///   members.
/// - `profile`: `careful` or `google`, how open points of the specifications are read
///   [default: careful].
/// - `readings`: readings of ambiguous points in place of abide's own, such as `AMB-PREF-1=attach`.
/// - `nonstandard_token`: whether to accept names that RFC 9309 does not allow, such as `MJ12bot`.
/// - `known_robots`: whether what operators document about their robots applies.
/// - `robots_status`, `robots_error`, `robots_location`: what fetching the file gave: the final
///   status; `dns`, `connect`, `tls`, `timeout`, `truncated`, `redirect-limit` or another failure;
///   where a redirect leads.
/// - `robots_limit`: how many bytes of the file are read, at least 512,000 [default: 512,000].
/// - `references`: the contents of ACAP permissions references, by locator.
///
/// Raises `InvalidOptionError` for a value that an argument cannot have, and `TypeError` for one of
/// another type.
///
/// >>> import abide_robots
/// >>> body = "User-agent: *\nDisallow: /x"
/// >>> policy = abide_robots.Policy(body, "ExampleBot/1.0 (+https://bot.example/)")
/// >>> policy.allows("https://example.com/y")
/// True
/// >>> policy
/// <Policy: ExampleBot may crawl everything except 1 pattern.>
#[pyclass(module = "abide_robots", frozen, weakref)]
pub(crate) struct Policy {
    compiled: Arc<CompiledRobots>,
    /// The file; `None` if it could not be had.
    body: Option<Arc<[u8]>>,
    /// The client, and what fetching the file gave.
    members: Members,
    is_large: bool,
    retrieval: Option<Arc<RetrievalJson>>,
}

impl Policy {
    fn of(
        compiled: CompiledRobots,
        body: Option<Arc<[u8]>>,
        members: Members,
        retrieval: Option<RetrievalJson>,
    ) -> Self {
        let is_large = Inspect::of(compiled.policy()).compiled_size() > LARGE;
        Self {
            compiled: Arc::new(compiled),
            body,
            members,
            is_large,
            retrieval: retrieval.map(Arc::new),
        }
    }

    /// A policy from a cache, whose client is described by `members`.
    pub(crate) fn cached(
        policy: Arc<abide::Policy>,
        mut members: Members,
        retrieval: RetrievalJson,
    ) -> Self {
        let body = match policy.access() {
            Access::Rules => Some(policy.text().as_bytes().into()),
            Access::Unavailable(cause) | Access::Unreachable(cause) => {
                match cause {
                    Cause::Status(status) => members.insert("robots_status", status),
                    failure => members.insert("robots_error", failure.name()),
                }
                None
            }
            _ => None,
        };
        Self::of(CompiledRobots::of(policy), body, members, Some(retrieval))
    }

    pub(crate) fn engine(&self) -> &abide::Policy {
        self.compiled.policy()
    }
}

/// Parsers that know these fields take them for the `User-agent` lines right above, even where RFC
/// 9309 does not end a group (2.2.4).
fn other_fields(policy: &abide::Policy) -> Vec<(u32, String, String, bool)> {
    let robots = policy.robots();
    let text = robots.text().as_bytes();
    let shown = |span: Span| String::from_utf8_lossy(span.of(text)).into_owned();
    let chosen = policy.chosen_groups();
    let chooses = |number| chosen.iter().any(|group| group.place.line == number);
    let (mut counts, mut ended) = (false, true);
    let mut fields = Vec::new();
    for line in robots.lines() {
        let Some(field) = line.field() else { continue };
        match field.kind {
            FieldKind::UserAgent | FieldKind::UserAgentPurpose => {
                counts = (counts && !ended) || chooses(line.number);
                ended = false;
            }
            FieldKind::Sitemap => {}
            FieldKind::Other => {
                let key = shown(field.key).to_ascii_lowercase();
                // Like Sitemap, it is about the whole site.
                ended |= key != "host";
                fields.push((line.number, key, shown(field.value), counts));
            }
            _ => ended = true,
        }
    }
    fields
}

#[pymethods]
impl Policy {
    #[new]
    #[pyo3(signature = (body, agent, *, purposes=None, applications=None, registry=None, acap=None,
        preferences=None, profile=None, readings=None, nonstandard_token=None, known_robots=None,
        robots_status=None, robots_error=None, robots_location=None, robots_limit=None,
        references=None))]
    #[expect(clippy::too_many_arguments, reason = "the members of a request")]
    fn construct(
        py: Python<'_>,
        body: Option<&Bound<'_, PyAny>>,
        agent: &Bound<'_, PyAny>,
        purposes: Option<&Bound<'_, PyAny>>,
        applications: Option<&Bound<'_, PyAny>>,
        registry: Option<&Bound<'_, PyAny>>,
        acap: Option<&Bound<'_, PyAny>>,
        preferences: Option<&Bound<'_, PyAny>>,
        profile: Option<&Bound<'_, PyAny>>,
        readings: Option<&Bound<'_, PyAny>>,
        nonstandard_token: Option<&Bound<'_, PyAny>>,
        known_robots: Option<&Bound<'_, PyAny>>,
        robots_status: Option<&Bound<'_, PyAny>>,
        robots_error: Option<&Bound<'_, PyAny>>,
        robots_location: Option<&Bound<'_, PyAny>>,
        robots_limit: Option<&Bound<'_, PyAny>>,
        references: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let body = body.map(|body| input::body(body, "body")).transpose()?;
        let mut members = Members::of(&[
            ("purposes", purposes),
            ("applications", applications),
            ("registry", registry),
            ("acap", acap),
            ("preferences", preferences),
            ("profile", profile),
            ("readings", readings),
            ("nonstandard_token", nonstandard_token),
            ("known_robots", known_robots),
            ("robots_status", robots_status),
            ("robots_error", robots_error),
            ("robots_location", robots_location),
            ("robots_limit", robots_limit),
            ("references", references),
        ])?;
        members.agent(agent)?;
        let compiled = py.detach(|| CompiledRobots::new(&members.request()?, body.as_ref()));
        let compiled = compiled.map_err(|error| of_request(py, &error, None))?;
        Ok(Self::of(compiled, body, members, None))
    }

    /// The arguments: a body and the members.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let py = slf.py();
        let this = slf.get();
        let body = this.body.as_ref().map(|body| PyBytes::new(py, body));
        let construct = py.import("copyreg")?.getattr("__newobj_ex__")?;
        let arguments = (slf.get_type(), (body,), this.members.keywords(py)?);
        (construct, arguments).into_pyobject(py)
    }

    /// Returns the rules of the same file for another robot, with the same options. Fetches
    /// nothing.
    ///
    /// `agent` is what the first argument of `Policy` after the file can be.
    ///
    /// >>> import abide_robots
    /// >>> policy = abide_robots.Policy("User-agent: OtherBot\nDisallow: /", "ExampleBot")
    /// >>> policy.allows("/"), policy.for_agent("OtherBot").allows("/")
    /// (True, False)
    fn for_agent(&self, agent: &Bound<'_, PyAny>) -> PyResult<Self> {
        let py = agent.py();
        let mut members = self.members.clone();
        members.agent(agent)?;
        members.admit_any_name();
        let compiled = py.detach(|| CompiledRobots::new(&members.request()?, self.body.as_ref()));
        let compiled = compiled.map_err(|error| of_request(py, &error, None))?;
        let is_large = Inspect::of(compiled.policy()).compiled_size() > LARGE;
        Ok(Self {
            compiled: Arc::new(compiled),
            body: self.body.clone(),
            members,
            is_large,
            retrieval: self.retrieval.clone(),
        })
    }

    /// Whether the other has the same file, the same client and the same outcome of fetching.
    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| {
            let other = other.get();
            self.body == other.body && self.members == other.members
        })
    }

    fn __hash__(&self) -> u64 {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        self.body.hash(&mut hasher);
        hasher.finish()
    }

    /// Returns whether the robot may crawl this URL, or a path that begins with `/`.
    ///
    /// Raises `InvalidUrlError` for other text.
    fn allows(&self, py: Python<'_>, url: &Bound<'_, PyAny>) -> PyResult<bool> {
        let text = input::text(url, "url")?;
        let url = url_text(py, &text)?;
        if let Err(error) = Target::new(url) {
            return Err(invalid_url(py, &error.to_string(), Some(url), None));
        }
        Ok(if self.is_large {
            py.detach(|| self.engine().allows(url))
        } else {
            self.engine().allows(url)
        })
    }

    /// Returns whether the robot may crawl each of many URLs.
    ///
    /// A list or another iterable gives a list. A column of pandas, Polars, NumPy or pyarrow gives
    /// a column of the same library; the text of Arrow columns is not copied. Other columns with
    /// Arrow's interface give a `BooleanColumn`.
    ///
    /// A missing value, and a URL that cannot be read, have no answer: `None` in a list, null in
    /// Arrow and Polars, `NA` in pandas (always of the type `boolean`), masked in NumPy (always a
    /// masked array). With `errors="raise"`, the latter raises `InvalidUrlError`.
    ///
    /// >>> import abide_robots
    /// >>> policy = abide_robots.Policy("User-agent: *\nDisallow: /x", "ExampleBot")
    /// >>> policy.allows_many(["https://example.com/x", "/y", "example.com"])
    /// [False, True, None]
    #[pyo3(signature = (urls, *, errors="null"))]
    fn allows_many<'py>(
        slf: &Bound<'py, Self>,
        urls: &Bound<'py, PyAny>,
        errors: &str,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        if is_sequence(urls) {
            let errors = OnError::named(py, errors)?;
            return column::list(slf.get(), urls, errors);
        }
        let many = py.import("abide_robots._columns")?.getattr("allows_many")?;
        many.call1((slf, urls, errors))
    }

    /// The answers about a list as bytes: 1 allowed, 0 disallowed, 2 without an answer.
    fn _mask<'py>(&self, urls: &Bound<'py, PyAny>, errors: &str) -> PyResult<Bound<'py, PyAny>> {
        column::mask(self, urls, OnError::named(urls.py(), errors)?)
    }

    /// The answers about an Arrow array or stream, chunk by chunk.
    fn _arrow(
        &self,
        py: Python<'_>,
        urls: &Bound<'_, PyAny>,
        errors: &str,
    ) -> PyResult<Vec<column::BooleanColumn>> {
        column::arrow(self, urls, OnError::named(py, errors)?)
    }

    /// Decides about a page, with evidence.
    ///
    /// - `headers`: fields of the response: a mapping, whose values may be lists, or pairs.
    /// - `html`, `rendered_html`: the source of the page, and its final DOM.
    /// - `now`: the instant of the decision, an aware `datetime` or RFC 3339 [default: now].
    /// - `first_indexed`, `first_copied`: the instants from which limits in days count.
    /// - `version`: `latest` or `old`, the version of the page that the question is about.
    /// - `preferences`: the documents `tdmrep` and `rsl`, if they belong to this page.
    ///
    /// >>> import abide_robots
    /// >>> policy = abide_robots.Policy("", "ExampleBot")
    /// >>> policy.decide("/", html='<meta name="robots" content="noindex">').tags
    /// {'noindex': True}
    #[pyo3(signature = (url, *, headers=None, html=None, rendered_html=None, now=None,
        first_indexed=None, first_copied=None, version=None, preferences=None))]
    #[expect(clippy::too_many_arguments, reason = "the members of a request")]
    fn decide(
        &self,
        py: Python<'_>,
        url: &Bound<'_, PyAny>,
        headers: Option<&Bound<'_, PyAny>>,
        html: Option<&Bound<'_, PyAny>>,
        rendered_html: Option<&Bound<'_, PyAny>>,
        now: Option<&Bound<'_, PyAny>>,
        first_indexed: Option<&Bound<'_, PyAny>>,
        first_copied: Option<&Bound<'_, PyAny>>,
        version: Option<&Bound<'_, PyAny>>,
        preferences: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Decision> {
        let url = input::text(url, "url")?;
        let url = url_text(py, &url)?;
        let members = Members::of(&[
            ("headers", headers),
            ("rendered_html", rendered_html),
            ("now", now),
            ("first_indexed", first_indexed),
            ("first_copied", first_copied),
            ("version", version),
            ("preferences", preferences),
        ])?;
        let page = Page::of(py, members, html)?;
        let decided = py.detach(|| {
            Decision::new(Question {
                robots: Arc::clone(&self.compiled),
                page: page.question(url)?,
                retrieval: self.retrieval.clone(),
            })
        });
        decided.map_err(|error| of_request(py, &error, Some(url)))
    }

    /// The delay between requests that the group asks for, in seconds.
    #[getter]
    fn crawl_delay(&self) -> Option<f64> {
        let delay = self.engine().crawl_delay();
        delay.map(|(delay, _)| delay.duration().as_secs_f64())
    }

    /// The values of all `Sitemap` lines, in order.
    #[getter]
    fn sitemaps(&self) -> Vec<String> {
        let sitemaps = self.engine().sitemaps();
        sitemaps
            .map(|sitemap| String::from_utf8_lossy(sitemap).into_owned())
            .collect()
    }

    /// The file; `None` if it could not be had.
    #[getter]
    fn body<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyBytes>> {
        let body = self.body.as_ref();
        body.map(|body| PyBytes::new(py, body))
    }

    /// The product tokens of the robot, in order of preference; empty for `*`.
    #[getter]
    fn agents(&self) -> Vec<&str> {
        let tokens = self.engine().client().product_tokens().iter();
        tokens.map(abide::ProductToken::as_str).collect()
    }

    /// What is known of the file: `rules`, `unavailable`, `unreachable` or `unknown`.
    #[getter]
    fn access(&self) -> &'static str {
        self.engine().access().name()
    }

    /// The numbers of the lines where the groups of the robot begin.
    #[getter]
    fn group_lines(&self) -> Vec<u32> {
        let groups = self.engine().chosen_groups();
        groups.iter().map(|group| group.place.line).collect()
    }

    /// Fields that the engine does not know, for the drop-ins: line, key in lower case, value, and
    /// whether the `User-agent` lines right above name the robot.
    fn _other_fields(&self, py: Python<'_>) -> Vec<(u32, String, String, bool)> {
        py.detach(|| other_fields(self.engine()))
    }

    fn __sizeof__(&self) -> usize {
        size_of::<Self>() + Inspect::of(self.engine()).compiled_size() + self.members.size()
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let verdict = py.detach(|| sentences::verdict(&FileView::of(self.engine())));
        format!("<Policy: {verdict}>")
    }
}

/// Returns whether a robot may crawl a URL. For one question; for several, `Policy` is faster.
///
/// `agent` is what `Policy` takes.
///
/// >>> import abide_robots
/// >>> abide_robots.allows(b"User-agent: *\nDisallow: /x", "ExampleBot", "https://example.com/x")
/// False
#[pyfunction]
#[pyo3(signature = (body, agent, url))]
pub(crate) fn allows(
    py: Python<'_>,
    body: &Bound<'_, PyAny>,
    agent: &Bound<'_, PyAny>,
    url: &Bound<'_, PyAny>,
) -> PyResult<bool> {
    let mut members = Members::default();
    members.agent(agent)?;
    let client = client(py, &members)?;
    let text = input::text(url, "url")?;
    let url = url_text(py, &text)?;
    if let Err(error) = Target::new(url) {
        return Err(invalid_url(py, &error.to_string(), Some(url), None));
    }
    let body = input::body(body, "body")?;
    Ok(py.detach(|| abide::allows(&*body, &client, url)))
}

/// The client that members describe.
pub(crate) fn client(py: Python<'_>, members: &Members) -> PyResult<abide::Client> {
    let request = members.request();
    let compiled = request.and_then(|request| CompiledRobots::new(&request, None));
    let compiled = compiled.map_err(|error| of_request(py, &error, None))?;
    Ok(compiled.policy().client().clone())
}

/// Returns the names in a `User-Agent` by which a file can address its sender, in the order in
/// which they count.
#[pyfunction]
pub(crate) fn user_agent_names(user_agent: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    let text = input::text(user_agent, "user_agent")?;
    let line = String::from_utf8_lossy(text.as_bytes());
    let line = UserAgentLine::new(&line);
    Ok(line.names().map(|(name, _)| name.to_owned()).collect())
}

/// Returns the name that robots.txt files have for the robot that sends a `User-Agent`; `*` if it
/// names no product.
///
/// >>> import abide_robots
/// >>> abide_robots.product_token("Mozilla/5.0 (compatible; ExampleBot/2.1; +https://b.example/)")
/// 'ExampleBot'
#[pyfunction]
pub(crate) fn product_token(user_agent: &Bound<'_, PyAny>) -> PyResult<String> {
    let py = user_agent.py();
    let text = input::text(user_agent, "user_agent")?;
    let line = utf8(py, &text, "user_agent")?;
    let robot = if line.trim().contains(' ') {
        Ok(Robot::of_user_agent(line))
    } else {
        Robot::named(line)
    };
    match robot {
        Ok(robot) => Ok(robot.name()),
        Err(error) => Err(invalid_option(py, "user_agent", &error.to_string())),
    }
}
