//! `abide diff`: the text output, as snapshots, and the machine-readable output.

use crate::{EXAMPLE, abide};
use serde_json::Value;
use std::fs;
use std::path::PathBuf;

const REDESIGN: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../docs/examples/robots-redesign.txt"
);

/// A folder with these files, and their paths.
fn folder(files: &[&str]) -> (tempfile::TempDir, Vec<String>) {
    let folder = tempfile::tempdir().unwrap();
    let paths = files.iter().enumerate().map(|(at, text)| {
        let path: PathBuf = folder.path().join(format!("{at}.txt"));
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    });
    let paths = paths.collect();
    (folder, paths)
}

fn told(args: &[&str], stdin: &str) -> String {
    let ran = abide(&[&["diff"], args].concat(), stdin.as_bytes());
    let stderr = if ran.stderr.is_empty() {
        String::new()
    } else {
        format!("--- stderr\n{}", ran.stderr)
    };
    format!("{}{stderr}--- status {}", ran.stdout, ran.status)
}

fn between(old: &str, new: &str, args: &[&str]) -> String {
    let (_folder, paths) = folder(&[old, new]);
    let files: Vec<&str> = paths.iter().map(String::as_str).collect();
    told(&[&files, args].concat(), "")
}

#[test]
fn a_redesign() {
    insta::assert_snapshot!(told(&[EXAMPLE, REDESIGN], ""));
}

#[test]
fn the_same_in_other_words() {
    let old = "User-agent: *\nDisallow: /a\nDisallow: /b%7Ec\n";
    let new = "User-agent: *\nDisallow: /b~c # moved\nDisallow: /a\n\nUser-agent: f\nDisallow: /a\nDisallow: /b~c\n";
    insta::assert_snapshot!(between(old, new, &[]));
}

#[test]
fn a_group_of_its_own_and_what_it_forgets() {
    let old =
        "User-agent: *\nDisallow: /private/\nCrawl-delay: 3\nSitemap: https://e.example/old.xml\n";
    let new = "User-agent: *\nDisallow: /private/\nCrawl-delay: 3\nSitemap: https://e.example/new.xml\n\n\
        User-agent: f\nUser-agent: g\nUser-agent: h\nUser-agent: i\nDisallow: /tmp$\n";
    insta::assert_snapshot!(between(old, new, &[]));
    insta::assert_snapshot!(between(old, new, &["--agents", "g,unheard-of"]));
}

#[test]
fn records_and_directives() {
    let old = "User-agent: *\nDisallow:\nApp-Directives: /a one;w=1\n\nACAP-crawler: *\n\
        ACAP-disallow-index: /drafts/\nACAP-allow-present-snippet: / max-length=50-chars\n";
    let new = "User-agent: *\nDisallow:\nApp-Directives: /a one;w=2\n\nACAP-crawler: *\n\
        ACAP-disallow-index: /drafts/*.txt\nACAP-allow-present-snippet: / max-length=20-chars\n";
    insta::assert_snapshot!(between(old, new, &["--agents", "f"]));
}

#[test]
fn real_urls() {
    let (_folder, paths) = folder(&[
        "User-agent: *\nDisallow: /a\n",
        "User-agent: *\nDisallow: /a/\nUser-agent: f\nDisallow: /\n",
        "https://e.example/abc\n/a/b\n\nnonsense\n/c?\u{1b}x\n",
    ]);
    let [old, new, urls] = paths.as_slice() else {
        panic!()
    };
    let told = told(&[old, new, "--urls", urls], "").replace(urls.as_str(), "urls.txt");
    insta::assert_snapshot!(told);
}

