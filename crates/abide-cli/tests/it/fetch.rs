//! Plain fetches from a test server on loopback.

use crate::abide;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

/// Answers each request with the result of `answer` for its path, until the test ends.
pub(crate) struct Server {
    port: u16,
    /// Heads of the requests received so far.
    heads: Arc<Mutex<Vec<String>>>,
}

impl Server {
    pub(crate) fn start(answer: impl Fn(&str) -> Vec<u8> + Send + 'static) -> Self {
        Self::start_by_head(move |head| answer(head.split(' ').nth(1).unwrap_or_default()))
    }

    /// Answers each request with the result of `answer` for its head.
    pub(crate) fn start_by_head(answer: impl Fn(&str) -> Vec<u8> + Send + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let heads = Arc::new(Mutex::new(Vec::new()));
        let seen = Arc::clone(&heads);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream: TcpStream = stream.unwrap();
                let mut head = String::new();
                let mut lines = BufReader::new(stream.try_clone().unwrap());
                while !head.ends_with("\r\n\r\n")
                    && lines.read_line(&mut head).is_ok_and(|read| read > 0)
                {}
                let answer = answer(&head);
                seen.lock().unwrap().push(head);
                // The client may have disconnected already.
                drop(stream.write_all(&answer));
            }
        });
        Self { port, heads }
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    pub(crate) fn paths(&self) -> Vec<String> {
        self.heads
            .lock()
            .unwrap()
            .iter()
            .map(|head| head.split(' ').nth(1).unwrap().to_owned())
            .collect()
    }
}

pub(crate) fn response(status: &str, headers: &str, body: &str) -> Vec<u8> {
    format!(
        "HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n{headers}\r\n{body}",
        body.len()
    )
    .into_bytes()
}

/// The first line that `abide check` prints about a page of this server, and its exit status.
fn check(server: &Server, path: &str) -> (String, i32) {
    let ran = abide(
        &[
            "check",
            "--allow-private",
            &server.url(path),
            "--agent",
            "ExampleBot",
        ],
        b"",
    );
    (
        ran.stdout.lines().nth(1).unwrap_or_default().to_owned(),
        ran.status,
    )
}

#[test]
fn rep_67_the_file_is_fetched_from_the_root_of_the_authority() {
    let server = Server::start(|_| response("200 OK", "", "User-agent: *\nDisallow: /private/\n"));
    assert_eq!(check(&server, "/private/a/b?c").1, 1);
    assert_eq!(check(&server, "/public").1, 0);
    assert_eq!(server.paths(), ["/robots.txt", "/robots.txt"]);
    let heads = server.heads.lock().unwrap();
    assert!(
        heads[0].to_ascii_lowercase().contains("user-agent: abide/"),
        "{}",
        heads[0]
    );
    assert!(heads[0].contains("ExampleBot"), "{}", heads[0]);
}

/// Without a cache no copy can be too old: every call asks the site again.
#[test]
fn rep_80_no_copy_outlives_a_call() {
    let server = Server::start(|_| {
        response(
            "200 OK",
            "Cache-Control: max-age=604800\r\n",
            "User-agent: *\nDisallow: /\n",
        )
    });
    for _ in 0..3 {
        check(&server, "/x");
    }
    assert_eq!(server.paths().len(), 3);
}

#[test]
fn one_fetch_serves_all_urls_of_a_call() {
    let server = Server::start(|_| response("200 OK", "", "User-agent: *\nDisallow: /a\n"));
    let (a, b) = (server.url("/a"), server.url("/b"));
    let ran = abide(
        &[
            "check",
            "--allow-private",
            &a,
            &b,
            "--agent",
            "f",
            "--format",
            "jsonl",
        ],
        b"",
    );
    assert_eq!((ran.status, ran.stdout.lines().count()), (1, 2));
    assert_eq!(server.paths().len(), 1);
}

#[test]
fn statuses() {
    for (status, outcome) in [
        (
            "404 Not Found",
            "crawl: allowed, because robots.txt is unavailable (HTTP status 404)",
        ),
        (
            "403 Forbidden",
            "crawl: allowed, because robots.txt is unavailable (HTTP status 403)",
        ),
        (
            "410 Gone",
            "crawl: allowed, because robots.txt is unavailable (HTTP status 410)",
        ),
        (
            "429 Too Many Requests",
            "crawl: disallowed, because robots.txt is unreachable (HTTP status 429)",
        ),
        (
            "500 Internal Server Error",
            "crawl: disallowed, because robots.txt is unreachable (HTTP status 500)",
        ),
        (
            "503 Service Unavailable",
            "crawl: disallowed, because robots.txt is unreachable (HTTP status 503)",
        ),
        (
            "302 Found Without Location",
            "crawl: disallowed, because robots.txt is unreachable (bad redirect)",
        ),
    ] {
        let server = Server::start(move |_| response(status, "", "User-agent: *\nDisallow:\n"));
        assert_eq!(check(&server, "/x").0, outcome);
        let own = check(&server, "/robots.txt");
        assert_eq!(own.1, 0, "{status}: the file itself may be fetched");
    }
}

