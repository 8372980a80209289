//! Removes what is too old to matter.

use super::{BODIES, EVENTS, RECORDS, SERVED, whole};
use crate::machine::What;
use crate::record::{Body, BodyHash, Record, RecordError, Resource, Seal, read_event};
use abide::Moment;
use redb::{Database, ReadableTable, Table, WriteTransaction};
use std::collections::BTreeSet;

/// What pruning removed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct PruneResult {
    /// The number of events removed.
    pub events: u64,
    /// The number of bodies removed.
    pub bodies: u64,
    /// The names of the resources whose name, record, history or body is damaged. Nothing of theirs
    /// was removed.
    pub damaged: Vec<String>,
}

type Events<'t> = Table<'t, (&'static str, i64, u32), &'static [u8]>;

pub(super) fn prune(database: &Database, before: Moment) -> Result<PruneResult, redb::Error> {
    let write = database.begin_write()?;
    let mut pruned = PruneResult::default();
    let mut needed = BTreeSet::new();
    let damaged = damaged(&write)?;
    for resource in keys(&write)? {
        if damaged.contains(&resource) {
            continue;
        }
        let mut events = write.open_table(EVENTS)?;
        let gone = forget(&mut events, &resource, before)?;
        pruned.events = pruned.events.saturating_add(gone);
        needed.extend(bodies_of(&events, &resource)?);
    }
    let mut served = write.open_table(SERVED)?;
    served.retain(|(resource, hash), _| {
        let named = (resource.to_owned(), BodyHash::from_bytes(*hash));
        // A damaged record may refer to any body that was served.
        let is_needed = damaged.contains(resource) || needed.contains(&named);
        if is_needed {
            needed.insert(named);
        }
        is_needed
    })?;
    drop(served);
    let needed: BTreeSet<_> = needed.into_iter().map(|(_, hash)| hash).collect();
    pruned.damaged = damaged.into_iter().collect();
    let mut bodies = write.open_table(BODIES)?;
    bodies.retain(|hash, _| {
        let keep = needed.contains(&BodyHash::from_bytes(*hash));
        pruned.bodies = pruned.bodies.saturating_add(u64::from(!keep));
        keep
    })?;
    drop(bodies);
    write.commit()?;
    Ok(pruned)
}

/// The keys of resources with damaged content.
fn damaged(write: &WriteTransaction) -> Result<BTreeSet<String>, redb::Error> {
    let (records, events) = (write.open_table(RECORDS)?, write.open_table(EVENTS)?);
    let bodies = write.open_table(BODIES)?;
    let mut damaged = BTreeSet::new();
    for entry in records.iter()? {
        let (resource, bytes) = entry?;
        let is_sound = |resource: &str| -> Result<bool, redb::Error> {
            let Some(of) = Resource::of_key(resource) else {
                return Ok(false);
            };
            let body = |hash: BodyHash| {
                let stored = bodies.get(hash.as_bytes()).ok()??;
                let body = Body::new(stored.value().to_vec());
                (body.hash() == hash).then_some(body)
            };
            let record = Record::from_bytes_apart(bytes.value(), &of, &Seal::checksum(), body);
            let (from, to) = whole(resource);
            for entry in events.range(from..=to)? {
                if read_event(entry?.1.value()).is_err() {
                    return Ok(false);
                }
            }
            Ok(record.is_ok())
        };
        if !is_sound(resource.value())? {
            damaged.insert(resource.value().to_owned());
        }
    }
    Ok(damaged)
}

fn keys(write: &WriteTransaction) -> Result<Vec<String>, redb::Error> {
    let records = write.open_table(RECORDS)?;
    let mut keys = Vec::new();
    for entry in records.iter()? {
        keys.push(entry?.0.value().to_owned());
    }
    Ok(keys)
}

/// Removes the events before the last answer that came before `before`: that answer was valid at
/// `before`.
fn forget(events: &mut Events<'_>, resource: &str, before: Moment) -> Result<u64, redb::Error> {
    let end = (resource, before.unix_seconds(), 0);
    let mut oldest = None;
    let (from, _) = whole(resource);
    for entry in events.range(from..end)?.rev() {
        let (key, bytes) = entry?;
        let (_, second, number) = key.value();
        oldest = Some((second, number));
        let event = read_event(bytes.value()).map_err(|damaged| unreadable(&damaged))?;
        if event.what().is_answer() {
            break;
        }
    }
    let Some((second, number)) = oldest else {
        return Ok(0);
    };
    let mut gone = 0_u64;
    events.retain_in(from..(resource, second, number), |_, _| {
        gone = gone.saturating_add(1);
        false
    })?;
    Ok(gone)
}

/// The bodies that the events of `resource` refer to.
fn bodies_of(events: &Events<'_>, resource: &str) -> Result<Vec<(String, BodyHash)>, redb::Error> {
    let mut found = Vec::new();
    let (from, to) = whole(resource);
    for entry in events.range(from..=to)? {
        // A damaged event may refer to any body, so nothing is removed.
        let event = read_event(entry?.1.value()).map_err(|damaged| unreadable(&damaged))?;
        if let What::File(body, ..) = event.what() {
            found.push((resource.to_owned(), body.hash));
        }
    }
    Ok(found)
}

fn unreadable(damaged: &RecordError) -> redb::Error {
    redb::Error::Corrupted(damaged.to_string())
}
