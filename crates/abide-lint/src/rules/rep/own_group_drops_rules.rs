//! `own-group-drops-rules`: a robot's own group, without rules of the group for `*`.

use crate::file::File;
use crate::rule::{Findings, Rule, RuleCheck};
use abide::syntax::{Addressee, PathPattern};
use abide::verdict::Sense;
use abide::{Client, ProductToken, Severity};
use abide_analysis::sample;
use abide_analysis::words::enumerated;
use abide_known_robots::AnyGroup;

pub(crate) static RULE: Rule = Rule::new(
    "own-group-drops-rules",
    Severity::Info,
    include_str!("own_group_drops_rules.md"),
    RuleCheck::File(check),
)
.or(Severity::Warning);

/// The largest number of questions about one file: groups times rules of `*`.
const MAX_QUESTIONS: usize = 2_000;
/// The largest number of lost rules that a message lists.
const MAX_LISTED: usize = 3;

fn check(file: &File<'_>, found: &mut Findings) {
    let is_for_all = |group: &usize| {
        let named = file.addressees.get(*group);
        named.is_some_and(|named| named.contains(&Addressee::Anybody))
    };
    let groups = 0..file.rules.len();
    let everybodys = groups.clone().filter(is_for_all);
    let rules = everybodys.flat_map(|group| file.rules.get(group).into_iter().flatten());
    // A path for each Disallow of `*`.
    let disallowed: Vec<_> = rules
        .filter(|rule| rule.sense == Sense::Disallow)
        .filter_map(|rule| {
            let pattern: &PathPattern<'_> = rule.pattern.as_ref().ok()?;
            Some((rule, sample::matching(pattern)?))
        })
        .take(MAX_QUESTIONS)
        .collect();
    if disallowed.is_empty() {
        return;
    }
    let mut left = MAX_QUESTIONS;
    for group in groups.filter(|group| !is_for_all(group)) {
        let Some((token, line)) = first_token(file, group) else {
            continue;
        };
        // Groups for `*` never applied to some robots, so nothing is lost. Others ignore all rules.
        let row = abide_known_robots::named(token.as_str());
        let reads_star = row.is_none_or(|row| {
            row.follows_any_group != Some(AnyGroup::Ignored)
                && row.follows_robots_txt != Some(false)
        });
        if !reads_star {
            continue;
        }
        left = left.saturating_sub(disallowed.len());
        if left == 0 {
            return;
        }
        let policy = file.robots.policy(&Client::new(token.clone()));
        let lost: Vec<_> = disallowed
            .iter()
            .filter(|(_, path)| policy.allows(path))
            .collect();
        let Some((first, _)) = lost.first() else {
            continue;
        };
        let values = lost
            .iter()
            .map(|(rule, _)| abide::explain::shown(rule.value));
        let values: Vec<String> = values.collect();
        let message = format!(
            "{token} follows only its own group, so it may crawl what `*` may not: {}",
            enumerated(&values, MAX_LISTED)
        );
        let mut mattering = file.context.mattering().into_iter();
        let matters = mattering.any(|name| name.eq_ignore_ascii_case(token.as_str()));
        let is_private = lost.iter().any(|(rule, _)| is_for_customers(rule.value));
        let severity = if matters && is_private {
            Severity::Warning
        } else {
            Severity::Info
        };
        let place = found.say(Some(line.number), line.span, message);
        let place = place.severity(severity);
        file.relate(place, first.line.number, "this rule does not apply to it");
    }
}

/// Whether a rule is about pages of customers, which no search result should have.
fn is_for_customers(pattern: &[u8]) -> bool {
    const NAMES: [&[u8]; 8] = [
        b"account",
        b"accounts",
        b"basket",
        b"cart",
        b"checkout",
        b"customer",
        b"my-account",
        b"orders",
    ];
    let mut parts = pattern.split(|byte| b"/*$?.".contains(byte));
    parts.any(|part| NAMES.iter().any(|name| part.eq_ignore_ascii_case(name)))
}

/// The first product token of a group that can stand for the group: one that no other group names.
fn first_token<'a>(
    file: &File<'a>,
    group: usize,
) -> Option<(ProductToken, &'a abide::syntax::Line)> {
    let lines = file.robots.groups().get(group)?.starters.iter();
    lines
        .filter_map(|at| file.robots.lines().get(*at))
        .find_map(|line| match file.robots.addressee(line)? {
            Addressee::Token(token) => Some((ProductToken::new(token).ok()?, line)),
            _ => None,
        })
}
