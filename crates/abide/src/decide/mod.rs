//! The composition: what all sources together say about each usage of a target (Part 3.4 of the
//! requirements). Conventional records speak about crawl (`access`), robots tags about all other
//! usages (`usages`), ACAP about all of them (`acap`); what is decided about one usage can matter for
//! another (`dependency`).

mod acap;
mod access;
mod dependency;
mod said;
mod usages;

use acap::AcapSays;
use said::Said;

use crate::acap::ActionRequest;
use crate::app::{self, Application, ApplicationDecision};
use crate::client::Client;
use crate::diagnostic::{Code, Diagnostic};
use crate::explain::visible;
use crate::pattern::Target;
use crate::pattern::normal::Forms;
use crate::policy::Policy;
use crate::profile::Profile;
use crate::rep::{Access, CrawlDelay};
use crate::tag::{Binding, Response};
use crate::text::Span;
use crate::verdict::{Condition, Evidence, Outcome, Place, Reason, Role, Selection, Source, Usage};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

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
    /// The chosen group's `Crawl-delay`, and its place.
    pub crawl_delay: Option<(CrawlDelay, Place)>,
    /// The robots tag rules that bind the client, by name, with their values.
    pub tags: BTreeMap<String, Option<String>>,
    /// Names of robots tag rules that nobody here knows.
    pub unknown_tag_rules: BTreeSet<String>,
    /// What the file asks each application of the client to do, in their order. Beside the usages,
    /// never in them (APP-11).
    pub applications: Vec<ApplicationDecision>,
    /// What the file asks the client to do with single resources (ACAP-117). Nobody here does it.
    pub action_requests: Vec<ActionRequest>,
    /// What is odd about what the target's response says.
    pub diagnostics: Vec<Diagnostic>,
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
    /// What a conditional outcome demands, sorted by kind, then value.
    pub conditions: Vec<Condition>,
    /// What made the outcome: the deciding entry first, then all that matched and lost, in file
    /// order. Empty where nobody spoke.
    pub evidence: Vec<Evidence<'p>>,
}

