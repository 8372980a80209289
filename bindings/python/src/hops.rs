//! A retriever whose requests a program in Python sends, with the client that it has.

use crate::error::invalid_option;
use crate::machine::{failure_named, response};
use abide::rep::Cause;
use abide_fetch::RequestUrl;
use abide_fetch::Retriever;
use abide_fetch::guard::Guard;
use abide_fetch::http::{BoxFuture, HopReport, RedirectCheck, Retrieval, now};
use abide_fetch::machine::{
    Chain, Event, Hop, Response, ResponseTimes, RetrievalSettings, Validators,
};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::oneshot;
use tokio::time::Instant;

/// Fetches through a function of Python.
pub(crate) struct Hops {
    /// `send(url, fields, hop)` begins a request, from any thread, and returns a function that
    /// breaks it off. What comes of it is reported to `hop`.
    pub(crate) send: Arc<Py<PyAny>>,
    pub(crate) user_agent: String,
    pub(crate) guard: Guard,
    pub(crate) settings: RetrievalSettings,
    /// For a retrieval with its redirects.
    pub(crate) deadline: Duration,
}

/// Why there is no response.
struct Failure {
    cause: Cause,
    words: String,
    /// Whether it says nothing about the site.
    is_local: bool,
}

impl Failure {
    fn new(cause: Cause, words: impl Into<String>) -> Self {
        Self {
            cause,
            words: words.into(),
            is_local: false,
        }
    }

    /// A failure of this program.
    fn local(words: impl Into<String>) -> Self {
        Self {
            is_local: true,
            ..Self::new(Cause::Network, words)
        }
    }
}

type Outcome = Result<Response, Failure>;

/// A request that is under way. Who drops it without a report failed.
#[pyclass(module = "abide_robots._native", frozen)]
pub(crate) struct OpenHop {
    waiting: Mutex<Option<oneshot::Sender<Outcome>>>,
}

impl OpenHop {
    fn report(&self, outcome: Outcome) {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(waiting) = waiting.take() {
            // After the deadline nobody waits.
            let _ = waiting.send(outcome);
        }
    }
}

#[pymethods]
impl OpenHop {
    /// Takes the response.
    fn answered(
        &self,
        status: &Bound<'_, PyAny>,
        fields: &Bound<'_, PyAny>,
        body: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        self.report(Ok(response(status, fields, body)?));
        Ok(())
    }

    /// Takes a failure, and whether it says nothing about the site.
    fn failed(&self, py: Python<'_>, failure: &str, words: String, is_local: bool) -> PyResult<()> {
        let cause =
            failure_named(failure).map_err(|words| invalid_option(py, "failure", &words))?;
        self.report(Err(Failure {
            cause,
            words,
            is_local,
        }));
        Ok(())
    }
}

/// Breaks a request off that nobody waits for any more.
struct Sent(Option<Py<PyAny>>);

impl Drop for Sent {
    fn drop(&mut self) {
        let Some(cancel) = self.0.take() else { return };
        // While the interpreter ends, everything breaks off.
        let _ = Python::try_attach(|py| {
            if let Err(error) = cancel.call0(py) {
                error.write_unraisable(py, None);
            }
        });
    }
}

impl Hops {
    async fn retrieval(
        &self,
        url: &str,
        validators: &Validators,
        check: Option<&dyn RedirectCheck>,
    ) -> Retrieval {
        let (began, mut hops) = (Instant::now(), Vec::new());
        let walk = self.walk(url, validators, check, &mut hops);
        let walked = tokio::time::timeout(self.deadline, walk).await;
        let late = |_| Err(Failure::new(Cause::Timeout, "no answer in time"));
        let mut retrieval = match walked.unwrap_or_else(late) {
            Ok(retrieval) => retrieval,
            Err(failure) => {
                if let Some(hop) = hops.last_mut().filter(|hop| hop.status.is_none()) {
                    (hop.cause, hop.failure) = (Some(failure.cause), Some(failure.words));
                }
                let mut retrieval = Retrieval::new(Event::failure(failure.cause, now()));
                retrieval.is_local = failure.is_local;
                retrieval
            }
        };
        (retrieval.hops, retrieval.took) = (hops, began.elapsed());
        retrieval
    }

