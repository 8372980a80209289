//! Faults in names (D): answers of a resolver, and the system's resolver with servers that
//! misbehave.

use super::network::{Attempt, Names, Servers, ips};
use super::{
    FILE, OVERRUN, Retrieval, fails, fetch_with, file, paused, retrieved, run, striking, succeeds,
    timely, wait,
};
use crate::http::{options, unreachable};
use crate::{at_once, ended};
use abide::rep::Cause;
use abide::{Client, ProductToken};
use abide_fetch::RobotsCache;
use abide_fetch::guard::Guard;
use abide_fetch::http::{DnsResolver, Fetcher, Options, SystemConnector};
use abide_fetch::machine::{RetrievalSettings, Validators};
use abide_testkit::fault::{
    ByteServer, Data, DnsQuestion, DnsServer, Record, Reply, Script, namespace,
};
use std::collections::BTreeSet;
use std::io;
use std::net::IpAddr;
use std::time::{Duration, Instant};

/// An address that the guard admits. In a namespace it belongs to `lo`.
const PUBLIC: &str = "93.184.216.34";
const SETUP: &str = "ip addr add 93.184.216.34/32 dev lo";

fn quick() -> Options {
    let mut options = options();
    options.name_timeout = Duration::from_millis(400);
    options
}

fn over(guard: Guard, names: &Names, servers: &Servers) -> Fetcher {
    let (names, servers) = (names.clone(), servers.clone());
    Fetcher::with_network(guard, quick(), RetrievalSettings::default(), names, servers).unwrap()
}

/// Runs one retrieval over a network in memory.
fn simulated(guard: Guard, url: &str, names: &Names, servers: &Servers) -> Retrieval {
    let fetcher = over(guard, names, servers);
    paused(timely(&fetcher, url, quick().deadline))
}

/// DNS servers on loopback, and a web server at the public address, inside a namespace.
fn served(
    choice: impl Fn(&DnsQuestion) -> Vec<Reply> + Send + Sync + 'static,
) -> (DnsServer, ByteServer) {
    let names = DnsServer::at(&["127.0.0.1:53", "127.0.0.2:53"], choice);
    let script = Script::saying(file("", FILE.as_bytes()));
    (names, ByteServer::at("93.184.216.34:80", None, script))
}

fn public(question: &DnsQuestion) -> Reply {
    Reply::addresses(question, &ips(&[PUBLIC]))
}

/// Fetches with the defaults. The system's resolver has its own timeout.
fn resolved(host: &str) -> Retrieval {
    let url = format!("http://{host}/robots.txt");
    fetch_with(&url, Guard::new(), options())
}

/// Fetches a name with the defaults, and gives up before the system's resolver does.
fn unresolved(host: &str, what: &str) {
    let url = format!("http://{host}/robots.txt");
    let options = striking(|options| &mut options.name_timeout);
    let retrieval = fetch_with(&url, Guard::new(), options);
    nameless(&retrieval, what);
    let told = retrieval.hops[0].failure.as_deref().unwrap();
    assert!(told.contains("not resolved in time"), "{what}: {told}");
}

/// Checks for a failure to resolve, which is retried after one second to five minutes (RFC 9520).
fn nameless(retrieval: &Retrieval, what: &str) {
    fails(retrieval, Cause::Dns, what);
    assert!((0..=300).contains(&wait(retrieval)), "{what}");
}

/// Fetches with the defaults over `resolver`.
fn fetcher_over(guard: Guard, resolver: DnsResolver) -> Fetcher {
    let mut options = options();
    options.concurrency.lookups = 512;
    let settings = RetrievalSettings::default();
    Fetcher::with_network(guard, options, settings, resolver, SystemConnector).unwrap()
}

/// Fetches with the defaults, and with questions of its own to the servers of the system.
fn resolved_directly(host: &str) -> Retrieval {
    let url = format!("http://{host}/robots.txt");
    run(async {
        let fetcher = fetcher_over(Guard::new(), DnsResolver::of_system().unwrap());
        fetcher.retrieve(&url, &Validators::default()).await
    })
}

