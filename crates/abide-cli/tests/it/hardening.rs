//! Problems found by attacks from outside, each as a test that failed before its fix. The tests
//! connect only to loopback.

use crate::abide;
use crate::fetch::{Server, response};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

const CLOSED: &str = "User-agent: *\nDisallow: /private/\n";

fn site() -> Server {
    Server::start(|path| match path {
        "/robots.txt" => response("200 OK", "", CLOSED),
        "/private/x.html" => response("200 OK", "Content-Type: text/html\r\n", "<p>private"),
        "/ok" => response("200 OK", "X-Robots-Tag: noindex\r\n", "ok"),
        _ => response("404 Not Found", "", ""),
    })
}

fn check_page(server: &Server, path: &str) -> (Value, i32) {
    let url = server.url(path);
    let args = [
        "check",
        &url,
        "-a",
        "f",
        "--page",
        "--allow-private",
        "--format",
        "jsonl",
    ];
    let ran = abide(&args, b"");
    (serde_json::from_str(&ran.stdout).unwrap(), ran.status)
}

/// The command decides about the URL that it requests, so it fetches no page that the file
/// disallows.
#[test]
fn a_forbidden_page_is_not_fetched_in_any_spelling() {
    let server = site();
    for path in [
        "/public/../private/x.html",
        "/public/%2e%2e/private/x.html",
        "/public/.%2E/private/x.html",
        "/./private/x.html",
        "/x\\..\\private\\x.html",
        "/pri\tvate/x.html",
        "/private\n/x.html",
        "/private/x.html#/../../ok",
        "/%70rivate/x.html",
        "//../private/x.html",
    ] {
        let (answer, status) = check_page(&server, path);
        assert_eq!(
            answer["usages"]["crawl"]["outcome"], "prohibited",
            "{path:?}: {answer}"
        );
        assert_eq!(status, 1, "{path:?}");
    }
    let asked = server.paths();
    assert!(asked.iter().all(|path| path == "/robots.txt"), "{asked:?}");
}

/// The output shows both URLs, and the decision about a page behind dot segments uses its resolved
/// path.
#[test]
fn both_urls_are_shown() {
    let server = site();
    let (answer, status) = check_page(&server, "/private/../ok");
    assert_eq!(answer["url"], server.url("/private/../ok"));
    assert_eq!(answer["requested"], server.url("/ok"));
    assert_eq!((&answer["tags"]["noindex"], status), (&json!(true), 0));
    assert_eq!(server.paths(), ["/robots.txt", "/ok"]);
    let (answer, _) = check_page(&server, "/ok");
    assert!(answer["requested"].is_null(), "{answer}");
    let url = server.url("/public/%2e%2e/private/");
    let ran = abide(&["check", &url, "-a", "f", "--allow-private"], b"");
    let shown = format!(
        "{url}\ncrawl: disallowed\n  requested   {}\n",
        server.url("/private/")
    );
    assert!(ran.stdout.starts_with(&shown), "{}", ran.stdout);
}

/// For a local file and a path, the decision also uses the form that a client would send.
#[test]
fn without_a_network() {
    for (url, requested) in [
        ("/public/../private/x", "/private/x"),
        (
            "https://e.example/public/../private/x",
            "https://e.example/private/x",
        ),
    ] {
        let args = ["check", url, "-a", "f", "-r", "-", "--format", "jsonl"];
        let ran = abide(&args, CLOSED.as_bytes());
        let answer: Value = serde_json::from_str(&ran.stdout).unwrap();
        assert_eq!(
            (&answer["requested"], ran.status),
            (&json!(requested), 1),
            "{url}"
        );
    }
}

