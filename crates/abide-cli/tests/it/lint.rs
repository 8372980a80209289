//! `abide lint`

use crate::abide;
use crate::fetch::{Server, response};
use jsonschema::Validator;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

const BAD: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/bad.txt");

fn bad() -> Vec<u8> {
    fs::read(BAD).unwrap()
}

fn schema(path: &str) -> Validator {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    let schema = fs::read_to_string(path).unwrap();
    // The language pattern in SARIF's schema has an extra bracket, so it is not a valid regular
    // expression.
    let schema = schema.replace(r"[a-zA-Z]{2}]?$", "[a-zA-Z]{2}$");
    let schema: Value = serde_json::from_str(&schema).unwrap();
    jsonschema::validator_for(&schema).unwrap()
}

/// A copy of the bad file in a folder for one test.
fn copy() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("robots.txt");
    fs::write(&path, bad()).unwrap();
    (folder, path)
}

#[test]
fn findings_stand_under_their_lines() {
    let ran = abide(&["lint", "-"], &bad());
    assert_eq!(ran.status, 1);
    insta::assert_snapshot!(ran.stdout);
}

#[test]
fn a_clean_file_is_told_so() {
    let ran = abide(&["lint", "-"], b"User-agent: *\nDisallow: /search\n");
    assert_eq!(
        (ran.status, ran.stdout.as_str()),
        (0, "No findings in 1 file.\n")
    );
}

#[test]
fn pref_116_what_is_known_of_control_tokens_grows_old() {
    let file = b"User-agent: Google-Extended\nDisallow: /private/\n";
    let found = |options: &[&str]| {
        let arguments = ["lint", "-", "--select", "control-token-stale"];
        let ran = abide(&[&arguments, options].concat(), file);
        assert_eq!(ran.status, 0, "{}", ran.told());
        ran.stdout
    };
    let old = found(&["--now", "2030-01-01T00:00:00Z"]);
    assert!(
        old.contains("info[control-token-stale]")
            && old.contains("abide knows Google-Extended as of"),
        "{old}"
    );
    let checked = abide_known_robots::named("Google-Extended")
        .unwrap()
        .checked;
    let fresh = found(&["--now", &format!("{checked}T23:00:00Z")]);
    assert_eq!(fresh, "No findings in 1 file.\n");
    // Without the option, the clock counts.
    let now = abide::Moment::from(std::time::SystemTime::now()).to_string();
    assert_eq!(found(&[]), found(&["--now", &now]));

    let ran = abide(
        &[
            "lint",
            "--header",
            "X-Robots-Tag: none",
            "--now",
            "2030-01-01T00:00:00Z",
        ],
        b"",
    );
    assert_eq!(ran.status, 2, "{}", ran.told());
    assert!(ran.stderr.contains("--now has no effect"), "{}", ran.told());
    let ran = abide(&["lint", "-", "--now", "2030-01-01"], file);
    assert_eq!(ran.status, 2, "{}", ran.told());
}

#[test]
fn foreign_text_cannot_act_on_a_terminal() {
    let bytes = "User-agent: *\nDisallow: press\u{202e}/\x1b[31m\nDisallow: stop\u{7}\n";
    let ran = abide(&["lint", "-"], bytes.as_bytes());
    assert!(
        !ran.stdout.contains(['\u{1b}', '\u{7}', '\u{202e}']),
        "{}",
        ran.stdout
    );
    assert!(ran.stdout.contains("\\u{202e}"), "{}", ran.stdout);
}

#[test]
fn what_fails_is_chosen() {
    let info = b"User-agent: *\nDisallow: /backup/\n";
    assert_eq!(abide(&["lint", "-"], info).status, 0);
    assert_eq!(abide(&["lint", "-", "--fail-on", "info"], info).status, 1);
    assert_eq!(
        abide(
            &["lint", "-", "--ignore", "discloses-*", "--fail-on", "info"],
            info
        )
        .status,
        0
    );
    assert_eq!(
        abide(
            &[
                "lint",
                "-",
                "--select",
                "bom,pattern-*",
                "--fail-on",
                "info"
            ],
            info
        )
        .status,
        0
    );
    assert_eq!(
        abide(
            &[
                "lint",
                "-",
                "--select",
                "acap-*,acap-*",
                "--fail-on",
                "info"
            ],
            info
        )
        .status,
        0
    );
    let ran = abide(&["lint", "-", "--select", "patern-no-slash"], info);
    assert_eq!(ran.status, 2);
    assert!(
        ran.stderr.contains("did you mean pattern-no-slash?"),
        "{}",
        ran.stderr
    );
}

