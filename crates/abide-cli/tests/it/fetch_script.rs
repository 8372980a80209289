//! `abide fetch` and `abide check` as scripts use them: formats, lists, time, proxies, authorities.

use crate::fetch::{Server, response};
use crate::{Ran, abide, abide_with};
use serde_json::Value;
use std::time::{Duration, Instant};

const FILE: &str = "User-agent: *\nDisallow: /x\n";

fn sites() -> Server {
    Server::start(|path| match path {
        "/robots.txt" => response("302 Found", "Location: /other\r\n", ""),
        _ => response(
            "200 OK",
            "Content-Type: text/plain\r\nCache-Control: max-age=600\r\n",
            FILE,
        ),
    })
}

/// The objects of a run, each as the schema describes it.
fn objects(ran: &Ran) -> Vec<Value> {
    let values: Vec<Value> = match serde_json::from_str(&ran.stdout) {
        Ok(Value::Array(all)) => all,
        _ => ran
            .stdout
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect(),
    };
    let schema = include_str!("../../../../schema/fetch.json");
    let schema = jsonschema::validator_for(&serde_json::from_str(schema).unwrap()).unwrap();
    let list = Value::Array(values.clone());
    assert!(schema.is_valid(&list), "{list:#}");
    values
}

#[test]
fn json_has_what_the_text_has() {
    let server = sites();
    let failing = Server::start(|_| response("503 Service Unavailable", "", ""));
    let missing = Server::start(|_| response("404 Not Found", "", ""));
    let urls = [&server, &missing, &failing].map(|server| server.url("/page"));
    let names = urls.each_ref().map(String::as_str);
    let call = [
        &["fetch", "--allow-private", "--format", "json"],
        &names[..],
    ]
    .concat();
    let ran = abide(&call, b"");
    assert_eq!(ran.status, 3, "{}", ran.told());
    let found = objects(&ran);
    let [file, missing, failing] = found.as_slice() else {
        panic!("{found:?}");
    };
    assert_eq!(file["url"], server.url("/robots.txt"));
    assert_eq!(
        (&file["rules"], &file["file"]["bytes"]),
        (&"file".into(), &27.into())
    );
    assert_eq!(file["requests"][0]["status"], 302);
    assert_eq!(file["requests"][1]["url"], server.url("/other"));
    assert_eq!(file["media_type"], "text/plain");
    assert_eq!(file["retrieval"]["state"], "fresh");
    assert!(file["user_agent"].as_str().unwrap().starts_with("abide/"));
    assert!(file["next_fetch"].is_string() && file["cause"].is_null());
    assert_eq!(missing["rules"], "unavailable");
    assert_eq!(
        (&failing["rules"], &failing["retrieval"]["state"]),
        (&"unreachable".into(), &"unreachable".into())
    );
    // The same, one object per line.
    let call = ["fetch", "--allow-private", "--format", "jsonl", &*urls[0]];
    let line = abide(&call, b"");
    assert_eq!((line.status, line.stdout.lines().count()), (0, 1));
    assert_eq!(objects(&line)[0]["rules"], "file");
    let refused = abide(
        &["fetch", "--format", "json", "http://127.0.0.1:8500/"],
        b"",
    );
    let object = &objects(&refused)[0];
    let failure = object["requests"][0]["failure"].as_str().unwrap();
    assert!(
        refused.status == 3 && failure.contains("not a public address"),
        "{object}"
    );
}

