//! `abide survey`

use crate::abide;

#[cfg(not(feature = "survey"))]
#[test]
fn a_build_without_surveys_says_how_to_get_them() {
    let ran = abide(&["survey", ".", "-o", "tables"], b"");
    assert_eq!(ran.status, 2);
    assert!(ran.stderr.contains("--features survey"), "{}", ran.stderr);
}

#[cfg(feature = "survey")]
mod enabled {
    use super::abide;
    use crate::abide_in;
    use serde_json::{Value, json};
    use std::collections::HashMap;
    use std::fmt::Write as _;
    use std::fs;
    use std::io::Write as _;
    use std::path::{Path, PathBuf};
    use std::process::{Command, Stdio};
    use std::thread;
    use std::time::Duration;
    use tempfile::TempDir;

    const AGENTS: &str = "Googlebot,GPTBot,CCBot,Googlebot-News,*";

    /// Sites as they are found.
    const SITES: [(&str, &str); 6] = [
        (
            "news.example",
            "User-agent: GPTBot\nUser-agent: CCBot\nDisallow: /\n\nUser-agent: *\nDisallow: /search\nCrawl-delay: 5\nSitemap: https://news.example/sitemap.xml\n",
        ),
        (
            "shop.example",
            "User-agent: *\nDisallow: /cart\nDisallow: /*?sort=\nAllow: /cart/help$\n\nUser-agent: Googlebot\nDisallow:\n",
        ),
        (
            "open.example",
            "User-agent: *\nDisallow:\nContent-Signal: ai-train=no, search=yes\n",
        ),
        ("closed.example", "User-agent: *\nDisallow: /\n"),
        (
            "gone.example",
            "<!doctype html>\n<title>Not found</title>\n",
        ),
        (
            "odd.example",
            "\u{feff}User-agent: GPTBot\nDisalow: /private\nAllow: /\n\nUser-agent: Google-Extended\nDisallow: /\n",
        ),
    ];

    fn sites(folder: &Path) -> PathBuf {
        let sites = folder.join("sites");
        fs::create_dir(&sites).unwrap();
        for (host, text) in SITES {
            fs::write(sites.join(host), text).unwrap();
        }
        sites
    }

    /// A crawl of three months: every site at `http:` and `https:`, outages, and dates that are
    /// missing or wrong.
    fn crawl() -> String {
        let mut lines = String::new();
        let mut add = |host: &str, date: Option<&str>, status: u16, body: &str| {
            let url = format!("https://{host}/robots.txt");
            let line = json!({"url": url, "date": date, "status": status, "body": body});
            let _ = writeln!(lines, "{line}");
            let from = format!("http://{host}/robots.txt");
            let fields = json!({ "Location": url });
            let line = json!({"url": from, "date": date, "status": 301, "headers": fields});
            let _ = writeln!(lines, "{line}");
        };
        let months = [
            "2026-01-31T23:59:59Z",
            "2026-02-10T00:00:00Z",
            "2026-03-01T00:00:00Z",
        ];
        let [january, february, march] = months.map(Some);
        for date in [january, february, march] {
            for (host, text) in SITES {
                add(host, date, 200, text);
            }
            add("none.example", date, 404, "Not found");
            add("down.example", date, 503, "");
        }
        let (open, closed) = ("User-agent: *\nAllow: /\n", "User-agent: *\nDisallow: /\n");
        let spent = "User-agent: GPTBot\nDisallow: /\n";
        let unknown = "User-agent: *\nAllow: /\n\nUser-agent: UnheardOf\nDisallow: /cart\n";
        // Each statement twice, and a line that cannot be read.
        let unsure = concat!(
            "User-agent: *\nDisallow: /tmp/\nCrawl-delay: 100000\n",
            "Content-Signal: ai-train=no, search=yes\nContent-Signal: ai-train=no, search=yes\n",
            "Content-Usage: train-ai=y\nContent-Usage: /pub train-ai=n\nContent-Usage: (search=n\n",
            "Sitemap: https://unsure.example/1.xml\nSitemap: /2.xml\nSitemap: /3.xml\n\n",
            "User-agent: GPTBot\nUser-agent: UnheardOf\nCrawl-delay: 2.5\nDisallow: /x\n",
            "Content-Signal: ai-train=yes\n\nUser-agent: UnheardOf\nDisallow: /y\n",
        );
        let sure = concat!(
            "User-agent: *\nDisallow: /tmp/\nCrawl-delay: 10\nContent-Usage: train-ai=n\n",
            "Content-Usage: /pub train-ai=y\nContent-Signal: ai-train=no\n",
            "Sitemap: https://sure.example/1.xml\n",
        );
        for (host, captures) in [
            (
                "fails-later.example",
                [(january, 200, open), (march, 503, "")],
            ),
            (
                "fails-first.example",
                [(march, 200, spent), (january, 503, "")],
            ),
            (
                "opens.example",
                [(january, 200, closed), (february, 200, unknown)],
            ),
            ("twice.example", [(march, 200, closed), (march, 200, open)]),
            (
                "unsure.example",
                [(january, 200, sure), (march, 200, unsure)],
            ),
            ("sure.example", [(march, 200, sure), (january, 200, unsure)]),
            (
                "unsure-then-fails.example",
                [(january, 200, unsure), (march, 503, "")],
            ),
            ("same.example", [(january, 200, closed), (march, 304, "")]),
            (
                "undated.example",
                [(february, 200, closed), (None, 200, open)],
            ),
            (
                "clock.example",
                [
                    (february, 200, spent),
                    (Some("1970-01-01T00:00:00Z"), 200, open),
                ],
            ),
            (
                "future.example",
                [
                    (february, 200, spent),
                    (Some("2101-01-01T00:00:00Z"), 200, open),
                ],
            ),
        ] {
            for (date, status, body) in captures {
                add(host, date, status, body);
            }
        }
        lines
    }

