//! Each kind of input gives the same rows.

use crate::archive::{DATE, compressed, frames, member, record, response};
use crate::{ROBOTS, Trial};
use abide_survey::Format;
use abide_survey::schema::Table;
use serde_json::json;
use std::fs;

const URL: &str = "https://a.example/robots.txt";

fn strip(row: &serde_json::Value) -> serde_json::Value {
    let mut row = without_place(row);
    for name in ["url", "date", "status", "first_status"] {
        row[name] = json!(null);
    }
    row
}

/// A row without where it is from.
fn without_place(row: &serde_json::Value) -> serde_json::Value {
    let mut row = row.clone();
    for name in ["source", "offset", "length", "row"] {
        row[name] = json!(null);
    }
    row
}

/// What robots find in User-agent lines, which is not always all of them.
#[test]
fn groups_have_the_names_that_robots_read() {
    let text = b"User-agent: Offline Explorer\nUser-agent: The Knowledge AI\nDisallow: /\n\n\
        User-agent: Mediapartners-Google*\nUser-agent: MJ12bot/v1.4\nUser-agent: 360Spider\n\
        User-agent: GPTBot, CCBot\nDisallow: /\n\nUser-agent: *\nUser-agent: bing\x01bot\nUser-agent: /\nDisallow: /\n";
    let trial = Trial::new().with("a.example", text);
    trial.run();
    assert_eq!(
        trial.cells(Table::Groups, "names"),
        [
            "Offline The",
            "Mediapartners-Google MJ12bot 360Spider GPTBot",
            "*"
        ]
    );
}

#[test]
fn an_archive_says_what_the_folder_says_that_it_was_made_from() {
    let sites: Vec<(String, Vec<u8>)> = (0..300)
        .map(|site| {
            let more = format!("User-agent: Bot{site}\nDisallow: /{site}\n");
            (
                format!("s{site:03}.example"),
                [ROBOTS, more.as_bytes()].concat(),
            )
        })
        .collect();
    let records: Vec<Vec<u8>> = sites
        .iter()
        .map(|(host, body)| response(&format!("https://{host}/robots.txt"), "200 OK", body))
        .collect();
    let with_findings = || {
        let mut trial = Trial::new();
        trial.survey.options.tables.insert(Table::Findings);
        trial
    };
    let folder = sites.iter().fold(with_findings(), |trial, (host, body)| {
        trial.with(&format!("robots/{host}"), body)
    });
    let mut folder = folder;
    folder.survey.inputs = vec![folder.folder.path().join("robots")];
    folder.run();
    let plain = with_findings().with("a.warc", &records.concat());
    let packed = with_findings().with("a.warc.gz", &compressed(&records));
    let whole = with_findings().with("a.warc.gz", &member(&records.concat()));
    for archive in [&plain, &packed, &whole] {
        let summary = archive.run();
        assert_eq!((summary.records, summary.captures), (300, 300));
        for table in [
            Table::Files,
            Table::Robots,
            Table::Groups,
            Table::Rules,
            Table::Findings,
            Table::Sitemaps,
        ] {
            let other = folder.rows(table);
            let own: Vec<_> = archive.rows(table).iter().map(strip).collect();
            let other: Vec<_> = other.iter().map(strip).collect();
            assert!(own == other && !own.is_empty(), "{table:?}");
        }
    }
}

#[test]
fn lines_say_what_the_archive_says() {
    let archive = Trial::new().with("a.warc", &response(URL, "200 OK", ROBOTS));
    archive.run();
    let body = String::from_utf8_lossy(ROBOTS);
    let line = json!({"url": URL, "status": 200, "headers": {"Content-Type": "text/plain"}, "body": body, "date": DATE});
    let lines = format!("{line}\n\n");
    let plain = Trial::new().with("a.jsonl", lines.as_bytes());
    let packed = Trial::new().with("a.jsonl.gz", &member(lines.as_bytes()));
    for trial in [plain, packed] {
        assert_eq!(trial.run().captures, 1);
        for table in Table::standard() {
            let rows = |trial: &Trial| -> Vec<_> {
                let rows = trial.rows(table);
                rows.iter().map(without_place).collect()
            };
            assert_eq!(rows(&trial), rows(&archive), "{table:?}");
        }
    }
}

#[test]
fn files_and_robots_have_what_the_file_says() {
    let trial = Trial::new().with("a.warc", &response(URL, "200 OK", ROBOTS));
    trial.run();
    let files = trial.rows(Table::Files);
    let file = &files[0];
    assert_eq!(file["state"], "rules");
    assert_eq!(file["domain"], "a.example");
    assert_eq!(
        (
            &file["groups"],
            &file["disallow_rules"],
            &file["allow_rules"]
        ),
        (&json!(2), &json!(2), &json!(1))
    );
    assert_eq!(
        (
            &file["wildcard_rules"],
            &file["longest_rule"],
            &file["crawl_delay_max"]
        ),
        (&json!(1), &json!(15), &json!(2))
    );
    let robots = trial.rows(Table::Robots);
    let of = |name: &str| robots.iter().find(|row| row["robot"] == name).unwrap();
    let gptbot = of("GPTBot");
    assert_eq!(
        (&gptbot["class"], &gptbot["own_group"], &gptbot["line"]),
        (&json!("closed"), &json!(true), &json!(2))
    );
    assert_eq!(
        (&gptbot["kind"], &gptbot["rule"]),
        (&json!("ai-training"), &json!("Disallow: /"))
    );
    let other = of("CCBot");
    assert_eq!(
        (&other["class"], &other["own_group"], &other["delay"]),
        (&json!("partly"), &json!(false), &json!(2))
    );
    assert_eq!(
        (&other["group"], &other["outcome"], &other["exact"]),
        (&json!("*"), &json!("permitted"), &json!(true))
    );
    assert_eq!(trial.cells(Table::Groups, "names"), ["GPTBot", "*"]);
    assert_eq!(
        trial.cells(Table::Rules, "pattern"),
        ["/", "/private/", "/private/press$"]
    );
    assert_eq!(
        trial.cells(Table::Sitemaps, "sitemap"),
        ["https://a.example/sitemap.xml"]
    );
}

