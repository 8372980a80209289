//! The store that a fleet shares, against servers that fail in every way of the catalogue. Whatever fails: what
//! is in force is what the site says, nobody waits for longer than the deadline, and the operator hears of it.

mod envelope;
mod fleet;
mod real;
mod scripted;
mod server;

use crate::client;
use crate::http::{Server, ok, options};
use abide_fetch::guard::Guard;
use abide_fetch::http::Fetcher;
use abide_fetch::machine::{Event, Settings, State};
use abide_fetch::store::{SharedOptions, SharedStore, Store, StoreError};
use abide_fetch::{Body, Observer, Origin, Record, Robots, Seal, Warning};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// The deadline of an operation, as it is by default.
const DEADLINE: Duration = Duration::from_millis(20);
/// What a busy machine may add to any measurement.
const BUSY: Duration = Duration::from_millis(200);

/// A site, and who hears what goes on.
struct Bed {
    site: Server,
    warnings: Arc<Warnings>,
}

#[derive(Default)]
struct Warnings(Mutex<Vec<StoreError>>);

impl Observer for Warnings {
    fn warned(&self, warning: &Warning) {
        self.0.lock().unwrap().push(warning.error.clone());
    }
}

impl Bed {
    fn new() -> Self {
        Self {
            site: Server::saying(ok("User-agent: *\nDisallow: /x\n")),
            warnings: Arc::default(),
        }
    }

    fn origin(&self) -> Origin {
        Origin::of(&self.site.url("/")).unwrap()
    }

    fn record_key(&self) -> String {
        format!("abide:record:{}", self.origin())
    }

    fn builder(&self, store: &SharedStore) -> abide_fetch::Builder {
        let fetcher = Fetcher::new(Guard::open(), options(), Settings::default()).unwrap();
        Robots::builder(client(), fetcher)
            .store(store.clone())
            .observer(Heard(Arc::clone(&self.warnings)))
    }

    /// Asks as a process that knows nothing, and says how long that took.
    async fn ask(&self, store: &SharedStore) -> Duration {
        self.ask_of(&self.builder(store).build()).await
    }

    /// Asks, and says how long that took. What is in force is always what the site says.
    async fn ask_of(&self, robots: &Robots) -> Duration {
        let began = Instant::now();
        let policy = robots.for_url(&self.site.url("/x")).await;
        let took = began.elapsed();
        assert!(!policy.allows("/x") && policy.allows("/y"));
        took
    }

    /// The warnings since this was last asked.
    fn heard(&self) -> Vec<StoreError> {
        std::mem::take(&mut self.warnings.0.lock().unwrap())
    }

    /// What the site says, as a record of `body` at `seconds`.
    fn record(&self, body: &str, seconds: i64) -> Record {
        record(&self.origin(), body, seconds)
    }
}

struct Heard(Arc<Warnings>);

impl Observer for Heard {
    fn warned(&self, warning: &Warning) {
        self.0.warned(warning);
    }
}

/// A file of `origin` that came at `seconds`.
fn record(origin: &Origin, body: &str, seconds: i64) -> Record {
    let state = State::default().after(event(body, seconds), &Settings::default());
    Record {
        origin: origin.clone(),
        state,
    }
}

fn event(body: &str, seconds: i64) -> Event<Body> {
    Event::file(body.as_bytes().to_vec(), &[], crate::at(seconds))
}

fn now() -> i64 {
    abide_fetch::http::now().unix_seconds()
}

/// With the deadline that it has by default.
fn quick(url: &str) -> SharedStore {
    SharedStore::new(url, SharedOptions::default()).unwrap()
}

/// With a deadline that a busy machine keeps to, where the server is a good one.
fn patient(url: &str) -> SharedStore {
    SharedStore::new(url, patient_options()).unwrap()
}

fn patient_options() -> SharedOptions {
    let mut options = SharedOptions::default();
    options.deadline = Duration::from_secs(2);
    options
}

fn sealed(url: &str, seal: Seal) -> SharedStore {
    let mut options = patient_options();
    options.seal = seal;
    SharedStore::new(url, options).unwrap()
}

/// Waits until `is_so`, for five seconds at most.
async fn eventually(what: &str, is_so: impl AsyncFn() -> bool) {
    let began = Instant::now();
    while !is_so().await {
        assert!(began.elapsed() < Duration::from_secs(5), "never: {what}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

/// Everything but the first argument is about the store alone.
async fn save(store: &SharedStore, record: &Record) -> Result<(), StoreError> {
    store.save(record, &event("", 0)).await
}
