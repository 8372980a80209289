//! Adapters for other clients: a refused request never reaches a server, and the reason is
//! reported.

use crate::client;
use crate::http::{Server, ok, options};
use crate::robots::run;
use abide::rep::Cause;
use abide::verdict::Reason;
use abide::{IdentificationError, Moment, Outcome, Usage};
use abide_fetch::adapters::{
    AdapterError, DisallowedError, NoRobotsTxtError, RobotsLayer, RobotsMiddleware, RobotsService,
    Tags,
};
use abide_fetch::guard::Guard;
use abide_fetch::http::{BoxFuture, Fetcher, Retrieval};
use abide_fetch::machine::{RetrievalSettings, Validators};
use abide_fetch::pace::{PaceSettings, Pacer, Visit};
use abide_fetch::{BodyHash, Observer, Retriever, RobotsCache, SiteRules};
use http::{Request, Response, header};
use hyper_util::client::legacy;
use hyper_util::rt::TokioExecutor;
use reqwest::redirect::Policy;
use reqwest_middleware::{ClientBuilder, ClientWithMiddleware};
use std::collections::BTreeMap;
use std::io::Write;
use std::net::TcpStream;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};
use tower::{BoxError, Layer, Service, ServiceExt};

const FILE: &str = "User-agent: *\nDisallow: /x\n";

/// A site with these files, by path, as whole responses; it counts the requests for each path.
struct Site {
    server: Server,
    asked: Arc<Mutex<BTreeMap<String, usize>>>,
}

impl Site {
    fn new(files: &[(&str, String)]) -> Self {
        let asked: Arc<Mutex<BTreeMap<String, usize>>> = Arc::default();
        let noted = Arc::clone(&asked);
        let files: BTreeMap<String, String> = files
            .iter()
            .map(|(path, file)| ((*path).to_owned(), file.clone()))
            .collect();
        let server = Server::new(move |stream: &mut TcpStream, head: &str| {
            let path = head.split(' ').nth(1).unwrap_or_default();
            *noted.lock().unwrap().entry(path.to_owned()).or_default() += 1;
            let missing = || "HTTP/1.1 404 X\r\nContent-Length: 0\r\n\r\n".to_owned();
            let file = files.get(path).cloned().unwrap_or_else(missing);
            drop(stream.write_all(file.as_bytes()));
        });
        Self { server, asked }
    }

    fn url(&self, path: &str) -> String {
        self.server.url(path)
    }

    /// How often this path was requested.
    fn count(&self, path: &str) -> usize {
        self.asked.lock().unwrap().get(path).copied().unwrap_or(0)
    }
}

fn with(fields: &str, status: u16) -> String {
    format!("HTTP/1.1 {status} X\r\n{fields}\r\nContent-Length: 2\r\n\r\nhi")
}

fn redirect(to: &str) -> String {
    with(&format!("Location: {to}"), 302)
}

fn fetcher() -> Fetcher {
    Fetcher::new(Guard::open(), options(), RetrievalSettings::default()).unwrap()
}

fn robots() -> RobotsCache {
    RobotsCache::with_retriever(client(), fetcher()).build()
}

type Hyper = legacy::Client<legacy::connect::HttpConnector, String>;

fn hyper() -> Hyper {
    legacy::Client::builder(TokioExecutor::new())
        .pool_max_idle_per_host(0)
        .build_http()
}

fn get(url: &str) -> Request<String> {
    Request::get(url).body(String::new()).unwrap()
}

/// A reqwest client with the middleware that `set` configures.
fn reqwest(
    policy: Policy,
    set: impl FnOnce(RobotsMiddleware) -> RobotsMiddleware,
) -> ClientWithMiddleware {
    let client = reqwest::Client::builder()
        .redirect(policy)
        .no_proxy()
        // The servers close the connection after every response without announcing it.
        .pool_max_idle_per_host(0);
    let middleware = set(RobotsMiddleware::new(robots()));
    ClientBuilder::new(client.build().unwrap())
        .with(middleware)
        .build()
}

