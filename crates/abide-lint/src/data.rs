//! How foreign text is written as data.

use serde::Serializer;

/// Text, in which what is no UTF-8 is replaced.
pub(crate) fn text<S: Serializer>(bytes: &[u8], to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(&String::from_utf8_lossy(bytes))
}
