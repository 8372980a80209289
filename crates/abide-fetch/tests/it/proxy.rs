//! The client behind a proxy: what it sends there, what the guard still checks, and what an answer
//! of the proxy itself means.

use crate::ended;
use crate::http::{Server, body, ok, options, unreachable};
use abide::rep::Cause;
use abide_fetch::guard::Guard;
use abide_fetch::http::{Fetcher, Options, Retrieval};
use abide_fetch::machine::{RetrievalSettings, Validators};
use abide_fetch::{Certificate, PemError};
use abide_testkit::fault::{ByteServer, Script, Step, TlsLab};
use std::io::Write;
use std::net::{SocketAddr, TcpStream};
use std::sync::{Arc, Mutex};

const FILE: &str = "User-agent: *\nDisallow: /x\n";

/// Options with the proxy at this address.
fn through(proxy: &str) -> Options {
    let mut options = options();
    options.proxy = Some(proxy.parse().unwrap());
    options
}

fn fetch(url: &str, guard: Guard, options: Options) -> Retrieval {
    let fetcher = Fetcher::new(guard, options, RetrievalSettings::default()).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let retrieval = runtime.block_on(ended(fetcher.retrieve(url, &Validators::default())));
    runtime.shutdown_background();
    retrieval
}

/// A proxy that answers CONNECT as `answer` says, and then connects to `site`.
fn tunnel(site: SocketAddr, answer: &'static str) -> (Server, Arc<Mutex<Vec<String>>>) {
    let heads = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&heads);
    let proxy = Server::new(move |stream, head| {
        seen.lock().unwrap().push(head.to_owned());
        drop(stream.write_all(answer.as_bytes()));
        if !answer.contains(" 200 ") {
            return;
        }
        let site = TcpStream::connect(site).unwrap();
        let (mut from, mut to) = (stream.try_clone().unwrap(), site.try_clone().unwrap());
        std::thread::spawn(move || drop(std::io::copy(&mut from, &mut to)));
        drop(std::io::copy(&mut &site, stream));
        drop(stream.shutdown(std::net::Shutdown::Both));
    });
    (proxy, heads)
}

/// A request for an http site is sent to the proxy, with the whole URL. Nothing is looked up: the
/// name does not exist.
#[test]
fn an_http_site_is_asked_for_by_its_whole_url() {
    let heads = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&heads);
    let proxy = Server::new(move |stream, head| {
        seen.lock().unwrap().push(head.to_owned());
        let answer = match head.split(' ').nth(1) {
            Some("http://news.example/robots.txt") => {
                "HTTP/1.1 301 Moved\r\nLocation: http://www.news.example:8080/r?q\r\n\r\n"
                    .to_owned()
            }
            _ => ok(FILE),
        };
        drop(stream.write_all(answer.as_bytes()));
    });
    let name = format!("http://me:s%40crAt@{}", proxy.address);
    let retrieval = fetch(
        "http://news.example/robots.txt",
        Guard::new(),
        through(&name),
    );
    assert_eq!(body(&retrieval), FILE.as_bytes());
    assert_eq!(retrieval.hops[1].address, Some(proxy.address));
    let heads = heads.lock().unwrap().join("").to_ascii_lowercase();
    for line in [
        "get http://news.example/robots.txt http/1.1\r\n",
        "host: news.example\r\n",
        "get http://www.news.example:8080/r?q http/1.1\r\n",
        "proxy-authorization: basic bwu6c0bjckf0\r\n",
    ] {
        assert!(heads.contains(line), "{line}: {heads}");
    }
}

/// An https site is reached through a tunnel, in which TLS is with the site. The proxy alone gets
/// its password.
#[test]
fn an_https_site_is_reached_through_a_tunnel() {
    let lab = TlsLab::new();
    let certified = lab.good(&["news.example"]);
    let steps = [Step::send(ok(FILE)), Step::Fin];
    let site = ByteServer::secure(certified.server(), Script::always(steps));
    let (proxy, heads) = tunnel(
        site.address(),
        "HTTP/1.1 200 Connection established\r\n\r\n",
    );
    let mut options = through(&format!("http://me:secret@{}/", proxy.address));
    options.roots = vec![Certificate::from_der(lab.root().to_vec())];
    let retrieval = fetch("https://news.example/robots.txt", Guard::new(), options);
    assert_eq!(body(&retrieval), FILE.as_bytes());
    let heads = heads.lock().unwrap().join("");
    assert!(
        heads.starts_with(
            "CONNECT news.example:443 HTTP/1.1\r\nHost: news.example:443\r\n\
             User-Agent: TestBot/1.0 (+https://bot.example/)\r\nProxy-Authorization: Basic "
        ),
        "{heads}"
    );
    let asked = site.requests().join("");
    assert!(asked.starts_with("GET /robots.txt HTTP/1.1\r\n"), "{asked}");
    assert!(!asked.to_ascii_lowercase().contains("proxy-"), "{asked}");
    // A certificate for another name is refused as it is without a proxy.
    let other = fetch(
        "https://other.example/robots.txt",
        Guard::new(),
        through(&proxy.url("")),
    );
    assert_eq!(unreachable(&other), Cause::Tls);
}

