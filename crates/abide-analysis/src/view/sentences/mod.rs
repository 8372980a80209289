//! A file and a decision in sentences.
//!
//! Every text is one paragraph without line ends, to be folded by the caller. Foreign text is safe
//! to show, and long lists and texts are cut.

mod page;
mod preference;
mod purpose;
mod verdict;

pub use page::{findings, page};
pub use preference::{
    answer, not_for, page_preferences, preference_line, site_preferences, token_line,
};
pub use purpose::purposes;
pub use verdict::{extent, is_statement, page_verdict, verdict};

use super::line_state::{LineState, Void};
use super::{Extent, FileView, SentenceSubject};
use crate::words::{lines, shown_text, usage};
use abide::explain::{counted, visible};
use abide::rep::Access;
use abide::syntax::{FieldKind, Inspect};
use abide::verdict::{Reason, Role, SelectedBy, Selection};
use abide::{Policy, Usage};
use abide_known_robots::{Basis, KnownRobot};
use std::collections::{BTreeMap, BTreeSet};

/// Which groups apply to the client, and which `*` groups it ignores: one or two sentences, with
/// what is documented about the robot.
#[must_use]
pub fn groups(view: &FileView<'_>) -> String {
    match view.access() {
        Access::Rules => {}
        Access::Unavailable(cause) => {
            return format!("robots.txt is unavailable ({cause}), so everything is allowed.");
        }
        Access::Unreachable(cause) => {
            return format!("robots.txt is unreachable ({cause}), so nothing is allowed.");
        }
        _ => return "robots.txt was not read, so the answer is unknown.".to_owned(),
    }
    let agent = view.agent();
    let chosen = view.policy().chosen_groups();
    let Some(first) = chosen.first() else {
        return no_group(view);
    };
    let begins = begins(view, &chosen);
    let sentence = match &first.by {
        SelectedBy::ProductToken(token) => of_token(view, token, &begins),
        SelectedBy::Purpose(purpose) => {
            let purpose = visible(purpose.as_bytes());
            match view.agent {
                SentenceSubject::Unnamed => {
                    format!("The group of the purpose {purpose}, {begins}, applies")
                }
                _ => format!(
                    "No group names {agent}; the group of its purpose {purpose} applies, {begins}"
                ),
            }
        }
        _ if view.agent == SentenceSubject::Unnamed => {
            return format!("The `*` group, {begins}, applies to {agent}.");
        }
        _ => return format!("No group names {agent}, so the `*` group applies, {begins}."),
    };
    let it_ignores = match view.agent {
        SentenceSubject::Several(_) => "they ignore",
        SentenceSubject::Unnamed => return format!("{sentence}."),
        SentenceSubject::Named(_) => "it ignores",
    };
    let others = view.other_groups_for_all();
    match others.as_slice() {
        [] => format!("{sentence}."),
        [_] => format!(
            "{sentence}; {it_ignores} the `*` group on {}.",
            lines(&others)
        ),
        _ => format!(
            "{sentence}; {it_ignores} the `*` groups on {}.",
            lines(&others)
        ),
    }
}

/// The robot has the group of one of its names.
fn of_token(view: &FileView<'_>, token: &str, begins: &str) -> String {
    let agent = view.agent();
    let groups = group_or_groups(view.policy().chosen_groups().len());
    let own = match &view.agent {
        SentenceSubject::Named(name) => token.eq_ignore_ascii_case(name),
        SentenceSubject::Unnamed | SentenceSubject::Several(_) => view.row.is_none_or(|row| {
            let others = row.falls_back_to.iter();
            !others
                .into_iter()
                .any(|other| other.eq_ignore_ascii_case(token))
        }),
    };
    let token = visible(token.as_bytes());
    match (&view.agent, view.row) {
        (SentenceSubject::Several(_), _) if own => match groups.as_str() {
            "a group" => format!("A group, {begins}, names {agent}"),
            _ => format!("{groups}, {begins}, name {agent}"),
        },
        (_, _) if own => format!("{agent} has {groups} of its own, {begins}"),
        (SentenceSubject::Several(_), Some(row)) => format!(
            "No group names {agent}, so they follow the group for {token}{}, {begins}",
            as_documented(row)
        ),
        (_, Some(row)) => format!(
            "No group names {agent}, so it follows the group for {token}{}, {begins}",
            as_documented(row)
        ),
        (_, None) => format!(
            "No group names {agent}; under its name {token} it has {groups} of its own, {begins}"
        ),
    }
}

