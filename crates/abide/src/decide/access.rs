//! Whether a target may be fetched: steps 0, 2, 3 and 5 of docs/spec/decision.md.

use super::acap::AcapSays;
use super::fact;
use super::latest::Latest;
use super::ruling::Ruling;
use crate::acap::{AcapMode, AcapPattern};
use crate::pattern::normal::Forms;
use crate::pattern::set::Match;
use crate::policy::Policy;
use crate::rep::Access;
use crate::text::Span;
use crate::verdict::{
    Evidence, Outcome, Provenance, Reason, Role, Selection, Sense, Source, Usage,
};
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
        Access::Rules => composed(policy, path, acap),
    }
}

/// Combines conventional rules and ACAP records (ACAP-14 to ACAP-21, AMB-ACAP-15, AMB-ACAP-17,
/// CLA-2, CLA-15).
fn composed<'p>(policy: &'p Policy, path: &Forms<'_>, acap: &AcapSays<'p>) -> Ruling<'p> {
    let mut matches = policy.matching(path);
    let Some(side) = policy.acap() else {
        return rules(policy, path, &matches, &[]);
    };
    let (said, patterns) = acap.about(Usage::Crawl);
    if side.ignores_conventional {
        return without_conventional(rules(policy, path, &[], &matches), said);
    }
    let sense = match said.outcome {
        Outcome::Permitted => Some(Sense::Allow),
        Outcome::Prohibited => Some(Sense::Disallow),
        _ => None,
    };
    let restricts = policy.client().acap().mode == AcapMode::Restrict;
    // If both have the same pattern, the conventional rule is ignored (ACAP-21).
    let is_ignored = |found: &Match| {
        !restricts
            && !patterns.is_empty()
            && sense.is_some_and(|sense| found.sense != sense)
            && pattern_of(policy, found)
                .is_some_and(|own| patterns.iter().any(|pattern| *pattern == own.symbols()))
    };
    let ignored: Vec<_> = matches.extract_if(.., |found| is_ignored(found)).collect();
    let conventional = rules(policy, path, &matches, &ignored);
    let by_default = conventional
        .evidence
        .first()
        .is_some_and(|evidence| evidence.source == Source::Default);
    match (said.outcome, by_default) {
        (Outcome::Unspecified, _) => conventional,
        // A default is not a statement, so it neither agrees nor loses.
        (_, true) => said.meet(Ruling {
            evidence: conventional.evidence.into_iter().skip(1).collect(),
            ..conventional
        }),
        (_, false) => conventional.meet(said),
    }
}

/// The answer for a file that asks ACAP crawlers to ignore its conventional rules (ACAP-15).
fn without_conventional<'p>(ignored: Ruling<'p>, said: Ruling<'p>) -> Ruling<'p> {
    let mut said = match said.outcome {
        Outcome::Unspecified => Ruling::new(
            Outcome::Permitted,
            vec![fact(Source::Default, Reason::ConventionalIgnored)],
        ),
        _ => said,
    };
    let ignored = ignored.evidence.into_iter().skip(1);
    said.evidence.extend(ignored.map(|evidence| {
        let role = evidence.role;
        evidence.in_part(role, Reason::ConventionalIgnored)
    }));
    said
}

/// The pattern of a rule in the form in which ACAP compares patterns.
fn pattern_of(policy: &Policy, found: &Match) -> Option<AcapPattern> {
    AcapPattern::read(policy.value_of(found.line)).ok()
}

/// Step 3: the matching rule with the most bytes, the first of `matches`, all others, and those
/// that match and are `ignored`.
fn rules<'p>(
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
