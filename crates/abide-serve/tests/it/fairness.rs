//! What callers share: nobody waits for somebody else's silent site, or finds no room because of
//! somebody else's requests. Sites answer when a test lets them, so no test measures time.

use crate::client::{Answered, answered, ask, connect, escaped, get, post};
use crate::{Running, config, run, site, until};
use abide_serve::{Config, new_token};
use abide_testkit::fault::{ByteServer, DnsServer, Reply, Script, Step, namespace};
use serde_json::json;
use std::fmt::Write as _;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Barrier};
use std::thread::{self, JoinHandle};
use std::time::Duration;
use tokio::net::TcpSocket;

const ROBOTS: &str = "HTTP/1.1 200 OK\r\nContent-Length: 26\r\n\r\nUser-agent: *\nDisallow: /x";
const MISSING: &str = "HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n";

/// A site with a robots.txt at an address of its own: no other site waits for its permits. Other
/// paths are answered by `choice`.
fn site_at(number: usize, choice: impl Fn() -> Vec<Step> + Send + Sync + 'static) -> ByteServer {
    let script = Script::by(move |hit| match hit.path {
        "/robots.txt" => vec![Step::send(ROBOTS), Step::Fin],
        _ => choice(),
    });
    ByteServer::at(&format!("127.0.77.{number}:0"), None, script)
}

/// A line that asks about `site` and the documents beside its robots.txt.
fn with_documents(site: &ByteServer) -> String {
    let preferences = json!({"vocabularies": ["tdmrep"]});
    json!({"url": site.url("/y"), "agent": "f", "preferences": preferences}).to_string()
}

fn batch(address: SocketAddr, token: Option<&str>, lines: &str) -> Answered {
    let authorization = token.map(|token| format!("Bearer {token}"));
    let mut fields = vec![("Content-Type", "application/x-ndjson")];
    fields.extend(
        authorization
            .as_deref()
            .map(|value| ("Authorization", value)),
    );
    ask(address, "POST", "/v1/batch", &fields, lines.as_bytes())
}

/// Begins a batch that is answered some time.
fn begin(service: &Running, token: Option<&str>, lines: String) -> JoinHandle<Answered> {
    let (address, token) = (service.address, token.map(str::to_owned));
    thread::spawn(move || batch(address, token.as_deref(), &lines))
}

#[test]
fn lines_about_silent_sites_keep_no_worker() {
    // Many more than there are workers.
    let silent: Vec<_> = (1..=30)
        .map(|at| site_at(at, || vec![Step::Hang]))
        .collect();
    let service = run(&config());
    let batches: Vec<_> = silent
        .iter()
        .map(|site| begin(&service, None, with_documents(site)))
        .collect();
    until("the requests for documents", || {
        silent.iter().all(|site| site.requests().len() == 2)
    });
    let own = json!({"url": "https://e.example/x", "agent": "f", "robots": "User-agent: *\nDisallow: /x\n"});
    let long = json!({"url": "https://e.example/x", "agent": "f", "robots": "#".repeat(20_000)});
    let file = json!({"robots": "User-agent: *\nDisallow: /x\n"});
    let explain = json!({"robots": "User-agent: *\nDisallow: /x\n", "agents": "f", "urls": ["/x"]});
    let (live, long_site) = (site("User-agent: *\n"), site(&"# a\n".repeat(10_000)));
    for (path, body) in [
        ("/v1/decide", &own),
        ("/v1/decide", &long),
        ("/v1/lint", &file),
        ("/v1/explain", &explain),
    ] {
        assert_eq!(post(service.address, path, &body.to_string()).status, 200);
    }
    let without = site_at(99, || vec![Step::send(MISSING), Step::Fin]);
    let lines = format!("{own}\n{}\n", with_documents(&without));
    assert_eq!(batch(service.address, None, &lines).lines().len(), 2);
    for site in [&live, &long_site] {
        let path = format!("/v1/decide?url={}&agent=f", escaped(&site.url("/x")));
        assert_eq!(get(service.address, &path).status, 200);
    }
    // All of that while the others still wait.
    assert!(batches.iter().all(|batch| !batch.is_finished()));
    drop(silent);
    for batch in batches {
        assert_eq!(batch.join().unwrap().lines().len(), 1);
    }
}

#[test]
fn documents_of_a_batch_are_fetched_together() {
    // No site answers before all are asked.
    let all = 20;
    let (barrier, passed) = (Arc::new(Barrier::new(all)), Arc::new(AtomicUsize::new(0)));
    let sites: Vec<_> = (1..=all)
        .map(|at| {
            let (barrier, passed) = (Arc::clone(&barrier), Arc::clone(&passed));
            site_at(100 + at, move || {
                barrier.wait();
                passed.fetch_add(1, Ordering::SeqCst);
                vec![Step::send(MISSING), Step::Fin]
            })
        })
        .collect();
    let service = run(&config());
    let mut lines = String::new();
    for site in &sites {
        let _ = writeln!(lines, "{}", with_documents(site));
    }
    let answers = batch(service.address, None, &lines).lines();
    assert_eq!((answers.len(), passed.load(Ordering::SeqCst)), (all, all));
}