#[test]
fn five_redirects_are_followed_and_a_sixth_is_not() {
    let redirects = |most: u32| {
        Server::start(move |path| {
            let hop: u32 = path
                .strip_prefix("/hop")
                .map_or(0, |hop| hop.parse().unwrap());
            if hop < most {
                let location = format!("Location: /hop{}\r\n", hop + 1);
                response(
                    ["301 A", "302 B", "303 C", "307 D", "308 E"][hop as usize % 5],
                    &location,
                    "",
                )
            } else {
                response("200 OK", "", "User-agent: *\nDisallow: /\n")
            }
        })
    };
    assert_eq!(
        check(&redirects(5), "/x"),
        ("crawl: disallowed".to_owned(), 1)
    );
    let (output, status) = check(&redirects(6), "/x");
    assert_eq!(
        (&*output, status),
        (
            "crawl: allowed, because robots.txt is unavailable (too many redirects)",
            0
        )
    );
}

#[test]
fn failures_of_the_network_prohibit() {
    let refused = {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        format!(
            "http://127.0.0.1:{}/x",
            listener.local_addr().unwrap().port()
        )
    };
    let ran = abide(&["check", "--allow-private", &refused, "--agent", "f"], b"");
    assert!(
        ran.stdout
            .contains("crawl: disallowed, because robots.txt is unreachable (no connection)"),
        "{}",
        ran.stdout
    );
    assert_eq!(ran.status, 3);
    let cut = Server::start(|_| {
        b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nUser-agent: *\n".to_vec()
    });
    assert_eq!(check(&cut, "/x").1, 3, "a body that ends early");
    let silent = Server::start(|_| Vec::new());
    assert_eq!(check(&silent, "/x").1, 3, "no answer at all");
    let noise = Server::start(|_| b"SSH-2.0-OpenSSH_9.2\r\n".to_vec());
    assert_eq!(check(&noise, "/x").1, 3, "an answer that is no HTTP");
    let tls = Server::start(|_| response("200 OK", "", ""));
    let url = tls.url("/x").replace("http:", "https:");
    let ran = abide(&["check", "--allow-private", &url, "--agent", "f"], b"");
    assert_eq!(ran.status, 3, "a server without TLS: {}", ran.stdout);
}

#[test]
fn robots_may_name_a_url() {
    let server = Server::start(|path| match path {
        "/other.txt" => response("200 OK", "", "User-agent: *\nDisallow: /x\n"),
        _ => response("404 Not Found", "", ""),
    });
    let robots = server.url("/other.txt");
    let ran = abide(
        &[
            "check",
            "https://e.example/x",
            "--agent",
            "f",
            "--robots",
            &robots,
        ],
        b"",
    );
    assert_eq!(ran.status, 3, "{}{}", ran.stdout, ran.stderr);
    let ran = abide(&["check", "/x", "--agent", "f", "--robots", "http://"], b"");
    assert_eq!(ran.status, 2, "{}{}", ran.stdout, ran.stderr);
}

/// A body without end: the command reads only up to the limit.
#[test]
fn a_body_over_the_limit_is_cut() {
    let server = Server::start(|_| {
        let mut body = b"User-agent: *\nDisallow: /x\n".to_vec();
        body.resize(5_000_000, b'#');
        let mut response =
            format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n", body.len()).into_bytes();
        response.append(&mut body);
        response
    });
    let ran = abide(
        &[
            "check",
            "--allow-private",
            &server.url("/x"),
            "--agent",
            "f",
        ],
        b"",
    );
    assert_eq!(ran.status, 1);
    assert!(
        ran.stderr.contains("is longer than 512000 bytes"),
        "{}",
        ran.stderr
    );
}

