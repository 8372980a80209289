//! What views, matrices and cases say about training, AI input and search.

use abide::preference::{Documents, Revision, Vocabulary};
use abide::{Client, Policy, ProductToken, Robots, Severity, Target};
use abide_analysis::Bound;
use abide_analysis::expectation::{Cases, make, run};
use abide_analysis::matrix::{Matrix, MatrixSettings};
use abide_analysis::preferences::{self, SiteQuestion};
use abide_analysis::view::{FileView, sentences, site_answers_with};
use abide_known_robots::Robot;
use abide_lint::{Context, Linter};

/// The sentences about the file, then each line with its note.
fn told(file: &str, robot: &str) -> String {
    let client = match robot {
        "*" => Client::unnamed(),
        name => Client::new(ProductToken::new(name).unwrap()),
    };
    let policy = Policy::compile(file.as_bytes(), &preferences::with_all_preferences(&client));
    let view = FileView::of(&policy);
    let mut told = sentences::site_preferences(&view).join("\n");
    let stated = view.preferences().unwrap();
    for line in view.lines() {
        let note = stated
            .line(line.number)
            .and_then(|line| sentences::preference_line(&view, line));
        let token = stated
            .tokens
            .iter()
            .find(|token| token.number == line.number);
        let token = token.map(|token| sentences::token_line(&view, token));
        let why = match line.state {
            abide_analysis::view::LineState::Void(why) => Some(format!("ignored: {why}")),
            _ => None,
        };
        for note in [note, token, why].into_iter().flatten() {
            let note = format!("\n{}: {note}", line.number);
            told.push_str(&note);
        }
    }
    told
}

#[test]
fn signals_and_statements_with_paths() {
    let file = "User-agent: *\nContent-Signal: search=yes, ai-train=no\nContent-Signal: /blog/ ai-train=yes\n";
    insta::assert_snapshot!(told(file, "ExampleBot"));
    let file =
        "User-agent: *\nContent-Usage: train-ai=n, ai-use=n\nContent-Usage: /open/ train-ai=y\n";
    insta::assert_snapshot!(told(file, "*"));
}

#[test]
fn lines_that_lose_or_have_no_effect() {
    let file = "Content-Usage: train-ai=n\nUser-agent: *\nContent-Usage: train-ai=y\nContent-Usage: train-ai=n, search=y\n\
        Content-Signal: search=no\nContent-Usage: /no/ train-ai=y\nDisallow: /no/\nContent-Usage: train-ai=n,\n\
        Content-Usage: train-ai=no\nContent-Signal: ai-train=maybe\nLicense: /l.xml\n";
    insta::assert_snapshot!(told(file, "ExampleBot"));
}

#[test]
fn lines_for_other_robots() {
    let file = "User-agent: GPTBot\nUser-agent: CCBot\nContent-Signal: ai-train=no\nLicense: https://l.example/a.xml\n\
        Content-Signal: what\nAllow: /\nUser-agent: *\nAllow: /\n";
    insta::assert_snapshot!(told(file, "ExampleBot"));
    insta::assert_snapshot!(told(file, "CCBot"));
    insta::assert_snapshot!(told(file, "*"));
}

#[test]
fn preferences_of_a_group_without_rules_are_for_the_next_group_too() {
    let file = "User-agent: GPTBot\nContent-Signal: ai-train=no\nUser-agent: *\nDisallow: /x\n";
    insta::assert_snapshot!(told(file, "ExampleBot"));
}

#[test]
fn a_signal_for_a_control_token_reaches_no_robot() {
    let file = "User-agent: Google-Extended\nContent-Signal: ai-train=no\nAllow: /\n";
    insta::assert_snapshot!(told(file, "Googlebot"));
}

#[test]
fn licences_of_the_site_and_of_a_group() {
    let file = "License: https://l.example/site.xml\nUser-agent: f\nLicense: https://l.example/f.xml\nContent-Usage: search=y\nAllow: /\n\
        User-agent: *\nAllow: /\n";
    insta::assert_snapshot!(told(file, "f"));
    insta::assert_snapshot!(told(file, "g"));
}

