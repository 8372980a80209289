//! Forgetting what is too old to matter.

use super::{BODIES, EVENTS, RECORDS, SERVED, whole};
use crate::machine::What;
use crate::record::{BodyHash, Damaged, read_event};
use abide::Moment;
use redb::{Database, ReadableTable, Table, WriteTransaction};
use std::collections::BTreeSet;

/// What pruning took away.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Pruned {
    /// Events.
    pub events: u64,
    /// Bodies.
    pub bodies: u64,
}

type Events<'t> = Table<'t, (&'static str, i64, u32), &'static [u8]>;

pub(super) fn prune(database: &Database, before: Moment) -> Result<Pruned, redb::Error> {
    let write = database.begin_write()?;
    let mut pruned = Pruned::default();
    let mut needed = BTreeSet::new();
    for origin in origins(&write)? {
        let mut events = write.open_table(EVENTS)?;
        let gone = forget(&mut events, &origin, before)?;
        pruned.events = pruned.events.saturating_add(gone);
        needed.extend(bodies_of(&events, &origin)?);
    }
    let mut served = write.open_table(SERVED)?;
    served.retain(|(origin, hash), _| {
        needed.contains(&(origin.to_owned(), BodyHash::from_octets(*hash)))
    })?;
    drop(served);
    let needed: BTreeSet<_> = needed.into_iter().map(|(_, hash)| hash).collect();
    let mut bodies = write.open_table(BODIES)?;
    bodies.retain(|hash, _| {
        let keep = needed.contains(&BodyHash::from_octets(*hash));
        pruned.bodies = pruned.bodies.saturating_add(u64::from(!keep));
        keep
    })?;
    drop(bodies);
    write.commit()?;
    Ok(pruned)
}

fn origins(write: &WriteTransaction) -> Result<Vec<String>, redb::Error> {
    let records = write.open_table(RECORDS)?;
    let mut origins = Vec::new();
    for entry in records.iter()? {
        origins.push(entry?.0.value().to_owned());
    }
    Ok(origins)
}

/// Takes away the events before the last answer that came before `before`: what was in force then goes back to
/// it.
fn forget(events: &mut Events<'_>, origin: &str, before: Moment) -> Result<u64, redb::Error> {
    let end = (origin, before.unix_seconds(), 0);
    let mut oldest = None;
    let (from, _) = whole(origin);
    for entry in events.range(from..end)?.rev() {
        let (key, octets) = entry?;
        let (_, second, number) = key.value();
        oldest = Some((second, number));
        let event = read_event(octets.value()).map_err(|damaged| unreadable(&damaged))?;
        if event.what().is_answer() {
            break;
        }
    }
    let Some((second, number)) = oldest else {
        return Ok(0);
    };
    let mut gone = 0_u64;
    events.retain_in(from..(origin, second, number), |_, _| {
        gone = gone.saturating_add(1);
        false
    })?;
    Ok(gone)
}

/// The bodies that the events of `origin` refer to.
fn bodies_of(events: &Events<'_>, origin: &str) -> Result<Vec<(String, BodyHash)>, redb::Error> {
    let mut found = Vec::new();
    let (from, to) = whole(origin);
    for entry in events.range(from..=to)? {
        // What cannot be read may refer to anything: then nothing is thrown away.
        let event = read_event(entry?.1.value()).map_err(|damaged| unreadable(&damaged))?;
        if let What::File(body, ..) = event.what() {
            found.push((origin.to_owned(), body.hash));
        }
    }
    Ok(found)
}

fn unreadable(damaged: &Damaged) -> redb::Error {
    redb::Error::Corrupted(damaged.to_string())
}
