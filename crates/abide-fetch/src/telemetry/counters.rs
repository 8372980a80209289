//! Counts what a cache reports.

use crate::http::Retrieval;
use crate::record::{BodyHash, Resource};
use crate::request_url::RequestUrl;
use crate::robots::{CacheTier, Observer, Warning};
use crate::store::StoreError;
use abide::rep::{Cause, CrawlDelay};
use abide::{IdentificationError, Policy};
use metrics::{Counter, Histogram, Unit, counter, histogram};
use metrics::{describe_counter, describe_histogram};
use std::time::Duration;

/// A metric: a row of the table in `docs/crawlers.md`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Metric {
    /// Its name.
    pub name: &'static str,
    /// What it is.
    pub kind: MetricKind,
    /// Its labels, as a Prometheus query names them.
    pub labels: &'static str,
    /// What it says.
    pub meaning: &'static str,
}

/// The kinds of metrics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MetricKind {
    /// A number that grows.
    Counter,
    /// How often a value was in which range.
    Histogram,
}

/// The metrics of a [`MetricsObserver`].
pub const METRICS: &[Metric] = &ALL;

/// In the order of the fields of [`MetricsObserver`].
const ALL: [Metric; 13] = [
    of("abide_fetches_total", "", "files that were fetched"),
    of(
        "abide_fetch_results_total",
        "result",
        "what came of it: `file`, `unchanged`, `missing`, `failed`, `refused` by the guard, `local` for a fault of this machine",
    ),
    of(
        "abide_fetch_failures_total",
        "",
        "fetches without an answer",
    ),
    Metric {
        kind: MetricKind::Histogram,
        ..of(
            "abide_fetch_seconds",
            "",
            "time of a fetch with its redirects, without waiting for room",
        )
    },
    of(
        "abide_local_faults_total",
        "",
        "fetches that failed because no file descriptor, memory or network port was left",
    ),
    of(
        "abide_cache_lookups_total",
        "cache,result",
        "look-ups of files in the memory of the process (`cache=\"memory\"`) and, if they are not there, in the cache (`store`), with the result `hit` or `miss`",
    ),
    of(
        "abide_files_changed_total",
        "",
        "files that are no longer what they were",
    ),
    of(
        "abide_files_emptied_total",
        "",
        "sites whose file lost all its rules",
    ),
    of(
        "abide_refusals_total",
        "by",
        "URLs that a `robots.txt` does not allow, and requests of fetches that the `guard` refused",
    ),
    Metric {
        kind: MetricKind::Histogram,
        ..of(
            "abide_turn_seconds",
            "",
            "how long visits waited for their turn",
        )
    },
    of(
        "abide_store_failures_total",
        "",
        "failures of the cache; no answer depends on it",
    ),
    of(
        "abide_unpaced_sites_total",
        "",
        "sites that ask for a `Crawl-delay` which nothing honours",
    ),
    of(
        "abide_misnamed_clients_total",
        "",
        "`User-Agent` lines behind an adapter that do not name the robot",
    ),
];

const fn of(name: &'static str, labels: &'static str, meaning: &'static str) -> Metric {
    Metric {
        name,
        kind: MetricKind::Counter,
        labels,
        meaning,
    }
}

/// What comes of a fetch, as a label says it.
const RESULTS: [&str; 6] = ["file", "unchanged", "missing", "failed", "refused", "local"];

/// Counts what a cache reports: [`METRICS`]. No label has the name of a site, so there are few
/// series.
///
/// ```
/// use abide_fetch::{RobotsCache, telemetry::MetricsObserver};
///
/// // Install a recorder first, such as that of `metrics-exporter-prometheus`.
/// let robots = RobotsCache::builder("ExampleBot/1.0 (+https://bot.example/)")?
///     .observer(MetricsObserver::new())
///     .build()?;
/// # Ok::<(), abide_fetch::SetupError>(())
/// ```
pub struct MetricsObserver {
    fetches: Counter,
    results: [Counter; RESULTS.len()],
    failures: Counter,
    seconds: Histogram,
    local_faults: Counter,
    /// Not found and found, in memory and in the store.
    lookups: [[Counter; 2]; 2],
    changed: Counter,
    emptied: Counter,
    /// By a robots.txt, and by the guard.
    refusals: [Counter; 2],
    turns: Histogram,
    store_failures: Counter,
    unpaced: Counter,
    misnamed: Counter,
}

