//! Whatever is wrong with a request gets a status, a problem with place and remedy, and is counted.

use crate::client::{Answered, ask, connect, get, post, send};
use crate::{config, run};
use abide_serve::Config;
use serde_json::{Value, json};
use std::io::{Read, Write};

/// Checks that the answer is a problem with these members.
fn is_problem(answered: &Answered, status: u16, code: &str, member: Option<&str>) {
    let text = String::from_utf8_lossy(&answered.body).into_owned();
    assert_eq!(answered.status, status, "{text}");
    assert_eq!(
        answered.field("content-type"),
        Some("application/problem+json"),
        "{text}"
    );
    let problem = answered.json();
    assert_eq!(problem["status"], status, "{text}");
    assert_eq!(problem["code"], code, "{text}");
    assert_eq!(problem["member"].as_str(), member, "{text}");
    for needed in ["title", "detail", "remedy"] {
        assert!(!problem[needed].as_str().unwrap().is_empty(), "{text}");
    }
}

/// A4 and s05: every mistake has its place.
#[test]
fn requests_of_the_contract() {
    let service = run(&config());
    for (body, code, member) in [
        ("", "invalid-json", None),
        ("{", "invalid-json", None),
        ("\u{feff}{}", "invalid-json", None),
        (
            "{\"url\":\"https://e.example/\",\"agent\":\"A\"} {}",
            "invalid-json",
            None,
        ),
        ("[1]", "invalid-request", None),
        (
            "{\"url\":1,\"agent\":\"A\"}",
            "invalid-request",
            Some("/url"),
        ),
        ("{\"agent\":\"A\"}", "invalid-request", Some("/url")),
        (
            "{\"url\":\"https://e.example/\",\"agent\":[\"A\",1]}",
            "invalid-request",
            Some("/agent/1"),
        ),
        (
            "{\"url\":\"https://e.example/\",\"agent\":\"A\",\"robot\":\"\"}",
            "invalid-request",
            Some("/robot"),
        ),
        (
            "{\"url\":\"https://e.example/\",\"agent\":\"A\",\"agent\":\"A\"}",
            "invalid-request",
            Some("/agent"),
        ),
        (
            "{\"url\":\"https://e.example/\",\"agent\":[]}",
            "invalid-agent",
            Some("/agent"),
        ),
        (
            "{\"url\":\"https://e.example/\",\"agent\":[\"a\",\"a\",\"a b\"]}",
            "invalid-agent",
            Some("/agent/2"),
        ),
        (
            "{\"url\":\"https://e.example/\",\"agent\":\"a b\"}",
            "invalid-agent",
            Some("/agent"),
        ),
        (
            "{\"url\":\"/x\",\"agent\":\"A\",\"robots\":\"\"}",
            "invalid-url",
            Some("/url"),
        ),
        (
            "{\"url\":\"ftp://e.example/x\",\"agent\":\"A\"}",
            "invalid-url",
            Some("/url"),
        ),
        (
            "{\"url\":\"https://e.example/\",\"agent\":\"A\",\"robots\":\"\",\"robots_base64\":\"\"}",
            "invalid-robots",
            Some("/robots_base64"),
        ),
        (
            "{\"url\":\"https://e.example/\",\"agent\":\"A\",\"robots_base64\":\"*\"}",
            "invalid-robots",
            Some("/robots_base64"),
        ),
        (
            "{\"url\":\"https://e.example/\",\"agent\":\"A\",\"robots_status\":99}",
            "invalid-robots",
            Some("/robots_status"),
        ),
        (
            "{\"url\":\"https://e.example/\",\"agent\":\"A\",\"robots_status\":1e999}",
            "invalid-json",
            None,
        ),
        (
            "{\"url\":\"https://e.example/\",\"agent\":\"A\",\"robots\":\"\\ud800\"}",
            "invalid-json",
            None,
        ),
        (
            "{\"url\":\"https://e.example/\",\"agent\":\"A\",\"robots\":\"\",\"acap\":{\"mode\":\"x\"}}",
            "invalid-acap",
            Some("/acap/mode"),
        ),
        (
            "{\"url\":\"https://e.example/\",\"agent\":\"A\",\"robots\":\"\",\"preferences\":{\"use\":\"x\"}}",
            "invalid-preferences",
            Some("/preferences/use"),
        ),
        (
            "{\"url\":\"https://e.example/\",\"agent\":\"A\",\"robots\":\"\",\"registry\":{\"rule\":[{\"name\":\"X\"}]}}",
            "invalid-registry",
            Some("/registry/rule/0/name"),
        ),
    ] {
        is_problem(
            &post(service.address, "/v1/decide", body),
            400,
            code,
            member,
        );
    }
    let nested = "[".repeat(100_000);
    let deep = format!("{{\"url\":\"https://e.example/\",\"agent\":\"A\",\"id\":{nested}");
    is_problem(
        &post(service.address, "/v1/decide", &deep),
        400,
        "invalid-json",
        None,
    );
    let many: Vec<_> = (0..2_000).map(|number| format!("A{number}")).collect();
    let many = json!({"url": "https://e.example/", "agent": many}).to_string();
    is_problem(
        &post(service.address, "/v1/decide", &many),
        400,
        "invalid-request",
        Some("/agent"),
    );
    assert_eq!(service.count("abide_problems_total", "\"invalid-acap\""), 1);
    assert!(service.count("abide_requests_total", "status=\"400\"") >= 20);
    // Bytes that are not UTF-8.
    let fields = [("Content-Type", "application/json")];
    let bytes = b"{\"url\":\"https://e.example/\xff\",\"agent\":\"A\"}";
    let answered = ask(service.address, "POST", "/v1/decide", &fields, bytes);
    is_problem(&answered, 400, "invalid-json", None);
}

