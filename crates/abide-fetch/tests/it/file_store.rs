//! The store in one file: its records survive the end of the process, however it ends, and answer
//! questions about the past.

use crate::http::{Server, ok, options};
use crate::robots::{CLOCK, clock, run};
use crate::{at, client};
use abide::rep::Cause;
use abide_fetch::guard::Guard;
use abide_fetch::http::Fetcher;
use abide_fetch::machine::{CurrentRules, Event, Field, ResponseTimes, RetrievalSettings, State};
use abide_fetch::store::{FileBounds, FileStore, OpenError, Store, StoreError};
use abide_fetch::{Body, BodyHash, Record, Resource, RobotsCache, Seal};
use proptest::prelude::*;
use redb::ReadableTable as _;
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

fn origin(name: &str) -> Resource {
    Resource::robots_txt(&format!("https://{name}.example/")).unwrap()
}

fn file(body: &str, came: i64) -> Event<Body> {
    Event::file(body.as_bytes().to_vec(), &[], at(came)).with_body(Body::new)
}

/// Applies `event` to a site, and stores the result.
async fn happen(store: &FileStore, origin: &Resource, event: Event<Body>) -> State<Body> {
    let known = store.load(origin).await.unwrap();
    let state = known.map_or_else(State::default, |record| record.state);
    let record = Record {
        resource: origin.clone(),
        state: state.after(event.clone(), &RetrievalSettings::default()),
    };
    store.save(&record, &event).await.unwrap();
    record.state
}

fn robots(path: &Path) -> RobotsCache {
    let fetcher = Fetcher::new(Guard::open(), options(), RetrievalSettings::default()).unwrap();
    RobotsCache::with_retriever(client(), fetcher)
        .clock(clock)
        .store(FileStore::open(path).unwrap())
        .build()
}

/// A crawler that restarts does not ask sites whose files are still fresh, and revalidates the
/// others.
#[test]
fn a_restart_fetches_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("robots.redb");
    let count = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&count);
    let server = Server::new(move |stream, head| {
        use std::io::Write;
        counted.fetch_add(1, Ordering::SeqCst);
        let answer = if head.contains("if-none-match: \"1\"") {
            "HTTP/1.1 304 Not Modified\r\nETag: \"1\"\r\n\r\n".to_owned()
        } else {
            ok("User-agent: *\nDisallow: /x\n").replace("\r\n\r\n", "\r\nETag: \"1\"\r\n\r\n")
        };
        drop(stream.write_all(answer.as_bytes()));
    });
    for (hour, asked) in [(0, 1), (1, 1), (12, 1), (25, 2), (30, 2)] {
        CLOCK.set(hour * 3_600);
        let robots = robots(&path);
        run(async {
            let found = robots.site_rules(&server.url("/x")).await;
            assert!(!found.policy.allows("/x") && found.policy.allows("/y"));
            assert_eq!(
                found.sha256,
                Some(BodyHash::of(b"User-agent: *\nDisallow: /x\n"))
            );
            assert_eq!(found.fetched_at, Some(at(0)), "a 304 brings no body");
        });
        assert_eq!(count.load(Ordering::SeqCst), asked, "after {hour} hours");
    }
}

/// An outage continues after a restart: the crawler does not retry at once, and its rules apply for
/// no longer than before.
#[test]
fn an_outage_survives_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("robots.redb");
    let server = Server::saying("HTTP/1.1 503 X\r\nRetry-After: 3600\r\nContent-Length: 0\r\n\r\n");
    for second in [0, 60, 3_000] {
        CLOCK.set(second);
        let robots = robots(&path);
        run(async { assert!(!robots.for_url(&server.url("/x")).await.allows("/x")) });
    }
    assert_eq!(server.connections(), 1);
}

