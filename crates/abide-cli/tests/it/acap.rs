//! ACAP on the command line.

use crate::abide;
use std::path::Path;

const NEWS: &str = "https://news.example/news/1";

/// The example file of the guide.
fn example() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/examples/acap.txt");
    path.to_str().unwrap().to_owned()
}

/// The file printed in the specification's overview, with the name of its set misspelt.
const OVERVIEW: &str = "##ACAP version=1.0\nUser-agent: *\nDisallow: /\n\nUser-agent: named-crawler\n\
    Allow: /index.html\nAllow: /public/\nAllow: /promotion/\nAllow: /news/\n\n\
    # ACAP-ignore-conventional-records\n\
    ACAP-resource-set: crawlable /public/ /promotion/ /news/\n\
    ACAP-qualified-usage: cache preserve time-limit=until-recrawled\n\
    ACAP-composite-usage: basic-usages crawl index present\n\
    ACAP-crawler: *\nACAP-disallow-crawl: /\n\n\
    ACAP-crawler: named-crawler\nACAP-allow-(basic-usages): the-acap:resource-set:crawable\n";

#[test]
fn every_usage_that_somebody_spoke_about() {
    let ran = abide(
        &[
            "check",
            NEWS,
            "-a",
            "ExampleSearch",
            "--acap-purpose",
            "news",
            "-r",
            &example(),
        ],
        b"",
    );
    assert_eq!((ran.status, &*ran.stderr), (0, ""));
    insta::assert_snapshot!(ran.stdout);
}

#[test]
fn the_overview_as_printed() {
    let url = "https://e.example/public/x";
    let check = |robots_txt: &str| {
        let args = ["check", url, "-a", "named-crawler", "-r", "-"];
        abide(&args, robots_txt.as_bytes())
    };
    let ran = check(OVERVIEW);
    assert_eq!(ran.status, 1);
    insta::assert_snapshot!(format!("{}{}", ran.stderr, ran.stdout));
    let repaired = OVERVIEW.replace("crawable", "crawlable");
    let ran = check(&repaired);
    assert_eq!((ran.status, &*ran.stderr), (0, ""));
}

/// `--usage` limits the usages that are reported and that set the exit status.
#[test]
fn some_usages_only() {
    let call = |usages: &str| {
        abide(
            &[
                "check",
                NEWS,
                "-a",
                "ExampleBot",
                "-u",
                usages,
                "-r",
                &example(),
            ],
            b"",
        )
    };
    let ran = call("index,present-link");
    assert_eq!(
        (ran.status, &*ran.stdout),
        (
            0,
            "https://news.example/news/1\nindex, present-link: unspecified\n"
        )
    );
    let ran = call("present-currentcopy");
    assert_eq!(ran.status, 1);
    insta::assert_snapshot!(ran.stdout);
    assert_eq!(call("crawl").status, 0);
}

#[test]
fn modes() {
    let robots = b"User-agent: *\nDisallow: /a/\nACAP-crawler: *\nACAP-allow-crawl: /a/\n";
    let status = |mode: &str| {
        abide(
            &["check", "/a/x", "-a", "f", "--acap", mode, "-r", "-"],
            robots,
        )
        .status
    };
    assert_eq!(
        (status("full"), status("restrict"), status("off")),
        (0, 1, 1)
    );
}

/// Without the referenced file the outcome is unknown; with it, its lines are the evidence.
#[test]
fn references() {
    let robots = b"ACAP-crawler: *\nACAP-permissions-reference: /more.txt\n";
    let call = ["check", "https://e.example/x", "-a", "f", "-r", "-"];
    let ran = abide(&call, robots);
    assert_eq!(ran.status, 3);
    insta::assert_snapshot!("references_unknown", ran.stdout);
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("more.txt");
    std::fs::write(
        &file,
        "ACAP-crawler: *\nACAP-allow-index: /x time-limit=2-days\n",
    )
    .unwrap();
    let reference = format!("/more.txt={}", file.display());
    let now = [
        "--now",
        "2026-11-21T00:00:00Z",
        "--first-indexed",
        "2026-11-20T00:00:00Z",
    ];
    let ran = abide(
        &[&call[..], &["--reference", &reference], &now].concat(),
        robots,
    );
    assert_eq!(ran.status, 0);
    insta::assert_snapshot!("references_read", ran.stdout);
}

#[test]
fn action_requests_are_told_and_not_done() {
    let robots =
        b"ACAP-crawler: f\nACAP-request-take-down: /bad.htm\nACAP-request-re-crawl: /good.htm\n";
    let ran = abide(&["check", "/x", "-a", "f", "-r", "-"], robots);
    insta::assert_snapshot!(ran.stdout);
}

#[test]
fn calls_that_make_no_sense() {
    for (args, complaint) in [
        (
            &["-u", "indexing"][..],
            "expected one of crawl, follow, index",
        ),
        (
            &["--cannot", "max-size"],
            "expected one of time-limit, max-length",
        ),
        (&["--reference", "/x.txt"], "expected LOCATOR=FILE"),
        (
            &["--reference", "/x.txt=no-such-file"],
            "cannot read no-such-file; --reference takes LOCATOR=FILE",
        ),
        (&["--acap", "half"], "possible values: full, restrict, off"),
        (
            &["--first-copied", "yesterday"],
            "expected an instant such as",
        ),
    ] {
        let ran = abide(
            &[&["check", "/x", "-a", "f", "-r", "-"], args].concat(),
            b"User-agent: *\n",
        );
        assert_eq!(ran.status, 2, "{args:?}");
        assert!(ran.stderr.contains(complaint), "{args:?}: {}", ran.stderr);
    }
}
