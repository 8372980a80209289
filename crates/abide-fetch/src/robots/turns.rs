//! Turns: how callers that share a cache share what it retrieves at once.

use crate::http::BoxFuture;
use std::any::Any;

/// The right to one retrieval. Dropping it ends the turn.
pub type Turn = Box<dyn Any + Send>;

/// Says when a caller may begin a retrieval, for
/// [`RobotsCache::in_turns`](crate::RobotsCache::in_turns).
pub trait Turns: Send + Sync {
    /// Waits until one more retrieval from a site of `domain` may begin: the registrable domain,
    /// such as `example.com`, or an address. The turn lasts as long as the retrieval, even if the
    /// caller has gone.
    fn turn<'a>(&'a self, domain: &'a str) -> BoxFuture<'a, Turn>;
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::*;
    use crate::http::{self, Retrieval};
    use crate::machine::{Event, Validators};
    use crate::robots::{Retriever, RobotsCache};
    use abide::{Client, ProductToken};
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use tokio::sync::Semaphore;
    use tokio::task::{JoinHandle, yield_now};

    /// A site that answers as often as it has permits.
    #[derive(Clone)]
    struct Slow(Arc<Semaphore>, Arc<AtomicUsize>);

    impl Retriever for Slow {
        fn retrieve<'a>(&'a self, _: &'a str, _: &'a Validators) -> BoxFuture<'a, Retrieval> {
            self.1.fetch_add(1, Ordering::SeqCst);
            Box::pin(async {
                self.0.acquire().await.unwrap().forget();
                Retrieval::new(Event::file("", &[], http::now()))
            })
        }
    }

    struct Few(Arc<Semaphore>);

    impl Turns for Few {
        fn turn<'a>(&'a self, domain: &'a str) -> BoxFuture<'a, Turn> {
            assert!(domain.ends_with(".example") && !domain.starts_with("www"));
            Box::pin(async {
                let turn = Arc::clone(&self.0).acquire_owned().await;
                Box::new(turn.unwrap()) as Turn
            })
        }
    }

    fn asks(robots: &RobotsCache, url: &'static str) -> JoinHandle<()> {
        let robots = robots.clone();
        tokio::spawn(async move { drop(robots.for_url(url).await) })
    }

    /// Lets every task go on as far as it can.
    async fn settled() {
        for _ in 0..20 {
            yield_now().await;
        }
    }

    #[tokio::test]
    async fn a_retrieval_has_its_turn_and_nobody_waits_for_that_of_another() {
        let site = Slow(Arc::new(Semaphore::new(0)), Arc::default());
        let client = Client::new(ProductToken::new("f").unwrap());
        let robots = RobotsCache::with_retriever(client, site.clone()).build();
        let turns = Arc::new(Semaphore::new(1));
        let own = robots.in_turns(Few(Arc::clone(&turns)));
        let count = || site.1.load(Ordering::SeqCst);
        // The turn lasts as long as the retrieval, even if the caller has gone.
        let gone = asks(&own, "https://www.a.example:8443/");
        settled().await;
        gone.abort();
        settled().await;
        assert_eq!((count(), turns.available_permits()), (1, 0));
        // The next one waits, and another caller does not wait for it.
        let waiting = asks(&own, "https://b.example/");
        settled().await;
        assert_eq!(count(), 1);
        let other = asks(&robots, "https://b.example/");
        settled().await;
        assert_eq!(count(), 2);
        site.0.add_permits(2);
        other.await.unwrap();
        waiting.await.unwrap();
        assert_eq!((count(), turns.available_permits()), (2, 1));
        // What is in memory needs no turn.
        let _all = turns.acquire().await.unwrap();
        own.for_url("https://b.example/").await;
        assert!(own.known_rules("https://b.example/").is_some());
        assert!(own.known_rules("https://c.example/").is_none());
    }
}
