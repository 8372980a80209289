//! Lists in a request: without duplicates, and of bounded length, so that a line of 32 MiB takes
//! neither gigabytes nor minutes (G-20, REP-84). And objects, which no array can replace.

use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::marker::PhantomData;

/// The longest name of a robot, purpose, application or control token, in bytes.
pub const MAX_NAME: usize = 256;
/// The longest `User-Agent` line in place of a name, in bytes.
pub const MAX_USER_AGENT: usize = 4 << 10;
/// The longest `id` of a request, in bytes.
pub const MAX_ID: usize = 4 << 10;

/// The longest part of a text that a message repeats, in characters.
const MAX_SHOWN: usize = 100;

/// The beginning of a long text.
pub(crate) fn cut(text: &str) -> Cow<'_, str> {
    match text.char_indices().nth(MAX_SHOWN) {
        Some((end, _)) => Cow::Owned(format!("{}…", text.get(..end).unwrap_or_default())),
        None => Cow::Borrowed(text),
    }
}

/// A text that borrows from the JSON if it has no escapes there.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(transparent)]
pub(crate) struct Text<'a>(#[serde(borrow)] pub(crate) Cow<'a, str>);

impl std::ops::Deref for Text<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

/// The largest number of entries of a list or object, without duplicates.
pub(crate) const MAX_ENTRIES: usize = 1_000;

fn too_many<E: Error>() -> E {
    E::custom(format_args!(
        "expected at most {MAX_ENTRIES} different entries; divide the request"
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
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Distinct<T> {
    entries: Vec<T>,
    /// The place of each entry in the list that was read, from 0.
    places: Vec<usize>,
}

impl<T> Distinct<T> {
    /// The entries, each with its place in the list that was read.
    pub(crate) fn placed(&self) -> impl Iterator<Item = (usize, &T)> {
        self.places.iter().copied().zip(&self.entries)
    }
}

impl<T> Default for Distinct<T> {
    fn default() -> Self {
        Self {
            entries: Vec::new(),
            places: Vec::new(),
        }
    }
}

impl<T> FromIterator<(T, usize)> for Distinct<T> {
    fn from_iter<I: IntoIterator<Item = (T, usize)>>(list: I) -> Self {
        let (entries, places) = list.into_iter().unzip();
        Self { entries, places }
    }
}

impl<T> std::ops::Deref for Distinct<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.entries
    }
}

/// Shows the entries alone: where they were written makes no difference.
impl<T: fmt::Debug> fmt::Debug for Distinct<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.entries.fmt(f)
    }
}

/// A list of strings.
pub(crate) type Names = Distinct<String>;

impl Names {
    /// Each name once, in the order in which they first appear.
    pub(crate) fn each_once(names: Vec<String>) -> Self {
        let mut known = BTreeSet::new();
        let placed = (0..).zip(names).map(|(place, name)| (name, place));
        let first = placed.filter(|(name, _)| known.insert(name.clone()));
        first.collect()
    }
}

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
        let mut places = BTreeMap::new();
        let mut place = 0;
        while let Some(entry) = list.next_element::<T>()? {
            if places.len() >= MAX_ENTRIES && !places.contains_key(&entry) {
                return Err(too_many());
            }
            places.entry(entry).or_insert(place);
            place += 1;
        }
        let mut entries: Vec<(T, usize)> = places.into_iter().collect();
        entries.sort_unstable_by_key(|(_, place)| *place);
        Ok(entries.into_iter().collect())
    }
}

/// A string, or a list of strings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct OneOrMany {
    names: Names,
    /// Whether it is a list, so that an entry has a place.
    is_list: bool,
}

impl OneOrMany {
    /// The JSON Pointer to the entry of number `at` in the member that `pointer` points to.
    pub(crate) fn pointer(&self, pointer: &str, at: usize) -> String {
        match self.names.places.get(at) {
            Some(place) if self.is_list => format!("{pointer}/{place}"),
            _ => pointer.to_owned(),
        }
    }
}

impl From<Vec<String>> for OneOrMany {
    /// Each name once, in the order in which they first appear.
    fn from(names: Vec<String>) -> Self {
        let is_list = names.len() != 1;
        Self {
            names: Names::each_once(names),
            is_list,
        }
    }
}

impl std::ops::Deref for OneOrMany {
    type Target = [String];

    fn deref(&self) -> &[String] {
        &self.names
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
                Ok(OneOrMany::from(vec![text.to_owned()]))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<OneOrMany, A::Error> {
                let names = List(PhantomData).visit_seq(list)?;
                Ok(OneOrMany {
                    names,
                    is_list: true,
                })
            }
        }

        deserializer.deserialize_any(OneOrManyVisitor)
    }
}

/// An object with at most [`MAX_ENTRIES`] members, each with its own name.
#[derive(Clone, Debug)]
pub(crate) struct Members<T>(BTreeMap<String, T>);

impl<T> Default for Members<T> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}

impl<T> FromIterator<(String, T)> for Members<T> {
    fn from_iter<I: IntoIterator<Item = (String, T)>>(members: I) -> Self {
        Self(members.into_iter().collect())
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
                        map.next_value_seed(Repeated)?;
                    }
                    if members.len() >= MAX_ENTRIES {
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

/// The value of a member whose name has occurred before: an error at its place.
struct Repeated;

impl<'de> DeserializeSeed<'de> for Repeated {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, _: D) -> Result<(), D::Error> {
        Err(D::Error::custom("the member occurs twice"))
    }
}
