//! Records in Valkey or Redis, shared by a fleet, with a lease so that one member fetches what all
//! need.
//!
//! - `address`: where the server is ([`SharedStore::new`] says how that is spelled).
//! - `connection`: one connection, one operation at a time, bounded replies.
//! - `lane`: reads and writes, each with connections and a breaker of their own.
//! - `lease`: who fetches.
//!
//! The commands are GETRANGE, SET, GET, PEXPIRE and DEL, and AUTH and SELECT where the URL asks for
//! them.

mod address;
mod connection;
mod lane;
mod lease;

use super::{Lease, Store, StoreError};
use crate::http::{BoxFuture, CertificateDer};
use crate::line::tls;
use crate::machine::Event;
use crate::record::{Body, Origin, Record, RecordError, Seal};
use address::Address;
use connection::MOST_RECORD;
use lane::Lane;
use lease::Held;
use redis::{Value, cmd};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;
use thiserror::Error;

/// Beyond the deadline of an operation, for the timers and for whoever else wants to run.
const SLACK: Duration = Duration::from_millis(10);

/// A store in Valkey or Redis, for a fleet. Cheap to clone.
#[derive(Clone)]
pub struct SharedStore(Arc<Inner>);

/// How a [`SharedStore`] is used.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SharedOptions {
    /// What every key begins with: `abide:`.
    pub prefix: String,
    /// How records are protected: by a checksum. Where others can write, give it keys.
    pub seal: Seal,
    /// How long one operation may take, its connection and greeting within: 20 ms.
    pub deadline: Duration,
    /// For how long a member may fetch without being heard of: 5 s. It is renewed after three
    /// tenths of it.
    pub lease: Duration,
    /// For how long the server keeps a record: 32 days, which is longer than one is of use.
    pub time_to_live: Duration,
    /// Authorities that the server's certificate may be signed by, beside those of the web.
    pub roots: Vec<CertificateDer<'static>>,
}

impl Default for SharedOptions {
    fn default() -> Self {
        Self {
            prefix: "abide:".to_owned(),
            seal: Seal::checksum(),
            deadline: Duration::from_millis(20),
            lease: Duration::from_secs(5),
            time_to_live: Duration::from_hours(32 * 24),
            roots: Vec::new(),
        }
    }
}

impl SharedOptions {
    fn lease_millis(&self) -> u64 {
        millis(self.lease)
    }
}

/// Why a URL is not the address of a store. It does not repeat the URL, which may have a password
/// in it.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum ServerUrlError {
    /// It is of another kind.
    #[error(
        "the store's URL has to begin with redis://, rediss://, valkey://, valkeys:// or unix://"
    )]
    Scheme,
    /// Host, port, database or path make no sense.
    #[error(
        "the store's URL is not of the form redis://[user:password@]host[:port][/database] or unix:///path"
    )]
    Shape,
    /// A root certificate cannot be used.
    #[error("the store's root certificate cannot be used: {0}")]
    Roots(rustls::Error),
}

struct Inner {
    address: Arc<Address>,
    options: SharedOptions,
    reads: Lane,
    writes: Lane,
}

impl SharedStore {
    /// The store at `url`: `redis://[user:password@]host[:port][/database]`, `rediss://` with TLS,
    /// `valkey://` and `valkeys://` likewise, or `unix:///path`. Nothing is connected to before it
    /// is asked, so that a server that is down keeps nobody from starting.
    ///
    /// # Errors
    /// [`ServerUrlError`] for anything else.
    pub fn new(url: &str, options: SharedOptions) -> Result<Self, ServerUrlError> {
        let address = Arc::new(Address::of(url)?);
        let tls = address.is_tls.then(|| tls(&options.roots)).transpose();
        let tls = tls.map_err(ServerUrlError::Roots)?.map(Arc::new);
        let lane = || Lane::new(&address, tls.as_ref(), options.deadline);
        let (reads, writes) = (lane(), lane());
        Ok(Self(Arc::new(Inner {
            address,
            options,
            reads,
            writes,
        })))
    }
}