/// D1, D2, D8, D9 and D11 with the resolver that needs no threads.
#[test]
fn d1_to_d11_with_questions_of_its_own() {
    let name = "d1_to_d11_with_questions_of_its_own";
    let both = ["127.0.0.1", "127.0.0.2"];
    namespace::within(module_path!(), name, SETUP, &both, || {
        let (names, _web) = served(|question| match question.name.as_str() {
            "none.example" => vec![Reply::failure(3)],
            "first.example" if question.server == 0 => Vec::new(),
            "fails.example" if question.server == 0 => vec![Reply::failure(2)],
            "long.example" if !question.is_tcp => vec![Reply {
                is_truncated: true,
                ..Reply::default()
            }],
            "long.example" => vec![Reply::addresses(question, &ips(&[PUBLIC]).repeat(4_000))],
            "private.example" => vec![Reply::addresses(question, &ips(&["127.0.0.1"]))],
            "forged.example" => {
                let false_one = Reply::addresses(question, &ips(&["127.0.0.1"]));
                let has_wrong_id = true;
                vec![
                    Reply {
                        has_wrong_id,
                        ..false_one
                    },
                    public(question),
                ]
            }
            _ => vec![public(question)],
        });
        let none = resolved_directly("none.example");
        nameless(&none, "NXDOMAIN");
        let why = none.hops[0].failure.as_deref();
        assert_eq!(why, Some("the name does not exist"));
        for host in [
            "a.example",
            "_x.y",
            "first.example",
            "fails.example",
            "long.example",
            "forged.example",
        ] {
            succeeds(&resolved_directly(host), FILE.as_bytes(), host);
        }
        fails(
            &resolved_directly("private.example"),
            Cause::Refused,
            "private",
        );
        // Names are asked for as written, without the search list.
        let asked = names.questions();
        assert!(asked.iter().all(|one| !one.name.contains("search")));
        assert!(
            asked
                .iter()
                .any(|one| one.name == "long.example" && one.is_tcp)
        );
        // The file of hosts comes first.
        std::fs::write("/etc/hosts", format!("{PUBLIC} pinned.example\n")).unwrap();
        succeeds(
            &resolved_directly("pinned.example"),
            FILE.as_bytes(),
            "hosts",
        );
        let asked = names.questions();
        assert!(asked.iter().all(|one| one.name != "pinned.example"));
    });
}