/// Extracts the adapter's error from the error of the other client.
fn error(failed: reqwest_middleware::Result<reqwest::Response>) -> AdapterError {
    match failed.unwrap_err() {
        reqwest_middleware::Error::Middleware(error) => error.downcast().unwrap(),
        other @ reqwest_middleware::Error::Reqwest(_) => panic!("{other}"),
    }
}

fn refused(error: AdapterError) -> DisallowedError {
    match error {
        AdapterError::Disallowed(refused) => *refused,
        other => panic!("{other:?}"),
    }
}

/// Checks the contents of a refusal by the rules of `FILE`.
fn is_by_the_file(refused: &DisallowedError, url: &str) {
    assert_eq!(refused.url(), url);
    let site_rules = refused.site_rules();
    assert_eq!(site_rules.sha256, Some(BodyHash::of(FILE.as_bytes())));
    assert!(site_rules.fetched_at.is_some() && site_rules.fresh_until > site_rules.fetched_at);
    let decision = refused.decision();
    let crawl = decision.usage(Usage::Crawl).unwrap();
    assert_eq!(crawl.outcome, Outcome::Prohibited);
    assert_eq!(crawl.evidence[0].statement, b"Disallow: /x");
    assert_eq!(crawl.evidence[0].place.unwrap().line, 2);
    let file = site_rules.origin.as_ref().unwrap().robots_url();
    assert_eq!(
        refused.to_string(),
        format!(
            "crawl of {url} is disallowed by {file}, line 2, \"Disallow: /x\": the only rule that matches (2 bytes)"
        )
    );
}

#[test]
fn a_layer_refuses() {
    let site = Site::new(&[("/robots.txt", ok(FILE)), ("/y", ok("y"))]);
    let service = RobotsLayer::new(robots()).layer(hyper());
    run(async {
        for _ in 0..3 {
            let url = site.url("/x/1");
            let error = service.clone().oneshot(get(&url)).await.unwrap_err();
            is_by_the_file(&refused(error), &url);
            let response = service.clone().oneshot(get(&site.url("/y"))).await;
            let response = response.unwrap();
            assert_eq!(response.status(), 200);
            assert!(response.extensions().get::<Tags>().is_none());
        }
    });
    assert_eq!(site.count("/x/1"), 0);
    assert_eq!(site.count("/y"), 3);
    assert_eq!(site.count("/robots.txt"), 1);
    assert_eq!(site.server.connections(), 4);
}

/// `tower` sends dot segments as they are, and many servers resolve them: both forms of the path
/// must be allowed.
#[test]
fn a_layer_refuses_dot_segments_that_lead_into_a_disallowed_path() {
    let site = Site::new(&[("/robots.txt", ok(FILE))]);
    let service = RobotsLayer::new(robots()).layer(hyper());
    for path in ["/ok/../x/y", "/ok/%2e%2e/x/y", "/x/../ok"] {
        let asked = service.clone().oneshot(get(&site.url(path)));
        assert!(run(asked).is_err(), "{path}");
        assert_eq!(site.count(path), 0, "{path}");
    }
}

#[test]
fn a_middleware_refuses() {
    let site = Site::new(&[("/robots.txt", ok(FILE)), ("/y", ok("y"))]);
    let client = reqwest(Policy::default(), |middleware| middleware);
    run(async {
        for _ in 0..3 {
            let url = site.url("/x/1");
            is_by_the_file(&refused(error(client.get(&url).send().await)), &url);
            let response = client.get(site.url("/y")).send().await.unwrap();
            assert_eq!(response.status(), 200);
            assert!(response.extensions().get::<Tags>().is_none());
        }
    });
    assert_eq!(site.count("/x/1"), 0);
    assert_eq!(site.count("/y"), 3);
    assert_eq!(site.count("/robots.txt"), 1);
}

