//! One cache with many callers and one fetch.

use crate::faults::paused;
use crate::http::{Server, ok, options};
use crate::{eventually, gate};
use abide::rep::Cause;
use abide::{Client, Limits, Moment, ProductToken};
use abide_fetch::guard::Guard;
use abide_fetch::http::{BoxFuture, Fetcher, Retrieval, now};
use abide_fetch::machine::{Event, ResponseTimes, RetrievalSettings, State, Validators};
use abide_fetch::{BodyHash, Clock, Observer, Resource, Retriever, RobotsCache};
use std::cell::Cell;
use std::io::Write;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

thread_local! {
    /// The clock of a test, in seconds; each test has its own thread and runtime, so it has its own
    /// clock.
    pub(crate) static CLOCK: Cell<i64> = const { Cell::new(0) };
}

pub(crate) fn clock() -> Moment {
    Moment::from_unix_seconds(CLOCK.get())
}

fn robots(bytes: u64) -> RobotsCache {
    let client = Client::new(ProductToken::new("f").unwrap());
    let fetcher = Fetcher::new(Guard::open(), options(), RetrievalSettings::default()).unwrap();
    RobotsCache::with_retriever(client, fetcher)
        .memory(bytes)
        .clock(clock)
        .build()
}

pub(crate) fn run<T>(work: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap()
        .block_on(work)
}

/// N1 and G-30: ten thousand concurrent callers cause one fetch, and so do all callers during the
/// file's lifetime.
#[test]
fn n1_one_fetch_for_ten_thousand() {
    let server = Server::saying(ok("User-agent: *\nDisallow: /x\n"));
    let robots = robots(1 << 20);
    run(async {
        let ask = || {
            let (robots, url) = (robots.clone(), server.url("/x"));
            tokio::spawn(async move { robots.for_url(&url).await.allows(&url) })
        };
        let asked: Vec<_> = (0..10_000).map(|_| ask()).collect();
        for one in asked {
            assert!(!one.await.unwrap());
        }
        for hour in 1..19 {
            CLOCK.set(hour * 3_600);
            assert!(robots.for_url(&server.url("/y")).await.allows("/y"));
        }
    });
    assert_eq!(server.connections(), 1);
    assert_eq!(robots.sites(), 1);
}

/// T6: a file is refreshed before it expires while callers use the current rules; and it is never
/// used after it expires.
#[test]
fn t6_renewed_ahead() {
    let count = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&count);
    let server = Server::new(move |stream, _| {
        let number = counted.fetch_add(1, Ordering::SeqCst);
        drop(stream.write_all(ok(&format!("User-agent: *\nDisallow: /{number}\n")).as_bytes()));
    });
    let robots = robots(1 << 20);
    run(async {
        let allowed = async |path: &str| robots.for_url(&server.url(path)).await.allows(path);
        assert!(!allowed("/0").await);
        // Nine tenths of a day later: the old rules at once, the new ones soon.
        CLOCK.set(22 * 3_600);
        assert!(!allowed("/0").await);
        eventually("renewed", async || !allowed("/1").await).await;
        assert!(allowed("/0").await);
        // A day after that the rules have expired, and a caller waits for the new ones.
        CLOCK.set(47 * 3_600);
        assert!(!allowed("/2").await && allowed("/1").await);
    });
    assert_eq!(count.load(Ordering::SeqCst), 3);
}

/// Whoever wants to see what a site serves now asks it, with the validators of the copy; but not
/// twice within two seconds. Everybody has the new file then.
#[test]
fn what_is_fresh_is_asked_for_again_on_demand() {
    let current = Arc::new(AtomicUsize::new(1));
    let sent = Arc::clone(&current);
    let server = Server::new(move |stream, head| {
        let number = sent.load(Ordering::SeqCst);
        let answer = if head.contains(&format!("if-none-match: \"{number}\"")) {
            format!("HTTP/1.1 304 Not Modified\r\nETag: \"{number}\"\r\n\r\n")
        } else if number == 0 {
            "HTTP/1.1 503 X\r\nContent-Length: 0\r\n\r\n".to_owned()
        } else {
            let file = ok(&format!("User-agent: *\nDisallow: /{number}\n"));
            file.replace("\r\n\r\n", &format!("\r\nETag: \"{number}\"\r\n\r\n"))
        };
        drop(stream.write_all(answer.as_bytes()));
    });
    let robots = robots(1 << 20);
    run(async {
        let url = server.url("/x");
        // At which second, what is sent, how often the site was asked, and what is confirmed.
        for (second, number, asked, confirmed) in [
            (100, 1, 1, 100),
            (102, 1, 1, 100),
            (110, 1, 2, 110),
            (120, 2, 3, 120),
            (121, 3, 3, 120),
            (130, 0, 4, 120),
            (140, 3, 5, 140),
        ] {
            CLOCK.set(second);
            current.store(number, Ordering::SeqCst);
            let state = robots.refreshed(&url).await.unwrap().state;
            assert_eq!(server.connections(), asked, "{second}");
            let copy = state.copy().unwrap();
            assert_eq!(copy.checked_at.unix_seconds(), confirmed, "{second}");
            assert_eq!(state.outage().is_some(), second == 130);
        }
        assert!(!robots.for_url(&url).await.allows("/3"));
        assert!(robots.for_url(&url).await.allows("/1"));
        assert!(robots.refreshed("no URL").await.is_none());
    });
    assert_eq!(server.connections(), 5);
}

