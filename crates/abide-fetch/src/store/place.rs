//! Where a store is, in the words of a person.

use std::path::Path;
use thiserror::Error;

/// The schemes of server URLs.
const SCHEMES: [&str; 5] = ["redis", "rediss", "valkey", "valkeys", "unix"];

/// Where a store is.
///
/// ```
/// use abide_fetch::store::Place;
/// assert!(matches!(Place::named("cache"), Ok(Place::Folder(_))));
/// assert!(matches!(Place::named("redis://host"), Ok(Place::Server(_))));
/// assert!(Place::named("redis:host").is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
// Exhaustive: callers handle every case.
pub enum Place<'n> {
    /// A folder, in which the store has a file.
    Folder(&'n Path),
    /// The URL of a server. `SharedStore::new` checks it.
    Server(&'n str),
}

/// Why a name is that of no place. Does not repeat the name, which may contain a password.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PlaceError {
    /// The name is empty.
    #[error("the name is empty; name a folder, or a server such as redis://host")]
    Empty,
    /// The name begins like the URL of a server. Taken for a folder, it would be created, with the
    /// password in its name.
    #[error("expected a folder or a server; a server is written {0}://host")]
    Scheme(&'static str),
}

impl<'n> Place<'n> {
    /// The place with this name.
    ///
    /// # Errors
    /// [`PlaceError`] for an empty name, and for the URL of a server without `//`.
    pub fn named(name: &'n str) -> Result<Self, PlaceError> {
        if name.is_empty() {
            return Err(PlaceError::Empty);
        }
        if name.contains("://") {
            return Ok(Self::Server(name));
        }
        let scheme = name.split_once(':').map(|(scheme, _)| scheme);
        let is_own = |known: &str| scheme.is_some_and(|own| own.eq_ignore_ascii_case(known));
        match SCHEMES.into_iter().find(|known| is_own(known)) {
            Some(scheme) => Err(PlaceError::Scheme(scheme)),
            None => Ok(Self::Folder(Path::new(name))),
        }
    }
}