/// What is wrong and what to do, where a general answer would not help.
#[test]
fn problems_say_what_fits() {
    let service = run(&config());
    let base = |member: &str, value: Value| {
        let mut request = json!({"url": "https://e.example/x", "agent": "A"});
        request[member] = value;
        request.to_string()
    };
    let path =
        r#"in "url": expected an absolute URL such as https://example.com/page, but found a path"#;
    let names = "sets are for explain and table";
    for (request, detail, remedy) in [
        (
            base("robots_base64", json!("%%%")),
            "in \"robots_base64\": no base64: '%' at byte 0",
            "in base64",
        ),
        (
            base("robots_base64", json!("YWé=")),
            "in \"robots_base64\": no base64: 'é' at byte 2",
            "in base64",
        ),
        (
            base("robots_base64", json!("YWI")),
            "no base64: 3 bytes are not groups of four, with = at the end",
            "in base64",
        ),
        (
            base("robots_status", json!(99)),
            "robots_status",
            "final status",
        ),
        (
            base("robots_error", json!("x")),
            "expected dns, ",
            "one of these names",
        ),
        (
            base("now", json!("yesterday")),
            "expected an instant such as 2026-11-20T12:00:00Z, but found \"yesterday\"",
            "/openapi.json",
        ),
        (base("url", json!("/cart/x")), path, "absolute URL"),
        (
            json!({"url": "/cart/x", "agent": "A", "robots": ""}).to_string(),
            path,
            "absolute URL",
        ),
        (
            base("agent", json!("@ai-training")),
            "not about a set",
            names,
        ),
        (
            json!({"url": "https://e.example/", "agent": "@search", "known_robots": true})
                .to_string(),
            "the set @search",
            names,
        ),
    ] {
        let answered = post(service.address, "/v1/decide", &request);
        assert_eq!(answered.status, 400, "{request}");
        let problem = answered.json();
        for (member, part) in [("detail", detail), ("remedy", remedy)] {
            let said = problem[member].as_str().unwrap();
            assert!(said.contains(part), "{request}: {said}");
        }
    }
    // A whole line is no mistake.
    let line = json!({
        "url": "https://e.example/",
        "agent": "Mozilla/5.0 (compatible; GPTBot/1.0)",
        "robots": "User-agent: GPTBot\nDisallow: /\n",
    });
    let decision = post(service.address, "/v1/decide", &line.to_string()).json();
    assert_eq!(decision["usages"]["crawl"]["outcome"], "prohibited");
    let robots = get(service.address, "/v1/robots?url=/x").json();
    assert_eq!(robots["detail"], path);
    let table = json!({"robots": "", "agents": "*", "urls": ["/"], "now": "soon"}).to_string();
    let table = post(service.address, "/v1/table", &table).json();
    let detail = table["detail"].as_str().unwrap();
    assert!(detail.contains("expected an instant"), "{detail}");
    let code = get(service.address, "/v1/lint?code=pattern-no-slahs");
    is_problem(&code, 404, "unknown-code", Some("code"));
    let detail = code.json()["detail"].as_str().unwrap().to_owned();
    assert!(
        detail.contains("did you mean pattern-no-slash?"),
        "{detail}"
    );
}

