//! What people type first, and what they have to see: a closed site, merged groups, real names of
//! robots, and checks that must not pass by accident.

use crate::fetch::{Server, response};
use crate::{Ran, abide, abide_in};
use std::fs;
use tempfile::TempDir;

/// A folder with one robots.txt.
fn folder(file: &str) -> TempDir {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("robots.txt"), file).unwrap();
    folder
}

fn lint(file: &str) -> Ran {
    abide(&["lint", "-"], file.as_bytes())
}

/// Checks that the run ended with `status`, and that its output has each text.
fn sees(ran: &Ran, status: i32, texts: &[&str]) {
    let all = format!("{}{}", ran.stdout, ran.stderr);
    assert_eq!(ran.status, status, "{all}");
    for text in texts {
        assert!(all.contains(text), "{text:?} is missing in {all}");
    }
}

#[test]
fn a_group_without_rules_closes_the_site() {
    let merged = "User-agent: *\nCrawl-delay: 120\n\nUser-agent: BadBot\nDisallow: /\n";
    let closed = "error[groups-run-together]: * (line 5) has no rules, so it shares the rules of BadBot: \
                  the whole site is closed to every robot without its own group";
    sees(&lint(merged), 1, &[&closed.replace("line 5", "line 1")]);
    // No advice to remove the rules that are right.
    let rules = "User-agent: *\nDisallow: /api/\nDisallow: /login\n\n";
    let ran = lint(&format!("{rules}{merged}"));
    sees(&ran, 1, &[closed]);
    assert!(!ran.stdout.contains("redundant-rule"), "{}", ran.stdout);
}

#[test]
fn an_empty_line_does_not_end_a_group() {
    let closed = "User-agent: *\n\nUser-agent: BadBot\nDisallow: /\n";
    let said = "error[groups-run-together]: * (line 1) has no rules, so it shares the rules of BadBot: \
                the whole site is closed to every robot without its own group";
    let ran = lint(closed);
    sees(&ran, 1, &[said]);
    assert!(!ran.stdout.contains("site-closed"), "{}", ran.stdout);
    let shared = "User-agent: AhrefsBot\n\nUser-agent: Googlebot\nDisallow: /print/\n";
    let said = "info[groups-run-together]: AhrefsBot (line 1) has no rules, so it shares the rules of \
                Googlebot: \"/print/\" also applies to AhrefsBot";
    sees(&lint(shared), 0, &[said]);
    // Empty lines between everything.
    let spaced = "User-agent: AhrefsBot\n\nUser-agent: Googlebot\n\nDisallow: /print/\n";
    let ran = lint(spaced);
    assert!(
        !ran.stdout.contains("groups-run-together"),
        "{}",
        ran.stdout
    );
}

#[test]
fn safe_fixes_change_no_answer_of_any_profile() {
    for (file, url) in [
        (
            "User-agent: *\nDisallow: /annual report/\n",
            "/annual%20report/",
        ),
        ("User-agent: *\nDisallow: /~\nDisallow: /%7E\n", "/%7Ejoe"),
    ] {
        let folder = folder(file);
        let answer = || {
            let args = [
                "check",
                url,
                "-r",
                "robots.txt",
                "-a",
                "Googlebot",
                "--profile",
                "google",
                "-q",
            ];
            abide_in(folder.path(), &args, b"").status
        };
        let before = answer();
        abide_in(folder.path(), &["lint", "--fix", "robots.txt"], b"");
        assert_eq!(answer(), before, "{file}");
    }
}

#[test]
fn a_closed_site_is_found_in_every_spelling() {
    for pattern in ["/", "/*", "*"] {
        let ran = lint(&format!("User-agent: *\nDisallow: {pattern}\n"));
        sees(
            &ran,
            1,
            &["warning[site-closed]: the whole site is closed to every robot"],
        );
    }
}

#[test]
fn each_robot_gets_its_own_answer() {
    let file = b"User-agent: GPTBot\nDisallow: /\n";
    let args = [
        "check",
        "/",
        "-r",
        "-",
        "-a",
        "Googlebot",
        "-a",
        "GPTBot",
        "-a",
        "CCBot",
    ];
    let ran = abide(&args, file);
    sees(
        &ran,
        1,
        &[
            "Googlebot  allowed",
            "GPTBot     disallowed",
            "CCBot      allowed",
        ],
    );
}

#[test]
fn a_typo_that_nobody_reads_is_an_error() {
    let ran = lint("User-agent: *\nAlow: /public\nDisallow: /private\n");
    sees(
        &ran,
        1,
        &["error[misspelt-field]: robots ignore this line; did you mean Allow?"],
    );
}

