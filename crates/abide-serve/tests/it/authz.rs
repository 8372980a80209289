//! Forward auth: which requests of which robots a proxy lets through.

use crate::client::{Answered, ask};
use crate::{Running, config, run};
use abide_serve::{Config, OnFailure};
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};
use tempfile::TempDir;

const FILE: &str = "User-agent: GPTBot\nDisallow: /private/\n\nUser-agent: OwnTool\nDisallow: /\n\nUser-agent: *\nDisallow: /tmp/\n";
const GPTBOT: &str = "Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)";
const FIREFOX: &str = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0";

/// A folder with the file of one site.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("e.example")).unwrap();
    fs::write(folder.path().join("e.example/robots.txt"), FILE).unwrap();
    folder
}

fn with(folder: &Path, change: impl Fn(&mut Config)) -> Running {
    let mut config = config();
    config.authz = Some(folder.to_owned());
    change(&mut config);
    run(&config)
}

/// What is said about a request that nginx describes.
fn said(service: &Running, agent: &str, host: &str, path: &str) -> (u16, String) {
    let fields = [("User-Agent", agent), ("X-Original-URI", path)];
    let answered = asked(service, "/authz", host, &fields);
    let why = answered.field("x-robots-explain").unwrap_or_default();
    (answered.status, why.to_owned())
}

/// Asks with another host than that of the service.
fn asked(service: &Running, path: &str, host: &str, fields: &[(&str, &str)]) -> Answered {
    let fields = fields
        .iter()
        .map(|(name, value)| format!("{name}: {value}\r\n"));
    let fields: String = fields.collect();
    let request =
        format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{fields}\r\n");
    crate::client::send(service.address, request.as_bytes()).unwrap()
}

#[test]
fn robots_are_refused_by_the_rules_and_browsers_pass() {
    let folder = folder();
    let service = with(folder.path(), |_| {});
    for (agent, path, status, why) in [
        (
            GPTBOT,
            "/private/x",
            403,
            "GPTBot may not fetch /private/x: line 2: Disallow: /private/",
        ),
        (GPTBOT, "/", 204, "GPTBot may fetch /: "),
        (GPTBOT, "/tmp/x", 204, "GPTBot may fetch /tmp/x: "),
        (
            GPTBOT,
            "/a/..//private%2Fx",
            403,
            "GPTBot may not fetch /private/x: line 2: ",
        ),
        (GPTBOT, "/robots.txt", 204, ""),
        (
            "CCBot/2.0 (https://commoncrawl.org/faq/)",
            "/tmp/x",
            403,
            "CCBot may not fetch /tmp/x: line 8: ",
        ),
        (
            "ExampleBot/1.0",
            "/tmp/x",
            403,
            "ExampleBot may not fetch /tmp/x: line 8: ",
        ),
        (
            "OwnTool/3",
            "/x",
            403,
            "OwnTool may not fetch /x: line 5: Disallow: /",
        ),
        (
            "curl/8.5.0",
            "/tmp/x",
            204,
            "the request is of no known robot",
        ),
        (FIREFOX, "/tmp/x", 204, "the request is of no known robot"),
        ("", "/tmp/x", 204, ""),
    ] {
        let (found, reason) = said(&service, agent, "e.example", path);
        assert_eq!(found, status, "{agent} {path}: {reason}");
        assert!(reason.starts_with(why), "{agent} {path}: {reason}");
    }
    assert!(service.count("abide_authz_answers_total", "disallowed") >= 5);
}

/// The proxy and `abide check` read a line by the same function.
#[test]
fn the_file_decides_which_name_of_a_line_counts() {
    let folder = folder();
    let service = with(folder.path(), |_| {});
    let edge = "Mozilla/5.0 (Windows NT 10.0) Chrome/120.0 Safari/537.36 Edg/120 VirusTotalBot";
    for (named, agent, status, why) in [
        (
            "MyCrawler",
            "MyCrawler/Nutch-1.19 (+https://bot.example/)",
            403,
            "MyCrawler may not",
        ),
        (
            "Nutch",
            "MyCrawler/Nutch-1.19 (+https://bot.example/)",
            403,
            "Nutch may not",
        ),
        (
            "crawler",
            "Mozilla/5.0 (compatible; crawler)",
            403,
            "crawler may not",
        ),
        (
            "search.engine.example",
            "search.engine.example Java/22.0.2",
            403,
            "search.engine.example may not",
        ),
        ("VirusTotalBot", edge, 403, "VirusTotalBot may not"),
        ("Mozilla", GPTBOT, 403, "Mozilla may not"),
        ("Mozilla", FIREFOX, 204, "the request is of no known robot"),
        (
            "Other",
            "search.engine.example Java/22.0.2",
            204,
            "the request is of no known robot",
        ),
    ] {
        let host = format!("{}.example", named.replace('.', "-").to_lowercase());
        let file =
            format!("User-agent: {named}\nDisallow: /\n\nUser-agent: *\nDisallow: /private/\n");
        fs::write(folder.path().join(format!("{host}.txt")), file).unwrap();
        let (found, reason) = said(&service, agent, &host, "/x");
        assert_eq!(found, status, "{agent}: {reason}");
        assert!(reason.starts_with(why), "{agent}: {reason}");
    }
}