/// Any unforeseen result closes a site; `/robots.txt` itself passes without a check.
#[test]
fn an_unreachable_site() {
    let unavailable = with("Retry-After: 600", 503);
    let site = Site::new(&[("/robots.txt", unavailable), ("/y", ok("y"))]);
    let service = RobotsLayer::new(robots())
        .with_read_tags(true)
        .layer(hyper());
    let client = reqwest(Policy::default(), |middleware| {
        middleware.with_read_tags(true)
    });
    run(async {
        let robots_txt = service.clone().oneshot(get(&site.url("/robots.txt")));
        assert_eq!(robots_txt.await.unwrap().status(), 503);
        let robots_txt = client.get(site.url("/robots.txt#x")).send().await;
        assert_eq!(robots_txt.unwrap().status(), 503);
        assert_eq!(site.count("/robots.txt"), 2);

        let url = site.url("/y");
        let by_layer = service.oneshot(get(&url)).await.unwrap_err();
        let by_middleware = error(client.get(&url).send().await);
        for refused in [refused(by_layer), refused(by_middleware)] {
            let decision = refused.decision();
            let decided = decision.usages.crawl().evidence.first().unwrap();
            assert_eq!(decided.reason, Reason::Unreachable);
            assert_eq!(decided.cause, Some(Cause::Status(503)));
            assert_eq!(
                refused.to_string(),
                format!(
                    "crawl of {url} is disallowed, because robots.txt is unreachable (HTTP status 503)"
                )
            );
        }
    });
    assert_eq!(site.count("/y"), 0);
}

/// A URL whose outcome is unknown is not allowed.
#[test]
fn what_is_not_known() {
    let robots = RobotsCache::with_retriever(client(), fetcher())
        .offline(true)
        .build();
    let counting = Counting::default();
    let service = RobotsLayer::new(robots).layer(counting.clone());
    let error = run(service.oneshot(get("http://a.example/x"))).unwrap_err();
    assert_eq!(
        error.to_string(),
        "crawl of http://a.example/x is unknown, because robots.txt was not read"
    );
    assert_eq!(counting.calls.load(Ordering::SeqCst), 0);
}

/// A path alone, an authority alone, and schemes without a robots.txt are refused without any
/// request.
#[test]
fn what_has_no_robots_txt() {
    let counting = Counting::default();
    let service = RobotsLayer::new(robots()).layer(counting.clone());
    run(async {
        for uri in [
            "/x",
            "/robots.txt",
            "//a.example/x",
            "*",
            "a.example:443",
            "ftp://a.example/x",
        ] {
            match service.clone().oneshot(get(uri)).await.unwrap_err() {
                AdapterError::NoRobotsTxt(NoRobotsTxtError { url, .. }) => assert_eq!(url, uri),
                other => panic!("{uri}: {other:?}"),
            }
        }
        let client = reqwest(Policy::default(), |middleware| middleware);
        let failed = client.get("ftp://user:secret@a.example/x").send().await;
        let told = error(failed).to_string();
        assert!(told.ends_with("but found ftp://a.example/x"), "{told}");
    });
    assert_eq!(counting.calls.load(Ordering::SeqCst), 0);
}

#[test]
fn tags_are_read_when_asked() {
    let page = with(
        "X-Robots-Tag: nosnippet\r\nRobots-Tag: *;unavailable_after=@100\r\nX-Robots-Tag: noindex",
        200,
    );
    let site = Site::new(&[("/robots.txt", ok(FILE)), ("/y", page)]);
    let url = site.url("/y");
    let check = |tags: &Tags| {
        assert_eq!(tags.url(), url);
        assert_eq!(
            tags.site_rules().sha256,
            Some(BodyHash::of(FILE.as_bytes()))
        );
        assert_eq!(tags.response().statements().len(), 3);
        let decision = tags.decision(Moment::from_unix_seconds(0));
        assert_eq!(decision.outcome(Usage::Crawl), Outcome::Permitted);
        assert_eq!(decision.outcome(Usage::Index), Outcome::Prohibited);
        assert_eq!(decision.outcome(Usage::PresentSnippet), Outcome::Prohibited);
        assert_eq!(decision.outcome(Usage::Follow), Outcome::Unspecified);
    };
    run(async {
        let service = RobotsLayer::new(robots())
            .with_read_tags(true)
            .layer(hyper());
        let response = service.oneshot(get(&url)).await.unwrap();
        check(response.extensions().get().unwrap());
        let client = reqwest(Policy::default(), |middleware| {
            middleware.with_read_tags(true)
        });
        let response = client.get(&url).send().await.unwrap();
        check(response.extensions().get().unwrap());
        assert_eq!(response.text().await.unwrap(), "hi");
    });
}

