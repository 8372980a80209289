//! Members of a request that are one of two names.

use abide::Profile;
use serde::Deserialize;
use serde::de::{Deserializer, Unexpected, Visitor};
use std::fmt;

/// A version of a page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Version {
    /// The latest.
    #[default]
    Latest,
    /// An older one.
    Old,
}

/// A profile, by its name: `careful` or `google`.
///
/// ```
/// use abide_contract::ProfileName;
/// let google: ProfileName = serde_json::from_str("\"google\"")?;
/// assert_eq!(abide::Profile::from(google), abide::Profile::Google);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProfileName {
    /// [`Profile::Careful`].
    #[default]
    Careful,
    /// [`Profile::Google`].
    Google,
}

impl<'de> Deserialize<'de> for Version {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(OneOf {
            known: [("latest", Self::Latest), ("old", Self::Old)],
        })
    }
}

impl<'de> Deserialize<'de> for ProfileName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(OneOf {
            known: [("careful", Self::Careful), ("google", Self::Google)],
        })
    }
}

/// Reads one of two names. Derived code would call any other JSON than a string no JSON at all.
struct OneOf<T> {
    known: [(&'static str, T); 2],
}

impl<T: Copy> Visitor<'_> for OneOf<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [(first, _), (second, _)] = self.known;
        write!(f, "\"{first}\" or \"{second}\"")
    }

    fn visit_str<E: serde::de::Error>(self, name: &str) -> Result<T, E> {
        let found = self.known.iter().find(|(known, _)| *known == name);
        let error = || E::invalid_value(Unexpected::Str(name), &self);
        found.map(|(_, value)| *value).ok_or_else(error)
    }
}

impl From<ProfileName> for Profile {
    fn from(name: ProfileName) -> Self {
        match name {
            ProfileName::Careful => Self::Careful,
            ProfileName::Google => Self::Google,
        }
    }
}