/// D12: names that no server answers hold up no other one, and what is no longer waited for ends.
#[test]
fn d12_dead_names_hold_up_no_other() {
    // A port that is free.
    let free = std::net::UdpSocket::bind("127.0.0.1:0").unwrap();
    let address = free.local_addr().unwrap();
    drop(free);
    let names = DnsServer::at(&[&address.to_string()], |question| {
        if question.name.starts_with("dead") {
            return Vec::new();
        }
        vec![Reply::addresses(question, &ips(&["127.0.0.1"]))]
    });
    let web = ByteServer::new(Script::saying(file("", FILE.as_bytes())));
    let resolver = DnsResolver::of_servers(&[address]).unwrap();
    let fetcher = fetcher_over(Guard::open(), resolver);
    let all = 100;
    run(async {
        let mut dead = tokio::task::JoinSet::new();
        for at in 0..all {
            let fetcher = fetcher.clone();
            dead.spawn(async move {
                let url = format!("http://dead{at}.example/robots.txt");
                fetcher.retrieve(&url, &Validators::default()).await
            });
        }
        let asked = || {
            let questions = names.questions();
            let asked: BTreeSet<_> = questions.into_iter().map(|one| one.name).collect();
            asked.len()
        };
        while asked() < all {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        let url = format!("http://live.example:{}/robots.txt", web.address().port());
        let live = fetcher.retrieve(&url, &Validators::default()).await;
        succeeds(&live, FILE.as_bytes(), "live");
        // All of them still wait; `run` checks that nothing is left of them.
        assert!(dead.try_join_next().is_none());
        dead.shutdown().await;
        drop(fetcher);
    });
}

#[test]
fn d1_no_such_name() {
    let names = Names::by(|_, _| Err(io::ErrorKind::NotFound.into()));
    let servers = Servers::saying("");
    let retrieval = simulated(
        Guard::new(),
        "http://a.example/robots.txt",
        &names,
        &servers,
    );
    nameless(&retrieval, "not found");
    assert_eq!(names.asked(), ["a.example."]);
    assert!(servers.connected().is_empty());
}

#[test]
fn d1_no_such_name_in_a_network() {
    let name = "d1_no_such_name_in_a_network";
    namespace::within(module_path!(), name, SETUP, &["127.0.0.1"], || {
        let (names, web) = served(|_| vec![Reply::failure(3)]);
        nameless(&resolved("a.example"), "NXDOMAIN");
        assert_eq!(web.connections(), 0);
        // The resolver asks for the name as written, without the search list.
        let questions = names.questions();
        assert!(!questions.is_empty());
        assert!(
            questions
                .iter()
                .all(|question| question.name == "a.example")
        );
    });
}

/// The second DNS server is asked if the first one fails; a silent one costs its timeout.
#[test]
fn d2_servers_of_names_that_fail() {
    let name = "d2_servers_of_names_that_fail";
    let both = ["127.0.0.1", "127.0.0.2"];
    namespace::within(module_path!(), name, SETUP, &both, || {
        let (names, web) = served(|question| {
            let first = question.server == 0;
            match question.name.as_str() {
                "servfail.example" if first => vec![Reply::failure(2)],
                "refused.example" if first => vec![Reply::failure(5)],
                "silent.example" if first => Vec::new(),
                "servfail-both.example" => vec![Reply::failure(2)],
                "refused-both.example" => vec![Reply::failure(5)],
                "silent-both.example" => Vec::new(),
                _ => vec![public(question)],
            }
        });
        for host in ["servfail.example", "refused.example", "silent.example"] {
            succeeds(&resolved(host), FILE.as_bytes(), host);
            let asked = |server| {
                let questions = names.questions();
                questions
                    .iter()
                    .any(|question| question.name == host && question.server == server)
            };
            assert!(asked(0) && asked(1), "{host}");
        }
        assert_eq!(web.connections(), 3);
        for host in ["servfail-both.example", "refused-both.example"] {
            nameless(&resolved(host), host);
        }
        unresolved("silent-both.example", "silent");
        assert_eq!(web.connections(), 3);
    });
}

/// A resolver that never answers.
#[derive(Debug)]
struct Silent;
impl abide_fetch::http::Resolver for Silent {
    fn resolve<'a>(
        &'a self,
        _: &'a str,
        _: abide_fetch::http::LookupPermit,
    ) -> abide_fetch::http::BoxFuture<'a, io::Result<Vec<IpAddr>>> {
        Box::pin(std::future::pending())
    }
}

#[test]
fn d2_a_resolver_that_does_not_answer() {
    let servers = Servers::saying("");
    let fetcher = Fetcher::with_network(
        Guard::new(),
        quick(),
        RetrievalSettings::default(),
        Silent,
        servers,
    );
    let fetcher = fetcher.unwrap();
    let within = quick().name_timeout;
    nameless(
        &paused(timely(&fetcher, "http://a.example/robots.txt", within)),
        "silent",
    );
}

