//! The cache that fetches robots.txt files. `abide_robots._cache` has the classes around it.

use crate::decision::{Decision, Question};
use crate::error::{invalid_option, invalid_url, of_request, store, wrong_type};
use crate::input;
use crate::options::{PageArguments, Request, boolean, url_text, utf8};
use crate::policy::{Policy, client};
use crate::runtime::{PerProcess, awaitable, runtime, wait};
use abide::Target;
use abide::preference::Documents;
use abide_contract::{CompiledRobots, PageQuestion, RequestError, RetrievalJson};
use abide_fetch::guard::Guard;
use abide_fetch::http::Retrieval;
use abide_fetch::machine::RetrievalSettings;
use abide_fetch::store::{FileStore, OpenError, Place, SharedOptions, SharedStore};
use abide_fetch::{
    BodyHash, Observer, RequestUrl, Resource, RobotsCache, SetupError, SiteRules, Warning,
};
use pyo3::exceptions::{PyRuntimeWarning, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyInt};
use std::ffi::CString;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// robots.txt files of many sites, each fetched once.
#[pyclass(module = "abide_robots._native", frozen)]
pub(crate) struct NativeCache {
    setup: Arc<CacheSetup>,
    cache: Arc<PerProcess<RobotsCache>>,
    /// Another robot that shares the files, with itself as a request.
    other: Option<(PerProcess<RobotsCache>, abide::Client, Vec<u8>)>,
}

/// The arguments, from which a forked child builds its own cache.
struct CacheSetup {
    user_agent: String,
    client: abide::Client,
    /// The client as a request.
    request: Vec<u8>,
    /// The options of the client, for another robot.
    template: Request,
    store: Option<String>,
    allow_private: bool,
    memory: u64,
    timeout: Duration,
    settings: RetrievalSettings,
    observer: Option<Arc<Py<PyAny>>>,
}

impl CacheSetup {
    fn build(&self, py: Python<'_>) -> PyResult<RobotsCache> {
        let _entered = runtime()?.enter();
        let guard = if self.allow_private {
            Guard::open()
        } else {
            Guard::new()
        };
        let mut setup = RobotsCache::builder(&self.user_agent)
            .map_err(|error| unusable(py, &error))?
            .client(self.client.clone())
            .guard(guard)
            .settings(self.settings.clone())
            .deadline(self.timeout)
            .memory(self.memory);
        let place = self.store.as_deref().map(Place::named).transpose();
        let place = place.map_err(|error| invalid_option(py, "store", &error.to_string()))?;
        match place {
            None => {}
            Some(Place::Server(url)) => {
                let mut options = SharedOptions::default();
                options.deadline = Duration::from_millis(500);
                let shared = SharedStore::new(&url, options)
                    .map_err(|error| invalid_option(py, "store", &error.to_string()))?;
                setup = setup.store(shared);
            }
            Some(Place::File(path)) => {
                if let Some(file) = open(py, &path)? {
                    setup = setup.store(file);
                }
            }
        }
        if let Some(observer) = &self.observer {
            setup = setup.observer(Listener(Arc::clone(observer)));
        }
        setup.build().map_err(|error| unusable(py, &error))
    }
}

fn unusable(py: Python<'_>, error: &SetupError) -> PyErr {
    invalid_option(py, "user_agent", &error.to_string())
}

/// Opens the file at `path`. If another process has it, or it may not be written, warns and reads
/// only.
fn open(py: Python<'_>, path: &Path) -> PyResult<Option<FileStore>> {
    let folder = path.parent().unwrap_or(path);
    let shown = folder.display();
    let mut maker = std::fs::DirBuilder::new();
    maker.recursive(true);
    // Which sites a user visits is private.
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut maker, 0o700);
    maker
        .create(folder)
        .map_err(|error| store(py, &format!("cannot make the folder {shown}: {error}")))?;
    match FileStore::open(path) {
        Ok(file) => Ok(Some(file)),
        Err(error @ (OpenError::InUse(_) | OpenError::ReadOnly(_))) => {
            let message = format!("{error}; what is fetched now is not kept in {shown}");
            let message = CString::new(message).map_err(|_| PyValueError::new_err("store"))?;
            let category = py.get_type::<PyRuntimeWarning>();
            PyErr::warn(py, &category, &message, 2)?;
            Ok(FileStore::open_to_read(path).ok())
        }
        Err(error) => Err(store(py, &error.to_string())),
    }
}

