//! The client against test servers on loopback that misbehave in the ways of real servers.

use crate::{NEVER, SOON, client, ended};
use abide::rep::Cause;
use abide_fetch::guard::{Guard, Network};
use abide_fetch::http::{Fetcher, Options, Retrieval};
use abide_fetch::machine::{Answer, CurrentRules, RetrievalSettings, State, Validators};
use abide_fetch::pace::{PaceSettings, Pacer};
use abide_fetch::{Body, RequestUrl};
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// A server that follows a script for every connection, and counts connections.
pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    connections: Arc<AtomicUsize>,
    requests: Arc<Mutex<Vec<String>>>,
}

impl Server {
    pub(crate) fn new(behave: impl Fn(&mut TcpStream, &str) + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let (connections, requests) = (
            Arc::new(AtomicUsize::new(0)),
            Arc::new(Mutex::new(Vec::new())),
        );
        let (counted, noted, behave) = (
            Arc::clone(&connections),
            Arc::clone(&requests),
            Arc::new(behave),
        );
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                counted.fetch_add(1, Ordering::SeqCst);
                let (noted, behave) = (Arc::clone(&noted), Arc::clone(&behave));
                std::thread::spawn(move || {
                    let mut stream = stream;
                    let head = read_head(&mut stream);
                    noted.lock().unwrap().push(head.clone());
                    behave(&mut stream, &head);
                });
            }
        });
        Self {
            address,
            connections,
            requests,
        }
    }

    /// Answers every request with these bytes, and closes the connection.
    pub(crate) fn saying(bytes: impl Into<Vec<u8>>) -> Self {
        let bytes = bytes.into();
        Self::new(move |stream, _| drop(stream.write_all(&bytes)))
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    pub(crate) fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }
}

fn read_head(stream: &mut TcpStream) -> String {
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") && stream.read(&mut byte).is_ok_and(|read| read == 1) {
        head.push(byte[0]);
    }
    String::from_utf8_lossy(&head).into_owned()
}