/// No group applies: no group is there, or the robot ignores those for `*`.
fn no_group(view: &FileView<'_>) -> String {
    let agent = view.agent();
    let ignores = view.row.filter(|_| !view.policy().client().any_group());
    match (ignores, &view.agent) {
        (Some(row), SentenceSubject::Several(_)) => format!(
            "No group names {agent}, and they ignore groups for `*`{}, so everything is allowed.",
            as_documented(row)
        ),
        (Some(row), _) => format!(
            "No group names {agent}, and it ignores groups for `*`{}, so everything is allowed.",
            as_documented(row)
        ),
        (None, _) => format!("No group applies to {agent}, so everything is allowed."),
    }
}

/// Where it is written down what the row says: `, as Google documents`.
pub(super) fn as_documented(row: &KnownRobot) -> String {
    match row.basis {
        Basis::Operator => format!(", as {} documents", row.operator),
        _ => ", as lists of robots report".to_owned(),
    }
}

fn group_or_groups(count: usize) -> String {
    match count {
        1 => "a group".to_owned(),
        _ => format!("{count} groups"),
    }
}

fn begins(view: &FileView<'_>, chosen: &[Selection<'_>]) -> String {
    let starts = chosen
        .iter()
        .map(|group| view.group_start(group.place.line));
    let starts: BTreeSet<u32> = starts.collect();
    let starts: Vec<u32> = starts.into_iter().collect();
    match starts.as_slice() {
        [_] => format!("which begins on {}", lines(&starts)),
        _ => format!("merged from {}", lines(&starts)),
    }
}

/// The whole file for the client: groups, rules, other fields, and lines without effect.
#[must_use]
pub fn file(reading: &FileView<'_>) -> String {
    let mut sentences = vec![groups(reading)];
    if reading.access() == Access::Rules {
        sentences.extend(rules(reading));
        sentences.extend(other_fields(reading));
        sentences.extend(delay(reading));
        sentences.extend(without_effect(reading));
    }
    if reading.is_truncated() {
        let limit = reading.policy().client().limits().bytes();
        sentences.push(format!(
            "Everything after the first {limit} bytes is ignored."
        ));
    }
    sentences.join(" ")
}

fn rules(reading: &FileView<'_>) -> Option<String> {
    if reading.policy().chosen_groups().is_empty() {
        return None;
    }
    let of = |kind| {
        let rule =
            |line: &super::ReadLine<'_>| line.kind == Some(kind) && line.state == LineState::Counts;
        reading.lines().filter(rule).count()
    };
    let (allow, disallow) = (of(FieldKind::Allow), of(FieldKind::Disallow));
    Some(match (allow, disallow) {
        (0, 0) if Inspect::of(reading.policy()).ignores_conventional() => {
            "Its rules are ignored, because the file asks to use its ACAP records instead."
                .to_owned()
        }
        (0, 0) => "The group has no rules, so everything is allowed.".to_owned(),
        (0, 1) | (1, 0) => only_rule(reading),
        (0, several) => format!("{several} rules apply; all of them disallow."),
        (several, 0) => format!("{several} rules apply; all of them allow."),
        _ => {
            let verb = |count: usize, verb: &str| match count {
                1 => format!("1 {verb}s"),
                _ => format!("{count} {verb}"),
            };
            let all = allow.saturating_add(disallow);
            format!(
                "{all} rules apply: {}, {}.",
                verb(allow, "allow"),
                verb(disallow, "disallow")
            )
        }
    })
}

/// ``1 rule applies: `Disallow: /`. Googlebot may not crawl any page.``
fn only_rule(view: &FileView<'_>) -> String {
    let is_rule = |line: &super::ReadLine<'_>| {
        matches!(line.kind, Some(FieldKind::Allow | FieldKind::Disallow))
            && line.state == LineState::Counts
    };
    let rule = view.lines().find(is_rule);
    let rule = rule.map_or_else(String::new, |line| quoted(view.policy, line.number));
    let closes = view.extent() == Extent::Nothing;
    match &view.agent {
        _ if !closes => format!("1 rule applies: {rule}."),
        SentenceSubject::Named(_) => format!(
            "1 rule applies: {rule}. {} may not {} any page.",
            view.agent(),
            verdict::verb(view)
        ),
        SentenceSubject::Unnamed | SentenceSubject::Several(_) => {
            format!("1 rule applies: {rule}. Such robots may not crawl any page.")
        }
    }
}

/// A statement of the file as it is written, without its comment: `` `Disallow: /` ``.
#[must_use]
pub fn quoted(policy: &Policy, line: u32) -> String {
    let statement = Inspect::of(policy)
        .statement_place(line)
        .span
        .of(policy.text().as_bytes());
    format!("`{}`", shown_text(statement.trim_ascii()))
}

