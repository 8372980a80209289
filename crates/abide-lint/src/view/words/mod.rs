//! A file and a decision in plain English.
//!
//! Every text is one paragraph without line ends, to be folded by the caller. Foreign text is safe
//! to show, and long lists and texts are cut.

mod page;

pub use page::page;

use super::FileView;
use super::line_state::{LineState, Void};
use abide::Usage;
use abide::explain::{visible, visible_url};
use abide::rep::Access;
use abide::syntax::FieldKind;
use abide::verdict::{Role, SelectedBy, Selection};
use std::collections::BTreeMap;

/// Lines that are named one by one; of more only so many are.
const NAMED: usize = 8;
/// Characters of foreign text that are shown in a sentence.
const SHOWN: usize = 120;

/// Which groups apply to the client, and which `*` groups it ignores: one or two sentences.
#[must_use]
pub fn groups(reading: &FileView<'_>) -> String {
    let agent = visible(reading.agent().as_bytes());
    match reading.access() {
        Access::Rules => {}
        Access::Unavailable(cause) => {
            return format!("robots.txt is unavailable ({cause}), so everything is allowed.");
        }
        Access::Unreachable(cause) => {
            return format!("robots.txt is unreachable ({cause}), so nothing is allowed.");
        }
        _ => return "robots.txt was not read, so the answer is unknown.".to_owned(),
    }
    let chosen = reading.policy().chosen_groups();
    let Some(first) = chosen.first() else {
        return format!("No group applies to {agent}, so everything is allowed.");
    };
    let begun = begun_by(&chosen);
    let sentences = match &first.by {
        SelectedBy::ProductToken(token) if *token == reading.agent() => {
            format!(
                "{agent} has {} of its own, {begun}",
                group_or_groups(chosen.len())
            )
        }
        SelectedBy::ProductToken(token) => format!(
            "No group names {agent}; under its name {} it has {} of its own, {begun}",
            visible(token.as_bytes()),
            group_or_groups(chosen.len())
        ),
        SelectedBy::Purpose(purpose) => format!(
            "No group names {agent}; the group of its purpose {} applies, {begun}",
            visible(purpose.as_bytes())
        ),
        _ => return format!("No group names {agent}, so the `*` group applies, {begun}."),
    };
    let others = reading.other_groups_for_all();
    match others.as_slice() {
        [] => format!("{sentences}."),
        [_] => format!(
            "{sentences}; it ignores the `*` group on {}.",
            lines(&others)
        ),
        _ => format!(
            "{sentences}; it ignores the `*` groups on {}.",
            lines(&others)
        ),
    }
}

fn group_or_groups(count: usize) -> String {
    match count {
        1 => "a group".to_owned(),
        _ => format!("{count} groups"),
    }
}

fn begun_by(chosen: &[Selection<'_>]) -> String {
    let starters: Vec<u32> = chosen.iter().map(|group| group.place.line).collect();
    match starters.as_slice() {
        [_] => format!("which begins on {}", lines(&starters)),
        _ => format!("merged from {}", lines(&starters)),
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
        let rule = |line: &super::ReadLine<'_>| {
            line.kind == Some(kind) && line.standing == LineState::Counts
        };
        reading.lines().filter(rule).count()
    };
    let (allow, disallow) = (of(FieldKind::Allow), of(FieldKind::Disallow));
    Some(match (allow, disallow) {
        (0, 0) if reading.policy().ignores_conventional() => {
            "Its rules are ignored, because the file asks to use its ACAP records instead."
                .to_owned()
        }
        (0, 0) => "The group has no rules, so everything is allowed.".to_owned(),
        (0, 1) => "1 rule applies, which disallows.".to_owned(),
        (1, 0) => "1 rule applies, which allows.".to_owned(),
        (0, several) => format!("{several} rules apply, which all disallow."),
        (several, 0) => format!("{several} rules apply, which all allow."),
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

/// ACAP fields, directives and sitemaps that count.
fn other_fields(reading: &FileView<'_>) -> Vec<String> {
    let counts = |kind: FieldKind| {
        let found = reading
            .lines()
            .filter(|line| line.kind == Some(kind) && matches!(line.standing, LineState::Counts));
        found.map(|line| line.number).collect::<Vec<_>>()
    };
    let mut sentences = Vec::new();
    let fields = reading.policy().acap_fields();
    if !fields.is_empty() {
        let mut records: Vec<u32> = fields.iter().map(|(_, by)| by.place.line).collect();
        records.sort_unstable();
        records.dedup();
        sentences.push(format!(
            "{} of ACAP also {}, in records that begin on {}.",
            counted(fields.len(), "field"),
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
        let what = counted(sitemaps.len(), "sitemap");
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
        if let LineState::Void(why) = line.standing
            && why != Void::ConventionalIgnored
        {
            reasons
                .entry(why.to_string())
                .or_default()
                .push(line.number);
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

/// `line 4`, `lines 4 and 10`, `lines 4, 10 and 12 more`.
#[must_use]
pub fn lines(numbers: &[u32]) -> String {
    let named: Vec<_> = numbers.iter().take(NAMED).map(u32::to_string).collect();
    let more = numbers.len().saturating_sub(NAMED);
    match named.as_slice() {
        [] => "no line".to_owned(),
        [only] => format!("line {only}"),
        several if more > 0 => format!("lines {} and {more} more", several.join(", ")),
        [others @ .., last] => format!("lines {} and {last}", others.join(", ")),
    }
}

fn counted(count: usize, what: &str) -> String {
    match count {
        1 => format!("1 {what}"),
        _ => format!("{count} {what}s"),
    }
}

/// A URL as it may stand in a sentence.
#[must_use]
pub fn shown_url(url: &str) -> String {
    cut(&visible_url(url))
}

/// Foreign text, made visible before, as it may stand in a sentence: cut where it is long.
pub(crate) fn cut(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

fn capital(text: &str) -> String {
    let mut rest = text.chars();
    let first = rest.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(rest).collect()
}

/// The part of a line in words: `decides crawl (disallowed): the only rule that matches (9 bytes)`.
#[must_use]
pub fn part(part: &super::Part) -> String {
    use super::About;
    let what = match (&part.about, part.role) {
        (About::Usages(usages, outcome), Role::Decided) => {
            format!("decides {} ({outcome})", names(usages))
        }
        (About::Usages(usages, _), Role::Agreed) => format!("agrees for {}", names(usages)),
        (About::Usages(usages, _), _) => format!("overridden for {}", names(usages)),
        (About::Application(id), Role::Decided) => format!("asks {}", visible(id.as_bytes())),
        (About::Application(id), _) => format!("does not ask {}", visible(id.as_bytes())),
    };
    format!("{what}: {}", part.why)
}

fn names(usages: &[Usage]) -> String {
    let names: Vec<_> = usages.iter().map(|usage| usage.name()).collect();
    names.join(", ")
}
