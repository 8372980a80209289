//! Control tokens: whether their groups disallow the path (PREF-115 to PREF-125).

use super::super::ruling::Ruling;
use super::{Question, VocabularyRuling, disallowing};
use crate::diagnostic::{Code, Diagnostic};
use crate::policy::preference::TokenRules;
use crate::preference::ControlToken;
use crate::rep::token::ProductToken;
use crate::verdict::{
    Evidence, Notes, Outcome, Provenance, Reason, Role, Source, Usage, Vocabulary,
};

const VOCABULARY: Vocabulary = Vocabulary::ControlToken;

/// The answer of the vocabulary.
pub(super) fn answer<'p>(question: &Question<'p, '_>) -> VocabularyRuling<'p> {
    if question.is_robots_txt_unknown() {
        let tokens = question.profile.control_tokens.iter();
        let usages: Vec<Usage> = tokens.flat_map(|token| token.usages.clone()).collect();
        let mut answer = question.unknown(VOCABULARY, &usages);
        answer.diagnostics.extend(asked_as_robot(question));
        return answer;
    }
    let mut answer = VocabularyRuling::default();
    answer.diagnostics.extend(asked_as_robot(question));
    for rules in question.side().map_or(&[][..], |side| &side.tokens) {
        let Some((outcome, evidence)) = decided(question, rules) else {
            continue;
        };
        answer
            .diagnostics
            .extend(finding(question, rules, outcome, &evidence));
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
fn decided<'p>(
    question: &Question<'p, '_>,
    rules: &'p TokenRules,
) -> Option<(Outcome, Evidence<'p>)> {
    let policy = &rules.policy;
    let disallowing = disallowing(policy, question.crawl_path);
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

/// The finding that the client is a control token (PREF-124).
fn asked_as_robot(question: &Question<'_, '_>) -> Option<Diagnostic> {
    let mut tokens = question.profile.control_tokens.iter();
    let own = tokens.find(|known| is_client(question, known))?;
    Some(Diagnostic::of_decision(
        Code::TokenNeverFetches,
        format!(
            "{} sends no requests: its group is about the use of what other robots fetch",
            own.token.as_str()
        ),
    ))
}

/// The finding about what decides for a token.
fn finding(
    question: &Question<'_, '_>,
    rules: &TokenRules,
    outcome: Outcome,
    evidence: &Evidence<'_>,
) -> Option<Diagnostic> {
    let token = rules.token.token.as_str();
    let place = evidence.place?;
    let (code, message) = if !rules.has_own_group() {
        let message = format!(
            "{token} has no group, so a rule about crawling decides how the page may be used"
        );
        (Code::ControlTokenByStar, message)
    } else if outcome == Outcome::Permitted
        && question.is_closed
        && !is_client(question, &rules.token)
    {
        let message = format!(
            "{token} is allowed, but its robot may not crawl the page, so there is nothing to use"
        );
        (Code::ControlTokenFetcherClosed, message)
    } else {
        return None;
    };
    Some(Diagnostic::new(code, Some(place.line), place.span, message))
}

/// Whether the client itself has the name of a control token.
fn is_client(question: &Question<'_, '_>, known: &ControlToken) -> bool {
    let names = question.policy.client().product_tokens();
    let known = known.token.as_str();
    let mut names = names.iter().map(ProductToken::as_str);
    names.any(|name| name.eq_ignore_ascii_case(known))
}