#[test]
fn comments_leave_findings_out() {
    let file = b"User-agent: *\nDisallow: press/ # abide: ignore pattern-no-slash\n";
    assert_eq!(abide(&["lint", "-", "--fail-on", "info"], file).status, 0);
    let file = b"# abide: ignore-file pattern-no-slash\nUser-agent: *\nDisallow: press/\n";
    assert_eq!(abide(&["lint", "-", "--fail-on", "info"], file).status, 0);
    let file = b"User-agent: *\n# abide: ignore pattern-no-slash\nDisallow: /press/\n";
    let ran = abide(&["lint", "-", "--fail-on", "info"], file);
    assert!(ran.stdout.contains("unused-ignore"), "{}", ran.stdout);
}

#[test]
fn fixes_go_to_the_file_and_a_diff_shows_them_before() {
    let (_folder, path) = copy();
    let name = path.to_str().unwrap();
    let ran = abide(&["lint", name, "--unsafe-fixes", "--diff"], b"");
    assert_eq!(ran.status, 1);
    let shown = ran.stdout.replace(name, "robots.txt");
    insta::assert_snapshot!(shown);
    assert_eq!(fs::read(&path).unwrap(), bad(), "a diff changes nothing");

    let ran = abide(&["lint", name, "--fix"], b"");
    assert_eq!(ran.status, 1);
    let safe = fs::read_to_string(&path).unwrap();
    assert!(
        safe.contains("Disallow: /a b\n") && safe.contains("Disallow: press/\n"),
        "{safe}"
    );
    assert!(
        ran.stdout.contains("Fixed 1 finding, leaving "),
        "{}",
        ran.stdout
    );

    abide(&["lint", name, "--unsafe-fixes"], b"");
    let all = fs::read_to_string(&path).unwrap();
    assert!(
        all.contains("Disallow: /press/\n") && all.contains("User-agent: Googlebot"),
        "{all}"
    );
}

#[test]
fn stdin_that_is_mended_goes_to_stdout() {
    let ran = abide(
        &["lint", "-", "--fix"],
        b"User-agent: Foo/1.0\nDisalow: /press/\n",
    );
    assert_eq!(ran.stdout, "User-agent: Foo\nDisallow: /press/\n");
    assert!(
        ran.stderr
            .contains("Fixed 2 findings, leaving none in 1 file."),
        "{}",
        ran.stderr
    );
}

#[test]
fn json_is_as_its_schema_says() {
    let ran = abide(&["lint", "-", "--format", "json"], &bad());
    let found: Value = serde_json::from_str(&ran.stdout).unwrap();
    let schema = schema("../../schema/lint.json");
    let errors: Vec<_> = schema
        .iter_errors(&found)
        .map(|error| error.to_string())
        .collect();
    assert!(errors.is_empty(), "{errors:?}");
    let lines = abide(&["lint", "-", "--format", "jsonl"], &bad()).stdout;
    let lines: Vec<Value> = lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(found, Value::Array(lines));
}

#[test]
fn sarif_is_as_its_schema_says() {
    let ran = abide(&["lint", BAD, "--format", "sarif"], b"");
    let log: Value = serde_json::from_str(&ran.stdout).unwrap();
    let schema = schema("tests/data/sarif-2.1.0.json");
    let errors: Vec<_> = schema
        .iter_errors(&log)
        .map(|error| error.to_string())
        .collect();
    assert!(errors.is_empty(), "{errors:?}");
    let results = log["runs"][0]["results"].as_array().unwrap();
    assert!(results.len() > 5);
}

