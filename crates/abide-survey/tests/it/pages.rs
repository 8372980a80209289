//! What surveys say about pages: what `abide check --page` decides, and nothing that is not there.

use crate::Trial;
use crate::archive::{compressed, member, record, response};
use abide::tag::FieldLine;
use abide::{Client, Outcome, Policy, ProductToken, Target, Usage};
use abide_analysis::preferences;
use abide_known_robots::Robot;
use abide_survey::schema::Table;
use abide_survey::{Format, WhatIf};
use abide_testkit::preference_files::Dice;
use parquet::file::reader::FileReader as _;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

const HTML: &str = "Content-Type: text/html; charset=utf-8";

/// A survey of pages in an archive.
fn survey(records: &[Vec<u8>]) -> Trial {
    let mut trial = Trial::new().with("pages.warc.gz", &compressed(records));
    trial.survey.options.robots = Robot::list("*,GPTBot,ExampleBot").unwrap();
    trial.survey.options.tables.extend(Table::OF_PAGES);
    trial
}

fn page(number: usize, head: &str, body: &[u8]) -> Vec<u8> {
    let head = format!("200 OK\r\n{HTML}{head}");
    response(&format!("https://s.example/{number}"), &head, body)
}

/// The cells of some columns, row by row.
fn cells(rows: &[Value], columns: &[&str]) -> Vec<Value> {
    let row = |row: &Value| columns.iter().map(|column| row[*column].clone()).collect();
    rows.iter().map(row).collect()
}

/// A survey of one page with statements of each kind.
fn survey_of_one() -> Trial {
    let html = b"<title>x</title><meta name=robots content='noindex, noai'>\
        <meta name=viewport content=none><meta name=tdm-reservation content=1>\
        <link rel=license type=application/rsl+xml href=https://s.example/l.xml>";
    let head = "\r\nX-Robots-Tag: GPTBot: nosnippet\r\nRobots-Tag: ExampleBot;max-snippet=5\r\n\
        Content-Usage: train-ai=n, new\r\ntdm-policy: https://s.example/p";
    survey(&[page(0, head, html)])
}

#[test]
fn a_page_has_a_row_in_each_table() {
    let trial = survey_of_one();
    let summary = trial.run();
    assert_eq!(
        (summary.records, summary.captures, summary.pages),
        (1, 0, 1)
    );
    let pages = trial.rows(Table::Pages);
    let counts = [
        "host",
        "domain",
        "status",
        "media_type",
        "state",
        "robots_tag",
        "x_robots_tag",
        "robots_meta",
        "noai",
        "content_usage",
        "content_signal",
        "tdm",
        "licenses",
    ];
    assert_eq!(
        cells(&pages, &counts),
        [json!([
            "s.example",
            "s.example",
            200,
            "text/html",
            "html",
            1,
            1,
            1,
            true,
            1,
            0,
            2,
            1
        ])]
    );
    assert_eq!(pages[0]["date"], "2026-01-02T03:04:05Z");
    let archive = std::fs::read(pages[0]["source"].as_str().unwrap()).unwrap();
    assert_eq!(pages[0]["offset"], 0);
    assert_eq!(pages[0]["length"], archive.len());
    let tags = trial.rows(Table::Tags);
    let tags = cells(
        &tags,
        &["found_in", "line", "robot", "rule", "value", "kind"],
    );
    assert_eq!(
        tags,
        [
            json!(["robots-tag", 1, "ExampleBot", "max-snippet", "5", "vendor"]),
            json!(["x-robots-tag", 1, "gptbot", "nosnippet", null, "registered"]),
            json!(["meta", null, "*", "noindex", null, "registered"]),
            json!(["meta", null, "*", "noai", null, "ai"]),
        ]
    );
}

