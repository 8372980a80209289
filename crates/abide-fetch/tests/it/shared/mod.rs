//! The store that a fleet shares, against servers that fail in every way of the catalogue. Whatever fails: what
//! is in force is what the site says, nobody waits for longer than the deadline, and the operator hears of it.

mod envelope;
mod fleet;
mod real;
mod scripted;
mod server;

use crate::http::{Server, ok, options};
use crate::{NEVER, client, ended};
use abide_fetch::guard::Guard;
use abide_fetch::http::Fetcher;
use abide_fetch::machine::{Event, Settings, State};
use abide_fetch::store::{SharedOptions, SharedStore, Store, StoreError};
use abide_fetch::{Body, Observer, Origin, Record, RobotsCache, Seal, Warning};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// The deadline of an operation of a [`quick`] store.
const DEADLINE: Duration = Duration::from_millis(100);

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
        RobotsCache::builder(client(), fetcher)
            .store(store.clone())
            .observer(Heard(Arc::clone(&self.warnings)))
    }

    /// Asks as a process that knows nothing.
    async fn ask(&self, store: &SharedStore) {
        self.ask_of(&self.builder(store).build()).await;
    }

    /// Asks. What is in force is always what the site says, and nobody waits for a store without end.
    async fn ask_of(&self, robots: &RobotsCache) {
        let policy = ended(robots.for_url(&self.site.url("/x"))).await;
        assert!(!policy.allows("/x") && policy.allows("/y"));
    }

    /// Asks beside a store that says nothing: one operation of it is waited for, until its deadline, and no more.
    async fn ask_beside_silence(&self, robots: &RobotsCache) {
        self.ask_of(robots).await;
        assert_eq!(self.heard(), [StoreError::Slow]);
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

/// With a deadline that strikes soon, where the server says nothing. Whether it does where the server is a good one is
/// up to the machine.
fn quick(url: &str) -> SharedStore {
    within(url, DEADLINE)
}

/// With a deadline that strikes within the test where the server says nothing, and not where it is a good one.
fn fair(url: &str) -> SharedStore {
    within(url, Duration::from_secs(1))
}

/// With a deadline and a lease that do not end within a test.
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

/// How often a breaker may have let a probe through since `began`: it opens for a second at first, and for longer
/// later on.
fn probes_since(began: Instant) -> usize {
    usize::try_from(began.elapsed().as_secs()).unwrap()
}

/// How many of a thousand loads wait for a server that has been silent since `began`. No more than have to.
async fn probes_of_many_loads(store: &SharedStore, origin: &Origin, began: Instant) -> usize {
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

/// Everything but the first argument is about the store alone.
async fn save(store: &SharedStore, record: &Record) -> Result<(), StoreError> {
    store.save(record, &event("", 0)).await
}
