//! The repository has what the types of the contract make: schemas, and from them types of other
//! languages, tables and lists.

mod fields;
mod markdown;
mod python;
mod schema;
mod typescript;

use abide_testkit::generated::assert_up_to_date as compare;
use schema::Definitions;
use serde_json::Value;
use std::fs;
use std::path::Path;

#[test]
fn the_schemas_are_those_of_the_types() {
    for (name, schema) in abide_contract::schema::files() {
        compare(
            &format!("schema/{name}"),
            &abide_contract::schema::text(&schema),
        );
    }
}

/// Generators of clients make one type of each.
#[test]
fn every_enumeration_has_a_type_and_is_defined_once() {
    for (name, schema) in abide_contract::schema::files() {
        let mut all: Vec<Value> = Vec::new();
        each(schema.as_value(), &mut |one| {
            if let Some(values) = one.get("enum") {
                assert_eq!(one["type"], "string", "{name}: {values}");
                assert!(!all.contains(values), "{name}: {values}");
                all.push(values.clone());
            }
        });
    }
}

/// Links of rustdoc lead nowhere in a schema.
#[test]
fn descriptions_are_plain_text() {
    for (name, schema) in abide_contract::schema::files() {
        each(schema.as_value(), &mut |one| {
            if let Some(Value::String(text)) = one.get("description") {
                assert!(
                    !text.contains("[`") && !text.contains('\n'),
                    "{name}: {text}"
                );
            }
        });
    }
}

#[test]
fn the_types_in_typescript_are_those_of_the_schemas() {
    let path = "bindings/javascript/package/contract.ts";
    compare(path, &typescript::types(&Definitions::read()));
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

/// Calls `see` for each object.
fn each(value: &Value, see: &mut dyn FnMut(&Value)) {
    match value {
        Value::Object(members) => {
            see(value);
            members.values().for_each(|member| each(member, see));
        }
        Value::Array(members) => members.iter().for_each(|member| each(member, see)),
        _ => {}
    }
}
