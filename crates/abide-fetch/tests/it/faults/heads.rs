//! Faults in the framing and heads of HTTP (H).

use super::{
    FILE, answer, counted, fails, fetch_with, file, retrieved, run, saying, strikes, succeeds,
};
use crate::ended;
use crate::http::{options, state, unreachable};
use abide::rep::Cause;
use abide_fetch::guard::Guard;
use abide_fetch::http::Fetcher;
use abide_fetch::machine::{Answer, RetrievalSettings, Validators};
use abide_testkit::fault::{ByteServer, Script, Step, TlsLab};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// The number of bytes of heads that are read, and the bytes of one more read.
const HEADS: usize = (64 << 10) + (16 << 10) + 4_096;

/// H28: a server that sends a head byte by byte gets no more time than any other.
#[test]
fn h1_and_h28_a_head_in_drops() {
    let head = format!("HTTP/1.1 200 OK\r\n{}\r\n", "X-Drop: 1\r\n".repeat(90));
    let steps = [Step::Drip(head.into_bytes(), 1, Duration::from_millis(5))];
    let server = ByteServer::new(Script::always(steps));
    strikes(
        |options| &mut options.head_timeout,
        &server.url("/robots.txt"),
        "drops",
    );
}

#[test]
fn h2_heads_without_end() {
    let start = "HTTP/1.1 200 OK\r\n";
    for (what, line) in [("lines", "X-More: 0123456789\r\n"), ("one line", "X")] {
        let steps = [Step::send(start), Step::endless(line.repeat(1_000))];
        let (retrieval, read) = counted(steps);
        fails(&retrieval, Cause::Network, what);
        assert!(read <= HEADS, "{what}: {read} bytes");
    }
    let fields = |count: usize, length: usize| {
        let value = "v".repeat(length);
        let lines = format!("X-More: {value}\r\n").repeat(count);
        // One more line is the length of the body.
        saying(file(&lines, FILE.as_bytes()))
    };
    succeeds(&fields(99, 8), FILE.as_bytes(), "100 fields");
    fails(&fields(100, 8), Cause::Network, "101 fields");
    succeeds(&fields(1, 60 << 10), FILE.as_bytes(), "60 KiB");
    fails(&fields(1, 64 << 10), Cause::Network, "64 KiB");
    fails(&fields(1, 1 << 20), Cause::Network, "1 MiB");
}

/// H27: the client reads ten interim responses, but not eleven or two hundred thousand.
#[test]
fn h3_and_h27_interim_answers() {
    for status in ["100 Continue", "102 Processing", "103 Early Hints"] {
        let interim = format!("HTTP/1.1 {status}\r\n\r\n");
        let after = |count: usize| {
            let final_one = file("", FILE.as_bytes());
            saying([interim.repeat(count).into_bytes(), final_one].concat())
        };
        succeeds(&after(10), FILE.as_bytes(), status);
        fails(&after(11), Cause::Network, status);
        let (retrieval, read) = counted([Step::endless(interim.repeat(1_000))]);
        fails(&retrieval, Cause::Network, status);
        assert!(read <= HEADS, "{status}: {read} bytes");
    }
    let (retrieval, read) = counted([Step::Repeat(
        b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n".to_vec(),
        Some(200_000),
    )]);
    fails(&retrieval, Cause::Network, "200,000");
    assert!(read <= HEADS, "{read} bytes");
}

/// H26: invalid lengths, and lengths that differ from the body's.
#[test]
fn h4_and_h26_lengths() {
    let of = |fields: &str| saying(format!("HTTP/1.1 200 OK\r\n{fields}\r\n\r\n12345"));
    succeeds(&of("Content-Length: 5"), b"12345", "5");
    succeeds(&of("Content-Length:   5  "), b"12345", "blanks");
    // Bytes beyond the declared length are not part of the body.
    succeeds(&of("Content-Length: 3"), b"123", "less than there is");
    fails(
        &of("Content-Length: 6"),
        Cause::Truncated,
        "more than there is",
    );
    for fields in [
        "Content-Length: 5\r\nContent-Length: 6",
        "Content-Length: 6\r\nContent-Length: 5",
        "Content-Length: 5, 6",
        "Content-Length: +5",
        "Content-Length: -5",
        "Content-Length: 0x5",
        "Content-Length: 5.0",
        "Content-Length: 5 5",
        "Content-Length: ",
        "Content-Length: 18446744073709551616",
        "Content-Length: 18446744073709551615",
        "Content-Length: 99999999999999999999999999999999",
        "Content-Length: \u{665}",
        "Content-Length: five",
    ] {
        let cause = unreachable(&of(fields));
        assert!(
            matches!(cause, Cause::Network | Cause::Truncated),
            "{fields}: {cause:?}"
        );
    }
    // RFC 9112, 6.3, allows a length to be repeated.
    for fields in [
        "Content-Length: 5, 5",
        "Content-Length: 5\r\nContent-Length: 5",
    ] {
        let retrieval = of(fields);
        if state(&retrieval).copy().is_some() {
            succeeds(&retrieval, b"12345", fields);
        } else {
            fails(&retrieval, Cause::Network, fields);
        }
    }
}