/// The rules that applied at any instant in the past, as proof of what was fetched then.
#[test]
fn the_past_is_told_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let store = FileStore::open(folder.path().join("robots.redb")).unwrap();
    let (site, settings) = (origin("a"), RetrievalSettings::default());
    let day = 86_400;
    run(async {
        happen(
            &store,
            &origin("0"),
            file("User-agent: *\nDisallow: /\n", 5),
        )
        .await;
        happen(&store, &site, file("one", 0)).await;
        happen(&store, &site, file("two", day)).await;
        happen(
            &store,
            &site,
            Event::failure(Cause::Timeout, at(day + 3_600)),
        )
        .await;
        happen(&store, &site, Event::failure(Cause::Timeout, at(3 * day))).await;
        happen(&store, &site, file("one", 4 * day)).await;
        happen(
            &store,
            &origin("b"),
            file("User-agent: *\nDisallow: /\n", 5),
        )
        .await;
    });
    let told = |second: i64| {
        let state = store.state_at(&site, at(second), &settings).unwrap()?;
        Some(match state.plan(at(second), &settings).current {
            CurrentRules::File(body) => String::from_utf8(body.as_bytes().to_vec()).unwrap(),
            other => format!("{other:?}"),
        })
    };
    assert_eq!(told(-1), None);
    assert_eq!(told(0).as_deref(), Some("one"));
    assert_eq!(told(day - 1).as_deref(), Some("one"));
    assert_eq!(told(day).as_deref(), Some("two"));
    // The refresh failed, and the copy continued to apply.
    assert_eq!(told(day + 7_200).as_deref(), Some("two"));
    assert_eq!(told(2 * day + 1).as_deref(), Some("DisallowAll(Timeout)"));
    assert_eq!(told(4 * day - 1).as_deref(), Some("DisallowAll(Timeout)"));
    assert_eq!(told(4 * day).as_deref(), Some("one"));
    assert_eq!(told(5 * day).as_deref(), Some("Unknown"));
    let served = store.served(&site).unwrap();
    let told: Vec<_> = served
        .iter()
        .map(|one| (one.sha256, one.first, one.last))
        .collect();
    let expected = [
        (BodyHash::of(b"one"), at(0), at(4 * day)),
        (BodyHash::of(b"two"), at(day), at(day)),
    ];
    assert_eq!(told, expected);
    let body = store.body(BodyHash::of(b"two")).unwrap().unwrap();
    assert_eq!(body.as_bytes(), b"two");
}

/// A confirmation updates the last time at which a body was served.
#[test]
fn a_304_confirms_a_body() {
    let folder = tempfile::tempdir().unwrap();
    let store = FileStore::open(folder.path().join("robots.redb")).unwrap();
    let site = origin("a");
    run(async {
        let first = Event::file(b"one".to_vec(), &[Field::new("ETag", b"\"1\"")], at(0));
        happen(&store, &site, first.with_body(Body::new)).await;
        let came = ResponseTimes::at(at(90_000));
        let event = Event::response(304, &[], Vec::new(), came, &RetrievalSettings::default());
        happen(&store, &site, event.with_body(Body::new)).await;
    });
    let served = store.served(&site).unwrap();
    assert_eq!((served[0].first, served[0].last), (at(0), at(90_000)));
}

/// Pruning removes what is too old, but nothing that still applies at a later instant.
#[test]
fn pruning_keeps_what_is_in_force() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("robots.redb");
    let (site, settings) = (origin("a"), RetrievalSettings::default());
    {
        let store = FileStore::open(&path).unwrap();
        run(async {
            for number in 0..10 {
                happen(&store, &site, file(&number.to_string(), number * 1_000)).await;
            }
        });
    }
    let pruned = FileStore::prune(&path, at(5_500)).unwrap();
    assert_eq!((pruned.events, pruned.bodies), (5, 5));
    let store = FileStore::open(&path).unwrap();
    for second in 5_500..10_000 {
        let state = store
            .state_at(&site, at(second), &settings)
            .unwrap()
            .unwrap();
        let expected = (second / 1_000).to_string();
        assert_eq!(state.body().unwrap().as_bytes(), expected.as_bytes());
    }
    assert!(store.body(BodyHash::of(b"4")).unwrap().is_none());
    run(async { assert!(store.load(&site).await.unwrap().is_some()) });
}

