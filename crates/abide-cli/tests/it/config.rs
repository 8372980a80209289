//! `abide.toml` and `abide config`.

use crate::{Ran, abide, abide_in};
use serde_json::Value;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

const CLOSED: &str = "User-agent: *\nDisallow: /\n";

/// A repository with an `abide.toml` and a few files.
fn repository(config: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir_all(folder.path().join("staging/deep")).unwrap();
    fs::write(folder.path().join("abide.toml"), config).unwrap();
    for name in [
        "robots.txt",
        "staging/robots.txt",
        "staging/deep/robots.txt",
    ] {
        fs::write(folder.path().join(name), CLOSED).unwrap();
    }
    folder
}

fn lint(folder: &Path, args: &[&str]) -> Ran {
    let args: Vec<_> = ["lint"].into_iter().chain(args.iter().copied()).collect();
    abide_in(folder, &args, b"")
}

#[test]
fn settings_apply_to_the_files_that_they_name() {
    let folder = repository("[[file]]\npath = 'staging/**'\nallow-closed = true\n");
    let path = folder.path();
    assert_eq!(lint(path, &["robots.txt"]).status, 1);
    assert_eq!(lint(path, &["staging/robots.txt"]).status, 0);
    assert_eq!(
        lint(path, &["./staging/../staging/deep/robots.txt"]).status,
        0
    );
    assert_eq!(lint(&path.join("staging"), &["robots.txt"]).status, 0);
    assert_eq!(lint(&path.join("staging"), &["../robots.txt"]).status, 1);
    assert_eq!(lint(path, &["staging/robots.txt", "--no-config"]).status, 1);
    let ran = lint(path, &["staging", "robots.txt", "--format", "jsonl"]);
    assert_eq!(ran.stdout.lines().count(), 1, "{}", ran.stdout);
    assert_eq!(ran.status, 1);
}

/// The nearest file counts, alone.
#[test]
fn the_nearest_file_counts() {
    let folder = repository("allow-closed = true\n");
    let path = folder.path();
    assert_eq!(lint(path, &["staging/deep/robots.txt"]).status, 0);
    fs::write(path.join("staging/abide.toml"), "").unwrap();
    assert_eq!(lint(path, &["staging/deep/robots.txt"]).status, 1);
    assert_eq!(lint(path, &["robots.txt"]).status, 0);
    let args = ["staging/deep/robots.txt", "--config", "abide.toml"];
    assert_eq!(lint(path, &args).status, 0);
    let ran = lint(path, &["robots.txt", "--config", "no-such.toml"]);
    assert_eq!(ran.status, 2);
    assert!(ran.stderr.contains("no-such.toml"), "{}", ran.stderr);
}

/// Stdin and URLs have the settings of the current folder.
#[test]
fn stdin_has_the_settings_of_the_current_folder() {
    let folder = repository("allow-closed = true\n");
    let ran = abide_in(folder.path(), &["lint", "-"], CLOSED.as_bytes());
    assert_eq!(ran.status, 0, "{}", ran.stdout);
    let ran = abide_in(
        &folder.path().join("staging"),
        &["lint", "-"],
        CLOSED.as_bytes(),
    );
    assert_eq!(ran.status, 0, "{}", ran.stdout);
}

#[test]
fn flags_win_over_the_file() {
    let folder = repository(
        "ignore = ['site-closed']\nfail-on = 'error'\n[severity]\nsite-closed = 'error'\n",
    );
    let path = folder.path();
    assert_eq!(lint(path, &["robots.txt", "--fail-on", "info"]).status, 0);
    let ran = lint(path, &["robots.txt", "--select", "site-*"]);
    assert_eq!(ran.status, 1);
    assert!(ran.stdout.contains("error[site-closed]"), "{}", ran.stdout);
    let args = [
        "robots.txt",
        "--select",
        "site-*",
        "--ignore",
        "site-closed",
    ];
    assert_eq!(lint(path, &args).status, 0);
    fs::write(path.join("abide.toml"), "fail-on = 'error'\n").unwrap();
    assert_eq!(lint(path, &["robots.txt"]).status, 0);
    assert_eq!(
        lint(path, &["robots.txt", "--fail-on", "warning"]).status,
        1
    );
    // A response has settings too.
    let header = ["--header", "X-Robots-Tag: noindex", "--fail-on", "info"];
    assert_eq!(lint(path, &header).status, 1);
    fs::write(path.join("abide.toml"), "ignore = 'x-robots-*'\n").unwrap();
    assert_eq!(lint(path, &header).status, 0);
}

