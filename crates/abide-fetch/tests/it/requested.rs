//! The decision is about the URL that is sent (AMB-REP-24): for any text taken as a URL, no adapter
//! sends a request whose own target the rules disallow.

use crate::client;
use crate::http::{Server, options};
use crate::robots::run;
use abide::{Policy, Target};
use abide_fetch::adapters::{RobotsLayer, RobotsMiddleware};
use abide_fetch::guard::Guard;
use abide_fetch::http::{BoxFuture, Fetcher, Retrieval};
use abide_fetch::machine::{Event, RetrievalSettings, Validators};
use abide_fetch::{Origin, RequestUrl, Retriever, RobotsCache};
use http::{Extensions, Request, Response};
use proptest::prelude::*;
use proptest::sample::select;
use reqwest::ResponseBuilderExt as _;
use reqwest_middleware::{ClientBuilder, Middleware, Next};
use std::convert::Infallible;
use std::io::Write;
use std::sync::{Arc, Mutex};
use tower::{Layer, ServiceExt, service_fn};

const FILE: &str = "User-agent: *\nDisallow: /private/\nDisallow: /*.gif$\nDisallow: /*?q=\nDisallow: /é\nAllow: /private/ok\n";

/// Pieces that parsers read differently and that rules mention.
const PIECES: [&str; 34] = [
    "/",
    "/",
    "/",
    "private",
    "private",
    "public",
    "ok",
    "x.gif",
    "..",
    ".",
    "%2e",
    "%2E",
    ".%2e",
    "\\",
    "\t",
    "\n",
    "\r",
    " ",
    "%20",
    "%2F",
    "%5c",
    "//",
    "?",
    "?q=",
    "q=1",
    "#",
    "é",
    "%C3%A9",
    "%",
    "%7",
    "%70rivate",
    ";",
    "@",
    "\u{7f}",
];

fn path() -> impl Strategy<Value = String> {
    prop::collection::vec(select(&PIECES[..]), 0..9)
        .prop_map(|pieces| format!("/{}", pieces.concat()))
}

/// Sites in spellings that parsers read differently.
fn site() -> impl Strategy<Value = &'static str> {
    select(
        &[
            "http://e.example",
            "https://www.e-1.example",
            "http://xn--a.example",
            "http://e.1",
            "https://e.example:443",
            "https://e.example:8443",
            "http://e.example:0",
            "http://[::1]:8080",
            "https://1.2.3.4",
            "HTTP://E.example",
            "http://user:pass@e.example",
            "http://e.example.",
            "http://%65.example",
            "http://bücher.example",
            "http://0x7f.1:8080",
            "http://[::ffff:1.2.3.4]",
            "http:/e.example",
            "http:\\\\e.example",
            "//e.example",
            "",
        ][..],
    )
}

fn url() -> impl Strategy<Value = String> {
    (site(), path()).prop_map(|(site, path)| format!("{site}{path}"))
}

/// Serves the same file for every site.
struct Says;

impl Retriever for Says {
    fn retrieve<'a>(&'a self, _: &'a str, _: &'a Validators) -> BoxFuture<'a, Retrieval> {
        Box::pin(async { Retrieval::new(Event::file(FILE, &[], abide_fetch::http::now())) })
    }
}

fn robots() -> RobotsCache {
    RobotsCache::with_retriever(client(), Says).build()
}

/// Whether the rules allow both the URL and the URL that a client makes of it by resolving dot
/// segments.
fn is_allowed(sent: &str) -> bool {
    let policy = Policy::compile(FILE.as_bytes(), &client());
    let resolved = url::Url::parse(sent).unwrap();
    policy.allows(sent) && policy.allows(resolved.as_str())
}

type Sent = Arc<Mutex<Vec<String>>>;

/// Records each request instead of sending it. The first one is answered with a redirect to the
/// URL, if there is one.
struct Noting(Sent, Option<String>);

#[async_trait::async_trait]
impl Middleware for Noting {
    async fn handle(
        &self,
        request: reqwest::Request,
        _: &mut Extensions,
        _: Next<'_>,
    ) -> reqwest_middleware::Result<reqwest::Response> {
        let mut sent = self.0.lock().unwrap();
        sent.push(request.url().to_string());
        let to = self.1.as_ref().filter(|_| sent.len() == 1);
        let to = to.and_then(|to| http::HeaderValue::from_bytes(to.as_bytes()).ok());
        // reqwest knows the URL of a response by this extension.
        let mut response = Response::builder().url(request.url().clone());
        if let Some(to) = to {
            response = response.status(302).header("location", to);
        }
        Ok(response.body("").unwrap().into())
    }
}

