//! Outcomes and how they combine (docs/spec/decision.md, CLA-12).

use std::fmt;

/// The answer about a usage. It is a request of the site, not an authorisation (REP-1).
///
/// `Display` writes the words for people: *allowed*, *disallowed*. [`Outcome::name`] has the words
/// of the decision contract: *permitted*, *prohibited*.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(clippy::exhaustive_enums, reason = "callers handle every case")]
pub enum Outcome {
    /// No source says anything about the usage. Callers apply a default of their own.
    #[default]
    Unspecified,
    /// A source says yes, or RFC 9309 does by default.
    Permitted,
    /// Yes, under conditions.
    Conditional,
    /// Input is missing that could change the answer.
    Unknown,
    /// The site asks not to do it.
    Prohibited,
}

crate::named!(
    Outcome,
    "outcome",
    [
        Unspecified = "unspecified",
        Permitted = "permitted",
        Conditional = "conditional",
        Unknown = "unknown",
        Prohibited = "prohibited"
    ]
);

impl Outcome {
    /// Returns the stricter of two outcomes, in the order
    /// `Prohibited > Unknown > Conditional > Permitted > Unspecified` (CLA-12).
    ///
    /// ```
    /// use abide::Outcome;
    /// assert_eq!(Outcome::Permitted.stricter(Outcome::Prohibited), Outcome::Prohibited);
    /// assert_eq!(Outcome::Permitted.stricter(Outcome::Unspecified), Outcome::Permitted);
    /// ```
    #[must_use]
    pub fn stricter(self, other: Self) -> Self {
        self.max(other)
    }

    /// Whether a client may do it. `default` is its own answer where the site gives none:
    /// for [`Outcome::Unspecified`], and for [`Outcome::Unknown`] until the missing input is
    /// there. [`Outcome::Conditional`] allows it, but the conditions of the answer have to be
    /// checked: a client that cannot meet all of them must not do it.
    ///
    /// ```
    /// use abide::Outcome;
    /// assert!(Outcome::Permitted.allows(false) && Outcome::Conditional.allows(false));
    /// assert!(!Outcome::Prohibited.allows(true));
    /// for open in [Outcome::Unspecified, Outcome::Unknown] {
    ///     assert!(open.allows(true) && !open.allows(false));
    /// }
    /// ```
    #[must_use]
    pub const fn allows(self, default: bool) -> bool {
        match self {
            Self::Unspecified | Self::Unknown => default,
            Self::Permitted | Self::Conditional => true,
            Self::Prohibited => false,
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Permitted => "allowed",
            Self::Prohibited => "disallowed",
            other => other.name(),
        })
    }
}
