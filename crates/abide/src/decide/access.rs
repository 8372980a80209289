//! Whether the target may be fetched: steps 0, 2 and 3.

use super::fact;
use crate::pattern::normal::Forms;
use crate::pattern::set::Match;
use crate::policy::Policy;
use crate::rep::Access;
use crate::text::Span;
use crate::verdict::{Evidence, Outcome, Reason, Role, Sense, Source};
use std::borrow::Cow;

type Said<'p> = (Outcome, Vec<Evidence<'p>>);

/// Steps 0, 2 and 3: the file itself, then what came of fetching it, then its rules.
pub(super) fn crawl<'p>(policy: &'p Policy, path: &Forms<'_>) -> Said<'p> {
    if policy.is_exempt(path) {
        return (
            Outcome::Permitted,
            vec![fact(Source::Default, Reason::RobotsTxtItself)],
        );
    }
    match policy.access() {
        Access::Unavailable(cause) => (
            Outcome::Permitted,
            vec![fact(Source::Fetch, Reason::Unavailable(cause))],
        ),
        Access::Unreachable(cause) => (
            Outcome::Prohibited,
            vec![fact(Source::Fetch, Reason::Unreachable(cause))],
        ),
        Access::Unknown => (
            Outcome::Unknown,
            vec![fact(Source::Fetch, Reason::RobotsTxtNotKnown)],
        ),
        Access::Rules => rules(policy, path),
    }
}

/// Step 3: the matching rule with the most octets, and all others that match.
fn rules<'p>(policy: &'p Policy, path: &Forms<'_>) -> Said<'p> {
    let text = policy.text().octets();
    let matches = policy.rules().all(text, path);
    let (outcome, first) = match matches.first() {
        Some(best) => {
            let outcome = match best.sense {
                Sense::Allow => Outcome::Permitted,
                Sense::Disallow => Outcome::Prohibited,
            };
            (
                outcome,
                rule(policy, best, Role::Decided, why_decided(best, &matches)),
            )
        }
        None => (Outcome::Permitted, no_rule(policy)),
    };
    let mut lost: Vec<Evidence<'p>> = matches
        .split_first()
        .into_iter()
        .flat_map(|(best, others)| others.iter().map(move |other| (best, other)))
        .map(|(best, other)| {
            let (role, reason) = why_lost(other, best);
            rule(policy, other, role, reason)
        })
        .chain(
            policy
                .passed_over()
                .all(text, path)
                .iter()
                .map(|other| rule(policy, other, Role::Overridden, Reason::OtherGroup)),
        )
        .collect();
    lost.sort_by_key(|evidence| evidence.place);
    lost.insert(0, first);
    (outcome, lost)
}

fn why_decided(best: &Match, matches: &[Match]) -> Reason {
    let tied = |other: &&Match| other.octets == best.octets && other.sense != best.sense;
    match matches {
        [_] => Reason::OnlyMatch,
        _ if matches.iter().any(|other| tied(&other)) => Reason::AllowWinsTie,
        _ => Reason::MostOctets,
    }
}

fn why_lost(other: &Match, best: &Match) -> (Role, Reason) {
    let role = if other.sense == best.sense {
        Role::Agreed
    } else {
        Role::Overridden
    };
    let reason = match (other.octets == best.octets, role) {
        (false, _) => Reason::FewerOctets,
        (true, Role::Agreed) => Reason::EqualOctets,
        (true, _) => Reason::LostTieToAllow,
    };
    (role, reason)
}

fn rule<'p>(policy: &'p Policy, found: &Match, role: Role, reason: Reason) -> Evidence<'p> {
    let place = policy.statement(found.line);
    Evidence {
        place: Some(place),
        statement: quote(policy, place.span),
        selected_by: policy.group_of(found.line),
        role,
        octets: Some(found.octets),
        ..fact(Source::RobotsTxt, reason)
    }
}

/// No rule matches: allowed by default (REP-34, REP-45). The group's first starter line is shown.
fn no_rule(policy: &Policy) -> Evidence<'_> {
    let Some(group) = policy.chosen_groups().into_iter().next() else {
        return fact(Source::Default, Reason::NoGroup);
    };
    Evidence {
        place: Some(group.place),
        statement: quote(policy, group.place.span),
        selected_by: Some(group),
        ..fact(Source::Default, Reason::NoRuleMatches)
    }
}

fn quote(policy: &Policy, span: Span) -> Cow<'_, [u8]> {
    Cow::Borrowed(span.of(policy.text().octets()))
}
