//! The documents beside robots.txt, from servers on loopback: which are asked for, what each answer
//! means, and that no rule is broken to get one.

use crate::http::options;
use crate::robots::{CLOCK, clock, run};
use crate::{NEVER, SOON, at, client};
use abide::preference::{Documents, LicenceState, PreferenceProfile, TdmrepState, Vocabulary};
use abide::{Client, Outcome, Policy, Target, Usage};
use abide_fetch::guard::{Guard, Network};
use abide_fetch::http::{BoxFuture, Fetcher, Options, Retrieval};
use abide_fetch::machine::{Event, RetrievalSettings, State, Validators};
use abide_fetch::store::{FileStore, SharedOptions, SharedStore, Store};
use abide_fetch::{Body, Builder, Record, Resource, Retriever, RobotsCache};
use abide_testkit::fault::{ByteServer, Hit, RespServer, Script, Step};
use proptest::prelude::*;
use proptest::sample::select;
use std::fmt::Display;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

const DAY: i64 = 86_400;
const TDMREP: &str = "/.well-known/tdmrep.json";
/// A `tdmrep.json` that reserves everything.
const RESERVED: &str = r#"[{"location": "/", "tdm-reservation": 1}]"#;
/// A licence document that permits search, and nothing else.
const LICENCE: &str = r#"<rsl xmlns="https://rslstandard.org/rsl"><content url="/"><license><permits type="usage">search</permits></license></content></rsl>"#;

fn answer(status: u16, fields: &str, body: &str) -> String {
    let length = body.len();
    format!("HTTP/1.1 {status} X\r\n{fields}Content-Length: {length}\r\n\r\n{body}")
}

fn file(body: &str) -> String {
    answer(200, "", body)
}

fn redirect(to: &str) -> String {
    answer(302, &format!("Location: {to}\r\n"), "")
}

/// A server that answers each path, the first and later times, with what `says` returns.
fn server(says: impl Fn(&str, usize) -> Option<String> + Send + Sync + 'static) -> ByteServer {
    let steps = move |hit: &Hit<'_>| match says(hit.path, hit.nth) {
        Some(bytes) => vec![Step::send(bytes), Step::Fin],
        None => vec![Step::Hang],
    };
    ByteServer::new(Script::by(steps))
}

/// A server with these answers by path. Everything else is missing.
fn site(answers: &[(&str, String)]) -> ByteServer {
    let pairs = answers
        .iter()
        .map(|(path, answer)| ((*path).to_owned(), answer.clone()));
    let pairs: Vec<_> = pairs.collect();
    server(move |path, _| {
        let known = pairs.iter().find(|(known, _)| known == path);
        Some(known.map_or_else(|| answer(404, "", ""), |(_, answer)| answer.clone()))
    })
}

/// The paths that a server was asked for.
fn asked(server: &ByteServer) -> Vec<String> {
    let requests = server.requests().into_iter();
    let path = |head: String| head.split(' ').nth(1).unwrap().to_owned();
    requests.map(path).collect()
}

/// Lines that name licence documents.
fn naming_lines(urls: impl IntoIterator<Item = impl Display>) -> String {
    let lines = urls.into_iter().map(|url| format!("License: {url}\n"));
    lines.collect::<Vec<_>>().concat()
}

/// A robots.txt that names licence documents and allows everything.
fn naming(urls: impl IntoIterator<Item = impl Display>) -> String {
    file(&(naming_lines(urls) + "User-agent: *\nAllow: /\n"))
}

fn asking(vocabularies: &[Vocabulary]) -> Client {
    client().with_preferences(PreferenceProfile {
        vocabularies: Some(vocabularies.to_vec()),
        ..PreferenceProfile::default()
    })
}

/// A client that asks for both kinds of documents, and for nothing else.
fn reader() -> Client {
    asking(&[Vocabulary::Tdmrep, Vocabulary::Rsl])
}

fn builder(guard: Guard, options: Options) -> Builder<Fetcher> {
    let fetcher = Fetcher::new(guard, options, RetrievalSettings::default()).unwrap();
    RobotsCache::with_retriever(reader(), fetcher).clock(clock)
}

fn robots() -> RobotsCache {
    builder(Guard::open(), options()).build()
}

/// What is known of the documents for `url`.
async fn documents(robots: &RobotsCache, url: &str) -> Documents {
    let target = Target::new(url).unwrap();
    let policy = robots.for_url(url).await;
    robots.documents(&policy, &target).await
}

/// The outcomes for training, AI input and search, and what the decision still needs.
async fn decided(robots: &RobotsCache, url: &str) -> (Vec<Outcome>, Vec<String>) {
    let target = Target::new(url).unwrap();
    let policy = robots.for_url(url).await;
    let documents = robots.documents(&policy, &target).await;
    let decision = policy.decide(&target.with_documents(&documents));
    let usages = Usage::PREFERENCES.iter();
    let outcomes = usages.map(|usage| decision.outcome(*usage)).collect();
    (outcomes, decision.needs.clone())
}

