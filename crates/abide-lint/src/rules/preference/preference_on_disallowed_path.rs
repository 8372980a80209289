//! `preference-on-disallowed-path`: preferences about paths that nobody may crawl.

use crate::file::File;
use crate::preference_overlap::{self, StatedPath};
use crate::preference_witness::MAX_AGENTS;
use crate::rule::{self, Findings};
use abide::preference::Vocabulary;
use abide::syntax::{Addressee, Rule};
use abide::verdict::Sense;
use abide::{Code, Policy, Target};
use abide_analysis::language::{PathSearch, may_overlap};
use abide_analysis::sample;
use std::collections::BTreeSet;

pub(crate) static RULE: rule::Rule = rule::Rule::engine(
    Code::PreferenceOnDisallowedPath,
    include_str!("preference_on_disallowed_path.md"),
)
.with_check(check);

/// The engine compares the beginnings of paths. This looks at all paths that a line is about, for
/// every robot of its group.
fn check(file: &File<'_>, found: &mut Findings) {
    let reported = file.diagnostics().iter();
    let reported = reported.filter(|one| one.code == Code::PreferenceOnDisallowedPath);
    let known: BTreeSet<u32> = reported.filter_map(|one| one.line).collect();
    let mut search = preference_overlap::search();
    for group in stating(file).into_iter().take(MAX_AGENTS) {
        let names = file.addressees.get(group).map_or(&[][..], Vec::as_slice);
        let Some(first) = names.first().and_then(|name| policy(file, name)) else {
            continue;
        };
        let mut closed = preference_overlap::stated(&first);
        closed.retain(|stated| {
            let line = file.line(stated.line);
            let is_own = line.is_some_and(|line| line.group == Some(group));
            is_own && !known.contains(&stated.line) && is_told(stated) && is_closed(&first, stated)
        });
        // Most lines are about some path that may be crawled, and there is nothing more to do.
        let (false, Some(policies)) = (closed.is_empty(), policies(file, names)) else {
            continue;
        };
        for stated in &closed {
            if search.is_spent() {
                return;
            }
            if let Some(rule) = disallowing(file, &policies, stated, &mut search)
                && let Some(line) = file.line(stated.line)
            {
                let span = line.field().map_or(line.span, |field| field.value);
                found.say(Some(stated.line), span, message(stated, &rule));
            }
        }
    }
}

/// The groups that state preferences, if any robot has a rule that disallows something.
fn stating(file: &File<'_>) -> BTreeSet<usize> {
    let mut rules = file.rules.iter().flatten();
    if !rules.any(|rule| rule.sense == Sense::Disallow && rule.pattern.is_ok()) {
        return BTreeSet::new();
    }
    let usage = file.preferences(Vocabulary::ContentUsage);
    let signals = file.preferences(Vocabulary::ContentSignal);
    usage
        .chain(signals)
        .filter_map(|at| at.line.group)
        .collect()
}

/// The file for each robot of a group. `None` if these are too many, or purposes.
fn policies(file: &File<'_>, names: &[Addressee<'_>]) -> Option<Vec<Policy>> {
    const MAX_ROBOTS: usize = 8;
    if names.len() > MAX_ROBOTS {
        return None;
    }
    names.iter().map(|name| policy(file, name)).collect()
}

fn policy(file: &File<'_>, name: &Addressee<'_>) -> Option<Policy> {
    let agent = match name {
        Addressee::Anybody => None,
        Addressee::Token(token) => Some(*token),
        Addressee::Purpose(_) | Addressee::Nobody => return None,
    };
    Some(file.robots.policy(&preference_overlap::client(agent)?))
}

/// Whether the policy disallows a path of a line, so that it may disallow all of them.
fn is_closed(policy: &Policy, stated: &StatedPath<'_>) -> bool {
    sample::matching(&stated.pattern).is_some_and(|path| !policy.allows(&path))
}

/// Whether a line has no effect if it is only about disallowed paths. A prohibiting signal there is
/// harmless: it repeats, for content from elsewhere, what the rule asks.
fn is_told(stated: &StatedPath<'_>) -> bool {
    let mut each = stated.says.each();
    stated.vocabulary == Vocabulary::ContentUsage || each.any(|(_, permits)| permits == Some(true))
}

/// A rule that disallows one of the paths.
struct DisallowingRule {
    line: u32,
    path: String,
    /// Whether it disallows all of them.
    is_only: bool,
}

/// A rule that disallows a path of a line, if no robot may crawl any of its paths.
fn disallowing(
    file: &File<'_>,
    policies: &[Policy],
    stated: &StatedPath<'_>,
    search: &mut PathSearch,
) -> Option<DisallowingRule> {
    if !policies.iter().all(|policy| is_closed(policy, stated)) {
        return None;
    }
    for policy in policies {
        let is_closed = search.is_closed(&stated.pattern, &file.robots.rules(policy));
        is_closed.filter(|is_closed| *is_closed)?;
    }
    let policy = policies.first()?;
    let path = sample::matching(&stated.pattern)?;
    let covering = covering(&file.robots.rules(policy), stated, search);
    let deciding = || {
        let target = Target::new(&path).ok()?;
        let decision = policy.decide(&target);
        Some(decision.usages.crawl().evidence.first()?.place?.line)
    };
    Some(DisallowingRule {
        line: covering.or_else(deciding)?,
        path,
        is_only: covering.is_some(),
    })
}

/// The line of a rule that disallows all paths of a line without the help of another rule.
fn covering(rules: &[Rule<'_>], stated: &StatedPath<'_>, search: &mut PathSearch) -> Option<u32> {
    let of = |sense| {
        let own = rules.iter().filter(move |rule| rule.sense == sense);
        own.filter_map(|rule| Some((rule.line.number, rule.pattern.as_ref().ok()?)))
    };
    // A longer Allow can open some of the paths, and another rule close them again.
    let opening = of(Sense::Allow).filter(|(_, own)| may_overlap(own, &stated.pattern));
    let opening = opening.map(|(_, own)| own.length()).max();
    let mut closing = of(Sense::Disallow).filter(|(_, own)| Some(own.length()) > opening);
    let rule = closing.find(|(_, own)| search.is_within(&stated.pattern, own));
    rule.map(|(line, _)| line)
}

fn message(stated: &StatedPath<'_>, rule: &DisallowingRule) -> String {
    let effect = match stated.vocabulary {
        Vocabulary::ContentUsage => "so robots ignore this line",
        _ => "so robots that honour it never fetch what this line is about",
    };
    let DisallowingRule {
        line,
        path,
        is_only,
    } = rule;
    if *is_only {
        format!("line {line} disallows crawling all of these paths, {effect}")
    } else {
        format!(
            "the rules together disallow crawling all of these paths (line {line} disallows {path}), \
             {effect}"
        )
    }
}
