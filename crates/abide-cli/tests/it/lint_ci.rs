//! `abide lint` in pipelines: statistics, reports in files, fingerprints, exit statuses, diffs that
//! `patch` applies.

use crate::{abide, abide_in};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

const MIXED: &str = "User-agent: *\nDisallow: press/\nDisallow: /a b\nDisallow: /backup/\n";

fn folder(files: &[(&str, &[u8])]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in files {
        fs::write(folder.path().join(name), bytes).unwrap();
    }
    folder
}

#[test]
fn statistics_count_by_code() {
    let folder = folder(&[
        ("a.txt", MIXED.as_bytes()),
        ("b.txt", b"User-agent: *\nDisallow: a/\nDisallow: b/\n"),
    ]);
    let ran = abide_in(
        folder.path(),
        &["lint", "a.txt", "b.txt", "--statistics"],
        b"",
    );
    assert_eq!(ran.status, 1);
    insta::assert_snapshot!(ran.stdout);
    let args = ["lint", "a.txt", "b.txt", "--statistics", "--format", "json"];
    let json: Value = serde_json::from_str(&abide_in(folder.path(), &args, b"").stdout).unwrap();
    let schema = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../schema/statistics.json");
    let schema: Value = serde_json::from_str(&fs::read_to_string(schema).unwrap()).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    assert!(validator.is_valid(&json), "{json:#}");
    let first = &json[0];
    assert_eq!(
        (&first["code"], &first["findings"], &first["files"]),
        (&"pattern-no-slash".into(), &3.into(), &2.into())
    );
    let args = [
        "lint",
        "a.txt",
        "b.txt",
        "--statistics",
        "--format",
        "jsonl",
    ];
    let lines = abide_in(folder.path(), &args, b"").stdout;
    let lines: Vec<Value> = lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(json, Value::Array(lines));
}

#[test]
fn exit_zero_keeps_findings_and_errors() {
    let ran = abide(&["lint", "-", "--exit-zero"], MIXED.as_bytes());
    assert_eq!(ran.status, 0);
    assert!(ran.stdout.contains("pattern-no-slash"));
    let ran = abide(&["lint", "-", "--exit-zero", "--diff"], MIXED.as_bytes());
    assert_eq!(ran.status, 0);
    assert_eq!(abide(&["lint", "no-such", "--exit-zero"], b"").status, 2);
}

#[test]
fn quiet_leaves_the_last_line() {
    let ran = abide(&["lint", "-", "-q"], MIXED.as_bytes());
    assert_eq!(ran.status, 1);
    insta::assert_snapshot!(ran.stdout);
    let ran = abide(
        &["lint", "-", "-q", "--unsafe-fixes", "--diff"],
        MIXED.as_bytes(),
    );
    assert_eq!((ran.status, &*ran.stdout), (1, ""));
    assert!(
        ran.stderr.starts_with("Would fix 2 findings, leaving "),
        "{}",
        ran.stderr
    );
}

#[test]
fn the_last_line_counts_what_there_is() {
    let last = |args: &[&str], file: &str| {
        let ran = abide(args, file.as_bytes());
        let output = if args.contains(&"--diff") || args.contains(&"--fix") {
            ran.stderr
        } else {
            ran.stdout
        };
        output.lines().last().unwrap_or_default().to_owned()
    };
    let clean = "User-agent: *\nDisallow: /a/\n";
    let bom = "\u{feff}User-agent: *\nDisallow: /a/\n";
    let output = [
        last(&["lint", "-"], clean),
        last(&["lint", "-", "--diff"], clean),
        last(&["lint", "-", "--fix"], clean),
        last(&["lint", "-"], bom),
        last(&["lint", "-", "--diff"], bom),
        last(&["lint", "-", "--fix"], bom),
        last(&["lint", "-"], MIXED),
        last(&["lint", "-", "--diff"], MIXED),
        last(
            &["lint", "-"],
            &(bom.to_owned() + "Allow: a\nCrawl-delay: x\n"),
        ),
    ];
    insta::assert_snapshot!(output.join("\n"));
}

