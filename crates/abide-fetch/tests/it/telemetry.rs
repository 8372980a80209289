//! Metrics and traces have the names that `docs/crawlers.md` lists, and count what happens.

use crate::client;
use crate::robots::run;
use abide::IdentificationError;
use abide::rep::Cause;
use abide_fetch::http::{BoxFuture, HopReport, Retrieval, now};
use abide_fetch::machine::{Event, ResponseTimes, RetrievalSettings, Validators};
use abide_fetch::pace::Pacer;
use abide_fetch::telemetry::{METRICS, MetricKind, MetricsObserver, TARGET, TracingObserver};
use abide_fetch::{Observer, RequestUrl, Resource, Retriever, RobotsCache};
use abide_testkit::generated::assert_part_up_to_date;
use metrics::{Counter, Gauge, Histogram, Key, KeyName, Metadata, SharedString, Unit};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};

/// What was counted, by series.
type Series = Arc<Mutex<BTreeMap<String, f64>>>;

/// Adds up what counters and histograms get.
#[derive(Clone, Default)]
struct Recorder {
    series: Series,
    described: Arc<Mutex<BTreeSet<String>>>,
}

struct Sum(String, Series);

impl Sum {
    fn add(&self, value: f64) {
        *self.1.lock().unwrap().entry(self.0.clone()).or_default() += value;
    }
}

impl metrics::CounterFn for Sum {
    fn increment(&self, value: u64) {
        self.add(f64::from(u32::try_from(value).unwrap()));
    }

    fn absolute(&self, _: u64) {}
}

impl metrics::HistogramFn for Sum {
    fn record(&self, value: f64) {
        self.add(value);
    }
}

impl Recorder {
    fn sum(&self, key: &Key) -> Arc<Sum> {
        let labels = key
            .labels()
            .map(|label| format!("{}={}", label.key(), label.value()));
        let labels: Vec<_> = labels.collect();
        let series = format!("{}{{{}}}", key.name(), labels.join(","));
        let sum = Sum(series, Arc::clone(&self.series));
        sum.add(0.0);
        Arc::new(sum)
    }

    fn describe(&self, key: &KeyName) {
        self.described
            .lock()
            .unwrap()
            .insert(key.as_str().to_owned());
    }
}

impl metrics::Recorder for Recorder {
    fn describe_counter(&self, key: KeyName, _: Option<Unit>, _: SharedString) {
        self.describe(&key);
    }

    fn describe_gauge(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}

    fn describe_histogram(&self, key: KeyName, _: Option<Unit>, _: SharedString) {
        self.describe(&key);
    }

    fn register_counter(&self, key: &Key, _: &Metadata<'_>) -> Counter {
        Counter::from_arc(self.sum(key))
    }

    fn register_gauge(&self, _: &Key, _: &Metadata<'_>) -> Gauge {
        Gauge::noop()
    }

    fn register_histogram(&self, key: &Key, _: &Metadata<'_>) -> Histogram {
        Histogram::from_arc(self.sum(key))
    }
}

/// Answers by the name of the site.
struct Sites;

impl Retriever for Sites {
    fn retrieve<'a>(&'a self, url: &'a str, _: &'a Validators) -> BoxFuture<'a, Retrieval> {
        tracing::info!(target: "a retriever", "in its span");
        let times = ResponseTimes::at(now());
        let missing = Event::response(404, &[], Vec::new(), times, &RetrievalSettings::default());
        let (event, status, cause) = match url {
            "https://file.example/robots.txt" => {
                let file = "User-agent: *\nDisallow: /x\nCrawl-delay: 1\n";
                (Event::file(file, &[], now()), Some(200), None)
            }
            "https://missing.example/robots.txt" => (missing, Some(404), None),
            "https://refused.example/robots.txt" => {
                let refused = Cause::Refused;
                (Event::failure(refused, now()), None, Some(refused))
            }
            _ => (Event::failure(Cause::Dns, now()), None, Some(Cause::Dns)),
        };
        let mut hop = HopReport::new(RequestUrl::new(url).unwrap());
        (hop.status, hop.cause) = (status, cause);
        let mut retrieval = Retrieval::new(event);
        retrieval.hops = vec![hop];
        retrieval.took = Duration::from_secs(2);
        retrieval.is_local = url.contains("local");
        Box::pin(async move { retrieval })
    }
}

/// Asks about each site twice, and has every other event happen once.
fn asked(observer: impl Observer + 'static) {
    let observer = Arc::new(observer);
    let robots = RobotsCache::with_retriever(client(), Sites).observer(Arc::clone(&observer));
    let robots = robots.build();
    run(async {
        for site in ["file", "missing", "refused", "failed", "local"] {
            for _ in 0..2 {
                let url = format!("https://{site}.example/x");
                drop(robots.allows(&url).await);
            }
        }
        let paced = RobotsCache::with_retriever(client(), Sites).observer(Arc::clone(&observer));
        let paced = paced.pacer(Pacer::default()).build();
        drop(paced.turn("https://missing.example/").await.unwrap());
    });
    let resource = Resource::robots_txt("https://file.example/").unwrap();
    let hash = abide_fetch::BodyHash::of(b"");
    observer.changed(&resource, None, Some(hash));
    observer.emptied(&resource, hash, hash);
    let token = "f".into();
    observer.misnamed(
        "Other\n",
        &IdentificationError::ProductTokenMissing { token },
    );
}

/// The table of the metrics, as the guides have it.
fn table() -> String {
    let mut table = "| metric | type | meaning |\n|---|---|---|\n".to_owned();
    for metric in METRICS {
        let labels = match metric.labels {
            "" => String::new(),
            labels => format!("{{{labels}}}"),
        };
        let kind = match metric.kind {
            MetricKind::Histogram => "histogram",
            _ => "counter",
        };
        let (name, meaning) = (metric.name, metric.meaning);
        writeln!(table, "| `{name}{labels}` | {kind} | {meaning} |").unwrap();
    }
    table
}