#[test]
fn a_registry_is_beside_the_file() {
    let folder = repository("registry = 'apps.toml'\nallow-closed = true\n");
    let path = folder.path();
    let ran = lint(&path.join("staging"), &["robots.txt"]);
    assert_eq!(ran.status, 2);
    assert!(
        ran.stderr.contains("cannot read the registry") && ran.stderr.contains("apps.toml"),
        "{}",
        ran.stderr
    );
    fs::write(path.join("apps.toml"), "version = 1\n").unwrap();
    let ran = lint(&path.join("staging"), &["robots.txt"]);
    assert_eq!(ran.status, 0, "{}{}", ran.stdout, ran.stderr);
}

/// A mistake in the file ends the run: it would be unclear what was checked.
#[test]
fn mistakes_have_a_place() {
    let folder = repository("allow-closed = true\nignroe = 'bom'\n[severity]\nbomm = 'info'\n");
    for args in [&["lint", "robots.txt"][..], &["config"]] {
        let ran = abide_in(folder.path(), args, b"");
        assert_eq!((ran.status, &*ran.stdout), (2, ""));
        let output = ran.stderr;
        assert!(
            output.contains(
                "abide.toml: line 2, column 1: unknown key \"ignroe\"; did you mean ignore?"
            ) && output
                .contains("abide.toml: line 4, column 1: unknown code \"bomm\"; did you mean bom?"),
            "{output}"
        );
    }
    fs::write(folder.path().join("abide.toml"), b"# \xFF\n").unwrap();
    let ran = lint(folder.path(), &["robots.txt"]);
    assert_eq!(ran.status, 2);
    assert!(ran.stderr.contains("cannot read"), "{}", ran.stderr);
    fs::write(folder.path().join("abide.toml"), vec![b'#'; (1 << 20) + 1]).unwrap();
    let ran = lint(folder.path(), &["robots.txt"]);
    assert!(
        ran.stderr.contains("it is longer than 1048576 bytes"),
        "{}",
        ran.stderr
    );
}

#[test]
fn the_effective_settings_and_their_origin() {
    let folder = repository(
        "ignore = ['bom']\nrobots = ['Googlebot', 'GPTBot']\ncases = 'robots.test.toml'\n\n\
         [severity]\npattern-space = 'error'\n\n\
         [[file]]\npath = 'staging/*'\nallow-closed = true\nignore = ['size-limit']\n",
    );
    let path = folder.path();
    let root = fs::canonicalize(path).unwrap();
    let output = |args: &[&str]| {
        let ran = abide_in(path, args, b"");
        assert_eq!((ran.status, &*ran.stderr), (0, ""));
        let stdout = ran.stdout.replace(root.to_str().unwrap(), "/repository");
        stdout.replace(path.to_str().unwrap(), "/repository")
    };
    insta::assert_snapshot!(output(&["config"]));
    insta::assert_snapshot!(output(&["config", "staging/robots.txt"]));
    insta::assert_snapshot!(output(&["config", "--no-config"]));
    let json: Value =
        serde_json::from_str(&output(&["config", "staging/x.txt", "--format", "json"])).unwrap();
    let schema = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../schema/settings.json");
    let schema: Value = serde_json::from_str(&fs::read_to_string(schema).unwrap()).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let errors: Vec<_> = validator
        .iter_errors(&json)
        .map(|e| e.to_string())
        .collect();
    assert!(errors.is_empty(), "{json:#}: {errors:?}");
    assert_eq!(json["config"], "/repository/abide.toml");
    let closed = json["settings"].as_array().unwrap().iter();
    let closed: Vec<_> = closed.filter(|one| one["key"] == "allow-closed").collect();
    assert_eq!(closed.len(), 1);
    assert_eq!(closed[0]["value"], true);
    assert_eq!(closed[0]["line"], 10);
}

#[test]
fn the_schema_is_the_published_one() {
    let schema = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../schema/config.json");
    let ran = abide(&["config", "--schema"], b"");
    assert_eq!(ran.stdout, fs::read_to_string(schema).unwrap());
    for args in [
        &["config", "-"][..],
        &["config", "https://e.example/robots.txt"],
        &["config", "src"],
        &["config", "--schema", "robots.txt"],
        &["config", "--config", "a", "--no-config"],
    ] {
        assert_eq!(abide(args, b"").status, 2, "{args:?}");
    }
}
