//! What is wrong with a statement of `Content-Usage` (PREF-34 to PREF-39, PREF-47).

use super::mistake::{Mistakes, place_of};
use crate::array_windows::array_windows;
use crate::diagnostic::Code;
use crate::preference::content_usage::{is_dictionary, names_usage};
use crate::preference::revision::{OlderWord, Revision};
use crate::preference::usage_member::{UsageMember, members};
use crate::text::is_blank;
use crate::visible::shown;
use std::collections::BTreeSet;
use std::ops::Range;

/// Words of Content-Signal, and the words of Content-Usage that they are closest to.
const FOREIGN: [(&str, &str); 4] = [
    ("ai-train", "train-ai"),
    ("ai_train", "train-ai"),
    ("ai-input", "ai-use"),
    ("ai_input", "ai-use"),
];

/// The word of `revision` for a key of Content-Signal or of an older revision.
pub(super) fn meant_by(key: &str, revision: &Revision) -> Option<&'static str> {
    if revision.usage_of(key).is_some() {
        return None;
    }
    let foreign = FOREIGN.iter().find(|(known, _)| *known == key);
    let older = OlderWord::named(key.as_bytes());
    let by_usage = older.and_then(|older| revision.word_for(older.usage()?));
    foreign.map(|(_, meant)| *meant).or(by_usage)
}

/// Checks the statements of a robots.txt one by one, or the lines of a response field together.
#[derive(Debug)]
pub(super) struct UsageCheck {
    revision: &'static Revision,
    /// The words of the field so far: its lines are one statement (PREF-40).
    words: BTreeSet<Vec<u8>>,
    /// Whether `ai-use` was reported: it is correct, so once is enough.
    has_newer_word: bool,
}

impl UsageCheck {
    pub(super) fn new(revision: &'static Revision) -> Self {
        Self {
            revision,
            words: BTreeSet::new(),
            has_newer_word: false,
        }
    }

    /// Reports the mistakes in a statement that is independent of those before it.
    pub(super) fn statement(&mut self, statement: &[u8], found: &mut Mistakes<'_>) {
        self.words.clear();
        self.field_line(statement, found);
    }

    /// Reports the mistakes in the next line of a response field.
    pub(super) fn field_line(&mut self, statement: &[u8], found: &mut Mistakes<'_>) {
        if statement.trim_ascii().is_empty() {
            found.say(
                Code::ContentUsageUnparsable,
                0..0,
                || "there is no word, so no preference; write one, such as train-ai=n",
            );
            return;
        }
        let lowered = lower_keys(statement, found);
        if is_dictionary(&lowered) {
            for member in members(statement) {
                self.member(statement, &member, found);
            }
        } else {
            unparsable(statement, found);
        }
    }

    fn member(&mut self, statement: &[u8], member: &UsageMember<'_>, found: &mut Mistakes<'_>) {
        let at = place_of(statement, member.key);
        let word = member.key.to_ascii_lowercase();
        if !self.is_word(&word, &at, found) {
            return;
        }
        if names_usage(&word) && !matches!(member.value, Some(b"y" | b"n")) {
            value(statement, member, found);
        }
        // A `;` instead of a `,`.
        if let Some(parameter) = member.parameters().find(|name| is_or_was_a_word(name)) {
            let at = place_of(statement, parameter);
            found.say(Code::ContentUsageUnparsable, at, || {
                format!(
                    "\";\" begins a parameter of {}, so robots ignore {}; separate words with \",\"",
                    shown(member.key),
                    shown(parameter)
                )
            });
        }
        if !self.words.insert(word) {
            found.say(Code::ContentUsageDuplicateWord, at, || {
                format!(
                    "{} is stated again, and only the last value counts",
                    shown(member.key)
                )
            });
        }
    }

