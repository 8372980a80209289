//! The tools over HTTP. That their answers are those of the commands is tested beside the command.

use crate::client::{Answered, get, post, send};
use crate::{config, run, site};
use abide_testkit::hostile;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

const FILE: &str = "User-agent: GPTBot\nDisallow: /private/\n\nUser-agent: *\nDisallow: /tmp/\nContent-Signal: ai-train=no\n";

/// The tools that have a body.
const TOOLS: [&str; 10] = [
    "lint", "fmt", "explain", "matrix", "diff", "test", "convert", "table", "sitemap", "init",
];

fn ask(service: &crate::Running, tool: &str, body: &Value) -> Answered {
    post(service.address, &format!("/v1/{tool}"), &body.to_string())
}

fn answer(service: &crate::Running, tool: &str, body: &Value) -> Value {
    let answered = ask(service, tool, body);
    assert_eq!(answered.status, 200, "{tool}: {}", answered.text());
    answered.json()
}

#[test]
fn a_table_has_an_answer_for_each_url_and_robot() {
    let service = run(&config());
    let table = answer(
        &service,
        "table",
        &json!({
            "robots": FILE,
            "agents": ["GPTBot", "CCBot,*"],
            "urls": ["/private/x", "https://e.example/a/../tmp/x", "e.example/x", " /y"],
        }),
    );
    assert_eq!(table["schema"], 1);
    let names: Vec<_> = table["robots"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| &one["name"])
        .collect();
    assert_eq!(names, ["GPTBot", "CCBot", "*"]);
    assert_eq!(table["urls"][1]["requested"], "https://e.example/tmp/x");
    assert_eq!(table["urls"][2]["error"]["code"], "invalid-url");
    assert!(
        table["urls"][2]["error"]["message"]
            .as_str()
            .unwrap()
            .contains("https://e.example/x")
    );
    assert_eq!(table["cells"][2], Value::Null);
    let at = |url: usize, robot: usize| {
        let place = table["cells"][url][robot].as_u64().unwrap();
        &table["answers"][usize::try_from(place).unwrap()]
    };
    assert_eq!(
        at(0, 0),
        &json!({"outcome": "prohibited", "conditions": [], "decided_by": {
            "source": "robots.txt",
            "reason": "only-match",
            "line": 2,
            "statement": "Disallow: /private/",
        }})
    );
    assert_eq!(at(0, 1)["outcome"], "permitted");
    for robot in [1, 2] {
        assert_eq!(
            (
                &at(1, robot)["outcome"],
                &at(1, robot)["decided_by"]["line"]
            ),
            (&json!("prohibited"), &json!(5))
        );
    }
    assert_eq!(at(3, 0)["outcome"], "permitted");
}

#[test]
fn a_table_shows_where_profiles_differ_and_what_robots_may_train() {
    let service = run(&config());
    // Google takes a misspelt key for the right one only where it is known to.
    let robots = "User-agent: a\nUser-agent: b\nDisallow: /x\n\nUser-agent: a\nAllow: /x/y\n\nUser-agent: *\nDisallow: /\n";
    let body = json!({"robots": robots, "agents": ["a>b", "*"], "urls": ["/x/y", "/"], "profiles": ["careful", "google"]});
    let table = answer(&service, "table", &body);
    assert_eq!(table["profiles"], json!(["careful", "google"]));
    for answer in table["answers"].as_array().unwrap() {
        if let Some(differs) = answer.get("differs") {
            assert_ne!(differs["outcome"], answer["outcome"]);
        }
    }
    let body = json!({"robots": FILE, "agents": ["GPTBot", "*"], "urls": ["/"], "usage": "train"});
    let table = answer(&service, "table", &body);
    assert_eq!(
        table["answers"][0],
        json!({"outcome": "unspecified", "conditions": [], "decided_by": null})
    );
    assert_eq!(
        table["answers"][1]["decided_by"]["source"],
        "content-signal"
    );
    // A site without a file, and with a response.
    let body = json!({"robots_status": 404, "agents": "GPTBot", "urls": ["/x"], "usage": "index", "headers": [["X-Robots-Tag", "noindex"]]});
    let table = answer(&service, "table", &body);
    assert_eq!(table["answers"][0]["outcome"], "prohibited");
    assert_eq!(table["answers"][0]["decided_by"]["source"], "x-robots-tag");
}

