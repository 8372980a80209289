//! What is counted, beside counts by hand and beside a slow count of the same rows.

use crate::survey::{Capture, Format, Survey, one, read, weighted};
use abide_contract::schema;
use abide_survey::report::{Document, Numbers, Panel, Period, Settings};
use abide_survey::schema::Table;
use abide_testkit::generated::assert_up_to_date;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

const GPT: (&str, Option<&str>) = ("GPTBot", Some("ai-training"));
const CC: (&str, Option<&str>) = ("CCBot", Some("ai-training"));
const ANY: (&str, Option<&str>) = ("*", None);

fn robots(
    gpt: &'static str,
    cc: &'static str,
    any: &'static str,
) -> [(&'static str, Option<&'static str>, &'static str); 3] {
    [(GPT.0, GPT.1, gpt), (CC.0, CC.1, cc), (ANY.0, ANY.1, any)]
}

/// Seven captures of five sites.
pub(crate) fn small() -> Survey {
    let mut survey = Survey::default();
    for (host, date, state, robots) in [
        (
            "a.example",
            "2026-01-05",
            "rules",
            robots("open", "open", "open"),
        ),
        (
            "b.example",
            "2026-01-06",
            "rules",
            robots("closed", "open", "partly"),
        ),
        (
            "c.example",
            "2026-01-07",
            "missing",
            robots("open", "open", "open"),
        ),
        (
            "a.example",
            "2026-03-01",
            "rules",
            robots("closed", "closed", "open"),
        ),
        // Out of the order of dates: not the last capture of its site.
        (
            "a.example",
            "2026-02-01",
            "rules",
            robots("partly", "open", "open"),
        ),
        (
            "d.example",
            "2026-03-02",
            "html",
            robots("open", "open", "open"),
        ),
        (
            "e.example",
            "2026-03-03",
            "unreachable",
            robots("closed", "closed", "closed"),
        ),
    ] {
        let date = Some(date);
        survey.capture(&Capture {
            host,
            date,
            state,
            robots: &robots,
        });
    }
    for (capture, names) in [
        (0, "Old"),
        (1, "gptbot CCBot"),
        (1, "GPTBot"),
        (1, "*"),
        (3, "GPTBot *"),
    ] {
        survey.row(Table::Groups, &json!({"capture": capture, "names": names}));
    }
    for (capture, code, severity) in [
        (0, "old", "info"),
        (1, "site-closed", "warning"),
        (3, "site-closed", "warning"),
        (3, "site-closed", "warning"),
        (3, "pattern-space", "error"),
        (5, "html-page", "error"),
    ] {
        survey.row(
            Table::Findings,
            &json!({"capture": capture, "code": code, "severity": severity, "message": "x"}),
        );
    }
    survey.row(
        Table::Errors,
        &json!({"source": "x.warc.gz", "code": "gzip-truncated"}),
    );
    survey
}

#[test]
fn each_site_counts_once_with_its_last_capture() {
    let numbers = small().numbers();
    let coverage = &numbers["coverage"];
    assert_eq!(
        coverage,
        &json!({"captures": 7, "sites": 5, "answered": 3, "with_file": 2, "first_day": "2026-01-05",
            "last_day": "2026-03-03", "undated": 0, "misdated": 0, "complete": true})
    );
    let gpt = one(&numbers["robots"]["robots"], "robot", "GPTBot");
    assert_eq!(
        gpt["classes"],
        json!({"sites": 3, "open": 1, "partly": 0, "closed": 2, "unknown": 0})
    );
    assert_eq!(gpt["named"], 3);
    let kinds = &numbers["robots"]["kinds"];
    assert_eq!(
        kinds[0],
        json!({"kind": "ai-training", "robots": 2, "sites": 3, "all_closed": 1, "some_closed": 1,
            "partly": 0, "all_open": 1, "unknown": 0})
    );
    assert_eq!(kinds[1]["kind"], "every-other");
    assert_eq!(kinds[1]["partly"], 1);
    assert_eq!(
        numbers["states"],
        json!([
            {"state": "rules", "answers": true, "sites": 2},
            {"state": "missing", "answers": true, "sites": 1},
            {"state": "unreachable", "answers": false, "sites": 1},
            {"state": "html", "answers": false, "sites": 1},
        ])
    );
    assert_eq!(
        numbers["statuses"],
        json!([
            {"status": null, "sites": 1}, {"status": 200, "sites": 3}, {"status": 404, "sites": 1}
        ])
    );
}

#[test]
fn over_time_each_site_counts_once_in_each_period() {
    let time = &small().numbers()["over_time"];
    assert_eq!(time["period"], "month");
    let months = time["periods"].as_array().unwrap();
    let labels: Vec<&str> = months
        .iter()
        .map(|month| month["label"].as_str().unwrap())
        .collect();
    assert_eq!(labels, ["2026-01", "2026-02", "2026-03"]);
    let counts = |at: usize| {
        let month = &months[at];
        let gpt = &one(&month["robots"], "robot", "GPTBot")["classes"];
        let count = |value: &Value| value.as_u64().unwrap();
        (
            count(&month["sites"]),
            count(&month["answered"]),
            count(&gpt["closed"]),
            count(&gpt["partly"]),
            count(&gpt["sites"]),
        )
    };
    assert_eq!(counts(0), (3, 3, 1, 0, 3));
    assert_eq!(counts(1), (1, 1, 0, 1, 1));
    assert_eq!(counts(2), (3, 1, 1, 0, 1));
    assert_eq!(months[2]["kinds"][0]["all_closed"], 1);
}

#[test]
fn names_and_findings_count_once_for_each_file() {
    let numbers = small().numbers();
    assert_eq!(
        numbers["names"],
        json!({"sites": 2, "any": 2, "missing": 0, "names": [
            {"name": "GPTBot", "known": true, "sites": 2},
            {"name": "CCBot", "known": true, "sites": 1},
        ]})
    );
    assert_eq!(
        numbers["findings"],
        json!([
            {"code": "site-closed", "severity": "warning", "sites": 2, "findings": 3},
            {"code": "pattern-space", "severity": "error", "sites": 1, "findings": 1},
        ])
    );
    assert_eq!(
        numbers["errors"],
        json!([{"code": "gzip-truncated", "errors": 1}])
    );
}

#[test]
fn the_formats_of_tables_give_the_same_numbers() {
    let mut survey = small();
    // A spreadsheet would run these names: CSV has them with an apostrophe.
    survey.capture(&Capture {
        host: "formula.example",
        date: Some("2026-03-01"),
        state: "rules",
        robots: &[("=1+1", None, "open"), ("'=1+1", None, "open")],
    });
    let expected = survey.numbers();
    for format in [Format::Parquet, Format::Csv, Format::JsonLines] {
        let folder = survey.write(format);
        let numbers = read(folder.path()).unwrap();
        assert_eq!(
            serde_json::to_value(&numbers).unwrap(),
            expected,
            "{format:?}"
        );
    }
}

#[test]
fn the_schema_is_that_of_the_numbers() {
    let schema = schema::of::<Numbers>("abide report --format json");
    assert_up_to_date("schema/report.json", &schema::text(&schema));
}

#[test]
fn the_numbers_fit_their_schema() {
    let schema = include_str!("../../../../schema/report.json");
    let schema = jsonschema::validator_for(&serde_json::from_str(schema).unwrap()).unwrap();
    let mut undated = Survey::default();
    undated.capture(&Capture {
        host: "a.example",
        date: None,
        state: "no-fields",
        robots: &[],
    });
    let only_files = small().without(Table::Robots).without(Table::Groups);
    let only_files = only_files.without(Table::Findings).without(Table::Errors);
    let mut none = Survey::default();
    none.empty(Table::Files);
    for survey in [small(), undated, only_files, none, random(1)] {
        let numbers = survey.numbers();
        let errors: Vec<String> = schema
            .iter_errors(&numbers)
            .map(|error| error.to_string())
            .collect();
        assert!(errors.is_empty(), "{numbers}: {errors:?}");
    }
}

#[test]
fn what_was_not_modified_does_not_replace_the_file() {
    let mut survey = Survey::default();
    for (host, date, state) in [
        ("a.example", "2026-01-05", "rules"),
        ("a.example", "2026-01-06", "not-modified"),
        ("b.example", "2026-01-06", "not-modified"),
    ] {
        let date = Some(date);
        survey.capture(&Capture {
            host,
            date,
            state,
            robots: &robots("closed", "open", "open"),
        });
    }
    let numbers = survey.numbers();
    assert_eq!(numbers["coverage"]["sites"], 2);
    assert_eq!(numbers["coverage"]["answered"], 1);
    assert_eq!(numbers["states"][1]["state"], "not-modified");
}

#[test]
fn captures_without_a_believable_date_come_first() {
    let mut survey = Survey::default();
    let date = [
        Some("2026-01-05"),
        None,
        Some("1970-01-01"),
        Some("2101-01-01"),
    ];
    for (at, date) in date.into_iter().enumerate() {
        let state = if at == 0 { "rules" } else { "unreachable" };
        survey.capture(&Capture {
            host: "a.example",
            date,
            state,
            robots: &[],
        });
    }
    let numbers = survey.numbers();
    assert_eq!(numbers["coverage"]["answered"], 1);
    assert_eq!(numbers["coverage"]["undated"], 1);
    assert_eq!(numbers["coverage"]["misdated"], 2);
    assert_eq!(numbers["over_time"]["periods"].as_array().unwrap().len(), 1);
}

#[test]
fn rows_about_further_paths_do_not_count_a_site_again() {
    let mut survey = Survey::default();
    survey.capture(&Capture {
        host: "a.example",
        date: None,
        state: "rules",
        robots: &robots("closed", "open", "open"),
    });
    for robot in ["GPTBot", "CCBot"] {
        survey.row(
            Table::Robots,
            &json!({"capture": 0, "robot": robot, "kind": "ai-training", "path": "/x", "class": "closed"}),
        );
    }
    let robots = &survey.numbers()["robots"];
    assert_eq!(robots["path"], "/");
    let gpt = one(&robots["robots"], "robot", "GPTBot");
    assert_eq!(gpt["classes"]["sites"], 1);
    assert_eq!(robots["kinds"][0]["all_closed"], 0);
}

/// A survey of 40 sites with about 3 captures each, different for each `seed`.
pub(crate) fn random(seed: u64) -> Survey {
    random_of(seed, 40, 120)
}

fn random_of(seed: u64, sites: u64, captures: u64) -> Survey {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = move |below: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state % below
    };
    let states = [
        "rules",
        "rules",
        "empty",
        "cut",
        "missing",
        "unreachable",
        "html",
        "not-modified",
    ];
    let classes = ["open", "partly", "closed", "unknown"];
    let mut survey = Survey::default();
    for _ in 0..captures {
        let host = format!("host-{}.example", next(sites));
        let day = format!("20{}-{:02}-{:02}", 24 + next(3), 1 + next(12), 1 + next(28));
        let mut class = || classes[usize::try_from(next(4)).unwrap()];
        let robots = robots(class(), class(), class());
        let date = (next(9) > 0).then_some(&*day);
        let state = states[usize::try_from(next(8)).unwrap()];
        let number = survey.capture(&Capture {
            host: &host,
            date,
            state,
            robots: &robots,
        });
        for group in 0..next(3) {
            let names = ["GPTBot", "*", "gptbot CCBot", "Other"][usize::try_from(next(4)).unwrap()];
            survey.row(
                Table::Groups,
                &json!({"capture": number, "group": group, "names": names}),
            );
        }
        for _ in 0..next(3) {
            let code = ["one", "two", "three"][usize::try_from(next(3)).unwrap()];
            survey.row(
                Table::Findings,
                &json!({"capture": number, "code": code, "severity": "info"}),
            );
        }
    }
    survey
}

