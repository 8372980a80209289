//! `/v1/batch`.

use crate::client::{answered, ask, connect};
use crate::{config, run, site};
use abide_serve::Config;
use abide_testkit::fault::{ByteServer, Script, Step};
use serde_json::json;
use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::SocketAddr;

fn batch(address: SocketAddr, path: &str, lines: &str) -> crate::client::Answered {
    let fields = [("Content-Type", "application/x-ndjson")];
    ask(address, "POST", path, &fields, lines.as_bytes())
}

fn answers_of_the_contract(lines: &str) -> String {
    let mut out = Vec::new();
    for (number, line) in (1..).zip(lines.lines()) {
        if line.trim().is_empty() {
            continue;
        }
        let options = abide_contract::AnswerOptions {
            input_line: Some(number),
            ..Default::default()
        };
        abide_contract::write_answer(&mut out, line.as_bytes(), options).unwrap();
        out.push(b'\n');
    }
    String::from_utf8(out).unwrap()
}

#[test]
fn the_answers_are_those_of_the_contract_in_order() {
    let service = run(&config());
    let mut lines = String::new();
    for number in 0..3_000 {
        match number % 7 {
            3 => lines.push_str("{\"id\": 7, \"url\": 3}\n"),
            4 => lines.push_str("no JSON\n"),
            5 => lines.push_str(" \t\n"),
            _ => {
                let robots = "User-agent: *\nDisallow: /1\n";
                let request = json!({"id": number, "url": format!("https://e.example/{number}"), "agent": "A", "robots": robots, "now": "2026-01-01T00:00:00Z"});
                let _ = writeln!(lines, "{request}");
            }
        }
    }
    // The last line has no end.
    lines.push_str("{}");
    let answered = batch(service.address, "/v1/batch", &lines);
    assert_eq!(answered.status, 200);
    assert_eq!(answered.field("content-type"), Some("application/x-ndjson"));
    assert_eq!(answered.text(), answers_of_the_contract(&lines));
    assert!(service.count("abide_batch_errors_total", "") > 800);
    assert!(service.count("abide_problems_total", "invalid-json") > 400);
}

#[test]
fn sites_are_fetched_once_and_several_at_once() {
    // Ten sites, which together need six seconds, one after the other.
    let slow = |_: usize| {
        let answer = "HTTP/1.1 200 OK\r\nContent-Length: 26\r\n\r\nUser-agent: *\nDisallow: /x";
        ByteServer::new(Script::always([
            Step::Sleep(std::time::Duration::from_millis(600)),
            Step::send(answer),
            Step::Fin,
        ]))
    };
    let mut sites: Vec<_> = (0..10).map(slow).collect();
    sites.push(site("User-agent: *\nDisallow: /x\n"));
    let service = run(&config());
    let mut lines = String::new();
    for round in 0..3 {
        for site in &sites {
            let path = if round == 1 { "/y" } else { "/x" };
            let _ = writeln!(lines, "{}", json!({"url": site.url(path), "agent": "A"}));
        }
    }
    let start = std::time::Instant::now();
    let answered = batch(service.address, "/v1/batch?slim=true", &lines);
    assert!(
        start.elapsed() < std::time::Duration::from_secs(6),
        "{:?}",
        start.elapsed()
    );
    let lines = answered.lines();
    assert_eq!(lines.len(), 33);
    for (at, line) in lines.iter().enumerate() {
        let expected = if at / 11 == 1 {
            "permitted"
        } else {
            "prohibited"
        };
        assert_eq!(line["usages"]["crawl"]["outcome"], expected, "{line}");
        assert_eq!(line["usages"].as_object().unwrap().len(), 1);
    }
    for site in &sites {
        assert_eq!(site.requests().len(), 1);
    }
}

