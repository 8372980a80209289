//! `signal-hidden-by-group`: a robot's own group without the signal of the group for `*`.

use crate::file::File;
use crate::finding::{Edit, Fix, Safety};
use crate::rule::{Findings, Rule, RuleCheck};
use abide::preference::Vocabulary;
use abide::syntax::{Addressee, Line};
use abide::verdict::Sense;
use abide::{Severity, Span};
use abide_analysis::preferences::latest;
use abide_analysis::words::listed;
use std::collections::BTreeSet;

pub(crate) static RULE: Rule = Rule::new(
    "signal-hidden-by-group",
    Severity::Warning,
    include_str!("signal_hidden_by_group.md"),
    RuleCheck::File(check),
);

/// How many bytes a fix adds at most.
const MAX_ADDED_BYTES: usize = 20_000;
/// How many robots a message lists.
const MAX_LISTED: usize = 3;

fn check(file: &File<'_>, found: &mut Findings) {
    let of_everybody = |line: &Line| line.group.is_some_and(|group| file.is_for_anybody(group));
    let signals = || file.preferences(Vocabulary::ContentSignal);
    let everybodys: Vec<_> = signals()
        .filter(|at| of_everybody(at.line) && !at.stated.words(latest()).is_empty())
        .map(|at| at.line)
        .collect();
    let Some(first) = everybodys.first() else {
        return;
    };
    let hidden = without_signal(file);
    let names: BTreeSet<_> = hidden.iter().map(|(_, token)| *token).collect();
    if names.is_empty() {
        return;
    }
    let who = listed(&names.into_iter().collect::<Vec<_>>(), MAX_LISTED);
    let message = format!(
        "robots with their own groups do not get this signal: {who}; repeat it in their groups"
    );
    let groups: BTreeSet<_> = hidden.iter().map(|(group, _)| *group).collect();
    let fix = fix(file, &groups, &everybodys);
    let place = found.say(Some(first.number), File::statement(first), message);
    let other = groups.first().and_then(|group| last_starter(file, *group));
    match other {
        Some(line) => file.relate(place.fix(fix), line.number, "a group without a signal"),
        None => drop(place.fix(fix)),
    }
}

/// Repeats the signals in the groups, if that does not make the file much longer.
fn fix(file: &File<'_>, groups: &BTreeSet<usize>, signals: &[&Line]) -> Option<Fix> {
    let bytes = signals.iter().map(|line| line.span.len() as usize);
    let added = bytes.sum::<usize>().saturating_mul(groups.len());
    let edits = groups
        .iter()
        .filter_map(|group| repeated(file, *group, signals));
    (added <= MAX_ADDED_BYTES).then(|| Fix {
        safety: Safety::Unsafe,
        title: "repeat the signal in these groups".into(),
        edits: edits.collect(),
    })
}

/// The groups that name robots, state no signal and leave something to crawl, with those robots.
fn without_signal<'a>(file: &File<'a>) -> Vec<(usize, &'a str)> {
    let has_signal: BTreeSet<_> = file
        .preferences(Vocabulary::ContentSignal)
        .filter_map(|at| at.line.group)
        .collect();
    let tokens = |group: &usize| {
        let named = file.addressees.get(*group).into_iter().flatten();
        named.filter_map(|addressee| match addressee {
            Addressee::Token(token) => Some(*token),
            _ => None,
        })
    };
    // Robots merge their groups, so one signal is enough.
    let served: BTreeSet<String> = has_signal
        .iter()
        .flat_map(tokens)
        .map(str::to_ascii_lowercase)
        .collect();
    let is_closed = |group: &usize| {
        let mut rules = file.rules.get(*group).into_iter().flatten();
        let closes = rules
            .clone()
            .any(|rule| rule.sense == Sense::Disallow && matches!(rule.value, b"/" | b"*" | b"/*"));
        closes && rules.all(|rule| rule.sense == Sense::Disallow || rule.value.is_empty())
    };
    let open =
        (0..file.rules.len()).filter(|group| !file.is_for_anybody(*group) && !is_closed(group));
    let robots = open.flat_map(|group| tokens(&group).map(move |token| (group, token)));
    robots
        .filter(|(_, token)| !served.contains(&token.to_ascii_lowercase()))
        .filter(|(_, token)| sends_requests(token))
        .collect()
}

/// Control tokens fetch nothing: no robot of that name reads a signal.
fn sends_requests(token: &str) -> bool {
    let known = abide_known_robots::named(token);
    !known.is_some_and(abide_known_robots::KnownRobot::is_control_token)
}

fn last_starter<'a>(file: &File<'a>, group: usize) -> Option<&'a Line> {
    let starters = &file.robots.groups().get(group)?.starters;
    file.robots.lines().get(*starters.last()?)
}

/// The edit that repeats the signals behind the user-agent lines of a group.
fn repeated(file: &File<'_>, group: usize, signals: &[&Line]) -> Option<Edit> {
    let last = last_starter(file, group)?;
    let ending = last.ending.as_bytes();
    if ending.is_empty() {
        return None;
    }
    let end = File::whole(last).end;
    let lines = signals.iter().flat_map(|line| {
        let own = File::statement(line).of(file.text());
        [own, ending].concat()
    });
    Some(Edit {
        span: Span::new(end, end),
        replacement: lines.collect(),
    })
}
