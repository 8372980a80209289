//! Lists of bounded length.

use serde::Deserialize;
use serde::de::{Deserializer, Error, SeqAccess, Visitor};
use std::fmt;
use std::marker::PhantomData;

/// The largest number of entries of a list, unless its member says another one.
pub const MAX_ENTRIES: usize = 1_000;

pub(super) fn too_many<E: Error>(most: usize) -> E {
    E::custom(format_args!(
        "expected at most {most} entries; divide the request"
    ))
}

/// A list of at most [`MAX_ENTRIES`] entries.
pub(super) fn few<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<T>, D::Error> {
    at_most::<T, D, MAX_ENTRIES>(deserializer)
}

/// A list of at most `MAX` entries, which may be missing.
pub(super) fn at_most_if_any<'de, T: Deserialize<'de>, D: Deserializer<'de>, const MAX: usize>(
    deserializer: D,
) -> Result<Option<Vec<T>>, D::Error> {
    at_most::<T, D, MAX>(deserializer).map(Some)
}

/// A list of at most `MAX` entries.
pub(super) fn at_most<'de, T: Deserialize<'de>, D: Deserializer<'de>, const MAX: usize>(
    deserializer: D,
) -> Result<Vec<T>, D::Error> {
    struct List<T, const MAX: usize>(PhantomData<T>);

    impl<'de, T: Deserialize<'de>, const MAX: usize> Visitor<'de> for List<T, MAX> {
        type Value = Vec<T>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "a list of at most {MAX} entries")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Vec<T>, A::Error> {
            let mut entries = Vec::new();
            while let Some(entry) = list.next_element()? {
                if entries.len() == MAX {
                    return Err(too_many(MAX));
                }
                entries.push(entry);
            }
            Ok(entries)
        }
    }

    deserializer.deserialize_seq(List::<T, MAX>(PhantomData))
}
