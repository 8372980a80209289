//! `Content-Usage`: the longest matching rule of the chosen groups, and the response field, word by
//! word the stricter (PREF-19 to PREF-48).

use super::super::ruling::Ruling;
use super::{Question, VocabularyRuling, decided_first, of_field, of_older_word, outside};
use crate::policy::preference::{MatchingLine, PreferenceSide};
use crate::preference::line::split_path;
use crate::preference::page::{PreferenceField, StatedField};
use crate::preference::usage_member::older_member;
use crate::preference::{Preference, Revision, StatedUsages, content_usage};
use crate::verdict::{
    Evidence, Notes, Outcome, Provenance, Reason, Role, Source, Usage, Vocabulary,
};

const VOCABULARY: Vocabulary = Vocabulary::ContentUsage;

/// The answer of the vocabulary.
pub(super) fn answer<'p>(question: &Question<'p, '_>) -> VocabularyRuling<'p> {
    let revision = question.profile.revision;
    let mut answer = if question.is_robots_txt_unknown() {
        let usages: Vec<_> = revision.words.iter().map(|&(_, usage)| usage).collect();
        question.unknown(VOCABULARY, &usages)
    } else {
        VocabularyRuling::default()
    };
    let side = question.side().filter(|_| question.has_words);
    let by_rules = side.map(|side| MatchingRules::new(question, side));
    let field = field(question);
    for &(word, usage) in revision.words {
        let Some(ruling) = answer.about(usage) else {
            continue;
        };
        if let Some(rules) = &by_rules {
            *ruling = rules.about(usage);
        }
        if let Some(field) = &field {
            let own = by_field(field, usage, revision);
            *ruling = std::mem::take(ruling).meet_preference(own);
        }
        let settled = match ruling.outcome {
            Outcome::Prohibited => Some("n"),
            Outcome::Permitted => Some("y"),
            _ => None,
        };
        let settled = settled.map(|value| (word, value.into()));
        answer.words.extend(settled);
    }
    answer
}

