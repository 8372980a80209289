//! The answer of robots tags for each usage except crawl: step 6.

use super::ruling::Ruling;
use crate::client::Client;
use crate::moment::Moment;
use crate::tag::{Binding, Effect, Standing, StatedRule, Statement, effects};
use crate::verdict::{
    Condition, Evidence, Outcome, Provenance, Reason, Role, SourceDetails, Usage, Vocabulary,
};

/// The answers of the tags that apply to the client, for each of [`Usage::ACAP`] except crawl, if
/// the client sees them.
pub(super) fn by_tags<'p>(
    tags: &Binding<'p>,
    client: &Client,
    now: Option<Moment>,
) -> impl Iterator<Item = (Usage, Ruling<'p>)> {
    // What counts for nobody has no effect.
    let counts = |rule: &StatedRule| Standing::of(&rule.name, client) == Standing::Counts;
    let mut usages = USAGES.map(|usage| (usage, Restrictions::default()));
    for &statement in &tags.statements {
        for (_, restrictions) in &mut usages {
            restrictions.begin_statement();
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
    let answers = usages.into_iter();
    answers.map(|(usage, restrictions)| (usage, restrictions.ruling()))
}

const USAGES: [Usage; Usage::OF_ACAP.len() - 1] = {
    let [_, others @ ..] = Usage::OF_ACAP;
    others
};

/// What the tags say about one usage.
#[derive(Default)]
struct Restrictions<'p> {
    conditions: Vec<Condition>,
    effects: Vec<RuleEffect<'p>>,
    /// Where the rules of the statement at hand begin in `effects`.
    begin: usize,
}

/// What one rule of a statement says about a usage.
struct RuleEffect<'p> {
    rule: &'p str,
    outcome: Outcome,
    condition: Option<Condition>,
    evidence: Evidence<'p>,
}

impl<'p> Restrictions<'p> {
    fn begin_statement(&mut self) {
        self.begin = self.effects.len();
    }

    /// Adds the effect of the rule with this name.
    fn add(&mut self, rule: &'p str, effect: Effect, evidence: &Evidence<'p>) {
        let (outcome, reason) = match effect {
            Effect::Prohibited => (Outcome::Prohibited, Reason::TagRule),
            Effect::Expired => (Outcome::Prohibited, Reason::TagExpired),
            Effect::Unreadable => (Outcome::Prohibited, Reason::TagUnreadable),
            Effect::Condition(_) => (Outcome::Conditional, Reason::TagRule),
        };
        let condition = match effect {
            Effect::Condition(condition) => {
                condition.clone().join(&mut self.conditions);
                Some(condition)
            }
            _ => None,
        };
        // Evidence names the rule without its value, so a statement that repeats a rule would have
        // equal pieces, each with the whole statement. There are few names and reasons.
        let is_same = |earlier: &&mut RuleEffect<'p>| {
            (earlier.rule, earlier.outcome, earlier.evidence.reason) == (rule, outcome, reason)
        };
        let own = self.effects.iter_mut().skip(self.begin);
        if let Some(earlier) = own.into_iter().find(is_same) {
            if let (Some(new), Some(known)) = (condition, &mut earlier.condition)
                && new.is_stricter_than(known)
            {
                *known = new;
            }
            return;
        }
        self.effects.push(RuleEffect {
            rule,
            outcome,
            condition,
            evidence: evidence.clone().in_part(Role::Decided, reason),
        });
    }

    fn ruling(self) -> Ruling<'p> {
        let mut conditions = self.conditions;
        let outcome = self
            .effects
            .iter()
            .fold(Outcome::Unspecified, |met, effect| {
                met.stricter(effect.outcome)
            });
        if outcome == Outcome::Prohibited {
            conditions.clear();
        }
        Ruling {
            outcome,
            evidence: ranked(self.effects, outcome, &conditions),
            conditions,
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
/// overridden. So are limits that a stricter one of the `conditions` replaces (AMB-TAG-12).
fn ranked<'p>(
    effects: Vec<RuleEffect<'p>>,
    outcome: Outcome,
    conditions: &[Condition],
) -> Vec<Evidence<'p>> {
    let counts = |one: &RuleEffect<'p>| {
        let mut own = one.condition.iter();
        one.outcome == outcome && own.all(|condition| conditions.contains(condition))
    };
    let mut ranked = Vec::with_capacity(effects.len());
    let deciding = effects.iter().position(counts);
    let first = deciding.and_then(|at| effects.get(at));
    ranked.extend(first.map(|one| one.evidence.clone()));
    for (at, one) in effects.into_iter().enumerate() {
        if !counts(&one) {
            let (role, reason) = (Role::Overridden, Reason::StricterWins);
            ranked.push(one.evidence.in_part(role, reason));
        } else if Some(at) != deciding {
            ranked.push(one.evidence.in_role(Role::Agreed));
        }
    }
    ranked
}
