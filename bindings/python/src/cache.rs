//! The cache that fetches robots.txt files. `abide_robots._cache` has the classes around it.

use crate::decision::{Decision, Question};
use crate::error::{invalid_option, invalid_url, of_request, store, wrong_type};
use crate::hops::Hops;
use crate::input;
use crate::options::{Members, Page, boolean, seconds, url_text, utf8};
use crate::pace::{Pace, Visit, given};
use crate::policy::{Policy, client};
use crate::runtime::{PerProcess, awaitable, runtime, wait};
use abide::Target;
use abide::preference::Documents;
use abide_contract::{CompiledRobots, RequestError, RetrievalJson};
use abide_fetch::guard::Guard;
use abide_fetch::http::Retrieval;
use abide_fetch::machine::RetrievalSettings;
use abide_fetch::pace::PaceReport;
use abide_fetch::store::{FileStore, OpenError, Place, SharedOptions, SharedStore};
use abide_fetch::{
    BodyHash, Builder, Observer, RequestUrl, Resource, RobotsCache, SetupError, Warning,
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
    /// Another robot that shares the files, with the members of a request that describe it.
    other: Option<(PerProcess<RobotsCache>, abide::Client, Members)>,
}

/// The arguments, from which a forked child builds its own cache.
struct CacheSetup {
    user_agent: String,
    client: abide::Client,
    /// What describes the client.
    members: Members,
    /// The options of the client, for another robot.
    template: Members,
    store: Option<String>,
    allow_private: bool,
    memory: u64,
    timeout: Duration,
    settings: RetrievalSettings,
    observer: Option<Arc<Py<PyAny>>>,
    /// How visits are paced, if turns are given.
    pace: Option<Pace>,
    /// What sends requests in place of abide's own client.
    send: Option<Arc<Py<PyAny>>>,
}

impl CacheSetup {
    fn build(&self, py: Python<'_>) -> PyResult<RobotsCache> {
        let _entered = runtime()?.enter();
        let guard = if self.allow_private {
            Guard::open()
        } else {
            Guard::new()
        };
        let client = self.client.clone();
        if let Some(send) = &self.send {
            let hops = Hops {
                send: Arc::clone(send),
                user_agent: self.user_agent.clone(),
                guard,
                settings: self.settings.clone(),
                deadline: self.timeout,
            };
            let setup = RobotsCache::with_retriever(client, hops);
            return Ok(self.furnished(py, setup)?.build());
        }
        let setup = RobotsCache::builder_for(client, &self.user_agent);
        let setup = setup.guard(guard).deadline(self.timeout);
        let built = self.furnished(py, setup)?.build();
        built.map_err(|error| unusable(py, &error))
    }

    /// The builder with everything that does not depend on how files are fetched.
    fn furnished<R>(&self, py: Python<'_>, setup: Builder<R>) -> PyResult<Builder<R>> {
        let mut setup = setup.settings(self.settings.clone()).memory(self.memory);
        let place = self.store.as_deref().map(Place::named).transpose();
        let place = place.map_err(|error| invalid_option(py, "store", &error.to_string()))?;
        let mut server = None;
        match place {
            None => {}
            Some(Place::Server(url)) => {
                let mut options = SharedOptions::default();
                options.deadline = Duration::from_millis(500);
                let shared = SharedStore::new(&url, options)
                    .map_err(|error| invalid_option(py, "store", &error.to_string()))?;
                setup = setup.store(server.insert(shared).clone());
            }
            Some(Place::File(path)) => {
                if let Some(file) = open(py, &path)? {
                    setup = setup.store(file);
                }
            }
        }
        let listener = self
            .observer
            .as_ref()
            .map(|observer| Listener(Arc::clone(observer)));
        if let Some(pace) = &self.pace {
            let heard = listener.clone();
            let report = move |report: &PaceReport| {
                if let Some(listener) = &heard {
                    listener.paced(report);
                }
            };
            setup = setup.pacer(pace.pacer(py, server.as_ref(), report)?);
        }
        if let Some(listener) = listener {
            setup = setup.observer(listener);
        }
        Ok(setup)
    }
}

fn unusable(py: Python<'_>, error: &SetupError) -> PyErr {
    invalid_option(py, "user_agent", &error.to_string())
}

/// Opens the file at `path`, which other processes may share. If it may not be written, or a
/// program that does not share it has it, warns and reads only.
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
    let (file, reason) = match FileStore::open_shared(path) {
        Ok(file) if file.is_read_only() => (Some(file), OpenError::InUse(path.to_owned())),
        Ok(file) => return Ok(Some(file)),
        Err(error @ (OpenError::InUse(_) | OpenError::ReadOnly(_))) => {
            (FileStore::open_to_read(path).ok(), error)
        }
        Err(error) => return Err(store(py, &error.to_string())),
    };
    let message = format!("{reason}; what is fetched now is not kept in {shown}");
    let message = CString::new(message).map_err(|_| PyValueError::new_err("store"))?;
    let category = py.get_type::<PyRuntimeWarning>();
    PyErr::warn(py, &category, &message, 2)?;
    Ok(file)
}

/// Passes events on to a Python function. Its exceptions are reported like those of `__del__`.
#[derive(Clone)]
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

