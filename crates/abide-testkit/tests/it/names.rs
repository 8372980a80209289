//! A public type has its name for itself in its crate, so that a name has one meaning.

use abide_testkit::source_files::rust_files;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Names that a crate may have twice: the crate, the name, and why.
const EXCEPTIONS: [(&str, &str, &str); 1] = [(
    "abide",
    "Iter",
    "an iterator is called so in its module, as in the standard library",
)];

/// The folders with a crate.
fn crates() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let crates = fs::read_dir(root.join("crates")).unwrap();
    let mut crates: Vec<_> = crates.map(|entry| entry.unwrap().path()).collect();
    crates.push(root.join("bindings/javascript"));
    crates.push(root.join("bindings/python"));
    crates.sort();
    crates
}

/// The name of the public type that a line declares.
fn declared(line: &str) -> Option<&str> {
    let item = line.trim_start().strip_prefix("pub ")?;
    let kinds = ["struct ", "enum ", "union ", "trait ", "type "];
    let rest = kinds.iter().find_map(|kind| item.strip_prefix(kind))?;
    let is_of_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    rest.split(|c| !is_of_name(c)).next()
}

/// Where each public type of a crate is declared, by its name.
fn public_types(folder: &Path) -> BTreeMap<String, Vec<String>> {
    let mut types: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for path in rust_files(&folder.join("src")) {
        let text = fs::read_to_string(&path).unwrap();
        let place = path.strip_prefix(folder).unwrap().display().to_string();
        for name in text.lines().filter_map(declared) {
            types
                .entry(name.to_owned())
                .or_default()
                .push(place.clone());
        }
    }
    types
}

#[test]
fn public_types_of_a_crate_have_different_names() {
    let mut seen = 0;
    let mut wrong = Vec::new();
    let mut excepted = BTreeSet::new();
    for folder in crates() {
        let crate_name = folder.file_name().unwrap().to_string_lossy();
        for (name, places) in public_types(&folder) {
            seen += 1;
            if places.len() < 2 {
                continue;
            }
            let exception =
                |(of, known, _): &(&str, &str, &str)| *of == crate_name && *known == name;
            match EXCEPTIONS.iter().position(exception) {
                Some(at) => drop(excepted.insert(at)),
                None => wrong.push(format!("{crate_name}: {name} is in {}", places.join(", "))),
            }
        }
    }
    assert!(seen > 400, "only {seen} public types found");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(
        excepted.len(),
        EXCEPTIONS.len(),
        "an exception is not needed"
    );
}
