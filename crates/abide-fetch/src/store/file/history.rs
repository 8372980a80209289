//! Reads the history of a store.

use super::{BODIES, EVENTS, FileStore, RECORDS, SERVED, find, of_file, opened, whole};
use crate::machine::{Event, EventKind, RetrievalSettings, State, Trail};
use crate::record::{Body, BodyHash, BodyName, Record, RecordError, Resource, read_event};
use crate::store::StoreError;
use abide::Moment;
use redb::ReadTransaction;
use std::ops::Bound;
use std::sync::Arc;

/// A robots.txt in the store, or a document beside one.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Summary {
    /// What it is; `None` if its name is damaged.
    pub resource: Option<Resource>,
    /// The name under which the file keeps it. If the name is damaged, it can be any text.
    pub name: String,
    /// Its record; or why that cannot be read, which says nothing about other sites.
    pub record: Result<Record, StoreError>,
    /// The number of its events.
    pub events: u64,
    /// The number of different bodies that it served.
    pub bodies: u64,
}

/// A body that was served for a resource.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ServedBody {
    /// Its hash.
    pub sha256: BodyHash,
    /// Its length in bytes.
    pub bytes: u64,
    /// When it was first served; the whole second, if the history does not go back to then.
    pub first: Moment,
    /// When it was last served or confirmed.
    pub last: Moment,
    /// What was requested when it was first served, and what answered, if the history goes back to
    /// then and has it.
    pub trail: Option<Arc<Trail>>,
}

impl FileStore {
    /// All robots.txt and documents in the order of their names, including those whose record is
    /// damaged.
    ///
    /// # Errors
    /// [`StoreError`] if the file cannot be read.
    pub fn sites(&self) -> Result<Vec<Summary>, StoreError> {
        self.sites_after(None, usize::MAX)
    }

    /// The first `most` robots.txt and documents whose name comes after `name`, in the order of
    /// their names; from the beginning without a name. So a large store is read in pieces.
    ///
    /// # Errors
    /// [`StoreError`] if the file cannot be read.
    pub fn sites_after(&self, name: Option<&str>, most: usize) -> Result<Vec<Summary>, StoreError> {
        self.reading(|read| sites(read, name, most))
    }

    /// Runs `work` on the current state of the file.
    fn reading<T>(
        &self,
        work: impl FnOnce(&ReadTransaction) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        self.0.shelf.using(|handle| work(&handle.read()?))
    }

    /// All bodies that `resource` served, the earliest first.
    ///
    /// # Errors
    /// [`StoreError`] if the file cannot be read.
    pub fn served(&self, resource: &Resource) -> Result<Vec<ServedBody>, StoreError> {
        self.reading(|read| served(read, resource.as_str()))
    }

    /// The body with this hash.
    ///
    /// # Errors
    /// [`StoreError`] if the file cannot be read, or the body does not have this hash.
    pub fn body(&self, hash: BodyHash) -> Result<Option<Body>, StoreError> {
        self.reading(|read| find(read, hash))
    }

    /// What was known of `resource` at a past time: replays its events up to then. `None` if there
    /// were no events yet.
    ///
    /// # Errors
    /// [`StoreError`] if the file cannot be read.
    pub fn state_at(
        &self,
        resource: &Resource,
        at: Moment,
        settings: &RetrievalSettings,
    ) -> Result<Option<State<Body>>, StoreError> {
        self.reading(|read| state_at(read, resource, at, settings))
    }
}

fn sites(
    read: &ReadTransaction,
    after: Option<&str>,
    most: usize,
) -> Result<Vec<Summary>, StoreError> {
    let Some(records) = opened(read.open_table(RECORDS))? else {
        return Ok(Vec::new());
    };
    let mut sites = Vec::new();
    let start = after.map_or(Bound::Unbounded, Bound::Excluded);
    let range = records.range::<&str>((start, Bound::Unbounded))?;
    for entry in range.take(most) {
        let (name, bytes) = entry?;
        let name = name.value();
        let resource = Resource::of_key(name);
        let record = match &resource {
            Some(resource) => of_file(bytes.value(), resource, read),
            None => Err(RecordError::Resource.into()),
        };
        sites.push(Summary {
            record,
            events: events_of(name, read)?,
            bodies: served(read, name)?.len() as u64,
            name: name.to_owned(),
            resource,
        });
    }
    Ok(sites)
}