#[test]
fn control_tokens() {
    let file = "User-agent: Google-Extended\nDisallow: /archive/\n\nUser-agent: Applebot-Extended\nDisallow: /\n\n\
        User-agent: *\nContent-Signal: search=yes\n";
    insta::assert_snapshot!(told(file, "Googlebot"));
    insta::assert_snapshot!(told(file, "Applebot"));
    insta::assert_snapshot!(told(file, "ExampleBot"));
    insta::assert_snapshot!(told(file, "Google-Extended"));
    // Without a group of its own, a control token follows the groups for `*`.
    let file = "User-agent: *\nDisallow: /\nContent-Signal: search=yes, use=reference\n";
    insta::assert_snapshot!(told(file, "Googlebot"));
}

#[test]
fn a_closed_site_states_no_content_usage() {
    let file = "User-agent: *\nDisallow: /\nContent-Usage: train-ai=y\n";
    insta::assert_snapshot!(told(file, "ExampleBot"));
    // A longer Allow opens a part, and there the line has its effect.
    let file = "User-agent: *\nDisallow: /\nAllow: /open/\nContent-Usage: train-ai=y\n";
    insta::assert_snapshot!(told(file, "ExampleBot"));
}

#[test]
fn without_any_preference_nothing_is_said() {
    let file = "User-agent: *\nDisallow: /\n";
    assert_eq!(told(file, "Googlebot"), "");
    let policy = Policy::compile(file, &Client::unnamed());
    assert!(FileView::of(&policy).preferences().is_none());
}

#[test]
fn a_matrix_groups_robots_by_their_preferences() {
    let file = "User-agent: *\nContent-Signal: search=yes, ai-train=no\nAllow: /\n\nUser-agent: GPTBot\nUser-agent: CCBot\nAllow: /\n\n\
        User-agent: Google-Extended\nDisallow: /\n\nUser-agent: bingbot\nContent-Signal: ai-input=no\nContent-Signal: /x ai-input=yes\n";
    let robots = Robots::parse(file);
    let asked =
        Robot::list("*,GPTBot,CCBot,Googlebot,Googlebot-News,Google-Extended,Bingbot,Archiver")
            .unwrap();
    let settings = MatrixSettings {
        preferences: Some(SiteQuestion::default()),
        ..MatrixSettings::default()
    };
    let matrix = Matrix::of(&robots, &asked, &settings, Bound::default()).unwrap();
    let groups = matrix.preference_groups();
    let shown: Vec<String> = groups
        .iter()
        .map(|group| {
            let names: Vec<&str> = group.rows.iter().map(|row| &*row.name).collect();
            let labels: Vec<String> = group
                .answers
                .iter()
                .map(abide_analysis::view::UsageAnswer::label)
                .collect();
            format!("{}: {}", names.join(" "), labels.join(" "))
        })
        .collect();
    insta::assert_snapshot!(shown.join("\n"));
    let matrix = Matrix::of(
        &robots,
        &asked,
        &MatrixSettings::default(),
        Bound::default(),
    )
    .unwrap();
    assert!(matrix.preference_groups().is_empty());
}

/// The three answers by a file and the documents beside it, each with its exceptions.
fn site(file: &str, question: &SiteQuestion) -> Vec<String> {
    let robots = Robots::parse(file);
    let policy = robots.policy(&question.add_to(&Client::unnamed()));
    let answers = site_answers_with(&policy, &robots, question);
    let shown = answers.iter().map(|answer| {
        let exceptions = answer.exceptions.iter();
        let exceptions = exceptions.map(|one| format!(" {}={}", one.pattern, one.outcome));
        format!("{}{}", answer.outcome, exceptions.collect::<String>())
    });
    shown.collect()
}

const LICENCE: &str = "https://l.example/a.xml";

fn licence(url: &str) -> Documents {
    let text = format!(
        "<rsl xmlns=\"https://rslstandard.org/rsl\"><content url=\"{url}\"><license>\
         <prohibits type=\"usage\">ai-train</prohibits></license></content></rsl>"
    );
    abide_documents::add_rsl(Documents::default(), LICENCE, text.as_bytes())
}

