//! Cases: reading, running and generating them.

use crate::{TEST, fits, odd};
use abide_analysis::expectation::{Cases, Check, causes, make, run};
use abide_contract::test::TestReport;
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
            with("crawl = \"allow\""),
            "line 4: expected allowed, disallowed, conditional, unspecified or unknown for crawl, but found \"allow\"; write \"allowed\"",
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
            "line 1: the case expects nothing; write, for example, crawl = \"allowed\"",
        ),
        (with("expect = {}"), "line 4: the case expects nothing"),
        (
            with("expect = \"permitted\""),
            "line 4: expected a table such as { index = \"disallowed\" } for expect, but found string",
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
            "[[case]]\nagent = \"\"\nurl = \"/\"\ncrawl = \"permitted\"\n".to_owned(),
            "line 2: agent: expected the name of a robot, such as Googlebot, but found nothing",
        ),
        (
            "[[case]]\nagents = [\n\"f\",\n\"@serach\"]\nurl = \"/\"\ncrawl = \"permitted\"\n"
                .to_owned(),
            "line 4: agent: unknown set @serach of robots; did you mean @search?",
        ),
        (
            with("crawl = \"permitted\"\nliteral = \"yes\""),
            "line 5: expected true or false for literal, but found string",
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
    let agents = (0..400).map(|at| format!("\"f{}\"", "x".repeat(at)));
    let agents = agents.collect::<Vec<_>>().join(",");
    let text = format!("[[case]]\nagents = [{agents}]\nurls = [{list}]\ncrawl = \"permitted\"\n");
    assert!(mistakes(&text).contains("line 1: the cases come to more than 100000 checks"));
}

fn failed(cases: &str, robots: &str) -> Vec<Check> {
    let checks = run(&Cases::read(cases).unwrap(), robots.as_bytes()).unwrap();
    checks.into_iter().filter(|check| !check.passed).collect()
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
        crawl = "disallowed"
        [[case]]
        agents = ["MJ12bot", "mj12BOT", "Mozilla/5.0 (compatible; MJ12bot/v1.4.8; http://mj12bot.com/)"]
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
        nonstandard_token = true
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
    let failure = &check.failures[1];
    assert_eq!(failure.expected.to_string(), "x=1");
    assert_eq!(failure.found.to_string(), "nothing");
    assert_eq!(
        check.failures[0].to_string(),
        "expected allowed, got disallowed (line 2: `Disallow: /private/`)"
    );
    assert!(
        check.explanation[1]
            .contains("/private/press/x is disallowed by line 2, the only rule that matches")
    );
    let json = fits(
        TEST,
        &abide_contract::text::pretty(&TestReport::new(&failed)),
    );
    assert_eq!((&json["failed"], &json["passed"]), (&1.into(), &0.into()));
}

/// Robots that are documented to differ, checked with and without what is documented.
#[test]
fn documented_behaviour_applies_unless_the_case_is_literal() {
    let robots = "User-agent: Googlebot\nDisallow: /g\n\nUser-agent: *\nDisallow: /\n";
    let cases = |literal: &str, crawl: &str| {
        format!(
            "{literal}\n[[case]]\nagents = [\"Googlebot-News\", \"AdsBot-Google\"]\nurl = \"/x\"\ncrawl = \"{crawl}\"\n"
        )
    };
    assert_eq!(failed(&cases("", "allowed"), robots), []);
    assert_eq!(failed(&cases("literal = true", "disallowed"), robots), []);
    let known = failed(&cases("", "disallowed"), robots);
    assert_eq!(
        known[0].explanation[0],
        "No group names Googlebot-News, so it follows the group for Googlebot, as Google documents, which begins on line 1; \
         it ignores the `*` group on line 4."
    );
    assert_eq!(
        known[1].explanation[0],
        "No group names AdsBot-Google, and it ignores groups for `*`, as Google documents, so everything is allowed."
    );
    let literally = Cases::read(&cases("", "disallowed"))
        .unwrap()
        .without_known_facts();
    let checks = run(&literally, robots.as_bytes()).unwrap();
    assert!(checks.iter().all(|check| check.passed), "{checks:?}");
}

#[test]
fn sets_lists_and_orders_of_preference() {
    let robots =
        "User-agent: GPTBot\nUser-agent: CCBot\nDisallow: /\nUser-agent: Bot\nDisallow: /b\n";
    let cases = r#"
        [[case]]
        agents = ["@ai-training", "Googlebot"]
        url = "/"
        crawl = "allowed"
        [[case]]
        agent = "NewsBot>Bot"
        url = "/b"
        crawl = "disallowed"
        "#;
    let read = Cases::read(cases).unwrap();
    assert!(read.cases[0].agents.len() > 5);
    let failed = failed(cases, robots);
    let names: Vec<_> = failed.iter().map(|check| check.agent.as_str()).collect();
    assert_eq!(names, ["CCBot", "GPTBot"]);
}

