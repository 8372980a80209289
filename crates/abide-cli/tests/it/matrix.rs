//! `abide matrix`: the text output, as snapshots, and the machine-readable output.

use crate::abide;
use crate::fetch::{Server, response};
use serde_json::Value;
use std::collections::BTreeMap;

const FILE: &str = "User-agent: *\nDisallow: /tmp/\nDisallow: /cgi-bin/\n\n\
    User-agent: GPTBot\nDisallow: /\n\n\
    User-agent: CCBot\nDisallow: /\n\n\
    User-agent: ClaudeBot\nDisallow: /\nAllow: /public/\n\n\
    User-agent: Google-Extended\nDisallow: /*\n\n\
    User-agent: Googlebot\nUser-agent: ChatGPT-User\nDisallow:\n\n\
    User-agent: My2Bot\nUser-agent: =cmd|calc\nUser-agent: x|<b>,y\nDisallow: /\n";

fn matrix(file: &str, args: &[&str]) -> String {
    let ran = abide(&[&["matrix", "-"], args].concat(), file.as_bytes());
    assert_eq!((ran.status, &*ran.stderr), (0, ""), "{args:?}");
    ran.stdout
}

fn json(file: &str, args: &[&str]) -> Value {
    let schema: Value =
        serde_json::from_str(include_str!("../../../../schema/matrix.json")).unwrap();
    let schema = jsonschema::validator_for(&schema).unwrap();
    let output = matrix(file, &[args, &["--format", "json"]].concat());
    let output: Value = serde_json::from_str(&output).unwrap();
    let errors: Vec<_> = schema
        .iter_errors(&output)
        .map(|error| error.to_string())
        .collect();
    assert!(errors.is_empty(), "{output}: {errors:?}");
    output
}

/// The robots by name.
fn robots(output: &Value) -> BTreeMap<String, Value> {
    let kinds = output["kinds"].as_array().unwrap();
    let robots = kinds
        .iter()
        .flat_map(|kind| kind["robots"].as_array().unwrap());
    robots
        .map(|robot| (robot["name"].as_str().unwrap().to_owned(), robot.clone()))
        .collect()
}

#[test]
fn all_robots_at_a_glance() {
    insta::assert_snapshot!(matrix(FILE, &[]));
}

#[test]
fn chosen_robots() {
    let args = [
        "-a",
        "@ai-training",
        "-a",
        "Google-Extended,ChatGPT-User,*,My2Bot",
    ];
    insta::assert_snapshot!(matrix(FILE, &args));
    insta::assert_snapshot!(matrix(
        FILE,
        &["-a", "GPTBot,Googlebot-News,AdsBot-Google,*", "--all"]
    ));
    insta::assert_snapshot!(matrix(
        FILE,
        &["-a", "@ai-training,My2Bot", "--format", "markdown"]
    ));
}

#[test]
fn csv_is_rfc_4180() {
    let output = matrix(FILE, &["--format", "csv"]);
    assert!(output.ends_with("\r\n"));
    assert_eq!(output.matches('\n').count(), output.matches("\r\n").count());
    let rows: Vec<&str> = output.split("\r\n").collect();
    let known = abide_known_robots::all().len();
    // The header, `*`, the known robots, three names of the file, and the end.
    assert_eq!(rows.len(), 1 + 1 + known + 3 + 1);
    let find = |name: &str| *rows.iter().find(|row| row.contains(name)).unwrap();
    assert_eq!(
        find(",GPTBot,"),
        "ai-training,GPTBot,OpenAI,yes,closed,yes,yes,6,Disallow: /,,,,0,,no preference,no preference,no preference"
    );
    assert!(
        find(",ClaudeBot,").contains(",partly,yes,yes,12,Disallow: /,13,Allow: /public/,/public/")
    );
    assert!(find("=cmd|calc").contains(",'=cmd|calc"), "{output}");
    for row in rows.iter().filter(|row| !row.is_empty()) {
        let mut quoted = false;
        let commas = row.chars().filter(|c| {
            quoted ^= *c == '"';
            *c == ',' && !quoted
        });
        assert_eq!(commas.count(), 16, "{row}");
    }
}

