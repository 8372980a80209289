//! Statements of `Content-Usage`, in lines of robots.txt and in response fields (draft-ietf-aipref
//! -attach and -vocab; PREF-19 to PREF-48).
//!
//! A statement is a Dictionary of structured fields. The words of a [`Revision`] are its keys, and
//! only the Tokens `y` and `n` are preferences.

use super::revision::OlderWord;
use super::{Preference, Revision, StatedUsages};
use crate::verdict::Usage;
use sfv::visitor::{DictionaryVisitor, EntryVisitor, Ignored, InnerListVisitor, ItemVisitor};
use sfv::{BareItemFromInput, KeyRef, Parser};
use std::collections::BTreeMap;
use std::convert::Infallible;

/// How many bytes of the response field are read, over all its lines: 128 KiB (PREF-48).
pub(crate) const MAX_FIELD_BYTES: usize = 131_072;

/// What a statement says. `None` if it is not a Dictionary: then it says nothing (PREF-27).
pub(crate) fn read(statement: &[u8], revision: &Revision) -> Option<StatedUsages> {
    let mut stated = StatedUsages::default();
    for (word, preference) in words(statement)? {
        if let Some(usage) = revision.usage_of(word) {
            stated.set(usage, preference);
        }
        stated.has_older_words |= is_older(word.as_bytes());
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
    bytes.fold(0_usize, usize::saturating_add) > MAX_FIELD_BYTES.saturating_add(", ".len())
}

/// Whether a statement has the word for `usage` as a key, whatever its value.
pub(crate) fn mentions(statement: &[u8], usage: Usage, revision: &Revision) -> bool {
    let Some(word) = revision.word_for(usage) else {
        return false;
    };
    words(statement).is_some_and(|words| words.contains_key(word))
}

/// Whether a key, in lower case, is a word of any supported revision.
pub(crate) fn names_usage(key: &[u8]) -> bool {
    let words = Revision::ALL.iter().flat_map(|revision| revision.words);
    words.into_iter().any(|(word, _)| word.as_bytes() == key)
}

/// Whether a statement is a Dictionary that is not empty.
pub(crate) fn is_dictionary(statement: &[u8]) -> bool {
    words(statement).is_some()
}

/// Whether a key, in lower case, is a word of an earlier revision alone (PREF-47).
pub(crate) fn is_older(key: &[u8]) -> bool {
    OlderWord::named(key).is_some() && !names_usage(key)
}

/// The words of any revision that are keys of a statement, each with the preference that its last
/// value states. `None` if the statement is not a Dictionary, or an empty one.
fn words(statement: &[u8]) -> Option<BTreeMap<&str, Option<Preference>>> {
    let read = Parser::new(statement).parse_dictionary_with_visitor(Words::default());
    let Words { words, has_members } = read.ok()?;
    has_members.then_some(words)
}

/// Keeps nothing of other members: a statement may have hundreds of thousands.
#[derive(Default)]
struct Words<'s> {
    words: BTreeMap<&'s str, Option<Preference>>,
    has_members: bool,
}

impl<'s> DictionaryVisitor<'s> for Words<'s> {
    type Out = Self;
    type Error = Infallible;

    fn entry(&mut self, key: &'s KeyRef) -> Result<impl EntryVisitor<'s>, Infallible> {
        self.has_members = true;
        let key = key.as_str();
        let is_word = names_usage(key.as_bytes()) || is_older(key.as_bytes());
        Ok(is_word.then(|| {
            let preference = self.words.entry(key).or_default();
            *preference = None;
            Value { preference }
        }))
    }

    fn finish(self) -> Result<Self, Infallible> {
        Ok(self)
    }
}

/// The value of a word. Its parameters say nothing.
struct Value<'w> {
    preference: &'w mut Option<Preference>,
}

impl<'s> EntryVisitor<'s> for Value<'_> {
    type Error = Infallible;

    fn item(self) -> Result<impl ItemVisitor<'s>, Infallible> {
        Ok(|value: BareItemFromInput<'s>| {
            *self.preference = match value {
                BareItemFromInput::Token(token) if token.as_str() == "y" => Some(Preference::Yes),
                BareItemFromInput::Token(token) if token.as_str() == "n" => Some(Preference::No),
                _ => None,
            };
            Ok::<_, Infallible>(Ignored)
        })
    }

    fn inner_list(self) -> Result<impl InnerListVisitor<'s>, Infallible> {
        Ok(Ignored)
    }
}
