//! Traces what a cache reports.

use crate::http::Retrieval;
use crate::record::{BodyHash, Resource};
use crate::request_url::RequestUrl;
use crate::robots::{Observer, Warning};
use abide::explain::visible;
use abide::rep::CrawlDelay;
use abide::{IdentificationError, Policy};
use std::time::Duration;
use tracing::{debug, info, warn};

/// The target of the events and of the span.
pub const TARGET: &str = "abide_fetch";

/// Traces what a cache reports, as events of the target [`TARGET`], whose messages are the names of
/// the methods of [`Observer`]. The look-ups are not traced: each question has one.
///
/// With the feature `tracing`, each retrieval has a span of its own, `abide_retrieval`, with the
/// `url` of the file; what a retriever of your own traces is in it.
#[derive(Clone, Copy, Debug, Default)]
#[expect(clippy::exhaustive_structs, reason = "callers build it")]
pub struct TracingObserver;

impl Observer for TracingObserver {
    fn retrieved(&self, resource: &Resource, retrieval: &Retrieval) {
        let last = retrieval.hops.last();
        info!(
            target: TARGET,
            url = resource.url(),
            result = retrieval.event.result(),
            status = last.and_then(|hop| hop.status),
            failure = last.and_then(|hop| hop.failure.as_deref()),
            seconds = retrieval.took.as_secs_f64(),
            "retrieved"
        );
    }

    fn changed(&self, resource: &Resource, was: Option<BodyHash>, is: Option<BodyHash>) {
        let [was, is] = [was, is].map(|hash| hash.map(|hash| hash.to_string()));
        info!(target: TARGET, url = resource.url(), was, is, "changed");
    }

    fn emptied(&self, resource: &Resource, was: BodyHash, is: BodyHash) {
        warn!(target: TARGET, url = resource.url(), %was, %is, "emptied");
    }

    fn warned(&self, warning: &Warning) {
        warn!(target: TARGET, url = warning.resource.url(), error = %warning.error, "warned");
    }

    fn unpaced(&self, resource: &Resource, delay: CrawlDelay) {
        warn!(target: TARGET, url = resource.url(), %delay, "unpaced");
    }

    fn refused(&self, url: &str, _: &Policy) {
        debug!(target: TARGET, url = visible(url.as_bytes()), "refused");
    }

    fn waited(&self, url: &RequestUrl, time: Duration) {
        debug!(target: TARGET, url = url.as_str(), seconds = time.as_secs_f64(), "waited");
    }

    fn misnamed(&self, user_agent: &str, error: &IdentificationError) {
        let user_agent = visible(user_agent.as_bytes());
        warn!(target: TARGET, user_agent, %error, "misnamed");
    }
}