#[test]
fn json_fits_its_schema_and_check_gives_the_same_answers() {
    let output = json(FILE, &[]);
    assert_eq!(output["proven"], true);
    let robots = robots(&output);
    let access = |name: &str| robots[name]["access"].as_str().unwrap();
    assert_eq!(access("*"), "partly");
    assert_eq!(access("GPTBot"), "closed");
    assert_eq!(access("Google-Extended"), "closed");
    assert_eq!(access("Googlebot"), "allowed");
    assert_eq!(
        access("Googlebot-Image"),
        "allowed",
        "it follows Googlebot's group"
    );
    assert_eq!(access("AdsBot-Google"), "allowed", "it ignores `*`");
    assert_eq!(access("My2Bot"), "closed");
    assert_eq!(robots["ChatGPT-User"]["follows_robots_txt"], false);
    let mut confirmed = 0;
    for name in ["GPTBot", "ClaudeBot", "Googlebot", "bingbot", "My2Bot"] {
        for (path, line) in [
            ("/", &robots[name]["decided_by"]),
            (
                robots[name]["exception"]["path"].as_str().unwrap_or("/"),
                &robots[name]["exception"]["decided_by"],
            ),
        ] {
            let args = [
                "check",
                path,
                "-r",
                "-",
                "-a",
                name,
                "--nonstandard-token",
                "--format",
                "json",
            ];
            let said: Value = serde_json::from_str(&abide(&args, FILE.as_bytes()).stdout).unwrap();
            let evidence = &said["usages"]["crawl"]["evidence"][0];
            if !line.is_null() {
                assert_eq!(evidence["line"], line["line"], "{name} {path}: {said}");
                confirmed += 1;
            }
        }
    }
    assert_eq!(confirmed, 7);
}

/// A robot of the table is not shown twice because of what follows its name.
#[test]
fn names_are_those_that_robots_read() {
    let file = "User-agent: Mediapartners-Google*\nUser-agent: Offline Explorer\nUser-agent: Bot*\nDisallow: /\n";
    let robots = robots(&json(file, &[]));
    let own: Vec<&str> = robots
        .keys()
        .map(String::as_str)
        .filter(|name| file.contains(name))
        .collect();
    assert_eq!(own, ["*", "Bot", "Mediapartners-Google", "Offline"]);
    assert_eq!(robots["Mediapartners-Google"]["access"], "closed");
}

#[test]
fn literal_names_have_no_documented_behaviour() {
    let robots = robots(&json(FILE, &["--literal"]));
    assert_eq!(robots["AdsBot-Google"]["access"], "partly");
    assert_eq!(robots["Googlebot-Image"]["access"], "partly");
    assert_eq!(robots["ChatGPT-User"]["follows_robots_txt"], Value::Null);
}

#[test]
fn spellings_of_a_closed_and_an_open_site() {
    for (file, access) in [
        ("", "allowed"),
        ("User-agent: *\nDisallow:\n", "allowed"),
        ("User-agent: *\nDisallow: /x\nAllow: /x\n", "allowed"),
        ("User-agent: *\nDisallow: /\n", "closed"),
        ("User-agent: *\nDisallow: *\n", "closed"),
        (
            "User-agent: *\nDisallow: /\nAllow: /robots.txt$\n",
            "closed",
        ),
        (
            "User-agent: *\nDisallow: /$\nDisallow: /?\nDisallow: /*\n",
            "closed",
        ),
        ("User-agent: *\nDisallow: /$\n", "partly"),
        ("User-agent: *\nDisallow: /\nAllow: /$\n", "partly"),
        ("User-agent: *\nAllow: /\nDisallow: /\n", "allowed"),
    ] {
        let output = json(file, &["-a", "*"]);
        let robot = &robots(&output)["*"];
        assert_eq!(
            (&robot["access"], &robot["proven"]),
            (&access.into(), &true.into()),
            "{file}"
        );
    }
}