/// A connection from an address of this machine.
fn connected(from: &str, to: SocketAddr) -> TcpStream {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let stream = runtime.block_on(async {
        let socket = TcpSocket::new_v4().unwrap();
        socket.bind(format!("{from}:0").parse().unwrap()).unwrap();
        socket.connect(to).await.unwrap().into_std().unwrap()
    });
    stream.set_nonblocking(false).unwrap();
    stream
        .set_read_timeout(Some(Duration::from_secs(20)))
        .unwrap();
    stream
}

fn ask_from(from: &str, to: SocketAddr) -> Answered {
    let mut stream = connected(from, to);
    let request =
        b"GET /v1/known-robots?name=GPTBot HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
    stream.write_all(request).unwrap();
    let mut read = Vec::new();
    let _ = stream.read_to_end(&mut read);
    answered(&read).unwrap()
}

/// Batches from 127.0.0.1 that go on.
fn held(service: &Running, number: u64) -> Vec<TcpStream> {
    let head = "POST /v1/batch HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n \r\n";
    let open = |_| {
        let mut stream = connect(service.address);
        stream.write_all(head.as_bytes()).unwrap();
        stream
    };
    let streams = (0..number).map(open).collect();
    until("the batches", || {
        service.count("abide_requests_in_progress", "") == number
    });
    streams
}

#[test]
fn without_tokens_each_address_has_its_own_room() {
    let service = run(&Config {
        concurrency: Some(4),
        ..config()
    });
    let _held = held(&service, 4);
    let refused = ask_from("127.0.0.1", service.address);
    assert_eq!(refused.status, 429);
    assert_eq!(refused.json()["code"], "too-many-at-once");
    assert_eq!(refused.field("retry-after"), Some("1"));
    assert_eq!(ask_from("127.0.0.2", service.address).status, 200);
    assert_eq!(service.count("abide_problems_total", "too-many-at-once"), 1);
}

#[test]
fn no_address_has_all_room() {
    let service = run(&Config {
        max_requests: Some(8),
        ..config()
    });
    let _held = held(&service, 4);
    let refused = ask_from("127.0.0.1", service.address);
    assert_eq!(refused.status, 503);
    assert_eq!(refused.json()["code"], "overloaded");
    assert_eq!(refused.field("retry-after"), Some("1"));
    assert_eq!(ask_from("127.0.0.2", service.address).status, 200);
    assert_eq!(service.count("abide_problems_total", "overloaded"), 1);
}

/// Names of one caller that are never answered do not delay a name of another.
#[test]
fn dead_names_of_another_caller() {
    let name = "dead_names_of_another_caller";
    namespace::within(module_path!(), name, "true", &["127.0.0.1"], || {
        let names = DnsServer::at(&["127.0.0.1:53"], |question| {
            if question.name.starts_with("dead") {
                return Vec::new();
            }
            vec![Reply::addresses(question, &["127.0.0.9".parse().unwrap()])]
        });
        let live = ByteServer::at("127.0.0.9:80", None, Script::saying(ROBOTS));
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("tokens.toml");
        let (one, one_table) = new_token("one").unwrap();
        let (two, two_table) = new_token("two").unwrap();
        std::fs::write(&file, one_table + &two_table).unwrap();
        let service = run(&Config {
            tokens: Some(file),
            grace: Some(0),
            ..config()
        });
        let lines: String = (0..500)
            .map(|at| {
                json!({"url": format!("http://dead{at}.example/"), "agent": "f"}).to_string() + "\n"
            })
            .collect();
        let dead: Vec<_> = (0..4)
            .map(|at| {
                begin(
                    &service,
                    Some(&one),
                    lines.replace("dead", &format!("dead{at}-")),
                )
            })
            .collect();
        // As many as the caller may ask at once, at least.
        until("the questions about dead names", || {
            names.questions().len() >= 128
        });
        let asked = json!({"url": "http://live.example/x", "agent": "f"}).to_string();
        let answer = batch(service.address, Some(&two), &asked).lines();
        assert_eq!(answer[0]["usages"]["crawl"]["outcome"], "prohibited");
        assert!(dead.iter().all(|batch| !batch.is_finished()));
        assert_eq!(live.requests().len(), 1);
        // Nobody waits for the rest.
        std::mem::forget(dead);
    });
}
