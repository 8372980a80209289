//! `Content-Usage`: the longest matching rule of the chosen groups, and the response field, word by
//! word the stricter (PREF-19 to PREF-48).

use super::super::fact;
use super::super::said::Said;
use super::{Answer, Question, decided_first};
use crate::pattern::set::Match;
use crate::policy::preference::{MatchingLine, PreferenceSide};
use crate::preference::page::PreferenceField;
use crate::preference::{Preference, Stated, content_usage};
use crate::rep::Access;
use crate::verdict::{Evidence, Outcome, Reason, Role, Sense, Source, Usage, Vocabulary};
use std::borrow::Cow;

const VOCABULARY: Vocabulary = Vocabulary::ContentUsage;
const SEARCH_GOVERNS: &[&str] = &["search-governs"];

/// The answer of the vocabulary.
pub(super) fn answer<'p>(question: &Question<'p, '_>) -> Answer<'p> {
    let revision = question.profile.revision;
    let usages: Vec<_> = revision.words.iter().map(|&(_, usage)| usage).collect();
    let mut answer = if question.is_robots_txt_unknown() {
        question.unknown(VOCABULARY, &usages)
    } else {
        Answer::default()
    };
    let by_rules = question.side().map(|side| Rules::new(question, side));
    let field = field(question);
    let mut words = Stated::default();
    for usage in usages {
        let Some(said) = answer.about(usage) else {
            continue;
        };
        if let Some(rules) = &by_rules {
            *said = rules.about(question, usage);
        }
        if let Some(field) = &field {
            let own = by_field(field, usage);
            *said = std::mem::take(said).meet_preference(own);
        }
        let settled = match said.outcome {
            Outcome::Prohibited => Some(Preference::No),
            Outcome::Permitted => Some(Preference::Yes),
            _ => None,
        };
        words.set(usage, settled);
    }
    answer.words = revision
        .words
        .iter()
        .filter_map(|&(word, usage)| Some((word, words.about(usage)?)))
        .map(|(word, preference)| (word.to_owned(), value(preference).to_owned()))
        .collect();
    answer
}

const fn value(preference: Preference) -> &'static str {
    match preference {
        Preference::Yes => "y",
        Preference::No => "n",
    }
}

const fn outcome(preference: Preference) -> Outcome {
    match preference {
        Preference::Yes => Outcome::Permitted,
        Preference::No => Outcome::Prohibited,
    }
}

/// The rules of the chosen groups that match.
struct Rules<'p> {
    /// Matching rules, the longest paths first.
    matching: Vec<MatchingLine<'p, Option<Stated>>>,
    /// The rules with the longest path together (PREF-24, PREF-25).
    selected: Stated,
    /// The length of that path.
    longest: u32,
    /// Whether crawling the path is disallowed: then no rule applies (PREF-20).
    is_disallowed: bool,
    outside: Vec<u32>,
}

impl<'p> Rules<'p> {
    fn new(question: &Question<'p, '_>, side: &'p PreferenceSide) -> Self {
        let matching = side.content_usage.matching(question.path);
        let longest = matching.first().map_or(0, |first| first.bytes);
        let selected = matching.iter().filter(|rule| rule.bytes == longest);
        let selected = selected.filter_map(|rule| *rule.said);
        let selected = selected.fold(Stated::default(), Stated::meet);
        let is_disallowed = !matching.is_empty() && is_disallowed(question);
        let outside = side.outside.iter();
        let outside = outside.filter(|(_, vocabulary)| *vocabulary == VOCABULARY);
        Self {
            matching,
            selected,
            longest,
            is_disallowed,
            outside: outside.map(|&(line, _)| line).collect(),
        }
    }

