//! Statements of `Content-Usage`, in lines of robots.txt and in response fields (draft-ietf-aipref
//! -attach and -vocab; PREF-19 to PREF-48).
//!
//! A statement is a Dictionary of structured fields. The words of a [`Revision`] are its keys, and
//! only the Tokens `y` and `n` are preferences.

use super::{Preference, Revision, StatedUsages};
use crate::verdict::Usage;
use sfv::{BareItem, Dictionary, Item, ListEntry, Parser};

/// How many bytes of the response field are read, over all its lines: 128 KiB (PREF-48).
pub(crate) const FIELD_LIMIT: usize = 131_072;

/// What a statement says. `None` if it is not a Dictionary: then it says nothing (PREF-27).
pub(crate) fn read(statement: &[u8], revision: &Revision) -> Option<StatedUsages> {
    let mut stated = StatedUsages::default();
    for (key, value) in &dictionary(statement)? {
        if let Some(usage) = revision.usage_of(key.as_str()) {
            stated.set(usage, preference(value));
        }
    }
    Some(stated)
}

/// The field's lines as one Dictionary (PREF-40). `None` if it is not one, or too long.
pub(crate) fn read_field<'f>(
    lines: impl Iterator<Item = &'f [u8]> + Clone,
    revision: &Revision,
) -> Option<StatedUsages> {
    if is_too_long(lines.clone()) {
        return None;
    }
    let lines: Vec<_> = lines.collect();
    read(&lines.join(&b", "[..]), revision)
}

/// Whether the field is longer than the limit.
pub(crate) fn is_too_long<'f>(lines: impl Iterator<Item = &'f [u8]>) -> bool {
    let bytes = lines.map(|line| line.len().saturating_add(", ".len()));
    bytes.fold(0_usize, usize::saturating_add) > FIELD_LIMIT.saturating_add(", ".len())
}

/// Whether a statement has the word for `usage` as a key, whatever its value.
pub(crate) fn mentions(statement: &[u8], usage: Usage, revision: &Revision) -> bool {
    let Some(word) = revision.word_for(usage) else {
        return false;
    };
    dictionary(statement).is_some_and(|words| words.contains_key(word))
}

/// Whether a key, in lower case, is a word of any supported revision.
pub(crate) fn names_usage(key: &[u8]) -> bool {
    let words = Revision::ALL.iter().flat_map(|revision| revision.words);
    words.into_iter().any(|(word, _)| word.as_bytes() == key)
}

/// The members of a statement. `None` if it is not a Dictionary, or an empty one.
pub(crate) fn dictionary(statement: &[u8]) -> Option<Dictionary> {
    let read: Dictionary = Parser::new(statement).parse().ok()?;
    (!read.is_empty()).then_some(read)
}

/// The preference that a member states.
pub(crate) fn preference(value: &ListEntry) -> Option<Preference> {
    let ListEntry::Item(Item {
        bare_item: BareItem::Token(token),
        ..
    }) = value
    else {
        return None;
    };
    match token.as_str() {
        "y" => Some(Preference::Yes),
        "n" => Some(Preference::No),
        _ => None,
    }
}
