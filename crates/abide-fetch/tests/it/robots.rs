//! Many who ask, one who fetches.

use crate::http::{Server, ok, options};
use abide::{Client, Moment, ProductToken};
use abide_fetch::Robots;
use abide_fetch::guard::Guard;
use abide_fetch::http::Fetcher;
use abide_fetch::machine::Settings;
use std::cell::Cell;
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

thread_local! {
    /// The tests' clock, in seconds; each test has a thread of its own, and so has its runtime.
    static CLOCK: Cell<i64> = const { Cell::new(0) };
}

fn clock() -> Moment {
    Moment::from_unix_seconds(CLOCK.get())
}

fn robots(octets: u64) -> Robots {
    let client = Client::new(ProductToken::new("f").unwrap());
    let fetcher = Fetcher::new(Guard::open(), options(), Settings::default()).unwrap();
    Robots::builder(client, fetcher)
        .octets(octets)
        .clock(clock)
        .build()
}

fn run<T>(work: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap()
        .block_on(work)
}

/// Lets tasks that renew come to their end.
async fn settle() {
    tokio::time::sleep(std::time::Duration::from_millis(200)).await;
}

/// N and G-30: ten thousand who ask at once are one fetch, and so are all who ask within its time.
#[test]
fn n_one_fetch_for_ten_thousand() {
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

/// T6: renewed ahead of its end, while everybody goes on with what holds; and never used past it.
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
        // Four fifths of a day later: the old rules at once, the new ones soon.
        CLOCK.set(20 * 3_600);
        assert!(!allowed("/0").await);
        settle().await;
        assert!(!allowed("/1").await && allowed("/0").await);
        // A day after that nobody may use them, and whoever asks waits for the next.
        CLOCK.set(45 * 3_600);
        assert!(!allowed("/2").await && allowed("/1").await);
    });
    assert_eq!(count.load(Ordering::SeqCst), 3);
}

/// T7 and S4: a site that fails is closed, not asked with every URL, and open again after its first answer.
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
        CLOCK.set(600);
        assert!(allowed("/y").await && !allowed("/x").await);
    });
    assert_eq!(server.connections(), 2);
}

/// N2: those who stop waiting do not stop the fetch.
#[test]
fn n2_impatient_callers() {
    let server = Server::new(|stream, _| {
        std::thread::sleep(std::time::Duration::from_millis(250));
        drop(stream.write_all(ok("User-agent: *\nDisallow: /x\n").as_bytes()));
    });
    let robots = robots(1 << 20);
    run(async {
        for _ in 0..6 {
            let url = server.url("/x");
            let asked = robots.for_url(&url);
            let _ = tokio::time::timeout(std::time::Duration::from_millis(60), asked).await;
        }
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

/// Sites are kept by weight: however many there are, so many octets and no more.
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

/// Text that is no URL of the web is allowed nowhere, and nothing is fetched for it.
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
