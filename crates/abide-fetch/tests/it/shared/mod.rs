//! The store that a fleet shares, against servers that fail in every way of the catalogue. Whatever
//! fails, the rules are those of the site, no caller waits longer than the deadline, and the
//! operator is notified.

mod envelope;
mod fleet;
mod real;
mod scripted;
mod server;
mod slots;

use crate::http::{Server, ok, options};
use crate::{NEVER, client, ended};
use abide_fetch::guard::Guard;
use abide_fetch::http::Fetcher;
use abide_fetch::machine::{Event, RetrievalSettings, State};
use abide_fetch::store::{SharedOptions, SharedStore, Store, StoreError};
use abide_fetch::{Body, Observer, Record, Resource, RobotsCache, Seal, Warning};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// The deadline of an operation of a [`quick`] store.
const DEADLINE: Duration = Duration::from_millis(100);

/// A site, and a listener for the warnings.
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

    fn origin(&self) -> Resource {
        Resource::robots_txt(&self.site.url("/")).unwrap()
    }

    fn record_key(&self) -> String {
        format!("abide:record:{}", self.origin())
    }

    fn builder(&self, store: &SharedStore) -> abide_fetch::Builder<Fetcher> {
        let fetcher = Fetcher::new(Guard::open(), options(), RetrievalSettings::default()).unwrap();
        RobotsCache::with_retriever(client(), fetcher)
            .store(store.clone())
            .observer(Heard(Arc::clone(&self.warnings)))
    }

    /// Asks as a new process without cached rules.
    async fn ask(&self, store: &SharedStore) {
        self.ask_of(&self.builder(store).build()).await;
    }

    /// Asks, and checks that the rules are those of the site and that the store delays no caller
    /// without bound.
    async fn ask_of(&self, robots: &RobotsCache) {
        let policy = ended(robots.for_url(&self.site.url("/x"))).await;
        assert!(!policy.allows("/x") && policy.allows("/y"));
    }

    /// Asks while the store is silent, and checks that only one operation is waited for, until its
    /// deadline.
    async fn ask_beside_silence(&self, robots: &RobotsCache) {
        self.ask_of(robots).await;
        assert_eq!(self.heard(), [StoreError::Slow]);
    }

    /// The warnings since the last call.
    fn heard(&self) -> Vec<StoreError> {
        std::mem::take(&mut self.warnings.0.lock().unwrap())
    }

    /// A record of the site with `body`, fetched at `seconds`.
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

/// A record of a file of `origin`, fetched at `seconds`.
fn record(origin: &Resource, body: &str, seconds: i64) -> Record {
    let state = State::default().after(event(body, seconds), &RetrievalSettings::default());
    Record {
        resource: origin.clone(),
        state,
    }
}

fn event(body: &str, seconds: i64) -> Event<Body> {
    Event::file(body.as_bytes().to_vec(), &[], crate::at(seconds))
}

fn now() -> i64 {
    abide_fetch::http::now().unix_seconds()
}

/// A store whose deadline expires soon if the server is silent. With a good server, that depends on
/// the machine.
fn quick(url: &str) -> SharedStore {
    within(url, DEADLINE)
}

/// A store whose deadline expires within the test if the server is silent, but not with a good
/// server.
fn fair(url: &str) -> SharedStore {
    within(url, Duration::from_secs(1))
}

/// A store whose deadline and lease do not expire within a test.
fn patient(url: &str) -> SharedStore {
    SharedStore::new(url, patient_options()).unwrap()
}

fn patient_options() -> SharedOptions {
    let mut options = SharedOptions::default();
    options.deadline = NEVER;
    options.lease = NEVER;
    options
}

fn within(url: &str, deadline: Duration) -> SharedStore {
    let mut options = SharedOptions::default();
    options.deadline = deadline;
    SharedStore::new(url, options).unwrap()
}

fn sealed(url: &str, seal: Seal) -> SharedStore {
    let mut options = patient_options();
    options.seal = seal;
    SharedStore::new(url, options).unwrap()
}

/// The maximum number of probes that a breaker has let through since `began`: it opens for a second
/// at first, and for longer later.
fn probes_since(began: Instant) -> usize {
    usize::try_from(began.elapsed().as_secs()).unwrap()
}

/// The number of loads, of a thousand, that wait for a server that has been silent since `began`.
/// Checks that it is no more than necessary.
async fn probes_of_many_loads(store: &SharedStore, origin: &Resource, began: Instant) -> usize {
    let mut probes = 0;
    for _ in 0..1_000 {
        match store.load(origin).await {
            Err(StoreError::Slow) => probes += 1,
            Err(StoreError::Down(_)) => {}
            found => panic!("{found:?}"),
        }
    }
    assert!(probes <= probes_since(began), "{probes} waited");
    probes
}

/// Saves a record; only the first argument matters to these tests.
async fn save(store: &SharedStore, record: &Record) -> Result<(), StoreError> {
    store.save(record, &event("", 0)).await
}
