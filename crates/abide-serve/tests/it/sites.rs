//! `/v1/robots`, `/v1/history`, and which addresses are connected to.

use crate::client::{ask, escaped, get, post};
use crate::{config, run, site};
use abide_serve::{Config, Ports};
use abide_testkit::fault::{ByteServer, Script, Step};
use serde_json::Value;

/// The `Content-Type` of the response that brought a file.
fn content_type(robots: &Value) -> &Value {
    let fields = robots["trail"]["fields"].as_array().unwrap();
    let is_it = |field: &&Value| {
        let name = field["name"].as_str().unwrap();
        name.eq_ignore_ascii_case("content-type")
    };
    &fields.iter().find(is_it).unwrap()["value"]
}

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
    assert_eq!(robots["url"], redirecting.url("/robots.txt"));
    assert_eq!(
        (&robots["retrieval"]["state"], &robots["rules"]),
        (&"fresh".into(), &"file".into())
    );
    assert_eq!(robots["lifetime"], 3600);
    assert_eq!(content_type(&robots), "text/plain");
    assert_eq!(robots["media_type"], "text/plain");
    assert!(robots["user_agent"].is_string(), "{robots}");
    let hops = robots["requests"].as_array().unwrap();
    assert_eq!(hops.len(), 2);
    assert_eq!(
        (&hops[0]["status"], &hops[1]["url"], &hops[1]["status"]),
        (&301.into(), &target.into(), &200.into())
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
    for (status, rules, cause) in [
        ("404 No", "unavailable", "HTTP status 404"),
        ("500 No", "unreachable", "HTTP status 500"),
    ] {
        let head = format!("HTTP/1.1 {status}\r\nContent-Length: 0\r\n\r\n");
        let site = ByteServer::new(Script::saying(head));
        let robots = get(
            service.address,
            &format!("/v1/robots?url={}", escaped(&site.url("/"))),
        )
        .json();
        assert_eq!(
            (&robots["rules"], &robots["cause"]),
            (&rules.into(), &cause.into())
        );
        assert_eq!(robots.get("file"), None);
    }
}

/// A tester shows what the site serves now, and not what robots may keep until tomorrow.
#[test]
fn a_fresh_file_is_asked_for_again_on_demand() {
    let file = site("User-agent: *\nDisallow: /x\n");
    let service = run(&config());
    let path = format!("/v1/robots?url={}", escaped(&file.url("/")));
    let get = |suffix: &str| get(service.address, &format!("{path}{suffix}"));
    assert_eq!(get("").json()["age"], 0);
    get("");
    assert_eq!(file.connections(), 1);
    // Not twice within two seconds, whoever asks.
    get("&refresh=true");
    assert_eq!(file.connections(), 1);
    std::thread::sleep(std::time::Duration::from_secs(4));
    assert!(get("&refresh=false").json()["age"].as_u64() >= Some(3));
    assert_eq!(file.connections(), 1);
    let again = get("&refresh=true").json();
    assert!(again["age"].as_u64() <= Some(1), "{again}");
    assert_eq!(file.connections(), 2);
    let wrong = get("&refresh=1");
    assert_eq!(
        (wrong.status, &wrong.json()["member"]),
        (400, &"refresh".into())
    );
}