/// D12: an address needs no lookup, and does not wait for slow ones.
#[test]
fn d12_an_address_queues_for_no_lookup() {
    let mut options = quick();
    options.concurrency.lookups = 1;
    options.concurrency.spacing = Duration::ZERO;
    let servers = Servers::saying(file("", FILE.as_bytes()));
    let fetcher = Fetcher::with_network(
        Guard::new(),
        options,
        RetrievalSettings::default(),
        Silent,
        servers,
    );
    let fetcher = fetcher.unwrap();
    paused(async {
        let other = fetcher.clone();
        let silent = tokio::spawn(async move {
            let none = Validators::default();
            other.retrieve("http://a.example/robots.txt", &none).await
        });
        tokio::task::yield_now().await;
        let began = tokio::time::Instant::now();
        let none = Validators::default();
        let retrieval = fetcher
            .retrieve("http://93.184.216.34/robots.txt", &none)
            .await;
        assert!(crate::http::state(&retrieval).copy().is_some());
        assert!(began.elapsed() < quick().name_timeout);
        nameless(&silent.await.unwrap(), "silent");
    });
}

#[test]
fn d3_no_addresses_or_of_one_family() {
    let url = "http://a.example/robots.txt";
    let servers = Servers::saying(file("", FILE.as_bytes()));
    nameless(
        &simulated(Guard::new(), url, &Names::all(&[]), &servers),
        "no address",
    );
    assert!(servers.connected().is_empty());
    let name = "d3_no_addresses_or_of_one_family";
    namespace::within(module_path!(), name, SETUP, &["127.0.0.1"], || {
        let (_names, web) = served(|question| {
            let addresses: &[&str] = match question.name.as_str() {
                "v6.example" => &["2606:2800:220:1::1"],
                "v4.example" => &[PUBLIC],
                "both.example" => &["2606:2800:220:1::1", PUBLIC],
                _ => &[],
            };
            vec![Reply::addresses(question, &ips(addresses))]
        });
        nameless(&resolved("none.example"), "NOERROR without records");
        // There is no route to any IPv6 address here, except loopback.
        let cause = unreachable(&resolved("v6.example"));
        assert!(matches!(cause, Cause::Connect | Cause::Dns), "{cause:?}");
        assert_eq!(web.connections(), 0);
        succeeds(&resolved("v4.example"), FILE.as_bytes(), "A only");
        succeeds(&resolved("both.example"), FILE.as_bytes(), "both");
    });
}

/// Four addresses are tried, a quarter of a second apart if they are silent.
#[test]
fn d4_many_addresses_and_the_first_ones_dead() {
    let url = "http://a.example/robots.txt";
    let last = |address: &std::net::SocketAddr| match address.ip() {
        IpAddr::V4(v4) => v4.octets()[3],
        IpAddr::V6(_) => 0,
    };
    let addresses: Vec<IpAddr> = (0..500)
        .map(|at: u16| {
            let [high, low] = at.to_be_bytes();
            IpAddr::from([93, 184, high, low])
        })
        .collect();
    for (count, living, is_silent, attempts) in [
        (1, Some(0), true, 1),
        (4, Some(3), true, 4),
        (4, Some(3), false, 4),
        (500, Some(3), true, 4),
        (500, Some(4), true, 4),
        (500, None, true, 4),
        (500, None, false, 4),
    ] {
        let some = addresses[..count].to_vec();
        let names = Names::by(move |_, _| Ok(some.clone()));
        let servers =
            Servers::saying(file("", FILE.as_bytes())).trying(move |address| match living {
                Some(one) if last(&address) == one => Attempt::Served,
                _ if is_silent => Attempt::Silent,
                _ => Attempt::Refused,
            });
        // A deadline longer than it takes to try all of them.
        let mut patient = quick();
        patient.connect_timeout = Duration::from_secs(1);
        patient.deadline = Duration::from_secs(3);
        let deadline = patient.deadline;
        let (known, connector) = (names.clone(), servers.clone());
        let settings = RetrievalSettings::default();
        let fetcher = Fetcher::with_network(Guard::new(), patient, settings, known, connector);
        let retrieval = paused(timely(&fetcher.unwrap(), url, deadline));
        let what = format!("{count} addresses, {living:?} lives, silent: {is_silent}");
        match living {
            Some(one) if one < 4 => succeeds(&retrieval, FILE.as_bytes(), &what),
            _ if is_silent => fails(&retrieval, Cause::Timeout, &what),
            _ => fails(&retrieval, Cause::Connect, &what),
        }
        let log = servers.log.lock().unwrap();
        assert_eq!(log.len(), attempts, "{what}");
        for pair in log.windows(2) {
            let apart = (pair[1].1 - pair[0].1).as_millis();
            let stagger = if is_silent { 250..=260 } else { 0..=5 };
            assert!(stagger.contains(&apart), "{what}: {apart} ms");
        }
    }
}

