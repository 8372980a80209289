//! Qualifiers: what they are, and where they are valid (ACAP-78, AMB-ACAP-24).

use crate::named::UnknownNameError;
use crate::verdict::Usage;

/// A restriction of a permission.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(clippy::exhaustive_enums, reason = "callers handle every case")]
pub enum Qualifier {
    /// `time-limit`
    TimeLimit,
    /// `max-length`
    MaxLength,
    /// `prohibited-modification`
    ProhibitedModification,
    /// `prohibited-context`
    ProhibitedContext,
    /// `required-context`
    RequiredContext,
    /// `must-use-resource`
    MustUseResource,
    /// `must-include-resource`
    MustIncludeResource,
}

crate::named!(
    Qualifier,
    [
        TimeLimit = "time-limit",
        MaxLength = "max-length",
        ProhibitedModification = "prohibited-modification",
        ProhibitedContext = "prohibited-context",
        RequiredContext = "required-context",
        MustUseResource = "must-use-resource",
        MustIncludeResource = "must-include-resource"
    ]
);

/// Whether ACAP 1.0 calls a qualifier ready for use (ACAP-141, AMB-ACAP-24).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum QualifierStatus {
    /// Ready for all.
    Ready,
    /// By prior arrangement between site and client (amber).
    PriorArrangement,
    /// Not ready (red).
    NotReady,
}

/// Which qualifiers a usage takes (ACAP-78). A usage without a row takes none.
const VALID: [(Usage, &[Qualifier]); 11] = {
    use Qualifier::{
        MaxLength, MustIncludeResource, MustUseResource, ProhibitedContext, ProhibitedModification,
        RequiredContext, TimeLimit,
    };
    const ANY_PRESENT: &[Qualifier] = &[TimeLimit, MustUseResource, MustIncludeResource];
    const SNIPPET: &[Qualifier] = &[TimeLimit, MustUseResource, MustIncludeResource, MaxLength];
    const WHOLE: &[Qualifier] = &[
        TimeLimit,
        MustUseResource,
        MustIncludeResource,
        ProhibitedModification,
        ProhibitedContext,
        RequiredContext,
    ];
    [
        (Usage::Index, &[TimeLimit, MustUseResource]),
        (Usage::Preserve, &[TimeLimit]),
        (
            Usage::Present,
            &[
                TimeLimit,
                MustUseResource,
                MustIncludeResource,
                ProhibitedModification,
            ],
        ),
        (Usage::PresentOriginal, WHOLE),
        (Usage::PresentCurrentcopy, WHOLE),
        (Usage::PresentOldcopy, WHOLE),
        (Usage::PresentSnippet, SNIPPET),
        (Usage::PresentThumbnail, ANY_PRESENT),
        (Usage::PresentOldsnippet, SNIPPET),
        (Usage::PresentOldthumbnail, ANY_PRESENT),
        (Usage::PresentLink, ANY_PRESENT),
    ]
};

impl Qualifier {
    /// The qualifier with this name. Case is ignored (ACAP-11).
    pub(super) fn named(name: &str) -> Option<Self> {
        Self::ALL
            .iter()
            .copied()
            .find(|qualifier| qualifier.name().eq_ignore_ascii_case(name))
    }

    /// Whether a permission of `usage` may carry the qualifier (ACAP-78).
    ///
    /// ```
    /// use abide::{Usage, acap::Qualifier};
    /// assert!(Qualifier::MaxLength.is_valid_for(Usage::PresentSnippet));
    /// assert!(!Qualifier::MaxLength.is_valid_for(Usage::PresentThumbnail));
    /// ```
    #[must_use]
    pub fn is_valid_for(self, usage: Usage) -> bool {
        VALID
            .iter()
            .any(|(of, valid)| *of == usage && valid.contains(&self))
    }

    /// Whether ACAP 1.0 calls the qualifier ready for permissions of `usage`.
    #[must_use]
    pub fn status(self, usage: Usage) -> QualifierStatus {
        match (self, usage) {
            (Self::MustUseResource, Usage::Index) => QualifierStatus::PriorArrangement,
            (Self::MustUseResource | Self::MustIncludeResource, _) => QualifierStatus::NotReady,
            _ => QualifierStatus::Ready,
        }
    }
}

/// Case is ignored (ACAP-11).
impl std::str::FromStr for Qualifier {
    type Err = UnknownNameError;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::named(name).ok_or_else(|| UnknownNameError::new("qualifier", name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn acap_78_fourteen_usages_by_seven_qualifiers() {
        use Qualifier as Q;
        let table = |usage: Usage| -> Vec<Qualifier> {
            Q::ALL
                .iter()
                .copied()
                .filter(|qualifier| qualifier.is_valid_for(usage))
                .collect()
        };
        for none in [Usage::Crawl, Usage::Follow, Usage::Other] {
            assert_eq!(table(none), []);
        }
        assert_eq!(table(Usage::Index), [Q::TimeLimit, Q::MustUseResource]);
        assert_eq!(table(Usage::Preserve), [Q::TimeLimit]);
        let every = [Q::TimeLimit, Q::MustUseResource, Q::MustIncludeResource];
        for thing in [
            Usage::PresentThumbnail,
            Usage::PresentOldthumbnail,
            Usage::PresentLink,
        ] {
            assert_eq!(table(thing), every);
        }
        let with = |further: &[Qualifier]| {
            let mut all = [&every, further].concat();
            all.sort();
            all
        };
        for snippet in [Usage::PresentSnippet, Usage::PresentOldsnippet] {
            assert_eq!(table(snippet), with(&[Q::MaxLength]));
        }
        assert_eq!(table(Usage::Present), with(&[Q::ProhibitedModification]));
        let whole = [
            Q::ProhibitedModification,
            Q::ProhibitedContext,
            Q::RequiredContext,
        ];
        for copy in [
            Usage::PresentOriginal,
            Usage::PresentCurrentcopy,
            Usage::PresentOldcopy,
        ] {
            assert_eq!(table(copy), with(&whole));
        }
    }
}
