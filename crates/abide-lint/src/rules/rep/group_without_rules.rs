//! `group-without-rules`: names behind which the file has no rule any more.

use crate::file::File;
use crate::rule::{Findings, Rule, RuleCheck};
use abide::Severity;
use abide::syntax::{Addressee, FieldKind, Group, Line};
use abide_analysis::words::enumerated;

pub(crate) static RULE: Rule = Rule::new(
    "group-without-rules",
    Severity::Warning,
    include_str!("group_without_rules.md"),
    RuleCheck::File(check),
)
.or(Severity::Info);

/// How many names are in the sentence.
const MAX_NAMES: usize = 2;

fn check(file: &File<'_>, found: &mut Findings) {
    let Some((at, group)) = file.robots.groups().iter().enumerate().next_back() else {
        return;
    };
    let names: Vec<&str> = file.addressees.get(at).map_or(Vec::new(), |all| {
        let names = all.iter().filter_map(|one| match one {
            Addressee::Token(token) => Some(*token),
            _ => None,
        });
        names.collect()
    });
    let names_all = file
        .addressees
        .get(at)
        .is_some_and(|all| all.contains(&Addressee::Anybody));
    if names_all || names.is_empty() || !group.rules.is_empty() || says_more(file, at) {
        return;
    }
    let whole: Vec<&Line> = lines(file, group).collect();
    let Some(first) = whole.first() else {
        return;
    };
    let written: Vec<String> = whole
        .iter()
        .filter_map(|line| written(file, line))
        .collect();
    let who = enumerated(&written, MAX_NAMES);
    let (have, they) = match written.len() {
        1 => ("has", "it"),
        _ => ("have", "they"),
    };
    let message = format!(
        "{who} {have} no rule, and nothing follows, so {they} may crawl the whole site; to close it, write \"Disallow: /\" below, and if it is open on purpose, \"Disallow:\""
    );
    let place = found.say(Some(first.number), first.span, message);
    // One robot may be let in on purpose; a list is there to be kept out.
    if written.len() == 1 {
        place.severity(Severity::Info);
    }
}

fn lines<'f>(file: &'f File<'_>, group: &'f Group) -> impl Iterator<Item = &'f Line> {
    let starters = group.starters.iter();
    starters.filter_map(|at| file.robots.lines().get(*at))
}

/// A name as the file has it.
fn written(file: &File<'_>, line: &Line) -> Option<String> {
    let value = line.field()?.value.of(file.text());
    (!value.is_empty()).then(|| abide::explain::visible(value))
}

/// Whether the group has another field that somebody may read: a delay, preferences, directives.
fn says_more(file: &File<'_>, group: usize) -> bool {
    file.fields().any(|(line, field)| {
        let is_own = line.group == Some(group);
        is_own
            && !matches!(
                field.kind,
                FieldKind::UserAgent | FieldKind::UserAgentPurpose | FieldKind::Sitemap
            )
    })
}