impl MetricsObserver {
    /// Registers and describes the metrics at the recorder that is installed now.
    #[must_use]
    pub fn new() -> Self {
        for Metric {
            name,
            kind,
            meaning,
            ..
        } in ALL
        {
            match kind {
                MetricKind::Counter => describe_counter!(name, meaning),
                MetricKind::Histogram => describe_histogram!(name, Unit::Seconds, meaning),
            }
        }
        let [
            fetches,
            results,
            failures,
            seconds,
            local_faults,
            lookups,
            changed,
            emptied,
            refusals,
            turns,
            store_failures,
            unpaced,
            misnamed,
        ] = ALL.map(|metric| metric.name);
        let lookup = |cache: &'static str| {
            ["miss", "hit"].map(|result| counter!(lookups, "cache" => cache, "result" => result))
        };
        Self {
            fetches: counter!(fetches),
            results: RESULTS.map(|result| counter!(results, "result" => result)),
            failures: counter!(failures),
            seconds: histogram!(seconds),
            local_faults: counter!(local_faults),
            lookups: ["memory", "store"].map(lookup),
            changed: counter!(changed),
            emptied: counter!(emptied),
            refusals: ["robots.txt", "guard"].map(|by| counter!(refusals, "by" => by)),
            turns: histogram!(turns),
            store_failures: counter!(store_failures),
            unpaced: counter!(unpaced),
            misnamed: counter!(misnamed),
        }
    }
}

impl Default for MetricsObserver {
    fn default() -> Self {
        Self::new()
    }
}

impl std::fmt::Debug for MetricsObserver {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("MetricsObserver").finish_non_exhaustive()
    }
}

/// What came of a retrieval: one of [`RESULTS`].
fn result(retrieval: &Retrieval, is_refused: bool) -> &'static str {
    if is_refused {
        "refused"
    } else if retrieval.is_local {
        "local"
    } else {
        retrieval.event.result()
    }
}

impl Observer for MetricsObserver {
    fn retrieved(&self, _: &Resource, retrieval: &Retrieval) {
        self.fetches.increment(1);
        let last = retrieval.hops.last();
        if last.and_then(|hop| hop.status).is_none() {
            self.failures.increment(1);
        }
        self.seconds.record(retrieval.took.as_secs_f64());
        if retrieval.is_shortage() {
            self.local_faults.increment(1);
        }
        let is_refused = last.is_some_and(|hop| hop.cause == Some(Cause::Refused));
        if is_refused {
            let [_, by_guard] = &self.refusals;
            by_guard.increment(1);
        }
        let result = result(retrieval, is_refused);
        let mut counters = RESULTS.iter().zip(&self.results);
        if let Some((_, counter)) = counters.find(|(name, _)| **name == result) {
            counter.increment(1);
        }
    }

    fn changed(&self, _: &Resource, _: Option<BodyHash>, _: Option<BodyHash>) {
        self.changed.increment(1);
    }

    fn emptied(&self, _: &Resource, _: BodyHash, _: BodyHash) {
        self.emptied.increment(1);
    }

    /// A store that is only read said so when it was opened: that is not counted.
    fn warned(&self, warning: &Warning) {
        if warning.error != StoreError::ReadOnly {
            self.store_failures.increment(1);
        }
    }

    fn unpaced(&self, _: &Resource, _: CrawlDelay) {
        self.unpaced.increment(1);
    }

    fn looked_up(&self, cache: CacheTier, is_there: bool) {
        let [memory, store] = &self.lookups;
        let [missing, there] = match cache {
            CacheTier::Memory => memory,
            CacheTier::Store => store,
        };
        let counter = if is_there { there } else { missing };
        counter.increment(1);
    }

    fn refused(&self, _: &str, _: &Policy) {
        let [by_file, _] = &self.refusals;
        by_file.increment(1);
    }

    fn waited(&self, _: &RequestUrl, time: Duration) {
        self.turns.record(time.as_secs_f64());
    }

    fn misnamed(&self, _: &str, _: &IdentificationError) {
        self.misnamed.increment(1);
    }
}
