//! What a cache reports, for logs and metrics.

use crate::http::Retrieval;
use crate::record::{BodyHash, Resource};
use crate::request_url::RequestUrl;
use crate::store::StoreError;
use abide::rep::CrawlDelay;
use abide::{IdentificationError, Policy};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// Declares [`Observer`], and passes its events on: to what is in an `Arc`, and to both of a pair.
macro_rules! observer {
    ($($(#[$doc:meta])* $event:ident($($name:ident: $type:ty),*);)*) => {
        /// Receives events for logs and metrics. It is called in the task that fetches or asks, so
        /// it should be quick. Two observers are one as a pair: `(one, other)`.
        pub trait Observer: Send + Sync {
            $($(#[$doc])* fn $event(&self, $($name: $type),*) {
                let _ = ($($name,)*);
            })*
        }

        impl<T: Observer + ?Sized> Observer for Arc<T> {
            $(fn $event(&self, $($name: $type),*) {
                (**self).$event($($name),*);
            })*
        }

        impl<A: Observer, B: Observer> Observer for (A, B) {
            $(fn $event(&self, $($name: $type),*) {
                self.0.$event($($name),*);
                self.1.$event($($name),*);
            })*
        }
    };
}

observer! {
    /// A robots.txt or a document was fetched, or the attempt failed.
    retrieved(resource: &Resource, retrieval: &Retrieval);

    /// What a site serves changed, by the copy that was known before: what was decided by it may
    /// have to be decided again. `None` if the site has no such file. In a fleet, the member that
    /// fetched the file is told.
    changed(resource: &Resource, was: Option<BodyHash>, is: Option<BodyHash>);

    /// A site that had rules now serves a file without any, perhaps an error page. The new file
    /// applies, as RFC 9309 requires; this is a hint for people.
    emptied(resource: &Resource, was: BodyHash, is: BodyHash);

    /// The store failed. No answer depends on it.
    warned(warning: &Warning);

    /// A site asks for a `Crawl-delay`, and the cache has no [`Pacer`](crate::pace::Pacer) that
    /// honours it. It is called once per site, as far as 65,536 sites and names can be remembered.
    unpaced(resource: &Resource, delay: CrawlDelay);

    /// A robots.txt or a document was looked up in this cache, and it was there and still counts,
    /// or not. It is called for every question.
    looked_up(cache: CacheTier, is_there: bool);

    /// `policy` does not allow `url`, which [`RobotsCache::allows`](crate::RobotsCache::allows),
    /// [`RobotsCache::turn`](crate::RobotsCache::turn), an adapter or a redirect asked about. It is
    /// not called if this machine could not ask for the robots.txt: the site refused nothing.
    refused(url: &str, policy: &Policy);

    /// A visit to `url` has its turn after it waited for so long, in
    /// [`RobotsCache::turn`](crate::RobotsCache::turn) or in an adapter.
    waited(url: &RequestUrl, time: Duration);

    /// A client behind an adapter sends `user_agent`, which does not name the robot whose rules are
    /// asked for (REP-25). It is called once per line, as far as 65,536 sites and lines can be
    /// remembered.
    misnamed(user_agent: &str, error: &IdentificationError);
}

/// Where files are looked up before they are fetched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CacheTier {
    /// The memory of the process.
    Memory,
    /// The store.
    Store,
}

/// Something that an operator should know.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Warning {
    /// Whose record it is.
    pub resource: Resource,
    /// What the store said.
    pub error: StoreError,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the cache failed for {}: {}", self.resource, self.error)
    }
}
