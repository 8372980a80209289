//! A fleet, its cache and a thousand sites in one process, driven by one seed and a simulated
//! clock: days pass in seconds. Sites change, move, fail and come back; the cache is down, slow,
//! flushed, or full of garbage and of old and foreign records. In every run, each decision rests on
//! an observation of that very site (G-1 to G-4), no site is asked too often (G-30, G-31), the
//! cache changes no answer (G-40, G-41), and the same seed gives the same run (G-47).
//!
//! For a longer run:
//! `ABIDE_SIMULATED_SEEDS=200 ABIDE_SIMULATED_DAYS=3 cargo test --release -p abide-fetch --test it
//! -- simulation --nocapture`.

use crate::{at, client};
use abide::Moment;
use abide::rep::Cause;
use abide_fetch::http::{BoxFuture, Retrieval};
use abide_fetch::machine::{Event, Field, ResponseTimes, RetrievalSettings, Validators};
use abide_fetch::store::{Lease, Store, StoreError};
use abide_fetch::{Body, BodyHash, Clock, Record, Resource, Retriever, RobotsCache, Seal};
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::time::Instant;

const HOUR: i64 = 3_600;
const DAY: i64 = 24 * HOUR;
const MEMBERS: usize = 8;
const SITES: usize = 1_000;

/// Pseudo-random numbers determined by a seed (`SplitMix64`).
#[derive(Clone, Debug)]
struct Chance(u64);