#[test]
fn the_worst_change_comes_first() {
    let folder = folder("User-agent: *\nDisallow: /\n");
    let old = "User-agent: *\nDisallow: /search\n\nUser-agent: omgili\nUser-agent: omgilibot\nDisallow: /\n";
    let ran = abide_in(folder.path(), &["diff", "-", "robots.txt"], old.as_bytes());
    let headline = "The whole site is now disallowed for every robot except omgili and omgilibot, for which it already was disallowed.\n";
    assert!(ran.stdout.starts_with(headline), "{}", ran.stdout);
    sees(
        &ran,
        1,
        &["  for every robot except omgili and omgilibot\n"],
    );
}

#[test]
fn checks_that_check_nothing_fail() {
    let empty = TempDir::new().unwrap();
    sees(
        &abide_in(empty.path(), &["lint"], b""),
        2,
        &["found no robots.txt"],
    );
    sees(
        &abide_in(empty.path(), &["lint", "-"], b""),
        2,
        &["stdin is empty"],
    );
    let ran = abide_in(empty.path(), &["lint", "public/*.txt"], b"");
    sees(&ran, 2, &["no file matches public/*.txt"]);
    let folder = folder("User-agent: *\nDisallow: /search\n");
    sees(
        &abide_in(folder.path(), &["lint"], b""),
        0,
        &["No findings in 1 file (robots.txt)."],
    );
}

#[test]
fn names_of_real_robots_pass() {
    let ran = lint("User-agent: MJ12bot\nDisallow: /print/\n\nUser-agent: 008\nDisallow: /\n");
    sees(&ran, 0, &["2 notes in 1 file"]);
}

#[test]
fn documented_behaviour_of_robots_counts() {
    let file =
        b"User-agent: Googlebot\nDisallow: /g\nCrawl-delay: 5\n\nUser-agent: *\nDisallow: /\n";
    let check = |agent: &str| abide(&["check", "/x", "-r", "-", "-a", agent], file);
    sees(
        &check("Googlebot-News"),
        0,
        &["line 1: User-agent: Googlebot"],
    );
    sees(
        &check("AdsBot-Google"),
        0,
        &["AdsBot-Google ignores groups for `*`"],
    );
    let ran = abide(&["lint", "-"], file);
    sees(
        &ran,
        1,
        &[
            "info[crawl-delay-ignored]: Googlebot ignores Crawl-delay",
            "every robot without its own group (bingbot among them)",
        ],
    );
}

#[test]
fn a_url_without_a_path_means_its_robots_txt() {
    let server = Server::start(|path| match path {
        "/robots.txt" => response("200 OK", "", "User-agent: *\nDisallow: /\n"),
        _ => response(
            "200 OK",
            "Content-Type: text/html\r\n",
            "<!doctype html><title>home</title>",
        ),
    });
    let site = server.url("/");
    let at = |args: &[&str]| {
        abide(
            &[args, &["--allow-private"]].concat(),
            b"User-agent: *\nDisallow:\n",
        )
    };
    sees(&at(&["lint", &site]), 1, &["site-closed"]);
    sees(
        &at(&["explain", &site, "-a", "Googlebot"]),
        0,
        &["Googlebot may crawl nothing on this site."],
    );
    sees(
        &at(&["check", "/x", "-r", &site, "-a", "Googlebot"]),
        1,
        &["crawl: disallowed"],
    );
    sees(
        &at(&["diff", &site, "-"]),
        1,
        &["The whole site is now allowed"],
    );
    sees(
        &at(&["matrix", &site, "-a", "*"]),
        0,
        &["No other robot may crawl the site."],
    );
}

#[test]
fn advice_closes_no_more_than_it_says() {
    let page = abide(&["lint", "--explain", "discloses-path"], b"");
    sees(
        &page,
        0,
        &[
            "Put what is not public behind a login",
            "Do not write a shorter prefix",
        ],
    );
    // Everybody knows these paths.
    let ran = lint("User-agent: *\nDisallow: /wp-admin/\nDisallow: /admin\n");
    sees(&ran, 0, &["No findings in 1 file."]);
}

#[test]
fn robots_are_named_as_people_know_them() {
    let file = b"User-agent: Googlebot\nDisallow: /g\n\nUser-agent: *\nDisallow: /\n";
    let line = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)";
    for (agent, status) in [("*", 1), ("Googlebot/2.1", 0), (line, 0), ("MJ12bot", 1)] {
        let ran = abide(&["check", "/x", "-r", "-", "-a", agent], file);
        sees(&ran, status, &["crawl: "]);
    }
    let ran = abide(&["check", "/x", "-r", "-", "--user-agent", "MJ12bot"], file);
    sees(&ran, 1, &["crawl: disallowed"]);
}