#[test]
fn what_a_page_states_and_what_follows() {
    let trial = survey_of_one();
    trial.run();
    let stated = trial.rows(Table::Preferences);
    let stated = cells(
        &stated,
        &[
            "found_in",
            "vocabulary",
            "key",
            "value",
            "usage",
            "readable",
        ],
    );
    assert_eq!(
        stated,
        [
            json!(["field", "content-usage", "train-ai", "n", "train", true]),
            json!(["field", "content-usage", "new", null, null, true]),
            json!([
                "field",
                "tdmrep",
                "tdm-policy",
                "https://s.example/p",
                null,
                true
            ]),
            json!(["meta", "tdmrep", "tdm-reservation", "1", null, true]),
            json!([
                "html",
                "rsl",
                "license",
                "https://s.example/l.xml",
                null,
                true
            ]),
        ]
    );
    let answers = trial.rows(Table::PageAnswers);
    let columns = ["robot", "outcome", "decided_by", "statement"];
    let of = |usage: &str| {
        let own = answers.iter().filter(|row| row["usage"] == usage);
        cells(&own.cloned().collect::<Vec<_>>(), &columns)
    };
    let meta = "<meta name=\"robots\" content=\"noindex, noai\">";
    assert_eq!(
        of("index"),
        ["*", "GPTBot", "ExampleBot"].map(|robot| json!([robot, "prohibited", "meta", meta]))
    );
    assert!(of("crawl").is_empty());
    assert_eq!(of("train").len(), 3);
}

/// The parts of pages whose combinations are compared.
const FIELDS: [&str; 10] = [
    "X-Robots-Tag: noindex",
    "X-Robots-Tag: GPTBot: nofollow, noai",
    "X-Robots-Tag: unavailable_after: 2026-01-01T00:00:00Z",
    "Robots-Tag: *;noindex",
    "Robots-Tag: GPTBot;nosnippet, OtherBot;noindex",
    "Robots-Tag: ExampleBot;max-snippet=20",
    "Content-Usage: train-ai=n, search=y",
    "Content-Signal: ai-train=no, use=reference",
    "tdm-reservation: 1",
    "Link: <https://s.example/l.xml>; rel=license; type=\"application/rsl+xml\"",
];
const ELEMENTS: [&str; 8] = [
    "<meta name=robots content=noindex>",
    "<meta name=gptbot content=nosnippet>",
    "<meta name=examplebot content='noarchive, noml'>",
    "<meta name=tdm-reservation content=0>",
    "<link rel=license type=application/rsl+xml href=https://s.example/m.xml>",
    "<noscript><meta name=robots content=none></noscript>",
    "<p><meta name=robots content=nofollow>",
    "<meta name=viewport content=width=device-width>",
];

/// Pages with random fields and elements: head lines, and body.
fn some_pages(count: usize) -> Vec<(Vec<&'static str>, String)> {
    let mut dice = Dice::new(7);
    let pages = (0..count).map(|_| {
        let fields = (0..dice.below(4)).map(|_| dice.pick(&FIELDS)).collect();
        let elements = (0..dice.below(3)).map(|_| dice.pick(&ELEMENTS));
        (fields, elements.collect::<String>())
    });
    pages.collect()
}

fn record_of(number: usize, (fields, body): &(Vec<&str>, String)) -> Vec<u8> {
    let head: String = fields.iter().map(|line| format!("\r\n{line}")).collect();
    page(number, &head, body.as_bytes())
}

/// The outcomes of a page for a robot, as the engine says for a site without robots.txt. `fields`
/// are those that the robot reads.
fn decided(number: usize, fields: &[&str], body: &str, robot: &str) -> BTreeMap<String, Outcome> {
    let client = match robot {
        "*" => Client::unnamed(),
        name => Client::new(ProductToken::new(name).unwrap()),
    };
    let policy = Policy::compile(b"", &preferences::with_all_preferences(&client));
    let lines = std::iter::once(&HTML).chain(fields);
    let lines: Vec<_> = lines
        .map(|line| FieldLine::read(line.as_bytes()).unwrap())
        .collect();
    let response = abide_html::response(&lines, Some(body.as_bytes()), None);
    let url = format!("https://s.example/{number}");
    let target = Target::new(&url).unwrap().with_response(&response);
    let target = target.with_now(crate::archive::DATE.parse().unwrap());
    let decision = policy.decide(&target);
    let said = decision.usages.iter();
    said.map(|said| (said.usage.name().to_owned(), said.outcome))
        .collect()
}

