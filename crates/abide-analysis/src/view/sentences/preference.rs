//! Preferences about training, AI input and search in plain English.

use crate::compare::Openness;
use crate::view::preference::page_answers;
use crate::view::{
    FileView, LineState, PageView, PreferenceLine, PreferencesView, TokenLine, UsageAnswer,
};
use crate::words::{
    capital, cut, enumerated_all, enumerated_of, lines, preference_outcome, shown_text, shown_url,
    usage, vocabulary,
};
use abide::explain::{counted, visible};
use abide::preference::UseLevel;
use abide::syntax::LineStatement;
use abide::{Outcome, Usage};
use abide_known_robots::KnownRobot;
use std::collections::BTreeSet;

/// Names that a sentence lists one by one.
const NAMES: usize = 3;

/// What the file asks about training, AI input and search, one sentence each, and the licence
/// documents that it names. Empty if it has no preference line, and no group of a control token
/// that is about the client.
///
/// ```
/// use abide::{Client, Policy};
/// use abide_analysis::preferences;
/// use abide_analysis::view::{FileView, sentences};
/// let file = b"User-agent: *\nContent-Signal: ai-train=no\n";
/// let policy = Policy::compile(file, &preferences::with_all_preferences(&Client::unnamed()));
/// assert_eq!(
///     sentences::site_preferences(&FileView::of(&policy)),
///     [
///         "Training: disallowed by line 2 (Content-Signal).",
///         "AI input: no preference.",
///         "Search: no preference.",
///     ],
/// );
/// ```
#[must_use]
pub fn site_preferences(view: &FileView<'_>) -> Vec<String> {
    match view.preferences() {
        Some(stated) if stated.is_stated => {
            let licences = stated.licences.iter().map(|(line, url)| {
                format!(
                    "Licence document: {} (line {line}). It was not read, and may ask for more.",
                    shown_url(url)
                )
            });
            let answers = stated.answers.iter().map(answer);
            answers
                .chain(licences)
                .chain(for_others(view, stated))
                .collect()
        }
        _ => Vec::new(),
    }
}

/// Where preferences are, if all of them are for other robots.
fn for_others(view: &FileView<'_>, stated: &PreferencesView) -> Option<String> {
    let is_other = |line: &PreferenceLine| line.state == LineState::Others;
    let is_silent = |answer: &UsageAnswer| {
        answer.outcome == Outcome::Unspecified && answer.exceptions.is_empty()
    };
    let numbers = stated.lines.iter().filter(|line| is_other(line));
    let numbers: Vec<u32> = numbers.map(|line| line.number).collect();
    let is_told = stated.answers.iter().all(is_silent) && stated.licences.is_empty();
    if is_told {
        not_for(&view.agent(), &numbers)
    } else {
        None
    }
}

/// Says that the groups of preferences do not apply to a robot: `The preference on line 4 is not
/// for GPTBot.` `None` without lines.
#[must_use]
pub fn not_for(agent: &str, numbers: &[u32]) -> Option<String> {
    let (noun, verb) = match numbers {
        [] => return None,
        [_] => ("preference", "is"),
        _ => ("preferences", "are"),
    };
    Some(format!(
        "The {noun} on {} {verb} not for {agent}.",
        lines(numbers)
    ))
}

/// What is asked about training, AI input and search for a page, one sentence each. Empty if
/// neither the file nor the page states a preference.
#[must_use]
pub fn page_preferences(view: &FileView<'_>, page: &PageView<'_>) -> Vec<String> {
    let answers = page_answers(view.policy(), &page.decision);
    let is_stated = view.preferences().is_some_and(|stated| stated.is_stated);
    let is_asked = |answer: &UsageAnswer| answer.outcome != Outcome::Unspecified;
    if !is_stated && !answers.iter().any(is_asked) {
        return Vec::new();
    }
    let others: BTreeSet<u32> = answers
        .iter()
        .filter(|answer| answer.outcome == Outcome::Unspecified)
        .flat_map(|answer| answer.of_others.iter().copied())
        .collect();
    let others: Vec<u32> = others.into_iter().collect();
    let others = not_for(&view.agent(), &others);
    answers.iter().map(answer).chain(others).collect()
}