/// A response has the rules that let its request pass, whether tags are read or not. After
/// a redirect, they are the rules of the site that it led to. A robots.txt has none.
#[test]
fn responses_have_the_rules_that_let_them_pass() {
    let other = Site::new(&[("/robots.txt", ok("User-agent: *\n")), ("/y", ok("y"))]);
    let site = Site::new(&[
        ("/robots.txt", ok(FILE)),
        ("/y", ok("y")),
        ("/to-y", redirect(&other.url("/y"))),
    ]);
    let hash = |rules: Option<&SiteRules>| rules.and_then(|rules| rules.sha256);
    let (own, others) = (
        BodyHash::of(FILE.as_bytes()),
        BodyHash::of(b"User-agent: *\n"),
    );
    run(async {
        let service = RobotsLayer::new(robots()).layer(hyper());
        let client = reqwest(Policy::none(), |middleware| {
            middleware.with_max_redirects(1)
        });
        for (path, expected, followed) in [
            ("/y", Some(own), Some(own)),
            ("/to-y", Some(own), Some(others)),
            ("/robots.txt", None, None),
        ] {
            let url = site.url(path);
            let response = service.clone().oneshot(get(&url)).await.unwrap();
            assert_eq!(hash(response.extensions().get()), expected, "{path}");
            let response = client.get(&url).send().await.unwrap();
            assert_eq!(hash(response.extensions().get()), followed, "{path}");
            assert!(response.extensions().get::<Tags>().is_none());
        }
    });
}

/// What an adapter reports.
#[derive(Default)]
struct Reported {
    names: Mutex<Vec<(String, String)>>,
    refused: AtomicUsize,
}

impl Observer for Reported {
    fn misnamed(&self, user_agent: &str, error: &IdentificationError) {
        let name = (user_agent.to_owned(), error.to_string());
        self.names.lock().unwrap().push(name);
    }

    fn refused(&self, _: &str, _: &abide::Policy) {
        self.refused.fetch_add(1, Ordering::SeqCst);
    }
}

/// A client that sends another name than the one whose rules are asked for is reported, once per
/// line; so is every refusal.
#[test]
fn rep_25_a_client_that_sends_another_name() {
    let site = Site::new(&[("/robots.txt", ok(FILE)), ("/y", ok("y"))]);
    let reported = Arc::<Reported>::default();
    let robots = RobotsCache::with_retriever(client(), fetcher())
        .observer(Arc::clone(&reported))
        .build();
    let (other, own) = ("OtherBot/1.0", "f/2 (+https://f.example/)");
    run(async {
        let service = RobotsLayer::new(robots.clone()).layer(hyper());
        let middleware = RobotsMiddleware::new(robots);
        let reqwest = reqwest::Client::builder()
            .no_proxy()
            .pool_max_idle_per_host(0);
        let reqwest = ClientBuilder::new(reqwest.build().unwrap()).with(middleware);
        let reqwest = reqwest.build();
        for line in [Some(other), Some("Tool/3"), Some(own), None, Some(other)] {
            let mut request = get(&site.url("/y"));
            let mut by_reqwest = reqwest.get(site.url("/y"));
            if let Some(line) = line {
                let line = http::HeaderValue::from_static(line);
                request
                    .headers_mut()
                    .insert(header::USER_AGENT, line.clone());
                by_reqwest = by_reqwest.header(header::USER_AGENT, line);
            }
            service.clone().oneshot(request).await.unwrap();
            by_reqwest.send().await.unwrap();
        }
        assert!(service.oneshot(get(&site.url("/x"))).await.is_err());
    });
    let names = reported.names.lock().unwrap();
    let lines: Vec<_> = names.iter().map(|(line, _)| line.as_str()).collect();
    assert_eq!(lines, [other, "Tool/3"]);
    assert!(names[0].1.contains("\"f\""), "{}", names[0].1);
    assert_eq!(reported.refused.load(Ordering::SeqCst), 1);
}

