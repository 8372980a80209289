//! Tokens and quotas.

use crate::client::{Answered, ask, escaped};
use crate::{Running, config, run, site};
use abide_serve::{Config, new_token};
use serde_json::json;
use std::net::SocketAddr;

fn with_token(address: SocketAddr, path: &str, token: &str) -> Answered {
    let field = format!("Bearer {token}");
    ask(address, "GET", path, &[("Authorization", &field)], b"")
}

const QUESTION: &str = "/v1/decide?url=ftp://x&agent=A";

/// A8 and G-52: no token, no answer.
#[test]
fn only_who_has_a_token_is_answered() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tokens.toml");
    let (token, table) = new_token("crawler").unwrap();
    std::fs::write(&file, table).unwrap();
    let service = run(&Config {
        tokens: Some(file),
        ..config()
    });
    let code = |answered: Answered| {
        (
            answered.status,
            answered.json()["code"].as_str().map(str::to_owned),
        )
    };
    // The token is good, the URL is not.
    assert_eq!(
        code(with_token(service.address, QUESTION, &token))
            .1
            .unwrap(),
        "invalid-url"
    );
    for wrong in [
        "",
        "x",
        &token[..token.len() - 1],
        &format!("{token}a"),
        &"a".repeat(5_000),
    ] {
        let answered = with_token(service.address, QUESTION, wrong);
        assert_eq!(
            answered.field("www-authenticate"),
            Some("Bearer realm=\"abide\"")
        );
        assert_eq!(code(answered), (401, Some("unauthorized".to_owned())));
    }
    for fields in [
        &[][..],
        &[("Authorization", "Basic YTpi")],
        &[("Authorization", "bearer")],
    ] {
        for path in [
            QUESTION,
            "/metrics",
            "/v1/robots?url=x",
            "/v1/history?url=x",
        ] {
            assert_eq!(
                ask(service.address, "GET", path, fields, b"").status,
                401,
                "{path}"
            );
        }
    }
    for path in ["/healthz", "/readyz", "/openapi.json"] {
        assert_eq!(
            ask(service.address, "GET", path, &[], b"").status,
            200,
            "{path}"
        );
    }
    assert_eq!(with_token(service.address, "/metrics", &token).status, 200);
}

/// A9: a quota belongs to its token.
#[test]
fn rates_and_concurrency_belong_to_each_token() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tokens.toml");
    let (fast, fast_table) = new_token("fast").unwrap();
    let (slow, slow_table) = new_token("slow").unwrap();
    std::fs::write(
        &file,
        format!("{fast_table}\n{slow_table}rate = 1\nburst = 2\n"),
    )
    .unwrap();
    let service = run(&Config {
        tokens: Some(file),
        ..config()
    });
    let statuses: Vec<_> = (0..4)
        .map(|_| with_token(service.address, QUESTION, &slow).status)
        .collect();
    assert_eq!(statuses[..2], [400, 400]);
    assert!(statuses[2..].contains(&429), "{statuses:?}");
    let refused = with_token(service.address, QUESTION, &slow);
    if refused.status == 429 {
        assert_eq!(refused.json()["code"], "rate-limited");
        assert!(
            refused
                .field("retry-after")
                .unwrap()
                .parse::<u64>()
                .unwrap()
                >= 1
        );
    }
    for _ in 0..10 {
        assert_eq!(with_token(service.address, QUESTION, &fast).status, 400);
    }
}

/// Asks so many times about each of seven sites, in one batch: the answers, and how many seconds
/// they took.
fn batch_about_seven_sites(service: &Running, times: usize) -> (Answered, f64) {
    let sites: Vec<_> = (0..7)
        .map(|_| site("User-agent: *\nDisallow: /x\n"))
        .collect();
    let lines = sites.iter().map(|site| {
        let line = json!({"url": site.url("/x"), "agent": "A"});
        format!("{line}\n").repeat(times)
    });
    let lines: String = lines.collect();
    let start = std::time::Instant::now();
    let fields = [("Content-Type", "application/jsonl")];
    let batch = ask(
        service.address,
        "POST",
        "/v1/batch",
        &fields,
        lines.as_bytes(),
    );
    (batch, start.elapsed().as_secs_f64())
}