/// Pruning works while the store is in use, and saving continues.
#[test]
fn forgetting_while_in_use() {
    let folder = tempfile::tempdir().unwrap();
    let store = FileStore::open(folder.path().join("robots.redb")).unwrap();
    let site = origin("a");
    run(async {
        for number in 0..10 {
            happen(&store, &site, file(&number.to_string(), number * 1_000)).await;
        }
        let forgotten = store.forget(at(5_500)).await.unwrap();
        assert_eq!((forgotten.events, forgotten.bodies), (5, 5));
        happen(&store, &site, file("more", 11_000)).await;
    });
    let known = |second: i64| {
        let state = store.state_at(&site, at(second), &RetrievalSettings::default());
        state
            .unwrap()
            .map(|state| state.body().unwrap().as_bytes().to_vec())
    };
    assert_eq!(known(4_999), None);
    assert_eq!(known(5_999).as_deref(), Some(&b"5"[..]));
    assert_eq!(known(11_000).as_deref(), Some(&b"more"[..]));
}

/// The truncation of a file is stored with it, and reported for the past too.
#[test]
fn a_cut_file_stays_cut() {
    let folder = tempfile::tempdir().unwrap();
    let store = FileStore::open(folder.path().join("robots.redb")).unwrap();
    let site = origin("a");
    let event = Event::file(b"User-agent: *\n".to_vec(), &[], at(0));
    let event = event.with_body(Body::cut);
    run(async {
        happen(&store, &site, event).await;
        let record = store.load(&site).await.unwrap().unwrap();
        assert!(record.state.body().unwrap().is_cut());
        let bytes = record.to_bytes(&Seal::checksum());
        let read = Record::from_bytes(&bytes, &site, &Seal::checksum()).unwrap();
        assert_eq!(read, record);
    });
    let past = store.state_at(&site, at(1), &RetrievalSettings::default());
    assert!(past.unwrap().unwrap().body().unwrap().is_cut());
}

/// One process writes and others may read meanwhile; a second writer gets an error.
#[test]
fn one_writes_and_others_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("robots.redb");
    let writer = FileStore::open(&path).unwrap();
    run(async { happen(&writer, &origin("a"), file("one", 0)).await });
    assert!(matches!(FileStore::open(&path), Err(OpenError::InUse(_))));
    let reader = FileStore::open_to_read(&path).unwrap();
    run(async {
        assert!(reader.load(&origin("a")).await.unwrap().is_some());
        happen(&writer, &origin("b"), file("two", 0)).await;
        assert!(reader.load(&origin("b")).await.unwrap().is_some());
        let state = writer.load(&origin("b")).await.unwrap().unwrap();
        let refused = reader.save(&state, &file("two", 0)).await;
        assert!(matches!(refused, Err(StoreError::ReadOnly)));
    });
    assert_eq!(reader.sites().unwrap().len(), 2);
}

/// A process that cannot write yet, because another one does, reads, and writes when that one has
/// ended.
#[test]
fn a_second_writer_waits_for_the_first() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("robots.redb");
    let first = FileStore::open(&path).unwrap();
    run(async {
        happen(&first, &origin("a"), file("one", 0)).await;
        let open = || FileStore::open_within(&path, FileBounds::default()).unwrap();
        let (second, third) = (open(), open());
        assert!(second.is_read_only() && third.is_read_only() && !first.is_read_only());
        let record = second.load(&origin("a")).await.unwrap().unwrap();
        let refused = third.save(&record, &file("one", 1)).await;
        assert_eq!(refused, Err(StoreError::ReadOnly));
        drop(first);
        drop(third);
        happen(&second, &origin("b"), file("two", 2)).await;
        assert!(!second.is_read_only());
        assert_eq!(second.sites().unwrap().len(), 2);
    });
}

/// Processes that share a file all write it, and see what the others keep. One that has the file
/// for itself keeps them from writing until it has ended.
#[test]
fn a_shared_file_has_many_writers() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("robots.redb");
    let open = || FileStore::open_shared(&path).unwrap();
    let (first, second) = (open(), open());
    assert!(first.is_shared() && !first.is_read_only() && !second.is_read_only());
    assert!(matches!(FileStore::open(&path), Err(OpenError::InUse(_))));
    run(async {
        for number in 0..20 {
            let store = if number % 2 == 0 { &first } else { &second };
            happen(store, &origin(&format!("s{number}")), file("one", number)).await;
        }
        let third = open();
        for store in [&first, &second, &third] {
            assert_eq!(store.sites().unwrap().len(), 20);
            assert!(store.load(&origin("s7")).await.unwrap().is_some());
        }
        // Both write at the same time, and then the same site.
        let (one, other) = (origin("one"), origin("other"));
        tokio::join!(
            happen(&first, &one, file("a", 30)),
            happen(&second, &other, file("b", 31)),
        );
        happen(&second, &one, file("c", 32)).await;
        let known = first.load(&one).await.unwrap().unwrap();
        assert_eq!(known.state.body().map(Body::as_bytes), Some(&b"c"[..]));
        drop((first, second, third));
        let alone = FileStore::open(&path).unwrap();
        assert_eq!(alone.sites().unwrap().len(), 22);
        let waiting = open();
        assert!(waiting.is_read_only());
        drop(alone);
        happen(&waiting, &origin("late"), file("d", 33)).await;
        assert!(!waiting.is_read_only());
    });
}

