//! `abide.toml`: what it may say, what is a mistake, and what applies to a file.

use abide::Severity::{Error, Info, Warning};
use abide_lint::Context;
use abide_lint::config::{self, Config, SettingValue};
use jsonschema::Validator;
use serde_json::Value as Json;
use std::fmt::Write;
use std::path::Path;

const FULL: &str = r#"
select = ["pattern-*", "site-closed", "bom"]
ignore = "pattern-case"
fail-on = "error"
allow-closed = false
robots = ["googlebot", "GPTBot", "@search"]
purposes = ["EXAMPLE-PURPOSE-1"]
registry = "apps.toml"
cases = "robots.test.toml"

[severity]
"pattern-*" = "info"
pattern-no-slash = "error"

[[file]]
path = "staging/*.txt"
allow-closed = true
ignore = ["bom"]
fail-on = "info"

[[file]]
path = ["**/robots.txt", "old/robots-?.txt"]
severity = { "pattern-no-*" = "warning" }
select = ["bom"]
"#;

fn schema() -> Validator {
    let schema: Json = serde_json::from_str(config::schema()).unwrap();
    jsonschema::validator_for(&schema).unwrap()
}

fn as_json(text: &str) -> Json {
    serde_json::to_value(toml::from_str::<toml::Value>(text).unwrap()).unwrap()
}

#[test]
fn the_published_schema_is_the_one_in_the_crate() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../schema/config.json");
    assert_eq!(std::fs::read_to_string(path).unwrap(), config::schema());
}

#[test]
fn what_is_valid_fits_the_schema() {
    let schema = schema();
    for text in ["", FULL, "ignore = []\n", "select = '*'\n", "[severity]\n"] {
        Config::read(text).unwrap();
        let errors: Vec<_> = schema
            .iter_errors(&as_json(text))
            .map(|error| error.to_string())
            .collect();
        assert!(errors.is_empty(), "{text}: {errors:?}");
    }
}

/// Each mistake: the text, and the message. Those that a schema can see do not fit it either.
#[test]
fn every_mistake_has_its_place_and_a_way_out() {
    let schema = schema();
    let mut told = String::new();
    for (text, fits) in [
        ("ignroe = [\"bom\"]\n", false),
        ("fail_on = \"error\"\n", false),
        ("colour = true\n", false),
        ("\nignore = [\"bom\", \"patern-space\"]\n", true),
        ("select = []\n", false),
        ("select = [1]\n", false),
        ("select = true\n", false),
        ("fail-on = \"warn\"\n", false),
        ("fail-on = \"eror\"\n", false),
        ("fail-on = 2\n", false),
        ("allow-closed = \"yes\"\n", false),
        ("robots = [\"Googelbot\"]\n", true),
        ("robots = [\"qqqqqqqqqqqq\"]\n", true),
        ("robots = [\"*\"]\n", false),
        ("robots = [\"@serach\"]\n", true),
        ("robots = []\n", false),
        ("purposes = [\"*\"]\n", true),
        ("registry = \"\"\n", false),
        ("cases = [\"a\"]\n", false),
        ("severity = \"info\"\n", false),
        ("[severity]\nbomm = \"info\"\n", true),
        ("[severity]\nbom = \"off\"\n", false),
        ("[severity]\nbom = \"note\"\n", false),
        ("[[file]]\nallow-closed = true\n", false),
        ("[[file]]\npath = \"a\"\n", false),
        (
            "[[file]]\npath = \"/etc/robots.txt\"\nallow-closed = true\n",
            false,
        ),
        (
            "[[file]]\npath = \"../robots.txt\"\nallow-closed = true\n",
            false,
        ),
        ("[[file]]\npath = \"a[\"\nallow-closed = true\n", true),
        ("[[file]]\npath = \"a***b\"\nallow-closed = true\n", true),
        (
            "[[file]]\npath = \"a\"\npaths = \"b\"\nallow-closed = true\n",
            false,
        ),
        ("[file]\npath = \"a\"\nallow-closed = true\n", false),
        ("file = [1]\n", false),
    ] {
        let error = Config::read(text).unwrap_err();
        writeln!(told, "{text:?}\n    {error}").unwrap();
        let is_fit = schema.is_valid(&as_json(text));
        assert_eq!(is_fit, fits, "{text}");
    }
    for text in ["select = [\n", "a b\n", "[\u{1b}]0;pwned\u{7}\n"] {
        let error = Config::read(text).unwrap_err().to_string();
        assert!(!error.contains('\u{1b}') && !error.contains('\u{7}'));
        writeln!(told, "{text:?}\n    {error}").unwrap();
    }
    insta::assert_snapshot!(told);
}

