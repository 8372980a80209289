//! How foreign text is written as data.

use serde::{Serialize, Serializer};

/// Text, in which what is no UTF-8 is replaced.
pub fn text<S: Serializer>(bytes: &[u8], to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(&String::from_utf8_lossy(bytes))
}

/// Bytes of a file as text; null if there are none.
pub fn text_or_null<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
    let text = (!bytes.is_empty()).then(|| String::from_utf8_lossy(bytes));
    text.serialize(serializer)
}
