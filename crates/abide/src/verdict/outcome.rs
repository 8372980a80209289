//! Outcomes and how they are joined (Part 3.3 of the requirements, CLA-12).

use std::fmt;

/// What is said about a usage. A request of the service, no authorisation (REP-1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    /// Nobody said anything. Callers use a default of their own, and must be able to tell this
    /// from a permission.
    #[default]
    Unspecified,
    /// Somebody said yes, or RFC 9309 does by default.
    Permitted,
    /// Yes, under conditions.
    Conditional,
    /// Input is missing that could change the answer.
    Unknown,
    /// The service asks that it not be done.
    Prohibited,
}

impl Outcome {
    /// Joins two sources that both count: the stricter one stands, in the order
    /// `Prohibited > Unknown > Conditional > Permitted > Unspecified` (CLA-12).
    ///
    /// ```
    /// use abide::Outcome;
    /// assert_eq!(Outcome::Permitted.meet(Outcome::Prohibited), Outcome::Prohibited);
    /// assert_eq!(Outcome::Permitted.meet(Outcome::Unspecified), Outcome::Permitted);
    /// ```
    #[must_use]
    pub fn meet(self, other: Self) -> Self {
        self.max(other)
    }

    /// The outcome's name in the decision contract.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Unspecified => "unspecified",
            Self::Permitted => "permitted",
            Self::Conditional => "conditional",
            Self::Unknown => "unknown",
            Self::Prohibited => "prohibited",
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
