//! Real URLs, decided under both files.

use crate::exit::warn;
use crate::file_arg::FileArg;
use crate::source::{read_file, read_up_to};
use abide::explain::visible_url;
use abide::{Decision, Policy, Robots, Target};
use abide_lint::compare::{Differences, NamedClient};
use anyhow::{Context, ensure};

/// What became of the URLs of a file.
pub(super) struct ChangedUrls {
    /// How many there are.
    pub(super) count: usize,
    /// Those for which anything changes, in the order of the file.
    pub(super) changed: Vec<ChangedUrl>,
}

pub(super) struct ChangedUrl {
    pub(super) url: String,
    /// For whom, and what, in words.
    pub(super) changes: Vec<(Vec<NamedClient>, String)>,
}

/// Bytes of a file of URLs that are read.
const LIMIT: usize = 64 << 20;

impl ChangedUrls {
    /// Reads the URLs of the file `name`, and decides each for all clients that were compared. Lines that are no URL
    /// are told of on stderr, and left out.
    pub(super) fn read(
        name: &FileArg,
        old: &Robots,
        new: &Robots,
        differences: &Differences,
    ) -> anyhow::Result<Self> {
        let bytes = if name.is_stdin() {
            read_up_to(std::io::stdin().lock(), 0, LIMIT).context("cannot read URLs from stdin")?
        } else {
            read_file(name, LIMIT, "--urls takes a file of URLs, one a line")?
        };
        ensure!(
            bytes.len() <= LIMIT,
            "{name} is longer than {LIMIT} bytes; split it"
        );
        let text = String::from_utf8_lossy(&bytes);
        let policies: Vec<_> = differences
            .clients
            .iter()
            .filter_map(|one| {
                let client = &one.clients.first()?.client;
                let equal = one.comparison.is_equivalent();
                (!equal).then(|| {
                    (
                        one.clients.as_slice(),
                        old.policy(client),
                        new.policy(client),
                    )
                })
            })
            .collect();
        let mut urls = Self {
            count: 0,
            changed: Vec::new(),
        };
        let lines = text.lines().map(str::trim).enumerate();
        for (at, url) in lines.filter(|(_, line)| !line.is_empty()) {
            match Target::new(url) {
                Ok(target) => urls.add(&target, &policies),
                Err(error) => warn(&format!(
                    "{name}, line {}: {error}: {}",
                    at + 1,
                    visible_url(url)
                )),
            }
        }
        Ok(urls)
    }

    fn add(&mut self, target: &Target<'_>, policies: &[(&[NamedClient], Policy, Policy)]) {
        self.count += 1;
        let mut changes: Vec<(Vec<NamedClient>, String)> = Vec::new();
        for (clients, old, new) in policies {
            for what in changed(&old.decide(target), &new.decide(target)) {
                match changes.iter_mut().find(|(_, known)| *known == what) {
                    Some((known, _)) => known.extend_from_slice(clients),
                    None => changes.push((clients.to_vec(), what)),
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
