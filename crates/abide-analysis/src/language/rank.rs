//! Which of several rules that match a path decides.

use abide::syntax::PathPattern;
use abide::verdict::Sense;

/// The strength of a rule : its length in bytes, then Allow before Disallow, then the
/// earlier line (REP-42, REP-44); 0 if there is no such rule. The bits above those of the line
/// are its *weight*.
pub(crate) type Rank = u64;

/// The weight of no rule at all, which permits.
const DEFAULT: u64 = 1;

pub(crate) fn rank(bytes: usize, sense: Sense, line: u32) -> Rank {
    let bytes = u64::try_from(bytes).unwrap_or(u64::MAX).min(1 << 30);
    let weight = bytes << 1 | u64::from(sense == Sense::Allow);
    // Of equally strong rules the earlier one is greater, because its line is less.
    weight << 32 | u64::from(u32::MAX - line)
}

pub(crate) fn weight(rank: Rank) -> u64 {
    // No rule at all has the weight of an Allow without bytes: weaker than every rule.
    (rank >> 32).max(DEFAULT)
}

pub(crate) fn allows(weight: u64) -> bool {
    weight & 1 == 1
}

/// Whether a rule of this strength permits, or none at all.
pub(crate) fn permits(rank: Rank) -> bool {
    allows(weight(rank))
}

/// The strength of a rule that a pattern has, for comparisons outside a search: greater is
/// stronger.
#[must_use]
pub fn strength(pattern: &PathPattern<'_>, sense: Sense, line: u32) -> u64 {
    rank(pattern.length(), sense, line)
}
