//! Many URLs: `check --urls` and `batch --robots`.

use crate::fetch::{Server, response};
use crate::{Ran, abide};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const ROBOTS: &str = "User-agent: *\nDisallow: /private/\nAllow: /private/ok\nDisallow: /\"q\"\n\n\
                      User-agent: GPTBot\nDisallow: /\n";

/// A folder with the robots.txt.
fn folder() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let robots = folder.path().join("robots.txt");
    std::fs::write(&robots, ROBOTS).unwrap();
    (folder, robots)
}

/// Checks the URLs on stdin.
fn check(robots: &Path, args: &[&str], urls: &[u8]) -> Ran {
    let robots = robots.to_str().unwrap();
    let mut all = vec!["check", "--robots", robots, "--urls", "-"];
    all.extend(args);
    abide(&all, urls)
}

/// A summary without what differs between runs.
pub(crate) fn without_rate(stderr: &str) -> String {
    let steady = |line: &str| {
        let Some((before, after)) = line.split_once(" in ") else {
            return line.to_owned();
        };
        match after.split_once(" per second)") {
            Some((_, after)) => format!("{before} in TIME{after}"),
            None => line.to_owned(),
        }
    };
    stderr.lines().map(|line| steady(line) + "\n").collect()
}

const HOSTILE: &[u8] =
    b"\xEF\xBB\xBFhttps://e.example/\r\n  https://e.example/private/x \n\n \t\r\n\
    www.e.example/x\n/private/ok,1\n/public/../private/y\n\xff\xfe\nhttps://e.example/\xc3\xbc\n\
    # a comment\n=cmd()\nhttps://\nhttps://e.example:99999/\nhttps://e.example/\"q\"\x1b[31m\n\
    https://user:secret@e.example/\nhttps://e.example/robots.txt\nhttps://e.example/last";

#[test]
fn every_line_has_a_row_in_every_format() {
    let (_folder, robots) = folder();
    for format in ["human", "csv", "jsonl"] {
        let args = ["-a", "ExampleBot,GPTBot", "--format", format];
        let ran = check(&robots, &args, HOSTILE);
        let output = format!("{}--- stderr\n{}", ran.stdout, without_rate(&ran.stderr));
        insta::assert_snapshot!(format!("rows_{format}"), output);
        assert_eq!(ran.status, 2);
        assert!(!ran.stdout.contains('\x1b'), "safe to print");
    }
}

#[test]
fn the_exit_status_is_that_of_the_strictest_row() {
    let (_folder, robots) = folder();
    for (urls, status) in [
        (&b""[..], 0),
        (b"\n\n", 0),
        (b"/", 0),
        (b"/\n/private/x\n/\n", 1),
        (b"/\nno\n/private/x\n", 2),
    ] {
        let ran = check(&robots, &["-a", "A", "--format", "csv"], urls);
        assert_eq!(ran.status, status, "{urls:?}: {}", ran.stderr);
        assert!(
            ran.stdout
                .starts_with("url,robot,outcome,line,rule,group,reason,error\r\n")
        );
    }
}

/// Rows are what `check` says about each URL alone, whatever path the answer took.
#[test]
fn rows_agree_with_check_and_with_batch() {
    let folder = tempfile::tempdir().unwrap();
    let acap = "ACAP-crawler: *\nACAP-disallow-crawl: /acap/\nUser-agent: *\nDisallow: /private/\n";
    for (name, bytes) in [("plain", ROBOTS), ("acap", acap), ("empty", "")] {
        let robots = folder.path().join(name);
        std::fs::write(&robots, bytes).unwrap();
        let robots = robots.to_str().unwrap();
        let urls = [
            "/",
            "/private/x",
            "/private/ok",
            "/acap/x",
            "/robots.txt",
            "/public/../private/x",
            "https://e.example/%70rivate/x",
            "https://e.example?x",
            "/private/x#y",
        ];
        let list = urls.join("\n");
        for profile in ["careful", "google"] {
            let same = ["-a", "A,GPTBot,*", "--profile", profile, "-q", "--format"];
            let ask = |command: &[&str], more: &[&str], input: &str| {
                let args = [command, &same, &["jsonl"], more].concat();
                abide(&args, input.as_bytes()).stdout
            };
            let rows = ask(&["check", "-r", robots, "--urls", "-"], &[], &list);
            let fields = ["--fields", "url,robot,outcome,line,rule,group,reason,error"];
            assert_eq!(ask(&["batch", "-r", robots], &fields, &list), rows);
            let alone = ask(&["check", "-r", robots], &urls, "");
            assert_eq!(rows.lines().count(), urls.len() * 3);
            assert_eq!(alone.lines().count(), urls.len() * 3);
            for (row, decision) in rows.lines().zip(alone.lines()) {
                let row: Value = serde_json::from_str(row).unwrap();
                let decision: Value = serde_json::from_str(decision).unwrap();
                let crawl = &decision["usages"]["crawl"];
                let decided = &crawl["evidence"][0];
                let reason = match (&decided["reason"], &decided["cause"]) {
                    (Value::String(reason), Value::String(cause)) => {
                        json!(format!("{reason} ({cause})"))
                    }
                    (reason, _) => reason.clone(),
                };
                let is_line = !matches!(decided["source"].as_str(), Some("default" | "fetch"));
                let by_line = |value: &Value| if is_line { value.clone() } else { Value::Null };
                let expected = json!({
                    "url": decision["url"], "robot": decision["agent"], "outcome": crawl["outcome"],
                    "line": by_line(&decided["line"]), "rule": by_line(&decided["statement"]),
                    "group": decided["selected_by"]["token"],
                    "reason": if is_line { Value::Null } else { reason }, "error": null,
                });
                assert_eq!(row, expected, "{decision}");
            }
        }
    }
}

