//! `abide init`

use crate::{abide, abide_in};
use std::fs;

#[test]
fn a_file_for_wishes() {
    let args = [
        "init",
        "--no-training",
        "--keep-search",
        "--sitemap",
        "https://e.example/map.xml",
    ];
    insta::assert_snapshot!(abide(&args, b"").told());
    insta::assert_snapshot!(abide(&["init", "--staging"], b"").told());
    insta::assert_snapshot!(
        abide(&["init", "--block", "@seo,EvilBot", "--delay", "10"], b"").told()
    );
}

#[test]
fn what_is_written_has_no_finding_of_warning_and_is_formatted() {
    for args in [
        &["--no-training"][..],
        &["--no-training", "--no-ai-input", "--keep-search"],
        &[
            "--block",
            "@seo",
            "--delay",
            "10",
            "--sitemap",
            "https://e.example/map.xml",
        ],
    ] {
        let written = abide(&[&["init", "-q"], args].concat(), b"");
        assert_eq!(
            (written.status, written.stderr.as_str()),
            (0, ""),
            "{args:?}"
        );
        let file = written.stdout.as_bytes();
        let found = abide(&["lint", "-", "--fail-on", "warning"], file);
        assert_eq!(found.status, 0, "{args:?}: {}", found.stdout);
        assert_eq!(
            abide(&["fmt", "-"], file).stdout,
            written.stdout,
            "{args:?}"
        );
    }
}

#[test]
fn wishes_that_cannot_be_kept() {
    insta::assert_snapshot!(abide(&["init"], b"").told());
    insta::assert_snapshot!(abide(&["init", "--staging", "--keep-search"], b"").told());
    insta::assert_snapshot!(abide(&["init", "--keep-search", "--block", "Googlebot"], b"").told());
    insta::assert_snapshot!(abide(&["init", "--block", "ChatGPT-User"], b"").told());
    insta::assert_snapshot!(abide(&["init", "--block", "@seo - @all"], b"").told());
}

/// What a set has that no line keeps out is said; what was asked for by name is refused.
#[test]
fn names_that_block_nobody() {
    let ran = abide(&["init", "--block", "@ai-input", "--block", "GTPBot"], b"");
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    for why in [
        "GTPBot is not a known robot; did you mean GPTBot?",
        "A robots.txt does not keep out robots that do not follow it: ",
        "Search robots that come in only by their own name stay out: ",
    ] {
        assert!(ran.stderr.contains(why), "{}", ran.stderr);
    }
    assert!(!ran.stdout.contains("ChatGPT-User"), "{}", ran.stdout);
    let kept = abide(&["init", "--keep-search"], b"");
    assert!(!kept.stderr.contains("own name"), "{}", kept.stderr);
    let shown = abide(&["init", "-q", "--keep-search", "-o", "-"], b"");
    assert_eq!((shown.status, shown.stdout), (0, kept.stdout));
    let nameless = abide(&["init", "--keep-search", "-o", ""], b"");
    assert_eq!(nameless.status, 2);
    assert!(
        nameless.stderr.contains("--output has no name"),
        "{}",
        nameless.stderr
    );
}

#[test]
fn a_file_is_replaced_only_if_asked() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("robots.txt");
    let init = |more: &[&str]| {
        let args = ["init", "-q", "--keep-search", "-o", "robots.txt"];
        abide_in(folder.path(), &[&args, more].concat(), b"")
    };
    assert_eq!(init(&[]).status, 0);
    let first = fs::read_to_string(&file).unwrap();
    assert!(first.contains("keep-search"), "{first}");
    fs::write(&file, "mine").unwrap();
    let refused = init(&[]);
    assert_eq!((refused.status, refused.stdout.as_str()), (2, ""));
    assert_eq!(
        refused.stderr,
        "error: robots.txt exists; --force replaces it\n"
    );
    assert_eq!(fs::read_to_string(&file).unwrap(), "mine");
    // A wish that cannot be kept writes nothing.
    assert_eq!(init(&["--force", "--block", "ChatGPT-User"]).status, 1);
    assert_eq!(fs::read_to_string(&file).unwrap(), "mine");
    assert_eq!(init(&["--force"]).status, 0);
    assert_eq!(fs::read_to_string(&file).unwrap(), first);
    let nowhere = abide_in(
        folder.path(),
        &["init", "--staging", "-o", "no/robots.txt"],
        b"",
    );
    assert_eq!(nowhere.status, 2);
}

#[test]
fn sets_are_subtracted_wherever_robots_are_named() {
    let file = b"User-agent: GPTBot\nUser-agent: bingbot\nDisallow: /\n";
    let set = "@ai-training - @search";
    for args in [
        &["check", "/", "-r", "-", "-a", set][..],
        &["matrix", "-", "-a", set],
        &["explain", "-", "-a", set],
        &["robots", set],
    ] {
        let ran = abide(args, file);
        assert!(ran.status < 2, "{args:?}: {}", ran.stderr);
        assert!(
            ran.stdout.contains("GPTBot") && !ran.stdout.contains("bingbot"),
            "{args:?}"
        );
    }
    let folder = tempfile::tempdir().unwrap();
    fs::write(
        folder.path().join("robots.txt"),
        "User-agent: bingbot\nDisallow:\n\nUser-agent: *\nDisallow: /\n",
    )
    .unwrap();
    let cases = |set: &str| {
        let text = format!(
            "[[case]]\nname = \"no training\"\nagent = \"{set}\"\nurl = \"/\"\ncrawl = \"disallowed\"\n"
        );
        fs::write(folder.path().join("robots.test.toml"), text).unwrap();
        abide_in(folder.path(), &["test"], b"")
    };
    assert_eq!(cases("@ai-training").status, 1);
    let passed = cases(set);
    assert_eq!(passed.status, 0, "{}{}", passed.stdout, passed.stderr);
    let wrong = cases("@ai");
    assert_eq!(wrong.status, 2);
    assert!(
        wrong
            .stderr
            .contains("did you mean @ai-training or @ai-input?"),
        "{}",
        wrong.stderr
    );
    for (set, why) in [
        ("@search - @all", "no robot is left of @search - @all"),
        (
            "@ai-training,-@search",
            "-@search names no robot; to take robots out of a set",
        ),
    ] {
        let ran = abide(&["check", "/", "-r", "-", "-a", set], file);
        assert_eq!(ran.status, 2);
        assert!(ran.stderr.contains(why), "{}", ran.stderr);
    }
}
