//! Which files `abide lint` and `abide fmt` take: the usual places, patterns, folders, stdin.

use crate::fetch::{Server, response};
use crate::{abide, abide_in};
use std::fs;
use std::path::Path;
use tempfile::TempDir;

const GOOD: &str = "User-agent: *\nDisallow: /search\n";

/// A folder with these files.
fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

fn shown(folder: &Path, names: &[&str]) -> (i32, Vec<String>, String) {
    let args: Vec<_> = ["lint", "--show-files"]
        .into_iter()
        .chain(names.iter().copied())
        .collect();
    let ran = abide_in(folder, &args, b"");
    let names = ran.stdout.lines().map(str::to_owned).collect();
    (ran.status, names, ran.stderr)
}

#[test]
fn without_names_the_usual_places() {
    let places = [
        "robots.txt",
        "public/robots.txt",
        "static/robots.txt",
        "www/robots.txt",
        "web/robots.txt",
        "html/robots.txt",
        "htdocs/robots.txt",
        "src/robots.txt",
        "docs/robots.txt",
        "site/robots.txt",
        "dist/robots.txt",
    ];
    for place in places {
        let folder = folder(&[(place, GOOD), ("other/robots.txt", GOOD)]);
        let ran = abide_in(folder.path(), &["lint"], b"");
        let expected = format!("No findings in 1 file ({place}).\n");
        assert_eq!((ran.status, ran.stdout), (0, expected));
        assert_eq!(abide_in(folder.path(), &["fmt"], b"").status, 0);
    }
    let both = folder(&[("robots.txt", GOOD), ("public/robots.txt", "Disallow: /\n")]);
    let ran = abide_in(both.path(), &["lint"], b"");
    assert_eq!(ran.status, 1);
    let last = ran.stdout.lines().last().unwrap_or_default();
    assert!(
        last.contains("in 2 files (robots.txt, public/robots.txt)."),
        "{last}"
    );
}

/// Stumble 7: a run that checks nothing is no success.
#[test]
fn nothing_to_check_is_an_error_that_says_where_abide_looked() {
    let empty = folder(&[("other/robots.txt", GOOD)]);
    for command in ["lint", "fmt"] {
        let ran = abide_in(empty.path(), &[command], GOOD.as_bytes());
        assert_eq!((ran.status, &*ran.stdout), (2, ""), "{command}");
        for part in [
            "the current folder",
            "public/",
            "htdocs/",
            "\"-\" for stdin",
        ] {
            assert!(ran.stderr.contains(part), "{}", ran.stderr);
        }
    }
}

#[test]
fn an_empty_input_is_an_error() {
    let empty = folder(&[("robots.txt", "")]);
    for (bytes, name) in [(&b""[..], "empty"), (b"\xEF\xBB\xBF", "mark")] {
        for command in ["lint", "fmt"] {
            let ran = abide(&[command, "-"], bytes);
            assert_eq!((ran.status, &*ran.stdout), (2, ""), "{command} {name}");
            assert!(
                ran.stderr.contains("stdin is empty; check how it was made"),
                "{}",
                ran.stderr
            );
        }
    }
    let ran = abide_in(empty.path(), &["lint"], b"");
    assert_eq!(ran.status, 2);
    assert!(ran.stderr.contains("robots.txt is empty"), "{}", ran.stderr);
    assert_eq!(abide(&["lint", "-"], b"\n").status, 0);
}