/// Whether the row of a capture says what robots may do.
fn answers(file: &Map<String, Value>) -> bool {
    matches!(
        file["state"].as_str(),
        Some("rules" | "empty" | "cut" | "missing")
    )
}

/// The last captures of each site in each period, whose name is the beginning of the date, if one
/// of its captures answers.
fn slow_periods(survey: &Survey, length: usize) -> BTreeMap<String, BTreeSet<u64>> {
    let (_, mut periods) = slow_census(survey, length);
    let is_answered = survey
        .rows(Table::Files)
        .iter()
        .filter(|file| answers(file));
    let dates = is_answered.filter_map(|file| file["date"].as_str()?.get(..length));
    let dates: BTreeSet<&str> = dates.collect();
    periods.retain(|period, _| dates.contains(&**period));
    periods
}

/// The captures that count, by sorting all captures of each site: the last of each site, and the
/// last of each site and period, whose name is the beginning of the date.
fn slow_census(survey: &Survey, length: usize) -> (BTreeSet<u64>, BTreeMap<String, BTreeSet<u64>>) {
    let mut captures: Vec<(String, bool, String, u64)> = Vec::new();
    for row in survey.rows(Table::Files) {
        captures.push((
            row["host"].as_str().unwrap().to_owned(),
            row["state"] != "not-modified",
            row["date"].as_str().unwrap_or_default().to_owned(),
            row["capture"].as_u64().unwrap(),
        ));
    }
    captures.sort();
    let mut last = BTreeMap::new();
    let mut months: BTreeMap<(String, String), u64> = BTreeMap::new();
    for (host, _, date, capture) in captures {
        last.insert(host.clone(), capture);
        if let Some(month) = date.get(..length) {
            months.insert((host, month.to_owned()), capture);
        }
    }
    let mut by_month: BTreeMap<String, BTreeSet<u64>> = BTreeMap::new();
    for ((_, month), capture) in months {
        by_month.entry(month).or_default().insert(capture);
    }
    (last.into_values().collect(), by_month)
}

