//! Redirects and revisit records lead to captures anywhere in the input.

use crate::archive::{compressed, frames, record, response};
use crate::{ROBOTS, Trial};
use abide_survey::schema::Table;
use proptest::prelude::*;
use serde_json::{Value, json};

fn url(site: &str) -> String {
    format!("https://{site}.example/robots.txt")
}

fn moved(site: &str, to: &str) -> Vec<u8> {
    response(
        &url(site),
        &format!("301 Moved\r\nLocation: {to}"),
        b"moved",
    )
}

fn row(trial: &Trial, table: Table, host: &str) -> Value {
    let rows = trial.rows(table);
    rows.into_iter()
        .find(|row| row["host"] == format!("{host}.example"))
        .unwrap()
}

#[test]
fn a_redirect_is_followed_wherever_its_target_is() {
    let records = [
        moved("before", &url("target")),
        moved("chain", &url("before")),
        moved("page", "https://target.example/elsewhere"),
        response("https://target.example/elsewhere", "404 Not Found", b"no"),
        response(&url("target"), "200 OK", ROBOTS),
        moved("after", "//target.example/robots.txt"),
        moved("lost", &url("nowhere")),
        moved("loop", &url("loop")),
        moved("bad", "ftp://x.example/"),
    ];
    for (name, bytes) in [
        ("a.warc", records.concat()),
        ("a.warc.gz", compressed(&records)),
        ("b.warc.gz", crate::archive::member(&records.concat())),
        ("a.warc.zst", frames(&records, ROBOTS, true)),
    ] {
        let trial = Trial::new().with(name, &bytes);
        let summary = trial.run();
        assert_eq!((summary.followed, summary.not_followed), (4, 1), "{name}");
        for site in ["before", "chain", "after"] {
            let file = row(&trial, Table::Files, site);
            assert_eq!(
                (&file["state"], &file["redirect"]),
                (&json!("rules"), &json!(url("target"))),
                "{site}"
            );
            assert_eq!(row(&trial, Table::Robots, site)["class"], "closed");
        }
        assert_eq!(row(&trial, Table::Files, "page")["state"], "missing");
        let lost = row(&trial, Table::Files, "lost");
        assert_eq!(
            (&lost["state"], &lost["status"]),
            (&json!("redirect-not-followed"), &json!(301))
        );
        assert_eq!(lost["redirect"], url("nowhere"));
        assert_eq!(row(&trial, Table::Robots, "lost")["outcome"], "unknown");
        assert_eq!(row(&trial, Table::Files, "loop")["state"], "missing");
        assert_eq!(row(&trial, Table::Files, "bad")["state"], "unreachable");
    }
}

/// The capture of `site` that is nearest to the one at `from`; of two, the later one.
fn nearest(captures: &[(usize, Option<usize>)], site: usize, from: usize) -> Option<usize> {
    let of_site = (0..captures.len()).filter(|at| captures[*at].0 == site);
    of_site.min_by_key(|at| (at.abs_diff(from), *at < from))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Captures are a site, and another one if it redirects there.
    #[test]
    fn the_nearest_capture_of_a_target_counts(captures in proptest::collection::vec((0..4_usize, proptest::option::weighted(0.5, 0..4_usize)), 1..40)) {
        let site = |number: usize| format!("s{number}");
        let records = (0..).zip(&captures).map(|(at, (from, to))| match to {
            Some(to) => moved(&site(*from), &url(&site(*to))),
            // The length tells them apart.
            None => response(&url(&site(*from)), "200 OK", format!("Disallow: /{}", "x".repeat(at)).as_bytes()),
        });
        let records: Vec<Vec<u8>> = records.collect();
        let trial = Trial::new().with("a.warc.gz", &compressed(&records));
        trial.run();
        let rows = trial.rows(Table::Files);
        prop_assert_eq!(rows.len(), captures.len());
        for row in rows {
            let from = usize::try_from(row["capture"].as_u64().unwrap()).unwrap();
            let mut seen = vec![captures[from].0];
            let mut end = Some(from);
            while let Some(to) = end.and_then(|at| captures[at].1) {
                // Clients end such a redirect.
                if seen.contains(&to) {
                    break;
                }
                seen.push(to);
                end = nearest(&captures, to, from);
            }
            match end {
                None => prop_assert_eq!(&row["state"], "redirect-not-followed"),
                Some(at) if captures[at].1.is_none() => prop_assert_eq!(&row["bytes"], "Disallow: /".len() + at),
                Some(_) => prop_assert_eq!(&row["state"], "missing"),
            }
        }
    }
}