/// A site that failed is asked again for whoever repaired it, but not before the time that its
/// `Retry-After` asks for, and then the answer says so. A crawler's question asks it even later.
#[test]
fn an_outage_is_looked_at_again_on_demand() {
    let begs = Arc::new(AtomicUsize::new(0));
    let sent = Arc::clone(&begs);
    let server = Server::new(move |stream, _| {
        let answer = match sent.load(Ordering::SeqCst) {
            0 => "HTTP/1.1 503 X\r\nContent-Length: 0\r\n\r\n".to_owned(),
            1 => "HTTP/1.1 429 X\r\nRetry-After: 60\r\nContent-Length: 0\r\n\r\n".to_owned(),
            _ => ok("User-agent: *\nDisallow: /x\n"),
        };
        drop(stream.write_all(answer.as_bytes()));
    });
    let robots = robots(1 << 20);
    run(async {
        let url = server.url("/x");
        // At which second, what is sent, how often the site was asked, until when it asked to be
        // left alone, and whether it has rules.
        for (second, number, asked, waits, has_rules) in [
            (100, 0, 1, None, false),
            (103, 0, 2, None, false),
            (106, 1, 3, None, false),
            // Its wait is longer than that of an outage without a word.
            (109, 2, 3, Some(166), false),
            (165, 2, 3, Some(166), false),
            (166, 2, 4, None, true),
        ] {
            CLOCK.set(second);
            begs.store(number, Ordering::SeqCst);
            let found = robots.refreshed(&url).await.unwrap();
            assert_eq!(server.connections(), asked, "{second}");
            let until = found.asks_to_wait.map(Moment::unix_seconds);
            assert_eq!(until, waits, "{second}");
            assert_eq!(found.state.body().is_some(), has_rules, "{second}");
        }
    });
}

/// T7 and S4: a failing site is closed, is not retried for every URL, and opens again after its
/// first answer.
#[test]
fn t7_outage_and_recovery() {
    let failing = Arc::new(AtomicUsize::new(1));
    let broken = Arc::clone(&failing);
    let server = Server::new(move |stream, _| {
        let answer = if broken.load(Ordering::SeqCst) == 1 {
            "HTTP/1.1 503 X\r\nRetry-After: 600\r\nContent-Length: 0\r\n\r\n".to_owned()
        } else {
            ok("User-agent: *\nDisallow: /x\n")
        };
        drop(stream.write_all(answer.as_bytes()));
    });
    let robots = robots(1 << 20);
    run(async {
        let allowed = async |path: &str| robots.for_url(&server.url(path)).await.allows(path);
        for second in 0..600 {
            CLOCK.set(second);
            assert!(!allowed("/y").await && allowed("/robots.txt").await);
        }
        assert_eq!(server.connections(), 1);
        failing.store(0, Ordering::SeqCst);
        // Later by up to a fifth, so that not all callers retry at once.
        CLOCK.set(720);
        assert!(allowed("/y").await && !allowed("/x").await);
    });
    assert_eq!(server.connections(), 2);
}