/// A folder in which nothing can be made is named, and not a file that does not exist.
#[cfg(target_os = "linux")]
#[test]
fn a_folder_that_cannot_be_written() {
    let error = FileStore::open("/sys/robots.redb").unwrap_err();
    assert!(matches!(error, OpenError::Folder { .. }), "{error}");
    assert!(
        error
            .to_string()
            .starts_with("no file can be made in /sys: ")
    );
}

/// V14: a record and an event of a later version are left alone: what is fetched meanwhile is not
/// stored over them, and pruning keeps them.
#[test]
fn v14_a_later_version_in_a_file() {
    const RECORDS: redb::TableDefinition<'_, &str, &[u8]> = redb::TableDefinition::new("records");
    const EVENTS: redb::TableDefinition<'_, (&str, i64, u32), &[u8]> =
        redb::TableDefinition::new("events");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("robots.redb");
    let server = Server::saying(ok("User-agent: *\nDisallow: /x\n"));
    let site = Resource::robots_txt(&server.url("/")).unwrap();
    run(async {
        let store = FileStore::open(&path).unwrap();
        happen(&store, &site, file("Disallow: /\n", 0)).await;
    });
    let later = {
        let database = redb::Database::builder()
            .set_concurrency_mode(redb::ConcurrencyMode::SingleWriter)
            .create(&path)
            .unwrap();
        let write = database.begin_write().unwrap();
        let later = {
            let mut records = write.open_table(RECORDS).unwrap();
            let mut record = records
                .get(site.as_str())
                .unwrap()
                .unwrap()
                .value()
                .to_vec();
            record[5] = 4;
            records.insert(site.as_str(), record.as_slice()).unwrap();
            let mut events = write.open_table(EVENTS).unwrap();
            let event = [&[4][..], b"what nobody knows yet"].concat();
            events
                .insert((site.as_str(), 0, 0), event.as_slice())
                .unwrap();
            record
        };
        write.commit().unwrap();
        later
    };
    CLOCK.set(100);
    let robots = robots(&path);
    run(async {
        let found = robots.site_rules(&server.url("/x")).await;
        assert!(!found.policy.allows("/x") && found.policy.allows("/y"));
    });
    drop(robots);
    assert_eq!(
        FileStore::prune(&path, at(200)).unwrap().damaged,
        [site.as_str()]
    );
    let database = redb::Database::open(&path).unwrap();
    let read = redb::ReadableDatabase::begin_read(&database).unwrap();
    let records = read.open_table(RECORDS).unwrap();
    assert_eq!(records.get(site.as_str()).unwrap().unwrap().value(), later);
    assert_eq!(read.open_table(EVENTS).unwrap().iter().unwrap().count(), 1);
    let bodies: redb::TableDefinition<'_, &[u8; 32], &[u8]> = redb::TableDefinition::new("bodies");
    assert_eq!(read.open_table(bodies).unwrap().iter().unwrap().count(), 1);
}

