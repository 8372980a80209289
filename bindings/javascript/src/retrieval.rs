//! What to fetch of a site, what an answer means, and which rules apply. JavaScript sends the
//! requests, has the clock, and keeps the record of each site: the module remembers nothing, so
//! that nothing is lost with an instance.

use crate::tools::{Answer, Files};
use abide::rep::Cause;
use abide::{Client, Moment, Policy};
use abide_contract::{RequestError, RetrievalJson, codes, read, text};
use abide_fetch::guard::Guard;
use abide_fetch::machine::{
    Event, FAILURES, NextFetch, Plan, Response, RetrievalSettings, State, Walk,
};
use abide_fetch::{Body, Record, RequestUrl, Resource, Seal};
use serde::{Deserialize, Serialize};
use std::fmt::Display;
use std::time::Duration;

/// A question about a site.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Question {
    /// Any URL of the site.
    url: String,
    now: Moment,
    max_lifetime: Option<f64>,
    min_lifetime: Option<f64>,
    grace: Option<f64>,
    #[serde(default)]
    allow_private: bool,
    /// The retrieval that goes on.
    walk: Option<WalkJson>,
    /// What came of its last request, with the body beside the question.
    #[serde(default)]
    status: Option<u16>,
    #[serde(default)]
    headers: Vec<(String, String)>,
    /// Why nothing came.
    failure: Option<String>,
}

/// The error of the member with this name.
fn wrong(member: &str, error: impl Display) -> RequestError {
    let code = match member {
        "url" => codes::INVALID_URL,
        _ => codes::INVALID_REQUEST,
    };
    RequestError::new(code, format!("/{member}"), error)
}

/// A retrieval that goes on.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WalkJson {
    /// What was requested, and last what is to be requested.
    urls: Vec<String>,
    began: Moment,
}

/// What to do.
#[derive(Serialize)]
struct Told<'t> {
    /// The key of the site.
    site: &'t str,
    /// The request to send now.
    request: Option<RequestJson>,
    /// Until when the rules hold, if there are any.
    until: Option<Moment>,
}

#[derive(Serialize)]
struct RequestJson {
    walk: WalkJson,
    headers: Vec<(&'static str, String)>,
}

/// A site, as it is known at a time.
pub(crate) struct Site {
    record: Record,
    settings: RetrievalSettings,
    now: Moment,
}

impl Question {
    fn settings(&self) -> Result<RetrievalSettings, RequestError> {
        let mut settings = RetrievalSettings::default();
        for (name, given, setting) in [
            (
                "max_lifetime",
                self.max_lifetime,
                &mut settings.max_lifetime,
            ),
            (
                "min_lifetime",
                self.min_lifetime,
                &mut settings.min_lifetime,
            ),
            ("grace", self.grace, &mut settings.grace),
        ] {
            if let Some(given) = given {
                let seconds = Duration::try_from_secs_f64(given);
                *setting = seconds.map_err(|_| wrong(name, "expected seconds from 0"))?;
            }
        }
        Ok(settings)
    }

    /// The site, with its record. One that cannot be read, such as an older one, is none.
    fn site(&self, record: Option<&[u8]>) -> Result<Site, RequestError> {
        let request = RequestUrl::new(&self.url).map_err(|error| wrong("url", error))?;
        let resource = Resource::robots_txt(request.as_str())
            .ok_or_else(|| wrong("url", "expected an http or https URL"))?;
        let known = record.unwrap_or_default();
        let record = Record::from_bytes(known, &resource, &Seal::checksum()).ok();
        let record = record.filter(|record| record.state.is_plausible(self.now));
        let state = State::default();
        Ok(Site {
            record: record.unwrap_or(Record { resource, state }),
            settings: self.settings()?,
            now: self.now,
        })
    }

