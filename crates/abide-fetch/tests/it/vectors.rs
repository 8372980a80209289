//! The vectors of `vectors/fetch.toml`.

use crate::http::{Server, options};
use crate::robots::{CLOCK, clock, run};
use crate::{at, client};
use abide::rep::Cause;
use abide::{Outcome, Target, Usage};
use abide_fetch::Body;
use abide_fetch::guard::{Guard, Network};
use abide_fetch::http::{BoxFuture, Fetcher, LookupPermit, Resolver, SystemConnector};
use abide_fetch::machine::{
    AfterGrace, CachedAnswer, Chain, Event, Field, Hop, NextFetch, ResponseTimes,
    RetrievalSettings, State, TooManyRequests,
};
use abide_testkit::vectors::{self, Attempt, RetrievalVector};
use std::io::{self, Read, Write};
use std::net::{IpAddr, TcpListener};

fn settings(vector: &RetrievalVector) -> RetrievalSettings {
    let mut settings = RetrievalSettings::default();
    let chosen = &vector.settings;
    if let Some(seconds) = chosen.min_lifetime {
        settings.min_lifetime = std::time::Duration::from_secs(seconds);
    }
    if let Some(seconds) = chosen.grace {
        settings.grace = std::time::Duration::from_secs(seconds);
    }
    settings.after_grace = match chosen.after_grace.as_deref() {
        None | Some("copy-else-allow") => AfterGrace::CopyElseAllow,
        Some("copy-else-disallow") => AfterGrace::CopyElseDisallow,
        Some("disallow") => AfterGrace::Disallow,
        Some(other) => panic!("{other}"),
    };
    settings.while_429 = match chosen.while_429.as_deref() {
        None | Some("unreachable") => TooManyRequests::Unreachable,
        Some("unavailable") => TooManyRequests::Unavailable,
        Some(other) => panic!("{other}"),
    };
    settings
}

/// The event that results from an attempt: follows its redirects up to the limit.
fn event(attempt: &Attempt, settings: &RetrievalSettings) -> Event<Vec<u8>> {
    let came = at(attempt.at);
    if let Some(error) = &attempt.error {
        return Event::failure(error.parse::<Cause>().unwrap(), came);
    }
    let mut chain = Chain::new("https://e.example/robots.txt").unwrap();
    for hop in 0..attempt.redirects {
        let location = format!("https://hop{hop}.example/robots.txt");
        if let Hop::End(cause) = chain.follow(&[location.as_bytes()], settings) {
            return Event::failure(cause, came);
        }
    }
    let fields: Vec<_> = attempt
        .headers
        .iter()
        .map(|(name, value)| Field::new(name, value.as_bytes()))
        .collect();
    let body = attempt.body.clone().into_bytes();
    Event::response(
        attempt.status.unwrap(),
        &fields,
        body,
        ResponseTimes::at(came),
        settings,
    )
}

/// Resolves names as an attempt requires: to nothing, or to this machine.
#[derive(Debug)]
struct Names(bool);

impl Resolver for Names {
    fn resolve<'a>(
        &'a self,
        _: &'a str,
        _: LookupPermit,
    ) -> BoxFuture<'a, io::Result<Vec<IpAddr>>> {
        let found = if self.0 {
            Err(io::Error::other("no such name"))
        } else {
            Ok(vec![IpAddr::from([127, 0, 0, 1])])
        };
        Box::pin(async { found })
    }
}

/// A server that answers as an attempt requires.
fn server(attempt: &Attempt) -> Server {
    let attempt = attempt.clone();
    Server::new(move |stream, head| {
        let path = head.split(' ').nth(1).unwrap();
        let hop: usize = path
            .strip_prefix("/hop")
            .map_or(0, |hop| hop.parse().unwrap());
        let answer = match (attempt.error.as_deref(), attempt.status) {
            (Some("truncated"), _) => "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nDis".to_owned(),
            (Some("timeout"), _) => return std::thread::sleep(crate::NEVER),
            (Some("network"), _) => "SSH-2.0-server\r\n".to_owned(),
            (Some("bad-redirect"), _) => "HTTP/1.1 302 X\r\nContent-Length: 0\r\n\r\n".to_owned(),
            (Some("redirect-limit"), _) => {
                format!(
                    "HTTP/1.1 302 X\r\nLocation: /hop{}\r\nContent-Length: 0\r\n\r\n",
                    hop + 1
                )
            }
            (Some(_), _) => return,
            (None, _) if hop < attempt.redirects => {
                format!(
                    "HTTP/1.1 301 X\r\nLocation: /hop{}\r\nContent-Length: 0\r\n\r\n",
                    hop + 1
                )
            }
            (None, status) => {
                let fields = attempt
                    .headers
                    .iter()
                    .map(|(name, value)| format!("{name}: {value}\r\n"));
                let (status, fields, body) =
                    (status.unwrap(), fields.collect::<String>(), &attempt.body);
                let length = match status {
                    204 | 304 => String::new(),
                    _ => format!("Content-Length: {}\r\n", body.len()),
                };
                format!("HTTP/1.1 {status} X\r\n{length}{fields}\r\n{body}")
            }
        };
        drop(stream.write_all(answer.as_bytes()));
    })
}

