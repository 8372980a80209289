//! Findings about control tokens: what decides for them, and a client that is one.

use crate::decide::preference::Question;
use crate::decide::preference::control_token::decided;
use crate::diagnostic::{Code, Diagnostic};
use crate::policy::preference::TokenRules;
use crate::preference::ControlToken;
use crate::rep::token::ProductToken;
use crate::verdict::{Evidence, Outcome};

/// The findings about the control tokens that the client asks about.
pub(super) fn findings(question: &Question<'_, '_>) -> Vec<Diagnostic> {
    let mut found: Vec<_> = asked_as_robot(question).into_iter().collect();
    if !question.is_robots_txt_unknown() {
        let tokens = question.side().map_or(&[][..], |side| &side.tokens);
        found.extend(tokens.iter().filter_map(|rules| {
            let (outcome, evidence) = decided(question, rules)?;
            finding(question, rules, outcome, &evidence)
        }));
    }
    found
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
