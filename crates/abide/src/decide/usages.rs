//! The answer of robots tags for each usage except crawl: step 6.

use super::ruling::Ruling;
use crate::client::Client;
use crate::moment::Moment;
use crate::tag::{Binding, Effect, RuleKind, StatedRule, Statement, effects};
use crate::verdict::{
    Condition, Evidence, Outcome, Provenance, Reason, Role, SourceDetails, Usage, Vocabulary,
};

/// The answers of the tags that apply to the client, for each of [`Usage::ACAP`] except crawl. Tags
/// of a resource that may not be fetched count too (CLA-11).
pub(super) fn by_tags<'p>(
    tags: &Binding<'p>,
    client: &Client,
    now: Option<Moment>,
) -> impl Iterator<Item = (Usage, Ruling<'p>)> {
    let counts = |rule: &StatedRule| {
        client.vendor_rules() || RuleKind::of(&rule.name) == RuleKind::Registered
    };
    let mut usages = USAGES.map(|usage| (usage, Restrictions::default()));
    for &statement in &tags.statements {
        for (_, restrictions) in &mut usages {
            restrictions.told.clear();
        }
        for rule in statement.rules.iter().filter(|rule| counts(rule)) {
            let mut evidence = None;
            for (usage, effect) in effects(rule, now) {
                let restrictions = usages.iter_mut().find(|(of, _)| *of == usage);
                if let Some((_, restrictions)) = restrictions {
                    let evidence = evidence.get_or_insert_with(|| tag(statement, rule, None));
                    restrictions.add(&rule.name, effect, evidence);
                }
            }
        }
    }
    let said = usages.into_iter();
    said.map(|(usage, restrictions)| (usage, restrictions.said()))
}

const USAGES: [Usage; Usage::ACAP.len() - 1] = {
    let [_, others @ ..] = Usage::ACAP;
    others
};

/// What the tags say about one usage.
#[derive(Default)]
struct Restrictions<'p> {
    conditions: Vec<Condition>,
    evidence: Vec<(Outcome, Evidence<'p>)>,
    /// The rules of the statement at hand that have evidence. There are few names and reasons.
    told: Vec<(&'p str, Reason, Outcome)>,
}

impl<'p> Restrictions<'p> {
    /// Adds the effect of the rule with this name.
    fn add(&mut self, rule: &'p str, effect: Effect, evidence: &Evidence<'p>) {
        let (outcome, reason) = match effect {
            Effect::Prohibited => (Outcome::Prohibited, Reason::TagRule),
            Effect::Expired => (Outcome::Prohibited, Reason::TagExpired),
            Effect::Unreadable => (Outcome::Prohibited, Reason::TagUnreadable),
            Effect::Condition(condition) => {
                condition.join(&mut self.conditions);
                (Outcome::Conditional, Reason::TagRule)
            }
        };
        // Evidence names the rule without its value, so a statement that repeats a rule would have
        // equal pieces, each with the whole statement.
        let told = (rule, reason, outcome);
        if !self.told.contains(&told) {
            self.told.push(told);
            let evidence = evidence.clone().in_part(Role::Decided, reason);
            self.evidence.push((outcome, evidence));
        }
    }

    fn said(self) -> Ruling<'p> {
        let mut conditions = self.conditions;
        let outcome = self
            .evidence
            .iter()
            .fold(Outcome::Unspecified, |met, (said, _)| met.stricter(*said));
        if outcome == Outcome::Prohibited {
            conditions.clear();
        }
        Ruling {
            outcome,
            conditions,
            evidence: ranked(self.evidence, outcome),
        }
    }
}

/// Evidence of a robots tag rule, which may be a preference in the words of a vocabulary.
pub(super) fn tag<'p>(
    statement: &'p Statement,
    rule: &'p StatedRule,
    vocabulary: Option<Vocabulary>,
) -> Evidence<'p> {
    let tag = Provenance {
        vocabulary,
        statement: statement.text.as_bytes(),
        ..Provenance::of(statement.source)
    };
    let details = SourceDetails {
        tag_place: Some(statement.place),
        rule: Some(&rule.name),
        ..SourceDetails::default()
    };
    Evidence::new(tag.with_details(details), Role::Decided, Reason::TagRule)
}

/// The first rule with the outcome decides, others with the same outcome agree, weaker ones are
/// overridden.
fn ranked(evidence: Vec<(Outcome, Evidence<'_>)>, outcome: Outcome) -> Vec<Evidence<'_>> {
    let mut ranked = Vec::with_capacity(evidence.len());
    let deciding = evidence.iter().position(|(said, _)| *said == outcome);
    ranked.extend(
        deciding
            .and_then(|at| evidence.get(at))
            .map(|(_, one)| one.clone()),
    );
    for (at, (said, evidence)) in evidence.into_iter().enumerate() {
        if said != outcome {
            ranked.push(evidence.in_part(Role::Overridden, Reason::StricterWins));
        } else if Some(at) != deciding {
            ranked.push(evidence.in_role(Role::Agreed));
        }
    }
    ranked
}