#[test]
fn forms_for_services() {
    let of = |format| abide(&["lint", "-", "--format", format], &bad()).stdout;
    insta::assert_snapshot!("github", of("github"));
    insta::assert_snapshot!("junit", of("junit"));
    let issues: Value = serde_json::from_str(&of("gitlab")).unwrap();
    let prints: std::collections::BTreeSet<_> = issues
        .as_array()
        .unwrap()
        .iter()
        .map(|issue| issue["fingerprint"].as_str().unwrap())
        .collect();
    assert_eq!(
        prints.len(),
        issues.as_array().unwrap().len(),
        "fingerprints are unique"
    );
}

#[test]
fn tags_are_linted_too() {
    let ran = abide(
        &[
            "lint",
            "--header",
            "X-Robots-Tag: noindex",
            "--header",
            "Robots-Tag: noindex",
        ],
        b"",
    );
    assert_eq!(ran.status, 1);
    insta::assert_snapshot!(ran.stdout);
}

#[test]
fn every_code_explains_itself() {
    let all = abide(&["lint", "--explain", "all"], b"").stdout;
    assert!(all.lines().count() > 100);
    for line in all.lines() {
        let code = line.split_whitespace().next().unwrap();
        if code.starts_with("pattern-") {
            let page = abide(&["lint", "--explain", code], b"").stdout;
            assert!(page.starts_with(&format!("# {code}\n")), "{page}");
        }
    }
    let page = abide(&["lint", "--explain", "typo"], b"").stdout;
    assert!(page.starts_with("# misspelt-field\n"), "{page}");
    let ran = abide(&["lint", "--explain", "patern-space"], b"");
    assert_eq!(ran.status, 2);
    assert!(
        ran.stderr.contains("did you mean pattern-space?"),
        "{}",
        ran.stderr
    );
}

/// A file from a site has its media type; a site without a file is reported with its status.
#[test]
fn files_of_sites() {
    let server = Server::start(|path| match path {
        "/robots.txt" => response(
            "200 OK",
            "Content-Type: text/html\r\n",
            "User-agent: *\nDisallow: /x\n",
        ),
        _ => response("404 Not Found", "", ""),
    });
    let ran = abide(
        &["lint", &server.url("/robots.txt"), "--allow-private"],
        b"",
    );
    assert_eq!(ran.status, 1);
    assert!(
        ran.stdout
            .contains("warning[media-type]: served as text/html;"),
        "{}",
        ran.stdout
    );
    let none = Server::start(|_| response("404 Not Found", "", ""));
    let ran = abide(&["lint", &none.url("/robots.txt"), "--allow-private"], b"");
    assert_eq!((ran.status, &*ran.stdout), (3, ""));
    assert!(
        ran.stderr.contains("answered with status 404"),
        "{}",
        ran.stderr
    );
}

/// A file that cannot be read does not stop the check of the others.
#[test]
fn a_missing_file_does_not_hide_the_others() {
    let ran = abide(
        &["lint", BAD, "/no/such/robots.txt", "--format", "github"],
        b"",
    );
    assert_eq!(ran.status, 2);
    assert!(
        ran.stdout.contains("title=pattern-no-slash"),
        "{}",
        ran.stdout
    );
    let ran = abide(&["lint", "-", "-"], b"");
    assert_eq!(ran.status, 2);
    assert!(
        ran.stderr.contains("stdin can be read only once"),
        "{}",
        ran.stderr
    );
}

#[test]
fn what_cannot_be_read_is_told() {
    let ran = abide(&["lint", "/no/such/robots.txt"], b"");
    assert_eq!(ran.status, 2);
    assert!(ran.stderr.contains("/no/such/robots.txt"), "{}", ran.stderr);
}