#[test]
fn d5_public_and_denied_addresses_mixed() {
    let url = "http://a.example/robots.txt";
    for (addresses, left) in [
        (vec!["10.0.0.1", PUBLIC], 1),
        (vec![PUBLIC, "169.254.169.254", "::1"], 1),
        (vec!["::ffff:127.0.0.1", "127.0.0.1"], 0),
    ] {
        let names = Names::all(&addresses);
        let servers = Servers::saying(file("", FILE.as_bytes()));
        let retrieval = simulated(Guard::new(), url, &names, &servers);
        assert_eq!(servers.connected().len(), left, "{addresses:?}");
        if left == 1 {
            succeeds(&retrieval, FILE.as_bytes(), "those that are public");
            assert_eq!(servers.connected()[0].ip().to_string(), PUBLIC);
        } else {
            fails(&retrieval, Cause::Refused, "none that is public");
        }
        let servers = Servers::saying(file("", FILE.as_bytes()));
        let retrieval = simulated(Guard::new().strict(), url, &names, &servers);
        fails(&retrieval, Cause::Refused, "the strict guard");
        assert!(servers.connected().is_empty());
        assert!(wait(&retrieval) >= 59, "a refused address is left alone");
    }
}

/// A thousand times: the guard checks every answer, and the client connects to the checked address.
#[test]
fn d6_rebinding() {
    let traps = ["127.0.0.1", "169.254.169.254", "10.0.0.1", "::1", "fd00::1"];
    let names = Names::by(move |_, nth| {
        Ok(match nth % 3 {
            0 => ips(&[PUBLIC]),
            1 => ips(&[traps[nth % traps.len()]]),
            _ => ips(&[traps[nth % traps.len()], PUBLIC]),
        })
    });
    let servers = Servers::saying(file("Connection: keep-alive\r\n", FILE.as_bytes()));
    let fetcher = over(Guard::new(), &names, &servers);
    paused(async {
        for round in 0..1_000 {
            let retrieval = timely(&fetcher, "http://a.example/robots.txt", OVERRUN).await;
            if round % 3 == 1 {
                fails(&retrieval, Cause::Refused, "a trap alone");
            } else {
                succeeds(&retrieval, FILE.as_bytes(), "a public address");
            }
        }
    });
    assert_eq!(names.asked().len(), 1_000, "once for a hop");
    let connected = servers.connected();
    assert_eq!(connected.len(), 667);
    assert!(connected.iter().all(|to| to.ip().to_string() == PUBLIC));
}

#[test]
fn d6_rebinding_in_a_network() {
    let setup = format!("{SETUP}\nip addr add 169.254.169.254/32 dev lo");
    let name = "d6_rebinding_in_a_network";
    namespace::within(module_path!(), name, &setup, &["127.0.0.1"], || {
        let canaries = ["127.0.0.1:80", "169.254.169.254:80"]
            .map(|address| ByteServer::at(address, None, Script::saying(file("", b""))));
        let (_names, web) = served(|question| {
            let to = [PUBLIC, "127.0.0.1", "169.254.169.254"][question.nth % 3];
            let mut reply = Reply::addresses(question, &ips(&[to]));
            reply.records.iter_mut().for_each(|record| record.ttl = 0);
            vec![reply]
        });
        let fetcher = Fetcher::new(Guard::new(), options(), RetrievalSettings::default()).unwrap();
        let (mut files, mut refused) = (0, 0);
        run(async {
            for _ in 0..150 {
                let url = "http://rb.example/robots.txt";
                let retrieval = retrieved(&fetcher, url).await;
                if crate::http::state(&retrieval).copy().is_some() {
                    files += 1;
                } else {
                    assert_eq!(unreachable(&retrieval), Cause::Refused);
                    refused += 1;
                }
            }
        });
        assert_eq!((files, refused), (50, 100));
        assert_eq!(web.connections(), 50);
        for canary in &canaries {
            assert_eq!(canary.connections(), 0, "{}", canary.address());
        }
    });
}