impl Chance {
    fn new(seed: u64, of: u64) -> Self {
        let mut chance = Self(seed ^ of.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        chance.next();
        chance
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut number = self.0;
        number = (number ^ (number >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        number = (number ^ (number >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        number ^ (number >> 31)
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }
}

/// The state of a site for a while.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Weather {
    /// A file with this number, and the freshness lifetime in seconds that it declares.
    File(u64, Option<u64>),
    Missing,
    Failing(Cause),
    /// Every other answer is a failure.
    Flapping(u64),
}

/// Everything outside the fleet.
struct World {
    seed: u64,
    began: Instant,
    days: i64,
    told: Mutex<Told>,
}

/// The events of a run, in order.
#[derive(Default)]
struct Told {
    trace: Vec<String>,
    seen: BTreeMap<usize, Vec<Observation>>,
    asked: u64,
    decided: u64,
    allowed: u64,
    served_by_cache: u64,
}

/// One answer of a site.
#[derive(Clone, Copy, Debug)]
struct Observation {
    began: i64,
    came: i64,
    member: usize,
    weather: Weather,
    lifetime: i64,
}

impl World {
    fn now(&self) -> i64 {
        i64::try_from(self.began.elapsed().as_secs()).unwrap()
    }

    /// The state of `site` at `second`: it changes every few hours or days.
    fn weather(&self, site: usize, second: i64) -> Weather {
        let mut chance = Chance::new(self.seed, site as u64);
        let (mut from, mut number) = (0, 0);
        loop {
            let kind = chance.below(10);
            let length =
                HOUR + i64::try_from(chance.below(u64::try_from(2 * DAY).unwrap())).unwrap();
            let fresh = [None, Some(0), Some(600), Some(7_200), Some(10_000_000)];
            let fresh = fresh[usize::try_from(chance.below(5)).unwrap()];
            let cause = [
                Cause::Status(503),
                Cause::Timeout,
                Cause::Dns,
                Cause::Tls,
                Cause::Status(429),
            ];
            let cause = cause[usize::try_from(chance.below(5)).unwrap()];
            number += 1;
            if second < from + length {
                return match kind {
                    0..=5 => Weather::File(number, fresh),
                    6 => Weather::Missing,
                    7 | 8 => Weather::Failing(cause),
                    _ => Weather::Flapping(number),
                };
            }
            from += length;
        }
    }

    fn note(&self, line: String) {
        self.told.lock().unwrap().trace.push(line);
    }
}

fn url(site: usize) -> String {
    format!("https://s{site}.example")
}

fn site_of(text: &str) -> usize {
    let digits = text.trim_start_matches("https://s");
    digits[..digits.find('.').unwrap()].parse().unwrap()
}

/// The file of a site: it allows and disallows depending on its number and on the site's.
fn file(site: usize, number: u64) -> String {
    format!(
        "User-agent: *\nDisallow: /{}\n# {site} {number}\n",
        if number.is_multiple_of(3) { "" } else { "x" }
    )
}

#[derive(Clone)]
struct Member {
    world: Arc<World>,
    number: usize,
}

impl Clock for Member {
    fn now(&self) -> Moment {
        at(self.world.now())
    }
}

impl Retriever for Member {
    fn retrieve<'a>(
        &'a self,
        url: &'a str,
        validators: &'a Validators,
    ) -> BoxFuture<'a, Retrieval> {
        Box::pin(async move {
            let (world, site) = (&self.world, site_of(url));
            let began = world.now();
            let asked = {
                let mut told = world.told.lock().unwrap();
                told.asked += 1;
                told.asked
            };
            let mut chance = Chance::new(world.seed ^ 0xA5C3, asked);
            let weather = match world.weather(site, began) {
                Weather::Flapping(_) if chance.below(2) == 0 => {
                    Weather::Failing(Cause::Status(500))
                }
                Weather::Flapping(number) => Weather::File(number, None),
                other => other,
            };
            let millis = match weather {
                Weather::Failing(Cause::Timeout) => 30_000,
                _ => 5 + chance.below(1_500),
            };
            tokio::time::sleep(Duration::from_millis(millis)).await;
            let came = world.now();
            let (event, lifetime) = answer(site, weather, validators, came);
            let observation = Observation {
                began,
                came,
                member: self.number,
                weather,
                lifetime,
            };
            world.note(format!("{came} {} asked {site}: {weather:?}", self.number));
            world
                .told
                .lock()
                .unwrap()
                .seen
                .entry(site)
                .or_default()
                .push(observation);
            Retrieval::new(event)
        })
    }
}

/// The event that the machine gets for an observation, and how long the answer may be used.
fn answer(site: usize, weather: Weather, own: &Validators, came: i64) -> (Event<Vec<u8>>, i64) {
    let settings = RetrievalSettings::default();
    let times = ResponseTimes::at(at(came));
    let lifetime = |fresh: Option<u64>| {
        i64::try_from(fresh.unwrap_or(86_400))
            .unwrap()
            .clamp(300, DAY)
    };
    match weather {
        Weather::File(number, fresh) => {
            let (etag, age) = (
                format!("\"{number}\""),
                fresh.map(|seconds| format!("max-age={seconds}")),
            );
            let mut fields = vec![Field::new("ETag", etag.as_bytes())];
            if let Some(age) = &age {
                fields.push(Field::new("Cache-Control", age.as_bytes()));
            }
            let (status, body) = if own.etag.as_deref() == Some(&etag) {
                (304, Vec::new())
            } else {
                (200, file(site, number).into_bytes())
            };
            (
                Event::response(status, &fields, body, times, &settings),
                lifetime(fresh),
            )
        }
        Weather::Missing => (Event::response(404, &[], Vec::new(), times, &settings), DAY),
        Weather::Failing(Cause::Status(status)) => (
            Event::response(status, &[], Vec::new(), times, &settings),
            0,
        ),
        Weather::Failing(cause) => (Event::failure(cause, at(came)), 0),
        Weather::Flapping(_) => unreachable!("it is one or the other by now"),
    }
}

/// The cache of the fleet, with its own faults.
struct Cache {
    world: Arc<World>,
    seal: Seal,
    kept: Mutex<Answer>,
}

#[derive(Default)]
struct Answer {
    records: HashMap<Resource, Vec<u8>>,
    /// Earlier records, from which old ones are restored.
    older: HashMap<Resource, Vec<u8>>,
    leases: HashMap<Resource, i64>,
    calls: u64,
}

#[derive(Clone)]
struct Shared(Arc<Cache>);

impl std::fmt::Debug for Shared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Shared")
    }
}

struct Held(Arc<Cache>, Resource);

impl Drop for Held {
    fn drop(&mut self) {
        self.0.kept.lock().unwrap().leases.remove(&self.1);
    }
}

impl Cache {
    /// The state of the cache in this hour: it works half of the time.
    async fn weather(&self) -> Result<Chance, StoreError> {
        let now = self.world.now();
        let mut hour = Chance::new(
            self.world.seed ^ 0xCAC4E,
            u64::try_from(now / HOUR).unwrap(),
        );
        let kind = hour.below(10);
        let call = {
            let mut kept = self.kept.lock().unwrap();
            kept.calls += 1;
            kept.calls
        };
        let chance = Chance::new(self.world.seed ^ 0xF00D, call);
        match kind {
            0 => return Err(StoreError::Down("connection refused".to_owned())),
            1 => std::future::pending::<()>().await,
            2 => tokio::time::sleep(Duration::from_millis(chance.clone().below(40))).await,
            3 => self.spoil(chance.clone()),
            _ => {}
        }
        Ok(chance)
    }

