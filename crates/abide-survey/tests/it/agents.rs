//! The names in files, and what they may crawl.

use crate::Trial;
use crate::archive::{compressed, response};
use abide_known_robots::Robot;
use abide_survey::schema::Table;
use abide_testkit::corpus;
use abide_testkit::preference_files::Dice;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

#[test]
fn each_user_agent_line_has_a_row() {
    let file = b"User-agent: GPTBot, CCBot\nUser-agent: Mozilla/5.0 (compatible; FooBot/1.0)\n\
        Disallow: /\nUser-agent: *bot*\nUser-agent:\nAllow: /\nUser-agent: *\nDisallow: /y\n\
        User-agent: caf\xe9\nDisallow: /x7f3q\n";
    let trial = Trial::new().with("a.example.txt", file);
    trial.run();
    let columns = [
        "group", "line", "text", "token", "known", "kind", "class", "rest",
    ];
    let rows = trial.rows(Table::Agents);
    let row = |row: &Value| -> Value { columns.iter().map(|name| row[*name].clone()).collect() };
    let rows: Vec<Value> = rows.iter().map(row).collect();
    let foobot = "Mozilla/5.0 (compatible; FooBot/1.0)";
    assert_eq!(
        rows[..5],
        [
            json!([
                0,
                1,
                "GPTBot, CCBot",
                "GPTBot",
                true,
                "ai-training",
                "closed",
                "prohibited"
            ]),
            json!([0, 2, foobot, "Mozilla", false, null, "closed", "prohibited"]),
            json!([1, 4, "*bot*", null, false, null, null, null]),
            json!([1, 5, "", null, false, null, null, null]),
            json!([2, 7, "*", "*", false, null, "partly", "permitted"]),
        ]
    );
    assert_eq!(rows[5][2], "caf\\xe9");
    let classes = trial.cells(Table::Groups, "class");
    assert_eq!(
        classes[..3],
        [json!("closed"), json!(null), json!("partly")]
    );
}

/// By name, class and host.
fn classes(rows: &[Value], name: &str) -> BTreeMap<(String, String), [Value; 2]> {
    let named = rows
        .iter()
        .filter(|row| row[name].is_string() && row["class"].is_string());
    let row = |row: &Value| {
        let text = |of: &str| row[of].as_str().unwrap().to_lowercase();
        (
            (text("host"), text(name)),
            ["class", "rest"].map(|of| row[of].clone()),
        )
    };
    named.map(row).collect()
}

/// What `agents` says is what a survey says that asks about each of these robots.
fn answers_are_those_of_asking(files: &[(String, Vec<u8>)]) -> usize {
    let mut trial = Trial::new();
    for (name, bytes) in files {
        trial = trial.with(&format!("{name}.txt"), bytes);
    }
    trial.run();
    let agents = trial.rows(Table::Agents);
    let found = classes(&agents, "token");
    let names: BTreeSet<&str> = agents
        .iter()
        .filter_map(|row| row["token"].as_str())
        .collect();
    let names = names.into_iter().filter_map(|name| Robot::list(name).ok());
    trial.survey.options.robots = names.flatten().collect();
    trial.survey.options.literal = true;
    trial.survey.folder = trial.folder.path().join("asked");
    trial.run();
    let asked = classes(&trial.rows(Table::Robots), "robot");
    for (key, class) in &found {
        let Some(expected) = asked.get(key) else {
            continue;
        };
        assert_eq!(class, expected, "{key:?}");
    }
    found.keys().filter(|key| asked.contains_key(*key)).count()
}

#[test]
fn classes_by_name_are_those_of_asking() {
    const LINES: [&str; 12] = [
        "User-agent: a",
        "User-agent: B",
        "User-agent: b-c",
        "User-agent: MJ12bot/1.4",
        "User-agent: Foo Bar",
        "User-agent: *",
        "User-Agent-Purpose: P",
        "Content-Usage: train-ai=n",
        "Disallow: /",
        "Allow: /x",
        "Disallow: /y",
        "Disallow: /*q",
    ];
    let mut dice = Dice::new(11);
    let files = (0..60).map(|number| {
        let lines = (0..3 + dice.below(9)).map(|_| dice.pick(&LINES));
        let file = lines.collect::<Vec<_>>().join("\n");
        (format!("s{number}.example"), file.into_bytes())
    });
    let count = answers_are_those_of_asking(&files.collect::<Vec<_>>());
    assert!(count > 60, "{count}");
}

#[test]
fn corpus_classes_by_name_are_those_of_asking() {
    let files = corpus::files().into_iter().take(200).enumerate();
    let files: Vec<_> = files
        .map(|(number, (_, bytes))| (format!("s{number}.example"), bytes))
        .collect();
    if !files.is_empty() {
        assert!(answers_are_those_of_asking(&files) > 200);
    }
}

/// A file that names more robots than anybody answers about costs bounded work.
#[test]
fn files_with_very_many_names() {
    let lines = (0..20_000_u32)
        .map(|number| format!("User-agent: r{}\nDisallow: /{number}\n", letters(number)));
    let trial = Trial::new().with("a.example.txt", lines.collect::<String>().as_bytes());
    trial.run();
    let rows = trial.rows(Table::Agents);
    let answered = rows.iter().filter(|row| row["class"].is_string()).count();
    assert!(
        rows.len() > 10_000 && (100..200).contains(&answered),
        "{answered} of {}",
        rows.len()
    );
}

fn letters(mut number: u32) -> String {
    let mut text = String::new();
    loop {
        text.push(char::from_u32(u32::from(b'a') + number % 26).unwrap());
        number /= 26;
        if number == 0 {
            return text;
        }
    }
}

#[test]
fn redirects_keep_their_status_and_hosts_have_domains() {
    let moved = response(
        "https://user.github.io/robots.txt",
        "301 Moved\r\nLocation: https://a.example/robots.txt",
        b"",
    );
    let target = response("https://a.example/robots.txt", "404 Not Found", b"");
    let trial = Trial::new().with("a.warc.gz", &compressed(&[moved, target]));
    trial.run();
    let columns = [
        "host",
        "domain",
        "registered_domain",
        "status",
        "first_status",
    ];
    let row = |row: &Value| -> Value { columns.iter().map(|name| row[*name].clone()).collect() };
    let rows: Vec<Value> = trial.rows(Table::Files).iter().map(row).collect();
    assert_eq!(
        rows,
        [
            json!(["a.example", "a.example", "a.example", 404, 404]),
            json!(["user.github.io", "user.github.io", "github.io", 404, 301]),
        ]
    );
    for row in trial.rows(Table::Robots) {
        assert!(
            row["domain"].is_string() && row["registered_domain"].is_string(),
            "{row}"
        );
    }
}