#[test]
fn patterns_and_folders() {
    let folder = folder(&[
        ("public/robots.txt", GOOD),
        ("public/a.txt", GOOD),
        ("public/b/c.txt", GOOD),
        ("public/.hidden.txt", GOOD),
        ("sites/one/robots.txt", GOOD),
        ("sites/two/robots.txt", GOOD),
        ("sites/two/staging.robots.txt", GOOD),
        ("sites/two/robots-test.txt", GOOD),
        ("sites/two/notes.txt", "no"),
        ("sites/.git/robots.txt", "no"),
        ("sites/node_modules/x/robots.txt", "no"),
        ("none/notes.txt", "no"),
        ("odd[1].txt", GOOD),
    ]);
    let of = |names: &[&str]| {
        let (status, names, stderr) = shown(folder.path(), names);
        assert_eq!(status, 0, "{stderr}");
        names
    };
    assert_eq!(of(&["public/*.txt"]), ["public/a.txt", "public/robots.txt"]);
    assert_eq!(
        of(&["public/**/*.txt"]),
        ["public/a.txt", "public/b/c.txt", "public/robots.txt"]
    );
    let sites = [
        "sites/one/robots.txt",
        "sites/two/robots-test.txt",
        "sites/two/robots.txt",
        "sites/two/staging.robots.txt",
    ];
    assert_eq!(of(&["sites"]), sites);
    assert_eq!(of(&["sites/", "sites/two/robots.txt"]).len(), 4);
    assert_eq!(of(&["sites/*"]), sites);
    assert_eq!(of(&["odd[1].txt"]), ["odd[1].txt"]);
    assert_eq!(
        of(&["public/a.txt", "public/*.txt", "-", "https://e.example"]),
        [
            "public/a.txt",
            "public/robots.txt",
            "-",
            "https://e.example"
        ]
    );
    for (name, part) in [
        ("public/*.text", "no file matches public/*.text"),
        ("none", "found no robots.txt below the folder none"),
        ("public/[", "public/[ is not a valid pattern"),
        ("robots.txt\r", "ends in a carriage return"),
        ("", "a name is empty"),
    ] {
        let (status, names, stderr) = shown(folder.path(), &["public/a.txt", name]);
        assert_eq!((status, names), (2, vec!["public/a.txt".to_owned()]));
        assert!(stderr.contains(part), "{stderr}");
        assert!(!stderr.contains('\r'));
        let ran = abide_in(folder.path(), &["lint", "public/a.txt", name], b"");
        assert_eq!(ran.status, 2, "{}", ran.stdout);
        assert!(
            ran.stdout.contains("No findings in 1 file."),
            "the others are linted"
        );
    }
}

/// Links are read, but links to folders are not followed, so a circle has an end.
#[cfg(unix)]
#[test]
fn links() {
    let folder = folder(&[("a/robots.txt", GOOD)]);
    std::os::unix::fs::symlink("..", folder.path().join("a/up")).unwrap();
    std::os::unix::fs::symlink("robots.txt", folder.path().join("a/x.robots.txt")).unwrap();
    let (status, names, _) = shown(folder.path(), &["a"]);
    assert_eq!(status, 0);
    assert_eq!(names, ["a/robots.txt", "a/x.robots.txt"]);
    let (status, names, _) = shown(folder.path(), &["**/robots.txt"]);
    assert_eq!((status, names), (0, vec!["a/robots.txt".to_owned()]));
}

/// Stumble 16: a site is its robots.txt, not its home page.
#[test]
fn a_url_without_a_path_is_a_robots_txt() {
    let server = Server::start(|path| match path {
        "/robots.txt" => response(
            "200 OK",
            "Content-Type: text/plain\r\n",
            "Disallow: /\nUser-agent: *\nDisallow: /x\n",
        ),
        _ => response(
            "200 OK",
            "Content-Type: text/html\r\n",
            "<!DOCTYPE html><p>Home",
        ),
    });
    let site = server.url("");
    for url in [site.clone(), format!("{site}/")] {
        let ran = abide(&["lint", &url, "--allow-private", "--format", "jsonl"], b"");
        assert_eq!(ran.status, 1, "{}", ran.stderr);
        assert!(ran.stdout.contains("rule-outside-group"), "{}", ran.stdout);
        let named = format!("\"file\":\"{site}/robots.txt\"");
        assert!(ran.stdout.contains(&named), "{}", ran.stdout);
        let args = ["check", "/x", "-a", "A", "-r", &url, "--allow-private"];
        let ran = abide(&args, b"");
        assert_eq!(ran.status, 1, "{}", ran.stdout);
    }
}

/// A site that fails is neither clean nor a mistake of the caller.
#[test]
fn a_site_that_fails_ends_with_3() {
    let server = Server::start(|_| response("503 Service Unavailable", "", ""));
    let ran = abide(&["lint", &server.url(""), "--allow-private"], b"");
    assert_eq!((ran.status, &*ran.stdout), (3, ""), "{}", ran.stderr);
    assert!(ran.stderr.contains("status 503"), "{}", ran.stderr);
    let folder = folder(&[("robots.txt", "Disallow: /\n")]);
    let args = ["lint", "robots.txt", &server.url(""), "--allow-private"];
    assert_eq!(abide_in(folder.path(), &args, b"").status, 3);
    let args = ["lint", "no-such", &server.url(""), "--allow-private"];
    assert_eq!(
        abide_in(folder.path(), &args, b"").status,
        2,
        "a mistake weighs more"
    );
}
