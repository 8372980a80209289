//! What users may match and build completely is written down (CONTRIBUTING.md, "Code").

#![allow(missing_docs, clippy::unwrap_used, reason = "tests")]

use abide_testkit::source_files::{LIBRARIES, rust_files};
use std::fs;
use std::path::Path;

/// Whether the item that begins on line `at` is a public enum, or a struct with a public field.
fn is_open(lines: &[&str], at: usize) -> bool {
    let Some(item) = lines[at].strip_prefix("pub ") else {
        return false;
    };
    if item.starts_with("enum ") {
        return true;
    }
    let is_tuple = item.contains("(pub ");
    let body = lines[at + 1..]
        .iter()
        .take_while(|line| !line.starts_with('}'));
    let mut fields = body.filter(|line| line.starts_with("    pub ") && line.contains(':'));
    item.starts_with("struct ") && (is_tuple || item.ends_with('{') && fields.next().is_some())
}

/// Whether the attributes and comments right above line `at` say whether the item may grow.
fn is_decided(lines: &[&str], at: usize) -> bool {
    lines[..at]
        .iter()
        .rev()
        .take_while(|line| !line.is_empty() && !line.starts_with('}'))
        .any(|line| *line == "#[non_exhaustive]" || line.starts_with("// Exhaustive: "))
}

#[test]
fn public_types_may_grow_or_say_why_not() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut undecided = Vec::new();
    let mut seen = 0;
    for name in LIBRARIES {
        for path in rust_files(&crates.join(name).join("src")) {
            let text = fs::read_to_string(&path).unwrap();
            let lines: Vec<_> = text.lines().collect();
            for at in (0..lines.len()).filter(|at| is_open(&lines, *at)) {
                seen += 1;
                if !is_decided(&lines, at) {
                    undecided.push(format!("{}: {}", path.display(), lines[at]));
                }
            }
        }
    }
    assert!(seen > 150, "only {seen} public types found");
    assert!(undecided.is_empty(), "{undecided:#?}");
}
