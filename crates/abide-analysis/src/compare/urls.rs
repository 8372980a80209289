//! Decides a list of URLs under both files.

use super::clients::NamedClient;
use super::files::Differences;
use abide::{Decision, Policy, Robots, Target};
use serde::Serialize;

/// What changes for URLs of a list.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ChangedUrls {
    /// How many URLs there were.
    pub count: usize,
    /// The URLs with a change, in the order of the list.
    pub changed: Vec<ChangedUrl>,
    #[serde(skip)]
    policies: Vec<(Vec<NamedClient>, Policy, Policy)>,
}

/// A URL with a change.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ChangedUrl {
    /// The URL.
    pub url: String,
    /// For which clients, and what.
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    pub changes: Vec<UrlChange>,
}

/// What changes for some clients.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct UrlChange {
    /// The clients.
    #[serde(rename = "names")]
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    pub clients: Vec<NamedClient>,
    /// What changes, in words.
    pub what: String,
}

impl ChangedUrls {
    /// An empty list, for the clients in `differences` for which something changes from `old` to
    /// `new`.
    #[must_use]
    pub fn new(old: &Robots, new: &Robots, differences: &Differences) -> Self {
        let clients = differences.clients.iter();
        // For the others it is proven that no URL changes.
        let clients = clients.filter(|one| !one.comparison.is_equivalent());
        let policies = clients.filter_map(|one| {
            let client = &one.clients.first()?.client;
            let (old, new) = (old.policy(client), new.policy(client));
            Some((one.clients.clone(), old, new))
        });
        Self {
            count: 0,
            changed: Vec::new(),
            policies: policies.collect(),
        }
    }

    /// Adds a URL.
    pub fn add(&mut self, target: &Target<'_>) {
        self.count += 1;
        let mut changes: Vec<UrlChange> = Vec::new();
        for (clients, old, new) in &self.policies {
            for what in changed(&old.decide(target), &new.decide(target)) {
                // Many clients see the same change, which is listed once.
                match changes.iter_mut().find(|known| known.what == what) {
                    Some(known) => known.clients.extend_from_slice(clients),
                    None => changes.push(UrlChange {
                        clients: clients.clone(),
                        what,
                    }),
                }
            }
        }
        if !changes.is_empty() {
            self.changed.push(ChangedUrl {
                url: target.url().to_owned(),
                changes,
            });
        }
    }
}

/// What changes, in words.
fn changed(old: &Decision<'_>, new: &Decision<'_>) -> Vec<String> {
    let usages = old.usages.iter().zip(&new.usages).filter_map(|(old, new)| {
        let usage = old.usage;
        if old.outcome != new.outcome {
            Some(format!("{usage}: {} → {}", old.outcome, new.outcome))
        } else if old.conditions != new.conditions {
            Some(format!("{usage}: other conditions"))
        } else {
            None
        }
    });
    let applications = old.applications.iter().zip(&new.applications);
    let applications = applications
        .filter(|(old, new)| old.directives != new.directives)
        .map(|(old, _)| format!("directives of {}", old.id));
    usages.chain(applications).collect()
}
