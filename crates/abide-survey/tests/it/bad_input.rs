//! Bad input is counted, with its place, and never ends a survey.

use crate::archive::{DATE, compressed, frames, member, record, response, skippable};
use crate::{ROBOTS, Trial};
use abide_survey::SurveyError;
use abide_survey::schema::Table;
use proptest::prelude::*;
use serde_json::{Value, json};

const URL: &str = "https://a.example/robots.txt";

/// The codes of the errors, and the number of captures.
fn codes(trial: &Trial) -> (Vec<String>, u64) {
    let summary = trial.run();
    let sum = summary.captures
        + summary.skipped.values().sum::<u64>()
        + summary.failed.values().sum::<u64>();
    assert_eq!(summary.records, sum, "no record is lost");
    let cells = trial.cells(Table::Errors, "code");
    (
        cells
            .iter()
            .map(|code| code.as_str().unwrap().to_owned())
            .collect(),
        summary.captures,
    )
}

fn archive(bytes: &[u8]) -> Trial {
    Trial::new().with("a.warc", bytes)
}

#[test]
fn damaged_and_cut_members_are_skipped() {
    let one = member(&response(URL, "200 OK", ROBOTS));
    let mut damaged = one.clone();
    let middle = damaged.len() / 2;
    damaged[middle] ^= 0x55;
    let last = &one[..one.len() - 9];
    let bytes = [&one[..], &damaged, &one, b"garbage", &one, last].concat();
    let trial = Trial::new().with("a.warc.gz", &bytes);
    let (codes, captures) = codes(&trial);
    assert_eq!(codes, ["gzip-damaged", "gzip-damaged", "gzip-cut"]);
    assert!((3..=5).contains(&captures), "{captures}");
}

#[test]
fn zeros_at_the_end_are_no_error() {
    let bytes = [member(&response(URL, "200 OK", ROBOTS)), vec![0; 1_000]].concat();
    let trial = Trial::new().with("a.warc.gz", &bytes);
    assert_eq!(codes(&trial), (Vec::new(), 1));
}

#[test]
fn wrong_lengths_cost_one_record() {
    let right = response(URL, "200 OK", ROBOTS);
    let text = String::from_utf8(right.clone()).unwrap();
    let length = text
        .split("Content-Length: ")
        .nth(1)
        .unwrap()
        .split('\r')
        .next()
        .unwrap();
    for (other, code) in [
        ("99999", "warc-length"),
        ("20", "warc-length"),
        ("x", "warc-length"),
        ("", "warc-length"),
    ] {
        let wrong = text.replacen(
            &format!("Content-Length: {length}"),
            &format!("Content-Length: {other}"),
            1,
        );
        let trial = archive(&[right.as_slice(), wrong.as_bytes(), &right].concat());
        assert_eq!(codes(&trial), (vec![code.to_owned()], 2), "{other}");
        let packed = Trial::new().with(
            "a.warc.gz",
            &compressed(&[right.clone(), wrong.into_bytes(), right.clone()]),
        );
        let (_, captures) = codes(&packed);
        assert!((2..=3).contains(&captures), "{other}");
    }
}

#[test]
fn bodies_are_decoded_or_counted() {
    let chunked = format!(
        "{:x}\r\n{}\r\n0\r\n\r\n",
        ROBOTS.len(),
        String::from_utf8_lossy(ROBOTS)
    );
    let packed = member(ROBOTS);
    let good = [
        response(
            URL,
            "200 OK\r\nTransfer-Encoding: chunked",
            chunked.as_bytes(),
        ),
        response(URL, "200 OK\r\nContent-Encoding: gzip", &packed),
        response(
            URL,
            "200 OK\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked",
            ROBOTS,
        ),
        response(URL, "200 OK", ROBOTS),
    ];
    let trial = archive(&good.concat());
    assert_eq!(codes(&trial), (Vec::new(), 4));
    let digests = trial.cells(Table::Files, "digest");
    assert!(
        digests.iter().all(|digest| *digest == digests[0]),
        "{digests:?}"
    );
    let bad = [
        response(
            URL,
            "200 OK\r\nContent-Encoding: gzip",
            &packed[..packed.len() / 2],
        ),
        response(
            URL,
            "200 OK\r\nTransfer-Encoding: chunked",
            &chunked.as_bytes()[..50],
        ),
        response(
            URL,
            "200 OK\r\nContent-Encoding: br",
            b"\x0b\x02\x80abc\x03\xff",
        ),
    ];
    let trial = archive(&bad.concat());
    assert_eq!(codes(&trial), (vec!["content-encoding".to_owned()], 3));
    assert_eq!(
        trial.cells(Table::Files, "state"),
        ["cut", "cut", "damaged"]
    );
    let damaged = &trial.rows(Table::Files)[2];
    assert_eq!(
        (&damaged["digest"], &damaged["bytes"]),
        (&Value::Null, &json!(8))
    );
    let robots = trial.rows(Table::Robots);
    let of_damaged = robots.iter().filter(|row| row["state"] == "damaged");
    let classes: Vec<_> = of_damaged
        .map(|row| (&row["class"], &row["outcome"]))
        .collect();
    assert_eq!(classes, [(&json!("unknown"), &json!("unknown")); 3]);
}