/// Each site of a list is fetched once, in the order of the list, and bad lines do not end the run.
#[test]
fn a_list_is_fetched_site_by_site() {
    let (one, other) = (sites(), sites());
    let list = format!(
        "\u{feff}{}\n\n{}\nnews.example/x\n{}\r\nftp://e.example/\n{}\n/path\n",
        one.url("/a"),
        other.url("/a"),
        one.url("/b"),
        one.url("/robots.txt")
    );
    let call = [
        "fetch",
        "--allow-private",
        "--urls",
        "-",
        "--format",
        "jsonl",
    ];
    let ran = abide(&call, list.as_bytes());
    assert_eq!(ran.status, 2, "{}", ran.told());
    let urls: Vec<_> = objects(&ran).iter().map(|one| one["url"].clone()).collect();
    assert_eq!(urls, [one.url("/robots.txt"), other.url("/robots.txt")]);
    for server in [&one, &other] {
        assert_eq!(server.paths(), ["/robots.txt", "/other"]);
    }
    for said in [
        "line 4: cannot read the URL news.example/x",
        "line 6: cannot fetch ftp://e.example/: expected http or https",
        "line 8: the path /path has no site; give an absolute URL",
    ] {
        assert!(ran.stderr.contains(said), "{said}: {}", ran.stderr);
    }
    let bad = format!("{}\u{fffd}", "\n\u{1b}[31m".repeat(8));
    let ran = abide(&call, bad.as_bytes());
    assert_eq!((ran.status, &*ran.stdout), (2, ""));
    assert_eq!(ran.stderr.lines().count(), 6, "{}", ran.stderr);
    assert!(!ran.stderr.contains('\u{1b}') && ran.stderr.contains("8 lines could not be read"));
    let ran = abide(&["fetch", "--urls", "-", "--format", "json"], b"");
    assert!(
        ran.status == 2 && ran.stderr.contains("use --format jsonl"),
        "{}",
        ran.told()
    );
    let ran = abide(&["fetch", "--urls", "-"], b"");
    assert_eq!((ran.status, &*ran.stdout, &*ran.stderr), (0, "", ""));
}

/// A site gets as much time as it is given, whatever it uses it for.
#[test]
fn a_slow_site_gets_the_time_that_is_given() {
    let slow = Server::start(|_| {
        std::thread::sleep(Duration::from_secs(3));
        response("200 OK", "", FILE)
    });
    let began = Instant::now();
    let call = [
        "fetch",
        "--allow-private",
        "--timeout",
        "1",
        &*slow.url("/"),
    ];
    let ran = abide(&call, b"");
    assert_eq!(ran.status, 3, "{}", ran.told());
    assert!(ran.stdout.contains("no answer in time"), "{}", ran.stdout);
    assert!(began.elapsed() < Duration::from_secs(3));
    for seconds in ["0", "1.5", "3601", "-1", "x"] {
        let timeout = format!("--timeout={seconds}");
        assert_eq!(
            abide(&["fetch", &timeout, "http://e.example/"], b"").status,
            2
        );
    }
}

/// The name that is sent names the robot, if no other is given.
#[test]
fn a_user_agent_is_sent_and_decided_for() {
    let server = Server::start(|_| response("200 OK", "", "User-agent: OwnBot\nDisallow: /x\n"));
    let line = "OwnBot/2.1 (+https://bot.example)";
    let call = [
        "check",
        "--allow-private",
        &*server.url("/x"),
        "--user-agent",
        line,
    ];
    let ran = abide(&call, b"");
    assert_eq!(ran.status, 1, "{}", ran.told());
    let other = abide(&[&call[..], &["-a", "Other"]].concat(), b"");
    assert_eq!(other.status, 0, "{}", other.told());
    let local = ["check", "/x", "-r", "-", "--user-agent", line];
    assert_eq!(
        abide(&local, b"User-agent: OwnBot\nDisallow: /x\n").status,
        1
    );
    let both = abide(&[&local[..], &["-a", "Other"]].concat(), b"User-agent: *\n");
    assert!(
        both.status == 2 && both.stderr.contains("--user-agent has no effect"),
        "{}",
        both.told()
    );
}

/// Requests go to the proxy, which looks up names, and the guard still checks what a URL says.
#[test]
fn a_proxy_gets_every_request() {
    let proxy = Server::start(|target| match target {
        "http://news.example/robots.txt" => response("200 OK", "", FILE),
        _ => response("404 Not Found", "", ""),
    });
    let name = proxy.url("").replace("//", "//me:secret@");
    let ask = |words: &[&str]| abide(&[words, &["--proxy", &name]].concat(), b"");
    let ran = ask(&["fetch", "http://news.example/"]);
    assert_eq!((ran.status, &*ran.stderr), (0, ""), "{}", ran.stdout);
    assert!(ran.stdout.contains(": 200 ("), "{}", ran.stdout);
    assert_eq!(
        ask(&["check", "http://news.example/x", "-a", "f"]).status,
        1
    );
    let ran = ask(&["fetch", "http://127.0.0.1:1/", "https://localhost/"]);
    assert_eq!(ran.status, 3, "{}", ran.told());
    assert_eq!(proxy.paths(), ["http://news.example/robots.txt"; 2]);
    // The password of the proxy is not shown, not even if the proxy cannot be named so.
    for bad in [
        "https://me:secret@e.example",
        "me:secret@e.example:1",
        "http://me:secret@e.example/x",
    ] {
        let ran = abide(&["fetch", "--proxy", bad, "http://e.example/"], b"");
        assert_eq!(ran.status, 2);
        assert!(
            ran.stderr.contains("expected a proxy as http://"),
            "{}",
            ran.stderr
        );
        assert!(!ran.told().contains("secret"), "{}", ran.told());
    }
}

