//! The digests of archives, which are checked on request.

use crate::archive::{compressed, frames, record, response};
use crate::{ROBOTS, Trial};
use abide_survey::schema::Table;
use ring::digest::{Algorithm, SHA1_FOR_LEGACY_USE_ONLY, SHA256, digest};
use std::collections::BTreeMap;

fn base16(of: &'static Algorithm, bytes: &[u8]) -> String {
    let digest = digest(of, bytes);
    digest
        .as_ref()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

/// A digest in the spelling of most writers.
fn sha1(bytes: &[u8]) -> String {
    let digest = digest(&SHA1_FOR_LEGACY_USE_ONLY, bytes);
    let digits: String = digest
        .as_ref()
        .iter()
        .map(|byte| format!("{byte:08b}"))
        .collect();
    let digit = |bits: &[u8]| {
        let value = usize::from_str_radix(std::str::from_utf8(bits).unwrap(), 2).unwrap();
        char::from(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"[value])
    };
    format!(
        "sha1:{}",
        digits.as_bytes().chunks(5).map(digit).collect::<String>()
    )
}

/// A response with the digests of its block and of its payload.
fn with_digests(site: &str, head: &str, body: &[u8], payload: &str) -> Vec<u8> {
    let content = [format!("HTTP/1.1 {head}\r\n\r\n").as_bytes(), body].concat();
    let block = format!("sha256:{}", base16(&SHA256, &content));
    let fields = [
        ("WARC-Block-Digest", block.as_str()),
        ("WARC-Payload-Digest", payload),
    ];
    record("response", &url(site), &fields, &content)
}

fn url(site: &str) -> String {
    format!("https://{site}.example/robots.txt")
}

fn trial(name: &str, archive: &[u8]) -> Trial {
    let mut trial = Trial::new().with(name, archive);
    trial.survey.options.verify = true;
    trial
}

#[test]
fn damage_is_found_in_every_kind_of_archive() {
    let long = [ROBOTS, &b"# a long line\n".repeat(200_000)].concat();
    let right: Vec<Vec<u8>> = [("a", ROBOTS), ("b", ROBOTS), ("c", long.as_slice())]
        .iter()
        .map(|(site, body)| with_digests(site, "200 OK", body, &sha1(body)))
        .collect();
    for at in [1, 2] {
        let mut records = right.clone();
        let end = records[at].len() - 10;
        records[at][end] ^= 1;
        for (name, archive) in [
            ("a.warc", records.concat()),
            ("a.warc.gz", compressed(&records)),
            ("a.warc.zst", frames(&records, &[], false)),
        ] {
            let trial = trial(name, &archive);
            let summary = trial.run();
            assert_eq!((summary.captures, summary.verified), (3, 2), "{name}");
            assert_eq!(
                summary.noted,
                BTreeMap::from([("digest".to_owned(), 1)]),
                "{name}"
            );
            let errors = trial.rows(Table::Errors);
            let files = trial.rows(Table::Files);
            assert_eq!(errors.len(), 1, "{name}");
            for column in ["source", "offset", "length", "url"] {
                assert_eq!(errors[0][column], files[at][column], "{name} {column}");
            }
            assert_eq!(errors[0]["code"], "digest");
            let message = errors[0]["message"].as_str().unwrap();
            let fields = "WARC-Block-Digest and WARC-Payload-Digest";
            assert!(message.contains(fields), "{message}");
            // Only on request.
            let quiet = Trial::new().with(name, &archive);
            let summary = quiet.run();
            assert_eq!((summary.verified, summary.noted.len()), (0, 0), "{name}");
        }
    }
}

/// Writers differ about what the payload of a chunked body is, and a revisit record has that of
/// another record.
#[test]
fn what_is_right_is_not_reported() {
    let chunked = [
        format!("{:x}\r\n", ROBOTS.len()).as_bytes(),
        ROBOTS,
        b"\r\n0\r\n\r\n",
    ]
    .concat();
    let head = "200 OK\r\nTransfer-Encoding: chunked";
    let payload = sha1(ROBOTS);
    let fields = [("WARC-Payload-Digest", payload.as_str())];
    let archive = [
        with_digests("a", head, &chunked, &payload),
        with_digests("b", head, &chunked, &sha1(&chunked)),
        record("revisit", &url("c"), &fields, b"HTTP/1.1 200 OK\r\n\r\n"),
        record("resource", &url("d"), &fields, ROBOTS),
    ];
    let trial = trial("a.warc", &archive.concat());
    let summary = trial.run();
    assert_eq!((summary.captures, summary.verified), (4, 3));
    assert_eq!(
        summary.not_verified,
        BTreeMap::from([("no digest".to_owned(), 1)])
    );
    assert!(trial.rows(Table::Errors).is_empty());
}

/// An algorithm that abide does not know is counted, and is no row for each record.
#[test]
fn other_algorithms_are_counted() {
    let other = |number: usize, algorithm: &str| {
        let fields = [("WARC-Payload-Digest", algorithm)];
        record(
            "response",
            &url(&format!("s{number}")),
            &fields,
            b"HTTP/1.1 200 OK\r\n\r\n",
        )
    };
    let mut records: Vec<_> = (0..40).map(|number| other(number, "BLAKE3:00")).collect();
    records.extend((40..90).map(|number| other(number, &format!("made-up-{number}:00"))));
    records.push(response(&url("none"), "200 OK", ROBOTS));
    let trial = trial("a.warc.gz", &compressed(&records));
    let summary = trial.run();
    assert_eq!((summary.captures, summary.verified), (91, 0));
    assert_eq!(summary.not_verified["blake3"], 40);
    assert_eq!(summary.not_verified.values().sum::<u64>(), 91);
    assert!(
        summary.not_verified.len() <= 17,
        "{:?}",
        summary.not_verified
    );
    assert!(trial.rows(Table::Errors).is_empty());
}
