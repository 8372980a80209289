//! Limits how many retrievals run at once, in total and per host, and how quickly one follows
//! another. The deadline of a retrieval begins after this wait: our own queue is not a failure of
//! the site.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::Instant;

/// Limits on concurrent work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ConcurrencyLimits {
    /// Connections in total. Default: 512.
    pub in_all: usize,
    /// DNS lookups. Default: 64. Each uses a thread while it runs, and a DNS server that is down
    /// must not use up all threads.
    pub lookups: usize,
    /// Retrievals from one host, over all its ports. Default: 2.
    pub per_host: usize,
    /// Retrievals from all hosts of one registrable domain, such as `example.com`. Default: 16.
    pub per_domain: usize,
    /// Connections to one address, over all its names. Default: 32.
    pub per_address: usize,
    /// Time between the starts of two retrievals from one host. Default: 100 ms.
    pub spacing: Duration,
}

impl Default for ConcurrencyLimits {
    fn default() -> Self {
        Self {
            in_all: 512,
            lookups: 64,
            per_host: 2,
            per_domain: 16,
            per_address: 32,
            spacing: Duration::from_millis(100),
        }
    }
}

/// Permits, counted per key. A key without users is removed.
#[derive(Debug)]
pub(super) struct Permits<K: Eq + Hash + Clone> {
    each: usize,
    spacing: Duration,
    taken: Arc<Mutex<HashMap<K, Queue>>>,
}

#[derive(Debug)]
struct Queue {
    permits: Arc<Semaphore>,
    next: Instant,
    users: usize,
}

/// A permit; dropping it releases it.
#[derive(Debug)]
pub(super) struct Permit<K: Eq + Hash + Clone> {
    _permit: Option<OwnedSemaphorePermit>,
    _user: User<K>,
}

/// Somebody who waits for a permit or has one.
#[derive(Debug)]
struct User<K: Eq + Hash + Clone> {
    key: K,
    taken: Arc<Mutex<HashMap<K, Queue>>>,
}

impl<K: Eq + Hash + Clone> Permits<K> {
    pub(super) fn new(each: usize, spacing: Duration) -> Self {
        Self {
            each: each.max(1),
            spacing,
            taken: Arc::default(),
        }
    }

    /// Waits for a permit for `key`, and until the spacing has passed.
    pub(super) async fn take(&self, key: K) -> Permit<K> {
        let (permits, user) = self.enter(key);
        // These semaphores are never closed.
        let permit = permits.acquire_owned().await.ok();
        let wait_until = {
            let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
            taken.get_mut(&user.key).map(|queue| {
                let begin = queue.next.max(Instant::now());
                queue.next = begin.checked_add(self.spacing).unwrap_or(begin);
                begin
            })
        };
        if let Some(begin) = wait_until {
            tokio::time::sleep_until(begin).await;
        }
        Permit {
            _permit: permit,
            _user: user,
        }
    }

    fn enter(&self, key: K) -> (Arc<Semaphore>, User<K>) {
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        if taken.len() > 4_096 {
            // Keys without users are kept only until their spacing has passed.
            let now = Instant::now();
            taken.retain(|_, queue| queue.users > 0 || queue.next > now);
        }
        let queue = taken.entry(key.clone()).or_insert_with(|| Queue {
            permits: Arc::new(Semaphore::new(self.each)),
            next: Instant::now(),
            users: 0,
        });
        queue.users = queue.users.saturating_add(1);
        let user = User {
            key,
            taken: Arc::clone(&self.taken),
        };
        (Arc::clone(&queue.permits), user)
    }

    #[cfg(test)]
    fn len(&self) -> usize {
        self.taken
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .len()
    }
}

impl<K: Eq + Hash + Clone> Drop for User<K> {
    fn drop(&mut self) {
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(queue) = taken.get_mut(&self.key) else {
            return;
        };
        queue.users = queue.users.saturating_sub(1);
        if queue.users == 0 && queue.next <= Instant::now() {
            taken.remove(&self.key);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Permits, Semaphore};
    use std::sync::Arc;
    use std::time::Duration;
    use tokio::time::Instant;

    /// C14: never more at once than permits, each after the spacing, and nothing left at the end.
    #[test]
    fn c14_places() {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .start_paused(true)
            .build();
        runtime.map_or_else(
            |error| unreachable!("{error}"),
            |runtime| runtime.block_on(spaced()),
        );
    }

    async fn spaced() {
        let permits = Arc::new(Permits::new(2, Duration::from_millis(100)));
        let most = Arc::new(Semaphore::new(2));
        let began = Instant::now();
        let mut tasks = tokio::task::JoinSet::new();
        for _ in 0..10 {
            let (permits, most) = (Arc::clone(&permits), Arc::clone(&most));
            tasks.spawn(async move {
                let _permit = permits.take("host").await;
                let inside = most.try_acquire();
                assert!(inside.is_ok(), "three at a time");
                tokio::time::sleep(Duration::from_millis(150)).await;
            });
        }
        while let Some(done) = tasks.join_next().await {
            assert!(done.is_ok());
        }
        // The last of ten starts nine spacings after the first, and then takes its own time.
        assert!(began.elapsed() >= Duration::from_millis(9 * 100 - 100 + 150));
        assert_eq!(permits.len(), 0);
    }
}
