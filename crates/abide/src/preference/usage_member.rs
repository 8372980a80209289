//! The members of a `Content-Usage` statement, as they are written. `content_usage` reads what they
//! state.

use super::content_usage::{is_dictionary, is_older, mentions};
use super::revision::{OlderWord, Revision};
use crate::verdict::Usage;

/// The member of a statement that states an older word about `usage`, as written and without
/// parameters: `ai=n`. `None` if the statement cannot be read, or has a word of `revision` about
/// the usage (CLA-PREF-22).
pub(crate) fn older_member<'s>(
    statement: &'s [u8],
    usage: Usage,
    revision: &Revision,
) -> Option<&'s str> {
    if !is_dictionary(statement) || mentions(statement, usage, revision) {
        return None;
    }
    let is_about = |key: &[u8]| {
        let older = OlderWord::named(key).filter(|_| is_older(key));
        older.is_some_and(|older| older.about.contains(&usage))
    };
    let member = members(statement).find(|member| is_about(member.key))?;
    std::str::from_utf8(member.text).ok()
}

/// The last member of a statement with this key, as written and without parameters:
/// `train-ai=n`. The last one counts (PREF-38).
pub(crate) fn written_member<'s>(statement: &'s [u8], word: &str) -> Option<&'s str> {
    let own = members(statement).filter(|member| member.key == word.as_bytes());
    std::str::from_utf8(own.last()?.text).ok()
}

/// A member of a statement, without blanks around its parts.
#[derive(Debug)]
pub(crate) struct UsageMember<'s> {
    /// All of it but its parameters.
    pub(crate) text: &'s [u8],
    pub(crate) key: &'s [u8],
    /// `None` without `=`.
    pub(crate) value: Option<&'s [u8]>,
    /// All of it.
    whole: &'s [u8],
}

impl<'s> UsageMember<'s> {
    fn new(whole: &'s [u8]) -> Self {
        let own = unquoted(whole, b';').next().unwrap_or_default();
        let value = own.iter().position(|byte| *byte == b'=');
        let value = value.and_then(|at| own.get(at.saturating_add(1)..));
        Self {
            text: own.trim_ascii(),
            key: key(own),
            value: value.map(<[u8]>::trim_ascii),
            whole,
        }
    }

    /// The keys of its parameters.
    pub(crate) fn parameters(&self) -> impl Iterator<Item = &'s [u8]> {
        unquoted(self.whole, b';').skip(1).map(key)
    }
}

/// The text before `=`.
fn key(part: &[u8]) -> &[u8] {
    let key = part.split(|byte| *byte == b'=').next();
    key.unwrap_or_default().trim_ascii()
}

/// The members of a statement.
pub(crate) fn members(statement: &[u8]) -> impl Iterator<Item = UsageMember<'_>> {
    let parts = unquoted(statement, b',');
    let written = parts.filter(|part| !part.trim_ascii().is_empty());
    written.map(UsageMember::new)
}

/// Splits a text at each `separator` outside quotes.
fn unquoted(text: &[u8], separator: u8) -> impl Iterator<Item = &[u8]> {
    let (mut is_quoted, mut is_escaped) = (false, false);
    text.split(move |&byte| {
        if is_escaped {
            is_escaped = false;
        } else if is_quoted && byte == b'\\' {
            is_escaped = true;
        } else if byte == b'"' {
            is_quoted = !is_quoted;
        }
        !is_quoted && byte == separator
    })
}
