//! `/v1/decide`.

use crate::client::{escaped, get, post};
use crate::{config, run, site};
use abide_contract::answer;
use serde_json::{Value, json};

fn outcome(decision: &Value) -> &str {
    decision["usages"]["crawl"]["outcome"].as_str().unwrap()
}

#[test]
fn a_request_with_robots_gets_the_answer_of_the_contract() {
    let service = run(&config());
    for request in [
        json!({"url": "https://e.example/x", "agent": "ExampleBot", "robots": "User-agent: *\nDisallow: /x"}),
        json!({"id": [1], "url": "https://e.example/y", "agent": ["A", "B"], "robots_status": 503}),
        json!({"url": "https://e.example/y", "agent": "*", "robots_error": "timeout"}),
        json!({"url": "https://e.example/y", "agent": "GPTBot", "known_robots": true, "robots": "", "now": "2026-01-01T00:00:00Z", "preferences": {}}),
    ] {
        let text = request.to_string();
        let answered = post(service.address, "/v1/decide", &text);
        assert_eq!(answered.status, 200, "{}", answered.text());
        assert_eq!(answered.field("content-type"), Some("application/json"));
        assert_eq!(answered.text().trim_end(), answer(text.as_bytes()).line);
    }
}

#[test]
fn without_robots_the_file_of_the_site_decides_and_is_fetched_once() {
    let site = site("User-agent: ExampleBot\nDisallow: /private\n");
    let service = run(&config());
    for (path, expected) in [("/private/x", "prohibited"), ("/public", "permitted")] {
        let url = site.url(path);
        let query = format!("/v1/decide?url={}&agent=ExampleBot", escaped(&url));
        let by_get = get(service.address, &query).json();
        assert_eq!(outcome(&by_get), expected);
        assert_eq!(by_get["retrieval"]["state"], "fresh");
        assert_eq!(by_get["agent"], "ExampleBot");
        let request = json!({"url": url, "agent": "ExampleBot"});
        let by_post = post(service.address, "/v1/decide", &request.to_string()).json();
        assert_eq!(by_get, by_post);
    }
    assert_eq!(site.requests().len(), 1);
    assert!(service.count("abide_fetches_total", "") == 1);
}

#[test]
fn slim_answers_leave_out_what_is_not_mentioned() {
    let site = site("User-agent: ExampleBot\nDisallow: /private\n");
    let service = run(&config());
    let url = site.url("/private/x");
    let path = |slim: &str| format!("/v1/decide?url={}&agent=ExampleBot{slim}", escaped(&url));
    let whole = get(service.address, &path("")).json();
    let slim = get(service.address, &path("&slim=true")).json();
    assert_eq!(slim["usages"], json!({"crawl": whole["usages"]["crawl"]}));
    assert_eq!(get(service.address, &path("&slim=false")).json(), whole);
    let long = "x".repeat(20 << 10);
    for html in ["", long.as_str()] {
        let request = json!({"url": url, "agent": "ExampleBot", "html": html}).to_string();
        let posted = post(service.address, "/v1/decide?slim=true", &request);
        assert_eq!(posted.json(), slim);
    }
    assert_eq!(get(service.address, &path("&slim=1")).status, 400);
    assert_eq!(post(service.address, "/v1/decide?slim=1", "{}").status, 400);
}

#[test]
fn an_unreachable_site_is_asked_again_later() {
    let service = run(&config());
    let url = "https://127.0.0.1:1/x";
    let path = format!("/v1/decide?url={}&agent=ExampleBot", escaped(url));
    let long = "x".repeat(20 << 10);
    let posts = ["", long.as_str()].map(|html| {
        let request = json!({"url": url, "agent": "ExampleBot", "html": html}).to_string();
        post(service.address, "/v1/decide", &request)
    });
    for answered in posts.iter().chain([&get(service.address, &path)]) {
        assert_eq!(answered.status, 200);
        assert_eq!(answered.json()["retrieval"]["state"], "unreachable");
        let seconds: u64 = answered.field("retry-after").unwrap().parse().unwrap();
        assert!((1..=86_400).contains(&seconds), "{seconds}");
    }
    // Sites with a file have no such field.
    let site = site("");
    let path = format!("/v1/decide?url={}&agent=A", escaped(&site.url("/")));
    assert_eq!(get(service.address, &path).field("retry-after"), None);
}

#[test]
fn names_outside_of_the_grammar_are_accepted_on_demand() {
    let site = site("User-agent: MJ12bot\nDisallow: /\n");
    let service = run(&config());
    let ask = |rest: &str| {
        let path = format!("/v1/decide?url={}&{rest}", escaped(&site.url("/x")));
        get(service.address, &path)
    };
    let refused = ask("agent=MJ12bot");
    assert_eq!(refused.status, 400);
    let detail = refused.json()["detail"].as_str().unwrap().to_owned();
    assert!(detail.contains("nonstandard_token"), "{detail}");
    let accepted = ask("agent=MJ12bot&nonstandard_token=true");
    assert_eq!(outcome(&accepted.json()), "prohibited");
}

