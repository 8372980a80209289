//! What is asked about the AI preferences of a whole site.

use abide_contract::SitePreferences;
use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::fmt;
use utoipa::openapi::schema::{OneOfBuilder, Schema, Type};
use utoipa::openapi::{ObjectBuilder, Ref, RefOr};
use utoipa::{PartialSchema, ToSchema};

/// Vocabularies that count, and documents beside robots.txt, with the meaning that they have in a
/// request of `/v1/decide`.
#[derive(ToSchema)]
#[schema(as = SitePreferences)]
#[expect(dead_code, reason = "describes members, and is never built")]
pub(super) struct SitePreferencesMembers {
    /// Vocabularies that count: content-usage, content-signal, tdmrep, rsl, robots-tag,
    /// control-token [default: all]
    vocabularies: Option<Vec<String>>,
    /// Revision of the words of `Content-Usage`: 08 or 07 [default: 08]
    revision: Option<String>,
    /// For whom a `Content-Usage` or `Content-Signal` line counts: `group`, the robots of its
    /// group, or `file`, every robot whose own groups have no such line [default: group]
    signal_scope: Option<String>,
    /// The site's tdmrep.json as text, or an object with `status` or `error` in its place.
    #[schema(value_type = Option<Value>)]
    tdmrep: Option<Value>,
    /// Licence documents by URL as the site writes it: each as text, or an object with `status` or
    /// `error` in its place.
    rsl: Option<Map<String, Value>>,
}

/// Whether to ask about preferences, or what exactly.
#[derive(Debug, Default)]
pub(super) enum PreferenceChoice {
    /// If the file states any.
    #[default]
    IfStated,
    /// In any case, or in no case.
    Flag(bool),
    /// In any case, with these vocabularies and documents.
    With(Box<SitePreferences>),
}

impl<'de> Deserialize<'de> for PreferenceChoice {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct PreferenceChoiceVisitor;

        impl<'de> Visitor<'de> for PreferenceChoiceVisitor {
            type Value = PreferenceChoice;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("true, false or an object with vocabularies and documents")
            }

            fn visit_unit<E>(self) -> Result<PreferenceChoice, E> {
                Ok(PreferenceChoice::IfStated)
            }

            fn visit_bool<E>(self, asks: bool) -> Result<PreferenceChoice, E> {
                Ok(PreferenceChoice::Flag(asks))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<PreferenceChoice, A::Error> {
                let object = MapAccessDeserializer::new(map);
                let preferences = SitePreferences::deserialize(object)?;
                Ok(PreferenceChoice::With(Box::new(preferences)))
            }
        }

        deserializer.deserialize_any(PreferenceChoiceVisitor)
    }
}

impl PartialSchema for PreferenceChoice {
    fn schema() -> RefOr<Schema> {
        let flag = ObjectBuilder::new().schema_type(Type::Boolean);
        let members = Ref::from_schema_name(SitePreferencesMembers::name());
        let null = ObjectBuilder::new().schema_type(Type::Null);
        let either = OneOfBuilder::new().item(flag).item(members).item(null);
        either.into()
    }
}

impl ToSchema for PreferenceChoice {
    fn name() -> Cow<'static, str> {
        Cow::Borrowed("AskedPreferences")
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        let members = SitePreferencesMembers::schema();
        schemas.push((SitePreferencesMembers::name().into_owned(), members));
    }
}
