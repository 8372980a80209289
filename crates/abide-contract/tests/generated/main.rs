//! The repository has what the types of the contract make: schemas, and from them types of other
//! languages, tables and lists.

#![allow(missing_docs, clippy::unwrap_used, reason = "tests")]

mod fields;
mod markdown;
mod python;
mod schema;
mod typescript;

use schema::Definitions;
use std::fs;
use std::path::Path;

/// Compares a file of the repository with `text`. `ABIDE_BLESS=1` writes it.
fn compare(path: &str, text: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(path);
    if std::env::var_os("ABIDE_BLESS").is_some() {
        fs::write(&file, text).unwrap();
    }
    assert!(
        fs::read_to_string(&file).is_ok_and(|file| file == text),
        "{path} is not up to date: run this test with ABIDE_BLESS=1"
    );
}

#[test]
fn the_schemas_are_those_of_the_types() {
    for (name, schema) in abide_contract::schema::files() {
        let text = serde_json::to_string_pretty(&schema).unwrap() + "\n";
        compare(&format!("schema/{name}"), &text);
    }
}

#[test]
fn the_types_of_the_page_are_those_of_the_schemas() {
    compare(
        "page/src/contract.ts",
        &typescript::types(&Definitions::read()),
    );
}

#[test]
fn the_types_in_python_are_those_of_the_schemas() {
    let path = "bindings/python/python/abide_robots/_contract.py";
    compare(path, &python::types(&Definitions::read()));
}

#[test]
fn the_fields_are_those_of_the_schema() {
    let path = "crates/abide-contract/src/fields.txt";
    compare(path, &fields::paths(&Definitions::read()));
}

/// Tables between the markers `<!-- members: Evidence -->` and `<!-- /members -->`.
#[test]
fn the_tables_of_the_guides_are_those_of_the_schemas() {
    let definitions = Definitions::read();
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let mut count = 0;
    for entry in fs::read_dir(docs).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "md") {
            continue;
        }
        let name = path.file_name().unwrap().to_str().unwrap();
        let page = fs::read_to_string(&path).unwrap();
        let (text, tables) = markdown::with_tables(&page, &definitions);
        compare(&format!("docs/{name}"), &text);
        count += tables;
    }
    assert!(count >= 3, "{count} tables");
}
