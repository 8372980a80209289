//! A fleet of eight processes, a real server, and a hundred sites that count their requests.

use super::server::real;
use super::{Bed, patient, patient_options, quick};
use crate::http::{ok, options};
use crate::{NEVER, client, eventually};
use abide_fetch::guard::Guard;
use abide_fetch::http::Fetcher;
use abide_fetch::machine::RetrievalSettings;
use abide_fetch::store::{Lease, SharedOptions, SharedStore, Store};
use abide_fetch::{Resource, RobotsCache};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

const MEMBERS: usize = 8;
const SITES: u8 = 100;
/// URLs of each member: ten thousand for the fleet.
const URLS: u32 = 1_250;

/// A hundred sites at 127.0.1.1 to 127.0.1.100, on one port.
struct Sites {
    port: u16,
    asked: Arc<Mutex<BTreeMap<std::net::IpAddr, usize>>>,
}

impl Sites {
    fn new() -> Self {
        let listener = TcpListener::bind((Ipv4Addr::UNSPECIFIED, 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        let asked: Arc<Mutex<BTreeMap<_, _>>> = Arc::default();
        let counted = Arc::clone(&asked);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let counted = Arc::clone(&counted);
                std::thread::spawn(move || answer(&stream, &counted));
            }
        });
        Self { port, asked }
    }

    /// Requests per site: the minimum, the maximum and the total.
    fn asked(&self) -> (usize, usize, usize) {
        let asked = self.asked.lock().unwrap();
        assert_eq!(asked.len(), usize::from(SITES));
        let (least, most) = (asked.values().min(), asked.values().max());
        (*least.unwrap(), *most.unwrap(), asked.values().sum())
    }
}

fn answer(stream: &TcpStream, counted: &Mutex<BTreeMap<std::net::IpAddr, usize>>) {
    let mut lines = BufReader::new(stream).lines().map_while(Result::ok);
    if lines.any(|line| line.is_empty()) {
        let site = stream.local_addr().unwrap().ip();
        *counted.lock().unwrap().entry(site).or_default() += 1;
        // Long enough for other requests to arrive meanwhile.
        std::thread::sleep(Duration::from_millis(10));
        let mut stream = stream;
        drop(stream.write_all(ok("User-agent: *\nDisallow: /x\n").as_bytes()));
    }
}

/// Runs this test program as a member of the fleet that acts as `role`.
pub(super) fn member(role: &str, store: &str, what: &str) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args([
            "--exact",
            "shared::fleet::one_member",
            "--nocapture",
            "--test-threads=1",
        ])
        .env("ABIDE_TEST_MEMBER", role)
        .env("ABIDE_TEST_STORE", store)
        .env("ABIDE_TEST_WHAT", what)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Waits until the member has printed `word`.
fn await_word(child: &mut Child, word: &str) {
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(lines.map_while(Result::ok).any(|line| line.contains(word)));
}

/// The work of a member; does nothing in a normal test run.
#[tokio::test]
async fn one_member() {
    let Ok(role) = std::env::var("ABIDE_TEST_MEMBER") else {
        return;
    };
    let told = |name: &str| std::env::var(name).unwrap();
    let (store, what) = (told("ABIDE_TEST_STORE"), told("ABIDE_TEST_WHAT"));
    match role.as_str() {
        "crawls" => crawl(patient(&store), &what).await,
        "paces" => super::slots::crawl(&store, &what).await,
        "crawls alone" => crawl(quick(&store), &what).await,
        "holds" => {
            let origin = Resource::robots_txt(&what).unwrap();
            let store = SharedStore::new(&store, short_lease()).unwrap();
            let lease = store.lease(&origin).await.unwrap();
            assert!(matches!(lease, Lease::Ours(_)));
            println!("it is held");
            tokio::time::sleep(NEVER).await;
        }
        other => panic!("{other}"),
    }
}

/// A lease that expires within the test unless it is renewed, and long enough that a process that
/// waits seconds for the processor still renews it.
fn short_lease() -> SharedOptions {
    let mut options = patient_options();
    options.lease = Duration::from_secs(5);
    options
}

