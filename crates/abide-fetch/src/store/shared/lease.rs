//! A lease: the right to fetch for one site, for a short time, renewed while its holder lives.

use super::SharedStoreInner;
use crate::pace::SlotHolder;
use crate::store::StoreError;
use redis::{Value, cmd};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::oneshot;

/// A lease of this process. Its task renews it, and releases it when this is dropped.
#[derive(Debug)]
pub(super) struct HeldLease {
    _until: oneshot::Sender<()>,
}

/// A random token in printable characters.
pub(super) fn token() -> Option<String> {
    let holder = SlotHolder::random().ok()?;
    Some(holder.to_string())
}

impl HeldLease {
    /// Renews the lease under `key`, whose value is `token`.
    pub(super) fn new(inner: Arc<SharedStoreInner>, key: String, token: String) -> Self {
        let (until, dropped) = oneshot::channel();
        tokio::spawn(hold(inner, key, token, dropped));
        Self { _until: until }
    }
}

async fn hold(
    inner: Arc<SharedStoreInner>,
    key: String,
    token: String,
    mut dropped: oneshot::Receiver<()>,
) {
    // Renewed after three tenths of the time, so that two renewals may fail.
    let often = inner.options.lease.saturating_mul(3).checked_div(10);
    let often = often.unwrap_or_default().max(Duration::from_millis(1));
    while tokio::time::timeout(often, &mut dropped).await.is_err() {
        // On an error, tries again.
        if let Ok(false) = renewed(&inner, &key, &token).await {
            return;
        }
    }
    // If this fails, the lease expires by itself.
    if let Ok(true) = is_held(&inner, &key, &token).await {
        let _ = inner.delete(&key).await;
    }
}

/// Between the two commands the lease may expire and become another process's, which then lasts a
/// little longer. That delays a fetch, and allows nothing.
async fn renewed(inner: &SharedStoreInner, key: &str, token: &str) -> Result<bool, StoreError> {
    if !is_held(inner, key, token).await? {
        return Ok(false);
    }
    let mut command = cmd("PEXPIRE");
    command.arg(key).arg(inner.options.lease_millis());
    let number = |value| matches!(value, Value::Int(_)).then_some(());
    inner.writes.ask(&command, number).await?;
    Ok(true)
}

async fn is_held(inner: &SharedStoreInner, key: &str, token: &str) -> Result<bool, StoreError> {
    let mut command = cmd("GET");
    command.arg(key);
    let ours = |value| match value {
        Value::BulkString(stored) => Some(stored == token.as_bytes()),
        Value::Nil => Some(false),
        _ => None,
    };
    inner.writes.ask(&command, ours).await
}
