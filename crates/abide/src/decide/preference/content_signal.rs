//! `Content-Signal`: word by word the longest matching line of the chosen groups, and the response
//! field, which only restricts (PREF-49 to PREF-66).

use super::super::said::Said;
use super::{Answer, Question, decided_first, of_field};
use crate::policy::preference::MatchingLine;
use crate::preference::content_signal::{Signal, USE, WORDS};
use crate::preference::page::{PreferenceField, StatedField};
use crate::preference::{Preference, UseLevel};
use crate::verdict::{Condition, Evidence, Outcome, Reason, Role, Source, Usage, Vocabulary};
use std::collections::BTreeSet;

const VOCABULARY: Vocabulary = Vocabulary::ContentSignal;

/// The answer of the vocabulary.
pub(super) fn answer<'p>(question: &Question<'p, '_>) -> Answer<'p> {
    let mut answer = if question.is_robots_txt_unknown() {
        question.unknown(VOCABULARY, &Usage::PREFERENCES)
    } else {
        Answer::default()
    };
    let matching = question
        .side()
        .map_or_else(Vec::new, |side| side.content_signal.matching(question.path));
    let field = field(question);
    let by_field = field
        .iter()
        .fold(Signal::default(), |all, line| all.meet(line.signal));

    for (word, usage) in WORDS {
        let lines = Word::new(&matching, |signal| signal.stated.about(usage));
        let says_no = by_field.stated.about(usage) == Some(Preference::No);
        let settled = lines.value.max(says_no.then_some(Preference::No));
        if let Some(settled) = settled {
            let value = match settled {
                Preference::Yes => "yes",
                Preference::No => "no",
            };
            answer.words.push((word.to_owned(), value.to_owned()));
        }
        let of_lines = lines.said(question, Preference::outcome);
        let of_field = field_says(&field, usage);
        if let Some(said) = answer.about(usage) {
            let known = std::mem::take(said);
            *said = known.meet_preference(of_lines).meet_preference(of_field);
        }
    }
    let limits = Word::new(&matching, |signal| signal.max_use.map(Limit));
    let limit = limits
        .value
        .into_iter()
        .chain(by_field.max_use.map(Limit))
        .max();
    if let Some(Limit(level)) = limit {
        answer.words.push((USE.to_owned(), level.name().to_owned()));
        for usage in Usage::PREFERENCES {
            let by_lines = limits.said(question, |limit| limit.outcome(question));
            let by_lines = limited(by_lines, limits.value, question);
            let by_field = field_limits(&field, by_field.max_use, question);
            if let Some(said) = answer.about(usage) {
                let known = std::mem::take(said);
                *said = known.meet_preference(by_lines).meet_preference(by_field);
            }
        }
    }
    for said in &mut answer.usages {
        once_each(&mut said.evidence);
    }
    if let Some(side) = question.side() {
        outside(question, &side.outside, &mut answer);
    }
    answer
}

/// A maximum level of use. The greater one is the stricter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Limit(UseLevel);

impl PartialOrd for Limit {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Limit {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        other.0.cmp(&self.0)
    }
}

impl Limit {
    /// What it means for every usage (PREF-53, PREF-54).
    fn outcome(self, question: &Question<'_, '_>) -> Outcome {
        match question.profile.intended_use {
            Some(intended) if intended > self.0 => Outcome::Prohibited,
            Some(_) => Outcome::Unspecified,
            None if self.0 == UseLevel::Full => Outcome::Unspecified,
            None => Outcome::Conditional,
        }
    }
}

/// What the lines say about one word: the longest lines that state it, and the most restrictive of
/// them (PREF-60, PREF-61).
struct Word<T> {
    /// The lines that state it, with the bytes of their paths.
    stating: Vec<(u32, u32, T)>,
    longest: u32,
    value: Option<T>,
}