#[test]
fn every_way_to_describe_a_request_works() {
    let folder = folder();
    let service = with(folder.path(), |_| {});
    let agent = ("User-Agent", GPTBOT);
    let refused = |path: &str, host: &str, fields: &[(&str, &str)]| {
        let fields: Vec<_> = fields.iter().copied().chain([agent]).collect();
        asked(&service, path, host, &fields).status
    };
    let url = "https://e.example:8443/private/x?a";
    assert_eq!(refused("/authz", "x", &[("X-Original-URL", url)]), 403);
    let caddy = [
        ("X-Forwarded-Uri", "/private/x"),
        ("X-Forwarded-Host", "E.example"),
    ];
    assert_eq!(refused("/authz", "x", &caddy), 403);
    assert_eq!(refused("/authz?status=451", "x", &caddy), 451);
    assert_eq!(
        refused("/authz/private/x?status=451", "e.example", &[]),
        403
    );
    assert_eq!(refused("/authz/public?x", "e.example", &[]), 200);
    let post = ask(
        service.address,
        "POST",
        "/authz/private/x",
        &[agent],
        b"body",
    );
    assert!(matches!(post.status, 200 | 403), "{}", post.head);
}

#[test]
fn unclear_requests_get_a_problem() {
    let folder = folder();
    let service = with(folder.path(), |_| {});
    let report = with(folder.path(), |config| {
        config.authz_report_only = Some(true);
    });
    let both = [
        ("X-Original-URI", "/"),
        ("X-Forwarded-Uri", "/"),
        ("X-Forwarded-Host", "e.example"),
    ];
    for (path, host, fields, code) in [
        ("/authz", "e.example", &[][..], "no-original-request"),
        ("/authz", "e.example", &both[..], "ambiguous-request"),
        (
            "/authz?from=cookie",
            "e.example",
            &both[..1],
            "invalid-query",
        ),
        (
            "/authz?status=200",
            "e.example",
            &both[..1],
            "invalid-query",
        ),
        ("/authz?stat=403", "e.example", &both[..1], "invalid-query"),
        ("/authz", "..", &both[..1], "invalid-original-request"),
        ("/authz", "a/b", &both[..1], "invalid-original-request"),
        (
            "/authz",
            "e.example",
            &[("X-Original-URI", "x:y")][..],
            "invalid-original-request",
        ),
        (
            "/authz",
            "e.example",
            &[("X-Original-URL", "/x")][..],
            "invalid-original-request",
        ),
        (
            "/authz",
            "e.example",
            &both[1..2],
            "invalid-original-request",
        ),
    ] {
        let answered = asked(&service, path, host, fields);
        // The server itself refuses some hosts.
        if answered.body.is_empty() {
            assert_eq!(answered.status, 400, "{path} {host}");
            continue;
        }
        let problem = answered.json();
        assert_eq!(
            (answered.status, &problem["code"]),
            (400, &code.into()),
            "{path} {host}: {problem}"
        );
        assert!(problem["remedy"].is_string());
        let answered = asked(&report, path, host, fields);
        assert_eq!(answered.status, 204, "{path} {host}");
    }
}

#[test]
fn a_report_refuses_nothing() {
    let folder = folder();
    let service = with(folder.path(), |config| {
        config.authz_report_only = Some(true);
    });
    let (status, why) = said(&service, GPTBOT, "e.example", "/private/x");
    assert_eq!(status, 204);
    assert_eq!(
        why,
        "report only: GPTBot may not fetch /private/x: line 2: Disallow: /private/"
    );
    assert_eq!(
        service.count("abide_authz_answers_total", "would-refuse"),
        1
    );
}

#[test]
fn sites_without_a_file_fail_as_configured() {
    let folder = folder();
    fs::create_dir_all(folder.path().join("broken.example/robots.txt")).unwrap();
    let open = with(folder.path(), |_| {});
    let closed = with(folder.path(), |config| {
        config.authz_fail = Some(OnFailure::Closed);
    });
    for host in ["none.example", "broken.example"] {
        assert_eq!(said(&open, GPTBOT, host, "/x").0, 204, "{host}");
        let fields = [("User-Agent", GPTBOT), ("X-Original-URI", "/x")];
        let refused = asked(&closed, "/authz", host, &fields);
        let problem = refused.json();
        assert_eq!((refused.status, &problem["code"]), (403, &"no-file".into()));
        assert!(
            problem["detail"].as_str().unwrap().contains(host),
            "{problem}"
        );
        assert_eq!(said(&closed, FIREFOX, host, "/x").0, 204, "{host}");
    }
}