/// N2: callers that stop waiting do not stop the fetch.
#[test]
fn n2_impatient_callers() {
    // The site does not answer before all callers are gone.
    let (gone, all_gone) = gate();
    let server = Server::new(move |stream, _| {
        all_gone();
        drop(stream.write_all(ok("User-agent: *\nDisallow: /x\n").as_bytes()));
    });
    let robots = robots(1 << 20);
    run(async {
        for _ in 0..6 {
            let url = server.url("/x");
            let asked = robots.for_url(&url);
            let found = tokio::time::timeout(Duration::from_millis(60), asked).await;
            assert!(found.is_err(), "nobody has answered");
        }
        gone.send(()).unwrap();
        assert!(!robots.for_url(&server.url("/x")).await.allows("/x"));
    });
    assert_eq!(server.connections(), 1);
}

/// T4: a clock that was set back makes no copy fresh for ever.
#[test]
fn t4_a_clock_set_back() {
    let server = Server::saying(ok("User-agent: *\n"));
    let robots = robots(1 << 20);
    run(async {
        CLOCK.set(40 * 86_400);
        robots.for_url(&server.url("/")).await;
        CLOCK.set(0);
        robots.for_url(&server.url("/")).await;
    });
    assert_eq!(server.connections(), 2);
}

/// N5 and R14: one authority in every spelling is one fetch.
#[test]
fn n5_spellings_of_an_authority() {
    let server = Server::saying(ok("User-agent: *\n"));
    let robots = robots(1 << 20);
    let port = server.address.port();
    run(async {
        for host in [
            "127.0.0.1",
            "127.1",
            "0x7f000001",
            "user:secret@127.0.0.1",
            "127.0.0.1.",
        ] {
            robots.for_url(&format!("HTTP://{host}:{port}/a")).await;
        }
    });
    assert_eq!(server.connections(), 1);
}

/// The cache is bounded by weight: however many sites there are, it keeps at most this many bytes.
#[test]
fn memory_is_bounded() {
    let file = ok(&"Disallow: /aaaaaaaaaaaaaaa\n".repeat(400));
    let robots = robots(200_000);
    run(async {
        for _ in 0..40 {
            robots.for_url(&Server::saying(file.clone()).url("/")).await;
        }
    });
    assert!(robots.sites() < 20, "{} sites", robots.sites());
}

/// Text that is not a URL of the web is never allowed, and causes no fetch.
#[test]
fn what_has_no_robots_txt() {
    let robots = robots(1 << 20);
    run(async {
        for url in [
            "",
            "/x",
            "mailto:a@b.example",
            "ftp://a.example/x",
            "http://",
        ] {
            assert!(
                !robots.for_url(url).await.allows("http://a.example/x"),
                "{url}"
            );
        }
    });
    assert_eq!(robots.sites(), 0);
}

/// The result of a request, by its number and URL.
type Behaviour = dyn Fn(usize, &str) -> Event<Vec<u8>> + Send + Sync;

/// Answers by script without a network, and counts requests.
#[derive(Clone)]
struct Scripted {
    asked: Arc<AtomicUsize>,
    behave: Arc<Behaviour>,
    takes: Duration,
}

impl Scripted {
    fn new(behave: impl Fn(usize, &str) -> Event<Vec<u8>> + Send + Sync + 'static) -> Self {
        Self {
            asked: Arc::default(),
            behave: Arc::new(behave),
            takes: Duration::ZERO,
        }
    }

    fn file(body: &'static str) -> Self {
        Self::new(move |_, _| Event::file(body, &[], clock()))
    }

    fn asked(&self) -> usize {
        self.asked.load(Ordering::SeqCst)
    }

    fn robots(&self, bytes: u64) -> RobotsCache {
        RobotsCache::with_retriever(crate::client(), self.clone())
            .memory(bytes)
            .clock(clock)
            .build()
    }
}

impl Retriever for Scripted {
    fn retrieve<'a>(&'a self, url: &'a str, _: &'a Validators) -> BoxFuture<'a, Retrieval> {
        Box::pin(async move {
            let number = self.asked.fetch_add(1, Ordering::SeqCst);
            tokio::time::sleep(self.takes).await;
            Retrieval::new((self.behave)(number, url))
        })
    }
}

/// N2: if a retrieval breaks off, its callers get the closed answer; the next caller starts a new
/// one.
#[test]
fn n2_a_retrieval_that_breaks() {
    let scripted = Scripted::new(|number, _| {
        assert!(number > 0, "the first one breaks");
        Event::file("User-agent: *\nDisallow: /x\n", &[], clock())
    });
    let robots = scripted.robots(1 << 20);
    run(async {
        let ask = || {
            let robots = robots.clone();
            tokio::spawn(async move { robots.for_url("https://a.example/y").await.allows("/y") })
        };
        let asked: Vec<_> = (0..100).map(|_| ask()).collect();
        for one in asked {
            assert!(
                !one.await.unwrap(),
                "nothing is known, so nothing is allowed"
            );
        }
        assert!(robots.for_url("https://a.example/y").await.allows("/y"));
    });
    assert_eq!(scripted.asked(), 2);
}