/// V14: a file that an earlier version wrote is read, with its past, and written.
#[test]
fn v14_a_file_of_an_earlier_version() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("robots.redb");
    let mut packed = flate2::read::GzDecoder::new(&include_bytes!("earlier.redb.gz")[..]);
    let mut bytes = Vec::new();
    std::io::Read::read_to_end(&mut packed, &mut bytes).unwrap();
    std::fs::write(&path, bytes).unwrap();
    let store = FileStore::open(&path).unwrap();
    let settings = RetrievalSettings::default();
    let body_at = |name: &str, second: i64| {
        let state = store
            .state_at(&origin(name), at(second), &settings)
            .unwrap()?;
        let body = state.body()?.as_bytes().to_vec();
        Some(String::from_utf8(body).unwrap())
    };
    run(async {
        for (name, first, now) in EARLIER {
            let record = store.load(&origin(name)).await.unwrap().unwrap();
            let body = record.state.body().map(|body| body.as_bytes().to_vec());
            assert_eq!(body.as_deref(), now.map(str::as_bytes), "{name}");
            assert_eq!(body_at(name, 1_500).as_deref(), first, "{name}");
            assert_eq!(body_at(name, 3_000).as_deref(), now, "{name}");
        }
        let cut = store.load(&origin("cut")).await.unwrap().unwrap();
        assert!(cut.state.body().unwrap().is_cut());
        let down = store.load(&origin("down")).await.unwrap().unwrap();
        assert_eq!(down.state.outage().unwrap().attempts, 1);
        happen(&store, &origin("changed"), file("third", 4_000)).await;
    });
    assert_eq!(store.served(&origin("changed")).unwrap().len(), 3);
    assert_eq!(store.sites().unwrap().len(), EARLIER.len());
}

/// The sites of `earlier.redb.gz`, with their bodies after 1,000 and after 2,000 seconds.
const EARLIER: [(&str, Option<&str>, Option<&str>); 4] = [
    (
        "changed",
        Some("User-agent: *\nDisallow: /first\n"),
        Some("second"),
    ),
    (
        "cut",
        Some("User-agent: *\nDisallow: /x"),
        Some("User-agent: *\nDisallow: /x"),
    ),
    ("missing", Some("gone"), None),
    ("down", Some("Disallow: /\n"), Some("Disallow: /\n")),
];

/// A file never grows beyond its largest size, whatever sites serve: what was not needed for the
/// longest time goes first, and what is left is whole.
#[test]
fn a_file_stays_within_its_size() {
    const MAX_BYTES: u64 = 16 << 20;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("robots.redb");
    let mut bounds = FileBounds::default();
    bounds.bytes = Some(MAX_BYTES);
    let store = FileStore::open_within(&path, bounds).unwrap();
    let body = |number: i64| format!("# {number}\n{}", "# a comment\n".repeat(25_000));
    let busy = origin("busy");
    let mut largest = 0;
    run(async {
        for number in 0..100 {
            let came = number * 60;
            happen(
                &store,
                &origin(&format!("s{number}")),
                file(&body(number), came),
            )
            .await;
            // A site that changes all the time.
            happen(&store, &busy, file(&body(-number), came)).await;
            // Nobody writes between the removal and the look.
            store.forget(at(-1)).await.unwrap();
            let length = std::fs::metadata(&path).unwrap().len();
            assert!(length <= MAX_BYTES, "{length} after {number}");
            largest = largest.max(length);
        }
        assert!(largest > MAX_BYTES / 4, "{largest}");
        for summary in store.sites().unwrap() {
            let record = summary.record.unwrap();
            let body = record.state.body().unwrap();
            assert_eq!(BodyHash::of(body.as_bytes()), body.hash());
            for served in store.served(&record.resource).unwrap() {
                assert!(store.body(served.sha256).unwrap().is_some());
            }
        }
        let newest = store.load(&origin("s99")).await.unwrap().unwrap();
        assert_eq!(newest.state.body().unwrap().as_bytes(), body(99).as_bytes());
        assert_eq!(store.load(&origin("s0")).await, Ok(None));
        let served = store.served(&busy).unwrap();
        assert!((1..60).contains(&served.len()), "{}", served.len());
        let now = store.state_at(&busy, at(99 * 60), &RetrievalSettings::default());
        assert_eq!(
            now.unwrap().unwrap().body().unwrap().as_bytes(),
            body(-99).as_bytes()
        );
    });
    drop(store);
    FileStore::open(&path).unwrap();
}