fn batch(requests: &[Value]) -> Vec<Value> {
    let lines: String = requests
        .iter()
        .map(|request| format!("{request}\n"))
        .collect();
    let ran = abide(&["batch"], lines.as_bytes());
    ran.stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// A redirect that was not followed says nothing about the site, and other numbers are not a final
/// status.
#[test]
fn a_redirecting_status_leaves_the_file_unknown() {
    let request = |status: i64, location: Option<&str>| {
        json!({"url": "https://bücher.example/x", "agent": "f", "robots": CLOSED,
            "robots_status": status, "robots_location": location})
    };
    for (status, note) in [
        (300, "redirect-not-followed"),
        (301, "redirect-not-followed"),
        (304, "not-modified"),
        (308, "redirect-not-followed"),
        (399, "redirect-not-followed"),
    ] {
        let answers = batch(&[request(status, Some("/other?a")), request(status, None)]);
        let first = if status == 304 {
            "robots.txt"
        } else {
            "other?a"
        };
        for (answer, needed) in answers.iter().zip([first, "robots.txt"]) {
            let crawl = &answer["usages"]["crawl"];
            assert_eq!(crawl["outcome"], "unknown", "{status}");
            assert_eq!(crawl["evidence"][0]["notes"], json!([note]));
            let needed = format!("https://xn--bcher-kva.example/{needed}");
            assert_eq!(answer["needs"], json!([needed]), "{status}");
        }
    }
    for status in [0, 100, 199, 600, 999, 65_536, -1, i64::MIN] {
        let mut with_error = request(status, None);
        with_error["robots_error"] = json!("timeout");
        let reference = json!({"url": "https://e.example/x", "agent": "f", "robots": "",
            "references": {"/a": {"status": status}}});
        let answers = batch(&[request(status, None), with_error, reference]);
        for (answer, code) in
            answers
                .iter()
                .zip(["invalid-robots", "invalid-robots", "invalid-references"])
        {
            assert_eq!(answer["error"]["code"], code, "{status}");
            let message = answer["error"]["message"].as_str().unwrap();
            let range = format!("from 200 to 599, but found {status}");
            assert!(message.contains(&range), "{message}");
        }
    }
    let itself = json!({"url": "https://e.example/robots.txt", "agent": "f", "robots_status": 302,
        "robots_location": "http://u:p@h/r#f"});
    let crawl = &batch(std::slice::from_ref(&itself))[0];
    let decided = &crawl["usages"]["crawl"]["evidence"][0];
    assert_eq!(decided["reason"], "robots-txt-itself");
    assert_eq!(decided.get("notes"), None);
    assert_eq!(crawl["needs"], json!(["http://h/r"]));
    let reference = json!({"url": "https://e.example/x", "agent": "f",
        "robots": "ACAP-crawler: *\nACAP-permissions-reference: /a.txt\n",
        "references": {"/a.txt": {"status": 302}}});
    let answer = &batch(&[reference])[0];
    assert_eq!(answer["usages"]["index"]["outcome"], "unknown");
    assert_eq!(answer["needs"], json!(["https://e.example/a.txt"]));
}

/// An origin has one spelling, so that callers can use it as a key.
#[test]
fn origins_are_spelled_as_the_url_standard_does() {
    for (url, robots_url) in [
        (
            "https://bücher.example/x",
            "https://xn--bcher-kva.example/robots.txt",
        ),
        ("http://%61.example/x", "http://a.example/robots.txt"),
        ("HTTPS://E.Example:443/x", "https://e.example/robots.txt"),
    ] {
        let answer = &batch(&[json!({"url": url, "agent": "f"})])[0];
        assert_eq!(answer["robots_url"], robots_url);
        assert_eq!(answer["needs"], json!([robots_url]));
    }
}

/// Lists are shortened before any work on them, and are bounded.
#[test]
fn duplicates_go_and_long_lists_are_errors() {
    let names = |count: usize, of: usize| -> Vec<String> {
        (0..count)
            .map(|number| format!("a{}", letters(number % of)))
            .collect()
    };
    let request = |field: &str, list: Value| {
        let mut request = json!({"url": "https://e.example/x", "agent": "f", "robots": ""});
        request[field] = list;
        request
    };
    for field in ["agent", "purposes", "applications"] {
        let twice = &batch(&[request(field, json!(names(5_000, 1_000)))])[0];
        assert!(twice["error"].is_null(), "{field}: {twice}");
        let error = &batch(&[request(field, json!(names(1_001, 1_001)))])[0]["error"];
        let message = error["message"].as_str().unwrap();
        assert!(
            message.contains("at most 1000 different entries"),
            "{field}: {message}"
        );
    }
    for field in ["names", "purposes"] {
        let acap = json!({field: names(1_001, 1_001)});
        assert!(
            batch(&[request("acap", acap)])[0]["error"].is_object(),
            "{field}"
        );
    }
    let references: Value = (0..1_001)
        .map(|number| (format!("/{number}"), json!("")))
        .collect();
    assert!(batch(&[request("references", references)])[0]["error"].is_object());
}

/// Encodes a number in letters, because product tokens contain no digits.
fn letters(number: usize) -> String {
    number
        .to_string()
        .bytes()
        .map(|digit| char::from(digit - b'0' + b'a'))
        .collect()
}

/// A11: the name of a file triggers nothing, whatever it is.
#[test]
fn names_of_files_act_on_no_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let name = "a\n::error::made up\u{1b}]0;pwned\u{7}\u{202e}.txt";
    let path = folder.path().join(name);
    std::fs::write(&path, "User-agent: *\nDisalow: /x\n").unwrap();
    let cases = folder.path().join("cases.toml");
    std::fs::write(
        &cases,
        "[[case]]\nagents = [\"f\"]\nurl = \"/x\"\ncrawl = \"permitted\"\n",
    )
    .unwrap();
    let there = path.to_str().unwrap();
    let missing = format!("{there}.missing");
    let cases = cases.to_str().unwrap();
    let calls: &[&[&str]] = &[
        &["lint", there],
        &["lint", there, "--format", "github"],
        &["lint", there, "--diff"],
        &["lint", &missing],
        &["explain", there, "-a", "f"],
        &["explain", there, "-a", "f", "--urls", there],
        &["explain", &missing, "-a", "f"],
        &["test", cases, there],
        &["test", cases, &missing],
        &["test", &missing, there],
        &["test", "--init", &missing],
        &["diff", there, &missing],
        &["fmt", "--check", there],
        &["fmt", &missing],
        &["convert", "--to", "acap", there],
        &["convert", "--to", "acap", &missing],
        &["check", "/x", "-a", "f", "-r", there],
        &["check", "/x", "-a", "f", "-r", &missing],
        &["check", "/x", "-a", "f", "-r", there, "--html", &missing],
        &[
            "check",
            "/x",
            "-a",
            "f",
            "-r",
            there,
            "--reference",
            &missing,
        ],
        &["check", &missing, "-a", "f", "-r", there],
        &["batch", &missing],
        &["batch", there],
        &["cache", "ls", &missing],
        &["cache", "show", &missing, "https://e.example/"],
        &["cache", "show", &missing, &missing],
        &["cache", "prune", &missing, "--older-than", "1"],
        &[
            "check",
            "https://e.example/",
            "-a",
            "f",
            "--offline",
            "--cache",
            there,
        ],
        &[
            "check",
            "https://e.example/",
            "-a",
            "f",
            "--cache",
            "redis://h",
            "--cache-key",
            &missing,
        ],
        &["fetch", &missing],
        &["check", there, "--nonsense", &missing],
        &[&missing],
    ];
    for call in calls {
        let ran = abide(call, b"");
        for text in [&ran.stdout, &ran.stderr] {
            let acts = |c: char| c.is_control() && c != '\n' || c == '\u{202e}';
            assert!(!text.contains(acts), "{call:?}: {text:?}");
            let is_command = |line: &str| line.starts_with("::error::made up");
            assert!(!text.lines().any(is_command), "{call:?}: {text}");
        }
    }
    // The file of cases is a good one, so the call reaches its last line.
    let ran = abide(&["test", cases, there], b"");
    assert_eq!(ran.stderr, "");
    let last = ran.stdout.trim_end().lines().next_back();
    assert!(
        last.unwrap().contains(r"pwned\x07\u{202e}.txt"),
        "{}",
        ran.stdout
    );
    let ran = abide(
        &["convert", "--to", "meta"],
        b"X-Robots-Tag: a\xe2\x80\xaeb, noindex\n",
    );
    assert!(!ran.stdout.contains('\u{202e}'), "{}", ran.stdout);
    assert!(ran.stdout.contains("&#x202e;"), "{}", ran.stdout);
    let ran = abide(&["lint", there], b"");
    let shown = r"a\x0a::error::made up\x1b]0;pwned\x07\u{202e}.txt";
    assert!(ran.stdout.contains(shown), "{}", ran.stdout);
}

