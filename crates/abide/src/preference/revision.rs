//! Revisions of the vocabulary of `Content-Usage` (PREF-11, PREF-35, PREF-47), in one table.

use crate::name_error::UnknownNameError;
use crate::verdict::Usage;
use std::fmt;

/// A revision of draft-ietf-aipref-vocab: its words, and the usages that they are about.
#[derive(Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Revision {
    /// Its number, such as `08`.
    pub number: &'static str,
    /// The name of the document.
    pub document: &'static str,
    /// Its words.
    pub words: &'static [(&'static str, Usage)],
}

impl Revision {
    /// All supported revisions, the default first.
    pub const ALL: &'static [Self] = &[
        Self {
            number: "08",
            document: "draft-ietf-aipref-vocab-08",
            words: &[
                ("train-ai", Usage::Train),
                ("ai-use", Usage::AiInput),
                ("search", Usage::Search),
            ],
        },
        Self {
            number: "07",
            document: "draft-ietf-aipref-vocab-07",
            words: &[("train-ai", Usage::Train), ("search", Usage::Search)],
        },
    ];

    /// The default revision.
    #[must_use]
    pub const fn latest() -> &'static Self {
        #[expect(clippy::indexing_slicing, reason = "a constant that is not empty")]
        &Self::ALL[0]
    }

    /// The revision with this number.
    ///
    /// # Errors
    /// [`UnknownNameError`] for any other text.
    ///
    /// ```
    /// use abide::preference::Revision;
    /// assert_eq!(Revision::named("07")?.document, "draft-ietf-aipref-vocab-07");
    /// assert!(Revision::named("03").is_err());
    /// # Ok::<(), abide::UnknownNameError>(())
    /// ```
    pub fn named(number: &str) -> Result<&'static Self, UnknownNameError> {
        let found = Self::ALL.iter().find(|known| known.number == number);
        found.ok_or_else(|| UnknownNameError::new("revision", number))
    }

    /// The usage that `word` is about.
    pub(crate) fn usage_of(&self, word: &str) -> Option<Usage> {
        let found = self.words.iter().find(|(known, _)| *known == word);
        found.map(|&(_, usage)| usage)
    }

    /// The word for `usage`.
    pub(crate) fn word_for(&self, usage: Usage) -> Option<&'static str> {
        let found = self.words.iter().find(|(_, about)| *about == usage);
        found.map(|&(word, _)| word)
    }
}

impl fmt::Display for Revision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.document)
    }
}

/// Words of older revisions, which say nothing in later ones: the word, the revisions that had it,
/// and the usage that it was closest to (PREF-47).
pub(crate) const OLDER_WORDS: [(&str, &str, Option<Usage>); 9] = [
    ("tdm", "01", None),
    ("ai", "01", None),
    ("genai", "01", Some(Usage::Train)),
    ("inference", "01", Some(Usage::AiInput)),
    ("all", "02", None),
    ("train-genai", "02 and 03", Some(Usage::Train)),
    ("bots", "03 and 04", None),
    ("ai-output", "04", Some(Usage::AiInput)),
    ("ai-use", "02", Some(Usage::AiInput)),
];