/// The robots.txt of the site decides whether its sitemap is read, redirects within the site are
/// followed, and the length of a sitemap is bounded.
#[test]
fn a_sitemap_is_fetched_as_robots_do() {
    let xml = "<urlset><url><loc>https://e.example/?a=1&amp;b=2</loc></url></urlset>";
    let long = " ".repeat(5_000);
    let behaves = move |path: &str| match path {
        "/robots.txt" => (
            "200 OK",
            "",
            "User-agent: *\nDisallow: /closed\n".to_owned(),
        ),
        "/moved.xml" => ("301 Moved", "Location: /map.xml\r\n", String::new()),
        "/away.xml" => ("301 Moved", "Location: /closed/map.xml\r\n", String::new()),
        "/map.xml" => ("200 OK", "", xml.to_owned()),
        "/long.xml" => ("200 OK", "", format!("{xml}{long}")),
        _ => ("404 No", "", String::new()),
    };
    let site = ByteServer::new(Script::by(move |hit| {
        let (status, fields, body) = behaves(hit.path);
        let length = body.len();
        let head = format!("HTTP/1.1 {status}\r\n{fields}Content-Length: {length}\r\n\r\n");
        vec![Step::send(head + &body), Step::Fin]
    }));
    let service = run(&Config {
        max_body: Some(4_096),
        ..config()
    });
    let ask = |path: &str| {
        let body = format!("{{\"url\": \"{}\"}}", site.url(path));
        post(service.address, "/v1/sitemap", &body)
    };
    for path in ["/map.xml", "/moved.xml"] {
        let answer = ask(path).json();
        assert_eq!(answer["urls"][0], "https://e.example/?a=1&b=2", "{answer}");
        assert_eq!(answer["index"], false);
    }
    for (path, status, code, detail) in [
        ("/closed/map.xml", 422, "no-sitemap", "disallows it"),
        ("/away.xml", 422, "no-sitemap", "not followed"),
        ("/none.xml", 422, "no-sitemap", "status 404"),
        (
            "/long.xml",
            400,
            "invalid-sitemap",
            "longer than 4096 bytes",
        ),
    ] {
        let answer = ask(path);
        let problem = answer.json();
        assert_eq!((answer.status, &problem["code"]), (status, &code.into()));
        assert_eq!(problem["member"], "/url");
        assert!(
            problem["detail"].as_str().unwrap().contains(detail),
            "{problem}"
        );
    }
    let nowhere = post(
        service.address,
        "/v1/sitemap",
        r#"{"url": "http://127.0.0.1:1/s.xml"}"#,
    );
    assert_eq!(nowhere.status, 422);
    let strict = run(&Config {
        allow_private: None,
        ..config()
    });
    let body = format!("{{\"url\": \"{}\"}}", site.url("/map.xml"));
    let refused = post(strict.address, "/v1/sitemap", &body);
    assert!(refused.status >= 400, "{}", refused.text());
    assert!(!refused.text().contains("e.example"), "{}", refused.text());
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
    // Another process sees what was kept, and where it came from.
    let service = run(&with_folder);
    let path = format!("/v1/robots?url={}", escaped(&one.url("/")));
    let robots = get(service.address, &path).json();
    let asked = &robots["trail"]["requests"][0];
    assert_eq!(robots["requests"], serde_json::json!([]));
    assert_eq!(
        (&asked["status"], &asked["url"], &asked["address"]),
        (
            &200.into(),
            &one.url("/robots.txt").into(),
            &one.address().to_string().into()
        )
    );
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
    assert_eq!(observations[0]["trail"], robots["trail"]);
    assert_eq!(content_type(&robots), "text/plain");
    assert_eq!(observations[0]["first"], robots["retrieval"]["fetched_at"]);
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

/// A site that asked to be left alone is not asked for people either, and the answer says so; one
/// that failed without a word is.
#[test]
fn a_site_that_asks_to_wait_is_not_refreshed() {
    for (field, asked) in [("Retry-After: 600\r\n", 1), ("", 2)] {
        let head = format!("HTTP/1.1 503 X\r\n{field}Content-Length: 0\r\n\r\n");
        let site = ByteServer::new(Script::always([Step::send(head), Step::Fin]));
        let service = run(&config());
        let path = format!("/v1/robots?url={}", escaped(&site.url("/")));
        get(service.address, &path);
        std::thread::sleep(std::time::Duration::from_secs(3));
        let again = get(service.address, &format!("{path}&refresh=true")).json();
        assert_eq!(site.connections(), asked, "{again}");
        assert_eq!(again.get("asks_to_wait").is_some(), asked == 1, "{again}");
    }
}

#[test]
fn private_addresses_are_refused_in_every_spelling() {
    let site = site("User-agent: *\nDisallow:\n");
    let port = site.address().port();
    let service = run(&Config {
        allow_private: None,
        ports: Some(Ports::Any),
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
        assert_eq!(robots.json()["rules"], "unreachable", "{host}");
    }
    assert_eq!(site.connections(), 0);
}

/// A10 and R10: by default the service connects to the ports of the web alone. Another port is the
/// mistake of the caller, is told as such everywhere, and leaves nothing behind.
#[test]
fn r10_other_ports_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let cache = folder.path().to_str().unwrap().to_owned();
    let settings = Config {
        allow_private: None,
        cache: Some(cache),
        ..config()
    };
    let service = run(&settings);
    let url = "http://127.0.0.1:8088/x";
    let query = escaped(url);
    let json = format!("{{\"url\":\"{url}\",\"agent\":\"A\"}}");
    let diff = format!("{{\"before\":{{\"url\":\"{url}\"}},\"after\":{{\"robots\":\"\"}}}}");
    let long = format!(
        "{{\"url\":\"{url}\",\"agent\":\"A\",\"rendered_html\":\"{}\"}}",
        "x".repeat(20_000)
    );
    let post = |path: &str, body: &str| {
        let media = ("Content-Type", "application/json");
        ask(service.address, "POST", path, &[media], body.as_bytes())
    };
    for (answer, member) in [
        (
            get(service.address, &format!("/v1/decide?url={query}&agent=A")),
            "url",
        ),
        (
            get(service.address, &format!("/v1/robots?url={query}")),
            "url",
        ),
        (post("/v1/decide", &json), "/url"),
        (post("/v1/decide", &long), "/url"),
        (post("/v1/diff", &diff), "/before/url"),
    ] {
        assert_eq!(answer.status, 400, "{}", answer.text());
        let problem = answer.json();
        assert_eq!(problem["code"], "refused-port", "{problem}");
        assert_eq!(problem["member"], member, "{problem}");
        assert!(
            problem["detail"].as_str().unwrap().contains("port 8088"),
            "{problem}"
        );
    }
    let lines = post("/v1/batch", &json).text();
    assert!(lines.contains("\"code\":\"refused-port\""), "{lines}");
    assert_eq!(service.count("abide_sites_in_memory", ""), 0);
    assert_eq!(service.count("abide_fetches_total", ""), 0);
    // What the request has needs no fetch.
    let given = json.replace('}', ",\"robots\":\"\"}");
    assert_eq!(post("/v1/decide", &given).status, 200);
    drop(service);
    let store = abide_fetch::store::FileStore::open(folder.path().join("robots.redb")).unwrap();
    assert!(store.sites().unwrap().is_empty());
}

/// What the system says about an address is for the operator: callers learn the class of the
/// failure, and what a site answered.
#[test]
fn failures_have_no_details_of_the_network() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let closed = format!("http://{}/", listener.local_addr().unwrap());
    drop(listener);
    let foreign = ByteServer::new(Script::saying("SSH-2.0-OpenSSH_9.7\r\n"));
    let packed = "HTTP/1.1 200 OK\r\nContent-Encoding: br\r\nContent-Length: 1\r\n\r\nx";
    let packed = ByteServer::new(Script::saying(packed));
    let service = run(&config());
    let failure = |url: &str| {
        let answer = get(service.address, &format!("/v1/robots?url={}", escaped(url)));
        let text = answer.text();
        assert!(
            !text.contains("os error") && !text.contains("OpenSSH"),
            "{text}"
        );
        let hops = answer.json()["requests"].clone();
        hops[0]["failure"].as_str().unwrap().to_owned()
    };
    assert_eq!(failure(&closed), "no connection");
    assert_eq!(failure(&foreign.url("/")), "unreadable answer");
    assert!(failure(&packed.url("/")).contains("the site sent br"));
    let service = run(&Config {
        allow_private: None,
        ..config()
    });
    let answer = get(service.address, "/v1/robots?url=http%3A%2F%2F10.1.2.3%2F");
    assert_eq!(
        answer.json()["requests"][0]["failure"],
        "the address is refused"
    );
    assert!(!answer.text().contains("private use"), "{}", answer.text());
}

