//! The visits that crawlers make in turns that the service gave them. Each ends when its crawler
//! says so, or by itself after a time. Their number is bounded by bytes, which callers share, and
//! each site has one visit at a time, for which callers take turns.

use crate::in_flight::TOO_MANY;
use crate::problem::Problem;
use crate::shares::{NamedShares, Share, Shares};
use abide_fetch::RequestUrl;
use abide_fetch::pace::{Pacer, Visit};
use http::StatusCode;
use ring::rand::{SecureRandom, SystemRandom};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::task::AbortHandle;

/// How many bytes a visit takes at most, with its token, its caller, its site and its timer.
const MAX_VISIT_BYTES: u64 = 2 << 10;

/// Visits that were begun and are not ended, and those who wait for one.
#[derive(Debug)]
pub(crate) struct Leases {
    pacer: Pacer,
    room: Shares,
    sites: NamedShares,
    open: Arc<Mutex<HashMap<Token, Lease>>>,
}

/// Names a visit. Whoever has it may end the visit.
type Token = Arc<str>;

/// What is taken for a visit: room, and its site.
type Held = (Share, Share);

/// A visit of a caller.
#[derive(Debug)]
struct Lease {
    caller: Arc<str>,
    visit: Visit,
    held: Held,
    _timer: Timer,
}

/// What ends a visit by itself, until this is dropped.
#[derive(Debug)]
struct Timer(AbortHandle);

impl Drop for Timer {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl Leases {
    /// The visits that `pacer` gives turns, in so many bytes.
    pub(crate) fn new(pacer: Pacer, bytes: u64) -> Self {
        let room = usize::try_from(bytes / MAX_VISIT_BYTES).unwrap_or(usize::MAX);
        Self {
            pacer,
            room: Shares::new(room),
            sites: NamedShares::new(1),
            open: Arc::default(),
        }
    }

    /// Room for a visit, if there is any for `caller`.
    pub(crate) fn room(&self, caller: &Arc<str>) -> Result<Share, Problem> {
        self.room.try_take(caller).ok_or_else(|| {
            Problem::new(
                StatusCode::SERVICE_UNAVAILABLE,
                TOO_MANY,
                "the memory for visits is used up, or your share of it",
                "end visits when their answers were read, or raise memory where the service is \
                 configured",
            )
            .retry_after(1)
        })
    }

    /// Waits until `caller` is the next one at the site of `url`.
    pub(crate) async fn next_at(&self, url: &RequestUrl, caller: &Arc<str>) -> Share {
        self.sites.of(url.host()).take(caller).await
    }

    /// How long a visit to the site of `url` would wait at least.
    pub(crate) fn wait(&self, url: &RequestUrl) -> Duration {
        self.pacer.wait(url)
    }

    /// Keeps a visit for `time`, with what was taken for it. Returns the token that ends it.
    pub(crate) fn open(
        &self,
        caller: &Arc<str>,
        visit: Visit,
        held: Held,
        time: Duration,
    ) -> Result<Token, Problem> {
        let token = random_token().ok_or_else(Problem::bug)?;
        let (open, own) = (Arc::clone(&self.open), Arc::clone(&token));
        // The timer finds the lease: it waits for the lock.
        let mut leases = locked(&self.open);
        let timer = tokio::spawn(async move {
            tokio::time::sleep(time).await;
            let ended = locked(&open).remove(&own);
            drop(ended);
        });
        let lease = Lease {
            caller: Arc::clone(caller),
            visit,
            held,
            _timer: Timer(timer.abort_handle()),
        };
        leases.insert(Arc::clone(&token), lease);
        Ok(token)
    }

    /// The visit with this token, and what was taken for it. `None` if `caller` has no such visit.
    pub(crate) fn take(&self, token: &str, caller: &Arc<str>) -> Option<(Visit, Held)> {
        let mut leases = locked(&self.open);
        if leases.get(token)?.caller != *caller {
            return None;
        }
        let lease = leases.remove(token)?;
        Some((lease.visit, lease.held))
    }
}

fn locked<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A text that nobody guesses.
fn random_token() -> Option<Token> {
    let mut bytes = [0; 16];
    SystemRandom::new().fill(&mut bytes).ok()?;
    Some(format!("{:032x}", u128::from_be_bytes(bytes)).into())
}
