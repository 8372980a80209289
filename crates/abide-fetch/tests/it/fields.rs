//! The layer for servers, in front of a real one.

use abide::tag::{FieldLine, Scope, header};
use abide::write::{FieldRules, ResponseField};
use abide_fetch::adapters::FieldsLayer;
use http::{Request, Response};
use hyper::body::Incoming;
use hyper_util::rt::TokioIo;
use hyper_util::service::TowerToHyperService;
use std::convert::Infallible;
use std::io::{Read, Write};
use std::net::TcpStream;
use tokio::net::TcpListener;
use tower::{Layer, service_fn};

fn rules() -> FieldRules {
    FieldRules::new()
        .with("/", ResponseField::ContentUsage, &["train-ai=n"])
        .and_then(|rules| rules.with("/drafts/", ResponseField::RobotsTag, &["*;noindex"]))
        .and_then(|rules| rules.with("/drafts/open", ResponseField::RobotsTag, &[]))
        .and_then(|rules| rules.with("/*.pdf$", ResponseField::RobotsTag, &["*;nosnippet"]))
        .and_then(|rules| {
            let both = ["noindex", "ExampleBot: nosnippet"];
            rules.with("/drafts/", ResponseField::XRobotsTag, &both)
        })
        .unwrap()
}

/// Answers each request, and tags the page `/drafts/own` itself.
async fn answer(request: Request<Incoming>) -> Result<Response<String>, Infallible> {
    let mut response = Response::new("page".to_owned());
    if request.uri().path() == "/drafts/own" {
        let value = http::HeaderValue::from_static("b;nofollow");
        response.headers_mut().insert("robots-tag", value);
    }
    if request.uri().path() == "/missing" {
        *response.status_mut() = http::StatusCode::NOT_FOUND;
    }
    Ok(response)
}

/// A server on loopback, and the fields of its answers.
struct Tagged {
    address: std::net::SocketAddr,
    _runtime: tokio::runtime::Runtime,
}

impl Tagged {
    fn new() -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .unwrap();
        let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
        let address = listener.local_addr().unwrap();
        runtime.spawn(async move {
            let layer = FieldsLayer::new(rules());
            while let Ok((stream, _)) = listener.accept().await {
                let service = TowerToHyperService::new(layer.layer(service_fn(answer)));
                let serving = hyper::server::conn::http1::Builder::new()
                    .serve_connection(TokioIo::new(stream), service);
                tokio::spawn(async move { drop(serving.await) });
            }
        });
        Self {
            address,
            _runtime: runtime,
        }
    }

    /// The three fields of the response for a path, in the order of the response.
    fn fields(&self, path: &str) -> Vec<FieldLine> {
        let mut stream = TcpStream::connect(self.address).unwrap();
        let request = format!("GET {path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).unwrap();
        let mut response = String::new();
        stream.read_to_string(&mut response).unwrap();
        assert!(response.ends_with("page"), "{response}");
        let lines = response
            .lines()
            .filter_map(|line| FieldLine::read(line.as_bytes()));
        let mut fields: Vec<_> = lines
            .filter(|line| line.name.parse::<http::HeaderName>().is_ok())
            .filter(|line| ["robots-tag", "x-robots-tag", "content-usage"].contains(&&*line.name))
            .collect();
        fields.sort_by(|one, other| (&one.name, &one.value).cmp(&(&other.name, &other.value)));
        fields
    }
}

fn fields<const N: usize>(of: [(&str, &str); N]) -> Vec<FieldLine> {
    of.map(|(name, value)| FieldLine::new(name, value)).into()
}

#[test]
fn a_server_tags_its_responses_by_path() {
    let server = Tagged::new();
    let usage = ("content-usage", "train-ai=n");
    assert_eq!(server.fields("/"), fields([usage]));
    assert_eq!(server.fields("/missing"), fields([usage]));
    let both = [
        ("x-robots-tag", "ExampleBot: nosnippet"),
        ("x-robots-tag", "noindex"),
    ];
    let drafts = fields([usage, ("robots-tag", "*;noindex"), both[0], both[1]]);
    assert_eq!(server.fields("/drafts/1?a=b"), drafts);
    // The longest pattern wins, also one in another form of the path, and one without a value.
    assert_eq!(server.fields("/%64rafts/1"), drafts);
    assert_eq!(
        server.fields("/drafts/open/1"),
        fields([usage, both[0], both[1]])
    );
    assert_eq!(
        server.fields("/a.pdf"),
        fields([usage, ("robots-tag", "*;nosnippet")])
    );
    assert_eq!(server.fields("/a.pdf?x"), fields([usage]));
    // What the server says itself is not doubled.
    let own = fields([usage, ("robots-tag", "b;nofollow"), both[0], both[1]]);
    assert_eq!(server.fields("/drafts/own"), own);
    let (statements, findings) = header::read(&server.fields("/a.pdf"));
    assert!(findings.is_empty() && statements[0].scope == Scope::Everyone);
}

#[test]
fn rules_that_cannot_be_sent_are_refused() {
    let one = |pattern: &str, field, value: &str| {
        FieldRules::new()
            .with(pattern, field, &[value])
            .unwrap_err()
            .to_string()
    };
    let twice = FieldRules::new()
        .with("/a", ResponseField::RobotsTag, &["*;noindex"])
        .and_then(|rules| rules.with("/a", ResponseField::RobotsTag, &["*;noai"]));
    let errors = [
        one("drafts", ResponseField::RobotsTag, "*;noindex"),
        one("/a b", ResponseField::RobotsTag, "*;noindex"),
        one("/", ResponseField::RobotsTag, "noindex"),
        one("/", ResponseField::RobotsTag, "*;noindex, ;"),
        one("/", ResponseField::RobotsTag, "*;noindex\r\nSet-Cookie: a"),
        one("/", ResponseField::XRobotsTag, ""),
        one("/", ResponseField::ContentUsage, "train-ai n"),
        twice.unwrap_err().to_string(),
    ];
    insta::assert_snapshot!(errors.join("\n"));
}
