//! Vocabularies of AI preferences (PREF-4), in one table.

use std::fmt;

/// A language in which sites state preferences about AI.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
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

crate::named!(
    Vocabulary,
    "vocabulary",
    [
        ContentUsage = "content-usage",
        ContentSignal = "content-signal",
        Tdmrep = "tdmrep",
        Rsl = "rsl",
        RobotsTag = "robots-tag",
        ControlToken = "control-token"
    ]
);

impl fmt::Display for Vocabulary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