#[test]
fn the_cells_of_a_table_are_the_decisions() {
    let service = run(&config());
    let urls = ["/", "/private/x", "/tmp/", "/tmp", "/robots.txt", "/a?b"];
    let agents = ["GPTBot", "AdsBot-Google", "Googlebot-News", "*"];
    let body = json!({"robots": FILE, "agents": agents, "urls": urls});
    let table = answer(&service, "table", &body);
    for (row, url) in urls.iter().enumerate() {
        for (column, agent) in agents.iter().enumerate() {
            let decided = answer(
                &service,
                "decide",
                &json!({"robots": FILE, "agent": agent, "url": format!("https://e.example{url}"), "known_robots": true}),
            );
            let crawl = &decided["usages"]["crawl"];
            let place = table["cells"][row][column].as_u64().unwrap();
            let cell = &table["answers"][usize::try_from(place).unwrap()];
            assert_eq!(cell["outcome"], crawl["outcome"], "{agent} {url}");
            for member in ["source", "reason", "line", "statement"] {
                let (short, whole) = (&cell["decided_by"][member], &crawl["evidence"][0][member]);
                assert_eq!(short, whole, "{agent} {url} {member}");
            }
        }
    }
}

#[test]
fn thousands_of_urls_take_no_time() {
    let service = run(&config());
    let urls: Vec<_> = (0..5_000)
        .map(|at| format!("https://e.example/private/{at}"))
        .collect();
    let body = json!({"robots": FILE, "agents": "@ai-training,@search", "urls": urls, "profiles": ["careful", "google"]});
    let start = Instant::now();
    let table = answer(&service, "table", &body);
    // Unoptimised, on a machine that does other things; optimised it takes a tenth.
    assert!(
        start.elapsed() < Duration::from_secs(10),
        "{:?}",
        start.elapsed()
    );
    assert_eq!(table["cells"].as_array().unwrap().len(), 5_000);
}

#[test]
fn files_are_fixed_formatted_and_converted() {
    let service = run(&config());
    let fixed = answer(
        &service,
        "lint",
        &json!({"robots": "User-agent: *\nDissalow: /x\n", "fix": "safe"}),
    );
    assert_eq!(fixed["robots"], "User-agent: *\nDisallow: /x\n");
    assert_eq!(fixed["fixed"], 1);
    let config = "[lint]\nignore = [\"misspelt-field\"]\n";
    let body = json!({"robots": "User-agent: *\nDissalow: /x\n", "config": config});
    let answered = ask(&service, "lint", &body);
    assert!(
        !answered.text().contains("misspelt-field") || answered.status == 400,
        "{}",
        answered.text()
    );
    let response = answer(
        &service,
        "lint",
        &json!({"headers": [["X-Robots-Tag", "noidex"]]}),
    );
    assert!(!response["findings"].as_array().unwrap().is_empty());
    let formatted = answer(
        &service,
        "fmt",
        &json!({"robots_base64": "VXNlci1hZ2VudDoq/wo="}),
    );
    assert_eq!(formatted["formatted_base64"], "VXNlci1hZ2VudDogKv8K");
    let body = json!({"robots": "User-agent: *\nDisallow: /A\nAllow: /a*b$\nDisallow: /*?x\n", "to": "acap"});
    let refused = answer(&service, "convert", &body);
    assert_eq!(refused["converted"], Value::Null, "{refused}");
    assert_eq!(refused["findings"][0]["refuses"], true);
    let tags = answer(
        &service,
        "convert",
        &json!({"headers": [["X-Robots-Tag", "noindex"]], "to": "robots-tag"}),
    );
    assert_eq!(tags["converted"], "Robots-Tag: *;noindex\n");
    let records = "ACAP-crawler: *\nACAP-disallow-index: /old/\n";
    let body = json!({"robots": records, "to": "x-robots-tag"});
    let by_path = answer(&service, "convert", &body);
    assert_eq!(by_path["converted"], "# /old/\nX-Robots-Tag: noindex\n");
}

#[test]
fn a_draft_is_compared_with_the_live_file() {
    let live = site(FILE);
    let service = run(&config());
    let url = format!("http://{}/some/page", live.address());
    let diff = answer(
        &service,
        "diff",
        &json!({"before": {"url": url}, "after": {"robots": "User-agent: *\nDisallow: /\n", "file": "draft"}, "urls": ["/x"]}),
    );
    assert_eq!((&diff["old"], &diff["new"]), (&json!(url), &json!("draft")));
    assert_eq!(diff["equivalent"], false);
    let body = json!({"before": {"url": "http://127.0.0.1:1/"}, "after": {"robots": ""}});
    let problem = ask(&service, "diff", &body).json();
    assert_eq!(
        (&problem["code"], &problem["member"]),
        (&json!("no-robots-txt"), &json!("/before/url"))
    );
}

