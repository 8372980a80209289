//! `abide explain`: the text output, view by view.

use crate::{EXAMPLE, Ran, abide};
use std::path::PathBuf;
use std::process::{Command, Stdio};

fn ran(args: &[&str], stdin: &str) -> Ran {
    abide(&[&["explain"], args].concat(), stdin.as_bytes())
}

fn output_of(args: &[&str], stdin: &str) -> String {
    ran(args, stdin).told()
}

#[test]
fn the_whole_file_for_a_robot_without_a_group() {
    insta::assert_snapshot!(output_of(&[EXAMPLE, "--agent", "ExampleBot"], ""));
}

#[test]
fn the_whole_file_for_a_purpose() {
    insta::assert_snapshot!(output_of(
        &[EXAMPLE, "-a", "ExampleBot", "-p", "EXAMPLE-PURPOSE-1"],
        ""
    ));
}

#[test]
fn one_page_and_the_lines_round_what_matters() {
    insta::assert_snapshot!(output_of(
        &[EXAMPLE, "/archive/2026/front.html", "-a", "Archiver"],
        ""
    ));
}

#[test]
fn several_pages_are_numbered() {
    insta::assert_snapshot!(output_of(
        &[
            EXAMPLE,
            "https://news.example/archive/2026/front.html",
            "https://me:secret@news.example/about",
            "--agent",
            "ExampleBot"
        ],
        ""
    ));
}

#[test]
fn every_line_with_all() {
    let shown = output_of(&[EXAMPLE, "/search", "-a", "ExampleBot", "--all"], "");
    assert!(
        shown.contains("|  19  Sitemap:") && !shown.contains('…'),
        "{shown}"
    );
    insta::assert_snapshot!(shown);
}

const ODD: &str = "Disallow: /early\nUser-agent: f\nDisallow:\nDisallow: foo\nCrawl-delay: 1\nCrawl-delay: 5\nHost: x\n\
    <html>\nAllow: /a\nDisallow: /a\nDisallow: /*a\nUser-agent: *\nDisallow: /a\n";

#[test]
fn lines_without_effect_and_rules_that_lose() {
    insta::assert_snapshot!(output_of(&["-", "-a", "f"], ODD));
    insta::assert_snapshot!(output_of(&["-", "/ab", "/a", "-a", "f"], ODD));
}

const ACAP: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/examples/acap.txt");

#[test]
fn acap_records_and_robots_tags() {
    let args = [
        ACAP,
        "https://news.example/news/1",
        "--agent",
        "ExampleSearch",
        "--header",
        "Robots-Tag: *;noindex, Foo;nosnippet",
        "--now",
        "2026-11-20T00:00:00Z",
    ];
    insta::assert_snapshot!(output_of(&args, "").replace(ACAP, "acap.txt"));
}

#[test]
fn permissions_that_the_file_refers_to() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("x.txt");
    std::fs::write(&file, "ACAP-crawler: *\nACAP-disallow-index: /x\n").unwrap();
    let reference = format!("/f.txt={}", file.to_str().unwrap());
    let robots = "User-agent: *\nDisallow:\nACAP-crawler: f\nACAP-permissions-reference: /f.txt\n";
    insta::assert_snapshot!(output_of(
        &[
            "-",
            "https://e.example/x",
            "-a",
            "f",
            "--reference",
            &reference
        ],
        robots
    ));
    insta::assert_snapshot!(output_of(&["-", "https://e.example/x", "-a", "f"], robots));
}

#[test]
fn applications() {
    let robots = "User-agent: *\nApp-Directives: /news/ examplesearch;train=?0\nApp-Directives: examplesearch;boxes\n\
        App-Directives: other;x\n";
    insta::assert_snapshot!(output_of(
        &["-", "/news/1", "-a", "f", "--application", "examplesearch"],
        robots
    ));
}

#[test]
fn foreign_text_is_visible_and_long_lines_are_cut() {
    let robots = format!(
        "User-agent: f\nDisallow: /\u{202e}x\u{1b}[2J\nDisallow: /{}\n",
        "long/".repeat(40)
    );
    let shown = output_of(&["-", "-a", "f"], &robots);
    assert!(!shown.contains(['\u{1b}', '\u{202e}']));
    assert!(
        shown
            .lines()
            .take_while(|line| !line.starts_with("---"))
            .all(|line| line.chars().count() <= 80)
    );
    insta::assert_snapshot!(shown.split("--- stderr").next().unwrap().to_owned());
}

