//! The usages that a decision speaks about (ACAP-76, ACAP-77; Part 3.5 of the requirements).

use std::fmt;

/// What a client may want to do with a resource. ACAP's names are the common vocabulary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Usage {
    /// Fetching the resource. All that robots.txt rules speak about.
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
    /// Every usage without a word of its own.
    Other,
}

impl Usage {
    /// All usages, in the order in which decisions list them.
    pub const ALL: [Usage; 14] = [
        Self::Crawl,
        Self::Follow,
        Self::Index,
        Self::Preserve,
        Self::Present,
        Self::PresentOriginal,
        Self::PresentCurrentcopy,
        Self::PresentOldcopy,
        Self::PresentSnippet,
        Self::PresentThumbnail,
        Self::PresentOldsnippet,
        Self::PresentOldthumbnail,
        Self::PresentLink,
        Self::Other,
    ];

    /// The usage of this name, whatever its case (ACAP-11).
    ///
    /// ```
    /// use abide::Usage;
    /// assert_eq!(Usage::named("Present-Snippet"), Some(Usage::PresentSnippet));
    /// assert_eq!(Usage::named("present-extract"), None);
    /// ```
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::named_bytes(name.as_bytes())
    }

    pub(crate) fn named_bytes(name: &[u8]) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|usage| name.eq_ignore_ascii_case(usage.name().as_bytes()))
    }

    /// Whether the usage is one of those that are derived from [`Usage::Present`] (ACAP-77, ACAP-94).
    #[must_use]
    pub const fn is_derived_from_present(self) -> bool {
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

    /// The usage's name, as ACAP and the decision contract write it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Crawl => "crawl",
            Self::Follow => "follow",
            Self::Index => "index",
            Self::Preserve => "preserve",
            Self::Present => "present",
            Self::PresentOriginal => "present-original",
            Self::PresentCurrentcopy => "present-currentcopy",
            Self::PresentOldcopy => "present-oldcopy",
            Self::PresentSnippet => "present-snippet",
            Self::PresentThumbnail => "present-thumbnail",
            Self::PresentOldsnippet => "present-oldsnippet",
            Self::PresentOldthumbnail => "present-oldthumbnail",
            Self::PresentLink => "present-link",
            Self::Other => "other",
        }
    }
}

impl fmt::Display for Usage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
