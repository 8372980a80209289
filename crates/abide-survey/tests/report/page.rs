//! The page as text: safe, complete, and the same for the same survey.

use crate::counting::{random, small};
use crate::survey::{Capture, Format, Survey, read};
use abide_survey::report::Document;
use abide_survey::schema::Table;
use base64::Engine as _;
use serde_json::json;

/// Names that end an element, an attribute, an entity, a line or the direction of text.
pub(crate) const HOSTILE: [&str; 6] = [
    "<script>alert(1)</script>",
    "\"><img src=http://evil.example/x onerror=alert(1)>",
    "' onload='alert(1)",
    "&lt;b&gt;",
    "\u{202e}txt.exe\u{0}\u{1b}[31m",
    "]]></style></title></svg><!--",
];

/// A survey whose every name is hostile.
pub(crate) fn hostile() -> Survey {
    let mut survey = small();
    let long = "x".repeat(5000);
    for name in HOSTILE.into_iter().chain([&*long]) {
        let robots = [
            (name, Some(name), "closed"),
            ("GPTBot", Some("ai-training"), "open"),
        ];
        let number = survey.capture(&Capture {
            host: name,
            date: Some("2026-04-01"),
            state: "rules",
            robots: &robots,
        });
        survey.row(Table::Groups, &json!({"capture": number, "names": name}));
        survey.row(
            Table::Findings,
            &json!({"capture": number, "code": name, "severity": name}),
        );
        survey.row(Table::Errors, &json!({"source": name, "code": name}));
    }
    survey
}

/// The page about a survey.
pub(crate) fn page(survey: &Survey, title: Option<&str>) -> String {
    let folder = survey.write(Format::JsonLines);
    let numbers = read(folder.path()).unwrap();
    Document::new(&numbers, title).html().unwrap()
}

#[test]
fn names_stay_text() {
    let page = page(&hostile(), Some("<script>title()</script>"));
    assert!(page.contains("&#60;script&#62;alert(1)"), "{page}");
    for part in [
        "<script",
        "<img",
        "</style></title>",
        "\u{202e}",
        "\u{1b}",
        "\u{0}",
    ] {
        assert!(!page.contains(part), "{part:?}");
    }
    assert_eq!(page.matches("<style>").count(), 1);
    assert!(
        !page.contains(" style="),
        "the policy allows no style attributes"
    );
    assert!(!page.contains(&"x".repeat(300)), "long names are cut");
}

/// Ties are cut by what people asked for, not by the alphabet.
#[test]
fn robots_that_a_survey_names_are_in_the_charts() {
    let names = (0..60).map(|number| format!("Aaa{number:02}"));
    let names: Vec<String> = ["MyOwnBot".to_owned()].into_iter().chain(names).collect();
    let class = |name: &str| match name {
        "MyOwnBot" | "Googlebot" => "open",
        _ => "closed",
    };
    let known = ["YandexImages", "YandexBot", "Googlebot", "*"];
    let robots: Vec<_> = names
        .iter()
        .map(String::as_str)
        .chain(known)
        .map(|name| (name, Some("search"), class(name)))
        .collect();
    let mut survey = Survey::default();
    survey.asked = vec!["MyOwnBot,@search", "Googlebot"];
    for date in ["2026-04-01", "2026-05-01"] {
        let host = format!("{date}.example");
        survey.capture(&Capture {
            host: &host,
            date: Some(date),
            state: "rules",
            robots: &robots,
        });
    }
    let page = page(&survey, None);
    let figures = page.split("<figure").skip(1);
    let charts: Vec<&str> = figures
        .map(|one| one.split("<p class=\"note\"").next().unwrap())
        .collect();
    let chart = |title: &str| *charts.iter().find(|one| one.contains(title)).unwrap();
    let bars = chart("by robot");
    for chart in [bars, chart("closed to each robot")] {
        for name in ["MyOwnBot", "Googlebot", "every other robot"] {
            assert!(chart.contains(name), "{name}: {chart}");
        }
        assert!(!chart.contains("Aaa58"), "{chart}");
    }
    let at = |name| bars.find(name).unwrap();
    assert!(at(">MyOwnBot ") < at(">Googlebot ") && at(">Googlebot ") < at(">every other"));
    assert!(bars.contains("YandexBot and 1 other"), "{bars}");
    assert!(!bars.contains("YandexImages"), "{bars}");
}

