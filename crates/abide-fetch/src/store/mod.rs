//! Stores keep records beyond the process, or share them in a fleet. A store has observations,
//! never verdicts. A store that is down, slow, full or damaged costs a retrieval, but changes no
//! answer.
//!
//! - `FileStore` (feature `file`): one file, for one process, with everything that was ever served.
//! - `SharedStore` (feature `valkey`): Valkey or Redis, for a fleet.
//! - [`Place`]: which of them a name means.

#[cfg(any(feature = "file", feature = "valkey"))]
mod breaker;
#[cfg(feature = "file")]
mod file;
mod place;
#[cfg(feature = "valkey")]
mod shared;

#[cfg(feature = "file")]
pub use file::{FileBounds, FileStore, OpenError, PruneResult, ServedBody, Summary};
pub use place::{Place, PlaceError, SealKey, SealKeyError};
#[cfg(feature = "valkey")]
pub use shared::{ServerUrlError, SharedOptions, SharedStore};

use crate::http::BoxFuture;
use crate::machine::Event;
use crate::record::{Body, Record, RecordError, Resource};
use std::any::Any;
use std::fmt::Debug;
use std::time::Duration;
use thiserror::Error;

/// Keeps records. Callers wait no longer than its [patience](Store::patience); after that they
/// continue without the store.
pub trait Store: Debug + Send + Sync {
    /// How long callers wait for one call.
    fn patience(&self) -> Duration;

    /// Whether other processes write to the store. If so, the cache reads a record again before it
    /// fetches, and asks for a [lease](Store::lease) first.
    fn is_shared(&self) -> bool {
        false
    }

    /// The record of `resource`, if there is one.
    ///
    /// # Errors
    /// [`StoreError`] if the store cannot answer.
    fn load<'a>(
        &'a self,
        resource: &'a Resource,
    ) -> BoxFuture<'a, Result<Option<Record>, StoreError>>;

    /// Saves `record`, the result of `event`.
    ///
    /// # Errors
    /// [`StoreError`] if the record was not saved. `Ok(())` means that it is durable.
    fn save<'a>(
        &'a self,
        record: &'a Record,
        event: &'a Event<Body>,
    ) -> BoxFuture<'a, Result<(), StoreError>>;

    /// Acquires the right to fetch for `resource` in a shared store. Other stores always grant it.
    ///
    /// # Errors
    /// [`StoreError`] if the store cannot answer. Then every process fetches.
    fn lease<'a>(&'a self, resource: &'a Resource) -> BoxFuture<'a, Result<Lease, StoreError>> {
        let _ = resource;
        Box::pin(async { Ok(Lease::Ours(Box::new(()))) })
    }
}

/// Who may fetch.
#[expect(clippy::exhaustive_enums, reason = "callers handle every case")]
pub enum Lease {
    /// The caller, until this is dropped.
    Ours(Box<dyn Any + Send + Sync>),
    /// Another process, which is fetching.
    Theirs,
}

impl Debug for Lease {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Ours(_) => "Ours",
            Self::Theirs => "Theirs",
        })
    }
}

/// Why a store failed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum StoreError {
    /// It is down or full, or was a moment ago.
    #[error("the store is not available: {0}")]
    Down(String),
    /// It did not respond in time.
    #[error("the store did not answer in time")]
    Slow,
    /// It refused the call: it is full, read-only, or needs a password.
    #[error("the store rejected the command: {0}")]
    Refused(String),
    /// It is open read-only.
    #[error("the store is open read-only, so nothing was saved")]
    ReadOnly,
    /// Its content cannot be read.
    #[error("the store cannot be read: {0}")]
    Unreadable(String),
    /// The content is not a valid record.
    #[error("the stored record is ignored: {0}")]
    Record(#[from] RecordError),
}