#[test]
fn a_report_goes_to_a_file_in_one_step() {
    let folder = folder(&[("robots.txt", MIXED.as_bytes()), ("old.json", b"old")]);
    let path = folder.path();
    for format in ["human", "json", "sarif", "junit"] {
        let name = if format == "json" {
            "old.json"
        } else {
            "report"
        };
        let args = [
            "lint",
            "robots.txt",
            "--format",
            format,
            "--output-file",
            name,
        ];
        let ran = abide_in(path, &args, b"");
        assert_eq!((ran.status, &*ran.stdout), (1, ""), "{}", ran.stderr);
        assert!(ran.stderr.contains(" in 1 file."), "{}", ran.stderr);
        let output = abide_in(path, &["lint", "robots.txt", "--format", format], b"").stdout;
        let report = fs::read_to_string(path.join(name)).unwrap();
        assert!(
            output.starts_with(&report) && !report.is_empty(),
            "{report}"
        );
    }
    assert_eq!(
        fs::read_dir(path).unwrap().count(),
        3,
        "nothing is left over"
    );
    let args = [
        "--color",
        "always",
        "lint",
        "robots.txt",
        "--output-file",
        "report",
    ];
    abide_in(path, &args, b"");
    let report = fs::read_to_string(path.join("report")).unwrap();
    assert!(report.contains("pattern-no-slash") && !report.contains('\u{1b}'));
    // Fixed text on stdout, findings as JSON in a file.
    let args = [
        "lint",
        "-",
        "--fix",
        "--format",
        "json",
        "--output-file",
        "report",
    ];
    let ran = abide_in(path, &args, MIXED.as_bytes());
    assert!(ran.stdout.starts_with("User-agent: *\n"), "{}", ran.stdout);
    let report = fs::read_to_string(path.join("report")).unwrap();
    assert!(serde_json::from_str::<Value>(&report).unwrap().is_array());
}

#[cfg(unix)]
#[test]
fn a_report_has_usual_permissions_and_devices_stay() {
    use std::os::unix::fs::{FileTypeExt, PermissionsExt};
    let folder = folder(&[("robots.txt", MIXED.as_bytes())]);
    let script = "umask 022; exec \"$0\" lint robots.txt --format json --output-file report";
    Command::new("sh")
        .args(["-c", script, env!("CARGO_BIN_EXE_abide")])
        .current_dir(folder.path())
        .output()
        .unwrap();
    let about = fs::metadata(folder.path().join("report")).unwrap();
    assert_eq!(about.permissions().mode() & 0o777, 0o644);
    let args = ["lint", "robots.txt", "--output-file", "/dev/null"];
    assert_eq!(abide_in(folder.path(), &args, b"").status, 1);
    let null = fs::metadata("/dev/null").unwrap();
    assert!(null.file_type().is_char_device());
}

#[test]
fn a_report_that_cannot_be_written() {
    let folder = folder(&[("robots.txt", MIXED.as_bytes())]);
    for (file, part) in [
        ("robots.txt", "would overwrite the robots.txt"),
        ("./robots.txt", "would overwrite the robots.txt"),
        ("no/such/report", "its folder does not exist"),
        (".", "it is a directory"),
        ("-", "findings go to stdout"),
    ] {
        let args = ["lint", "robots.txt", "--fix", "--output-file", file];
        let ran = abide_in(folder.path(), &args, b"");
        assert_eq!((ran.status, &*ran.stdout), (2, ""), "{file}");
        assert!(ran.stderr.contains(part), "{}", ran.stderr);
    }
    let text = fs::read_to_string(folder.path().join("robots.txt")).unwrap();
    assert_eq!(text, MIXED, "nothing was fixed");
}

/// Flags that change nothing are refused, with the reason.
#[test]
fn flags_without_effect_are_refused() {
    let folder = folder(&[("robots.txt", MIXED.as_bytes())]);
    let tag = "Robots-Tag: *;noindex";
    let mut output = String::new();
    for args in [
        &["robots.txt", "--diff", "--format", "json"][..],
        &["robots.txt", "--quiet", "--format", "json"],
        &["robots.txt", "--quiet", "--statistics"],
        &["robots.txt", "--statistics", "--format", "sarif"],
        &["robots.txt", "--statistics", "--diff"],
        &["robots.txt", "--exit-zero", "--fail-on", "error"],
        &["robots.txt", "--diff", "--fail-on", "error"],
        &["robots.txt", "--allow-private"],
        &["robots.txt", "--cache", "c"],
        &["--header", tag, "--purpose", "EXAMPLE-PURPOSE-1"],
        &["--header", tag, "--registry", "/dev/null"],
        &["--header", tag, "--fix"],
        &["--explain", "bom", "--statistics"],
        &["--explain", "bom", "--no-config"],
        &["robots.txt", "--show-files", "--fix"],
    ] {
        let all: Vec<_> = ["lint"].into_iter().chain(args.iter().copied()).collect();
        let ran = abide_in(folder.path(), &all, b"");
        assert_eq!((ran.status, &*ran.stdout), (2, ""), "{args:?}");
        let first = ran.stderr.lines().next().unwrap_or_default().to_owned();
        output.extend([&args.join(" "), "\n    ", &first, "\n"]);
    }
    insta::assert_snapshot!(output);
}