#[test]
fn sitemaps_of_every_form_are_read() {
    use base64::Engine as _;
    use std::io::Write as _;
    let service = run(&config());
    let xml = "<?xml version='1.0'?><urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>\
               <url><loc> https://e.example/a?b=1&amp;c=2 </loc></url><url><loc>/b</loc></url></urlset>";
    let mut zipped = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    zipped.write_all(xml.as_bytes()).unwrap();
    let base64 = |bytes: &[u8]| base64::engine::general_purpose::STANDARD.encode(bytes);
    let utf16: Vec<u8> = format!("\u{feff}{xml}")
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    for body in [
        json!({"sitemap": xml}),
        json!({"sitemap": "\n https://e.example/a?b=1&c=2 \n\n/b"}),
        json!({"sitemap_base64": base64(xml.as_bytes())}),
        json!({"sitemap_base64": base64(&utf16)}),
        json!({"sitemap_base64": base64(&zipped.finish().unwrap())}),
    ]
    .map(|body| answer(&service, "sitemap", &body))
    {
        let expected =
            json!({"schema": 1, "index": false, "urls": ["https://e.example/a?b=1&c=2", "/b"]});
        assert_eq!(body, expected);
    }
    let index =
        "<sitemapindex><sitemap><loc>https://e.example/1.xml</loc></sitemap></sitemapindex>";
    let index = answer(&service, "sitemap", &json!({"sitemap": index}));
    assert_eq!(
        (&index["index"], &index["urls"][0]),
        (&json!(true), &json!("https://e.example/1.xml"))
    );
}

/// Sitemaps that are made to harm are refused, in a moment and without their text.
#[test]
fn hostile_sitemaps_are_refused() {
    use base64::Engine as _;
    use std::io::Write as _;
    let service = run(&config());
    let base64 = |bytes: &[u8]| base64::engine::general_purpose::STANDARD.encode(bytes);
    let bomb = "<!DOCTYPE u [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;\">]>\
                <urlset><url><loc>&b;</loc></url></urlset>";
    let many = format!(
        "<urlset>{}</urlset>",
        "<url><loc>/</loc></url>".repeat(50_001)
    );
    // 60 MB of blanks in 60 kB.
    let mut zipped = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    for _ in 0..60 {
        zipped.write_all(&vec![b' '; 1_000_000]).unwrap();
    }
    let zipped = zipped.finish().unwrap();
    for (body, member) in [
        (json!({"sitemap": bomb}), "/sitemap"),
        (json!({"sitemap": many}), "/sitemap"),
        (
            json!({"sitemap": "<html><body>no</body></html>"}),
            "/sitemap",
        ),
        (json!({"sitemap": "<urlset><url><loc>/a"}), "/sitemap"),
        (json!({"sitemap_base64": "%"}), "/sitemap_base64"),
        (
            json!({"sitemap_base64": base64(b"\xff\xfe\xfd")}),
            "/sitemap_base64",
        ),
        (
            json!({"sitemap_base64": base64(b"\x1f\x8b broken")}),
            "/sitemap_base64",
        ),
        (
            json!({"sitemap_base64": base64(&zipped)}),
            "/sitemap_base64",
        ),
    ] {
        let asked_at = Instant::now();
        let answered = ask(&service, "sitemap", &body);
        let problem = answered.json();
        assert_eq!(
            (answered.status, &problem["code"]),
            (400, &json!("invalid-sitemap"))
        );
        assert_eq!(problem["member"], member);
        assert!(asked_at.elapsed() < Duration::from_secs(15), "{problem}");
    }
    for body in [
        json!({}),
        json!({"sitemap": "", "url": "https://e.example/"}),
    ] {
        assert_eq!(
            ask(&service, "sitemap", &body).json()["code"],
            "invalid-request"
        );
    }
    let offline = run(&abide_serve::Config {
        offline: Some(true),
        ..config()
    });
    let answered = ask(
        &offline,
        "sitemap",
        &json!({"url": "http://127.0.0.1:1/s.xml"}),
    );
    assert_eq!(
        (answered.status, &answered.json()["code"]),
        (422, &json!("no-sitemap"))
    );
}

