//! The numbers of the page, of its charts and of their files are those of the JSON.

use crate::counting::{random, small};
use crate::page::hostile;
use crate::survey::{Format, Survey, one, weighted};
use abide_survey::report::{Document, Numbers, Panel, Settings};
use serde_json::Value;
use std::collections::BTreeMap;

/// A share as the page writes it, counted here: `2 (66.7%)`, and of how many.
fn written(part: &Value, whole: &Value) -> (String, String) {
    let number = |count: &Value| count.get("sites").unwrap_or(count).as_u64().unwrap();
    let weight = |count: &Value| match count.get("weight") {
        Some(weight) => weight.as_f64().unwrap(),
        None => count.as_f64().unwrap(),
    };
    let share = match (weight(part), weight(whole)) {
        (_, 0.0) => "–".to_owned(),
        (0.0, _) => "0%".to_owned(),
        (one, all) if (one - all).abs() < 1e-9 => "100%".to_owned(),
        (one, all) => format!("{:.1}%", (one / all * 1000.0 + 1e-9).round() / 10.0),
    };
    let weighed = |count: &Value, of: &str| match count.get("weight") {
        Some(weight) => format!("{}{of}{weight}", number(count)),
        None => number(count).to_string(),
    };
    let weighed = |count: &Value, of: &str| weighed(count, of).trim_end_matches(".0").to_owned();
    let plural = if number(whole) == 1 { "site" } else { "sites" };
    let whole = match whole.get("weight") {
        Some(_) => weighed(whole, &format!(" {plural} of weight ")),
        None => format!("{} {plural}", number(whole)),
    };
    (
        format!("{} ({share})", weighed(part, ", weight ")),
        format!("of {whole}"),
    )
}

/// What each table should have: the share of a row and a column, by figure.
type Shares = BTreeMap<(String, String, String), (String, String)>;

fn expected(numbers: &Value) -> Shares {
    let mut shares = Shares::new();
    let mut add = |figure: &str, row: &str, column: &str, part: &Value, whole: &Value| {
        let row = match row {
            "*" if figure.starts_with("over") => "every other robot (*)",
            row => row,
        };
        let key = [figure, row, column].map(str::to_owned);
        shares.insert(key.into(), written(part, whole));
    };
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let parts = [
        ("closed", "closed"),
        ("partly closed", "partly"),
        ("open", "open"),
        ("not known", "unknown"),
    ];
    let uses = [
        ("training", "train"),
        ("AI input", "ai_input"),
        ("search", "search"),
    ];
    let outcomes = [
        ("disallowed", "prohibited"),
        ("conditional", "conditional"),
        ("allowed", "permitted"),
        ("not known", "unknown"),
        ("no preference", "unspecified"),
    ];
    for robot in list(&numbers["robots"]["robots"]) {
        let name = text(&robot["robot"]);
        let classes = &robot["classes"];
        for (column, member) in parts {
            add("robots", &name, column, &classes[member], &classes["sites"]);
        }
        if name != "*" {
            add(
                "robots",
                &name,
                "named by",
                &robot["named"],
                &classes["sites"],
            );
        }
        for (used, member) in uses {
            for (column, outcome) in outcomes {
                let row = format!("{name} {used}");
                add(
                    "preferences",
                    &row,
                    column,
                    &robot[member][outcome],
                    &classes["sites"],
                );
            }
        }
    }
    for period in list(&numbers["over_time"]["periods"]) {
        let label = text(&period["label"]);
        for robot in list(&period["robots"]) {
            let classes = &robot["classes"];
            let name = text(&robot["robot"]);
            add(
                "over-time-robots",
                &name,
                &label,
                &classes["closed"],
                &classes["sites"],
            );
        }
    }
    let coverage = &numbers["coverage"];
    for name in list(&numbers["names"]["names"]) {
        let all = &numbers["names"]["sites"];
        add("names", &text(&name["name"]), "sites", &name["sites"], all);
    }
    for finding in list(&numbers["findings"]) {
        let code = text(&finding["code"]);
        add(
            "findings",
            &code,
            "sites",
            &finding["sites"],
            &coverage["with_file"],
        );
    }
    for status in list(&numbers["statuses"]) {
        let code = status["status"].as_u64();
        let code = code.map_or("none".to_owned(), |code| code.to_string());
        add(
            "statuses",
            &code,
            "sites",
            &status["sites"],
            &coverage["sites"],
        );
    }
    shares
}

