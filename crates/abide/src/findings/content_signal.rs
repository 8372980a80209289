//! What is wrong with a statement of `Content-Signal` (PREF-55, PREF-56, PREF-61, CLA-PREF-17).

use super::mistake::{Mistakes, place_of};
use crate::diagnostic::{Code, Severity};
use crate::preference::content_signal::{Item, USE, WORDS};
use crate::text::is_blank;
use crate::visible::shown;
use std::collections::BTreeMap;

/// Keys of other vocabularies, and frequent slips, with the words of Content-Signal that they are
/// closest to.
const FOREIGN: [(&str, &str); 7] = [
    ("train-ai", "ai-train"),
    ("ai_train", "ai-train"),
    ("ai-training", "ai-train"),
    ("ai-use", "ai-input"),
    ("ai_input", "ai-input"),
    ("ai-inference", "ai-input"),
    ("search-ai", "search"),
];

/// The word that `key`, which Content-Signal does not have, most likely means.
pub(super) fn meant_by(key: &[u8]) -> Option<&'static str> {
    let known = FOREIGN
        .iter()
        .find(|(known, _)| key.eq_ignore_ascii_case(known.as_bytes()));
    known.map(|(_, meant)| *meant)
}

/// Reports the mistakes in a statement.
pub(super) fn check(statement: &[u8], found: &mut Mistakes<'_>) {
    if statement.trim_ascii().is_empty() {
        found.say(
            Code::ContentSignalValue,
            0..0,
            || "there is no word, so no preference; write one, such as ai-train=no",
        );
        return;
    }
    separators(statement, found);
    let mut case = None;
    let mut values = BTreeMap::new();
    let parts = statement.split(|byte| matches!(byte, b',' | b';'));
    for part in parts
        .map(<[u8]>::trim_ascii)
        .filter(|part| !part.is_empty())
    {
        let item = Item::read(part);
        let Some(word) = word_of(&item) else {
            foreign(statement, &item, found);
            continue;
        };
        let has_upper = part.iter().any(u8::is_ascii_uppercase);
        if !has_value(word, &item) {
            value(statement, word, &item, part, found);
        } else if has_upper && case.is_none() {
            case = Some(place_of(statement, part));
        }
        conflict(statement, word, &item, &mut values, found);
    }
    if let Some(at) = case {
        found.say(
            Code::ContentSignalCase,
            at,
            || "some robots compare letter by letter; write words and values in lower case",
        );
    }
}

/// The word that the key of an item is, in any case.
fn word_of(item: &Item<'_>) -> Option<&'static str> {
    let words = WORDS.iter().map(|(word, _)| *word);
    let mut known = words.chain([USE]);
    known.find(|word| item.key.eq_ignore_ascii_case(word.as_bytes()))
}

/// Whether the value is one that the word takes.
fn has_value(word: &str, item: &Item<'_>) -> bool {
    if word == USE {
        item.level().is_some()
    } else {
        item.preference().is_some()
    }
}

/// A `;` or a blank between items.
fn separators(statement: &[u8], found: &mut Mistakes<'_>) {
    // A `;` at the end separates nothing.
    let end = statement
        .iter()
        .rposition(|byte| !is_blank(*byte) && !matches!(byte, b',' | b';'));
    let written = statement.get(..end.unwrap_or_default()).unwrap_or_default();
    if let Some(at) = written.iter().position(|byte| *byte == b';') {
        let at = at..at.saturating_add(1);
        found.say(
            Code::ContentSignalSeparator,
            at,
            || "most robots separate items at \",\" only, and lose what follows \";\"",
        );
    }
    let parts = statement.split(|byte| matches!(byte, b',' | b';'));
    let joined = parts.map(Item::read).find_map(|item| {
        let value = item.value?;
        let blank = value.iter().position(|byte| is_blank(*byte))?;
        value.get(blank..).filter(|rest| rest.contains(&b'='))
    });
    if let Some(rest) = joined {
        let start = place_of(statement, rest).start;
        let at = start..start.saturating_add(1);
        found.say_as(
            Code::ContentSignalSeparator,
            Severity::Error,
            at,
            || "a space does not separate items, so both say nothing; write \",\"",
        );
    }
}

fn foreign(statement: &[u8], item: &Item<'_>, found: &mut Mistakes<'_>) {
    let at = place_of(statement, item.key);
    found.say(Code::ContentSignalForeignWord, at, || {
        let instead = meant_by(item.key).map_or_else(
            || "write search, ai-input, ai-train or use".to_owned(),
            |meant| format!("write {meant}"),
        );
        format!(
            "{} is not a word of Content-Signal, so robots ignore it; {instead}",
            shown(item.key)
        )
    });
}

fn value(statement: &[u8], word: &str, item: &Item<'_>, part: &[u8], found: &mut Mistakes<'_>) {
    let values = match word {
        USE => "immediate, reference or full",
        _ => "yes or no",
    };
    let written = item.value.filter(|value| !value.is_empty());
    let at = place_of(statement, written.unwrap_or(part));
    found.say(Code::ContentSignalValue, at, || match written {
        Some(value) => format!("{} says nothing about {word}; write {values}", shown(value)),
        None => format!("{word} has no value; write {values}"),
    });
}

/// Reports that an earlier item of the statement gives the word another value.
fn conflict(
    statement: &[u8],
    word: &'static str,
    item: &Item<'_>,
    values: &mut BTreeMap<&'static str, Vec<u8>>,
    found: &mut Mistakes<'_>,
) {
    let Some(value) = item.value.filter(|_| has_value(word, item)) else {
        return;
    };
    let before = values.insert(word, value.to_ascii_lowercase());
    if before.is_some_and(|before| !value.eq_ignore_ascii_case(&before)) {
        let at = place_of(statement, item.key);
        found.say(Code::SignalConflict, at, || {
            format!(
                "{word} has two values here: the stricter one counts, for other robots the last one"
            )
        });
    }
}