/// ACAP fields, directives and sitemaps that count.
fn other_fields(reading: &FileView<'_>) -> Vec<String> {
    let counts = |kind: FieldKind| {
        let found = reading
            .lines()
            .filter(|line| line.kind == Some(kind) && matches!(line.state, LineState::Counts));
        found.map(|line| line.number).collect::<Vec<_>>()
    };
    let mut sentences = Vec::new();
    let fields = Inspect::of(reading.policy()).acap_fields();
    if !fields.is_empty() {
        let mut records: Vec<u32> = fields.iter().map(|(_, by)| by.place.line).collect();
        records.sort_unstable();
        records.dedup();
        sentences.push(format!(
            "{} of ACAP also {}, in records that begin on {}.",
            counted(fields.len() as u64, "field"),
            if fields.len() == 1 {
                "applies"
            } else {
                "apply"
            },
            lines(&records)
        ));
    }
    let directives = counts(FieldKind::AppDirectives);
    if !directives.is_empty() {
        sentences.push(format!("Application directives: {}.", lines(&directives)));
    }
    let sitemaps = counts(FieldKind::Sitemap);
    if !sitemaps.is_empty() {
        let what = counted(sitemaps.len() as u64, "sitemap");
        sentences.push(format!(
            "The file lists {what} for all robots ({}).",
            lines(&sitemaps)
        ));
    }
    sentences
}

/// The crawl delay.
#[must_use]
pub fn delay(reading: &FileView<'_>) -> Option<String> {
    let (delay, place) = reading.policy().crawl_delay()?;
    Some(format!(
        "The site asks to wait {delay} s between visits (line {}).",
        place.line
    ))
}

fn without_effect(reading: &FileView<'_>) -> Option<String> {
    let mut reasons: BTreeMap<String, Vec<u32>> = BTreeMap::new();
    for line in reading.lines() {
        if let LineState::Void(why) = line.state
            && why != Void::ConventionalIgnored
        {
            let why = why.to_string();
            // The note on the line says what to write instead.
            let why = why.split("; ").next().unwrap_or(&why);
            reasons.entry(why.to_owned()).or_default().push(line.number);
        }
    }
    let mut reasons: Vec<_> = reasons.into_iter().collect();
    reasons.sort_by(|one, other| one.1.cmp(&other.1));
    let sentences: Vec<_> = reasons
        .iter()
        .map(|(why, at)| format!("{} ({why})", lines(at)))
        .collect();
    (!sentences.is_empty()).then(|| format!("Ignored: {}.", sentences.join("; ")))
}

/// The part of a line in words: `decides crawl (disallowed): the only rule that matches (9 bytes)`.
#[must_use]
pub fn part(part: &super::Part) -> String {
    use super::StatementSubject;
    let what = match (&part.about, part.role) {
        (StatementSubject::Usages(usages, outcome), Role::Decided)
            if part.reason == Reason::SaysSo.name() && part.bytes.is_none() =>
        {
            return format!("decides {} ({outcome})", names(usages));
        }
        (StatementSubject::Usages(usages, outcome), Role::Decided) => {
            format!("decides {} ({outcome})", names(usages))
        }
        (StatementSubject::Usages(usages, _), Role::Agreed) => {
            format!("agrees for {}", names(usages))
        }
        (StatementSubject::Usages(..), _) if part.reason == Reason::OtherGroup.name() => {
            return format!(
                "also matches, but {}",
                part.why.replacen("in a", "is in a", 1)
            );
        }
        (StatementSubject::Usages(usages, _), Role::Void) => format!("for {}", names(usages)),
        (StatementSubject::Usages(usages, _), _) => overridden(usages, part.overridden_by),
        (StatementSubject::Application(id), Role::Decided) => {
            format!("asks {}", visible(id.as_bytes()))
        }
        (StatementSubject::Application(id), _) => {
            format!("does not ask {}", visible(id.as_bytes()))
        }
    };
    format!("{what}: {}", part.why)
}

/// `overridden by line 4`, and for which usages, if not only for crawl.
fn overridden(usages: &[Usage], by: Option<u32>) -> String {
    let what = match usages {
        [Usage::Crawl] => "overridden".to_owned(),
        _ => format!("overridden for {}", names(usages)),
    };
    match by {
        Some(line) => format!("{what} by line {line}"),
        None => what,
    }
}

fn names(usages: &[Usage]) -> String {
    let names: Vec<_> = usages.iter().map(|one| usage(*one)).collect();
    names.join(", ")
}