    async fn walk(
        &self,
        url: &str,
        validators: &Validators,
        check: Option<&dyn RedirectCheck>,
        hops: &mut Vec<HopReport>,
    ) -> Result<Retrieval, Failure> {
        let unusable = |cause| Failure::new(cause, "the redirect leads nowhere");
        let mut chain = Chain::new(url).map_err(unusable)?;
        let requested_at = now();
        let mut fields = validators.fields();
        loop {
            let Some(url) = chain.urls().last().cloned() else {
                return Err(unusable(Cause::BadRedirect));
            };
            let (began, is_first) = (Instant::now(), hops.is_empty());
            hops.push(HopReport::new(url.clone()));
            let response = self
                .ask(&url, std::mem::take(&mut fields), is_first)
                .await?;
            if let Some(hop) = hops.last_mut() {
                (hop.status, hop.took) = (Some(response.status()), began.elapsed());
            }
            if !Chain::redirects(response.status()) {
                let times = ResponseTimes {
                    requested_at,
                    received_at: now(),
                };
                let is_conditional = !validators.is_empty();
                let mut found = self.read(response, (is_first, is_conditional), times);
                found.is_downgraded = chain.is_downgraded();
                return Ok(found);
            }
            let next = match chain.follow(&response.locations(), &self.settings) {
                Hop::Follow(next) => next,
                Hop::End(cause) => return Err(unusable(cause)),
            };
            if let Some(check) = check
                && !check.may_follow(&next).await
            {
                hops.push(HopReport::new(next));
                let words = "robots.txt does not allow it";
                return Err(Failure::new(Cause::BadRedirect, words));
            }
        }
    }

    fn read(&self, response: Response, sent: (bool, bool), times: ResponseTimes) -> Retrieval {
        let (is_cut, fields) = (response.is_cut(), response.fields().to_vec());
        let mut retrieval = Retrieval::new(response.event(sent, times, &self.settings));
        let media_type = fields.iter();
        retrieval.media_type = media_type
            .clone()
            .find(|(name, _)| name.eq_ignore_ascii_case("content-type"))
            .map(|(_, value)| value.clone());
        let fields = media_type.map(|(name, value)| (name.clone(), value.clone().into_bytes()));
        (retrieval.fields, retrieval.is_cut) = (fields.collect(), is_cut);
        retrieval
    }

    /// Sends one request, and waits for its response.
    async fn ask(
        &self,
        url: &RequestUrl,
        fields: Vec<(&'static str, &str)>,
        is_first: bool,
    ) -> Result<Response, Failure> {
        self.check(url, is_first)?;
        let (waiting, outcome) = oneshot::channel();
        let begun = Python::try_attach(|py| {
            let hop = OpenHop {
                waiting: Mutex::new(Some(waiting)),
            };
            let sent = PyDict::new(py);
            sent.set_item("User-Agent", &self.user_agent)?;
            for (name, value) in fields {
                sent.set_item(name, value)?;
            }
            self.send.call1(py, (url.as_str(), sent, hop))
        });
        let mut sent = match begun {
            Some(Ok(cancel)) => Sent(Some(cancel)),
            Some(Err(error)) => return Err(Failure::local(error.to_string())),
            None => return Err(Failure::local("the interpreter ends")),
        };
        let outcome = outcome.await;
        sent.0 = None;
        outcome.unwrap_or_else(|_| Err(Failure::local("the request was given up")))
    }

    /// Checks what a URL says about its site. Python's client looks up names and connects.
    fn check(&self, url: &RequestUrl, is_first: bool) -> Result<(), Failure> {
        let refused = |reason: abide_fetch::guard::AddressError| {
            Failure::new(Cause::Refused, reason.to_string())
        };
        self.guard.check_url(url).map_err(|reason| Failure {
            // Whoever redirects to such a port is to blame for it; whoever asks for it is not.
            is_local: is_first && self.guard.check_port(url.port()).is_err(),
            ..refused(reason)
        })
    }
}

impl Retriever for Hops {
    fn retrieve<'a>(
        &'a self,
        url: &'a str,
        validators: &'a Validators,
    ) -> BoxFuture<'a, Retrieval> {
        Box::pin(self.retrieval(url, validators, None))
    }

    fn retrieve_document<'a>(
        &'a self,
        url: &'a str,
        validators: &'a Validators,
        check: &'a dyn RedirectCheck,
    ) -> BoxFuture<'a, Retrieval> {
        Box::pin(self.retrieval(url, validators, Some(check)))
    }
}