/// With a limit of days, a site that was not asked about for so long goes, and so does the past of
/// the others.
#[test]
fn a_file_keeps_days() {
    let day = 86_400;
    let folder = tempfile::tempdir().unwrap();
    let mut bounds = FileBounds::default();
    bounds.days = Some(30);
    let store = FileStore::open_within(folder.path().join("robots.redb"), bounds).unwrap();
    run(async {
        happen(&store, &origin("left"), file("left", 0)).await;
        happen(&store, &origin("stays"), file("first", 0)).await;
        happen(&store, &origin("stays"), file("second", 5 * day)).await;
        let settings = RetrievalSettings::default();
        let times = ResponseTimes::at(at(20 * day));
        let confirmed = Event::response(304, &[], Vec::new(), times, &settings);
        happen(&store, &origin("stays"), confirmed.with_body(Body::new)).await;
        happen(&store, &origin("new"), file("new", 40 * day)).await;
        // The next save waits until what was too old is gone.
        happen(&store, &origin("new"), file("new", 40 * day + 1)).await;
        assert_eq!(store.load(&origin("left")).await, Ok(None));
        let stays = store.load(&origin("stays")).await.unwrap().unwrap();
        assert_eq!(stays.state.body().unwrap().as_bytes(), b"second");
    });
    let is_there = |body: &str| store.body(BodyHash::of(body.as_bytes())).unwrap().is_some();
    assert_eq!(
        ["left", "first", "second", "new"].map(is_there),
        [false, false, true, true]
    );
}

/// A foreign or damaged file is never treated as an empty store: reading it yields an error, or the
/// record as it was stored.
#[test]
fn s01_a_damaged_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("robots.redb");
    std::fs::write(&path, b"User-agent: *\n".repeat(1_000)).unwrap();
    assert!(matches!(
        FileStore::open(&path),
        Err(OpenError::Damaged { .. })
    ));
    std::fs::remove_file(&path).unwrap();
    let sites: Vec<_> = (0..20)
        .map(|number| origin(&format!("s{number}")))
        .collect();
    {
        let store = FileStore::open(&path).unwrap();
        run(async {
            for site in &sites {
                happen(&store, site, file(&format!("Disallow: /{site}\n"), 0)).await;
            }
        });
    }
    let whole = std::fs::read(&path).unwrap();
    let (mut refused, mut damaged, mut kept) = (0, 0, 0);
    for part in 0..64 {
        let mut bytes = whole.clone();
        let place = whole.len() * part / 64 + 37;
        bytes[place..place + 64]
            .iter_mut()
            .for_each(|byte| *byte ^= 0x5A);
        std::fs::write(&path, &bytes).unwrap();
        let Ok(store) = FileStore::open(&path) else {
            refused += 1;
            continue;
        };
        run(async {
            for site in &sites {
                match store.load(site).await {
                    Ok(Some(record)) => {
                        let body = format!("Disallow: /{site}\n");
                        assert_eq!(record.state.body().unwrap().as_bytes(), body.as_bytes());
                        kept += 1;
                    }
                    Ok(None) | Err(_) => damaged += 1,
                }
            }
        });
    }
    println!("{refused} files refused, {damaged} records lost, {kept} as they were");
    assert!(kept > 0 && refused > 0);
}

/// Stores different bytes under the hash of a body, as a faulty disk may do.
fn damage(path: &Path, hash: BodyHash, bytes: &[u8]) {
    const BODIES: redb::TableDefinition<'_, &[u8; 32], &[u8]> =
        redb::TableDefinition::new("bodies");
    let mut builder = redb::Database::builder();
    builder.set_concurrency_mode(redb::ConcurrencyMode::SingleWriter);
    let write = builder.create(path).unwrap().begin_write().unwrap();
    write
        .open_table(BODIES)
        .unwrap()
        .insert(hash.as_bytes(), bytes)
        .unwrap();
    write.commit().unwrap();
}

