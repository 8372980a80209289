//! The issue lists of `docs/issues` are made from the resolutions of `docs/spec`, and can be mailed
//! as they are. `ABIDE_BLESS=1` writes them.

use abide_testkit::generated;
use abide_testkit::source_files::rust_files;
use abide_testkit::spec::{DOCUMENTS, Document, Requirement, requirements};
use abide_testkit::{vector_json, vectors};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// The width of a mail, and of an Internet-Draft.
const WIDTH: usize = 72;

/// The resolutions of a document, in the order of their numbers.
fn resolutions(document: &Document) -> Vec<&'static Requirement> {
    let is_its = |id: &str| id.starts_with("AMB-") && Document::of(id).name == document.name;
    let mut found: Vec<&Requirement> = requirements()
        .values()
        .filter(|record| is_its(&record.id))
        .collect();
    let number = |id: &str| id.rsplit_once('-').unwrap().1.parse::<u32>().unwrap();
    found.sort_by_key(|record| number(&record.id));
    found
}

/// Whether a resolution is about a mistake of the text, and has no second reading.
fn is_erratum(record: &Requirement) -> bool {
    record.strength == "text"
}

/// What shows each resolution: the vectors that are about it, or else those that show it too, or
/// else test functions.
fn shown_by() -> BTreeMap<String, Vec<String>> {
    let mut found = [BTreeMap::new(), BTreeMap::new()];
    for file in vectors::FILES {
        for vector in vector_json::tables(file)
            .values()
            .flat_map(|all| all.as_array().unwrap())
        {
            let text = |value: &toml::Value| value.as_str().unwrap().to_owned();
            let name = format!("{file}.toml, {}", text(&vector["name"]));
            let also = vector.get("also").and_then(toml::Value::as_array);
            let also = also.into_iter().flatten().map(|id| (1, text(id)));
            for (rank, id) in std::iter::once((0, text(&vector["id"]))).chain(also) {
                found[rank]
                    .entry(id)
                    .or_insert_with(Vec::new)
                    .push(name.clone());
            }
        }
    }
    let [mut best, second] = found;
    for (id, names) in second {
        best.entry(id).or_insert(names);
    }
    for record in requirements()
        .values()
        .filter(|record| record.id.starts_with("AMB-"))
    {
        if !best.contains_key(&record.id) {
            best.insert(record.id.clone(), test_functions(&record.id));
        }
    }
    best
}

/// The test functions that are named after an ID.
fn test_functions(id: &str) -> Vec<String> {
    let begin = format!("fn {}_", id.to_lowercase().replace('-', "_"));
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut found = Vec::new();
    for file in rust_files(&crates) {
        let text = fs::read_to_string(&file).unwrap();
        let names = text
            .lines()
            .filter_map(|line| line.trim().strip_prefix(&begin));
        let names = names.filter_map(|rest| rest.split('(').next());
        found.extend(names.map(|rest| format!("{}{rest}", &begin[3..])));
    }
    found.sort();
    found
}

/// A text as a mail shows it: no links, and sections in words.
fn plain(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("](") {
        let (before, label) = before.rsplit_once('[').expect("the beginning of a link");
        let (target, after) = after.split_once(')').expect("the end of a link");
        let _ = write!(plain, "{before}{label}");
        if target.starts_with("http") {
            let _ = write!(plain, " <{target}>");
        }
        rest = after;
    }
    plain.push_str(rest);
    plain.replace('§', "Section ").replace('⇒', "=>")
}

/// A paragraph, wrapped.
fn paragraph(text: &str) -> String {
    let mut lines = vec![String::new()];
    for word in plain(text).split_whitespace() {
        let line = lines.last_mut().unwrap();
        let is_full = line.chars().count() + 1 + word.chars().count() > WIDTH;
        // What begins a line must not look like a heading or an item of a list.
        let is_mark = matches!(word, "+" | "-" | "*" | "#" | "/");
        if line.is_empty() {
            line.push_str(word);
        } else if is_full && !is_mark {
            lines.push(word.to_owned());
        } else {
            line.push(' ');
            line.push_str(word);
        }
    }
    format!("{}\n", lines.join("\n"))
}

fn entry(record: &Requirement, shown_by: &BTreeMap<String, Vec<String>>) -> String {
    const SHOWN: usize = 3;
    let part = |name: &str| record.part(name);
    let mut parts = vec![format!("## {}\n", record.id)];
    let mut add = |text: String| parts.push(paragraph(&text));
    let kind = if is_erratum(record) {
        "erratum"
    } else {
        &record.strength
    };
    add(format!("{} ({kind})", record.section));
    add(record.question().to_owned());
    let name = match (is_erratum(record), record.deviates()) {
        (true, _) => "Reading",
        (_, true) => "Reading 1, of abide, against the letter of the text",
        _ => "Reading 1, of abide",
    };
    add(format!("{name}: {}", record.reading().unwrap()));
    if let Some(why) = part("Why") {
        add(format!("Why: {why}"));
    }
    if let Some(other) = part("Other reading") {
        add(format!("Reading 2: {other}"));
    }
    let names = &shown_by[&record.id];
    let rest = match names.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!("; and {more} more"),
    };
    let names = &names[..names.len().min(SHOWN)];
    let what = if names[0].contains(".toml, ") {
        "Vector"
    } else {
        "Test"
    };
    add(format!("{what}: {}{rest}", names.join("; ")));
    add(format!(
        "Proposed words: {}",
        part("Proposed words").unwrap()
    ));
    parts.retain(|part| part != "\n");
    parts.join("\n")
}