/// Robot and usage to outcome, for each page of a table.
fn by_page(rows: &[Value], outcome: &str) -> BTreeMap<(String, String, String), String> {
    let text = |row: &Value, name: &str| row[name].as_str().unwrap().to_owned();
    let row = |row: &Value| {
        let key = (text(row, "url"), text(row, "robot"), text(row, "usage"));
        (key, text(row, outcome))
    };
    rows.iter().map(row).collect()
}

/// The one path of decisions: each outcome is the engine's for the same fields and page, and what
/// the tables leave out is unspecified.
#[test]
fn answers_are_those_of_the_engine() {
    let pages = some_pages(300);
    let records = pages
        .iter()
        .enumerate()
        .map(|(at, page)| record_of(at, page));
    let trial = survey(&records.collect::<Vec<_>>());
    trial.run();
    let found = by_page(&trial.rows(Table::PageAnswers), "outcome");
    let mut expected = BTreeMap::new();
    for (number, (fields, body)) in pages.iter().enumerate() {
        for robot in ["*", "GPTBot", "ExampleBot"] {
            let url = format!("https://s.example/{number}");
            for (usage, outcome) in decided(number, fields, body, robot) {
                if outcome != Outcome::Unspecified && usage != Usage::Crawl.name() {
                    let key = (url.clone(), robot.to_owned(), usage);
                    expected.insert(key, outcome.name().to_owned());
                }
            }
        }
    }
    assert!(found.len() > 500, "{}", found.len());
    assert_eq!(found, expected);
}

/// `--what-if repext` is a comparison of two runs: one without the `Robots-Tag` lines.
#[test]
fn repext_changes_are_those_of_two_runs() {
    let pages = some_pages(300);
    let records = pages
        .iter()
        .enumerate()
        .map(|(at, page)| record_of(at, page));
    let mut trial = survey(&records.collect::<Vec<_>>());
    trial.survey.options.tables = [Table::Changes].into();
    trial.survey.options.what_if = [WhatIf::Repext].into();
    let summary = trial.run();
    let rows = trial.rows(Table::Changes);
    let found = [by_page(&rows, "before"), by_page(&rows, "after")];
    let mut expected = [BTreeMap::new(), BTreeMap::new()];
    let mut robots = BTreeSet::new();
    for (number, (fields, body)) in pages.iter().enumerate() {
        let is_known = |line: &&&str| !line.starts_with("Robots-Tag");
        let known: Vec<&str> = fields.iter().filter(is_known).copied().collect();
        let names_other = fields.iter().any(|line| line.contains("OtherBot"));
        let others = names_other.then_some("OtherBot");
        for robot in ["*", "GPTBot", "ExampleBot"].into_iter().chain(others) {
            let before = decided(number, &known, body, robot);
            for (usage, after) in decided(number, fields, body, robot) {
                let before = before.get(&usage).copied().unwrap_or(Outcome::Unspecified);
                if before != after {
                    let key = (
                        format!("https://s.example/{number}"),
                        robot.to_owned(),
                        usage,
                    );
                    robots.insert((number, robot));
                    expected[0].insert(key.clone(), before.name().to_owned());
                    expected[1].insert(key, after.name().to_owned());
                }
            }
        }
    }
    assert!(expected[0].len() > 100, "{}", expected[0].len());
    assert_eq!(found, expected);
    assert!(rows.iter().all(|row| row["line"].is_number()), "{rows:?}");
    let count = &summary.changes["repext"];
    let changed: BTreeSet<usize> = robots.iter().map(|(number, _)| *number).collect();
    assert_eq!(count.sites, changed.len() as u64);
    assert_eq!((count.groups, count.robots), (0, robots.len() as u64));
}