/// `Training: disallowed by line 3 (Content-Signal); for /blog/ allowed by line 4.`
#[must_use]
pub fn answer(answer: &UsageAnswer) -> String {
    let name = capital(usage(answer.usage));
    let outcome = preference_outcome(answer.outcome);
    let by = by(answer);
    let conditions = answer.conditions.as_ref();
    let conditions = conditions.map_or_else(String::new, |text| format!(": {text}"));
    let exceptions = exceptions(answer);
    if let (Some(own), Some(open)) = (answer.without_licence, &answer.open) {
        let outcome = preference_outcome(own);
        let by = if own == Outcome::Unspecified { "" } else { &by };
        return format!("{name}: {outcome}{by}, but not known for certain: {open}.");
    }
    match (answer.outcome, &answer.why) {
        (_, Some(why)) if answer.is_unreadable => {
            format!("{name}: {outcome}, because {why}{exceptions}.")
        }
        (Outcome::Unspecified, Some(why)) => format!("{name}: {outcome} ({why}){exceptions}."),
        (Outcome::Unknown, why) => {
            let why = why
                .as_ref()
                .map_or_else(String::new, |why| format!(": {why}"));
            format!("{name}: not known{why}{exceptions}.")
        }
        _ => format!("{name}: {outcome}{by}{conditions}{exceptions}."),
    }
}

/// What decides: ` by line 3 (Content-Signal)`.
fn by(answer: &UsageAnswer) -> String {
    let vocabulary = match (answer.vocabulary, &answer.token) {
        (Some(_), Some(token)) => {
            let token = visible(token.as_bytes());
            let star = if answer.is_by_star {
                ", which has no group of its own"
            } else {
                ""
            };
            format!(" (control token {token}{star})")
        }
        (Some(known), None) => format!(" ({})", vocabulary(known)),
        (None, _) => String::new(),
    };
    match (answer.line, &answer.why) {
        (Some(line), _) => format!(" by line {line}{vocabulary}"),
        (None, Some(why)) => format!(" by {}{vocabulary}", cut(why)),
        (None, None) => String::new(),
    }
}

/// `; for /blog/ allowed by line 4`
fn exceptions(answer: &UsageAnswer) -> String {
    let each = answer.exceptions.iter().take(NAMES).map(|one| {
        let outcome = preference_outcome(one.outcome);
        let by = match one.line {
            Some(line) if one.outcome != Outcome::Unspecified => format!(" by line {line}"),
            _ => String::new(),
        };
        format!("; for {} {outcome}{by}", cut(&one.pattern))
    });
    let mut text: String = each.collect();
    if let Some(more @ 1..) = answer.exceptions.len().checked_sub(NAMES) {
        text.push_str("; and otherwise for ");
        text.push_str(&counted(more as u64, "more pattern"));
    }
    text
}

/// What a preference line settles for the client: `asks: training disallowed`. `None` for a line
/// without effect, whose [`LineState`] says why.
#[must_use]
pub fn preference_line(view: &FileView<'_>, line: &PreferenceLine) -> Option<String> {
    match (line.state, &line.states) {
        (LineState::Counts, LineStatement::Usages(usages, limit)) => {
            Some(statement(line, usages, *limit))
        }
        (LineState::Counts, LineStatement::Licence(_)) if line.addressees.is_empty() => {
            Some("names a licence document for all robots whose groups name none".to_owned())
        }
        (LineState::Counts, LineStatement::Licence(_)) => Some(format!(
            "names a licence document for {}",
            robots_of(&line.addressees)
        )),
        (LineState::Others, LineStatement::Usages(..)) if is_for_tokens(line) => Some(format!(
            "has no effect: {} sends no requests, and only rules count in its group",
            robots_of(&line.addressees)
        )),
        (LineState::Others, LineStatement::Usages(usages, limit)) => Some(format!(
            "asks {}, not {}: {}",
            robots_of(&line.addressees),
            view.agent(),
            asked(usages, *limit)
        )),
        (LineState::Others, LineStatement::Nothing | LineStatement::Unreadable) => Some(format!(
            "is for {}, not for {}, and states no preference",
            robots_of(&line.addressees),
            view.agent()
        )),
        (LineState::Others, LineStatement::Licence(_)) => Some(format!(
            "names a licence document for {}, not for {}",
            robots_of(&line.addressees),
            view.agent()
        )),
        _ => None,
    }
}