pub(crate) fn ok(body: &str) -> String {
    format!(
        "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )
}

/// Options with deadlines so long that none expires; a test of one deadline shortens it.
pub(crate) fn options() -> Options {
    let mut options = Options::new("TestBot/1.0 (+https://bot.example/)");
    options.name_timeout = NEVER;
    options.connect_timeout = NEVER;
    options.head_timeout = NEVER;
    options.idle_timeout = NEVER;
    options.deadline = NEVER;
    options.concurrency.spacing = Duration::ZERO;
    options
}

fn fetch_as(guard: Guard, url: &str, validators: &Validators) -> Retrieval {
    let fetcher = Fetcher::new(guard, options(), RetrievalSettings::default()).unwrap();
    fetch_by(&fetcher, url, validators)
}

fn fetch_by(fetcher: &Fetcher, url: &str, validators: &Validators) -> Retrieval {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let retrieval = runtime.block_on(ended(fetcher.retrieve(url, validators)));
    runtime.shutdown_background();
    retrieval
}

fn fetch(url: &str) -> Retrieval {
    fetch_as(Guard::open(), url, &Validators::default())
}

pub(crate) fn state(retrieval: &Retrieval) -> State<Body> {
    State::default().after(
        retrieval.clone().into_event(),
        &RetrievalSettings::default(),
    )
}

/// Returns the cause, and checks that the file is unreachable and that nothing is allowed.
pub(crate) fn unreachable(retrieval: &Retrieval) -> Cause {
    let state = state(retrieval);
    let plan = state.plan(abide_fetch::http::now(), &RetrievalSettings::default());
    let policy = plan.current.policy(&client());
    assert!(
        !policy.allows("/") && policy.allows("/robots.txt"),
        "{plan:?}"
    );
    match plan.current {
        CurrentRules::DisallowAll(cause) => cause,
        other => panic!("{other:?}"),
    }
}

pub(crate) fn body(retrieval: &Retrieval) -> Vec<u8> {
    match &state(retrieval).copy().unwrap().kept {
        Answer::File(body) => body.as_bytes().to_vec(),
        Answer::Missing(cause) => panic!("{cause}"),
    }
}

#[test]
fn a_file() {
    let server = Server::saying(ok("User-agent: *\nDisallow: /x\n"));
    let retrieval = fetch(&server.url("/robots.txt"));
    assert_eq!(body(&retrieval), b"User-agent: *\nDisallow: /x\n");
    assert_eq!(retrieval.media_type.as_deref(), Some("text/plain"));
    assert_eq!(retrieval.hops.len(), 1);
    assert_eq!(retrieval.hops[0].address, Some(server.address));
    let request = server.requests.lock().unwrap()[0].to_ascii_lowercase();
    assert!(
        request.starts_with("get /robots.txt http/1.1\r\n"),
        "{request}"
    );
    assert!(
        request.contains("user-agent: testbot/1.0 (+https://bot.example/)\r\n"),
        "{request}"
    );
    for absent in ["cookie", "referer", "authorization", "if-none-match"] {
        assert!(!request.contains(absent), "{request}");
    }
}

/// T3: a request sends the validators of the stored copy, only to the copy's own authority.
#[test]
fn t3_conditional_requests() {
    let server = Server::saying("HTTP/1.1 304 Not Modified\r\nETag: \"a\"\r\n\r\n");
    let validators = Validators {
        etag: Some("\"a\"".to_owned()),
        last_modified: Some("Fri, 25 Jun 2010 15:00:00 GMT".to_owned()),
    };
    fetch_as(Guard::open(), &server.url("/robots.txt"), &validators);
    let request = server.requests.lock().unwrap()[0].to_ascii_lowercase();
    assert!(
        request.contains("if-none-match: \"a\"") && request.contains("if-modified-since: fri"),
        "{request}"
    );
    let to = server.url("/robots.txt");
    let first = Server::saying(format!(
        "HTTP/1.1 302 Found\r\nLocation: {to}\r\nContent-Length: 0\r\n\r\n"
    ));
    fetch_as(Guard::open(), &first.url("/robots.txt"), &validators);
    let redirected = server.requests.lock().unwrap()[1].to_ascii_lowercase();
    assert!(!redirected.contains("if-none-match"), "{redirected}");
}

/// R1 over sockets: hops over several authorities, all of which are reported.
#[test]
fn r1_hops_are_followed_and_noted() {
    let last = Server::saying(ok("User-agent: *\n"));
    let to = last.url("/other");
    let second = Server::saying(format!(
        "HTTP/1.1 308 X\r\nLocation: {to}\r\nContent-Length: 0\r\n\r\n"
    ));
    let to = second.url("/robots.txt");
    let first = Server::saying(format!(
        "HTTP/1.1 301 X\r\nLocation: {to}\r\nContent-Length: 0\r\n\r\n"
    ));
    let retrieval = fetch(&first.url("/robots.txt"));
    assert_eq!(body(&retrieval), b"User-agent: *\n");
    let statuses: Vec<_> = retrieval
        .hops
        .iter()
        .map(|hop| hop.status.unwrap())
        .collect();
    assert_eq!(statuses, [301, 308, 200]);
}

/// R8: with the guard on, no connection to a private address is made, however the URL leads there.
#[test]
fn r8_no_connection_to_a_private_address() {
    let secret = Server::saying(ok("User-agent: *\n"));
    let port = secret.address.port();
    let hosts = [
        "127.0.0.1",
        "localhost",
        "LOCALHOST.",
        "127.1",
        "0x7f.1",
        "0177.0.0.1",
        "2130706433",
        "0x7f000001",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]",
        "[64:ff9b::127.0.0.1]",
        "[::127.0.0.1]",
        "0.0.0.0",
        "0",
        "user:password@127.0.0.1",
        "127.0.0.1.",
        "%31%32%37.0.0.1",
        "①②⑦.0.0.1",
        "169.254.169.254",
        "10.0.0.1",
    ];
    for host in hosts {
        let retrieval = fetch_as(
            Guard::new(),
            &format!("http://{host}:{port}/robots.txt"),
            &Validators::default(),
        );
        // Some systems do not resolve a name that ends in a dot.
        let cause = unreachable(&retrieval);
        let unknown = host == "LOCALHOST." && cause == Cause::Dns;
        assert!(
            unknown || cause == Cause::Refused,
            "{host}: {:?}",
            retrieval.hops
        );
    }
    // The operator's list admits the first hop, but not the host that it leads to.
    for host in hosts {
        let to = format!("http://{host}:{port}/");
        let first = Server::saying(format!(
            "HTTP/1.1 302 X\r\nLocation: {to}\r\nContent-Length: 0\r\n\r\n"
        ));
        let network = Network::new(first.address.ip(), 32);
        let guard = Guard::new().allow(network, first.address.port());
        let retrieval = fetch_as(guard, &first.url("/robots.txt"), &Validators::default());
        assert_eq!(first.connections(), 1, "{host}");
        let cause = unreachable(&retrieval);
        let expected = matches!(cause, Cause::Refused | Cause::BadRedirect | Cause::Dns);
        assert!(expected, "{host}: {cause:?}");
    }
    assert_eq!(secret.connections(), 0);
}