/// What is wrong with a URL is said alike, and in a few words, whether it is the only one or in a
/// list.
#[test]
fn a_url_without_an_answer_is_refused_alike_alone_and_in_a_list() {
    let (_folder, robots) = folder();
    let long = |start: &str| format!("{start}{}", "x".repeat(5_000));
    let urls = [
        "nonsense",
        "example.com/x",
        "example.com/a b",
        "exam ple.com/x",
        "example.com/\u{1b}[2J",
        "https://",
        "https://e.example:99999/",
        "https://e.example:0/",
        "ftp://e.example/x",
        "mailto:me@e.example",
        "/path",
        "/path\u{1b}[2J",
        &long("example.com/"),
        &long("https://me:secret@e.example:0/"),
        &long("ftp://e.example/"),
        &long("/"),
    ];
    let mut refused = 0;
    for url in urls {
        for more in [&["-r", robots.to_str().unwrap()][..], &[]] {
            let same = [more, &["-q", "-a", "A", "--format", "jsonl"]].concat();
            let list = [
                &["check", "--urls", "-", "--fields", "error.message"],
                &same[..],
            ]
            .concat();
            let row: Value = serde_json::from_str(&abide(&list, url.as_bytes()).stdout).unwrap();
            let alone = abide(&[&["check", url], &same[..]].concat(), b"");
            let Some(message) = row["error.message"].as_str() else {
                assert_ne!(alone.status, 2, "{url}: {}", alone.stderr);
                continue;
            };
            refused += 1;
            assert_eq!((alone.status, &*alone.stdout), (2, ""), "{url}");
            assert!(alone.stderr.starts_with("error: "), "{}", alone.stderr);
            let stderr = &alone.stderr;
            assert!(stderr.trim_end().ends_with(message), "{message}: {stderr}");
            assert!(stderr.chars().count() < 400, "{stderr}");
            assert!(
                !stderr.contains('\u{1b}') && !stderr.contains("secret"),
                "{stderr}"
            );
        }
    }
    assert!(refused > urls.len(), "{refused}");
}

/// A chunk of answers ends in the middle of an array, and nowhere else.
#[test]
fn one_value_has_the_answers_about_all_urls() {
    let (_folder, robots) = folder();
    let urls: Vec<String> = (0..5_000).map(|at| format!("/{at}")).collect();
    let urls = urls.iter().map(String::as_str);
    let robots = robots.to_str().unwrap();
    let same = ["check", "-r", robots, "-a", "A,B", "--format", "json"];
    let ran = abide(&same.into_iter().chain(urls).collect::<Vec<_>>(), b"");
    let answers: Value = serde_json::from_str(&ran.stdout).unwrap();
    let answers = answers.as_array().unwrap();
    assert_eq!(answers.len(), 10_000);
    let wrong = answers.iter().enumerate().find(|(at, answer)| {
        let (url, robot) = (format!("/{}", at / 2), ["A", "B"][at % 2]);
        answer["url"] != *url || answer["agent"] != *robot
    });
    assert!(wrong.is_none(), "{wrong:?}");
    let one = abide(&[&same[..], &["/"]].concat(), b"");
    assert!(one.stdout.starts_with("[\n{\n"), "{}", one.stdout);
    let one = abide(
        &["check", "/", "-r", robots, "-a", "A", "--format", "json"],
        b"",
    );
    assert!(one.stdout.starts_with("{\n"), "{}", one.stdout);
}