/// The guard checks what a URL says. The proxy itself, which the operator chose, may be anywhere.
#[test]
fn private_names_and_addresses_in_urls_are_refused_without_a_request() {
    let proxy = Server::saying(ok(FILE));
    for url in [
        "http://127.0.0.1/robots.txt",
        "https://[::1]/robots.txt",
        "http://0x7f.1/robots.txt",
        "http://localhost/robots.txt",
        "https://metadata.google.internal/robots.txt",
        "http://news.example:25/robots.txt",
    ] {
        let retrieval = fetch(url, Guard::new(), through(&proxy.url("")));
        assert_eq!(unreachable(&retrieval), Cause::Refused, "{url}");
    }
    assert_eq!(proxy.connections(), 0);
    let open = fetch(
        "http://127.0.0.1/robots.txt",
        Guard::open(),
        through(&proxy.url("")),
    );
    assert_eq!(body(&open), FILE.as_bytes());
}

/// A proxy that does not let the request through says nothing about the site: nothing is allowed,
/// and nothing is kept. A 407 is no missing file.
#[test]
fn failures_of_the_proxy_are_not_those_of_the_site() {
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let dead = format!("http://{}", free.local_addr().unwrap());
    drop(free);
    let asks = |answer: &'static str| tunnel(([127, 0, 0, 1], 9).into(), answer).0;
    let (http, https) = (
        "http://a.example/robots.txt",
        "https://a.example/robots.txt",
    );
    for (url, answer, is_local, said) in [
        (
            http,
            "HTTP/1.1 407 Who\r\n\r\n",
            true,
            "a user name and a password (407)",
        ),
        (
            https,
            "HTTP/1.1 407 Who\r\n\r\n",
            true,
            "a user name and a password (407)",
        ),
        (
            https,
            "HTTP/1.1 403 No\r\n\r\n",
            true,
            "the proxy answered with status 403",
        ),
        (
            https,
            "HTTP/1.1 502 Bad\r\n\r\n",
            false,
            "the proxy answered with status 502",
        ),
        (https, "SSH-2.0\r\n\r\n", true, "not HTTP"),
        (https, "HTTP/1.1 200", true, "the proxy: "),
        (https, "", true, "the proxy: "),
    ] {
        let proxy = asks(answer);
        let retrieval = fetch(url, Guard::new(), through(&proxy.url("")));
        assert_eq!(unreachable(&retrieval), Cause::Connect, "{url} {answer}");
        assert_eq!(retrieval.is_local, is_local, "{url} {answer}");
        let failure = retrieval.hops[0].failure.as_deref().unwrap_or_default();
        assert!(failure.contains(said), "{answer}: {failure}");
    }
    let endless = Server::new(|stream, _| while stream.write_all(&[b'x'; 4096]).is_ok() {});
    let retrieval = fetch(https, Guard::new(), through(&endless.url("")));
    assert!(retrieval.is_local && unreachable(&retrieval) == Cause::Connect);
    let retrieval = fetch(http, Guard::new(), through(&dead));
    assert!(retrieval.is_local && unreachable(&retrieval) == Cause::Connect);
}

#[test]
fn certificates_in_pem() {
    let certificate = TlsLab::new().root().to_vec();
    let read = Certificate::from_pem(b"no certificate\n");
    assert_eq!(read, Err(PemError::NoCertificate));
    let cut = b"-----BEGIN CERTIFICATE-----\nMIIB\n";
    assert_eq!(Certificate::from_pem(cut), Err(PemError::Damaged));
    let key = b"-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----\n";
    assert_eq!(Certificate::from_pem(key), Err(PemError::NoCertificate));
    let base64 = base64(&certificate);
    let one = format!("-----BEGIN CERTIFICATE-----\n{base64}\n-----END CERTIFICATE-----\n");
    let both = format!("a comment\n{one}\n{one}");
    let read = Certificate::from_pem(both.as_bytes()).unwrap();
    assert_eq!(read, vec![Certificate::from_der(certificate); 2]);
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut bits: Vec<u8> = bytes
        .iter()
        .flat_map(|byte| (0..8).rev().map(move |at| byte >> at & 1))
        .collect();
    let padding = "=".repeat((3 - bytes.len() % 3) % 3);
    bits.resize(bits.len().next_multiple_of(6), 0);
    let digits = bits.chunks(6);
    let digits = digits.map(|six| {
        six.iter()
            .fold(0, |digit, bit| digit << 1 | usize::from(*bit))
    });
    digits
        .map(|digit| char::from(DIGITS[digit]))
        .collect::<String>()
        + &padding
}
