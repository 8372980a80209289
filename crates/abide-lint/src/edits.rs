//! Edits of a file, and the file that they make.

use crate::finding::Edit;
use abide::Limits;
use abide::syntax::{Encoding, Text};
use std::collections::BTreeMap;

/// Edits by their first byte. They do not overlap.
pub(crate) type Edits<'f> = BTreeMap<u32, &'f Edit>;

/// The file `bytes` with the edits of its decoded text. Bytes behind the parsing limit stay.
pub(crate) fn applied(bytes: &[u8], edits: &Edits<'_>) -> Vec<u8> {
    let text = Text::new(bytes, Limits::default());
    let behind = match text.encoding() {
        Encoding::Utf16Le | Encoding::Utf16Be => &[],
        _ => bytes.get(text.as_bytes().len()..).unwrap_or_default(),
    };
    let mut out = replaced(text.as_bytes(), edits);
    out.extend_from_slice(behind);
    out
}

fn replaced(text: &[u8], edits: &Edits<'_>) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut at = 0;
    for edit in edits.values() {
        let kept = text.get(at..edit.span.start as usize);
        out.extend_from_slice(kept.expect("edits are in order and do not overlap"));
        out.extend_from_slice(&edit.replacement);
        at = edit.span.end as usize;
    }
    out.extend_from_slice(text.get(at..).expect("edits end within the text"));
    out
}