#[test]
fn colors_are_chosen() {
    let has_colors = |args: &[&str]| {
        let ran = abide(args, MIXED.as_bytes());
        ran.stdout.contains('\u{1b}')
    };
    assert!(!has_colors(&["lint", "-"]));
    assert!(has_colors(&["lint", "-", "--color", "always"]));
    assert!(has_colors(&["--color=always", "lint", "-"]));
    assert!(!has_colors(&["lint", "-", "--color", "never"]));
    let rough = b"user-agent: *\n";
    let diff = abide(&["--color", "always", "fmt", "--diff", "-"], rough);
    assert!(
        diff.stdout.contains('\u{1b}'),
        "the option is one of the whole command"
    );
    let forced = |variable: &str, color: &str| {
        let output = Command::new(env!("CARGO_BIN_EXE_abide"))
            .args(["--color", color, "lint", "--header", "Robots-Tag: noindex"])
            .env_remove("NO_COLOR")
            .env(variable, "1")
            .output()
            .unwrap();
        output.stdout.contains(&0x1b)
    };
    assert!(forced("CLICOLOR_FORCE", "auto"));
    assert!(!forced("CLICOLOR_FORCE", "never"));
    assert!(!forced("NO_COLOR", "auto"));
    assert!(forced("NO_COLOR", "always"));
}

/// `JUnit`, the exit status and `--fail-on` agree.
#[test]
fn junit_agrees_with_fail_on() {
    let file = b"User-agent: *\nDisallow: /a b\nDisallow: /backup/\n";
    for (severity, failures) in [("info", 2), ("warning", 1), ("error", 0)] {
        let args = ["lint", "-", "--format", "junit", "--fail-on", severity];
        let ran = abide(&args, file);
        assert_eq!(ran.status, i32::from(failures > 0), "{severity}");
        assert!(ran.stdout.contains(&format!("failures=\"{failures}\"")));
        assert_eq!(
            ran.stdout.matches("<failure").count(),
            failures,
            "{}",
            ran.stdout
        );
    }
}

fn prints(format: &str, file: &str) -> Vec<(String, String)> {
    let ran = abide(&["lint", "-", "--format", format], file.as_bytes());
    let json: Value = serde_json::from_str(&ran.stdout).unwrap();
    let (results, code, print) = match format {
        "gitlab" => (&json, "/check_name", "/fingerprint"),
        _ => (
            &json["runs"][0]["results"],
            "/ruleId",
            "/partialFingerprints/abide~1v1",
        ),
    };
    let of = |result: &Value, at: &str| result.pointer(at).unwrap().as_str().unwrap().to_owned();
    let results = results.as_array().unwrap().iter();
    results
        .map(|result| (of(result, code), of(result, print)))
        .collect()
}

#[test]
fn fingerprints_stay_when_lines_move() {
    let file = "User-agent: *\nDisallow: a/\nDisallow: a/\nDisallow: b/\n";
    let before = prints("sarif", file);
    assert_eq!(before, prints("gitlab", file), "both formats have one");
    let moved = prints("sarif", &format!("# new\n\n{file}"));
    assert_eq!(before, moved);
    let mut unique: Vec<_> = before.iter().map(|(_, print)| print).collect();
    unique.sort();
    unique.dedup();
    assert_eq!(unique.len(), before.len());
    assert!(before.len() >= 3, "{before:?}");
}

