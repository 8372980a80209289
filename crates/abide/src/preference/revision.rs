//! Revisions of the vocabulary of `Content-Usage` (PREF-11, PREF-35, PREF-47), in one table.

use crate::named::UnknownNameError;
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

/// A word of older revisions, which says nothing in later ones (PREF-47).
#[derive(Debug)]
pub(crate) struct OlderWord {
    pub(crate) word: &'static str,
    /// The revisions that had it.
    pub(crate) revisions: &'static str,
    /// The usages that it was about, as far as these are usages of a decision. Of a word with one
    /// usage, the word of today is that of the usage.
    pub(crate) about: &'static [Usage],
}

impl OlderWord {
    const fn new(word: &'static str, revisions: &'static str, about: &'static [Usage]) -> Self {
        Self {
            word,
            revisions,
            about,
        }
    }

    pub(crate) const ALL: [Self; 9] = [
        Self::new("tdm", "01", &[Usage::Train, Usage::AiInput]),
        Self::new("ai", "01", &[Usage::Train, Usage::AiInput]),
        Self::new("genai", "01", &[Usage::Train]),
        Self::new("inference", "01", &[Usage::AiInput]),
        Self::new("all", "02", &Usage::OF_PREFERENCES),
        Self::new("train-genai", "02 and 03", &[Usage::Train]),
        Self::new("bots", "03 and 04", &Usage::OF_PREFERENCES),
        Self::new("ai-output", "04", &[Usage::AiInput]),
        Self::new("ai-use", "02", &[Usage::AiInput]),
    ];

    /// The older word with this spelling in lower case.
    pub(crate) fn named(word: &[u8]) -> Option<&'static Self> {
        Self::ALL.iter().find(|older| older.word.as_bytes() == word)
    }

    /// The usage that it was closest to.
    pub(crate) const fn usage(&self) -> Option<Usage> {
        match self.about {
            [usage] => Some(*usage),
            _ => None,
        }
    }
}