/// Whether a line is for one control token, and for no robot.
fn is_for_tokens(line: &PreferenceLine) -> bool {
    let [only] = &*line.addressees else {
        return false;
    };
    let known = std::str::from_utf8(only)
        .ok()
        .and_then(abide_known_robots::named);
    known.is_some_and(KnownRobot::is_control_token)
}

/// A statement that is for the client, with what overrides it.
fn statement(
    line: &PreferenceLine,
    usages: &[(Usage, Outcome)],
    limit: Option<UseLevel>,
) -> String {
    let paths = line.path.as_deref();
    let paths = paths.map_or_else(String::new, |path| format!(" for {}", shown_text(path)));
    if line.is_about_disallowed {
        return format!(
            "has no effect: where crawling is disallowed, {} states no preference",
            vocabulary(line.vocabulary)
        );
    }
    format!(
        "asks{paths}: {}{}",
        asked(usages, limit),
        lost(line, usages)
    )
}

/// What overrides the line: `; line 6 overrides it`, `; line 6 overrides it for search`.
fn lost(line: &PreferenceLine, usages: &[(Usage, Outcome)]) -> String {
    let Some((_, by)) = line.overridden.first() else {
        return String::new();
    };
    if line.overridden.len() == usages.len() && line.overridden.iter().all(|(_, own)| own == by) {
        return format!("; line {by} overrides it");
    }
    let each = line.overridden.iter();
    let each = each.map(|(lost, by)| format!("; line {by} overrides it for {}", usage(*lost)));
    each.collect()
}

/// `training disallowed, search allowed, at most the level "reference"`
fn asked(usages: &[(Usage, Outcome)], limit: Option<UseLevel>) -> String {
    let each = usages
        .iter()
        .map(|(about, outcome)| format!("{} {outcome}", usage(*about)));
    let limit = limit.map(|level| match level {
        UseLevel::Full => "no limit of use".to_owned(),
        level => format!("any use up to the level \"{}\"", level.name()),
    });
    each.chain(limit).collect::<Vec<_>>().join(", ")
}

/// The robots of a group: `GPTBot, CCBot and 3 more`.
fn robots_of(values: &[Vec<u8>]) -> String {
    if values.is_empty() {
        return "no robot".to_owned();
    }
    let name = |value: &Vec<u8>| match value.as_slice() {
        b"*" => "robots without a group of their own".to_owned(),
        value => shown_text(value),
    };
    let first: Vec<String> = values.iter().take(NAMES + 1).map(name).collect();
    enumerated_of(&first, values.len(), NAMES)
}

/// What the group of a control token settles: `control token of Google: for what Googlebot fetches,
/// training and AI input are disallowed`.
#[must_use]
pub fn token_line(view: &FileView<'_>, line: &TokenLine) -> String {
    let controls: Vec<_> = line.usages.iter().map(|one| usage(*one)).collect();
    let verb = if controls.len() == 1 { "is" } else { "are" };
    let controls = enumerated_all(&controls);
    let answer = match line.openness {
        Some(Openness::Open) => "allowed",
        Some(Openness::Closed) => "disallowed",
        _ => "disallowed on some paths",
    };
    let fetchers = match line.fetchers {
        [] => "its operator's robots fetch".to_owned(),
        fetchers => format!("{} fetches", fetchers.join(" or ")),
    };
    let but = if line.counts {
        String::new()
    } else {
        format!("; it is not about {}", view.agent())
    };
    format!(
        "control token of {}: for what {fetchers}, {controls} {verb} {answer}{but}",
        line.operator
    )
}
