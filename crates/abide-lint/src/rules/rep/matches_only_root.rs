//! `matches-only-root`: a rule about a query that matches on the home page alone.

use crate::file::File;
use crate::finding::{Fix, Safety};
use crate::rule::{Findings, Rule, RuleCheck};
use abide::verdict::Sense;
use abide::{Severity, Span};
use std::collections::BTreeSet;

pub(crate) static RULE: Rule = Rule::new(
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

fn check(file: &File<'_>, found: &mut Findings) {
    for rules in &file.rules {
        let values: BTreeSet<&[u8]> = rules.iter().map(|rule| rule.value).collect();
        for rule in rules.iter().filter(|rule| rule.sense == Sense::Disallow) {
            let (Some(name), Some(field)) = (parameter(rule.value), rule.line.field()) else {
                continue;
            };
            let everywhere = [b"/*", rule.value.get(1..).unwrap_or_default()].concat();
            let has_twin = values.contains(everywhere.as_slice());
            if has_twin || OF_HOME_PAGES.contains(&name) {
                continue;
            }
            let shown = abide::explain::shown(&everywhere);
            let message = format!(
                "this matches the home page with this query alone; for every page, write {shown}"
            );
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

/// The name of the parameter in a pattern such as `/?sid=` or `/&x`.
fn parameter(value: &[u8]) -> Option<&[u8]> {
    let name = value
        .strip_prefix(b"/?")
        .or_else(|| value.strip_prefix(b"/&"))?;
    let is_name = |byte: &&u8| byte.is_ascii_alphanumeric() || b"-_[]".contains(byte);
    let end = name.iter().take_while(is_name).count();
    name.get(..end).filter(|name| !name.is_empty())
}