/// JSON output escapes characters that control or mislead a terminal.
#[test]
fn json_shows_nothing_that_acts() {
    let robots = "User-agent: *\nDisallow: /a\u{7f}\u{85}\u{202e} b\nDisallow: /é\n";
    for format in ["json", "jsonl", "sarif", "gitlab"] {
        let ran = abide(&["lint", "-", "--format", format], robots.as_bytes());
        assert!(
            !ran.stdout.contains(['\u{7f}', '\u{85}', '\u{202e}']),
            "{}",
            ran.stdout
        );
    }
    let request = json!({"url": "https://e.example/a\u{202e}", "agent": "f", "robots": robots});
    let ran = abide(&["batch"], format!("{request}\n").as_bytes());
    assert!(ran.stdout.contains(r"/a\u202e") && !ran.stdout.contains('\u{202e}'));
}

/// A number of threads that no machine can have is rejected before any thread starts.
#[test]
fn a_number_of_jobs_is_bounded() {
    for jobs in ["0", "1025", "20000", "99999999999"] {
        let ran = abide(&["batch", "-j", jobs], b"");
        assert_eq!(ran.status, 2, "{jobs}");
        assert!(ran.stderr.contains(jobs), "{}", ran.stderr);
    }
}

/// Error messages show no password.
#[test]
fn passwords_are_not_shown() {
    for url in [
        "http://user:Sekr3t@h:99999/",
        "http://user:Sekr3t@h h/",
        "//user:Sekr3t@h/",
        "http:/user:Sekr3t@h:99999/",
        "http:user:Sekr3t@[h/",
        "ftp://user:Sekr3t@h/",
        "http://user:Sekr3t@h/",
        "http://user:Sekr3t#x@h/",
        "http://user:x#Sekr3t@h/",
        "http://user:x/Sekr3t@h/",
        "http://user:x?Sekr3t@h/",
        "http://user:x\\Sekr3t@h/",
        "http://user:x@y/Sekr3t@h/",
        "ht\ttp://user:Sekr3t@h:99999/",
        "http:/\t/user:Sekr3t@h:99999/",
        "\u{1}http://user:Sekr3t@h:99999/",
        "user:Sekr3t@h",
        "http;//user:Sekr3t@h/",
    ] {
        for call in [
            &["fetch", url, "--offline", "--cache", "/nowhere/at/all"][..],
            &["fetch", url, "--cache", ""],
            &["check", url, "-a", "f", "-r", "-"],
            &["check", url, "-a", "f", "-r", url, "--cache", ""],
            &["explain", "-", url, "-a", "f"],
            &["check", "/x", "-a", "f", "-r", url, "--cache", ""],
        ] {
            let ran = abide(call, b"User-agent: *\n");
            let output = format!("{}{}", ran.stdout, ran.stderr);
            assert!(!output.contains("Sekr3t"), "{call:?}: {output}");
        }
    }
}

