//! Turns to visit sites: `RobotsCache.turn`, and the `Visit` that it gives.

use crate::error::{invalid_option, no_turn, wrong_type};
use crate::input::headers;
use crate::machine::status_code;
use crate::options::seconds;
use abide_fetch::RequestUrl;
use abide_fetch::machine::Field;
use abide_fetch::pace::{
    AboveMax, Fleet, FleetMember, PaceKey, PaceReport, PaceSettings, Pacer, TurnError,
};
use abide_fetch::store::SharedStore;
use pyo3::exceptions::{PyException, PyRuntimeError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::{Mutex, MutexGuard, PoisonError};

const KEYS: [(&str, PaceKey); 3] = [
    ("origin", PaceKey::Origin),
    ("host", PaceKey::Host),
    ("domain", PaceKey::Domain),
];
const ABOVE_MAX: [(&str, AboveMax); 3] = [
    ("cap", AboveMax::Cap),
    ("skip", AboveMax::Skip),
    ("obey", AboveMax::Obey),
];

/// How visits are paced, as `pace` says.
pub(crate) struct Pace {
    settings: PaceSettings,
    /// Which of the processes is this one that share the pace of each site.
    member: Option<FleetMember>,
}

impl Pace {
    /// A pacer with these settings, which reports to `report`. A fleet shares `server`.
    pub(crate) fn pacer(
        &self,
        py: Python<'_>,
        server: Option<&SharedStore>,
        report: impl Fn(&PaceReport) + Send + Sync + 'static,
    ) -> PyResult<Pacer> {
        let Some(member) = self.member else {
            return Ok(Pacer::with_observer(&self.settings, report));
        };
        let Some(server) = server else {
            let message = "has no effect without a server: set store to one, such as redis://host";
            return Err(invalid_option(py, "pace.member", message));
        };
        let fleet = Fleet::new(server.clone(), member);
        Ok(Pacer::in_fleet(&self.settings, fleet, report))
    }
}

/// The settings of a pacer, as `pace` gives them.
pub(crate) fn pace(pace: &Bound<'_, PyAny>) -> PyResult<Pace> {
    let expected = "a dict of settings, such as {} or {'min_delay': 2.0}";
    let pace = pace
        .cast::<PyDict>()
        .map_err(|_| wrong_type("pace", expected, pace))?;
    let (mut settings, mut member) = (PaceSettings::default(), None);
    for (name, value) in pace {
        let name = name.str()?.to_string();
        match &*name {
            "min_delay" => settings.min_delay = seconds(&value, "pace.min_delay")?,
            "max_delay" => settings.max_delay = seconds(&value, "pace.max_delay")?,
            "max_rest" => settings.max_rest = seconds(&value, "pace.max_rest")?,
            "above_max" => settings.above_max = one_of(&ABOVE_MAX, &value, "pace.above_max")?,
            "key" => settings.key = one_of(&KEYS, &value, "pace.key")?,
            "member" => member = Some(fleet_member(&value)?),
            _ => {
                let message = format!(
                    "expected min_delay, max_delay, max_rest, above_max, key or member, but found {name:?}"
                );
                return Err(invalid_option(pace.py(), "pace", &message));
            }
        }
    }
    Ok(Pace { settings, member })
}

fn fleet_member(value: &Bound<'_, PyAny>) -> PyResult<FleetMember> {
    let text: String = value
        .extract()
        .map_err(|_| wrong_type("pace.member", "text such as '0/3'", value))?;
    text.parse().map_err(|error| {
        let message = format!("{error}, but found {text:?}");
        invalid_option(value.py(), "pace.member", &message)
    })
}

/// The choice that is named.
fn one_of<T: Copy>(choices: &[(&str, T)], value: &Bound<'_, PyAny>, argument: &str) -> PyResult<T> {
    let name: Option<String> = value.extract().ok();
    let mut named = choices.iter();
    let named = named.find(|(choice, _)| name.as_deref() == Some(choice));
    named.map(|(_, choice)| *choice).ok_or_else(|| {
        let known: Vec<_> = choices.iter().map(|(choice, _)| *choice).collect();
        let found = value
            .repr()
            .map_or_else(|_| "another".to_owned(), |text| text.to_string());
        let message = format!("expected one of {}, but found {found}", known.join(", "));
        invalid_option(value.py(), argument, &message)
    })
}

/// A turn, as Python gets it: nothing if the rules of the site do not allow the URL.
pub(crate) fn given(
    turn: Result<Option<(RequestUrl, abide_fetch::pace::Visit)>, TurnError>,
) -> PyResult<Option<Visit>> {
    let turn = turn.map_err(|error| Python::attach(|py| refused(py, error)))?;
    Ok(turn.map(|(url, visit)| Visit {
        url: url.as_str().to_owned(),
        progress: Mutex::new(VisitProgress {
            visit: Some(visit),
            is_noted: false,
        }),
    }))
}

/// Why there is no turn, in words of Python.
fn refused(py: Python<'_>, error: TurnError) -> PyErr {
    let message = match error {
        TurnError::NoPacer => {
            let message = "expected settings, such as {}: without them, the cache gives no turns";
            return invalid_option(py, "pace", message);
        }
        TurnError::TooSlow { max } => {
            let max = max.as_secs_f64();
            format!(
                "the site asks for a Crawl-delay above {max} s, and is skipped (pace.above_max)"
            )
        }
        TurnError::Rests { rest } => {
            let rest = rest.as_secs_f64().ceil();
            format!(
                "the site rests for another {rest} s, longer than visits wait (pace.max_rest): \
                 try again then"
            )
        }
        TurnError::ManySites { max } => {
            format!("{max} sites have their delays: visit fewer at once")
        }
        TurnError::ManyWaiting { max } => format!("{max} visits wait: begin fewer at once"),
        TurnError::ManyWaitingForSite { max } => {
            format!("{max} visits wait for this site: begin fewer of them at once")
        }
        error => error.to_string(),
    };
    no_turn(py, &message)
}

/// One request to a site, and its answer. The delay of the site begins when the visit ends: at the
/// end of `with`, by `end()`, or when nothing refers to it any more.
#[pyclass(module = "abide_robots", frozen)]
pub(crate) struct Visit {
    url: String,
    progress: Mutex<VisitProgress>,
}

struct VisitProgress {
    /// Until it has ended.
    visit: Option<abide_fetch::pace::Visit>,
    /// Whether it was said how it went.
    is_noted: bool,
}

impl Visit {
    fn progress(&self) -> MutexGuard<'_, VisitProgress> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn note(&self, note: impl FnOnce(&mut abide_fetch::pace::Visit)) -> PyResult<()> {
        let mut progress = self.progress();
        let Some(visit) = &mut progress.visit else {
            return Err(PyRuntimeError::new_err("the visit has ended"));
        };
        note(visit);
        progress.is_noted = true;
        Ok(())
    }
}