#[test]
fn h5_two_framings() {
    let chunked = "5\r\n12345\r\n0\r\n\r\n";
    let of = |fields: &str| saying(format!("HTTP/1.1 200 OK\r\n{fields}\r\n\r\n{chunked}"));
    succeeds(&of("Transfer-Encoding: chunked"), b"12345", "chunked");
    succeeds(&of("Transfer-Encoding: Chunked"), b"12345", "Chunked");
    for fields in [
        "Content-Length: 5\r\nTransfer-Encoding: chunked",
        "Transfer-Encoding: chunked\r\nContent-Length: 15",
        "Transfer-Encoding: chunked, chunked",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
        "Transfer-Encoding: xchunked",
        "Transfer-Encoding: chunkedx",
        "Transfer-Encoding: \"chunked\"",
        "Transfer-Encoding: chunked;a=b",
        "Transfer-Encoding: identity",
        "Transfer-Encoding: gzip, chunked",
        "Transfer-Encoding: chunked, identity",
        "Transfer-Encoding : chunked",
        "Transfer-Encoding\t: chunked",
        " Transfer-Encoding: chunked",
        "Content-Length: 15\r\nTransfer-Encoding: identity",
    ] {
        fails(&of(fields), Cause::Network, fields);
    }
}

/// H5: an answer with two framings is invalid for every status, because a missing file would open
/// the site.
#[test]
fn h5_two_framings_of_any_status() {
    let chunked = "Transfer-Encoding: chunked";
    let both = format!("Content-Length: 27\r\n{chunked}");
    for (status, fields) in [
        ("404 N", &*both),
        ("404 N", "Transfer-Encoding: xchunked"),
        (
            "404 N",
            "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
        ),
        ("403 F", "Transfer-Encoding: "),
        ("204 N", &both),
        ("204 N", chunked),
        ("302 F", &format!("Location: /other\r\n{both}")),
        ("304 N", &both),
        ("500 E", &both),
    ] {
        let retrieval = saying(format!("HTTP/1.1 {status}\r\n{fields}\r\n\r\n0\r\n\r\n"));
        fails(&retrieval, Cause::Network, &format!("{status} {fields}"));
        assert_eq!(retrieval.hops.len(), 1, "{status} {fields}");
    }
    let retrieval = saying(format!("HTTP/1.1 404 N\r\n{chunked}\r\n\r\n0\r\n\r\n"));
    let plan = state(&retrieval);
    assert!(plan.copy().is_some(), "a missing file, framed once");
}

