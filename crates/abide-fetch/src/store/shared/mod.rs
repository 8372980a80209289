//! Keeps records in Valkey or Redis, shared by a fleet, with a lease so that one member fetches for
//! all.
//!
//! - `address`: the address of the server ([`SharedStore::new`] describes its form).
//! - `connection`: one connection, one operation at a time, bounded replies.
//! - `lane`: reads and writes, each with its own connections and breaker.
//! - `lease`: which member fetches.
//! - `slots`: which member visits a site ([`Slots`](crate::pace::Slots)).
//!
//! It uses the commands GETRANGE, SET, GET, PEXPIRE and DEL, for slots EVAL, TIME and INFO, and
//! AUTH and SELECT if the URL asks for them.

mod address;
mod connection;
mod lane;
mod lease;
mod slots;

use super::{Lease, Store, StoreError};
use crate::http::BoxFuture;
use crate::machine::Event;
use crate::record::{Body, Record, RecordError, Resource, Seal};
use crate::stream::Certificate;
use crate::stream::tls;
use address::Address;
use connection::MAX_RECORD_BYTES;
use lane::Lane;
use lease::HeldLease;
use redis::{Value, cmd};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;
use thiserror::Error;

/// The shortest time for an operation about a slot, for which nobody is in a hurry.
const MIN_SLOT_DEADLINE: Duration = Duration::from_millis(200);
/// Added to the deadline of an operation, for timers and other tasks.
const SLACK: Duration = Duration::from_millis(10);

/// A store in Valkey or Redis, for a fleet. Cheap to clone.
#[derive(Clone)]
pub struct SharedStore(Arc<SharedStoreInner>);

/// Options of a [`SharedStore`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SharedOptions {
    /// The prefix of every key. Default: `abide:`.
    pub prefix: String,
    /// How records are protected. Default: by a checksum. If others can write to the server, use
    /// keys.
    pub seal: Seal,
    /// The time for one operation, including connecting and logging in. Default: 20 ms.
    pub deadline: Duration,
    /// How long a member may fetch without renewing its lease. Default: 5 s. It renews after three
    /// tenths of that.
    pub lease: Duration,
    /// How long the server keeps a record. Default: 32 days, longer than a record is useful.
    pub time_to_live: Duration,
    /// Certificate authorities to trust for the server, besides those of the web.
    pub roots: Vec<Certificate>,
}

impl Default for SharedOptions {
    fn default() -> Self {
        Self {
            prefix: "abide:".to_owned(),
            seal: Seal::checksum(),
            deadline: Duration::from_millis(20),
            lease: Duration::from_secs(5),
            time_to_live: Duration::from_secs(32 * 86_400),
            roots: Vec::new(),
        }
    }
}

impl SharedOptions {
    fn lease_millis(&self) -> u64 {
        millis(self.lease)
    }
}

/// Why a URL is not the address of a store. The message does not repeat the URL, which may contain
/// a password.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum ServerUrlError {
    /// The scheme is unknown.
    #[error(
        "the store's URL has to begin with redis://, rediss://, valkey://, valkeys:// or unix://"
    )]
    Scheme,
    /// The host, port, database or path is invalid.
    #[error(
        "the store's URL is not of the form redis://[user:password@]host[:port][/database] or unix:///path"
    )]
    Shape,
    /// A root certificate is invalid.
    #[error("the store's root certificate cannot be used: {0}")]
    Roots(String),
}

struct SharedStoreInner {
    address: Arc<Address>,
    options: SharedOptions,
    reads: Lane,
    writes: Lane,
    /// For slots: a server that refuses these may still keep records.
    slots: Lane,
}

impl SharedStore {
    /// A store at `url`: `redis://[user:password@]host[:port][/database]`, `rediss://` with TLS,
    /// `valkey://` and `valkeys://` likewise, or `unix:///path`. It connects on first use, so a
    /// server that is down does not prevent a start.
    ///
    /// # Errors
    /// [`ServerUrlError`] for anything else.
    pub fn new(url: &str, options: SharedOptions) -> Result<Self, ServerUrlError> {
        let address = Arc::new(Address::of(url)?);
        let tls = address.is_tls.then(|| tls(&options.roots)).transpose();
        let tls = tls.map_err(ServerUrlError::Roots)?.map(Arc::new);
        let lane = |deadline| Lane::new(&address, tls.as_ref(), deadline);
        let (reads, writes) = (lane(options.deadline), lane(options.deadline));
        let slots = lane(options.deadline.max(MIN_SLOT_DEADLINE));
        Ok(Self(Arc::new(SharedStoreInner {
            address,
            options,
            reads,
            writes,
            slots,
        })))
    }
}