/// The meta elements of a page join the fields of its response.
#[test]
fn tags_of_a_page_are_added() {
    let head = "Content-Type: text/html\r\nX-Robots-Tag: nosnippet";
    let site = Site::new(&[("/robots.txt", ok(FILE)), ("/y", with(head, 200))]);
    run(async {
        let client = reqwest(Policy::default(), |middleware| {
            middleware.with_read_tags(true)
        });
        let response = client.get(site.url("/y")).send().await.unwrap();
        let tags = response.extensions().get::<Tags>().cloned().unwrap();
        let whole = tags
            .clone()
            .with_page(b"<title>x</title><meta name=robots content=noindex>");
        let now = Moment::from_unix_seconds(0);
        let outcomes = |tags: &Tags| {
            [Usage::Index, Usage::PresentSnippet].map(|usage| tags.decision(now).outcome(usage))
        };
        assert_eq!(outcomes(&tags), [Outcome::Unspecified, Outcome::Prohibited]);
        assert_eq!(outcomes(&whole), [Outcome::Prohibited, Outcome::Prohibited]);
        // Another page replaces it.
        assert_eq!(outcomes(&whole.with_page(b"\xff<")), outcomes(&tags));
    });
}

/// Redirects that reqwest follows itself are checked afterwards: the response is refused, but the
/// request was made.
#[test]
fn redirects_beneath() {
    let other = Site::new(&[("/robots.txt", ok(FILE)), ("/x", ok("x")), ("/y", ok("y"))]);
    let site = Site::new(&[
        ("/robots.txt", ok("")),
        ("/to-x", redirect(&other.url("/x"))),
        ("/to-y", redirect(&other.url("/y"))),
    ]);
    let client = reqwest(Policy::default(), |middleware| {
        middleware.with_read_tags(true)
    });
    run(async {
        let refused = refused(error(client.get(site.url("/to-x")).send().await));
        assert_eq!(refused.url(), other.url("/x"));
        assert_eq!(refused.redirected_from(), Some(&*site.url("/to-x")));
        let told = refused.to_string();
        assert!(
            told.ends_with(&format!("; {} led there", site.url("/to-x"))),
            "{told}"
        );
        let response = client.get(site.url("/to-y#part")).send().await.unwrap();
        let tags: &Tags = response.extensions().get().unwrap();
        assert_eq!(tags.url(), other.url("/y"));
    });
    assert_eq!(other.count("/x"), 1);
}

/// Redirects that the middleware follows are checked before each request.
#[test]
fn redirects_followed() {
    let other = Site::new(&[("/robots.txt", ok(FILE)), ("/x", ok("x")), ("/y", ok("y"))]);
    let site = Site::new(&[
        ("/robots.txt", ok("")),
        ("/to-x", redirect(&other.url("/x"))),
        ("/to-y", redirect(&other.url("/y"))),
        ("/1", redirect("/2")),
        ("/2", redirect("3")),
        ("/3", redirect("/to-y")),
        ("/loop", redirect("/loop")),
        ("/mail", redirect("mailto:a@b.example")),
    ]);
    let client = reqwest(Policy::none(), |middleware| {
        middleware.with_max_redirects(4)
    });
    run(async {
        let refused = refused(error(client.get(site.url("/to-x")).send().await));
        assert_eq!(refused.url(), other.url("/x"));
        assert_eq!(refused.redirected_from(), Some(&*site.url("/to-x")));
        let response = client.get(site.url("/1")).send().await.unwrap();
        assert_eq!(response.url().as_str(), other.url("/y"));
        let response = client.get(site.url("/loop")).send().await.unwrap();
        assert_eq!(response.status(), 302);
        let failed = error(client.get(site.url("/mail")).send().await);
        assert!(matches!(failed, AdapterError::NoRobotsTxt(_)), "{failed}");
        // A request with side effects is not repeated.
        let response = client.post(site.url("/to-y")).send().await;
        assert_eq!(response.unwrap().status(), 302);
    });
    assert_eq!(other.count("/x"), 0);
    assert_eq!(other.count("/y"), 1);
    assert_eq!(site.count("/loop"), 5);
}

