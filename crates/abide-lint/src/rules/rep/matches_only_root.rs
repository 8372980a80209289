//! `matches-only-root`: a rule about a query that matches on the home page alone.

use crate::file::File;
use crate::finding::{Fix, Safety};
use crate::rule::{self, Findings, RuleCheck};
use abide::explain::shown;
use abide::syntax::{PathPattern, Rule};
use abide::verdict::Sense;
use abide::{Severity, Span};
use abide_analysis::sample;
use std::collections::BTreeSet;

pub(crate) static RULE: rule::Rule = rule::Rule::new(
    "matches-only-root",
    Severity::Info,
    include_str!("matches_only_root.md"),
    RuleCheck::File(check),
);

/// Parameters that `WordPress` and Drupal read on the home page, where such a rule is right.
const OF_HOME_PAGES: [&[u8]; 12] = [
    b"attachment_id",
    b"author",
    b"cat",
    b"feed",
    b"m",
    b"p",
    b"page_id",
    b"paged",
    b"preview",
    b"q",
    b"s",
    b"tag",
];

/// How many rules of a group are looked at.
const MAX_RULES: usize = 100;

fn check(file: &File<'_>, found: &mut Findings) {
    for rules in &file.rules {
        let values: BTreeSet<&[u8]> = rules.iter().map(|rule| rule.value).collect();
        let disallows = || rules.iter().filter(|rule| rule.sense == Sense::Disallow);
        let about_query = disallows().filter_map(|rule| Some((rule, parameter(rule.value)?)));
        for (rule, name) in about_query.take(MAX_RULES) {
            let Some(field) = rule.line.field() else {
                continue;
            };
            let everywhere = [b"/*", rule.value.get(1..).unwrap_or_default()].concat();
            let has_twin = values.contains(everywhere.as_slice());
            if has_twin || OF_HOME_PAGES.contains(&name) {
                continue;
            }
            // A wider rule closes what the advice would.
            let pattern = PathPattern::read(&everywhere).ok();
            let page = pattern.and_then(|pattern| sample::matching(&pattern));
            let closes = |rule: &Rule<'_>, page: &str| {
                let pattern = rule.pattern.as_ref();
                pattern.is_ok_and(|pattern| pattern.matches(page.as_bytes()))
            };
            if page.is_some_and(|page| disallows().any(|rule| closes(rule, &page))) {
                continue;
            }
            let everywhere = shown(&everywhere);
            let only = if rule.value.starts_with(b"/?") {
                "the home page with this query alone".to_owned()
            } else {
                format!("only addresses that begin with {}", shown(rule.value))
            };
            let message = format!("this matches {only}; for every page, write {everywhere}");
            let place = found.say(Some(rule.line.number), field.value, message);
            let after = field.value.start.saturating_add(1);
            place.fix(Fix::replace(
                Safety::Unsafe,
                "match the query of every page",
                Span::new(after, after),
                "*",
            ));
        }
    }
}

/// The name of the parameter in a pattern such as `/?sid=` or `/&x`. In HTML, `&nbsp;` is a blank.
fn parameter(value: &[u8]) -> Option<&[u8]> {
    let name = value
        .strip_prefix(b"/?")
        .or_else(|| value.strip_prefix(b"/&"))?;
    let is_name = |byte: &&u8| byte.is_ascii_alphanumeric() || b"-_[]".contains(byte);
    let end = name.iter().take_while(is_name).count();
    let (name, rest) = name.split_at_checked(end)?;
    let is_entity = value.starts_with(b"/&") && rest.starts_with(b";");
    (!name.is_empty() && !is_entity).then_some(name)
}
