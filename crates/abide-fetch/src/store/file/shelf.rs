//! The open file, which is closed and reopened after an error of the disk.

use super::{Handle, OpenError};
use crate::store::StoreError;
use crate::store::breaker::Breaker;
use std::path::{Path, PathBuf};
use std::sync::{PoisonError, RwLock, RwLockReadGuard};

/// The file of a store. After one error of the disk, redb refuses every further call, even when
/// there is space again. So the file is closed, and the next caller reopens it, as often as the
/// breaker allows.
#[derive(Debug)]
pub(super) struct Shelf {
    path: PathBuf,
    open: RwLock<Option<Handle>>,
    reopen: fn(&Path) -> Result<Handle, OpenError>,
    breaker: Breaker,
}

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
