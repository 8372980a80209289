//! The examples that people copy.

use crate::http::Server;
use crate::robots::run;
use crate::{at, client};
use abide_fetch::machine::{Event, RetrievalSettings};
use abide_fetch::store::{FileStore, Store as _};
use abide_fetch::{Body, Record, Resource, RobotsCache};
use std::io::Write;
use std::sync::{Arc, Mutex};

#[path = "../../examples/own_retriever.rs"]
#[allow(dead_code, reason = "it is a program of its own")]
mod own_retriever;

#[path = "../../examples/proof.rs"]
#[allow(dead_code, reason = "it is a program of its own")]
mod proof;

/// A proxy is asked for every hop, and abide decides by what the last one said.
#[test]
fn a_retriever_of_ones_own_goes_through_a_proxy() {
    let asked: Arc<Mutex<Vec<String>>> = Arc::default();
    let noted = Arc::clone(&asked);
    let proxy = Server::new(move |stream, head| {
        let url = head.split(' ').nth(1).unwrap_or_default();
        noted.lock().unwrap().push(url.to_owned());
        let answer = match url {
            "http://a.example/robots.txt" => {
                "301 X\r\nLocation: http://www.a.example/robots.txt\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
            }
            "http://www.a.example/robots.txt" => {
                "200 X\r\nContent-Length: 27\r\nConnection: close\r\n\r\nUser-agent: *\nDisallow: /x\n"
            }
            _ => "500 X\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
        };
        drop(write!(stream, "HTTP/1.1 {answer}"));
    });
    let retriever = own_retriever::ThroughProxy::new(&proxy.url("")).unwrap();
    let robots = RobotsCache::with_retriever(client(), retriever).build();
    run(async {
        assert!(robots.allows("http://a.example/y").await.is_some());
        assert!(robots.allows("http://a.example/x").await.is_none());
        assert!(robots.allows("http://b.example/y").await.is_none());
        // The proof has where the file is from.
        let trail = robots.site_rules("http://a.example/").await.trail.unwrap();
        let statuses: Vec<_> = trail.hops.iter().map(|hop| hop.status).collect();
        assert_eq!(statuses, [Some(301), Some(200)]);
        assert!(
            trail
                .fields
                .iter()
                .any(|(name, _)| name == "content-length")
        );
    });
    let expected = [
        "http://a.example/robots.txt",
        "http://www.a.example/robots.txt",
        "http://b.example/robots.txt",
    ];
    assert_eq!(*asked.lock().unwrap(), expected);
}

#[test]
fn a_proof_names_the_file_that_applied() {
    let folder = tempfile::tempdir().unwrap();
    let store = FileStore::open(folder.path().join("robots.redb")).unwrap();
    let site = Resource::robots_txt("https://a.example/").unwrap();
    for (text, second) in [("User-agent: *\nDisallow: /x\n", 0), ("", 86_400)] {
        let event = Event::file(text.as_bytes(), &[], at(second)).with_body(Body::new);
        run(async {
            let known = store.load(&site).await.unwrap();
            let state = known.map(|record| record.state).unwrap_or_default();
            let record = Record {
                resource: site.clone(),
                state: state.after(event.clone(), &RetrievalSettings::default()),
            };
            store.save(&record, &event).await.unwrap();
        });
    }
    let robots = RobotsCache::builder("f").unwrap().offline(true).build();
    let robots = robots.unwrap();
    let proof = |second| proof::proof(&store, &robots, at(second), "https://a.example/x").unwrap();
    assert!(robots.site_rules_at(&store, "/x", at(0)).unwrap().is_none());
    let rules = robots.site_rules_at(&store, "https://a.example/x", at(3_600));
    let rules = rules.unwrap().unwrap();
    assert_eq!((rules.fetched_at, rules.bytes), (Some(at(0)), 27));
    assert!(
        !rules.policy.allows("https://b.example/y"),
        "it is bound to its site"
    );
    let (before, first, second) = (proof(-1), proof(3_600), proof(90_000));
    assert!(
        before.ends_with("never asked before 1969-12-31T23:59:59Z"),
        "{before}"
    );
    let hash = abide_fetch::BodyHash::of(b"User-agent: *\nDisallow: /x\n").to_string();
    assert!(
        first.contains(&hash) && first.contains("line 2: Disallow: /x"),
        "{first}"
    );
    assert!(
        !second.contains(&hash) && second.contains("crawl: allowed"),
        "{second}"
    );
}
