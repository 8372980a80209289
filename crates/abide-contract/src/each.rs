//! Lists of answers, which become JSON one entry after the other, and are read as a whole.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// What the entries of a list are made from.
pub(crate) trait Entries {
    /// An entry.
    type Entry: Serialize;

    /// The entries, each of which is made when it is written.
    fn entries(&self) -> impl Iterator<Item = Self::Entry>;
}

/// A list of `T`: in an answer that is written what its entries are made from, because a file can
/// have 300,000 of them; in one that was read the entries.
#[derive(Debug)]
pub(crate) enum Each<S, T> {
    Of(S),
    Read(Vec<T>),
}

impl<S: Entries, T> Each<S, T> {
    pub(crate) fn is_empty(&self) -> bool {
        match self {
            Self::Of(source) => source.entries().next().is_none(),
            Self::Read(entries) => entries.is_empty(),
        }
    }
}

impl<S: Entries, T: Serialize> Serialize for Each<S, T> {
    fn serialize<R: Serializer>(&self, serializer: R) -> Result<R::Ok, R::Error> {
        match self {
            Self::Of(source) => serializer.collect_seq(source.entries()),
            Self::Read(entries) => serializer.collect_seq(entries),
        }
    }
}

impl<'de, S, T: Deserialize<'de>> Deserialize<'de> for Each<S, T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Vec::deserialize(deserializer).map(Self::Read)
    }
}

#[cfg(feature = "schema")]
impl<S, T: schemars::JsonSchema> schemars::JsonSchema for Each<S, T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        Vec::<T>::schema_name()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        Vec::<T>::json_schema(generator)
    }
}