/// `tdmrep.json` is known by its name, an RSL licence by its root element; the fix of a safe
/// finding is written back.
#[test]
fn documents_beside_robots_txt_are_linted_and_fixed() {
    let folder = tempfile::tempdir().unwrap();
    let tdmrep = folder.path().join("tdmrep.json");
    fs::write(&tdmrep, r#"{"location": "/", "tdm-reservation": 1}"#).unwrap();
    let licence = folder.path().join("license.xml");
    fs::write(&licence, "<rsl xmlns=\"https://rslstandard.org/rsl\">").unwrap();
    let (tdmrep, licence) = (tdmrep.to_str().unwrap(), licence.to_str().unwrap());

    let ran = abide(&["lint", "--format", "json", tdmrep, licence], b"");
    assert_eq!(ran.status, 1, "{}", ran.stderr);
    let findings: Vec<Value> = serde_json::from_str(&ran.stdout).unwrap();
    let found: Vec<(&str, &str)> = findings
        .iter()
        .map(|finding| {
            let file = finding["file"].as_str().unwrap();
            (
                file.rsplit('/').next().unwrap(),
                finding["code"].as_str().unwrap(),
            )
        })
        .collect();
    assert_eq!(
        found,
        [
            ("tdmrep.json", "tdmrep-unreadable"),
            ("license.xml", "licence-not-rsl"),
        ]
    );

    let ran = abide(&["lint", "--fix", "--unsafe-fixes", tdmrep], b"");
    assert_eq!(ran.status, 0, "{}{}", ran.stdout, ran.stderr);
    let fixed: Value = serde_json::from_slice(&fs::read(tdmrep).unwrap()).unwrap();
    assert_eq!(fixed[0]["tdm-reservation"], 1);
}

/// The codes and severities that `abide lint` finds.
fn codes(arguments: &[&str]) -> Vec<(String, String)> {
    let ran = abide(&[&["lint", "--format", "json"], arguments].concat(), b"");
    let found: Vec<Value> = serde_json::from_str(&ran.stdout).unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let found = found.iter();
    found
        .map(|one| (text(&one["code"]), text(&one["severity"])))
        .collect()
}

/// Documents of a site are compared with its robots.txt, a response and its URL.
#[test]
fn documents_are_linted_for_their_site() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let one = |code: &str, severity: &str| vec![(code.to_owned(), severity.to_owned())];
    let tdmrep = write(
        "tdmrep.json",
        r#"[{"location": "/news/", "tdm-reservation": 1}]"#,
    );
    let field = ["-H", "tdm-reservation: 0", "--url"];
    let found = |url| codes(&[&[tdmrep.as_str()], &field[..], &[url]].concat());
    assert_eq!(
        found("https://e.example/news/1"),
        one("tdmrep-superseded", "warning")
    );
    assert_eq!(found("/other"), []);
    let licence = write(
        "license.xml",
        "<rsl xmlns=\"https://rslstandard.org/rsl\"><content url=\"https://old.example/\">\
         <license><permits type=\"usage\">search</permits></license></content></rsl>",
    );
    assert_eq!(codes(&[&licence]), []);
    assert_eq!(codes(&[&licence, "--url", "https://old.example/x"]), []);
    let foreign = one("rsl-foreign-host", "warning");
    assert_eq!(codes(&[&licence, "--url", "https://new.example"]), foreign);
    let robots = write("a/robots.txt", "User-agent: *\nDisallow: /.well-known/\n");
    let select = ["--select", "tdmrep-disallowed"];
    let found = |files: &[&str]| codes(&[&select[..], files].concat());
    assert_eq!(found(&[&robots]), one("tdmrep-disallowed", "info"));
    assert_eq!(
        found(&[&robots, &tdmrep]),
        one("tdmrep-disallowed", "warning")
    );
    write("a/.well-known/tdmrep.json", "[]");
    assert_eq!(found(&[&robots]), one("tdmrep-disallowed", "warning"));
}