/// H25: invalid chunks, and trailers, which have no effect.
#[test]
fn h6_and_h25_chunks() {
    let of = |chunks: &str| {
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
        saying(format!("{head}{chunks}"))
    };
    succeeds(&of("5\r\n12345\r\n0\r\n\r\n"), b"12345", "plain");
    succeeds(&of("5;a=b\r\n12345\r\n0;c\r\n\r\n"), b"12345", "extensions");
    let extension = format!("5;{}\r\n12345\r\n0\r\n\r\n", "a".repeat(1 << 20));
    for chunks in [
        "fffffffffffffffff\r\n12345\r\n0\r\n\r\n",
        "ffffffffffffffff\r\n12345\r\n0\r\n\r\n",
        "10000000000000005\r\n12345\r\n0\r\n\r\n",
        "0x5\r\n12345\r\n0\r\n\r\n",
        "-1\r\n12345\r\n0\r\n\r\n",
        "+5\r\n12345\r\n0\r\n\r\n",
        "\r\n12345\r\n0\r\n\r\n",
        "5\n\n",
        "5\r\n12345",
        "5\r\n12345\r\n",
        "5\r\n12345\r\n0\r\n",
        "5\r\n1234567\r\n0\r\n\r\n",
        "6\r\n12345\r\n0\r\n\r\n",
        "5\r\n1234\r\n0\r\n\r\n",
        &extension,
    ] {
        fails(&of(chunks), Cause::Truncated, &format!("{chunks:.40}"));
    }
    let trailers = "X-Robots-Tag: all\r\nContent-Length: 0\r\nRobots-Tag: *\r\n";
    let retrieval = of(&format!("5\r\n12345\r\n0\r\n{trailers}\r\n"));
    succeeds(&retrieval, b"12345", "trailers");
    let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n12345\r\n";
    for endless in ["0\r\n", "5;"] {
        let more = if endless.ends_with(';') {
            "a"
        } else {
            "X-More: 0123456789\r\n"
        };
        let steps = [
            Step::send(format!("{head}{endless}")),
            Step::endless(more.repeat(1_000)),
        ];
        let (retrieval, read) = counted(steps);
        fails(&retrieval, Cause::Truncated, endless);
        assert!(read <= 1 << 20, "{endless}: {read} bytes");
    }
}

/// A body that ends with the connection is a file, and the missing length is reported.
#[test]
fn h7_no_length() {
    let retrieval = saying(format!("HTTP/1.1 200 OK\r\n\r\n{FILE}"));
    succeeds(&retrieval, FILE.as_bytes(), "until the end");
    assert!(retrieval.is_unframed);
    let retrieval = saying(format!("HTTP/1.0 200 OK\r\n\r\n{FILE}"));
    succeeds(&retrieval, FILE.as_bytes(), "HTTP/1.0");
    assert!(retrieval.is_unframed);
    assert!(!saying(file("", FILE.as_bytes())).is_unframed);
    let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n";
    assert!(!saying(chunked).is_unframed);
    assert!(!saying("HTTP/1.1 204 No Content\r\n\r\n").is_unframed);
}

#[test]
fn h8_lines_and_names() {
    let length = FILE.len();
    let bare = format!("HTTP/1.1 200 OK\nContent-Length: {length}\n\n{FILE}");
    succeeds(&saying(bare), FILE.as_bytes(), "bare LF");
    for line in [
        "X: a\rY: b",
        "X: a\r\n b",
        "X: a\r\n\tb",
        "X: a\0b",
        "X\0: a",
        "X : a",
        "X",
        ": a",
        " X: a",
        "X\u{e9}: a",
        "\u{e9}: a",
        "X(): a",
        "X: a\u{7f}",
        "X: a\u{1}",
    ] {
        let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {length}\r\n{line}\r\n\r\n{FILE}");
        fails(&saying(head), Cause::Network, &format!("{line:?}"));
    }
}

#[test]
fn h9_start_lines() {
    for start in [
        "HTTP/1.2 200 OK",
        "HTTP/2.0 200 OK",
        "HTTP/2 200",
        "HTTP/0.9 200 OK",
        "http/1.1 200 OK",
        "HTTPS/1.1 200 OK",
        "ICY 200 OK",
        "\r\nHTTP/1.1 200 OK",
        "\nHTTP/1.1 200 OK",
        " HTTP/1.1 200 OK",
        "HTTP/1.1 20O OK",
        "HTTP/1.1 2 OK",
        "HTTP/1.1 20",
        "HTTP/1.1 0200 OK",
        "HTTP/1.1 -200 OK",
        "HTTP/1.1 099 Early",
        "HTTP/1.1 000 Nothing",
        "HTTP/1.1200 OK",
        "HTTP/1.1\r200 OK",
    ] {
        fails(
            &saying(answer(start, "", FILE.as_bytes())),
            Cause::Network,
            start,
        );
    }
    fails(&saying(FILE), Cause::Network, "HTTP/0.9");
}

