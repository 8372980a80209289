//! A cache of abide with its history: every file that a site served, and what it answers now.

use super::{FoundCapture, InputProblem, Item, Sink};
use crate::capture::{BODY_KEPT, Body, Capture};
use abide::Moment;
use abide::rep::Cause;
use abide_fetch::Resource;
use abide_fetch::machine::{Answer, RetrievalSettings};
use abide_fetch::store::{FileStore, ServedBody, StoreError, Summary};
use std::path::Path;

/// The file of a cache, in its folder.
pub(crate) const FILE: &str = "robots.redb";
/// The number of sites that are read at a time.
const SITES_PER_READ: usize = 64;

/// Reads all sites, by name. An error says in one sentence why the cache cannot be read.
pub(crate) fn read(path: &Path, sink: &mut Sink<'_>) -> Result<(), String> {
    let store = FileStore::open_to_read(path).map_err(|error| error.to_string())?;
    let mut after: Option<String> = None;
    loop {
        let sites = store
            .sites_after(after.as_deref(), SITES_PER_READ)
            .map_err(|error| error.to_string())?;
        let Some(last) = sites.last() else {
            return Ok(());
        };
        after = Some(last.name.clone());
        for site in &sites {
            if !add(&store, site, sink) {
                return Ok(());
            }
        }
    }
}

fn add(store: &FileStore, site: &Summary, sink: &mut Sink<'_>) -> bool {
    let Some(resource) = &site.resource else {
        return sink(failed(&site.name, "the name of the record is damaged"));
    };
    if resource.is_document() {
        return sink(Item::Skipped("document"));
    }
    match add_served(store, resource, sink) {
        Ok(true) => {}
        Ok(false) => return false,
        Err(error) => return sink(failed(&site.name, &error.to_string())),
    }
    match &site.record {
        Err(error) => sink(failed(&site.name, &error.to_string())),
        Ok(record) => {
            let state = &record.state;
            let without_file = state.copy().and_then(|copy| match &copy.kept {
                Answer::Missing(cause) => Some((*cause, copy.checked_at)),
                Answer::File(_) => None,
            });
            let outage = state.outage().map(|outage| (outage.cause, outage.last));
            let mut answers = without_file.into_iter().chain(outage);
            answers.all(|(cause, at)| sink(found(without_rules(resource, cause, at))))
        }
    }
}

/// Adds every file that a site served. Returns false if nothing more is wanted.
fn add_served(
    store: &FileStore,
    resource: &Resource,
    sink: &mut Sink<'_>,
) -> Result<bool, StoreError> {
    for observed in store.served(resource)? {
        let Some(body) = body(store, resource, &observed)? else {
            continue;
        };
        let mut capture = at(resource, observed.first).with_status(200);
        capture.body = Body::of(body.as_bytes().to_vec());
        capture.body.is_cut = body.is_cut();
        // With the byte that shows whether the last line is complete.
        capture.body.bytes = body.to_parse().to_vec();
        capture.body.bytes.truncate(BODY_KEPT);
        if !sink(found(capture)) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// A body that was served, which knows whether it was cut.
fn body(
    store: &FileStore,
    resource: &Resource,
    observed: &ServedBody,
) -> Result<Option<abide_fetch::Body>, StoreError> {
    let state = store.state_at(resource, observed.first, &RetrievalSettings::default())?;
    let copy = state.as_ref().and_then(|state| state.copy());
    match copy.map(|copy| &copy.kept) {
        Some(Answer::File(body)) if body.hash() == observed.sha256 => Ok(Some(body.clone())),
        // Another body came within the same second.
        _ => store.body(observed.sha256),
    }
}

fn without_rules(resource: &Resource, cause: Cause, moment: Moment) -> Capture {
    let capture = at(resource, moment);
    match cause {
        Cause::Status(status) => capture.with_status(status),
        cause => Capture {
            failure: Some(cause),
            ..capture
        },
    }
}

fn at(resource: &Resource, moment: Moment) -> Capture {
    let date = moment.unix_seconds().saturating_mul(1_000);
    let date = date.saturating_add(i64::from(moment.milliseconds()));
    Capture::of_url(&resource.url()).with_date(date)
}

fn found(capture: Capture) -> Item {
    Item::Capture(FoundCapture {
        capture,
        place: 0,
        digest: None,
        original: None,
    })
}

fn failed(name: &str, message: &str) -> Item {
    Item::Failed(InputProblem {
        place: format!("site {name}"),
        code: "cache-record",
        message: message.to_owned(),
        ..InputProblem::default()
    })
}
