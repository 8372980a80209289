//! `abide batch`: order, streaming, errors.

use crate::abide;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

fn answers(stdout: &str) -> Vec<Value> {
    stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn answers_come_in_order_whatever_their_size() {
    let input: String = (0..4_000)
        .map(|id| {
            let rules = "Disallow: /x\n".repeat(if id % 97 == 0 { 2_000 } else { id % 5 });
            let robots = format!("User-agent: *\n{rules}");
            format!(
                "{}\n",
                json!({"id": id, "url": "https://e.example/x", "agent": "f", "robots": robots})
            )
        })
        .collect();
    for jobs in ["1", "2", "7"] {
        let ran = abide(&["batch", "--jobs", jobs], input.as_bytes());
        assert_eq!(ran.status, 0, "{}", ran.stderr);
        let ids: Vec<_> = answers(&ran.stdout)
            .iter()
            .map(|answer| answer["id"].as_u64().unwrap())
            .collect();
        assert_eq!(ids, (0..4_000).collect::<Vec<_>>());
    }
}

#[test]
fn a_request_is_answered_before_the_next_one_is_there() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_abide"))
        .arg("batch")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut requests = child.stdin.take().unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap());
    for id in 0..5 {
        let request = json!({"id": id, "url": "https://e.example/", "agent": "f", "robots": ""});
        writeln!(requests, "{request}").unwrap();
        let mut line = String::new();
        answers.read_line(&mut line).unwrap();
        assert_eq!(serde_json::from_str::<Value>(&line).unwrap()["id"], id);
    }
    drop(requests);
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_broken_line_is_answered_and_the_run_goes_on() {
    let input = concat!(
        r#"{"id":1,"url":"https://e.example/","agent":"f","robots":""}"#,
        "\n",
        "{\"id\":2,\n",
        "\n",
        r#"{"id":3,"url":"/x","agent":"f"}"#,
        "\n",
        r#"{"id":4,"url":"https://e.example/","agent":"f b"}"#,
        "\n",
        r#"{"id":5,"url":"https://e.example/","agent":[]}"#,
        "\n",
        r#"{"id":6,"url":"https://e.example/","agent":"f","purposes":["*"]}"#,
        "\n",
        r#"{"id":7,"url":"https://e.example/","agent":"f","robots":"","robots_base64":""}"#,
        "\n",
        r#"{"id":8,"url":"https://e.example/","agent":"f","robots_base64":"?"}"#,
        "\n",
        r#"{"id":9,"url":"https://e.example/","agent":"f","robots_error":"nothing"}"#,
        "\n",
        r#"{"id":10,"url":"https://e.example/","agent":"f","acap":{"mode":"some"}}"#,
        "\n",
        r#"{"id":11,"url":"https://e.example/","agent":"f","acap":{"unsupported":["some"]}}"#,
        "\n",
        r#"{"id":12,"url":"https://e.example/","agent":"f","robts":""}"#,
        "\n",
        r#"{"id":{"a":[1.50]},"url":"https://e.example/","agent":"f","robots":""}"#,
    );
    let ran = abide(&["batch"], input.as_bytes());
    insta::assert_snapshot!(crate::many::without_rate(&ran.stderr));
    assert_eq!(ran.status, 2);
    let answered = answers(&ran.stdout);
    let codes: Vec<_> = answered
        .iter()
        .map(|answer| {
            answer["error"]["code"]
                .as_str()
                .unwrap_or("answered")
                .to_owned()
        })
        .collect();
    assert_eq!(
        codes,
        [
            "answered",
            "invalid-json",
            "invalid-url",
            "invalid-agent",
            "invalid-agent",
            "invalid-purpose",
            "invalid-robots",
            "invalid-robots",
            "invalid-robots",
            "invalid-acap",
            "invalid-acap",
            "invalid-request",
            "answered",
        ]
    );
    assert_eq!(
        answered[2]["id"], 3,
        "an error carries the id of its request"
    );
    assert!(ran.stdout.ends_with('\n'));
    assert!(
        ran.stdout.contains(r#""id":{"a":[1.50]}"#),
        "an id is echoed as written"
    );
}

/// Which options are missing, and never a line number of the request itself.
#[test]
fn bare_urls_without_a_robots_txt_say_what_is_missing() {
    let input = b"\nhttps://e.example/x\n/y\nno URL\n{\"url\":1}\n{\"url\":\n";
    let ran = abide(&["batch"], input);
    assert_eq!(ran.status, 2);
    let hint = "expected a JSON request, but found a URL; for bare URLs give --robots and --agent";
    let told: Vec<&str> = ran.stderr.lines().take(5).collect();
    assert_eq!(
        told,
        [
            format!("warning: line 2: {hint}"),
            format!("warning: line 3: {hint}"),
            "warning: line 4: not valid JSON: expected ident at column 2".to_owned(),
            "warning: line 5: invalid request: in \"url\": expected a string, but found the number 1"
                .to_owned(),
            "warning: line 6: not valid JSON: it ends where a value is expected".to_owned(),
        ]
    );
    let answered = answers(&ran.stdout);
    assert_eq!(answered[0]["error"]["code"], "invalid-json");
    assert_eq!(answered[0]["error"]["input_line"], 2);
}

#[test]
fn what_is_not_known_is_asked_for() {
    let ran = abide(
        &["batch"],
        br#"{"url":"https://E.example:8443/x","agent":"f"}"#,
    );
    let answer = &answers(&ran.stdout)[0];
    assert_eq!(answer["usages"]["crawl"]["outcome"], "unknown");
    assert_eq!(
        answer["needs"],
        json!(["https://e.example:8443/robots.txt"])
    );
}

/// Requests for features that do not exist yet are answered as far as the engine supports them.
#[test]
fn every_field_of_the_contract_is_taken() {
    let request = json!({
        "id": null, "url": "https://e.example/", "agent": ["f", "g"], "purposes": ["TRAIN"],
        "applications": ["examplesearch", {"id": "other", "product_tokens": ["x"]}],
        "acap": {"names": ["f"], "purposes": ["news"], "prior_arrangement": true, "unsupported": ["max-length"], "mode": "restrict"},
        "robots": "User-agent: *\nAllow: /\n", "robots_status": 200,
        "references": {"/a.txt": "ACAP-crawler: *", "/b.txt": {"status": 404}, "/c.txt": {"error": "dns"}},
        "headers": [["Robots-Tag", "*;noindex"]], "html": "<p>", "rendered_html": "<p>",
        "now": "2026-11-20T00:00:00Z", "first_indexed": "2026-11-19T00:00:00Z", "first_copied": "2026-11-19T00:00:00+01:00",
        "version": "old", "nonstandard_token": false, "profile": "careful",
    });
    let ran = abide(&["batch"], request.to_string().as_bytes());
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    let answer = &answers(&ran.stdout)[0];
    assert_eq!(answer["usages"]["crawl"]["outcome"], "permitted");
    assert_eq!(answer["usages"]["index"]["outcome"], "prohibited");
}

#[test]
fn a_line_that_is_too_long_is_skipped_without_being_kept() {
    let mut input = br#"{"id":1,"url":"https://e.example/","agent":"f","robots":""}"#.to_vec();
    input.push(b'\n');
    input.extend(std::iter::repeat_n(b'x', 40 << 20));
    input.push(b'\n');
    input.extend_from_slice(br#"{"id":3,"url":"https://e.example/","agent":"f","robots":""}"#);
    let ran = abide(&["batch"], &input);
    let codes: Vec<_> = answers(&ran.stdout)
        .iter()
        .map(|a| a["error"]["code"].as_str().map(String::from))
        .collect();
    assert_eq!(codes, [None, Some("line-too-long".to_owned()), None]);
    assert_eq!(ran.status, 2);
}