fn page(document: &Document, shown_by: &BTreeMap<String, Vec<String>>) -> String {
    let found = resolutions(document);
    let errata = found.iter().filter(|record| is_erratum(record)).count();
    let open = found.len() - errata;
    let mut page = format!("# Issues: {}\n\n", document.issues);
    page.push_str(&paragraph(&format!("{}.", document.title)));
    let _ = write!(
        page,
        "\n{}\n{}",
        paragraph(&format!(
            "{open} points that the text leaves open or says in two ways, and {errata} errata. \
             Readings are those of programs that read the text. The vectors are in the folder \
             vectors/ of abide: a program that gives another answer has another reading. IDs \
             such as {} are those of its docs/spec.",
            found[0]
                .id
                .trim_start_matches("AMB-")
                .replace("X-1", "REP-1"),
        )),
        paragraph(
            "A test writes this file from docs/spec (ABIDE_BLESS=1 cargo test -p abide-testkit \
             issues)."
        ),
    );
    for record in found {
        let _ = write!(page, "\n{}", entry(record, shown_by));
    }
    page
}

fn pages() -> Vec<(String, String)> {
    let shown_by = shown_by();
    let page = |document: &Document| {
        (
            format!("docs/issues/{}.md", document.issues),
            page(document, &shown_by),
        )
    };
    DOCUMENTS.iter().map(page).collect()
}

#[test]
fn the_issue_lists_are_up_to_date() {
    for (path, text) in pages() {
        generated::assert_up_to_date(&path, &text);
    }
}

#[test]
fn every_resolution_is_listed_once() {
    let pages = pages();
    let all = requirements().keys().filter(|id| id.starts_with("AMB-"));
    let all: Vec<&String> = all.collect();
    assert_eq!(all.len(), 173);
    for id in all {
        let heading = format!("\n## {id}\n");
        let times = pages.iter().map(|(_, text)| text.matches(&heading).count());
        assert_eq!(times.sum::<usize>(), 1, "{id}");
    }
}

#[test]
fn every_issue_has_two_readings_and_something_that_shows_them() {
    let shown_by = shown_by();
    for record in requirements()
        .values()
        .filter(|record| record.id.starts_with("AMB-"))
    {
        let id = &record.id;
        let reading = record.reading();
        let [other, words] = ["Other reading", "Proposed words"].map(|name| record.part(name));
        assert!(
            !record.question().is_empty() && reading.is_some(),
            "{id}: no question"
        );
        assert!(words.is_some(), "{id} has no proposed words");
        assert_eq!(
            other.is_none(),
            is_erratum(record),
            "{id}: a second reading, or an erratum"
        );
        assert_ne!(reading, other, "{id}");
        assert!(!shown_by[id].is_empty(), "{id} has no vector and no test");
    }
}

#[test]
fn the_issue_lists_can_be_mailed() {
    for (path, text) in pages() {
        for line in text.lines() {
            assert!(line.chars().count() <= WIDTH, "{path}: {line}");
            assert!(!line.contains("]("), "{path}: a link: {line}");
        }
    }
}

/// Who reads a guide finds the issues of its document, and who reads the README all of them.
#[test]
fn guides_lead_to_the_issue_lists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let read = |path: &str| fs::read_to_string(root.join(path)).unwrap();
    let index = read("docs/issues/README.md");
    for document in &DOCUMENTS {
        let link = format!("({}.md)", document.issues);
        assert!(index.contains(&link), "docs/issues/README.md: {link}");
    }
    for (guide, link) in [
        ("README.md", "docs/issues/README.md"),
        ("docs/README.md", "issues/README.md"),
        ("vectors/README.md", "../docs/issues/README.md"),
        ("docs/tags.md", "issues/repext.md"),
        ("docs/applications.md", "issues/plan-b.md"),
        ("docs/acap.md", "issues/acap.md"),
        ("docs/decisions.md", "issues/purpose.md"),
        ("docs/purposes.md", "issues/purpose.md"),
        ("docs/preferences.md", "issues/aipref.md"),
        ("docs/decisions.md", "issues/across.md"),
        ("docs/decisions.md", "issues/rfc9309.md"),
    ] {
        assert!(
            read(guide).contains(&format!("]({link})")),
            "{guide} has no link to {link}"
        );
    }
}