#[test]
fn the_url_that_would_be_requested_is_judged() {
    let site = site("User-agent: *\nDisallow: /private\n");
    let service = run(&config());
    let url = site.url("/public/../private/x");
    let query = format!("/v1/decide?url={}&agent=ExampleBot", escaped(&url));
    let decision = get(service.address, &query).json();
    assert_eq!(outcome(&decision), "prohibited");
    assert_eq!(decision["url"], url);
    assert_eq!(decision["requested"], site.url("/private/x"));
}

#[test]
fn agents_profiles_and_known_robots() {
    let site = site(
        "User-agent: Googlebot\nDisallow: /\n\nUser-agent: B\nAllow: /\nUser-agent: *\nDisallow: /\n",
    );
    let service = run(&config());
    let ask = |rest: &str| {
        let path = format!("/v1/decide?url={}&{rest}", escaped(&site.url("/x")));
        get(service.address, &path)
    };
    assert_eq!(outcome(&ask("agent=A").json()), "prohibited");
    let second = ask("agent=A&agent=B").json();
    assert_eq!(outcome(&second), "permitted");
    assert_eq!(second["agent"], json!(["A", "B"]));
    assert_eq!(ask("agent=A&profile=google").json()["profile"], "google");
    // AdsBot-Google ignores groups for "*".
    assert_eq!(outcome(&ask("agent=AdsBot-Google").json()), "prohibited");
    for profile in ["careful", "google"] {
        let known = ask(&format!(
            "agent=AdsBot-Google&known_robots=true&profile={profile}"
        ))
        .json();
        assert_eq!(outcome(&known), "permitted", "{profile}");
        assert_eq!(known["known_robot"]["token"], "AdsBot-Google");
    }
    // A name that RFC 9309 does not admit counts if the file has it.
    let odd = ask("agent=Odd3Bot&known_robots=true");
    assert_eq!(
        (odd.status, odd.json()["code"].as_str()),
        (400, Some("invalid-agent"))
    );
    assert_eq!(site.requests().len(), 1);
}

#[test]
fn preferences_fetch_the_documents_of_the_site() {
    let site = abide_testkit::fault::ByteServer::new(abide_testkit::fault::Script::by(|hit| {
        let body = match hit.path {
            "/robots.txt" => "User-agent: *\nAllow: /\n",
            "/.well-known/tdmrep.json" => r#"[{"location": "/", "tdm-reservation": 1}]"#,
            _ => "",
        };
        let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n", body.len());
        vec![
            abide_testkit::fault::Step::send(head + body),
            abide_testkit::fault::Step::Fin,
        ]
    }));
    let service = run(&config());
    let request =
        json!({"url": site.url("/x"), "agent": "A", "preferences": {"vocabularies": ["tdmrep"]}});
    let decision = post(service.address, "/v1/decide", &request.to_string()).json();
    assert_eq!(
        decision["usages"]["train"]["outcome"], "prohibited",
        "{decision}"
    );
    let plain = json!({"url": site.url("/x"), "agent": "A"});
    let plain = post(service.address, "/v1/decide", &plain.to_string()).json();
    assert_eq!(plain["usages"].get("train"), None);
}

#[test]
fn a_site_that_fails_disallows_and_one_without_a_file_allows() {
    let service = run(&config());
    for (status, expected) in [("503 Down", "prohibited"), ("404 Not Found", "permitted")] {
        let head = format!("HTTP/1.1 {status}\r\nContent-Length: 0\r\n\r\n");
        let site =
            abide_testkit::fault::ByteServer::new(abide_testkit::fault::Script::saying(head));
        let query = format!("/v1/decide?url={}&agent=A", escaped(&site.url("/x")));
        assert_eq!(outcome(&get(service.address, &query).json()), expected);
    }
}

#[test]
fn offline_a_site_is_unknown_and_nothing_is_sent() {
    let site = site("User-agent: *\nDisallow: /\n");
    let mut offline = config();
    offline.offline = Some(true);
    let service = run(&offline);
    let query = format!("/v1/decide?url={}&agent=A", escaped(&site.url("/x")));
    let decision = get(service.address, &query).json();
    assert_eq!(outcome(&decision), "unknown");
    assert_eq!(decision["needs"], json!([site.url("/robots.txt")]));
    assert_eq!(site.connections(), 0);
}

#[test]
fn long_answers_are_sent_while_they_are_written() {
    let service = run(&config());
    let mut robots = "User-agent: *\n".to_owned();
    for _ in 0..30_000 {
        robots.push_str("Disallow: /x*a\nAllow: /x*b$\n");
    }
    let request =
        json!({"url": "https://e.example/xab", "agent": "A", "robots": robots}).to_string();
    let answered = post(service.address, "/v1/decide", &request);
    assert_eq!(answered.status, 200);
    assert_eq!(answered.text().trim_end(), answer(request.as_bytes()).line);
    // What is wrong is still a problem.
    let wrong = json!({"url": "/x", "agent": "A", "robots": robots}).to_string();
    let answered = post(service.address, "/v1/decide", &wrong);
    assert_eq!(
        (answered.status, answered.json()["code"].as_str()),
        (400, Some("invalid-url"))
    );
}