/// The texts between tags.
fn plain(html: &str) -> String {
    let texts = html
        .split('<')
        .map(|part| part.split_once('>').map_or(part, |(_, text)| text));
    texts.collect::<String>().trim().to_owned()
}

/// The shares in the tables of a page.
fn shown(page: &str) -> Shares {
    let mut shares = Shares::new();
    for figure in page.split("<figure aria-labelledby=\"figure-").skip(1) {
        let (id, figure) = figure.split_once('"').unwrap();
        for table in figure.split("<table>").skip(1) {
            let table = table.split("</table>").next().unwrap();
            let mut rows = table.split("<tr>").skip(1);
            let header: Vec<String> = rows.next().unwrap().split("</th>").map(plain).collect();
            for row in rows {
                let (name, cells) = row.split_once("</th>").unwrap();
                let cells: Vec<&str> = cells.split("<td").skip(1).collect();
                let mut name = plain(name);
                if id == "preferences" {
                    name = format!("{name} {}", plain(&format!("<td{}", cells[0])));
                }
                for (cell, column) in cells.iter().zip(header.iter().skip(1)) {
                    if let Some((_, of)) = cell.split_once("title=\"") {
                        let whole = of.split('"').next().unwrap().to_owned();
                        let key = (id.to_owned(), name.clone(), column.clone());
                        shares.insert(key, (plain(&format!("<td{cell}")), whole));
                    }
                }
            }
        }
    }
    shares
}

/// Checks a page, its charts and their files. Returns how many shares were compared.
fn check(survey: &Survey, settings: &Settings) -> usize {
    let json = survey.numbers_with(settings);
    let folder = survey.write(Format::Csv);
    let document = Document::new(&Numbers::read(folder.path(), settings).unwrap(), None);
    let page = document.html().unwrap();
    let (expected, shown) = (expected(&json), shown(&page));
    let mut compared = 0;
    for (cell, share) in &expected {
        // A column of which no site is a part is left out, and so is a period without an answer.
        let Some(shown) = shown.get(cell) else {
            assert!(
                share.0.starts_with("0 ") || share.0.starts_with("0, "),
                "{cell:?} {share:?}"
            );
            continue;
        };
        assert_eq!(shown, share, "{cell:?}");
        compared += 1;
    }
    for (id, row, column) in shown.keys() {
        let is_compared = ![
            "states",
            "sizes",
            "vocabularies",
            "kinds",
            "over-time-kinds",
        ]
        .contains(&&**id);
        let key = (id.clone(), row.clone(), column.clone());
        assert!(!is_compared || expected.contains_key(&key), "{key:?}");
    }
    // Each mark of a chart says what its table has.
    for figure in page.split("<figure aria-labelledby=\"figure-").skip(1) {
        let id = figure.split('"').next().unwrap();
        for mark in figure.split("<title>").skip(1) {
            let mark = mark.split("</title>").next().unwrap();
            let (of, numbers) = mark.rsplit_once(": ").unwrap();
            let (row, column) = of.rsplit_once(", ").unwrap();
            let (share, whole) = numbers.rsplit_once(" of ").unwrap();
            let (share, whole) = match share.rsplit_once(" of ") {
                // Of a weight.
                Some((share, sites)) => (share, format!("of {sites} of {whole}")),
                None => (share, format!("of {whole}")),
            };
            let is_there = shown.iter().any(|((figure, name, title), (part, all))| {
                figure == id
                    && title == column
                    && part == share
                    && *all == whole
                    && (name == row
                        || row.starts_with(&**name)
                        || id == "robots"
                        || name.ends_with(row))
            });
            assert!(is_there, "{id}: {mark}");
            compared += 1;
        }
    }
    compared + check_files(&document, &json)
}

