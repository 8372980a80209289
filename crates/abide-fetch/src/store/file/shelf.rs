//! The open file, which is closed and opened again after an error of the disk.

use super::{Handle, OpenError};
use crate::store::StoreError;
use crate::store::breaker::Breaker;
use std::path::{Path, PathBuf};
use std::sync::{PoisonError, RwLock, RwLockReadGuard};

/// The file of a store. After one error of the disk the database behind it refuses everything, even
/// when there is room again: so it is closed then, and opened again by whoever comes next, as often
/// as the breaker lets them try.
#[derive(Debug)]
pub(super) struct Shelf {
    path: PathBuf,
    open: RwLock<Option<Handle>>,
    reopen: fn(&Path) -> Result<Handle, OpenError>,
    breaker: Breaker,
}

impl Shelf {
    /// Opens the file at `path` by `open`, now and whenever that is needed again.
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

    /// What `work` makes of the open file.
    pub(super) fn using<T>(
        &self,
        work: impl FnOnce(&Handle) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let turn = self.breaker.turn().map_err(StoreError::Down)?;
        let result = self.opened().and_then(|open| {
            let closed = || StoreError::Down("the file was closed meanwhile".to_owned());
            work(open.as_ref().ok_or_else(closed)?)
        });
        if let Err(StoreError::Down(told)) = &result {
            *self.open.write().unwrap_or_else(PoisonError::into_inner) = None;
            turn.failed(told);
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
