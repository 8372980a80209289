//! `pattern-case`: an exception whose path differs from its rule's by the case of a letter.

use crate::file::File;
use crate::rule::{Findings, Rule, RuleCheck};
use abide::Severity;
use abide::verdict::Sense;

pub(crate) static RULE: Rule = Rule::new(
    "pattern-case",
    Severity::Warning,
    include_str!("pattern_case.md"),
    RuleCheck::File(check),
);

fn check(file: &File<'_>, found: &mut Findings) {
    for rules in &file.rules {
        let disallowed: Vec<_> = rules
            .iter()
            .filter(|rule| {
                rule.sense == Sense::Disallow && rule.value.len() > 1 && rule.pattern.is_ok()
            })
            .map(|rule| (prefix(rule.value), rule))
            .collect();
        if disallowed.len().saturating_mul(rules.len()) > MAX_PAIRS {
            continue;
        }
        for rule in rules
            .iter()
            .filter(|rule| rule.sense == Sense::Allow && rule.pattern.is_ok())
        {
            let begins = |outer: &[u8]| {
                let own = rule.value.get(..outer.len());
                own.is_some_and(|own| own.eq_ignore_ascii_case(outer))
            };
            let is_met = disallowed
                .iter()
                .any(|(outer, _)| rule.value.starts_with(outer));
            let missed = disallowed
                .iter()
                .find(|(outer, _)| outer.len() > 1 && begins(outer));
            if let (false, Some((_, missed))) = (is_met, missed) {
                let line = missed.line.number;
                let message =
                    format!("paths are case-sensitive: line {line} is about a different path");
                let place = found.say(Some(rule.line.number), File::statement(rule.line), message);
                file.relate(place, line, "written in another case");
            }
        }
    }
}

/// The largest number of pairs of rules of one group that are compared.
const MAX_PAIRS: usize = 100_000;

/// The prefix of every path that the pattern matches.
fn prefix(value: &[u8]) -> &[u8] {
    let end = value.iter().position(|&byte| matches!(byte, b'*' | b'$'));
    end.and_then(|end| value.get(..end)).unwrap_or(value)
}
