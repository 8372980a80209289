//! The usages of a decision (ACAP-76, ACAP-77; docs/spec/decision.md).

use crate::named::UnknownNameError;
use std::fmt;

/// What a client may want to do with a resource. The names are those of ACAP and of AI preferences.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Usage {
    /// Fetching the resource. `Allow` and `Disallow` are only about this.
    Crawl,
    /// Following links found in the resource.
    Follow,
    /// Creating index entries for it.
    Index,
    /// Keeping a copy.
    Preserve,
    /// Presenting it in any way.
    Present,
    /// Presenting the original, fetched from its site at that moment.
    PresentOriginal,
    /// Presenting a kept copy of the latest crawl.
    PresentCurrentcopy,
    /// Presenting a kept copy of an older crawl.
    PresentOldcopy,
    /// Presenting a snippet of the latest version.
    PresentSnippet,
    /// Presenting an image of the latest version.
    PresentThumbnail,
    /// Presenting a snippet of an older version.
    PresentOldsnippet,
    /// Presenting an image of an older version.
    PresentOldthumbnail,
    /// Showing a link to the resource.
    PresentLink,
    /// Every usage that has no name of its own.
    Other,
    /// Training or fine-tuning a model that generates content (PREF-1).
    Train,
    /// Giving the resource to such a model as input while it works (PREF-1).
    AiInput,
    /// Finding resources and sending people to them, without generated summaries (PREF-1).
    Search,
}

crate::named!(
    Usage,
    [
        Crawl = "crawl",
        Follow = "follow",
        Index = "index",
        Preserve = "preserve",
        Present = "present",
        PresentOriginal = "present-original",
        PresentCurrentcopy = "present-currentcopy",
        PresentOldcopy = "present-oldcopy",
        PresentSnippet = "present-snippet",
        PresentThumbnail = "present-thumbnail",
        PresentOldsnippet = "present-oldsnippet",
        PresentOldthumbnail = "present-oldthumbnail",
        PresentLink = "present-link",
        Other = "other",
        Train = "train",
        AiInput = "ai-input",
        Search = "search"
    ]
);

impl Usage {
    /// The usages that every decision lists: those of ACAP (ACAP-76, ACAP-77).
    pub const ACAP: &'static [Usage] = &Self::OF_ACAP;

    /// The usages that AI preferences are about. Decisions list them after [`Usage::ACAP`] if the
    /// client asks for preferences (PREF-2).
    pub const PREFERENCES: &'static [Usage] = &Self::OF_PREFERENCES;

    /// [`Usage::ACAP`] with its length, which may change: only the crate may depend on it.
    pub(crate) const OF_ACAP: [Usage; 14] = match Self::ALL.first_chunk() {
        Some(acap) => *acap,
        None => [Self::Other; 14],
    };

    /// [`Usage::PREFERENCES`] with its length, in the same way.
    pub(crate) const OF_PREFERENCES: [Usage; 3] = [Self::Train, Self::AiInput, Self::Search];

    /// The usage of ACAP with this name. Case is ignored (ACAP-11).
    pub(crate) fn named(name: &[u8]) -> Option<Self> {
        Self::OF_ACAP
            .into_iter()
            .find(|usage| name.eq_ignore_ascii_case(usage.name().as_bytes()))
    }

    /// Whether the usage is derived from [`Usage::Present`] (ACAP-77, ACAP-94).
    pub(crate) const fn is_derived_from_present(self) -> bool {
        matches!(
            self,
            Self::PresentOriginal
                | Self::PresentCurrentcopy
                | Self::PresentOldcopy
                | Self::PresentSnippet
                | Self::PresentThumbnail
                | Self::PresentOldsnippet
                | Self::PresentOldthumbnail
                | Self::PresentLink
        )
    }
}

impl fmt::Display for Usage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Case is ignored (ACAP-11).
///
/// ```
/// use abide::Usage;
/// assert_eq!("Present-Snippet".parse(), Ok(Usage::PresentSnippet));
/// assert_eq!("train".parse(), Ok(Usage::Train));
/// assert!("present-extract".parse::<Usage>().is_err());
/// ```
impl std::str::FromStr for Usage {
    type Err = UnknownNameError;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .iter()
            .copied()
            .find(|usage| name.eq_ignore_ascii_case(usage.name()))
            .ok_or_else(|| UnknownNameError::new("usage", name))
    }
}