/// The name of what is known of a `tdmrep.json`.
fn tdmrep(documents: &Documents) -> &'static str {
    match documents.tdmrep() {
        None => "not given",
        Some(TdmrepState::NotKnown) => "not known",
        Some(TdmrepState::LastKnown(_)) => "last known",
        Some(TdmrepState::Absent) => "absent",
        Some(TdmrepState::TooLarge) => "too large",
        Some(TdmrepState::File(_)) => "file",
    }
}

/// The name of what is known of a licence document.
fn licence(documents: &Documents, url: &str) -> &'static str {
    match documents.licence(url) {
        None | Some(LicenceState::NotKnown) => "not known",
        Some(LicenceState::Unreadable) => "unreadable",
        Some(LicenceState::Read(_)) => "read",
    }
}

/// A site whose robots.txt names a licence on another server, with these answers for both.
fn both(tdmrep: Option<String>, licence: Option<String>) -> (ByteServer, ByteServer, String) {
    let other = server(move |path, _| match path {
        "/l.xml" => licence.clone(),
        _ => Some(answer(404, "", "")),
    });
    let url = other.url("/l.xml");
    let robots_txt = naming([&url]);
    let own = server(move |path, _| match path {
        "/robots.txt" => Some(robots_txt.clone()),
        TDMREP => tdmrep.clone(),
        _ => Some(answer(404, "", "")),
    });
    (own, other, url)
}

#[test]
fn pref_131_both_documents_are_fetched_once() {
    let (own, other, url) = both(Some(file(RESERVED)), Some(file(LICENCE)));
    let robots = robots();
    run(async {
        for path in ["/x", "/y"] {
            let (outcomes, needs) = decided(&robots, &own.url(path)).await;
            assert_eq!(
                outcomes,
                [Outcome::Prohibited, Outcome::Prohibited, Outcome::Permitted]
            );
            assert!(needs.is_empty(), "{needs:?}");
        }
        let documents = documents(&robots, &own.url("/")).await;
        assert_eq!(tdmrep(&documents), "file");
        assert_eq!(licence(&documents, &url), "read");
    });
    assert_eq!(asked(&own), ["/robots.txt", TDMREP]);
    assert_eq!(asked(&other), ["/robots.txt", "/l.xml"]);
}

#[test]
fn pref_131_only_what_could_change_an_answer_is_fetched() {
    let settled = "User-agent: *\nContent-Usage: train-ai=n, ai-use=n, search=n\n";
    let open = "User-agent: *\nAllow: /\n";
    let default = || client().with_preferences(PreferenceProfile::default());
    let cases = [
        ("no preferences", client(), open, false, false),
        ("settled", default(), settled, false, false),
        ("all vocabularies", default(), open, true, true),
        ("tdmrep", asking(&[Vocabulary::Tdmrep]), open, true, false),
        ("rsl", asking(&[Vocabulary::Rsl]), open, false, true),
    ];
    for (what, client, rules, has_tdmrep, has_licence) in cases {
        let other = site(&[("/l.xml", file(LICENCE))]);
        let text = format!("License: {}\n{rules}", other.url("/l.xml"));
        let own = site(&[("/robots.txt", file(&text)), (TDMREP, file(RESERVED))]);
        let robots = robots().for_client(client);
        run(async { drop(documents(&robots, &own.url("/x")).await) });
        assert_eq!(
            asked(&own).contains(&TDMREP.to_owned()),
            has_tdmrep,
            "{what}"
        );
        assert_eq!(!asked(&other).is_empty(), has_licence, "{what}");
    }
}

/// What the caller has already is not fetched.
#[test]
fn pref_136_documents_that_were_given_stay() {
    let (own, other, url) = both(Some(file(RESERVED)), Some(file(LICENCE)));
    let given = Documents::default()
        .with_tdmrep(TdmrepState::Absent)
        .with_licence(url, LicenceState::Unreadable);
    let robots = robots();
    run(async {
        let page = own.url("/x");
        let target = Target::new(&page).unwrap().with_documents(&given);
        let policy = robots.for_url(&page).await;
        assert_eq!(robots.documents(&policy, &target).await, given);
    });
    assert_eq!(asked(&own), ["/robots.txt"]);
    assert!(asked(&other).is_empty());
}

