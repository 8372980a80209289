//! The open file, which is closed and reopened after an error of the disk.

use super::{Handle, OpenError};
use crate::store::StoreError;
use crate::store::breaker::Breaker;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError, RwLock, RwLockReadGuard};
use std::time::Duration;
use tokio::time::Instant;

/// The file of a store. After one error of the disk, redb refuses every further call, even when
/// there is space again. So the file is closed, and the next caller reopens it, as often as the
/// breaker allows.
#[derive(Debug)]
pub(super) struct Shelf {
    path: PathBuf,
    open: RwLock<Option<Handle>>,
    reopen: fn(&Path) -> Result<Handle, OpenError>,
    breaker: Breaker,
    /// When it was last tried to write a file that another process wrote.
    tried: Mutex<Option<Instant>>,
}

/// How long to wait before the next attempt to write a file that another process writes.
const TAKE_OVER: Duration = Duration::from_secs(5);

impl Shelf {
    /// Opens the file at `path` with `open`, now and whenever it must be reopened.
    pub(super) fn new(
        path: &Path,
        open: fn(&Path) -> Result<Handle, OpenError>,
    ) -> Result<Self, OpenError> {
        Ok(Self {
            path: path.to_owned(),
            open: RwLock::new(Some(open(path)?)),
            reopen: open,
            breaker: Breaker::default(),
            tried: Mutex::default(),
        })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Runs `work` on the open file.
    pub(super) fn using<T>(
        &self,
        work: impl FnOnce(&Handle) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let turn = self.breaker.turn().map_err(StoreError::Down)?;
        let result = self.opened().and_then(|open| {
            let closed = || StoreError::Down("the file was closed meanwhile".to_owned());
            work(open.as_ref().ok_or_else(closed)?)
        });
        if let Err(StoreError::Down(error)) = &result {
            *self.open.write().unwrap_or_else(PoisonError::into_inner) = None;
            turn.failed(error);
        } else {
            turn.answered();
        }
        result
    }

    pub(super) fn is_read_only(&self) -> bool {
        let open = self.open.read().unwrap_or_else(PoisonError::into_inner);
        matches!(*open, Some(Handle::Reader(_)))
    }

    /// Opens the file again if it is open for reading, because the process that wrote it may have
    /// ended.
    pub(super) fn take_over(&self) {
        if !self.is_read_only() {
            return;
        }
        let mut tried = self.tried.lock().unwrap_or_else(PoisonError::into_inner);
        if tried.is_some_and(|tried| tried.elapsed() < TAKE_OVER) {
            return;
        }
        let mut open = self.open.write().unwrap_or_else(PoisonError::into_inner);
        // It is locked while it is open.
        *open = None;
        *open = (self.reopen)(&self.path).ok();
        *tried = Some(Instant::now());
    }

    /// Makes the file as small as its content, if nobody else reads it. Meanwhile callers wait.
    pub(super) fn compact(&self) {
        let mut open = self.open.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(Handle::Writer(database)) = open.as_mut() {
            // After an error of the disk, the next caller finds it too, and reopens the file.
            drop(database.compact());
        }
    }

    fn opened(&self) -> Result<RwLockReadGuard<'_, Option<Handle>>, StoreError> {
        let open = self.open.read().unwrap_or_else(PoisonError::into_inner);
        if open.is_some() {
            return Ok(open);
        }
        drop(open);
        let mut open = self.open.write().unwrap_or_else(PoisonError::into_inner);
        if open.is_none() {
            let reopened = (self.reopen)(&self.path);
            *open = Some(reopened.map_err(|error| StoreError::Down(error.to_string()))?);
        }
        drop(open);
        Ok(self.open.read().unwrap_or_else(PoisonError::into_inner))
    }
}