/// Checks the CSV files of the charts of robots beside the JSON.
fn check_files(document: &Document, json: &Value) -> usize {
    let files = document.files().unwrap();
    let mut compared = 0;
    for file in files.iter().filter(|file| file.format == "CSV") {
        let mut reader = csv::Reader::from_reader(file.text.as_bytes());
        let header = reader.headers().unwrap().clone();
        let position = |name: &str| header.iter().position(|one| one == name).unwrap();
        for row in reader.records() {
            let row = row.unwrap();
            let cell = |name: &str| row.get(position(name)).unwrap();
            let number = |name: &str| cell(name).parse::<f64>().unwrap();
            let (of, by) = match cell("of_weight") {
                "" => (number("sites"), number("of_sites")),
                _ => (number("weight"), number("of_weight")),
            };
            if by > 0.0 {
                assert!(
                    (number("share") - of / by).abs() < 1e-6,
                    "{}: {row:?}",
                    file.name
                );
            }
            if !["robots.csv", "over-time-robots.csv"].contains(&&*file.name) {
                continue;
            }
            let robot = cell("robot").replace("every other robot (*)", "*");
            let member = match cell("part") {
                "partly closed" => "partly",
                "not known" => "unknown",
                part => part,
            };
            let robots = match &*file.name {
                "robots.csv" => &json["robots"]["robots"],
                _ => &one(&json["over_time"]["periods"], "label", cell("period"))["robots"],
            };
            let robot = one(robots, "robot", &robot);
            let part = match member {
                "named by" => &robot["named"],
                member => &robot["classes"][member],
            };
            let sites = |count: &Value| count.get("sites").unwrap_or(count).to_string();
            assert_eq!(sites(part), cell("sites"), "{row:?}");
            assert_eq!(
                sites(&robot["classes"]["sites"]),
                cell("of_sites"),
                "{row:?}"
            );
            compared += 1;
        }
    }
    compared
}

#[test]
fn every_number_of_the_page_is_that_of_the_json() {
    let mut compared = 0;
    for survey in [small(), random(1), random(2), random(3)] {
        compared += check(&survey, &Settings::default());
        let mut settings = Settings::default();
        settings.panel = Panel::Balanced;
        compared += check(&survey, &settings);
        let weights = "host,weight\na.example,2.5\nhost-1.example,7\nhost-2.example,0.5\n";
        compared += check(&survey, &weighted(weights).unwrap());
    }
    assert!(compared > 1000, "{compared}");
}

#[test]
fn each_chart_is_a_file_that_needs_nothing_else() {
    for (survey, is_hostile) in [(small(), false), (random(2), false), (hostile(), true)] {
        let folder = survey.write(Format::Csv);
        let numbers = Numbers::read(folder.path(), &Settings::default()).unwrap();
        let document = Document::new(&numbers, None);
        let page = document.html().unwrap();
        let files = document.files().unwrap();
        assert_eq!(files.len(), page.matches(" download=\"").count());
        for file in &files {
            assert!(page.contains(&format!("download=\"{}\"", file.name)));
            if file.format == "CSV" {
                assert!(
                    file.text.contains(",share,weight,of_weight,period\r\n"),
                    "{}",
                    file.text
                );
                continue;
            }
            let text = file
                .text
                .replace("xmlns=\"http://www.w3.org/2000/svg\"", "");
            assert!(
                text.starts_with("<svg ") && text.ends_with("</svg>\n"),
                "{text}"
            );
            assert!(
                text.contains("<title id=\"title\">") && text.contains("<desc id=\"note\">Each ")
            );
            for part in [
                "<script", "<style", "<img", " href=", "url(", "\u{202e}", "\u{0}",
            ] {
                assert!(!text.contains(part), "{part} in {text}");
            }
            assert!(is_hostile || !text.contains("http"), "{text}");
            assert_eq!(
                text.matches("<text").count(),
                text.matches("</text>").count()
            );
        }
    }
}