/// Only the elements for robots are robots tags; an element that was meant as one is a warning.
#[test]
fn pages_have_many_meta_elements() {
    let folder = tempfile::tempdir().unwrap();
    let lint = |name: &str, page: &str, robots: &[&str]| {
        let file = folder.path().join(name);
        std::fs::write(&file, page).unwrap();
        let mut args = vec!["lint", "--html", file.to_str().unwrap()];
        args.extend(robots);
        abide(&args, b"")
    };
    let closed = folder.path().join("robots.txt");
    std::fs::write(&closed, "User-agent: *\nDisallow: /x\n").unwrap();
    let site = [closed.to_str().unwrap(), "--url", "https://s.example/x"];
    let page = "<!doctype html><head><meta name=viewport content='width=device-width, initial-scale=1'>\
        <meta name=description content='Books, tea; and more'><meta name=keywords content='seo, noindex'>\
        <meta name=keywords content='index; follow'><meta name=generator content='WordPress 6.9'>\
        <meta name=tdm-reservation content=1><meta name=tdm-policy content='https://s.example/p.json'>\
        <meta property='og:title' content='noindex'><meta http-equiv=refresh content=5></head>";
    for robots in [&[][..], &site] {
        let ran = lint("ordinary.html", page, robots);
        let is_misread = ["tag-rule", "robots-tag", "noindex"]
            .iter()
            .any(|word| ran.stdout.contains(word));
        assert_eq!((ran.status, is_misread), (0, false), "{}", ran.told());
    }
    let of_robots = "<meta name=GoogleBot content=no-index><meta name=robots content='noindex nofollow'>\
        <meta name=robots content='noodp'>";
    let elements = [
        ("value", "<meta name=robots value=noindex>"),
        (
            "property",
            "<meta property=robots content='noindex, follow'>",
        ),
        ("robot", "<meta name=robot content=noindex>"),
        ("attribute", "<meta robots=noindex>"),
        ("equiv", "<meta http-equiv=X-Robots-Tag content=noindex>"),
    ];
    let mut output = lint("typos.html", of_robots, &[]).told();
    for (name, element) in elements {
        let ran = lint(name, element, &[]);
        assert_eq!(ran.status, 1, "{name}: {}", ran.told());
        output += &ran.told();
    }
    insta::assert_snapshot!(output);
}

/// A `noindex` that a single robot never sees.
#[test]
fn a_noindex_that_one_robot_never_sees() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("page.html");
    std::fs::write(&page, "<meta name=robots content=noindex>").unwrap();
    let page = page.to_str().unwrap();
    let robots = b"User-agent: Googlebot\nUser-agent: bingbot\nDisallow: /outlet/\n";
    let args = [
        "lint",
        "-",
        "--html",
        page,
        "--url",
        "https://s.example/outlet/x",
    ];
    let ran = abide(&args, robots);
    let said = "bingbot and Googlebot may not fetch this page, so they never see its noindex";
    assert!(ran.told().contains(said), "{}", ran.told());
    let elsewhere = abide(
        &["lint", "-", "--html", page, "--url", "https://s.example/x"],
        robots,
    );
    assert!(!elsewhere.told().contains("never"), "{}", elsewhere.told());
}

/// The first byte that is not UTF-8 is named, and in a comment it has a safe fix.
#[test]
fn the_first_byte_that_is_not_utf8() {
    let file =
        b"User-agent: *\n# caf\xe9 \x96 \xc3\xa9\nDisallow: /x # \xfc\nDisallow: /caf\xe9/\n";
    let ran = abide(&["lint", "-", "--format", "json"], file);
    let report: Value = serde_json::from_str(&ran.stdout).unwrap();
    let text = report.to_string();
    assert!(
        text.contains("the byte 0xe9 in column 6 (byte 19 of the file) is not UTF-8"),
        "{text}"
    );
    let human = abide(&["lint", "-"], file).told();
    assert!(
        human.contains("not-utf8") && human.contains("0xe9"),
        "{human}"
    );
    let fixed = abide(&["lint", "-", "--fix"], file);
    let said = "User-agent: *\n# café – é\nDisallow: /x # ü\nDisallow: /caf%E9/\n";
    assert_eq!(fixed.stdout, said);
}

