//! The answer for one usage.

use super::condition::Condition;
use super::evidence_list::EvidenceList;
use super::outcome::Outcome;
use super::usage::Usage;

/// The answer for one usage.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct UsageDecision<'p> {
    /// The usage.
    pub usage: Usage,
    /// The outcome.
    pub outcome: Outcome,
    /// The conditions of a conditional outcome, sorted by kind, then value.
    pub conditions: Vec<Condition>,
    /// The deciding piece of evidence, then all that matched and lost, in file order. Empty if no
    /// source mentions the usage.
    pub evidence: EvidenceList<'p>,
}

impl UsageDecision<'_> {
    /// Whether a source mentions the usage, be it without effect.
    #[must_use]
    pub fn is_mentioned(&self) -> bool {
        !self.evidence.is_empty() || self.outcome != Outcome::Unspecified
    }
}
