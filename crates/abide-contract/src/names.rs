//! Lists in a request: without duplicates, and of bounded length, so that a line of 32 MiB takes
//! neither gigabytes nor minutes (G-20, REP-84). And objects, which no array can replace.

use crate::json_error::cut;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::marker::PhantomData;
use thiserror::Error;

/// The longest name of a robot, purpose, application or control token, in bytes.
pub const MAX_NAME: usize = 256;
/// The longest `User-Agent` line in place of a name, in bytes.
pub const MAX_USER_AGENT: usize = 4 << 10;
/// The longest `id` of a request, in bytes.
pub const MAX_ID: usize = 4 << 10;

/// A name that is too long: [`MAX_NAME`], [`MAX_USER_AGENT`].
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("in {place:?}: expected at most {limit} bytes, but found {length}: {start:?}")]
pub struct LongName {
    /// The member that has it.
    place: &'static str,
    limit: usize,
    length: usize,
    /// How it begins.
    start: String,
}

impl LongName {
    /// Checks that no name of the member at `place` has more than `limit` bytes.
    ///
    /// # Errors
    /// For the first that has more.
    pub fn check(
        names: impl IntoIterator<Item = impl AsRef<str>>,
        place: &'static str,
        limit: usize,
    ) -> Result<(), Self> {
        for name in names {
            let name = name.as_ref();
            if name.len() > limit {
                return Err(Self {
                    place,
                    limit,
                    length: name.len(),
                    start: cut(name).into_owned(),
                });
            }
        }
        Ok(())
    }

    /// The code of the error.
    pub(crate) fn code(&self) -> &'static str {
        match self.place.split('.').next() {
            Some("agent") => "invalid-agent",
            Some("purposes") => "invalid-purpose",
            Some("applications") => "invalid-application",
            Some("acap") => "invalid-acap",
            _ => "invalid-preferences",
        }
    }
}

/// The largest number of entries of a list or object, without duplicates.
pub(crate) const MOST_ENTRIES: usize = 1_000;

fn too_many<E: Error>() -> E {
    E::custom(format_args!(
        "expected at most {MOST_ENTRIES} different entries; divide the request"
    ))
}

/// A struct that is read from an object alone. Derived code would also take an array for it, as its
/// members in their order.
///
/// ```
/// use abide_contract::Object;
/// #[derive(serde::Deserialize)]
/// struct Side {
///     robots: String,
/// }
/// let Object(side) = serde_json::from_str::<Object<Side>>(r#"{"robots":""}"#)?;
/// assert_eq!(side.robots, "");
/// assert!(serde_json::from_str::<Object<Side>>(r#"[""]"#).is_err());
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_structs,
    reason = "whoever reads it takes the struct out"
)]
pub struct Object<T>(pub T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ObjectVisitor<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for ObjectVisitor<T> {
            type Value = Object<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Object<T>, A::Error> {
                T::deserialize(MapAccessDeserializer::new(map)).map(Object)
            }
        }

        deserializer.deserialize_map(ObjectVisitor(PhantomData))
    }
}

/// The entries of a list, each once, in the order in which they first appear.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Distinct<T>(Vec<T>);

impl<T> Default for Distinct<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> std::ops::Deref for Distinct<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.0
    }
}

/// A list of strings.
pub(crate) type Names = Distinct<String>;

impl<'de, T: Deserialize<'de> + Ord + Clone> Deserialize<'de> for Distinct<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(List(PhantomData))
    }
}

struct List<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de> + Ord + Clone> Visitor<'de> for List<T> {
    type Value = Distinct<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Distinct<T>, A::Error> {
        let mut order = BTreeMap::new();
        while let Some(entry) = list.next_element::<T>()? {
            let next = order.len();
            if next >= MOST_ENTRIES && !order.contains_key(&entry) {
                return Err(too_many());
            }
            order.entry(entry).or_insert(next);
        }
        let mut entries: Vec<(T, usize)> = order.into_iter().collect();
        entries.sort_unstable_by_key(|(_, number)| *number);
        Ok(Distinct(
            entries.into_iter().map(|(entry, _)| entry).collect(),
        ))
    }
}

/// A string, or a list of strings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct OneOrMany(Names);

impl From<Vec<String>> for OneOrMany {
    /// Each name once, in the order in which they first appear.
    fn from(mut names: Vec<String>) -> Self {
        let mut known = BTreeSet::new();
        names.retain(|name| known.insert(name.clone()));
        Self(Distinct(names))
    }
}

impl std::ops::Deref for OneOrMany {
    type Target = [String];

    fn deref(&self) -> &[String] {
        &self.0
    }
}

impl<'de> Deserialize<'de> for OneOrMany {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct OneOrManyVisitor;

        impl<'de> Visitor<'de> for OneOrManyVisitor {
            type Value = OneOrMany;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string, or a list of strings")
            }

            fn visit_str<E>(self, text: &str) -> Result<OneOrMany, E> {
                Ok(OneOrMany(Distinct(vec![text.to_owned()])))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<OneOrMany, A::Error> {
                List(PhantomData).visit_seq(list).map(OneOrMany)
            }
        }

        deserializer.deserialize_any(OneOrManyVisitor)
    }
}

/// An object with at most [`MOST_ENTRIES`] members, each with its own name.
#[derive(Clone, Debug)]
pub(crate) struct Members<T>(BTreeMap<String, T>);

impl<T> Default for Members<T> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}

impl<T> std::ops::Deref for Members<T> {
    type Target = BTreeMap<String, T>;

    fn deref(&self) -> &BTreeMap<String, T> {
        &self.0
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Members<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct MembersVisitor<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for MembersVisitor<T> {
            type Value = Members<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members<T>, A::Error> {
                let mut members = BTreeMap::new();
                while let Some(name) = map.next_key::<String>()? {
                    if members.contains_key(&name) {
                        return Err(A::Error::custom(format_args!(
                            "the member {:?} occurs twice",
                            cut(&name)
                        )));
                    }
                    if members.len() >= MOST_ENTRIES {
                        return Err(too_many());
                    }
                    members.insert(name, map.next_value()?);
                }
                Ok(Members(members))
            }
        }

        deserializer.deserialize_map(MembersVisitor(PhantomData))
    }
}