/// A damaged body is reported only for its site, and the next save replaces it.
#[test]
fn a_damaged_body_is_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("robots.redb");
    let (good, bad) = (origin("good"), origin("bad"));
    let body = "Disallow: /the-body-that-is-damaged\n";
    {
        let store = FileStore::open(&path).unwrap();
        run(async {
            happen(&store, &good, file("Disallow: /good\n", 0)).await;
            happen(&store, &bad, file(body, 0)).await;
        });
    }
    damage(&path, BodyHash::of(body.as_bytes()), b"Disallow:\n");
    let store = FileStore::open(&path).unwrap();
    let is_whole = || -> Vec<bool> {
        let sites = store.sites().unwrap();
        sites.iter().map(|site| site.record.is_ok()).collect()
    };
    assert_eq!(is_whole(), [false, true]);
    run(async {
        assert!(matches!(store.load(&bad).await, Err(StoreError::Record(_))));
        let pruned = store.forget(at(10)).await.unwrap();
        assert_eq!(pruned.damaged, [bad.as_str()]);
        assert_eq!((pruned.events, pruned.bodies), (0, 0));
        let record = Record {
            resource: bad.clone(),
            state: State::default().after(file(body, 20), &RetrievalSettings::default()),
        };
        store.save(&record, &file(body, 20)).await.unwrap();
        let loaded = store.load(&bad).await.unwrap().unwrap();
        assert_eq!(loaded.state.body().unwrap().as_bytes(), body.as_bytes());
    });
    assert_eq!(is_whole(), [true, true]);
}

/// A file that is readable but not writable can be read.
#[cfg(unix)]
#[test]
fn a_file_that_may_only_be_read() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("robots.redb");
    run(async {
        let store = FileStore::open(&path).unwrap();
        happen(&store, &origin("a"), file("Disallow: /a\n", 0)).await;
    });
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o444)).unwrap();
    // A user with all privileges can write it anyway.
    match FileStore::open(&path) {
        Err(OpenError::ReadOnly(_)) | Ok(_) => {}
        Err(other) => panic!("{other}"),
    }
    let reader = FileStore::open_to_read(&path).unwrap();
    assert_eq!(reader.sites().unwrap().len(), 1);
}

