//! Where a store keeps records, as people name it: a folder, or a server.

use crate::record::Seal;
use abide::explain::visible_url;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use thiserror::Error;

/// The name of the file in a folder.
const FILE: &str = "robots.redb";
/// The schemes of server URLs.
const SCHEMES: [&str; 5] = ["redis", "rediss", "valkey", "valkeys", "unix"];

/// Where records are kept.
///
/// ```
/// use abide_fetch::store::Place;
/// assert_eq!(Place::named("cache")?, Place::File("cache/robots.redb".into()));
/// assert_eq!(Place::named("redis://h")?, Place::Server("redis://h".to_owned()));
/// # Ok::<(), abide_fetch::store::PlaceError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "every place needs its own store")]
pub enum Place {
    /// The file of a folder, for `FileStore`.
    File(PathBuf),
    /// The URL of a server, for `SharedStore`. It may have a password.
    Server(String),
}

/// A name that is neither a folder nor a server. Messages show no password.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PlaceError {
    /// No name.
    #[error("the name of the cache is empty; name a folder, or a server such as redis://host")]
    Empty,
    /// The URL of a server without its slashes. Taken for a folder, it would be created, with the
    /// password in its name.
    #[error("{name} is neither a folder nor a server; a server is written {scheme}://host")]
    NoSlashes {
        /// The name, safe to show.
        name: String,
        /// The scheme that was meant.
        scheme: &'static str,
    },
}

impl Place {
    /// The place with this name: the URL of a server, or a folder.
    ///
    /// # Errors
    /// [`PlaceError`] for an empty name, and for the URL of a server without its slashes.
    pub fn named(name: &str) -> Result<Self, PlaceError> {
        if name.is_empty() {
            return Err(PlaceError::Empty);
        }
        if name.contains("://") {
            return Ok(Self::Server(name.to_owned()));
        }
        let scheme = name.split_once(':').map(|(scheme, _)| scheme);
        let is_own = |known: &str| scheme.is_some_and(|own| own.eq_ignore_ascii_case(known));
        match SCHEMES.into_iter().find(|known| is_own(known)) {
            Some(scheme) => Err(PlaceError::NoSlashes {
                name: visible_url(name),
                scheme,
            }),
            None => Ok(Self::File(Path::new(name).join(FILE))),
        }
    }
}

/// A secret in a file, and its ID: it signs the records on a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SealKey {
    id: u8,
    file: String,
}

/// Why the keys that sign records cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SealKeyError {
    /// An ID that is no number from 1 to 255.
    #[error("expected a key ID from 1 to 255 before the colon")]
    Id,
    /// No file.
    #[error("expected a file with a secret")]
    NoFile,
    /// Two keys with one ID.
    #[error("there are two files for key {id}; give each its own ID, as in 2:{file}")]
    Twice {
        /// The ID.
        id: u8,
        /// The second file, safe to show.
        file: String,
    },
    /// The file cannot be read.
    #[error("cannot read {file}, which should have a secret: {message}")]
    Unreadable {
        /// The file, safe to show.
        file: String,
        /// What the system says.
        message: String,
    },
    /// The file has no secret.
    #[error("{file} is empty, but should have a secret")]
    NoSecret {
        /// The file, safe to show.
        file: String,
    },
}

impl FromStr for SealKey {
    type Err = SealKeyError;

    /// Reads `ID:FILE`, or `FILE` for key 1.
    fn from_str(text: &str) -> Result<Self, SealKeyError> {
        let is_number = |id: &str| !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_digit());
        let (id, file) = match text.split_once(':').filter(|(id, _)| is_number(id)) {
            Some((id, file)) => (id.parse().unwrap_or(0), file),
            None => (1, text),
        };
        if id == 0 {
            return Err(SealKeyError::Id);
        }
        if file.is_empty() {
            return Err(SealKeyError::NoFile);
        }
        let file = file.to_owned();
        Ok(Self { id, file })
    }
}

impl Seal {
    /// Reads the files of keys and makes the seal for them: the first one signs, all are accepted.
    /// Without keys, a checksum.
    ///
    /// # Errors
    /// [`SealKeyError`] if a file has no secret, or two keys have one ID.
    #[expect(clippy::disallowed_methods, reason = "no decision depends on a secret")]
    pub fn of_keys(keys: &[SealKey]) -> Result<Self, SealKeyError> {
        let mut seal = Self::checksum();
        let mut ids = BTreeSet::new();
        for SealKey { id, file } in keys {
            let shown = || visible_url(file);
            if !ids.insert(id) {
                return Err(SealKeyError::Twice {
                    id: *id,
                    file: shown(),
                });
            }
            let secret = std::fs::read(file).map_err(|error| SealKeyError::Unreadable {
                file: shown(),
                message: error.to_string(),
            })?;
            let secret = secret.trim_ascii();
            if secret.is_empty() {
                return Err(SealKeyError::NoSecret { file: shown() });
            }
            seal = seal.with_older_key(*id, secret);
        }
        Ok(seal)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::*;

    #[test]
    fn names_of_places() {
        for (name, is_server) in [
            ("dir", false),
            ("a:b", false),
            ("C:/cache", false),
            ("redis://h", true),
            ("unix:///s", true),
        ] {
            let place = Place::named(name).unwrap();
            assert_eq!(matches!(place, Place::Server(_)), is_server, "{name}");
        }
        for name in ["", "redis:/u:secret@h", "REDISS:h", "unix:/x"] {
            let error = Place::named(name).unwrap_err().to_string();
            assert!(!error.contains("secret"), "{error}");
        }
    }

    #[test]
    fn names_of_keys() {
        let key = |text: &str| text.parse::<SealKey>().map(|key| (key.id, key.file));
        assert_eq!(key("key"), Ok((1, "key".to_owned())));
        assert_eq!(key("2:key"), Ok((2, "key".to_owned())));
        assert_eq!(key("a:key"), Ok((1, "a:key".to_owned())));
        for wrong in ["", "0:key", "256:key", "3:"] {
            assert!(key(wrong).is_err(), "{wrong}");
        }
    }
}