#[test]
fn statuses_count_as_in_retrieval() {
    let url = |site: u8| format!("https://s{site}.example/robots.txt");
    let html = b"<!doctype html><title>Not here</title>";
    let records = [
        response(&url(0), "404 Not Found", html),
        response(&url(1), "503 Unavailable", b""),
        response(&url(2), "200 OK", html),
        response(&url(3), "200 OK", b""),
        response(&url(4), "204 No Content", ROBOTS),
        response(&url(5), "429 Slow Down", b""),
        response(&url(6), "200 OK", b"{\"error\": 1}"),
        response(&url(7), "200 OK", b"\x89PNG\r\n\x1a\n"),
        response(&url(8), "200 OK", &[ROBOTS, &b"#".repeat(600_000)].concat()),
        response(&url(9), "200 OK", b"nothing to see"),
        response(&url(10), "200 OK", b"\x1f\x8b\x08\0\0\0\0\0\0\x03"),
    ];
    let trial = Trial::new().with("a.warc", &records.concat());
    trial.run();
    let states = [
        "missing",
        "unreachable",
        "html",
        "empty",
        "empty",
        "unreachable",
        "json",
        "image",
        "cut",
        "no-fields",
        "compressed",
    ];
    assert_eq!(trial.cells(Table::Files, "state"), states);
    let rows = trial.rows(Table::Robots);
    let star: Vec<&str> = rows
        .iter()
        .filter(|row| row["robot"] == "*")
        .map(|row| row["class"].as_str().unwrap())
        .collect();
    let classes = [
        "open", "closed", "open", "open", "open", "closed", "open", "open", "partly", "open",
        "open",
    ];
    assert_eq!(star, classes);
}

/// The bytes of an archive say how it is compressed, whatever its name.
#[test]
fn archives_may_have_any_name() {
    let records: Vec<Vec<u8>> = ["a", "b", "c"]
        .iter()
        .map(|host| {
            response(
                &format!("https://{host}.example/robots.txt"),
                "200 OK",
                ROBOTS,
            )
        })
        .collect();
    let dictionary = records[0].as_slice();
    let forms = [
        records.concat(),
        compressed(&records),
        member(&records.concat()),
        frames(&records, b"", false),
        frames(&records, dictionary, false),
        frames(&records, dictionary, true),
        frames(&[records.concat()], b"", false),
    ];
    let mut expected: Option<Vec<serde_json::Value>> = None;
    for bytes in &forms {
        for name in [
            "a.warc",
            "a.warc.gz",
            "a.warc.zst",
            "a.bin",
            "folder/a.parquet",
        ] {
            let mut trial = Trial::new().with(name, bytes);
            if name.starts_with("folder") {
                trial.survey.inputs = vec![trial.folder.path().join("folder")];
            }
            let summary = trial.run();
            assert_eq!((summary.captures, summary.failed.len()), (3, 0), "{name}");
            let files = trial.rows(Table::Files);
            let files: Vec<_> = files.iter().map(without_place).collect();
            assert_eq!(
                *expected.get_or_insert_with(|| files.clone()),
                files,
                "{name}"
            );
        }
    }
}

#[test]
fn other_records_are_counted_and_skipped() {
    let records = [
        record("warcinfo", "", &[], b"software: x"),
        record("request", URL, &[], b"GET /robots.txt HTTP/1.1\r\n\r\n"),
        response("https://a.example/page", "200 OK", b"<p>"),
        record("resource", URL, &[], ROBOTS),
        record("metadata", URL, &[], b""),
    ];
    let trial = Trial::new().with("a.warc", &records.concat());
    let summary = trial.run();
    assert_eq!((summary.records, summary.captures), (5, 1));
    let skipped: Vec<(&str, u64)> = summary
        .skipped
        .iter()
        .map(|(name, count)| (name.as_str(), *count))
        .collect();
    assert_eq!(
        skipped,
        [
            ("metadata", 1),
            ("page", 1),
            ("request", 1),
            ("warcinfo", 1)
        ]
    );
    assert_eq!(trial.rows(Table::Robots).len(), 3);
}

#[test]
fn a_table_of_the_survey_s_own_columns_is_read() {
    // Made by the writer of the survey itself: `files` has no body, so only statuses count.
    let mut first = Trial::new().with("a.warc", &response(URL, "404 Not Found", b""));
    first.survey.format = Format::Parquet;
    first.run();
    let bytes = fs::read(first.path(Table::Files)).unwrap();
    let second = Trial::new().with("a.parquet", &bytes);
    assert_eq!(second.run().captures, 1);
    assert_eq!(second.cells(Table::Files, "state"), ["missing"]);
    assert_eq!(second.cells(Table::Files, "date"), [DATE]);
}