#[test]
fn a_revisit_has_the_body_of_the_first_visit() {
    let digest = ("WARC-Payload-Digest", "sha1:ABC");
    let content = [b"HTTP/1.1 200 OK\r\n\r\n", ROBOTS].concat();
    let records = [
        record(
            "revisit",
            &url("later"),
            &[digest],
            b"HTTP/1.1 200 OK\r\n\r\n",
        ),
        record("response", &url("first"), &[digest], &content),
        record(
            "revisit",
            &url("first"),
            &[(
                "WARC-Profile",
                "http://netpreserve.org/warc/1.0/revisit/server-not-modified",
            )],
            b"HTTP/1.1 304 Not Modified\r\n\r\n",
        ),
    ];
    let trial = Trial::new().with("a.warc", &records.concat());
    assert_eq!(trial.run().captures, 3);
    let cells = |column| trial.cells(Table::Files, column);
    assert_eq!(cells("state"), ["rules", "rules", "rules"]);
    assert_eq!(cells("status"), [200, 200, 200]);
    let digests = cells("digest");
    assert!(digests.iter().all(|digest| *digest == digests[0]));
}

/// Redirects and revisit records are written after the captures that follow them in the input.
#[cfg(feature = "report")]
#[test]
fn a_report_counts_redirects_and_revisits_in_every_format() {
    use abide_survey::Format;
    use abide_survey::report::{Numbers, Settings};

    let digest = ("WARC-Payload-Digest", "sha1:ABC");
    let content = [b"HTTP/1.1 200 OK\r\n\r\n", ROBOTS].concat();
    let not_modified = b"HTTP/1.1 200 OK\r\n\r\n";
    let records = [
        moved("second", &url("first")),
        moved("third", &url("second")),
        record("revisit", &url("fourth"), &[digest], not_modified),
        moved("lost", &url("nowhere")),
        record("response", &url("first"), &[digest], &content),
        response(&url("gone"), "404 Not Found", b"no"),
    ];
    let numbers = [Format::Parquet, Format::Csv, Format::Jsonl].map(|format| {
        let mut trial = Trial::new().with("a.warc", &records.concat());
        trial.survey.format = format;
        assert_eq!(trial.run().captures, 6);
        let mut settings = Settings::default();
        // A part of the sites at a time, so that each table is read several times.
        settings.captures_in_memory = 2;
        let numbers = Numbers::read(&trial.survey.folder, &settings).unwrap();
        serde_json::to_value(numbers).unwrap()
    });
    let [parquet, csv, jsonl] = &numbers;
    assert_eq!((parquet, parquet), (csv, jsonl));
    assert_eq!(
        parquet["states"],
        json!([
            {"state": "rules", "answers": true, "sites": 4},
            {"state": "missing", "answers": true, "sites": 1},
            {"state": "redirect-not-followed", "answers": false, "sites": 1},
        ])
    );
    let robots = parquet["robots"]["robots"].as_array().unwrap();
    let gpt = robots.iter().find(|robot| robot["robot"] == "GPTBot");
    assert_eq!(gpt.unwrap()["classes"]["closed"], 4);
    assert_eq!(
        (&parquet["names"]["sites"], &parquet["names"]["any"]),
        (&json!(4), &json!(4))
    );
}