async fn through_tower(url: &str, sent: &Sent) {
    let noted = Arc::clone(sent);
    let service = service_fn(move |request: Request<String>| {
        noted.lock().unwrap().push(request.uri().to_string());
        async { Ok::<_, Infallible>(Response::new(String::new())) }
    });
    if let Ok(request) = Request::get(url).body(String::new()) {
        drop(
            RobotsLayer::new(robots())
                .layer(service)
                .oneshot(request)
                .await,
        );
    }
}

async fn through_reqwest(url: &str, to: &str, sent: &Sent) {
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let client = ClientBuilder::new(client)
        .with(RobotsMiddleware::new(robots()).with_max_redirects(2))
        .with(Noting(Arc::clone(sent), Some(to.to_owned())))
        .build();
    drop(client.get(url).send().await);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_adapter_sends_what_is_not_allowed(url in url(), to in url()) {
        let (by_tower, by_reqwest) = (Sent::default(), Sent::default());
        run(async {
            through_tower(&url, &by_tower).await;
            through_reqwest(&url, &to, &by_reqwest).await;
        });
        for sent in by_tower.lock().unwrap().iter().chain(&*by_reqwest.lock().unwrap()) {
            let is_file = Target::new(sent).is_ok_and(|target| target.path_and_query() == "/robots.txt");
            prop_assert!(is_file || is_allowed(sent), "{url:?}, {to:?}: {sent}");
        }
    }

    /// The URL that the cache gives to send is the one that clients send for the text, and allowed;
    /// rules of one site allow nothing on another.
    #[test]
    fn the_cache_gives_the_url_to_send(url in url(), other in url()) {
        run(async {
            let request = RequestUrl::new(&url).ok();
            let is_free = |request: &RequestUrl| {
                is_allowed(request.as_str()) || request.target().path_and_query() == "/robots.txt"
            };
            let allowed = robots().allows(&url).await;
            prop_assert_eq!(&allowed, &request.clone().filter(is_free));
            let Some(request) = request else { return Ok(()) };
            let asked = robots().decide(&url).await.unwrap();
            prop_assert_eq!(&asked.url, &request);
            let crawl = asked.decision().outcome(abide::Usage::Crawl);
            prop_assert_eq!(crawl == abide::Outcome::Permitted, allowed.is_some());
            if let Ok(other) = RequestUrl::new(&other) {
                let is_same = Origin::of(request.as_str()) == Origin::of(other.as_str());
                let crawl = asked.policy().decide(&other.target()).outcome(abide::Usage::Crawl);
                prop_assert_eq!(crawl != abide::Outcome::Unknown, is_same, "{} and {}", url, other);
                prop_assert!(is_same || !asked.policy().allows(other.as_str()));
            }
            Ok(())
        })?;
    }

    /// What is sent is what the parser of a client makes of the text, without what no request line
    /// has; also where the text is not read by that parser, because it obviously is as it is sent.
    #[test]
    fn what_is_sent_is_what_a_parser_says(url in url()) {
        let Ok(request) = RequestUrl::new(&url) else { return Ok(()) };
        let mut parsed = url::Url::parse(&url).unwrap();
        parsed.set_fragment(None);
        parsed.set_username("").unwrap();
        parsed.set_password(None).unwrap();
        prop_assert_eq!(request.as_str(), parsed.as_str());
        prop_assert_eq!(Some(request.host()), parsed.host_str());
        prop_assert_eq!(Some(request.port()), parsed.port_or_known_default());
    }

    /// The URL that the engine predicts a client will send matches the URL that a client sends, as
    /// far as rules can tell.
    #[test]
    fn the_engine_knows_what_is_sent(path in path()) {
        let url = format!("http://e.example{path}");
        let target = Target::new(&url).unwrap();
        let request = RequestUrl::new(&url).unwrap();
        let policy = Policy::compile(FILE.as_bytes(), &client());
        let said = target.path_as_sent();
        let said = said.as_deref().unwrap_or(target.path_and_query());
        prop_assert_eq!(policy.allows(said), policy.allows(request.as_str()), "{} and {}", said, request);
        if target.path_as_sent().is_none() {
            prop_assert_eq!(policy.allows(&url), policy.allows(request.as_str()), "{}", request);
        }
        // A URL that was sent is not changed again.
        let again = Target::new(request.as_str()).unwrap();
        prop_assert_eq!(again.path_as_sent(), None);
        let reread = RequestUrl::new(request.as_str()).unwrap();
        prop_assert_eq!(reread.as_str(), request.as_str());
    }
}