/// H36: responses without a body, with any bytes where a body would be.
#[test]
fn h10_and_h36_no_body() {
    let rules = b"User-agent: *\nDisallow: /\n";
    let client = crate::client();
    for start in ["HTTP/1.1 204 No Content", "HTTP/1.1 205 Reset Content"] {
        let retrieval = saying(answer(start, "", rules));
        succeeds(&retrieval, b"", start);
        let known = state(&retrieval);
        let plan = known.plan(abide_fetch::http::now(), &RetrievalSettings::default());
        assert!(plan.current.policy(&client).allows("/x"), "an empty file");
    }
    let unasked = saying(answer("HTTP/1.1 304 Not Modified", "", b"User-agent: *\n"));
    fails(&unasked, Cause::Status(304), "304");
    // A 304 in answer to validators: the copy still holds, and the body is discarded.
    let server = ByteServer::new(Script::saying(answer(
        "HTTP/1.1 304 Not Modified",
        "",
        b"User-agent: *\n",
    )));
    let fetcher = Fetcher::new(Guard::open(), options(), RetrievalSettings::default()).unwrap();
    let validators = Validators {
        etag: Some("\"a\"".to_owned()),
        last_modified: None,
    };
    let retrieval = run(ended(
        fetcher.retrieve(&server.url("/robots.txt"), &validators),
    ));
    let settings = RetrievalSettings::default();
    let fields = [abide_fetch::machine::Field::new("ETag", b"\"a\"")];
    let stored = abide_fetch::machine::Event::file(FILE, &fields, abide_fetch::http::now());
    let known = abide_fetch::machine::State::<Vec<u8>>::default()
        .after(stored, &settings)
        .after(retrieval.event, &settings);
    assert_eq!(
        known.copy().map(|copy| &copy.kept),
        Some(&Answer::File(FILE.as_bytes().to_vec()))
    );
    assert!(known.outage().is_none());
    for status in ["100 Continue", "103 Early Hints", "199 Nobody Knows"] {
        let retrieval = saying(format!("HTTP/1.1 {status}\r\n\r\n{FILE}"));
        fails(&retrieval, Cause::Network, status);
    }
    let upgrade = "HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: h2c\r\n\r\n";
    let cause = unreachable(&saying(format!("{upgrade}{FILE}")));
    assert!(
        matches!(cause, Cause::Status(101) | Cause::Network),
        "{cause:?}"
    );
}

/// An answer that arrives before the request is discarded; a second answer after the first is not
/// read.
#[test]
fn h11_answers_that_nobody_asked_for() {
    use super::network::Names;
    let names = Names::all(&["93.184.216.34"]);
    let hasty = Hasty::default();
    let fetcher = Fetcher::with_network(
        Guard::new(),
        options(),
        RetrievalSettings::default(),
        names,
        hasty.clone(),
    );
    let url = "http://a.example/robots.txt";
    let retrieval = run(retrieved(&fetcher.unwrap(), url));
    fails(&retrieval, Cause::Network, "too soon");
    assert_eq!(*hasty.sent.lock().unwrap(), b"", "nothing is asked then");
    let second = file("", b"User-agent: *\nAllow: /\n");
    let both = [file("", FILE.as_bytes()), second].concat();
    succeeds(&saying(both), FILE.as_bytes(), "two at once");
}

/// Connections on which an answer has already arrived.
#[derive(Clone, Debug, Default)]
struct Hasty {
    sent: Arc<Mutex<Vec<u8>>>,
}

impl abide_fetch::http::Connector for Hasty {
    fn connect(
        &self,
        address: std::net::SocketAddr,
    ) -> abide_fetch::http::BoxFuture<'_, std::io::Result<Box<dyn abide_fetch::http::Stream>>> {
        Box::pin(async move {
            use tokio::io::{AsyncReadExt, AsyncWriteExt};
            let (bytes, mut far) = tokio::io::duplex(4_096);
            far.write_all(&file("", FILE.as_bytes())).await?;
            let sent = Arc::clone(&self.sent);
            tokio::spawn(async move {
                let mut all = Vec::new();
                let _ = far.read_to_end(&mut all).await;
                sent.lock().unwrap().extend(all);
            });
            Ok(Box::new(super::network::Near::at(bytes, address))
                as Box<dyn abide_fetch::http::Stream>)
        })
    }
}

