//! What the service counts, as Prometheus reads it.

use abide_fetch::telemetry::MetricsObserver;
use metrics::{Counter, Gauge, Histogram, counter, gauge, histogram, with_local_recorder};
use metrics_exporter_prometheus::{
    BuildError, Matcher, PrometheusBuilder, PrometheusHandle, PrometheusRecorder,
};
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

/// The bounds of the buckets for the time of requests, in seconds.
const SECONDS: [f64; 12] = [
    0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1.0, 5.0, 30.0,
];

/// All counters.
pub(crate) struct Counts {
    recorder: PrometheusRecorder,
    handle: PrometheusHandle,
    routes: RwLock<HashMap<String, Route>>,
    problems: RwLock<HashMap<&'static str, Counter>>,
    authz: RwLock<HashMap<&'static str, Counter>>,
    tokens: RwLock<HashMap<Arc<str>, Counter>>,
    pub(crate) connections: Gauge,
    pub(crate) in_progress: Gauge,
    pub(crate) sites: Gauge,
    pub(crate) in_flight: Gauge,
    pub(crate) files_bytes: Gauge,
    pub(crate) store_bytes: Gauge,
    pub(crate) workers_waiting: Gauge,
    pub(crate) resident_bytes: Gauge,
    pub(crate) open_files: Gauge,
    pub(crate) most_open_files: Gauge,
    pub(crate) batch_lines: Counter,
    pub(crate) batch_errors: Counter,
    pub(crate) logs_dropped: Counter,
}

/// The counters of one route.
struct Route {
    seconds: Histogram,
    statuses: HashMap<u16, Counter>,
}

impl std::fmt::Debug for Counts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Counts").finish_non_exhaustive()
    }
}

impl Counts {
    /// Nothing is counted yet.
    pub(crate) fn new() -> Result<Self, BuildError> {
        let recorder = PrometheusBuilder::new()
            .set_buckets_for_metric(Matcher::Suffix("_seconds".to_owned()), &SECONDS)?
            .build_recorder();
        let handle = recorder.handle();
        describe(&recorder);
        let of = |name: &'static str| with_local_recorder(&recorder, || counter!(name));
        let level = |name: &'static str| with_local_recorder(&recorder, || gauge!(name));
        with_local_recorder(&recorder, || {
            let (version, revision) = (env!("CARGO_PKG_VERSION"), option_env!("ABIDE_REVISION"));
            let revision = revision.unwrap_or("unknown");
            gauge!("abide_build_info", "version" => version, "revision" => revision).set(1.0);
            let now = abide_fetch::http::now().unix_seconds();
            #[expect(
                clippy::cast_precision_loss,
                reason = "seconds are exact for a long time"
            )]
            gauge!("process_start_time_seconds").set(now as f64);
        });
        Ok(Self {
            files_bytes: with_local_recorder(
                &recorder,
                || gauge!("abide_memory_bytes", "cache" => "files"),
            ),
            store_bytes: level("abide_cache_folder_bytes"),
            workers_waiting: level("abide_workers_waiting"),
            resident_bytes: level("process_resident_memory_bytes"),
            open_files: level("process_open_fds"),
            most_open_files: level("process_max_fds"),
            connections: level("abide_connections"),
            in_progress: level("abide_requests_in_progress"),
            sites: level("abide_sites_in_memory"),
            in_flight: level("abide_bytes_in_flight"),
            batch_lines: of("abide_batch_lines_total"),
            batch_errors: of("abide_batch_errors_total"),
            logs_dropped: of("abide_logs_dropped_total"),
            routes: RwLock::default(),
            problems: RwLock::default(),
            authz: RwLock::default(),
            tokens: RwLock::default(),
            handle,
            recorder,
        })
    }

    /// Counts an answer. `route` is the path as the routes write it, so that there are few.
    pub(crate) fn answered(&self, route: &str, status: u16, took: Duration) {
        {
            let routes = self.routes.read().unwrap_or_else(PoisonError::into_inner);
            if let Some(known) = routes.get(route)
                && let Some(counter) = known.statuses.get(&status)
            {
                counter.increment(1);
                known.seconds.record(took.as_secs_f64());
                return;
            }
        }
        let mut routes = self.routes.write().unwrap_or_else(PoisonError::into_inner);
        with_local_recorder(&self.recorder, || {
            let name = || route.to_owned();
            let known = routes.entry(name()).or_insert_with(|| Route {
                seconds: histogram!("abide_request_seconds", "route" => name()),
                statuses: HashMap::new(),
            });
            let counter = known.statuses.entry(status).or_insert_with(|| {
                let status = status.to_string();
                counter!("abide_requests_total", "route" => name(), "status" => status)
            });
            counter.increment(1);
            known.seconds.record(took.as_secs_f64());
        });
    }

    /// Counts a problem by its code.
    pub(crate) fn problem(&self, code: &'static str) {
        self.labelled(
            &self.problems,
            &code,
            || counter!("abide_problems_total", "code" => code),
        );
    }

    /// Counts an answer of forward auth.
    pub(crate) fn authz(&self, answer: &'static str) {
        self.labelled(
            &self.authz,
            &answer,
            || counter!("abide_authz_answers_total", "answer" => answer),
        );
    }

    /// Counts a request of the token with this name.
    pub(crate) fn count_request(&self, token: &Arc<str>) {
        let name = Arc::clone(token);
        self.labelled(
            &self.tokens,
            token,
            || counter!("abide_token_requests_total", "token" => name),
        );
    }

    /// Counts what happens to the files of sites.
    pub(crate) fn of_sites(&self) -> MetricsObserver {
        with_local_recorder(&self.recorder, MetricsObserver::new)
    }

    /// Counts one more with a label.
    fn labelled<L: Clone + Eq + Hash>(
        &self,
        counters: &RwLock<HashMap<L, Counter>>,
        label: &L,
        new: impl FnOnce() -> Counter,
    ) {
        let known = counters.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(counter) = known.get(label) {
            counter.increment(1);
            return;
        }
        drop(known);
        let mut known = counters.write().unwrap_or_else(PoisonError::into_inner);
        let counter = known
            .entry(label.clone())
            .or_insert_with(|| with_local_recorder(&self.recorder, new));
        counter.increment(1);
    }

    /// Frees what histograms keep until they are read. To be called every few seconds.
    pub(crate) fn tidy(&self) {
        self.handle.run_upkeep();
    }

    /// The text that Prometheus reads.
    pub(crate) fn text(&self) -> String {
        self.handle.render()
    }
}