#[test]
fn a_file_that_is_too_complex_is_not_proven() {
    // Each Allow is longer and matches more, which only a search through all paths can show.
    let rules = (10..90).map(|at| format!("Disallow: /*x{at}x{at}\nAllow: /*x{at}*x{at}\n"));
    let file = format!("User-agent: *\n{}", rules.collect::<String>());
    let args = ["matrix", "-", "-a", "GPTBot,bingbot,*", "--format"];
    let ran = abide(&[&args[..], &["csv"]].concat(), file.as_bytes());
    assert_eq!(ran.status, 0);
    assert!(
        ran.stdout
            .contains("ai-training,GPTBot,OpenAI,yes,partly,no,"),
        "{}",
        ran.stdout
    );
    assert!(
        ran.stderr.starts_with("warning: the file is too complex"),
        "{}",
        ran.stderr
    );
    let ran = abide(&[&args[..], &["human"]].concat(), file.as_bytes());
    assert!(ran.stdout.contains("(not proven)"), "{}", ran.stdout);
}

#[test]
fn a_live_site() {
    let server = Server::start(|path| match path {
        "/robots.txt" => response("200 OK", "", "User-agent: *\nDisallow: /\n"),
        _ => response("200 OK", "", "<html>"),
    });
    let args = ["matrix", &server.url("/"), "--allow-private", "-a", "*"];
    let ran = abide(&args, b"");
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    assert!(
        ran.stdout.starts_with("No other robot may crawl the site."),
        "{}",
        ran.stdout
    );
    let gone = Server::start(|_| response("404 Not Found", "", ""));
    let ran = abide(&["matrix", &gone.url("/"), "--allow-private"], b"");
    assert_eq!((ran.status, &*ran.stdout), (3, ""));
    assert!(ran.stderr.contains("does not exist"), "{}", ran.stderr);
}

#[test]
fn mistakes_in_the_call() {
    for args in [
        &["/nonexistent"][..],
        &["-", "-a", "@trainig"],
        &["-", "-a", "GPTBot,,CCBot"],
        &["-", "-a", "Bot 2"],
    ] {
        let ran = abide(&[&["matrix"], args].concat(), b"");
        assert_eq!((ran.status, &*ran.stdout), (2, ""), "{args:?}");
        assert!(ran.stderr.starts_with("error: "), "{}", ran.stderr);
    }
}

const PREFERENCES: &str = "User-agent: *\nContent-Signal: search=yes, ai-train=no\nDisallow: /drafts/\n\n\
    User-agent: GPTBot\nContent-Signal: ai-input=yes\nContent-Signal: /open/ ai-train=yes\nAllow: /\n\n\
    User-agent: Google-Extended\nDisallow: /\n";
const ROBOTS: [&str; 2] = ["-a", "*,Googlebot,GPTBot,CCBot,Google-Extended"];

#[test]
fn preferences_in_every_format() {
    for format in ["human", "markdown", "csv"] {
        let args = [&ROBOTS[..], &["--format", format]].concat();
        insta::assert_snapshot!(format!("preferences-{format}"), matrix(PREFERENCES, &args));
    }
    let all = [&ROBOTS[..], &["--all"]].concat();
    insta::assert_snapshot!(matrix(PREFERENCES, &all));
    let output = json(PREFERENCES, &ROBOTS);
    let googlebot = &robots(&output)["Googlebot"]["preferences"];
    assert_eq!(googlebot[1]["usage"], "ai-input");
    assert_eq!(googlebot[1]["outcome"], "prohibited");
    assert_eq!(googlebot[1]["control_token"], "Google-Extended");
}