impl Listener {
    fn paced(&self, report: &PaceReport) {
        self.call([
            ("event", Some("pace".to_owned())),
            ("message", Some(report.to_string())),
        ]);
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

    fn changed(&self, resource: &Resource, was: Option<BodyHash>, is: Option<BodyHash>) {
        self.call([
            ("event", Some("changed".to_owned())),
            ("url", Some(resource.url())),
            ("was", was.map(|hash| hash.to_string())),
            ("is", is.map(|hash| hash.to_string())),
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

/// A question to a cache, ready to be answered without Python.
struct CacheQuestion {
    cache: RobotsCache,
    url: String,
    page: Page,
}

impl CacheQuestion {
    async fn answer(self) -> Result<Decision, (RequestError, String)> {
        let found = self.cache.site_rules(&self.url).await;
        let documents = self.documents(&found.policy).await;
        let robots = CompiledRobots::of(Arc::clone(&found.policy)).with_documents(documents);
        let decided = self.page.question(&self.url).and_then(|page| {
            Decision::new(Question {
                robots: Arc::new(robots),
                page,
                retrieval: Some(Arc::new(RetrievalJson::from(&found))),
            })
        });
        decided.map_err(|error| (error, self.url))
    }

    /// The documents beside robots.txt, if the client asks for preferences.
    async fn documents(&self, policy: &abide::Policy) -> Documents {
        match Target::new(&self.url) {
            Ok(target) if !self.page.has_documents => self.cache.documents(policy, &target).await,
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

    /// What describes the client.
    fn members(&self) -> Members {
        match &self.other {
            None => self.setup.members.clone(),
            Some((.., members)) => members.clone(),
        }
    }

    fn question(
        &self,
        url: &Bound<'_, PyAny>,
        html: Option<&Bound<'_, PyAny>>,
        page: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<CacheQuestion> {
        let py = url.py();
        Ok(CacheQuestion {
            url: requested(url)?,
            page: Page::of(py, Members::of_keywords(page)?, html)?,
            cache: self.cache(py)?,
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

/// The settings with these times, in seconds.
pub(crate) fn lifetimes(
    max_lifetime: Option<&Bound<'_, PyAny>>,
    min_lifetime: Option<&Bound<'_, PyAny>>,
    grace: Option<&Bound<'_, PyAny>>,
) -> PyResult<RetrievalSettings> {
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
    Ok(settings)
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
        min_lifetime, grace, observer, pace, send, **options))]
    #[expect(clippy::too_many_arguments, reason = "one for each setting")]
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
        pace: Option<&Bound<'_, PyAny>>,
        send: Option<Py<PyAny>>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let text = input::text(user_agent, "user_agent")?;
        let template = Members::of_keywords(options)?;
        let mut members = template.clone();
        let line = utf8(py, &text, "user_agent")?;
        match agent {
            Some(agent) => members.agent(agent)?,
            None => members
                .agent_of_line(line)
                .map_err(|error| invalid_option(py, "user_agent", &error))?,
        }
        let client = client(py, &members)?;
        if line.chars().any(char::is_control) {
            let message = format!("{line:?} cannot be sent as User-Agent");
            return Err(invalid_option(py, "user_agent", &message));
        }
        let settings = lifetimes(max_lifetime, min_lifetime, grace)?;
        let cache = Self {
            setup: Arc::new(CacheSetup {
                user_agent: line.to_owned(),
                client,
                members,
                template,
                store,
                allow_private: boolean(allow_private, "allow_private")?,
                memory: bytes(memory, "memory")?,
                timeout: self::timeout(timeout)?,
                settings,
                observer: observer.map(Arc::new),
                pace: pace.map(crate::pace::pace).transpose()?,
                send: send.map(Arc::new),
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
        let mut members = self.setup.template.clone();
        members.agent(agent)?;
        members.admit_any_name();
        let client = client(py, &members)?;
        Ok(Self {
            setup: Arc::clone(&self.setup),
            cache: Arc::clone(&self.cache),
            other: Some((PerProcess::new(), client, members)),
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

    /// A turn to visit the site of a URL; nothing if its rules do not allow that.
    fn turn<'py>(&self, url: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = url.py();
        let (cache, url) = (self.cache(py)?, requested(url)?);
        awaitable(py, async move { given(cache.turn(&url).await) })
    }

    fn turn_blocking(&self, url: &Bound<'_, PyAny>) -> PyResult<Option<Visit>> {
        let py = url.py();
        let (cache, url) = (self.cache(py)?, requested(url)?);
        given(wait(py, async move { cache.turn(&url).await })?)
    }

    /// The rules of the site of a URL.
    fn policy<'py>(&self, url: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = url.py();
        let (cache, url) = (self.cache(py)?, requested(url)?);
        let members = self.members();
        awaitable(py, async move {
            let found = cache.site_rules(&url).await;
            let retrieval = RetrievalJson::from(&found);
            Ok(Policy::cached(found.policy, members, retrieval))
        })
    }

    fn policy_blocking(&self, url: &Bound<'_, PyAny>) -> PyResult<Policy> {
        let py = url.py();
        let (cache, url) = (self.cache(py)?, requested(url)?);
        let found = wait(py, async move { cache.site_rules(&url).await })?;
        let retrieval = RetrievalJson::from(&found);
        Ok(Policy::cached(found.policy, self.members(), retrieval))
    }

    /// The decision about a page.
    #[pyo3(signature = (url, *, html, **page))]
    fn decide<'py>(
        &self,
        url: &Bound<'py, PyAny>,
        html: Option<&Bound<'_, PyAny>>,
        page: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let question = self.question(url, html, page)?;
        awaitable(url.py(), async move { raised(question.answer().await) })
    }

    #[pyo3(signature = (url, *, html, **page))]
    fn decide_blocking(
        &self,
        url: &Bound<'_, PyAny>,
        html: Option<&Bound<'_, PyAny>>,
        page: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Decision> {
        let question = self.question(url, html, page)?;
        raised(wait(url.py(), question.answer())?)
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