/// Counts a robot's classes among `captures` that answer.
fn slow_classes(survey: &Survey, captures: &BTreeSet<u64>, robot: &str) -> Value {
    let answers =
        |capture: u64| answers(&survey.rows(Table::Files)[usize::try_from(capture).unwrap()]);
    let mut counts: BTreeMap<&str, u64> = ["sites", "open", "partly", "closed", "unknown"]
        .map(|name| (name, 0))
        .into();
    for row in survey.rows(Table::Robots) {
        let capture = row["capture"].as_u64().unwrap();
        if row["robot"] == robot && captures.contains(&capture) && answers(capture) {
            *counts.get_mut("sites").unwrap() += 1;
            *counts.get_mut(row["class"].as_str().unwrap()).unwrap() += 1;
        }
    }
    json!(counts)
}

#[test]
fn a_slow_count_agrees() {
    for seed in 0..20 {
        let survey = random(seed);
        let folder = survey.write(Format::Parquet);
        let mut settings = Settings::default();
        settings.period = Some(Period::Month);
        let numbers = Numbers::read(folder.path(), &settings).unwrap();
        let numbers = serde_json::to_value(&numbers).unwrap();
        let (last, months) = slow_census(&survey, 7);
        assert_eq!(numbers["coverage"]["sites"], last.len());
        for robot in numbers["robots"]["robots"].as_array().unwrap() {
            let name = robot["robot"].as_str().unwrap();
            assert_eq!(
                robot["classes"],
                slow_classes(&survey, &last, name),
                "{seed}"
            );
        }
        let mut periods = 0;
        for period in numbers["over_time"]["periods"].as_array().unwrap() {
            let empty = BTreeSet::new();
            let captures = months
                .get(period["label"].as_str().unwrap())
                .unwrap_or(&empty);
            assert_eq!(period["sites"], captures.len());
            for robot in period["robots"].as_array().unwrap() {
                let name = robot["robot"].as_str().unwrap();
                assert_eq!(
                    robot["classes"],
                    slow_classes(&survey, captures, name),
                    "{seed}"
                );
                periods += 1;
            }
        }
        assert!(periods > 60, "{periods}");
    }
}

