//! Writes the vectors and the small hostile files as seeds of every target.

use abide_testkit::{hostile, vectors};
use std::fs;
use std::io::Write;
use std::path::Path;

const TARGETS: [&str; 12] = [
    "parse",
    "match",
    "decide",
    "acap",
    "tags",
    "page",
    "answer",
    "tdmrep",
    "rsl",
    "content_usage",
    "content_signal",
    "survey",
];

fn main() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    for target in TARGETS {
        fs::create_dir_all(corpus.join(target)).expect("a folder for seeds");
    }
    let write = |target: &str, name: &str, bytes: &[u8]| {
        fs::write(corpus.join(target).join(name), bytes).expect("a seed is written");
    };
    for (file, vectors) in vectors::load() {
        for vector in &vectors.decision {
            let Some(robots) = vector.bytes().filter(|bytes| bytes.len() < 4_096) else {
                continue;
            };
            let name = format!("{file}-{}", vector.name);
            let path = vector.url.trim_start_matches("https://e.example/");
            write("parse", &name, &robots);
            write(
                "decide",
                &name,
                &[&robots[..], b"\0", path.as_bytes()].concat(),
            );
            let rules = String::from_utf8_lossy(&robots).into_owned();
            for (at, rule) in rules
                .lines()
                .filter_map(|line| line.split_once(':'))
                .enumerate()
            {
                let pair = [rule.1.trim().as_bytes(), b"\0/", path.as_bytes()].concat();
                write("match", &format!("{name}-{at}"), &pair);
            }
        }
    }
    for (file, vectors) in vectors::load() {
        for vector in &vectors.tags {
            let name = format!("{file}-{}", vector.name);
            for (at, (_, value)) in vector.field_lines().iter().enumerate() {
                write("tags", &format!("{name}-{at}"), value.as_bytes());
            }
            if let Some(page) = &vector.html {
                write("page", &name, page.as_bytes());
            }
        }
        for vector in &vectors.composed {
            let Some(robots) = vector.bytes().filter(|bytes| bytes.len() < 4_096) else {
                continue;
            };
            let path = vector.url.trim_start_matches("https://e.example/");
            let name = format!("{file}-{}", vector.name);
            write(
                "acap",
                &name,
                &[&robots[..], b"\0", path.as_bytes()].concat(),
            );
        }
        for vector in &vectors.applications {
            write(
                "parse",
                &format!("{file}-{}", vector.name),
                vector.robots.as_bytes(),
            );
        }
    }
    for (number, bytes) in (0..).zip(inputs()) {
        let kind = number as u8;
        write(
            "survey",
            &format!("input-{number}"),
            &[&[kind][..], &bytes].concat(),
        );
    }
    let request = br#"{"id":1,"url":"https://e.example/x","agent":["f"],"robots":"User-agent: *","headers":[["Robots-Tag","*;noindex"]]}"#;
    write("answer", "request", request);
    let file = br#"[{"location":"/","tdm-reservation":1,"tdm-policy":"https://p.example/"},7]"#;
    write("tdmrep", "file", file);
    let licence = br#"<rsl xmlns="https://rslstandard.org/rsl" max-age="7"><content url="/" server="https://s.example/"><license><permits type="usage">search,ai-input</permits><prohibits type="user">x</prohibits><payment type="crawl"/><reporting type="audit"/></license></content></rsl>"#;
    write("rsl", "document", licence);
    write(
        "page",
        "licence",
        &[
            b"<script type=application/rsl+xml>",
            &licence[..],
            b"</script>",
        ]
        .concat(),
    );
    write(
        "content_usage",
        "value",
        b"/a/* train-ai=n, ai-use=y;exp=1, search=n",
    );
    write(
        "content_signal",
        "value",
        b"search=yes, ai-input=no; ai-train=no, use=reference",
    );
    for (at, file) in hostile::bytes().chain(hostile::all()).enumerate() {
        if file.robots.len() < 4_096 {
            write("parse", &format!("{}-{at}", file.id), &file.robots);
        }
    }
}

/// An archive, lines, and the same compressed, in the order of the names in the target `survey`.
fn inputs() -> [Vec<u8>; 4] {
    let records = [
        (
            "response",
            "HTTP/1.1 200 OK\r\n\r\nUser-agent: *\nDisallow: /\n",
        ),
        (
            "response",
            "HTTP/1.1 301 Moved\r\nLocation: /robots.txt?x\r\n\r\n",
        ),
        (
            "response",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n",
        ),
        ("revisit", "HTTP/1.1 304 Not Modified\r\n\r\n"),
        ("request", "GET /robots.txt HTTP/1.1\r\n\r\n"),
    ];
    let records = records.map(|(kind, content)| {
        format!(
            "WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: https://e.example/robots.txt\r\nWARC-Date: 2026-01-02T03:04:05Z\r\nContent-Length: {}\r\n\r\n{content}\r\n\r\n",
            content.len()
        )
    });
    let line = r#"{"url":"https://e.example/robots.txt","status":200,"headers":{"Location":"/x"},"body":"User-agent: *","date":"2026-01-02T03:04:05Z"}"#;
    let gzip = |text: &str| {
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        packed.write_all(text.as_bytes()).expect("memory takes all");
        packed.finish().expect("memory takes all")
    };
    [
        records.concat().into_bytes(),
        records.iter().flat_map(|record| gzip(record)).collect(),
        line.as_bytes().to_vec(),
        gzip(line),
    ]
}