/// A port whose server does not speak TLS.
fn plain_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        drop(stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n"));
        drop(stream.read(&mut [0; 1_024]));
    });
    port
}

/// The event that results from an attempt over sockets, at its instant.
fn retrieved(
    attempt: &Attempt,
    state: &State<Vec<u8>>,
    settings: &RetrievalSettings,
) -> Event<Vec<u8>> {
    CLOCK.set(attempt.at);
    let server = server(attempt);
    let mut options = options();
    options.clock = clock;
    if attempt.error.as_deref() == Some("timeout") {
        options.head_timeout = crate::SOON;
    }
    let guard = match attempt.error.as_deref() {
        Some("refused") => Guard::open().deny(Network::new(IpAddr::from([127, 0, 0, 1]), 32)),
        _ => Guard::open(),
    };
    let names = Names(attempt.error.as_deref() == Some("dns"));
    let fetcher =
        Fetcher::with_network(guard, options, settings.clone(), names, SystemConnector).unwrap();
    let (scheme, port) = match attempt.error.as_deref() {
        Some("tls") => ("https", plain_port()),
        // The port of a listener that has closed.
        Some("connect") => (
            "http",
            TcpListener::bind("127.0.0.1:0")
                .unwrap()
                .local_addr()
                .unwrap()
                .port(),
        ),
        _ => ("http", server.address.port()),
    };
    let validators = state
        .copy()
        .map(|copy| copy.validators.clone())
        .unwrap_or_default();
    let url = format!("{scheme}://e.example:{port}/robots.txt");
    run(crate::ended(fetcher.retrieve(&url, &validators)))
        .event
        .at(at(attempt.at))
}

/// Runs the vectors over sockets, with a simulated clock: the client turns an answer into the event
/// that the machine gets in [`retrievals`].
#[test]
fn retrievals_over_sockets() {
    let mut seen = 0;
    for (file, vectors) in vectors::load() {
        for vector in &vectors.retrieval {
            let settings = settings(vector);
            let (mut told, mut met) = (State::default(), State::default());
            for attempt in &vector.events {
                let event = match attempt.status {
                    // A status that is not final, or not a status.
                    Some(0..=100 | 102..=199 | 1000..) => {
                        Event::failure(Cause::Network, at(attempt.at))
                    }
                    _ => event(attempt, &settings),
                };
                // A server that gets no validators has no reason to answer 304.
                let is_cold = told
                    .copy()
                    .is_none_or(|copy: &CachedAnswer<Vec<u8>>| copy.validators.is_empty());
                told = told.after(
                    if is_cold {
                        event.unconditional()
                    } else {
                        event
                    },
                    &settings,
                );
                let event = retrieved(attempt, &met, &settings);
                met = met.after(event, &settings);
                assert_eq!(
                    met, told,
                    "{file}: {} {}, at {}",
                    vector.id, vector.name, attempt.at
                );
                seen += 1;
            }
        }
    }
    assert!(seen >= 70, "{seen} attempts");
}

/// Runs all vectors, including those of Part 3.2, (a) to (h).
#[test]
fn retrievals() {
    let mut seen = 0;
    for (file, vectors) in vectors::load() {
        for vector in &vectors.retrieval {
            let label = format!("{file}: {} {}", vector.id, vector.name);
            let settings = settings(vector);
            for asked in &vector.ask {
                let happened = vector.events.iter().filter(|one| one.at <= asked.at);
                let state = happened.fold(State::default(), |state: State<Body>, attempt| {
                    state.after(event(attempt, &settings).with_body(Body::new), &settings)
                });
                let plan = state.plan(at(asked.at), &settings);
                let policy = plan.current.policy(&client());
                let outcome = |path: &str| {
                    policy
                        .decide(&Target::new(path).unwrap())
                        .outcome(Usage::Crawl)
                };
                let label = format!("{label}, at {}", asked.at);
                assert_eq!(outcome("/x").name(), asked.x, "{label}: /x");
                assert_eq!(outcome("/y").name(), asked.y, "{label}: /y");
                // (h): the file itself may always be fetched.
                assert_eq!(outcome("/robots.txt"), Outcome::Permitted, "{label}");
                assert!(policy.allows("/robots.txt"), "{label}");
                if let Some(why) = &asked.why {
                    assert_eq!(plan.why.name(), why, "{label}: why");
                }
                if let Some(wait) = asked.next {
                    let next = match plan.next {
                        NextFetch::Now => 0,
                        NextFetch::At(moment) => moment.unix_seconds() - asked.at,
                    };
                    assert_eq!(next, wait, "{label}: next");
                }
                seen += 1;
            }
        }
    }
    assert!(seen >= 80, "{seen} questions");
}
