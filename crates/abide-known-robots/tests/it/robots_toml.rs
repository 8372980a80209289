//! Mistakes in `robots.toml`: what the build says to somebody who edits it.

#[path = "../../build/table.rs"]
#[expect(dead_code, reason = "the build reads the rows")]
mod table;

const ROWS: &str = r#"# The head of the file.

[[robot]]
token = "Example-Extended"
operator = "Example"
kind = "control-token"
purposes = ["ai-training"]
fetchers = ["examplebot"]
controls = ["train"]
documentation = "https://bot.example/"
checked = 2026-11-24
note = "It keeps pages out of models."

[[robot]]
token = "ExampleBot"
operator = "Example"
purposes = ["search"]
user_agent = "ExampleBot/"
checked = 2026-11-24
note = "Blocking it keeps pages out of Example's search."
"#;

/// What is wrong with the rows if they have `new` instead of the first `old`.
fn mistakes(old: &str, new: &str) -> Vec<String> {
    assert!(ROWS.contains(old), "{old}");
    let read = table::read(&ROWS.replacen(old, new, 1));
    read.err().unwrap_or_default()
}

/// What is in the rows, what is there instead, and how the mistake begins.
const CASES: [(&str, &str, &str); 26] = [
    (
        "operator",
        "opertor",
        "5: Example-Extended: unknown field `opertor`, expected one of",
    ),
    (
        "\"Example\"",
        "\"Example",
        "5: Example-Extended: invalid basic string",
    ),
    (
        "\"ai-training\"",
        "\"training\"",
        "7: Example-Extended: unknown variant `training`, expected",
    ),
    (
        "\"train\"",
        "\"crawl\"",
        "9: Example-Extended: unknown variant `crawl`, expected",
    ),
    (
        "2026-11-24",
        "2026-11-31",
        "11: Example-Extended: invalid date, expected day between 01",
    ),
    (
        "kind",
        "follows_any_group = 1\nkind",
        "6: Example-Extended: expected true, false or \"not-as-permission\"",
    ),
    (
        "operator = \"Example\"\n",
        "",
        "3: Example-Extended: missing field `operator`",
    ),
    (
        "token = \"Example-Extended\"\n",
        "",
        "3: missing field `token`",
    ),
    (
        "Example-Extended",
        "An Example",
        "4: An Example: token has letters, digits, '-', '_' and '.'",
    ),
    (
        "Example-Extended",
        "exampleBot",
        "15: ExampleBot: token belongs before exampleBot",
    ),
    (
        "Example-Extended",
        "FirstBot",
        "15: ExampleBot: token belongs before FirstBot",
    ),
    (
        "\"Example\"",
        "\"\"",
        "5: Example-Extended: operator is empty",
    ),
    (
        "[\"ai-training\"]",
        "[]",
        "7: Example-Extended: purposes is empty",
    ),
    (
        "\"It keeps pages out of models.\"",
        "\"\"",
        "12: Example-Extended: note is empty",
    ),
    (
        "kind",
        "user_agent = \"Example/\"\nkind",
        "6: Example-Extended: user_agent is missing, or",
    ),
    (
        "user_agent = \"ExampleBot/\"\n",
        "",
        "14: ExampleBot: user_agent is missing, or this is",
    ),
    (
        "https:",
        "https",
        "10: Example-Extended: documentation begins with https:// or http://",
    ),
    (
        "checked",
        "ip_ranges = \"bot.example\"\nchecked",
        "11: Example-Extended: ip_ranges begins with https:// or http://",
    ),
    (
        "user_agent",
        "basis = \"operator\"\nuser_agent",
        "18: ExampleBot: basis needs the operator's page as documentation",
    ),
    (
        "fetchers = [\"examplebot\"]\n",
        "",
        "8: Example-Extended: controls and fetchers need each",
    ),
    (
        "controls = [\"train\"]\n",
        "",
        "3: Example-Extended: controls and fetchers need each",
    ),
    (
        "user_agent",
        "controls = [\"train\"]\nfetchers = [\"ExampleBot\"]\nuser_agent",
        "18: ExampleBot: controls needs a control token that its operator documents",
    ),
    (
        "documentation = \"https://bot.example/\"\n",
        "",
        "9: Example-Extended: controls needs a control token that its operator documents",
    ),
    (
        "examplebot",
        "OtherBot",
        "8: Example-Extended: fetchers has OtherBot, which is the token of",
    ),
    (
        "kind",
        "falls_back_to = [\"OtherBot\"]\nkind",
        "6: Example-Extended: falls_back_to has Other",
    ),
    (
        "kind",
        "replaced_by = [\"OtherBot\"]\nkind",
        "6: Example-Extended: replaced_by has OtherBot",
    ),
];

#[test]
fn mistakes_name_the_line_and_the_robot() {
    for (old, new, expected) in CASES {
        let found = mistakes(old, new);
        assert!(
            found.len() == 1 && found[0].starts_with(expected),
            "{expected}: {found:#?}"
        );
    }
    assert!(mistakes("Example", "Example").is_empty());
}

/// One build shows all mistakes.
#[test]
fn all_mistakes_are_found() {
    let found = mistakes("kind = \"control-token\"\n", "");
    assert_eq!(found.len(), 2, "{found:#?}");
}
