//! Turns at sites for crawlers in any language: `/v1/turn`. Times are lower bounds of what a site
//! asks for; no test fails because a machine is slow.

use crate::client::{Answered, ask, connect, post};
use crate::{Running, config, run, site, until};
use abide_serve::{Config, new_token};
use abide_testkit::fault::{ByteServer, Script, Step};
use abide_testkit::valkey::ValkeyServer;
use serde_json::{Value, json};
use std::io::Write as _;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

/// A service that gives turns. Sites that ask for no delay have none.
fn turns() -> Config {
    Config {
        turns: Some(true),
        min_delay: Some(0),
        ..config()
    }
}

/// How `token` asks with this query and body; without one, as the address.
fn asked(service: &Running, token: Option<&str>, path: &str, body: &Value) -> Answered {
    let authorization = token.map(|token| format!("Bearer {token}"));
    let mut fields = vec![("Content-Type", "application/json")];
    let own = authorization.as_deref();
    fields.extend(own.map(|value| ("Authorization", value)));
    let body = body.to_string();
    ask(service.address, "POST", path, &fields, body.as_bytes())
}

/// A turn for `token` at `url`.
fn turn_of(service: &Running, token: Option<&str>, url: &str, query: &str) -> Value {
    let path = format!("/v1/turn{query}");
    let answer = asked(service, token, &path, &json!({"url": url, "agent": "f"}));
    assert_eq!(answer.status, 200, "{}", answer.text());
    let json = answer.json();
    let wait = json["wait_seconds"].as_u64().map(|wait| wait.to_string());
    assert_eq!(answer.field("Retry-After"), wait.as_deref(), "{json}");
    json
}

fn turn(service: &Running, url: &str, query: &str) -> Value {
    turn_of(service, None, url, query)
}

/// Ends a visit. Returns how many seconds its site rests.
fn end(service: &Running, turn: &Value, how: &Value) -> f64 {
    let path = format!("/v1/turn/{}", turn["turn"].as_str().unwrap());
    let answer = asked(service, None, &path, how);
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()["rests_seconds"].as_f64().unwrap()
}

#[test]
fn a_delay_counts_from_the_end_of_a_visit() {
    let service = run(&turns());
    let site = site("User-agent: *\nCrawl-delay: 0.6\nDisallow: /x\n");
    let url = site.url("/a/../y");
    let first = turn(&service, &url, "");
    assert_eq!(first["state"], "go", "{first}");
    assert_eq!(first["url"], site.url("/y"));
    assert_eq!(first["lasts_seconds"], 60);
    // Longer than the delay: another one has no turn before the end.
    thread::sleep(Duration::from_millis(700));
    let second = turn(&service, &url, "?wait=1");
    assert_eq!(second["state"], "wait", "{second}");
    assert!(second["turn"].is_null() && second["wait_seconds"].as_u64() >= Some(1));
    let ended = Instant::now();
    let rests = end(&service, &first, &json!({"status": 200}));
    // The answer took longer than the delay, and counts as what it took.
    assert!(rests >= 1.7, "{rests}");
    let third = turn(&service, &url, "");
    assert_eq!(third["state"], "go", "{third}");
    let waited = ended.elapsed().as_secs_f64();
    assert!(waited >= rests - 0.01, "{waited} of {rests}");
    // Nothing was sent: the next one may come at once.
    assert!(end(&service, &third, &json!({"unused": true})).abs() < f64::EPSILON);
    let fourth = turn(&service, &url, "?wait=1");
    assert_eq!(fourth["state"], "go", "{fourth}");
    // A site that asks not to be visited is not.
    let how = json!({"status": 503, "retry_after": "120"});
    assert!(end(&service, &fourth, &how) >= 119.0);
    let fifth = turn(&service, &url, "?wait=1");
    assert_eq!(fifth["state"], "wait");
    assert!(fifth["wait_seconds"].as_u64() >= Some(115), "{fifth}");
    assert_eq!(site.requests().len(), 1);
}

#[test]
fn robots_txt_is_a_visit_too() {
    let service = run(&Config {
        min_delay: Some(1),
        ..turns()
    });
    let site = site("User-agent: *\n");
    let began = Instant::now();
    assert_eq!(turn(&service, &site.url("/"), "")["state"], "go");
    assert!(began.elapsed() >= Duration::from_secs(1));
}

