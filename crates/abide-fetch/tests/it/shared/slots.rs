//! Slots of sites in a real server.

#![allow(clippy::cast_precision_loss, reason = "small numbers of a test")]

use super::fleet::member;
use super::server::real;
use super::{fair, patient};
use crate::fleet::keeps_the_rules_of_slots;
use crate::http::{ok, options};
use crate::{client, eventually};
use abide_fetch::RobotsCache;
use abide_fetch::guard::Guard;
use abide_fetch::http::Fetcher;
use abide_fetch::machine::RetrievalSettings;
use abide_fetch::pace::{
    Fleet, FleetMember, PaceSettings, Pacer, QueueEnd, SlotAnswer, SlotHolder, Slots,
};
use abide_testkit::valkey::ValkeyServer;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader, Write};
use std::net::{IpAddr, Ipv4Addr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

/// The server has been there since 1970.
fn has_been_there(server: &ValkeyServer) {
    let info = server.admin(&["INFO", "server"]);
    let run = info
        .split("run_id:")
        .nth(1)
        .unwrap()
        .lines()
        .next()
        .unwrap();
    server.order(&["SET", "abide:paces-since", &format!("1 {run}")]);
}

#[tokio::test]
async fn a_server_keeps_the_rules_of_slots() {
    let Some(server) = real() else { return };
    let slots = patient(&server.url());
    has_been_there(&server);
    keeps_the_rules_of_slots(&slots).await;
}

/// Which run of the server answers is asked once for each connection, not with each question.
#[tokio::test]
async fn a_server_is_asked_once_which_run_it_is() {
    let Some(server) = real() else { return };
    has_been_there(&server);
    let asked = || {
        let stats = server.admin(&["INFO", "commandstats"]);
        let calls = stats.split("cmdstat_info:calls=").nth(1);
        let calls = calls.and_then(|rest| rest.split(',').next());
        calls.map_or(0, |calls| calls.parse::<u32>().unwrap())
    };
    let store = patient(&server.url());
    let before = asked();
    for number in 0..20 {
        let holder = SlotHolder::random().unwrap();
        let slot = store
            .take(
                &format!("s{number}"),
                &holder,
                Duration::ZERO,
                QueueEnd::Back,
            )
            .await;
        assert!(matches!(slot, Ok(SlotAnswer::Given { .. })), "{slot:?}");
    }
    // One of them was asked by this test.
    assert_eq!(asked() - before, 2);
}

/// What is no state of a site counts as none, and is replaced.
#[tokio::test]
async fn values_that_no_member_wrote() {
    let Some(server) = real() else { return };
    let slots = patient(&server.url());
    has_been_there(&server);
    let holder = SlotHolder::random().unwrap();
    let far = "99999999999999 0 0 ";
    for order in [
        &["SET", "abide:pace:a", "nonsense"][..],
        &["SET", "abide:pace:a", far],
        &["SET", "abide:pace:a", "1 99999999999999 0 "],
        &["SET", "abide:pace:a", ""],
        &["RPUSH", "abide:pace:a", "1"],
    ] {
        server.order(&["DEL", "abide:pace:a"]);
        server.order(order);
        let answer = slots
            .take("a", &holder, Duration::from_secs(1), QueueEnd::Back)
            .await;
        let given = SlotAnswer::Given { backoff: None };
        assert_eq!(answer, Ok(given), "{order:?}");
    }
    // A server without data, or whose clock was set back, first hears who holds what.
    for order in [
        &["FLUSHALL"][..],
        &["SET", "abide:paces-since", "99999999999999 0"],
        // It was restarted with old data.
        &["SET", "abide:paces-since", "1 0123456789abcdef"],
        &["SET", "abide:paces-since", "nan"],
        &["RPUSH", "abide:paces-since", "1"],
    ] {
        server.order(&["DEL", "abide:pace:a", "abide:paces-since"]);
        server.order(order);
        let answer = slots
            .take("a", &holder, Duration::from_secs(1), QueueEnd::Back)
            .await;
        let Ok(SlotAnswer::Wait(wait)) = answer else {
            panic!("{answer:?}")
        };
        assert_eq!(wait, SlotHolder::RENEWAL + Duration::from_secs(1));
    }
}

const MEMBERS: u32 = 3;

/// What sites were asked for: the path, and when the request came and its answer went.
type Log = Arc<Mutex<BTreeMap<IpAddr, Vec<(String, Instant, Instant)>>>>;

/// The delay of the site at 127.0.1.`number`.
fn delay_of(number: u8) -> Duration {
    let longest = if std::env::var_os("ABIDE_FLEET").is_some() {
        500
    } else {
        200
    };
    Duration::from_millis(u64::from(number % 5) * longest)
}

/// Answers one request.
fn answer(mut stream: &TcpStream, log: &Log) {
    let began = Instant::now();
    let site = stream.local_addr().unwrap().ip();
    let IpAddr::V4(address) = site else { return };
    let mut lines = BufReader::new(stream).lines().map_while(Result::ok);
    let Some(first) = lines.next() else { return };
    lines.any(|line| line.is_empty());
    let path = first.split(' ').nth(1).unwrap_or_default().to_owned();
    let delay = delay_of(address.octets()[3]).as_secs_f64();
    let body = format!("User-agent: *\nCrawl-delay: {delay}\nDisallow: /private\n");
    std::thread::sleep(Duration::from_millis(10));
    let ended = Instant::now();
    let mut log = log.lock().unwrap();
    log.entry(site).or_default().push((path, began, ended));
    drop(log);
    drop(stream.write_all(ok(&body).as_bytes()));
}

/// The work of one member: every third page of each site. `what` is the port, the number of the
/// member, of the sites and of the pages of each site.
pub(super) async fn crawl(store: &str, what: &str) {
    let numbers: Vec<u32> = what.split(' ').map(|word| word.parse().unwrap()).collect();
    let [port, number, sites, pages] = numbers[..] else {
        panic!("{what}")
    };
    let store = fair(store);
    let mut settings = PaceSettings::default();
    settings.min_delay = Duration::ZERO;
    let fleet = Fleet::new(store.clone(), FleetMember::new(number, MEMBERS).unwrap());
    let pacer = Pacer::in_fleet(&settings, fleet, move |report| {
        println!("{number}: {report}");
    });
    let fetcher = Fetcher::new(Guard::open(), options(), RetrievalSettings::default()).unwrap();
    let robots = RobotsCache::with_retriever(client(), fetcher)
        .store(store)
        .pacer(pacer)
        .build();
    let urls = (1..=sites).flat_map(|site| {
        let private = (number == 0).then(|| format!("http://127.0.1.{site}:{port}/private"));
        let mine = (0..pages).filter(move |page| page % MEMBERS == number);
        mine.map(move |page| format!("http://127.0.1.{site}:{port}/{page}"))
            .chain(private)
    });
    let mut tasks = tokio::task::JoinSet::new();
    for url in urls {
        let robots = robots.clone();
        tasks.spawn(async move {
            let Some((url, mut visit)) = robots.turn(&url).await.unwrap() else {
                return;
            };
            let url = url::Url::parse(url.as_str()).unwrap();
            let address = (url.host_str().unwrap(), url.port().unwrap());
            let mut stream = tokio::net::TcpStream::connect(address).await.unwrap();
            let request = format!("GET {} HTTP/1.0\r\n\r\n", url.path());
            stream.write_all(request.as_bytes()).await.unwrap();
            stream.read_to_end(&mut Vec::new()).await.unwrap();
            visit.answered(200, &[]);
        });
    }
    while let Some(done) = tasks.join_next().await {
        done.unwrap();
    }
}

/// Sites that note what they are asked for, and their port.
fn sites_with_delays() -> (u16, Log) {
    let listener = TcpListener::bind((Ipv4Addr::UNSPECIFIED, 0)).unwrap();
    let port = listener.local_addr().unwrap().port();
    let asked = Log::default();
    let noted = Arc::clone(&asked);
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let noted = Arc::clone(&noted);
            std::thread::spawn(move || answer(&stream, &noted));
        }
    });
    (port, asked)
}