    /// The rows of a table in its folder.
    fn rows(table: &Path) -> Vec<Value> {
        let entries = fs::read_dir(table).unwrap();
        let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
        files.sort_unstable();
        let texts = files.iter().map(|file| fs::read_to_string(file).unwrap());
        texts
            .collect::<String>()
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }

    /// An archive of pages: one was captured twice, one has nothing to say.
    fn pages() -> String {
        let page = |host: &str, month: u8, fields: &str, html: &str| {
            let head = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n{fields}\r\n");
            let length = head.len() + html.len();
            format!(
                "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: https://{host}/page\r\n\
                 WARC-Date: 2026-{month:02}-01T00:00:00Z\r\nContent-Type: application/http\r\n\
                 Content-Length: {length}\r\n\r\n{head}{html}\r\n\r\n"
            )
        };
        let robots = "X-Robots-Tag: noindex\r\nRobots-Tag: GPTBot;nosnippet\r\n";
        [
            page("news.example", 3, robots, "<p>"),
            page(
                "news.example",
                2,
                "X-Robots-Tag: noindex, noarchive\r\n",
                "<p>",
            ),
            page(
                "pages.example",
                3,
                "",
                "<meta name=robots content='noindex, noai'>",
            ),
            page(
                "tdm.example",
                1,
                "tdm-reservation: 1\r\nContent-Usage: train-ai=n\r\n",
                "<meta name=robots content='noindex, noindex, max-snippet:20'>",
            ),
            page("open.example", 3, "", "<title>x</title>"),
        ]
        .concat()
    }

    #[test]
    fn pages_are_surveyed_on_request() {
        let folder = TempDir::new().unwrap();
        fs::write(folder.path().join("pages.warc"), pages()).unwrap();
        let survey = |output: &str, more: &[&str]| {
            let args = ["survey", "pages.warc", "-o", output, "--format", "jsonl"];
            let ran = abide_in(folder.path(), &[&args[..], more].concat(), b"");
            assert_eq!(ran.status, 0, "{}", ran.stderr);
            let all = ["pages", "tags", "page_answers", "changes"];
            let there = all.map(|table| {
                let path = folder.path().join(output).join(table);
                path.is_dir().then(|| rows(&path).len())
            });
            (there, ran.stderr)
        };
        let (none, said) = survey("a", &[]);
        assert_eq!(none, [None; 4]);
        assert!(said.contains("skipped: 5 page"), "{said}");
        let (all, said) = survey("b", &["--pages", "-a", "*,GPTBot"]);
        let [pages, tags, answers, changes] = all;
        assert_eq!((pages, tags, changes), (Some(5), Some(9), None));
        assert!(answers.is_some_and(|rows| rows > 4), "{answers:?}");
        assert!(said.contains("0 robots.txt, 5 pages, 0 skipped"), "{said}");
        let (all, said) = survey("c", &["--what-if", "repext"]);
        assert!(matches!(all, [None, None, None, Some(1..)]), "{all:?}");
        let sentence = "repext would change answers on 1 page, for 1 robot";
        assert!(said.contains(sentence), "{said}");
    }