#[test]
fn a_file_is_written_from_wishes() {
    let service = run(&config());
    let sitemap = "https://e.example/sitemap.xml";
    let body = json!({"no_training": true, "keep_search": true, "block": "@seo - AhrefsBot", "sitemaps": [sitemap]});
    let written = answer(&service, "init", &body);
    let file = written["robots"].as_str().unwrap();
    assert!(
        file.contains("User-agent: GPTBot\n") && file.contains(sitemap),
        "{file}"
    );
    assert!(
        written["summary"]
            .as_str()
            .unwrap()
            .starts_with("Read back: the file closes")
    );
    let table = answer(
        &service,
        "table",
        &json!({
            "robots": file, "agents": ["GPTBot", "Googlebot", "SemrushBot", "AhrefsBot"], "urls": ["/"],
        }),
    );
    let outcome = |at: usize| {
        let place = table["cells"][0][at].as_u64().unwrap();
        table["answers"][usize::try_from(place).unwrap()]["outcome"].clone()
    };
    let outcomes: Vec<_> = (0..4).map(outcome).collect();
    assert_eq!(
        outcomes,
        ["prohibited", "permitted", "prohibited", "permitted"]
    );
    for (body, member, detail) in [
        (json!({}), None, "there is no wish"),
        (
            json!({"staging": true, "keep_search": true}),
            None,
            "keep-search",
        ),
        (json!({"block": "@nobody"}), Some("/block"), "@nobody"),
        (json!({"sitemaps": ["/s.xml"]}), Some("/sitemaps"), "/s.xml"),
        (
            json!({"delay": 4_000_000_000_u32}),
            Some("/delay"),
            "4000000000",
        ),
    ] {
        let answered = ask(&service, "init", &body);
        let problem = answered.json();
        assert_eq!(
            (answered.status, &problem["code"]),
            (400, &json!("invalid-wish")),
            "{problem}"
        );
        assert_eq!(problem["member"].as_str(), member, "{problem}");
        assert!(
            problem["detail"].as_str().unwrap().contains(detail),
            "{problem}"
        );
    }
}

/// The table of robots is what a page of the service loads most of.
#[test]
fn the_table_of_robots_is_short_on_the_wire() {
    let service = run(&config());
    let path = "/v1/known-robots";
    let fields = [("Accept-Encoding", "gzip")];
    let zipped = crate::client::ask(service.address, "GET", path, &fields, b"");
    assert_eq!(zipped.field("content-encoding"), Some("gzip"));
    assert_eq!(zipped.field("vary"), Some("accept-encoding"));
    assert!(zipped.body.len() < 20_000, "{}", zipped.body.len());
    let mut read = Vec::new();
    let mut decoder = flate2::read::GzDecoder::new(zipped.body.as_slice());
    std::io::Read::read_to_end(&mut decoder, &mut read).unwrap();
    assert_eq!(read, get(service.address, path).body);
}

#[test]
fn known_robots_are_found() {
    let service = run(&config());
    let found = |query: &str| get(service.address, &format!("/v1/known-robots{query}"));
    let all = found("").json()["robots"].as_array().unwrap().len();
    assert!(all > 100);
    let theirs = found("?kind=ai-training&operator=openai").json();
    assert_eq!(theirs["robots"][0]["token"], "GPTBot");
    assert_eq!(found("?name=gptbot").json()["robots"][0]["token"], "GPTBot");
    assert_eq!(found("?name=GPTBott").json()["code"], "unknown-robot");
    assert_eq!(found("?name=GPTBott").status, 404);
    assert_eq!(found("?kind=robots").json()["member"], "kind");
    assert_eq!(found("?names=x").status, 400);
}

