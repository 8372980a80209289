//! The states of a site's robots.txt without any I/O, for programs with a client of their own.

use crate::cache::lifetimes;
use crate::error::{invalid_option, invalid_url, wrong_type};
use crate::input::{headers, text};
use crate::options::{Members, url_text};
use crate::policy::{Policy, client};
use abide::Moment;
use abide::rep::Cause;
use abide_contract::RetrievalJson;
use abide_fetch::machine::{Event, FAILURES, NextFetch, Response, RetrievalSettings, State, Walk};
use abide_fetch::{Body, Origin};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// One site.
#[pyclass(module = "abide_robots._native", frozen)]
pub(crate) struct NativeSite {
    origin: Origin,
    client: abide::Client,
    members: Members,
    settings: RetrievalSettings,
    progress: Mutex<Progress>,
}

#[derive(Default)]
struct Progress {
    state: State<Body>,
    /// The retrieval that goes on.
    walk: Option<Walk>,
}

impl NativeSite {
    fn progress(&self) -> MutexGuard<'_, Progress> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn end(&self, progress: &mut Progress, event: Event<Body>) {
        progress.walk = None;
        let state = std::mem::take(&mut progress.state);
        progress.state = state.after(event, &self.settings);
    }
}

/// The failure that a client reports by this name; or what is wrong with the name.
pub(crate) fn failure_named(name: &str) -> Result<Cause, String> {
    let cause = FAILURES.iter().find(|cause| cause.name() == name);
    cause.copied().ok_or_else(|| {
        let known: Vec<_> = FAILURES.iter().map(|cause| cause.name()).collect();
        format!("expected one of {}, but found {name:?}", known.join(", "))
    })
}

/// A response, as Python reports it.
pub(crate) fn response(
    status: &Bound<'_, PyAny>,
    fields: &Bound<'_, PyAny>,
    body: &Bound<'_, PyAny>,
) -> PyResult<Response> {
    let (status, fields) = (status_code(status)?, headers(fields)?);
    Ok(Response::new(
        status,
        fields,
        text(body, "body")?.as_bytes(),
    ))
}

fn nobody_asked() -> PyErr {
    PyRuntimeError::new_err("no request is open: call request() first")
}

/// A status that HTTP has.
pub(crate) fn status_code(status: &Bound<'_, PyAny>) -> PyResult<u16> {
    let found: i64 = status
        .extract()
        .map_err(|_| wrong_type("status", "an int", status))?;
    let code = u16::try_from(found).ok();
    code.filter(|code| (200..=999).contains(code))
        .ok_or_else(|| {
            let message = format!("expected a final code from 200 to 999, but found {found}");
            invalid_option(status.py(), "status", &message)
        })
}

/// The URL of a request, and its fields.
type RequestParts = (String, Vec<(&'static str, String)>);

fn parts(walk: &Walk) -> RequestParts {
    let fields = walk.fields().into_iter();
    let owned = fields.map(|(name, value)| (name, value.to_owned()));
    (walk.url().as_str().to_owned(), owned.collect())
}

#[pymethods]
impl NativeSite {
    #[new]
    #[pyo3(signature = (url, agent, *, max_lifetime, min_lifetime, grace, **options))]
    fn construct(
        py: Python<'_>,
        url: &Bound<'_, PyAny>,
        agent: &Bound<'_, PyAny>,
        max_lifetime: Option<&Bound<'_, PyAny>>,
        min_lifetime: Option<&Bound<'_, PyAny>>,
        grace: Option<&Bound<'_, PyAny>>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let url = text(url, "url")?;
        let url = url_text(py, &url)?;
        let origin = Origin::of(url);
        let origin = origin
            .ok_or_else(|| invalid_url(py, "expected an http or https URL", Some(url), None))?;
        let mut members = Members::of_keywords(options)?;
        members.agent(agent)?;
        members.admit_any_name();
        Ok(Self {
            origin,
            client: client(py, &members)?,
            members,
            settings: lifetimes(max_lifetime, min_lifetime, grace)?,
            progress: Mutex::default(),
        })
    }

    /// Where the robots.txt of the site is.
    #[getter]
    fn robots_url(&self) -> String {
        self.origin.robots_url()
    }

    /// The request to send now; `None` while the rules that are known hold.
    fn request(&self, now: i64) -> Option<RequestParts> {
        let mut progress = self.progress();
        let now = Moment::from_unix_seconds(now);
        if progress.walk.is_none() {
            let plan = progress.state.plan(now, &self.settings);
            if plan.next != NextFetch::Now {
                return None;
            }
            let validators = progress.state.validators();
            progress.walk = Walk::new(&self.origin.robots_url(), validators, now).ok();
        }
        progress.walk.as_ref().map(parts)
    }

    /// Takes the response to the request.
    fn answered(
        &self,
        py: Python<'_>,
        status: &Bound<'_, PyAny>,
        fields: &Bound<'_, PyAny>,
        body: &Bound<'_, PyAny>,
        now: i64,
    ) -> PyResult<()> {
        let response = response(status, fields, body)?;
        let mut progress = self.progress();
        let walk = progress.walk.as_mut().ok_or_else(nobody_asked)?;
        let came = Moment::from_unix_seconds(now);
        let event = py.detach(|| {
            let event = walk.answered(response, came, &self.settings)?;
            Some(event.with_body(Body::fetched))
        });
        if let Some(event) = event {
            self.end(&mut progress, event);
        }
        Ok(())
    }

    /// Takes a failure in place of a response.
    fn failed(&self, py: Python<'_>, failure: &str, now: i64) -> PyResult<()> {
        let cause =
            failure_named(failure).map_err(|words| invalid_option(py, "failure", &words))?;
        let mut progress = self.progress();
        if progress.walk.is_none() {
            return Err(nobody_asked());
        }
        let came = Moment::from_unix_seconds(now);
        self.end(&mut progress, Event::failure(cause, came));
        Ok(())
    }

    /// The rules that hold.
    fn policy(&self, py: Python<'_>, now: i64) -> Policy {
        py.detach(|| {
            let progress = self.progress();
            let plan = progress
                .state
                .plan(Moment::from_unix_seconds(now), &self.settings);
            let retrieval = RetrievalJson::of(&progress.state, &plan);
            let policy = Arc::new(plan.policy(&self.client));
            Policy::cached(policy, self.members.clone(), retrieval)
        })
    }
}