#[test]
fn other_hosts_have_the_default_file() {
    let folder = folder();
    let all = "User-agent: *\nDisallow: /private/\n";
    fs::write(folder.path().join("default.txt"), all).unwrap();
    let service = with(folder.path(), |_| {});
    for host in ["none.example", "127.0.0.1", "x", "default"] {
        let (status, why) = said(&service, GPTBOT, host, "/private/x");
        assert_eq!(status, 403, "{host}");
        assert!(why.ends_with(": line 2: Disallow: /private/"), "{why}");
        assert_eq!(said(&service, GPTBOT, host, "/x").0, 204, "{host}");
    }
    // A file of its own counts alone.
    assert_eq!(said(&service, "CCBot", "e.example", "/private/x").0, 204);
}

#[test]
fn what_cannot_be_judged_is_refused_to_robots() {
    let folder = folder();
    let service = with(folder.path(), |_| {});
    let nested = "%25%35c..;%3b%253b%5c//%2f%252f./%252e%2500%00%23".repeat(40);
    for path in ["/public#/../..", "/public\t/x", &format!("/{nested}")] {
        let fields = [("User-Agent", GPTBOT), ("X-Original-URI", path)];
        let answered = asked(&service, "/authz", "e.example", &fields);
        assert_eq!(answered.status, 403, "{path}");
        let problem = answered.json();
        assert_eq!(problem["code"], "unclear-path", "{problem}");
        assert!(problem["remedy"].is_string());
        assert_eq!(said(&service, FIREFOX, "e.example", path).0, 204);
    }
    assert_eq!(
        service.count("abide_authz_answers_total", "unclear-path"),
        3
    );
    assert_eq!(service.count("abide_problems_total", "unclear-path"), 3);
}

#[test]
fn requests_without_user_agent_are_refused_if_configured() {
    let folder = folder();
    let service = with(folder.path(), |config| {
        config.authz_require_user_agent = Some(true);
    });
    for fields in [&[][..], &[("User-Agent", "")], &[("User-Agent", " ")]] {
        for (path, status) in [("/x", 403), ("/robots.txt", 204), ("/robots.txt?", 403)] {
            let fields = [fields, &[("X-Original-URI", path)]].concat();
            let answered = asked(&service, "/authz", "none.example", &fields);
            assert_eq!(answered.status, status, "{fields:?}");
            if status == 403 {
                assert_eq!(answered.json()["code"], "no-user-agent");
            }
        }
    }
    assert_eq!(said(&service, FIREFOX, "e.example", "/x").0, 204);
    assert_eq!(
        service.count("abide_authz_answers_total", "no-user-agent"),
        6
    );
}

#[test]
fn of_several_user_agents_all_count() {
    let folder = folder();
    let service = with(folder.path(), |_| {});
    for agents in [[GPTBOT, FIREFOX], [FIREFOX, GPTBOT]] {
        let fields = [
            ("User-Agent", agents[0]),
            ("User-Agent", agents[1]),
            ("X-Original-URI", "/private/x"),
        ];
        assert_eq!(asked(&service, "/authz", "e.example", &fields).status, 403);
    }
}

#[test]
fn changes_of_a_file_count() {
    let folder = folder();
    let service = with(folder.path(), |_| {});
    let until = |status: u16| {
        let end = Instant::now() + Duration::from_secs(10);
        while said(&service, GPTBOT, "e.example", "/private/x").0 != status {
            assert!(Instant::now() < end, "the change was not seen");
            std::thread::sleep(Duration::from_millis(50));
        }
    };
    let file = folder.path().join("e.example/robots.txt");
    until(403);
    fs::write(&file, "User-agent: *\nAllow: /\n").unwrap();
    until(204);
    // A file in the other place counts once this one is gone.
    fs::write(folder.path().join("e.example.txt"), FILE).unwrap();
    fs::remove_file(&file).unwrap();
    until(403);
    // What cannot be read stays in force as it was.
    fs::create_dir(&file).unwrap();
    std::thread::sleep(Duration::from_millis(1_200));
    until(403);
}

#[test]
fn it_is_off_unless_configured() {
    let service = run(&config());
    let answered = asked(&service, "/authz", "e.example", &[("X-Original-URI", "/")]);
    assert_eq!(
        (answered.status, &answered.json()["code"]),
        (409, &"authz-off".into())
    );
    let mut idle = config();
    for (setting, is_report) in [
        ("authz-report-only", true),
        ("authz-require-user-agent", false),
    ] {
        idle.authz_report_only = is_report.then_some(true);
        idle.authz_require_user_agent = Some(true);
        let error = idle.checked().unwrap_err().to_string();
        assert!(error.contains(setting), "{error}");
    }
    let mut none = config();
    none.authz = Some("/nonexistent".into());
    assert!(
        none.checked()
            .unwrap_err()
            .to_string()
            .contains("/nonexistent")
    );
}
