//! What is made from the types of the contract is what the repository has.

use abide_testkit::generated::assert_up_to_date;
use serde_json::Value;

#[test]
fn the_schemas_are_those_of_the_types() {
    for (name, schema) in abide_contract::schema::files() {
        assert_up_to_date(
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