/// N2 and N3: a caller that stops waiting, at any point, neither stops the retrieval nor starts
/// another.
#[test]
fn n3_waiters_that_leave() {
    let mut scripted = Scripted::file("User-agent: *\nDisallow: /x\n");
    scripted.takes = Duration::from_millis(100);
    let robots = scripted.robots(1 << 20);
    paused(async {
        let waits: Vec<_> = (0..200_u64)
            .map(|millis| {
                let robots = robots.clone();
                tokio::spawn(async move {
                    let asked = robots.for_url("https://a.example/x");
                    let found = tokio::time::timeout(Duration::from_millis(millis), asked).await;
                    found.ok().map(|policy| policy.allows("/x"))
                })
            })
            .collect();
        for (millis, wait) in waits.into_iter().enumerate() {
            let found = wait.await.unwrap();
            assert_eq!(
                found,
                (millis > 100)
                    .then_some(false)
                    .or(found.filter(|_| millis == 100))
            );
        }
    });
    assert_eq!(scripted.asked(), 1);
}

/// N4: all callers share one file, and each of them reads it.
#[test]
fn n4_one_file_for_many_clients() {
    let scripted = Scripted::file("User-agent: f\nDisallow: /f\n\nUser-agent: g\nDisallow: /g\n");
    let robots = scripted.robots(1 << 20);
    let other = robots.for_client(Client::new(ProductToken::new("g").unwrap()));
    run(async {
        let url = "https://a.example/";
        let (f, g) = (robots.for_url(url).await, other.for_url(url).await);
        assert!(!f.allows("/f") && f.allows("/g"));
        assert!(g.allows("/f") && !g.allows("/g"));
        // A compiled policy is not compiled again.
        assert!(Arc::ptr_eq(&f, &robots.for_url(url).await));
        assert!(Arc::ptr_eq(&g, &other.for_url(url).await));
    });
    assert_eq!(scripted.asked(), 1);
}

/// N8: however many sites are seen once, memory stays bounded, and the sites in constant use stay
/// in the cache.
#[test]
fn n8_sites_that_are_seen_once() {
    let scripted = Scripted::file("User-agent: *\nDisallow: /x\n");
    let robots = scripted.robots(1 << 20);
    let (seldom, hot) = (8_000, 20);
    run(async {
        for number in 0..seldom {
            robots
                .for_url(&format!("https://spam{number}.example/"))
                .await;
            robots
                .for_url(&format!("https://hot{}.example/", number % hot))
                .await;
        }
    });
    assert!(
        robots.sites() < 1_000,
        "{} sites in a megabyte",
        robots.sites()
    );
    let again = scripted.asked() - seldom;
    assert!(again < 200, "the hot sites were asked {again} times");
}

/// N9: names built to collide under an unkeyed hash cost no more than others.
#[test]
fn n9_names_that_collide() {
    let fnv = |name: &str| {
        name.bytes().fold(0xCBF2_9CE4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
        })
    };
    let names = (0_u32..).map(|number| format!("https://n{number}.example"));
    let names: Vec<_> = names
        .filter(|name| fnv(name) % 64 == 0)
        .take(2_000)
        .collect();
    let scripted = Scripted::new(|_, url| Event::file(format!("# {url}\n"), &[], clock()));
    let robots = scripted.robots(64 << 20);
    run(async {
        for _ in 0..2 {
            for name in &names {
                let policy = robots.for_url(name).await;
                assert_eq!(
                    policy.text().as_bytes(),
                    format!("# {name}/robots.txt\n").as_bytes()
                );
            }
        }
    });
    assert_eq!(scripted.asked(), names.len());
}