/// Empty standard input, behind a broken pipe, opens no site.
#[test]
fn nothing_on_stdin_is_no_file() {
    let ran = abide(&["check", "/x", "-a", "f", "-r", "-"], b"");
    assert_eq!((ran.status, &*ran.stdout), (2, ""));
    assert!(
        ran.stderr.contains("robots.txt from stdin is empty"),
        "{}",
        ran.stderr
    );
}

/// When the reader closes the pipe, no other site is asked.
#[test]
fn fetch_stops_when_its_output_is_closed() {
    let slowly = |_: &str| {
        std::thread::sleep(std::time::Duration::from_millis(50));
        response("200 OK", "", CLOSED)
    };
    let servers: Vec<Server> = (0..40).map(|_| Server::start(slowly)).collect();
    let mut child = Command::new(env!("CARGO_BIN_EXE_abide"))
        .args(["fetch", "--allow-private"])
        .args(servers.iter().map(|server| server.url("/")))
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap());
    lines.read_line(&mut String::new()).unwrap();
    drop(lines);
    child.wait().unwrap();
    let asked: usize = servers.iter().map(|server| server.paths().len()).sum();
    assert!((1..20).contains(&asked), "{asked} of 40 sites were asked");
}

/// Keys have names, so that members with different secrets do not overwrite each other's records.
#[test]
fn keys_of_a_cache_have_names() {
    let folder = tempfile::tempdir().unwrap();
    let key = folder.path().join("key");
    std::fs::write(&key, "secret\n").unwrap();
    let key = key.to_str().unwrap();
    let call = |keys: &[String]| {
        let mut args = vec![
            "check",
            "https://e.example/",
            "-a",
            "f",
            "--cache",
            "redis://127.0.0.1:1",
            "--offline",
        ];
        for key in keys {
            args.extend(["--cache-key", key]);
        }
        abide(&args, b"")
    };
    for keys in [
        vec![key.to_owned()],
        vec![format!("2:{key}"), format!("1:{key}")],
    ] {
        assert_eq!(call(&keys).status, 3, "{keys:?}");
    }
    for (keys, output) in [
        (vec![format!("0:{key}")], "from 1 to 255"),
        (vec![format!("300:{key}")], "from 1 to 255"),
        (
            vec![format!("3:{key}"), format!("3:{key}")],
            "two files for key 3",
        ),
        (vec!["3:".to_owned()], "expected a file"),
    ] {
        let ran = call(&keys);
        assert!(
            ran.status == 2 && ran.stderr.contains(output),
            "{keys:?}: {}",
            ran.stderr
        );
    }
}