/// Response fields that make other clients keep state: the next request is unchanged.
#[test]
fn h12_nothing_is_kept_of_fields() {
    let fields = "Set-Cookie: a=b; Domain=localhost; Path=/\r\nSet-Cookie2: c=d\r\n\
                  Alt-Svc: h2=\":443\"; ma=2592000\r\nStrict-Transport-Security: max-age=31536000\r\n\
                  Refresh: 0; url=/elsewhere\r\nLink: </other>; rel=preload\r\n\
                  Accept-CH: DPR\r\nWWW-Authenticate: Basic realm=x\r\nConnection: keep-alive\r\n\
                  Public-Key-Pins: max-age=1\r\nX-Robots-Tag: noindex\r\n";
    let server = ByteServer::new(Script::saying(file(fields, FILE.as_bytes())));
    let fetcher = Fetcher::new(Guard::open(), options(), RetrievalSettings::default()).unwrap();
    let url = server.url("/robots.txt").replace("127.0.0.1", "localhost");
    run(async {
        for _ in 0..2 {
            let retrieval = retrieved(&fetcher, &url).await;
            succeeds(&retrieval, FILE.as_bytes(), "fields");
            assert_eq!(retrieval.hops.len(), 1);
        }
    });
    let requests = server.requests();
    assert_eq!(requests.len(), 2);
    assert_eq!(requests[0], requests[1]);
    let names: Vec<String> = requests[0]
        .lines()
        .skip(1)
        .filter_map(|line| Some(line.split_once(':')?.0.to_ascii_lowercase()))
        .collect();
    let expected = [
        "host",
        "user-agent",
        "accept",
        "accept-encoding",
        "connection",
    ];
    assert_eq!(names, expected);
}

/// HTTP/2 is not supported: not offered, and not understood if the server uses it anyway.
#[test]
fn h13_http_2() {
    let lab = TlsLab::new();
    let offered = Arc::new(Mutex::new(Vec::new()));
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let noted = Arc::clone(&offered);
    let listening = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut acceptor = rustls::server::Acceptor::default();
        loop {
            acceptor.read_tls(&mut stream).unwrap();
            if let Some(accepted) = acceptor.accept().unwrap() {
                let hello = accepted.client_hello();
                let protocols = hello.alpn().into_iter().flatten();
                let protocols: Vec<_> = protocols.map(<[u8]>::to_vec).collect();
                noted.lock().unwrap().extend(protocols);
                return;
            }
        }
    });
    unreachable(&super::fetch(&format!(
        "https://localhost:{port}/robots.txt"
    )));
    listening.join().unwrap();
    let protocols = offered.lock().unwrap().clone();
    assert!(!protocols.contains(&b"h2".to_vec()), "{protocols:?}");
    // A server of both protocols, and one of HTTP/2 alone.
    let certified = lab.good(&["localhost"]);
    let script = Script::saying(file("", FILE.as_bytes()));
    let mut trusting = options();
    trusting.roots = vec![abide_fetch::Certificate::from_der(lab.root().to_vec())];
    let both = ByteServer::secure(certified.server_offering(&["h2", "http/1.1"]), script);
    let url = format!("https://localhost:{}/robots.txt", both.address().port());
    succeeds(
        &fetch_with(&url, Guard::open(), trusting),
        FILE.as_bytes(),
        "both",
    );
    assert!(both.requests()[0].starts_with("GET /robots.txt HTTP/1.1\r\n"));
    let frame = |kind: u8, flags: u8, payload: &[u8]| {
        let length = u32::try_from(payload.len()).unwrap().to_be_bytes();
        [&length[1..], &[kind, flags, 0, 0, 0, 0], payload].concat()
    };
    for (what, frames) in [
        ("SETTINGS", frame(4, 0, &[0; 6])),
        ("GOAWAY", frame(7, 0, &[0; 8])),
        ("RST_STREAM", frame(3, 0, &[0; 4])),
        ("PING", frame(6, 0, &[0; 8])),
        ("CONTINUATION", frame(9, 0, &[0; 100])),
        ("empty DATA", frame(0, 0, &[])),
        ("PUSH_PROMISE", frame(5, 0, &[0; 8])),
        ("a preface", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_vec()),
    ] {
        let (retrieval, read) = counted([Step::endless(frames.repeat(100))]);
        fails(&retrieval, Cause::Network, what);
        assert!(read <= HEADS, "{what}: {read} bytes");
    }
}