#[test]
fn the_policy_allows_the_style_of_the_page() {
    let page = page(&small(), None);
    let style = page.split("<style>").nth(1).unwrap();
    let style = style.split("</style>").next().unwrap();
    let hash = ring::digest::digest(&ring::digest::SHA256, style.as_bytes());
    let hash = base64::engine::general_purpose::STANDARD.encode(hash);
    assert!(
        page.contains(&format!("'sha256-{hash}'")),
        "STYLE_HASH in src/report/page.rs must be {hash}"
    );
}

#[test]
fn the_page_refers_to_nothing_outside() {
    let page = page(&small(), None);
    // The name of the format of SVG is no address that anything loads.
    let page = page.replace("xmlns=\"http://www.w3.org/2000/svg\"", "");
    for part in [
        "http:",
        "https:",
        "//",
        "url(",
        "@import",
        "<script",
        "<link rel=\"style",
    ] {
        assert!(!page.contains(part), "{part}");
    }
    assert!(page.contains("<link rel=\"icon\" href=\"data:,\">"));
}

#[test]
fn the_same_survey_gives_the_same_page() {
    let survey = random(3);
    assert_eq!(page(&survey, None), page(&survey, None));
}

#[test]
fn the_summary_says_what_matters() {
    let folder = small().write(Format::Csv);
    let document = Document::new(&read(folder.path()).unwrap(), None);
    let sentences: Vec<String> = document.summary.iter().map(ToString::to_string).collect();
    let about = document.about.to_string();
    insta::assert_snapshot!(format!("{about}\n{}", sentences.join("\n")));
}

/// One, all and none are said as people say them.
#[test]
fn sentences_fit_their_numbers() {
    let sentences = |states: &[(&'static str, &'static str)]| {
        let mut survey = Survey::default();
        for (host, (state, class)) in ["a", "b", "c", "d"].into_iter().zip(states) {
            survey.capture(&Capture {
                host,
                date: None,
                state,
                robots: &[
                    ("GPTBot", Some("ai-training"), class),
                    ("CCBot", Some("ai-training"), "open"),
                    ("*", None, class),
                ],
            });
        }
        let folder = survey.write(Format::Csv);
        let document = Document::new(&read(folder.path()).unwrap(), None);
        let sentences = document.summary.iter().map(ToString::to_string);
        [document.title.to_string(), document.about.to_string()]
            .into_iter()
            .chain(sentences)
            .collect::<Vec<_>>()
            .join("\n")
    };
    insta::assert_snapshot!(sentences(&[("rules", "closed")]));
    insta::assert_snapshot!(sentences(&[("missing", "open")]));
    insta::assert_snapshot!(sentences(&[("rules", "closed"), ("rules", "closed")]));
    insta::assert_snapshot!(sentences(&[("missing", "open"), ("missing", "open")]));
    insta::assert_snapshot!(sentences(&[
        ("rules", "closed"),
        ("missing", "open"),
        ("unreachable", "closed"),
        ("html", "open")
    ]));
    insta::assert_snapshot!(sentences(&[
        ("rules", "open"),
        ("html", "open"),
        ("json", "open"),
        ("redirect-not-followed", "unknown")
    ]));
}

#[test]
fn hardly_any_is_not_none_in_a_chart() {
    let mut survey = Survey::default();
    for site in 0..2_001 {
        let acap = u32::from(site == 7);
        survey.row(
            Table::Files,
            &json!({"capture": site, "host": site.to_string(), "state": "rules", "acap_lines": acap}),
        );
    }
    let page = page(&survey, None);
    assert!(page.contains("1 (under 0.1%)"));
    // In the wide chart and in the narrow one.
    assert_eq!(page.matches(">&#60;0.1%</text>").count(), 2);
}

#[test]
fn every_chart_has_its_numbers_as_a_table() {
    for survey in [small(), random(2), hostile()] {
        let page = page(&survey, None);
        let count = |part: &str| page.matches(part).count();
        assert!(count("<div class=\"chart wide\">") >= 8);
        assert_eq!(
            count("<div class=\"chart wide\">"),
            count("<div class=\"chart narrow\">")
        );
        // Many periods have more than one table, so that each one fits on paper.
        assert!(count("<figure") <= count("<table>"));
        assert_eq!(count("<figure"), count("<details"));
        assert_eq!(
            count("role=\"img\""),
            2 * count("<div class=\"chart wide\">")
        );
        assert_eq!(
            count(" download=\""),
            2 * count("<div class=\"chart wide\">")
        );
    }
}
