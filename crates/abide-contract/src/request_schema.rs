//! The JSON Schema of a request: types whose readers are written by hand are described here.

use crate::circumstances::Circumstances;
use crate::client::{RegisteredApplication, RequestedApplication};
use crate::names::{Distinct, MAX_NAME, MAX_USER_AGENT, Members, Object, OneOrMany, Text};
use crate::preferences::{OwnToken, Token};
use crate::redirect::Status;
use crate::reference::{FailureName, Reference, ReferenceFailure};
use crate::registry::form::{Entries, MAX_ENTRIES, RegistryForm, RequestedRegistry};
use crate::request::{Body, Question, Request};
use abide::preference::Revision;
use abide::rep::Cause;
use abide::{Named, Usage};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::Value;
use std::borrow::Cow;

impl JsonSchema for Request<'_> {
    fn schema_name() -> Cow<'static, str> {
        "Request".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut schema = with_circumstances::<Question<'_>>(generator);
        let description = "What abide is asked. One request a line in abide batch.";
        schema.insert("description".to_owned(), description.into());
        schema
    }
}

/// The schema of an object with the members of `T` and of [`Circumstances`].
pub(crate) fn with_circumstances<T: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    let mut schema = T::json_schema(generator);
    if let Some(Value::Object(members)) = schema.get_mut("properties") {
        for (name, member) in Circumstances::schemas(generator) {
            members.insert(name.to_owned(), member.into());
        }
    }
    schema
}

/// Describes types whose readers are written by hand.
macro_rules! described {
    (is_inline: $is_inline:literal; $($type:ty $(where $T:ident)?: |$generator:pat_param| $schema:expr;)*) => {
        $(impl $(<$T: JsonSchema>)? JsonSchema for $type {
            fn inline_schema() -> bool {
                $is_inline
            }

            fn schema_name() -> Cow<'static, str> {
                stringify!($type).into()
            }

            fn json_schema($generator: &mut SchemaGenerator) -> Schema {
                $schema
            }
        })*
    };
}

// Enumerations have names of their own.
described! {
    is_inline: false;
    FailureName: |_| json_schema!({"type": "string", "enum": Cause::names().collect::<Vec<_>>()});
}

described! {
    is_inline: true;
    Text<'_>: |_| json_schema!({"type": "string"});
    Body: |_| json_schema!({"type": "string"});
    Status: |_| json_schema!({"type": "integer", "minimum": 200, "maximum": 599});
    OneOrMany: |_| json_schema!({"oneOf": [
        {"type": "string", "maxLength": MAX_USER_AGENT},
        {"type": "array", "minItems": 1, "items": {"type": "string", "maxLength": MAX_USER_AGENT}},
    ]});
    RequestedApplication: |generator| json_schema!({"oneOf": [
        {"type": "string", "maxLength": MAX_NAME},
        generator.subschema_for::<RegisteredApplication>(),
    ]});
    RequestedRegistry: |generator| json_schema!({"oneOf": [
        {"type": "string"},
        generator.subschema_for::<RegistryForm>(),
    ]});
    Entries<T> where T: |generator| json_schema!({
        "type": "array",
        "items": generator.subschema_for::<T>(),
        "maxItems": MAX_ENTRIES,
    });
    Token: |generator| json_schema!({"oneOf": [
        {"type": "string", "maxLength": MAX_NAME},
        generator.subschema_for::<OwnToken>(),
    ]});
    Reference: |generator| json_schema!({"oneOf": [
        {"type": "string"},
        generator.subschema_for::<ReferenceFailure>(),
    ]});
    Object<T> where T: |generator| generator.subschema_for::<T>();
    Members<T> where T: |generator| json_schema!({
        "type": "object",
        "additionalProperties": generator.subschema_for::<T>(),
    });
    Distinct<T> where T: |generator| {
        let mut entry = generator.subschema_for::<T>();
        // Names have a limit.
        if entry.get("type").is_some_and(|kind| kind == "string") {
            entry.insert("maxLength".to_owned(), MAX_NAME.into());
        }
        json_schema!({"type": "array", "items": entry})
    };
}

/// The revisions of draft-ietf-aipref-vocab.
pub(crate) fn revisions(_: &mut SchemaGenerator) -> Schema {
    let numbers = Revision::ALL.iter().map(|revision| Some(revision.number));
    let numbers: Vec<_> = numbers.chain([None]).collect();
    json_schema!({"type": "string", "enum": numbers})
}

/// Usages that control tokens are about.
pub(crate) fn usages(_: &mut SchemaGenerator) -> Schema {
    let names: Vec<_> = Usage::PREFERENCES
        .iter()
        .map(|usage| usage.name())
        .collect();
    json_schema!({"type": "array", "items": {"type": "string", "enum": names}})
}