/// S1 and S3: what each answer means for both kinds of documents.
#[test]
fn pref_81_and_pref_82_and_s1_statuses() {
    let cases = [
        (200, "", "absent", "unreadable"),
        (204, "", "absent", "unreadable"),
        (200, RESERVED, "file", "unreadable"),
        (200, LICENCE, "absent", "read"),
        (200, "<html>", "absent", "unreadable"),
        (206, RESERVED, "not known", "unreadable"),
        (304, "", "not known", "unreadable"),
        (401, "", "absent", "unreadable"),
        (403, "", "absent", "unreadable"),
        (404, RESERVED, "absent", "unreadable"),
        (410, "", "absent", "unreadable"),
        (429, "", "not known", "unreadable"),
        (451, "", "absent", "unreadable"),
        (500, RESERVED, "not known", "unreadable"),
        (503, "", "not known", "unreadable"),
    ];
    for (status, body, as_tdmrep, as_licence) in cases {
        let says = Some(answer(status, "", body));
        let (own, _other, url) = both(says.clone(), says);
        let robots = robots();
        run(async {
            let documents = documents(&robots, &own.url("/x")).await;
            let found = (tdmrep(&documents), licence(&documents, &url));
            assert_eq!(found, (as_tdmrep, as_licence), "{status} {body}");
        });
    }
}

/// C1 and C4: a server that refuses the connection, and one that accepts and stays silent.
#[test]
fn pref_82_and_c1_and_c4_no_answer() {
    let refusing = {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        format!("http://{}/l.xml", listener.local_addr().unwrap())
    };
    let own = server({
        let robots_txt = naming([&refusing]);
        move |path, _| (path == "/robots.txt").then(|| robots_txt.clone())
    });
    let mut options = options();
    options.head_timeout = SOON;
    let robots = builder(Guard::open(), options).build();
    run(async {
        let documents = documents(&robots, &own.url("/x")).await;
        assert_eq!(tdmrep(&documents), "not known");
        assert_eq!(licence(&documents, &refusing), "unreadable");
        let (outcomes, needs) = decided(&robots, &own.url("/x")).await;
        assert_eq!(outcomes, [Outcome::Prohibited; 3]);
        assert!(needs.is_empty(), "nothing could change: {needs:?}");
    });
    assert_eq!(asked(&own), ["/robots.txt", TDMREP]);
}

/// 404 is kept as long as a file, 503 only until the next attempt (S2, S4).
#[test]
fn pref_131_absence_is_kept_for_a_day() {
    for (status, seconds, times) in [(404, 3_600, 1), (404, DAY + 1, 2), (503, 3_600, 2)] {
        let (own, other, _url) = both(Some(answer(status, "", "")), Some(answer(status, "", "")));
        let robots = robots();
        run(async {
            for second in [0, seconds] {
                CLOCK.set(second);
                documents(&robots, &own.url("/x")).await;
            }
        });
        for server in [&own, &other] {
            let of_documents = asked(server).into_iter();
            let of_documents = of_documents.filter(|path| path != "/robots.txt").count();
            assert_eq!(of_documents, times, "{status} after {seconds} s");
        }
    }
}

/// While `tdmrep.json` is out of reach, the last known copy counts for 30 days (PREF-135).
#[test]
fn pref_135_and_cla_pref_15_a_last_known_tdmrep() {
    let own = server(|path, nth| {
        Some(match (path, nth) {
            (TDMREP, 0) => file(RESERVED),
            (TDMREP, _) => answer(503, "", ""),
            _ => file("User-agent: *\nAllow: /\n"),
        })
    });
    let robots = robots();
    run(async {
        let mut found = Vec::new();
        for day in [0, 2, 15, 30, 31] {
            CLOCK.set(day * DAY);
            let documents = documents(&robots, &own.url("/x")).await;
            found.push((day, tdmrep(&documents)));
        }
        assert_eq!(
            found,
            [
                (0, "file"),
                (2, "last known"),
                (15, "last known"),
                (30, "last known"),
                (31, "not known"),
            ]
        );
    });
}

/// While robots.txt is out of reach, what its last known copy prohibits stays prohibited, for
/// clients that ask for preferences. For others nothing changes.
#[test]
fn pref_135_a_last_known_robots_txt() {
    let own = server(|path, nth| {
        Some(match (path, nth) {
            ("/robots.txt", 0) => file("User-agent: *\nContent-Usage: train-ai=n, search=y\n"),
            ("/robots.txt", _) => answer(503, "", ""),
            _ => answer(404, "", ""),
        })
    });
    let robots = robots();
    let preferring = robots.for_client(asking(&[Vocabulary::ContentUsage]));
    let plain = robots.for_client(client());
    run(async {
        let url = own.url("/x");
        let target = Target::new(&url).unwrap();
        let mut found = Vec::new();
        for (day, is_reached) in [(0, true), (2, false), (30, false), (31, false)] {
            CLOCK.set(day * DAY);
            let policy = preferring.for_url(&url).await;
            assert_eq!(policy.allows(&url), is_reached);
            found.push((day, policy.decide(&target).outcome(Usage::Train)));
            let policy = plain.for_url(&url).await;
            assert_eq!(policy.allows(&url), is_reached);
            // Nobody asked, so nothing is known.
            assert_eq!(
                policy.decide(&target).outcome(Usage::Train),
                Outcome::Unknown
            );
        }
        assert_eq!(
            found,
            [
                (0, Outcome::Prohibited),
                (2, Outcome::Prohibited),
                (30, Outcome::Prohibited),
                (31, Outcome::Unknown),
            ]
        );
    });
}