/// The rules of the chosen groups that match.
struct MatchingRules<'p> {
    /// Matching rules, the longest paths first, each with the evidence that usages share.
    matching: Vec<(MatchingLine<'p, Option<StatedUsages>>, Evidence<'p>)>,
    /// Older words in place of words about a usage.
    older: Vec<(Usage, Evidence<'p>)>,
    /// Rules of other groups that match.
    others: Vec<(StatedUsages, Evidence<'p>)>,
    /// The rules with the longest path together (PREF-24, PREF-25).
    selected: StatedUsages,
    /// The length of that path.
    longest: u32,
    /// Whether crawling the path is disallowed: then no rule applies (PREF-20).
    is_disallowed: bool,
    /// Lines before the first group, which have no effect.
    outside: Vec<Evidence<'p>>,
}

impl<'p> MatchingRules<'p> {
    fn new(question: &Question<'p, '_>, side: &'p PreferenceSide) -> Self {
        let matching = side.content_usage.matching(question.path);
        let longest = matching.first().map_or(0, |first| first.bytes);
        let selected = matching.iter().filter(|rule| rule.bytes == longest);
        let selected = selected.filter_map(|rule| *rule.stated);
        let selected = selected.fold(StatedUsages::default(), StatedUsages::meet);
        let is_disallowed =
            !matching.is_empty() && question.policy.disallowing(question.crawl_path).is_some();
        let mut older = Vec::new();
        let matching = matching.into_iter().map(|rule| {
            let line = line(question, &rule);
            add_older_words(question, rule, &line, &mut older);
            (rule, Evidence::new(line, Role::Decided, Reason::SaysSo))
        });
        let matching = matching.collect();
        let others = side.content_usage_of_others.matching(question.path);
        let others = others.into_iter().filter_map(|rule| {
            let line = line(question, &rule);
            let other = Evidence::new(line, Role::Overridden, Reason::OtherGroup);
            Some(((*rule.stated)?, other))
        });
        Self {
            matching,
            older,
            others: others.collect(),
            selected,
            longest,
            is_disallowed,
            outside: outside(question, side, VOCABULARY, Source::ContentUsage),
        }
    }

    fn about(&self, usage: Usage) -> Ruling<'p> {
        let selected = self.selected.about(usage).filter(|_| !self.is_disallowed);
        let mut has_decided = false;
        let stating = self.matching.iter().filter_map(|(rule, evidence)| {
            let (role, reason) = match self.part_of(rule, usage, selected)? {
                (Role::Decided, _) if has_decided => (Role::Agreed, Reason::SaysTheSame),
                part => part,
            };
            has_decided |= role == Role::Decided;
            let governs = usage != Usage::Search
                && role != Role::Void
                && rule
                    .stated
                    .is_some_and(|stated| stated.about(Usage::Search).is_some());
            let mut evidence = evidence.clone().in_part(role, reason);
            if governs {
                evidence.notes = Notes::SearchGoverns;
            }
            Some(evidence)
        });
        let most = self.matching.len().saturating_add(self.outside.len());
        let mut evidence = Vec::with_capacity(most);
        evidence.extend(stating);
        let about = self.older.iter().filter(|(about, _)| *about == usage);
        evidence.extend(about.map(|(_, older)| older.clone()));
        evidence.extend_from_slice(&self.outside);
        let others = self.others.iter();
        let others = others.filter(|(stated, _)| stated.about(usage).is_some());
        evidence.extend(others.map(|(_, other)| other.clone()));
        let outcome = selected.map_or(Outcome::Unspecified, Preference::outcome);
        Ruling::new(outcome, decided_first(evidence))
    }

    /// The part that a matching rule plays for `usage`. `None` if it says nothing about it.
    fn part_of(
        &self,
        rule: &MatchingLine<'_, Option<StatedUsages>>,
        usage: Usage,
        selected: Option<Preference>,
    ) -> Option<(Role, Reason)> {
        let is_longest = rule.bytes == self.longest;
        let Some(stated) = rule.stated else {
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

/// Where a rule is, and what it says.
fn line<'p>(
    question: &Question<'p, '_>,
    rule: &MatchingLine<'p, Option<StatedUsages>>,
) -> Provenance<'p> {
    question.line(VOCABULARY, Source::ContentUsage, rule.place, rule.bytes)
}

/// Adds the older words in a rule, of each usage about which it has no other.
fn add_older_words<'p>(
    question: &Question<'p, '_>,
    rule: MatchingLine<'p, Option<StatedUsages>>,
    line: &Provenance<'p>,
    older: &mut Vec<(Usage, Evidence<'p>)>,
) {
    let Some(stated) = rule.stated.filter(|stated| stated.has_older_words) else {
        return;
    };
    let (_, statement) = split_path(question.policy.value_of(rule.place.line));
    for usage in Usage::OF_PREFERENCES {
        if stated.about(usage).is_none()
            && let Some(word) = older_member(statement, usage, question.profile.revision)
            && is_new(older, usage, word)
        {
            older.push((usage, of_older_word(line.clone(), word)));
        }
    }
}

/// Whether no statement before had the older word, about the same usage. A file can repeat it in
/// every line.
fn is_new(older: &[(Usage, Evidence<'_>)], usage: Usage, word: &str) -> bool {
    let is_same = |known: &str| known.split('=').next() == word.split('=').next();
    let mut known = older.iter().filter(|(about, _)| *about == usage);
    !known.any(|(_, one)| one.rule().is_some_and(is_same))
}

/// The response field: what it says, and its lines.
struct ResponseField<'p> {
    stated: StatedUsages,
    lines: Vec<&'p StatedField>,
    /// If the field cannot be read, its lines as evidence that usages share.
    unreadable: Option<Vec<Evidence<'p>>>,
}

fn field<'p>(question: &Question<'p, '_>) -> Option<ResponseField<'p>> {
    let page = question.page?;
    let lines = || page.lines(PreferenceField::ContentUsage);
    lines().next()?;
    let values = lines().map(|line| &*line.value);
    let stated = content_usage::read_field(values, question.profile.revision);
    let void = |line| field_evidence(line, Role::Void, Reason::Unparsable);
    Some(ResponseField {
        stated: stated.unwrap_or_default(),
        lines: lines().collect(),
        unreadable: stated.is_none().then(|| lines().map(void).collect()),
    })
}

fn field_evidence(line: &StatedField, role: Role, reason: Reason) -> Evidence<'_> {
    of_field(VOCABULARY, Source::ContentUsageField, line, role, reason)
}

/// What the field says about a usage. The last line that has the word decides (PREF-38).
fn by_field<'p>(field: &ResponseField<'p>, usage: Usage, revision: &Revision) -> Ruling<'p> {
    if let Some(void) = &field.unreadable {
        return Ruling::new(Outcome::Unspecified, void.clone());
    }
    let Some(stated) = field.stated.about(usage) else {
        let mut older = Vec::new();
        for line in field.lines.iter().filter(|_| field.stated.has_older_words) {
            if let Some(word) = older_member(&line.value, usage, revision)
                && is_new(&older, usage, word)
            {
                let own = field_evidence(line, Role::Void, Reason::OlderWord);
                older.push((usage, of_older_word(own.provenance(), word)));
            }
        }
        let older = older.into_iter().map(|(_, one)| one);
        return Ruling::new(Outcome::Unspecified, older.collect());
    };
    let mut from_the_end = field.lines.iter().rev();
    let last = from_the_end.find(|line| content_usage::mentions(&line.value, usage, revision));
    let deciding = last.or(field.lines.first());
    let deciding = deciding.map(|line| {
        let own = content_usage::read(&line.value, revision);
        let settles_search = own.is_some_and(|own| own.about(Usage::Search).is_some());
        let mut evidence = field_evidence(line, Role::Decided, Reason::SaysSo);
        if usage != Usage::Search && settles_search {
            evidence.notes = Notes::SearchGoverns;
        }
        evidence
    });
    Ruling::new(stated.outcome(), deciding.into_iter().collect())
}