#[test]
fn an_answer_comes_before_the_next_line_is_sent() {
    let service = run(&config());
    let mut stream = connect(service.address);
    let head = "POST /v1/batch HTTP/1.1\r\nHost: x\r\nContent-Type: application/jsonl\r\nTransfer-Encoding: chunked\r\n\r\n";
    stream.write_all(head.as_bytes()).unwrap();
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut first = true;
    for number in 0..5 {
        let line = json!({"id": number, "url": "https://e.example/", "agent": "A", "robots": ""});
        let line = format!("{line}\n");
        stream
            .write_all(format!("{:x}\r\n{line}\r\n", line.len()).as_bytes())
            .unwrap();
        // Reads until the answer to this line.
        loop {
            let mut text = String::new();
            assert!(reader.read_line(&mut text).unwrap() > 0);
            if text.starts_with(&format!("{{\"schema\":1,\"id\":{number},")) {
                break;
            }
            assert!(first || !text.contains("HTTP/1.1"));
        }
        first = false;
    }
    stream.write_all(b"0\r\n\r\n").unwrap();
}

#[test]
fn limits_of_lines() {
    let limits = Config {
        max_line: Some(1_024),
        max_lines: Some(3),
        ..config()
    };
    let service = run(&limits);
    let good = json!({"url": "https://e.example/", "agent": "A", "robots": ""}).to_string();
    let long = json!({"url": "https://e.example/", "agent": "A", "robots": "#".repeat(5_000)});
    let lines = format!("{good}\n{long}\n{good}\n{good}\n{good}\n");
    let lines = batch(service.address, "/v1/batch", &lines).lines();
    assert_eq!(lines.len(), 4);
    assert_eq!(lines[1]["error"]["code"], "line-too-long");
    assert_eq!(lines[1]["error"]["input_line"], 2);
    assert_eq!(lines[3]["error"]["code"], "too-many-lines");
    assert_eq!(lines[3]["error"]["input_line"], 4);
    // A long line at the end of the body.
    let lines = batch(service.address, "/v1/batch", &format!("{good}\n{long}")).lines();
    assert_eq!(lines[1]["error"]["code"], "line-too-long");
    assert_eq!(lines.len(), 2);
}

#[test]
fn a_body_that_stops_gets_its_answers_and_an_error_line() {
    let limits = Config {
        body_timeout: Some(1),
        ..config()
    };
    let service = run(&limits);
    let mut stream = connect(service.address);
    let good = json!({"url": "https://e.example/", "agent": "A", "robots": ""}).to_string();
    let request = format!(
        "POST /v1/batch HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/jsonl\r\nContent-Length: 100000\r\n\r\n{good}\n{good}\n{{\"url"
    );
    stream.write_all(request.as_bytes()).unwrap();
    let mut read = Vec::new();
    let _ = stream.read_to_end(&mut read);
    let lines = answered(&read).unwrap().lines();
    assert_eq!(lines.len(), 3);
    assert_eq!(lines[2]["error"]["code"], "body-too-slow");
    assert_eq!(lines[2]["error"]["input_line"], 3);
}

#[test]
fn the_service_reads_no_faster_than_the_client() {
    let service = run(&config());
    let mut stream = connect(service.address);
    stream
        .set_write_timeout(Some(std::time::Duration::from_secs(1)))
        .unwrap();
    let head = "POST /v1/batch HTTP/1.1\r\nHost: x\r\nContent-Type: application/jsonl\r\nContent-Length: 1000000000\r\n\r\n";
    stream.write_all(head.as_bytes()).unwrap();
    let line = json!({"url": "https://e.example/", "agent": "A", "robots": ""}).to_string() + "\n";
    let lines = line.repeat(1_000);
    // Without reading, only so much fits into buffers.
    let mut sent = 0;
    while sent < 200 << 20 {
        match stream.write(lines.as_bytes()) {
            Ok(written) => sent += written,
            Err(_) => break,
        }
    }
    assert!(sent < 50 << 20, "{sent} bytes were taken");
}
