//! Cases: reading, running and generating them.

use crate::{TEST, fits, odd};
use abide_json::test::ChecksJson;
use abide_lint::expectation::{Cases, Check, make, run};
use proptest::prelude::*;

fn mistakes(text: &str) -> String {
    Cases::read(text).unwrap_err().to_string()
}

/// A case that is valid except for `line`.
fn with(line: &str) -> String {
    format!("[[case]]\nagent = \"f\"\nurl = \"/x\"\n{line}\n")
}

#[test]
fn every_mistake_is_told_with_its_line_and_what_to_write() {
    for (text, expected) in [
        (
            String::new(),
            "line 1: expected at least one [[case]], but found none",
        ),
        (
            "agent = \"f\"\n".to_owned(),
            "line 1: expected at least one [[case]], but found none",
        ),
        (
            "case = []\n".to_owned(),
            "line 1: expected at least one [[case]], but found none",
        ),
        (
            "\ncase = 1\n".to_owned(),
            "line 2: expected [[case]] tables for case, but found integer",
        ),
        (
            "case = [1]\n".to_owned(),
            "line 1: expected [[case]] tables for case, but found integer",
        ),
        (
            "[[case]]\nagent = f\n".to_owned(),
            "line 2: not valid TOML: ",
        ),
        (
            with("crwal = \"permitted\""),
            "line 4: unknown key \"crwal\"; did you mean crawl?",
        ),
        (
            with("crawl = \"permitted\"\n\"\\u001B[2J\" = 1"),
            "line 5: unknown key \"\\x1b[2J\"; expected one of name, agent",
        ),
        (
            format!(
                "agents = [\"f\"]\ncolour = 1\n{}",
                with("crawl = \"permitted\"")
            ),
            "line 2: unknown key \"colour\"; expected one of case, and",
        ),
        (
            with("crawl = \"allowed\""),
            "line 4: expected permitted, prohibited, conditional, unspecified or unknown for crawl, but found \"allowed\"; write \"permitted\"",
        ),
        (
            with("index = \"prohibted\""),
            "but found \"prohibted\"; write \"prohibited\"",
        ),
        (
            with("crawl = \"maybe\""),
            "or unknown for crawl, but found \"maybe\"",
        ),
        (
            with("crawl = true"),
            "line 4: expected a string for crawl, but found boolean",
        ),
        (
            with(""),
            "line 1: the case expects nothing; write, for example, crawl = \"permitted\"",
        ),
        (with("expect = {}"), "line 4: the case expects nothing"),
        (
            with("expect = \"permitted\""),
            "line 4: expected a table such as { index = \"prohibited\" } for expect, but found string",
        ),
        (
            with("expect = { presnt = \"permitted\" }"),
            "line 4: unknown key \"presnt\"; did you mean present?",
        ),
        (
            with("crawl = \"permitted\"\nexpect = { crawl = \"prohibited\" }"),
            "line 5: crawl is expected twice in this case",
        ),
        (
            "[[case]]\nurl = \"/x\"\ncrawl = \"permitted\"\n".to_owned(),
            "line 1: the case has no agent; write agent = \"ExampleBot\"",
        ),
        (
            "[[case]]\nagent = \"f\"\ncrawl = \"permitted\"\n".to_owned(),
            "line 1: the case has no url; write url = \"/page\"",
        ),
        (
            "[[case]]\nagent = \"f\"\nurls = []\ncrawl = \"permitted\"\n".to_owned(),
            "line 3: urls is empty; name at least one",
        ),
        (
            "[[case]]\nagent = \"f\"\nurl = \"x\"\ncrawl = \"permitted\"\n".to_owned(),
            "line 3: url: the URL has no scheme; expected one such as https://example.com/page, or a path such as /page; found x",
        ),
        (
            "[[case]]\nagent = \"f\"\nagents = [\"g\"]\nurl = \"/\"\ncrawl = \"permitted\"\n"
                .to_owned(),
            "line 2: agent and agents say the same; remove one of them",
        ),
        (
            "[[case]]\nagent = \"f/1\"\nurl = \"/\"\ncrawl = \"permitted\"\n".to_owned(),
            "line 2: agent: expected a product token",
        ),
        (
            "[[case]]\nagents = [\"f\", 1]\nurl = \"/\"\ncrawl = \"permitted\"\n".to_owned(),
            "line 2: expected a string for agents, but found integer",
        ),
        (
            with("crawl = \"permitted\"\npurpose = \"a b\""),
            "line 5: purpose: ",
        ),
        (
            with("crawl = \"permitted\"\nprofile = \"strict\""),
            "line 5: expected careful or google for profile, but found \"strict\"",
        ),
        (
            with("crawl = \"permitted\"\nacap = \"on\""),
            "line 5: expected full, restrict or off for acap, but found \"on\"",
        ),
        (
            with("crawl = \"permitted\"\nnonstandard_token = 1"),
            "line 5: expected true or false for nonstandard_token, but found integer",
        ),
        (
            with("crawl = \"permitted\"\nheader = \"noindex\""),
            "line 5: header: expected a field line such as",
        ),
        (
            with("crawl = \"permitted\"\nnow = \"today\""),
            "line 5: now: ",
        ),
        (
            with("directives = { x = true }"),
            "line 4: directives: name whom they are for: application = \"examplesearch\"",
        ),
        (
            with("application = \"a b\"\ndirectives = { x = true }"),
            "line 4: application: expected an application identifier",
        ),
        (
            with("application = \"a\"\ndirectives = 1"),
            "line 5: expected a table such as { train = false } for directives, but found integer",
        ),
    ] {
        let told = mistakes(&text);
        assert!(told.contains(expected), "{text}\n{told}");
    }
}