/// Half a line at the end of what was fetched is no preference, also for a client with a larger
/// limit.
#[test]
fn pref_135_and_b2_a_last_known_file_that_was_cut() {
    let head = "User-agent: *\nContent-Usage: search=n\nContent-Usage: /x train-ai=n";
    let body = Body::cut(format!("{head}#").into_bytes());
    let settings = RetrievalSettings::default();
    let state = State::default()
        .after(
            Event::file(Vec::new(), &[], at(0)).with_body(|_: Vec<u8>| body),
            &settings,
        )
        .after(
            Event::failure(abide::rep::Cause::Timeout, at(2 * DAY)),
            &settings,
        );
    let plan = state.plan(at(2 * DAY), &settings);
    let policy = plan.policy(&asking(&[Vocabulary::ContentUsage]));
    let decision_of = |usage| {
        let target = Target::new("https://e.example/x").unwrap();
        policy.decide(&target).outcome(usage)
    };
    assert_eq!(decision_of(Usage::Search), Outcome::Prohibited);
    assert_eq!(decision_of(Usage::Train), Outcome::Unknown);
}

/// B1 and B2: a body beyond 512,000 bytes, and one that never ends.
#[test]
fn pref_85_and_pref_108_and_b1_and_b2_too_long() {
    let padded = |text: &str, length: usize| text.to_owned() + &" ".repeat(length - text.len());
    for (length, as_tdmrep, as_licence) in [
        (512_000, "file", "read"),
        (512_001, "too large", "unreadable"),
    ] {
        let (own, _other, url) = both(
            Some(file(&padded(RESERVED, length))),
            Some(file(&padded(LICENCE, length))),
        );
        let robots = robots();
        run(async {
            let documents = documents(&robots, &own.url("/x")).await;
            let found = (tdmrep(&documents), licence(&documents, &url));
            assert_eq!(found, (as_tdmrep, as_licence), "{length}");
        });
    }
    let endless = ByteServer::new(Script::by(|hit| match hit.path {
        TDMREP => vec![
            Step::send("HTTP/1.1 200 X\r\n\r\n"),
            Step::endless(RESERVED),
        ],
        _ => vec![Step::send(answer(404, "", "")), Step::Fin],
    }));
    let robots = robots();
    run(async {
        let documents = documents(&robots, &endless.url("/x")).await;
        assert_eq!(tdmrep(&documents), "too large");
    });
}

/// R1: a redirect to another host is followed, if that host allows it.
#[test]
fn pref_131_and_r1_redirects_to_another_host() {
    let last = site(&[("/t.json", file(RESERVED)), ("/l.xml", file(LICENCE))]);
    let to = |path: &str| Some(redirect(&last.url(path)));
    let (own, _other, url) = both(to("/t.json"), to("/l.xml"));
    let robots = robots();
    run(async {
        let documents = documents(&robots, &own.url("/x")).await;
        let found = (tdmrep(&documents), licence(&documents, &url));
        assert_eq!(found, ("file", "read"));
    });
    let mut paths = asked(&last);
    paths.sort();
    assert_eq!(paths, ["/l.xml", "/robots.txt", "/t.json"]);
}

/// The answer to a path.
type Says = dyn Fn(&str) -> String + Send + Sync;

/// R2 and R5: loops, a sixth redirect and bad redirects are failures. None of them says that there
/// is no file.
#[test]
fn pref_82_and_r2_and_r5_redirects_that_lead_nowhere() {
    let growing = |path: &str| {
        let hop = path.rsplit('/').next().and_then(|hop| hop.parse().ok());
        redirect(&format!("/hop/{}", hop.map_or(1, |hop: u32| hop + 1)))
    };
    let cases: [(&str, Box<Says>); 4] = [
        ("a loop", Box::new(redirect)),
        ("six redirects", Box::new(growing)),
        ("no location", Box::new(|_| answer(302, "", ""))),
        (
            "another scheme",
            Box::new(|_| redirect("file:///etc/passwd")),
        ),
    ];
    for (what, says) in cases {
        let own = server(move |path, _| {
            Some(match path {
                "/robots.txt" => file("User-agent: *\nLicense: http://l.invalid/\n"),
                _ => says(path),
            })
        });
        let robots = robots().for_client(asking(&[Vocabulary::Tdmrep]));
        run(async {
            let documents = documents(&robots, &own.url("/x")).await;
            assert_eq!(tdmrep(&documents), "not known", "{what}");
        });
        assert!(own.connections() <= 7, "{what}: {}", own.connections());
    }
}

