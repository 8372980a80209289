//! What outcomes, usages, lines and lists are called in plain English, and sentences with foreign
//! text in them.
//!
//! Whoever writes a sentence takes its words from here, so that diff, explain, matrix, the linter
//! and surveys call a thing by one name.

mod enumeration;
mod phrase;

pub use enumeration::{enumerated, enumerated_all, enumerated_lines, enumerated_of, listed};
pub use phrase::{Phrase, Piece};

use abide::explain::{visible, visible_url};
use abide::preference::Vocabulary;
use abide::{Outcome, Usage};

/// Lines that are named one by one; of more only so many are.
const NAMED: usize = 8;
/// Characters of foreign text that are shown in a sentence.
const SHOWN: usize = 120;

/// A usage as people call it: `training`, `AI input`; others by their names.
#[must_use]
pub const fn usage(usage: Usage) -> &'static str {
    match usage {
        Usage::Train => "training",
        Usage::AiInput => "AI input",
        other => other.name(),
    }
}

/// An outcome of training, AI input or search: `no preference` instead of *unspecified*.
#[must_use]
pub fn preference_outcome(outcome: Outcome) -> String {
    match outcome {
        Outcome::Unspecified => "no preference".to_owned(),
        other => other.to_string(),
    }
}

/// A vocabulary as people call it.
#[must_use]
pub const fn vocabulary(vocabulary: Vocabulary) -> &'static str {
    match vocabulary {
        Vocabulary::ContentUsage => "Content-Usage",
        Vocabulary::ContentSignal => "Content-Signal",
        Vocabulary::Tdmrep => "TDMRep",
        Vocabulary::Rsl => "RSL",
        Vocabulary::RobotsTag => "robots tag",
        Vocabulary::ControlToken => "control token",
        other => other.name(),
    }
}

/// The outcome of a usage: [`preference_outcome`] for training, AI input and search.
#[must_use]
pub fn outcome(usage: Usage, outcome: Outcome) -> String {
    if Usage::PREFERENCES.contains(&usage) {
        preference_outcome(outcome)
    } else {
        outcome.to_string()
    }
}

/// `line 4`, `lines 4 and 10`, `lines 4, 10 and 12 more`.
#[must_use]
pub fn lines(numbers: &[u32]) -> String {
    enumerated_lines(numbers, NAMED)
}

/// A URL for a sentence: made visible, and cut if it is long.
#[must_use]
pub fn shown_url(url: &str) -> String {
    cut(&visible_url(url))
}

/// Foreign text for a sentence: made visible, and cut if it is long.
pub(crate) fn shown_text(text: &[u8]) -> String {
    cut(&visible(text))
}

/// Cuts text for a sentence if it is long. Foreign text is visible already.
pub(crate) fn cut(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

/// `1 site`, `2 sites`, `1,000 sites`.
///
/// ```
/// use abide_analysis::words::counted;
/// assert_eq!(counted(1, "entry", "entries"), "1 entry");
/// assert_eq!(counted(12_345, "entry", "entries"), "12,345 entries");
/// ```
#[must_use]
pub fn counted(number: u64, one: &str, many: &str) -> String {
    let what = if number == 1 { one } else { many };
    format!("{} {what}", grouped(number))
}

/// A number with commas: `1,000,000`.
#[must_use]
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut shown = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            shown.push(',');
        }
        shown.push(digit);
    }
    shown
}

/// The text with an upper-case letter at its beginning.
#[must_use]
pub fn capital(text: &str) -> String {
    let mut rest = text.chars();
    let first = rest.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(rest).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_easy_to_read() {
        let numbers = [0, 999, 1_000, 12_345_678].map(grouped);
        assert_eq!(numbers, ["0", "999", "1,000", "12,345,678"]);
    }
}
