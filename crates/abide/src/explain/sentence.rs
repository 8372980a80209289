//! A few words for an outcome, and for each piece of evidence.

use super::visible;
use crate::decide::UsageDecision;
use crate::tag::TagPlace;
use crate::verdict::{Evidence, Reason, SelectedBy, Selection, Source};

/// What was decided about a usage, and why where no rule decided: `crawl: prohibited`,
/// `crawl: permitted, because robots.txt is unavailable (HTTP status 404)`.
#[must_use]
pub fn outcome(said: &UsageDecision<'_>) -> String {
    let fact = said
        .evidence
        .first()
        .filter(|decided| decided.octets.is_none() && decided.tag_place.is_none());
    let conditions: Vec<_> = said.conditions.iter().map(ToString::to_string).collect();
    match fact {
        Some(fact) => format!("{}: {}, because {}", said.usage, said.outcome, why(fact)),
        None if conditions.is_empty() => format!("{}: {}", said.usage, said.outcome),
        None => format!(
            "{}: {}: {}",
            said.usage,
            said.outcome,
            conditions.join(", ")
        ),
    }
}

/// Why evidence played its part.
#[must_use]
pub fn why(evidence: &Evidence<'_>) -> String {
    let octets = evidence
        .octets
        .map_or_else(String::new, |octets| match octets {
            1 => " (1 octet)".to_owned(),
            _ => format!(" ({octets} octets)"),
        });
    match evidence.reason {
        Reason::OnlyMatch => format!("the only rule that matches{octets}"),
        Reason::MostOctets => {
            format!("of the rules that match, the one with the most octets{octets}")
        }
        Reason::EqualOctets => format!("as many octets, but later in the file{octets}"),
        Reason::AllowWinsTie => format!("allow wins over a disallow with as many octets{octets}"),
        Reason::LostTieToAllow => format!("as many octets, and then allow wins{octets}"),
        Reason::FewerOctets => format!("fewer octets{octets}"),
        Reason::OtherGroup => "in a group that does not count here".to_owned(),
        Reason::NoRuleMatches => "no rule of the group matches".to_owned(),
        Reason::NoGroup => "no group addresses this client".to_owned(),
        Reason::TagRule | Reason::StricterWins => tag_rule(evidence),
        Reason::TagExpired => format!("{}; its instant has passed", tag_rule(evidence)),
        Reason::TagUnreadable => format!("{}; its value cannot be read", tag_rule(evidence)),
        Reason::RobotsTxtItself => "/robots.txt itself may always be fetched".to_owned(),
        Reason::Unavailable(cause) => format!("robots.txt is unavailable ({cause})"),
        Reason::Unreachable(cause) => format!("robots.txt is unreachable ({cause})"),
        Reason::RobotsTxtNotKnown => "robots.txt was not read".to_owned(),
    }
}

/// Which rule it is, and where: `rule noindex, field line 1, member 2`.
fn tag_rule(evidence: &Evidence<'_>) -> String {
    let rule = visible(evidence.rule.as_deref().unwrap_or_default().as_bytes());
    match (evidence.source, evidence.tag_place) {
        (Source::Meta, Some(TagPlace::Offset(at))) => {
            format!("rule {rule}, octet {at} of the page's source")
        }
        (Source::RenderedMeta, Some(TagPlace::Offset(at))) => {
            format!("rule {rule}, octet {at} of the rendered page")
        }
        (_, Some(TagPlace::Field { line, member })) => {
            format!("rule {rule}, field line {line}, member {member}")
        }
        _ => format!("rule {rule}"),
    }
}

/// How a group was found, where its starter line does not say so by itself.
pub(super) fn group(selection: &Selection<'_>) -> Option<String> {
    match &selection.by {
        SelectedBy::ProductToken(token) => Some(format!(
            "found by the product token {}",
            visible(token.as_bytes())
        )),
        SelectedBy::Purpose(token) => Some(format!(
            "found by the purpose {}",
            visible(token.as_bytes())
        )),
        SelectedBy::AnyCrawler => None,
    }
}
