//! `abide test`: output for people and for CI systems.

use crate::{EXAMPLE, Ran, abide, abide_in};
use std::path::PathBuf;

/// A file of cases with this text.
fn cases(name: &str, text: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.toml"));
    std::fs::write(&path, text).unwrap();
    path
}

/// Runs the command in the folder of the cases: text is wrapped by the length of their name.
fn ran(cases: &std::path::Path, args: &[&str], stdin: &str) -> Ran {
    let file = cases.file_name().unwrap().to_str().unwrap();
    let args = [&["test", file], args].concat();
    let mut ran = abide_in(cases.parent().unwrap(), &args, stdin.as_bytes());
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
    let text = "[[case]]\nagnet = \"f\"\nurl = \"x\"\ncrawl = \"allow\"\n\n[[case]]\nagent = \"f\"\nurl = \"/\"\n";
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
        (0, "9 passed, 0 failed (robots.txt)\n")
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
        (&[file], "found no robots.txt beside"),
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

/// One mistake in the file is one block, however many checks fail because of it.
#[test]
fn one_cause_is_one_block() {
    let made = abide(&["test", "--init", EXAMPLE], b"").stdout;
    let ran = ran(
        &cases("staging", &made),
        &["-"],
        "User-agent: *\nDisallow: /\n",
    );
    let blocks = ran.stdout.matches("FAILED").count();
    assert_eq!((ran.status, blocks), (1, 1), "{}", ran.stdout);
    assert!(!ran.stdout.contains("unnamed-robot"));
    insta::assert_snapshot!(ran.stdout);
}

#[test]
fn a_single_failure_is_one_line() {
    let text = "[[case]]\nagent = \"*\"\nurl = \"/sv\"\ncrawl = \"allowed\"\n";
    let ran = ran(
        &cases("single", text),
        &["-"],
        "User-agent: *\nDisallow: /\n",
    );
    assert!(
        ran.stdout.starts_with(
            "FAILED any other robot, /sv: expected allowed, got disallowed (line 2: `Disallow: /`)\n"
        ),
        "{}",
        ran.stdout
    );
}

/// Sets, lists, orders of preference, `User-Agent` lines and names that only the file has.
#[test]
fn robots_as_people_name_them() {
    let text = r#"
        [[case]]
        name = "training"
        agents = ["@ai-training", "NewsBot>Bot", "Mozilla/5.0 (compatible; bingbot/2.0)", "My9Bot", "*", "Googlebot-News"]
        url = "/x"
        crawl = "disallowed"
        "#;
    let robots = "User-agent: *\nDisallow: /\nUser-agent: Bot\nUser-agent: bingbot\nUser-agent: My9Bot\nAllow: /\nUser-agent: Googlebot\nAllow: /\n";
    let file = cases("robots", text);
    insta::assert_snapshot!(ran(&file, &["-"], robots).stdout);
    let literal = ran(&file, &["-", "--literal"], robots).stdout;
    assert!(!literal.contains("Googlebot-News"), "{literal}");
}

#[test]
fn an_unknown_robot_is_a_mistake() {
    let text = "[[case]]\nagent = \"GPTBoot\"\nurl = \"/x\"\ncrawl = \"disallowed\"\n";
    let ran = ran(&cases("unknown", text), &[EXAMPLE], "");
    assert_eq!(ran.status, 2);
    assert_eq!(
        ran.stderr,
        "error: in cases.toml: line 2: agent: no known robot is called \"GPTBoot\", and no group of the robots.txt names it; \
         did you mean GPTBot? If the name is right, write literal = true\n"
    );
}

#[test]
fn a_url_that_clients_do_not_send_is_a_warning() {
    let text = "[[case]]\nagent = \"*\"\nurl = \"/a/../b\"\ncrawl = \"allowed\"\n";
    let ran = ran(&cases("sent", text), &[EXAMPLE], "");
    assert_eq!(ran.status, 0);
    assert!(
        ran.stdout.starts_with("warning Web clients send"),
        "{}",
        ran.stdout
    );
    assert!(ran.stdout.contains("[url-not-as-sent]") && ran.stdout.contains("cases.toml, line 1"));
}

/// Runs `abide test` in a folder with these files.
fn in_folder(files: &[(&str, &str)], args: &[&str]) -> Ran {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_abide"))
        .arg("test")
        .args(args)
        .current_dir(folder.path())
        .output()
        .unwrap();
    Ran {
        status: output.status.code().unwrap(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

const OPEN: &str = "User-agent: *\nAllow: /\n";
const ONE: &str = "[[case]]\nagent = \"*\"\nurl = \"/\"\ncrawl = \"allowed\"\n";

#[test]
fn files_in_the_usual_places() {
    for (files, args, expected) in [
        (
            &[("robots.txt", OPEN), ("robots.test.toml", ONE)][..],
            &[][..],
            "1 passed, 0 failed (robots.txt)\n",
        ),
        (
            &[
                ("robots.txt", OPEN),
                ("public/robots.txt", OPEN),
                ("public/robots.test.toml", ONE),
            ],
            &[],
            "1 passed, 0 failed (public/robots.txt)\n",
        ),
        (
            &[("a/robots.txt", OPEN), ("a/all.toml", ONE)],
            &["a/all.toml"],
            "1 passed, 0 failed (a/robots.txt)\n",
        ),
        (
            &[("a/staging.txt", OPEN), ("a/staging.test.toml", ONE)],
            &["a/staging.txt"],
            "1 passed, 0 failed (a/staging.txt)\n",
        ),
    ] {
        let ran = in_folder(files, args);
        assert_eq!(
            (ran.status, &*ran.stdout),
            (0, expected),
            "{args:?} {}",
            ran.stderr
        );
    }
}

#[test]
fn files_that_are_missing_or_swapped() {
    for (files, args, complaint) in [
        (
            &[][..],
            &[][..],
            "found no robots.txt with robots.test.toml beside it in the current folder or in public",
        ),
        (
            &[("static/robots.txt", OPEN)],
            &[],
            "found static/robots.txt, but no robots.test.toml beside it; abide test --init static/robots.txt writes one",
        ),
        (
            &[("a.txt", OPEN)],
            &["a.txt"],
            "found no file of cases beside a.txt; name it: abide test CASES a.txt",
        ),
        (
            &[("robots.txt", OPEN), ("cases.toml", ONE)],
            &["robots.txt", "cases.toml"],
            "cases.toml is the file of cases, and robots.txt is not; write: abide test cases.toml robots.txt",
        ),
        (
            &[("robots.txt", ""), ("cases", ONE)],
            &["robots.txt", "cases"],
            "write: abide test cases robots.txt",
        ),
    ] {
        let ran = in_folder(files, args);
        assert_eq!((ran.status, &*ran.stdout), (2, ""), "{args:?}");
        assert!(ran.stderr.contains(complaint), "{}", ran.stderr);
    }
}

#[test]
fn preferences_that_changed() {
    let text = "[[case]]\nagents = [\"Googlebot\", \"*\"]\nurl = \"/\"\ntrain = \"disallowed\"\nai-input = \"no preference\"\n";
    let robots = "User-agent: *\nContent-Signal: ai-train=yes\nAllow: /\nUser-agent: Google-Extended\nDisallow: /\n";
    let ran = ran(&cases("preferences", text), &["-"], robots);
    insta::assert_snapshot!(ran.stdout);
    assert_eq!(ran.status, 1);
    let cases = cases("preferences", text);
    let json = abide(
        &["test", cases.to_str().unwrap(), "-", "--format", "json"],
        robots.as_bytes(),
    );
    let schema: serde_json::Value =
        serde_json::from_str(include_str!("../../../../schema/test.json")).unwrap();
    let value: serde_json::Value = serde_json::from_str(&json.stdout).unwrap();
    assert!(jsonschema::validator_for(&schema).unwrap().is_valid(&value));
    assert!(
        json.stdout.contains("\"vocabulary\": \"control-token\""),
        "{}",
        json.stdout
    );
}

#[test]
fn preferences_of_documents() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let rsl = "<rsl xmlns=\"https://rslstandard.org/rsl\"><content url=\"https://e.example/\"><license>\
        <prohibits type=\"usage\">ai-train</prohibits></license></content></rsl>";
    let rsl = format!("https://l.example/a.xml={}", path("a.xml", rsl));
    let tdmrep = path(
        "tdmrep.json",
        r#"[{"location": "/", "tdm-reservation": 1}]"#,
    );
    let robots = "License: https://l.example/a.xml\nUser-agent: *\nContent-Usage: ai-use=n\n";
    let case = "agent = \"ExampleBot\"\n[[case]]\nurl = \"https://e.example/x\"\n";
    let status = |expected: &str, args: &[&str]| {
        let cases = cases("documents", &format!("{case}{expected}\n"));
        let ran = ran(&cases, &[&["-"], args].concat(), robots);
        (ran.status, ran.stderr)
    };
    let fine = (0, String::new());
    let unknown = "expect = { train = \"unknown\", ai-input = \"disallowed\" }";
    assert_eq!(status(unknown, &[]), fine);
    let licensed = "expect = { train = \"disallowed\", ai-input = \"disallowed\" }";
    assert_eq!(status(licensed, &["--rsl", &rsl]), fine);
    let stated = "expect = { train = \"no preference\", ai-input = \"disallowed\" }";
    assert_eq!(status(stated, &["--vocabulary", "content-usage"]), fine);
    let seven = ["--vocabulary", "content-usage", "--revision", "07"];
    assert_eq!(status("ai-input = \"no preference\"", &seven), fine);
    let reserved = ["--vocabulary", "tdmrep", "--tdmrep", &tdmrep];
    assert_eq!(status("ai-input = \"disallowed\"", &reserved), fine);

    let path = "[[case]]\nurl = \"/x\"\ntrain = \"no preference\"";
    let (passed, warning) = status(&format!("{licensed}\n{path}"), &["--rsl", &rsl]);
    assert_eq!(passed, 0, "{warning}");
    assert!(
        warning.contains("name the pages of the cases by whole URLs"),
        "{warning}"
    );
    let (refused, error) = status("crawl = \"allowed\"", &["--rsl", &rsl]);
    assert_eq!(refused, 2, "{error}");
    assert!(error.contains("no case expects anything"), "{error}");
    let ran = abide(
        &["test", "--init", "-", "--revision", "07"],
        robots.as_bytes(),
    );
    assert_eq!(ran.status, 2, "{}", ran.told());
}
