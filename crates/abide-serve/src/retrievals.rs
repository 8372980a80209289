//! How much is fetched at once, and for whom.

use crate::shares::{NamedShares, Shares};
use crate::tokens::Caller;
use abide_fetch::http::{BoxFuture, ConcurrencyLimits};
use abide_fetch::{Turn, Turns};
use std::sync::Arc;
use tokio::sync::Semaphore;

/// How many retrievals all requests begin at once.
pub(crate) const MAX_CONCURRENT: usize = 256;
/// How many retrievals a request begins at once.
const MAX_OF_REQUEST: usize = 64;

/// The retrievals that callers share: of all sites, and of the sites of each domain, which abide
/// asks for only so much at once.
#[derive(Clone, Debug)]
pub(crate) struct Retrievals {
    all: Shares,
    domains: NamedShares,
}

impl Retrievals {
    /// Nothing is fetched yet.
    pub(crate) fn new() -> Self {
        Self {
            all: Shares::new(MAX_CONCURRENT),
            domains: NamedShares::new(ConcurrencyLimits::default().per_domain),
        }
    }
}

/// The turns of one request among those of its caller, and of its caller among all.
#[derive(Clone, Debug)]
pub(crate) struct RequestTurns {
    own: Arc<Semaphore>,
    all: Retrievals,
    caller: Arc<Caller>,
}

impl RequestTurns {
    /// Makes the turns of a request that `caller` sent.
    pub(crate) fn new(all: &Retrievals, caller: &Arc<Caller>) -> Self {
        Self {
            own: Arc::new(Semaphore::new(MAX_OF_REQUEST)),
            all: all.clone(),
            caller: Arc::clone(caller),
        }
    }
}

impl Turns for RequestTurns {
    /// Waits for the rate of the caller, which holds nothing, and then for the domain: what waits
    /// for a busy domain keeps nobody from another one.
    fn turn<'a>(&'a self, domain: &'a str) -> BoxFuture<'a, Turn> {
        Box::pin(async move {
            self.caller.fetch().await;
            let caller = &self.caller.key;
            let of_domain = self.all.domains.of(domain).take(caller).await;
            let own = Arc::clone(&self.own).acquire_owned().await;
            let own = own.expect("the semaphore is never closed");
            let share = self.all.all.take(caller).await;
            Box::new((of_domain, own, share)) as Turn
        })
    }
}
