//! AI preferences in `abide check`: from files, and from a site that states them in all
//! vocabularies.

use crate::abide;
use crate::fetch::{Server, response};
use std::path::PathBuf;

const ROBOTS: &str = "User-agent: *\nContent-Usage: train-ai=n, search=y\n\
    Content-Signal: search=yes,ai-train=no\nAllow: /\nUser-agent: Google-Extended\nDisallow: /\n";

fn folder() -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("preferences");
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Runs `abide check` on a robots.txt given on stdin.
fn check(robots: &str, args: &[&str]) -> crate::Ran {
    let args: Vec<&str> = ["check", "https://e.example/x", "-r", "-"]
        .iter()
        .chain(args)
        .copied()
        .collect();
    abide(&args, robots.as_bytes())
}

/// A preference changes the exit status only if it is asked about.
#[test]
fn pref_138_the_exit_status_is_about_the_usages_that_are_asked() {
    let asked = |args: &[&str]| check(ROBOTS, &[&["-a", "f"], args].concat()).status;
    assert_eq!(asked(&[]), 0);
    assert_eq!(asked(&["--preferences"]), 0);
    assert_eq!(asked(&["--usage", "train"]), 1);
    assert_eq!(asked(&["--usage", "search"]), 0);
    assert_eq!(asked(&["--for", "train"]), 1);
    assert_eq!(asked(&["--for", "search"]), 0);
    let closed = "User-agent: *\nDisallow: /\n";
    assert_eq!(check(closed, &["-a", "f", "--for", "search"]).status, 1);
    // A licence that was not given leaves the answer open.
    let licence = "License: https://l.example/a.xml\nUser-agent: *\nAllow: /\n";
    assert_eq!(check(licence, &["-a", "f", "--usage", "train"]).status, 3);
}

#[test]
fn pref_139_one_sentence_then_each_vocabulary() {
    let robots = "User-agent: Google-Extended\nDisallow: /\nUser-agent: *\nAllow: /\n";
    let ran = check(robots, &["-a", "Googlebot", "--for", "train"]);
    let sentence = ran.stdout.lines().nth(2).unwrap();
    assert_eq!(
        sentence,
        "train: disallowed · line 2: Disallow: / · group line 1: User-agent: Google-Extended"
    );
    insta::assert_snapshot!(ran.told());
}

#[test]
fn pref_6_all_three_usages_beside_the_others() {
    let ran = check(
        ROBOTS,
        &[
            "-a",
            "Googlebot",
            "--preferences",
            "-H",
            "tdm-reservation: 0",
        ],
    );
    insta::assert_snapshot!(ran.told());
}

#[test]
fn pref_7_nothing_is_said() {
    let ran = check(
        "User-agent: *\nAllow: /\n",
        &["-a", "f", "--for", "ai-input"],
    );
    insta::assert_snapshot!(ran.told());
}