/// R8: neither a document nor the target of its redirect is fetched from an address that the guard
/// refuses.
#[test]
fn pref_132_and_r8_the_guard() {
    let canary = site(&[("/t.json", file(RESERVED)), ("/l.xml", file(LICENCE))]);
    let url = canary.url("/l.xml");
    let own = site(&[
        ("/robots.txt", naming([&url])),
        (TDMREP, redirect(&canary.url("/t.json"))),
    ]);
    let SocketAddr::V4(address) = own.address() else {
        panic!("loopback");
    };
    let network = Network::new((*address.ip()).into(), 32);
    let guard = Guard::new().allow(network, address.port());
    let robots = builder(guard, options()).build();
    run(async {
        let documents = documents(&robots, &own.url("/x")).await;
        let found = (tdmrep(&documents), licence(&documents, &url));
        assert_eq!(found, ("not known", "unreadable"));
    });
    assert_eq!(canary.connections(), 0);
    assert_eq!(asked(&own), ["/robots.txt", TDMREP]);
}

/// A path that the rules disallow is not requested: not by its own spelling, not by one that is
/// sent differently, and not behind a redirect.
#[test]
fn pref_132_and_amb_pref_32_disallowed_paths() {
    let rules = "User-agent: *\nDisallow: /.well-known/\nDisallow: /private/\n";
    let other = site(&[
        ("/robots.txt", file(rules)),
        ("/private/l.xml", file(LICENCE)),
        ("/moved.xml", redirect("/private/l.xml")),
    ]);
    let urls = ["/private/l.xml", "/a/../private/l.xml", "/moved.xml"].map(|path| other.url(path));
    let own = site(&[
        ("/robots.txt", file(&(naming_lines(&urls) + rules))),
        (TDMREP, file(RESERVED)),
    ]);
    let robots = robots();
    run(async {
        let (outcomes, needs) = decided(&robots, &own.url("/x")).await;
        assert_eq!(outcomes, [Outcome::Prohibited; 3]);
        assert!(needs.is_empty(), "{needs:?}");
        let documents = documents(&robots, &own.url("/x")).await;
        assert_eq!(tdmrep(&documents), "not known");
        for url in &urls {
            assert_eq!(licence(&documents, url), "unreadable", "{url}");
        }
    });
    assert_eq!(asked(&own), ["/robots.txt"]);
    assert_eq!(asked(&other), ["/robots.txt", "/moved.xml"]);
}

/// N1: a hundred tasks cause one request for each file.
#[test]
fn pref_131_and_n1_one_request_for_a_hundred_tasks() {
    let (own, other, _url) = both(Some(file(RESERVED)), Some(file(LICENCE)));
    let robots = robots();
    run(async {
        let ask = |number: usize| {
            let (robots, url) = (robots.clone(), own.url(&format!("/{number}")));
            tokio::spawn(async move { decided(&robots, &url).await.0 })
        };
        let asked: Vec<_> = (0..100).map(ask).collect();
        for one in asked {
            assert_eq!(one.await.unwrap()[0], Outcome::Prohibited);
        }
    });
    assert_eq!(asked(&own), ["/robots.txt", TDMREP]);
    assert_eq!(asked(&other), ["/robots.txt", "/l.xml"]);
}

/// R7: user information of a licence's URL is not sent. Spellings of its authority
/// share one record.
#[test]
fn pref_131_and_r7_and_r14_one_record_for_spellings() {
    let other = site(&[("/l.xml?a=b", file(LICENCE))]);
    let port = other.address().port();
    let urls = [
        format!("http://127.0.0.1:{port}/l.xml?a=b"),
        format!("HTTP://me:secret@127.0.0.1:{port}/x/../l.xml?a=b"),
    ];
    let own = site(&[("/robots.txt", naming(&urls))]);
    let robots = robots();
    run(async {
        let documents = documents(&robots, &own.url("/x")).await;
        for url in &urls {
            assert_eq!(licence(&documents, url), "read", "{url}");
        }
    });
    assert_eq!(asked(&other), ["/robots.txt", "/l.xml?a=b"]);
    assert!(!other.requests().concat().contains("ecret"));
}

/// Eight documents of a level are read. A ninth makes the licence unreadable, so that no document
/// could change the answer, and none is asked for.
#[test]
fn pref_108_eight_documents_of_a_level() {
    for (named, requests) in [(8, 9), (9, 0), (40, 0)] {
        let other = server(|path, _| {
            Some(match path {
                "/robots.txt" => answer(404, "", ""),
                _ => file(LICENCE),
            })
        });
        let urls = (0..named).map(|number| other.url(&format!("/{number}.xml")));
        let own = site(&[("/robots.txt", naming(urls))]);
        let robots = robots();
        run(async {
            let (outcomes, needs) = decided(&robots, &own.url("/x")).await;
            assert_eq!(outcomes[0], Outcome::Prohibited);
            assert!(needs.is_empty(), "{needs:?}");
        });
        assert_eq!(asked(&other).len(), requests, "{named}");
    }
}