/// The address and the options, without secrets.
impl fmt::Debug for SharedStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SharedStore")
            .field("address", &self.0.address)
            .field("options", &self.0.options)
            .finish()
    }
}

impl Store for SharedStore {
    /// A little more than one operation may take.
    fn patience(&self) -> Duration {
        self.0.options.deadline.saturating_add(SLACK)
    }

    fn is_shared(&self) -> bool {
        true
    }

    fn load<'a>(&'a self, origin: &'a Origin) -> BoxFuture<'a, Result<Option<Record>, StoreError>> {
        Box::pin(async move {
            let loaded = self.0.load(origin).await;
            if let Err(StoreError::RecordError(damaged)) = &loaded
                && !matches!(damaged, RecordError::Version(_) | RecordError::Key(_))
            {
                // Nobody waits for that. What a later version wrote, or who has another key, is for
                // those who can read it.
                let (inner, key) = (Arc::clone(&self.0), self.0.record_key(origin));
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

    fn lease<'a>(&'a self, origin: &'a Origin) -> BoxFuture<'a, Result<Lease, StoreError>> {
        Box::pin(Arc::clone(&self.0).lease(origin))
    }
}

impl Inner {
    fn record_key(&self, origin: &Origin) -> String {
        format!("{}record:{origin}", self.options.prefix)
    }

    async fn load(&self, origin: &Origin) -> Result<Option<Record>, StoreError> {
        let mut command = cmd("GETRANGE");
        // One byte more than a record may have tells that there are more.
        command.arg(self.record_key(origin)).arg(0).arg(MOST_RECORD);
        let bytes = |value| match value {
            Value::BulkString(bytes) => Some(bytes),
            Value::Nil => Some(Vec::new()),
            _ => None,
        };
        let bytes = self.reads.ask(&command, bytes).await?;
        match bytes.len() {
            0 => Ok(None),
            length if length > MOST_RECORD => Err(RecordError::Shape.into()),
            _ => Ok(Some(Record::from_bytes(
                &bytes,
                origin,
                &self.options.seal,
            )?)),
        }
    }

    async fn save(&self, record: &Record) -> Result<(), StoreError> {
        let bytes = record.to_bytes(&self.options.seal);
        if bytes.len() > MOST_RECORD {
            let told = format!("a record of {} bytes is too large to share", bytes.len());
            return Err(StoreError::Refused(told));
        }
        let mut command = cmd("SET");
        command.arg(self.record_key(&record.origin)).arg(bytes);
        command.arg("PX").arg(millis(self.options.time_to_live));
        let okay = |value| (value == Value::Okay).then_some(());
        self.writes.ask(&command, okay).await
    }

    async fn lease(self: Arc<Self>, origin: &Origin) -> Result<Lease, StoreError> {
        let chance = || StoreError::Refused("there is no randomness for a lease".to_owned());
        let token = lease::token().ok_or_else(chance)?;
        let key = format!("{}lease:{origin}", self.options.prefix);
        let mut command = cmd("SET");
        command.arg(&key).arg(&token).arg("NX");
        command.arg("PX").arg(self.options.lease_millis());
        let is_ours = |value| match value {
            Value::Okay => Some(true),
            Value::Nil => Some(false),
            _ => None,
        };
        if self.writes.ask(&command, is_ours).await? {
            let held = Held::new(Arc::clone(&self), key, token);
            return Ok(Lease::Ours(Box::new(held)));
        }
        self.end_endless(&key).await;
        Ok(Lease::Theirs)
    }

    /// Gives a lease an end that has none: no member writes one, and everybody would wait for it in
    /// vain. A server that does not know `NX` here refuses, and nothing is lost.
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

/// At least one: the server has no shorter time.
fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis())
        .unwrap_or(u64::MAX >> 16)
        .max(1)
}