#[test]
fn mistakes_get_a_problem_with_its_place() {
    let service = run(&config());
    let many: Vec<String> = (0..1_001).map(|at| format!("Bot{at}")).collect();
    for (tool, body, code, member) in [
        ("lint", json!({}), "invalid-robots", "/robots"),
        ("lint", json!({"robots": 1}), "invalid-request", "/robots"),
        (
            "lint",
            json!({"robots": "", "robots_base64": ""}),
            "invalid-robots",
            "/robots_base64",
        ),
        (
            "fmt",
            json!({"robots_base64": "%"}),
            "invalid-robots",
            "/robots_base64",
        ),
        (
            "lint",
            json!({"robots": "", "select": ["nothing-such"]}),
            "invalid-request",
            "/select",
        ),
        (
            "lint",
            json!({"robots": "", "ignore": [1]}),
            "invalid-request",
            "/ignore/0",
        ),
        (
            "lint",
            json!({"robots": "", "config": "x = "}),
            "invalid-request",
            "/config",
        ),
        (
            "lint",
            json!({"robots": "", "headers": [["a"]]}),
            "invalid-request",
            "/headers/0",
        ),
        (
            "lint",
            json!({"robots": "", "html": "", "url": "x"}),
            "invalid-url",
            "/url",
        ),
        (
            "fmt",
            json!({"robots_base64": "//5BAA=="}),
            "cannot-format",
            "/robots",
        ),
        (
            "explain",
            json!({"robots": "", "agents": "@nobody"}),
            "invalid-agent",
            "/agents",
        ),
        (
            "explain",
            json!({"robots": "", "agents": []}),
            "invalid-agent",
            "/agents",
        ),
        (
            "explain",
            json!({"robots": "", "agents": ["*", "@nobody"]}),
            "invalid-agent",
            "/agents/1",
        ),
        (
            "explain",
            json!({"robots": "", "agents": ["@search", "Ab%"]}),
            "invalid-agent",
            "/agents/1",
        ),
        (
            "table",
            json!({"robots": "", "agents": ["*", "Ab%"], "urls": []}),
            "invalid-agent",
            "/agents/1",
        ),
        (
            "explain",
            json!({"robots": "", "agents": many}),
            "invalid-request",
            "/agents",
        ),
        (
            "explain",
            json!({"robots": "", "agents": "*", "urls": ["/", "x"]}),
            "invalid-url",
            "/urls/1",
        ),
        (
            "explain",
            json!({"robots": "", "agents": "*", "purposes": ["a b"]}),
            "invalid-purpose",
            "/purposes/0",
        ),
        (
            "matrix",
            json!({"robots": "", "purposes": ["a", "a", "*"]}),
            "invalid-purpose",
            "/purposes/2",
        ),
        (
            "diff",
            json!({"before": {"robots": ""}, "after": {"robots": ""}, "purposes": ["a b"]}),
            "invalid-purpose",
            "/purposes/0",
        ),
        (
            "explain",
            json!({"robots": "", "agents": "*", "headers": [1]}),
            "invalid-request",
            "/headers/0",
        ),
        (
            "explain",
            json!({"robots": "", "agents": "*", "preferences": {"use": "x"}}),
            "invalid-preferences",
            "/preferences/use",
        ),
        (
            "matrix",
            json!({"robots": "", "agents": "Ab%"}),
            "invalid-agent",
            "/agents",
        ),
        (
            "matrix",
            json!({"robots": "", "profile": "bing"}),
            "invalid-request",
            "/profile",
        ),
        (
            "matrix",
            json!({"robots": "", "preferences": "yes"}),
            "invalid-request",
            "/preferences",
        ),
        (
            "matrix",
            json!({"robots": "", "preferences": {"use": "full"}}),
            "invalid-request",
            "/preferences/use",
        ),
        (
            "matrix",
            json!({"robots": "", "preferences": {"vocabularies": ["tdm"]}}),
            "invalid-preferences",
            "/preferences/vocabularies/0",
        ),
        (
            "matrix",
            json!({"robots": "", "preferences": {"vocabularies": ["robots-tag"]}}),
            "invalid-preferences",
            "/preferences/vocabularies",
        ),
        (
            "matrix",
            json!({"robots": "", "preferences": {"revision": "09"}}),
            "invalid-preferences",
            "/preferences/revision",
        ),
        (
            "matrix",
            json!({"robots": "", "preferences": {"tdmrep": {"status": 42}}}),
            "invalid-preferences",
            "/preferences/tdmrep/status",
        ),
        (
            "matrix",
            json!({"robots": "", "preferences": true, "site": "/x"}),
            "invalid-url",
            "/site",
        ),
        (
            "test",
            json!({"robots": "", "cases": "[[case]]\nagent = \"*\"\nurl = \"/\"\ncrawl = \"allowed\"\n", "preferences": {}}),
            "invalid-preferences",
            "/preferences",
        ),
        (
            "lint",
            json!({"robots": "", "now": "today"}),
            "invalid-request",
            "/now",
        ),
        (
            "diff",
            json!({"before": {"robots": ""}, "after": {}}),
            "invalid-robots",
            "/after/robots",
        ),
        (
            "diff",
            json!({"before": {"robots": "", "url": "x"}, "after": {}}),
            "invalid-robots",
            "/before",
        ),
        (
            "diff",
            json!({"before": {"url": "x"}, "after": {}}),
            "invalid-url",
            "/before/url",
        ),
        (
            "test",
            json!({"robots": "", "cases": "[[case]]\nagent = 1\n"}),
            "invalid-cases",
            "/cases",
        ),
        (
            "convert",
            json!({"robots": "", "to": "xml"}),
            "invalid-request",
            "/to",
        ),
        (
            "convert",
            json!({"robots": "", "headers": [["Robots-Tag", "*;noindex"]], "to": "meta"}),
            "invalid-request",
            "/to",
        ),
        (
            "convert",
            json!({"robots": "", "to": "tdmrep", "revision": "06"}),
            "invalid-request",
            "/revision",
        ),
        (
            "table",
            json!({"robots": "", "agents": "*", "urls": [], "profiles": []}),
            "invalid-request",
            "/profiles",
        ),
        (
            "table",
            json!({"robots": "", "agents": "*", "urls": [], "usage": "eat"}),
            "invalid-request",
            "/usage",
        ),
        (
            "table",
            json!({"robots": "", "agents": "*", "urls": [], "robot": ""}),
            "invalid-request",
            "/robot",
        ),
        (
            "table",
            json!({"robots": "", "agents": "*", "urls": [], "robots_status": 99}),
            "invalid-robots",
            "/robots_status",
        ),
    ] {
        let answered = ask(&service, tool, &body);
        let problem = answered.json();
        assert!(
            (400..500).contains(&answered.status),
            "{tool} {body}: {problem}"
        );
        assert_eq!(
            (problem["code"].as_str(), problem["member"].as_str()),
            (Some(code), Some(member)),
            "{tool} {body}: {problem}"
        );
        for needed in ["title", "detail", "remedy"] {
            assert!(!problem[needed].as_str().unwrap().is_empty(), "{problem}");
        }
    }
    for tool in TOOLS {
        for body in [
            "",
            "{",
            "[]",
            "null",
            "{\"x\":1}",
            "{\"robots\":\"\\ud800\"}",
        ] {
            let answered = post(service.address, &format!("/v1/{tool}"), body);
            assert_eq!(answered.status, 400, "{tool} {body}");
            assert!(answered.json()["remedy"].is_string());
        }
    }
}

