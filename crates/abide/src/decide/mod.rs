//! The composition: what all sources together say about each usage of a target (Part 3.4 of the
//! requirements). So far the conventional records speak, about crawl.

use crate::pattern::Target;
use crate::pattern::normal::Forms;
use crate::pattern::set::Match;
use crate::policy::Policy;
use crate::rep::{Access, CrawlDelay};
use crate::text::Span;
use crate::verdict::{Evidence, Outcome, Place, Reason, Role, Selection, Sense, Source, Usage};
use std::borrow::Cow;

/// What is asked of a client about a target, usage by usage, with the evidence. It borrows from the
/// policy that made it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Decision<'p> {
    /// Path and query that the rules were compared with, in form C1.
    pub path: String,
    /// Where the target's robots.txt lives; `None` where only a path was given.
    pub robots_url: Option<String>,
    /// One entry for each of [`Usage::ALL`], in that order.
    pub usages: Vec<UsageDecision<'p>>,
    /// The groups whose rules count for the client, by the starter lines that chose them.
    pub groups: Vec<Selection<'p>>,
    /// Values of the file's `Sitemap` records (REP-63).
    pub sitemaps: Vec<Cow<'p, str>>,
    /// The chosen group's `Crawl-delay`, and its place.
    pub crawl_delay: Option<(CrawlDelay, Place)>,
    /// URLs that have to be fetched before more can be said.
    pub needs: Vec<String>,
}

/// What is said about one usage.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct UsageDecision<'p> {
    /// The usage.
    pub usage: Usage,
    /// What is asked.
    pub outcome: Outcome,
    /// What made the outcome: the deciding entry first, then all that matched and lost, in file
    /// order. Empty where nobody spoke.
    pub evidence: Vec<Evidence<'p>>,
}

impl<'p> Decision<'p> {
    /// What is said about `usage`.
    #[must_use]
    pub fn usage(&self, usage: Usage) -> Option<&UsageDecision<'p>> {
        self.usages.iter().find(|said| said.usage == usage)
    }

    /// The outcome for `usage`.
    #[must_use]
    pub fn outcome(&self, usage: Usage) -> Outcome {
        self.usage(usage)
            .map_or(Outcome::Unspecified, |said| said.outcome)
    }
}

/// Decides `target` under `policy`.
pub(crate) fn decide<'p>(policy: &'p Policy, target: &Target<'_>) -> Decision<'p> {
    let octets = if policy.client().reading() == crate::Profile::Google {
        crate::pattern::target::google(target.url())
    } else {
        target.octets()
    };
    let path = policy.normalise(&octets, true);
    let (outcome, evidence) = crawl(policy, &path);
    let robots_url = target.robots_url();
    let needs = match policy.access() {
        Access::Unknown => robots_url.iter().cloned().collect(),
        _ => Vec::new(),
    };
    let mut crawl = Some((outcome, evidence));
    let usages = Usage::ALL
        .into_iter()
        .map(|usage| {
            let said = if usage == Usage::Crawl {
                crawl.take()
            } else {
                None
            };
            let (outcome, evidence) = said.unwrap_or_default();
            UsageDecision {
                usage,
                outcome,
                evidence,
            }
        })
        .collect();
    Decision {
        path: String::from_utf8_lossy(&path.c1).into_owned(),
        robots_url,
        usages,
        groups: policy.chosen_groups(),
        sitemaps: policy.sitemaps().map(String::from_utf8_lossy).collect(),
        crawl_delay: policy.crawl_delay(),
        needs,
    }
}

type Said<'p> = (Outcome, Vec<Evidence<'p>>);

/// Steps 0, 2 and 3: the file itself, then what came of fetching it, then its rules.
fn crawl<'p>(policy: &'p Policy, path: &Forms<'_>) -> Said<'p> {
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
        source: Source::RobotsTxt,
        place: Some(place),
        statement: quote(policy, place.span),
        selected_by: policy.group_of(found.line),
        role,
        reason,
        octets: Some(found.octets),
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

fn fact<'p>(source: Source, reason: Reason) -> Evidence<'p> {
    Evidence {
        source,
        place: None,
        statement: Cow::Borrowed(b""),
        selected_by: None,
        role: Role::Decided,
        reason,
        octets: None,
    }
}

fn quote(policy: &Policy, span: Span) -> Cow<'_, [u8]> {
    Cow::Borrowed(span.of(policy.text().octets()))
}
