//! The version of what a tool writes, in front of it.

use crate::SCHEMA;
use serde::Serialize;

/// What a tool returns, with the version of its form as the first member, `schema`.
#[derive(Clone, Debug, Serialize)]
pub struct Versioned<T> {
    schema: u32,
    #[serde(flatten)]
    answer: T,
}

impl<T> Versioned<T> {
    /// An answer, in the form of this version.
    pub const fn new(answer: T) -> Self {
        let schema = SCHEMA;
        Self { schema, answer }
    }
}

#[cfg(feature = "schema")]
impl<T: schemars::JsonSchema> schemars::JsonSchema for Versioned<T> {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        T::schema_name()
    }

    fn schema_id() -> std::borrow::Cow<'static, str> {
        format!("Versioned<{}>", T::schema_id()).into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let mut schema = T::json_schema(generator);
        let version = serde_json::json!({
            "description": "Version of this form.", "type": "integer", "minimum": 1,
        });
        if let Some(members) = schema
            .get_mut("properties")
            .and_then(|all| all.as_object_mut())
        {
            members.shift_insert(0, "schema".to_owned(), version);
        }
        if let Some(needed) = schema
            .get_mut("required")
            .and_then(|all| all.as_array_mut())
        {
            needed.insert(0, "schema".into());
        }
        schema
    }
}