#[test]
fn no_request_works_for_long() {
    let mut config = config();
    config.request_timeout = Some(2);
    let service = run(&config);
    let rules: String = (0..15_000)
        .map(|at| format!("Disallow: /*{at}*\n"))
        .collect();
    let file = format!("User-agent: *\n{rules}");
    let urls: Vec<_> = (0..2_000)
        .map(|at| format!("/{}{at}", "0123456789".repeat(20)))
        .collect();
    let cases = format!(
        "[[case]]\nagent = \"@all\"\nurl = {}\ncrawl = \"allowed\"\n",
        json!(urls[..50])
    );
    let newlines = "\n".repeat(500_000);
    let text =
        |id| String::from_utf8(hostile::for_tools(id, hostile::MAX_FILE_BYTES).unwrap()).unwrap();
    let (stars, robots) = (text("k05"), text("k11"));
    for (tool, body) in [
        (
            "table",
            json!({"robots": file, "agents": "@all", "urls": urls, "usage": "index"}),
        ),
        (
            "explain",
            json!({"robots": file, "agents": "@search", "urls": urls[..1_000]}),
        ),
        ("test", json!({"robots": file, "cases": cases})),
        ("convert", json!({"robots": stars, "to": "acap"})),
        ("matrix", json!({"robots": robots})),
        ("lint", json!({"robots": robots, "fix": "safe"})),
        ("explain", json!({"robots": newlines, "agents": "@all"})),
        (
            "table",
            json!({"robots": "", "agents": "@all", "urls": vec!["/"; 20_000]}),
        ),
    ] {
        let asked_at = Instant::now();
        let answered = ask(&service, tool, &body);
        let took = asked_at.elapsed();
        let code = answered.json()["code"].clone();
        assert!(
            answered.status == 200 || matches!(code.as_str(), Some("too-much-work" | "timeout")),
            "{tool}: {} {code}",
            answered.status
        );
        assert!(took < Duration::from_secs(15), "{tool}: {took:?}");
    }
}

