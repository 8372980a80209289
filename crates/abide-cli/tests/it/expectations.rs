//! `abide test`: output for people and for CI systems.

use crate::{EXAMPLE, Ran, abide};
use std::path::PathBuf;

/// A file of cases with this text.
fn cases(name: &str, text: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.toml"));
    std::fs::write(&path, text).unwrap();
    path
}

fn ran(cases: &std::path::Path, args: &[&str], stdin: &str) -> Ran {
    let file = cases.to_str().unwrap();
    let mut ran = abide(&[&["test", file], args].concat(), stdin.as_bytes());
    for text in [&mut ran.stdout, &mut ran.stderr] {
        *text = text
            .replace(file, "cases.toml")
            .replace(EXAMPLE, "robots.txt");
    }
    ran
}

const CASES: &str = r#"agent = "ExampleBot"

[[case]]
name = "this year is free"
url = "https://news.example/archive/2026/front.html"
crawl = "permitted"

[[case]]
name = "drafts & <b>\"notes\"</b> stay closed"
agents = ["Archiver", "*"]
url = "/drafts/1"
crawl = "prohibited"

[[case]]
url = "/archive/2026/x"
crawl = "prohibited"
header = ["Robots-Tag: *;noindex"]
index = "permitted"
"#;

#[test]
fn failures_are_explained() {
    let ran = ran(&cases("failures", CASES), &[EXAMPLE], "");
    insta::assert_snapshot!(format!("{}--- status {}", ran.stdout, ran.status));
    assert_eq!((ran.status, &*ran.stderr), (1, ""));
}

#[test]
fn all_well() {
    let text = CASES
        .split("[[case]]")
        .take(2)
        .collect::<Vec<_>>()
        .join("[[case]]");
    let ran = ran(&cases("well", &text), &["-"], "User-agent: *\nAllow: /\n");
    assert_eq!((ran.status, &*ran.stdout), (0, "1 passed, 0 failed (-)\n"));
}

#[test]
fn junit() {
    let ran = ran(&cases("junit", CASES), &[EXAMPLE, "--format", "junit"], "");
    insta::assert_snapshot!(ran.stdout);
    assert_eq!(ran.status, 1);
}

#[test]
fn json_fits_its_schema() {
    let ran = ran(&cases("json", CASES), &[EXAMPLE, "--format", "json"], "");
    let schema: serde_json::Value =
        serde_json::from_str(include_str!("../../../../schema/test.json")).unwrap();
    let value = serde_json::from_str(&ran.stdout).unwrap();
    assert!(jsonschema::validator_for(&schema).unwrap().is_valid(&value));
    insta::assert_snapshot!(ran.stdout);
}

#[test]
fn a_bad_file_of_cases_is_told_line_by_line() {
    let text = "[[case]]\nagnet = \"f\"\nurl = \"x\"\ncrawl = \"allowed\"\n\n[[case]]\nagent = \"f\"\nurl = \"/\"\n";
    let ran = ran(&cases("bad", text), &[EXAMPLE], "");
    assert_eq!((ran.status, &*ran.stdout), (2, ""));
    insta::assert_snapshot!(ran.stderr);
}

#[test]
fn what_init_writes_passes() {
    let made = abide(&["test", "--init", EXAMPLE], b"");
    assert_eq!((made.status, &*made.stderr), (0, ""));
    insta::assert_snapshot!(made.stdout.replace(EXAMPLE, "robots.txt"));
    let ran = ran(&cases("init", &made.stdout), &[EXAMPLE], "");
    assert_eq!(
        (ran.status, &*ran.stdout),
        (0, "14 passed, 0 failed (robots.txt)\n")
    );
    let acap = abide(
        &["test", "--init", "-"],
        include_bytes!("../../../../docs/examples/acap.txt"),
    );
    insta::assert_snapshot!(acap.stdout);
}

#[test]
fn mistakes_in_the_call() {
    let file = cases("call", CASES);
    let file = file.to_str().unwrap();
    for (args, complaint) in [
        (&["no-such-file", EXAMPLE][..], "--init writes one"),
        (&[file, "no-such-file"], "cannot read no-such-file"),
        (&[file], "required"),
        (&["--init", "no-such-file"], "cannot read no-such-file"),
        (&["--init", EXAMPLE, file], "cannot be used with"),
        (&[file, "."], "it is a directory"),
    ] {
        let ran = abide(&[&["test"], args].concat(), b"");
        assert_eq!((ran.status, &*ran.stdout), (2, ""), "{args:?}");
        assert!(ran.stderr.contains(complaint), "{}", ran.stderr);
    }
    let binary = cases("binary", "");
    std::fs::write(&binary, b"\xff\xfe").unwrap();
    let ran = abide(&["test", binary.to_str().unwrap(), EXAMPLE], b"");
    assert!(
        ran.status == 2 && ran.stderr.contains("utf-8"),
        "{}",
        ran.stderr
    );
}