#[test]
fn the_numbers_do_not_depend_on_how_many_sites_fit_in_memory() {
    for seed in 0..5 {
        let survey = random(seed);
        let expected = survey.numbers();
        let folder = survey.write(Format::JsonLines);
        for most in [1, 2, 7, 50] {
            let mut settings = Settings::default();
            settings.captures_in_memory = most;
            let numbers = Numbers::read(folder.path(), &settings).unwrap();
            assert_eq!(
                serde_json::to_value(&numbers).unwrap(),
                expected,
                "{seed} {most}"
            );
        }
    }
}

#[test]
fn very_many_names_are_counted_in_bounded_memory() {
    let mut survey = Survey::default();
    for at in 0..300 {
        let host = format!("host-{at}.example");
        let state = "rules";
        let number = survey.capture(&Capture {
            host: &host,
            date: None,
            state,
            robots: &[],
        });
        let names = format!("GPTBot once-{at}-a once-{at}-b");
        survey.row(Table::Groups, &json!({"capture": number, "names": names}));
    }
    let folder = survey.write(Format::JsonLines);
    let mut settings = Settings::default();
    settings.names_in_memory = 20;
    let numbers = Numbers::read(folder.path(), &settings).unwrap();
    let names = numbers.names.as_ref().unwrap();
    let first = names.names.first().unwrap();
    assert_eq!(first.name, "GPTBot");
    assert!(names.missing > 0 && names.names.len() <= 20);
    assert!(
        first.sites.number() + names.missing >= 300,
        "{first:?} {}",
        names.missing
    );
    let page = Document::new(&numbers, None).html().unwrap();
    assert!(page.contains("too low"));
}