/// Each option gives the member of a request that has its name.
#[test]
fn pref_4_options_are_the_members_of_a_request() {
    let (tdmrep, licence) = (folder().join("tdmrep.json"), folder().join("licence.xml"));
    std::fs::write(&tdmrep, r#"[{"location": "/", "tdm-reservation": 1}]"#).unwrap();
    std::fs::write(
        &licence,
        r#"<rsl xmlns="https://rslstandard.org/rsl"><content url="/"><license>
           <permits type="usage">search</permits></license></content></rsl>"#,
    )
    .unwrap();
    let outcome = |robots: &str, usage: &str, args: &[&str]| {
        let args = [&["-a", "f", "--format", "jsonl"], args].concat();
        let ran = check(robots, &args);
        assert_ne!(ran.status, 2, "{}", ran.stderr);
        let answer: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
        answer["usages"][usage]["outcome"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    let tdmrep = tdmrep.to_str().unwrap();
    assert_eq!(
        outcome("Sitemap: /s\n", "train", &["--tdmrep", tdmrep]),
        "prohibited"
    );
    let named = "License: https://l.example/a.xml\n";
    let file = format!("https://l.example/a.xml={}", licence.to_str().unwrap());
    assert_eq!(outcome(named, "search", &["--rsl", &file]), "permitted");
    assert_eq!(outcome(named, "train", &["--rsl", &file]), "prohibited");
    let usage = "User-agent: *\nContent-Usage: ai-use=n\n";
    assert_eq!(outcome(usage, "ai-input", &["--preferences"]), "prohibited");
    assert_eq!(
        outcome(usage, "ai-input", &["--revision", "07"]),
        "unspecified"
    );
    let others = ["--vocabulary", "content-signal,rsl"];
    assert_eq!(outcome(usage, "ai-input", &others), "unspecified");
    let signal = "User-agent: *\nContent-Signal: use=reference\n";
    assert_eq!(outcome(signal, "search", &["--preferences"]), "conditional");
    assert_eq!(outcome(signal, "search", &["--use", "full"]), "prohibited");
    assert_eq!(
        outcome(signal, "search", &["--use", "reference"]),
        "unspecified"
    );
    let own = "User-agent: Own-Token\nDisallow: /\n";
    let token = ["--control-token", "Own-Token=search,train"];
    assert_eq!(outcome(own, "search", &token), "prohibited");
    assert_eq!(outcome(own, "ai-input", &token), "unspecified");
    let google = "User-agent: Google-Extended\nDisallow: /\n";
    let token = ["--control-token", "Google-Extended"];
    assert_eq!(outcome(google, "train", &token), "prohibited");
}

#[test]
fn cla_pref_16_a_value_that_an_option_cannot_have_is_an_error() {
    for (args, expected) in [
        (["--vocabulary", "ai.txt"], "content-usage, content-signal"),
        (["--revision", "03"], "08, 07"),
        (["--use", "all"], "immediate, reference, full"),
        (["--control-token", "Own-Token"], "Own-Token=train"),
        (
            ["--control-token", "Own-Token=crawl"],
            "train, ai-input or search",
        ),
        (["--for", "crawl"], "train, ai-input or search"),
        (["--rsl", "license.xml"], "URL=FILE"),
        (["--tdmrep", "/no/such/file"], "--tdmrep takes a file"),
    ] {
        let ran = check(ROBOTS, &[&["-a", "f"], &args[..]].concat());
        assert_eq!(ran.status, 2, "{args:?}");
        assert!(ran.stderr.contains(expected), "{args:?}: {}", ran.stderr);
    }
}

/// A site that states preferences in all six vocabularies, and its licence document on a site of
/// its own.
fn site_with_all() -> (Server, Server) {
    let licences = Server::start(|path| match path {
        "/licence.xml" => response(
            "200 OK",
            "",
            r#"<rsl xmlns="https://rslstandard.org/rsl"><content url="/"><license><prohibits type="usage">ai-train</prohibits></license></content></rsl>"#,
        ),
        _ => response("404 Not Found", "", ""),
    });
    let licence = format!("License: {}\n", licences.url("/licence.xml"));
    let site = Server::start(move |path| match path {
        "/robots.txt" => response("200 OK", "", &format!("{licence}{ROBOTS}")),
        "/.well-known/tdmrep.json" => response(
            "200 OK",
            "",
            r#"[{"location": "/", "tdm-reservation": 1, "tdm-policy": "https://p.example/1"}]"#,
        ),
        "/x" => response(
            "200 OK",
            "Content-Type: text/html\r\nX-Robots-Tag: noai\r\nContent-Usage: train-ai=n\r\n",
            "<title>x</title>",
        ),
        _ => response("404 Not Found", "", ""),
    });
    (site, licences)
}

#[test]
fn pref_131_a_site_that_serves_all_six() {
    let (server, licences) = site_with_all();
    let ran = abide(
        &[
            "check",
            &server.url("/x"),
            "--allow-private",
            "--page",
            "-a",
            "Googlebot",
            "--for",
            "train",
        ],
        b"",
    );
    assert_eq!(ran.status, 1, "{}", ran.stderr);
    let output = ran.told().replace(&licences.url(""), "http://licences");
    let output = output.replace(&server.url(""), "http://site");
    let is_stable = |line: &&str| !line.trim_start().starts_with("retrieved");
    insta::assert_snapshot!(
        output
            .lines()
            .filter(is_stable)
            .collect::<Vec<_>>()
            .join("\n")
    );
}

/// Without preferences in the question, the documents are not asked for.
#[test]
fn pref_140_nothing_more_is_fetched_without_the_question() {
    let (server, _licences) = site_with_all();
    let url = server.url("/x");
    let ran = abide(&["check", &url, "--allow-private", "-a", "f"], b"");
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    assert_eq!(server.paths(), ["/robots.txt"]);
}

/// TDMRep says nothing about search, so its file is asked for only if another usage is (PREF-131).
#[test]
fn pref_136_a_document_that_could_not_change_the_answer_is_not_fetched() {
    let requested = |options: &[&str]| {
        let server = Server::start(|path| match path {
            "/robots.txt" => response("200 OK", "", "User-agent: *\nAllow: /\n"),
            _ => response("404 Not Found", "", ""),
        });
        let url = server.url("/x");
        let question = ["check", &url, "--allow-private", "-a", "f"];
        let ran = abide(&[&question, options].concat(), b"");
        assert_eq!(ran.status, 0, "{}", ran.stderr);
        server.paths()
    };
    for options in [&["--for", "search"][..], &["--usage", "crawl,search"]] {
        assert_eq!(requested(options), ["/robots.txt"], "{options:?}");
    }
    let others = [
        &["--for", "train"][..],
        &["--usage", "search,ai-input"],
        &["--usage", "crawl", "--preferences"],
    ];
    for options in others {
        let both = ["/robots.txt", "/.well-known/tdmrep.json"];
        assert_eq!(requested(options), both, "{options:?}");
    }
}

/// No request is sent for a file that robots.txt disallows, and what it says is not known.
#[test]
fn pref_132_a_file_that_may_not_be_fetched() {
    let server = Server::start(|path| match path {
        "/robots.txt" => response("200 OK", "", "User-agent: *\nDisallow: /.well-known/\n"),
        _ => response("200 OK", "", "[]"),
    });
    let url = server.url("/x");
    let ran = abide(
        &[
            "check",
            &url,
            "--allow-private",
            "-a",
            "f",
            "--usage",
            "train",
        ],
        b"",
    );
    assert_eq!(ran.status, 3, "{}", ran.stdout);
    assert_eq!(server.paths(), ["/robots.txt"]);
}

/// The fenced blocks of docs/preferences.md, with their language.
fn blocks(page: &str) -> Vec<(&str, &str)> {
    let parts = page.split("\n```").skip(1).step_by(2);
    parts.filter_map(|block| block.split_once('\n')).collect()
}

/// What each file of docs/preferences.md says about each usage, to robots without a group of their
/// own and to Googlebot. The recipes say what the page promises.
#[test]
fn the_files_of_the_guide_say_what_it_promises() {
    let guide = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/preferences.md");
    let page = std::fs::read_to_string(guide).unwrap();
    let folder = folder();
    let license = "https://www.example.com/license.xml";
    let mut output = String::new();
    for (at, (language, block)) in blocks(&page).into_iter().enumerate() {
        let file = folder.join(format!("guide-{at}.{language}"));
        std::fs::write(&file, block).unwrap();
        let named = |file: &std::path::Path| file.display().to_string();
        let (robots, documents) = match language {
            "text" if block.contains("User-agent: ") => (block.to_owned(), Vec::new()),
            "json" => (
                "User-agent: *\nAllow: /\n".to_owned(),
                vec!["--tdmrep".to_owned(), named(&file)],
            ),
            "xml" => {
                let of_file = format!("{license}={}", named(&file));
                (
                    format!("License: {license}\n"),
                    vec!["--rsl".to_owned(), of_file],
                )
            }
            _ => continue,
        };
        let begin = block.lines().take(3).collect::<Vec<_>>().join(" / ");
        output.extend([language, ": ", &begin, "\n"]);
        for agent in ["*", "Googlebot"] {
            let answers = ["train", "ai-input", "search"].map(|usage| {
                let url = "https://www.example.com/";
                let mut args = vec!["check", url, "-r", "-", "-a", agent, "--for", usage];
                args.extend(documents.iter().map(String::as_str));
                let ran = abide(&args, robots.as_bytes());
                let mut lines = ran.stdout.lines();
                let sentence = lines
                    .find(|line| line.starts_with(usage))
                    .unwrap_or_default();
                let answer = sentence.split(" · ").next().unwrap_or_default().to_owned();
                format!("{answer} ({})", ran.status)
            });
            output.extend(["  ", agent, ": ", &answers.join(", "), "\n"]);
        }
    }
    insta::assert_snapshot!(output);
}

/// A licence that cannot be read asks for nothing, whatever follows from that.
#[test]
fn cla_pref_19_an_unreadable_licence_is_said_to_be_unreadable() {
    let licence = folder().join("unreadable.xml");
    let robots = "License: https://l.example/a.xml\nUser-agent: *\nAllow: /\n";
    let asked = |document: &str, args: &[&str]| {
        std::fs::write(&licence, document).unwrap();
        let file = format!("https://l.example/a.xml={}", licence.display());
        check(robots, &[&["-a", "f", "--rsl", &file], args].concat())
    };
    let unread = "<rsl xmlns=\"https://rslstandard.org/rsl\"><content url=\"/\"><license>\
                  <permits type=\"search\">yes</permits></license></content></rsl>";
    for document in ["<html>", unread] {
        let ran = asked(document, &["--for", "search"]);
        let sentence = ran.stdout.lines().nth(1).unwrap();
        assert_eq!(
            sentence,
            "The licence https://l.example/a.xml cannot be read and therefore counts as \
             unlicensed, so f may not use this page for search."
        );
        let ran = asked(document, &["--preferences"]);
        let says = "the licence cannot be read and therefore counts as unlicensed";
        assert!(ran.stdout.contains(says), "{}", ran.stdout);
        assert!(!ran.stdout.contains("asks"), "{}", ran.stdout);
    }
    insta::assert_snapshot!(asked(unread, &["--for", "train,search"]).told());
    // Another vocabulary does ask.
    let ran = asked("<html>", &["--for", "train", "-H", "X-Robots-Tag: noai"]);
    assert!(
        ran.stdout.contains("The site asks f not to"),
        "{}",
        ran.stdout
    );
}

#[test]
fn cla_pref_18_a_word_that_permits_nothing_is_named() {
    let licence = folder().join("old.xml");
    let document = "<rsl xmlns=\"https://rslstandard.org/rsl\"><content url=\"/\"><license>\
                    <permits type=\"usage\">search ai-summarize</permits></license></content></rsl>";
    std::fs::write(&licence, document).unwrap();
    let file = format!("https://l.example/a.xml={}", licence.display());
    let robots = "License: https://l.example/a.xml\nUser-agent: *\nAllow: /\n";
    let ran = check(robots, &["-a", "f", "--rsl", &file, "--for", "ai-input"]);
    assert!(ran.stdout.contains("it permits nothing"), "{}", ran.stdout);
}

#[test]
fn cla_25_a_preference_for_other_robots_is_named() {
    let robots =
        "User-agent: GPTBot\nAllow: /\nUser-agent: *\nContent-Signal: ai-train=no\nAllow: /\n";
    let asked = |args: &[&str]| {
        check(
            robots,
            &[&["-a", "GPTBot", "--for", "train"], args].concat(),
        )
    };
    let ran = asked(&[]);
    assert_eq!(ran.status, 0);
    insta::assert_snapshot!(ran.told());
    let ran = asked(&["--signal-scope", "file"]);
    assert_eq!(ran.status, 1, "{}", ran.stdout);
    assert!(
        ran.stdout.contains("The site asks GPTBot not to"),
        "{}",
        ran.stdout
    );
    let ran = asked(&["--signal-scope", "site"]);
    assert_eq!(ran.status, 2);
    assert!(ran.stderr.contains("group, file"), "{}", ran.stderr);
}

#[test]
fn cla_pref_22_an_older_word_is_named() {
    let robots = "User-agent: *\nAllow: /\nContent-Usage: ai=n\n";
    let ran = check(robots, &["-a", "f", "--for", "train"]);
    assert_eq!(
        ran.stdout.lines().nth(2).unwrap(),
        "Line 3 says ai=n, a word of an earlier revision, which does not count."
    );
}

/// The sentence says first that the page may not be fetched, and what then becomes of preferences.
#[test]
fn pref_139_a_page_that_may_not_be_fetched() {
    let first = |robots: &str| {
        let ran = check(robots, &["-a", "GPTBot", "--for", "train"]);
        assert_eq!(ran.status, 1);
        ran.stdout.lines().nth(1).unwrap().to_owned()
    };
    assert_eq!(
        first("User-agent: GPTBot\nDisallow: /\n"),
        "GPTBot may not fetch this page (line 2). About training the file says nothing."
    );
    let void = "User-agent: *\nContent-Usage: train-ai=n\nDisallow: /\n";
    assert_eq!(
        first(void),
        "GPTBot may not fetch this page (line 3), so the preference on line 2 has no effect."
    );
    assert_eq!(
        first("User-agent: *\nContent-Signal: ai-train=no\nDisallow: /\n"),
        "GPTBot may not fetch this page (line 3). The site asks GPTBot not to use this page for \
         training."
    );
    insta::assert_snapshot!(check(void, &["-a", "f", "--for", "train"]).told());
}

#[test]
fn pref_127_acap_has_a_row_where_it_decides() {
    let robots = "ACAP-crawler: *\nACAP-allow-index: /\nACAP-disallow-other: /\n";
    let ran = check(robots, &["-a", "f", "--for", "train"]);
    assert_eq!(ran.status, 1);
    insta::assert_snapshot!(ran.told());
}

#[test]
fn pref_139_several_usages_at_once() {
    let ran = check(ROBOTS, &["-a", "f", "--for", "train,ai-input,search"]);
    assert_eq!(ran.status, 1);
    insta::assert_snapshot!(ran.told());
}
