//! Where a file came from is kept with the file, and instants within a second are ordered.

use crate::http::{Server, ok, options};
use crate::robots::run;
use crate::{at, client};
use abide::Moment;
use abide_fetch::guard::Guard;
use abide_fetch::http::{Fetcher, HopReport};
use abide_fetch::machine::{
    Event, MAX_FIELD_BYTES, MAX_HOP_BYTES, RetrievalSettings, State, Trail,
};
use abide_fetch::store::{FileStore, Store};
use abide_fetch::{Body, Record, RequestUrl, Resource, RobotsCache, SiteRules};
use std::cell::Cell;
use std::io::Write;
use std::path::Path;

thread_local! {
    static CLOCK: Cell<Moment> = Cell::new(at(1_000));
}

fn clock() -> Moment {
    CLOCK.get()
}

fn robots(store: FileStore) -> RobotsCache {
    let fetcher = Fetcher::new(Guard::open(), options(), RetrievalSettings::default()).unwrap();
    RobotsCache::with_retriever(client(), fetcher)
        .clock(clock)
        .store(store)
        .build()
}

fn field(name: &str, bytes: usize) -> (String, Vec<u8>) {
    (name.to_owned(), vec![b'x'; bytes])
}

fn hop(url: &str) -> HopReport {
    HopReport::new(RequestUrl::new(url).unwrap())
}

/// What was requested for a file, as text, and the names of the fields.
fn shown(found: &SiteRules) -> (Vec<String>, Vec<String>) {
    let trail = found.trail.as_ref().unwrap();
    let hops = trail.hops.iter().map(|hop| {
        let (status, address) = (hop.status.unwrap(), hop.address.unwrap());
        format!("{} {status} {address}", hop.url)
    });
    let names = trail.fields.iter().map(|(name, _)| name.clone());
    (hops.collect(), names.collect())
}

/// Opens the history at `path` again, and returns the rules of the site at `url` at `moment`.
fn rules_at(path: &Path, url: &str, moment: Moment) -> SiteRules {
    let store = FileStore::open_to_read(path).unwrap();
    let robots = RobotsCache::for_robot("f").unwrap();
    let found = robots.site_rules_at(&store, url, moment);
    found.unwrap().unwrap()
}

/// A redirect of one site to another: both requests with their statuses and addresses, and the
/// fields of the last response, are there after a restart, also where a 304 confirmed the file.
#[test]
fn redirects_are_kept_over_a_restart() {
    let target = Server::saying(
        ok("User-agent: *\nDisallow: /x\n")
            .replace("\r\n\r\n", "\r\nServer: s\r\nSet-Cookie: secret=1\r\n\r\n"),
    );
    let to = target.url("/moved.txt");
    let location = format!("HTTP/1.1 301 X\r\nLocation: {to}\r\nContent-Length: 0\r\n\r\n");
    let site = Server::saying(location);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("robots.redb");
    let url = site.url("/x");
    let now = {
        let robots = robots(FileStore::open(&path).unwrap());
        run(async { shown(&robots.site_rules(&url).await) })
    };
    let address = |server: &Server| server.url("/")[7..].trim_end_matches('/').to_owned();
    let hops = vec![
        format!("{} 301 {}", site.url("/robots.txt"), address(&site)),
        format!("{to} 200 {}", address(&target)),
    ];
    let names = ["content-type", "content-length", "server"];
    assert_eq!(now, (hops, names.map(str::to_owned).to_vec()));
    let restarted = robots(FileStore::open(&path).unwrap());
    let known = run(async { shown(&restarted.site_rules(&url).await) });
    drop(restarted);
    assert_eq!((known, site.connections()), (now.clone(), 1));
    assert_eq!(shown(&rules_at(&path, &url, at(2_000))), now);
    let resource = Resource::robots_txt(&url).unwrap();
    let store = FileStore::open_to_read(&path).unwrap();
    let served = store.served(&resource).unwrap();
    let trail = served[0].trail.as_ref().unwrap();
    assert_eq!((trail.hops.len(), trail.is_cut), (2, false));
}