/// Aliases: the final address decides, not a name on the way; a chain that does not end does not
/// resolve.
#[test]
fn d7_aliases() {
    let name = "d7_aliases";
    namespace::within(module_path!(), name, SETUP, &["127.0.0.1"], || {
        let canary = ByteServer::at("127.0.0.1:80", None, Script::saying(file("", b"")));
        let alias = |owner: &str, to: &str| Record {
            owner: Some(owner.to_owned()),
            ttl: 60,
            data: Data::Alias(to.to_owned()),
        };
        let address = |owner: &str, to: &str| Record {
            owner: Some(owner.to_owned()),
            ttl: 60,
            data: Data::Address(to.parse().unwrap()),
        };
        let (_names, web) = served(move |question| {
            let v4 = question.kind == 1;
            let mut reply = Reply::default();
            match question.name.as_str() {
                "loop.example" => {
                    reply.records.push(alias("loop.example", "pool.example"));
                    reply.records.push(alias("pool.example", "loop.example"));
                }
                "endless.example" => {
                    for at in 0..12 {
                        let owner = match at {
                            0 => "endless.example".to_owned(),
                            _ => format!("n{at}.example"),
                        };
                        reply
                            .records
                            .push(alias(&owner, &format!("n{}.example", at + 1)));
                    }
                }
                "local.example" => {
                    reply.records.push(alias("local.example", "localhost"));
                    if v4 {
                        reply.records.push(address("localhost", "127.0.0.1"));
                    }
                }
                "inner.example" => {
                    reply
                        .records
                        .push(alias("inner.example", "db.corp.internal"));
                    if v4 {
                        reply.records.push(address("db.corp.internal", PUBLIC));
                    }
                }
                _ => {}
            }
            vec![reply]
        });
        nameless(&resolved("loop.example"), "a loop");
        nameless(&resolved("endless.example"), "twelve without an end");
        fails(
            &resolved("local.example"),
            Cause::Refused,
            "an alias of this machine",
        );
        assert_eq!((web.connections(), canary.connections()), (0, 0));
        succeeds(
            &resolved("inner.example"),
            FILE.as_bytes(),
            "a private name of a public address",
        );
    });
}

/// Answers too long for a datagram: one that never arrives over TCP gets no extra time.
#[test]
fn d8_answers_over_tcp() {
    let name = "d8_answers_over_tcp";
    namespace::within(module_path!(), name, SETUP, &["127.0.0.1"], || {
        let (names, _web) = served(|question| {
            if !question.is_tcp {
                let is_truncated = true;
                return vec![Reply {
                    is_truncated,
                    ..Reply::default()
                }];
            }
            match question.name.as_str() {
                "stall.example" => Vec::new(),
                // 4,000 records of 16 bytes.
                _ => vec![Reply::addresses(question, &ips(&[PUBLIC]).repeat(4_000))],
            }
        });
        unresolved("stall.example", "TCP without an answer");
        succeeds(&resolved("long.example"), FILE.as_bytes(), "64 KiB");
        assert!(names.questions().iter().any(|question| question.is_tcp));
    });
}

