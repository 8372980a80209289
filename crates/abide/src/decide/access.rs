//! Whether a target may be fetched: steps 0, 2, 3 and 5 of docs/spec/decision.md.

use super::acap::AcapSays;
use super::fact;
use super::latest::Latest;
use super::ruling::Ruling;
use crate::pattern::normal::Forms;
use crate::pattern::set::Match;
use crate::policy::Policy;
use crate::rep::Access;
use crate::text::Span;
use crate::verdict::{Evidence, Outcome, Provenance, Reason, Role, Selection, Sense, Source};
use std::sync::Arc;

/// Decides crawl: first whether the target is robots.txt itself, then whether there is a file, then
/// the rules together with ACAP.
pub(super) fn crawl<'p>(policy: &'p Policy, path: &Forms<'_>, acap: &AcapSays<'p>) -> Ruling<'p> {
    let by = |outcome, source, reason| Ruling::new(outcome, vec![fact(source, reason)]);
    let by_failure = |outcome, reason, cause| {
        Ruling::new(outcome, vec![fact(Source::Fetch, reason).with_cause(cause)])
    };
    if policy.is_exempt(&path.c1) {
        return by(Outcome::Permitted, Source::Default, Reason::RobotsTxtItself);
    }
    match policy.access() {
        Access::Unavailable(cause) => by_failure(Outcome::Permitted, Reason::Unavailable, cause),
        Access::Unreachable(cause) => by_failure(Outcome::Prohibited, Reason::Unreachable, cause),
        Access::Unknown => by(Outcome::Unknown, Source::Fetch, Reason::RobotsTxtNotKnown),
        Access::Rules => acap.composed(policy, path),
    }
}

/// Step 3: the matching rule with the most bytes, the first of `matches`, all others, and those
/// that match and are `ignored`.
pub(super) fn rules<'p>(
    policy: &'p Policy,
    path: &Forms<'_>,
    matches: &[Match],
    ignored: &[Match],
) -> Ruling<'p> {
    let selections = Latest::default();
    let evidence_of = |found: &Match, role, reason| rule(policy, found, role, reason, &selections);
    let (outcome, first) = match matches.first() {
        Some(best) => {
            let outcome = match best.sense {
                Sense::Allow => Outcome::Permitted,
                Sense::Disallow => Outcome::Prohibited,
            };
            (
                outcome,
                evidence_of(best, Role::Decided, why_decided(best, matches)),
            )
        }
        None => (Outcome::Permitted, no_rule(policy)),
    };
    let mut evidence = Vec::with_capacity(matches.len().max(1));
    evidence.push(first);
    if let Some((best, others)) = matches.split_first() {
        evidence.extend(others.iter().map(|other| {
            let (role, reason) = why_lost(other, best);
            evidence_of(other, role, reason)
        }));
    }
    let overridden = |other, reason| evidence_of(other, Role::Overridden, reason);
    evidence.extend(
        ignored
            .iter()
            .map(|other| overridden(other, Reason::AcapSamePattern)),
    );
    let passed_over = policy.matching_passed_over(path);
    let others = passed_over.iter();
    evidence.extend(others.map(|other| overridden(other, Reason::OtherGroup)));
    if let Some((_, lost)) = evidence.split_first_mut() {
        lost.sort_by_key(|evidence| evidence.place);
    }
    Ruling::new(outcome, evidence)
}

fn why_decided(best: &Match, matches: &[Match]) -> Reason {
    let tied = |other: &&Match| other.bytes == best.bytes && other.sense != best.sense;
    match matches {
        [_] => Reason::OnlyMatch,
        _ if matches.iter().any(|other| tied(&other)) => Reason::AllowWinsTie,
        _ => Reason::MostBytes,
    }
}

fn why_lost(other: &Match, best: &Match) -> (Role, Reason) {
    let role = if other.sense == best.sense {
        Role::Agreed
    } else {
        Role::Overridden
    };
    let reason = match (other.bytes == best.bytes, role) {
        (false, _) => Reason::FewerBytes,
        (true, Role::Agreed) => Reason::EqualBytes,
        (true, _) => Reason::LostTieToAllow,
    };
    (role, reason)
}

fn rule<'p>(
    policy: &'p Policy,
    found: &Match,
    role: Role,
    reason: Reason,
    selections: &Latest<Selection<'p>>,
) -> Evidence<'p> {
    let place = policy.statement_place(found.line);
    let source = Provenance {
        place: Some(place),
        statement: quote(policy, place.span),
        selected_by: policy
            .group_of(found.line)
            .map(|group| selections.shared(group)),
        bytes: Some(found.bytes),
        ..Provenance::of(Source::RobotsTxt)
    };
    Evidence::new(source, role, reason)
}

/// Evidence that no rule matches, so crawl is allowed (REP-34, REP-45). Shows the line that
/// selected the group.
fn no_rule(policy: &Policy) -> Evidence<'_> {
    let Some(group) = policy.chosen().next() else {
        return fact(Source::Default, Reason::NoGroup);
    };
    let default = Provenance {
        place: Some(group.place),
        statement: quote(policy, group.place.span),
        selected_by: Some(Arc::new(group)),
        ..Provenance::of(Source::Default)
    };
    Evidence::new(default, Role::Decided, Reason::NoRuleMatches)
}

fn quote(policy: &Policy, span: Span) -> &[u8] {
    span.of(policy.text().as_bytes())
}