#[test]
fn all_mistakes_are_told_in_the_order_of_lines() {
    let text = format!("{}{}", with("crawl = \"no\""), with("krawl = 1"));
    let told = mistakes(&text);
    let lines: Vec<_> = told
        .lines()
        .map(|line| line.split(':').next().unwrap())
        .collect();
    assert_eq!(lines, ["line 4", "line 5", "line 8"], "{told}");
    let many = with("x = 1").repeat(30);
    assert!(
        mistakes(&many).ends_with("and 40 more mistakes"),
        "{}",
        mistakes(&many)
    );
}

#[test]
fn more_checks_than_are_run_are_refused() {
    let list = vec!["\"/x\""; 400].join(",");
    let agents = vec!["\"f\""; 400].join(",");
    let text = format!("[[case]]\nagents = [{agents}]\nurls = [{list}]\ncrawl = \"permitted\"\n");
    assert!(mistakes(&text).contains("line 1: the cases come to more than 100000 checks"));
}

fn failed(cases: &str, robots: &str) -> Vec<Check> {
    let checks = run(&Cases::read(cases).unwrap(), robots.as_bytes());
    checks.into_iter().filter(|check| !check.passed()).collect()
}

#[test]
fn everything_that_a_case_can_say_is_asked() {
    let robots = "User-agent: *\nDisallow: /private/\nAllow: /private/press/\nApp-Directives: /n a;train=?0;x=5\n\
        User-agent: MJ12bot\nDisallow: /\nUser-Agent-Purpose: P1\nDisallow: /p\n\
        ACAP-crawler: *\nACAP-disallow-index: /acap\n";
    let cases = r#"
        agents = ["ExampleBot", "*"]
        [[case]]
        name = "press kit stays open"
        urls = ["/private/press/kit.zip", "https://e.example/private/press/"]
        crawl = "permitted"
        [[case]]
        url = "/private/x"
        expect = { crawl = "prohibited", follow = "unspecified" }
        [[case]]
        agent = "MJ12bot"
        nonstandard_token = true
        url = "/"
        crawl = "prohibited"
        [[case]]
        agent = "*"
        purpose = "P1"
        url = "/p"
        crawl = "prohibited"
        [[case]]
        url = "/x"
        header = ["X-Robots-Tag: noindex", "Robots-Tag: *;max-snippet=5"]
        index = "prohibited"
        present-snippet = "conditional"
        [[case]]
        url = "/x"
        header = "X-Robots-Tag: unavailable_after: 25 Jun 2030 15:00:00 PST"
        now = 2031-01-01T00:00:00Z
        index = "prohibited"
        [[case]]
        url = "/acap"
        index = "prohibited"
        [[case]]
        url = "/acap"
        acap = "off"
        index = "unspecified"
        [[case]]
        url = "/n/1"
        application = "a"
        directives = { train = false, x = 5 }
        [[case]]
        url = "/m"
        application = "a"
        directives = {}
        [[case]]
        agent = "any thing"
        profile = "google"
        url = "/private/x"
        crawl = "prohibited"
        "#;
    assert_eq!(failed(cases, robots), []);
}

