//! Permissions that a robots.txt keeps in other files of its site: fetched with it, and as failing as it.

use super::Retriever;
use crate::machine::{InForce, Settings, State, Validators};
use abide::acap::Referenced;
use abide::rep::Access;
use abide::{Policy, Target};

/// References that are fetched for a file; it may have more, and these stay unknown.
const MOST: usize = 10;

/// `policy`, of the robots.txt at `robots_url`, with what it refers to and was not given.
pub(super) async fn with_references(
    policy: Policy,
    robots_url: &str,
    retriever: &dyn Retriever,
    settings: &Settings,
) -> Policy {
    let Ok(target) = Target::new(robots_url) else {
        return policy;
    };
    let missing = policy.decide(&target).needs;
    let mut read = Vec::new();
    for reference in policy.references().iter().take(MOST) {
        let url = reference.url(robots_url);
        if missing.contains(&url) {
            let retrieval = retriever.retrieve(&url, &Validators::default()).await;
            let came = retrieval.event.came();
            let state = State::default().after(retrieval.event, settings);
            let answer = match state.plan(came, settings).in_force {
                InForce::File(body) => Ok(body.clone()),
                InForce::AllowAll(cause) => Err(Access::Unavailable(cause)),
                InForce::DisallowAll(cause) => Err(Access::Unreachable(cause)),
                InForce::Unknown => Err(Access::Unknown),
            };
            read.push((reference.locator.clone(), answer));
        }
    }
    policy.with_references(read.iter().map(|(locator, answer)| {
        let referenced = match answer {
            Ok(octets) => Referenced::Octets(octets),
            Err(access) => Referenced::Failed(*access),
        };
        (locator.as_str(), referenced)
    }))
}