/// A site that answers for robots.txt at once, and for documents after an hour.
struct Slow;

impl Retriever for Slow {
    fn retrieve<'a>(&'a self, url: &'a str, _: &'a Validators) -> BoxFuture<'a, Retrieval> {
        Box::pin(async move {
            let names = naming_lines((0..5).map(|number| format!("https://l.example/{number}")));
            if !url.ends_with("/robots.txt") {
                tokio::time::sleep(Duration::from_secs(3_600)).await;
            }
            let text = format!("{names}User-agent: *\nAllow: /\n");
            Retrieval::new(Event::file(text, &[], at(0)))
        })
    }
}

/// R15: one deadline covers all documents of a question. The clock advances by itself.
#[tokio::test(start_paused = true)]
async fn pref_131_and_r15_one_deadline() {
    for (vocabulary, name) in [(Vocabulary::Tdmrep, "tdmrep"), (Vocabulary::Rsl, "rsl")] {
        CLOCK.set(0);
        let robots = RobotsCache::with_retriever(asking(&[vocabulary]), Slow);
        let robots = robots.clock(clock).build();
        let began = tokio::time::Instant::now();
        let documents = documents(&robots, "https://e.example/x").await;
        let took = began.elapsed();
        let (least, most) = (Duration::from_secs(30), Duration::from_secs(31));
        assert!((least..most).contains(&took), "{name}: {took:?}");
        if vocabulary == Vocabulary::Tdmrep {
            assert_eq!(tdmrep(&documents), "not known");
        } else {
            assert_eq!(licence(&documents, "https://l.example/4"), "unreadable");
        }
    }
}

/// N6: what one member of a fleet has fetched, the others do not fetch.
#[test]
fn pref_131_and_n6_documents_of_a_fleet() {
    let cache = RespServer::good();
    let (own, other, url) = both(Some(file(RESERVED)), Some(file(LICENCE)));
    CLOCK.set(abide_fetch::http::now().unix_seconds());
    for _ in 0..3 {
        let mut shared = SharedOptions::default();
        shared.deadline = NEVER;
        let store = SharedStore::new(&cache.url(), shared).unwrap();
        let robots = builder(Guard::open(), options()).store(store).build();
        run(async {
            let documents = documents(&robots, &own.url("/x")).await;
            let found = (tdmrep(&documents), licence(&documents, &url));
            assert_eq!(found, ("file", "read"));
        });
    }
    assert_eq!(asked(&own), ["/robots.txt", TDMREP]);
    assert_eq!(asked(&other), ["/robots.txt", "/l.xml"]);
}

/// A licence that says that it is fresh for no day is asked for again after five minutes, whatever
/// its response says.
#[test]
fn pref_107_a_licence_limits_its_freshness() {
    for (age, times) in [("0", 2), ("1", 1)] {
        let text = LICENCE.replace("<rsl ", &format!("<rsl max-age='{age}' "));
        let fields = "Cache-Control: max-age=86400\r\n";
        let (own, other, url) = both(None, Some(answer(200, fields, &text)));
        let robots = robots().for_client(asking(&[Vocabulary::Rsl]));
        run(async {
            for second in [0, 200, 400] {
                CLOCK.set(second);
                let documents = documents(&robots, &own.url("/x")).await;
                assert_eq!(licence(&documents, &url), "read");
            }
        });
        let of_documents = asked(&other).into_iter().filter(|path| path == "/l.xml");
        assert_eq!(of_documents.count(), times, "{age}");
    }
}

fn stored(path: &Path) -> Builder<Fetcher> {
    builder(Guard::open(), options()).store(FileStore::open(path).unwrap())
}

/// Documents are kept in the store with robots.txt, and read again after a restart, also offline.
#[test]
fn pref_131_documents_survive_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("robots.redb");
    let (own, other, url) = both(Some(file(RESERVED)), Some(file(LICENCE)));
    for (hour, is_offline) in [(0, false), (1, false), (2, true)] {
        CLOCK.set(hour * 3_600);
        let robots = stored(&path).offline(is_offline).build();
        run(async {
            let documents = documents(&robots, &own.url("/x")).await;
            let found = (tdmrep(&documents), licence(&documents, &url));
            assert_eq!(found, ("file", "read"), "after {hour} hours");
        });
    }
    assert_eq!(asked(&own), ["/robots.txt", TDMREP]);
    assert_eq!(asked(&other), ["/robots.txt", "/l.xml"]);
    let store = FileStore::open_to_read(&path).unwrap();
    let mut names: Vec<_> = store
        .sites()
        .unwrap()
        .into_iter()
        .map(|known| known.name)
        .collect();
    let mut expected = vec![own.url(""), own.url(TDMREP), other.url(""), url];
    names.sort();
    expected.sort();
    assert_eq!(names, expected);
    assert!(
        store
            .sites()
            .unwrap()
            .iter()
            .all(|known| known.record.is_ok())
    );
}