/// N10: threads that ask, leave, refresh and forget concurrently never deadlock, and each site gets
/// one request at a time.
#[test]
fn n10_many_threads() {
    let flying = Arc::new(AtomicUsize::new(0));
    let inside = Arc::clone(&flying);
    let mut scripted = Scripted::new(move |number, _| {
        inside.fetch_sub(1, Ordering::SeqCst);
        match number % 3 {
            0 => Event::failure(Cause::Timeout, now()),
            _ => Event::file("User-agent: *\nDisallow: /x\n", &[], now()),
        }
    });
    scripted.takes = Duration::from_micros(200);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(8)
        .enable_time()
        .build()
        .unwrap();
    for _ in 0..20 {
        // So little memory that sites come and go.
        let robots = RobotsCache::with_retriever(crate::client(), scripted.clone())
            .memory(8_000)
            .build();
        runtime.block_on(async {
            let mut tasks = tokio::task::JoinSet::new();
            for number in 0..400_u64 {
                let robots = robots.clone();
                tasks.spawn(async move {
                    let url = format!("https://s{}.example/x", number % 7);
                    let asked = robots.for_url(&url);
                    let found =
                        tokio::time::timeout(Duration::from_micros(number * 7), asked).await;
                    assert!(!found.is_ok_and(|policy| policy.allows(&url)));
                });
            }
            let all = async {
                while let Some(done) = tasks.join_next().await {
                    done.unwrap();
                }
            };
            crate::ended(all).await;
        });
    }
    drop(flying);
}

/// S3: other statuses from 400 to 499 mean that there is no file; 429 does not.
#[test]
fn s3_statuses_without_a_file() {
    for (status, allowed) in [
        (401, true),
        (403, true),
        (407, true),
        (410, true),
        (451, true),
        (429, false),
    ] {
        let scripted = Scripted::new(move |_, _| {
            Event::response(
                status,
                &[],
                Vec::new(),
                ResponseTimes::at(clock()),
                &RetrievalSettings::default(),
            )
        });
        let robots = scripted.robots(1 << 20);
        run(async {
            let policy = robots.for_url("https://a.example/x").await;
            assert_eq!(policy.allows("/x"), allowed, "{status}");
        });
    }
}

/// Is notified of files that lost their rules.
struct Heard(Arc<AtomicUsize>);

impl Observer for Heard {
    fn emptied(&self, _: &Resource, _: BodyHash, _: BodyHash) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

/// S6: an HTML page in place of a file counts as RFC 9309 requires, and is reported.
#[test]
fn s6_a_file_that_lost_its_rules() {
    let bodies = [
        "User-agent: *\nDisallow: /x\n",
        "User-agent: *\nDisallow: /y\n",
        "<html>gone</html>",
        "",
    ];
    let scripted = Scripted::new(move |number, _| Event::file(bodies[number], &[], clock()));
    let heard = Arc::new(AtomicUsize::new(0));
    let robots = RobotsCache::with_retriever(crate::client(), scripted)
        .clock(clock)
        .observer(Heard(Arc::clone(&heard)))
        .build();
    run(async {
        for (day, (allowed, told)) in (0..).zip([(false, 0), (true, 0), (true, 1), (true, 1)]) {
            CLOCK.set(day * 86_401);
            let policy = robots.for_url("https://a.example/x").await;
            assert_eq!(policy.allows("/x"), allowed, "day {day}");
            assert_eq!(heard.load(Ordering::SeqCst), told, "day {day}");
        }
    });
}

type Hashes = (Option<BodyHash>, Option<BodyHash>);

/// Is notified of files that changed, and of refused URLs.
#[derive(Default)]
struct Noted {
    changed: Mutex<Vec<Hashes>>,
    refused: Mutex<Vec<String>>,
}

impl Observer for Noted {
    fn changed(&self, _: &Resource, was: Option<BodyHash>, is: Option<BodyHash>) {
        self.changed.lock().unwrap().push((was, is));
    }