/// Passes events on to a Python function. Its exceptions are reported like those of `__del__`.
struct Listener(Arc<Py<PyAny>>);

impl Listener {
    fn call<'a>(&self, members: impl IntoIterator<Item = (&'a str, Option<String>)>) {
        // While the interpreter ends, nobody listens.
        let _ = Python::try_attach(|py| {
            let event = PyDict::new(py);
            for (name, value) in members {
                let _ = event.set_item(name, value);
            }
            if let Err(error) = self.0.call1(py, (event,)) {
                error.write_unraisable(py, None);
            }
        });
    }
}

impl Observer for Listener {
    fn retrieved(&self, resource: &Resource, retrieval: &Retrieval) {
        let last = retrieval.hops.last();
        let status = last
            .and_then(|hop| hop.status)
            .map(|status| status.to_string());
        self.call([
            ("event", Some("retrieved".to_owned())),
            ("url", Some(resource.url())),
            ("status", status),
            ("failure", last.and_then(|hop| hop.failure.clone())),
        ]);
    }

    fn emptied(&self, resource: &Resource, _was: BodyHash, _is: BodyHash) {
        self.call([
            ("event", Some("emptied".to_owned())),
            ("url", Some(resource.url())),
        ]);
    }

    fn warned(&self, warning: &Warning) {
        self.call([
            ("event", Some("warning".to_owned())),
            ("url", Some(warning.resource.url())),
            ("message", Some(warning.to_string())),
        ]);
    }
}

/// How the rules in effect were fetched, as the contract says it.
fn retrieval(found: &SiteRules) -> RetrievalJson {
    RetrievalJson {
        state: found.why.unwrap_or_default(),
        sha256: found.sha256.map(|hash| hash.to_string()),
        cut: false,
        fetched_at: found.fetched_at,
        checked_at: found.checked_at,
        fresh_until: found.fresh_until,
        unreachable_since: found.outage.as_ref().map(|outage| outage.since),
    }
}

/// A question to a cache, ready to be answered without Python.
struct CacheQuestion {
    cache: RobotsCache,
    url: String,
    request: Vec<u8>,
    html: Option<Vec<u8>>,
    has_documents: bool,
}

impl CacheQuestion {
    async fn answer(self) -> Result<Decision, (RequestError, String)> {
        let found = self.cache.site_rules(&self.url).await;
        let documents = self.documents(&found.policy).await;
        let robots = CompiledRobots::of(Arc::clone(&found.policy)).with_documents(documents);
        let decided = PageQuestion::read(&self.request, self.html.as_deref()).and_then(|page| {
            Decision::new(Question {
                robots: Arc::new(robots),
                page,
                retrieval: Some(Arc::new(retrieval(&found))),
            })
        });
        decided.map_err(|error| (error, self.url))
    }

    /// The documents beside robots.txt, if the client asks for preferences.
    async fn documents(&self, policy: &abide::Policy) -> Documents {
        match Target::new(&self.url) {
            Ok(target) if !self.has_documents => self.cache.documents(policy, &target).await,
            _ => Documents::default(),
        }
    }
}

impl NativeCache {
    fn cache(&self, py: Python<'_>) -> PyResult<RobotsCache> {
        let shared = self.cache.get(|| self.setup.build(py))?;
        let cache = match &self.other {
            None => shared,
            Some((other, client, _)) => {
                other.get(|| Ok::<_, PyErr>(shared.for_client(client.clone())))?
            }
        };
        Ok(cache.clone())
    }

    /// The client as a request.
    fn request(&self) -> Vec<u8> {
        match &self.other {
            None => self.setup.request.clone(),
            Some((.., request)) => request.clone(),
        }
    }

    fn question(
        &self,
        py: Python<'_>,
        url: &Bound<'_, PyAny>,
        page: &PageArguments<'_>,
    ) -> PyResult<CacheQuestion> {
        let url = requested(url)?;
        let mut request = Request::page(&url);
        let html = request.about_page(page)?;
        Ok(CacheQuestion {
            cache: self.cache(py)?,
            url,
            request: request.finished(),
            html: html.map(|html| html.as_bytes().to_vec()),
            has_documents: page.preferences.is_some(),
        })
    }
}

