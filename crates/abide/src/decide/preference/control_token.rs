//! Control tokens: whether their groups disallow the path (PREF-115 to PREF-125).

use super::super::ruling::Ruling;
use super::{Question, VocabularyRuling};
use crate::policy::preference::TokenRules;
use crate::verdict::{
    Evidence, Notes, Outcome, Provenance, Reason, Role, Source, Usage, Vocabulary,
};

const VOCABULARY: Vocabulary = Vocabulary::ControlToken;

/// The answer of the vocabulary.
pub(super) fn answer<'p>(question: &Question<'p, '_>) -> VocabularyRuling<'p> {
    if question.is_robots_txt_unknown() {
        let tokens = question.profile.control_tokens.iter();
        let usages: Vec<Usage> = tokens.flat_map(|token| token.usages.clone()).collect();
        return question.unknown(VOCABULARY, &usages);
    }
    let mut answer = VocabularyRuling::default();
    for rules in question.side().map_or(&[][..], |side| &side.tokens) {
        let Some((outcome, evidence)) = decided(question, rules) else {
            continue;
        };
        let token = rules.token.token.as_str();
        answer.words.push((token, outcome.name().into()));
        for usage in &rules.token.usages {
            answer.add(*usage, Ruling::new(outcome, vec![evidence.clone()]));
        }
    }
    answer
}

/// What the rules for a token say about the path. Without a group of its own, groups for `*` can
/// only prohibit (PREF-121, PREF-122).
pub(crate) fn decided<'p>(
    question: &Question<'p, '_>,
    rules: &'p TokenRules,
) -> Option<(Outcome, Evidence<'p>)> {
    let policy = &rules.policy;
    let disallowing = policy.disallowing(question.crawl_path);
    let (outcome, place, bytes) = match disallowing {
        Some(rule) => (
            Outcome::Prohibited,
            policy.statement_place(rule.line),
            Some(rule.bytes),
        ),
        None if rules.has_own_group() => (Outcome::Permitted, policy.chosen().next()?.place, None),
        None => return None,
    };
    let selected_by = match disallowing {
        Some(rule) => policy.group_of(rule.line),
        None => policy.chosen().next(),
    };
    let selected_by = selected_by.map(|group| question.selections.shared(group));
    let rule = Provenance {
        place: Some(place),
        statement: place.span.of(policy.text().as_bytes()),
        selected_by,
        bytes,
        ..Provenance::of_preference(VOCABULARY, Source::ControlToken)
    };
    let mut evidence = Evidence::new(rule, Role::Decided, Reason::SaysSo);
    if !rules.has_own_group() {
        evidence.notes = Notes::ByStar;
    }
    Some((outcome, evidence))
}