/// The deciding piece stays first; the others stand in the order of their sources and places.
fn in_order(evidence: &mut [Evidence<'_>]) {
    if let Some((_, others)) = evidence.split_first_mut() {
        others.sort_by_key(|one| (one.source, one.place, one.tag_place));
    }
}

impl<'p> UsageDecision<'p> {
    /// Nobody spoke about `usage`.
    const fn unspecified(usage: Usage) -> Self {
        Self {
            usage,
            outcome: Outcome::Unspecified,
            conditions: Vec::new(),
            evidence: Vec::new(),
        }
    }

    fn new(usage: Usage, said: Said<'p>) -> Self {
        let mut evidence = said.evidence;
        in_order(&mut evidence);
        Self {
            usage,
            outcome: said.outcome,
            conditions: said.conditions,
            evidence,
        }
    }
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
    let octets = target.octets_as(policy.client().reading());
    let path = policy.normalise(&octets);
    let acap = AcapSays::new(policy, &path, target);
    let tags = Binding::of(target.said(), policy.client());
    let client = policy.client();
    let said = |usage| {
        if usage == Usage::Crawl {
            access::crawl(policy, &path, &acap)
        } else {
            let tags = usages::by_tags(usage, &tags, client, target.instant());
            acap.about(usage).0.meet(tags)
        }
    };
    // Nobody but the conventional rules says anything, and these speak about crawl alone.
    let others_are_silent = policy.acap().is_none() && tags.statements.is_empty();
    let decided = |usage| UsageDecision::new(usage, said(usage));
    let mut usages: Vec<_>;
    if others_are_silent {
        usages = Usage::ALL.map(UsageDecision::unspecified).into();
        if let Some(crawl) = usages.first_mut() {
            *crawl = decided(crawl.usage);
        }
    } else {
        usages = Usage::ALL.into_iter().map(decided).collect();
        dependency::apply(&mut usages, policy, target);
    }
    let outcome = usages
        .first()
        .map_or(Outcome::Unknown, |crawl| crawl.outcome);
    let robots_url = target.robots_url();
    let needs = match policy.access() {
        Access::Unknown => robots_url.iter().cloned().collect(),
        _ => acap.needs(),
    };
    let applications = applications(policy, &octets, outcome);
    Decision {
        path: String::from_utf8_lossy(&path.c1).into_owned(),
        robots_url,
        diagnostics: diagnostics(target, policy.client(), &tags, &usages, &applications),
        usages,
        groups: policy.chosen_groups(),
        crawl_delay: policy.crawl_delay(),
        action_requests: policy.action_requests().to_vec(),
        applications,
        tags: tags.rules,
        unknown_tag_rules: tags.unknown,
        needs,
    }
}

/// What is said about fetching `target`, alone.
fn crawl<'p>(policy: &'p Policy, target: &Target<'_>) -> Said<'p> {
    let octets = target.octets();
    let path = policy.normalise(&octets);
    access::crawl(policy, &path, &AcapSays::new(policy, &path, target))
}

/// Whether `url` may be fetched, for a policy whose ACAP records have a say in that.
pub(crate) fn may_crawl(policy: &Policy, url: &str, path: &Forms<'_>) -> bool {
    Target::new(url).is_ok_and(|target| {
        let acap = AcapSays::new(policy, path, &target);
        access::crawl(policy, path, &acap).outcome == Outcome::Permitted
    })
}

/// Step 9: the directives of every application asked for. The google profile knows none (CLA-16),
/// and neither does a file that was not read (AMB-APP-23).
fn applications(policy: &Policy, path: &[u8], crawl: Outcome) -> Vec<ApplicationDecision> {
    let client = policy.client();
    if client.reading() == Profile::Google {
        return Vec::new();
    }
    let select = |application: &Application| {
        let registry = client.known_applications();
        let decision = if policy.asks_applications() {
            app::select(policy.text(), path, application, registry)
        } else {
            ApplicationDecision::silent(application)
        };
        let crawl_disallowed = crawl == Outcome::Prohibited;
        ApplicationDecision {
            crawl_disallowed,
            ..decision
        }
    };
    client.applications().iter().map(select).collect()
}

/// What is odd about the response, and a `noindex` that a `Disallow` keeps from being seen
/// (AMB-X-11).
fn diagnostics(
    target: &Target<'_>,
    client: &Client,
    tags: &Binding<'_>,
    usages: &[UsageDecision<'_>],
    applications: &[ApplicationDecision],
) -> Vec<Diagnostic> {
    let mut found = target
        .said()
        .map_or_else(Vec::new, |response| response.diagnostics().to_vec());
    found.extend(tags.diagnostics());
    if !client.reads_body_metas() {
        found.extend(
            target
                .said()
                .and_then(|response| meta_in_body(response, client)),
        );
    }
    found.extend(
        applications
            .iter()
            .flat_map(ApplicationDecision::diagnostics),
    );
    let prohibited = |usage| {
        usages
            .iter()
            .any(|said| said.usage == usage && said.outcome == Outcome::Prohibited)
    };
    if prohibited(Usage::Crawl) && usages.iter().any(is_kept_from_the_index_by_a_tag) {
        found.push(Diagnostic {
            code: Code::NoindexBehindDisallow,
            line: None,
            span: Span::default(),
            message:
                "crawl is prohibited, so a crawler never sees that the page is not to be indexed"
                    .to_owned(),
        });
    }
    found
}

fn is_kept_from_the_index_by_a_tag(said: &UsageDecision<'_>) -> bool {
    let by_tag = |one: &Evidence<'_>| {
        one.tag_place.is_some() && matches!(one.role, Role::Decided | Role::Agreed)
    };
    said.usage == Usage::Index
        && said.outcome == Outcome::Prohibited
        && said.evidence.iter().any(by_tag)
}

/// A meta element that would bind the client, were it in the head (TAG-31).
fn meta_in_body(response: &Response, client: &Client) -> Option<Diagnostic> {
    let outside = Binding::new(response.outside_statements(), client);
    let first = outside
        .statements
        .first()
        .filter(|_| !outside.rules.is_empty())?;
    Some(Diagnostic {
        code: Code::RobotsMetaInBody,
        line: None,
        span: Span::default(),
        message: format!(
            "{} stands outside of the head, and does not count",
            visible(first.text.as_bytes())
        ),
    })
}

/// Evidence that is no rule of robots.txt.
fn fact<'p>(source: Source, reason: Reason) -> Evidence<'p> {
    Evidence {
        source,
        place: None,
        statement: Cow::Borrowed(b""),
        selected_by: None,
        role: Role::Decided,
        reason,
        octets: None,
        locator: None,
        tag_place: None,
        rule: None,
        notes: &[],
    }
}