/// A path that is neither a folder nor a server is left as it is.
#[test]
fn a_mistyped_cache_makes_no_folder() {
    let folder = tempfile::tempdir().unwrap();
    for cache in ["redis:/u:Sekr3t@h", "rediss:h", "valkey:/h", ""] {
        let ran = Command::new(env!("CARGO_BIN_EXE_abide"))
            .args([
                "check",
                "https://e.example/",
                "-a",
                "f",
                "--offline",
                "--cache",
                cache,
            ])
            .current_dir(&folder)
            .output()
            .unwrap();
        let output = String::from_utf8_lossy(&ran.stderr);
        assert_eq!(ran.status.code(), Some(2), "{cache}: {output}");
        assert!(!output.contains("Sekr3t"), "{output}");
    }
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0);
}

/// Other users of the machine cannot read which sites were asked.
#[cfg(unix)]
#[test]
fn a_cache_is_private() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().unwrap();
    let cache = folder.path().join("a/cache");
    let ran = abide(
        &[
            "check",
            "http://127.0.0.1:9/",
            "-a",
            "f",
            "--cache",
            cache.to_str().unwrap(),
        ],
        b"",
    );
    assert_eq!(ran.status, 3, "{}", ran.stderr);
    let mode =
        |path: &std::path::Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&cache), 0o700);
    assert_eq!(mode(&cache.join("robots.redb")), 0o600);
}
