//! How long tags apply (TAG-40 to TAG-45, AMB-TAG-11).

use super::Statement;
use crate::moment::Moment;

/// Tags that a crawler stores with a resource, with the time and freshness of the response. They
/// apply until a successful recrawl replaces them, however long that takes. Freshness only says
/// when a recrawl is due.
///
/// ```
/// use abide::Moment;
/// use abide::tag::{FieldLine, Recrawl, StoredTags, header};
/// let at = Moment::from_unix_seconds;
/// let (statements, _) = header::read(&[FieldLine::new("Robots-Tag", "*;noindex")]);
/// let stored = StoredTags::new(statements, at(0), Some(at(60)));
/// assert!(!stored.is_stale(at(60)) && stored.is_stale(at(61)));
/// // A failed recrawl changes nothing; a successful one replaces everything.
/// let stored = stored.recrawled(Recrawl::Failed).expect("still there");
/// assert_eq!(stored.statements().len(), 1);
/// let lax = StoredTags::new(Vec::new(), at(90), None);
/// assert!(stored.recrawled(Recrawl::Replaced(lax)).expect("there").statements().is_empty());
/// ```
///
/// With the feature `serde` they can be written and read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct StoredTags {
    statements: Vec<Statement>,
    observed_at: Moment,
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    fresh_until: Option<Moment>,
}

/// The result of a recrawl.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Recrawl {
    /// The resource was fetched again: only its new tags apply, even if they are laxer (TAG-45).
    Replaced(StoredTags),
    /// The resource has not changed (304): the stored tags still apply, with the fields of this
    /// response.
    NotModified {
        /// Statements of the fields in the response. Those of other fields stay.
        overlay: Vec<Statement>,
        /// When the response came.
        observed_at: Moment,
        /// Until when it is fresh.
        fresh_until: Option<Moment>,
    },
    /// The resource could not be fetched: 5xx, 429, a network failure. The stored tags still apply.
    Failed,
    /// The resource is gone (404, 410), and so are its tags.
    Gone,
}

impl StoredTags {
    /// Stores the tags of a response at `observed_at`. `fresh_until` comes from its cache
    /// directives (TAG-42), or from the plan of the crawler (TAG-43).
    #[must_use]
    pub fn new(
        statements: Vec<Statement>,
        observed_at: Moment,
        fresh_until: Option<Moment>,
    ) -> Self {
        Self {
            statements,
            observed_at,
            fresh_until,
        }
    }

    /// The tags.
    #[must_use]
    pub fn statements(&self) -> &[Statement] {
        &self.statements
    }

    /// When the response came.
    #[must_use]
    pub fn observed_at(&self) -> Moment {
        self.observed_at
    }

    /// Until when the response was fresh.
    #[must_use]
    pub fn fresh_until(&self) -> Option<Moment> {
        self.fresh_until
    }

    /// Whether a recrawl is due. The tags still apply (TAG-44).
    #[must_use]
    pub fn is_stale(&self, now: Moment) -> bool {
        self.fresh_until.is_some_and(|until| now > until)
    }

    /// The tags after a recrawl; `None` if the resource is gone.
    #[must_use]
    pub fn recrawled(self, recrawl: Recrawl) -> Option<Self> {
        match recrawl {
            Recrawl::Replaced(tags) => Some(tags),
            Recrawl::Failed => Some(self),
            Recrawl::Gone => None,
            Recrawl::NotModified {
                overlay,
                observed_at,
                fresh_until,
            } => {
                let kept = self
                    .statements
                    .into_iter()
                    .filter(|old| !overlay.iter().any(|new| new.source == old.source));
                let statements = kept.chain(overlay.iter().cloned()).collect();
                Some(Self {
                    statements,
                    observed_at,
                    fresh_until,
                })
            }
        }
    }
}
