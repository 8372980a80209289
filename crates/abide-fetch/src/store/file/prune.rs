//! Removes what is too old to matter.

use super::{BODIES, EVENTS, RECORDS, SERVED, whole};
use crate::machine::EventKind;
use crate::record::{Body, BodyHash, Record, RecordError, Resource, Seal, read_event};
use abide::Moment;
use redb::{Database, ReadableTable, Table, WriteTransaction};
use std::collections::{BTreeMap, BTreeSet, HashMap};

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
    let damaged = damaged(&write)?;
    let pruned = sweep(&write, before, &damaged)?;
    write.commit()?;
    Ok(pruned)
}

/// Removes what was not needed since `before`, also whole sites, and then the oldest until about
/// `room` bytes are left. Without `room`, there is enough.
pub(super) fn bound(
    database: &Database,
    before: Option<Moment>,
    room: Option<u64>,
) -> Result<PruneResult, redb::Error> {
    let write = database.begin_write()?;
    let ledger = Ledger::read(&write)?;
    let full = room.and_then(|room| ledger.before(room));
    let Some(before) = before.max(full) else {
        write.abort()?;
        return Ok(PruneResult::default());
    };
    for resource in keys(&write)? {
        let mut events = write.open_table(EVENTS)?;
        if last(&events, &resource)? < before.unix_seconds() {
            let (from, to) = whole(&resource);
            events.retain_in(from..=to, |_, _| false)?;
            write.open_table(RECORDS)?.remove(resource.as_str())?;
        }
    }
    let pruned = sweep(&write, before, &ledger.unreadable)?;
    write.commit()?;
    Ok(pruned)
}

/// When the last event of `resource` came. The key says it, also where the event cannot be read.
fn last(events: &Events<'_>, resource: &str) -> Result<i64, redb::Error> {
    let (from, to) = whole(resource);
    let last = events.range(from..=to)?.next_back().transpose()?;
    Ok(last.map_or(i64::MIN, |(key, _)| key.value().1))
}

/// What the content of a file takes, and until when it is needed.
#[derive(Default)]
struct Ledger {
    /// Second → bytes that were needed until then.
    until: BTreeMap<i64, u64>,
    /// Body → the last second at which it is needed.
    bodies: HashMap<BodyHash, i64>,
    /// Resources with an event that cannot be read, such as one of a later version.
    unreadable: BTreeSet<String>,
    total: u64,
}

impl Ledger {
    fn read(write: &WriteTransaction) -> Result<Self, redb::Error> {
        let mut ledger = Self::default();
        for resource in keys(write)? {
            ledger.add_site(write, &resource)?;
        }
        for entry in write.open_table(BODIES)?.iter()? {
            let (hash, bytes) = entry?;
            let hash = BodyHash::from_bytes(*hash.value());
            // What nobody refers to was never needed.
            let until = ledger.bodies.get(&hash).copied().unwrap_or(i64::MIN);
            ledger.add(until, pages(bytes.value().len()));
        }
        Ok(ledger)
    }

    fn add_site(&mut self, write: &WriteTransaction, resource: &str) -> Result<(), redb::Error> {
        let events = write.open_table(EVENTS)?;
        let last = last(&events, resource)?;
        // An event is needed until the next answer came.
        let mut until = last;
        let (from, to) = whole(resource);
        for entry in events.range(from..=to)?.rev() {
            let (key, bytes) = entry?;
            self.add(until, row(resource, bytes.value()));
            match read_event(bytes.value()) {
                Ok(event) => {
                    if let EventKind::File(body, ..) = event.what() {
                        self.need(body.hash, until);
                    }
                    if event.what().is_answer() {
                        until = key.value().1;
                    }
                }
                Err(_) => {
                    self.unreadable.insert(resource.to_owned());
                }
            }
        }
        if self.unreadable.contains(resource) {
            let served = write.open_table(SERVED)?;
            let (lowest, highest) = ([0; 32], [u8::MAX; 32]);
            for entry in served.range((resource, &lowest)..=(resource, &highest))? {
                let (key, _) = entry?;
                self.need(BodyHash::from_bytes(*key.value().1), last);
            }
        }
        if let Some(record) = write.open_table(RECORDS)?.get(resource)? {
            self.add(last, row(resource, record.value()));
        }
        Ok(())
    }

    fn need(&mut self, body: BodyHash, until: i64) {
        let known = self.bodies.entry(body).or_insert(until);
        *known = until.max(*known);
    }

    fn add(&mut self, until: i64, bytes: u64) {
        let sum = self.until.entry(until).or_default();
        *sum = sum.saturating_add(bytes);
        self.total = self.total.saturating_add(bytes);
    }

    /// The earliest instant such that what was not needed since leaves `room`.
    fn before(&self, room: u64) -> Option<Moment> {
        let mut left = self.total;
        let mut before = None;
        for (until, bytes) in &self.until {
            if left <= room {
                break;
            }
            left = left.saturating_sub(*bytes);
            before = Some(Moment::from_unix_seconds(until.saturating_add(1)));
        }
        before
    }
}

/// About how many bytes of the file a row takes, in pages that are half full.
fn row(resource: &str, bytes: &[u8]) -> u64 {
    let bytes = bytes.len().saturating_add(resource.len());
    (bytes as u64).saturating_add(64).saturating_mul(2)
}

/// About how many bytes of the file a body takes: a long one has pages of its own, whose number is
/// a power of two.
fn pages(bytes: usize) -> u64 {
    let bytes = (bytes as u64).saturating_add(128);
    if bytes < 2_048 {
        bytes.saturating_mul(2)
    } else {
        bytes.checked_next_power_of_two().unwrap_or(u64::MAX)
    }
}

/// Removes events before `before`, except the answer that was valid then, and bodies that are no
/// longer needed. Of the resources in `damaged`, nothing is removed.
fn sweep(
    write: &WriteTransaction,
    before: Moment,
    damaged: &BTreeSet<String>,
) -> Result<PruneResult, redb::Error> {
    let mut pruned = PruneResult::default();
    let mut needed = BTreeSet::new();
    let there: BTreeSet<_> = keys(write)?.into_iter().collect();
    let damaged: BTreeSet<_> = damaged.intersection(&there).cloned().collect();
    for resource in there {
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
        if let EventKind::File(body, ..) = event.what() {
            found.push((resource.to_owned(), body.hash));
        }
    }
    Ok(found)
}

fn unreadable(damaged: &RecordError) -> redb::Error {
    redb::Error::Corrupted(damaged.to_string())
}