#[pymethods]
impl Visit {
    /// The URL to send.
    #[getter]
    fn url(&self) -> &str {
        &self.url
    }

    /// Notes the status and the fields of the answer. After a status of 429 or from 500 on, and
    /// after answers that become slow, the site is visited less often; `Retry-After` is obeyed with
    /// 429 and 503.
    #[pyo3(signature = (status, headers = None))]
    fn answered(
        &self,
        status: &Bound<'_, PyAny>,
        headers: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let status = status_code(status)?;
        let fields = headers.map(self::headers).transpose()?.unwrap_or_default();
        let fields = fields.iter();
        let fields: Vec<_> = fields
            .map(|(name, value)| Field::new(name, value.as_bytes()))
            .collect();
        self.note(|visit| visit.answered(status, &fields))
    }

    /// Notes that there was no answer, or none that can be read.
    fn failed(&self) -> PyResult<()> {
        self.note(abide_fetch::pace::Visit::failed)
    }

    /// Ends the visit, and returns for how many seconds its site then rests; 0 if it had ended.
    fn end(&self) -> f64 {
        let visit = self.progress().visit.take();
        visit.map_or(0.0, |visit| visit.end().as_secs_f64())
    }

    fn __enter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    /// Ends the visit. An exception is a failure of the site, unless it was said how the visit
    /// went.
    fn __exit__(
        &self,
        _kind: &Bound<'_, PyAny>,
        raised: &Bound<'_, PyAny>,
        _traceback: &Bound<'_, PyAny>,
    ) {
        let mut progress = self.progress();
        let is_failure = !progress.is_noted && raised.is_instance_of::<PyException>();
        if let Some(visit) = progress.visit.as_mut().filter(|_| is_failure) {
            visit.failed();
        }
        let ended = progress.visit.take();
        drop(progress);
        drop(ended);
    }

    fn __repr__(&self) -> String {
        let is_over = self.progress().visit.is_none();
        let state = if is_over { "has ended" } else { "goes on" };
        format!("<Visit to {}: {state}>", self.url)
    }
}
