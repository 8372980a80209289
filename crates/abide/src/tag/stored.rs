//! How long tags hold (TAG-40 to TAG-45, AMB-TAG-11).

use super::Statement;
use crate::moment::Moment;

/// Tags as a crawler stores them beside a resource: what was said, when, and until when the response
/// was fresh. They hold until a successful recrawl replaces them, however long that takes; freshness
/// only tells when a recrawl is due.
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredTags {
    statements: Vec<Statement>,
    observed_at: Moment,
    fresh_until: Option<Moment>,
}

/// What came of a recrawl.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Recrawl {
    /// The resource came again: what it says now counts alone, be it laxer (TAG-45).
    Replaced(StoredTags),
    /// It has not changed (304): what was said still counts, with the fields that came and until
    /// this instant.
    NotModified {
        /// Statements of the fields that the answer carried; those of a field that it did not carry
        /// stay.
        overlay: Vec<Statement>,
        /// When the answer came.
        observed_at: Moment,
        /// Until when it is fresh.
        fresh_until: Option<Moment>,
    },
    /// It could not be fetched: 5xx, 429, a failing network. What was said still counts.
    Failed,
    /// It is gone (404, 410), and its tags with it.
    Gone,
}

impl StoredTags {
    /// What a response said at `observed_at`. `fresh_until` is what its cache directives say
    /// (TAG-42), or what the crawler plans for want of them (TAG-43).
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

    /// What was said.
    #[must_use]
    pub fn statements(&self) -> &[Statement] {
        &self.statements
    }

    /// When it was said.
    #[must_use]
    pub fn observed_at(&self) -> Moment {
        self.observed_at
    }

    /// Until when the response was fresh.
    #[must_use]
    pub fn fresh_until(&self) -> Option<Moment> {
        self.fresh_until
    }

    /// Whether a recrawl is due. The tags hold all the same (TAG-44).
    #[must_use]
    pub fn is_stale(&self, now: Moment) -> bool {
        self.fresh_until.is_some_and(|until| now > until)
    }

    /// The tags after a recrawl; `None` where the resource is gone.
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
