//! `Content-Signal`: word by word the longest matching line of the chosen groups, and the response
//! field, which only restricts (PREF-49 to PREF-66).

use super::super::ruling::Ruling;
use super::{Question, VocabularyRuling, decided_first, of_field, outside};
use crate::policy::preference::MatchingLine;
use crate::preference::content_signal::{Signal, USE, WORDS};
use crate::preference::page::{PreferenceField, StatedField};
use crate::preference::{Preference, UseLevel};
use crate::verdict::{Condition, Evidence, Outcome, Reason, Role, Source, Usage, Vocabulary};
use std::collections::BTreeSet;

const VOCABULARY: Vocabulary = Vocabulary::ContentSignal;

/// The answer of the vocabulary.
pub(super) fn answer<'p>(question: &Question<'p, '_>) -> VocabularyRuling<'p> {
    let mut answer = if question.is_robots_txt_unknown() {
        question.unknown(VOCABULARY, &Usage::OF_PREFERENCES)
    } else {
        VocabularyRuling::default()
    };
    let side = question.side();
    let own = side.map_or_else(Vec::new, |side| side.content_signal.matching(question.path));
    let own = evidence(question, own, (Role::Decided, Reason::SaysSo));
    let field = field(question);
    if !(own.is_empty() && field.is_empty()) {
        add_own(&mut answer, question, &own, &field);
    }
    if let Some(side) = side {
        let outside = outside(question, side, VOCABULARY, Source::ContentSignal);
        for ruling in &mut answer.usages {
            ruling.evidence.extend_from_slice(&outside);
        }
        let others = side.content_signal_of_others.matching(question.path);
        add_others(&mut answer, &evidence(question, others, OTHER));
    }
    answer
}

/// Adds what the client's own lines say, and the response field.
fn add_own<'p>(
    answer: &mut VocabularyRuling<'p>,
    question: &Question<'p, '_>,
    lines: &[MatchingSignal<'p>],
    field: &[SignalField<'p>],
) {
    let by_field = field
        .iter()
        .fold(Signal::default(), |all, line| all.meet(line.signal));

    for (word, usage) in WORDS {
        let by_lines = SignalWord::new(lines, |signal| signal.stated.about(usage));
        let says_no = by_field.stated.about(usage) == Some(Preference::No);
        let settled = by_lines.value.max(says_no.then_some(Preference::No));
        if let Some(settled) = settled {
            let value = match settled {
                Preference::Yes => "yes",
                Preference::No => "no",
            };
            answer.words.push((word, value.into()));
        }
        if question.has_words {
            answer.add(usage, by_lines.ruling(Preference::outcome));
        }
        answer.add(usage, field_says(field, usage));
    }
    let limits = SignalWord::new(lines, |signal| signal.max_use.map(Limit));
    let limit = limits
        .value
        .into_iter()
        .chain(by_field.max_use.map(Limit))
        .max();
    if let Some(Limit(level)) = limit {
        answer.words.push((USE, level.name().into()));
        let by_lines = limits.ruling(|limit| limit.outcome(question));
        let by_lines = limited(by_lines, limits.value, question);
        let by_field = field_limits(field, by_field.max_use, question);
        for usage in Usage::OF_PREFERENCES {
            answer.add(usage, by_lines.clone());
            answer.add(usage, by_field.clone());
        }
        for ruling in &mut answer.usages {
            once_each(&mut ruling.evidence);
        }
    }
}

/// The part of lines in groups of other robots.
const OTHER: (Role, Reason) = (Role::Overridden, Reason::OtherGroup);

/// Adds the evidence of lines in groups of other robots.
fn add_others<'p>(answer: &mut VocabularyRuling<'p>, others: &[MatchingSignal<'p>]) {
    for (usage, ruling) in Usage::OF_PREFERENCES.into_iter().zip(&mut answer.usages) {
        let about = others.iter().filter(|MatchingSignal { signal, .. }| {
            signal.max_use.is_some() || signal.stated.about(usage).is_some()
        });
        ruling.evidence.reserve_exact(about.clone().count());
        ruling
            .evidence
            .extend(about.map(|other| other.evidence.clone()));
    }
}

/// A line that matches, with the evidence that words and usages share.
struct MatchingSignal<'p> {
    bytes: u32,
    signal: &'p Signal,
    evidence: Evidence<'p>,
}

/// These lines, each as evidence that plays this part.
fn evidence<'p>(
    question: &Question<'p, '_>,
    lines: Vec<MatchingLine<'p, Signal>>,
    (role, reason): (Role, Reason),
) -> Vec<MatchingSignal<'p>> {
    let lines = lines.into_iter().map(
        |MatchingLine {
             place,
             bytes,
             stated,
         }| {
            let line = question.line(VOCABULARY, Source::ContentSignal, place, bytes);
            MatchingSignal {
                bytes,
                signal: stated,
                evidence: Evidence::new(line, role, reason),
            }
        },
    );
    lines.collect()
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
struct SignalWord<'l, 'p, T, F> {
    /// The lines that match, the longest paths first.
    lines: &'l [MatchingSignal<'p>],
    /// What a line says about the word.
    of: F,
    longest: u32,
    value: Option<T>,
}

