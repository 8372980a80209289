//! How places and foreign text are written as data.

use abide::verdict::ConditionKind;
use abide::{Condition, Span};
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

/// Bytes of a file as text; null if there are none.
pub(crate) fn text_or_null<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
    let text = (!bytes.is_empty()).then(|| String::from_utf8_lossy(bytes));
    text.serialize(serializer)
}

/// What a conditional outcome demands.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(
    feature = "schema",
    schemars(rename = "Condition", deny_unknown_fields)
)]
pub(crate) struct ConditionMembers {
    kind: ConditionKind,
    value: String,
}

/// Conditions by their kinds and values.
pub(crate) fn conditions<S: Serializer>(
    conditions: &[Condition],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(conditions.iter().map(|condition| ConditionMembers {
        kind: condition.kind(),
        value: condition.value(),
    }))
}