    /// What came of the last request.
    fn event(
        &self,
        walk: &mut Walk,
        body: Option<&[u8]>,
        settings: &RetrievalSettings,
    ) -> Result<Option<Event<Body>>, RequestError> {
        if let Some(name) = &self.failure {
            let cause = FAILURES.iter().find(|cause| cause.name() == name);
            let cause = cause.ok_or_else(|| wrong("failure", "no such failure"))?;
            return Ok(Some(Event::failure(*cause, self.now)));
        }
        let Some(status) = self.status else {
            return Ok(None);
        };
        if !(200..=999).contains(&status) {
            let reason = format!("expected a final code from 200 to 999, but found {status}");
            return Err(RequestError::new(codes::INVALID_REQUEST, "/status", reason));
        }
        let body = body.unwrap_or_default();
        let response = Response::new(status, self.headers.clone(), body);
        let event = walk.answered(response, self.now, settings);
        Ok(event.map(|event| event.with_body(Body::fetched)))
    }
}

impl Site {
    pub(crate) fn read(question: &[u8], record: Option<&[u8]>) -> Result<Self, RequestError> {
        read::<Question>(question)?.site(record)
    }

    fn plan(&self) -> Plan<'_, Body> {
        self.record.state.plan(self.now, &self.settings)
    }

    pub(crate) fn policy(&self, client: &Client) -> Policy {
        self.plan().policy(client)
    }

    pub(crate) fn retrieval(&self) -> RetrievalJson {
        RetrievalJson::of(&self.record.state, &self.plan())
    }

    /// Until when the rules stay; `None` if there is something to fetch.
    fn until(&self) -> Option<Moment> {
        let fresh_until = self.record.state.copy().map(|copy| copy.fresh_until);
        let fresh_until = fresh_until.filter(|until| self.now < *until);
        match self.plan().next {
            NextFetch::Now => None,
            // A fresh file is renewed when it expires.
            NextFetch::At(_) if self.record.state.outage().is_none() => fresh_until,
            NextFetch::At(at) => Some(fresh_until.map_or(at, |until| until.min(at))),
        }
    }

    fn ended(&mut self, event: Event<Body>) {
        let state = std::mem::take(&mut self.record.state);
        self.record.state = state.after(event, &self.settings);
    }

    fn told(&self, request: Option<RequestJson>) -> Told<'_> {
        Told {
            site: self.record.resource.as_str(),
            until: request.is_none().then(|| self.until()).flatten(),
            request,
        }
    }

    fn answer(&self, walk: Option<&Walk>, began: Moment) -> Answer {
        let request = walk.map(|walk| RequestJson {
            walk: WalkJson {
                urls: walk.urls().iter().map(ToString::to_string).collect(),
                began,
            },
            headers: walk
                .fields()
                .into_iter()
                .map(|(name, value)| (name, value.to_owned()))
                .collect(),
        });
        Answer {
            json: text::line(&self.told(request)),
            file: self.record.to_bytes(&Seal::checksum()),
        }
    }
}

/// Says what to request now, or until when the rules hold. The files are the record of the site,
/// and the body of a response; the file of the answer is the new record.
pub(crate) fn answer(request: &[u8], [record, body]: Files<'_>) -> Result<Answer, RequestError> {
    let question: Question = read(request)?;
    let mut site = question.site(record)?;
    let began = question.walk.as_ref().map_or(site.now, |walk| walk.began);
    if question.walk.is_none() && site.until().is_some() {
        return Ok(site.answer(None, began));
    }
    let earlier = question.walk.as_ref().map_or(&[][..], |walk| &walk.urls);
    let validators = site.record.state.validators();
    let walk = Walk::new(&site.record.resource.url(), validators, began);
    let walk =
        walk.and_then(|walk| walk.along(earlier.get(1..).unwrap_or_default(), &site.settings));
    let mut walk = match walk {
        Ok(walk) => walk,
        Err(cause) => {
            site.ended(Event::failure(cause, site.now));
            return Ok(site.answer(None, began));
        }
    };
    let event = question.event(&mut walk, body, &site.settings)?;
    let guard = if question.allow_private {
        Guard::open()
    } else {
        Guard::new()
    };
    let event = event.or_else(|| {
        let is_refused = guard.check_url(walk.url()).is_err();
        is_refused.then(|| Event::failure(Cause::Refused, site.now))
    });
    match event {
        None => Ok(site.answer(Some(&walk), began)),
        Some(event) => {
            site.ended(event);
            Ok(site.answer(None, began))
        }
    }
}