/// Offline nothing is sent. What is past its time is not known, and a `tdmrep.json` that could not
/// be asked for is silent for who does not name the vocabulary.
#[test]
fn cla_pref_1_and_cla_pref_2_offline() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("robots.redb");
    let (own, other, url) = both(Some(file(RESERVED)), Some(file(LICENCE)));
    CLOCK.set(0);
    let page = own.url("/x");
    let robots_txt = run(async {
        let robots = stored(&path).build();
        documents(&robots, &page).await;
        robots
            .state(&page)
            .await
            .unwrap()
            .state
            .body()
            .unwrap()
            .clone()
    });
    let before = (own.connections(), other.connections());
    CLOCK.set(2 * DAY);
    let robots = stored(&path).offline(true).build();
    run(async {
        let target = Target::new(&page).unwrap();
        for (client, train) in [
            (asking(&[Vocabulary::Tdmrep]), Outcome::Unknown),
            (
                client().with_preferences(PreferenceProfile::default()),
                Outcome::Unspecified,
            ),
        ] {
            let robots = robots.for_client(client);
            let text = "User-agent: *\nAllow: /\n";
            let policy = Policy::compile(text, robots.client());
            let documents = robots.documents(&policy, &target).await;
            assert_eq!(tdmrep(&documents), "not given");
            let decision = policy.decide(&target.with_documents(&documents));
            assert_eq!(decision.outcome(Usage::Train), train);
        }
        let policy = Policy::compile(robots_txt.as_bytes(), robots.client());
        let documents = robots.documents(&policy, &target).await;
        assert_eq!(licence(&documents, &url), "not known");
    });
    assert_eq!((own.connections(), other.connections()), before);
}

/// Stores an event of a resource.
async fn happen(store: &FileStore, resource: &Resource, body: &str, came: i64) {
    let event = Event::file(body.as_bytes().to_vec(), &[], at(came)).with_body(Body::new);
    let known = store.load(resource).await.unwrap();
    let state = known.map_or_else(State::default, |record| record.state);
    let record = Record {
        resource: resource.clone(),
        state: state.after(event.clone(), &RetrievalSettings::default()),
    };
    store.save(&record, &event).await.unwrap();
}

/// The past: robots.txt and `tdmrep.json` count as in force then, licence documents as in force
/// now.
#[test]
fn pref_29_and_pref_133_documents_of_the_past() {
    let folder = tempfile::tempdir().unwrap();
    let store = FileStore::open(folder.path().join("robots.redb")).unwrap();
    let other = site(&[("/l.xml", file(LICENCE))]);
    let page = "https://e.example/x";
    let robots_txt = Resource::robots_txt(page).unwrap();
    let document = Resource::document("https://e.example/.well-known/tdmrep.json").unwrap();
    let line = format!("License: {}\n", other.url("/l.xml"));
    let robots = robots();
    CLOCK.set(100 * DAY);
    run(async {
        happen(&store, &robots_txt, "User-agent: *\nAllow: /\n", DAY).await;
        happen(&store, &document, RESERVED, DAY).await;
        happen(&store, &document, "[]", 3 * DAY).await;
        happen(
            &store,
            &robots_txt,
            &format!("{line}User-agent: *\nAllow: /\n"),
            3 * DAY,
        )
        .await;
        let disallowing = "User-agent: *\nDisallow: /.well-known/\n";
        happen(&store, &robots_txt, disallowing, 5 * DAY).await;
        happen(&store, &document, RESERVED, 5 * DAY).await;
        let settings = RetrievalSettings::default();
        let mut found = Vec::new();
        for hours in [0, 25, 73, 121] {
            let then = at(hours * 3_600);
            let state = store.state_at(&robots_txt, then, &settings).unwrap();
            let policy = state
                .unwrap_or_default()
                .plan(then, &settings)
                .policy(&reader());
            let target = Target::new(page).unwrap();
            let documents = robots.documents_at(&store, then, &policy, &target);
            let documents = documents.await.unwrap();
            let decision = policy.decide(&target.with_documents(&documents));
            let train = decision.outcome(Usage::Train);
            found.push((
                hours,
                tdmrep(&documents),
                train,
                decision.outcome(Usage::Search),
            ));
        }
        let (unknown, silent) = (Outcome::Unknown, Outcome::Unspecified);
        assert_eq!(
            found,
            [
                (0, "not known", unknown, unknown),
                (25, "file", Outcome::Prohibited, silent),
                (73, "file", Outcome::Prohibited, Outcome::Permitted),
                (121, "not known", unknown, silent),
            ]
        );
    });
    assert_eq!(asked(&other), ["/robots.txt", "/l.xml"]);
}