/// Those that somebody named, as they named them; then `*`; then the others by their counts.
#[test]
fn robots_that_a_survey_names_come_first() {
    let mut survey = Survey::default();
    survey.asked = vec![
        "SomeBot/1.0 (+https://a.example), Gecko",
        "CCBot, @search,*",
        "GPTBot",
    ];
    let closed = [("*", None, "closed"), ("YandexBot", Some("search"), "open")];
    let others = ["Bingbot", "GPTBot", "CCBot", "SomeBot"].map(|name| (name, None, "open"));
    let robots = [&closed[..], &others, &[("Zbot", None, "closed")]].concat();
    survey.capture(&Capture {
        host: "a.example",
        date: Some("2026-01-01"),
        state: "rules",
        robots: &robots,
    });
    let numbers = survey.numbers();
    let order = |robots: &Value| -> Vec<String> {
        let robots = robots.as_array().unwrap().iter();
        robots
            .map(|one| one["robot"].as_str().unwrap().to_owned())
            .collect()
    };
    let expected = [
        "SomeBot",
        "CCBot",
        "GPTBot",
        "*",
        "Zbot",
        "Bingbot",
        "YandexBot",
    ];
    assert_eq!(order(&numbers["robots"]["robots"]), expected);
    assert_eq!(
        order(&numbers["over_time"]["periods"][0]["robots"]),
        expected
    );
}