/// However many large files sites serve, the folder of the cache stays within its size, and answers
/// are right.
#[test]
fn the_folder_stays_within_its_size() {
    const MAX_BYTES: u64 = 16 << 20;
    let folder = tempfile::tempdir().unwrap();
    let settings = Config {
        cache: Some(folder.path().to_str().unwrap().to_owned()),
        cache_size: Some(MAX_BYTES >> 20),
        memory: Some(4),
        ..config()
    };
    let service = run(&settings);
    let sites: Vec<_> = (0..60)
        .map(|number| {
            let comment = format!("# {number}\n").repeat(70_000);
            site(&format!("User-agent: *\nDisallow: /{number}\n{comment}"))
        })
        .collect();
    let is_right = |number: usize, site: &ByteServer| {
        for (path, outcome) in [
            (format!("/{number}"), "prohibited"),
            ("/-".to_owned(), "permitted"),
        ] {
            let url = escaped(&site.url(&path));
            let answer = get(service.address, &format!("/v1/decide?url={url}&agent=A"));
            assert_eq!(
                answer.json()["usages"]["crawl"]["outcome"],
                outcome,
                "{}",
                answer.text()
            );
        }
    };
    for (number, site) in sites.iter().enumerate() {
        is_right(number, site);
        let bytes = service.count("abide_cache_folder_bytes", "");
        assert!((1..=MAX_BYTES).contains(&bytes), "{bytes}");
    }
    for (number, site) in sites.iter().enumerate() {
        is_right(number, site);
    }
    // The history goes on for what is there. The memory may still have any of the others, while the
    // folder has let them go.
    let next = site(&format!("User-agent: *\nDisallow: /{}\n", sites.len()));
    is_right(sites.len(), &next);
    let last = escaped(&next.url("/"));
    let history = get(service.address, &format!("/v1/history?url={last}"));
    assert_eq!(history.json()["observations"].as_array().unwrap().len(), 1);
    let files = std::fs::read_dir(folder.path()).unwrap();
    let bytes: u64 = files
        .map(|file| file.unwrap().metadata().unwrap().len())
        .sum();
    assert!(bytes <= MAX_BYTES, "{bytes}");
}