/// A `Resource` is an authority or a URL with a path, and its key leads back to it.
#[test]
fn keys_of_resources() {
    for (url, robots_txt, document) in [
        (
            "https://e.example",
            "https://e.example",
            "https://e.example/",
        ),
        (
            "HTTPS://E.example.:443/A?b#c",
            "https://e.example",
            "https://e.example/A?b",
        ),
        (
            "http://0x7f.1:8080/a/./b",
            "http://127.0.0.1:8080",
            "http://127.0.0.1:8080/a/b",
        ),
        (
            "http://[::1]/robots.txt",
            "http://[::1]",
            "http://[::1]/robots.txt",
        ),
    ] {
        let of_site = Resource::robots_txt(url).unwrap();
        let beside = Resource::document(url).unwrap();
        assert_eq!((of_site.as_str(), beside.as_str()), (robots_txt, document));
        assert!(!of_site.is_document() && beside.is_document());
        assert_eq!(of_site.origin(), beside.origin());
        assert_eq!(of_site.origin().as_str(), robots_txt);
        for resource in [of_site, beside] {
            assert_eq!(Resource::of_key(resource.as_str()), Some(resource));
        }
    }
    let long = format!("https://e.example/{}", "a".repeat(9_000));
    assert_eq!(Resource::document(&long), None);
    for key in [
        "",
        "e.example",
        "https://E.example",
        "https://e.example/a#b",
    ] {
        assert_eq!(Resource::of_key(key), None, "{key}");
    }
}

const PATHS: [&str; 6] = [
    "/l.xml",
    "/a/l.xml",
    "/a/b/l.xml",
    "/b.xml",
    "/a/b.xml",
    TDMREP,
];
const RULES: [&str; 6] = ["/", "/a/", "/a/b", "/*.xml$", "/.well-known", "/b"];

/// What a server of the property serves: its rules, and where each path redirects to, by the number
/// of the server and the path.
#[derive(Clone, Debug)]
struct Served {
    rules: Vec<(bool, &'static str)>,
    redirects: Vec<Option<(usize, &'static str)>>,
}

fn served() -> impl Strategy<Value = Served> {
    let rule = (any::<bool>(), select(&RULES[..]));
    let hop = proptest::option::of((0..2_usize, select(&PATHS[..])));
    (
        prop::collection::vec(rule, 0..3),
        prop::collection::vec(hop, PATHS.len()),
    )
        .prop_map(|(rules, redirects)| Served { rules, redirects })
}

impl Served {
    fn robots_txt(&self, licences: &str) -> String {
        let rules = self.rules.iter().map(|(allows, path)| {
            let key = if *allows { "Allow" } else { "Disallow" };
            format!("{key}: {path}\n")
        });
        let rules = rules.collect::<Vec<_>>().concat();
        format!("{licences}User-agent: *\n{rules}")
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    /// No document is requested whose path the rules of its own site disallow: whatever the rules
    /// are, and wherever redirects lead.
    #[test]
    fn pref_132_no_request_breaks_a_rule(sites in [served(), served()], named in prop::collection::vec((0..2_usize, select(&PATHS[..])), 0..4)) {
        let addresses = Arc::new(Mutex::new(Vec::<SocketAddr>::new()));
        let servers: Vec<_> = sites.iter().cloned().map(|site| {
            let (addresses, named) = (addresses.clone(), named.clone());
            server(move |path, _| {
                let addresses = addresses.lock().unwrap();
                let url = |(server, path): (usize, &str)| format!("http://{}{path}", addresses[server]);
                if path == "/robots.txt" {
                    let lines = naming_lines(named.iter().map(|at| url(*at)));
                    return Some(file(&site.robots_txt(&lines)));
                }
                let at = PATHS.iter().position(|known| *known == path).unwrap();
                Some(match site.redirects[at] {
                    Some(to) => redirect(&url(to)),
                    None if path == TDMREP => file(RESERVED),
                    None => file(LICENCE),
                })
            })
        }).collect();
        addresses.lock().unwrap().extend(servers.iter().map(ByteServer::address));
        let robots = robots();
        run(async { drop(documents(&robots, &servers[0].url("/x")).await) });
        for (server, site) in servers.iter().zip(&sites) {
            let policy = Policy::compile(site.robots_txt(""), &client());
            for path in asked(server) {
                prop_assert!(policy.allows(&path), "{path} of {site:?}");
            }
        }
    }
}