/// The command fetches a permissions reference from its URL, and the lines of that file are the
/// evidence.
#[test]
fn acap_references_are_fetched() {
    let server = Server::start(|path| match path {
        "/robots.txt" => response(
            "200 OK",
            "",
            "ACAP-crawler: *\nACAP-permissions-reference: /more.txt\n",
        ),
        _ => response("200 OK", "", "ACAP-crawler: *\nACAP-disallow-crawl: /x\n"),
    });
    let (output, status) = check(&server, "/x");
    assert_eq!((&*output, status), ("crawl: disallowed", 1));
    assert_eq!(server.paths(), ["/robots.txt", "/more.txt"]);
}

/// Without the option for it, the command does not connect to this machine.
#[test]
fn private_addresses_are_refused() {
    let server = Server::start(|_| response("200 OK", "", "User-agent: *\n"));
    let ran = abide(&["check", &server.url("/x"), "--agent", "f"], b"");
    assert_eq!(ran.status, 3);
    assert!(
        ran.stdout.contains(
            "crawl: disallowed, because robots.txt is unreachable (the address is refused)"
        ),
        "{}",
        ran.stdout
    );
    assert!(
        ran.stderr.contains(
            "127.0.0.1 is not a public address: loopback; --allow-private lets it through"
        ),
        "{}",
        ran.stderr
    );
    assert!(server.paths().is_empty());
}

/// `abide fetch` shows every hop and the result.
#[test]
fn fetch_tells_how_it_went() {
    let server = Server::start(|path| match path {
        "/robots.txt" => response("302 Found", "Location: /other\r\n", ""),
        _ => response(
            "200 OK",
            "Cache-Control: max-age=600\r\n",
            "User-agent: *\n",
        ),
    });
    let ran = abide(&["fetch", "--allow-private", &server.url("/page")], b"");
    assert_eq!((ran.status, &*ran.stderr), (0, ""));
    let output: Vec<_> = ran.stdout.lines().collect();
    assert_eq!(output[0], server.url("/robots.txt"));
    assert!(output[1].starts_with("  sent as     abide/"), "{output:?}");
    assert!(output[2].contains("/robots.txt: 302 ("), "{output:?}");
    assert!(output[3].contains("/other: 200 ("), "{output:?}");
    assert_eq!(output[4], "  current     the rules of a file of 14 bytes");
    // The time that the response took is part of its age.
    let is_told = |left: u32| ran.stdout.contains(&format!("(the site says {left} s)"));
    assert!((590..=600).any(is_told), "{output:?}");
    let failing = Server::start(|_| response("503 Service Unavailable", "Retry-After: 60\r\n", ""));
    let ran = abide(&["fetch", "--allow-private", &failing.url("/")], b"");
    assert_eq!(ran.status, 3);
    assert!(
        ran.stdout.contains("only robots.txt itself is allowed"),
        "{}",
        ran.stdout
    );
}

/// `--page` also fetches the page if that is allowed, and reads its header fields and its source:
/// one decision from robots.txt, header, element and ACAP reference, each with its source.
#[test]
fn a_page_with_everything() {
    let server = Server::start(|path| match path {
        "/robots.txt" => response(
            "200 OK",
            "",
            "User-agent: *\nDisallow: /private/\nACAP-crawler: *\nACAP-permissions-reference: /more.txt\n",
        ),
        "/more.txt" => response(
            "200 OK",
            "",
            "ACAP-crawler: *\nACAP-allow-preserve: / time-limit=2-days\n",
        ),
        "/moved" => response("302 Found", "Location: /page\r\n", ""),
        "/away" => response("302 Found", "Location: http://other.example/\r\n", ""),
        "/hidden" => response("302 Found", "Location: /private/x\r\n", ""),
        _ => response(
            "200 OK",
            "Content-Type: text/html\r\nRobots-Tag: *;noindex\r\n",
            "<meta name=robots content=nosnippet>",
        ),
    });
    let ask = |path: &str| {
        let url = server.url(path);
        let call = [
            "check",
            "--allow-private",
            "--page",
            &url,
            "-a",
            "f",
            "--format",
            "jsonl",
        ];
        let ran = abide(&call, b"");
        let answer: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
        let source = |usage: &str| answer["usages"][usage]["evidence"][0]["source"].clone();
        let sources = ["crawl", "index", "preserve", "present-snippet"].map(source);
        (sources, ran.stderr)
    };
    let everything =
        ["default", "robots-tag", "acap-reference", "meta"].map(serde_json::Value::from);
    assert_eq!(ask("/page"), (everything.clone(), String::new()));
    assert_eq!(ask("/moved"), (everything, String::new()));
    // A page that is not allowed is not fetched, neither directly nor through a redirect.
    assert!(ask("/private/x").0[1].is_null());
    let (sources, output) = ask("/hidden");
    assert!(
        sources[1].is_null() && output.contains("was not followed"),
        "{output}"
    );
    assert!(
        ask("/away")
            .1
            .contains("http://other.example/ was not followed")
    );
    let private = |path: &&String| path.starts_with("/private");
    assert_eq!(server.paths().iter().filter(private).count(), 0);
}