/// Shows the address and the options, without secrets.
impl fmt::Debug for SharedStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SharedStore")
            .field("address", &self.0.address)
            .field("options", &self.0.options)
            .finish()
    }
}

impl Store for SharedStore {
    /// A little more than the deadline of one operation.
    fn patience(&self) -> Duration {
        self.0.options.deadline.saturating_add(SLACK)
    }

    fn is_shared(&self) -> bool {
        true
    }

    fn load<'a>(
        &'a self,
        resource: &'a Resource,
    ) -> BoxFuture<'a, Result<Option<Record>, StoreError>> {
        Box::pin(async move {
            let loaded = self.0.load(resource).await;
            if let Err(StoreError::Record(damaged)) = &loaded
                && !matches!(damaged, RecordError::Version(_) | RecordError::Key(_))
            {
                // Runs in the background. Leaves records of a later version or another key to
                // members that can read them.
                let (inner, key) = (Arc::clone(&self.0), self.0.record_key(resource));
                tokio::spawn(async move { inner.delete(&key).await });
            }
            loaded
        })
    }

    fn save<'a>(
        &'a self,
        record: &'a Record,
        _: &'a Event<Body>,
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        Box::pin(self.0.save(record))
    }

    fn lease<'a>(&'a self, resource: &'a Resource) -> BoxFuture<'a, Result<Lease, StoreError>> {
        Box::pin(Arc::clone(&self.0).lease(resource))
    }
}

impl SharedStoreInner {
    fn record_key(&self, resource: &Resource) -> String {
        format!("{}record:{resource}", self.options.prefix)
    }

    async fn load(&self, resource: &Resource) -> Result<Option<Record>, StoreError> {
        let mut command = cmd("GETRANGE");
        // Asks for one byte more than the largest record, to notice longer ones.
        command
            .arg(self.record_key(resource))
            .arg(0)
            .arg(MAX_RECORD_BYTES);
        let bytes = |value| match value {
            Value::BulkString(bytes) => Some(bytes),
            Value::Nil => Some(Vec::new()),
            _ => None,
        };
        let bytes = self.reads.ask(&command, bytes).await?;
        match bytes.len() {
            0 => Ok(None),
            length if length > MAX_RECORD_BYTES => Err(RecordError::Shape.into()),
            _ => Ok(Some(Record::from_bytes(
                &bytes,
                resource,
                &self.options.seal,
            )?)),
        }
    }

    async fn save(&self, record: &Record) -> Result<(), StoreError> {
        let bytes = record.to_bytes(&self.options.seal);
        if bytes.len() > MAX_RECORD_BYTES {
            let message = format!("a record of {} bytes is too large to share", bytes.len());
            return Err(StoreError::Refused(message));
        }
        let mut command = cmd("SET");
        command.arg(self.record_key(&record.resource)).arg(bytes);
        command.arg("PX").arg(millis(self.options.time_to_live));
        let okay = |value| (value == Value::Okay).then_some(());
        self.writes.ask(&command, okay).await
    }

    async fn lease(self: Arc<Self>, resource: &Resource) -> Result<Lease, StoreError> {
        let chance = || StoreError::Refused("there is no randomness for a lease".to_owned());
        let token = lease::token().ok_or_else(chance)?;
        let key = format!("{}lease:{resource}", self.options.prefix);
        let mut command = cmd("SET");
        command.arg(&key).arg(&token).arg("NX");
        command.arg("PX").arg(self.options.lease_millis());
        let is_ours = |value| match value {
            Value::Okay => Some(true),
            Value::Nil => Some(false),
            _ => None,
        };
        if self.writes.ask(&command, is_ours).await? {
            let held = HeldLease::new(Arc::clone(&self), key, token);
            return Ok(Lease::Ours(Box::new(held)));
        }
        self.end_endless(&key).await;
        Ok(Lease::Theirs)
    }

    /// Gives a lease without an expiry one: no member writes such a lease, and everybody would wait
    /// for it in vain. A server that does not know `NX` here refuses, which is harmless.
    async fn end_endless(&self, key: &str) {
        let mut command = cmd("PEXPIRE");
        command.arg(key).arg(self.options.lease_millis()).arg("NX");
        let number = |value| matches!(value, Value::Int(_)).then_some(());
        let _ = self.writes.ask(&command, number).await;
    }

    async fn delete(&self, key: &str) -> Result<(), StoreError> {
        let mut command = cmd("DEL");
        command.arg(key);
        let number = |value| matches!(value, Value::Int(_)).then_some(());
        self.writes.ask(&command, number).await
    }
}

/// At least 1 ms, the server's shortest time.
fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis())
        .unwrap_or(u64::MAX >> 16)
        .max(1)
}