/// Every retrieval of a site is in the history with its own trail, and a failure takes nothing
/// from the file that is kept.
#[test]
fn a_confirmation_and_a_failure_keep_the_trail_of_the_file() {
    let answers = Cell::new(0);
    let server = {
        let answers = std::sync::Mutex::new(answers);
        Server::new(move |stream, _| {
            let answers = answers.lock().unwrap();
            let file = ok("User-agent: *\nDisallow: /x\n");
            let answer = match answers.replace(answers.get() + 1) {
                0 => file.replace("\r\n\r\n", "\r\nETag: \"a\"\r\n\r\n"),
                1 => "HTTP/1.1 304 X\r\nETag: \"a\"\r\nVia: p\r\n\r\n".to_owned(),
                _ => "HTTP/1.1 503 X\r\nContent-Length: 0\r\n\r\n".to_owned(),
            };
            drop(stream.write_all(answer.as_bytes()));
        })
    };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("robots.redb");
    let robots = robots(FileStore::open(&path).unwrap());
    let url = server.url("/x");
    run(async {
        for second in [1_000, 2_000, 3_000] {
            CLOCK.set(at(second));
            let found = robots.refreshed(&url).await.unwrap();
            let trail = found.state.copy().unwrap().trail.clone().unwrap();
            assert_eq!(trail.hops[0].status, Some(200), "{second}");
            assert!(trail.fields.iter().any(|(name, _)| name == "etag"));
            assert_eq!(found.state.outage().is_some(), second == 3_000);
        }
    });
    assert_eq!(server.connections(), 3);
}

/// Two files within one second: each applies from its own millisecond on.
#[test]
fn instants_within_a_second_are_ordered() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("robots.redb");
    let resource = Resource::robots_txt("https://a.example/").unwrap();
    let (settings, within) = (RetrievalSettings::default(), |ms| {
        at(5).with_milliseconds(ms)
    });
    {
        let store = FileStore::open(&path).unwrap();
        let mut state = State::default();
        for (body, came) in [
            ("Disallow: /1\n", within(100)),
            ("Disallow: /2\n", within(900)),
        ] {
            let text = format!("User-agent: *\n{body}").into_bytes();
            let event = Event::file(text, &[], came).with_body(Body::new);
            state = state.after(event.clone(), &settings);
            let record = Record {
                resource: resource.clone(),
                state: state.clone(),
            };
            run(store.save(&record, &event)).unwrap();
            assert_eq!(run(store.load(&resource)).unwrap(), Some(record));
        }
    }
    let store = FileStore::open_to_read(&path).unwrap();
    let known = |moment| store.state_at(&resource, moment, &settings).unwrap();
    assert_eq!(known(within(99)), None);
    for (moment, disallowed) in [
        (within(100), "/1"),
        (within(899), "/1"),
        (within(900), "/2"),
        (at(6), "/2"),
    ] {
        let found = rules_at(&path, "https://a.example/", moment);
        assert!(
            !found
                .policy
                .allows(&format!("https://a.example{disallowed}")),
            "{moment}"
        );
    }
    let served = store.served(&resource).unwrap();
    let times: Vec<_> = served.iter().map(|body| (body.first, body.last)).collect();
    assert_eq!(
        times,
        [(within(100), within(100)), (within(900), within(900))]
    );
}

/// What is too much is not kept, and that is said; nothing is kept of a cookie.
#[test]
fn what_is_kept_is_bounded() {
    assert_eq!(Trail::new(Vec::new(), Vec::new()), None);
    let long = |bytes: usize| hop(&format!("https://a.example/{}", "x".repeat(bytes)));
    let last = hop("https://b.example/robots.txt");
    let fields = vec![
        field("set-cookie", 10),
        field("a", MAX_FIELD_BYTES - 100),
        field("b", 100),
        field("c", 90),
    ];
    let trail = Trail::new(vec![long(10), last.clone()], fields).unwrap();
    let names: Vec<_> = trail.fields.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(
        (names, trail.hops.len(), trail.is_cut),
        (vec!["a", "c"], 2, true)
    );
    // Fields without a text take room too.
    let empty = vec![(String::new(), Vec::new()); 2 * MAX_FIELD_BYTES];
    let trail = Trail::new(Vec::new(), empty).unwrap();
    assert_eq!(
        (trail.fields.len(), trail.is_cut),
        (MAX_FIELD_BYTES / 4, true)
    );
    // The last request stays, and nothing seems to lead past one that was too long.
    let hops = vec![long(10), long(MAX_HOP_BYTES), last.clone()];
    let trail = Trail::new(hops, Vec::new()).unwrap();
    assert_eq!((trail.hops, trail.is_cut), (vec![last.clone()], true));
    let trail = Trail::new(vec![last], vec![field("Set-Cookie", 10)]).unwrap();
    assert_eq!((trail.fields, trail.is_cut), (Vec::new(), false));
}