/// The loop of the example, which docs/crawlers.md, the README and rustdoc have in short.
#[path = "../../examples/crawler.rs"]
#[allow(dead_code, reason = "it is a program of its own")]
mod example;

/// A crawler that asks as documented fetches nothing that is disallowed, by the log of the site,
/// however the links are spelled, and everything else.
#[test]
fn the_documented_loop_fetches_only_what_is_allowed() {
    let log: Sent = Arc::default();
    let noted = Arc::clone(&log);
    let server = Server::new(move |stream, head| {
        let path = head.split(' ').nth(1).unwrap_or_default();
        noted.lock().unwrap().push(path.to_owned());
        let body = if path == "/robots.txt" { FILE } else { "" };
        let length = body.len();
        drop(write!(
            stream,
            "HTTP/1.1 200 OK\r\nContent-Length: {length}\r\n\r\n{body}"
        ));
    });
    let fetcher = Fetcher::new(Guard::open(), options(), RetrievalSettings::default()).unwrap();
    let robots = RobotsCache::with_retriever(client(), fetcher).build();
    let site = server.url("");
    let upper = site.replace("http", "HTTP");
    let links = [
        format!("{site}/public/../private/1"),
        format!("{site}/a/%2e%2e/private/2"),
        format!("{site}/pri\nvate/3"),
        format!("{site}/./private/4"),
        format!("{site}\\private/5"),
        format!("{site}/a\\..\\private/6"),
        format!("{upper}/%70rivate/7"),
        format!("{site}/private/../private/ok"),
        format!("{site}/private/../8#private"),
        "no URL".to_owned(),
    ];
    run(example::crawl(&robots, links.into_iter(), async |url| {
        let sent = reqwest::get(url.as_str()).await.unwrap();
        assert_eq!(sent.url().as_str(), url.as_str());
    }));
    assert_eq!(*log.lock().unwrap(), ["/robots.txt", "/private/ok", "/8"]);
}

/// The property above sees requests: what is allowed is sent, and so is where it redirects to.
#[test]
fn what_is_allowed_is_sent() {
    for (to, sent) in [("/public/2", 2), ("/public/../private/x", 1)] {
        let noted = Sent::default();
        run(through_reqwest("http://e.example/public", to, &noted));
        assert_eq!(noted.lock().unwrap().len(), sent, "{to}");
        let noted = Sent::default();
        run(through_tower("http://e.example/public", &noted));
        assert_eq!(noted.lock().unwrap().len(), 1);
    }
}

/// Spaces before a fragment are part of the path and are sent; at the end of a URL they are
/// dropped.
#[test]
fn spaces_before_a_fragment_are_sent() {
    for (url, sent) in [
        ("http://e.example/x.gif #", "/x.gif%20"),
        ("http://e.example/x.gif  #top ", "/x.gif%20%20"),
        ("http://e.example/x.gif ", "/x.gif"),
    ] {
        let said = Target::new(url).unwrap().path_as_sent().map(String::from);
        assert_eq!(said.as_deref(), Some(sent), "{url:?}");
        let request = RequestUrl::new(url).unwrap();
        assert_eq!(
            request.as_str(),
            format!("http://e.example{sent}"),
            "{url:?}"
        );
    }
}

/// The request line of a page has the path and query that the decision was about.
#[test]
fn the_request_line_is_what_was_judged() {
    let lines: Sent = Arc::default();
    let noted = Arc::clone(&lines);
    let server = Server::new(move |stream, head| {
        let target = head.split(' ').nth(1).unwrap_or_default();
        noted.lock().unwrap().push(target.to_owned());
        drop(stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"));
    });
    let fetcher = Fetcher::new(Guard::open(), options(), RetrievalSettings::default()).unwrap();
    for path in [
        "/public/../private/x",
        "/%2e%2e/x\\y?a\\b",
        "/a b?c d'\"<>",
        "/é?é#é",
        "/pri\tvate\n/",
        "/^`{|}",
        "",
        "?q",
    ] {
        let request = RequestUrl::new(&server.url(path)).unwrap();
        run(fetcher.page(&request, 100, |_| false)).unwrap();
        let sent = lines.lock().unwrap().pop().unwrap();
        assert_eq!(request.as_str(), server.url(&sent), "{path:?}");
    }
}
