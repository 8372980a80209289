//! Permissions that a robots.txt keeps in other files: fetched with it, and as failing as it.

use super::SharedState;
use crate::machine::{CurrentRules, Event, RetrievalSettings, State, Validators};
use abide::acap::FetchedReference;
use abide::rep::Access;
use abide::rep::Cause;
use abide::{Policy, Target};
use std::time::Duration;
use tokio::time::{Instant, timeout_at};

/// For all of them together.
const DEADLINE: Duration = Duration::from_secs(30);
/// References that are fetched for a file; it may have more, and these stay unknown.
const MAX_REFERENCES: usize = 10;

/// `policy`, of the robots.txt at `robots_url`, with what it refers to and was not given; and
/// whether something could not be fetched for a reason of this machine.
pub(super) async fn with_references(
    policy: Policy,
    robots_url: &str,
    shared: &SharedState,
) -> (Policy, bool) {
    let url = robots_url.to_owned();
    let (policy, missing) = apart(move || {
        let missing = Target::new(&url).map(|target| policy.decide(&target).needs);
        (policy, missing.unwrap_or_default())
    })
    .await;
    let mut is_local = false;
    let now = Instant::now();
    let until = now.checked_add(DEADLINE).unwrap_or(now);
    let mut read = Vec::new();
    for reference in policy.references().iter().take(MAX_REFERENCES) {
        let url = reference.url(robots_url);
        if missing.contains(&url) {
            let validators = Validators::default();
            let retriever = &shared.retriever;
            let found = match &shared.pacer {
                // Waiting for a turn is not the fault of the site, and each retrieval ends.
                Some(pacer) => Ok(retriever
                    .retrieve_paced(&url, &validators, None, pacer)
                    .await),
                None => timeout_at(until, retriever.retrieve(&url, &validators)).await,
            };
            let answer = match found {
                Ok(retrieval) => {
                    is_local |= retrieval.is_shortage();
                    answered(retrieval.event, &shared.settings)
                }
                Err(_) => Err(Access::Unreachable(Cause::Timeout)),
            };
            read.push((reference.locator.clone(), answer));
        }
    }
    let with_references = move || {
        policy.with_references(read.iter().map(|(locator, answer)| {
            let referenced = match answer {
                Ok(bytes) => FetchedReference::Bytes(bytes),
                Err(access) => FetchedReference::Failed(*access),
            };
            (locator.as_str(), referenced)
        }))
    };
    (apart(with_references).await, is_local)
}

/// Computes what can take long apart from the threads of the runtime.
async fn apart<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => done,
        Err(broken) => match broken.try_into_panic() {
            Ok(panic) => std::panic::resume_unwind(panic),
            // The runtime ends, and with it whoever waits.
            Err(_) => std::future::pending().await,
        },
    }
}

/// What the answer to a request for a reference means.
fn answered(event: Event<Vec<u8>>, settings: &RetrievalSettings) -> Result<Vec<u8>, Access> {
    let came = event.came();
    let state = State::default().after(event, settings);
    match state.plan(came, settings).current {
        CurrentRules::File(body) => Ok(body.clone()),
        CurrentRules::AllowAll(cause) => Err(Access::Unavailable(cause)),
        CurrentRules::DisallowAll(cause) => Err(Access::Unreachable(cause)),
        CurrentRules::Unknown => Err(Access::Unknown),
    }
}