#[test]
fn an_unknown_robot_is_a_mistake_with_its_line_and_the_nearest_name() {
    let told = |agents: &str, robots: &str| {
        let text = format!("[[case]]\nagents = [\n{agents}]\nurl = \"/\"\ncrawl = \"allowed\"\n");
        run(&Cases::read(&text).unwrap(), robots.as_bytes()).map_or_else(
            |error| error.to_string(),
            |checks| format!("{} checks", checks.len()),
        )
    };
    let misspelt = "line 4: agent: no known robot is called \"GPTBoot\", and no group of the robots.txt names it; did you mean \
        GPTBot? If the name is right, write literal = true";
    assert_eq!(told("\"f\",\n\"GPTBoot\"", ""), misspelt);
    assert_eq!(told("\"f\",\n\"Other>GPTBoot\"", ""), misspelt);
    // The file has the name, in a group or in a record of ACAP.
    assert_eq!(told("\"gptboot\"", "User-agent: GPTBoot\n"), "1 checks");
    let record = "ACAP-crawler: GPTBoot\nACAP-disallow-crawl: /x\n";
    assert_eq!(told("\"GPTBoot\"", record), "1 checks");
    let literal = "\"GPTBoot\"]\nliteral = true\nheaders = [\"X-Robots-Tag: noindex\"";
    assert_eq!(told(literal, ""), "1 checks");
    // Names of one's own are as good as any.
    assert_eq!(
        told(
            "\"ExampleBot\", \"ExampleBot/1.0 (+https://e.example/)\"",
            ""
        ),
        "1 checks"
    );
    let digits = told("\"Example9\"", "User-agent: *\n");
    assert!(
        digits.starts_with("line 3: agent: Example9 is not a valid robot name"),
        "{digits}"
    );
    assert_eq!(told("\"Example9\"", "User-agent: Example9\n"), "1 checks");
}

#[test]
fn failures_with_one_cause_are_together() {
    let robots = "User-agent: *\nDisallow: /\nUser-agent: Googlebot\nDisallow: /a\n";
    let cases = r#"
        [[case]]
        name = "one"
        agents = ["ExampleBot", "*", "Googlebot"]
        urls = ["/a", "/b"]
        crawl = "allowed"
        [[case]]
        name = "two"
        agent = "*"
        url = "/c"
        crawl = "allowed"
        [[case]]
        agent = "Googlebot"
        url = "/c"
        crawl = "disallowed"
        "#;
    let failed = failed(cases, robots);
    let grouped = causes(&failed);
    let told: Vec<_> = grouped
        .iter()
        .map(|cause| {
            let cases = cause.cases();
            let cases: Vec<_> = cases
                .iter()
                .map(|case| (case.line, case.robots.join(","), case.urls.join(",")))
                .collect();
            (cause.failure.to_string(), cases)
        })
        .collect();
    let own = |line, robots: &str, urls: &str| (line, robots.to_owned(), urls.to_owned());
    assert_eq!(
        told,
        [
            (
                "expected allowed, got disallowed (line 2: `Disallow: /`)".to_owned(),
                vec![
                    own(2, "ExampleBot,any other robot", "/a,/b"),
                    own(7, "any other robot", "/c")
                ]
            ),
            (
                "expected allowed, got disallowed (line 4: `Disallow: /a`)".to_owned(),
                vec![own(2, "Googlebot", "/a")]
            ),
            (
                "expected disallowed, got allowed (no rule of the group matches)".to_owned(),
                vec![own(12, "Googlebot", "/c")]
            ),
        ]
    );
}

#[test]
fn a_url_that_clients_do_not_send_is_reported_even_if_the_check_passes() {
    let cases = "[[case]]\nagent = \"*\"\nurl = \"/public/../private/x\"\ncrawl = \"allowed\"\n";
    let robots = b"User-agent: *\nDisallow: /private/\n";
    let checks = run(&Cases::read(cases).unwrap(), robots).unwrap();
    assert!(checks[0].passed);
    assert!(
        checks[0].findings[0].ends_with("[url-not-as-sent]"),
        "{checks:?}"
    );
    fits(
        TEST,
        &abide_contract::text::pretty(&TestReport::new(&checks)),
    );
}

/// Names of made cases say what the site wants, and nothing about spelling.
#[test]
fn made_cases_are_named_by_intent() {
    let robots = "User-agent: Googlebot\nAllow: /press/\nDisallow: /press/old/\n\nUser-agent: *\nDisallow: /svc\nDisallow: /d\n\
        Allow: /d\n\nUser-agent: MJ12bot\nDisallow: /\n\nUser-Agent-Purpose: P\nDisallow: /p/\n";
    let made = make(robots.as_bytes(), "robots.txt");
    let names: Vec<_> = made
        .lines()
        .filter_map(|line| line.strip_prefix("name = "))
        .collect();
    assert_eq!(
        names,
        [
            "\"any other robot may crawl the front page\"",
            "\"no other robot may crawl /svc\"",
            "\"any other robot may crawl /d\"",
            "\"Googlebot may crawl the front page\"",
            "\"Googlebot may crawl /press/\"",
            "\"Googlebot may not crawl /press/old/\"",
            "\"MJ12bot may not crawl the front page\"",
            "\"MJ12bot may not crawl /\"",
            "\"robots with the purpose P may crawl the front page\"",
            "\"robots with the purpose P may not crawl /p/\"",
        ]
    );
    assert!(!made.contains("nonstandard_token") && !made.contains("permitted"));
    assert!(!made.contains("/sv\""));
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
        let checks = run(&cases, &bytes).unwrap();
        let failed: Vec<_> = checks.iter().filter(|check| !check.passed).collect();
        prop_assert!(failed.is_empty(), "{made}\n{failed:?}");
        fits(TEST, &abide_contract::text::pretty(&TestReport::new(&checks)));
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
