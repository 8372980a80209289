//! The answer of one source, or of several, for a usage.

use crate::verdict::{Condition, Evidence, Outcome, Reason, Role};

/// An outcome with its conditions and its evidence, the deciding piece first.
#[derive(Clone, Debug, Default)]
pub(super) struct Ruling<'p> {
    pub(super) outcome: Outcome,
    pub(super) conditions: Vec<Condition>,
    pub(super) evidence: Vec<Evidence<'p>>,
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
    /// the evidence of `self` comes first.
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
            .partition(|said| said.outcome == outcome);
        for said in stand {
            let decided = !evidence.is_empty();
            evidence.extend(said.evidence.into_iter().map(|one| match one.role {
                Role::Decided if decided => one.in_role(Role::Agreed),
                _ => one,
            }));
        }
        for said in yield_ {
            evidence.extend(said.evidence.into_iter().map(overridden));
        }
        Self {
            outcome,
            conditions,
            evidence,
        }
    }

    /// Nothing.
    pub(super) const fn empty() -> Self {
        Self {
            outcome: Outcome::Unspecified,
            conditions: Vec::new(),
            evidence: Vec::new(),
        }
    }

    /// Whether the source says nothing at all.
    fn is_silent(&self) -> bool {
        self.evidence.is_empty() && self.outcome == Outcome::Unspecified
    }

    /// Combines two sources as [`Ruling::meet`] does. Evidence that agrees with the deciding piece
    /// says that it does. Most vocabularies are silent, so nothing is moved for these.
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
        let agrees = first.outcome == second.outcome;
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
        if agrees && first.outcome == Outcome::Conditional {
            for condition in second.conditions {
                condition.join(&mut first.conditions);
            }
        }
        first.evidence.append(&mut second.evidence);
        first
    }

    /// Prohibits because of `evidence`.
    pub(super) fn prohibit(&mut self, evidence: Evidence<'p>) {
        let before = std::mem::take(&mut self.evidence);
        self.outcome = Outcome::Prohibited;
        self.conditions.clear();
        self.evidence.push(evidence);
        self.evidence.extend(before.into_iter().map(overridden));
    }
}

/// Marks evidence that something stricter overrides.
fn overridden(evidence: Evidence<'_>) -> Evidence<'_> {
    match evidence.role {
        Role::Decided | Role::Agreed => evidence.in_part(Role::Overridden, Reason::StricterWins),
        Role::Overridden | Role::Void => evidence,
    }
}