/// Notes of one code after the third are counted, and can be left out; findings that matter cannot
/// get lost among them.
#[test]
fn notes_are_counted_after_the_third_of_a_code() {
    let rules: String = (0..8)
        .map(|at| format!("Disallow: /print/{at}/\n"))
        .collect();
    let file = format!("User-agent: *\nDisallow: /print/\n{rules}Disallow: press/\n");
    let ran = abide(&["lint", "-"], file.as_bytes());
    assert_eq!(
        ran.stdout.matches("redundant: line 2").count(),
        3,
        "{}",
        ran.stdout
    );
    let rest = "info[redundant-rule]: 5 more notes of this code, on lines 6, 7, 8, 9 and 10; --all shows every note";
    assert!(ran.stdout.contains(rest), "{}", ran.stdout);
    assert!(
        ran.stdout.contains("1 error, 8 notes in 1 file."),
        "{}",
        ran.stdout
    );
    let ran = abide(&["lint", "-", "--format", "github"], file.as_bytes());
    assert_eq!(ran.stdout.matches("::notice").count(), 4, "{}", ran.stdout);
    let ran = abide(&["lint", "-", "--all"], file.as_bytes());
    assert_eq!(
        ran.stdout.matches("redundant: line 2").count(),
        8,
        "{}",
        ran.stdout
    );
    let ran = abide(&["lint", "-", "--min-severity", "warning"], file.as_bytes());
    assert!(!ran.stdout.contains("info["), "{}", ran.stdout);
    assert!(ran.stdout.contains("1 error in 1 file."), "{}", ran.stdout);
    assert_eq!(ran.status, 1);
    // Programs get every finding.
    let ran = abide(&["lint", "-", "--format", "jsonl"], file.as_bytes());
    assert_eq!(ran.stdout.lines().count(), 9, "{}", ran.stdout);
    // What is not shown is not fixed.
    let fixing = ["lint", "-", "--min-severity", "warning", "--diff"];
    assert_eq!(abide(&fixing, file.as_bytes()).status, 2);
    let args = ["lint", "-", "--min-severity", "error", "--fail-on", "info"];
    let ran = abide(&args, file.as_bytes());
    assert_eq!(ran.status, 2);
    assert!(
        ran.stderr
            .contains("--fail-on info has no effect with --min-severity error"),
        "{}",
        ran.stderr
    );
}

/// With the URL of the site, a sitemap on another host is reported.
#[test]
fn the_url_of_the_site_counts_for_sitemaps() {
    let file = b"User-agent: *\nDisallow: /cart/\nSitemap: https://cdn.example/sitemap.xml\n";
    for (url, is_other) in [
        ("https://shop.example/", true),
        ("https://cdn.example/", false),
    ] {
        let ran = abide(&["lint", "-", "--url", url], file);
        assert_eq!(
            ran.stdout.contains("sitemap-other-host"),
            is_other,
            "{}",
            ran.stdout
        );
    }
}

const SHOP: &str = "<base href=/static/><link rel=stylesheet href='app.css'>\
    <script src='app.js'></script><img src='/media/a.png'><img src='https://cdn.example/b.png'>";

/// What a page loads from its own site is asked about, for each robot that matters.
#[test]
fn the_files_that_a_page_loads_are_checked() {
    let robots = "User-agent: Googlebot\nDisallow: /static/*.css\n\n\
        User-agent: *\nDisallow: /media/\nDisallow: /other/*.js$\n";
    let server = Server::start(move |path| match path {
        "/robots.txt" => response("200 OK", "", robots),
        "/" => response("200 OK", "Content-Type: text/html\r\n", SHOP),
        _ => response("404 Not Found", "", ""),
    });
    let args = ["lint", &server.url("/"), "--page", "--allow-private"];
    let args = [
        &args[..],
        &["--select", "resources-blocked", "--format", "jsonl"],
    ]
    .concat();
    let ran = abide(&args, b"");
    assert_eq!(ran.status, 1, "{}", ran.stderr);
    let found: Vec<serde_json::Value> = ran
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let said: Vec<(u64, &str, &str)> = found
        .iter()
        .map(|one| {
            let text = |name: &str| one[name].as_str().unwrap();
            (
                one["line"].as_u64().unwrap(),
                text("severity"),
                text("message"),
            )
        })
        .collect();
    let (css, png) = (server.url("/static/app.css"), server.url("/media/a.png"));
    let css = format!(
        "Googlebot cannot load 1 of the 3 files that the page loads from this site, such as \"{css}\", and may see a broken page"
    );
    let png = format!(
        "bingbot and robots without their own group cannot load 1 of the 3 files that the page loads from this site, such as \"{png}\""
    );
    assert_eq!(said[..2], [(2, "warning", &*css), (5, "info", &*png)]);
    assert_eq!(server.paths(), ["/robots.txt", "/"]);
}

