//! Every fault in the catalogue has a test named after it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Letters of the sections of the catalogue, with the number of faults in each: names, connections,
/// heads, bodies, redirects, statuses, time, callers, and the shared cache.
const SECTIONS: [(char, u32); 9] = [
    ('d', 12),
    ('c', 15),
    ('h', 14),
    ('b', 11),
    ('r', 15),
    ('s', 6),
    ('t', 8),
    ('n', 10),
    ('v', 20),
];

/// Rust files below `folder`.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    paths
        .flat_map(|path| {
            if path.is_dir() {
                sources(&path)
            } else {
                vec![path]
            }
        })
        .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
        .collect()
}

/// The parts of the names of test functions: `r5_and_r6_locations` has `r5` and `r6`.
fn parts(text: &str) -> BTreeSet<String> {
    let mut parts = BTreeSet::new();
    let mut is_test = false;
    for line in text.lines().map(str::trim) {
        match line
            .strip_prefix("async ")
            .unwrap_or(line)
            .strip_prefix("fn ")
        {
            Some(name) if is_test => {
                let name = name.split('(').next().unwrap();
                parts.extend(name.split('_').map(str::to_owned));
                is_test = false;
            }
            _ if line == "#[test]" || line.starts_with("#[tokio::test") => is_test = true,
            // Other attributes, or arguments of properties, may come between the two.
            _ if line.starts_with("#[") || line.starts_with("//") => {}
            _ => is_test = false,
        }
    }
    parts
}

#[test]
fn g_5_every_fault_has_a_test() {
    let crate_folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut tested = BTreeSet::new();
    for folder in ["tests", "src"] {
        for path in sources(&crate_folder.join(folder)) {
            tested.extend(parts(&std::fs::read_to_string(path).unwrap()));
        }
    }
    let faults = SECTIONS
        .iter()
        .flat_map(|(letter, last)| (1..=*last).map(move |number| format!("{letter}{number}")));
    let missing: Vec<_> = faults.filter(|fault| !tested.contains(fault)).collect();
    assert!(missing.is_empty(), "no test is named after {missing:?}");
}