/// Credentials are sent only to the authority that they were meant for.
#[test]
fn redirects_carry_no_secrets() {
    let heads: Arc<Mutex<Vec<String>>> = Arc::default();
    let noted = Arc::clone(&heads);
    let other = Server::new(move |stream, head| {
        noted.lock().unwrap().push(head.to_ascii_lowercase());
        drop(stream.write_all(ok("").as_bytes()));
    });
    let site = Site::new(&[("/to", redirect(&other.url("/y")))]);
    let client = reqwest(Policy::none(), |middleware| {
        middleware.with_max_redirects(1)
    });
    run(async {
        let request = client.get(site.url("/to"));
        let request = request
            .header(header::COOKIE, "a=secret")
            .basic_auth("u", Some("secret"));
        let response = request.header("x-kept", "kept").send().await.unwrap();
        assert_eq!(response.url().as_str(), other.url("/y"));
    });
    let heads = heads.lock().unwrap();
    let page = heads
        .iter()
        .find(|head| head.starts_with("get /y"))
        .unwrap();
    assert!(page.contains("x-kept: kept"), "{page}");
    for secret in ["cookie", "authorization"] {
        assert!(!page.contains(secret), "{page}");
    }
}

/// The text of a refusal neither controls a terminal nor shows a password.
#[test]
fn what_is_told_is_safe() {
    let file = format!(
        "User-agent: *\nDisallow: /x\u{85}\u{202e}*{}\n",
        "a*".repeat(500)
    );
    let site = Site::new(&[("/robots.txt", ok(&file))]);
    let target = format!("/x%C2%85%E2%80%AE{}", "a".repeat(500));
    let url = site.url(&target).replace("http://", "http://user:secret@");
    let service = RobotsLayer::new(robots()).layer(hyper());
    let error = run(service.oneshot(get(&url))).unwrap_err();
    let told = error.to_string();
    assert!(told.contains("line 2"), "{told}");
    assert!(
        !told.contains(char::is_control) && !told.contains('\u{202e}'),
        "{told}"
    );
    assert!(
        !told.contains("secret") && told.chars().count() < 700,
        "{told}"
    );
    let debug = format!("{error:?}");
    assert!(!debug.contains("secret") && debug.len() < 1_000, "{debug}");
}

/// A service that counts calls and is ready only after it was polled; its clones are not ready.
#[derive(Debug, Default)]
struct Counting {
    is_ready: bool,
    polls: Arc<AtomicUsize>,
    calls: Arc<AtomicUsize>,
}

impl Clone for Counting {
    fn clone(&self) -> Self {
        Self {
            is_ready: false,
            polls: Arc::clone(&self.polls),
            calls: Arc::clone(&self.calls),
        }
    }
}

impl Service<Request<String>> for Counting {
    type Response = Response<String>;
    type Error = BoxError;
    type Future = std::future::Ready<Result<Response<String>, BoxError>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        self.polls.fetch_add(1, Ordering::SeqCst);
        self.is_ready = true;
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<String>) -> Self::Future {
        assert!(self.is_ready, "called without having been asked");
        self.is_ready = false;
        self.calls.fetch_add(1, Ordering::SeqCst);
        std::future::ready(if request.uri().path() == "/fails" {
            Err("broken".into())
        } else {
            Ok(Response::new(String::new()))
        })
    }
}

/// The adapter calls the service that it polled, and calls none for a refused request.
#[test]
fn readiness() {
    let site = Site::new(&[("/robots.txt", ok(FILE))]);
    let counting = Counting::default();
    let mut service: RobotsService<_> = RobotsLayer::new(robots()).layer(counting.clone());
    run(async {
        for _ in 0..3 {
            let ready = service.ready().await.unwrap();
            ready.call(get(&site.url("/y"))).await.unwrap();
            let ready = service.ready().await.unwrap();
            refused(ready.call(get(&site.url("/x"))).await.unwrap_err());
        }
        let ready = service.ready().await.unwrap();
        let failed = ready.call(get(&site.url("/fails"))).await.unwrap_err();
        let source = std::error::Error::source(&failed).unwrap();
        assert_eq!(source.to_string(), "broken");
    });
    assert_eq!(counting.polls.load(Ordering::SeqCst), 7);
    assert_eq!(counting.calls.load(Ordering::SeqCst), 4);
    assert_eq!(site.server.connections(), 1);
}

