//! What one statement says about the three usages.

use crate::verdict::{Outcome, Sense, Usage};

/// What a word says about a usage. The greater one is the stricter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Preference {
    /// The site permits the usage.
    Yes,
    /// The site asks not to do it.
    No,
}

impl Preference {
    /// Whether it permits the usage.
    pub(crate) const fn sense(self) -> Sense {
        match self {
            Self::Yes => Sense::Allow,
            Self::No => Sense::Disallow,
        }
    }

    /// The outcome of a usage about which nothing else is said.
    pub(crate) const fn outcome(self) -> Outcome {
        match self {
            Self::Yes => Outcome::Permitted,
            Self::No => Outcome::Prohibited,
        }
    }
}

/// What a statement says, usage by usage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct StatedUsages {
    /// Whether it has words of earlier revisions, which say nothing.
    pub(crate) has_older_words: bool,
    train: Option<Preference>,
    ai_input: Option<Preference>,
    search: Option<Preference>,
}

impl StatedUsages {
    /// What it says about `usage`.
    pub(crate) fn about(self, usage: Usage) -> Option<Preference> {
        match usage {
            Usage::Train => self.train,
            Usage::AiInput => self.ai_input,
            Usage::Search => self.search,
            _ => None,
        }
    }

    /// Whether it says nothing.
    pub(crate) fn is_silent(self) -> bool {
        Usage::OF_PREFERENCES
            .into_iter()
            .all(|usage| self.about(usage).is_none())
    }

    /// Says `preference` about `usage`, whatever it said before.
    pub(crate) fn set(&mut self, usage: Usage, preference: Option<Preference>) {
        match usage {
            Usage::Train => self.train = preference,
            Usage::AiInput => self.ai_input = preference,
            Usage::Search => self.search = preference,
            _ => {}
        }
    }

    /// Says `preference` about `usage`, unless it says something stricter.
    pub(crate) fn restrict(&mut self, usage: Usage, preference: Preference) {
        self.set(usage, self.about(usage).max(Some(preference)));
    }

    /// Both statements together: of each usage, the stricter preference.
    pub(crate) fn meet(mut self, other: Self) -> Self {
        for usage in Usage::OF_PREFERENCES {
            self.set(usage, self.about(usage).max(other.about(usage)));
        }
        self
    }
}
