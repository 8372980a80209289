//! Lists of pages and of sites: at which pace sites are visited, and that none is asked twice.

use crate::abide;
use crate::fetch::{Server, response};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// When requests came, and for what.
type Log = Arc<Mutex<Vec<(Instant, String)>>>;

/// A site whose robots.txt is `robots`, and whose pages may not be indexed.
fn site(robots: &'static str) -> (Server, Log) {
    let log = Log::default();
    let noted = Arc::clone(&log);
    let server = Server::start(move |path| {
        noted
            .lock()
            .unwrap()
            .push((Instant::now(), path.to_owned()));
        match path {
            "/robots.txt" => response("200 OK", "", robots),
            "/moved" => response("302 Found", "Location: /to\r\n", ""),
            _ => response("200 OK", "X-Robots-Tag: noindex\r\n", ""),
        }
    });
    (server, log)
}

/// The paths of the requests, of which none came sooner than `delay` after the one before it.
fn paced(log: &Log, delay: Duration) -> Vec<String> {
    let log = log.lock().unwrap();
    for pair in log.windows(2) {
        let gap = pair[1].0 - pair[0].0;
        assert!(gap >= delay, "{gap:?} before {}", pair[1].1);
    }
    log.iter().map(|(_, path)| path.clone()).collect()
}

/// The pages of a list are fetched if they are allowed, at the pace of their site, with robots.txt
/// and redirects, and their tags count.
#[test]
fn pages_of_a_list_are_fetched_at_the_pace_of_their_site() {
    let (slow, slow_log) = site("User-agent: *\nDisallow: /x\nCrawl-delay: 1.2\n");
    let (other, other_log) = site("User-agent: *\nDisallow: /x\n");
    let list: String = ["/a", "/x", "/moved"]
        .iter()
        .map(|path| slow.url(path) + "\n")
        .collect();
    let list = list + &other.url("/a").replace("127.0.0.1", "localhost");
    let call = [
        "check",
        "--allow-private",
        "--urls",
        "-",
        "--page",
        "-a",
        "A,B",
        "--format",
        "csv",
        "--fields",
        "url,robot,usage,outcome",
    ];
    let ran = abide(&call, list.as_bytes());
    assert_eq!(ran.status, 1, "{}", ran.told());
    let rows = ran.stdout.replace("\r\n", "\n");
    for row in [
        format!("{},A,crawl,permitted\n", slow.url("/a")),
        format!("{},B,index,prohibited\n", slow.url("/a")),
        format!("{},A,crawl,prohibited\n", slow.url("/x")),
        format!("{},A,index,prohibited\n", slow.url("/moved")),
    ] {
        assert!(rows.contains(&row), "{row}: {rows}");
    }
    let delay = Duration::from_millis(1_200);
    assert_eq!(
        paced(&slow_log, delay),
        ["/robots.txt", "/a", "/moved", "/to"]
    );
    assert_eq!(
        paced(&other_log, Duration::from_secs(1)),
        ["/robots.txt", "/a"]
    );
    assert!(!ran.stderr.contains("Crawl-delay"), "{}", ran.stderr);
}

/// A single page is fetched at once. If its site asks for a delay, that is said once.
#[test]
fn a_delay_that_nothing_honours_is_reported() {
    let (server, log) = site("User-agent: *\nDisallow: /x\nCrawl-delay: 20\n");
    let call = [
        "check",
        "--allow-private",
        "--page",
        "-a",
        "A",
        "-q",
        &*server.url("/a"),
    ];
    let ran = abide(&call, b"");
    let host = server.url("");
    assert_eq!(
        (ran.status, &*ran.stderr),
        (
            0,
            &*format!(
                "warning: {host} asks for 20 s between two requests (Crawl-delay in line 3), and nothing here \
                 waits for it; check --urls FILE --page does\n"
            )
        )
    );
    assert_eq!(paced(&log, Duration::ZERO), ["/robots.txt", "/a"]);
    // Without a page there is nothing to wait for.
    let ran = abide(&[&call[..2], &call[3..]].concat(), b"");
    assert_eq!((ran.status, &*ran.stderr), (0, ""));
}

/// A site that answers when the other one was asked too.
fn waiting(status: &'static str, own: Sender<()>, other: Receiver<()>) -> Server {
    Server::start(move |_| {
        let _ = own.send(());
        let is_asked = other.recv_timeout(Duration::from_mins(1)).is_ok();
        assert!(is_asked, "the sites are asked one after the other");
        response(status, "", "User-agent: *\nDisallow: /x\n")
    })
}

/// The sites of a sitemap's URLs are fetched several at a time, and each once, also one that fails.
#[test]
fn sites_of_sitemaps_are_fetched_ahead_and_once() {
    let ((one, asked_one), (other, asked_other)) = (channel(), channel());
    let fine = waiting("200 OK", one, asked_other);
    let failing = waiting("503 Service Unavailable", other, asked_one);
    let urls = [&fine, &failing, &fine, &failing].map(|server| server.url("/x"));
    let urls = urls
        .map(|url| format!("<url><loc>{url}</loc></url>\n"))
        .concat();
    let sitemap = format!("<urlset>\n{urls}</urlset>\n");
    let call = ["check", "--allow-private", "--sitemap", "-", "-a", "A"];
    let ran = abide(&call, sitemap.as_bytes());
    assert_eq!(ran.status, 1, "{}", ran.told());
    assert!(
        ran.stdout.contains("A  2 of 4 disallowed, 2 unknown"),
        "{}",
        ran.stdout
    );
    assert_eq!((fine.paths().len(), failing.paths().len()), (1, 1));
}

/// A redirect is followed to what every robot of the call may fetch, in whatever order they are.
#[test]
fn redirects_are_followed_for_every_robot() {
    for agents in ["A,B", "B,A"] {
        let (site, log) = site("User-agent: A\nAllow: /\n\nUser-agent: B\nDisallow: /to\n");
        let url = site.url("/moved");
        let call = ["check", "--allow-private", "--page", "-a", agents, &url];
        let ran = abide(&call, b"");
        assert!(ran.stderr.contains("was not followed"), "{}", ran.told());
        let paths = paced(&log, Duration::ZERO);
        assert!(paths.iter().all(|path| path != "/to"), "{paths:?}");
    }
}
