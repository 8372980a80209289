//! What sites ask of applications and of ACAP crawlers, in files whose makers know what they say.

use crate::Trial;
use abide_survey::schema::Table;
use abide_testkit::grammar;
use abide_testkit::preference_files::Dice;
use serde_json::{Value, json};

fn count(parts: &[(&str, String)], kind: &str) -> usize {
    parts.iter().filter(|(of, _)| *of == kind).count()
}

/// The tables count what the grammars made.
#[test]
fn counts_are_those_of_the_makers_of_the_files() {
    let mut dice = Dice::new(11);
    let mut trial = Trial::new();
    let mut made = Vec::new();
    for number in 0..60 {
        let purposes = dice.below(3);
        let directives = dice.below(4);
        let mut text = String::new();
        for _ in 0..purposes {
            text += &grammar::purpose_line().make(&mut dice).text;
        }
        text += "User-agent: *\nDisallow: /\n";
        let mut applications = 0;
        for _ in 0..directives {
            let line = grammar::app_directives_line().make(&mut dice);
            applications += count(&line.parts, "token");
            text += &line.text;
        }
        let acap = grammar::acap_file().make(&mut dice);
        let is = |name: &str| {
            let lines = acap.parts.iter().map(|(_, line)| line.to_ascii_lowercase());
            lines.filter(|line| line.starts_with(name)).count()
        };
        let statements = (is("acap-allow-"), is("acap-disallow-"));
        let text = [acap.text.as_str(), &text].concat();
        trial = trial.with(&format!("s{number:02}.example.txt"), text.as_bytes());
        let lines = json!({
            "purpose_lines": purposes, "app_directive_lines": directives,
            "acap_lines": acap.parts.len(),
        });
        made.push((lines, applications, statements));
    }
    trial.run();
    let files = trial.rows(Table::Files);
    let of = |table: Table, file: &Value| {
        let rows = trial.rows(table).into_iter();
        let rows = rows.filter(|row| row["capture"] == file["capture"]);
        rows.collect::<Vec<_>>()
    };
    let (mut most, mut permitting) = (0, 0);
    for (file, (lines, applications, (permissions, prohibitions))) in files.iter().zip(&made) {
        for (name, count) in lines.as_object().unwrap() {
            assert_eq!(&file[name], count, "{name} of {}", file["host"]);
        }
        let directives = of(Table::Directives, file);
        // An application without directives has a row, and one with several has several.
        assert!(directives.len() >= *applications, "{}", file["host"]);
        assert_eq!(directives.is_empty(), *applications == 0);
        let acap = of(Table::Acap, file);
        let counted = |effects: &[&str]| {
            let effects = acap
                .iter()
                .filter(|row| effects.iter().any(|effect| row["effect"] == *effect));
            effects.count()
        };
        assert_eq!(
            counted(&["permission", "void"]),
            *permissions,
            "{}",
            file["host"]
        );
        assert_eq!(counted(&["prohibition"]), *prohibitions, "{}", file["host"]);
        permitting += permissions;
        most = most.max(directives.len());
    }
    assert!(files.len() == 60 && most > 5 && permitting > 60);
}

#[test]
fn what_each_row_says() {
    let text =
        b"App-Directives: early;x\nUser-agent: *\nApp-Directives: /a/ one;n=1;t=tok;b, two\n\
        App-Directives: not a list\n##ACAP version=1.0\n\
        ACAP-qualified-usage: cached preserve time-limit=3-days\nACAP-crawler: A\nACAP-crawler: B\n\
        ACAP-allow-(cached): /p/\nACAP-disallow-index: /\nACAP-allow-index: /x time-limit=soon\n";
    let trial = Trial::new().with("a.example.txt", text);
    trial.run();
    let of = |table, columns: &[&str]| -> Vec<Vec<Value>> {
        let rows = trial.rows(table).into_iter();
        let row = |row: Value| columns.iter().map(|name| row[name].clone()).collect();
        rows.map(row).collect()
    };
    let columns = [
        "group",
        "line",
        "path",
        "application",
        "name",
        "value_type",
        "value",
    ];
    assert_eq!(
        json!(of(Table::Directives, &columns)),
        json!([
            [null, 1, null, "early", "x", "boolean", "?1"],
            [0, 3, "/a/", "one", "n", "integer", "1"],
            [0, 3, "/a/", "one", "t", "token", "tok"],
            [0, 3, "/a/", "one", "b", "boolean", "?1"],
            [0, 3, "/a/", "two", null, null, null],
        ])
    );
    let columns = [
        "line",
        "record",
        "usage",
        "effect",
        "qualifiers",
        "resource",
    ];
    assert_eq!(
        json!(of(Table::Acap, &columns)),
        json!([
            [9, 7, "preserve", "permission", "time-limit 3-days", "/p/"],
            [10, 7, "index", "prohibition", null, "/"],
            [11, 7, "index", "void", null, "/x"],
        ])
    );
    assert_eq!(trial.cells(Table::Files, "app_directive_lines"), [3]);
}

/// A line can have many directives, and a path as long as the file.
#[test]
fn repeated_texts_are_cut() {
    let text = format!(
        "User-agent: *\nApp-Directives: /{} a;b;c\n",
        "é".repeat(5_000)
    );
    let trial = Trial::new().with("a.example.txt", text.as_bytes());
    trial.run();
    let paths = trial.rows(Table::Directives);
    assert_eq!(paths.len(), 2);
    assert!(
        paths
            .iter()
            .all(|row| row["path"].as_str().is_some_and(|path| path.len() == 99))
    );
}