/// Every metric of the table is recorded with its labels, and no other one.
#[test]
fn the_guide_lists_every_metric() {
    assert_part_up_to_date("docs/crawlers.md", "metrics", &table());
    let service = include_str!("../../../../docs/serve.md");
    for row in table().lines().skip(2) {
        assert!(
            service.contains(&format!("\n{row}\n")),
            "docs/serve.md lacks {row}"
        );
    }
    let recorder = Recorder::default();
    asked(metrics::with_local_recorder(
        &recorder,
        MetricsObserver::new,
    ));
    let series = recorder.series.lock().unwrap();
    let found: BTreeSet<(String, String)> = series
        .keys()
        .map(|series| {
            let (name, labels) = series.trim_end_matches('}').split_once('{').unwrap();
            let names = labels
                .split(',')
                .filter_map(|label| Some(label.split_once('=')?.0));
            (name.to_owned(), names.collect::<Vec<_>>().join(","))
        })
        .collect();
    let listed = METRICS.iter();
    let listed = listed.map(|metric| (metric.name.to_owned(), metric.labels.to_owned()));
    assert_eq!(found, listed.collect());
    let names = METRICS.iter().map(|metric| metric.name.to_owned());
    assert_eq!(*recorder.described.lock().unwrap(), names.collect());
}

#[test]
fn metrics_count_what_happens() {
    let recorder = Recorder::default();
    asked(metrics::with_local_recorder(
        &recorder,
        MetricsObserver::new,
    ));
    let series = recorder.series.lock().unwrap();
    for (name, expected) in [
        // What failed for a reason of this machine is asked for again.
        ("abide_fetches_total{}", 7.0),
        ("abide_fetch_results_total{result=file}", 1.0),
        ("abide_fetch_results_total{result=missing}", 2.0),
        ("abide_fetch_results_total{result=refused}", 1.0),
        ("abide_fetch_results_total{result=failed}", 1.0),
        ("abide_fetch_results_total{result=local}", 2.0),
        ("abide_fetch_results_total{result=unchanged}", 0.0),
        ("abide_fetch_failures_total{}", 4.0),
        ("abide_fetch_seconds{}", 14.0),
        ("abide_local_faults_total{}", 2.0),
        // A turn looks again after it waited.
        ("abide_cache_lookups_total{cache=memory,result=hit}", 5.0),
        ("abide_cache_lookups_total{cache=memory,result=miss}", 7.0),
        ("abide_cache_lookups_total{cache=store,result=hit}", 0.0),
        ("abide_files_changed_total{}", 1.0),
        ("abide_files_emptied_total{}", 1.0),
        // All but those of the site without a file, and of what failed for a reason of this
        // machine.
        ("abide_refusals_total{by=robots.txt}", 6.0),
        ("abide_refusals_total{by=guard}", 1.0),
        ("abide_unpaced_sites_total{}", 1.0),
        ("abide_misnamed_clients_total{}", 1.0),
    ] {
        assert_eq!(series.get(name), Some(&expected), "{name}: {series:?}");
    }
}

/// Notes spans, and events with the span that they are in.
#[derive(Clone, Default)]
struct Traces {
    spans: Arc<Mutex<Vec<String>>>,
    inside: Arc<Mutex<Vec<u64>>>,
    events: Arc<Mutex<BTreeSet<String>>>,
}

#[derive(Default)]
struct Message(String);

impl Visit for Message {
    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        if field.name() == "message" {
            self.0 = format!("{value:?}");
        }
    }
}

impl tracing::Subscriber for Traces {
    fn enabled(&self, _: &tracing::Metadata<'_>) -> bool {
        true
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        let mut spans = self.spans.lock().unwrap();
        let metadata = span.metadata();
        spans.push(format!("{} {}", metadata.target(), metadata.name()));
        Id::from_u64(u64::try_from(spans.len()).unwrap())
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &tracing::Event<'_>) {
        let mut message = Message::default();
        event.record(&mut message);
        let target = event.metadata().target();
        if target == "a retriever" {
            assert!(!self.inside.lock().unwrap().is_empty(), "outside of a span");
        }
        if target == TARGET {
            self.events.lock().unwrap().insert(message.0);
        }
    }

    fn enter(&self, span: &Id) {
        self.inside.lock().unwrap().push(span.into_u64());
    }

    fn exit(&self, _: &Id) {
        self.inside.lock().unwrap().pop();
    }
}

/// Each event of the guide is traced, and each retrieval has a span around what the retriever
/// traces.
#[test]
fn traces_have_the_names_of_the_guide() {
    let traces = Traces::default();
    tracing::subscriber::with_default(traces.clone(), || asked(TracingObserver));
    let events = traces.events.lock().unwrap();
    let expected = [
        "changed",
        "emptied",
        "misnamed",
        "refused",
        "retrieved",
        "unpaced",
        "waited",
    ];
    assert!(events.iter().eq(expected), "{events:?}");
    let guide = include_str!("../../../../docs/crawlers.md");
    assert!(
        expected
            .iter()
            .all(|event| guide.contains(&format!("`{event}`")))
    );
    let spans = traces.spans.lock().unwrap();
    let own = |span: &&String| span.starts_with(TARGET);
    assert_eq!(spans.iter().filter(own).count(), 7);
    assert!(
        spans
            .iter()
            .filter(own)
            .all(|span| span == "abide_fetch abide_retrieval")
    );
    assert!(guide.contains("`abide_retrieval`"));
}