#[test]
fn rows_are_what_the_schema_says() {
    let schema = include_str!("../../../../schema/row.json");
    let schema: Value = serde_json::from_str(schema).unwrap();
    let schema = jsonschema::validator_for(&schema).unwrap();
    let (_folder, robots) = folder();
    for more in [
        &[][..],
        &["--preferences"],
        &["--usage", "index"],
        &["--for", "train"],
    ] {
        let mut args = vec!["-a", "A,GPTBot", "--format", "jsonl"];
        args.extend(more);
        let ran = check(&robots, &args, HOSTILE);
        assert!(ran.stdout.lines().count() > 20);
        for line in ran.stdout.lines() {
            let row: Value = serde_json::from_str(line).unwrap();
            assert!(schema.is_valid(&row), "{row}");
            assert_eq!(row["usage"].is_string(), !more.is_empty());
        }
    }
}

#[test]
fn usages_have_rows_of_their_own() {
    let (folder, robots) = folder();
    let preferences = "User-agent: *\nContent-Usage: train-ai=n\nDisallow: /x\n";
    std::fs::write(&robots, preferences).unwrap();
    let ran = check(
        &robots,
        &["-a", "A", "--preferences", "--format", "csv"],
        b"/\n",
    );
    assert_eq!(
        ran.stdout,
        "url,robot,usage,outcome,line,rule,group,reason,error\r\n/,A,crawl,permitted,,,*,no-rule-matches,\r\n\
         /,A,train,prohibited,2,Content-Usage: train-ai=n,*,,\r\n/,A,ai-input,unspecified,,,,,\r\n\
         /,A,search,unspecified,,,,,\r\n"
    );
    assert_eq!(
        ran.status, 0,
        "without --for, crawling decides the exit status"
    );
    let ran = check(
        &robots,
        &["-a", "A", "--for", "train", "--format", "csv"],
        b"/\n",
    );
    assert_eq!((ran.stdout.lines().count(), ran.status), (2, 1));
    let fields = "usages.train.outcome,preferences.content-usage.usages.search,tags.noindex";
    let args = [
        "-a",
        "A",
        "--fields",
        fields,
        "-H",
        "X-Robots-Tag: noindex",
        "--format",
        "jsonl",
    ];
    let ran = check(&robots, &args, b"/\n");
    let row: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(
        row,
        json!({"usages.train.outcome": "prohibited",
               "preferences.content-usage.usages.search": "unspecified", "tags.noindex": true})
    );
    drop(folder);
}

#[test]
fn fields_are_listed_and_the_nearest_is_named() {
    for command in ["check", "batch"] {
        let ran = abide(&[command, "--list-fields"], b"");
        assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
        insta::assert_snapshot!("fields", ran.stdout);
    }
    let (_folder, robots) = folder();
    for (wrong, meant) in [
        ("usages.indx.outcome", "usages.index.outcome"),
        (
            "usages.crawl.evidence.0.lin",
            "usages.crawl.evidence.0.line",
        ),
        ("robt", "robot"),
        ("crawl_dely", "crawl_delay"),
        (
            "usages.crawl.evidence.7.selected_by.tokn",
            "usages.crawl.evidence.7.selected_by.token",
        ),
        ("preferences.rsl.wrds", "preferences.rsl.words"),
    ] {
        let ran = check(&robots, &["-a", "A", "--fields", wrong], b"/\n");
        let expected = format!(
            "error: --fields has no {wrong}; did you mean {meant}? --list-fields lists all\n"
        );
        assert_eq!((ran.status, ran.stderr), (2, expected));
    }
    let ran = check(&robots, &["-a", "A", "--fields", "url,url"], b"/\n");
    assert_eq!(ran.stderr, "error: --fields names url twice\n");
}

#[test]
fn options_that_do_nothing_are_refused() {
    let (folder, robots) = folder();
    let robots = robots.to_str().unwrap();
    let list = folder.path().join("urls.txt");
    std::fs::write(&list, "/\n").unwrap();
    let list = list.to_str().unwrap();
    let mut output = String::new();
    for args in [
        &["check", "-r", "-", "--urls", "-", "-a", "A"][..],
        &[
            "check", "-r", robots, "--urls", list, "-a", "A", "--format", "json",
        ],
        &["check", "-r", robots, "--urls", list, "-a", "A", "-o", list],
        &["check", "-r", robots, "/", "-a", "A", "-o", "x"],
        &["check", "-r", robots, "/", "-a", "A", "-j", "2"],
        &["check", "--urls", list, "-a", "A", "-j", "2"],
        &[
            "check",
            "-r",
            robots,
            "--urls",
            "/nowhere/urls.txt",
            "-a",
            "A",
        ],
        &["check", "-r", robots, "--urls", "/", "-a", "A"],
        &["batch", "-a", "A"],
        &["batch", "-r", robots],
        &["batch", "--preferences"],
        &["batch", "-r", "-", "-a", "A"],
        &["batch", "-r", "https://e.example/robots.txt", "-a", "A"],
        &[
            "batch", "-r", robots, "-a", "A", "--slim", "--format", "csv",
        ],
        &["batch", "-o", "x", "/nowhere/requests.jsonl"],
    ] {
        let ran = abide(args, b"");
        assert_eq!(ran.status, 2, "{args:?}");
        let shown = ran.stderr.replace(folder.path().to_str().unwrap(), "DIR");
        writeln!(output, "{shown}").unwrap();
    }
    assert_eq!(std::fs::read_to_string(list).unwrap(), "/\n");
    insta::assert_snapshot!(output);
}