    /// Corrupts the cache: flushes, garbage, flipped bits, old records, records of other sites.
    fn spoil(&self, mut chance: Chance) {
        let mut kept = self.kept.lock().unwrap();
        let mut origins: Vec<_> = kept.records.keys().cloned().collect();
        origins.sort();
        if origins.is_empty() {
            return;
        }
        let mut any = || usize::try_from(chance.next() % origins.len() as u64).unwrap();
        let (one, other, kind) = (origins[any()].clone(), origins[any()].clone(), any() % 40);
        match kind {
            0 => kept.records.clear(),
            1..=9 => drop(kept.records.insert(one, b"abide garbage".to_vec())),
            10..=19 => {
                let bytes = kept.records.get_mut(&one).unwrap();
                let place = any() % bytes.len();
                bytes[place] ^= 1 << (kind % 8);
            }
            20..=29 => {
                let foreign = kept.records[&other].clone();
                kept.records.insert(one, foreign);
            }
            _ => {
                if let Some(old) = kept.older.get(&one).cloned() {
                    kept.records.insert(one, old);
                }
            }
        }
    }
}

impl Store for Shared {
    fn patience(&self) -> Duration {
        Duration::from_millis(20)
    }

    fn is_shared(&self) -> bool {
        true
    }

    fn load<'a>(
        &'a self,
        origin: &'a Resource,
    ) -> BoxFuture<'a, Result<Option<Record>, StoreError>> {
        Box::pin(async move {
            self.0.weather().await?;
            let bytes = self.0.kept.lock().unwrap().records.get(origin).cloned();
            let record = bytes.map(|bytes| Record::from_bytes(&bytes, origin, &self.0.seal));
            if record.as_ref().is_some_and(Result::is_ok) {
                self.0.world.told.lock().unwrap().served_by_cache += 1;
            }
            Ok(record.transpose()?)
        })
    }

    fn save<'a>(
        &'a self,
        record: &'a Record,
        _: &'a Event<Body>,
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        Box::pin(async move {
            self.0.weather().await?;
            let mut kept = self.0.kept.lock().unwrap();
            let bytes = record.to_bytes(&self.0.seal);
            if let Some(old) = kept.records.insert(record.resource.clone(), bytes) {
                kept.older.insert(record.resource.clone(), old);
            }
            Ok(())
        })
    }

    fn lease<'a>(&'a self, origin: &'a Resource) -> BoxFuture<'a, Result<Lease, StoreError>> {
        Box::pin(async move {
            self.0.weather().await?;
            let now = self.0.world.now();
            let mut kept = self.0.kept.lock().unwrap();
            let ends = kept.leases.get(origin).copied();
            if ends.is_some_and(|ends| now < ends) {
                return Ok(Lease::Theirs);
            }
            kept.leases.insert(origin.clone(), now + 35);
            Ok(Lease::Ours(Box::new(Held(
                Arc::clone(&self.0),
                origin.clone(),
            ))))
        })
    }
}

/// Whether `observation` allows `/x` and `/y`; `None` if it contains no rules.
fn told(observation: &Observation) -> Option<[bool; 2]> {
    match observation.weather {
        Weather::File(number, _) if number.is_multiple_of(3) => Some([false, false]),
        Weather::File(..) => Some([false, true]),
        Weather::Missing => Some([true, true]),
        _ => None,
    }
}

/// Whether an observation of this very site yields the decision.
fn is_justified(seen: &[Observation], now: i64, decided: [bool; 2]) -> bool {
    let holds = |observation: &&Observation| {
        observation.came <= now && now < observation.came + observation.lifetime
    };
    let by_answer = seen
        .iter()
        .filter(holds)
        .any(|one| told(one) == Some(decided));
    // Nothing is allowed while the site is unreachable; a failure must have been observed.
    let is_failure = |one: &&Observation| told(one).is_none() && one.came <= now;
    let unreachable = decided == [false, false] && seen.iter().any(|one| is_failure(&one));
    by_answer || unreachable
}

/// Asks about sites, some often and most rarely, until the days are over.
async fn crawl(world: Arc<World>, robots: RobotsCache, number: usize) {
    let mut chance = Chance::new(world.seed ^ 0xBEE5, number as u64);
    while world.now() < world.days * DAY {
        tokio::time::sleep(Duration::from_millis(chance.below(60_000))).await;
        let spread = chance.below(SITES as u64) * chance.below(SITES as u64) / SITES as u64;
        let site = usize::try_from(spread).unwrap();
        let policy = robots.for_url(&url(site)).await;
        let decided = [policy.allows("/x"), policy.allows("/y")];
        assert!(
            policy.allows("/robots.txt"),
            "G-1: the file itself is always allowed"
        );
        let text = String::from_utf8(policy.text().as_bytes().to_vec()).unwrap();
        let own = format!("# {site} ");
        assert!(
            text.is_empty() || text.contains(&own),
            "G-2: {text:?} at {site}"
        );
        let now = world.now();
        let mut told = world.told.lock().unwrap();
        let seen = told.seen.get(&site).cloned().unwrap_or_default();
        assert!(
            is_justified(&seen, now, decided),
            "seed {}, second {now}: {decided:?} at {site} after {seen:#?}",
            world.seed
        );
        told.decided += 1;
        told.allowed += u64::from(decided[1]);
        told.trace
            .push(format!("{now} {number} decided {site}: {decided:?}"));
    }
}