#[test]
fn callers_take_turns_at_a_site() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tokens.toml");
    let (one, one_table) = new_token("one").unwrap();
    let (two, two_table) = new_token("two").unwrap();
    std::fs::write(&file, one_table + &two_table).unwrap();
    let service = run(&Config {
        tokens: Some(file),
        ..turns()
    });
    let are_in_progress = |number: usize| {
        let field = format!("Bearer {one}");
        let fields = [("Authorization", field.as_str())];
        let text = ask(service.address, "GET", "/metrics", &fields, b"").text();
        text.contains(&format!("abide_requests_in_progress {number}\n"))
    };
    // A request is in progress before it waits for its turn. The rest leaves it the time.
    let site = site("User-agent: *\nCrawl-delay: 1\n");
    let url = site.url("/");
    let end = |token: &str, turn: &Value| {
        let path = format!("/v1/turn/{}", turn["turn"].as_str().unwrap());
        asked(&service, Some(token), &path, &json!({"unused": true}))
    };
    let held = turn_of(&service, Some(&one), &url, "");
    // Nobody ends the visit of another one.
    assert_eq!(end(&two, &held).json()["code"], "no-such-turn");
    let (order, gone) = mpsc::channel();
    thread::scope(|scope| {
        // The first caller has many that wait before the second has one.
        for (number, token) in [&one, &one, &one, &one, &two].into_iter().enumerate() {
            let (order, url, service, end) = (order.clone(), &url, &service, &end);
            scope.spawn(move || {
                let turn = turn_of(service, Some(token), url, "?wait=60");
                assert_eq!(turn["state"], "go");
                order.send(number).unwrap();
                assert_eq!(end(token, &turn).status, 200);
            });
            until("a request", || are_in_progress(number + 1));
        }
        assert_eq!(end(&one, &held).status, 200);
    });
    let order: Vec<_> = gone.try_iter().collect();
    assert_eq!(order.len(), 5);
    assert!(order[..2].contains(&4), "{order:?}");
}

