//! The JSON Schemas of what is read and written, made from the types that are read and written.
//! The files in `schema/` are these; a test writes them.

use crate::known_robots::KnownRobotJson;
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};

/// The schema of each file in `schema/` that is made from types, by the name of the file.
#[must_use]
pub fn files() -> Vec<(&'static str, Schema)> {
    vec![(
        "known-robots.json",
        of::<Vec<KnownRobotJson>>("abide robots --format json"),
    )]
}

/// The schema of a type.
fn of<T: JsonSchema>(title: &str) -> Schema {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    let mut schema = settings.into_generator().into_root_schema_for::<T>();
    schema.insert("title".to_owned(), title.into());
    schema
}