#[test]
fn failures_are_explained() {
    let cases = "[[case]]\nname = \"press\"\nagent = \"f\"\nurl = \"/private/press/x\"\ncrawl = \"permitted\"\n\
        application = \"a\"\ndirectives = { x = 1 }\n";
    let failed = failed(cases, "User-agent: *\nDisallow: /private/\n");
    let [check] = failed.as_slice() else {
        panic!("{failed:?}")
    };
    let about: Vec<_> = check
        .failures
        .iter()
        .map(|one| one.about.as_str())
        .collect();
    assert_eq!(about, ["crawl", "a"]);
    assert_eq!(
        (
            check.failures[1].expected.as_str(),
            check.failures[1].found.as_str()
        ),
        ("x=1", "nothing")
    );
    assert_eq!(check.explanation[0], "line 2: Disallow: /private/");
    assert!(
        check.explanation[1]
            .contains("/private/press/x is disallowed by line 2, the only rule that matches")
    );
    let json = fits(TEST, &abide_json::text::pretty(&ChecksJson::new(&failed)));
    assert_eq!((&json["failed"], &json["passed"]), (&1.into(), &0.into()));
}

#[test]
fn made_cases_stay_within_bounds() {
    let robots: String = (0..500)
        .map(|at| {
            let letter = |n: usize| char::from(b'a' + u8::try_from(n % 26).unwrap());
            format!(
                "User-agent: bot{}{}\nDisallow: /{at}\n",
                letter(at),
                letter(at / 26)
            )
        })
        .collect();
    let made = make(robots.as_bytes(), "robots.txt");
    assert_eq!(Cases::read(&made).unwrap().cases.len(), 200);
    assert!(
        made.contains("# Of 501 robots and purposes that it names, 200 are here."),
        "{}",
        &made[..400]
    );
    assert_eq!(made, make(robots.as_bytes(), "robots.txt"));
    let rules: String = (0..500).map(|at| format!("Disallow: /{at}/\n")).collect();
    let made = make(format!("User-agent: *\n{rules}").as_bytes(), "robots.txt");
    assert_eq!(Cases::read(&made).unwrap().cases.len(), 200);
    assert!(made.contains("cases, 200 are here"), "{}", &made[..400]);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// Cases generated from a file pass for that file, and change with it.
    #[test]
    fn made_cases_pass(bytes in odd::file()) {
        let made = make(&bytes, "robots.txt");
        let cases = Cases::read(&made).unwrap();
        prop_assert!(!cases.cases.is_empty() && cases.cases.len() <= 200);
        let checks = run(&cases, &bytes);
        let failed: Vec<_> = checks.iter().filter(|check| !check.passed()).collect();
        prop_assert!(failed.is_empty(), "{made}\n{failed:?}");
        fits(TEST, &abide_json::text::pretty(&ChecksJson::new(&checks)));
        let unseen = made.contains(['\u{1b}', '\u{202e}']);
        prop_assert!(!unseen);
    }

    /// No text makes the reader panic, and every rejection has a reason.
    #[test]
    fn any_text_is_read_or_refused(text in "(\\[\\[case\\]\\]\n|agent = \"f\"\n|url = \"/\"\n|crawl = \"permitted\"\n|[a-z]+ = [0-9\"a-z\\[\\]{}]*\n|.){0,12}") {
        if let Err(error) = Cases::read(&text) {
            prop_assert!(!error.mistakes.is_empty() && error.to_string().starts_with("line "));
        }
    }
}