    fn refused(&self, url: &str, policy: &abide::Policy) {
        assert!(!policy.allows(url));
        self.refused.lock().unwrap().push(url.to_owned());
    }
}

/// A new file, a file that is gone and one that is there again are changes. The first file, an
/// equal one and a failure are none. Two observers are one as a pair.
#[test]
fn a_file_that_changed() {
    let (a, b) = (
        "User-agent: *\nDisallow: /x\n",
        "User-agent: *\nDisallow: /y\n",
    );
    let scripted = Scripted::new(move |number, _| match number {
        0 | 1 => Event::file(a, &[], clock()),
        2 => Event::failure(Cause::Status(503), clock()),
        3 | 6 => Event::file(b, &[], clock()),
        _ => Event::response(
            404,
            &[],
            Vec::new(),
            ResponseTimes::at(clock()),
            &RetrievalSettings::default(),
        ),
    });
    let noted = [Arc::<Noted>::default(), Arc::default()];
    let robots = RobotsCache::with_retriever(crate::client(), scripted)
        .clock(clock)
        .observer((Arc::clone(&noted[0]), Arc::clone(&noted[1])))
        .build();
    run(async {
        for day in 0..7 {
            CLOCK.set(day * 2 * 86_401);
            robots.for_url("https://a.example/x").await;
        }
    });
    let (a, b) = (BodyHash::of(a.as_bytes()), BodyHash::of(b.as_bytes()));
    for noted in noted {
        let changed = noted.changed.lock().unwrap();
        let expected = [(Some(a), Some(b)), (Some(b), None), (None, Some(b))];
        assert_eq!(*changed, expected);
    }
}

/// Who asks `allows` about a URL that is not allowed is reported, with the URL as it is sent.
#[test]
fn a_refusal_is_reported() {
    let noted = Arc::<Noted>::default();
    let scripted = Scripted::file("User-agent: *\nDisallow: /x\n");
    let robots = RobotsCache::with_retriever(crate::client(), scripted)
        .clock(clock)
        .observer(Arc::clone(&noted))
        .build();
    run(async {
        assert!(robots.allows("https://a.example/y/../x").await.is_none());
        assert!(robots.allows("https://a.example/y").await.is_some());
        // What cannot be requested has no rules.
        assert!(robots.allows("/x").await.is_none());
    });
    assert_eq!(*noted.refused.lock().unwrap(), ["https://a.example/x"]);
}

/// Rules know until when they apply: a file while it is fresh, those of an outage until the next
/// attempt.
#[test]
fn rules_say_until_when_they_apply() {
    let scripted = Scripted::new(|number, _| match number {
        0 => Event::file("", &[], clock()),
        _ => Event::failure(Cause::Status(503), clock()),
    });
    let robots = RobotsCache::with_retriever(crate::client(), scripted.clone())
        .clock(clock)
        .build();
    run(async {
        CLOCK.set(0);
        let rules = robots.site_rules("https://a.example/").await;
        assert_eq!(rules.valid_until, Some(crate::at(86_400)));
        assert_eq!(rules.valid_until, rules.fresh_until);
        CLOCK.set(200_000);
        let rules = robots.site_rules("https://a.example/").await;
        let until = rules.valid_until.unwrap();
        assert!(!rules.policy.allows("https://a.example/") && until > clock());
        assert!(rules.fresh_until.unwrap() < clock());
        let asked = scripted.asked();
        CLOCK.set(until.unix_seconds() - 1);
        robots.for_url("https://a.example/").await;
        assert_eq!(scripted.asked(), asked, "the rules still apply");
        CLOCK.set(until.unix_seconds() + 1);
        robots.for_url("https://a.example/").await;
        assert_eq!(scripted.asked(), asked + 1);
        assert_eq!(robots.site_rules("no URL").await.valid_until, None);
    });
}

/// A clock that was set forward by two months, and reports that.
struct SetForward;

impl Clock for SetForward {
    fn now(&self) -> Moment {
        clock()
    }