    /// Whether a key is a word that some revision still has. Reports what is wrong with it.
    fn is_word(&mut self, word: &[u8], at: &Range<usize>, found: &mut Mistakes<'_>) -> bool {
        let name = std::str::from_utf8(word).unwrap_or_default();
        // The default revision knows a word that was in revision 02 too: it is new for 07 only.
        if name == "ai-use" {
            if !std::mem::replace(&mut self.has_newer_word, true) {
                found.say(Code::ContentUsageNewerWord, at.clone(), || {
                    "revision 07 of the vocabulary does not have ai-use: readers of that revision see nothing here"
                });
            }
            return true;
        }
        if self.revision.usage_of(name).is_some() {
            return true;
        }
        let meant = meant_by(name, self.revision);
        let foreign = meant.filter(|_| FOREIGN.iter().any(|(known, _)| *known == name));
        let older = OlderWord::named(word);
        let code = match (foreign, older) {
            (Some(_), _) => Code::ContentUsageForeignWord,
            (None, Some(_)) => Code::ContentUsageStaleWord,
            (None, None) => Code::ContentUsageUnknownWord,
        };
        found.say(code, at.clone(), || match (foreign, older) {
            (Some(meant), _) => format!("{name} is a word of Content-Signal; write {meant}"),
            (None, Some(OlderWord { revisions, .. })) => {
                let now = meant.map_or_else(String::new, |now| format!("; write {now}"));
                format!(
                    "{name} is a word of revision {revisions} of the vocabulary, which robots no longer read{now}"
                )
            }
            (None, None) => format!("{} is not a word of Content-Usage", shown(word)),
        });
        false
    }
}

/// Reports a value that is no preference.
fn value(statement: &[u8], member: &UsageMember<'_>, found: &mut Mistakes<'_>) {
    let at = place_of(statement, member.value.unwrap_or(member.key));
    found.say(Code::ContentUsageValue, at, || match member.value {
        None => format!("{} has no value; write =y or =n", shown(member.key)),
        Some(value) => format!(
            "{} states no preference about {}; write y or n",
            shown(value),
            shown(member.key)
        ),
    });
}

/// Reports why a statement is not a Dictionary.
fn unparsable(statement: &[u8], found: &mut Mistakes<'_>) {
    let (at, why) = obstacle(statement);
    found.say(Code::ContentUsageUnparsable, at, || {
        format!("robots cannot read this, so it states no preference: {why}")
    });
}

/// What keeps a statement from being a Dictionary, and where.
fn obstacle(statement: &[u8]) -> (Range<usize>, &'static str) {
    let bytes = |at: usize, count: usize| at..at.saturating_add(count);
    if let Some(byte) = statement.iter().position(|byte| !byte.is_ascii()) {
        return (bytes(byte, 1), "a character outside ASCII");
    }
    if let [before @ .., b','] = statement.trim_ascii_end() {
        return (bytes(before.len(), 1), "a comma without a word after it");
    }
    let around = array_windows(statement).position(|pair| {
        matches!(pair, [left, b'='] if is_blank(*left))
            || matches!(pair, [b'=', right] if is_blank(*right))
    });
    if let Some(position) = around {
        return (bytes(position, 2), "a space beside \"=\"");
    }
    (
        0..statement.len(),
        "write words with values, separated by commas, such as train-ai=n, search=y",
    )
}

/// The statement with its keys in lower case, so that the other checks can read it. Reports each
/// key that is not (PREF-39).
fn lower_keys(statement: &[u8], found: &mut Mistakes<'_>) -> Vec<u8> {
    let mut lowered = statement.to_vec();
    for member in members(statement) {
        if !member.key.iter().any(u8::is_ascii_uppercase) {
            continue;
        }
        let at = place_of(statement, member.key);
        if let Some(key) = lowered.get_mut(at.clone()) {
            key.make_ascii_lowercase();
        }
        found.say(Code::ContentUsageWordCase, at, || {
            format!(
                "an upper-case letter in {}: robots cannot read the whole statement; write {}",
                shown(member.key),
                shown(&member.key.to_ascii_lowercase())
            )
        });
    }
    lowered
}

/// Whether a key is a word of this or of another vocabulary, or was one.
fn is_or_was_a_word(key: &[u8]) -> bool {
    let mut foreign = FOREIGN.iter().map(|(word, _)| *word);
    let is_older = OlderWord::named(key).is_some();
    is_older || names_usage(key) || foreign.any(|word| word.as_bytes() == key)
}

/// A path at the beginning of a value that does not begin with `/`, such as `*.pdf`, `a/` or a URL
/// (PREF-21).
pub(super) fn path_without_slash(value: &[u8]) -> Option<&[u8]> {
    let mut words = value.splitn(2, |byte| is_blank(*byte));
    let word = words.next().filter(|word| !word.starts_with(b"/"))?;
    let has_statement = words
        .next()
        .is_some_and(|rest| !rest.trim_ascii().is_empty());
    let before = |end: &u8| matches!(end, b'=' | b',' | b';' | b'/');
    let first = word.iter().copied().find(before);
    let is_path = match first {
        Some(b'/') => has_statement,
        None => matches!(word, [b'*' | b'.', ..]),
        Some(_) => false,
    };
    is_path.then_some(word)
}