/// The URL that is requested, which is the one that rules are matched against.
fn requested(url: &Bound<'_, PyAny>) -> PyResult<String> {
    let py = url.py();
    let text = input::text(url, "url")?;
    let url = url_text(py, &text)?;
    match RequestUrl::new(url) {
        Ok(request) => Ok(request.as_str().to_owned()),
        Err(error) => Err(invalid_url(py, &error.to_string(), Some(url), None)),
    }
}

fn raised(answer: Result<Decision, (RequestError, String)>) -> PyResult<Decision> {
    answer.map_err(|(error, url)| Python::attach(|py| of_request(py, &error, Some(&url))))
}

fn seconds(value: &Bound<'_, PyAny>, argument: &str) -> PyResult<Duration> {
    let Ok(seconds) = value.extract() else {
        return Err(wrong_type(argument, "a number of seconds", value));
    };
    Duration::try_from_secs_f64(seconds).map_err(|_| {
        let message = format!("expected seconds from 0, but found {seconds}");
        invalid_option(value.py(), argument, &message)
    })
}

/// How long a retrieval may take. None ends in no time.
fn timeout(value: &Bound<'_, PyAny>) -> PyResult<Duration> {
    let timeout = seconds(value, "timeout")?;
    if timeout.is_zero() {
        let message = "expected more than 0 seconds";
        return Err(invalid_option(value.py(), "timeout", message));
    }
    Ok(timeout)
}

fn bytes(value: &Bound<'_, PyAny>, argument: &str) -> PyResult<u64> {
    let value = value
        .cast::<PyInt>()
        .map_err(|_| wrong_type(argument, "a number of bytes", value))?;
    value.extract().map_err(|_| {
        let message = format!("expected bytes from 0, but found {value}");
        invalid_option(value.py(), argument, &message)
    })
}