#[test]
fn a_long_line_is_an_error_and_not_kept() {
    let (_folder, robots) = folder();
    let mut urls = b"/a\n/".to_vec();
    urls.extend(std::iter::repeat_n(b'x', 10 << 20));
    urls.extend_from_slice(b"\n/private/b");
    let ran = check(&robots, &["-a", "A", "--format", "csv"], &urls);
    assert_eq!(ran.status, 2);
    let lines: Vec<_> = ran.stdout.lines().skip(1).collect();
    assert_eq!(lines.len(), 3);
    assert!(lines[1].contains("line 2: line-too-long: expected a line of at most 1048576 bytes"));
    assert!(lines[2].starts_with("/private/b,A,prohibited,2,"));
}

/// Runs `abide` with pipes.
fn running(args: &[&str]) -> std::process::Child {
    Command::new(env!("CARGO_BIN_EXE_abide"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

#[test]
fn a_url_is_answered_before_the_next_one_is_there() {
    let (_folder, robots) = folder();
    let robots = robots.to_str().unwrap();
    for args in [
        &["batch", "-r", robots, "-a", "A,GPTBot"][..],
        &["batch", "-r", robots, "-a", "A,GPTBot", "--format", "human"],
        &[
            "check", "-r", robots, "--urls", "-", "-a", "A,GPTBot", "--format", "jsonl",
        ],
    ] {
        let mut child = running(args);
        let mut urls = child.stdin.take().unwrap();
        let mut answers = BufReader::new(child.stdout.take().unwrap());
        for url in ["/private/x", "no URL", "/"] {
            writeln!(urls, "{url}").unwrap();
            for robot in ["A", "GPTBot"] {
                let mut line = String::new();
                answers.read_line(&mut line).unwrap();
                assert!(line.contains(url) && line.contains(robot), "{line}");
            }
        }
        drop(urls);
        assert_eq!(child.wait().unwrap().code(), Some(2));
    }
}

#[test]
fn a_reader_that_goes_away_ends_the_run() {
    let (_folder, robots) = folder();
    let robots = robots.to_str().unwrap();
    for format in ["csv", "jsonl", "human"] {
        let mut child = running(&[
            "check", "-r", robots, "--urls", "-", "-a", "A", "--format", format,
        ]);
        let mut urls = child.stdin.take().unwrap();
        // Without end: only the closed output ends it.
        let writer = std::thread::spawn(move || while urls.write_all(b"/private/x\n").is_ok() {});
        let mut first = [0; 10];
        let mut rows = child.stdout.take().unwrap();
        rows.read_exact(&mut first).unwrap();
        drop(rows);
        let output = child.wait_with_output().unwrap();
        writer.join().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(
            !stderr.contains("error") && !stderr.contains("panicked"),
            "{stderr}"
        );
        assert_eq!(output.status.code(), Some(1), "something was disallowed");
    }
}

#[test]
fn order_is_that_of_the_input_on_any_number_of_threads() {
    let (_folder, robots) = folder();
    let urls: String = (0..60_000)
        .map(|at| format!("/p{}/{at}\n", if at % 3 == 0 { "rivate" } else { "" }))
        .collect();
    let rows = |jobs: &str| {
        let ran = check(
            &robots,
            &["-a", "A,GPTBot", "-j", jobs, "--format", "csv"],
            urls.as_bytes(),
        );
        let expected =
            "120,000 answers about 60,000 URLs in TIME: 40,000 allowed, 80,000 disallowed\n";
        assert_eq!(without_rate(&ran.stderr), expected);
        ran.stdout
    };
    let one = rows("1");
    assert_eq!(one.lines().count(), 120_001);
    assert!(one.contains("/private/59997,A,prohibited,2,Disallow: /private/,*,,\r\n"));
    assert_eq!(rows("4"), one);
}

/// URLs of several sites, in any order: each site is asked once.
#[test]
fn each_site_is_fetched_once() {
    let site = |rules: &'static str| {
        Server::start(move |path| match path {
            "/robots.txt" => response("200 OK", "", rules),
            _ => response("404 Not Found", "", ""),
        })
    };
    let (open, closed) = (
        site("User-agent: *\nAllow: /\n"),
        site("User-agent: *\nDisallow: /\n"),
    );
    let mut urls = String::new();
    for at in 0..50 {
        writeln!(
            urls,
            "{}\n{}",
            open.url(&format!("/{at}")),
            closed.url(&format!("/{at}"))
        )
        .unwrap();
    }
    urls.push_str("/a/path\nftp://e.example/x\nhttps://\n");
    let args = [
        "check",
        "--urls",
        "-",
        "-a",
        "A,B",
        "--allow-private",
        "--format",
        "jsonl",
    ];
    let ran = abide(&args, urls.as_bytes());
    let rows: Vec<Value> = ran
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(rows.len(), 2 * 103);
    for (at, row) in rows[..200].iter().enumerate() {
        let expected = if at / 2 % 2 == 0 {
            "permitted"
        } else {
            "prohibited"
        };
        assert_eq!(row["outcome"], expected, "{row}");
        assert_eq!(row["line"], 2);
    }
    for row in &rows[200..] {
        assert!(
            row["error"].as_str().unwrap().contains("invalid-url"),
            "{row}"
        );
    }
    assert_eq!(ran.status, 2);
    for server in [&open, &closed] {
        assert_eq!(
            server
                .paths()
                .iter()
                .filter(|path| *path == "/robots.txt")
                .count(),
            1
        );
    }
    let args = ["check", "--urls", "-", "-a", "A", "--format", "csv", "-q"];
    let ran = abide(&args, format!("{}\n", open.url("/x")).as_bytes());
    assert_eq!(
        ran.status, 3,
        "an address that is not public is not asked: {}",
        ran.stdout
    );
}

/// A site that could not be asked is not one that disallows.
#[test]
fn rows_say_why_if_no_line_decides() {
    let site = |answer: Vec<u8>| Server::start(move |_| answer.clone());
    let sites = [
        site(response(
            "200 OK",
            "",
            "User-agent: *\nDisallow: /private/\n",
        )),
        site(response("404 Not Found", "", "")),
        site(response("503 Service Unavailable", "", "")),
    ];
    let paths = ["/private/x", "/x"].map(|path| sites[0].url(path));
    let others = [
        sites[1].url("/x"),
        sites[2].url("/x"),
        "http://127.0.0.1:1/x".to_owned(),
    ];
    let urls: Vec<String> = paths.into_iter().chain(others).collect();
    let args = [
        "check",
        "--urls",
        "-",
        "-a",
        "A",
        "--allow-private",
        "--format",
        "csv",
    ];
    let ran = abide(&args, urls.join("\n").as_bytes());
    let rows: Vec<&str> = ran.stdout.lines().skip(1).collect();
    let expected = [
        "A,prohibited,2,Disallow: /private/,*,,",
        "A,permitted,,,*,no-rule-matches,",
        "A,permitted,,,,unavailable (HTTP status 404),",
        "A,prohibited,,,,unreachable (HTTP status 503),",
        "A,prohibited,,,,unreachable (no connection),",
    ];
    let expected: Vec<String> = urls
        .iter()
        .zip(expected)
        .map(|(url, row)| format!("{url},{row}"))
        .collect();
    assert_eq!(rows, expected);
    let summary = "5 answers about 5 URLs in TIME: 2 allowed, 1 disallowed, 2 unreachable\n";
    assert_eq!(without_rate(&ran.stderr), summary);
}

/// `-o answers.csv` is CSV, unless `--format` says otherwise.
#[test]
fn the_name_of_the_output_chooses_the_format() {
    let (folder, robots) = folder();
    let robots = robots.to_str().unwrap();
    let list = folder.path().join("urls");
    std::fs::write(&list, "/private/x\n").unwrap();
    let list = list.to_str().unwrap();
    let check = ["check", "-r", robots, "--urls", list, "-a", "A", "-q"];
    let batch = ["batch", "-r", robots, list, "-a", "A", "-q"];
    let begin = |call: &[&str], name: &str| {
        let file = folder.path().join(name);
        let args = [call, &["-o", file.to_str().unwrap()]].concat();
        let ran = abide(&args, b"");
        assert_eq!(ran.stdout, "", "{}", ran.stderr);
        let written = std::fs::read(&file).unwrap_or_else(|_| ran.stderr.into_bytes());
        String::from_utf8_lossy(&written)
            .chars()
            .take(10)
            .collect::<String>()
    };
    for call in [&check[..], &batch] {
        assert_eq!(begin(call, "u.csv"), "url,robot,", "{call:?}");
        let parquet = begin(call, "u.parquet");
        let expected = if cfg!(feature = "survey") {
            "PAR1"
        } else {
            "error: thi"
        };
        assert!(parquet.starts_with(expected), "{call:?}: {parquet}");
        let chosen = [call, &["--format", "human"]].concat();
        assert_eq!(begin(&chosen, "w.csv"), "disallowed", "{call:?}");
    }
    assert_eq!(begin(&check, "u.jsonl"), "{\"url\":\"/p");
    assert_eq!(begin(&batch, "u.jsonl"), "{\"schema\":");
    assert_eq!(begin(&check, "u.txt"), "disallowed");
    assert_eq!(begin(&batch, "u"), "{\"schema\":");
}

#[test]
fn requests_can_be_rows_too() {
    let requests = "{\"id\":7,\"url\":\"https://e.example/x\",\"agent\":[\"A\",\"B\"],\
                    \"robots\":\"User-agent: B\\nDisallow: /x\"}\n\n{\"id\":[8],\"url\":\"/x\",\"agent\":\"A\"}\n{";
    let ran = abide(&["batch", "--format", "csv"], requests.as_bytes());
    assert_eq!(
        ran.stdout,
        "id,url,robot,outcome,line,rule,group,reason,error\r\n\
         7,https://e.example/x,A>B,prohibited,2,Disallow: /x,B,,\r\n\
         [8],\"\",\"\",,,,,,\"line 3: invalid-url: in \"\"url\"\": expected an absolute URL such as \
         https://example.com/page, but found a path\"\r\n\
         ,\"\",\"\",,,,,,line 4: invalid-json: not valid JSON: it ends inside an object\r\n"
    );
    assert_eq!(ran.status, 2);
    let args = ["batch", "--fields", "id,error.code,sitemaps,input_line"];
    let ran = abide(&args, requests.as_bytes());
    assert_eq!(
        ran.stdout,
        "{\"id\":7,\"error.code\":null,\"sitemaps\":[],\"input_line\":1}\n\
         {\"id\":[8],\"error.code\":\"invalid-url\",\"sitemaps\":null,\"input_line\":3}\n\
         {\"id\":null,\"error.code\":\"invalid-json\",\"sitemaps\":null,\"input_line\":4}\n"
    );
}

#[test]
fn decisions_about_bare_urls_are_in_the_contract() {
    let schema = include_str!("../../../../schema/decision.json");
    let schema: Value = serde_json::from_str(schema).unwrap();
    let schema = jsonschema::validator_for(&schema).unwrap();
    let (_folder, robots) = folder();
    for more in [&[][..], &["--slim"], &["--preferences", "--slim"]] {
        let mut args = vec!["batch", "-r", robots.to_str().unwrap(), "-a", "A>GPTBot,*"];
        args.extend(more);
        let ran = abide(&args, HOSTILE);
        assert_eq!(ran.status, 2);
        let answers: Vec<Value> = ran
            .stdout
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        assert_eq!(answers.len(), 15 * 2);
        for (at, answer) in answers.iter().enumerate() {
            assert!(schema.is_valid(answer), "{answer}");
            let robot = if at % 2 == 0 {
                json!(["A", "GPTBot"])
            } else {
                json!("*")
            };
            assert_eq!(
                (&answer["agent"], &answer["profile"]),
                (&robot, &json!("careful"))
            );
            assert!(answer["url"].is_string());
        }
    }
}

/// Runs a program of docs/bulk.md, changed by `change`, with `abide` in the path. `None` if its
/// language is not here.
fn of_the_guide(
    (program, flag, language): (&str, &str, &str),
    change: impl Fn(String) -> String,
) -> Option<std::process::Output> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let binary = Path::new(env!("CARGO_BIN_EXE_abide")).parent().unwrap();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::iter::once(binary.to_owned()).chain(std::env::split_paths(&path));
    let ran = Command::new(program)
        .args([flag, &change(block(language))])
        .current_dir(&root)
        .env("PATH", std::env::join_paths(folders).unwrap())
        .output();
    if ran.is_err() {
        abide_testkit::needs::missing("the programs of docs/bulk.md", program);
    }
    ran.ok()
}

/// The first block of docs/bulk.md in this language.
fn block(language: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = std::fs::read_to_string(root.join("docs/bulk.md")).unwrap();
    let (_, after) = page.split_once(&format!("```{language}\n")).unwrap();
    after.split_once("```").unwrap().0.to_owned()
}

const PYTHON: (&str, &str, &str) = ("python3", "-c", "python");
const NODE: (&str, &str, &str) = ("node", "-e", "js");

/// The programs in the guide run, and print what it says. The line break in a URL shifts no answer.
#[test]
fn the_guide_asks_as_a_co_process() {
    for each in [PYTHON, NODE] {
        let Some(ran) = of_the_guide(each, |program| program) else {
            continue;
        };
        let stderr = String::from_utf8_lossy(&ran.stderr);
        assert_eq!(
            String::from_utf8_lossy(&ran.stdout),
            block("text"),
            "{each:?}: {stderr}"
        );
    }
}

/// If abide ends or was never there, the programs in the guide say so: no question stays open.
#[test]
fn the_guide_notices_that_abide_ended() {
    let asks = "\n    answer = abide.ask(url, robots)";
    let killed =
        |program: String| program.replace(asks, &format!("\n    abide.process.kill(){asks}"));
    if let Some(ran) = of_the_guide(PYTHON, killed) {
        let stderr = String::from_utf8_lossy(&ran.stderr);
        assert!(
            stderr.contains("RuntimeError: abide ended with status -9"),
            "{stderr}"
        );
    }
    let asks = "const answer = await abide.ask(url, robots);";
    let killed = |program: String| {
        let more = "const both = [abide.ask(url, robots), abide.ask(url, robots)];
            abide.process.kill();
            for (const { status, reason } of await Promise.allSettled(both)) console.log(status, reason?.message);
            await abide.ask(url, robots).catch((error) => console.log(error.message));
            return;";
        program.replace(asks, &format!("{more}{asks}"))
    };
    let absent =
        |program: String| killed(program).replace("spawn(\"abide\"", "spawn(\"no-such-abide\"");
    for (change, output) in [
        (
            &killed as &dyn Fn(String) -> String,
            "abide ended with status null",
        ),
        (&absent, "spawn no-such-abide ENOENT"),
    ] {
        let Some(ran) = of_the_guide(NODE, change) else {
            continue;
        };
        let expected = format!("rejected {output}\nrejected {output}\n");
        let stdout = String::from_utf8_lossy(&ran.stdout);
        assert!(stdout.starts_with(&expected), "{stdout}{ran:?}");
        assert!(ran.status.success(), "{ran:?}");
    }
}

#[cfg(not(feature = "survey"))]
#[test]
fn parquet_says_how_to_get_it() {
    let (_folder, robots) = folder();
    let ran = check(&robots, &["-a", "A", "--format", "parquet"], b"/\n");
    assert_eq!(ran.status, 2);
    assert!(
        ran.stderr
            .contains("cargo install abide-cli --features survey"),
        "{}",
        ran.stderr
    );
}

#[cfg(feature = "survey")]
mod parquet_files {
    use super::*;
    use arrow_array::{Array, Int64Array, RecordBatch, StringArray};
    use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
    use parquet::file::metadata::{ParquetMetaData, RowGroupMetaData};
    use std::fs::File;
    use std::sync::Arc;

    fn read(path: &Path) -> (Arc<ParquetMetaData>, Vec<RecordBatch>) {
        let reader = ParquetRecordBatchReaderBuilder::try_new(File::open(path).unwrap()).unwrap();
        let about = Arc::clone(reader.metadata());
        let batches = reader.build().unwrap().map(Result::unwrap).collect();
        (about, batches)
    }

    #[test]
    fn a_file_has_the_rows_of_csv() {
        let (folder, robots) = folder();
        let urls: String = (0..150_000).map(|at| format!("/private/{at}\n")).collect();
        let urls = [HOSTILE, b"\n", urls.as_bytes()].concat();
        let path = folder.path().join("rows.parquet");
        let name = path.to_str().unwrap();
        let args = ["-a", "A", "--format", "parquet", "-o", name];
        let ran = check(&robots, &args, &urls);
        assert_eq!((ran.status, ran.stdout.as_str()), (2, ""), "{}", ran.stderr);
        let (about, batches) = read(&path);
        let sizes: Vec<_> = about
            .row_groups()
            .iter()
            .map(RowGroupMetaData::num_rows)
            .collect();
        assert_eq!(sizes, [100_000, 50_015]);
        let facts = about.file_metadata().key_value_metadata().unwrap();
        assert!(facts.iter().any(|fact| fact.key == "abide.profile" && fact.value.as_deref() == Some("careful")));
        let ran = check(&robots, &["-a", "A", "--format", "jsonl", "-q"], &urls);
        let mut rows = ran.stdout.lines();
        for batch in &batches {
            let text = |name: &str| {
                batch
                    .column_by_name(name)
                    .unwrap()
                    .as_any()
                    .downcast_ref::<StringArray>()
                    .unwrap()
            };
            let lines = batch
                .column_by_name("line")
                .unwrap()
                .as_any()
                .downcast_ref::<Int64Array>()
                .unwrap();
            for at in 0..batch.num_rows() {
                let row: Value = serde_json::from_str(rows.next().unwrap()).unwrap();
                for name in [
                    "url", "robot", "outcome", "rule", "group", "reason", "error",
                ] {
                    let column = text(name);
                    let value = (!column.is_null(at)).then(|| column.value(at));
                    assert_eq!(value, row[name].as_str(), "{row}");
                }
                let line = (!lines.is_null(at)).then(|| lines.value(at));
                assert_eq!(line, row["line"].as_i64());
            }
        }
        assert!(rows.next().is_none());
    }

    #[test]
    fn stdout_and_requests_work_too() {
        let request =
            "{\"id\":7,\"url\":\"https://e.example/x\",\"agent\":\"A\",\"robots\":\"\"}\n{";
        let mut child = running(&["batch", "--format", "parquet"]);
        child
            .stdin
            .take()
            .unwrap()
            .write_all(request.as_bytes())
            .unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rows.parquet");
        std::fs::write(&path, output.stdout).unwrap();
        let (_, batches) = read(&path);
        assert_eq!(batches.iter().map(RecordBatch::num_rows).sum::<usize>(), 2);
    }

    #[test]
    fn a_closed_pipe_is_no_failure() {
        let (_folder, robots) = folder();
        let mut child = running(&[
            "check",
            "-r",
            robots.to_str().unwrap(),
            "--urls",
            "-",
            "-a",
            "A",
            "--format",
            "parquet",
        ]);
        drop(child.stdout.take());
        let mut urls = child.stdin.take().unwrap();
        let _ = urls.write_all(b"/private/x\n");
        drop(urls);
        let output = child.wait_with_output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(
            !stderr.contains("error") && !stderr.contains("panicked"),
            "{stderr}"
        );
    }

    /// Ctrl-C ends the file, with what was answered before.
    #[test]
    fn an_interrupted_file_is_valid() {
        let (folder, robots) = folder();
        let path = folder.path().join("rows.parquet");
        let args = [
            "check",
            "-r",
            robots.to_str().unwrap(),
            "--urls",
            "-",
            "-a",
            "A",
            "--format",
            "parquet",
            "-o",
            path.to_str().unwrap(),
        ];
        let mut child = running(&args);
        let mut urls = child.stdin.take().unwrap();
        urls.write_all(b"/private/x\nbad\n").unwrap();
        // The error is reported after its row was written.
        let mut line = String::new();
        let mut output = BufReader::new(child.stderr.take().unwrap());
        output.read_line(&mut line).unwrap();
        assert!(line.contains("line 2"), "{line}");
        let pid = child.id().to_string();
        assert!(
            Command::new("kill")
                .args(["-INT", &pid])
                .status()
                .unwrap()
                .success()
        );
        assert_eq!(child.wait().unwrap().code(), Some(130));
        drop(urls);
        let (_, batches) = read(&path);
        assert_eq!(batches.iter().map(RecordBatch::num_rows).sum::<usize>(), 2);
        line.clear();
        output.read_line(&mut line).unwrap();
        assert!(line.contains("has the rows so far"), "{line}");
    }
}

/// A page or compressed bytes in place of a robots.txt are a reason of their own, in rows and in
/// the summary.
#[test]
fn what_is_no_robots_txt_is_a_reason_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes, reason) in [
        (
            "page",
            &b"<!doctype html><title>Just a moment</title>"[..],
            "html-page",
        ),
        (
            "sitemap",
            b"<?xml version='1.0'?><!-- a --><s:urlset xmlns:s='x'>\n<url/>",
            "sitemap-body",
        ),
        ("gzip", b"\x1f\x8b\x08\0\0\0\0\0\0\x03", "compressed-body"),
        ("zstd", b"\x28\xb5\x2f\xfd\x04\x58", "compressed-body"),
    ] {
        let robots = folder.path().join(name);
        std::fs::write(&robots, bytes).unwrap();
        let ran = check(&robots, &["-a", "A,B", "--format", "csv"], b"/x\n/y\n");
        let rows: Vec<_> = ran.stdout.lines().skip(1).collect();
        assert_eq!(rows.len(), 4);
        assert!(
            rows.iter()
                .all(|row| row.ends_with(&format!(",permitted,,,,{reason},"))),
            "{rows:?}"
        );
        assert!(
            ran.stderr.contains(&format!("4 allowed; 4 by {reason}\n")),
            "{}",
            ran.stderr
        );
        assert!(
            ran.stderr.contains("robots find no rules"),
            "{}",
            ran.stderr
        );
        let same = [
            "batch",
            "--robots",
            robots.to_str().unwrap(),
            "-a",
            "A",
            "--format",
            "csv",
        ];
        let batch = abide(&same, b"/x\n");
        assert!(
            batch.stdout.contains(reason) && batch.stderr.contains(reason),
            "{}",
            batch.told()
        );
    }
    let request = json!({"url": "https://e.example/x", "agent": "f", "robots": "<html>"});
    let batch = abide(
        &["batch", "--format", "csv"],
        format!("{request}\n").as_bytes(),
    );
    assert!(
        batch.stdout.contains(",html-page,") && batch.stderr.contains("1 by html-page"),
        "{}",
        batch.told()
    );
}