/// Answers to other questions, and noise, are ignored.
#[test]
fn d9_answers_that_are_none() {
    let name = "d9_answers_that_are_none";
    namespace::within(module_path!(), name, SETUP, &["127.0.0.1"], || {
        let canary = ByteServer::at("127.0.0.1:80", None, Script::saying(file("", b"")));
        let (names, web) = served(|question| {
            let false_one = Reply::addresses(question, &ips(&["127.0.0.1"]));
            let (wrong_id, wrong_question) = (
                Reply {
                    has_wrong_id: true,
                    ..false_one.clone()
                },
                Reply {
                    has_wrong_question: true,
                    ..false_one.clone()
                },
            );
            let raw = |bytes: &[u8]| Reply {
                raw: Some(bytes.to_vec()),
                ..Reply::default()
            };
            // A name that points to itself, as question and as answer.
            let looped = raw(&[
                0x81, 0x80, 0, 1, 0, 1, 0, 0, 0, 0, 0xC0, 12, 0, 1, 0, 1, 0xC0, 12, 0, 1, 0, 1, 0,
                0, 0, 60, 0, 4, 127, 0, 0, 1,
            ]);
            match question.name.as_str() {
                "wrong-id.example" => vec![wrong_id, public(question)],
                "wrong-question.example" => vec![wrong_question, public(question)],
                "late.example" => vec![
                    public(question),
                    Reply {
                        after: Duration::from_millis(20),
                        ..false_one
                    },
                ],
                "noise.example" => vec![raw(&[0xFF; 500]), raw(&[]), looped],
                _ => vec![wrong_id, wrong_question],
            }
        });
        for host in ["wrong-id.example", "wrong-question.example", "late.example"] {
            succeeds(&resolved(host), FILE.as_bytes(), host);
        }
        nameless(&resolved("noise.example"), "noise");
        nameless(&resolved("never.example"), "never the right one");
        assert_eq!(web.connections(), 3);
        assert_eq!(canary.connections(), 0);
        assert!(!names.questions().is_empty());
    });
}

/// The client caches no lookup, whatever lifetime the records have.
#[test]
fn d10_times_to_live() {
    let name = "d10_times_to_live";
    namespace::within(module_path!(), name, SETUP, &["127.0.0.1"], || {
        let (names, web) = served(|question| {
            let mut reply = public(question);
            let ttl = match question.name.as_str() {
                "zero.example" => 0,
                "half.example" => 1 << 31,
                _ => u32::MAX,
            };
            reply.records.iter_mut().for_each(|record| record.ttl = ttl);
            vec![reply]
        });
        for host in ["zero.example", "half.example", "most.example"] {
            for round in 1..=2 {
                succeeds(&resolved(host), FILE.as_bytes(), host);
                let questions = names.questions();
                let asked = questions
                    .iter()
                    .filter(|question| question.name == host && question.kind == 1);
                assert_eq!(asked.count(), round, "{host}");
            }
        }
        assert_eq!(web.connections(), 6);
    });
}

/// Special names are refused without a lookup; all others are looked up as written.
#[test]
fn d11_special_names() {
    for (host, is_asked) in [
        ("localhost", false),
        ("localhost.", false),
        ("LocalHost", false),
        ("a.localhost", false),
        ("foo", false),
        ("a.local", false),
        ("x.internal", false),
        ("metadata.google.internal", false),
        ("router.home.arpa", false),
        ("_x.y", true),
        ("a.example", true),
        ("a.example.", true),
    ] {
        let names = Names::all(&[PUBLIC]);
        let servers = Servers::saying(file("", FILE.as_bytes()));
        let url = format!("http://{host}/robots.txt");
        let retrieval = simulated(Guard::new(), &url, &names, &servers);
        if is_asked {
            succeeds(&retrieval, FILE.as_bytes(), host);
            let name = names.asked().remove(0);
            assert!(name.ends_with('.') && !name.ends_with(".."), "{name}");
        } else {
            fails(&retrieval, Cause::Refused, host);
            assert!(names.asked().is_empty() && servers.connected().is_empty());
        }
    }
}