#[test]
fn answers_for_a_site_with_documents() {
    let file = format!("License: {LICENCE}\nUser-agent: *\nContent-Usage: ai-use=n, search=y\n");
    let ask = |documents: Documents| SiteQuestion {
        documents,
        ..SiteQuestion::default()
    };
    let without = ["unspecified", "disallowed", "allowed"];
    assert_eq!(site(&file, &SiteQuestion::default()), without);
    let all = ["disallowed", "disallowed", "allowed"];
    assert_eq!(site(&file, &ask(licence("/"))), all);
    let part = ["unspecified /news/*=disallowed", "disallowed", "allowed"];
    assert_eq!(site(&file, &ask(licence("/news/*"))), part);
    // A licence for a whole URL counts for the site that it names.
    let whole = ask(licence("https://e.example/news/*"));
    assert_eq!(site(&file, &whole), without);
    let of = |origin: &str| SiteQuestion {
        origin: Some(origin.to_owned()),
        ..whole.clone()
    };
    assert_eq!(site(&file, &of("https://e.example")), part);
    assert_eq!(site(&file, &of("https://other.example")), without);
    // A document that was asked for and is missing leaves the answer open.
    let named = SiteQuestion {
        vocabularies: Some(vec![Vocabulary::Rsl]),
        ..SiteQuestion::default()
    };
    assert_eq!(site(&file, &named), ["unknown"; 3]);
    let seven = SiteQuestion {
        revision: Revision::named("07").unwrap(),
        ..SiteQuestion::default()
    };
    assert_eq!(
        site(&file, &seven),
        ["unspecified", "unspecified", "allowed"]
    );

    let rules =
        br#"[{"location": "/a/", "tdm-reservation": 1}, {"location": "/b/", "tdm-reservation": 1},
        {"location": "/", "tdm-reservation": 0}]"#;
    let tdmrep = ask(abide_documents::add_tdmrep(Documents::default(), rules));
    let permitted = "allowed /a/=disallowed /b/=disallowed";
    assert_eq!(site("", &tdmrep), [permitted, permitted, "unspecified"]);
}

#[test]
fn a_path_without_host_names_the_rule_of_its_tdmrep_json() {
    let rules =
        br#"[{"location": "/a", "tdm-reservation": 0}, {"location": "/", "tdm-reservation": 1}]"#;
    let documents = abide_documents::add_tdmrep(Documents::default(), rules);
    let client = preferences::with_all_preferences(&Client::unnamed());
    let policy = Policy::compile(b"User-agent: *\nDisallow:\n", &client);
    let view = FileView::of(&policy);
    let told = |url: &str| {
        let target = Target::new(url).unwrap().with_documents(&documents);
        sentences::page_preferences(&view, &view.page(&target)).remove(0)
    };
    let said = "Training: disallowed by rule 2 of tdmrep.json (TDMRep).";
    assert_eq!(told("/b"), said);
    let said =
        "Training: disallowed by rule 2 of https://e.example/.well-known/tdmrep.json (TDMRep).";
    assert_eq!(told("https://e.example/b"), said);
}

#[test]
fn a_space_between_signals_is_worse_than_a_semicolon() {
    let severity = |separator: &str| {
        let file =
            format!("User-agent: *\nContent-Signal: search=yes{separator}ai-train=no\nAllow: /\n");
        let found = Linter::new().robots_txt(file.as_bytes(), &Context::default());
        let mut found = found
            .iter()
            .filter(|one| one.rule.code() == "content-signal-separator");
        found.next().map(abide_lint::Finding::severity)
    };
    assert_eq!(severity(";"), Some(Severity::Warning));
    assert_eq!(severity(" "), Some(Severity::Error));
    assert_eq!(severity(", "), None);
}