/// Bodies: content beyond the limit is cut; a body that ends early or contradicts its head is not a
/// file.
#[test]
fn b_bodies() {
    let endless = Server::new(|stream, _| {
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n");
        let line = b"User-agent: nobody-in-particular\n".repeat(1_000);
        while stream.write_all(&line).is_ok() {}
    });
    let retrieval = fetch(&endless.url("/robots.txt"));
    assert!(retrieval.is_cut);
    assert_eq!(body(&retrieval).len(), options().body_limit);
    for (bytes, cause) in [
        (
            "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nUser-agent: *\n",
            Cause::Truncated,
        ),
        (
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nUser-\r\n",
            Cause::Truncated,
        ),
        (
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
            Cause::Truncated,
        ),
        (
            "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\nnope",
            Cause::Truncated,
        ),
        (
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n123456",
            Cause::Network,
        ),
    ] {
        let retrieval = fetch(&Server::saying(bytes).url("/robots.txt"));
        assert_eq!(
            unreachable(&retrieval),
            cause,
            "{bytes:?}: {:?}",
            retrieval.hops
        );
    }
}

/// B4, B5 and H5: a body with an encoding or framing that was not requested is not a file; gzip is
/// unpacked under any spelling of its name, with all its members, and nothing else may follow them.
#[test]
fn b4_codings() {
    // "User-agent: x\n" and "User-agent: *\nDisallow: /\n", as gzip without compression.
    let (first, second) = (
        stored_gzip(b"User-agent: x\n"),
        stored_gzip(b"User-agent: *\nDisallow: /\n"),
    );
    let both = [first.clone(), second].concat();
    let answer = |fields: &str, body: &[u8]| {
        let mut bytes = format!(
            "HTTP/1.1 200 OK\r\n{fields}Content-Length: {}\r\n\r\n",
            body.len()
        )
        .into_bytes();
        bytes.extend_from_slice(body);
        fetch(&Server::saying(bytes).url("/robots.txt"))
    };
    for coding in ["gzip", "GZIP", "x-gzip", " gzip , "] {
        let retrieval = answer(&format!("Content-Encoding: {coding}\r\n"), &both);
        assert_eq!(
            body(&retrieval),
            b"User-agent: x\nUser-agent: *\nDisallow: /\n",
            "{coding}"
        );
    }
    assert_eq!(
        body(&answer(
            "Content-Encoding: identity\r\n",
            b"User-agent: *\n"
        )),
        b"User-agent: *\n"
    );
    for coding in ["br", "deflate", "zstd", "gzip, gzip", "identity, gzip", "x"] {
        unreachable(&answer(&format!("Content-Encoding: {coding}\r\n"), &both));
    }
    unreachable(&answer(
        "Content-Encoding: gzip\r\nContent-Encoding: gzip\r\n",
        &both,
    ));
    unreachable(&answer(
        "Content-Encoding: gzip\r\n",
        &[&first[..], b"garbage"].concat(),
    ));
    unreachable(&answer(
        "Content-Encoding: gzip\r\n",
        &first[..first.len() - 3],
    ));
    unreachable(&answer(
        "Content-Range: bytes 0-9/100\r\n",
        b"User-agent: *\n",
    ));
    for framing in ["gzip, chunked", "chunked, chunked", "gzip", "xchunked"] {
        let bytes =
            format!("HTTP/1.1 200 OK\r\nTransfer-Encoding: {framing}\r\n\r\n3\r\nabc\r\n0\r\n\r\n");
        unreachable(&fetch(&Server::saying(bytes).url("/robots.txt")));
    }
}

