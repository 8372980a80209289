//! What a line of a robots.txt says about AI preferences, for tools.

use super::document::{Line, Robots};
use crate::preference::content_signal::{Signal, USE, WORDS};
use crate::preference::line::{PreferenceLine, split_path};
use crate::preference::{
    Preference, Revision, Vocabulary, content_usage, signal_check, usage_check,
};
use crate::rep::field::FieldKind;

/// A line that states AI preferences, or names a licence.
///
/// ```
/// use abide::syntax::PreferenceStatement;
/// let read = PreferenceStatement::read(b"Content-Signal", b"/a AI-Train=no").unwrap();
/// assert_eq!(read.path, Some(&b"/a"[..]));
/// assert_eq!(read.words, Some(vec![("ai-train", "no")]));
/// let read = PreferenceStatement::read(b"Content-Usage", b"train-ai=n,").unwrap();
/// assert_eq!(read.words, None);
/// assert!(PreferenceStatement::read(b"Disallow", b"/a").is_none());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PreferenceStatement<'r> {
    /// The vocabulary; [`Vocabulary::Rsl`] for a `License` line.
    pub vocabulary: Vocabulary,
    /// The path before the statement, as written.
    pub path: Option<&'r [u8]>,
    /// The statement as written; the whole value of a `License` line.
    pub statement: &'r [u8],
    /// The words of the latest revision that it settles, with their values in lower case. `None` if
    /// it cannot be parsed.
    pub words: Option<Vec<(&'static str, &'static str)>>,
}

impl<'r> PreferenceStatement<'r> {
    /// Reads a line by its key and its value. `None` if the key is of another field.
    #[must_use]
    pub fn read(key: &[u8], value: &'r [u8]) -> Option<Self> {
        let kind = PreferenceLine::of(key)?;
        if kind == PreferenceLine::License {
            return Some(Self {
                vocabulary: Vocabulary::Rsl,
                path: None,
                statement: value,
                words: Some(Vec::new()),
            });
        }
        let (path, statement) = split_path(value);
        let (vocabulary, words) = if kind == PreferenceLine::ContentUsage {
            (Vocabulary::ContentUsage, usage_words(statement))
        } else {
            (Vocabulary::ContentSignal, Some(signal_words(statement)))
        };
        Some(Self {
            vocabulary,
            path,
            statement,
            words,
        })
    }
}

/// The word that `key` most likely means, which is a word of another vocabulary or of an older
/// revision. `None` for words of `vocabulary`, and if no word is close.
///
/// ```
/// use abide::preference::Vocabulary;
/// use abide::syntax::preference_word;
/// assert_eq!(preference_word(Vocabulary::ContentUsage, "ai-train"), Some("train-ai"));
/// assert_eq!(preference_word(Vocabulary::ContentSignal, "train-ai"), Some("ai-train"));
/// assert_eq!(preference_word(Vocabulary::ContentUsage, "bots"), None);
/// ```
#[must_use]
pub fn preference_word(vocabulary: Vocabulary, key: &str) -> Option<&'static str> {
    match vocabulary {
        Vocabulary::ContentUsage => usage_check::meant_by(key, Revision::latest()),
        Vocabulary::ContentSignal => signal_check::meant_by(key.as_bytes()),
        _ => None,
    }
}

fn usage_words(statement: &[u8]) -> Option<Vec<(&'static str, &'static str)>> {
    let revision = Revision::latest();
    let stated = content_usage::read(statement, revision)?;
    let words = revision.words.iter().filter_map(|&(word, usage)| {
        let value = match stated.about(usage)? {
            Preference::Yes => "y",
            Preference::No => "n",
        };
        Some((word, value))
    });
    Some(words.collect())
}

fn signal_words(statement: &[u8]) -> Vec<(&'static str, &'static str)> {
    let signal = Signal::read(statement);
    let words = WORDS.iter().filter_map(|&(word, usage)| {
        let value = match signal.stated.about(usage)? {
            Preference::Yes => "yes",
            Preference::No => "no",
        };
        Some((word, value))
    });
    let level = signal.max_use.map(|level| (USE, level.name()));
    words.chain(level).collect()
}

impl Robots {
    /// What a line says about AI preferences. `None` for other lines.
    #[must_use]
    pub fn preference(&self, line: &Line) -> Option<PreferenceStatement<'_>> {
        let field = line
            .field()
            .filter(|field| field.kind == FieldKind::Other)?;
        let text = self.text().as_bytes();
        PreferenceStatement::read(field.key.of(text), field.value.of(text))
    }
}