/// Robots.txt files are answered as without pages, and redirects to pages are followed.
#[test]
fn robots_txt_files_are_answered_as_without_pages() {
    let records = [
        page(0, "\r\nX-Robots-Tag: noindex", b"<p>"),
        response("https://a.example/robots.txt", "200 OK", crate::ROBOTS),
        response(
            "https://b.example/robots.txt",
            "301 Moved\r\nLocation: https://s.example/rules",
            b"",
        ),
        response(
            "https://s.example/rules",
            "200 OK\r\nContent-Type: text/plain",
            crate::ROBOTS,
        ),
        page(1, "", b"<p>"),
    ];
    let with = survey(&records);
    let summary = with.run();
    assert_eq!(
        (summary.captures, summary.pages, summary.followed),
        (2, 2, 1)
    );
    assert_eq!(summary.skipped["response, no page"], 1);
    let mut without = survey(&records);
    without.survey.options.tables = Table::standard().collect();
    assert_eq!(without.run().pages, 0);
    let strip = |trial: &Trial, table| -> BTreeSet<String> {
        let rows = trial.rows(table).into_iter().map(|mut row| {
            let row_of = row.as_object_mut().unwrap();
            row_of.remove("capture");
            row_of.remove("source");
            row.to_string()
        });
        rows.collect()
    };
    for table in [Table::Files, Table::Robots, Table::Groups, Table::Rules] {
        assert_eq!(
            strip(&with, table),
            strip(&without, table),
            "{}",
            table.name()
        );
    }
    // Numbers count pages too, so that each row of a survey has one of its own.
    let numbers = with.cells(Table::Pages, "capture");
    assert_eq!(numbers, [json!(0), json!(3)]);
}