#[test]
fn all_mistakes_are_reported_in_order() {
    let text = "b = 1\n\"ä\" = 2\n\n[[file]]\npath = \"a\"\nignore = [\"bom\", \"nope\"]\n";
    let error = Config::read(text).unwrap_err();
    let places: Vec<_> = error
        .mistakes
        .iter()
        .map(|one| (one.line, one.column))
        .collect();
    assert!(
        places.contains(&(1, 1)) && places.contains(&(6, 18)),
        "{error}"
    );
    assert!(places.is_sorted());
    let many = (0..30).map(|at| format!("a{at} = 1\n")).collect::<String>();
    let error = Config::read(&many).unwrap_err();
    assert_eq!(error.mistakes.len(), 30);
    assert!(error.to_string().ends_with("and 10 more mistakes"));
}

#[test]
fn what_applies_to_a_file() {
    let config = Config::read(FULL).unwrap();
    let of = |path: &str| {
        let entries = config.settings(path).entries();
        entries
            .into_iter()
            .filter(|entry| entry.key != "robots" || entry.line != Some(6))
            .map(|entry| {
                let value = match entry.value {
                    SettingValue::Text(text) => text,
                    SettingValue::Flag(flag) => flag.to_string(),
                    SettingValue::Unset(text) => format!("({text})"),
                    _ => unreachable!(),
                };
                let source = match entry.line {
                    Some(line) => format!("Line({line})"),
                    None => format!("{:?}", entry.origin),
                };
                format!("{} = {value} {source}\n", entry.key)
            })
            .collect::<String>()
    };
    let told = [
        "staging/a.txt",
        "staging/b/robots.txt",
        "old/robots-1.txt",
        "x",
    ]
    .map(|path| format!("{path}\n{}\n", of(path)));
    insta::assert_snapshot!(told.concat());
    insta::assert_snapshot!(
        Config::default()
            .settings("robots.txt")
            .entries()
            .iter()
            .map(|entry| format!("{entry:?}\n"))
            .collect::<String>()
    );
}

/// A code wins over a pattern, and a longer pattern over a shorter one, whatever their order.
#[test]
fn severities_apply() {
    let file = b"User-agent: *\nDisallow: press/\nDisallow: /a b\n";
    let severities = |text: &str, path: &str| -> Vec<_> {
        let settings = Config::read(text).unwrap().settings(path);
        let linter = settings.linter().unwrap();
        let found = linter.robots_txt(file, &settings.context(None));
        found
            .iter()
            .map(|one| (one.rule.code(), one.severity()))
            .collect()
    };
    assert_eq!(
        severities("", "a"),
        [("pattern-no-slash", Error), ("pattern-space", Warning)]
    );
    let text = "[severity]\npattern-no-slash = 'warning'\n'pattern-*' = 'info'\n'p*' = 'error'\n";
    assert_eq!(
        severities(text, "a"),
        [("pattern-no-slash", Warning), ("pattern-space", Info)]
    );
    let text = "ignore = ['pattern-space', 'readings-differ']\nseverity = { pattern-no-slash = 'info' }\n\
        [[file]]\npath = 'b'\nseverity = { pattern-no-slash = 'error' }\n";
    assert_eq!(severities(text, "a"), [("pattern-no-slash", Info)]);
    assert_eq!(severities(text, "b"), [("pattern-no-slash", Error)]);
}

/// Settings reach the rules that ask for them.
#[test]
fn a_closed_site_and_robots_that_matter() {
    let file = b"User-agent: *\nDisallow: /\n";
    let found = |text: &str| {
        let settings = Config::read(text).unwrap().settings("robots.txt");
        let context: Context = settings.context(None);
        settings.linter().unwrap().robots_txt(file, &context).len()
    };
    assert_eq!(found("allow-closed = true\n"), 0);
    assert_eq!(found("allow-closed = false\n"), 1);
    let settings = Config::read("robots = ['gptbot']\n").unwrap();
    assert_eq!(settings.settings("a").context(None).robots, ["GPTBot"]);
}