impl<'l, 'p, T: Ord + Copy, F: Fn(&Signal) -> Option<T>> SignalWord<'l, 'p, T, F> {
    fn new(lines: &'l [MatchingSignal<'p>], of: F) -> Self {
        let stating = || {
            lines
                .iter()
                .filter_map(|line| Some((line, of(line.signal)?)))
        };
        let longest = stating().next().map_or(0, |(line, _)| line.bytes);
        let selected = stating().take_while(|(line, _)| line.bytes == longest);
        let value = selected.map(|(_, value)| value).max();
        Self {
            lines,
            of,
            longest,
            value,
        }
    }

    /// The evidence of all lines that state the word, and the outcome of the value that applies.
    fn ruling(&self, outcome: impl Fn(T) -> Outcome) -> Ruling<'p> {
        let Some(value) = self.value else {
            return Ruling::default();
        };
        let outcome = outcome(value);
        if outcome == Outcome::Unspecified {
            return Ruling::default();
        }
        let mut has_decided = false;
        let mut evidence = Vec::with_capacity(self.lines.len());
        evidence.extend(self.lines.iter().filter_map(|line| {
            let own = (self.of)(line.signal)?;
            let is_longest = line.bytes == self.longest;
            let is_first = is_longest && own == value && !has_decided;
            has_decided |= is_first;
            let (role, reason) = match (is_longest, own == value) {
                _ if is_first => (Role::Decided, Reason::SaysSo),
                (true, true) => (Role::Agreed, Reason::SaysTheSame),
                (true, false) => (Role::Overridden, Reason::StricterWins),
                (false, true) => (Role::Agreed, Reason::FewerBytes),
                (false, false) => (Role::Overridden, Reason::FewerBytes),
            };
            Some(line.evidence.clone().in_part(role, reason))
        }));
        Ruling::new(outcome, decided_first(evidence))
    }
}

/// Adds the condition of a limit, or says that the client means to do more.
fn limited<'p>(
    mut ruling: Ruling<'p>,
    limit: Option<Limit>,
    question: &Question<'p, '_>,
) -> Ruling<'p> {
    match (ruling.outcome, limit) {
        (Outcome::Conditional, Some(Limit(level))) => {
            ruling.conditions = vec![Condition::MaxUse(level)];
        }
        (Outcome::Prohibited, _) => {
            debug_assert!(question.profile.intended_use.is_some(), "a limit prohibits");
            if let Some(decided) = ruling.evidence.first_mut() {
                decided.reason = Reason::UseExceeded;
            }
        }
        _ => {}
    }
    ruling
}

/// A line of the response field.
struct SignalField<'p> {
    stated: &'p StatedField,
    signal: Signal,
}

impl<'p> SignalField<'p> {
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

fn field<'p>(question: &Question<'p, '_>) -> Vec<SignalField<'p>> {
    let Some(page) = question.page else {
        return Vec::new();
    };
    let lines = page.lines(PreferenceField::ContentSignal);
    let read = lines.map(|stated| SignalField {
        stated,
        signal: Signal::read(&stated.value),
    });
    read.collect()
}

/// What the field says about a usage: only its `no` counts (PREF-65).
fn field_says<'p>(field: &[SignalField<'p>], usage: Usage) -> Ruling<'p> {
    let mut ruling = Ruling::default();
    for line in field {
        let own = match line.signal.stated.about(usage) {
            Some(Preference::No) => Ruling::new(
                Outcome::Prohibited,
                vec![line.evidence(Role::Decided, Reason::SaysSo)],
            ),
            Some(Preference::Yes) => Ruling::new(
                Outcome::Unspecified,
                vec![line.evidence(Role::Void, Reason::FieldPermitsNothing)],
            ),
            None => continue,
        };
        ruling = ruling.meet_preference(own);
    }
    ruling
}

/// What the limit of the field means.
fn field_limits<'p>(
    field: &[SignalField<'p>],
    level: Option<UseLevel>,
    question: &Question<'p, '_>,
) -> Ruling<'p> {
    let Some(level) = level else {
        return Ruling::default();
    };
    let outcome = Limit(level).outcome(question);
    let stating = field.iter().find(|line| line.signal.max_use == Some(level));
    let evidence = stating.map(|line| line.evidence(Role::Decided, Reason::SaysSo));
    match outcome {
        Outcome::Unspecified => Ruling::default(),
        _ => limited(
            Ruling::new(outcome, evidence.into_iter().collect()),
            Some(Limit(level)),
            question,
        ),
    }
}

/// Keeps one piece of evidence of each line: it may have a word for a usage, and a limit. The first
/// piece is the one that decides, if any does.
fn once_each(evidence: &mut Vec<Evidence<'_>>) {
    // Remembering takes memory, and few lines have both.
    let key = |one: &Evidence<'_>| (one.source, one.place, one.field_line());
    if evidence.is_sorted_by(|one, next| key(one) < key(next)) {
        return;
    }
    let mut known = BTreeSet::new();
    evidence.retain(|one| known.insert(key(one)));
}
