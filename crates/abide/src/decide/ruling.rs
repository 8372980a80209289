//! The answer of one source, or of several, for a usage.

use crate::growth;
use crate::verdict::{Condition, Evidence, Outcome, Reason, Role, UsageDecision};

/// An outcome with its conditions and its evidence, the deciding piece first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ruling<'p> {
    pub(crate) outcome: Outcome,
    pub(crate) conditions: Vec<Condition>,
    pub(crate) evidence: Vec<Evidence<'p>>,
}

impl<'p> Ruling<'p> {
    pub(super) fn new(outcome: Outcome, evidence: Vec<Evidence<'p>>) -> Self {
        Self {
            outcome,
            conditions: Vec::new(),
            evidence,
        }
    }

    /// Combines two sources: the stricter outcome and the conditions of both. If both say the same,
    /// the evidence of `self` comes first. A source all of whose limits the other one replaces by
    /// stricter limits is overridden.
    pub(super) fn meet(self, other: Self) -> Self {
        let outcome = self.outcome.stricter(other.outcome);
        let mut conditions = Vec::new();
        if outcome == Outcome::Conditional {
            for condition in self.conditions.iter().chain(&other.conditions) {
                condition.clone().join(&mut conditions);
            }
        }
        let mut evidence = Vec::new();
        let (stand, yield_): (Vec<_>, Vec<_>) = [self, other]
            .into_iter()
            .partition(|ruling| ruling.outcome == outcome && ruling.has_part_in(&conditions));
        for ruling in stand {
            let decided = !evidence.is_empty();
            if !decided {
                evidence = ruling.evidence;
                continue;
            }
            evidence.extend(ruling.evidence.into_iter().map(|one| match one.role {
                Role::Decided if decided => one.in_role(Role::Agreed),
                _ => one,
            }));
        }
        for ruling in yield_ {
            evidence.extend(ruling.evidence.into_iter().map(|mut one| {
                override_by_stricter(&mut one);
                one
            }));
        }
        Self {
            outcome,
            conditions,
            evidence,
        }
    }

    /// What the same tags say to a client that never sees them: nothing (CLA-24).
    pub(super) fn not_seen(self) -> Self {
        let evidence = self.evidence.into_iter().map(Evidence::not_seen);
        Self::new(Outcome::Unspecified, evidence.collect())
    }

    /// Nothing.
    pub(super) const fn empty() -> Self {
        Self {
            outcome: Outcome::Unspecified,
            conditions: Vec::new(),
            evidence: Vec::new(),
        }
    }

    /// An answer with what decides it alone.
    pub(super) fn deciding(decision: &UsageDecision<'p>) -> Self {
        let decided = decision.evidence.first();
        let decided = decided.filter(|one| one.role == Role::Decided);
        Self {
            outcome: decision.outcome,
            conditions: decision.conditions.clone(),
            evidence: decided.cloned().into_iter().collect(),
        }
    }

    /// Leaves out all evidence but what decides.
    pub(super) fn into_deciding(mut self) -> Self {
        self.evidence.truncate(1);
        self.evidence.retain(|one| one.role == Role::Decided);
        self
    }

    /// Whether the source sets one of these conditions, or none at all.
    fn has_part_in(&self, conditions: &[Condition]) -> bool {
        let mut own = self.conditions.iter();
        self.conditions.is_empty() || own.any(|condition| conditions.contains(condition))
    }

    /// Whether the source says nothing at all.
    fn is_silent(&self) -> bool {
        self.evidence.is_empty() && self.outcome == Outcome::Unspecified
    }

    /// Combines two sources as [`Ruling::meet`] does. Evidence that agrees with the deciding piece
    /// says so. Most vocabularies are silent, so nothing is moved for these.
    pub(super) fn meet_preference(self, other: Self) -> Self {
        if other.is_silent() {
            return self;
        }
        if self.is_silent() {
            return other;
        }
        let (mut first, mut second) = if other.outcome > self.outcome {
            (other, self)
        } else {
            (self, other)
        };
        let has_same_outcome = first.outcome == second.outcome;
        let mut agrees = has_same_outcome;
        if has_same_outcome && first.outcome == Outcome::Conditional {
            let mut conditions = first.conditions.clone();
            for condition in &second.conditions {
                condition.clone().join(&mut conditions);
            }
            if !first.has_part_in(&conditions) {
                std::mem::swap(&mut first, &mut second);
            }
            agrees = second.has_part_in(&conditions);
            first.conditions = conditions;
        }
        for one in &mut second.evidence {
            match one.role {
                Role::Decided if agrees => {
                    one.role = Role::Agreed;
                    if one.reason == Reason::SaysSo {
                        one.reason = Reason::SaysTheSame;
                    }
                }
                Role::Decided | Role::Agreed if !agrees => {
                    (one.role, one.reason) = (Role::Overridden, Reason::StricterWins);
                }
                _ => {}
            }
        }
        growth::append(&mut first.evidence, second.evidence);
        first
    }

    /// Keeps the deciding piece first, and sorts the others by source and place.
    pub(super) fn sort_evidence(&mut self) {
        let Some((_, others)) = self.evidence.split_first_mut() else {
            return;
        };
        let key = |one: &Evidence<'p>| (one.source, one.place, one.tag_place());
        // Sorting takes memory, and most evidence is in order.
        if !others.is_sorted_by_key(key) {
            others.sort_by_key(key);
        }
    }

    /// Prohibits because of `evidence`.
    pub(super) fn prohibit(&mut self, evidence: Evidence<'p>) {
        self.outcome = Outcome::Prohibited;
        self.conditions.clear();
        self.evidence.iter_mut().for_each(override_by_stricter);
        self.evidence.reserve_exact(1);
        self.evidence.insert(0, evidence);
    }
}

/// Marks evidence that something stricter overrides.
fn override_by_stricter(evidence: &mut Evidence<'_>) {
    if matches!(evidence.role, Role::Decided | Role::Agreed) {
        (evidence.role, evidence.reason) = (Role::Overridden, Reason::StricterWins);
    }
}
