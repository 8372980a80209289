//! The states of a site's robots.txt without any I/O, for programs with a client of their own.

use crate::cache::lifetimes;
use crate::error::{invalid_option, invalid_url, wrong_type};
use crate::input::{headers, text};
use crate::options::{Members, url_text};
use crate::policy::{Policy, client};
use abide::Moment;
use abide::rep::Cause;
use abide_contract::RetrievalJson;
use abide_fetch::machine::{
    Answer, Chain, Event, Field, Hop, NextFetch, ResponseTimes, RetrievalSettings, State,
    Validators,
};
use abide_fetch::{Body, Origin};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The failures that a client can report, in the words of the contract.
const FAILURES: [Cause; 6] = [
    Cause::Dns,
    Cause::Connect,
    Cause::Tls,
    Cause::Timeout,
    Cause::Truncated,
    Cause::Network,
];

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
    state: State<Arc<Body>>,
    /// The retrieval that goes on: its URLs, and when it began.
    walk: Option<(Chain, Moment)>,
}

impl NativeSite {
    fn progress(&self) -> MutexGuard<'_, Progress> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn end(&self, progress: &mut Progress, event: Event<Arc<Body>>) {
        progress.walk = None;
        let state = std::mem::take(&mut progress.state);
        progress.state = state.after(event, &self.settings);
    }
}

impl Progress {
    /// The validators of a file, which a 304 confirms.
    fn validators(&self) -> Option<&Validators> {
        let copy = self.state.copy()?;
        let is_file = matches!(copy.kept, Answer::File(_)) && !copy.validators.is_empty();
        is_file.then_some(&copy.validators)
    }

    /// The URL to request, and the fields of the request.
    fn hop(&self) -> Option<RequestParts> {
        let (chain, _) = self.walk.as_ref()?;
        let url = chain.urls().last()?.as_str().to_owned();
        // A validator belongs to the first site, and means nothing to another one.
        let own = self.validators().filter(|_| chain.urls().len() == 1);
        Some((url, own.map(conditional).unwrap_or_default()))
    }
}

/// The fields of a request that asks whether a copy is still current.
pub(crate) fn conditional(validators: &Validators) -> Vec<(&'static str, String)> {
    let etag = validators.etag.clone().map(|tag| ("If-None-Match", tag));
    let modified = validators.last_modified.clone();
    let modified = modified.map(|date| ("If-Modified-Since", date));
    etag.into_iter().chain(modified).collect()
}

/// The failure that a client reports by this name; or what is wrong with the name.
pub(crate) fn failure_named(name: &str) -> Result<Cause, String> {
    let cause = FAILURES.into_iter().find(|cause| cause.name() == name);
    cause.ok_or_else(|| {
        let known = FAILURES.map(Cause::name).join(", ");
        format!("expected one of {known}, but found {name:?}")
    })
}

/// A response, as Python reports it.
pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) fields: Vec<(String, String)>,
    /// At most one byte more than is read: it shows whether the last line is complete.
    body: Vec<u8>,
}

impl Response {
    pub(crate) fn of(
        status: &Bound<'_, PyAny>,
        fields: &Bound<'_, PyAny>,
        body: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        let (status, fields) = (status_code(status)?, headers(fields)?);
        let body = text(body, "body")?;
        let bytes = body.as_bytes();
        let body = bytes[..bytes.len().min(most_bytes() + 1)].to_vec();
        Ok(Self {
            status,
            fields,
            body,
        })
    }

    /// Where it redirects to.
    pub(crate) fn locations(&self) -> Vec<&[u8]> {
        let named = self.fields.iter();
        named
            .filter(|(name, _)| name.eq_ignore_ascii_case("location"))
            .map(|(_, value)| value.as_bytes())
            .collect()
    }

    /// Whether the body is longer than what is read.
    pub(crate) fn is_cut(&self) -> bool {
        self.body.len() > most_bytes()
    }

    /// What it says, if it came of the first request of a retrieval, and with validators or not.
    pub(crate) fn event(
        self,
        (is_first, is_conditional): (bool, bool),
        times: ResponseTimes,
        settings: &RetrievalSettings,
    ) -> Event<Vec<u8>> {
        let fields = self.fields.iter();
        let fields: Vec<Field<'_>> = fields
            .map(|(name, value)| Field::new(name, value.as_bytes()))
            .collect();
        let event = Event::response(self.status, &fields, self.body, times, settings);
        if !is_first {
            event.of_another_authority()
        } else if is_conditional {
            event
        } else {
            event.unconditional()
        }
    }
}

fn most_bytes() -> usize {
    abide::Limits::default().bytes()
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
            let chain = Chain::new(&self.origin.robots_url()).ok()?;
            progress.walk = Some((chain, now));
        }
        progress.hop()
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
        let response = Response::of(status, fields, body)?;
        let mut progress = self.progress();
        let Some((chain, requested_at)) = &mut progress.walk else {
            return Err(nobody_asked());
        };
        let came = Moment::from_unix_seconds(now);
        if Chain::redirects(response.status) {
            if let Hop::End(cause) = chain.follow(&response.locations(), &self.settings) {
                self.end(&mut progress, Event::failure(cause, came));
            }
            return Ok(());
        }
        let times = ResponseTimes {
            requested_at: *requested_at,
            received_at: came,
        };
        let is_first = chain.urls().len() == 1;
        let sent = (is_first, progress.validators().is_some());
        let event = py.detach(|| {
            let is_cut = response.is_cut();
            let event = response.event(sent, times, &self.settings);
            event.with_body(|bytes| {
                Arc::new(if is_cut {
                    Body::cut(bytes)
                } else {
                    Body::new(bytes)
                })
            })
        });
        self.end(&mut progress, event);
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
            let copy = progress.state.copy();
            let file = copy.and_then(|copy| match &copy.kept {
                Answer::File(body) => Some(body),
                Answer::Missing(_) => None,
            });
            let retrieval = RetrievalJson {
                state: plan.why,
                sha256: file.map(|body| body.hash().to_string()),
                cut: file.is_some_and(|body| body.is_cut()),
                fetched_at: copy.map(|copy| copy.fetched_at),
                checked_at: copy.map(|copy| copy.checked_at),
                fresh_until: copy.map(|copy| copy.fresh_until),
                unreachable_since: progress.state.outage().map(|outage| outage.since),
            };
            let policy = Arc::new(plan.policy(&self.client));
            Policy::cached(policy, self.members.clone(), retrieval)
        })
    }
}