/// A page from a file is read, and nothing is fetched.
#[test]
fn a_page_from_a_file_needs_its_url() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("page.html");
    std::fs::write(&page, SHOP).unwrap();
    let page = page.to_str().unwrap();
    let robots = b"User-agent: *\nDisallow: /static/\n";
    let args = ["lint", "-", "--page", "--html", page];
    let ran = abide(&args, robots);
    assert_eq!(ran.status, 2);
    let wants = "--page needs the URL of a page: lint a URL, or name one with --url";
    assert!(ran.stderr.contains(wants), "{}", ran.stderr);
    let args = [&args[..], &["--url", "https://shop.example/x/y"]].concat();
    let ran = abide(&args, robots);
    let says = "cannot load 2 of the 3 files that the page loads from this site, such as \"https://shop.example/static/app.css\"";
    assert!(ran.stdout.contains(says), "{}{}", ran.stdout, ran.stderr);
}

/// A tool that is asked for fails the run; one note is left for whoever does not ask.
#[test]
fn other_tools_are_predicted() {
    let robots = b"User-agent: *\nContent-Usage: train-ai=n\nCrawl-delay: 1\nDisallow: /x$y\n";
    let ran = abide(
        &[
            "lint",
            "-",
            "--peers",
            "lighthouse,google",
            "--format",
            "jsonl",
        ],
        robots,
    );
    assert_eq!(ran.status, 1);
    for said in [
        "Lighthouse 13.1 to 13.5: Unknown directive",
        "Lighthouse 13.1 to 13.5: \\\"$\\\" should only be used at the end of the pattern",
        "Google's parser: Google does not use this field",
    ] {
        assert!(ran.stdout.contains(said), "{said}: {}", ran.stdout);
    }
    assert!(!ran.stdout.contains("lighthouse-unknown-field"));
    let ran = abide(&["lint", "-"], robots);
    assert!(
        ran.stdout.contains("info[lighthouse-unknown-field]"),
        "{}",
        ran.stdout
    );
    assert!(!ran.stdout.contains("peer-complaint"));
    let ran = abide(&["lint", "-", "--peers", "screaming-frog"], robots);
    assert_eq!(ran.status, 2);
    assert!(
        ran.stderr.contains("expected lighthouse, lighthouse@12"),
        "{}",
        ran.stderr
    );
}

/// The robots.txt of the page's own site says whether the page may be fetched.
#[test]
fn a_page_of_another_site_is_not_fetched() {
    let open = Server::start(|path| match path {
        "/robots.txt" => response("200 OK", "", "User-agent: *\nDisallow: /x\n"),
        _ => response("404 Not Found", "", ""),
    });
    let closed = Server::start(|path| match path {
        "/robots.txt" => response("200 OK", "", "User-agent: *\nDisallow: /\n"),
        _ => response("200 OK", "Content-Type: text/html\r\n", SHOP),
    });
    let page = closed.url("/secret");
    let lint = |file: &str, robots: &[u8]| {
        abide(
            &["lint", file, "--page", "--allow-private", "--url", &page],
            robots,
        )
    };
    let ran = lint(&open.url("/robots.txt"), b"");
    assert_eq!(ran.status, 2);
    assert!(ran.stderr.contains("is on another"), "{}", ran.stderr);
    // A file that is no site's may be a draft for that one.
    let ran = lint("-", b"User-agent: *\nDisallow: /x\n");
    assert!(ran.stderr.contains("no page was read"), "{}", ran.stderr);
    assert_eq!(closed.paths(), ["/robots.txt"]);
}

/// A file that a page loads by several names is one file.
#[test]
fn resources_are_counted_once() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("page.html");
    let html = "<base href='data:,'><script src=/x.js></script><script src=x.js></script>\
        <img src='/x.js#a'><img src='/y.png'>";
    std::fs::write(&page, html).unwrap();
    let page = page.to_str().unwrap();
    let args = [
        "lint",
        "-",
        "--page",
        "--html",
        page,
        "--url",
        "https://e.example/",
    ];
    let ran = abide(&args, b"User-agent: *\nDisallow: /x\n");
    let says = "cannot load 1 of the 2 files that the page loads";
    assert!(ran.stdout.contains(says), "{}{}", ran.stdout, ran.stderr);
    let args = [
        "lint",
        "robots.txt",
        "--page",
        "--html",
        "-",
        "--url",
        "https://e.example/",
    ];
    let ran = abide(&args, html.as_bytes());
    assert_eq!(ran.status, 2);
    assert!(
        ran.stderr.contains("stdin can be read only once"),
        "{}",
        ran.stderr
    );
}