    /// The files that answers are compared for: real ones if there are any.
    fn files(folder: &Path) -> (PathBuf, usize) {
        match std::env::var_os("ABIDE_CORPUS") {
            Some(corpus) => (corpus.into(), 40),
            None => (sites(folder), 1),
        }
    }

    /// The group of a purpose counts for robots that claim it.
    #[test]
    fn purposes_that_robots_claim() {
        let folder = TempDir::new().unwrap();
        let file = folder.path().join("s.example.txt");
        let text = "User-Agent-Purpose: AI-TRAINING\nDisallow: /\n\nUser-agent: *\nAllow: /\n";
        fs::write(&file, text).unwrap();
        let answers = |output: &str, args: &[&str]| {
            let all = [
                &["survey", "s.example.txt", "-o", output, "--format", "jsonl"][..],
                &["--tables", "robots", "-a", "GPTBot,*"],
                args,
            ];
            let ran = abide_in(folder.path(), &all.concat(), b"");
            assert_eq!(ran.status, 0, "{}", ran.stderr);
            let rows = rows(&folder.path().join(output).join("robots")).into_iter();
            let outcome = |row: Value| (row["outcome"].clone(), row["group"].clone());
            rows.map(outcome).collect::<Vec<_>>()
        };
        let open = (json!("permitted"), json!("*"));
        let closed = (json!("prohibited"), json!("ai-training"));
        assert_eq!(answers("a", &[]), [open.clone(), open]);
        let claimed = answers("b", &["--purpose", "x,ai-training"]);
        assert_eq!(claimed, [closed.clone(), closed]);
        let args = ["survey", "s.example.txt", "-o", "c", "-p", "a b"];
        let ran = abide_in(folder.path(), &args, b"");
        assert_eq!(ran.status, 2);
        let complaint = "in --purpose: expected a purpose token";
        assert!(ran.stderr.contains(complaint), "{}", ran.stderr);
    }

    #[test]
    fn every_row_agrees_with_check() {
        let folder = TempDir::new().unwrap();
        let (files, step) = files(folder.path());
        let args = [
            "survey",
            files.to_str().unwrap(),
            "-o",
            "tables",
            "--format",
            "jsonl",
            "--tables",
            "robots",
            "-a",
            AGENTS,
            "--path",
            "/,/search?q=x",
        ];
        let ran = abide_in(folder.path(), &args, b"");
        assert_eq!(ran.status, 0, "{}", ran.stderr);
        let mut hosts: HashMap<String, Vec<Value>> = HashMap::new();
        for row in rows(&folder.path().join("tables/robots")) {
            hosts
                .entry(row["host"].as_str().unwrap().to_owned())
                .or_default()
                .push(row);
        }
        let mut names: Vec<String> = hosts.keys().cloned().collect();
        names.sort();
        let mut compared = 0;
        for name in names.iter().step_by(step) {
            let file = files.join(name);
            let ran = abide(
                &[
                    "check",
                    "/",
                    "/search?q=x",
                    "--robots",
                    file.to_str().unwrap(),
                    "-a",
                    AGENTS,
                    "--format",
                    "jsonl",
                    "--quiet",
                ],
                b"",
            );
            let answers: Vec<Value> = ran
                .stdout
                .lines()
                .map(|line| serde_json::from_str(line).unwrap())
                .collect();
            assert_eq!(answers.len(), hosts[name].len(), "{name}: {}", ran.stderr);
            for row in &hosts[name] {
                let is_same = |answer: &&Value| {
                    answer["url"] == row["path"]
                        && answer["agent"]
                            .as_str()
                            .is_none_or(|agent| agent == row["robot"])
                };
                let found: Vec<&Value> = answers.iter().filter(is_same).collect();
                let agrees = |answer: &&Value| {
                    let crawl = &answer["usages"]["crawl"];
                    let first = &crawl["evidence"][0];
                    crawl["outcome"] == row["outcome"] && first["line"] == row["line"]
                };
                assert!(found.iter().any(agrees), "{name}: {row} {found:?}");
                compared += 1;
            }
        }
        assert!(compared > 50, "{compared}");
    }

