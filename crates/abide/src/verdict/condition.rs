//! What a conditional outcome demands (Part 3.3 of the requirements, CLA-4).

use crate::moment::Moment;
use std::fmt;

/// A condition on a usage.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Condition {
    /// `max-image-preview`: images of at most this size.
    MaxImagePreview(ImagePreview),
    /// `max-length`: at most this many characters.
    MaxLengthChars(u64),
    /// `max-video-preview`: at most this many seconds.
    MaxVideoPreview(u64),
    /// `prohibited-modification`: not to be changed in this way.
    ProhibitedModification(Modification),
    /// `time-limit`: until this instant.
    Until(Moment),
}

/// Sizes of image previews, the more restrictive first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ImagePreview {
    /// `standard`
    Standard,
    /// `large`
    Large,
}

/// Ways to change a resource when presenting it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Modification {
    /// `translation`
    Translation,
}

impl Condition {
    /// The condition's kind: the name of an ACAP qualifier, or of the robots tag rule it stems from.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::MaxImagePreview(_) => "max-image-preview",
            Self::MaxLengthChars(_) => "max-length",
            Self::MaxVideoPreview(_) => "max-video-preview",
            Self::ProhibitedModification(_) => "prohibited-modification",
            Self::Until(_) => "time-limit",
        }
    }

    /// What is demanded, as the decision contract writes it: `50-chars`, `standard`, an instant.
    #[must_use]
    pub fn value(&self) -> String {
        match self {
            Self::MaxImagePreview(ImagePreview::Standard) => "standard".to_owned(),
            Self::MaxImagePreview(ImagePreview::Large) => "large".to_owned(),
            Self::MaxLengthChars(chars) => format!("{chars}-chars"),
            Self::MaxVideoPreview(seconds) => seconds.to_string(),
            Self::ProhibitedModification(Modification::Translation) => "translation".to_owned(),
            Self::Until(moment) => moment.to_string(),
        }
    }

    /// Adds a condition to those that hold already. Of one kind and unit the stricter stands, which
    /// is the smaller one; the list stays sorted by kind, then value (CLA-4).
    pub(crate) fn join(self, conditions: &mut Vec<Condition>) {
        let present = conditions
            .iter_mut()
            .find(|other| other.kind() == self.kind());
        match present {
            Some(present) => *present = self.min(present.clone()),
            None => conditions.push(self),
        }
        conditions.sort_by_key(|condition| (condition.kind(), condition.value()));
    }
}

/// In words: `max-length 50-chars`.
impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.kind(), self.value())
    }
}
