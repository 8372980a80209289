//! `/v1/robots`, `/v1/history`, and which addresses are connected to.

use crate::client::{escaped, get};
use crate::{config, run, site};
use abide_serve::Config;
use abide_testkit::fault::{ByteServer, Script, Step};

#[test]
fn what_is_in_force_and_how_it_was_obtained() {
    let file = site("User-agent: *\nDisallow: /x\n");
    let target = file.url("/robots.txt");
    let moved = format!("HTTP/1.1 301 Moved\r\nLocation: {target}\r\nContent-Length: 0\r\n\r\n");
    let redirecting = ByteServer::new(Script::always([Step::send(moved), Step::Fin]));
    let service = run(&config());
    let answer = get(
        service.address,
        &format!("/v1/robots?url={}", escaped(&redirecting.url("/a/b?c"))),
    );
    assert_eq!(answer.status, 200);
    let robots = answer.json();
    assert_eq!(robots["robots_url"], redirecting.url("/robots.txt"));
    assert_eq!(
        (&robots["state"], &robots["in_force"]),
        (&"fresh".into(), &"file".into())
    );
    assert_eq!(robots["status"], 200);
    assert_eq!(robots["lifetime"], 3600);
    assert_eq!(robots["headers"]["content-type"], "text/plain");
    let hops = robots["redirects"].as_array().unwrap();
    assert_eq!(hops.len(), 2);
    assert_eq!(
        (&hops[0]["status"], &hops[1]["url"]),
        (&301.into(), &target.into())
    );
    assert_eq!(robots["file"]["body"], "User-agent: *\nDisallow: /x\n");
    assert_eq!(robots["file"]["bytes"], 27);
    // Bytes that are no text.
    let binary = ByteServer::new(Script::saying(
        b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n#\xff\n".to_vec(),
    ));
    let robots = get(
        service.address,
        &format!("/v1/robots?url={}", escaped(&binary.url("/"))),
    )
    .json();
    assert_eq!(robots["file"]["body_base64"], "I/8K");
    // No file, and no answer.
    for (status, in_force) in [("404 No", "allow-all"), ("500 No", "disallow-all")] {
        let head = format!("HTTP/1.1 {status}\r\nContent-Length: 0\r\n\r\n");
        let site = ByteServer::new(Script::saying(head));
        let robots = get(
            service.address,
            &format!("/v1/robots?url={}", escaped(&site.url("/"))),
        )
        .json();
        assert_eq!(robots["in_force"], in_force);
        assert_eq!(robots.get("file"), None);
    }
}

#[test]
fn the_history_of_a_site() {
    let folder = tempfile::tempdir().unwrap();
    let with_folder = Config {
        cache: Some(folder.path().join("cache").to_str().unwrap().to_owned()),
        ..config()
    };
    let (one, other) = (
        site("User-agent: *\nDisallow: /one\n"),
        site("User-agent: *\nDisallow: /other\n"),
    );
    {
        let service = run(&with_folder);
        for site in [&one, &other] {
            get(
                service.address,
                &format!("/v1/robots?url={}", escaped(&site.url("/"))),
            );
        }
    }
    // Another process sees what was kept.
    let service = run(&with_folder);
    let history = |url: &str, rest: &str| {
        get(
            service.address,
            &format!("/v1/history?url={}{rest}", escaped(url)),
        )
    };
    let seen = history(&one.url("/"), "").json();
    let observations = seen["observations"].as_array().unwrap();
    assert_eq!(observations.len(), 1);
    assert_eq!(observations[0]["bytes"], 29);
    let hash = observations[0]["sha256"].as_str().unwrap();
    let with_file = history(&one.url("/"), &format!("&sha256={hash}")).json();
    assert_eq!(with_file["file"]["body"], "User-agent: *\nDisallow: /one\n");
    // A file of another site is not shown.
    assert_eq!(
        history(&other.url("/"), &format!("&sha256={hash}")).status,
        404
    );
    let again = get(
        service.address,
        &format!("/v1/decide?url={}&agent=A", escaped(&one.url("/one"))),
    )
    .json();
    assert_eq!(again["usages"]["crawl"]["outcome"], "prohibited");
    assert_eq!(one.requests().len(), 1);
    // Without a folder there is none.
    let service = run(&config());
    let none = get(
        service.address,
        &format!("/v1/history?url={}", escaped(&one.url("/"))),
    );
    assert_eq!(
        (none.status, none.json()["code"].as_str()),
        (404, Some("no-history"))
    );
}

#[test]
fn private_addresses_are_refused_in_every_spelling() {
    let site = site("User-agent: *\nDisallow:\n");
    let port = site.address().port();
    let service = run(&Config {
        allow_private: None,
        ..config()
    });
    for host in [
        "127.0.0.1",
        "localhost",
        "[::1]",
        "0x7f.1",
        "2130706433",
        "127.1",
        "[::ffff:127.0.0.1]",
        "0.0.0.0",
        "10.0.0.1",
        "169.254.169.254",
        "metadata.internal",
        "[fe80::1]",
        "192.168.0.1",
        "user:pass@127.0.0.1",
        "127.0.0.1.",
        "①②⑦.0.0.1",
    ] {
        let url = escaped(&format!("http://{host}:{port}/x"));
        let decision = get(service.address, &format!("/v1/decide?url={url}&agent=A"));
        assert_eq!(decision.status, 200, "{host}: {}", decision.text());
        let crawl = &decision.json()["usages"]["crawl"];
        assert_eq!(crawl["outcome"], "prohibited", "{host}");
        assert_eq!(crawl["evidence"][0]["reason"], "unreachable", "{host}");
        let robots = get(service.address, &format!("/v1/robots?url={url}"));
        assert_eq!(robots.json()["in_force"], "disallow-all", "{host}");
    }
    assert_eq!(site.connections(), 0);
}