/// The part of [`o4_a_full_disk_is_used_again`] that runs on a full disk.
#[test]
#[ignore = "runs inside of another test"]
fn fills_its_disk() {
    let Ok(folder) = std::env::var("ABIDE_TEST_FULL") else {
        return;
    };
    let folder = Path::new(&folder);
    let store = FileStore::open(folder.join("robots.redb")).unwrap();
    let save = async |number: usize| {
        let site = origin(&format!("s{number}"));
        let event = file(&format!("# {}\n", "x".repeat(200_000 + number)), 0);
        let state = State::default().after(event.clone(), &RetrievalSettings::default());
        let record = Record {
            resource: site,
            state,
        };
        store.save(&record, &event).await
    };
    run(async {
        save(0).await.unwrap();
        let filler = folder.join("filler");
        let mut full = std::fs::File::create(&filler).unwrap();
        while std::io::Write::write_all(&mut full, &[0; 4_096]).is_ok() {}
        let failed = save(1).await.unwrap_err();
        assert!(failed.to_string().contains("No space left"), "{failed}");
        for number in 2..6 {
            save(number).await.unwrap_err();
        }
        drop(full);
        std::fs::remove_file(&filler).unwrap();
        // After three failures the store is left alone for a second or two, and then tried again.
        let mut tries = 0;
        while save(6).await.is_err() {
            tries += 1;
            assert!(tries < 1_000, "the store stays closed");
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
        assert!(store.load(&origin("s0")).await.unwrap().is_some());
        assert!(store.load(&origin("s6")).await.unwrap().is_some());
    });
}

/// O4: a store on a full disk reads and saves again when there is space. Runs in a mount of its
/// own.
#[cfg(target_os = "linux")]
#[test]
fn o4_a_full_disk_is_used_again() {
    let folder = tempfile::tempdir().unwrap();
    let mounted = "mount -t tmpfs -o size=6m tmpfs \"$ABIDE_TEST_FULL\"";
    let call = |script: &str| {
        Command::new("unshare")
            .args(["-m", "--propagation", "private", "sh", "-c", script])
            .env("ABIDE_TEST_FULL", folder.path())
            .output()
    };
    if !call(mounted).is_ok_and(|ran| ran.status.success()) {
        assert!(
            std::env::var_os("ABIDE_EVERYTHING").is_none(),
            "no mount of one's own"
        );
        println!("no mount of one's own: skipped");
        return;
    }
    let test = std::env::current_exe().unwrap();
    let inside = "--exact file_store::fills_its_disk --ignored --nocapture";
    let ran = call(&format!("{mounted} && exec '{}' {inside}", test.display())).unwrap();
    let told = String::from_utf8_lossy(&ran.stdout);
    assert!(ran.status.success() && told.contains("1 passed"), "{told}");
}

/// The writing process in [`kill_9_loses_nothing`].
#[test]
#[ignore = "runs inside of another test"]
fn writes_until_it_is_killed() {
    let Ok(path) = std::env::var("ABIDE_TEST_STORE") else {
        return;
    };
    let round: u64 = std::env::var("ABIDE_TEST_ROUND").unwrap().parse().unwrap();
    let store = FileStore::open(Path::new(&path)).unwrap();
    run(async {
        for number in 0_u64.. {
            let site = origin(&format!("s{}", number % 50));
            let body = format!("User-agent: *\nDisallow: /{round}/{number}\n");
            happen(&store, &site, file(&body, i64::try_from(round).unwrap())).await;
            // Report the record only now, after it was saved.
            println!("kept {site} {}", BodyHash::of(body.as_bytes()));
        }
    });
}

/// O6: kills a writer a hundred times while it writes. Every record that it reported as saved is
/// there.
#[test]
fn kill_9_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("robots.redb");
    let (mut latest, mut all) = (BTreeMap::new(), 0);
    for round in 0_u64..100 {
        let mut writer = Command::new(std::env::current_exe().unwrap())
            .args([
                "file_store::writes_until_it_is_killed",
                "--exact",
                "--ignored",
                "--nocapture",
            ])
            .env("ABIDE_TEST_STORE", &path)
            .env("ABIDE_TEST_ROUND", round.to_string())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let lines = BufReader::new(writer.stdout.take().unwrap()).lines();
        let mut reported = Vec::new();
        for line in lines.map_while(Result::ok) {
            if let Some(kept) = line.strip_prefix("kept ") {
                let (site, hash) = kept.split_once(' ').unwrap();
                reported.push((site.to_owned(), hash.to_owned()));
            }
            if reported.len() as u64 == 3 + round % 7 {
                writer.kill().unwrap();
            }
        }
        writer.wait().unwrap();
        all += reported.len();
        let store = FileStore::open(&path).unwrap();
        for (site, hash) in reported {
            let served = store.served(&Resource::robots_txt(&site).unwrap()).unwrap();
            let is_there = served.iter().any(|one| one.sha256.to_string() == hash);
            assert!(is_there, "{hash} of {site} was reported in round {round}");
            latest.insert(site, hash);
        }
        let records = store.sites().unwrap();
        assert!(records.len() >= latest.len());
    }
    assert!(all >= 300, "{all} reported");
}

fn events() -> impl Strategy<Value = Vec<(i64, u8)>> {
    prop::collection::vec((0..200_000_i64, 0..6_u8), 1..20)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    /// Replaying the past yields the state of the machine, at every event and between events.
    #[test]
    fn g_4_the_past_equals_the_machine(events in events()) {
        let folder = tempfile::tempdir().unwrap();
        let store = FileStore::open(folder.path().join("robots.redb")).unwrap();
        let (site, settings) = (origin("a"), RetrievalSettings::default());
        let mut now = 0;
        let mut states = Vec::new();
        for (pause, kind) in events {
            now += pause;
            let event = match kind {
                0 => Event::response(304, &[], Vec::new(), ResponseTimes::at(at(now)), &settings).with_body(Body::new),
                1 => Event::failure(Cause::Dns, at(now)),
                2 => Event::failure(Cause::Status(503), at(now)),
                3 => Event::failure(Cause::RedirectLimit, at(now)),
                other => file(&other.to_string(), now),
            };
            states.push((now, run(happen(&store, &site, event))));
        }
        for pair in states.windows(2) {
            let ((from, state), (to, _)) = (&pair[0], &pair[1]);
            if from == to { continue; }
            for second in [*from, (from + to) / 2, to - 1] {
                let told = store.state_at(&site, at(second), &settings).unwrap().unwrap();
                let (told, was) = (told.plan(at(second), &settings), state.plan(at(second), &settings));
                prop_assert_eq!(told.current, was.current);
                prop_assert_eq!(told.why, was.why);
            }
        }
    }
}
