//! Reads an object whose members belong to two types: those of a tool, and those that hold for
//! every robot and URL that it is asked about.

use crate::body::{self, pointer};
use crate::problem::Problem;
use abide_contract::PageOptions;
use serde::Deserialize;
use serde::de::value::MapDeserializer;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::error::Category;
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt;

/// The members of an object, in order, and not read yet.
struct Members<'a>(Vec<(Cow<'a, str>, &'a RawValue)>);

/// The name of a member. It borrows if it has no escapes.
#[derive(Deserialize)]
#[serde(transparent)]
struct Name<'a>(#[serde(borrow)] Cow<'a, str>);

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Object;

        impl<'de> Visitor<'de> for Object {
            type Value = Members<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members<'de>, A::Error> {
                let mut members = Vec::new();
                while let Some((Name(name), value)) = map.next_entry::<Name<'de>, &RawValue>()? {
                    members.push((name, value));
                }
                Ok(Members(members))
            }
        }

        deserializer.deserialize_map(Object)
    }
}

/// Reads the members of `T` and those of [`PageOptions`] from one object.
pub(super) fn read<'a, T: Deserialize<'a>>(
    bytes: &'a [u8],
) -> Result<(T, PageOptions<'a>), Problem> {
    let Members(members) = body::read(bytes)?;
    let (of_page, own): (Vec<_>, Vec<_>) = members
        .into_iter()
        .partition(|(name, _)| PageOptions::MEMBERS.contains(&name.as_ref()));
    Ok((part(own)?, part(of_page)?))
}

/// Reads one type from its members.
fn part<'a, T: Deserialize<'a>>(members: Vec<(Cow<'a, str>, &'a RawValue)>) -> Result<T, Problem> {
    let members: MapDeserializer<'a, _, serde_json::Error> =
        MapDeserializer::new(members.into_iter());
    serde_path_to_error::deserialize(members).map_err(|error| {
        let place = pointer(error.path());
        let error = error.into_inner();
        // Its line and column are those in the value of a member.
        let message = error.to_string();
        let at = format!(" at line {} column {}", error.line(), error.column());
        let message = message.strip_suffix(&at).unwrap_or(&message);
        // A member is only read here: its escapes may still be wrong.
        let problem = match error.classify() {
            Category::Data => body::invalid_request(&message),
            _ => body::not_json(&message),
        };
        problem.at_any(body::place_of(place, message))
    })
}
