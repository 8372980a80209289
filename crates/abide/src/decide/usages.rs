//! The answer of robots tags for each usage except crawl: step 6.

use super::fact;
use super::said::Said;
use crate::client::Client;
use crate::moment::Moment;
use crate::tag::{Binding, Effect, RuleKind, StatedRule, Statement, effects};
use crate::verdict::{Condition, Evidence, Outcome, Reason, Role, Usage};
use std::borrow::Cow;

/// The answer of the tags that apply to the client. Tags of a resource that may not be fetched
/// count too (CLA-11).
pub(super) fn by_tags<'p>(
    usage: Usage,
    tags: &Binding<'p>,
    client: &Client,
    now: Option<Moment>,
) -> Said<'p> {
    let mut conditions: Vec<Condition> = Vec::new();
    let mut evidence: Vec<(Outcome, Evidence<'p>)> = Vec::new();
    // The rules of the statement at hand that have evidence. There are few names and reasons.
    let mut told: Vec<(&str, Reason, Outcome)> = Vec::new();
    let mut at: Option<&Statement> = None;
    for (statement, rule, effect) in restrictions(usage, tags, client, now) {
        let (outcome, reason) = match effect {
            Effect::Prohibited => (Outcome::Prohibited, Reason::TagRule),
            Effect::Expired => (Outcome::Prohibited, Reason::TagExpired),
            Effect::Unreadable => (Outcome::Prohibited, Reason::TagUnreadable),
            Effect::Condition(condition) => {
                condition.join(&mut conditions);
                (Outcome::Conditional, Reason::TagRule)
            }
        };
        if !at.is_some_and(|last| std::ptr::eq(last, statement)) {
            at = Some(statement);
            told.clear();
        }
        // Evidence names the rule without its value, so a statement that repeats a rule would have
        // equal pieces, each with the whole statement.
        if !told.contains(&(&rule.name, reason, outcome)) {
            told.push((&rule.name, reason, outcome));
            evidence.push((outcome, tag(statement, rule, reason)));
        }
    }
    let outcome = evidence
        .iter()
        .fold(Outcome::Unspecified, |met, (said, _)| met.stricter(*said));
    if outcome == Outcome::Prohibited {
        conditions.clear();
    }
    Said {
        outcome,
        conditions,
        evidence: ranked(evidence, outcome),
    }
}

/// The rules that restrict `usage`, in the order of their statements.
fn restrictions<'s>(
    usage: Usage,
    tags: &Binding<'s>,
    client: &Client,
    now: Option<Moment>,
) -> Vec<(&'s Statement, &'s StatedRule, Effect)> {
    let counts = |rule: &StatedRule| {
        client.vendor_rules() || RuleKind::of(&rule.name) == RuleKind::Registered
    };
    let mut found = Vec::new();
    for statement in &tags.statements {
        for rule in statement.rules.iter().filter(|rule| counts(rule)) {
            let restricted = effects(rule, now)
                .into_iter()
                .filter(|(of, _)| *of == usage);
            found.extend(restricted.map(|(_, effect)| (*statement, rule, effect)));
        }
    }
    found
}

/// Evidence of a robots tag rule.
pub(super) fn tag<'p>(statement: &'p Statement, rule: &StatedRule, reason: Reason) -> Evidence<'p> {
    Evidence {
        statement: Cow::Borrowed(statement.text.as_bytes()),
        tag_place: Some(statement.place),
        rule: Some(rule.name.clone()),
        ..fact(statement.source, reason)
    }
}

/// The first rule with the outcome decides, others with the same outcome agree, weaker ones are
/// overridden.
fn ranked(evidence: Vec<(Outcome, Evidence<'_>)>, outcome: Outcome) -> Vec<Evidence<'_>> {
    let mut decided = None;
    let mut others = Vec::new();
    for (said, evidence) in evidence {
        if said != outcome {
            let (role, reason) = (Role::Overridden, Reason::StricterWins);
            others.push(Evidence {
                role,
                reason,
                ..evidence
            });
        } else if decided.is_none() {
            decided = Some(evidence);
        } else {
            others.push(Evidence {
                role: Role::Agreed,
                ..evidence
            });
        }
    }
    decided.into_iter().chain(others).collect()
}