/// Asks about all URLs of a member, on a hundred sites, at once.
async fn crawl(store: SharedStore, port: &str) {
    let fetcher = Fetcher::new(Guard::open(), options(), RetrievalSettings::default()).unwrap();
    let robots = RobotsCache::with_retriever(client(), fetcher)
        .store(store)
        .build();
    let asked: Vec<_> = (0..URLS)
        .map(|number| {
            let site = number % u32::from(SITES) + 1;
            let base = format!("http://127.0.1.{site}:{port}");
            let robots = robots.clone();
            tokio::spawn(async move {
                let policy = robots.for_url(&format!("{base}/{number}")).await;
                assert!(!policy.allows("/x") && policy.allows("/y"), "{base}");
            })
        })
        .collect();
    for one in asked {
        one.await.unwrap();
    }
}

fn crawl_of_fleet(members: usize, role: &str, store: &str, sites: &Sites) {
    let what = sites.port.to_string();
    let fleet: Vec<_> = (0..members).map(|_| member(role, store, &what)).collect();
    for member in fleet {
        let ended = member.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&ended.stdout);
        assert!(ended.status.success(), "{said}");
    }
}

/// N6 and G-30: eight processes, a hundred sites, ten thousand URLs: every site is asked once, or
/// once by each process if the store is down.
#[test]
fn n6_a_fleet_of_eight() {
    let Some(mut server) = real() else {
        return;
    };
    let sites = Sites::new();
    let began = Instant::now();
    crawl_of_fleet(MEMBERS, "crawls", &server.url(), &sites);
    let (up, took) = (sites.asked(), began.elapsed());
    assert_eq!(up, (1, 1, 100), "with a store");
    // A second run finds everything in the store.
    crawl_of_fleet(1, "crawls", &server.url(), &sites);
    assert_eq!(sites.asked(), (1, 1, 100), "warm");
    server.kill();
    let sites = Sites::new();
    crawl_of_fleet(MEMBERS, "crawls alone", &server.url(), &sites);
    let down = sites.asked();
    println!("fleet of {MEMBERS}: up {up:?} in {took:?}; down {down:?}");
    assert!(down.1 <= MEMBERS, "{down:?}");
}

/// N7: a lease without an expiry, which no member writes, gets one from a member that waits for it.
#[tokio::test]
async fn n7_a_lease_without_end() {
    let Some(server) = real() else { return };
    let bed = Bed::new();
    let key = format!("abide:lease:{}", bed.origin());
    server.order(&["SET", &key, "x"]);
    let store = SharedStore::new(&server.url(), short_lease()).unwrap();
    bed.ask(&store).await;
    assert_eq!((bed.site.connections(), bed.heard()), (1, Vec::new()));
    eventually("ended", async || {
        server.admin(&["EXISTS", &key]) == ":0\r\n"
    })
    .await;
}

/// N7: the holder of the lease is killed. The lease expires, and one of the waiting members takes
/// over.
#[tokio::test]
async fn n7_the_holder_dies() {
    let Some(server) = real() else { return };
    let bed = Bed::new();
    let mut holder = member("holds", &server.url(), &bed.site.url("/"));
    await_word(&mut holder, "it is held");
    let store = || SharedStore::new(&server.url(), short_lease()).unwrap();
    let waiters: Vec<_> = (0..6).map(|_| bed.builder(&store()).build()).collect();
    let asked: Vec<_> = waiters
        .iter()
        .map(|waiter| {
            let (waiter, url) = (waiter.clone(), bed.site.url("/x"));
            tokio::spawn(async move { waiter.for_url(&url).await.allows("/x") })
        })
        .collect();
    // The lease is renewed for as long as the holder lives.
    tokio::time::sleep(short_lease().lease * 2).await;
    assert_eq!(bed.site.connections(), 0);
    holder.kill().unwrap();
    holder.wait().unwrap();
    for one in asked {
        assert!(!one.await.unwrap());
    }
    assert_eq!((bed.site.connections(), bed.heard()), (1, Vec::new()));
    let key = format!("abide:lease:{}", bed.origin());
    eventually("given back", async || {
        server.admin(&["EXISTS", &key]) == ":0\r\n"
    })
    .await;
}
