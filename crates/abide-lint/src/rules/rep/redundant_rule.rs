//! `redundant-rule`: a rule that changes no decision.

use super::google_prefix_key::groups_that_google_closes;
use super::short_prefix::is_short;
use crate::facts::UnusedRule;
use crate::file::File;
use crate::finding::Safety;
use crate::rule::{Findings, Rule, RuleCheck};
use abide::Severity;
use abide::syntax::Line;
use abide::verdict::Sense;

pub(crate) static RULE: Rule = Rule::new(
    "redundant-rule",
    Severity::Info,
    include_str!("redundant_rule.md"),
    RuleCheck::File(check),
);

fn check(file: &File<'_>, found: &mut Findings) {
    let closed_by_google = groups_that_google_closes(file);
    for (rule, why) in file.unused_rules() {
        let UnusedRule::Redundant(because_of) = why else {
            continue;
        };
        // Advice to remove a rule is wrong if the covering rule is only there by accident, or comes
        // from a group that may be removed or split.
        let covering = because_of.and_then(|line| file.line(line));
        if covering.is_some_and(|line| line.group != rule.group || file.is_doubtful(line))
            || file.runs_together(rule.group)
        {
            continue;
        }
        // `Allow: /` says what holds anyway, and says it plainly.
        if because_of.is_none() && allows_everything(file, rule) {
            continue;
        }
        // The rule may be an exception from one that is written wrongly, or that only Google's
        // parser reads.
        if covering.is_none()
            && (has_doubtful_disallow(file, rule) || closed_by_google.contains(&rule.group))
        {
            continue;
        }
        let message = match because_of {
            Some(line) => {
                format!("redundant: line {line} already covers these paths")
            }
            None => "no effect: nothing disallows these paths".to_owned(),
        };
        let place = found.say(Some(rule.number), File::statement(rule), message);
        let place = place.fix(file.without(rule, Safety::Unsafe));
        if let Some(line) = because_of {
            file.relate(place, *line, "covers it");
        }
    }
}

/// Whether a rule is `Allow: /` in one of its spellings.
fn allows_everything(file: &File<'_>, rule: &Line) -> bool {
    let value = rule.field().map(|field| field.value.of(file.text()));
    value.is_some_and(|value| matches!(value, b"/" | b"*" | b"/*"))
}

/// Whether the group of a rule has a `Disallow` that is probably not what was meant, and of which
/// the rule may be an exception. What a short prefix is about, its letters say.
fn has_doubtful_disallow(file: &File<'_>, rule: &Line) -> bool {
    let rules = rule.group.and_then(|group| file.rules.get(group));
    let value = rule.field().map(|field| field.value.of(file.text()));
    let is_elsewhere = |other: &[u8]| {
        is_short(other)
            && value.is_some_and(|value| value.starts_with(b"/") && !value.starts_with(other))
    };
    let mut disallows = rules
        .into_iter()
        .flatten()
        .filter(|rule| rule.sense == Sense::Disallow && !is_elsewhere(rule.value));
    disallows.any(|rule| file.is_doubtful(rule.line))
}