/// A file cache that fetches through the client that asks it does not wait for itself.
#[test]
fn robots_that_fetches_through_its_own_adapter() {
    struct Through(Fetcher, Arc<Mutex<Option<RobotsService<Hyper>>>>);
    impl Retriever for Through {
        fn retrieve<'a>(
            &'a self,
            url: &'a str,
            validators: &'a Validators,
        ) -> BoxFuture<'a, Retrieval> {
            let service = self.1.lock().unwrap().clone().unwrap();
            Box::pin(async move {
                service.oneshot(get(url)).await.unwrap();
                self.0.retrieve(url, validators).await
            })
        }
    }
    let site = Site::new(&[("/robots.txt", ok(FILE)), ("/y", ok("y"))]);
    let slot = Arc::default();
    let robots =
        RobotsCache::with_retriever(client(), Through(fetcher(), Arc::clone(&slot))).build();
    let service = RobotsLayer::new(robots).layer(hyper());
    *slot.lock().unwrap() = Some(service.clone());
    let response = run(service.oneshot(get(&site.url("/y"))));
    assert_eq!(response.unwrap().status(), 200);
    assert_eq!(site.count("/robots.txt"), 2);
}

const DELAYED: &str = "User-agent: *\nDisallow: /x\nCrawl-delay: 0.2\n";

fn paced_robots() -> RobotsCache {
    let mut settings = PaceSettings::default();
    settings.min_delay = Duration::ZERO;
    RobotsCache::with_retriever(client(), fetcher())
        .pacer(Pacer::new(&settings))
        .build()
}

fn delayed_site() -> Site {
    Site::new(&[
        ("/robots.txt", ok(DELAYED)),
        ("/go", redirect("/y")),
        ("/y", ok("y")),
        ("/z", ok("z")),
    ])
}

/// REP-63: each hop is a visit, and a visit lasts until the body has been read or is dropped.
#[test]
fn a_middleware_takes_turns() {
    let site = delayed_site();
    let client = reqwest::Client::builder()
        .redirect(Policy::none())
        .no_proxy()
        .pool_max_idle_per_host(0);
    let middleware = RobotsMiddleware::new(paced_robots()).with_max_redirects(3);
    let client = ClientBuilder::new(client.build().unwrap())
        .with(middleware)
        .build();
    run(async {
        let began = Instant::now();
        let response = client.get(site.url("/go")).send().await.unwrap();
        // Between robots.txt and /go, and between /go and /y.
        assert!(began.elapsed() >= Duration::from_millis(400));
        assert_eq!(response.url().as_str(), site.url("/y"));
        let other = tokio::spawn(client.get(site.url("/z")).send());
        tokio::time::sleep(Duration::from_millis(400)).await;
        assert_eq!(site.count("/z"), 0, "the body of /y has not been read");
        assert_eq!(response.content_length(), Some(1));
        assert_eq!(response.text().await.unwrap(), "y");
        assert_eq!(other.await.unwrap().unwrap().status(), 200);
        refused(error(client.get(site.url("/x")).send().await));
    });
}

#[test]
fn a_layer_takes_turns() {
    let site = delayed_site();
    let service = RobotsLayer::new(paced_robots()).layer(hyper());
    run(async {
        let began = Instant::now();
        let mut response = service.clone().oneshot(get(&site.url("/y"))).await.unwrap();
        assert!(began.elapsed() >= Duration::from_millis(200));
        let visit: Arc<Visit> = response.extensions_mut().remove().unwrap();
        drop(response);
        let other = tokio::spawn(service.oneshot(get(&site.url("/z"))));
        tokio::time::sleep(Duration::from_millis(400)).await;
        assert_eq!(site.count("/z"), 0, "the visit has not ended");
        drop(visit);
        assert_eq!(other.await.unwrap().unwrap().status(), 200);
    });
}