#[test]
fn cases_with_documents() {
    let text = "[[case]]\nagent = \"ExampleBot\"\nurls = [\"/x\", \"https://e.example/x\"]\n\
        revision = \"07\"\nexpect = { train = \"disallowed\", ai-input = \"no preference\" }\n";
    let cases = Cases::read(text).unwrap();
    let file = format!("License: {LICENCE}\nUser-agent: *\nContent-Usage: ai-use=n\n");
    let failed = |cases: &Cases| {
        let checks = run(cases, file.as_bytes()).unwrap();
        let failures = checks.iter().flat_map(|check| &check.failures);
        failures.map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(failed(&cases).len(), 4, "{:?}", failed(&cases));
    let with = |url: &str| Cases {
        documents: licence(url),
        ..cases.clone()
    };
    assert!(failed(&with("/")).is_empty(), "{:?}", failed(&with("/")));
    let whole = failed(&with("https://e.example/"));
    assert_eq!(whole.len(), 1, "{whole:?}");
    let latest = with("/").with_revision(Revision::latest());
    insta::assert_snapshot!(failed(&latest).join("\n"));
    let others = with("/").with_vocabularies(&[Vocabulary::ContentSignal]);
    insta::assert_snapshot!(failed(&others).join("\n"));
}

const CASES: &str = r#"
[[case]]
agents = ["Googlebot", "ExampleBot"]
url = "/x"
train = "disallowed"
ai-input = "no preference"
search = "allowed"

[[case]]
agent = "ExampleBot"
url = "/x"
vocabularies = ["content-usage"]
expect = { train = "unspecified" }
"#;

#[test]
fn cases_expect_preferences() {
    let cases = Cases::read(CASES).unwrap();
    let file = b"User-agent: *\nContent-Signal: search=yes, ai-train=no\nAllow: /\n\nUser-agent: Google-Extended\nDisallow: /\n";
    let checks = run(&cases, file).unwrap();
    let failed: Vec<String> = checks
        .iter()
        .flat_map(|check| {
            check
                .failures
                .iter()
                .map(|failure| format!("{} {:?}: {failure}", check.agent, failure.vocabulary))
        })
        .collect();
    insta::assert_snapshot!(failed.join("\n"));
    let explained = checks.iter().flat_map(|check| &check.explanation);
    let explained: Vec<&str> = explained.map(String::as_str).collect();
    insta::assert_snapshot!(explained.join("\n"));

    let without = run(
        &cases,
        b"User-agent: *\nContent-Signal: ai-train=yes\nContent-Usage: train-ai=n\nDisallow: /\n",
    )
    .unwrap();
    let failed = without.iter().flat_map(|check| &check.failures);
    let failed: Vec<String> = failed.map(ToString::to_string).collect();
    insta::assert_snapshot!(failed.join("\n"));
}

#[test]
fn mistakes_in_cases_about_preferences() {
    let text = "[[case]]\nagent = \"f\"\nurl = \"/\"\ntrain = \"no preferense\"\n\n\
        [[case]]\nagent = \"f\"\nurl = \"/\"\ncrawl = \"no preference\"\n\n\
        [[case]]\nagent = \"f\"\nurl = \"/\"\nsearch = \"allowed\"\nvocabulary = \"content-signals\"\n\n\
        [[case]]\nagent = \"f\"\nurl = \"/\"\ntrian = \"allowed\"\n\n\
        [[case]]\nagent = \"f\"\nurl = \"/\"\nsearch = \"allowed\"\nrevision = \"7\"\n\n\
        [[case]]\nagent = \"f\"\nurl = \"/\"\nsearch = \"allowed\"\nexpect = { search = \"allowed\" }\n";
    insta::assert_snapshot!(Cases::read(text).unwrap_err());
}

#[test]
fn cases_are_made_for_preferences() {
    let file = b"User-agent: *\nContent-Signal: search=yes, ai-train=no\nContent-Signal: /blog/ ai-train=yes\nDisallow: /tmp/\n\n\
        User-agent: Googlebot\nContent-Usage: train-ai=n\nAllow: /\n\nUser-agent: Google-Extended\nDisallow: /\n";
    let made = make(file, "robots.txt");
    insta::assert_snapshot!(made);
    let checks = run(&Cases::read(&made).unwrap(), file).unwrap();
    assert!(checks.iter().all(|check| check.passed), "{checks:#?}");

    // What needs a licence document is not expected.
    let file = b"License: https://l.example/a.xml\nUser-agent: *\nContent-Signal: search=yes, ai-train=no\n";
    let made = make(file, "robots.txt");
    assert!(
        made.contains("train = \"disallowed\"") && !made.contains("search ="),
        "{made}"
    );
    let plain = make(
        b"User-agent: *\nDisallow: /\nUser-agent: Googlebot\nAllow: /\n",
        "robots.txt",
    );
    assert!(!plain.contains("train"), "{plain}");
}
