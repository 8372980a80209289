//! Where records outlive the process, or are shared by many. A store holds what was observed, and never a
//! verdict; one that is down, slow, full or damaged costs a retrieval, and changes no answer.
//!
//! - `FileStore` (feature `file`): one file, for one process, with everything that was ever served.
//! - `SharedStore` (feature `valkey`): Valkey or Redis, for a fleet.

#[cfg(any(feature = "file", feature = "valkey"))]
mod breaker;
#[cfg(feature = "file")]
mod file;
#[cfg(feature = "valkey")]
mod shared;

#[cfg(feature = "file")]
pub use file::{FileStore, Observed, OpenError, Pruned, Summary};
#[cfg(feature = "valkey")]
pub use shared::{ServerUrlError, SharedOptions, SharedStore};

use crate::http::BoxFuture;
use crate::machine::Event;
use crate::record::{Body, Origin, Record, RecordError};
use std::any::Any;
use std::fmt::Debug;
use std::time::Duration;
use thiserror::Error;

/// Keeps records. Whoever asks one waits no longer than its [patience](Store::patience), and goes on without
/// it.
pub trait Store: Debug + Send + Sync {
    /// How long one call is waited for.
    fn patience(&self) -> Duration;

    /// Whether others write in it too.
    fn is_shared(&self) -> bool {
        false
    }

    /// The record of `origin`, if there is one.
    ///
    /// # Errors
    /// [`StoreError`] where nobody can tell.
    fn load<'a>(&'a self, origin: &'a Origin) -> BoxFuture<'a, Result<Option<Record>, StoreError>>;

    /// Keeps `record`, which came of `event`.
    ///
    /// # Errors
    /// [`StoreError`] where it is not kept. Where there is none, it is.
    fn save<'a>(
        &'a self,
        record: &'a Record,
        event: &'a Event<Body>,
    ) -> BoxFuture<'a, Result<(), StoreError>>;

    /// The right to fetch for `origin`, where a store is shared by many; without further ado where it is not.
    ///
    /// # Errors
    /// [`StoreError`] where nobody can tell; then everybody fetches.
    fn lease<'a>(&'a self, origin: &'a Origin) -> BoxFuture<'a, Result<Lease, StoreError>> {
        let _ = origin;
        Box::pin(async { Ok(Lease::Ours(Box::new(()))) })
    }
}

/// Who may fetch.
pub enum Lease {
    /// Whoever asked, until this is dropped.
    Ours(Box<dyn Any + Send + Sync>),
    /// Somebody else, who is at it.
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

/// Why a store did not do what was asked of it.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum StoreError {
    /// It is down, or out of room, or is left alone for a while after it was.
    #[error("it is not available: {0}")]
    Down(String),
    /// It did not answer in time.
    #[error("it did not answer in time")]
    Slow,
    /// It said no: it is full, or read-only, or wants a password.
    #[error("it refused: {0}")]
    Refused(String),
    /// It is open to be read only.
    #[error("it is open to be read, and keeps nothing")]
    ReadOnly,
    /// It holds something that it cannot be read for.
    #[error("it cannot be read: {0}")]
    Unreadable(String),
    /// What it holds is no record.
    #[error("what it holds is not used: {0}")]
    RecordError(#[from] RecordError),
}