#[test]
fn preferences_of_a_file_without_any() {
    let file = "User-agent: *\nDisallow: /drafts/\n";
    assert!(!matrix(file, &ROBOTS).contains("preferences ("));
    assert!(
        json(file, &ROBOTS)["kinds"][0]["robots"][0]
            .get("preferences")
            .is_none()
    );
    insta::assert_snapshot!(matrix(file, &[&ROBOTS[..], &["--preferences"]].concat()));
}

const LICENCE: &str = "https://l.example/a.xml";

/// A licence document that prohibits training, in a folder of its own, and the value of `--rsl`.
fn licence(url: &str) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.xml");
    let text = format!(
        "<rsl xmlns=\"https://rslstandard.org/rsl\"><content url=\"{url}\"><license>\
         <prohibits type=\"usage\">ai-train</prohibits></license></content></rsl>"
    );
    std::fs::write(&file, text).unwrap();
    let value = format!("{LICENCE}={}", file.display());
    (folder, value)
}

#[test]
fn preferences_of_documents() {
    let file = format!("License: {LICENCE}\nUser-agent: *\nContent-Usage: ai-use=n, search=y\n");
    let (folder, rsl) = licence("/");
    let row = |args: &[&str]| {
        let output = json(&file, &[&["-a", "ExampleBot"], args].concat());
        let answers = robots(&output)["ExampleBot"]["preferences"].clone();
        let answers = answers.as_array().unwrap().iter();
        let outcomes = answers.map(|answer| answer["outcome"].as_str().unwrap().to_owned());
        outcomes.collect::<Vec<_>>()
    };
    assert_eq!(row(&[]), ["unspecified", "prohibited", "permitted"]);
    assert_eq!(
        row(&["--revision", "07"]),
        ["unspecified", "unspecified", "permitted"]
    );
    assert_eq!(
        row(&["--rsl", &rsl]),
        ["prohibited", "prohibited", "permitted"]
    );
    let named = row(&["--rsl", &rsl, "--vocabulary", "rsl"]);
    assert_eq!(named, ["prohibited", "unspecified", "unspecified"]);
    assert_eq!(row(&["--vocabulary", "rsl"]), ["unknown"; 3]);
    let tdmrep = folder.path().join("tdmrep.json");
    std::fs::write(&tdmrep, r#"[{"location": "/", "tdm-reservation": 1}]"#).unwrap();
    let tdmrep = row(&["--tdmrep", tdmrep.to_str().unwrap()]);
    assert_eq!(tdmrep, ["prohibited", "prohibited", "permitted"]);

    let ran = abide(&["matrix", "-", "--vocabulary", "robots-tag"], b"");
    assert_eq!(ran.status, 2, "{}", ran.told());
    assert!(
        ran.stderr.contains("robots-tag has no effect"),
        "{}",
        ran.stderr
    );
}

#[test]
fn licences_for_whole_urls_count_for_the_site_that_they_name() {
    let file = format!("License: {LICENCE}\nUser-agent: *\nAllow: /\n");
    let body = file.clone();
    let server = Server::start(move |_| response("200 OK", "", &body));
    let (_folder, rsl) = licence(&server.url("/*"));
    let args = ["-a", "ExampleBot", "--rsl", &rsl, "--all"];
    let site = server.url("/");
    let live = [&["matrix", &site, "--allow-private"], &args[..]].concat();
    let ran = abide(&live, b"");
    assert_eq!((ran.status, &*ran.stderr), (0, ""));
    let answers = |output: &str| output.lines().nth(1).unwrap_or_default().to_owned();
    assert!(
        answers(&ran.stdout).contains(" disallowed "),
        "{}",
        ran.stdout
    );
    // Nobody knows the site of a file.
    let ran = abide(&[&["matrix", "-"], &args[..]].concat(), file.as_bytes());
    assert_eq!(ran.status, 0, "{}", ran.told());
    assert!(
        ran.stderr.contains("name the robots.txt by its URL")
            && !answers(&ran.stdout).contains("disallowed"),
        "{}",
        ran.told()
    );
}

/// A line that only Google's parser reads closes the site to Google's robots.
#[test]
fn what_google_reads_otherwise_is_told() {
    let file = "User-agent: *\nDisallow: /tmp/\nDisallowAITraining: /\n";
    let note = "Google's parser reads line 3 as Disallow, so Googlebot may not crawl the site.";
    let output = json(file, &["-a", "Googlebot,bingbot"]);
    assert_eq!(output["notes"], serde_json::json!([note]));
    let text = matrix(file, &["-a", "Googlebot,bingbot"]);
    assert!(text.replace('\n', " ").contains(note), "{text}");
    let markdown = matrix(file, &["-a", "Googlebot,bingbot", "--format", "markdown"]);
    assert!(markdown.contains(note), "{markdown}");
    // Other robots ignore the line, and so does a file without it.
    for (file, robots) in [
        (file, "bingbot"),
        ("User-agent: *\nDisallow: /\n", "Googlebot"),
    ] {
        assert!(json(file, &["-a", robots]).get("notes").is_none());
    }
}

/// P2: a group that only a purpose starts closes the site to nobody whom the table knows, so it is
/// told apart, and `--purpose` shows what robots with the purpose get.
#[test]
fn groups_for_purposes_are_told() {
    let file = "User-agent: *\nAllow: /\n\nUser-Agent-Purpose: AI-TRAINING\nDisallow: /\n\n\
                User-Agent-Purpose: search\nDisallow: /tmp/\nUser-Agent-Purpose: ai-training\n";
    let output = json(file, &["-a", "GPTBot"]);
    let notes = [
        "Robots that claim the purpose AI-TRAINING may not crawl the site (lines 4 and 9).",
        "Robots that claim the purpose search may crawl parts of the site (line 7).",
        "Such a group is not for a robot that another group names; no known robot is documented to \
         claim a purpose.",
    ];
    assert_eq!(output["notes"], serde_json::json!(notes));
    let access = |args: &[&str]| {
        let output = json(file, &[&["-a", "GPTBot"], args].concat());
        output["kinds"][0]["robots"][0]["access"].clone()
    };
    assert_eq!(access(&[]), "allowed");
    assert_eq!(access(&["--purpose", "AI-training"]), "closed");
    assert_eq!(access(&["-p", "search"]), "partly");
    assert_eq!(access(&["-p", "other,search"]), "partly");
    // The group of a name comes before that of a purpose.
    let named = format!("{file}User-agent: GPTBot\nAllow: /\n");
    let output = json(&named, &["-a", "GPTBot", "-p", "AI-TRAINING"]);
    assert_eq!(output["kinds"][0]["robots"][0]["access"], "allowed");
    // A purpose that no line can have.
    let ran = abide(
        &["matrix", "-", "--purpose", "search,AI TRAINING"],
        file.as_bytes(),
    );
    assert_eq!(ran.status, 2, "{}", ran.told());
    assert!(
        ran.stderr.contains("in --purpose: expected a purpose token of letters, digits, '-' and '_', but found \"AI TRAINING\""),
        "{}",
        ran.stderr
    );
}

/// A file can have a purpose in every line.
#[test]
fn many_purposes_are_counted() {
    let lines = (0..30).map(|number| format!("User-Agent-Purpose: p{number}\nDisallow: /\n"));
    let file: String = lines.collect();
    let notes = json(&file, &["-a", "GPTBot"])["notes"].clone();
    assert_eq!(notes.as_array().unwrap().len(), 22);
    assert_eq!(notes[20], "The file has groups for 10 more purposes.");
}

/// The robot of a `User-agent` line is the one that robots read there, not the whole value.
#[test]
fn the_first_screen_has_the_robots_that_lines_name() {
    let file = "User-agent: SemrushBot/7\nUser-agent: dotbot crawler\nDisallow: /\n";
    let output = matrix(file, &[]);
    let (first, _) = output.split_once("allowed  partly").unwrap();
    for name in ["SemrushBot", "dotbot"] {
        assert!(first.contains(name), "{name}: {output}");
    }
}