#[test]
fn answers_come_without_noise_and_say_when_nothing_is_known() {
    let file =
        b"User-agent: Bad Bot, Googlebot\nDisallow: /\n\nUser-agent: *\nDisallow: /private\n";
    let ran = abide(&["check", "/x", "-r", "-", "-a", "ExampleBot"], file);
    assert_eq!(
        (ran.status, &*ran.stderr),
        (0, ""),
        "findings about other robots"
    );
    let ran = abide(&["check", "/x", "-r", "-", "-a", "ExampleBot", "-v"], file);
    sees(&ran, 0, &["warning: "]);
    let ran = abide(
        &["check", "/x", "-r", "-", "-a", "ExampleBot", "--page"],
        file,
    );
    sees(&ran, 2, &["--page needs an absolute URL"]);
    let ran = abide(
        &["check", "http://127.0.0.1:8000/x", "-a", "ExampleBot"],
        b"",
    );
    sees(&ran, 3, &["is not a public address"]);
}

/// Google reads nothing in a UTF-16 file, so no answer about one comes without a warning.
#[test]
fn a_file_in_utf_16_is_no_file_for_google() {
    let text = "User-agent: *\nDisallow: /private/\n";
    let units = std::iter::once(0xFEFF).chain(text.encode_utf16());
    let bytes: Vec<u8> = units.flat_map(u16::to_le_bytes).collect();
    let message = "the file is UTF-16: Google and others read no rule in it; save it as UTF-8";
    for args in [
        &["explain", "-a", "Googlebot", "-"][..],
        &["matrix", "-"],
        &["check", "--robots", "-", "-a", "Googlebot", "/"],
    ] {
        let ran = abide(args, &bytes);
        let warning = format!("warning: stdin: {message} [not-utf8]");
        assert!(ran.stderr.contains(&warning), "{args:?}: {}", ran.stderr);
    }
    let ran = abide(&["lint", "-"], &bytes);
    assert_eq!(ran.status, 1);
    assert!(ran.stdout.contains("error[not-utf8]"), "{}", ran.stdout);
    assert!(ran.stdout.contains(message), "{}", ran.stdout);
}

/// What is only a note for `abide lint` is no warning elsewhere.
#[test]
fn names_of_known_robots_are_no_warning() {
    let file = b"User-agent: MJ12bot\nDisallow: /\n";
    let ran = abide(&["lint", "-"], file);
    assert!(
        ran.stdout.contains("info[ua-invalid-token]"),
        "{}",
        ran.stdout
    );
    for args in [
        &["check", "--robots", "-", "-a", "MJ12bot", "/"][..],
        &["explain", "-a", "MJ12bot", "-"],
    ] {
        assert_eq!(abide(args, file).stderr, "", "{args:?}");
    }
}

/// A name that is only an operator's leads to the robots of the operator.
#[test]
fn operators_and_products_are_no_robots() {
    for (name, operator) in [
        ("OpenAI", "OpenAI"),
        ("chatgpt", "OpenAI"),
        ("mistral", "Mistral AI"),
    ] {
        let ran = abide(&["robots", name], b"");
        assert_eq!(ran.status, 1);
        let hint = format!("abide robots --operator \"{operator}\" lists the robots of {operator}");
        assert!(ran.stderr.contains(&hint), "{}", ran.stderr);
        let ran = abide(&["robots", "--operator", operator], b"");
        assert_eq!(ran.status, 0);
    }
    let ran = abide(&["lint", "-"], b"User-agent: OpenAI\nDisallow: /\n");
    assert_eq!(ran.status, 1);
    let said = "no known robot is called OpenAI; GPTBot, OAI-SearchBot";
    assert!(ran.stdout.contains(said), "{}", ran.stdout);
}

/// Of a long file, abide fetches only what robots have to read, so it cannot count the rest.
#[test]
fn of_a_fetched_file_that_is_cut_nothing_is_counted() {
    let long = format!(
        "User-agent: *\nDisallow: /a\n{}Disallow: /b\nDisallow: /c\n",
        "# a long comment\n".repeat(40_000)
    );
    let ran = lint(&long);
    sees(&ran, 1, &["2 lines of groups are after byte 512,000"]);
    let server = Server::start(move |_| response("200 OK", "Content-Type: text/plain\r\n", &long));
    let url = server.url("/robots.txt");
    let ran = abide(&["lint", &url, "--allow-private"], b"");
    sees(
        &ran,
        1,
        &[
            "warning[rules-behind-limit]: rules may follow after byte 512,000",
            "error[size-limit]: robots read only the first 512,000 bytes, up to line 30118",
        ],
    );
}
