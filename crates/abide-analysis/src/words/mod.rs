//! What outcomes, usages, lines and lists are called in plain English, and sentences with foreign
//! text in them.
//!
//! Whoever writes a sentence takes its words from here, so that diff, explain, matrix, the linter
//! and surveys call a thing by one name.

mod enumeration;
mod phrase;

pub use enumeration::{enumerated, enumerated_all, enumerated_lines, enumerated_of, listed};
pub use phrase::{Phrase, Piece};

use abide::explain::visible_url;
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

/// Cuts foreign text for a sentence if it is long. The caller has made it visible.
pub(crate) fn cut(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

/// The text with an upper-case letter at its beginning.
#[must_use]
pub fn capital(text: &str) -> String {
    let mut rest = text.chars();
    let first = rest.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(rest).collect()
}