/// A gzip file with uncompressed content: one stored block and its checksum.
fn stored_gzip(content: &[u8]) -> Vec<u8> {
    let length = u16::try_from(content.len()).unwrap();
    let mut file = vec![0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255, 1];
    file.extend(length.to_le_bytes());
    file.extend((!length).to_le_bytes());
    file.extend_from_slice(content);
    let checksum = content.iter().fold(u32::MAX, |sum, byte| {
        (0..8).fold(sum ^ u32::from(*byte), |sum, _| {
            if sum & 1 == 1 {
                sum >> 1 ^ 0xEDB8_8320
            } else {
                sum >> 1
            }
        })
    });
    file.extend((!checksum).to_le_bytes());
    file.extend(u32::from(length).to_le_bytes());
    file
}

/// T3: a 304 that was not requested, or from another authority, is not an answer; and validators of
/// another authority are not kept.
#[test]
fn t3_answers_of_another_authority() {
    let unasked = Server::saying("HTTP/1.1 304 Not Modified\r\n\r\n");
    let settings = RetrievalSettings::default();
    let stored = || {
        let event =
            abide_fetch::machine::Event::file("User-agent: *\n", &[], abide_fetch::http::now());
        State::<Vec<u8>>::default().after(event, &settings)
    };
    let failed = |retrieval: &Retrieval| {
        stored()
            .after(retrieval.event.clone(), &settings)
            .outage()
            .is_some()
    };
    assert!(failed(&fetch(&unasked.url("/robots.txt"))));
    let to = unasked.url("/robots.txt");
    let first = Server::saying(format!(
        "HTTP/1.1 302 X\r\nLocation: {to}\r\nContent-Length: 0\r\n\r\n"
    ));
    let validators = Validators {
        etag: Some("\"a\"".to_owned()),
        last_modified: None,
    };
    assert!(failed(&fetch_as(
        Guard::open(),
        &first.url("/robots.txt"),
        &validators
    )));
    let other = Server::saying("HTTP/1.1 200 OK\r\nETag: \"b\"\r\nContent-Length: 0\r\n\r\n");
    let to = other.url("/robots.txt");
    let first = Server::saying(format!(
        "HTTP/1.1 302 X\r\nLocation: {to}\r\nContent-Length: 0\r\n\r\n"
    ));
    let retrieval = fetch(&first.url("/robots.txt"));
    assert!(state(&retrieval).copy().unwrap().validators.is_empty());
}

/// A megabyte of zeros per kilobyte of gzip: the client unpacks no more than the limit.
#[test]
fn b_a_bomb() {
    // 64 MiB of zeros packed into 64 KiB, built by hand because the tests depend on no gzip crate.
    let bomb = gzip_of_zeros(64 << 20);
    let mut answer = format!(
        "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: {}\r\n\r\n",
        bomb.len()
    )
    .into_bytes();
    answer.extend(bomb);
    let retrieval = fetch(&Server::saying(answer).url("/robots.txt"));
    assert!(retrieval.is_cut);
    assert_eq!(body(&retrieval).len(), options().body_limit);
}

/// A gzip file of this many zeros: one deflate block with fixed codes, a zero and then repeats of
/// it.
fn gzip_of_zeros(zeros: usize) -> Vec<u8> {
    let mut bits = Bits::default();
    bits.push(1, 1);
    bits.push(1, 2);
    bits.code(0x30, 8);
    for _ in 0..(zeros - 1) / 258 {
        bits.code(0b1100_0101, 8);
        bits.code(0, 5);
    }
    bits.code(0, 7);
    let mut file = vec![0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255];
    file.extend(bits.finish());
    file.extend([0; 8]);
    file
}

/// Bytes filled from the lowest bit.
#[derive(Default)]
struct Bits {
    bytes: Vec<u8>,
    used: u32,
}

impl Bits {
    fn push(&mut self, value: u32, count: u32) {
        for at in 0..count {
            if self.used.is_multiple_of(8) {
                self.bytes.push(0);
            }
            let bit = u8::try_from(value >> at & 1).unwrap();
            *self.bytes.last_mut().unwrap() |= bit << (self.used % 8);
            self.used += 1;
        }
    }

    /// Adds a Huffman code, which is written highest bit first.
    fn code(&mut self, value: u32, count: u32) {
        for at in (0..count).rev() {
            self.push(value >> at & 1, 1);
        }
    }

    fn finish(self) -> Vec<u8> {
        self.bytes
    }
}