/// A site is in a balanced panel if its last capture answers in every month with an answer.
#[test]
fn a_balanced_panel_has_the_sites_of_every_period() {
    let mut kept = 0;
    for seed in 0..12 {
        // Few sites and quarters, so that some answer in all.
        let survey = random_of(seed, 4, 160);
        let mut settings = Settings::default();
        settings.period = Some(Period::Year);
        settings.panel = Panel::Balanced;
        let numbers = survey.numbers_with(&settings);
        let years = slow_periods(&survey, 4);
        let mut sites: BTreeMap<&str, usize> = BTreeMap::new();
        for captures in years.values() {
            for capture in captures {
                let file = &survey.rows(Table::Files)[usize::try_from(*capture).unwrap()];
                if answers(file) {
                    *sites.entry(file["host"].as_str().unwrap()).or_default() += 1;
                }
            }
        }
        let time = &numbers["over_time"];
        let wanted = sites
            .values()
            .filter(|count| **count == years.len())
            .count();
        assert_eq!(time["panel"]["kept"], wanted, "{seed}");
        assert_eq!(time["panel"]["dropped"], sites.len() - wanted, "{seed}");
        for period in time["periods"].as_array().unwrap() {
            assert_eq!(period["sites"], wanted, "{seed}");
            assert_eq!(period["answered"], wanted, "{seed}");
            for robot in period["robots"].as_array().unwrap() {
                assert_eq!(robot["classes"]["sites"], wanted, "{seed}");
            }
        }
        settings.panel = Panel::All;
        let all = survey.numbers_with(&settings);
        assert_eq!(all["over_time"]["panel"], Value::Null);
        assert_eq!(
            all["robots"], numbers["robots"],
            "the panel is about time alone"
        );
        let mut settings = settings.clone();
        settings.panel = Panel::Balanced;
        settings.captures_in_memory = 3;
        assert_eq!(survey.numbers_with(&settings), numbers, "{seed}");
        kept += wanted;
    }
    assert!(kept > 8, "{kept}");
}

/// What a count is without its weights.
fn without_weights(mut numbers: Value) -> Value {
    fn walk(value: &mut Value) {
        if let Some(sites) = value.get("weight").and(value.get("sites")) {
            *value = sites.clone();
        }
        match value {
            Value::Object(members) => members.values_mut().for_each(walk),
            Value::Array(items) => items.iter_mut().for_each(walk),
            _ => {}
        }
    }
    walk(&mut numbers);
    numbers["weights"] = Value::Null;
    numbers
}

#[test]
fn weights_change_no_number_of_sites() {
    for seed in 0..5 {
        let survey = random(seed);
        let hosts = (0..40).map(|host| format!("HOST-{host}.example,1\r\n"));
        let csv = format!("host,weight\r\n{}", hosts.collect::<String>());
        let numbers = survey.numbers_with(&weighted(&csv).unwrap());
        let sites = &numbers["coverage"]["sites"];
        assert_eq!(sites["weight"].as_f64(), sites["sites"].as_f64());
        assert_eq!(numbers["weights"]["without"], 0);
        assert_eq!(without_weights(numbers), survey.numbers(), "{seed}");
    }
}

#[test]
fn shares_are_of_weights() {
    let survey = small();
    let csv = "rank,weight,host\n1,0.25,a.example\n\n2,3,C.example\n3,1e6,elsewhere.example\n";
    let settings = weighted(csv).unwrap();
    let numbers = survey.numbers_with(&settings);
    assert_eq!(
        numbers["weights"],
        json!({"hosts": 3, "matched": 2, "without": 3})
    );
    let gpt = one(&numbers["robots"]["robots"], "robot", "GPTBot");
    assert_eq!(gpt["classes"]["sites"], json!({"sites": 3, "weight": 3.25}));
    // b.example is closed too, and has no weight.
    assert_eq!(
        gpt["classes"]["closed"],
        json!({"sites": 2, "weight": 0.25})
    );
    assert_eq!(
        gpt["classes"]["unknown"],
        json!({"sites": 0, "weight": 0.0})
    );
    let schema = include_str!("../../../../schema/report.json");
    let schema = jsonschema::validator_for(&serde_json::from_str(schema).unwrap()).unwrap();
    assert!(schema.is_valid(&numbers));
    let mut settings = settings;
    settings.captures_in_memory = 2;
    assert_eq!(survey.numbers_with(&settings), numbers);
    let folder = survey.write(Format::Csv);
    let numbers = Numbers::read(folder.path(), &settings).unwrap();
    let page = Document::new(&numbers, None).html().unwrap();
    assert!(page.contains("2, weight 0.25 (7.7%)"), "{page}");
    assert!(page.contains(
        "2 of 3 hosts with a weight are sites of the survey, and 3 sites are without a weight"
    ));
}