/// A proxy that other tools would use is not ignored without a word, and its value is not shown.
#[test]
fn a_proxy_of_the_environment_is_reported() {
    let server = sites();
    let call = ["fetch", "--allow-private", &*server.url("/")];
    let set = [("HTTPS_PROXY", "http://me:secret@p.example:3128")];
    let ran = abide_with(&set, &call, b"");
    assert_eq!(
        (ran.status, &*ran.stderr),
        (
            0,
            "warning: HTTPS_PROXY is set, and abide takes no proxy from the environment; name it with --proxy\n"
        )
    );
    assert_eq!(abide_with(&[("http_proxy", "")], &call, b"").stderr, "");
    let local = ["check", "/x", "-r", "-", "-a", "f"];
    assert_eq!(abide_with(&set, &local, FILE.as_bytes()).stderr, "");
}

const AUTHORITY: &str = "-----BEGIN CERTIFICATE-----
MIIBkzCCATmgAwIBAgIUZ5P9WhUsnbH6Uo5y2qr7dlDKx48wCgYIKoZIzj0EAwIw
HjEcMBoGA1UEAwwTYXV0aG9yaXR5IG9mIGEgdGVzdDAgFw0yNjExMjcyMzE4NDha
GA8yMTI2MTEwMzIzMTg0OFowHjEcMBoGA1UEAwwTYXV0aG9yaXR5IG9mIGEgdGVz
dDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABCoSBcjbimXqWF9fvzTledi6Gf5D
mdV+oFzwrZB0/l+nsi+yCmhOaF5/TkhgpUgJ/a0+6s3rP209g7ckcWM5Is2jUzBR
MB0GA1UdDgQWBBT7WcjXY6BCSJxBRU7HvCyRq2a/CDAfBgNVHSMEGDAWgBT7WcjX
Y6BCSJxBRU7HvCyRq2a/CDAPBgNVHRMBAf8EBTADAQH/MAoGCCqGSM49BAMCA0gA
MEUCIQCJvg0lG9KXh544pyizk8pd9UXiM5ztWOAVCproirGFlAIgd+VPBbiu6GBo
CAsO6syuSp7nHkMRQWsNs4+SDWMfry8=
-----END CERTIFICATE-----
";

#[test]
fn authorities_of_a_file_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str, text: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let server = sites();
    let url = server.url("/");
    let ask = |file: &str| abide(&["fetch", "--allow-private", "--ca-file", file, &url], b"");
    assert_eq!(ask(&at("good.pem", AUTHORITY.as_bytes())).status, 0);
    let cut = &AUTHORITY[..AUTHORITY.len() / 2];
    let damaged = AUTHORITY.replace("MIIBkz", "AAAAAA");
    for (name, text, said) in [
        ("empty.pem", "", "no certificate in it"),
        ("cut.pem", cut, "not valid PEM"),
        ("damaged.pem", &damaged, "TLS cannot be set up"),
        ("long.pem", &"#".repeat((1 << 20) + 1), "longer than"),
    ] {
        let ran = ask(&at(name, text.as_bytes()));
        assert!(
            ran.status == 2 && ran.stderr.contains(said),
            "{name}: {}",
            ran.told()
        );
    }
    let ran = ask("no-such-file");
    assert!(
        ran.status == 2 && ran.stderr.contains("--ca-file takes a file"),
        "{}",
        ran.told()
    );
    assert_eq!(server.paths().len(), 2);
}