/// Each page is a row, or counted, and what cannot be read is said with its URL.
#[test]
fn bad_pages_are_rows_or_counted() {
    let noindex = "\r\nX-Robots-Tag: noindex";
    let long = format!("<title>{}</title>", "x".repeat(600 << 10));
    let huge = "noindex, ".repeat(7_000);
    let bad_utf8: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nRobots-Tag: \xff;x\r\n\
        X-\xfc: 1\r\n\r\n<meta name=robots content='noindex, \xff\xfe'>";
    let many = "<meta name=robots content='a,b,c,d,e,f,g,h'>".repeat(2_000);
    let url = |name: &str| format!("https://s.example/{name}");
    let head = |more: &str| format!("200 OK\r\n{HTML}{more}");
    let br = head(&format!("\r\nContent-Encoding: br{noindex}"));
    let records = [
        response(&url("br"), &br, b"\x0b\x02\x80abc\x03"),
        response(
            &url("untyped"),
            "200 OK",
            b" <meta name=robots content=none>",
        ),
        response(
            &url("untyped-text"),
            "200 OK",
            b"no <meta name=robots content=none>",
        ),
        response(
            &url("pdf"),
            &format!("200 OK\r\nContent-Type: application/pdf{noindex}"),
            b"%PDF",
        ),
        response(&url("long"), &head(""), long.as_bytes()),
        response(
            &url("huge"),
            &head(&format!("\r\nX-Robots-Tag: {huge}")),
            b"",
        ),
        record("response", &url("bytes"), &[], bad_utf8),
        response(&url("many"), &head(""), many.as_bytes()),
        response(
            &url("missing"),
            "404 Not Found\r\nContent-Type: text/html",
            b"<meta name=robots content=noindex>",
        ),
        response(&url("status"), "42 What", b"x"),
        record("response", &url("no-http"), &[], b"no head"),
        record("revisit", &url("revisit"), &[], b"HTTP/1.1 200 OK\r\n\r\n"),
        record("response", "urn:x", &[], b"HTTP/1.1 200 OK\r\n\r\n<p>"),
    ];
    let whole = page(99, noindex, &[b'x'; 5_000]);
    let mut bytes = compressed(&records);
    let last = member(&whole);
    bytes.extend(&last[..last.len() - 8]);
    let mut trial = survey(&[]);
    trial.survey.inputs.clear();
    let trial = trial.with("bad.warc.gz", &bytes);
    let summary = trial.run();
    let pages = trial.rows(Table::Pages);
    let rows = cells(
        &pages,
        &["url", "state", "media_type", "x_robots_tag", "robots_meta"],
    );
    let (text, pdf) = ("text/html", "application/pdf");
    assert_eq!(
        rows,
        [
            json!([url("br"), "damaged", text, 1, 0]),
            json!([url("untyped"), "html", null, 0, 1]),
            json!([url("pdf"), "fields", pdf, 1, 0]),
            json!([url("long"), "cut", text, 0, 0]),
            json!([url("huge"), "html", text, 1, 0]),
            json!([url("bytes"), "html", text, 0, 1]),
            json!([url("many"), "html", text, 0, 2_000]),
        ]
    );
    assert_eq!(pages[3]["bytes"], long.len());
    assert_eq!(summary.pages, 7);
    let mut tags = BTreeMap::new();
    for row in trial.rows(Table::Tags) {
        *tags
            .entry(row["url"].as_str().unwrap().to_owned())
            .or_insert(0) += 1;
    }
    assert_eq!(tags[&url("many")], 1_000);
    // A field is read up to a limit of its own.
    assert!((500..=1_000).contains(&tags[&url("huge")]), "{tags:?}");
    let errors = trial.rows(Table::Errors);
    let errors = errors.iter().filter(|row| row["code"] != "gzip-cut");
    let errors: BTreeMap<_, _> = errors
        .map(|row| {
            let text = |name: &str| row[name].as_str().unwrap().to_owned();
            (text("url"), text("code"))
        })
        .collect();
    let expected = [
        (url("br"), "content-encoding".to_owned()),
        (url("status"), "http-status".to_owned()),
        (url("no-http"), "http-head".to_owned()),
        ("urn:x".to_owned(), "warc-url".to_owned()),
    ];
    assert_eq!(errors, expected.into());
    assert_eq!(summary.failed["gzip-cut"], 1);
    assert_eq!(summary.skipped["page"], 1);
    assert_eq!(summary.skipped["response, no page"], 2);
}

/// Formats, threads and blocks change nothing.
#[test]
fn formats_and_threads_have_the_same_rows() {
    let pages = some_pages(400);
    let filler = "x".repeat(20_000);
    let records = pages.iter().enumerate().map(|(at, (fields, body))| {
        let body = format!("{body}<p>{filler}{at}");
        record_of(at, &(fields.clone(), body))
    });
    let archive: Vec<u8> = records.collect::<Vec<_>>().concat();
    let run = |threads, format| {
        let mut trial = survey(&[]);
        trial.survey.inputs.clear();
        trial.survey.threads = threads;
        trial.survey.format = format;
        let trial = trial.with("pages.warc", &archive);
        assert_eq!(trial.run().pages, 400);
        trial
    };
    let rows = run(0, Format::Jsonl);
    for &table in Table::OF_PAGES {
        let jsonl = rows.sorted(table);
        assert_eq!(
            run(2, Format::Jsonl).sorted(table),
            jsonl,
            "{}",
            table.name()
        );
        let csv = std::fs::read_to_string(run(1, Format::Csv).path(table)).unwrap();
        assert_eq!(csv.lines().count(), jsonl.len() + 1, "{}", table.name());
        let parquet = std::fs::File::open(run(1, Format::Parquet).path(table)).unwrap();
        let reader = parquet::file::reader::SerializedFileReader::new(parquet).unwrap();
        let count = reader.metadata().file_metadata().num_rows();
        assert_eq!(
            count,
            i64::try_from(jsonl.len()).unwrap(),
            "{}",
            table.name()
        );
    }
}