    fn seconds_set_forward(&self) -> i64 {
        SET_FORWARD.get()
    }
}

thread_local! {
    static SET_FORWARD: Cell<i64> = const { Cell::new(0) };
}

/// T4: setting a clock forward ends no grace period: two failures minutes apart are not an outage
/// of two months. At most it refreshes a copy early.
#[test]
fn t4_a_clock_set_forward() {
    let failing = Scripted::new(|_, _| Event::failure(Cause::Status(503), clock()));
    let holding = Scripted::file("User-agent: *\nDisallow: /x\n");
    let build = |scripted: &Scripted| {
        RobotsCache::with_retriever(crate::client(), scripted.clone())
            .clock(SetForward)
            .build()
    };
    let (closed, kept) = (build(&failing), build(&holding));
    run(async {
        let (two_months, url) = (61 * 86_400, "https://a.example/y");
        assert!(!closed.for_url(url).await.allows("/y"));
        assert!(kept.for_url(url).await.allows("/y"));
        CLOCK.set(two_months + 60);
        SET_FORWARD.set(two_months);
        assert!(
            !closed.for_url(url).await.allows("/y"),
            "a minute later by every other clock"
        );
        assert!(kept.for_url(url).await.allows("/y"));
        for day in 1..30 {
            CLOCK.set(two_months + day * 86_400);
            assert!(!closed.for_url(url).await.allows("/y"), "day {day}");
        }
        CLOCK.set(two_months + 30 * 86_400 + 1);
        assert!(
            closed.for_url(url).await.allows("/y"),
            "thirty days have passed"
        );
    });
    assert_eq!(holding.asked(), 2);
}

/// T8: the refreshes of sites that were fetched within one second are spread over hours.
#[test]
fn t8_sites_that_expire_together() {
    let scripted = Scripted::file("User-agent: *\nDisallow: /x\n");
    let robots = scripted.robots(64 << 20);
    let sites = 500_usize;
    let (mut most, mut before) = (0, 0);
    run(async {
        for step in 0..150 {
            CLOCK.set(step * 600);
            for site in 0..sites {
                robots.for_url(&format!("https://s{site}.example/")).await;
            }
            for _ in 0..4 {
                tokio::task::yield_now().await;
            }
            if step > 0 {
                most = most.max(scripted.asked() - before);
            }
            before = scripted.asked();
        }
    });
    assert_eq!(
        scripted.asked(),
        2 * sites,
        "once, and once more ahead of its end"
    );
    // A fifth of a day has 29 steps; a herd would fall into one.
    assert!(most < 3 * sites / 29, "{most} within ten minutes");
}

/// The cache remembers an outage after it drops the site, so that the site is not retried earlier.
#[test]
fn outages_outlive_their_sites() {
    let scripted = Scripted::new(|_, url| {
        if url.contains("down") {
            Event::failure(Cause::Timeout, clock())
        } else {
            Event::file("Disallow: /aaaaaaaaaaaaaaa\n".repeat(400), &[], clock())
        }
    });
    let robots = scripted.robots(100_000);
    run(async {
        for _ in 0..5 {
            assert!(!robots.for_url("https://down.example/").await.allows("/"));
            for number in 0..100 {
                robots.for_url(&format!("https://s{number}.example/")).await;
            }
        }
    });
    let downs = scripted.asked();
    assert!(downs > 100, "sites had to go");
    CLOCK.set(0);
    run(async { robots.for_url("https://down.example/").await });
    assert_eq!(
        scripted.asked(),
        downs,
        "asked once, and not again before its time"
    );
}

/// A file that refers to another is read with it; if that one cannot be fetched, the file is read
/// as strictly as it asks for.
#[test]
fn references_come_with_the_file() {
    let file = "##ACAP version=1.0\nACAP-crawler: *\nACAP-permissions-reference: /more.txt\n";
    let reference = |behave: fn() -> Event<Vec<u8>>| {
        Scripted::new(move |_, url| {
            if url.ends_with("/robots.txt") {
                Event::file(file, &[], clock())
            } else {
                behave()
            }
        })
    };
    let allowing = reference(|| {
        let more = "##ACAP version=1.0\nACAP-crawler: *\nACAP-disallow-crawl: /x\n";
        Event::file(more, &[], clock())
    });
    let failing = reference(|| Event::failure(Cause::Timeout, clock()));
    for (scripted, expected) in [(allowing, [false, true]), (failing, [false, false])] {
        let robots = scripted.robots(1 << 20);
        run(async {
            for _ in 0..3 {
                let policy = robots.for_url("https://a.example/").await;
                assert_eq!([policy.allows("/x"), policy.allows("/y")], expected);
            }
        });
        assert_eq!(scripted.asked(), 2);
    }
}

/// T4: setting a clock back makes no copy younger: a file fetched while the clock was a month ahead
/// does not apply a month later.
#[test]
fn t4_a_copy_from_a_clock_that_was_ahead() {
    let scripted = Scripted::new(|number, _| match number {
        0 => Event::file("User-agent: *\nDisallow: /x\n", &[], clock()),
        _ => Event::failure(Cause::Timeout, clock()),
    });
    let robots = RobotsCache::with_retriever(crate::client(), scripted)
        .clock(SetForward)
        .build();
    run(async {
        let (day, url) = (86_400, "https://a.example/y");
        CLOCK.set(40 * day);
        assert!(robots.for_url(url).await.allows("/y"));
        // The clock is corrected: a month less, and a minute later.
        SET_FORWARD.set(-30 * day);
        for later in [60, 2 * day, 20 * day, 29 * day] {
            CLOCK.set(10 * day + later);
            let allowed = robots.for_url(url).await.allows("/y");
            assert_eq!(allowed, later < day, "{later} seconds later");
        }
    });
}

/// A file that was truncated when it was fetched is not read further by a client with a larger
/// limit: the partial line at its end is not a rule for any client.
#[test]
fn a_cut_file_is_cut_for_all() {
    let mut body = "User-agent: *\nDisallow: /\n".to_owned();
    while body.len() < 512_000 - 20 {
        body.push_str("# comment\n");
    }
    body.push_str(&"#".repeat(512_000 - body.len() - 9));
    body.push_str("\nAllow: /public");
    let server = Server::saying(ok(&body));
    let greedy = Client::new(ProductToken::new("f").unwrap()).with_profile(abide::Profile::Google);
    let fetcher = Fetcher::new(Guard::open(), options(), RetrievalSettings::default()).unwrap();
    let robots = RobotsCache::with_retriever(crate::client(), fetcher)
        .clock(clock)
        .build();
    let other = robots.for_client(greedy);
    run(async {
        for asking in [&robots, &other] {
            let policy = asking.for_url(&server.url("/a")).await;
            assert!(!policy.allows("/a") && !policy.allows("/public"));
            assert!(policy.text().is_truncated());
        }
    });
}

/// Half a line at the end of a cut file is no rule for a client with a larger limit of its own.
#[test]
fn a_cut_file_stays_cut_for_a_larger_limit() {
    let (start, end) = ("User-agent: *\nDisallow: /\n", "\nAllow: /public");
    let comment = "#".repeat(512_000 - start.len() - end.len());
    let kept = format!("{start}{comment}{end}");
    let mut retrieval = Retrieval::new(Event::file(format!("{kept}-"), &[], clock()));
    retrieval.is_cut = true;
    let state = State::default().after(retrieval.into_event(), &RetrievalSettings::default());
    let body = state.body().unwrap();
    // Hash and length are those of the bytes that are kept.
    assert_eq!(body.as_bytes(), kept.as_bytes());
    assert_eq!(body.hash(), BodyHash::of(kept.as_bytes()));
    let larger = crate::client().with_limits(Limits::new(1 << 20).unwrap());
    let plan = state.plan(clock(), &RetrievalSettings::default());
    assert!(!plan.current.policy(&larger).allows("/public-x"));
}

/// A permissions reference is part of the policy, so it is fetched like robots.txt itself: whatever
/// the rules say about its URL, and without dot segments.
#[test]
fn amb_acap_14_a_reference_is_fetched_although_it_is_disallowed() {
    let server = Server::new(|stream, head| {
        let file = if head.starts_with("GET /private/a.txt ") {
            ok("ACAP-crawler: *\nACAP-disallow-index: /\n")
        } else {
            ok("User-agent: *\nDisallow: /private/\nACAP-crawler: *\n\
                ACAP-permissions-reference: /pub/../private/a.txt\n")
        };
        drop(stream.write_all(file.as_ref()));
    });
    let url = server.url("/x");
    let policy = run(robots(1 << 20).for_url(&url));
    assert!(policy.allows(&url) && !policy.allows("/private/a.txt"));
    let decision = policy.decide(&abide::Target::new(&url).unwrap());
    assert!(decision.needs.is_empty(), "{:?}", decision.needs);
    assert_eq!(
        decision.outcome(abide::Usage::Index),
        abide::Outcome::Prohibited
    );
}

/// A reference that never arrives is waited for once, even if the callers did not stay.
#[test]
fn n2_references_and_impatient_callers() {
    let scripted = Scripted::new(|_, url| {
        if url.ends_with("/robots.txt") {
            let file =
                "ACAP-crawler: *\nACAP-permissions-reference: /a\nACAP-permissions-reference: /b\n";
            Event::file(file, &[], clock())
        } else {
            Event::failure(Cause::Timeout, clock())
        }
    });
    let mut slow = scripted.clone();
    slow.takes = Duration::from_secs(20);
    let robots = slow.robots(1 << 20);
    paused(async {
        for _ in 0..20 {
            let asked = robots.for_url("https://a.example/x");
            let found = tokio::time::timeout(Duration::from_secs(5), asked).await;
            assert!(!found.is_ok_and(|policy| policy.allows("/x")));
        }
        let began = tokio::time::Instant::now();
        assert!(!robots.for_url("https://a.example/x").await.allows("/x"));
        assert!(
            began.elapsed() < Duration::from_secs(1),
            "it is known by now"
        );
    });
    assert_eq!(scripted.asked(), 3);
}