/// Every page was fetched, nothing else, and never before the delay had passed since the end of the
/// last answer. Returns the shortest time that this can take, in seconds.
fn checked(site: IpAddr, visits: &[(String, Instant, Instant)], pages: usize) -> f64 {
    let IpAddr::V4(address) = site else {
        panic!("{site}")
    };
    let delay = delay_of(address.octets()[3]);
    let mut paths: Vec<_> = visits.iter().map(|(path, ..)| path.as_str()).collect();
    assert!(!paths.contains(&"/private"));
    paths.retain(|path| *path != "/robots.txt");
    paths.sort_unstable();
    paths.dedup();
    assert_eq!(paths.len(), pages, "{site}");
    for pair in visits.windows(2) {
        let rest = pair[1].1.duration_since(pair[0].2);
        assert!(rest >= delay, "{site}: {rest:?} between {pair:?}");
    }
    delay.as_secs_f64() * (visits.len() - 1) as f64
}

/// Whether each member has fetched one of its pages.
fn every_member_came(visits: &[(String, Instant, Instant)]) -> bool {
    let pages = visits
        .iter()
        .filter_map(|(path, ..)| path.get(1..)?.parse().ok());
    let members: BTreeSet<u32> = pages.map(|page: u32| page % MEMBERS).collect();
    members.len() == MEMBERS as usize
}