/// What every endpoint with a body of one JSON object refuses, and where it says that it is wrong.
#[test]
fn what_no_endpoint_reads() {
    let service = run(&config());
    let json = ("Content-Type", "application/json");
    let mut refused = 0;
    for (path, first, body) in [
        ("lint", "robots", r#""robots":"""#),
        ("fmt", "robots", r#""robots":"""#),
        ("explain", "robots", r#""robots":"","agents":"*""#),
        ("matrix", "robots", r#""robots":"""#),
        (
            "diff",
            "before",
            r#""before":{"robots":""},"after":{"robots":""}"#,
        ),
        ("test", "robots", r#""robots":"","cases":"""#),
        ("convert", "robots", r#""robots":"","to":"acap""#),
        ("table", "robots", r#""robots":"","agents":"*","urls":[]"#),
        (
            "decide",
            "robots",
            r#""robots":"","agent":"A","url":"https://e.example/""#,
        ),
    ] {
        let path = format!("/v1/{path}");
        let twice = format!("/{first}");
        for (text, code, member) in [
            ("[]".to_owned(), "invalid-request", None),
            (r#"["", null]"#.to_owned(), "invalid-request", None),
            ("null".to_owned(), "invalid-request", None),
            (
                format!("{{{body},{body}}}"),
                "invalid-request",
                Some(twice.as_str()),
            ),
            (
                format!("{{{body},\"zzz\":1}}"),
                "invalid-request",
                Some("/zzz"),
            ),
            (format!("\u{feff}{{{body}}}"), "invalid-json", None),
            (format!("{{{body}}} {{}}"), "invalid-json", None),
            (format!("{{{body}"), "invalid-json", None),
            (String::new(), "invalid-json", None),
        ] {
            let answered = ask(service.address, "POST", &path, &[json], text.as_bytes());
            is_problem(&answered, 400, code, member);
            let detail = answered.json()["detail"].as_str().unwrap().to_owned();
            assert!(!detail.contains("struct"), "{path}: {detail}");
            refused += 1;
        }
        let fields = [json, ("Content-Type", "text/plain")];
        let answered = ask(service.address, "POST", &path, &fields, b"{}");
        is_problem(
            &answered,
            415,
            "unsupported-media-type",
            Some("Content-Type"),
        );
        let queried = format!("{path}?robots=x");
        let answered = ask(service.address, "POST", &queried, &[json], b"{}");
        is_problem(&answered, 400, "invalid-query", Some("robots"));
        // Half of a character is no text, wherever it is read.
        let text = format!("{{{}}}", body.replacen("\"\"", "\"\\ud800\"", 1));
        let answered = ask(service.address, "POST", &path, &[json], text.as_bytes());
        assert_eq!(answered.json()["code"], "invalid-json", "{path}");
        refused += 3;
    }
    for (path, body, member) in [
        ("/v1/explain", r#"{"robots":""}"#, "/agents"),
        ("/v1/test", r#"{"robots":""}"#, "/cases"),
        ("/v1/diff", r#"{"before":{"robots":""}}"#, "/after"),
        ("/v1/decide", r#"{"url":"https://e.example/"}"#, "/agent"),
        (
            "/v1/diff",
            r#"{"before":{"robots":"","robots":""},"after":{}}"#,
            "/before/robots",
        ),
    ] {
        let answered = post(service.address, path, body);
        is_problem(&answered, 400, "invalid-request", Some(member));
        refused += 1;
    }
    assert_eq!(service.count("abide_problems_total", ""), refused);
}

/// Whether a value of this schema can be an object.
fn can_be_object(schema: &Value, document: &Value) -> bool {
    let target = schema["$ref"].as_str().and_then(|to| to.strip_prefix('#'));
    if let Some(target) = target {
        return can_be_object(document.pointer(target).unwrap(), document);
    }
    let is_named = schema["type"] == "object"
        || schema["type"]
            .as_array()
            .is_some_and(|types| types.contains(&json!("object")));
    let parts = ["oneOf", "anyOf", "allOf"].map(|name| schema[name].as_array());
    let mut parts = parts.into_iter().flatten().flatten();
    is_named || parts.any(|part| can_be_object(part, document))
}

/// Derived code reads an array as the members of an object in their order. No request says that.
#[test]
fn arrays_in_place_of_objects() {
    let service = run(&Config {
        turns: Some(true),
        ..config()
    });
    let document = get(service.address, "/openapi.json").json();
    let mut tried = Vec::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        let content = &methods["post"]["requestBody"]["content"]["application/json"];
        let Some(examples) = content["examples"].as_object() else {
            continue;
        };
        let mut schema = &content["schema"];
        while let Some(target) = schema["$ref"].as_str() {
            schema = document.pointer(target.strip_prefix('#').unwrap()).unwrap();
        }
        let example = examples.values().next().unwrap();
        for (name, member) in schema["properties"].as_object().unwrap() {
            // Any JSON value is an id.
            if name == "id" || !can_be_object(member, &document) {
                continue;
            }
            for length in [0, 1, 2, 3, 4, 5, 9] {
                let mut body = example["value"].clone();
                body[name] = json!(vec![Value::Null; length]);
                let answered = post(service.address, path, &body.to_string());
                let code = answered.json()["code"].as_str().unwrap().to_owned();
                let codes = ["invalid-request", "invalid-preferences"];
                assert!(codes.contains(&code.as_str()), "{path} {body}: {code}");
                is_problem(&answered, 400, &code, Some(&format!("/{name}")));
            }
            tried.push(format!("{path} {name}"));
        }
    }
    for needed in [
        "/v1/decide acap",
        "/v1/diff before",
        "/v1/diff after",
        "/v1/explain preferences",
        "/v1/table acap",
        "/v1/test preferences",
    ] {
        assert!(tried.iter().any(|tried| tried == needed), "{tried:?}");
    }
}

/// Also below members that hold several objects, in requests and in lines of a batch.
#[test]
fn arrays_in_place_of_deeper_objects() {
    let service = run(&config());
    for (member, value, place) in [
        ("applications", json!([["a", []]]), "/applications/0"),
        ("references", json!({"a": [404, null]}), "/references/a"),
        ("preferences", json!([]), "/preferences"),
        (
            "preferences",
            json!({"tdmrep": [404, null]}),
            "/preferences/tdmrep",
        ),
        (
            "preferences",
            json!({"rsl": {"https://e.example/": [404, null]}}),
            "/preferences/rsl/https:~1~1e.example~1",
        ),
        (
            "preferences",
            json!({"control_tokens": [["A", ["train"]]]}),
            "/preferences/control_tokens/0",
        ),
    ] {
        let code = if member == "preferences" {
            "invalid-preferences"
        } else {
            "invalid-request"
        };
        let mut body = json!({"url": "https://e.example/", "agent": "A", "robots": ""});
        body[member] = value;
        let answered = post(service.address, "/v1/decide", &body.to_string());
        is_problem(&answered, 400, code, Some(place));
        let fields = [("Content-Type", "application/x-ndjson")];
        let line = format!("{body}\n");
        let batch = ask(
            service.address,
            "POST",
            "/v1/batch",
            &fields,
            line.as_bytes(),
        );
        assert_eq!(batch.status, 200);
        assert_eq!(batch.json()["error"]["code"], code, "{}", batch.text());
    }
}

#[test]
fn parameters() {
    let service = run(&config());
    let one_url = "url=https://e.example/";
    let many = format!("{one_url}{}", "&agent=A".repeat(1_001));
    for (query, code, member) in [
        ("", "invalid-query", Some("url")),
        (one_url, "invalid-query", Some("agent")),
        (
            "url=https://e.example/&url=https://e.example/&agent=A",
            "invalid-query",
            Some("url"),
        ),
        (
            "url=https://e.example/&agent=A&agents=B",
            "invalid-query",
            Some("agents"),
        ),
        (
            "url=https://e.example/&agent=A&profile=x",
            "invalid-query",
            Some("profile"),
        ),
        (
            "url=https://e.example/&agent=A&known_robots=1",
            "invalid-query",
            Some("known_robots"),
        ),
        (
            "url=https://e.example/%FF&agent=A",
            "invalid-query",
            Some("url"),
        ),
        ("url=%2Fx&agent=A", "invalid-url", Some("url")),
        ("url=&agent=A", "invalid-url", Some("url")),
        ("url=mailto:x&agent=A", "invalid-url", Some("url")),
        (
            "url=https://e.example/&agent=a%20b",
            "invalid-agent",
            Some("agent"),
        ),
        (&many, "invalid-query", None),
    ] {
        is_problem(
            &get(service.address, &format!("/v1/decide?{query}")),
            400,
            code,
            member,
        );
    }
    for path in [
        "/v1/known-robots?kind=search&kind=seo",
        "/v1/robots?url=https://e.example/&url=https://e.example/",
        "/v1/history?url=https://e.example/&sha256=a&sha256=b",
    ] {
        let member = path.rsplit(['&', '=']).nth(1).unwrap();
        is_problem(
            &get(service.address, path),
            400,
            "invalid-query",
            Some(member),
        );
    }
    for path in ["/v1/robots", "/v1/history"] {
        is_problem(
            &get(service.address, path),
            400,
            "invalid-query",
            Some("url"),
        );
        let wrong = get(service.address, &format!("{path}?url=x"));
        is_problem(&wrong, 400, "invalid-url", Some("url"));
        let unknown = get(
            service.address,
            &format!("{path}?url=https://e.example/&x=1"),
        );
        is_problem(&unknown, 400, "invalid-query", Some("x"));
    }
    let query = ask(
        service.address,
        "POST",
        "/v1/batch?x=1",
        &[("Content-Type", "application/jsonl")],
        b"",
    );
    is_problem(&query, 400, "invalid-query", Some("x"));
}

/// A3 among others: a compressed body is refused.
#[test]
fn media_types_paths_and_methods() {
    let service = run(&config());
    for path in ["/v1/decide", "/v1/batch"] {
        let none = ask(service.address, "POST", path, &[], b"{}");
        is_problem(&none, 415, "unsupported-media-type", Some("Content-Type"));
        let wrong = ask(
            service.address,
            "POST",
            path,
            &[("Content-Type", "text/plain")],
            b"{}",
        );
        is_problem(&wrong, 415, "unsupported-media-type", Some("Content-Type"));
        let packed = [
            ("Content-Type", "application/json"),
            ("Content-Encoding", "gzip"),
        ];
        let packed = ask(service.address, "POST", path, &packed, b"{}");
        is_problem(
            &packed,
            415,
            "unsupported-media-type",
            Some("Content-Encoding"),
        );
        let method = ask(service.address, "DELETE", path, &[], b"");
        is_problem(&method, 405, "method-not-allowed", None);
        assert!(method.field("allow").unwrap().contains("POST"));
    }
    let charset = [("Content-Type", "application/json; charset=utf-8")];
    let fine = ask(
        service.address,
        "POST",
        "/v1/decide",
        &charset,
        br#"{"url":"https://e.example/","agent":"A","robots":""}"#,
    );
    assert_eq!(fine.status, 200);
    for path in ["/v2", "/v1/decide/", "/v1/../v1/decide", "//", "/%00"] {
        is_problem(&get(service.address, path), 404, "not-found", None);
    }
    assert_eq!(
        service.count("abide_problems_total", "unsupported-media-type"),
        6
    );
}

/// A2: heads and bodies above their limits.
#[test]
fn names_that_are_too_long() {
    let service = run(&config());
    let long = "A".repeat(257);
    let request = |member: &str, value: Value| {
        let mut request = json!({"url": "https://e.example/", "agent": "A", "robots": ""});
        request[member] = value;
        request
    };
    let mut lines = String::new();
    for (member, value, code, place) in [
        ("agent", json!(long), "invalid-agent", "/agent"),
        ("agent", json!(["A", long]), "invalid-agent", "/agent/1"),
        ("purposes", json!([long]), "invalid-purpose", "/purposes/0"),
        (
            "applications",
            json!([long]),
            "invalid-application",
            "/applications/0",
        ),
        (
            "acap",
            json!({"names": [long]}),
            "invalid-acap",
            "/acap/names/0",
        ),
        (
            "preferences",
            json!({"control_tokens": [{"token": long, "usages": []}]}),
            "invalid-preferences",
            "/preferences/control_tokens/0/token",
        ),
        ("id", json!("A".repeat(5_000)), "invalid-request", "/id"),
    ] {
        let body = request(member, value).to_string();
        let answered = post(service.address, "/v1/decide", &body);
        is_problem(&answered, 400, code, Some(place));
        assert!(answered.body.len() < 1_000);
        lines.push_str(&body);
        lines.push('\n');
        // Also if the file of the site is wanted, before it is fetched.
        if member != "id" {
            let body = body.replace(",\"robots\":\"\"", "");
            let answered = post(service.address, "/v1/decide", &body);
            is_problem(&answered, 400, code, Some(place));
        }
    }
    let fields = [("Content-Type", "application/jsonl")];
    let answered = ask(
        service.address,
        "POST",
        "/v1/batch",
        &fields,
        lines.as_bytes(),
    );
    for line in answered.lines() {
        assert!(
            line["error"]["code"]
                .as_str()
                .unwrap()
                .starts_with("invalid-"),
            "{line}"
        );
    }
    let path = format!("/v1/decide?url=https://e.example/&agent={long}");
    is_problem(
        &get(service.address, &path),
        400,
        "invalid-agent",
        Some("agent"),
    );
    for (tool, member, place) in [
        ("table", "agents", "/agents/1"),
        ("explain", "agents", "/agents/1"),
        ("matrix", "agents", "/agents/1"),
        ("lint", "purposes", "/purposes/1"),
        ("matrix", "purposes", "/purposes/1"),
    ] {
        let mut body = json!({"robots": "", member: ["A", long]});
        if tool == "table" {
            body["urls"] = json!(["/"]);
        }
        let answered = post(service.address, &format!("/v1/{tool}"), &body.to_string());
        let code = answered.json()["code"].as_str().unwrap().to_owned();
        is_problem(&answered, 400, &code, Some(place));
        assert!(code.starts_with("invalid-"), "{code}");
    }
    for id in [
        "1e999".to_owned(),
        format!("{}{}", "[".repeat(100_000), "]".repeat(100_000)),
    ] {
        let body = format!(
            "{{\"id\":{id},\"url\":\"https://e.example/\",\"agent\":\"A\",\"robots\":\"\"}}"
        );
        let answered = post(service.address, "/v1/decide", &body);
        is_problem(&answered, 400, "invalid-request", Some("/id"));
    }
}

#[test]
fn sizes() {
    let limits = Config {
        max_body: Some(2_000),
        max_head: Some(8_192),
        ..config()
    };
    let service = run(&limits);
    let long = "#".repeat(3_000);
    let body = json!({"url": "https://e.example/", "agent": "A", "robots": long});
    let body = body.to_string();
    is_problem(
        &post(service.address, "/v1/decide", &body),
        413,
        "body-too-large",
        None,
    );
    // Without a length in front.
    let chunked = format!(
        "POST /v1/decide HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n{:x}\r\n{body}\r\n0\r\n\r\n",
        body.len()
    );
    let chunked = send(service.address, chunked.as_bytes()).unwrap();
    is_problem(&chunked, 413, "body-too-large", None);
    // A head is refused before it is a request.
    let head = format!(
        "GET /healthz HTTP/1.1\r\nHost: x\r\nX: {}\r\n\r\n",
        "a".repeat(20_000)
    );
    assert_eq!(send(service.address, head.as_bytes()).unwrap().status, 431);
    let path = format!("/v1/decide?url={}", "a".repeat(6_000));
    is_problem(
        &get(service.address, &path),
        400,
        "invalid-query",
        Some("agent"),
    );
    assert_eq!(service.count("abide_problems_total", "head-too-large"), 1);
    assert_eq!(service.count("abide_problems_total", "body-too-large"), 2);
}

/// A7: two lengths are none.
#[test]
fn what_is_no_http_is_counted() {
    let service = run(&config());
    for wrong in [
        &b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"[..],
        b"GET / HTTP/9\r\n\r\n",
        b"G\x00T / HTTP/1.1\r\n\r\n",
    ] {
        if let Some(answered) = send(service.address, wrong) {
            assert_eq!(answered.status, 400);
        }
    }
    // Two lengths.
    let smuggled = b"POST /v1/decide HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd";
    assert_eq!(send(service.address, smuggled).unwrap().status, 400);
    assert!(service.count("abide_problems_total", "invalid-http") >= 3);
    assert_eq!(get(service.address, "/healthz").status, 200);
}

/// A1 and A6: a body, and a request as a whole, have their time.
#[test]
fn heads_that_can_be_read_in_two_ways() {
    let service = run(&config());
    let get = |fields: &str| format!("GET /healthz HTTP/1.1\r\n{fields}Connection: close\r\n\r\n");
    let post = |fields: &str| {
        format!(
            "POST /v1/decide HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n{fields}\r\n0\r\n\r\n"
        )
    };
    let requests = [
        (get(""), "Host"),
        (get("Host: x\r\nHost: x\r\n"), "Host"),
        (get("Host: x y\r\n"), "Host"),
        (get("Host: x/y\r\n"), "Host"),
        (get("Host: user@x\r\n"), "Host"),
        (
            "GET /healthz HTTP/1.0\r\nHost: x\r\nHost: y\r\n\r\n".to_owned(),
            "Host",
        ),
        (
            post("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n"),
            "Transfer-Encoding",
        ),
        (
            post("Transfer-Encoding: chunked, chunked\r\n"),
            "Transfer-Encoding",
        ),
        (
            post("Transfer-Encoding: gzip, chunked\r\n"),
            "Transfer-Encoding",
        ),
    ];
    let number = requests.len() as u64;
    for (request, member) in requests {
        // The connection ends with the answer.
        let answered = send(service.address, request.as_bytes()).unwrap();
        is_problem(&answered, 400, "invalid-http", Some(member));
        assert_eq!(answered.field("connection"), Some("close"));
    }
    assert_eq!(
        service.count("abide_problems_total", "invalid-http"),
        number
    );
    // Both lengths.
    let both = post("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n");
    assert_eq!(send(service.address, both.as_bytes()).unwrap().status, 400);
    for good in [
        get("Host: x\r\n"),
        get("Host:\r\n"),
        get("Host: [::1]:8080\r\n"),
        "GET /healthz HTTP/1.0\r\n\r\n".to_owned(),
    ] {
        let answered = send(service.address, good.as_bytes()).unwrap();
        assert_eq!(answered.status, 200, "{good}");
    }
}

#[test]
fn bodies_that_are_slow_or_end_early() {
    let limits = Config {
        body_timeout: Some(1),
        request_timeout: Some(3),
        ..config()
    };
    let service = run(&limits);
    let head = "POST /v1/decide HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{";
    let mut stream = connect(service.address);
    stream.write_all(head.as_bytes()).unwrap();
    let mut read = Vec::new();
    let _ = stream.read_to_end(&mut read);
    let slow = crate::client::answered(&read).unwrap();
    is_problem(&slow, 408, "body-too-slow", None);
    // A body that drips is bounded by the time of the whole request. The service then drops what
    // still comes for two seconds, and a client notices the end with one of its next bytes.
    let mut stream = connect(service.address);
    stream.write_all(head.as_bytes()).unwrap();
    let start = std::time::Instant::now();
    while start.elapsed() < std::time::Duration::from_secs(8) {
        if stream.write_all(b" ").is_err() {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    assert!(
        start.elapsed() < std::time::Duration::from_secs(6),
        "{:?}",
        start.elapsed()
    );
    // The client closes its side in the middle.
    let mut stream = connect(service.address);
    stream.write_all(head.as_bytes()).unwrap();
    stream.shutdown(std::net::Shutdown::Write).unwrap();
    let mut read = Vec::new();
    let _ = stream.read_to_end(&mut read);
    if let Some(answered) = crate::client::answered(&read) {
        is_problem(&answered, 400, "incomplete-body", None);
    }
    assert!(service.count("abide_problems_total", "timeout") >= 1);
}