#[pymethods]
impl NativeCache {
    #[new]
    #[pyo3(signature = (user_agent, *, agent, store, allow_private, memory, timeout, max_lifetime,
        min_lifetime, grace, observer, purposes, applications, acap, preferences, profile,
        nonstandard_token))]
    #[expect(
        clippy::too_many_arguments,
        reason = "settings and the members of a request"
    )]
    fn construct(
        py: Python<'_>,
        user_agent: &Bound<'_, PyAny>,
        agent: Option<&Bound<'_, PyAny>>,
        store: Option<String>,
        allow_private: &Bound<'_, PyAny>,
        memory: &Bound<'_, PyAny>,
        timeout: &Bound<'_, PyAny>,
        max_lifetime: Option<&Bound<'_, PyAny>>,
        min_lifetime: Option<&Bound<'_, PyAny>>,
        grace: Option<&Bound<'_, PyAny>>,
        observer: Option<Py<PyAny>>,
        purposes: Option<&Bound<'_, PyAny>>,
        applications: Option<&Bound<'_, PyAny>>,
        acap: Option<&Bound<'_, PyAny>>,
        preferences: Option<&Bound<'_, PyAny>>,
        profile: Option<&Bound<'_, PyAny>>,
        nonstandard_token: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let text = input::text(user_agent, "user_agent")?;
        let options = [
            ("purposes", purposes),
            ("applications", applications),
            ("acap", acap),
            ("preferences", preferences),
            ("profile", profile),
            ("nonstandard_token", nonstandard_token),
        ];
        let mut template = Request::template();
        template.options(&options)?;
        let mut request = template.clone();
        let line = utf8(py, &text, "user_agent")?;
        match agent {
            Some(agent) => request.agent(agent)?,
            None => request
                .agent_of_line(line)
                .map_err(|error| invalid_option(py, "user_agent", &error))?,
        }
        let request = request.finished();
        let client = client(py, &request)?;
        let mut settings = RetrievalSettings::default();
        for (argument, given, setting) in [
            ("max_lifetime", max_lifetime, &mut settings.max_lifetime),
            ("min_lifetime", min_lifetime, &mut settings.min_lifetime),
            ("grace", grace, &mut settings.grace),
        ] {
            if let Some(given) = given {
                *setting = seconds(given, argument)?;
            }
        }
        let cache = Self {
            setup: Arc::new(CacheSetup {
                user_agent: line.to_owned(),
                client,
                request,
                template,
                store,
                allow_private: boolean(allow_private, "allow_private")?,
                memory: bytes(memory, "memory")?,
                timeout: self::timeout(timeout)?,
                settings,
                observer: observer.map(Arc::new),
            }),
            cache: Arc::new(PerProcess::new()),
            other: None,
        };
        // Mistakes show here, not at the first question.
        cache.cache(py)?;
        Ok(cache)
    }

    /// Shares the files with another robot.
    fn for_agent(&self, agent: &Bound<'_, PyAny>) -> PyResult<Self> {
        let py = agent.py();
        let mut request = self.setup.template.clone();
        request.agent(agent)?;
        request.admit_any_name();
        let request = request.finished();
        let client = client(py, &request)?;
        Ok(Self {
            setup: Arc::clone(&self.setup),
            cache: Arc::clone(&self.cache),
            other: Some((PerProcess::new(), client, request)),
        })
    }

    /// Whether the robot may fetch this URL.
    fn allows<'py>(&self, url: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = url.py();
        let (cache, url) = (self.cache(py)?, requested(url)?);
        awaitable(py, async move { Ok(cache.allows(&url).await.is_some()) })
    }

    fn allows_blocking(&self, url: &Bound<'_, PyAny>) -> PyResult<bool> {
        let py = url.py();
        let (cache, url) = (self.cache(py)?, requested(url)?);
        wait(py, async move { cache.allows(&url).await.is_some() })
    }

    /// The rules of the site of a URL.
    fn policy<'py>(&self, url: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = url.py();
        let (cache, url) = (self.cache(py)?, requested(url)?);
        let request = self.request();
        awaitable(py, async move {
            let found = cache.site_rules(&url).await;
            let retrieval = retrieval(&found);
            Ok(Policy::cached(found.policy, request, retrieval))
        })
    }

    fn policy_blocking(&self, url: &Bound<'_, PyAny>) -> PyResult<Policy> {
        let py = url.py();
        let (cache, url) = (self.cache(py)?, requested(url)?);
        let found = wait(py, async move { cache.site_rules(&url).await })?;
        let retrieval = retrieval(&found);
        Ok(Policy::cached(found.policy, self.request(), retrieval))
    }

    /// The decision about a page.
    #[pyo3(signature = (url, *, headers, html, rendered_html, now, first_indexed, first_copied,
        version, preferences))]
    #[expect(clippy::too_many_arguments, reason = "the members of a request")]
    fn decide<'py>(
        &self,
        py: Python<'py>,
        url: &Bound<'py, PyAny>,
        headers: Option<&Bound<'_, PyAny>>,
        html: Option<&Bound<'_, PyAny>>,
        rendered_html: Option<&Bound<'_, PyAny>>,
        now: Option<&Bound<'_, PyAny>>,
        first_indexed: Option<&Bound<'_, PyAny>>,
        first_copied: Option<&Bound<'_, PyAny>>,
        version: Option<&Bound<'_, PyAny>>,
        preferences: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let page = PageArguments {
            headers,
            html,
            rendered_html,
            now,
            first_indexed,
            first_copied,
            version,
            preferences,
        };
        let question = self.question(py, url, &page)?;
        awaitable(py, async move { raised(question.answer().await) })
    }

    #[pyo3(signature = (url, *, headers, html, rendered_html, now, first_indexed, first_copied,
        version, preferences))]
    #[expect(clippy::too_many_arguments, reason = "the members of a request")]
    fn decide_blocking(
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
        let page = PageArguments {
            headers,
            html,
            rendered_html,
            now,
            first_indexed,
            first_copied,
            version,
            preferences,
        };
        let question = self.question(py, url, &page)?;
        raised(wait(py, question.answer())?)
    }

    /// How many sites are in memory.
    fn sites(&self, py: Python<'_>) -> PyResult<u64> {
        Ok(self.cache(py)?.sites())
    }

    /// The product tokens that the cache answers for.
    fn agents(&self) -> Vec<String> {
        let client = self.other.as_ref().map(|(_, client, _)| client);
        let client = client.unwrap_or(&self.setup.client);
        let tokens = client.product_tokens().iter();
        tokens.map(|token| token.as_str().to_owned()).collect()
    }
}