#[test]
fn d11_special_names_in_a_network() {
    let name = "d11_special_names_in_a_network";
    namespace::within(module_path!(), name, SETUP, &["127.0.0.1"], || {
        // This server knows every name, including those of the search list.
        let (names, web) = served(|question| {
            if question.name.ends_with("search.example") || question.name == "_x.y" {
                vec![public(question)]
            } else {
                vec![Reply::failure(3)]
            }
        });
        let label = format!("{}.example", "a".repeat(64));
        let long = vec!["a".repeat(49); 5].join(".") + ".aaa";
        assert_eq!(long.len(), 253);
        for host in ["a..b", &label, &format!("{long}a"), &long, "b.example"] {
            let cause = unreachable(&resolved(host));
            assert!(
                matches!(cause, Cause::Dns | Cause::BadRedirect),
                "{host:.20}: {cause:?}"
            );
        }
        assert_eq!(web.connections(), 0);
        succeeds(&resolved("_x.y"), FILE.as_bytes(), "_x.y");
        for question in names.questions() {
            assert!(!question.name.ends_with("search.example"), "{question:?}");
        }
    });
}

/// A resolver that is down occupies a bounded number of threads, and no caller whose rules are
/// cached waits for it.
#[test]
fn d12_the_resolver_is_down() {
    let name = "d12_the_resolver_is_down";
    let setup = format!("{SETUP}\necho options timeout:1 >>/mnt/resolv.conf");
    namespace::within(module_path!(), name, &setup, &["127.0.0.1"], || {
        let (names, web) = served(|_| Vec::new());
        let settings = RetrievalSettings::default();
        let mut options = quick();
        options.name_timeout = Duration::from_millis(300);
        let fetcher = Fetcher::new(Guard::new(), options, settings.clone()).unwrap();
        let client = Client::new(ProductToken::new("f").unwrap());
        let robots = RobotsCache::with_retriever(client, fetcher.clone())
            .settings(settings)
            .memory(1 << 20)
            .build();
        let known = format!("http://{PUBLIC}/a");
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .unwrap();
        let began = Instant::now();
        let (decisions, most_threads) = runtime.block_on(async {
            assert!(robots.for_url(&known).await.allows("/a"));
            let mut tasks = tokio::task::JoinSet::new();
            for at in 0..2_000 {
                let fetcher = fetcher.clone();
                tasks.spawn(async move {
                    let url = format!("http://h{at}.example/robots.txt");
                    let retrieval = retrieved(&fetcher, &url).await;
                    assert_eq!(unreachable(&retrieval), Cause::Dns);
                });
            }
            let (mut decisions, mut most_threads) = (0, 0);
            while !tasks.is_empty() {
                for _ in 0..1_000 {
                    assert!(at_once(robots.for_url(&known)).allows("/a"));
                }
                decisions += 1_000;
                // Some threads are left for other work.
                ended(tokio::task::spawn_blocking(|| ())).await.unwrap();
                let threads = std::fs::read_dir("/proc/self/task").unwrap().count();
                most_threads = most_threads.max(threads);
                tokio::time::sleep(Duration::from_millis(10)).await;
                while let Some(done) = tasks.try_join_next() {
                    done.unwrap();
                }
            }
            (decisions, most_threads)
        });
        runtime.shutdown_background();
        super::told(&format!(
            "D12: {decisions} decisions, {most_threads} threads"
        ));
        assert!(decisions >= 1_000);
        // 64 lookups at a time, each of which waits for a second; and threads that have just
        // finished one.
        let seconds = usize::try_from(began.elapsed().as_secs()).unwrap();
        let asked: BTreeSet<String> = names
            .questions()
            .into_iter()
            .map(|question| question.name)
            .collect();
        let most_asked = 64 * (seconds + 1);
        assert!(asked.len() <= most_asked, "{} in {seconds} s", asked.len());
        assert!(most_threads < 2 * 64 + 16, "{most_threads} threads");
        assert_eq!(web.connections(), 1);
    });
}
