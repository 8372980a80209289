//! How places and foreign text are written as data.

use abide::Span;
use serde::{Serialize, Serializer};

/// The first byte, and the byte after the last.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde's signature")]
pub(crate) fn span<S: Serializer>(span: &Span, to: S) -> Result<S::Ok, S::Error> {
    [span.start, span.end].serialize(to)
}

/// Text, in which what is no UTF-8 is replaced.
pub(crate) fn text<S: Serializer>(bytes: &[u8], to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(&String::from_utf8_lossy(bytes))
}