    /// `batch` takes names literally.
    #[test]
    fn every_row_agrees_with_a_reference_on_top_of_batch() {
        if Command::new("python3").arg("--version").output().is_err() {
            abide_testkit::needs::missing("the reference of surveys", "python3");
            return;
        }
        let folder = TempDir::new().unwrap();
        let (files, _) = files(folder.path());
        let args = [
            "survey",
            files.to_str().unwrap(),
            "-o",
            "tables",
            "--format",
            "jsonl",
            "--tables",
            "robots",
            "--literal",
            "-a",
            AGENTS,
        ];
        assert_eq!(abide_in(folder.path(), &args, b"").status, 0);
        let script = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/tests/data/survey_reference.py"
        );
        let run = Command::new("python3")
            .args([
                script,
                env!("CARGO_BIN_EXE_abide"),
                files.to_str().unwrap(),
                AGENTS,
            ])
            .arg(folder.path().join("tables/robots/part-00000.jsonl"))
            .output()
            .unwrap();
        let output = String::from_utf8_lossy(&run.stdout);
        assert!(
            run.status.success(),
            "{output}{}",
            String::from_utf8_lossy(&run.stderr)
        );
        println!("{output}");
    }

    #[test]
    fn the_summary_and_the_errors_say_what_was_read() {
        let folder = TempDir::new().unwrap();
        sites(folder.path());
        fs::write(folder.path().join("more.jsonl"), "{\n").unwrap();
        let ran = abide_in(
            folder.path(),
            &[
                "survey",
                "sites",
                "more.jsonl",
                "-o",
                "tables",
                "--format",
                "csv",
            ],
            b"",
        );
        assert_eq!(ran.status, 0, "{}", ran.stderr);
        assert!(
            ran.stderr.contains("6 robots.txt, 0 skipped, 1 failed")
                && ran.stderr.contains("failed: 1 json"),
            "{}",
            ran.stderr
        );
        let errors =
            fs::read_to_string(folder.path().join("tables/errors/part-00000.csv")).unwrap();
        assert!(
            errors.starts_with(
                "source,place,code,message,url,offset,length,row\r\nmore.jsonl,line 1,json,"
            ),
            "{errors}"
        );
        let again = abide_in(folder.path(), &["survey", "sites", "-o", "tables"], b"");
        assert_eq!(again.status, 2);
        assert!(again.stderr.contains("is not empty"), "{}", again.stderr);
        let path = abide_in(
            folder.path(),
            &["survey", "sites", "-o", "other", "--path", "x"],
            b"",
        );
        assert!(
            path.status == 2 && !folder.path().join("other").exists(),
            "{}",
            path.stderr
        );
    }

    /// The linter runs on request, whatever the tables.
    #[test]
    fn findings_are_counted_on_request() {
        let folder = TempDir::new().unwrap();
        sites(folder.path());
        let files = |name: &str, args: &[&str]| {
            let all = [&["survey", "sites", "-o", name, "--format", "jsonl"], args].concat();
            let ran = abide_in(folder.path(), &all, b"");
            assert_eq!(ran.status, 0, "{}", ran.stderr);
            let tables = folder.path().join(name);
            let errors = rows(&tables.join("files"))
                .iter()
                .map(|row| row["errors"].clone())
                .collect::<Vec<_>>();
            (errors, tables.join("findings").exists())
        };
        let none = vec![Value::Null; SITES.len()];
        assert_eq!(files("a", &[]), (none.clone(), false));
        assert_eq!(
            files("b", &["--tables", "files,rules,groups"]),
            (none, false)
        );
        let linted = files("c", &["--lint"]);
        assert!(
            linted.1 && linted.0.iter().all(Value::is_number),
            "{linted:?}"
        );
        assert_eq!(files("d", &["--lint", "--tables", "files"]), linted);
        assert_eq!(files("e", &["--tables", "files,findings"]), linted);
        let old = abide_in(
            folder.path(),
            &["survey", "sites", "-o", "f", "--no-lint"],
            b"",
        );
        assert_eq!(old.status, 2);
        assert!(
            old.stderr.contains("argument '--no-lint'"),
            "{}",
            old.stderr
        );
    }

    /// A survey that takes some seconds ends with valid files, and goes on.
    #[cfg(unix)]
    #[test]
    fn ctrl_c_leaves_valid_files() {
        let folder = TempDir::new().unwrap();
        let sites = folder.path().join("sites");
        fs::create_dir(&sites).unwrap();
        for number in 0..1_500 {
            let rules = (0..40).fold(String::new(), |mut rules, rule| {
                let _ = writeln!(rules, "Disallow: /{number}/{rule}/");
                rules
            });
            fs::write(
                sites.join(format!("s{number:04}.example")),
                format!("User-agent: *\n{rules}"),
            )
            .unwrap();
        }
        let mut survey = Command::new(env!("CARGO_BIN_EXE_abide"))
            .args(["survey", "sites", "-o", "tables", "--format", "jsonl"])
            .current_dir(folder.path())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let journal = folder.path().join("tables/.abide-survey/000000.files");
        while !journal.exists() {
            thread::sleep(Duration::from_millis(5));
        }
        let killed = Command::new("kill")
            .args(["-INT", &survey.id().to_string()])
            .status()
            .unwrap();
        assert!(killed.success());
        assert_eq!(survey.wait().unwrap().code(), Some(130));
        let some = rows(&folder.path().join("tables/files")).len();
        assert!(some < 1_500, "{some}");
        let ran = abide_in(
            folder.path(),
            &[
                "survey", "sites", "-o", "tables", "--format", "jsonl", "--resume",
            ],
            b"",
        );
        assert_eq!(ran.status, 0, "{}", ran.stderr);
        let files = rows(&folder.path().join("tables/files"));
        let numbers: Vec<&Value> = files.iter().map(|row| &row["capture"]).collect();
        assert_eq!(
            numbers,
            (0..1_500)
                .map(|number| json!(number))
                .collect::<Vec<_>>()
                .iter()
                .collect::<Vec<_>>()
        );
    }

    /// The sites as JSON Lines.
    fn lines() -> String {
        let line = |(host, body)| {
            let line = json!({"url": format!("https://{host}/robots.txt"), "body": body});
            format!("{line}\n")
        };
        SITES.map(line).concat()
    }

    /// The sites as an archive, with a redirect.
    fn archive() -> String {
        let record = |host: &str, content: &str| {
            format!(
                "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: https://{host}/robots.txt\r\nWARC-Date: 2026-01-02T03:04:05Z\r\nContent-Length: {}\r\n\r\n{content}\r\n\r\n",
                content.len()
            )
        };
        let response = |(host, body)| record(host, &format!("HTTP/1.1 200 OK\r\n\r\n{body}"));
        let moved = "HTTP/1.1 301 Moved\r\nLocation: https://closed.example/robots.txt\r\n\r\n";
        record("moved.example", moved) + &SITES.map(response).concat()
    }

    fn gzip(text: &str) -> Vec<u8> {
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        packed.write_all(text.as_bytes()).unwrap();
        packed.finish().unwrap()
    }

    #[test]
    fn digests_are_checked_on_request() {
        let folder = TempDir::new().unwrap();
        let wrong = format!(
            "WARC-Block-Digest: sha1:{}\r\nContent-Length",
            "A".repeat(32)
        );
        let archive = archive().replacen("Content-Length", &wrong, 1);
        fs::write(folder.path().join("a.warc"), archive).unwrap();
        let args = [
            "survey", "a.warc", "-o", "tables", "--format", "jsonl", "--verify",
        ];
        let ran = abide_in(folder.path(), &args, b"");
        assert_eq!(ran.status, 0);
        let digests = "digests: those of 0 captures are right; not checked: 6 no digest";
        for line in ["used in spite of errors: 1 digest\n", digests] {
            assert!(ran.stderr.contains(line), "{}", ran.stderr);
        }
        let errors = rows(&folder.path().join("tables/errors"));
        let found: Vec<_> = errors
            .iter()
            .map(|row| (&row["code"], &row["url"]))
            .collect();
        let url = json!("https://moved.example/robots.txt");
        assert_eq!(found, [(&json!("digest"), &url)]);
    }

    #[test]
    fn stdin_is_an_input_among_others() {
        let folder = TempDir::new().unwrap();
        sites(folder.path());
        let parquet = ["survey", "sites", "-o", "first", "--tables", "files"];
        assert_eq!(abide_in(folder.path(), &parquet, b"").status, 0);
        let parquet = fs::read(folder.path().join("first/files/part-00000.parquet")).unwrap();
        for (name, bytes, captures) in [
            ("lines", lines().into_bytes(), 6),
            ("lines-gzip", gzip(&lines()), 6),
            ("archive", archive().into_bytes(), 7),
            ("archive-gzip", gzip(&archive()), 7),
            ("nothing", Vec::new(), 0),
            // Its own tables have no bodies, and these sites no status.
            ("parquet", parquet, 0),
        ] {
            let args = ["survey", "-", "sites", "-o", name, "--format", "jsonl"];
            let ran = abide_in(folder.path(), &args, &bytes);
            assert_eq!(ran.status, 0, "{name}: {}", ran.stderr);
            let robots = rows(&folder.path().join(name).join("robots"));
            assert_eq!(robots.len(), 6 + captures, "{name}");
            if captures == 7 {
                let last = robots.last().unwrap();
                assert_eq!(
                    (&last["host"], &last["class"]),
                    (&json!("moved.example"), &json!("closed"))
                );
            }
            for row in &rows(&folder.path().join(name).join("errors")) {
                assert_eq!((&row["source"], name), (&json!("stdin"), "parquet"));
            }
            assert!(!folder.path().join(name).join(".abide-survey").exists());
        }
        let list = [
            "survey",
            "--files-from",
            "-",
            "-o",
            "listed",
            "--format",
            "jsonl",
        ];
        assert_eq!(abide_in(folder.path(), &list, b"sites\n").status, 0);
        let listed = rows(&folder.path().join("listed/robots"));
        assert_eq!(listed, rows(&folder.path().join("nothing/robots")));
    }

    #[test]
    fn stdin_that_cannot_be_used_is_refused() {
        let folder = TempDir::new().unwrap();
        sites(folder.path());
        let text = b"User-agent: *\n";
        for (args, stdin, output) in [
            (&["-", "-o", "new"][..], &text[..], "--files-from -"),
            (&["-", "-", "-o", "new"], text, "only be read once"),
            (&["-", "-o", "new", "--resume"], text, "cannot resume"),
            (
                &["-", "--files-from", "-", "-o", "new"],
                text,
                "both come from stdin",
            ),
            (
                &["--files-from", "-", "-o", "new"],
                b"sites\n-\n",
                "names stdin",
            ),
            (&["-", "nowhere", "-o", "new"], b"{}\n", "nowhere"),
            (&["-", "-o", "sites"], b"{}\n", "is not empty"),
        ] {
            let args: Vec<&str> = ["survey"].into_iter().chain(args.iter().copied()).collect();
            let ran = abide_in(folder.path(), &args, stdin);
            assert_eq!(ran.status, 2, "{args:?}");
            assert!(ran.stderr.contains(output), "{args:?}: {}", ran.stderr);
            assert!(!folder.path().join("new").exists(), "{args:?}");
        }
    }

    /// On a disk in a mount of its own, which is full and then is not.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_ends_a_survey_that_goes_on_when_there_is_space() {
        let folder = TempDir::new().unwrap();
        let tables = folder.path().join("tables");
        fs::create_dir(&tables).unwrap();
        let mounted = "mount -t tmpfs -o size=2m tmpfs tables";
        let call = |script: &str| {
            Command::new("unshare")
                .args(["-m", "--propagation", "private", "sh", "-c", script])
                .current_dir(folder.path())
                .env("ABIDE", env!("CARGO_BIN_EXE_abide"))
                .output()
        };
        if !call(mounted).is_ok_and(|ran| ran.status.success()) {
            abide_testkit::needs::missing("surveys on a full disk", "unshare and mount");
            return;
        }
        let lines = (0..2_000).fold(String::new(), |mut lines, site| {
            let rules = (0..20).fold("User-agent: *\n".to_owned(), |mut rules, rule| {
                let _ = writeln!(rules, "Disallow: /{site}/{rule}/");
                rules
            });
            let line = json!({"url": format!("https://s{site}.example/robots.txt"), "body": rules});
            let _ = writeln!(lines, "{line}");
            lines
        });
        fs::write(folder.path().join("sites.jsonl"), &lines).unwrap();
        let script = format!(
            "{mounted}
            survey() {{ \"$ABIDE\" survey \"$@\" --tables files,rules --format jsonl; echo \"status $?\" >&2; }}
            survey - -o tables < sites.jsonl
            ls -A tables >&2
            survey sites.jsonl -o tables
            mount -o remount,size=64m tables
            survey sites.jsonl -o tables --resume
            cp -r tables/files tables/rules ."
        );
        let ran = call(&script).unwrap();
        let output = String::from_utf8_lossy(&ran.stderr);
        let lines: Vec<&str> = output.lines().collect();
        let [stdin, two, full, two_again, _, done] = lines.as_slice() else {
            panic!("{output}");
        };
        assert_eq!(
            (*two, *two_again, *done),
            ("status 2", "status 2", "status 0")
        );
        assert!(
            stdin.contains("No space left") && stdin.contains("where stdin is kept"),
            "{output}"
        );
        assert!(
            full.contains("No space left") && full.contains("continue with --resume"),
            "{output}"
        );
        let args = [
            "survey",
            "sites.jsonl",
            "-o",
            "whole",
            "--tables",
            "files,rules",
            "--format",
            "jsonl",
        ];
        assert_eq!(abide_in(folder.path(), &args, b"").status, 0);
        for table in ["files/part-00000.jsonl", "rules/part-00000.jsonl"] {
            let own = fs::read(folder.path().join(table)).unwrap();
            assert!(
                own == fs::read(folder.path().join("whole").join(table)).unwrap(),
                "{table}"
            );
        }
    }

    /// Set `ABIDE_SURVEY_PYTHON` to a Python that has duckdb, polars and pyarrow.
    #[test]
    fn the_queries_of_the_documentation_run() {
        let Some(python) = std::env::var_os("ABIDE_SURVEY_PYTHON") else {
            abide_testkit::needs::missing(
                "queries of surveys",
                "ABIDE_SURVEY_PYTHON, a Python with duckdb, polars and pyarrow",
            );
            return;
        };
        let folder = TempDir::new().unwrap();
        fs::write(folder.path().join("crawl.jsonl"), crawl()).unwrap();
        fs::write(folder.path().join("pages.warc"), pages()).unwrap();
        let inputs = ["crawl.jsonl", "pages.warc"];
        let options = ["-o", "tables", "-a", AGENTS, "--pages"];
        let made = [&["survey"][..], &inputs, &options].concat();
        for args in [
            &made[..],
            &["report", "tables", "--format", "json", "-o", "report.json"],
        ] {
            let ran = abide_in(folder.path(), args, b"");
            assert_eq!(ran.status, 0, "{}", ran.stderr);
        }
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/survey_queries.py");
        let docs = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/survey.md");
        let run = Command::new(python)
            .args([script, docs, "report.json"])
            .current_dir(folder.path())
            .output()
            .unwrap();
        let (output, error) = (
            String::from_utf8_lossy(&run.stdout),
            String::from_utf8_lossy(&run.stderr),
        );
        assert!(run.status.success(), "{output}{error}");
        let every = "19 questions are answered right";
        assert!(output.contains(every), "{output}");
    }
}