/// So a batch fetches no more sites a second than single requests would.
#[test]
fn lines_of_a_batch_wait_for_the_rate() {
    let service = run(&Config {
        rate: Some(2),
        burst: Some(2),
        ..config()
    });
    let (batch, took) = batch_about_seven_sites(&service, 1);
    // All are answered: two at once, and two each second.
    let answers = batch.lines();
    assert_eq!(answers.len(), 7);
    for answer in &answers {
        assert_eq!(
            answer["usages"]["crawl"]["outcome"], "prohibited",
            "{answer}"
        );
    }
    assert!((2.3..6.0).contains(&took), "{took}");
    let codes = (0..5).map(|_| ask(service.address, "GET", QUESTION, &[], b"").json());
    let codes: Vec<_> = codes.map(|problem| problem["code"].clone()).collect();
    assert!(codes.contains(&json!("rate-limited")), "{codes:?}");
}

/// What leaves the machine is bounded, however many questions there are.
#[test]
fn fetches_wait_for_their_rate() {
    let service = run(&Config {
        fetch_rate: Some(2),
        ..config()
    });
    let (batch, took) = batch_about_seven_sites(&service, 50);
    assert_eq!(batch.lines().len(), 350);
    assert_eq!(service.count("abide_fetches_total", ""), 7);
    // Two at once, and two each second.
    assert!((2.3..6.0).contains(&took), "{took}");
}

/// A5: more requests than the service answers are refused at once.
#[test]
fn requests_in_progress_are_limited() {
    use abide_testkit::fault::{ByteServer, Script, Step};
    let slow = ByteServer::new(Script::always([
        Step::Sleep(std::time::Duration::from_secs(2)),
        Step::send("HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n"),
        Step::Fin,
    ]));
    let service = run(&Config {
        concurrency: Some(1),
        ..config()
    });
    let address = service.address;
    let query = format!("/v1/decide?url={}&agent=A", escaped(&slow.url("/x")));
    let waiting = std::thread::spawn(move || ask(address, "GET", &query, &[], b""));
    std::thread::sleep(std::time::Duration::from_millis(500));
    let refused = ask(address, "GET", QUESTION, &[], b"");
    assert_eq!(
        (refused.status, refused.json()["code"].as_str()),
        (429, Some("too-many-at-once"))
    );
    assert_eq!(ask(address, "GET", "/healthz", &[], b"").status, 200);
    assert_eq!(waiting.join().unwrap().status, 200);
    assert_eq!(ask(address, "GET", QUESTION, &[], b"").status, 400);
}

#[test]
fn what_one_token_sends_changes_no_answer_of_another() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tokens.toml");
    let (one, one_table) = new_token("one").unwrap();
    let (two, two_table) = new_token("two").unwrap();
    std::fs::write(&file, one_table + &two_table).unwrap();
    let site = site("User-agent: *\nDisallow: /x\n");
    let service = run(&Config {
        tokens: Some(file),
        ..config()
    });
    let own =
        json!({"url": site.url("/x"), "agent": "A", "robots": "User-agent: *\nAllow: /x # secret"});
    let fields = [
        ("Content-Type", "application/json"),
        ("Authorization", &format!("Bearer {one}")),
    ];
    let first = ask(
        service.address,
        "POST",
        "/v1/decide",
        &fields,
        own.to_string().as_bytes(),
    );
    assert_eq!(first.json()["usages"]["crawl"]["outcome"], "permitted");
    let url = escaped(&site.url("/x"));
    let second = with_token(
        service.address,
        &format!("/v1/decide?url={url}&agent=A"),
        &two,
    );
    assert_eq!(second.json()["usages"]["crawl"]["outcome"], "prohibited");
    for path in [format!("/v1/robots?url={url}"), "/metrics".to_owned()] {
        let answered = with_token(service.address, &path, &two);
        assert!(!answered.text().contains("secret"), "{path}");
    }
}