/// Answers that nobody asked to be long are at most twenty times as long as their file.
#[test]
fn answers_do_not_grow_out_of_proportion() {
    let service = run(&config());
    let before = json!({"robots": "User-agent: *\nDisallow: /x\n"});
    for (id, what) in hostile::FOR_TOOLS {
        let file = |size| String::from_utf8(hostile::for_tools(id, size).unwrap()).unwrap();
        let (small, large) = (file(16 << 10), file(64 << 10));
        let of = |to: &str| json!({"robots": small, "to": to});
        for (tool, file, body) in [
            ("lint", &small, json!({"robots": small})),
            (
                "explain",
                &small,
                json!({"robots": small, "agents": "Googlebot"}),
            ),
            (
                "diff",
                &small,
                json!({"before": before, "after": {"robots": small}}),
            ),
            ("convert", &small, of("acap")),
            ("convert", &small, of("robots")),
            ("convert", &small, of("content-signal")),
            ("convert", &small, of("tdmrep")),
            ("lint", &large, json!({"robots": large})),
            (
                "diff",
                &large,
                json!({"before": before, "after": {"robots": large}}),
            ),
        ] {
            let answered = ask(&service, tool, &body);
            let length = answered.text().len();
            assert_eq!(answered.status, 200, "{tool} {id}");
            // Headlines and what is left out come on top.
            let most = (20 * file.len()).max(64 << 10) + (8 << 10);
            assert!(length <= most, "{tool} {id}, {what}: {length} > {most}");
        }
    }
    // The hundreds of known robots are in every matrix.
    let short = json!({"robots": "User-agent: *\nContent-Usage: train-ai=n\n"});
    let robots = ask(&service, "matrix", &short).text().len();
    for (id, what) in hostile::FOR_TOOLS {
        let file = String::from_utf8(hostile::for_tools(id, 64 << 10).unwrap()).unwrap();
        let answered = ask(&service, "matrix", &json!({"robots": file}));
        let length = answered.text().len();
        assert_eq!(answered.status, 200, "matrix {id}");
        let most = 20 * file.len() + robots;
        assert!(length <= most, "matrix {id}, {what}: {length} > {most}");
    }
}

/// What is left out is counted, and listed for those who ask for all.
#[test]
fn long_answers_say_what_they_leave_out() {
    let service = run(&config());
    let file = hostile::for_tools("k11", 16 << 10).unwrap();
    let file = String::from_utf8(file).unwrap();
    let before = json!({"robots": "User-agent: *\nDisallow: /x\n"});
    let body = json!({"before": before, "after": {"robots": file}});
    let part = ask(&service, "diff", &body).json();
    let omitted = &part["omitted"];
    let mut body = body;
    body["all"] = json!(true);
    let all = ask(&service, "diff", &body).json();
    assert_eq!(all["omitted"], Value::Null);
    for member in ["causes", "clients"] {
        let [listed, whole] = [&part, &all].map(|answer| answer[member].as_array().unwrap().len());
        let left_out = omitted[member].as_u64().unwrap();
        assert_eq!(listed as u64 + left_out, whole as u64, "{member}");
    }
    assert!(omitted["clients"].as_u64() > Some(0), "{omitted}");
    for place in part["causes"].as_array().unwrap() {
        for place in place["regions"].as_array().unwrap() {
            let at = |member: &str| usize::try_from(place[member].as_u64().unwrap()).unwrap();
            let regions = &part["clients"][at("clients")]["regions"];
            assert!(regions[at("region")].is_object(), "{place}");
        }
    }
    let file = hostile::for_tools("k07", 16 << 10).unwrap();
    let mut body = json!({"robots": String::from_utf8(file).unwrap()});
    let part = ask(&service, "lint", &body).json();
    body["all"] = json!(true);
    let all = ask(&service, "lint", &body).json();
    let [listed, whole] = [&part, &all].map(|answer| answer["findings"].as_array().unwrap().len());
    assert_eq!(Some((whole - listed) as u64), part["omitted"].as_u64());
    assert_eq!(all["omitted"], Value::Null);
}