/// Three processes crawl the same sites, and their server is killed meanwhile: the requests to the
/// sites prove every delay. With `ABIDE_FLEET=sites,pages` it is a long crawl, and the server comes
/// back.
#[tokio::test]
async fn no_site_is_visited_before_its_delay_has_passed() {
    let Some(mut server) = real() else { return };
    let long = std::env::var("ABIDE_FLEET").ok();
    let numbers = long.as_deref().map(|long| long.split_once(',').unwrap());
    let number = |text: &str| text.parse::<usize>().unwrap();
    let (sites, pages) = numbers.map_or((10, 15), |(sites, pages)| (number(sites), number(pages)));
    let ((port, asked), began) = (sites_with_delays(), Instant::now());
    let fleet: Vec<_> = (0..MEMBERS)
        .map(|number| {
            let what = format!("{port} {number} {sites} {pages}");
            member("paces", &server.url(), &what)
        })
        .collect();
    // While the server is silent, no member knows the delay of a site whose file it has not read.
    eventually("each member knows each site", async || {
        let asked = asked.lock().unwrap();
        asked.len() == sites && asked.values().all(|visits| every_member_came(visits))
    })
    .await;
    server.kill();
    let silent = Instant::now() + Duration::from_secs(3);
    if long.is_some() {
        std::thread::sleep(Duration::from_secs(90));
        server.restart();
    }
    // On a busy machine, a member may have all of its pages before the server is killed.
    let mut alone = 0;
    for member in fleet {
        let ended = member.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&ended.stdout);
        assert!(ended.status.success(), "{said}");
        let is_alone = said.contains("no longer shared");
        let is_back = said.contains("answers again");
        assert_eq!(is_back, is_alone && long.is_some(), "{said}");
        alone += usize::from(is_alone);
    }
    assert!(alone > 0, "nobody saw that the server was killed");
    let (asked, took) = (asked.lock().unwrap(), began.elapsed());
    assert_eq!(asked.len(), sites);
    let least = asked
        .iter()
        .map(|(site, visits)| checked(*site, visits, pages));
    let least = least.fold(0.0, f64::max);
    let beginnings = || asked.values().flatten().map(|visit| visit.1);
    let (all, alone) = (
        beginnings().count(),
        beginnings().filter(|at| *at > silent).count(),
    );
    println!(
        "{sites} sites: {all} requests in {took:?}, {alone} after the server was killed; {least:.1} s were needed"
    );
    assert!(alone > 0);
}
