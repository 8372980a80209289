//! Vocabularies of AI preferences (PREF-4), in one table.

use crate::name_error::UnknownNameError;
use std::fmt;

/// A language in which sites state preferences about AI.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
// Exhaustive: callers handle every case; a new one must not pass unseen.
pub enum Vocabulary {
    /// `Content-Usage` lines of robots.txt and fields of responses.
    ContentUsage,
    /// `Content-Signal` lines of robots.txt and fields of responses.
    ContentSignal,
    /// TDMRep: `tdmrep.json`, response fields and meta elements.
    Tdmrep,
    /// RSL: licence documents.
    Rsl,
    /// The robots tag rules `noai`, `noimageai` and `noml`.
    RobotsTag,
    /// Groups of robots.txt for control tokens such as `Google-Extended`.
    ControlToken,
}

impl Vocabulary {
    /// All vocabularies. If several are equally strict, the first one decides.
    pub const ALL: [Self; 6] = [
        Self::ContentUsage,
        Self::ContentSignal,
        Self::Tdmrep,
        Self::Rsl,
        Self::RobotsTag,
        Self::ControlToken,
    ];

    /// The vocabulary's name, which requests, answers and options share.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::ContentUsage => "content-usage",
            Self::ContentSignal => "content-signal",
            Self::Tdmrep => "tdmrep",
            Self::Rsl => "rsl",
            Self::RobotsTag => "robots-tag",
            Self::ControlToken => "control-token",
        }
    }
}

impl fmt::Display for Vocabulary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Reads the names of the decision contract, which [`Vocabulary::name`] returns.
///
/// ```
/// use abide::preference::Vocabulary;
/// assert_eq!("tdmrep".parse(), Ok(Vocabulary::Tdmrep));
/// assert!("ai.txt".parse::<Vocabulary>().is_err());
/// ```
impl std::str::FromStr for Vocabulary {
    type Err = UnknownNameError;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        UnknownNameError::find("vocabulary", name, Self::ALL, Self::name)
    }
}
