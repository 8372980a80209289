//! Help, manual pages and completions.

use crate::abide;

const SUBCOMMANDS: [&str; 21] = [
    "check",
    "fetch",
    "cache",
    "batch",
    "lint",
    "config",
    "fmt",
    "init",
    "explain",
    "test",
    "matrix",
    "survey",
    "diff",
    "convert",
    "registry",
    "report",
    "robots",
    "conformance",
    "serve",
    "completions",
    "man",
];

#[test]
fn help_teaches() {
    let ran = abide(&["--help"], b"");
    insta::assert_snapshot!(ran.stdout);
    assert_eq!(ran.status, 0);
}

#[test]
fn every_subcommand_has_an_example_in_its_help() {
    for name in SUBCOMMANDS {
        let ran = abide(&[name, "--help"], b"");
        assert!(
            ran.stdout.contains("Examples:\n") && ran.stdout.contains(&format!("abide {name}")),
            "{name}"
        );
    }
    insta::assert_snapshot!(abide(&["check", "--help"], b"").stdout);
}

#[test]
fn version() {
    let ran = abide(&["--version"], b"");
    assert_eq!(ran.stdout, format!("abide {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn manual_pages() {
    let whole = abide(&["man"], b"").stdout;
    assert!(
        whole.contains(".TH abide 1") && whole.contains("abide check https://example.com/page")
    );
    for name in SUBCOMMANDS {
        let page = abide(&["man", name], b"").stdout;
        assert!(page.contains(&format!(".TH abide-{name} 1")), "{page}");
    }
}

#[test]
fn completions() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let ran = abide(&["completions", shell], b"");
        assert!(
            ran.status == 0 && ran.stdout.contains("nonstandard-token"),
            "{shell}"
        );
    }
}