/// The command neither sends nor shows the password of a URL, and a reference that cannot be
/// fetched does not end the call.
#[test]
fn user_information_and_odd_references() {
    let server = Server::start(|_| {
        response(
            "200 OK",
            "",
            "ACAP-crawler: *\nACAP-permissions-reference: ftp://x.example/p.txt\n",
        )
    });
    let url = server.url("/x").replace("http://", "http://user:secret@");
    let ran = abide(&["check", "--allow-private", &url, "--agent", "f"], b"");
    assert_eq!(ran.status, 3, "{}", ran.stderr);
    assert!(
        !format!("{}{}", ran.stdout, ran.stderr).contains("secret"),
        "{}",
        ran.stdout
    );
    assert!(ran.stdout.contains("crawl: disallowed"), "{}", ran.stdout);
}

/// A site can answer other robots than abide; the line that is sent is shown.
#[test]
fn the_user_agent_line_of_a_crawler() {
    let server = Server::start_by_head(|head| {
        let is_known = head.contains("OwnBot/2.1 (+https://bot.example)");
        let status = if is_known { "200 OK" } else { "404 Not Found" };
        response(status, "", "User-agent: *\nDisallow: /x\n")
    });
    let url = server.url("/x");
    let own = ["--user-agent", "OwnBot/2.1 (+https://bot.example)"];
    let ask = |args: &[&str], more: &[&str]| {
        abide(&[args, &[&*url, "--allow-private"], more].concat(), b"")
    };
    let (plain, known) = (ask(&["fetch"], &[]), ask(&["fetch"], &own));
    assert!(
        plain.stdout.contains("sent as     abide/") && plain.stdout.contains(": 404 ("),
        "{}",
        plain.told()
    );
    assert!(
        known
            .stdout
            .contains("sent as     OwnBot/2.1 (+https://bot.example)\n"),
        "{}",
        known.told()
    );
    assert!(known.stdout.contains(": 200 ("), "{}", known.told());
    assert_eq!(ask(&["check", "-a", "OwnBot"], &[]).status, 0);
    assert_eq!(ask(&["check", "-a", "OwnBot"], &own).status, 1);
    assert_eq!(ask(&["lint"], &[]).status, 3);
    assert_eq!(ask(&["fetch"], &["--user-agent", "a\nb"]).status, 2);
}

/// What is wrong with a body is named: its coding, a page in its place, a redirect to one.
#[test]
fn bodies_that_are_not_what_they_say() {
    let page = "<!doctype html><title>Home</title>";
    let server = Server::start(move |path| match path {
        "/br/robots.txt" => response("200 OK", "Content-Encoding: br\r\n", "abc"),
        "/label/robots.txt" => response(
            "200 OK",
            "Content-Encoding: gzip\r\n",
            "User-agent: *\nDisallow: /\n",
        ),
        "/robots.txt" => response("301 Moved", "Location: /\r\n", ""),
        "/" => response("200 OK", "Content-Type: text/html\r\n", page),
        _ => response("200 OK", "", "\x1f\u{1}"),
    });
    let output = |args: &[&str]| {
        let ran = abide(&[args, &["--allow-private"]].concat(), b"");
        ran.told()
    };
    let at = |path: &str| server.url(path);
    for (path, said) in [
        (
            "/br/robots.txt",
            "the site sent br, which was not asked for",
        ),
        (
            "/label/robots.txt",
            "the site says that the body is gzip, and it is not",
        ),
    ] {
        let url = at(path);
        for args in [
            &["lint", &url][..],
            &["check", "/x", "-a", "f", "-r", &url],
            &["diff", &url, &url],
        ] {
            let output = output(args);
            assert!(output.contains(said), "{args:?}: {output}");
        }
    }
    let url = at("/robots.txt");
    for args in [
        &["lint", &url][..],
        &["check", &at("/x"), "-a", "f"],
        &["matrix", &url],
        &["diff", &url, &url],
    ] {
        let output = output(args);
        assert!(
            output.contains("redirected to /, which is an HTML page"),
            "{args:?}: {output}"
        );
    }
}