/// Runs one simulation; returns the hash of all its events, and the figures.
fn simulate(seed: u64, days: i64) -> (BodyHash, Told) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .unwrap();
    runtime.block_on(async move {
        let world = Arc::new(World {
            seed,
            began: Instant::now(),
            days,
            told: Mutex::default(),
        });
        let cache = Shared(Arc::new(Cache {
            world: Arc::clone(&world),
            seal: Seal::keyed(1, b"of the fleet"),
            kept: Mutex::default(),
        }));
        let mut members = tokio::task::JoinSet::new();
        for number in 0..MEMBERS {
            let member = Member {
                world: Arc::clone(&world),
                number,
            };
            let robots = RobotsCache::with_retriever(client(), member.clone())
                .clock(member)
                .store(cache.clone())
                .build();
            members.spawn(crawl(Arc::clone(&world), robots, number));
        }
        while let Some(done) = members.join_next().await {
            done.unwrap();
        }
        let told = std::mem::take(&mut *world.told.lock().unwrap());
        politely(seed, &told);
        (BodyHash::of(told.trace.join("\n").as_bytes()), told)
    })
}

/// G-30 and G-31: no member asks a site more than twelve times within an hour, whatever happens;
/// and no member asks a site that answers again within the minimum lifetime.
fn politely(seed: u64, told: &Told) {
    for (site, seen) in &told.seen {
        for member in 0..MEMBERS {
            let own: Vec<_> = seen.iter().filter(|one| one.member == member).collect();
            for (place, one) in own.iter().enumerate() {
                let within = own[place..]
                    .iter()
                    .take_while(|next| next.began < one.began + HOUR);
                assert!(
                    within.count() <= 13,
                    "seed {seed}: member {member} hurries site {site}"
                );
                if let (Some(next), true) = (own.get(place + 1), one.lifetime > 0) {
                    assert!(
                        next.began - one.came >= 200,
                        "seed {seed}: {one:?}, {next:?} of {site}"
                    );
                }
            }
        }
    }
}

fn number(variable: &str, otherwise: u64) -> u64 {
    let said = std::env::var(variable).ok();
    said.map_or(otherwise, |said| said.parse().expect("a number"))
}

/// G-1 to G-4, G-30, G-31, G-40, G-41 for every seed.
#[test]
fn g_1_every_decision_is_justified() {
    let days = i64::try_from(number("ABIDE_SIMULATED_DAYS", 1)).unwrap();
    for seed in 0..number("ABIDE_SIMULATED_SEEDS", 3) {
        let (trace, told) = simulate(seed, days);
        println!(
            "seed {seed}: {days} days, {} decisions, {} of them allowed, {} requests, {} answers of the cache, {trace}",
            told.decided, told.allowed, told.asked, told.served_by_cache
        );
        assert!(told.decided > 10_000 && told.asked > 1_000 && told.served_by_cache > 1_000);
        assert!(told.allowed > told.decided / 10, "most sites answer");
    }
}

/// G-47: the same seed gives the same run, and a different seed a different one.
#[test]
fn g_47_a_seed_is_a_run() {
    let (first, _) = simulate(77, 1);
    assert_eq!(first, simulate(77, 1).0);
    assert_ne!(first, simulate(78, 1).0);
}

/// G-60: the checker detects violations. A decision based on another site's file, on an expired
/// copy, or on no observation is not justified.
#[test]
fn g_60_the_checker_checks() {
    let seen = |weather, came, lifetime| Observation {
        began: came,
        came,
        member: 0,
        weather,
        lifetime,
    };
    let file = seen(Weather::File(1, None), 100, DAY);
    assert!(is_justified(&[file], 100 + DAY - 1, [false, true]));
    assert!(
        !is_justified(&[file], 100 + DAY, [false, true]),
        "past its time"
    );
    assert!(!is_justified(&[file], 99, [false, true]), "before it came");
    assert!(
        !is_justified(&[file], 200, [true, true]),
        "not what it says"
    );
    assert!(
        !is_justified(&[], 200, [false, false]),
        "nobody saw a failure"
    );
    let failure = seen(Weather::Failing(Cause::Timeout), 100, 0);
    assert!(
        !is_justified(&[failure], 200, [false, true]),
        "a failure opens nothing"
    );
    assert!(is_justified(&[failure], 200, [false, false]));
}