#[test]
fn too_intricate_to_compare_whole() {
    let rules = |key: &str| -> String {
        let rule = |at| format!("{key}: /*a{at}b*c{at}d\n");
        (0..120).map(rule).collect()
    };
    let (old, new) = (rules("Disallow"), rules("Allow"));
    let (_folder, paths) = folder(&[
        &format!("User-agent: *\n{old}"),
        &format!("User-agent: *\n{new}"),
    ]);
    let ran = abide(&["diff", &paths[0], &paths[1]], b"");
    assert_eq!(ran.status, 1);
    assert!(
        ran.stdout.contains("the list may be incomplete."),
        "{}",
        ran.stdout
    );
    assert!(
        ran.stderr
            .starts_with("warning: the comparison stopped at its limit"),
        "{}",
        ran.stderr
    );
}

#[test]
fn mistakes_in_the_call() {
    for args in [
        &["-", "-"][..],
        &["/nonexistent", EXAMPLE],
        &[EXAMPLE, EXAMPLE, "--agents", "a b"],
        &[EXAMPLE, EXAMPLE, "--urls", "/nonexistent"],
    ] {
        let ran = abide(&[&["diff"], args].concat(), b"");
        assert_eq!((ran.status, &*ran.stdout), (2, ""), "{args:?}");
        assert!(ran.stderr.starts_with("error: "), "{}", ran.stderr);
    }
}

#[test]
fn json_is_in_the_contract_and_its_witnesses_are_confirmed_by_check() {
    let schema: Value = serde_json::from_str(include_str!("../../../../schema/diff.json")).unwrap();
    let schema = jsonschema::validator_for(&schema).unwrap();
    let acap = "User-agent: *\nCrawl-delay: 1\nApp-Directives: one;a\nDisallow: /x*y\n\nACAP-crawler: *\n\
        ACAP-disallow-index: /d\nACAP-allow-preserve: / time-limit=3-days\nACAP-request-take-down: /z\n";
    let other =
        "User-agent: f\nAllow: /x*y$\nApp-Directives: / one;b=2\nSitemap: https://e.example/s\n";
    let (_folder, paths) = folder(&[acap, other, "User-agent: *\nDisallow: /x*z\n", "/xay\n/d\n"]);
    let mut regions = 0;
    for old in &paths[..3] {
        for new in &paths[..3] {
            let ran = abide(
                &["diff", old, new, "--urls", &paths[3], "--format", "json"],
                b"",
            );
            let told: Value = serde_json::from_str(&ran.stdout).unwrap();
            let errors: Vec<_> = schema
                .iter_errors(&told)
                .map(|error| error.to_string())
                .collect();
            assert!(errors.is_empty(), "{told}: {errors:?}");
            assert_eq!(ran.status, i32::from(old != new));
            assert_eq!(told["equivalent"], old == new);
            for clients in told["clients"].as_array().unwrap() {
                let agent = clients["names"][0]["agent"]
                    .as_str()
                    .unwrap_or("unheard-of");
                for region in clients["regions"].as_array().unwrap() {
                    for (side, file) in [("old", old), ("new", new)] {
                        confirm(region, side, file, agent);
                    }
                    regions += 1;
                }
            }
        }
    }
    assert!(regions > 20, "{regions}");
}

/// Checks that `check` gives the same answer for a witness, by the same line.
fn confirm(region: &Value, side: &str, file: &str, agent: &str) {
    let witness = region["witness"].as_str().unwrap();
    let args = [
        "check", witness, "--agent", agent, "--robots", file, "--format", "json",
    ];
    let decision: Value = serde_json::from_str(&abide(&args, b"").stdout).unwrap();
    let said = &decision["usages"][region["usage"].as_str().unwrap()];
    let answer = &region[side];
    assert_eq!(said["outcome"], answer["outcome"], "{region}");
    assert_eq!(
        said["conditions"].as_array().unwrap().len(),
        answer["conditions"].as_array().unwrap().len()
    );
    let line = |evidence: &Value| evidence["line"].as_u64();
    assert_eq!(
        line(&said["evidence"][0]),
        line(&answer["decided_by"]),
        "{region}"
    );
}