/// H31, H33: with times that make no sense, an answer is fresh for at least five minutes and at
/// most a day.
#[test]
fn h14_and_h31_and_h33_absurd_times() {
    let held = |fields: &str| {
        let retrieval = saying(file(fields, FILE.as_bytes()));
        succeeds(&retrieval, FILE.as_bytes(), fields);
        let known = state(&retrieval);
        let copy = known.copy().unwrap();
        copy.fresh_until.unix_seconds() - copy.checked_at.unix_seconds()
    };
    for fields in [
        "Cache-Control: max-age=9223372036854775808, MAX-AGE=\"60\", max-age=\r\n",
        "Cache-Control: max-age=99999999999999999999\r\n",
        "Cache-Control: max-age=-1\r\n",
        "Cache-Control: \u{fffd}=\",\r\n",
        "Age: -1\r\n",
        "Age: 99999999999999999999\r\n",
        "Age: 99999999999999999999\r\nCache-Control: max-age=60\r\n",
        "Expires: 0\r\n",
        "Expires: Fri, 31 Dec 9999 23:59:59 GMT\r\n",
        "Date: Thu, 32 Foo 9999 99:99:99 GMT\r\n",
        "Date: Fri, 31 Dec 9999 23:59:59 GMT\r\nExpires: Thu, 01 Jan 1970 00:00:00 GMT\r\n",
        "Date: Thu, 01 Jan 1970 00:00:00 GMT\r\nCache-Control: max-age=60\r\n",
    ] {
        let seconds = held(fields);
        assert!((300..=86_400).contains(&seconds), "{fields}: {seconds}");
    }
    for value in [
        "1e9",
        "-1",
        "Thu, 01 Jan 1970 00:00:00 GMT",
        "99999999999999999999",
        "\u{661}",
    ] {
        let fields = format!("Retry-After: {value}\r\n");
        let retrieval = saying(answer("HTTP/1.1 503 Unavailable", &fields, b""));
        fails(&retrieval, Cause::Status(503), value);
        assert!((0..=86_400).contains(&super::wait(&retrieval)), "{value}");
    }
}

/// Validators that cannot be sent back are not kept; the others are sent as they arrived.
#[test]
fn h32_validators() {
    let kept = |etag: &str| {
        let retrieval = saying(file(&format!("ETag: {etag}\r\n"), FILE.as_bytes()));
        let known = state(&retrieval);
        known.copy().and_then(|copy| copy.validators.etag.clone())
    };
    assert_eq!(kept("\"a\"").as_deref(), Some("\"a\""));
    assert_eq!(kept(&format!("\"{}\"", "a".repeat(60 << 10))), None);
    let odd = kept("W/");
    assert!(odd.as_deref().is_none_or(|odd| odd == "W/"));
    let cut = saying(file("ETag: \"a\rb\"\r\n", FILE.as_bytes()));
    fails(&cut, Cause::Network, "CR in a field");
    // Everything that was kept can be sent, and adds no field of its own.
    let server = ByteServer::new(Script::saying(file("", FILE.as_bytes())));
    let fetcher = Fetcher::new(Guard::open(), options(), RetrievalSettings::default()).unwrap();
    for etag in ["W/", "\"a\"\r\nX-Evil: 1", "\"\u{e9}\"", "\0"] {
        let validators = Validators {
            etag: Some(etag.to_owned()),
            last_modified: Some("not a date\r\nX-Evil: 1".to_owned()),
        };
        run(ended(
            fetcher.retrieve(&server.url("/robots.txt"), &validators),
        ));
    }
    for request in server.requests() {
        assert!(
            !request.to_ascii_lowercase().contains("x-evil"),
            "{request}"
        );
    }
}

/// Every three-digit status, with a body of rules: each has the effect that RFC 9309 specifies.
#[test]
fn h34_every_status() {
    let server = ByteServer::new(Script::by(|hit| {
        let status = hit.path.trim_start_matches('/');
        let start = format!("HTTP/1.1 {status} Status");
        vec![Step::Send(answer(&start, "", FILE.as_bytes())), Step::Fin]
    }));
    let mut polite = options();
    polite.concurrency.per_host = 8;
    let fetcher = Fetcher::new(Guard::open(), polite, RetrievalSettings::default()).unwrap();
    run(async {
        for status in 0..1_000_u16 {
            let url = server.url(&format!("/{status:03}"));
            let retrieval = retrieved(&fetcher, &url).await;
            match status {
                200 | 203 | 226 => succeeds(&retrieval, FILE.as_bytes(), &url),
                204 | 205 => succeeds(&retrieval, b"", &url),
                429 => assert_eq!(unreachable(&retrieval), Cause::Status(429)),
                400..=499 => assert_eq!(super::unavailable(&retrieval), Cause::Status(status)),
                301 | 302 | 303 | 307 | 308 => {
                    assert_eq!(unreachable(&retrieval), Cause::BadRedirect);
                }
                _ => drop(unreachable(&retrieval)),
            }
        }
    });
}