/// Styles dim and colour the view, and add no information beyond the gutter.
#[test]
fn styles_only_add_to_what_the_gutter_says() {
    let args = [
        "explain",
        EXAMPLE,
        "/archive/2026/x",
        "/search",
        "-a",
        "ExampleBot",
    ];
    let styled = Command::new(env!("CARGO_BIN_EXE_abide"))
        .args(args)
        .env_remove("NO_COLOR")
        .env("CLICOLOR_FORCE", "1")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let styled = String::from_utf8(styled.stdout).unwrap();
    assert!(
        styled.contains("\u{1b}[2m")
            && styled.contains("\u{1b}[1m\u{1b}[32m")
            && styled.contains("\u{1b}[31m")
    );
    let plain: String = styled
        .split("\u{1b}[")
        .enumerate()
        .map(|(at, part)| match part.split_once('m') {
            Some((_, rest)) if at > 0 => rest,
            _ => part,
        })
        .collect();
    assert_eq!(plain, abide(&args, b"").stdout);
    insta::assert_snapshot!(styled.replace(EXAMPLE, "robots.txt").replace('\u{1b}', "␛"));
}

const URLS: &str = "/archive/2026/x\n/archive/1\r\n\n/archive/2026/y\n/x?print=1\n/about\n";

#[test]
fn many_urls_are_counted() {
    insta::assert_snapshot!(output_of(
        &[EXAMPLE, "--urls", "-", "-a", "ExampleBot"],
        URLS
    ));
    let many: Vec<String> = (0..9).map(|at| format!("/archive/{at}")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    let shown = output_of(&[&[EXAMPLE], &many[..], &["-a", "ExampleBot"]].concat(), "");
    assert!(shown.contains("9 URLs: 9 disallowed"), "{shown}");
}

#[test]
fn a_url_that_cannot_be_read_is_told_of_and_the_run_goes_on() {
    let long = "x".repeat(9_000);
    let urls = format!("/a\nfoo\n/{long}\n\u{1b}[2J\nhttps:///\n/b\n");
    let ran = ran(&[EXAMPLE, "--urls", "-", "-a", "ExampleBot"], &urls);
    assert_eq!(ran.status, 2);
    assert!(ran.stdout.contains("2 URLs: 2 allowed"), "{}", ran.stdout);
    insta::assert_snapshot!(ran.stderr);
}

/// Reads a hundred thousand URLs and keeps nothing of them except the witnesses.
#[test]
fn a_stream_of_urls() {
    let urls: String = (0..100_000).map(|at| format!("/archive/{at}\n")).collect();
    let ran = ran(
        &[
            EXAMPLE,
            "--urls",
            "-",
            "-a",
            "ExampleBot",
            "--format",
            "json",
        ],
        &urls,
    );
    let json: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(json["tally"]["pages"], 100_000);
    assert_eq!(json["tally"]["lines"][0]["witness"], "/archive/0");
    assert_eq!(ran.status, 0);
}

/// Runs the command and checks its JSON against the published schema.
fn json(args: &[&str], stdin: &str) -> String {
    let ran = ran(&[args, &["--format", "json"]].concat(), stdin);
    let schema: serde_json::Value =
        serde_json::from_str(include_str!("../../../../schema/explain.json")).unwrap();
    let value = serde_json::from_str(&ran.stdout).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let errors: Vec<_> = validator
        .iter_errors(&value)
        .map(|error| error.to_string())
        .collect();
    assert!(errors.is_empty(), "{}: {errors:?}", ran.stdout);
    ran.stdout
}

#[test]
fn json_fits_its_schema() {
    let robots = "User-agent: f\nDisallow: /x\nDisallow:\nUser-agent: *\nDisallow: /\n";
    insta::assert_snapshot!(json(
        &["-", "/x", "-a", "f", "-H", "Robots-Tag: *;noindex"],
        robots
    ));
    json(&["-", "-a", "f"], robots);
    json(&[ACAP, "/news/1", "-a", "ExampleSearch"], "");
    json(&[EXAMPLE, "--urls", "-", "-a", "ExampleBot"], URLS);
}

#[test]
fn mistakes_in_the_call() {
    for (args, complaint) in [
        (&["no-such-file", "-a", "f"][..], "cannot read no-such-file"),
        (
            &["-", "--urls", "-", "-a", "f"],
            "cannot both come from stdin",
        ),
        (
            &["-", "foo", "-a", "f"],
            "cannot read the URL foo: the URL has no scheme",
        ),
        (
            &["-", "/x", "--urls", "x", "-a", "f"],
            "cannot be used with",
        ),
        (
            &[EXAMPLE, "--urls", "no-such-file", "-a", "f"],
            "--urls takes a file of URLs",
        ),
        (&[EXAMPLE, "--urls", ".", "-a", "f"], "it is a directory"),
        (&[EXAMPLE, "-a", "f9"], "f9 is not a valid robot name"),
        (&[EXAMPLE, "-a", "@serach"], "unknown set @serach of robots"),
        (&[EXAMPLE, "-a", "f", "--width", "7"], "7 is not in 30.."),
    ] {
        let ran = ran(args, "User-agent: *\n");
        assert_eq!((ran.status, &*ran.stdout), (2, ""), "{args:?}");
        assert!(ran.stderr.contains(complaint), "{}", ran.stderr);
    }
}

#[test]
fn an_empty_file() {
    insta::assert_snapshot!(output_of(&["-", "-a", "f"], ""));
}

const SEVERAL: &str = "User-agent: Googlebot\nDisallow: /g\n\nUser-agent: GPTBot\nUser-agent: CCBot\nDisallow: /\n\nUser-agent: *\n\
    Disallow: /private/\nAllow: /private/x\n";

#[test]
fn several_robots_have_an_answer_each() {
    let robots = "Googlebot,Googlebot-News,GPTBot,CCBot,AdsBot-Google,ChatGPT-User,*";
    insta::assert_snapshot!(output_of(&["-", "-a", robots], SEVERAL));
    insta::assert_snapshot!(output_of(
        &["-", "/private/x", "/a/../g", "-a", robots],
        SEVERAL
    ));
    let literal = output_of(
        &["-", "-a", "Googlebot-News,AdsBot-Google", "--literal"],
        SEVERAL,
    );
    assert!(
        literal.contains("Googlebot-News and AdsBot-Google may"),
        "{literal}"
    );
    let all = output_of(&["-", "-a", "GPTBot", "-a", "*", "--all"], SEVERAL);
    assert!(
        all.contains("stdin as GPTBot reads it")
            && all.contains("stdin as any other robot reads it"),
        "{all}"
    );
}

#[test]
fn robots_as_people_name_them() {
    let first = |robot: &str, robots: &str| {
        let output = output_of(&["-", "-a", robot, "--width", "100"], robots);
        output.lines().next().unwrap().to_owned()
    };
    for (robot, expected) in [
        (
            "*",
            "Any robot without its own group may crawl everything except 1 pattern, with 1 exception.",
        ),
        ("NewsBot>CCBot", "NewsBot may crawl nothing on this site."),
        ("ccbot", "ccbot may crawl nothing on this site."),
        (
            "Mozilla/5.0 (compatible; GPTBot/1.2)",
            "Mozilla/5.0 (compatible; GPTBot/1.2)",
        ),
    ] {
        assert_eq!(first(robot, SEVERAL), expected);
    }
    let own = "User-agent: My9Bot\nDisallow: /\n";
    assert_eq!(
        first("My9Bot", own),
        "My9Bot may crawl nothing on this site."
    );
    let set = output_of(&["-", "/", "-a", "@ai-training"], SEVERAL);
    assert!(set.contains("GPTBot") && set.contains("CCBot"), "{set}");
}

#[test]
fn the_width_is_kept() {
    for width in [30, 60, 80, 120] {
        let columns = width.to_string();
        for args in [
            &["-", "/private/x", "-a", "f"][..],
            &["-", "-a", "GPTBot,*,Googlebot-News"],
            &["-", "-a", "GPTBot"],
        ] {
            let ran = ran(&[args, &["--width", &columns]].concat(), SEVERAL);
            let longest = ran.stdout.lines().map(|line| line.chars().count()).max();
            assert!(longest <= Some(width), "{width}: {}", ran.stdout);
        }
    }
}

#[test]
fn several_robots_in_json_and_in_counts() {
    json(&["-", "/x", "-a", "GPTBot,*,Googlebot-News"], SEVERAL);
    let text = json(&["-", "/a/../b", "-a", "*"], SEVERAL);
    assert!(text.contains("[url-not-as-sent]"), "{text}");
    insta::assert_snapshot!(output_of(
        &[EXAMPLE, "--urls", "-", "-a", "ExampleBot,Archiver"],
        URLS
    ));
}

const PREFERENCES: &str = "License: https://e.example/license.xml\nUser-agent: *\n\
    Content-Usage: train-ai=n, search=y\nContent-Signal: search=yes, ai-train=no\n\
    Content-Signal: /open/ ai-train=yes\nContent-Signal: ai-train=maybe\nDisallow: /drafts/\n\n\
    User-agent: GPTBot\nContent-Signal: ai-input=yes\nAllow: /\n\n\
    User-agent: Google-Extended\nDisallow: /open/\n";

#[test]
fn preferences_of_the_site() {
    insta::assert_snapshot!(output_of(&["-", "-a", "Googlebot"], PREFERENCES));
    insta::assert_snapshot!(output_of(&["-", "-a", "GPTBot"], PREFERENCES));
    insta::assert_snapshot!(output_of(
        &["-", "-a", "Googlebot,GPTBot,CCBot,*"],
        PREFERENCES
    ));
}

#[test]
fn preferences_of_pages() {
    insta::assert_snapshot!(output_of(
        &["-", "/open/1", "/drafts/1", "-a", "Googlebot"],
        PREFERENCES
    ));
    let args = ["-", "/x", "-a", "ExampleBot"];
    let fields = ["-H", "Content-Usage: ai-use=n", "-H", "X-Robots-Tag: noai"];
    insta::assert_snapshot!(output_of(
        &[&args[..], &fields].concat(),
        "User-agent: *\nAllow: /\n"
    ));
}

#[test]
fn preferences_in_json() {
    insta::assert_snapshot!(json(&["-", "-a", "Googlebot"], PREFERENCES));
    let page = json(&["-", "/open/1", "-a", "Googlebot"], PREFERENCES);
    assert!(page.contains("\"vocabulary\": \"control-token\""), "{page}");
    json(
        &["-", "/x", "-a", "f", "-H", "Content-Usage: ai-use=n"],
        "User-agent: *\nAllow: /\n",
    );
    // A file without preferences says nothing about them.
    let plain = json(
        &["-", "/x", "-a", "Googlebot"],
        "User-agent: *\nDisallow: /\n",
    );
    assert!(!plain.contains("train"), "{plain}");
}

#[test]
fn pref_4_options_are_those_of_check() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("explain-options");
    std::fs::create_dir_all(&folder).unwrap();
    let tdmrep = folder.join("tdmrep.json");
    std::fs::write(&tdmrep, r#"[{"location":"/x","tdm-reservation":1}]"#).unwrap();
    let tdmrep = tdmrep.to_str().unwrap();
    let robots = "User-agent: *\nContent-Usage: train-ai=n\nContent-Signal: ai-train=yes\n";
    let training = |args: &[&str]| {
        let args = [&["-", "https://e.example/x", "-a", "f"], args].concat();
        let output = output_of(&args, robots);
        let line = output.lines().find(|line| line.starts_with("Training:"));
        line.unwrap().to_owned()
    };
    assert_eq!(
        training(&[]),
        "Training: disallowed by line 2 (Content-Usage)."
    );
    assert_eq!(
        training(&["--vocabulary", "content-signal"]),
        "Training: allowed by line 3 (Content-Signal)."
    );
    let by_file = training(&["--vocabulary", "tdmrep", "--tdmrep", tdmrep]);
    assert!(
        by_file.starts_with("Training: disallowed by rule 1 of"),
        "{by_file}"
    );
    // Documents say something about pages alone.
    let ran = ran(&["-", "-a", "f", "--tdmrep", tdmrep], robots);
    assert_eq!(ran.status, 2);
    assert!(
        ran.stderr.contains("--tdmrep and --rsl are about pages"),
        "{}",
        ran.stderr
    );
}

const PURPOSES: &str = "User-Agent-Purpose: AI-TRAINING\nDisallow: /\n\n\
                        User-Agent-Purpose: search\nDisallow: /tmp/\n\nUser-agent: *\nAllow: /\n";

/// The answer says what groups for purposes ask, whoever reads the file: in the words of the
/// matrix.
#[test]
fn groups_for_purposes_are_told() {
    let told = [
        "Robots that claim the purpose AI-TRAINING may not crawl the site (line 1).",
        "Robots that claim the purpose search may crawl parts of the site (line 4).",
        "Such a group is not for a robot that another group names; no known robot is documented to \
         claim a purpose.",
    ];
    for args in [
        &["-a", "GPTBot"][..],
        &["-a", "GPTBot,CCBot"],
        &["/x", "-a", "GPTBot"],
    ] {
        let args = [&["-"], args, &["--width", "600"]].concat();
        let shown = output_of(&args, PURPOSES);
        assert_eq!(shown.matches(&told.join(" ")).count(), 1, "{shown}");
    }
    let json = |args: &[&str]| {
        let ran = ran(
            &[&["-", "-a", "GPTBot", "--format", "json"], args].concat(),
            PURPOSES,
        );
        serde_json::from_str::<serde_json::Value>(&ran.stdout).unwrap()
    };
    assert_eq!(json(&[])["purposes"], serde_json::json!(told));
    let matrix = abide(
        &["matrix", "-", "-a", "GPTBot", "--format", "json"],
        PURPOSES.as_bytes(),
    );
    let matrix: serde_json::Value = serde_json::from_str(&matrix.stdout).unwrap();
    assert_eq!(json(&[])["purposes"], matrix["notes"]);
    // There are no purposes in these readings.
    for reading in ["unknown", "user-agent"] {
        let reading = format!("AMB-PUR-3={reading}");
        assert_eq!(
            json(&["--reading", &reading])["purposes"],
            serde_json::Value::Null
        );
    }
    let without = ran(&["-", "-a", "GPTBot"], "User-agent: *\nDisallow: /\n");
    assert!(!without.stdout.contains("purpose"), "{}", without.stdout);
}