/// Without a site the address of a page is the page.
#[test]
fn every_rule_in_sarif_has_an_address() {
    let ran = abide(&["lint", "-", "--format", "sarif"], MIXED.as_bytes());
    let log: Value = serde_json::from_str(&ran.stdout).unwrap();
    let rules = log["runs"][0]["tool"]["driver"]["rules"]
        .as_array()
        .unwrap();
    assert!(rules.len() >= 3);
    for rule in rules {
        let address = rule["helpUri"].as_str().unwrap();
        let id = rule["id"].as_str().unwrap();
        let is_page = match address.strip_prefix("data:text/plain;charset=utf-8,") {
            Some(page) => page.starts_with(&format!("%23%20{id}%0A")),
            None => {
                address.starts_with("https://") && address.ends_with(&format!("/rules/{id}.html"))
            }
        };
        assert!(is_page, "{address}");
    }
}

/// What `--diff` prints into a pipe or a file, `patch` applies, whatever the line ends.
#[test]
fn patch_applies_the_diff() {
    let lines = "User-agent: *\nDisallow: /a b\nAllow: /c\nDisallow: press/\n\nUser-agent: X\nDisallow: /d e\n";
    let files: [(&str, Vec<u8>); 5] = [
        ("lf", lines.into()),
        ("crlf", lines.replace('\n', "\r\n").into()),
        ("mixed", lines.replacen('\n', "\r\n", 3).into()),
        ("unended", lines.trim_end().into()),
        ("odd", format!("# \u{1b}[31m \u{fffd}\n{lines}").into()),
    ];
    for (name, bytes) in files {
        for how in [&["lint", "--unsafe-fixes"][..], &["fmt"]] {
            let folder = folder(&[("robots.txt", &bytes)]);
            let path = folder.path();
            let args: Vec<_> = how
                .iter()
                .copied()
                .chain(["robots.txt", "--diff"])
                .collect();
            let output = Command::new(env!("CARGO_BIN_EXE_abide"))
                .args(&args)
                .current_dir(path)
                .output()
                .unwrap();
            assert_eq!(fs::read(path.join("robots.txt")).unwrap(), bytes);
            fs::write(path.join("fixes.diff"), &output.stdout).unwrap();
            let patched = Command::new("patch")
                .args([
                    "--binary",
                    "-s",
                    "-o",
                    "patched.txt",
                    "robots.txt",
                    "fixes.diff",
                ])
                .current_dir(path)
                .output();
            let plain = Command::new("patch")
                .args(["-p0", "-s", "-o", "plain.txt", "-i", "fixes.diff"])
                .current_dir(path)
                .output();
            let (Ok(patched), Ok(plain)) = (patched, plain) else {
                panic!("install patch");
            };
            if output.stdout.is_empty() {
                assert_eq!(how, ["fmt"], "the linter changes something in each");
                continue;
            }
            let shown = String::from_utf8_lossy(&patched.stdout).into_owned();
            assert!(
                patched.status.success() && plain.status.success(),
                "{name}: {shown}"
            );
            let args: Vec<_> = how.iter().copied().chain(["robots.txt"]).collect();
            abide_in(path, &args, b"");
            let fixed = fs::read(path.join("robots.txt")).unwrap();
            assert_eq!(fs::read(path.join("patched.txt")).unwrap(), fixed, "{name}");
            assert_eq!(fs::read(path.join("plain.txt")).unwrap(), fixed, "{name}");
        }
    }
}

/// A diff in a file of its own is the same as on stdout; on a terminal it cannot act.
#[test]
fn a_diff_is_data_in_files_and_text_for_people() {
    let bytes = b"User-agent: *\r\nDisallow: /a b # \x1b[31m\r\n";
    let folder = folder(&[("robots.txt", bytes)]);
    let args = ["lint", "robots.txt", "--unsafe-fixes", "--diff"];
    let stdout = abide_in(folder.path(), &args, b"").stdout;
    assert!(stdout.contains("\u{1b}[31m\r\n"), "{stdout:?}");
    let to_file: Vec<_> = args
        .into_iter()
        .chain(["--output-file", "f.diff"])
        .collect();
    let ran = abide_in(folder.path(), &to_file, b"");
    assert_eq!((ran.status, &*ran.stdout), (1, ""));
    assert_eq!(
        fs::read(folder.path().join("f.diff")).unwrap(),
        stdout.as_bytes()
    );
    let colored: Vec<_> = args.into_iter().chain(["--color", "always"]).collect();
    let shown = abide_in(folder.path(), &colored, b"").stdout;
    assert!(shown.contains(r"\x1b[31m\x0d"), "{shown:?}");
}