/// Says what each metric means.
fn describe(recorder: &PrometheusRecorder) {
    use metrics::{describe_counter, describe_gauge, describe_histogram};
    with_local_recorder(recorder, || {
        describe_counter!("abide_requests_total", "Answers, by route and status");
        describe_histogram!(
            "abide_request_seconds",
            "Time from the head of a request to its answer"
        );
        describe_counter!(
            "abide_problems_total",
            "Problem answers and refused connections, by code"
        );
        describe_counter!(
            "abide_authz_answers_total",
            "Answers of forward auth: what was said about a request, or would have been"
        );
        describe_gauge!("abide_connections", "Open connections");
        describe_gauge!(
            "abide_requests_in_progress",
            "Requests in progress, batches included"
        );
        describe_gauge!(
            "abide_sites_in_memory",
            "robots.txt files and documents in memory"
        );
        describe_gauge!(
            "abide_bytes_in_flight",
            "Bytes of bodies and answers in memory that are not sent yet"
        );
        describe_gauge!(
            "abide_memory_bytes",
            "Memory of robots.txt files, documents and their rules, by cache"
        );
        describe_gauge!(
            "abide_cache_folder_bytes",
            "Size of the file in the folder of the cache"
        );
        describe_gauge!(
            "abide_workers_waiting",
            "Batches, tools and long requests that wait for a thread"
        );
        describe_gauge!("abide_build_info", "Version and revision of abide");
        describe_counter!(
            "abide_token_requests_total",
            "Requests, by the name of the token"
        );
        describe_gauge!(
            "process_resident_memory_bytes",
            "Resident memory of the process"
        );
        describe_gauge!("process_open_fds", "Open file descriptors");
        describe_gauge!("process_max_fds", "Largest number of open file descriptors");
        describe_gauge!(
            "process_start_time_seconds",
            "Start of the service, in seconds since 1970"
        );
        describe_counter!(
            "abide_batch_lines_total",
            "Lines of batches that were answered"
        );
        describe_counter!(
            "abide_batch_errors_total",
            "Lines of batches that were answered with an error"
        );
        describe_counter!(
            "abide_logs_dropped_total",
            "Lines of the log that could not be written in time"
        );
    });
}