/// Hosts that refuse robots in odd ways stay in the denominators, in archives as in lines.
#[test]
fn odd_statuses_keep_a_row() {
    let continued = [&b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\n\r\n"[..], ROBOTS].concat();
    let records = [
        response(URL, "999 Request denied", b""),
        response(URL, "610", b""),
        record("response", URL, &[], &continued),
        response(URL, "100 Continue", b""),
    ];
    let trial = archive(&records.concat());
    assert_eq!(codes(&trial), (vec!["http-status".to_owned()], 3));
    let states = ["unreachable", "unreachable", "rules"];
    assert_eq!(trial.cells(Table::Files, "state"), states);
    assert_eq!(trial.cells(Table::Files, "status"), [999, 610, 200]);
    let lines =
        [999, 1000, 99].map(|status| format!("{{\"url\": \"{URL}\", \"status\": {status}}}\n"));
    let lines = Trial::new().with("a.jsonl", lines.concat().as_bytes());
    assert_eq!(codes(&lines), (vec!["http-status".to_owned(); 2], 1));
}

#[test]
fn sloppy_heads_are_read() {
    let with_line_feeds = b"HTTP/1.0 200\nContent-type:text/plain\n\nUser-agent: *\nDisallow: /\n";
    let records = [
        record("response", URL, &[], with_line_feeds),
        record(
            "response",
            &format!("<{URL}>"),
            &[],
            b"HTTP/1.1 200 OK\r\nX\r\n: y\r\n\r\nUser-agent: *\r\nDisallow: /\r\n",
        ),
    ];
    let trial = archive(&records.concat());
    assert_eq!(codes(&trial), (Vec::new(), 2));
    assert_eq!(trial.cells(Table::Files, "disallow_rules"), [1, 1]);
}

#[test]
fn records_that_cannot_be_used_are_counted() {
    let no_date = String::from_utf8(response(URL, "200 OK", ROBOTS))
        .unwrap()
        .replace(&format!("WARC-Date: {DATE}\r\n"), "");
    let records = [
        record("response", URL, &[], b"not HTTP"),
        response(URL, "199 No", b""),
        response("", "200 OK", b""),
        no_date.into_bytes(),
        record(
            "revisit",
            URL,
            &[("WARC-Payload-Digest", "sha1:X")],
            b"HTTP/1.1 200 OK\r\n\r\n",
        ),
    ];
    let (found, captures) = codes(&archive(&records.concat()));
    assert_eq!(
        found,
        [
            "http-head",
            "http-status",
            "warc-url",
            "warc-date",
            "revisit"
        ]
    );
    assert_eq!(captures, 1);
}

#[test]
fn lines_that_cannot_be_read_are_counted() {
    let long = format!(
        "{{\"url\": \"{URL}\", \"body\": \"{}\"}}",
        "x".repeat(17 << 20)
    );
    let lines = [
        "{",
        "{\"url\": \"https://a.example/robots.txt\"}",
        "{\"body\": \"User-agent: *\"}",
        "{\"url\": \"https://a.example/robots.txt\", \"status\": 200, \"date\": \"soon\"}",
        &long,
        "{\"url\": \"https://a.example/robots.txt\", \"body\": \"User-agent: *\"}",
    ];
    let (found, captures) = codes(&Trial::new().with("a.jsonl", lines.join("\n").as_bytes()));
    assert_eq!(
        found,
        ["json", "no-body", "no-url", "date", "line-too-long"]
    );
    assert_eq!(captures, 2);
}

/// Lines are read in blocks of a megabyte, by several threads.
#[test]
fn a_line_that_cannot_be_read_has_its_number() {
    let good = format!(
        "{{\"url\": \"{URL}\", \"body\": \"{}\"}}",
        "# x".repeat(200)
    );
    let dated = good.replacen('{', "{\"date\": \"soon\", ", 1);
    let mut lines = vec![good.as_str(); 6_000];
    let wrong = [1, 2, 1_500, 1_501, 3_333, 5_999, 6_000];
    for number in wrong {
        lines[number - 1] = if number % 2 == 0 { "{\"url\":" } else { &dated };
    }
    let text = lines.join("\n");
    assert!(text.len() > 3 << 20, "it has several blocks");
    let expected = wrong.map(|number| format!("line {number}"));
    for name in ["a.jsonl", "a.jsonl.gz"] {
        let bytes = match name {
            "a.jsonl" => text.clone().into_bytes(),
            _ => member(text.as_bytes()),
        };
        let trial = Trial::new().with(name, &bytes);
        trial.run();
        assert_eq!(trial.cells(Table::Errors, "place"), expected, "{name}");
        let message = trial.cells(Table::Errors, "message")[1].clone();
        assert_eq!(
            message,
            "not a JSON object with url and body: EOF while parsing a value at column 7"
        );
    }
}

/// JSON Lines are read as what they are, and JSON that a site serves is one file.
#[test]
fn json_lines_may_have_any_name() {
    let line = format!("{{\"url\": \"{URL}\", \"status\": 404}}\n");
    for name in ["a.json", "a.txt", "folder/a.json", "folder/a.warc"] {
        let mut trial = Trial::new().with(name, line.repeat(2).as_bytes());
        if name.starts_with("folder") {
            trial.survey.inputs = vec![trial.folder.path().join("folder")];
        }
        assert_eq!(codes(&trial), (Vec::new(), 2), "{name}");
    }
    for answer in [
        "{\"error\": \"not found\"}",
        "{\"url\": \"/x\"}",
        "{",
        "User-agent: *\n",
    ] {
        let trial = Trial::new().with("a.example", answer.as_bytes());
        assert_eq!(codes(&trial), (Vec::new(), 1), "{answer}");
    }
}

#[test]
fn refusals_come_before_anything_is_written() {
    let trial = Trial::new().with("a.parquet", b"PAR1 is not enough");
    assert!(matches!(trial.try_run(), Err(SurveyError::Input(_))));
    assert!(!trial.survey.folder.exists());
    let trial = Trial::new().with("a.warc", b"");
    std::fs::create_dir_all(&trial.survey.folder).unwrap();
    std::fs::write(trial.survey.folder.join("notes.txt"), "mine").unwrap();
    let error = trial.try_run().unwrap_err().to_string();
    assert!(error.contains("notes.txt"), "{error}");
    let trial = Trial::new().with("archive", &member(ROBOTS));
    let error = trial.try_run().unwrap_err().to_string();
    assert!(error.contains("it is compressed"), "{error}");
}

/// Files that people have beside archives: none of them is a site.
#[test]
fn what_is_no_input_is_no_site() {
    let arc = b"filedesc://a.arc 0.0.0.0 20260102030405 text/plain 76\n1 0 Org\n";
    let index =
        b"com,example)/robots.txt 20260102030405 {\"url\": \"https://example.com/robots.txt\"}\n";
    let tar = [&[0; 257][..], b"ustar\x0000"].concat();
    let binary: [(&str, Vec<u8>); 10] = [
        ("a.tar", tar),
        ("a.warc.lz4", b"\x04\x22\x4d\x18\x64\x40\xa7".to_vec()),
        ("old.arc", arc.to_vec()),
        ("old.arc.gz", member(arc)),
        ("a.wacz", b"PK\x03\x04\x14\0".to_vec()),
        ("a.cdx", b" CDX N b a m s k r M S V g\n".to_vec()),
        ("a.cdxj", index.to_vec()),
        ("a.warc.xz", b"\xfd7zXZ\0".to_vec()),
        (
            "a.jsonl.zst",
            zstd::bulk::compress(b"{\"url\": \"x\"}\n", 1).unwrap(),
        ),
        ("example.com.gz", member(ROBOTS)),
    ];
    let text: [(&str, &[u8]); 4] = [
        ("SHA256SUMS", b"0123 a.warc.gz\n"),
        ("README.md", b"User-agent lists\n"),
        (
            "robotstxt.paths",
            b"crawl-data/CC-MAIN/robotstxt/a.warc.gz\n",
        ),
        ("index.html", b"<html>"),
    ];
    let mut trial = Trial::new().with("in/site.example", ROBOTS);
    for (name, bytes) in binary
        .iter()
        .map(|(name, bytes)| (*name, bytes.as_slice()))
        .chain(text)
    {
        trial = trial.with(&format!("in/{name}"), bytes);
    }
    let record = response(URL, "200 OK", ROBOTS);
    trial = trial.with("in/b.warc.gz.open", &member(&record));
    trial.survey.inputs = vec![trial.folder.path().join("in")];
    let (found, captures) = codes(&trial);
    assert_eq!((found, captures), (vec!["no-input".to_owned(); 14], 2));
    let hosts = trial.cells(Table::Files, "host");
    assert_eq!(hosts, ["a.example", "site.example"]);
    let sources = trial.cells(Table::Errors, "source");
    assert!(
        sources
            .iter()
            .any(|source| source.as_str().unwrap().ends_with("SHA256SUMS"))
    );
    for (name, bytes) in &binary {
        let error = Trial::new()
            .with(name, bytes)
            .try_run()
            .unwrap_err()
            .to_string();
        assert!(error.contains(name), "{error}");
    }
}

#[test]
fn damaged_frames_of_zstd_are_named() {
    let record = |host: &str| {
        response(
            &format!("https://{host}.example/robots.txt"),
            "200 OK",
            ROBOTS,
        )
    };
    let one = frames(&[record("a")], b"", false);
    let mut damaged = frames(&[record("b")], b"", false);
    let at = damaged.len() / 2;
    damaged[at..].fill(0xff);
    let trial = |bytes: &[&[u8]]| Trial::new().with("a.warc.zst", &bytes.concat());
    let after = trial(&[&one, &damaged, &one]);
    assert_eq!(codes(&after), (vec!["zstd-damaged".to_owned()], 2));
    let cut = trial(&[&one, &one[..one.len() - 5]]);
    assert_eq!(codes(&cut), (vec!["zstd-cut".to_owned()], 1));
    let none = trial(&[&skippable(0x50, b"x"), &one, &skippable(0x5f, b"")]);
    assert_eq!(codes(&none), (Vec::new(), 1));
    let huge = [&b"\x5d\x2a\x4d\x18"[..], &u32::MAX.to_le_bytes(), &one].concat();
    assert_eq!(codes(&trial(&[&huge])), (vec!["zstd-cut".to_owned()], 1));
}

#[test]
fn records_with_many_bytes_are_counted_in_full() {
    let body = [ROBOTS, &b"# filler\n".repeat(400_000)].concat();
    let trial = Trial::new().with("a.warc.gz", &member(&response(URL, "200 OK", &body)));
    assert_eq!(codes(&trial), (Vec::new(), 1));
    assert_eq!(trial.cells(Table::Files, "bytes"), [body.len()]);
    let whole = Trial::new().with("a.txt", &body);
    whole.run();
    assert_eq!(
        whole.cells(Table::Files, "digest"),
        trial.cells(Table::Files, "digest")
    );
    assert_eq!(trial.cells(Table::Files, "state"), ["cut"]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn no_damage_loses_a_record_uncounted(packing in 0..3, damage in proptest::collection::vec((0..2_000_usize, any::<u8>()), 0..6), cut in 0..2_000_usize) {
        let records = [response(URL, "200 OK", ROBOTS), response(URL, "301 Moved\r\nLocation: /x", b""), response(URL, "200 OK", b"<html>")];
        let (name, mut bytes) = match packing {
            0 => ("a.warc", records.concat()),
            1 => ("a.warc.gz", compressed(&records)),
            _ => ("a.warc.zst", frames(&records, ROBOTS, true)),
        };
        for (at, byte) in damage {
            if let Some(there) = bytes.get_mut(at) {
                *there = byte;
            }
        }
        bytes.truncate(bytes.len().saturating_sub(cut / 10));
        let trial = Trial::new().with(name, &bytes);
        // Bytes without the magic are taken for a plain archive.
        let (_, captures) = codes(&trial);
        prop_assert!(captures <= 3);
    }
}