impl<T: Ord + Copy> Word<T> {
    fn new(matching: &[MatchingLine<'_, Signal>], of: impl Fn(&Signal) -> Option<T>) -> Self {
        let stating = matching
            .iter()
            .filter_map(|line| Some((line.line, line.bytes, of(line.said)?)));
        let stating: Vec<_> = stating.collect();
        let longest = stating.iter().map(|(_, bytes, _)| *bytes).max();
        let longest = longest.unwrap_or_default();
        let selected = stating.iter().filter(|(_, bytes, _)| *bytes == longest);
        let value = selected.map(|(.., value)| *value).max();
        Self {
            stating,
            longest,
            value,
        }
    }

    /// The evidence of all lines that state the word, and the outcome of the value that applies.
    fn said<'p>(&self, question: &Question<'p, '_>, outcome: impl Fn(T) -> Outcome) -> Said<'p> {
        let Some(value) = self.value else {
            return Said::default();
        };
        let outcome = outcome(value);
        if outcome == Outcome::Unspecified {
            return Said::default();
        }
        let mut has_decided = false;
        let evidence = self.stating.iter().map(|&(line, bytes, own)| {
            let is_longest = bytes == self.longest;
            let is_first = is_longest && own == value && !has_decided;
            has_decided |= is_first;
            let (role, reason) = match (is_longest, own == value) {
                _ if is_first => (Role::Decided, Reason::SaysSo),
                (true, true) => (Role::Agreed, Reason::SaysTheSame),
                (true, false) => (Role::Overridden, Reason::StricterWins),
                (false, true) => (Role::Agreed, Reason::FewerBytes),
                (false, false) => (Role::Overridden, Reason::FewerBytes),
            };
            Evidence {
                bytes: (bytes > 0).then_some(bytes),
                ..question.line(VOCABULARY, Source::ContentSignal, line, role, reason)
            }
        });
        Said::new(outcome, decided_first(evidence.collect()))
    }
}

/// Adds the condition of a limit, or says that the client means to do more.
fn limited<'p>(mut said: Said<'p>, limit: Option<Limit>, question: &Question<'p, '_>) -> Said<'p> {
    match (said.outcome, limit) {
        (Outcome::Conditional, Some(Limit(level))) => {
            said.conditions = vec![Condition::MaxUse(level)];
        }
        (Outcome::Prohibited, _) => {
            debug_assert!(question.profile.intended_use.is_some(), "a limit prohibits");
            if let Some(decided) = said.evidence.first_mut() {
                decided.reason = Reason::UseExceeded;
            }
        }
        _ => {}
    }
    said
}

/// A line of the response field.
struct FieldLine<'p> {
    stated: &'p StatedField,
    signal: Signal,
}

impl<'p> FieldLine<'p> {
    fn evidence(&self, role: Role, reason: Reason) -> Evidence<'p> {
        of_field(
            VOCABULARY,
            Source::ContentSignalField,
            self.stated,
            role,
            reason,
        )
    }
}

fn field<'p>(question: &Question<'p, '_>) -> Vec<FieldLine<'p>> {
    let Some(page) = question.page else {
        return Vec::new();
    };
    let lines = page.lines(PreferenceField::ContentSignal);
    let read = lines.map(|stated| FieldLine {
        stated,
        signal: Signal::read(&stated.value),
    });
    read.collect()
}

/// What the field says about a usage: only its `no` counts (PREF-65).
fn field_says<'p>(field: &[FieldLine<'p>], usage: Usage) -> Said<'p> {
    let mut said = Said::default();
    for line in field {
        let own = match line.signal.stated.about(usage) {
            Some(Preference::No) => Said::new(
                Outcome::Prohibited,
                vec![line.evidence(Role::Decided, Reason::SaysSo)],
            ),
            Some(Preference::Yes) => Said::new(
                Outcome::Unspecified,
                vec![line.evidence(Role::Void, Reason::FieldPermitsNothing)],
            ),
            None => continue,
        };
        said = said.meet_preference(own);
    }
    said
}

/// What the limit of the field means.
fn field_limits<'p>(
    field: &[FieldLine<'p>],
    level: Option<UseLevel>,
    question: &Question<'p, '_>,
) -> Said<'p> {
    let Some(level) = level else {
        return Said::default();
    };
    let outcome = Limit(level).outcome(question);
    let stating = field.iter().find(|line| line.signal.max_use == Some(level));
    let evidence = stating.map(|line| line.evidence(Role::Decided, Reason::SaysSo));
    match outcome {
        Outcome::Unspecified => Said::default(),
        _ => limited(
            Said::new(outcome, evidence.into_iter().collect()),
            Some(Limit(level)),
            question,
        ),
    }
}

/// Keeps one piece of evidence of each line: it may have a word for a usage, and a limit. The first
/// piece is the one that decides, if any does.
fn once_each(evidence: &mut Vec<Evidence<'_>>) {
    let mut known = BTreeSet::new();
    evidence.retain(|one| known.insert((one.source, one.place, one.field_line)));
}

/// Lines before the first group, which have no effect (PREF-62).
fn outside<'p>(question: &Question<'p, '_>, lines: &[(u32, Vocabulary)], answer: &mut Answer<'p>) {
    let own = lines
        .iter()
        .filter(|(_, vocabulary)| *vocabulary == VOCABULARY);
    for &(line, _) in own {
        for said in &mut answer.usages {
            let (role, reason) = (Role::Void, Reason::OutsideGroup);
            let evidence = question.line(VOCABULARY, Source::ContentSignal, line, role, reason);
            said.evidence.push(evidence);
        }
    }
}