#[test]
fn a_lost_caller_keeps_no_site() {
    let service = run(&turns());
    let site = site("User-agent: *\nCrawl-delay: 0.2\n");
    let url = site.url("/");
    let lost = turn(&service, &url, "?lasts=1");
    assert_eq!(
        (&lost["state"], &lost["lasts_seconds"]),
        (&json!("go"), &json!(1))
    );
    // Another one goes while it waits.
    let mut gone = connect(service.address);
    let body = json!({"url": url, "agent": "f"}).to_string();
    let head = "POST /v1/turn?wait=60 HTTP/1.1\r\nHost: x\r\nContent-Type: application/json";
    let request = format!("{head}\r\nContent-Length: {}\r\n\r\n{body}", body.len());
    gone.write_all(request.as_bytes()).unwrap();
    until("the request", || {
        service.count("abide_requests_in_progress", "") == 1
    });
    drop(gone);
    until("its end", || {
        service.count("abide_requests_in_progress", "") == 0
    });
    let began = Instant::now();
    let next = turn(&service, &url, "?wait=60");
    assert_eq!(next["state"], "go", "{next}");
    // That it waits for the next one, and not for a minute, is seen by the time of the request.
    assert!(began.elapsed() < Duration::from_secs(50));
    let path = format!("/v1/turn/{}", lost["turn"].as_str().unwrap());
    let late = post(service.address, &path, r#"{"status":200}"#);
    assert_eq!(
        (late.status, &late.json()["code"]),
        (404, &json!("no-such-turn"))
    );
    end(&service, &next, &json!({}));
}

#[test]
fn instances_share_the_pace_on_a_server() {
    let Some(server) = ValkeyServer::start("instances_share_the_pace_on_a_server") else {
        return;
    };
    let [one, other] = ["0/2", "1/2"].map(|member| {
        run(&Config {
            cache: Some(server.url()),
            turn_member: Some(member.to_owned()),
            ..turns()
        })
    });
    let site = site("User-agent: *\nCrawl-delay: 1\n");
    let url = site.url("/");
    // A new server first hears who visits what.
    let first = turn(&one, &url, "?wait=60&lasts=300");
    assert_eq!(first["state"], "go", "{first}");
    assert_eq!(turn(&other, &url, "?wait=1")["state"], "wait");
    let ended = Instant::now();
    let rests = end(&one, &first, &json!({"unused": false}));
    assert!(rests >= 1.0, "{rests}");
    assert_eq!(turn(&other, &url, "?wait=60")["state"], "go");
    assert!(ended.elapsed().as_secs_f64() >= rests - 0.01);
    assert_eq!(site.requests().len(), 1);
}

#[test]
fn what_may_not_be_fetched_gets_no_turn() {
    let service = run(&turns());
    let site = site("User-agent: *\nDisallow: /x\nUser-agent: g\nDisallow: /y\n");
    let disallowed = turn(&service, &site.url("/x"), "");
    assert_eq!(disallowed["state"], "disallowed");
    assert!(disallowed["turn"].is_null() && disallowed["wait_seconds"].is_null());
    // The rules are those of the robot that asks, also of one whose line the file decides about.
    for (agent, path, state) in [
        ("g", "/y", "disallowed"),
        ("g/1.0 (+https://g.example/)", "/y", "disallowed"),
        ("h", "/y", "go"),
    ] {
        let request = json!({"url": site.url(path), "agent": agent});
        let answer = asked(&service, None, "/v1/turn", &request);
        assert_eq!(answer.json()["state"], state, "{agent}: {}", answer.text());
    }
    let unreachable = turn(&service, "http://127.0.79.2:1/", "");
    assert_eq!(unreachable["state"], "unreachable", "{unreachable}");
    assert!(unreachable["wait_seconds"].as_u64() >= Some(1));
    // A robots.txt that does not come: the request ends in time.
    let silent = ByteServer::at("127.0.79.1:0", None, Script::always([Step::Hang]));
    assert_eq!(turn(&service, &silent.url("/"), "?wait=1")["state"], "wait");
    let offline = run(&Config {
        offline: Some(true),
        ..turns()
    });
    assert_eq!(turn(&offline, &site.url("/"), "")["state"], "unknown");
}

#[test]
fn a_wrong_request_changes_nothing() {
    let service = run(&turns());
    let site = site("User-agent: *\n");
    let held = turn(&service, &site.url("/"), "");
    let own = format!("/v1/turn/{}", held["turn"].as_str().unwrap());
    let about = json!({"url": site.url("/"), "agent": "f"});
    let with_file = json!({"url": site.url("/"), "agent": "f", "robots": ""});
    for (path, body, status, code, member) in [
        ("/v1/turn/x", json!({}), 404, "no-such-turn", json!(null)),
        ("/v1/turn/%00", json!({}), 404, "no-such-turn", json!(null)),
        (
            &*own,
            json!({"status": 7}),
            400,
            "invalid-request",
            json!("/status"),
        ),
        (
            &*own,
            json!({"status": 200, "failed": true}),
            400,
            "invalid-request",
            json!(null),
        ),
        (
            &*own,
            json!({"state": 200}),
            400,
            "invalid-request",
            json!("/state"),
        ),
        (
            &*own,
            json!({"retry_after": 9}),
            400,
            "invalid-request",
            json!("/retry_after"),
        ),
        (
            "/v1/turn?wait=0",
            about.clone(),
            400,
            "invalid-query",
            json!("wait"),
        ),
        (
            "/v1/turn?wait=61",
            about.clone(),
            400,
            "invalid-query",
            json!("wait"),
        ),
        (
            "/v1/turn?lasts=301",
            about.clone(),
            400,
            "invalid-query",
            json!("lasts"),
        ),
        (
            "/v1/turn?lasts=x",
            about.clone(),
            400,
            "invalid-query",
            json!("lasts"),
        ),
        (
            "/v1/turn?last=1",
            about,
            400,
            "invalid-query",
            json!("last"),
        ),
        ("/v1/turn", with_file, 400, "invalid-request", json!(null)),
        (
            "/v1/turn",
            json!({"url": "/x", "agent": "f"}),
            400,
            "invalid-url",
            json!("/url"),
        ),
    ] {
        let answer = asked(&service, None, path, &body);
        let problem = answer.json();
        assert_eq!(answer.status, status, "{path} {body}: {problem}");
        assert_eq!(problem["code"], code, "{path} {body}: {problem}");
        assert_eq!(problem["member"], member, "{path} {body}: {problem}");
    }
    end(&service, &held, &json!({"failed": true}));
    // Turns are off unless the operator sets them.
    let off = run(&config());
    for path in ["/v1/turn", "/v1/turn/x"] {
        let answer = asked(&off, None, path, &json!({}));
        assert_eq!(
            (answer.status, &answer.json()["code"]),
            (409, &json!("turns-off"))
        );
    }
}

#[test]
fn no_caller_fills_the_room_for_visits() {
    let service = run(&Config {
        memory: Some(1),
        ..turns()
    });
    let robots = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
    let sites = ByteServer::at("0.0.0.0:0", None, Script::saying(robots));
    let url = |number: usize| {
        let port = sites.address().port();
        json!({"url": format!("http://127.0.78.{number}:{port}/"), "agent": "f"})
    };
    let mut held = Vec::new();
    let refused = (1..=200).find_map(|number| {
        let answer = asked(&service, None, "/v1/turn", &url(number));
        let is_given = answer.status == 200;
        held.extend(is_given.then(|| answer.json()));
        (!is_given).then_some(answer)
    });
    let refused = refused.unwrap();
    assert_eq!(refused.status, 503);
    assert_eq!(refused.json()["code"], "too-many-at-once");
    assert_eq!(refused.field("Retry-After"), Some("1"));
    // Half of what half a MiB has room for.
    assert_eq!(held.len(), 128);
    end(&service, &held[0], &json!({"status": 200}));
    let again = asked(&service, None, "/v1/turn", &url(201));
    assert_eq!(again.json()["state"], "go", "{}", again.text());
}
