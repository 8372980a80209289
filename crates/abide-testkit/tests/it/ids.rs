//! Every requirement ID that the repository cites is defined exactly once, in `docs/spec` or
//! `docs/faults.md`, and every ID defined there has a vector or a test.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The prefixes of IDs with a hyphen.
const PREFIXES: [&str; 16] = [
    "AMB-REP", "AMB-PUR", "AMB-TAG", "AMB-APP", "AMB-ACAP", "AMB-PREF", "AMB-X", "CLA-PREF", "CLA",
    "REP", "PUR", "TAG", "APP", "ACAP", "PREF", "G",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The text files below `folder`, with their contents, except build output.
fn texts(folder: &Path) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() {
            if !matches!(&*name, "target" | ".git" | "corpus" | "artifacts") {
                found.extend(texts(&path));
            }
        } else if is_text(&path)
            && let Ok(text) = fs::read_to_string(&path)
        {
            found.push((path, text));
        }
    }
    found
}

fn is_text(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    matches!(
        extension,
        Some("rs" | "md" | "toml" | "json" | "txt" | "yml") | None
    )
}

/// The IDs that the pages define: `- **REP-12** (…)` begins a definition.
fn definitions() -> BTreeMap<String, Vec<PathBuf>> {
    let mut pages = texts(&root().join("docs/spec"));
    let faults = root().join("docs/faults.md");
    let text = fs::read_to_string(&faults).unwrap();
    pages.push((faults, text));
    let mut defined: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    let is_id = |id: &str| id.ends_with(|c: char| c.is_ascii_digit()) && !id.contains(' ');
    for (path, text) in pages {
        let items = text
            .lines()
            .filter_map(|line| line.strip_prefix("- **")?.split_once("**"));
        for (id, _) in items.filter(|(id, _)| is_id(id)) {
            defined.entry(id.to_owned()).or_default().push(path.clone());
        }
    }
    defined
}

/// The IDs with a hyphen that a text cites. The whole word counts: `AMB-REP-1` does not cite
/// `REP-1`.
fn cited(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-'));
    let ids = words.filter(|word| {
        word.rsplit_once('-').is_some_and(|(prefix, number)| {
            let is_number =
                !number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit());
            is_number && PREFIXES.contains(&prefix)
        })
    });
    ids.map(str::to_owned).collect()
}

#[test]
fn every_id_is_defined_once() {
    let all = definitions();
    let twice: Vec<_> = all.iter().filter(|(_, pages)| pages.len() > 1).collect();
    assert!(twice.is_empty(), "{twice:?}");
    assert!(all.len() > 600, "{}", all.len());
}

#[test]
fn every_cited_id_is_defined() {
    let (root, defined) = (root(), definitions());
    let mut unknown = Vec::new();
    for (path, text) in texts(&root) {
        let path = path.strip_prefix(&root).unwrap().display().to_string();
        let ids = cited(&text)
            .into_iter()
            .filter(|id| !defined.contains_key(id));
        unknown.extend(ids.map(|id| format!("{id} in {path}")));
    }
    assert!(
        unknown.is_empty(),
        "not defined in docs/spec or docs/faults.md: {unknown:#?}"
    );
}

/// The text of everything that can show a requirement: vectors, tests, models, counts of
/// instructions.
fn evidence() -> String {
    const PLACES: [&str; 6] = [
        "/tests/",
        "/vectors/",
        "/.ci/",
        "/fuzz/",
        "/benches/",
        "abide-testkit/src/",
    ];
    // These list IDs, and show nothing about them.
    const LISTS: [&str; 3] = [
        "tests/it/ids.rs",
        "vectors/README.md",
        "abide-testkit/src/requirements.rs",
    ];
    let mut all = String::new();
    for (path, text) in texts(&root()) {
        // Below the root: the folder of a checkout may itself be called `vectors` or `tests`.
        let path = path.strip_prefix(root()).unwrap().to_string_lossy();
        let path = format!("/{path}");
        if LISTS.iter().any(|list| path.ends_with(list)) {
            continue;
        }
        if PLACES.iter().any(|part| path.contains(part)) {
            all.push_str(&text);
        } else if let Some(at) = text.find("#[cfg(test)]") {
            all.push_str(&text[at..]);
        }
    }
    all
}

/// The IDs that `text` names, as IDs and in names of tests (`amb_rep_1`). The escape `%A4` is not
/// the ID `A4`.
fn named(text: &str) -> BTreeSet<String> {
    let words = text.split('%').enumerate().flat_map(|(at, part)| {
        let is_escape = |digits: &str| digits.bytes().all(|digit| digit.is_ascii_hexdigit());
        let escape = part.get(..2).filter(|digits| at > 0 && is_escape(digits));
        let rest = &part[escape.map_or(0, str::len)..];
        rest.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-'))
    });
    let mut ids: BTreeSet<String> = words.map(str::to_owned).collect();
    let names = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
    for name in names.filter(|name| name.contains('_')) {
        let parts: Vec<&str> = name.split('_').collect();
        for from in 0..parts.len() {
            for to in from + 1..=parts.len().min(from + 3) {
                let id = parts[from..to].join("-");
                ids.insert(id.to_ascii_uppercase());
                ids.insert(id);
            }
        }
    }
    ids
}

#[test]
fn ids_are_whole_words() {
    let ids = named("/%C3%A4, %%A9x REP-1; AMB-REP-2, fn c1_refused");
    let is_named = |id: &str| ids.contains(id);
    assert!(is_named("REP-1") && is_named("AMB-REP-2") && is_named("C1"));
    assert!(!is_named("A4") && !is_named("C3") && !is_named("A9") && !is_named("REP-2"));
}

#[test]
fn every_id_has_a_vector_or_a_test() {
    let named = named(&evidence());
    let faults = fs::read_to_string(root().join("docs/faults.md")).unwrap();
    let list = faults.split_once("\n## Without a test\n");
    let (_, list) = list.expect("docs/faults.md lists what has no test");
    let excused: BTreeSet<&str> = list
        .lines()
        .filter_map(|line| line.strip_prefix("- ")?.split_once(": "))
        .flat_map(|(ids, _)| ids.split(", "))
        .collect();
    let all = definitions();
    let untested: Vec<_> = all
        .keys()
        .filter(|id| !named.contains(*id) && !excused.contains(id.as_str()))
        .collect();
    assert!(untested.is_empty(), "no vector and no test: {untested:?}");
    let is_stale = |id: &&&str| named.contains(**id) || !all.contains_key(**id);
    let stale: Vec<_> = excused.iter().filter(is_stale).collect();
    assert!(
        stale.is_empty(),
        "take these out of the list in docs/faults.md: {stale:?}"
    );
}