    fn about(&self, question: &Question<'p, '_>, usage: Usage) -> Said<'p> {
        let selected = self.selected.about(usage).filter(|_| !self.is_disallowed);
        let mut has_decided = false;
        let stating = self.matching.iter().filter_map(|rule| {
            let (role, reason) = match self.part_of(rule, usage, selected)? {
                (Role::Decided, _) if has_decided => (Role::Agreed, Reason::SaysTheSame),
                part => part,
            };
            has_decided |= role == Role::Decided;
            let governs = usage != Usage::Search
                && role != Role::Void
                && rule
                    .said
                    .is_some_and(|said| said.about(Usage::Search).is_some());
            Some(Evidence {
                bytes: (rule.bytes > 0).then_some(rule.bytes),
                notes: if governs { SEARCH_GOVERNS } else { &[] },
                ..question.line(VOCABULARY, Source::ContentUsage, rule.line, role, reason)
            })
        });
        let outside = self.outside.iter().map(|&line| {
            let (role, reason) = (Role::Void, Reason::OutsideGroup);
            question.line(VOCABULARY, Source::ContentUsage, line, role, reason)
        });
        let evidence = stating.chain(outside).collect();
        let outcome = selected.map_or(Outcome::Unspecified, outcome);
        Said::new(outcome, decided_first(evidence))
    }

    /// The part that a matching rule plays for `usage`. `None` if it says nothing about it.
    fn part_of(
        &self,
        rule: &MatchingLine<'_, Option<Stated>>,
        usage: Usage,
        selected: Option<Preference>,
    ) -> Option<(Role, Reason)> {
        let is_longest = rule.bytes == self.longest;
        let Some(stated) = rule.said else {
            return is_longest.then_some((Role::Void, Reason::Unparsable));
        };
        let own = stated.about(usage)?;
        Some(if self.is_disallowed {
            (Role::Void, Reason::CrawlProhibited)
        } else if is_longest && selected == Some(own) {
            (Role::Decided, Reason::SaysSo)
        } else if is_longest {
            (Role::Overridden, Reason::StricterWins)
        } else if selected == Some(own) {
            (Role::Agreed, Reason::FewerBytes)
        } else {
            (Role::Overridden, Reason::FewerBytes)
        })
    }
}

/// Whether the conventional rules disallow crawling the path (AMB-PREF-4).
fn is_disallowed(question: &Question<'_, '_>) -> bool {
    let policy = question.policy;
    let requested = question.target.requested(policy.client().profile());
    let path = policy.normalise(requested.as_bytes());
    let strongest: Option<Match> = policy.matching(&path).into_iter().next();
    policy.access() == Access::Rules
        && !policy.is_exempt(&path.c1)
        && strongest.is_some_and(|rule| rule.sense == Sense::Disallow)
}

/// The response field: what it says, and its lines.
struct Field<'p> {
    stated: Stated,
    lines: Vec<(u32, &'p [u8], Option<Stated>, [bool; 3])>,
    is_readable: bool,
}

fn field<'p>(question: &Question<'p, '_>) -> Option<Field<'p>> {
    let page = question.page?;
    let lines = || page.lines(PreferenceField::ContentUsage);
    lines().next()?;
    let revision = question.profile.revision;
    let stated = content_usage::read_field(lines().map(|line| &*line.value), revision);
    let each = lines().map(|line| {
        let mentions = Usage::PREFERENCES
            .map(|usage| stated.is_some() && content_usage::mentions(&line.value, usage, revision));
        let own = content_usage::read(&line.value, revision);
        (line.line, &*line.text, own, mentions)
    });
    Some(Field {
        stated: stated.unwrap_or_default(),
        lines: each.collect(),
        is_readable: stated.is_some(),
    })
}

/// What the field says about a usage. The last line that has the word decides (PREF-38).
fn by_field<'p>(field: &Field<'p>, usage: Usage) -> Said<'p> {
    let evidence =
        |&(line, text, ..): &(u32, &'p [u8], Option<Stated>, [bool; 3]), role, reason| Evidence {
            vocabulary: Some(VOCABULARY),
            field_line: Some(line),
            statement: Cow::Borrowed(text),
            role,
            ..fact(Source::ContentUsageField, reason)
        };
    if !field.is_readable {
        let lines = field.lines.iter();
        let void = lines.map(|line| evidence(line, Role::Void, Reason::Unparsable));
        return Said::new(Outcome::Unspecified, void.collect());
    }
    let Some(stated) = field.stated.about(usage) else {
        return Said::default();
    };
    let has_word = |(.., mentions): &&(u32, &[u8], Option<Stated>, [bool; 3])| {
        let mut each = Usage::PREFERENCES.into_iter().zip(mentions);
        each.any(|(about, mentions)| about == usage && *mentions)
    };
    let last = field.lines.iter().rev().find(has_word);
    let deciding = last.or(field.lines.first());
    let deciding = deciding.map(|line| {
        let governs =
            usage != Usage::Search && line.2.is_some_and(|own| own.about(Usage::Search).is_some());
        Evidence {
            notes: if governs { SEARCH_GOVERNS } else { &[] },
            ..evidence(line, Role::Decided, Reason::SaysSo)
        }
    });
    Said::new(outcome(stated), deciding.into_iter().collect())
}
