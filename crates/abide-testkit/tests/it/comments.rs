//! Comments keep the rules of CONTRIBUTING.md that a program can check.

use abide_testkit::source_files::rust_files;
use std::fs;
use std::path::Path;

/// The columns that a line of a comment may have.
const COLUMNS: usize = 100;

/// Openings that mean nothing without what stands above, which rustdoc shows somewhere else.
const ELLIPTIC: [&str; 2] = ["The same", "As "];

/// What is wrong with the comments of `text`, each with the number of its line.
fn faults(text: &str) -> Vec<(usize, &'static str)> {
    let mut faults = Vec::new();
    // Whether the line above belongs to a doc comment, so that this line does not begin one.
    let mut in_doc = false;
    for (number, line) in (1..).zip(text.lines()) {
        let line_text = line.trim_start();
        if line_text.starts_with("//") && line.chars().count() > COLUMNS {
            faults.push((number, "the comment is wider than 100 columns"));
        }
        let doc = line_text
            .strip_prefix("///")
            .or_else(|| line_text.strip_prefix("//!"));
        let opens = doc.is_some_and(|doc| {
            let doc = doc.trim_start();
            !in_doc && ELLIPTIC.iter().any(|opening| doc.starts_with(opening))
        });
        if opens {
            faults.push((number, "the doc comment begins with \"The same\" or \"As\""));
        }
        // An empty line of a doc comment ends a paragraph, and the next line begins another one.
        in_doc = doc.is_some_and(|doc| !doc.trim().is_empty());
    }
    faults
}

#[test]
fn comments_fit_and_say_what_they_are_about() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let files = rust_files(&root);
    assert!(files.len() > 500, "{}", files.len());
    let mut all = Vec::new();
    for path in &files {
        let shown = path.strip_prefix(&root).unwrap().display();
        let text = fs::read_to_string(path).unwrap();
        let found = faults(&text).into_iter();
        all.extend(found.map(|(number, fault)| format!("{shown}:{number}: {fault}")));
    }
    assert!(all.is_empty(), "{all:#?}");
}

#[test]
fn faults_are_found() {
    let long = format!("    // {}\n", "a".repeat(COLUMNS));
    assert_eq!(faults(&long).len(), 1);
    assert_eq!(faults("/// The same, but faster.\nfn f() {}\n").len(), 1);
    assert_eq!(faults("//! Text.\n//!\n//! As above.\n").len(), 1);
    assert_eq!(faults("/// Reads a line.\n/// The same line twice.\n"), []);
    assert_eq!(faults("/// Assigns.\n// As a comment.\n"), []);
}