/// Heads: silence, noise, a flood. Each makes the file unreachable, and the client does not wait
/// for an endless one.
#[test]
fn h_heads() {
    let flood = "X-Flood: 0123456789\r\n".repeat(100_000);
    for (name, behave) in [
        (
            "closed at once",
            Box::new(|_: &mut TcpStream| {}) as Box<dyn Fn(&mut TcpStream) + Send + Sync>,
        ),
        ("silent", Box::new(|_| std::thread::sleep(NEVER))),
        (
            "noise",
            Box::new(|stream| drop(stream.write_all(&[0xFF; 4_000]))),
        ),
        (
            "not HTTP",
            Box::new(|stream| drop(stream.write_all(b"SSH-2.0-OpenSSH_9.6\r\n"))),
        ),
        (
            "a flood of fields",
            Box::new(move |stream| {
                drop(stream.write_all(format!("HTTP/1.1 200 OK\r\n{flood}\r\n").as_bytes()));
            }),
        ),
        (
            "one byte at a time",
            Box::new(|stream| {
                for byte in b"HTTP/1.1 200 OK\r\nContent-Length: 60\r\n\r\n"
                    .iter()
                    .chain(&[b'x'; 60])
                {
                    if stream.write_all(&[*byte]).is_err() {
                        return;
                    }
                    std::thread::sleep(Duration::from_millis(100));
                }
            }),
        ),
    ] {
        let server = Server::new(move |stream, _| behave(stream));
        let mut options = options();
        options.head_timeout = SOON;
        let fetcher = Fetcher::new(Guard::open(), options, RetrievalSettings::default()).unwrap();
        let url = server.url("/robots.txt");
        let cause = unreachable(&fetch_by(&fetcher, &url, &Validators::default()));
        let is_endless = ["silent", "one byte at a time"].contains(&name);
        assert!(!is_endless || cause == Cause::Timeout, "{name}: {cause:?}");
    }
}

/// An endless sequence of interim responses is not an answer either.
#[test]
fn h_interim_responses() {
    let server = Server::new(
        |stream, _| {
            while stream.write_all(b"HTTP/1.1 102 Processing\r\n\r\n").is_ok() {}
        },
    );
    unreachable(&fetch(&server.url("/robots.txt")));
}

/// C: no server, or a server that does not speak TLS.
#[test]
fn c_connections() {
    let closed = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    assert_eq!(
        unreachable(&fetch(&format!("http://{closed}/robots.txt"))),
        Cause::Connect
    );
    // A server that answers the first bytes of TLS with plain text.
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let plain = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let _ = stream.read(&mut [0; 4_096]);
            let _ = stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n");
        }
    });
    assert_eq!(
        unreachable(&fetch(&format!("https://{plain}/robots.txt"))),
        Cause::Tls
    );
}

/// D: a name that does not resolve, and text that is not a name.
#[test]
fn d_names() {
    assert_eq!(
        unreachable(&fetch("http://no-such-name.invalid/robots.txt")),
        Cause::Dns
    );
    let long = format!("http://{}.invalid/robots.txt", "a".repeat(64));
    assert_eq!(unreachable(&fetch(&long)), Cause::Dns);
    assert_eq!(
        unreachable(&fetch("file:///etc/passwd")),
        Cause::BadRedirect
    );
    assert_eq!(unreachable(&fetch("http://[::1")), Cause::BadRedirect);
}

#[test]
fn a_user_agent_that_cannot_be_sent() {
    let options = Options::new("Bot\r\nX: y");
    assert!(Fetcher::new(Guard::new(), options, RetrievalSettings::default()).is_err());
}

/// REP-63: what this machine waits for before it sends a request is not slowness of the site.
#[test]
fn permits_slow_no_site_down() {
    let server = Server::saying("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
    let mut options = options();
    options.concurrency.spacing = Duration::from_secs(3);
    let fetcher = Fetcher::new(Guard::open(), options, RetrievalSettings::default()).unwrap();
    let mut settings = PaceSettings::default();
    settings.min_delay = Duration::ZERO;
    let pacer = Pacer::new(&settings);
    let url = RequestUrl::new(&server.url("/robots.txt")).unwrap();
    let validators = Validators::default();
    let runtime = tokio::runtime::Builder::new_current_thread();
    { runtime }.enable_all().build().unwrap().block_on(async {
        for _ in 0..2 {
            let retrieved = fetcher.paced(url.as_str(), &validators, None, &pacer).await;
            assert_eq!(retrieved.hops[0].status, Some(200));
        }
        let began = Instant::now();
        drop(pacer.turn(&url).await.unwrap());
        assert!(began.elapsed() < Duration::from_secs(2));
    });
    assert_eq!(server.connections(), 2);
}