fn served(read: &ReadTransaction, resource: &str) -> Result<Vec<ServedBody>, StoreError> {
    let Some(served) = opened(read.open_table(SERVED))? else {
        return Ok(Vec::new());
    };
    let bodies = opened(read.open_table(BODIES))?;
    let (lowest, highest) = ([0; 32], [u8::MAX; 32]);
    let mut found = Vec::new();
    for entry in served.range((resource, &lowest)..=(resource, &highest))? {
        let (key, times) = entry?;
        let (_, hash) = key.value();
        let (first, last) = times.value();
        let hash = BodyHash::from_bytes(*hash);
        let began = event_of(
            read,
            (resource, first),
            |event| matches!(event.what(), EventKind::File(body, ..) if body.hash == hash),
        )?;
        let ended = event_of(read, (resource, last), |event| match event.what() {
            EventKind::File(body, ..) => body.hash == hash,
            EventKind::NotModified(..) => true,
            _ => false,
        })?;
        let body = match &bodies {
            Some(bodies) => bodies.get(hash.as_bytes())?,
            None => None,
        };
        found.push(ServedBody {
            sha256: hash,
            bytes: body.map_or(0, |body| body.value().len() as u64),
            first: when(began.as_ref(), first),
            last: when(ended.as_ref(), last),
            trail: began.and_then(|event| event.trail().cloned()),
        });
    }
    found.sort_by_key(|body| (body.first, body.last));
    Ok(found)
}

/// The first event of a resource within a second that fits.
fn event_of(
    read: &ReadTransaction,
    (resource, second): (&str, i64),
    fits: impl Fn(&Event<BodyName>) -> bool,
) -> Result<Option<Event<BodyName>>, StoreError> {
    let Some(events) = opened(read.open_table(EVENTS))? else {
        return Ok(None);
    };
    for entry in events.range((resource, second, 0)..=(resource, second, u32::MAX))? {
        // A damaged event takes nothing from what the table of bodies says.
        if let Ok(event) = read_event(entry?.1.value())
            && fits(&event)
        {
            return Ok(Some(event));
        }
    }
    Ok(None)
}

/// When an event came, or the second of which there is no event any more.
fn when(event: Option<&Event<BodyName>>, second: i64) -> Moment {
    event.map_or_else(|| Moment::from_unix_seconds(second), Event::came)
}

fn state_at(
    read: &ReadTransaction,
    resource: &Resource,
    at: Moment,
    settings: &RetrievalSettings,
) -> Result<Option<State<Body>>, StoreError> {
    let Some(events) = opened(read.open_table(EVENTS))? else {
        return Ok(None);
    };
    let (from, _) = whole(resource.as_str());
    let to = (resource.as_str(), at.unix_seconds(), u32::MAX);
    let mut events_before = Vec::new();
    for entry in events.range(from..=to)?.rev() {
        let (_, bytes) = entry?;
        let event = read_event(bytes.value())?;
        // The key has whole seconds.
        if event.came() > at {
            continue;
        }
        let is_answer = event.what().is_answer();
        events_before.push(event);
        if is_answer {
            break;
        }
    }
    let mut state: Option<State<Body>> = None;
    for event in events_before.into_iter().rev() {
        let event = with_bytes(event, read)?;
        state = Some(state.unwrap_or_default().after(event, settings));
    }
    Ok(state)
}

fn events_of(resource: &str, read: &ReadTransaction) -> Result<u64, redb::Error> {
    let Some(events) = opened(read.open_table(EVENTS))? else {
        return Ok(0);
    };
    let (from, to) = whole(resource);
    Ok(events.range(from..=to)?.count() as u64)
}

/// The event with the bytes of its body.
fn with_bytes(event: Event<BodyName>, read: &ReadTransaction) -> Result<Event<Body>, StoreError> {
    let mut failed = None;
    let event = event.with_body(|name| match find(read, name.hash) {
        Ok(Some(body)) => body.kept_as(name.cut),
        other => {
            failed = Some(other.err().unwrap_or(RecordError::Body.into()));
            Body::new(Vec::new())
        }
    });
    failed.map_or(Ok(event), Err)
}