/// JSON that is nearly a request for a tool.
fn nearly_requests() -> impl Strategy<Value = String> {
    let name = prop::sample::select(vec![
        "robots",
        "robots_base64",
        "agents",
        "urls",
        "profile",
        "profiles",
        "usage",
        "literal",
        "file",
        "select",
        "ignore",
        "config",
        "registry",
        "fix",
        "headers",
        "html",
        "url",
        "to",
        "revision",
        "cases",
        "before",
        "after",
        "preferences",
        "purposes",
        "acap",
        "references",
        "applications",
        "robots_status",
        "robots_error",
        "now",
        "sitemap",
        "sitemap_base64",
        "no_training",
        "keep_search",
        "staging",
        "block",
        "delay",
        "sitemaps",
        "x",
    ]);
    let leaf = prop_oneof![
        prop::sample::select(vec![
            "null",
            "true",
            "-1",
            "1e999",
            "404",
            "\"*\"",
            "\"GPTBot\"",
            "\"@search\"",
            "\"GPTBot>a\"",
            "\"/x\"",
            "\"https://e.example/x\"",
            "\"http://127.0.0.1:1/\"",
            "\"careful\"",
            "\"google\"",
            "\"train\"",
            "\"safe\"",
            "\"acap\"",
            "\"tdmrep\"",
            "\"meta\"",
            "\"08\"",
            "\"\\ud800\"",
            "[]",
            "{}",
            "\"User-agent: *\\nDisallow: /a\\nContent-Signal: ai-train=no\"",
            "[\"GPTBot\",\"*\"]",
            "[\"/x\",\"/y?z\"]",
            "[[\"Robots-Tag\",\"*;noindex\"]]",
            "[\"careful\",\"google\"]",
            "\"<meta name=robots content=noindex>\"",
            "\"VXNlci1hZ2VudDoq\"",
            "\"[[case]]\\nagent='GPTBot'\\nurl='/x'\\ncrawl='allowed'\"",
            "{\"robots\":\"User-agent: *\"}",
            "{\"url\":\"http://127.0.0.1:1/\"}",
        ])
        .prop_map(str::to_owned),
        any::<String>().prop_map(|text| Value::from(text).to_string()),
    ];
    let members = prop::collection::vec((name, leaf), 0..8).prop_map(|members| {
        let members = members
            .iter()
            .map(|(name, value)| format!("\"{name}\":{value}"));
        format!("{{{}}}", members.collect::<Vec<_>>().join(","))
    });
    prop_oneof![6 => members, 1 => any::<String>()]
}

#[test]
fn no_request_finds_a_bug() {
    let mut config = config();
    // Nothing is fetched: random addresses belong to somebody.
    config.offline = Some(true);
    let service = run(&config);
    let mut runner = TestRunner::new(Config {
        cases: 600,
        failure_persistence: None,
        ..Config::default()
    });
    let requests = (nearly_requests(), prop::sample::select(TOOLS.to_vec()));
    runner
        .run(&requests, |(body, tool)| {
            let request = format!(
                "POST /v1/{tool} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
                body.len()
            );
            let status = send(service.address, request.as_bytes()).map_or(0, |answered| answered.status);
            prop_assert!((200..500).contains(&status), "{status} for {tool} {body}");
            Ok(())
        })
        .unwrap();
    assert_eq!(service.count("abide_problems_total", "internal-error"), 0);
}

/// The group of a purpose counts for robots that claim it, also where whole sites are compared.
#[test]
fn purposes_count_for_whole_sites() {
    let service = run(&config());
    let file = "User-agent: *\nAllow: /\n\nUser-Agent-Purpose: AI-TRAINING\nDisallow: /\n";
    let access = |purposes: &[&str]| {
        let body = json!({"robots": file, "agents": "GPTBot", "purposes": purposes});
        let matrix = ask(&service, "matrix", &body).json();
        matrix["kinds"][0]["robots"][0]["access"].clone()
    };
    assert_eq!(access(&[]), "allowed");
    assert_eq!(access(&["ai-training"]), "closed");
    let diff = |purposes: &[&str]| {
        let before = json!({"robots": "User-agent: *\nAllow: /\n"});
        let body = json!({
            "before": before, "after": {"robots": file}, "agents": "GPTBot", "purposes": purposes,
        });
        ask(&service, "diff", &body).json()["headline"].clone()
    };
    assert_eq!(
        diff(&[]),
        "Nothing changes: for every URL, both files ask the same of these robots."
    );
    assert_eq!(
        diff(&["AI-TRAINING"]),
        "The whole site is now disallowed for GPTBot."
    );
}
